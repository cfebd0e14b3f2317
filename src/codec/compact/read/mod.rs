//! Tokens to states, one token at a time: the automaton of one answer.
//!
//! [`Reader::allowed`] says what may follow, [`Reader::push`] takes it. A text has one
//! spelling: what the reader takes, [`Writer`](super::Writer) writes back token for token.

mod changes;
mod entering;
mod look;
mod number;
mod spelled;
mod value;

use super::context::Context;
use super::legal::Legal;
use super::memory::Memory;
use super::set::TokenSet;
use super::vocab::{
    self, ARG, AT, DEEP, DEPTH, END, EVENT, EVENTS, EXIT, EXITS, FUNCTION, SEP, SPELL, Token,
    UNKNOWN,
};
use crate::codec::Component;
use crate::codec::OTHERS;
use crate::program::Loc;
use crate::trace::{Event, Locals, Outcome, State, Value};
use changes::Changes;
pub(super) use entering::Entering;
use number::Number;
pub use number::Numbers;
use spelled::Spelled;
use std::ops::Range;
use std::sync::Arc;
use value::ValueReader;

/// Reads one state or exit.
#[derive(Debug, Clone)]
pub struct Reader {
    context: Arc<Context>,
    memory: Memory,
    legal: Legal,
    phase: Phase,
    allowed: TokenSet,
    /// Tokens taken.
    taken: usize,
    /// Tokens after which what is open has to be closed.
    room: usize,
    spans: Vec<(Component, Range<usize>)>,
    /// Where the component in progress began.
    began: usize,
    head: Head,
    changes: Changes,
    unknown: bool,
    arg: Option<Value>,
    outcome: Option<Outcome>,
}

/// What stands before the variables.
#[derive(Debug, Clone, Default)]
struct Head {
    event: Option<(Event, bool)>,
    depth: u32,
    line: u32,
    function: Arc<str>,
}

/// What comes next.
#[derive(Debug, Clone)]
enum Phase {
    Event,
    Depth,
    DepthDigits(Number),
    Line,
    LineDigits(Number),
    /// The function, or what [`Phase::Locals`] may be.
    Function,
    FunctionName(Option<Spelled>),
    /// A name, or the end of the variables.
    Locals,
    /// A name that is spelled.
    Name(Spelled),
    Equals(Arc<str>),
    Value(Arc<str>, ValueReader),
    /// The end of a deletion.
    Deleted(Arc<str>),
    AfterUnknown,
    Arg(ValueReader),
    Done,
}

impl Reader {
    /// A reader of an answer, under what is legal where it is asked.
    pub fn new(context: Arc<Context>, memory: Memory, legal: Legal) -> Self {
        let mut reader = Reader {
            context,
            memory,
            legal,
            phase: Phase::Event,
            allowed: TokenSet::EMPTY,
            taken: 0,
            room: usize::MAX,
            spans: Vec::new(),
            began: 0,
            head: Head::default(),
            changes: Changes::default(),
            unknown: false,
            arg: None,
            outcome: None,
        };
        reader.look();
        reader
    }

    /// Lets the answer take about `room` tokens: from then on only what ends it is allowed,
    /// and a value that did not end by itself gets the mark of one that was cut.
    pub fn within(mut self, room: usize) -> Self {
        self.room = room;
        self.look();
        self
    }

    /// Takes a state's head as given, up to its variables. Returns whether it was one.
    pub fn given(&mut self, head: &[Token]) -> bool {
        let taken = head.iter().all(|&token| self.push(token));
        if matches!(self.phase, Phase::Function) {
            let (event, suspension) = self.event();
            let suggested = self.context.suggested(event, suspension, self.head.line);
            self.function(suggested.into());
            self.phase = Phase::Locals;
        }
        (self.taken, self.began) = (0, 0);
        self.spans.clear();
        self.look();
        taken && matches!(self.phase, Phase::Locals)
    }

    /// The tokens that may come next; none when the answer is complete.
    pub fn allowed(&self) -> &TokenSet {
        &self.allowed
    }

    /// Whether the answer is complete.
    pub fn done(&self) -> bool {
        matches!(self.phase, Phase::Done)
    }

    /// What was read, when complete.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// What both sides remember so far.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Which tokens spell which component, in order. The token after the last variable says
    /// that all others stay as they are, which is written [`OTHERS`].
    pub fn spans(&self) -> &[(Component, Range<usize>)] {
        &self.spans
    }

    /// Takes the next token. Returns whether it was legal; an illegal one changes nothing.
    pub fn push(&mut self, token: Token) -> bool {
        if !self.allowed.contains(token) {
            return false;
        }
        let phase = std::mem::replace(&mut self.phase, Phase::Done);
        self.phase = self.take(phase, token);
        self.taken += 1;
        self.look();
        true
    }

    fn take(&mut self, phase: Phase, token: Token) -> Phase {
        match phase {
            Phase::Event if EXIT.contains(&token) => {
                self.span(Component::Event, self.taken + 1);
                let exit = EXITS.get((token - EXIT.start) as usize).copied();
                self.outcome = exit.map(Outcome::Exit);
                Phase::Done
            }
            Phase::Event => {
                self.head.event = EVENTS.get((token.wrapping_sub(EVENT.start)) as usize).copied();
                self.span(Component::Event, self.taken + 1);
                Phase::Depth
            }
            Phase::Depth if token == DEEP => Phase::DepthDigits(Number::default()),
            Phase::Depth => {
                self.head.depth = token - DEPTH.start;
                Phase::Line
            }
            Phase::DepthDigits(mut number) => {
                if number.push(token) {
                    return Phase::DepthDigits(number);
                }
                self.head.depth = number.value();
                self.take(Phase::Line, token)
            }
            Phase::Line if token == AT => Phase::LineDigits(Number::default()),
            Phase::Line => {
                self.head.line = self.context.physical(token).unwrap_or(0);
                Phase::Function
            }
            Phase::LineDigits(mut number) => {
                if number.push(token) {
                    return Phase::LineDigits(number);
                }
                self.head.line = number.value();
                self.take(Phase::Function, token)
            }
            Phase::Function if token == FUNCTION => Phase::FunctionName(None),
            Phase::Function => {
                let (event, suspension) = self.event();
                let suggested = self.context.suggested(event, suspension, self.head.line);
                self.function(suggested.into());
                self.take(Phase::Locals, token)
            }
            Phase::FunctionName(None) if token == SPELL => {
                Phase::FunctionName(Some(Spelled::default()))
            }
            Phase::FunctionName(None) => {
                let name = self.memory.names.text(token).unwrap_or_default().into();
                self.taken += 1;
                self.function(name);
                self.taken -= 1;
                Phase::Locals
            }
            Phase::FunctionName(Some(mut name)) => {
                if name.push(token) {
                    return Phase::FunctionName(Some(name));
                }
                let name = name.finish(&mut self.memory.names);
                self.function(name);
                self.take(Phase::Locals, token)
            }
            Phase::Locals => self.after_locals(token),
            Phase::Name(mut name) => {
                if name.push(token) {
                    return Phase::Name(name);
                }
                Phase::Value(name.finish(&mut self.memory.names), ValueReader::default())
            }
            Phase::Equals(name) => Phase::Value(name, ValueReader::default()),
            Phase::Value(name, value) if value.is_empty() && token == vocab::NONE => {
                Phase::Deleted(name)
            }
            Phase::Value(name, mut value) => {
                if token != SEP {
                    value.push(token, &mut self.memory.names);
                    return Phase::Value(name, value);
                }
                value.finish(&mut self.memory.names);
                self.changes.set(name.clone(), value.into_value());
                self.span(Component::Local(name), self.taken + 1);
                Phase::Locals
            }
            Phase::Deleted(name) => {
                self.changes.delete(name.clone());
                self.span(Component::Local(name), self.taken + 1);
                Phase::Locals
            }
            Phase::AfterUnknown => self.after_locals(token),
            Phase::Arg(mut value) => {
                if token != END {
                    value.push(token, &mut self.memory.names);
                    return Phase::Arg(value);
                }
                value.finish(&mut self.memory.names);
                self.arg = Some(value.into_value());
                self.span(Component::Arg, self.taken);
                self.end()
            }
            Phase::Done => Phase::Done,
        }
    }

    /// A name, `<unknown>`, `<arg>` or `<end>`.
    fn after_locals(&mut self, token: Token) -> Phase {
        self.began = self.taken;
        match token {
            END => {
                self.span(Component::Local(OTHERS.into()), self.taken + 1);
                self.end()
            }
            ARG => {
                self.span(Component::Local(OTHERS.into()), self.taken + 1);
                Phase::Arg(ValueReader::default())
            }
            UNKNOWN => {
                self.unknown = true;
                Phase::AfterUnknown
            }
            SPELL => Phase::Name(Spelled::default()),
            _ => Phase::Equals(self.memory.names.text(token).unwrap_or_default().into()),
        }
    }

    fn event(&self) -> (Event, bool) {
        self.head.event.unwrap_or((Event::Line, false))
    }

    fn span(&mut self, component: Component, end: usize) {
        self.spans.push((component, self.began..end));
        self.began = end;
    }

    /// The head is complete, and with it what the variables are written against.
    fn function(&mut self, name: Arc<str>) {
        self.span(Component::Source, self.taken);
        let (event, _) = self.event();
        self.changes = Changes::against(self.memory.base(event, self.head.depth, &name));
        self.head.function = name;
    }

    fn end(&mut self) -> Phase {
        let (event, suspension) = self.event();
        let locals: Option<Locals> = (!self.unknown).then(|| self.changes.apply());
        let state = State {
            event,
            loc: Loc::main(self.head.line),
            function: self.head.function.clone(),
            depth: self.head.depth,
            locals,
            arg: self.arg.take(),
            suspension,
        };
        self.memory.note(&self.context, &state);
        self.outcome = Some(Outcome::State(state));
        Phase::Done
    }
}
