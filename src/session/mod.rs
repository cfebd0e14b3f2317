//! One debugging session: timeline, breakpoints, pdb commands, verdicts.
//!
//! Must not know: tokens, models, CPython, terminals.
//!
//! [`Session`] is a plain value: commands and replies go in, [`Effect`]s (requests, as
//! data) come out, and the accessors show what there is to see. It does no I/O, starts
//! no threads and never waits. Whoever owns it performs the effects, usually with
//! [`worker::Workers`]:
//!
//! ```text
//!   key, line ─► execute / apply ─┐                      ┌─► present, cells, variables, log …
//!                                 ├─► Session ─► Effect ─┤
//!   Reply ─────► receive ─────────┘                      └─► Workers ─► Reply (a channel)
//! ```
//!
//! While [`Session::busy`] is `Some`, a reply is on its way: a driver without a screen
//! loops `receive` until it is `None` and never sleeps. Commands that come while it is
//! busy wait their turn, except those that only look or move in the timeline's past.

mod command;
mod message;
mod timeline;
mod verdict;
mod view;
pub mod worker;

pub use command::{
    Address, COMMANDS, Command, CommandInfo, Group, History, Jump, Unit, find as find_command,
};
pub use message::{Effect, Opened, Question, Reply, Ticket};
pub use timeline::{Entry, Go, Mark, Origin, Step, Stop, Way};
pub use verdict::{Components, Judged, Score, Verdict};
pub use view::{
    Breakpoint, Busy, Cell, CellKind, Header, LogKind, LogLine, OutputView, StackFrame, Variable,
    Watch,
};

use crate::program::Program;
use std::sync::Arc;

/// What a session is started with, besides the program.
#[derive(Debug, Clone, Default)]
pub struct Setup {
    /// Breakpoints as typed after `b`: `12`, `f, n > 3`. Invalid ones are reported in the
    /// log and skipped.
    pub breakpoints: Vec<String>,
    /// Expressions to watch.
    pub watches: Vec<String>,
    /// What `s` and `n` step by.
    pub unit: Unit,
    /// What predictions are made from.
    pub history: History,
    /// How jumps are answered.
    pub jump: Jump,
    /// Record and compare from the start; the person has consented.
    pub verify: bool,
    /// The seed predictions are made with (for the header).
    pub seed: u64,
    /// Things to know, for the header and the log.
    pub notes: Vec<String>,
    /// What recording would run and under which protection, or why it cannot.
    pub recorder: Option<Result<String, String>>,
}

/// One debugging session. See the module's head.
#[derive(Debug)]
pub struct Session {
    program: Arc<Program>,
    setup: Setup,
    timeline: timeline::Timeline,
    breakpoints: Vec<Breakpoint>,
    watches: Vec<Watch>,
    log: Vec<LogLine>,
    question: Option<Question>,
    busy: Option<Busy>,
    score: Score,
    selected: u32,
    tickets: u64,
}

impl Session {
    /// Starts a session: opens the oracle and makes the first state. The effects are to
    /// be performed at once.
    pub fn new(program: Arc<Program>, setup: Setup) -> (Session, Vec<Effect>) {
        let mut session = Session {
            timeline: timeline::Timeline::default(),
            program,
            setup,
            breakpoints: Vec::new(),
            watches: Vec::new(),
            log: Vec::new(),
            question: None,
            busy: None,
            score: Score::default(),
            selected: 0,
            tickets: 0,
        };
        let ticket = session.ticket();
        let program = session.program.clone();
        (session, vec![Effect::Open { ticket, program }])
    }

    fn ticket(&mut self) -> Ticket {
        self.tickets += 1;
        Ticket(self.tickets)
    }

    /// A typed command line: pdb's words, several separated by `;;`; an empty line
    /// repeats the last command. Errors are lines in the log.
    pub fn execute(&mut self, _line: &str) -> Vec<Effect> {
        Vec::new()
    }

    /// A command from a key.
    pub fn apply(&mut self, _command: Command) -> Vec<Effect> {
        Vec::new()
    }

    /// A reply from a worker.
    pub fn receive(&mut self, _reply: Reply) -> Vec<Effect> {
        Vec::new()
    }

    /// The person's answer to [`Session::question`].
    pub fn answer(&mut self, _yes: bool) -> Vec<Effect> {
        self.question = None;
        Vec::new()
    }

    /// The program being debugged.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// The settings in force: unit, history, jump, seed.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The entry at the cursor: what was asked, where it stopped, confidence, verdict,
    /// actual. `None` until there is a first state (invention and some entries wait for
    /// an oracle or a recording).
    pub fn present(&self) -> Option<&Entry> {
        self.timeline.present()
    }

    /// Where the cursor is.
    pub fn mark(&self) -> Mark {
        self.timeline.cursor()
    }

    /// The entry before the present one, for "the line just run" and old values.
    pub fn previous(&self) -> Option<&Entry> {
        None
    }

    /// The timeline strip: the path through the cursor, what `redo` would visit included.
    pub fn cells(&self) -> Vec<Cell> {
        Vec::new()
    }

    /// Breakpoints in order of number.
    pub fn breakpoints(&self) -> &[Breakpoint] {
        &self.breakpoints
    }

    /// The call stack, the entry frame first.
    pub fn stack(&self) -> Vec<StackFrame> {
        Vec::new()
    }

    /// Depth of the selected frame (`u`, `d`).
    pub fn selected(&self) -> u32 {
        self.selected
    }

    /// The variables of the selected frame, in order; names that only CPython has last.
    pub fn variables(&self) -> Vec<Variable> {
        Vec::new()
    }

    /// Watched expressions in the order given.
    pub fn watches(&self) -> &[Watch] {
        &self.watches
    }

    /// Everything said so far; only ever grows.
    pub fn log(&self) -> &[LogLine] {
        &self.log
    }

    /// What the program wrote, up to where the truth is.
    pub fn output(&self) -> OutputView<'_> {
        OutputView::NotPredicted
    }

    /// The score over all predictions of the present path.
    pub fn score(&self) -> Score {
        self.score
    }

    /// What the session waits for; `None`: idle, no reply will come.
    pub fn busy(&self) -> Option<&Busy> {
        self.busy.as_ref()
    }

    /// Facts for the header line.
    pub fn header(&self) -> Header {
        Header {
            model: String::new(),
            python: None,
            entry: self.program.entry.to_string(),
            seed: self.setup.seed,
            notes: self.setup.notes.clone(),
            exact: false,
        }
    }

    /// What the person must decide, if anything; then every other command waits.
    pub fn question(&self) -> Option<&Question> {
        self.question.as_ref()
    }

    /// Whether the session is over ([`Effect::Quit`] was sent).
    pub fn is_over(&self) -> bool {
        false
    }
}
