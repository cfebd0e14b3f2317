//! Which function a line suggests, by `def`, `class` and indentation alone.
//!
//! A default, not a truth: a state in another code object of the same line (a lambda, a
//! generator expression) names it. So the reading of a program by another parser can never
//! change what a token sequence means.

use super::source::Piece;
use crate::trace::Event;
use std::sync::Arc;

/// The functions of each line of a file.
#[derive(Debug, Clone, Default)]
pub struct Scopes {
    /// By physical line, from 1: the innermost function or class around the line.
    around: Vec<Arc<str>>,
    /// By physical line: what a `def`, `class` or decorator on it defines.
    defines: Vec<Option<Arc<str>>>,
}

/// Builds [`Scopes`] from the lines of a file in order.
#[derive(Debug)]
pub struct Builder {
    scopes: Scopes,
    module: Arc<str>,
    /// Open scopes: the column of the header and the name.
    open: Vec<(usize, Arc<str>)>,
    decorators: usize,
}

impl Default for Builder {
    fn default() -> Self {
        Builder {
            scopes: Scopes::default(),
            module: "<module>".into(),
            open: Vec::new(),
            decorators: 0,
        }
    }
}

impl Builder {
    /// Adds the next physical line. `continued`: it continues the statement above.
    pub fn line(&mut self, text: &str, pieces: &[Piece<'_>], continued: bool) {
        let mut defined = None;
        if !continued && !pieces.is_empty() {
            let column = text.len() - text.trim_start().len();
            while self.open.last().is_some_and(|&(header, _)| header >= column) {
                self.open.pop();
            }
            defined = match pieces {
                [Piece::Name("def" | "class"), Piece::Name(name), ..]
                | [Piece::Name("async"), Piece::Name("def"), Piece::Name(name), ..] => {
                    Some(Arc::<str>::from(*name))
                }
                _ => None,
            };
        }
        let around = self.open.last().map_or(&self.module, |(_, name)| name).clone();
        self.scopes.around.push(around);
        if pieces.first() == Some(&Piece::Char('@')) && !continued {
            self.decorators += 1;
        } else if let Some(name) = &defined {
            let decorated = self.scopes.defines.len() - self.decorators;
            for define in self.scopes.defines.iter_mut().skip(decorated) {
                *define = Some(name.clone());
            }
            let column = text.len() - text.trim_start().len();
            self.open.push((column, name.clone()));
            self.decorators = 0;
        } else if self.decorators > 0 {
            // Comments and the further lines of a decorator stay with it.
            self.decorators += 1;
        }
        self.scopes.defines.push(defined);
    }

    /// All lines were given.
    pub fn finish(self) -> Scopes {
        self.scopes
    }
}

impl Scopes {
    /// The function that a state of this event on this line is in, as far as the line
    /// tells. A call belongs to what its line defines, a resume to what is around it.
    pub fn suggested(&self, event: Event, suspension: bool, line: u32) -> &str {
        let at = (line as usize).wrapping_sub(1);
        let around = self.around.get(at).map_or("<module>", |name| name);
        match self.defines.get(at) {
            Some(Some(name)) if event == Event::Call && !suspension => name,
            _ => around,
        }
    }
}
