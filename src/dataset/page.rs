//! A document while it is written, in either dialect.
//!
//! Must not know: which moves are made and why, files, threads.

use super::policy::Stops;
use super::random::Random;
use crate::codec::compact::vocab::{LINE, SLOT, Token};
use crate::codec::compact::{self, Limit};
use crate::codec::native::{self, Piece, Word, split};
use crate::codec::window::{self, Window};
use crate::program::Program;
use crate::trace::{Action, Direction, Exit, Move, State, StateTree};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// How states are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Dialect {
    /// Our own small model's: token ids of one small vocabulary.
    Compact,
    /// The paper's: text with special tokens, for any tokenizer.
    Native,
}

impl Dialect {
    /// The word used on the command line and in manifests.
    pub fn name(self) -> &'static str {
        match self {
            Dialect::Compact => "compact",
            Dialect::Native => "native",
        }
    }

    /// What the length of a document is counted in.
    pub fn unit(self) -> &'static str {
        match self {
            Dialect::Compact => "tokens",
            Dialect::Native => "bytes",
        }
    }

    /// Longest document where nobody says how long.
    pub fn window(self) -> usize {
        match self {
            Dialect::Compact => 512,
            Dialect::Native => 8192,
        }
    }
}

/// What is written, and which of it is learned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The whole.
    pub body: Body,
    /// The answers, in order: states and exits that the model has to predict. Ranges of
    /// tokens, or of bytes of the text.
    pub learn: Vec<Range<usize>>,
}

/// What a document consists of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    /// Token ids of the compact vocabulary.
    Ids(Vec<u16>),
    /// Native text.
    Text(String),
}

impl Document {
    /// Its length in the dialect's unit.
    pub fn len(&self) -> usize {
        match &self.body {
            Body::Ids(ids) => ids.len(),
            Body::Text(text) => text.len(),
        }
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How much of it is learned, in the dialect's unit.
    pub fn learned(&self) -> usize {
        self.learn.iter().map(Range::len).sum()
    }
}

/// What every document of a program begins with.
#[derive(Debug)]
pub enum Context {
    /// Lines in tokens.
    Compact(Box<compact::Context>),
    /// Lines of text.
    Native(Box<Native>),
}

/// A program's lines for the native dialect.
#[derive(Debug)]
pub struct Native {
    program: Program,
    text: String,
    lines: Vec<u32>,
    /// Lines whose text no other line has: a breakpoint names a line by its text.
    unique: BTreeSet<u32>,
}

impl Context {
    /// The context of a program in documents of a length; `None` if it does not hold all that
    /// the entry reaches.
    ///
    /// # Errors
    /// Why the dialect cannot write the program, in a few words.
    pub fn new(program: &Program, dialect: Dialect, window: usize) -> Result<Option<Self>, String> {
        if dialect == Dialect::Compact {
            let context = compact::Context::new(program, compact::budget(window)).map_err(why)?;
            return Ok((context.cut == 0).then(|| Context::Compact(Box::new(context))));
        }
        let size = Window { size: window, unit: dialect.unit() };
        let chosen = window::context(program, size, |line| line.len() + 1);
        if !chosen.cut.is_empty() {
            return Ok(None);
        }
        let text = window::text(program, &chosen);
        let mut by_text: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
        for &loc in &chosen.lines {
            if let Some(line) = program.source(loc) {
                by_text.entry(line).or_default().push(loc.line);
            }
        }
        let unique = by_text.values().filter_map(|lines| match lines.as_slice() {
            [line] => Some(*line),
            _ => None,
        });
        let unique = unique.collect();
        let lines = chosen.lines.iter().map(|loc| loc.line).collect();
        let program = program.clone();
        Ok(Some(Context::Native(Box::new(Native { program, text, lines, unique }))))
    }

    /// Where breakpoints can be set, as far as the dialect has words for it.
    pub fn stops(&self, tree: &StateTree) -> Stops {
        match self {
            Context::Compact(context) => Stops::new(tree, context.lines()),
            Context::Native(native) => {
                let mut stops = Stops::new(tree, native.lines.iter().copied());
                stops.retain(|stop| !stop.call && native.unique.contains(&stop.loc.line));
                stops
            }
        }
    }

    /// A page that holds the context and begins a segment.
    pub fn page(&self, direction: Direction) -> Page<'_> {
        match self {
            Context::Compact(context) => {
                Page::Compact(context, Box::new(compact::Writer::new(context, direction)))
            }
            Context::Native(native) => Page::Native(Text::new(native, direction)),
        }
    }
}

/// Why a program is left out, for reports that count.
fn why(limit: Limit) -> String {
    match limit {
        Limit::Lines => "too many lines".into(),
        Limit::Names => "too many names".into(),
        other => other.to_string(),
    }
}

/// A document that grows.
#[derive(Debug)]
pub enum Page<'a> {
    /// In tokens.
    Compact(&'a compact::Context, Box<compact::Writer<'a>>),
    /// In text.
    Native(Text<'a>),
}

impl Page<'_> {
    /// Length so far.
    pub fn length(&self) -> usize {
        match self {
            Page::Compact(_, writer) => writer.ids().len(),
            Page::Native(text) => text.text.len(),
        }
    }

    /// Writes a caller's state; before the first.
    ///
    /// # Errors
    /// Why the dialect cannot, in a few words; as of all that follow.
    pub fn caller(&mut self, state: &State) -> Result<(), String> {
        match self {
            Page::Compact(_, writer) => writer.state(state).map(|_| ()).map_err(why),
            Page::Native(text) => text.caller(state),
        }
    }

    /// Writes a state; returns where it lies.
    ///
    /// # Errors
    /// As above.
    pub fn state(&mut self, state: &State) -> Result<Range<usize>, String> {
        match self {
            Page::Compact(_, writer) => writer.state(state).map_err(why),
            Page::Native(text) => Ok(text.answer(|writer| writer.state(state))),
        }
    }

    /// Writes a call of which the arguments are to be invented; returns where they lie.
    ///
    /// # Errors
    /// As above.
    pub fn invented(&mut self, call: &State) -> Result<Range<usize>, String> {
        match self {
            Page::Compact(_, writer) => {
                let mut head = writer.clone();
                head.head(call).map_err(why)?;
                Ok(head.ids().len()..writer.state(call).map_err(why)?.end)
            }
            Page::Native(text) => {
                let whole = text.answer(|writer| writer.state(call));
                let arguments = text.writer.pieces().last().map_or(0, length);
                Ok(whole.end - arguments..whole.end)
            }
        }
    }

    /// Writes a question. What follows is the answer.
    ///
    /// # Errors
    /// As above.
    pub fn ask(&mut self, ask: &Move) -> Result<(), String> {
        match self {
            Page::Compact(_, writer) => writer.ask(ask).map_err(why),
            Page::Native(text) => text.ask(ask),
        }
    }

    /// Writes an exit; returns where it lies.
    ///
    /// # Errors
    /// As above.
    pub fn exit(&mut self, exit: Exit) -> Result<Range<usize>, String> {
        match self {
            Page::Compact(_, writer) => writer.exit(exit).map_err(why),
            Page::Native(text) => Ok(text.answer(|writer| writer.exit(exit))),
        }
    }

    /// The document up to a length, at the end of an answer. `spread`: lines and slots are
    /// numbered from another start, where they have numbers.
    ///
    /// # Errors
    /// As above.
    pub fn finish(
        self,
        length: usize,
        mut learn: Vec<Range<usize>>,
        spread: Option<&mut Random>,
    ) -> Result<Document, String> {
        let body = match self {
            Page::Compact(context, writer) => {
                let (mut ids, memory) = writer.finish();
                ids.truncate(length);
                if let Some(random) = spread {
                    let mut start = |all: usize, used| random.below(all - used + 1) as Token;
                    let lines = start(LINE.len(), context.len());
                    renumber(&mut ids, lines, start(SLOT.len(), memory.names().used()));
                }
                Body::Ids(ids.iter().map(|&id| id as u16).collect())
            }
            Page::Native(text) => Body::Text(text.finish(length, &mut learn)?),
        };
        Ok(Document { body, learn })
    }
}

/// Numbers lines and slots from another start.
fn renumber(ids: &mut [Token], lines: Token, slots: Token) {
    for id in ids {
        if LINE.contains(id) {
            *id += lines;
        } else if SLOT.contains(id) {
            *id += slots;
        }
    }
}

/// A native text that grows.
#[derive(Debug)]
pub struct Text<'a> {
    writer: native::write::Writer<'a>,
    text: String,
    /// Pieces of the writer that are in the text.
    pieces: usize,
    /// A piece of ordinary text spells a special token.
    spells: bool,
    direction: Direction,
}

impl<'a> Text<'a> {
    fn new(native: &'a Native, direction: Direction) -> Self {
        let writer = native::write::Writer::new(&native.program, direction, &native.text);
        let mut this = Text { writer, text: String::new(), pieces: 0, spells: false, direction };
        this.take();
        this
    }

    /// Takes over what the writer has written.
    fn take(&mut self) {
        for piece in self.writer.pieces().get(self.pieces..).unwrap_or_default() {
            match piece {
                Piece::Word(word) => self.text.push_str(word.spelling().unwrap_or_default()),
                Piece::Text(text) => {
                    let word = |piece: &Piece| matches!(piece, Piece::Word(_));
                    self.spells |= text.contains("<|") && split(text).iter().any(word);
                    self.text.push_str(text);
                }
            }
        }
        self.pieces = self.writer.pieces().len();
    }

    fn caller(&mut self, state: &State) -> Result<(), String> {
        // Native text knows callers in the forward direction only, as lines stepped into.
        if self.direction == Direction::Forward {
            self.writer.state(state);
            self.ask(&Move::forward(Action::StepInto))?;
        }
        Ok(())
    }

    fn ask(&mut self, ask: &Move) -> Result<(), String> {
        self.writer.action(ask).map_err(|refusal| refusal.to_string())?;
        self.take();
        Ok(())
    }

    /// Writes a state or an exit. Its opening belongs to the question.
    fn answer(&mut self, write: impl FnOnce(&mut native::write::Writer<'a>)) -> Range<usize> {
        let opening = Word::FrameSep.spelling().unwrap_or_default().len();
        let start = self.text.len() + opening;
        write(&mut self.writer);
        self.take();
        start..self.text.len()
    }

    /// A state ends when the next action begins: that is learned too.
    fn finish(mut self, length: usize, learn: &mut [Range<usize>]) -> Result<String, String> {
        if self.spells {
            return Err("it spells a special token".into());
        }
        self.text.truncate(length);
        let end = Word::ActionSep.spelling().unwrap_or_default();
        for range in learn {
            if self.text.get(range.end..).is_some_and(|rest| rest.starts_with(end)) {
                range.end += end.len();
            }
        }
        Ok(self.text)
    }
}

fn length(piece: &Piece) -> usize {
    match piece {
        Piece::Word(word) => word.spelling().unwrap_or_default().len(),
        Piece::Text(text) => text.len(),
    }
}
