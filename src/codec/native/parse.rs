//! Native text → records: what a text says, before it is resolved against a program.
//!
//! Bounded and total: every text is a record, an exit, or [`Malformed`] with place and
//! reason. Must not know: programs, tokens.

use super::history::Shown;
use super::json;
use super::word::{Piece, Word};
use super::write::locals_first;
use crate::codec::OTHERS;
use crate::trace::{Action, Direction, Event, Exit, Value};
use std::ops::Range;

/// Longest text that is read, in bytes; far beyond any model's answer or window.
const LONGEST: usize = 16 << 20;

/// What is wrong with a text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("at byte {at}: {why}")]
pub struct Malformed {
    /// Byte offset in the spelled text.
    pub at: usize,
    /// Why, in one line.
    pub why: String,
}

/// What a state carries beside its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Payload {
    /// Calls and lines: the variables as written.
    Locals(Shown),
    /// Returns and exceptions: the value.
    Arg(Value),
}

/// Where the parts of a record lie, as byte ranges of the spelled text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Spans {
    /// The event's token, or the exit's.
    pub event: Range<usize>,
    /// SRC.
    pub source: Range<usize>,
    /// Each written name with its value, in order of [`Shown::pairs`].
    pub locals: Vec<Range<usize>>,
    /// ARGS.
    pub arg: Range<usize>,
}

/// One state as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The event.
    pub event: Event,
    /// SRC.
    pub source: String,
    /// Variables or value.
    pub payload: Payload,
    /// Where in the text.
    pub spans: Spans,
}

/// A state or an exit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Parsed {
    /// A state.
    State(Record),
    /// The end, and where its token lies.
    Exit(Exit, Range<usize>),
}

/// An action as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// Which.
    pub action: Action,
    /// Breakpoint only: the line.
    pub source: Option<String>,
}

/// A whole trace as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace {
    /// Which way it goes; taken from its first event.
    pub direction: Direction,
    /// The program's lines.
    pub context: String,
    /// States and the action after each; none after the last of a cut trace.
    pub steps: Vec<(Record, Option<Written>)>,
    /// The exit, if the trace has one.
    pub exit: Option<Exit>,
    /// Whether the text ends in an action and an opened state: it is a prompt.
    pub asks: bool,
}

/// Reads an answer: what follows a prompt's last `<|frame_sep|>`, with or without the
/// token that ended it (`<|action_sep|>`, `<|trace_end|>`).
///
/// # Errors
/// [`Malformed`] at the first place where the text is no state or exit.
pub fn answer(pieces: &[Piece], direction: Direction) -> Result<Parsed, Malformed> {
    let mut cursor = Cursor::new(pieces);
    let parsed = cursor.frame(direction)?;
    let _ = match parsed {
        Parsed::State(_) => cursor.take(Word::ActionSep),
        Parsed::Exit(..) => cursor.take(Word::TraceEnd) && cursor.take(Word::EndOfText),
    };
    cursor.end()?;
    Ok(parsed)
}

/// Reads a whole trace or prompt.
///
/// # Errors
/// [`Malformed`] at the first place where the text is not one.
pub fn trace(pieces: &[Piece]) -> Result<Trace, Malformed> {
    let mut cursor = Cursor::new(pieces);
    cursor.expect(Word::BeginOfText)?;
    cursor.expect(Word::ContextStart)?;
    let context = cursor.text().0.trim_start_matches('\n').to_owned();
    cursor.expect(Word::FrameSep)?;
    let direction = match cursor.word() {
        Some(Word::Event(direction, _)) => direction,
        _ => return cursor.fail("expected the event of the first state"),
    };
    let mut trace = Trace { direction, context, steps: Vec::new(), exit: None, asks: false };
    loop {
        match cursor.frame(direction)? {
            Parsed::Exit(exit, _) => {
                cursor.expect(Word::TraceEnd)?;
                cursor.expect(Word::EndOfText)?;
                trace.exit = Some(exit);
                break;
            }
            Parsed::State(record) => {
                if !cursor.take(Word::ActionSep) {
                    trace.steps.push((record, None));
                    break;
                }
                let action = cursor.action(direction)?;
                trace.steps.push((record, Some(action)));
            }
        }
        cursor.expect(Word::FrameSep)?;
        if cursor.pieces.is_empty() {
            trace.asks = true;
            break;
        }
    }
    cursor.end()?;
    Ok(trace)
}

/// Where reading is: the pieces left, and the byte offset in the spelled text.
struct Cursor<'a> {
    pieces: &'a [Piece],
    at: usize,
}

impl<'a> Cursor<'a> {
    fn new(pieces: &'a [Piece]) -> Self {
        Cursor { pieces, at: 0 }
    }

    fn fail<T>(&self, why: impl Into<String>) -> Result<T, Malformed> {
        let found = match self.pieces.first() {
            None => "the end".to_owned(),
            Some(Piece::Word(word)) => word.spelling().unwrap_or_default().to_owned(),
            Some(Piece::Text(text)) => format!("{:?}", text.chars().take(20).collect::<String>()),
        };
        Err(Malformed { at: self.at, why: format!("{}, found {found}", why.into()) })
    }

    fn word(&self) -> Option<Word> {
        match self.pieces.first() {
            Some(Piece::Word(word)) => Some(*word),
            _ => None,
        }
    }

    fn take(&mut self, word: Word) -> bool {
        let found = self.word() == Some(word);
        if found {
            self.skip();
        }
        found
    }

    fn skip(&mut self) {
        if let Some((first, rest)) = self.pieces.split_first() {
            self.at += match first {
                Piece::Word(word) => word.spelling().unwrap_or_default().len(),
                Piece::Text(text) => text.len(),
            };
            self.pieces = rest;
        }
    }

    fn expect(&mut self, word: Word) -> Result<Range<usize>, Malformed> {
        let start = self.at;
        if self.take(word) {
            return Ok(start..self.at);
        }
        self.fail(format!("expected {}", word.spelling().unwrap_or_default()))
    }

    fn end(&self) -> Result<(), Malformed> {
        if self.pieces.is_empty() { Ok(()) } else { self.fail("expected the end") }
    }

    /// Ordinary text, possibly empty, and where it lies.
    fn text(&mut self) -> (String, Range<usize>) {
        let start = self.at;
        let mut text = String::new();
        while let Some(Piece::Text(part)) = self.pieces.first() {
            text.push_str(part);
            self.skip();
        }
        (text, start..self.at)
    }

    /// A state or exit after its `<|frame_sep|>`.
    fn frame(&mut self, direction: Direction) -> Result<Parsed, Malformed> {
        let start = self.at;
        match self.word() {
            Some(Word::Exit(exit))
                if (exit == Exit::Entry) == (direction == Direction::Inverse) =>
            {
                self.skip();
                Ok(Parsed::Exit(exit, start..self.at))
            }
            Some(Word::Event(found, event)) if found == direction => {
                self.skip();
                self.state(direction, event, start..self.at).map(Parsed::State)
            }
            _ => self.fail(format!("expected a {} event or exit", direction.name())),
        }
    }

    fn state(
        &mut self,
        direction: Direction,
        event: Event,
        span: Range<usize>,
    ) -> Result<Record, Malformed> {
        let mut spans = Spans { event: span, ..Spans::default() };
        let (payload, source);
        if locals_first(direction, event) {
            self.expect(Word::ArgSep)?;
            payload = self.payload(event, &mut spans)?;
            self.expect(Word::SrcSep)?;
            (source, spans.source) = self.text();
        } else {
            self.expect(Word::SrcSep)?;
            (source, spans.source) = self.text();
            self.expect(Word::ArgSep)?;
            payload = self.payload(event, &mut spans)?;
        }
        Ok(Record { event, source, payload, spans })
    }

    fn payload(&mut self, event: Event, spans: &mut Spans) -> Result<Payload, Malformed> {
        let (text, span) = self.text();
        if text.len() > LONGEST {
            return Err(Malformed { at: span.start, why: "longer than any value".to_owned() });
        }
        let place =
            |error: json::JsonError| Malformed { at: span.start + error.at, why: error.why };
        if matches!(event, Event::Return | Event::Exception) {
            let value = json::read_string(&text).map_err(place)?;
            spans.arg = span;
            return Ok(Payload::Arg(Value::from(value.as_str())));
        }
        let mut shown = Shown::default();
        for pair in json::read_object(&text).map_err(place)? {
            let at = span.start + pair.span.start;
            if pair.key == OTHERS {
                if pair.value != OTHERS {
                    let why = "\"..\" stands for unchanged variables and has no value".to_owned();
                    return Err(Malformed { at, why });
                }
                shown.others = true;
                continue;
            }
            if shown.pairs.iter().any(|(name, _)| **name == *pair.key) {
                return Err(Malformed { at, why: format!("{} is given twice", pair.key) });
            }
            spans.locals.push(at..span.start + pair.span.end);
            shown.pairs.push((pair.key.into(), Value::from(pair.value.as_str())));
        }
        Ok(Payload::Locals(shown))
    }

    fn action(&mut self, direction: Direction) -> Result<Written, Malformed> {
        match self.word() {
            Some(Word::Action(found, action)) if found == direction => {
                self.skip();
                let source = (action == Action::Breakpoint).then(|| self.text().0);
                Ok(Written { action, source })
            }
            _ => self.fail(format!("expected a {} action", direction.name())),
        }
    }
}
