//! The source pane: text with colours, breakpoints, the line about to run, the line that
//! was just run, where CPython is, and lines the prediction may also mean.
//!
//! A line is `breakpoint, number, mark, text`. Nothing here is measured in bytes: tabs and
//! wide characters have been laid out by [`Safe`].

use super::{Row, count_of, lines};
use crate::program::Loc;
use crate::session::{Breakpoint, percent};
use crate::trace::{Direction, Event, Outcome};
use crate::tui::app::App;
use crate::tui::look::{Look, Mark};
use crate::tui::text::{Safe, ellipsis};
use crate::tui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// File name, function, and how far down.
pub fn title(app: &App) -> Row<'_> {
    let program = app.session.program();
    let name = program.files.get(app.source.file).map_or("", |file| &file.name);
    let name = std::path::Path::new(name).file_name().map_or(name.into(), |n| n.to_string_lossy());
    let mut row = Row::new(&app.look).put(Role::Dim, format!("{name} "));
    let lines = app.source.lines(program).len();
    if !app.source.pattern().is_empty() {
        row = row.put(
            Role::Search,
            format!("/{} {}", app.source.pattern(), count_of(app.source.hits(), "hit")),
        );
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
        .map(|p| (super::now::sureness(p), percent(p)));
    let last = app.session.previous().and_then(|e| here(e.stop.stop.state()?.loc));
    let line = shown.as_ref().and_then(|s| here(s.loc));
    // Where the program ended no line is about to run: the last one was.
    let over = step.is_some_and(|s| s.stop.state().is_none());
    Places {
        current: line.filter(|_| !over),
        current_mark: match (inverse && own, app.replayed) {
            (true, false) => (Role::Guessed, Mark::Backwards),
            (true, true) => (Role::Replayed, Mark::Backwards),
            (false, _) => (Role::Current, Mark::Current),
        },
        raised: shown.as_ref().is_some_and(|s| s.event == Event::Exception),
        previous: if over { line } else { last },
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
            let more = all.get(index).map_or(1, |line| app.source.rows_of(line, room)) - 1;
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
    let width = app.source.digits(program);
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
        buf.set_style(indent(area, 1).intersection(buf.area), background(look, role));
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
    let hits = app.source.hits_of(index);
    let width = usize::from(area.width);
    let mut x = area.x;
    for piece in safe.pieces(from, width) {
        let role = app.source.role_at(index, piece.source).unwrap_or(Role::Text);
        let mut style = look.style(role);
        if piece.escaped {
            style = look.style(Role::Escape);
        }
        if hits.iter().any(|(_, hit)| hit.contains(&piece.source)) {
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
