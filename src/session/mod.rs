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
//! busy wait their turn, except those that only look.
//!
//! | file | its job |
//! |---|---|
//! | `command`, `table`, `parse`, `alias` | commands as data, the one table of them, pdb's typing rules, words of the person's own |
//! | `message`, `worker` | effects and replies; the threads that perform effects |
//! | `start` | the first state of each kind of entry |
//! | `goal`, `statement`, `movement` | where a movement stops; one movement from question to entry |
//! | `entry`, `timeline`, `prompt` | what was produced, the tree of it, the part a prompt holds |
//! | `record`, `truth`, `verdict` | recordings on request; CPython's walk beside the predictions, and what it says of them |
//! | `reads` | what a program reads while it is recorded |
//! | `check` | guesses backwards, checked by running them forwards |
//! | `breakpoints`, `attach`, `keep` | where they bind and what is hit; commands at their stops; what outlives the session |
//! | `perform`, `look`, `evaluate`, `inside`, `restart` | what the commands do |
//! | `show`, `view`, `see` | states as text; what a screen can see |

mod alias;
mod attach;
mod breakpoints;
mod check;
mod command;
mod entry;
mod evaluate;
mod goal;
mod inside;
mod keep;
mod look;
mod message;
mod movement;
mod parse;
mod perform;
mod prompt;
mod reads;
mod record;
mod restart;
mod see;
mod show;
mod start;
mod statement;
mod table;
mod timeline;
mod truth;
mod verdict;
mod view;
pub mod worker;

#[cfg(test)]
mod tests;

pub use command::{Address, Command, History, Jump, Listing, Unit};
pub use entry::{Entry, Go, Mark, Origin, Step, Stop, Way};
pub use keep::{Kept, KeptBreakpoint};
pub use message::{Effect, Opened, Question, Reply, Source, Ticket};
pub use show::{end, percent};
pub use table::{COMMANDS, CommandInfo, Group, find as find_command};
pub use verdict::{Fault, Score, Verdict};
pub use view::{
    Breakpoint, Busy, Cell, CellKind, Header, LogKind, LogLine, OutputView, StackFrame, Variable,
    Watch,
};

use crate::oracle::{OracleError, Progress, Work};
use crate::program::Program;
use crate::trace::Recording;
use std::collections::VecDeque;
use std::sync::Arc;

/// What a session is started with, besides the program.
#[derive(Debug, Clone, Default)]
pub struct Setup {
    /// Breakpoints as typed after `b`: `12`, `f, n > 3`. Invalid ones are reported in the
    /// log and skipped.
    pub breakpoints: Vec<String>,
    /// Expressions to watch.
    pub watches: Vec<String>,
    /// What an earlier session kept. `Some`: changes are asked to be kept too.
    pub kept: Option<Kept>,
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
    /// Why CPython would not run this file, with the place: it is shown, and nothing is
    /// predicted.
    pub refused: Option<String>,
}

/// One debugging session. See the module's head.
#[derive(Debug)]
pub struct Session {
    program: Arc<Program>,
    setup: Setup,
    timeline: timeline::Timeline,
    breakpoints: breakpoints::Breakpoints,
    truth: truth::Truth,
    /// The recording that the oracle replays.
    replayed: Option<Arc<Recording>>,
    watches: Vec<Watch>,
    aliases: alias::Aliases,
    attached: attach::Attached,
    log: Vec<LogLine>,
    question: Option<Question>,
    oracle: OracleState,
    /// The movement in progress.
    moving: Option<movement::Moving>,
    /// The first state is being completed.
    completing: Option<Ticket>,
    evaluations: evaluate::Evaluations,
    recorder: record::Recorder,
    reads: reads::Reads,
    restart: restart::Restart,
    /// Marks in the order they were shown.
    visits: Vec<Mark>,
    waiting: VecDeque<Waiting>,
    progress: Option<Progress>,
    /// What all answers have cost, and how many there were.
    work: Work,
    answers: usize,
    /// What [`Session::busy`] shows; found out anew whenever something may have changed.
    busy: Option<Busy>,
    /// Depth of the selected frame; `None`: the newest.
    selected: Option<u32>,
    /// The last line listed, so that `l` goes on.
    listed: Option<u32>,
    last_line: String,
    /// The stop is not to be said: its breakpoint is silent.
    quiet: bool,
    hinted: bool,
    /// It was said that jumps are chained although direct ones are wanted.
    chains: bool,
    refused: Vec<String>,
    tickets: u64,
    over: bool,
    effects: Vec<Effect>,
}

#[derive(Debug)]
enum OracleState {
    Opening(Ticket),
    Ready(Opened),
    Failed(String),
}

impl OracleState {
    /// Whether a recording answers.
    fn is_exact(&self) -> bool {
        matches!(self, OracleState::Ready(opened) if opened.capabilities.exact)
    }
}

/// A command that waits its turn; a line is parsed when its turn comes, because what it
/// means depends on the variables there are.
#[derive(Debug)]
enum Waiting {
    Line(String),
    Command(Command),
}

impl Session {
    /// Starts a session: opens the oracle and makes the first state. The effects are to
    /// be performed at once.
    pub fn new(program: Arc<Program>, setup: Setup) -> (Session, Vec<Effect>) {
        let mut session = Session {
            program,
            timeline: timeline::Timeline::default(),
            breakpoints: breakpoints::Breakpoints::default(),
            truth: truth::Truth::default(),
            replayed: None,
            watches: Vec::new(),
            aliases: alias::Aliases::default(),
            attached: attach::Attached::default(),
            log: Vec::new(),
            question: None,
            oracle: OracleState::Failed("no model is open".into()),
            moving: None,
            completing: None,
            evaluations: evaluate::Evaluations::default(),
            recorder: record::Recorder::default(),
            reads: reads::Reads::default(),
            restart: restart::Restart::default(),
            visits: Vec::new(),
            waiting: VecDeque::new(),
            progress: None,
            work: Work::default(),
            answers: 0,
            busy: None,
            selected: None,
            listed: None,
            last_line: String::new(),
            quiet: false,
            hinted: false,
            chains: false,
            refused: Vec::new(),
            tickets: 0,
            over: false,
            effects: Vec::new(),
            setup,
        };
        for note in session.setup.notes.clone() {
            session.say(LogKind::Note, note);
        }
        if let Some(why) = session.setup.refused.clone() {
            session.say(LogKind::Error, why);
        }
        if let Some(kept) = session.setup.kept.clone() {
            session.restore(&kept);
        }
        for line in session.setup.breakpoints.clone() {
            session.break_from(&line);
        }
        for expression in session.setup.watches.clone() {
            session.watches.push(Watch::anywhere(expression));
        }
        session.open();
        session.begin();
        if session.setup.verify {
            session.describe();
        }
        let effects = session.pump();
        (session, effects)
    }

    /// A typed command line: pdb's words, several separated by `;;`; an empty line
    /// repeats the last command. Errors are lines in the log.
    pub fn execute(&mut self, line: &str) -> Vec<Effect> {
        let line = line.trim();
        if self.question.is_some()
            && parse::split(line).first().and_then(|l| yes_or_no(l)).is_none()
        {
            self.say(LogKind::Note, "answer y or n");
            return Vec::new();
        }
        self.attached.attended();
        let typing = self.attached.is_typing();
        if typing && line.is_empty() {
            return Vec::new();
        }
        if !line.is_empty() && self.question.is_none() && !typing {
            self.last_line = line.into();
        }
        let line = if line.is_empty() { self.last_line.clone() } else { line.to_string() };
        let parts = match alias::commands(&self.aliases, &line) {
            Ok(parts) => parts,
            Err(why) => {
                self.say(LogKind::Command, line);
                self.refuse(why);
                return self.pump();
            }
        };
        for part in parts {
            // What only looks need not wait for a prediction.
            match parse::parse(&part, &[]) {
                Ok(command) if self.is_working() && command.is_immediate() && !typing => {
                    self.say(LogKind::Command, part);
                    self.perform(command);
                }
                _ => self.waiting.push_back(Waiting::Line(part)),
            }
        }
        self.pump()
    }

    /// A command from a key.
    pub fn apply(&mut self, command: Command) -> Vec<Effect> {
        self.attached.attended();
        let asked = self.question.is_some();
        if asked && command != Command::Cancel {
            return Vec::new();
        }
        if asked || self.is_working() && command.is_immediate() {
            self.perform(command);
        } else {
            self.waiting.push_back(Waiting::Command(command));
        }
        self.pump()
    }

    /// A reply from a worker.
    pub fn receive(&mut self, reply: Reply) -> Vec<Effect> {
        match reply {
            Reply::Opened { ticket, result } => self.opened(ticket, result),
            Reply::Answered { ticket, result } if self.completing == Some(ticket) => {
                self.completed(result);
            }
            Reply::Answered { ticket, result } => self.answered(ticket, result),
            Reply::Described { ticket, result } => self.described(ticket, result),
            Reply::Recorded { ticket, result } => self.recorded(ticket, result),
            Reply::Varied { ticket, result } => self.varied(ticket, result),
            Reply::Evaluated { ticket, result } => self.evaluated(ticket, result),
            Reply::Read { ticket, result } => self.read(ticket, result),
            Reply::Progress { ticket, progress } => match progress {
                Progress::Work(work) => {
                    self.work += work;
                    self.answers += 1;
                }
                Progress::Reads(prompt) => self.program_reads(ticket, prompt),
                Progress::Recorded(recording) => self.recorded_so_far(ticket, recording),
                Progress::Replays(recording) => self.replays(recording),
                progress if self.awaits(ticket) => self.progress = Some(progress),
                _ => {}
            },
        }
        self.pump()
    }

    /// The person's answer to [`Session::question`].
    pub fn answer(&mut self, yes: bool) -> Vec<Effect> {
        self.settle(yes);
        self.pump()
    }

    fn settle(&mut self, yes: bool) {
        match (self.question.take(), yes) {
            (Some(Question::Verify(_)), true) => self.record_from_start(),
            (Some(Question::Quit(_)), true) => self.quit(),
            (Some(Question::Restart(_)), true) => self.read_again(None),
            (Some(Question::GoOn(_)), true) => self.go_on(),
            (Some(Question::GoOn(_)), false) => self.interrupt("stopped short of its stop"),
            (Some(_), false) => self.say(LogKind::Note, "nothing done"),
            // What a program reads is never among these.
            (None | Some(Question::Reads(_)), _) => {}
        }
    }

    /// Starts what can be started, and hands out the effects.
    fn pump(&mut self) -> Vec<Effect> {
        while !self.over && !self.is_working() {
            if self.question.is_some() {
                let answer = match self.waiting.front() {
                    Some(Waiting::Line(line)) => yes_or_no(line),
                    _ => None,
                };
                let Some(yes) = answer else { break };
                self.waiting.pop_front();
                self.settle(yes);
                continue;
            }
            if self.start_evaluation() {
                continue;
            }
            let needs_truth =
                self.timeline.present().is_none() || self.setup.history == History::Guided;
            if needs_truth && self.recorder.is_running() {
                break;
            }
            match self.waiting.pop_front() {
                Some(Waiting::Command(command)) => {
                    if let Some(word) = command.word() {
                        self.say(LogKind::Command, word);
                    }
                    self.perform(command);
                }
                Some(Waiting::Line(line)) => {
                    self.say(LogKind::Command, line.clone());
                    if self.take_command(&line) {
                        continue;
                    }
                    match self.parse(&line) {
                        Ok(command) => self.perform(command),
                        Err(why) => self.refuse(why),
                    }
                }
                None => break,
            }
        }
        self.keep();
        self.busy = self.find_busy();
        std::mem::take(&mut self.effects)
    }

    fn parse(&mut self, line: &str) -> Result<Command, String> {
        let locals = self.shown_state().and_then(|state| state.locals.clone());
        let names: Vec<&str> =
            locals.iter().flat_map(|locals| locals.iter()).map(|(name, _)| &**name).collect();
        let command = parse::parse(line, &names)?;
        if names.contains(&line) && find_command(line).is_some() && !self.hinted {
            self.hinted = true;
            self.say(
                LogKind::Note,
                format!("'{line}' is the command; '!{line}' prints the variable"),
            );
        }
        Ok(command)
    }

    /// Whether commands must wait: for an oracle, a movement, an evaluation.
    fn is_working(&self) -> bool {
        matches!(self.oracle, OracleState::Opening(_))
            || self.moving.as_ref().is_some_and(|_| self.question.is_none())
            || self.completing.is_some()
            || self.evaluations.is_running()
            || self.recorder.is_describing()
            || self.restart.is_reading()
    }

    /// Whether a reply to this ticket is expected.
    fn awaits(&self, ticket: Ticket) -> bool {
        matches!(self.oracle, OracleState::Opening(t) if t == ticket)
            || self.completing == Some(ticket)
            || self.recorder.awaits(ticket)
            || self.evaluations.awaits(ticket)
            || self.moving.as_ref().is_some_and(|moving| moving.awaits(ticket))
    }

    fn ticket(&mut self) -> Ticket {
        self.tickets += 1;
        Ticket(self.tickets)
    }

    fn say(&mut self, kind: LogKind, text: impl Into<String>) {
        self.log.push(LogLine { kind, text: text.into() });
    }

    /// The oracle answers from this recording now; one that is whole may have something to tell.
    fn replays(&mut self, recording: Arc<Recording>) {
        if !recording.note.is_empty() {
            self.say_once(recording.note.clone());
        }
        self.replayed = Some(recording);
    }

    /// Notes what is so all along, such as what the sandbox refuses: two runs tell it both.
    fn say_once(&mut self, note: String) {
        if self.log.iter().all(|line| line.text != note) {
            self.say(LogKind::Note, note);
        }
    }

    /// Says why a command cannot be done as it is written, and remembers that.
    fn refuse(&mut self, why: String) {
        self.refused.push(why.clone());
        self.say(LogKind::Error, why);
    }

    fn open(&mut self) {
        let ticket = self.ticket();
        self.oracle = OracleState::Opening(ticket);
        self.effects.push(Effect::Open { ticket, program: self.program.clone() });
    }

    fn opened(&mut self, ticket: Ticket, result: Result<Opened, OracleError>) {
        if !matches!(self.oracle, OracleState::Opening(t) if t == ticket) {
            return;
        }
        self.reads.close();
        match result {
            Ok(opened) => {
                if let Some(note) = opened.capabilities.note.clone() {
                    self.say_once(note);
                }
                self.oracle = OracleState::Ready(opened);
                self.begin_with_oracle();
            }
            Err(why) => {
                self.say(LogKind::Error, format!("no predictions: {why}"));
                self.oracle = OracleState::Failed(why.to_string());
            }
        }
    }

    fn quit(&mut self) {
        self.over = true;
        self.waiting.clear();
        self.effects.push(Effect::Cancel);
        self.effects.push(Effect::Quit);
    }
}

/// A typed answer to a question.
fn yes_or_no(line: &str) -> Option<bool> {
    match line.to_ascii_lowercase().as_str() {
        "y" | "yes" => Some(true),
        "n" | "no" => Some(false),
        _ => None,
    }
}
