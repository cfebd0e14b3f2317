//! Who answers "what comes next?", and the ports through which the session reaches the
//! world.
//!
//! An *oracle* here answers a [`Query`]; it is not a plugin: [`NeuralOracle`] asks a local
//! model, [`RemoteOracle`] one on a server, [`ReplayOracle`] a recording. Must not know:
//! timelines, breakpoints, terminals. Oracles never chain moves; the session does.

pub mod neural;
mod reading;
pub mod remote;
mod replay;
pub use neural::NeuralOracle;
pub use remote::RemoteOracle;
pub use replay::ReplayOracle;

pub use crate::codec::OTHERS;
use crate::program::{Loc, Program};
use crate::trace::{
    Action, Direction, Edit, Event, Exit, Move, NodeId, Recording, Segment, State, Value,
};
use crossbeam_channel::Receiver;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A question to an oracle: in this program, after this segment, where does this move lead?
#[derive(Debug, Clone)]
pub struct Query {
    /// The program; its entry says what depth 0 is.
    pub program: Arc<Program>,
    /// The states so far in the present direction.
    pub segment: Segment,
    /// The move. Its direction equals the segment's.
    pub ask: Move,
}

/// What an oracle can be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capabilities {
    /// Directions it answers.
    pub directions: Vec<Direction>,
    /// Actions answered by one prediction at constant cost; the session chains the others.
    pub direct_actions: Vec<(Direction, Action)>,
    /// Whether it can invent arguments or a return line ([`Oracle::complete`]).
    pub completes: bool,
    /// Whether its answers are facts (a recording) and not guesses.
    pub exact: bool,
    /// Name of the dialect it speaks; `None` where there is none (a recording).
    pub dialect: Option<String>,
    /// Limits in one line for people, e.g. `256 lines, 2048 tokens`; empty if none.
    pub limits: String,
    /// Where it computes: `cpu`, `cuda:0`, `metal`, a server's address; `None` where nothing is computed.
    pub device: Option<String>,
    /// One line to tell the person when it is opened: why it does not compute on a GPU that was to
    /// be used if there is one; what the run that it replays was refused, or what stopped it.
    pub note: Option<String>,
}

impl Capabilities {
    /// Whether a move can be answered by one question.
    pub fn direct(&self, ask: &Move) -> bool {
        self.direct_actions.contains(&(ask.direction, ask.action))
    }
}

/// How sure the model is of each component, as probabilities in 0..=1.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Confidence {
    /// The event.
    pub event: f32,
    /// The source line (location and depth).
    pub source: f32,
    /// Each printed variable: those the answer changed, added or deleted; [`OTHERS`] for what
    /// says that all others are as they were.
    pub locals: Vec<(Arc<str>, f32)>,
    /// The return value or exception.
    pub arg: Option<f32>,
}

impl Confidence {
    /// The product over all components.
    pub fn all(&self) -> f32 {
        self.event
            * self.source
            * self.locals.iter().map(|(_, p)| p).product::<f32>()
            * self.arg.unwrap_or(1.0)
    }
}

/// A less likely alternative for one component, for people to see.
#[derive(Debug, Clone, PartialEq)]
pub struct RunnerUp {
    /// `event`, `source`, `arg` or the variable's name.
    pub component: String,
    /// What it would have been, as text.
    pub text: String,
    /// Its probability.
    pub probability: f32,
}

/// An answer that is a state.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    /// The state, with everything the dialect carries forward filled in.
    pub state: State,
    /// The calling frames' states, outermost first, where the oracle knows them. `None`:
    /// they follow from the path as far as it tells ([`crate::trace::CallStack`]).
    pub callers: Option<Vec<State>>,
    /// When the dialect does not fix the location: the other possible ones. Empty = certain.
    pub candidates: Vec<Loc>,
    /// Under the grammar's constraint; `None` for exact oracles.
    pub confidence: Option<Confidence>,
    /// Without the constraint.
    pub raw_confidence: Option<Confidence>,
    /// Alternatives, likeliest first.
    pub runners_up: Vec<RunnerUp>,
    /// The generated text as it came (a readable form for token dialects).
    pub raw: String,
    /// The state's number in the recording that is replayed ([`Progress::Replays`]).
    pub node: Option<NodeId>,
}

impl Prediction {
    /// A state of which there is nothing to doubt, and no text.
    pub fn exact(state: State, callers: Option<Vec<State>>) -> Self {
        Prediction {
            state,
            callers,
            candidates: Vec::new(),
            confidence: None,
            raw_confidence: None,
            runners_up: Vec::new(),
            raw: String::new(),
            node: None,
        }
    }
}

/// What is known of an execution's end, besides its kind.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ending {
    /// The last state: the entry frame's return, or the exception that left it; where the
    /// run was cut, the last that is known. `None`: not known.
    pub last: Option<State>,
    /// Its calling frames' states, outermost first (only a cut leaves any).
    pub callers: Vec<State>,
    /// What cut the run short, in one line; empty if nothing did.
    pub why: String,
}

impl Ending {
    /// How a recording ends.
    pub fn of(recording: &Recording) -> Ending {
        let tree = &recording.tree;
        let Some(last) = tree.last_state() else { return Ending::default() };
        let callers = tree.callers(last).into_iter().map(|node| tree.state(node)).collect();
        let cut = tree.exit() == Exit::Cut;
        let why = if cut { recording.note.clone() } else { String::new() };
        Ending { last: Some(tree.state(last)), callers, why }
    }

    /// The exception that ended it, as its repr.
    pub fn exception(&self) -> Option<&Value> {
        let last = self.last.as_ref().filter(|last| last.event == Event::Exception)?;
        last.arg.as_ref()
    }
}

/// What an oracle says.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// A state.
    State(Box<Prediction>),
    /// The execution ends there.
    Exit {
        /// How.
        exit: Exit,
        /// How sure; `None` for exact oracles.
        confidence: Option<f32>,
        /// What is known of it besides; a model knows nothing.
        ending: Box<Ending>,
        /// The generated text.
        raw: String,
    },
    /// Text that is no state, kept whole.
    Malformed {
        /// All that was generated.
        text: String,
        /// Why it is not a state, in one line.
        why: String,
    },
}

/// Work done for an answer, summed over a session by whoever wants to show it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Work {
    /// Prompt tokens evaluated (those not in the cache).
    pub prompt: usize,
    /// Prompt tokens found in the cache.
    pub cached: usize,
    /// Tokens with one legal continuation, evaluated without choice.
    pub forced: usize,
    /// Tokens guessed from the previous state and tried in one batch.
    pub speculated: usize,
    /// Of those, accepted.
    pub accepted: usize,
    /// Tokens chosen by the model.
    pub sampled: usize,
}

impl std::ops::AddAssign for Work {
    fn add_assign(&mut self, other: Work) {
        self.prompt += other.prompt;
        self.cached += other.cached;
        self.forced += other.forced;
        self.speculated += other.speculated;
        self.accepted += other.accepted;
        self.sampled += other.sampled;
    }
}

/// What an oracle reports while it works.
#[derive(Debug, Clone, PartialEq)]
pub enum Progress {
    /// Prompt evaluated so far: tokens done, tokens in all.
    Prompt(usize, usize),
    /// Readable text generated so far for this answer.
    Partial(String),
    /// What the answer cost; sent once, before it.
    Work(Work),
    /// The program that runs waits for a line to read; what it has printed last, made one line.
    /// [`Control::ask`] waits for the answer.
    Reads(String),
    /// What real CPython has done so far; its exit is [`Exit::Cut`](crate::trace::Exit::Cut).
    Recorded(Arc<Recording>),
    /// The recording that answers come from, before the first and whenever it has grown.
    Replays(Arc<Recording>),
}

/// Cancel flag and progress sink of one request. Cheap to clone.
#[derive(Clone)]
pub struct Control {
    cancel: Arc<AtomicBool>,
    sink: Arc<dyn Fn(Progress) + Send + Sync>,
    answers: Option<Receiver<Option<String>>>,
}

impl Control {
    /// A control with a sink.
    pub fn new(cancel: Arc<AtomicBool>, sink: Arc<dyn Fn(Progress) + Send + Sync>) -> Self {
        Control { cancel, sink, answers: None }
    }

    /// The same, with somebody who answers what the program reads. The channel's other end is
    /// dropped when the requester has lost interest.
    pub fn answered(self, answers: Receiver<Option<String>>) -> Self {
        Control { answers: Some(answers), ..self }
    }

    /// Never cancelled, reports dropped: for tests and batch work.
    pub fn silent() -> Self {
        Control::new(Arc::default(), Arc::new(|_| {}))
    }

    /// Whether the requester has lost interest. Checked at every token.
    pub fn cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// The flag itself, for rooms that do not know this one.
    pub fn flag(&self) -> &AtomicBool {
        &self.cancel
    }

    /// Asks for a line that the program is to read, and waits for it; `None` ends its input,
    /// which is the answer where nobody is there to be asked.
    ///
    /// # Errors
    /// [`OracleError::Cancelled`].
    pub fn ask(&self, prompt: &str) -> Result<Option<String>, OracleError> {
        let Some(answers) = &self.answers else { return Ok(None) };
        self.report(Progress::Reads(prompt.into()));
        answers.recv().map_err(|_| OracleError::Cancelled)
    }

    /// Reports progress.
    pub fn report(&self, progress: Progress) {
        (self.sink)(progress);
    }
}

/// Why an oracle has no answer. The session survives each.
#[derive(Debug, Clone, thiserror::Error, PartialEq, Eq)]
pub enum OracleError {
    /// The requester cancelled.
    #[error("cancelled")]
    Cancelled,
    /// The program or the session is beyond the model; names the limit and what to do.
    #[error("{0}")]
    Limit(String),
    /// The oracle does not answer this kind of question.
    #[error("{0}")]
    Unsupported(String),
    /// The oracle failed (a broken model, a lost server).
    #[error("{0}")]
    Failed(String),
}

/// Answers questions about executions.
pub trait Oracle: Send {
    /// A short name for the header: model name, or `CPython 3.11.7`.
    fn label(&self) -> String;

    /// What it can be asked.
    fn capabilities(&self) -> Capabilities;

    /// Checks, before the first step, that the program fits.
    ///
    /// # Errors
    /// [`OracleError::Limit`] with one line that names the limit and `--model`.
    fn accepts(&self, program: &Program) -> Result<(), OracleError>;

    /// Answers one question with one prediction.
    ///
    /// # Errors
    /// See [`OracleError`]; nonsense from a model is [`Answer::Malformed`], not an error.
    fn answer(&mut self, query: &Query, control: &Control) -> Result<Answer, OracleError>;

    /// Fills in the unknown parts of a first state: a call whose `locals` are `None`
    /// (invented arguments), or a return whose line is 0 (which `return`?).
    ///
    /// # Errors
    /// [`OracleError::Unsupported`] where [`Capabilities::completes`] is false.
    fn complete(
        &mut self,
        program: &Program,
        partial: &State,
        direction: Direction,
        control: &Control,
    ) -> Result<Answer, OracleError>;
}

/// Port: records a program with real CPython. Runs the program's code.
pub trait Recorder: Send + Sync {
    /// What would run and under which protection, in one line, for the confirmation.
    ///
    /// # Errors
    /// One line that says why nothing can be recorded (no python3, …).
    fn describe(&self) -> Result<String, OracleError>;

    /// Records the program from its entry to its end.
    ///
    /// # Errors
    /// One line that says what to do (no python3, entry not found, …). A program that
    /// raises, hangs, prints too much or kills itself is a recording, not an error.
    fn record(
        &self,
        program: &Program,
        edits: &[Edit],
        control: &Control,
    ) -> Result<Recording, OracleError>;

    /// Records once more with another hash seed, random seed and time of day: what then
    /// differs is no part of the program's meaning, and predictions of it are *not
    /// comparable*. `None`: this recorder cannot.
    ///
    /// # Errors
    /// As [`Recorder::record`].
    fn record_varied(
        &self,
        _program: &Program,
        _edits: &[Edit],
        _control: &Control,
    ) -> Result<Option<Recording>, OracleError> {
        Ok(None)
    }
}

/// Port: evaluates a Python expression over literal values, without the program's code.
pub trait Evaluator: Send + Sync {
    /// The value's repr.
    ///
    /// # Errors
    /// One line: the Python exception, or why there is no answer.
    fn evaluate(
        &self,
        expression: &str,
        locals: &[(Arc<str>, Value)],
        control: &Control,
    ) -> Result<Value, OracleError>;
}

/// Port: opens oracles; lets a session change its model without knowing what one is.
pub trait OracleFactory: Send + Sync {
    /// Opens the oracle that predicts this program. One that replays runs it first.
    ///
    /// # Errors
    /// One line that says what is wrong with the model and what to do.
    fn open(&self, program: &Program, control: &Control) -> Result<Box<dyn Oracle>, OracleError>;

    /// An oracle that replays a recording.
    fn replay(&self, recording: Arc<Recording>) -> Box<dyn Oracle>;
}
