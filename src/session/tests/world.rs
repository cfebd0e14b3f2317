//! The world of the tests: a recording that predicts and verifies, and lies on request.

use crate::oracle::{Answer, Control, Oracle, OracleError, Prediction, ReplayOracle};
use crate::program::{Entry as Start, Loc, Program, SourceFile};
use crate::session::{Effect, LogKind, Opened, Reply, Session, Setup, Source, Stop};
use crate::trace::{Edit, Event, Exit, Locals, Recording, State, StateTree, Value};
use std::collections::VecDeque;
use std::sync::Arc;

/// What most tests step through, from `f(2)`.
pub const SOURCE: &str =
    "def g(x):\n    return x + 1\ndef f(n):\n    a = g(n)\n    b = g(a)\n    return b\n";

/// What CPython does with it: event, line, variables, value; a dot for each frame below.
pub const RUN: &str = "\
C3 n=2
L4 n=2
.C1 x=2
.L2 x=2
.R2 x=2 -> 3
L5 n=2 a=3
.C1 x=3
.L2 x=3
.R2 x=3 -> 4
L6 n=2 a=3 b=4
R6 n=2 a=3 b=4 -> 4";

/// A loop in one frame.
pub const LOOP: &str = "def f():\n    i = 0\n    while i < 600:\n        i += 1\n";

/// A state from a line of [`RUN`].
fn state(text: &str) -> State {
    let (left, arg) = match text.split_once(" -> ") {
        Some((left, arg)) => (left, Some(Value::from(arg))),
        None => (text, None),
    };
    let mut words = left.split_whitespace();
    let word = words.next().unwrap();
    let depth = word.bytes().take_while(|&b| b == b'.').count();
    let (letter, line) = word[depth..].split_at(1);
    let event = match letter {
        "C" => Event::Call,
        "L" => Event::Line,
        "R" => Event::Return,
        "X" => Event::Exception,
        other => panic!("{other}"),
    };
    State {
        event,
        loc: Loc::main(line.parse().unwrap()),
        function: if depth == 0 { "f" } else { "g" }.into(),
        depth: depth as u32,
        locals: Some(words.map(|pair| pair.split_once('=').unwrap()).collect::<Locals>()),
        arg,
        suspension: false,
    }
}

/// As [`RUN`] writes it.
pub fn word(state: &State) -> String {
    let letter = match state.event {
        Event::Call => "C",
        Event::Line => "L",
        Event::LineAfterCall => "A",
        Event::Return => "R",
        Event::Exception => "X",
    };
    format!("{}{letter}{}", ".".repeat(state.depth as usize), state.loc.line)
}

pub fn recording(run: &str, exit: Exit) -> Arc<Recording> {
    let tree = StateTree::from_states(run.lines().map(state), exit).unwrap();
    Arc::new(Recording { python: "3.11.7".into(), ..Recording::of(tree) })
}

pub fn program(source: &str, entry: Start) -> Arc<Program> {
    let (file, problems) = SourceFile::from_text("prog.py", source);
    assert!(problems.is_empty(), "{problems:?}");
    Arc::new(Program { files: vec![file], entry })
}

pub fn call(expression: &str) -> Start {
    let function = expression.split('(').next().unwrap().into();
    Start::Call { function, expression: expression.into() }
}

/// A change to the state of an answer.
pub type Lie = fn(&mut State);

/// A session and everything around it.
pub struct World {
    pub session: Session,
    pub oracle: ReplayOracle,
    pub truth: Arc<Recording>,
    /// The entry whose run is `truth`.
    pub entry: String,
    /// The entries that were recorded.
    pub entries: Vec<String>,
    /// What CPython does from other entries.
    pub runs: Vec<(String, Arc<Recording>)>,
    /// What another run of the same program does.
    pub other: Option<Arc<Recording>>,
    /// How many predictions were asked for.
    pub asked: usize,
    /// Segments asked about, newest last.
    pub segments: Vec<crate::trace::Segment>,
    /// Sets of edits that were recorded.
    pub recorded: Vec<Vec<Edit>>,
    /// The answers, by number from 1, that are not the recording's.
    pub lies: Vec<(usize, Lie)>,
    /// An answer, by number, that is an end although the program goes on.
    pub early_end: Option<usize>,
    /// Answers say all that the recording knows, as an exact oracle's; else only what a
    /// model's can.
    pub exact: bool,
    /// What its file holds when it is read anew.
    pub file: Result<Option<Source>, OracleError>,
    /// Effects are kept and not performed.
    pub held: Option<Vec<Effect>>,
    lines: usize,
}

impl World {
    /// `f(2)` of [`SOURCE`], predicted by its own recording.
    pub fn new(setup: Setup) -> World {
        World::of(SOURCE, call("f(2)"), recording(RUN, Exit::Normal), setup)
    }

    pub fn of(source: &str, entry: Start, truth: Arc<Recording>, setup: Setup) -> World {
        let name = match &entry {
            Start::Invent { .. } => "f(2)".into(),
            entry => entry.to_string(),
        };
        let (session, effects) = Session::new(program(source, entry), setup);
        let mut world = World {
            session,
            oracle: ReplayOracle::new(truth.clone()),
            truth,
            entry: name,
            entries: Vec::new(),
            runs: Vec::new(),
            other: None,
            asked: 0,
            segments: Vec::new(),
            recorded: Vec::new(),
            lies: Vec::new(),
            early_end: None,
            exact: false,
            file: Ok(None),
            held: None,
            lines: 0,
        };
        world.perform(effects);
        world
    }

    pub fn execute(&mut self, line: &str) -> &mut World {
        let effects = self.session.execute(line);
        self.perform(effects);
        self
    }

    pub fn perform(&mut self, effects: Vec<Effect>) {
        let mut effects = VecDeque::from(effects);
        while let Some(effect) = effects.pop_front() {
            if let Some(held) = &mut self.held {
                held.push(effect);
                continue;
            }
            if let Some(reply) = self.reply(effect) {
                effects.extend(self.session.receive(reply));
            }
        }
    }

    pub fn reply(&mut self, effect: Effect) -> Option<Reply> {
        Some(match effect {
            Effect::Open { ticket, .. } => {
                let label = self.oracle.label();
                let mut capabilities = self.oracle.capabilities();
                capabilities.exact = false;
                capabilities.completes = true;
                Reply::Opened { ticket, result: Ok(Opened { label, capabilities }) }
            }
            Effect::Ask { ticket, query } => {
                self.asked += 1;
                self.segments.push(query.segment.clone());
                let mut result = self.oracle.answer(&query, &Control::silent());
                if self.early_end == Some(self.asked) {
                    let raw = String::new();
                    result = Ok(Answer::Exit {
                        exit: Exit::Normal,
                        confidence: None,
                        ending: Box::default(),
                        raw,
                    });
                }
                match &mut result {
                    Ok(Answer::State(prediction)) if !self.exact => prediction.callers = None,
                    Ok(Answer::Exit { ending, .. }) if !self.exact => **ending = Default::default(),
                    _ => {}
                }
                let lie = self.lies.iter().find(|(number, _)| *number == self.asked);
                if let (Some((_, lie)), Ok(Answer::State(prediction))) = (lie, &mut result) {
                    lie(&mut prediction.state);
                }
                Reply::Answered { ticket, result }
            }
            Effect::Complete { ticket, mut partial, .. } => {
                // It invents what the recording has.
                let like = |state: &State| state.event == partial.event;
                let real = self.truth.tree.states().find(like);
                partial = real.unwrap_or(partial);
                let result = Ok(Answer::State(Box::new(Prediction::exact(partial, None))));
                Reply::Answered { ticket, result }
            }
            Effect::Describe { ticket } => {
                Reply::Described { ticket, result: Ok("Python 3.11.7, sandboxed".into()) }
            }
            Effect::Record { ticket, edits, program } => {
                self.recorded.push(edits);
                self.entries.push(program.entry.to_string());
                let entry = program.entry.to_string();
                let run = self.runs.iter().find(|(of, _)| *of == entry).map(|(_, run)| run.clone());
                let run = run.or_else(|| (entry == self.entry).then(|| self.truth.clone()));
                let unknown = || OracleError::Unsupported(format!("no run of {entry} here"));
                Reply::Recorded { ticket, result: run.ok_or_else(unknown) }
            }
            Effect::Vary { ticket, .. } => Reply::Varied { ticket, result: Ok(self.other.clone()) },
            Effect::Evaluate { ticket, expression, locals } => {
                let result = evaluate(&expression, &locals);
                Reply::Evaluated { ticket, result }
            }
            Effect::Read { ticket } => {
                Reply::Read { ticket, result: self.file.clone().map(|s| s.map(Box::new)) }
            }
            Effect::Answer { .. } | Effect::Keep(_) | Effect::Cancel | Effect::Quit => return None,
        })
    }

    /// Where the session is, as a word; an exit by its name.
    pub fn at(&self) -> String {
        match &self.session.present().unwrap().stop.stop {
            Stop::State(state) => word(state),
            Stop::Exit(exit) => exit.name().into(),
            Stop::Malformed { .. } => "malformed".into(),
        }
    }

    /// Where a command leads.
    pub fn go(&mut self, line: &str) -> String {
        self.execute(line).at()
    }

    /// What was said since this was asked last, commands aside.
    pub fn said(&mut self) -> Vec<String> {
        let new = self.session.log().iter().skip(self.lines);
        let new = new.filter(|line| line.kind != LogKind::Command);
        let said = new.map(|line| line.text.clone()).collect();
        self.lines = self.session.log().len();
        said
    }

    /// The verdict on the present entry.
    pub fn verdict(&self) -> &'static str {
        self.session.present().unwrap().verdict().name()
    }

    pub fn value(&self, name: &str) -> Option<String> {
        let state = self.session.present()?.stop.stop.state()?;
        Some(state.locals.as_ref()?.get(name)?.to_string())
    }
}

/// Only what the tests ask: `bool(NAME OP NUMBER)` and `NAME + NUMBER`.
fn evaluate(expression: &str, locals: &[(Arc<str>, Value)]) -> Result<Value, OracleError> {
    let inner = expression.strip_prefix("bool(").and_then(|e| e.strip_suffix(')'));
    let words: Vec<&str> = inner.unwrap_or(expression).split_whitespace().collect();
    let number = |word: &str| {
        let value = locals.iter().find(|(name, _)| &**name == word);
        let text = value.map_or(word, |(_, value)| value.text());
        let undefined = || OracleError::Failed(format!("NameError: name '{word}' is not defined"));
        text.parse::<i64>().map_err(|_| undefined())
    };
    let text = match words[..] {
        [a, ">", b] => if number(a)? > number(b)? { "True" } else { "False" }.to_string(),
        [a, "==", b] => if number(a)? == number(b)? { "True" } else { "False" }.to_string(),
        [a, "+", b] => (number(a)? + number(b)?).to_string(),
        [a] => number(a)?.to_string(),
        _ => return Err(OracleError::Failed("SyntaxError: invalid syntax".into())),
    };
    Ok(Value::from(text.as_str()))
}
