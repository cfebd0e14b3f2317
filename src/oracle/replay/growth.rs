//! A recording that is still being made: a recorder gives from its own thread, a replay takes.
//!
//! A run of millions of states can be stepped through from its first hundred on. What the program
//! reads is asked of whoever asks for a state that lies beyond. Must not know: who records,
//! moves, trees.

use crate::oracle::{Control, OracleError, Progress};
use crate::trace::Recording;
use crossbeam_channel::{Sender, unbounded};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How often somebody who waits looks whether its requester has lost interest.
const LOOK: Duration = Duration::from_millis(50);

/// The taking end. When it is dropped, the recorder is told to stop.
#[derive(Debug)]
pub(super) struct Growth {
    shared: Arc<Shared>,
    stop: Arc<AtomicBool>,
    answers: Sender<Option<String>>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// The latest; numbered, so that it is known for new.
    recording: Option<(u64, Arc<Recording>)>,
    /// `Ok` once the latest is the whole.
    end: Option<Result<(), OracleError>>,
    /// What the program has asked, and nobody has taken up yet.
    question: Option<String>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }
}

impl State {
    fn give(&mut self, recording: Arc<Recording>) {
        let number = self.recording.as_ref().map_or(0, |(number, _)| number + 1);
        self.recording = Some((number, recording));
    }
}

impl Growth {
    /// Starts a recorder on a thread of its own. The control that it is given passes on what is
    /// recorded so far, and asks what the program reads.
    ///
    /// # Errors
    /// The system gives no thread.
    pub(super) fn start(
        record: impl FnOnce(&Control) -> Result<Recording, OracleError> + Send + 'static,
    ) -> Result<Self, OracleError> {
        let shared = Arc::<Shared>::default();
        let stop = Arc::<AtomicBool>::default();
        let (answers, given) = unbounded();
        let told = shared.clone();
        let sink = move |progress| match progress {
            Progress::Recorded(recording) => told.set(|state| state.give(recording)),
            Progress::Reads(prompt) => told.set(|state| state.question = Some(prompt)),
            _ => {}
        };
        let control = Control::new(stop.clone(), Arc::new(sink)).answered(given);
        let ended = Ended(shared.clone());
        let run = move || {
            let result = record(&control);
            ended.0.set(|state| match result {
                Ok(recording) => {
                    state.give(Arc::new(recording));
                    state.end = Some(Ok(()));
                }
                Err(error) => state.end = Some(Err(error)),
            });
        };
        let thread = std::thread::Builder::new().name("record".into());
        let failed = |error| OracleError::Failed(format!("no thread to record on: {error}"));
        thread.spawn(run).map_err(failed)?;
        Ok(Growth { shared, stop, answers })
    }

    /// Waits for a recording later than one of this number (`None`: for the first). Gives its
    /// number, and whether the run goes on. `None`: there is none later, and never will be.
    ///
    /// # Errors
    /// [`OracleError::Cancelled`] by this control; or why there is no whole recording.
    pub(super) fn later(
        &self,
        than: Option<u64>,
        control: &Control,
    ) -> Result<Option<(u64, Arc<Recording>, bool)>, OracleError> {
        let mut state = self.shared.lock();
        loop {
            if control.cancelled() {
                return Err(OracleError::Cancelled);
            }
            let new = state.recording.as_ref().filter(|(number, _)| Some(*number) > than);
            if let Some((number, recording)) = new {
                return Ok(Some((*number, recording.clone(), state.end.is_none())));
            }
            match &state.end {
                Some(Ok(())) => return Ok(None),
                Some(Err(error)) => return Err(error.clone()),
                None => {}
            }
            if let Some(prompt) = state.question.take() {
                drop(state);
                match control.ask(&prompt) {
                    // the recorder that asked has gone: its end says why
                    Ok(line) => drop(self.answers.send(line)),
                    Err(error) => {
                        self.shared.set(|state| state.question = Some(prompt));
                        return Err(error);
                    }
                }
                state = self.shared.lock();
                continue;
            }
            let waited = self.shared.changed.wait_timeout(state, LOOK);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Drop for Growth {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// Ends the recording whatever happens on the recorder's thread.
struct Ended(Arc<Shared>);

impl Drop for Ended {
    fn drop(&mut self) {
        let broke = || OracleError::Failed("internal error: the recorder broke off".into());
        self.0.set(|state| state.end = state.end.take().or_else(|| Some(Err(broke()))));
    }
}
