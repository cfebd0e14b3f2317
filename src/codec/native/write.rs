//! States → native text: field order by event and direction, collapsed variables, exits.
//!
//! Must not know: tokens, models, where the program text comes from.

use super::history::{History, Shown};
use super::json;
use super::word::{Piece, Word};
use crate::codec::OTHERS;
use crate::codec::Refusal;
use crate::codec::place::MODULE;
use crate::program::{Loc, Program};
use crate::trace::{Action, Direction, Event, Exit, Move, Segment, State};

/// The physical line that a state carries: indentation kept, no newline. A module's call,
/// which has no line of its own, carries the module's name.
pub fn source(program: &Program, event: Event, loc: Loc, function: &str) -> String {
    if event == Event::Call && function == MODULE {
        return MODULE.to_owned();
    }
    program.source(loc).map(|line| line.to_string()).unwrap_or_default()
}

/// Writes one text, piece by piece.
#[derive(Debug)]
pub struct Writer<'a> {
    program: &'a Program,
    direction: Direction,
    history: History,
    pieces: Vec<Piece>,
}

impl<'a> Writer<'a> {
    /// Begins a text with the program's context: plain source lines, each with its newline.
    pub fn new(program: &'a Program, direction: Direction, context: &str) -> Self {
        let mut writer =
            Writer { program, direction, history: History::new(direction), pieces: Vec::new() };
        writer.words([Word::BeginOfText, Word::ContextStart]);
        writer.text(format!("\n{context}"));
        writer
    }

    fn words<const N: usize>(&mut self, words: [Word; N]) {
        self.pieces.extend(words.map(Piece::Word));
    }

    fn text(&mut self, text: String) {
        if !text.is_empty() {
            self.pieces.push(Piece::Text(text));
        }
    }

    /// Writes a state; unknown variables as none, an unknown value as nothing.
    pub fn state(&mut self, state: &State) {
        let locals_come_first = locals_first(self.direction, state.event);
        let source = source(self.program, state.event, state.loc, &state.function);
        let payload = match state.event {
            Event::Return | Event::Exception => {
                state.arg.as_ref().map(|value| json::string(value.text())).unwrap_or_default()
            }
            _ => {
                let locals = state.locals.clone().unwrap_or_default();
                written(&self.history.shown(state.event, state.depth, &locals))
            }
        };
        self.words([Word::FrameSep, Word::Event(self.direction, state.event)]);
        if locals_come_first {
            self.words([Word::ArgSep]);
            self.text(payload);
            self.words([Word::SrcSep]);
            self.text(source);
        } else {
            self.words([Word::SrcSep]);
            self.text(source);
            self.words([Word::ArgSep]);
            self.text(payload);
        }
        self.history.visit(state);
    }

    /// Writes an action.
    ///
    /// # Errors
    /// [`Refusal::Unsupported`] for a move that the language has no words for: a direction
    /// and action it lacks, or a breakpoint that is not exactly one line.
    pub fn action(&mut self, ask: &Move) -> Result<(), Refusal> {
        let word = Word::Action(ask.direction, ask.action);
        if ask.direction != self.direction || word.spelling().is_none() {
            return Err(Refusal::Unsupported(format!(
                "the native language has no {} in a {} trace",
                ask.name(),
                self.direction.name()
            )));
        }
        self.words([Word::ActionSep, word]);
        if ask.action == Action::Breakpoint {
            let [stop] = ask.stops.as_slice() else {
                return Err(Refusal::Unsupported(format!(
                    "the native language runs to exactly one line at a time, not {}",
                    ask.stops.len()
                )));
            };
            let line = self.program.source(stop.loc).map(|line| line.to_string());
            self.text(line.unwrap_or_default());
        }
        self.history.moved(ask);
        Ok(())
    }

    /// Writes the states and moves of a segment, preceded (forward only) by the lines of
    /// the callers. The paper's traces begin in the entry frame; a segment that begins
    /// deeper is written as if each caller's line had been stepped into.
    ///
    /// # Errors
    /// As [`Writer::action`].
    pub fn segment(&mut self, segment: &Segment) -> Result<(), Refusal> {
        if self.direction == Direction::Forward {
            for caller in &segment.callers {
                self.state(caller);
                self.action(&Move::forward(Action::StepInto))?;
            }
        }
        self.state(&segment.first);
        for (ask, state) in &segment.steps {
            self.action(ask)?;
            self.state(state);
        }
        Ok(())
    }

    /// Writes an exit and the end. A cut recording has no exit: its text just ends.
    pub fn exit(&mut self, exit: Exit) {
        if Word::Exit(exit).spelling().is_some() {
            self.words([Word::FrameSep, Word::Exit(exit), Word::TraceEnd, Word::EndOfText]);
        }
    }

    /// Opens a first state of which parts are unknown: up to the arguments of a call, or to
    /// the line of a return. Returns what was written of it after its `<|frame_sep|>`.
    pub fn open(&mut self, first: &State) -> Vec<Piece> {
        self.words([Word::FrameSep]);
        let start = self.pieces.len();
        self.words([Word::Event(self.direction, first.event), Word::SrcSep]);
        if first.event == Event::Call {
            self.text(source(self.program, first.event, first.loc, &first.function));
            self.words([Word::ArgSep]);
        }
        self.pieces.get(start..).unwrap_or_default().to_vec()
    }

    /// Opens the state that the model is to write; its first token is the event.
    pub fn ask(&mut self) {
        self.words([Word::FrameSep]);
    }

    /// Number of pieces so far.
    pub(super) fn len(&self) -> usize {
        self.pieces.len()
    }

    /// All pieces so far.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// What was written, and what its reader knows by then.
    pub fn finish(self) -> (Vec<Piece>, History) {
        (self.pieces, self.history)
    }
}

/// Whether LOCALS come before SRC: in forward line states only.
pub fn locals_first(direction: Direction, event: Event) -> bool {
    direction == Direction::Forward && event == Event::Line
}

/// LOCALS as JSON: the collapsed pair first, then names in order.
fn written(shown: &Shown) -> String {
    let others = shown.others.then_some((OTHERS, OTHERS));
    let pairs = shown.pairs.iter().map(|(name, value)| (&**name, value.text()));
    json::object(others.into_iter().chain(pairs))
}

/// A whole trace: context, states, moves, and the exit that a last move led to.
///
/// # Errors
/// As [`Writer::action`].
pub fn trace(
    program: &Program,
    context: &str,
    segment: &Segment,
    exit: Option<(&Move, Exit)>,
) -> Result<Vec<Piece>, Refusal> {
    let mut writer = Writer::new(program, segment.direction, context);
    writer.segment(segment)?;
    if let Some((ask, exit)) = exit {
        writer.action(ask)?;
        writer.exit(exit);
    }
    Ok(writer.finish().0)
}

/// A prompt: the trace so far, the move, and the opened state.
///
/// # Errors
/// As [`Writer::action`].
pub fn prompt(
    program: &Program,
    context: &str,
    segment: &Segment,
    ask: &Move,
) -> Result<(Vec<Piece>, History), Refusal> {
    let mut writer = Writer::new(program, segment.direction, context);
    writer.segment(segment)?;
    writer.action(ask)?;
    writer.ask();
    Ok(writer.finish())
}
