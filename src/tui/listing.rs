//! How the source is looked at: file, cursor, scrolling, wrapping, search, colours.
//!
//! Must not know: cells beyond widths, what is drawn beside the text.

use super::highlight::Runs;
use super::scroll::Scroll;
use super::text::{Charset, Safe};
use super::theme::Role;
use crate::program::{Loc, Program};
use ratatui::layout::Rect;
use std::ops::Range;
use std::sync::Arc;

/// Cells between the line number and the text: two marks and a space.
const MARKS: u16 = 3;

/// How the source is looked at.
#[derive(Debug, Default)]
pub struct SourceView {
    /// Index of the file shown.
    pub file: usize,
    /// Cursor and first line, from 0.
    pub scroll: Scroll,
    /// Cells scrolled sideways.
    pub left: usize,
    /// Whether long lines go on below.
    pub wrap: bool,
    pattern: String,
    /// Line and byte range of every hit, in order.
    hits: Vec<(usize, Range<usize>)>,
    /// By file and line.
    colours: Vec<Vec<Runs>>,
}

impl SourceView {
    /// The first file, from its start.
    pub fn new(files: usize) -> Self {
        SourceView { colours: vec![Vec::new(); files], ..SourceView::default() }
    }

    /// The lines of the file shown.
    pub fn lines<'p>(&self, program: &'p Program) -> &'p [Arc<str>] {
        program.files.get(self.file).map_or(&[], |file| &file.lines)
    }

    /// The files are others: their colours and hits are not known yet.
    pub fn forget(&mut self, files: usize) {
        self.colours = vec![Vec::new(); files];
        self.hits.clear();
    }

    /// Takes in colours of consecutive lines.
    pub fn set_colours(&mut self, file: usize, first: usize, lines: Vec<Runs>) {
        if let Some(known) = self.colours.get_mut(file) {
            known.truncate(first);
            known.resize(first, Runs::new());
            known.extend(lines);
        }
    }

    /// Shows a place, with the cursor on it.
    pub fn reveal(&mut self, loc: Loc, height: usize) {
        if self.file != usize::from(loc.file) {
            self.file = usize::from(loc.file);
            self.hits.clear();
        }
        self.left = 0;
        self.scroll.reveal((loc.line as usize).saturating_sub(1), height);
    }

    /// Brings cursor and view into the file.
    pub fn settle(&mut self, rows: usize, height: usize, width: usize, program: &Program) {
        self.scroll.settle(rows, height);
        if self.wrap {
            self.left = 0;
            let lines = self.lines(program);
            let room = width.saturating_sub(usize::from(self.gutter(program)));
            let (mut top, cursor) = (self.scroll.top, self.scroll.cursor);
            // Rows of the lines from the top to the cursor, counted back from the cursor.
            let mut free = height;
            let mut first = cursor;
            for line in (top..=cursor).rev() {
                let need = lines.get(line).map_or(1, |text| rows_of(text, room));
                if need > free && line != cursor {
                    break;
                }
                free = free.saturating_sub(need);
                first = line;
            }
            top = top.max(first);
            self.scroll.top = top;
        }
    }

    /// Cells before the text.
    pub fn gutter(&self, program: &Program) -> u16 {
        1 + self.digits(program) as u16 + MARKS
    }

    /// Cells of a line number.
    pub fn digits(&self, program: &Program) -> usize {
        digits(self.lines(program).len())
    }

    /// The line under a row of the screen.
    pub fn line_at(&self, inner: Rect, row: u16, program: &Program) -> Option<usize> {
        let lines = self.lines(program);
        let room = usize::from(inner.width.saturating_sub(self.gutter(program)));
        let mut left = usize::from(row.checked_sub(inner.y)?);
        for (index, line) in lines.iter().enumerate().skip(self.scroll.top) {
            let rows = self.rows_of(line, room);
            match left.checked_sub(rows) {
                Some(rest) => left = rest,
                None => return Some(index),
            }
        }
        None
    }

    /// Finds every hit of a text (all lower case: in any case), and goes to the first at or
    /// below the cursor.
    pub fn search(&mut self, pattern: &str, program: &Program) {
        self.pattern = pattern.to_owned();
        self.hits.clear();
        if pattern.is_empty() {
            return;
        }
        let any_case = !pattern.chars().any(char::is_uppercase);
        for (index, line) in self.lines(program).iter().enumerate() {
            // Only ASCII is folded, so that byte offsets stay those of the line.
            let folded = if any_case { line.to_ascii_lowercase() } else { line.to_string() };
            let found = folded.match_indices(pattern).map(|(at, hit)| (index, at..at + hit.len()));
            self.hits.extend(found);
        }
        let cursor = self.scroll.cursor;
        if let Some((line, _)) = self.hits.iter().find(|(l, _)| *l >= cursor).or(self.hits.first())
        {
            self.scroll.cursor = *line;
        }
    }

    /// What is searched for; empty: nothing.
    pub fn pattern(&self) -> &str {
        &self.pattern
    }

    /// How many hits there are.
    pub fn hits(&self) -> usize {
        self.hits.len()
    }

    /// The hits of one line, from 0.
    pub fn hits_of(&self, line: usize) -> &[(usize, Range<usize>)] {
        let first = self.hits.partition_point(|(l, _)| *l < line);
        let last = self.hits.partition_point(|(l, _)| *l <= line);
        self.hits.get(first..last).unwrap_or_default()
    }

    /// The colour of a byte of a line, once it is known.
    pub fn role_at(&self, line: usize, byte: usize) -> Option<Role> {
        let runs = self.colours.get(self.file)?.get(line)?;
        let after = runs.partition_point(|(range, _)| range.start <= byte);
        let (range, role) = runs.get(after.checked_sub(1)?)?;
        range.contains(&byte).then_some(*role)
    }

    /// Rows a line takes at a width.
    pub fn rows_of(&self, line: &str, room: usize) -> usize {
        if self.wrap { rows_of(line, room) } else { 1 }
    }

    /// Moves the cursor to the next line with a hit, or the one before, around the end.
    pub fn next_hit(&mut self, by: isize) -> bool {
        let cursor = self.scroll.cursor;
        let next = if by > 0 {
            self.hits.iter().find(|(l, _)| *l > cursor).or(self.hits.first())
        } else {
            self.hits.iter().rfind(|(l, _)| *l < cursor).or(self.hits.last())
        };
        if let Some((line, _)) = next {
            self.scroll.cursor = *line;
        }
        next.is_some()
    }
}

/// Digits of the largest line number.
fn digits(n: usize) -> usize {
    n.max(1).ilog10() as usize + 1
}

fn rows_of(line: &str, room: usize) -> usize {
    Safe::new(line, Charset::Unicode).width().div_ceil(room.max(1)).max(1)
}
