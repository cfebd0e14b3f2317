//! The special tokens of the language and their spelling (paper, section 3 and the
//! listings of appendices B and C; the spellings that the paper does not print are ours).
//!
//! Must not know: what the words are combined to.

use crate::trace::{Action, Direction, Event, Exit};

/// One special token: a single id in a model's vocabulary, never ordinary text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Word {
    /// Opens a text.
    BeginOfText,
    /// The program follows.
    ContextStart,
    /// After the exit.
    TraceEnd,
    /// After [`Word::TraceEnd`].
    EndOfText,
    /// Opens every state and exit.
    FrameSep,
    /// A source line follows.
    SrcSep,
    /// Locals, a return value or an exception follow.
    ArgSep,
    /// An action follows.
    ActionSep,
    /// The event of a state.
    Event(Direction, Event),
    /// An action.
    Action(Direction, Action),
    /// How the trace ends.
    Exit(Exit),
}

use Direction::{Forward, Inverse};

impl Word {
    /// Every word that exists, in the order in which new vocabularies number them.
    pub const ALL: [Word; 29] = [
        Word::BeginOfText,
        Word::ContextStart,
        Word::TraceEnd,
        Word::EndOfText,
        Word::FrameSep,
        Word::SrcSep,
        Word::ArgSep,
        Word::ActionSep,
        Word::Event(Forward, Event::Call),
        Word::Event(Forward, Event::Line),
        Word::Event(Forward, Event::Return),
        Word::Event(Forward, Event::Exception),
        Word::Event(Inverse, Event::Call),
        Word::Event(Inverse, Event::Line),
        Word::Event(Inverse, Event::LineAfterCall),
        Word::Event(Inverse, Event::Return),
        Word::Event(Inverse, Event::Exception),
        Word::Action(Forward, Action::StepInto),
        Word::Action(Forward, Action::StepOver),
        Word::Action(Forward, Action::StepReturn),
        Word::Action(Forward, Action::Breakpoint),
        Word::Action(Forward, Action::Continue),
        Word::Action(Inverse, Action::StepInto),
        Word::Action(Inverse, Action::StepOver),
        Word::Action(Inverse, Action::StepCall),
        Word::Exit(Exit::Normal),
        Word::Exit(Exit::Error),
        Word::Exit(Exit::Never),
        Word::Exit(Exit::Entry),
    ];

    /// How it is spelled; `None` for combinations that the language does not have, such as
    /// an inverse breakpoint.
    pub fn spelling(self) -> Option<&'static str> {
        Some(match self {
            Word::BeginOfText => "<|begin_of_text|>",
            Word::ContextStart => "<|trace_context_start|>",
            Word::TraceEnd => "<|trace_end|>",
            Word::EndOfText => "<|end_of_text|>",
            Word::FrameSep => "<|frame_sep|>",
            Word::SrcSep => "<|src_sep|>",
            Word::ArgSep => "<|arg_sep|>",
            Word::ActionSep => "<|action_sep|>",
            Word::Event(Forward, Event::Call) => "<|call_sep|>",
            Word::Event(Forward, Event::Line) => "<|line_sep|>",
            Word::Event(Forward, Event::Return) => "<|return_sep|>",
            Word::Event(Forward, Event::Exception) => "<|exception_sep|>",
            Word::Event(Inverse, Event::Call) => "<|inv_call_sep|>",
            Word::Event(Inverse, Event::Line) => "<|inv_line_sep|>",
            Word::Event(Inverse, Event::LineAfterCall) => "<|inv_line_call_sep|>",
            Word::Event(Inverse, Event::Return) => "<|inv_return_sep|>",
            Word::Event(Inverse, Event::Exception) => "<|inv_exception_sep|>",
            Word::Action(Forward, Action::StepInto) => "<|step_into|>",
            Word::Action(Forward, Action::StepOver) => "<|step_over|>",
            Word::Action(Forward, Action::StepReturn) => "<|step_return|>",
            Word::Action(Forward, Action::Breakpoint) => "<|breakpoint|>",
            Word::Action(Forward, Action::Continue) => "<|continue|>",
            Word::Action(Inverse, Action::StepInto) => "<|inv_step_into|>",
            Word::Action(Inverse, Action::StepOver) => "<|inv_step_over|>",
            Word::Action(Inverse, Action::StepCall) => "<|inv_step_call|>",
            Word::Exit(Exit::Normal) => "<|exit_normal|>",
            Word::Exit(Exit::Error) => "<|exit_error|>",
            Word::Exit(Exit::Never) => "<|exit_never|>",
            Word::Exit(Exit::Entry) => "<|inv_exit_entry|>",
            Word::Event(Forward, Event::LineAfterCall)
            | Word::Action(Forward, Action::StepCall)
            | Word::Action(Inverse, Action::StepReturn | Action::Breakpoint | Action::Continue)
            | Word::Exit(Exit::Cut) => return None,
        })
    }

    /// The word that a text begins with, and how long its spelling is.
    fn starting(text: &str) -> Option<(Word, usize)> {
        Word::ALL.iter().find_map(|word| {
            let spelling = word.spelling()?;
            text.starts_with(spelling).then_some((*word, spelling.len()))
        })
    }
}

/// The language in its exact form: special tokens kept apart from text, so that a program
/// which contains the spelling of a word stays text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// A special token.
    Word(Word),
    /// Ordinary text.
    Text(String),
}

/// Writes pieces as one text. Not reversible if some text spells a word.
pub fn spell(pieces: &[Piece]) -> String {
    pieces
        .iter()
        .map(|piece| match piece {
            Piece::Word(word) => word.spelling().unwrap_or_default(),
            Piece::Text(text) => text,
        })
        .collect()
}

/// Reads a text as pieces: every spelling of a word is taken for the word.
pub fn split(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let (mut start, mut at) = (0, 0);
    while let Some(offset) = text[at..].find("<|") {
        at += offset;
        if let Some((word, length)) = Word::starting(&text[at..]) {
            if start < at {
                pieces.push(Piece::Text(text[start..at].to_owned()));
            }
            pieces.push(Piece::Word(word));
            at += length;
            start = at;
        } else {
            at += 2;
        }
    }
    if start < text.len() {
        pieces.push(Piece::Text(text[start..].to_owned()));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_word_is_spelled_differently_and_read_back() {
        let spellings: HashSet<_> = Word::ALL.iter().map(|w| w.spelling().unwrap()).collect();
        assert_eq!(spellings.len(), Word::ALL.len());
        for word in Word::ALL {
            assert_eq!(split(word.spelling().unwrap()), [Piece::Word(word)]);
        }
    }

    #[test]
    fn what_only_looks_like_a_word_stays_text() {
        let text = "a <| b <|frame_sep|><|nonsense|> é<|";
        let pieces = split(text);
        assert_eq!(pieces.len(), 3);
        assert_eq!(pieces[1], Piece::Word(Word::FrameSep));
        assert_eq!(spell(&pieces), text);
    }
}
