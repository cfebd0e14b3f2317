//! Threads that perform a session's effects through the ports, and send the replies.
//!
//! Must not know: the session that asked. Each worker has one slot: a newer request
//! replaces one that waits, and raises the cancel flag of the one that runs. Nothing
//! here sleeps or polls; a panic in a worker is an answer like any other failure.

use super::keep::Kept;
use super::message::{Effect, Opened, Reply, Source, Ticket};
use crate::oracle::{
    Control, Evaluator, Oracle, OracleError, OracleFactory, Progress, Query, Recorder,
};
use crate::program::Program;
use crate::trace::{Direction, Edit, State, Value};
use crossbeam_channel::{Receiver, Sender, unbounded};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// What reaches the world: handed in by `cli`.
#[derive(Clone)]
pub struct Ports {
    /// Opens the oracle that predicts.
    pub oracle: Arc<dyn OracleFactory>,
    /// Records with CPython; `Err` says why that is not possible.
    pub recorder: Result<Arc<dyn Recorder>, String>,
    /// Evaluates expressions; `Err` says why that is not possible.
    pub evaluator: Result<Arc<dyn Evaluator>, String>,
    /// Keeps breakpoints and watches for the next session; `None`: nobody does.
    pub keeper: Option<Arc<dyn Keeper>>,
    /// Reads the program anew when the session starts again; `None`: it stays as it is.
    pub reader: Option<Arc<dyn Reader>>,
}

/// Port: keeps what outlives a session.
pub trait Keeper: Send + Sync {
    /// Keeps this in place of what was kept before.
    ///
    /// # Errors
    /// One line.
    fn keep(&self, kept: &Kept) -> Result<(), String>;
}

/// Port: reads the program that the session was opened with.
pub trait Reader: Send + Sync {
    /// As its file is now.
    ///
    /// # Errors
    /// One line that says why it cannot be read.
    fn read(&self) -> Result<Source, String>;
}

/// The threads. Dropping it cancels what runs and does not wait for it, except for what
/// is being kept.
pub struct Workers {
    keeper: Arc<Slot<Kept>>,
    keeping: Option<JoinHandle<()>>,
    oracle: Arc<Slot<OracleJob>>,
    recorder: Arc<Slot<RecordJob>>,
    evaluator: Arc<Slot<EvaluateJob>>,
    reader: Arc<Slot<()>>,
}

enum OracleJob {
    Open(Arc<Program>),
    Ask(Box<Query>),
    Complete(Arc<Program>, Box<State>, Direction),
}

enum RecordJob {
    Describe,
    Record(Arc<Program>, Vec<Edit>),
    Vary(Arc<Program>, Vec<Edit>),
}

struct EvaluateJob {
    expression: String,
    locals: Vec<(Arc<str>, Value)>,
}

impl Workers {
    /// Starts the workers; replies go to the channel, from their threads.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub fn start(ports: Ports, replies: Sender<Reply>) -> std::io::Result<Workers> {
        let Ports { oracle: factory, recorder, evaluator, keeper, reader } = ports;
        let mut oracle: Option<Box<dyn Oracle>> = None;
        let oracle = spawn("oracle", &replies, move |ticket, job, control| match job {
            OracleJob::Open(program) => {
                oracle = None; // Frees the old model before the new one is read.
                let result = guarded(|| open(&*factory, &program, control));
                let result = result.map(|opened| {
                    let facts =
                        Opened { label: opened.label(), capabilities: opened.capabilities() };
                    oracle = Some(opened);
                    facts
                });
                Reply::Opened { ticket, result }
            }
            OracleJob::Ask(query) => {
                let result = guarded(|| ready(&mut oracle)?.answer(&query, control));
                Reply::Answered { ticket, result }
            }
            OracleJob::Complete(program, partial, direction) => {
                let result = guarded(|| {
                    ready(&mut oracle)?.complete(&program, &partial, direction, control)
                });
                Reply::Answered { ticket, result }
            }
        })?;
        let recorder = spawn("recorder", &replies, move |ticket, job: RecordJob, control| {
            let recorder = recorder.as_ref().map_err(|why| OracleError::Unsupported(why.clone()));
            match job {
                RecordJob::Describe => {
                    let result = guarded(|| recorder?.describe());
                    Reply::Described { ticket, result }
                }
                RecordJob::Record(program, edits) => {
                    let record = || recorder?.record(&program, &edits, control).map(Arc::new);
                    Reply::Recorded { ticket, result: guarded(record) }
                }
                RecordJob::Vary(program, edits) => {
                    let record = || recorder?.record_varied(&program, &edits, control);
                    let result = guarded(record).map(|recording| recording.map(Arc::new));
                    Reply::Varied { ticket, result }
                }
            }
        })?;
        let evaluator = spawn("evaluator", &replies, move |ticket, job: EvaluateJob, control| {
            let result = guarded(|| match &evaluator {
                Ok(evaluator) => evaluator.evaluate(&job.expression, &job.locals, control),
                Err(why) => Err(OracleError::Unsupported(why.clone())),
            });
            Reply::Evaluated { ticket, result }
        })?;
        let reader = spawn("reader", &replies, move |ticket, (), _| {
            let read = |reader: &Arc<dyn Reader>| reader.read().map_err(OracleError::Failed);
            let result = guarded(|| reader.as_ref().map(read).transpose());
            Reply::Read { ticket, result: result.map(|source| source.map(Box::new)) }
        })?;
        let (keeper, keeping) = spawn_keeper(keeper)?;
        Ok(Workers { oracle, recorder, evaluator, reader, keeper, keeping: Some(keeping) })
    }

    /// Performs an effect; returns at once. [`Effect::Quit`] is the owner's to perform.
    pub fn perform(&self, effect: Effect) {
        match effect {
            Effect::Open { ticket, program } => self.oracle.put(ticket, OracleJob::Open(program)),
            Effect::Ask { ticket, query } => {
                self.oracle.put(ticket, OracleJob::Ask(Box::new(query)));
            }
            Effect::Complete { ticket, program, partial, direction } => {
                let job = OracleJob::Complete(program, Box::new(partial), direction);
                self.oracle.put(ticket, job);
            }
            Effect::Describe { ticket } => self.recorder.put(ticket, RecordJob::Describe),
            Effect::Record { ticket, program, edits } => {
                self.recorder.put(ticket, RecordJob::Record(program, edits));
            }
            Effect::Vary { ticket, program, edits } => {
                self.recorder.put(ticket, RecordJob::Vary(program, edits));
            }
            Effect::Evaluate { ticket, expression, locals } => {
                self.evaluator.put(ticket, EvaluateJob { expression, locals });
            }
            Effect::Read { ticket } => self.reader.put(ticket, ()),
            Effect::Answer { ticket, line } => {
                self.oracle.answer(ticket, &line);
                self.recorder.answer(ticket, &line);
            }
            Effect::Keep(kept) => self.keeper.put(Ticket(0), kept),
            Effect::Cancel => {
                self.oracle.cancel();
                self.recorder.cancel();
                self.evaluator.cancel();
            }
            Effect::Quit => {}
        }
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.oracle.close();
        self.recorder.close();
        self.evaluator.close();
        self.reader.close();
        self.keeper.finish();
        if let Some(keeping) = self.keeping.take() {
            // It writes one small file at most; a panic there has nothing to tell.
            let _ = keeping.join();
        }
    }
}

fn open(
    factory: &dyn OracleFactory,
    program: &Program,
    control: &Control,
) -> Result<Box<dyn Oracle>, OracleError> {
    let oracle = factory.open(program, control)?;
    oracle.accepts(program)?;
    Ok(oracle)
}

fn ready(oracle: &mut Option<Box<dyn Oracle>>) -> Result<&mut Box<dyn Oracle>, OracleError> {
    oracle.as_mut().ok_or_else(|| OracleError::Failed("no model is open".into()))
}

/// Turns a panic into a failure: one request is lost, not the session.
fn guarded<T>(work: impl FnOnce() -> Result<T, OracleError>) -> Result<T, OracleError> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message");
        Err(OracleError::Failed(format!("internal error: {text}")))
    })
}

/// One request at most waits, one at most runs.
struct Slot<J> {
    state: Mutex<SlotState<J>>,
    filled: Condvar,
}

struct SlotState<J> {
    waiting: Option<(Ticket, J)>,
    running: Option<Running>,
    closed: bool,
}

/// The request that runs.
struct Running {
    ticket: Ticket,
    cancel: Arc<AtomicBool>,
    /// What the program is to read; gone once it is cancelled, which ends its waiting.
    answers: Option<Sender<Option<String>>>,
}

impl Running {
    fn cancel(&mut self) {
        self.cancel.store(true, Ordering::Relaxed);
        self.answers = None;
    }
}

/// A request to work on.
struct Taken<J> {
    ticket: Ticket,
    job: J,
    cancel: Arc<AtomicBool>,
    answers: Receiver<Option<String>>,
}

impl<J> Slot<J> {
    fn lock(&self) -> MutexGuard<'_, SlotState<J>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, ticket: Ticket, job: J) {
        let mut state = self.lock();
        if let Some(running) = &mut state.running {
            running.cancel();
        }
        state.waiting = Some((ticket, job));
        self.filled.notify_one();
    }

    fn cancel(&self) {
        let mut state = self.lock();
        state.waiting = None;
        if let Some(running) = &mut state.running {
            running.cancel();
        }
    }

    /// Hands the request that runs, if it is this one, a line.
    fn answer(&self, ticket: Ticket, line: &Option<String>) {
        let state = self.lock();
        let running = state.running.as_ref().filter(|running| running.ticket == ticket);
        if let Some(answers) = running.and_then(|running| running.answers.as_ref()) {
            // Who asked may be gone by now.
            let _ = answers.send(line.clone());
        }
    }

    fn close(&self) {
        self.cancel();
        self.lock().closed = true;
        self.filled.notify_one();
    }

    /// Closes it after what still waits.
    fn finish(&self) {
        self.lock().closed = true;
        self.filled.notify_one();
    }

    /// Waits for a request; `None` once closed and empty.
    fn take(&self) -> Option<Taken<J>> {
        let mut state = self.lock();
        loop {
            if let Some((ticket, job)) = state.waiting.take() {
                let cancel = Arc::new(AtomicBool::new(false));
                let (sender, answers) = unbounded();
                let running = Running { ticket, cancel: cancel.clone(), answers: Some(sender) };
                state.running = Some(running);
                return Some(Taken { ticket, job, cancel, answers });
            }
            if state.closed {
                return None;
            }
            state = self.filled.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

fn spawn<J: Send + 'static>(
    name: &str,
    replies: &Sender<Reply>,
    mut perform: impl FnMut(Ticket, J, &Control) -> Reply + Send + 'static,
) -> std::io::Result<Arc<Slot<J>>> {
    let slot = Arc::new(Slot {
        state: Mutex::new(SlotState { waiting: None, running: None, closed: false }),
        filled: Condvar::new(),
    });
    let (mine, replies) = (slot.clone(), replies.clone());
    std::thread::Builder::new().name(name.into()).spawn(move || {
        while let Some(Taken { ticket, job, cancel, answers }) = mine.take() {
            let sink = replies.clone();
            let sink = move |progress: Progress| {
                // Nobody listens any more: the session is gone, and so is the interest.
                let _ = sink.send(Reply::Progress { ticket, progress });
            };
            let control = Control::new(cancel, Arc::new(sink)).answered(answers);
            let reply = perform(ticket, job, &control);
            mine.lock().running = None;
            if replies.send(reply).is_err() {
                break;
            }
        }
    })?;
    Ok(slot)
}

/// The keeper has nothing to reply: what cannot be kept is said in the log file.
fn spawn_keeper(
    keeper: Option<Arc<dyn Keeper>>,
) -> std::io::Result<(Arc<Slot<Kept>>, JoinHandle<()>)> {
    let slot = Arc::new(Slot {
        state: Mutex::new(SlotState { waiting: None, running: None, closed: false }),
        filled: Condvar::new(),
    });
    let mine = slot.clone();
    let thread = std::thread::Builder::new().name("keeper".into()).spawn(move || {
        while let Some(taken) = mine.take() {
            if let Some(Err(why)) = keeper.as_ref().map(|keeper| keeper.keep(&taken.job)) {
                tracing::warn!("breakpoints are not kept: {why}");
            }
        }
    })?;
    Ok((slot, thread))
}
