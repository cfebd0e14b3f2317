//! The source pane: text with colours, breakpoints, the line about to run, the line that
//! was just run, where CPython is, and lines the prediction may also mean.
//!
//! A line is `breakpoint, number, mark, text`. Nothing here is measured in bytes: tabs and
//! wide characters have been laid out by [`Safe`].

use super::{Row, lines};
use crate::program::{Loc, Program};
use crate::session::Breakpoint;
use crate::trace::{Direction, Event, Outcome};
use crate::tui::app::App;
use crate::tui::highlight::Runs;
use crate::tui::look::{Look, Mark};
use crate::tui::scroll::Scroll;
use crate::tui::text::{Safe, ellipsis};
use crate::tui::theme::Role;
use ratatui::buffer::Buffer;
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
        1 + digits(self.lines(program).len()) as u16 + MARKS
    }

    /// The line under a row of the screen.
    pub fn line_at(&self, inner: Rect, row: u16, program: &Program) -> Option<usize> {
        let lines = self.lines(program);
        let room = usize::from(inner.width.saturating_sub(self.gutter(program)));
        let mut left = usize::from(row.checked_sub(inner.y)?);
        for (index, line) in lines.iter().enumerate().skip(self.scroll.top) {
            let rows = if self.wrap { rows_of(line, room) } else { 1 };
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

    /// How many hits there are.
    pub fn hits(&self) -> usize {
        self.hits.len()
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

fn digits(n: usize) -> usize {
    n.max(1).ilog10() as usize + 1
}

fn rows_of(line: &str, room: usize) -> usize {
    Safe::new(line, crate::tui::text::Charset::Unicode).width().div_ceil(room.max(1)).max(1)
}

/// File name, function, and how far down.
pub fn title(app: &App) -> Row<'_> {
    let program = app.session.program();
    let name = program.files.get(app.source.file).map_or("", |file| &file.name);
    let mut row = Row::new(&app.look).put(Role::Dim, format!("{name} "));
    let lines = app.source.lines(program).len();
    if !app.source.pattern.is_empty() {
        row = row.put(Role::Search, format!("/{} {} hits", app.source.pattern, app.source.hits()));
        row = row.put(Role::Dim, " ");
    }
    row.put(Role::Dim, format!("{}/{lines} ", (app.source.scroll.cursor + 1).min(lines)))
}

/// What is to be marked in the file shown. Lines are 1-based.
struct Places {
    current: Option<u32>,
    current_mark: (Role, Mark),
    raised: bool,
    previous: Option<u32>,
    truth: Option<(u32, String)>,
    ambiguous: Vec<u32>,
    note: Option<(Role, String)>,
}

fn places(app: &App) -> Places {
    let file = app.source.file;
    let here = |loc: Loc| (usize::from(loc.file) == file).then_some(loc.line);
    let shown = app.shown();
    let present = app.session.present();
    let step = present.map(|entry| &entry.stop);
    let inverse =
        step.and_then(|s| s.ask.as_ref()).is_some_and(|ask| ask.direction == Direction::Inverse);
    // Marks and notes of the present step belong to its own frame, not to a selected caller.
    let own = shown.as_ref().zip(step.and_then(|s| s.stop.state())).is_some_and(|(a, b)| a == b);
    let truth = step.filter(|_| own).and_then(|step| match (&step.actual, step.stop.state()) {
        (Some(Outcome::State(actual)), Some(state)) if actual.loc != state.loc => {
            let python = app.session.header().python.unwrap_or_default();
            Some((here(actual.loc)?, format!("CPython {python} is here")))
        }
        _ => None,
    });
    let confidence = step
        .filter(|_| own)
        .and_then(|s| s.confidence.as_ref())
        .map(|c| c.event * c.source)
        .map(|p| (super::now::sureness(p), super::now::percent(p)));
    Places {
        current: shown.as_ref().and_then(|s| here(s.loc)),
        current_mark: match (inverse && own, app.replayed) {
            (true, false) => (Role::Guessed, Mark::Backwards),
            (true, true) => (Role::Replayed, Mark::Backwards),
            (false, _) => (Role::Current, Mark::Current),
        },
        raised: shown.as_ref().is_some_and(|s| s.event == Event::Exception),
        previous: app.session.previous().and_then(|e| here(e.stop.stop.state()?.loc)),
        truth,
        ambiguous: step
            .filter(|_| own)
            .map(|s| s.candidates.iter().filter_map(|loc| here(*loc)).collect())
            .unwrap_or_default(),
        note: confidence,
    }
}

/// Draws the visible lines.
pub fn draw(app: &App, inner: Rect, buf: &mut Buffer) {
    let program = app.session.program();
    let all = app.source.lines(program);
    if all.is_empty() {
        Row::new(&app.look).put(Role::Dim, "(an empty file)").draw(inner, 0, buf);
        return;
    }
    let places = places(app);
    let breakpoints = app.session.breakpoints();
    let mut rows = lines(inner);
    for index in app.source.scroll.top..all.len() {
        let Some(area) = rows.next() else { return };
        draw_line(app, index, &places, breakpoints, area, buf);
        if app.source.wrap {
            let gutter = app.source.gutter(program);
            let room = usize::from(area.width.saturating_sub(gutter));
            let more = all.get(index).map_or(1, |line| rows_of(line, room)) - 1;
            for part in 1..=more {
                let Some(area) = rows.next() else { return };
                let area = indent(area, gutter);
                draw_text(app, index, part * room, area, buf);
            }
        }
    }
}

fn indent(area: Rect, by: u16) -> Rect {
    let by = by.min(area.width);
    Rect { x: area.x + by, width: area.width - by, ..area }
}

fn draw_line(
    app: &App,
    index: usize,
    places: &Places,
    breakpoints: &[Breakpoint],
    area: Rect,
    buf: &mut Buffer,
) {
    let look = &app.look;
    let program = app.session.program();
    let line = u32::try_from(index + 1).unwrap_or(u32::MAX);
    let current = places.current == Some(line);
    let cursor = app.focus == super::Pane::Source && app.source.scroll.cursor == index;

    let mut head = Row::new(look);
    let here = |b: &&Breakpoint| usize::from(b.loc.file) == app.source.file && b.loc.line == line;
    head = match breakpoints.iter().find(here) {
        Some(b) => head.mark(Role::Breakpoint, breakpoint_mark(b)),
        None => head.put(Role::Text, " "),
    };
    let width = digits(app.source.lines(program).len());
    let number_role = if current { places.current_mark.0 } else { Role::Dim };
    head = head.put(number_role, format!("{line:>width$}"));
    let (role, mark) = places.current_mark;
    head = if current {
        let mark = look.mark(mark);
        let twice = if places.raised { mark } else { " " };
        head.own(role, mark).own(role, twice)
    } else if places.truth.as_ref().is_some_and(|(l, _)| *l == line) {
        head.mark(Role::Truth, Mark::Truth).put(Role::Text, " ")
    } else if places.ambiguous.contains(&line) {
        head.mark(Role::Unsure, Mark::Ambiguous).put(Role::Text, " ")
    } else if places.previous == Some(line) {
        head.mark(Role::Previous, Mark::Previous).put(Role::Text, " ")
    } else {
        head.put(Role::Text, "  ")
    };
    head.pad_to(usize::from(app.source.gutter(program))).draw(area, 0, buf);

    let gutter = app.source.gutter(program);
    let text = indent(area, gutter);
    let from = if app.source.wrap { 0 } else { app.source.left };
    draw_text(app, index, from, text, buf);
    if current {
        buf.set_style(text.intersection(buf.area), background(look, role));
    } else if cursor {
        buf.set_style(text.intersection(buf.area), look.style(Role::Cursor));
    }
    note(app, line, places).fit(usize::from(text.width) / 2).draw_right(text, buf);
}

/// The part of a role's style that goes over coloured code: not its foreground.
fn background(look: &Look, role: Role) -> ratatui::style::Style {
    let mut style = look.style(match role {
        Role::Guessed | Role::Replayed => role,
        _ => Role::Current,
    });
    style.fg = None;
    if style.bg.is_none() {
        style.bg = look.style(Role::Current).bg;
    }
    style
}

/// What is said at the right end of a line.
fn note<'a>(app: &'a App, line: u32, places: &Places) -> Row<'a> {
    let row = Row::new(&app.look);
    if let Some((_, text)) = places.truth.as_ref().filter(|(l, _)| *l == line) {
        return row.put(Role::Truth, format!(" {text} "));
    }
    if places.ambiguous.contains(&line) {
        return row.put(Role::Unsure, " or here: ambiguous ");
    }
    match &places.note {
        Some((role, text)) if places.current == Some(line) => {
            let ambiguous = if places.ambiguous.is_empty() { "" } else { "ambiguous " };
            row.put(Role::Unsure, format!(" {ambiguous}")).put(*role, format!("{text} "))
        }
        _ => row,
    }
}

/// The mark of a breakpoint.
pub fn breakpoint_mark(b: &Breakpoint) -> Mark {
    match b {
        b if !b.enabled => Mark::Disabled,
        b if b.temporary => Mark::Temporary,
        b if b.condition.is_some() => Mark::Conditional,
        _ => Mark::Breakpoint,
    }
}

/// Draws one line's text from a cell on, in its colours.
fn draw_text(app: &App, index: usize, from: usize, area: Rect, buf: &mut Buffer) {
    let area = area.intersection(buf.area);
    let program = app.session.program();
    let Some(line) = app.source.lines(program).get(index).filter(|_| !area.is_empty()) else {
        return;
    };
    let look = &app.look;
    let safe = Safe::new(line, look.charset);
    let runs = app.source.colours.get(app.source.file).and_then(|file| file.get(index));
    let plain = look.style(Role::Text);
    let hits: Vec<&Range<usize>> =
        app.source.hits.iter().filter(|(l, _)| *l == index).map(|(_, r)| r).collect();
    let width = usize::from(area.width);
    let mut x = area.x;
    for piece in safe.pieces(from, width) {
        let mut style = match runs.and_then(|runs| role_at(runs, piece.source)) {
            Some(role) => look.style(role),
            None => plain,
        };
        if piece.escaped {
            style = look.style(Role::Escape);
        }
        if hits.iter().any(|hit| hit.contains(&piece.source)) {
            style = look.style(Role::Search);
        }
        let room = usize::from(area.right().saturating_sub(x));
        (x, _) = buf.set_stringn(x, area.y, piece.text, room, style);
    }
    if !app.source.wrap {
        let dim = look.style(Role::Dim);
        if from > 0 && safe.width() > 0 {
            buf.set_stringn(area.x, area.y, ellipsis(look.charset), 1, dim);
        }
        if safe.width() > from + width {
            buf.set_stringn(area.right() - 1, area.y, ellipsis(look.charset), 1, dim);
        }
    }
}

fn role_at(runs: &Runs, byte: usize) -> Option<Role> {
    let after = runs.partition_point(|(range, _)| range.start <= byte);
    let (range, role) = runs.get(after.checked_sub(1)?)?;
    range.contains(&byte).then_some(*role)
}
