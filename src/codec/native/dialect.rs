//! The native language as a [`Dialect`]: prompts and grammars over a model's own vocabulary.
//!
//! Must not know: models.

use super::grammar;
use super::history::History;
use super::parse::{self, Parsed, Payload};
use super::word::{Piece, Word};
use super::write::Writer;
use crate::codec::grammar::{Cursor, Machine, Vocabulary};
use crate::codec::reply::{Read, Reader, TextReply};
use crate::codec::{
    Ask, Component, Dialect, Question, Reading, Refusal, Support, TokenId, place, window,
};
use crate::program::Program;
use crate::trace::{Action, Direction, Move, Outcome, Segment, State};
use std::collections::HashMap;
use std::sync::Arc;

/// Ids of an answer after which it is brought to its end.
const PATIENCE: usize = 768;

/// The native dialect as one model speaks it.
#[derive(Debug)]
pub struct Native {
    vocabulary: Arc<Vocabulary>,
    ids: Arc<Ids>,
    support: Support,
    window: usize,
}

/// The words that a vocabulary has, both ways.
#[derive(Debug)]
pub struct Ids {
    ids: HashMap<Word, TokenId>,
    words: HashMap<TokenId, Word>,
}

impl Ids {
    fn new(vocabulary: &Vocabulary) -> Self {
        let ids: HashMap<Word, TokenId> = Word::ALL
            .into_iter()
            .filter_map(|word| Some((word, vocabulary.tokenizer.control(word.spelling()?)?)))
            .collect();
        let words = ids.iter().map(|(word, id)| (*id, *word)).collect();
        Ids { ids, words }
    }

    /// The id of a word, if the vocabulary has it.
    pub fn get(&self, word: Word) -> Option<TokenId> {
        self.ids.get(&word).copied()
    }

    /// Ids as pieces.
    fn pieces(&self, vocabulary: &Vocabulary, ids: &[TokenId]) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut bytes: Vec<u8> = Vec::new();
        let flush = |bytes: &mut Vec<u8>, pieces: &mut Vec<Piece>| {
            if !bytes.is_empty() {
                pieces.push(Piece::Text(String::from_utf8_lossy(bytes).into_owned()));
                bytes.clear();
            }
        };
        for id in ids {
            match self.words.get(id) {
                Some(word) => {
                    flush(&mut bytes, &mut pieces);
                    pieces.push(Piece::Word(*word));
                }
                None => bytes.extend_from_slice(vocabulary.tokenizer.bytes(*id)),
            }
        }
        flush(&mut bytes, &mut pieces);
        pieces
    }
}

impl Native {
    /// The dialect over a vocabulary that has its words, for a model that reads `window`
    /// tokens. What can be asked follows from the words that exist.
    ///
    /// # Errors
    /// [`Refusal::Unsupported`] naming a word without which nothing can be said.
    pub fn new(vocabulary: Arc<Vocabulary>, window: usize) -> Result<Self, Refusal> {
        let ids = Ids::new(&vocabulary);
        let needed = [
            Word::BeginOfText,
            Word::ContextStart,
            Word::FrameSep,
            Word::SrcSep,
            Word::ArgSep,
            Word::ActionSep,
            Word::TraceEnd,
            Word::EndOfText,
        ];
        for word in needed {
            if ids.get(word).is_none() {
                return Err(Refusal::Unsupported(format!(
                    "the model's vocabulary has no {}; it does not speak the native dialect",
                    word.spelling().unwrap_or_default()
                )));
            }
        }
        let direct: Vec<(Direction, Action)> = Word::ALL
            .into_iter()
            .filter(|word| ids.get(*word).is_some())
            .filter_map(|word| match word {
                Word::Action(direction, action) => Some((direction, action)),
                _ => None,
            })
            .collect();
        let directions = [Direction::Forward, Direction::Inverse]
            .into_iter()
            .filter(|direction| direct.iter().any(|(d, _)| d == direction))
            .collect();
        let limits = format!("{window} tokens");
        let support = Support { directions, direct, completes: true, limits };
        Ok(Native { vocabulary, ids: Arc::new(ids), support, window })
    }

    /// Pieces as ids. A word that the vocabulary lacks is refused.
    fn encode(&self, pieces: &[Piece]) -> Result<Vec<TokenId>, Refusal> {
        let mut ids = Vec::new();
        for piece in pieces {
            match piece {
                Piece::Text(text) => ids.extend(self.vocabulary.tokenizer.encode(text)),
                Piece::Word(word) => ids.push(self.ids.get(*word).ok_or_else(|| {
                    let spelling = word.spelling().unwrap_or_default();
                    Refusal::Unsupported(format!("this model's language has no {spelling}"))
                })?),
            }
        }
        Ok(ids)
    }

    /// The ids of the right answer to a question, in the tokenizer's own spelling: what a
    /// perfect model would say.
    ///
    /// # Errors
    /// As [`Dialect::ask`].
    pub fn answer(
        &self,
        program: &Arc<Program>,
        segment: &Segment,
        ask: &Move,
        outcome: &Outcome,
    ) -> Result<Vec<TokenId>, Refusal> {
        let mut writer = Writer::new(program, segment.direction, "");
        writer.segment(segment)?;
        writer.action(ask)?;
        let before = writer.len();
        match outcome {
            Outcome::State(state) => writer.state(state),
            Outcome::Exit(exit) => writer.exit(*exit),
        }
        let (mut pieces, _) = writer.finish();
        let mut answer = pieces.split_off((before + 1).min(pieces.len()));
        if matches!(outcome, Outcome::State(_)) {
            answer.push(Piece::Word(Word::ActionSep));
        }
        self.encode(&answer)
    }

    fn cost(&self, line: &str) -> usize {
        self.vocabulary.tokenizer.encode(line).len() + 1
    }

    /// Writes one question about a segment, whatever its length.
    fn write(
        &self,
        program: &Arc<Program>,
        context: &str,
        segment: &Segment,
        ask: &Ask,
    ) -> Result<(Vec<TokenId>, NativeReader), Refusal> {
        let mut writer = Writer::new(program, segment.direction, context);
        let mut given = Vec::new();
        let ask = match ask {
            Ask::Move(ask) => {
                writer.segment(segment)?;
                writer.action(ask)?;
                writer.ask();
                ask.clone()
            }
            Ask::Complete => {
                given = writer.open(&segment.first);
                Move { action: Action::StepInto, direction: segment.direction, stops: Vec::new() }
            }
        };
        let (pieces, history) = writer.finish();
        let reader = NativeReader {
            program: program.clone(),
            segment: Arc::new(segment.clone()),
            ids: self.ids.clone(),
            history,
            ask,
            given,
        };
        Ok((self.encode(&pieces)?, reader))
    }
}

impl Dialect for Native {
    fn name(&self) -> &'static str {
        "native"
    }

    fn support(&self) -> &Support {
        &self.support
    }

    fn accepts(&self, program: &Program) -> Result<(), Refusal> {
        window::accepts(program, self.window, |line| self.cost(line))
    }

    fn ask(
        &self,
        program: &Arc<Program>,
        segment: &Segment,
        ask: &Ask,
    ) -> Result<Question, Refusal> {
        let context = window::context(program, self.window, |line| self.cost(line));
        let text = window::text(program, &context);
        let (prompt, reader) =
            window::fit(segment, self.window, |segment| self.write(program, &text, segment, ask))?;
        let expr = match ask {
            Ask::Move(ask) => {
                grammar::answer(&self.ids, program, &context, &reader.segment, ask, &reader.history)
            }
            Ask::Complete => grammar::completion(&self.ids, program, &segment.first),
        };
        let machine = Machine::new(&expr, self.vocabulary.clone());
        let cursor = Cursor::new(machine, PATIENCE);
        let reply = TextReply::new(cursor, self.vocabulary.clone(), reader);
        Ok(Question { prompt, reply: Box::new(reply) })
    }
}

/// Reads a native answer.
#[derive(Debug, Clone)]
struct NativeReader {
    program: Arc<Program>,
    segment: Arc<Segment>,
    ids: Arc<Ids>,
    history: History,
    ask: Move,
    /// What the prompt holds of the answer already ([`Ask::Complete`]).
    given: Vec<Piece>,
}

impl Reader for NativeReader {
    fn read(&self, vocabulary: &Vocabulary, ids: &[TokenId]) -> Read {
        let mut pieces = self.given.clone();
        let offset = super::spell(&pieces).len();
        pieces.extend(self.ids.pieces(vocabulary, ids));
        let record = match parse::answer(&pieces, self.segment.direction) {
            Err(error) => return Read::malformed(error.at.saturating_sub(offset), error.why),
            Ok(Parsed::Exit(exit, span)) => {
                let spans = vec![(Component::Event, span)];
                return Read { reading: Reading::Exit(exit), candidates: Vec::new(), spans };
            }
            Ok(Parsed::State(record)) => record,
        };
        let mut spans = vec![
            (Component::Event, record.spans.event.clone()),
            (Component::Source, record.spans.source.clone()),
        ];
        let named = place::Named::Source(&record.source);
        let found = match self.given.is_empty() {
            true => {
                let (arg, lists) = match &record.payload {
                    Payload::Arg(value) => (Some(value.text()), false),
                    Payload::Locals(shown) => (None, !shown.pairs.is_empty()),
                };
                let said = place::Said { event: record.event, named, arg, lists };
                place::find(&self.program, &self.segment, &self.ask, said)
            }
            false => place::first(&self.program, &self.segment.first, named),
        };
        let Some(found) = found else {
            let at = record.spans.source.start.saturating_sub(offset);
            return Read::malformed(at, format!("no line reads {:?}", record.source));
        };
        let (mut locals, mut arg) = (None, None);
        match record.payload {
            Payload::Arg(value) => {
                spans.push((Component::Arg, record.spans.arg));
                arg = Some(value);
            }
            Payload::Locals(shown) => {
                let names = shown.pairs.iter().map(|(name, _)| Component::Local(name.clone()));
                spans.extend(names.zip(record.spans.locals));
                locals = Some(self.history.filled(record.event, found.depth, &shown));
            }
        }
        spans.retain(|(_, span)| span.start >= offset);
        for (_, span) in &mut spans {
            *span = span.start - offset..span.end - offset;
        }
        spans.sort_by_key(|(_, span)| span.start);
        let state = State {
            event: record.event,
            loc: found.loc,
            function: found.function,
            depth: found.depth,
            locals,
            arg,
            suspension: found.suspension,
        };
        Read { reading: Reading::State(state), candidates: found.candidates, spans }
    }
}
