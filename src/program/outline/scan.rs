//! Logical lines, found without parsing.
//!
//! Joins physical lines that brackets, backslashes and long strings hold together, and
//! refuses what no parser should be given: bracket nesting, indentation or expression
//! chains so deep that a recursive tree could overflow the stack. Must not know Python's
//! grammar beyond its tokens.

use crate::program::Problem;
use std::sync::Arc;

/// CPython's own limit of nested brackets (`MAXSTACK` in `Parser/tokenizer.h`).
const MAX_BRACKETS: usize = 200;
/// CPython's own limit of nested indentation (`MAXINDENT`).
const MAX_INDENTS: usize = 100;
/// Operators, dots and brackets in one expression; CPython gives up near 3,000.
const MAX_CHAIN: usize = 2_000;

/// A logical line: one or more physical lines that hold one or more statements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Logical {
    /// First physical line, 1-based.
    pub first: u32,
    /// Last physical line.
    pub last: u32,
    /// Width of its indentation, tabs to multiples of eight.
    pub indent: usize,
}

/// The logical lines of a file.
#[derive(Debug, Clone, Default)]
pub struct Scan {
    /// Without blank and comment-only lines, in order.
    pub logical: Vec<Logical>,
    /// Why the file must not be parsed.
    pub refused: Option<Problem>,
}

impl Scan {
    /// Scans physical lines.
    pub fn of(lines: &[Arc<str>]) -> Self {
        let mut scan = Scan::default();
        let mut state = State::default();
        let mut indents = vec![0usize];
        let mut open: Option<Logical> = None;
        let mut elifs = 0;
        for (number, text) in (1u32..).zip(lines) {
            let fresh = open.is_none();
            if fresh {
                let indent = indentation(text);
                let code = text.trim_start_matches([' ', '\t', '\x0c']);
                if code.is_empty() || code.starts_with('#') {
                    continue;
                }
                while indents.last().is_some_and(|&top| top > indent) {
                    indents.pop();
                }
                if indents.last().is_some_and(|&top| top < indent) {
                    indents.push(indent);
                }
                elifs += usize::from(code.starts_with("elif"));
                state.begin();
                open = Some(Logical { first: number, last: number, indent });
            }
            let joined = state.line(text);
            let too_deep = if indents.len() > MAX_INDENTS {
                Some(format!("more than {MAX_INDENTS} levels of indentation"))
            } else if state.brackets.len() > MAX_BRACKETS || state.deepest > MAX_BRACKETS {
                Some(format!("more than {MAX_BRACKETS} nested brackets"))
            } else if state.longest > MAX_CHAIN || elifs > MAX_CHAIN {
                Some(format!("an expression or elif chain of more than {MAX_CHAIN} parts"))
            } else {
                None
            };
            if let Some(why) = too_deep
                && scan.refused.is_none()
            {
                scan.refused = Some(Problem::note(number, format!("{why}: not parsed")));
            }
            if let Some(logical) = &mut open {
                logical.last = number;
            }
            if !joined {
                scan.logical.extend(open.take());
            }
        }
        scan.logical.extend(open);
        scan
    }

    /// Last physical line of the logical line that holds a line.
    pub fn last_line(&self, line: u32) -> u32 {
        let after = self.logical.partition_point(|l| l.first <= line);
        let found = after.checked_sub(1).and_then(|i| self.logical.get(i));
        found.map_or(line, |l| l.last.max(line))
    }

    /// First physical line of the logical line that holds a line.
    pub fn first_line(&self, line: u32) -> u32 {
        let after = self.logical.partition_point(|l| l.first <= line);
        after.checked_sub(1).and_then(|i| self.logical.get(i)).map_or(line, |l| l.first)
    }

    /// First line of the first logical line at or below a line.
    pub fn next_line(&self, line: u32) -> u32 {
        let at = self.logical.partition_point(|l| l.first < line);
        self.logical.get(at).map_or(line, |l| l.first)
    }
}

/// Width of a line's leading whitespace as CPython's tokenizer counts it.
fn indentation(text: &str) -> usize {
    let mut width = 0;
    for c in text.chars() {
        match c {
            ' ' => width += 1,
            '\t' => width = (width / 8 + 1) * 8,
            '\x0c' => width = 0,
            _ => break,
        }
    }
    width
}

/// What is open at the end of a physical line.
#[derive(Default)]
struct State {
    /// For each open bracket, the parts of the expression it interrupts.
    brackets: Vec<usize>,
    deepest: usize,
    /// Parts of the expression at this bracket level: operators, dots, opened brackets.
    chain: usize,
    /// Parts in all open levels and nested lambdas, and the most seen.
    nested: usize,
    longest: usize,
    string: Option<Str>,
}

/// An open string.
#[derive(Clone, Copy)]
struct Str {
    quote: u8,
    triple: bool,
    /// Inside an f-string every operator counts, as nothing there is told apart.
    format: bool,
}

impl State {
    /// Forgets the last logical line.
    fn begin(&mut self) {
        *self = State::default();
    }

    /// Reads one physical line; whether the next one belongs to the same logical line.
    fn line(&mut self, text: &str) -> bool {
        let bytes = text.as_bytes();
        let byte = |i: usize| bytes.get(i).copied().unwrap_or(0);
        let mut i = 0;
        let mut word_start = None;
        while i < bytes.len() {
            let b = byte(i);
            if let Some(string) = self.string {
                i += self.in_string(string, b, byte(i + 1) == b && byte(i + 2) == b);
                continue;
            }
            if b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80 {
                word_start.get_or_insert(i);
                i += 1;
                continue;
            }
            let word = text.get(word_start.take().unwrap_or(i)..i).unwrap_or_default();
            self.word(word);
            match b {
                b'#' => break,
                b'\'' | b'"' => {
                    let triple = byte(i + 1) == b && byte(i + 2) == b;
                    let format = word.len() <= 2 && word.contains(['f', 'F', 't', 'T']);
                    self.string = Some(Str { quote: b, triple, format });
                    i += if triple { 3 } else { 1 };
                    continue;
                }
                b'(' | b'[' | b'{' => {
                    self.count();
                    self.brackets.push(self.chain);
                    self.chain = 0;
                    self.deepest = self.deepest.max(self.brackets.len());
                }
                b')' | b']' | b'}' => {
                    self.nested -= self.chain.min(self.nested);
                    self.chain = self.brackets.pop().unwrap_or(0);
                }
                b',' | b';' => {
                    self.nested -= self.chain.min(self.nested);
                    self.chain = 0;
                }
                b'\\' if i + 1 == bytes.len() => return true,
                b'+' | b'-' | b'*' | b'/' | b'%' | b'@' | b'&' | b'|' | b'^' | b'~' | b'<'
                | b'>' | b'.' => self.count(),
                _ => {}
            }
            i += 1;
        }
        self.word(text.get(word_start.unwrap_or(i)..).unwrap_or_default());
        if let Some(Str { triple: false, .. }) = self.string {
            // A one-line string goes on only after a backslash; else it is broken here.
            let goes_on = text.ends_with('\\');
            if !goes_on {
                self.string = None;
            }
            return goes_on || !self.brackets.is_empty();
        }
        self.string.is_some() || !self.brackets.is_empty()
    }

    /// One byte inside a string; how many bytes were read.
    fn in_string(&mut self, string: Str, b: u8, tripled: bool) -> usize {
        match b {
            b'\\' => 2,
            _ if b == string.quote && (tripled || !string.triple) => {
                self.string = None;
                if string.triple { 3 } else { 1 }
            }
            _ => {
                if string.format && !b.is_ascii_alphanumeric() && b != b' ' && b != b',' {
                    self.count();
                }
                1
            }
        }
    }

    fn word(&mut self, word: &str) {
        match word {
            "not" | "if" | "await" | "for" | "yield" => self.count(),
            "lambda" => {
                // Its own commas do not end it.
                self.nested += 1;
                self.longest = self.longest.max(self.nested);
            }
            _ => {}
        }
    }

    fn count(&mut self) {
        self.chain += 1;
        self.nested += 1;
        self.longest = self.longest.max(self.nested);
    }
}
