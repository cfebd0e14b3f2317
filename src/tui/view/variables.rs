//! The variables of the selected frame: predicted, and beside it real where CPython
//! recorded it; below them the watched expressions.
//!
//! A line is `mark, name, value, confidence`. Where two columns of values have no room,
//! CPython's value stands on a line of its own below the one it contradicts.

use super::now::sureness;
use super::values::{self, Side, ValueRow};
use super::{Pane, Row, lines};
use crate::session::{Stop, percent};
use crate::tui::app::App;
use crate::tui::look::Mark;
use crate::tui::scroll::Scroll;
use crate::tui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::collections::BTreeSet;

/// Narrower values are not laid side by side.
const LEAST: usize = 14;

/// How the variables are looked at.
#[derive(Debug, Default)]
pub struct VariablesView {
    /// Chosen line and first line.
    pub scroll: Scroll,
    /// Paths of open values, such as `d` and `d['a']`.
    pub open: BTreeSet<String>,
}

/// Widths of the columns, in cells.
struct Columns {
    name: usize,
    value: usize,
    /// 0: no column for CPython's values.
    actual: usize,
    confidence: usize,
    /// CPython's values have lines of their own.
    stacked: bool,
}

impl Columns {
    fn new(width: usize, rows: &[ValueRow]) -> Columns {
        let widest = rows.iter().map(|r| 2 * r.level + 2 + r.label.chars().count()).max();
        let name = widest.unwrap_or(0).min((width / 3).max(8));
        let sure = rows.iter().any(|r| r.confidence.is_some());
        let confidence = if sure && width >= 24 { 5 } else { 0 };
        let rest = width.saturating_sub(2 + name + 2 + confidence);
        let compared = rows.iter().any(|r| r.actual.is_some());
        let half = rest.saturating_sub(3) / 2;
        let stacked = compared && half < LEAST;
        let actual = if compared && !stacked { half } else { 0 };
        let value = rest.saturating_sub(if actual > 0 { actual + 3 } else { 0 });
        Columns { name, value, actual, confidence, stacked }
    }
}

/// Rows of the pane in lines: a row, or CPython's side of one that has a line of its own.
fn laid(app: &App) -> (Columns, Vec<(ValueRow, bool)>) {
    let rows = values::rows(&app.session, &app.variables.open);
    let columns = Columns::new(usize::from(app.layout().inner(Pane::Variables).width), &rows);
    let mut laid = Vec::with_capacity(rows.len());
    for row in rows {
        let own_line = columns.stacked && matches!(row.actual, Some(Side::Text(_) | Side::Absent));
        laid.push((row.clone(), false));
        if own_line {
            laid.push((row, true));
        }
    }
    (columns, laid)
}

/// How many lines there are.
pub fn count(app: &App) -> usize {
    laid(app).1.len()
}

/// Puts the cursor on what matters after a step: the first wrong value, else the first
/// that changed; else it stays.
pub fn show_news(app: &mut App) {
    let (_, lines) = laid(app);
    let find = |wanted: Role| {
        lines.iter().position(|(row, _)| row.mark.is_some_and(|(role, _)| role == wanted))
    };
    if let Some(line) = find(Role::Wrong).or_else(|| find(Role::Changed)) {
        app.variables.scroll.cursor = line;
    }
}

/// Opens or closes the chosen value.
pub fn toggle(app: &mut App) {
    let (_, lines) = laid(app);
    let Some((row, _)) = lines.get(app.variables.scroll.cursor) else { return };
    if row.open.is_some() && !app.variables.open.remove(&row.path) {
        app.variables.open.insert(row.path.clone());
    }
}

/// Whose variables, and what the columns are.
pub fn title(app: &App) -> Row<'_> {
    let row = Row::new(&app.look);
    if let Some(Stop::Malformed { .. }) = app.session.present().map(|e| &e.stop.stop) {
        return row.put(Role::Error, "the model's text ");
    }
    let (columns, _) = laid(app);
    if columns.actual == 0 {
        return match app.shown() {
            Some(state) => row.put(Role::Dim, format!("{} ", state.function)),
            None => row,
        };
    }
    let python = app.session.header().python.unwrap_or_default();
    row.put(Role::Dim, "predicted ")
        .mark(Role::Border, Mark::Divider)
        .put(Role::Truth, format!(" CPython {python} "))
}

/// Draws the visible lines.
pub fn draw(app: &App, inner: Rect, buf: &mut Buffer) {
    let (columns, laid) = laid(app);
    let look = &app.look;
    if laid.is_empty() {
        let text = match app.session.present().map(|e| &e.stop.stop) {
            Some(Stop::State(state)) if state.locals.is_none() => {
                "? (the language does not carry them here)"
            }
            Some(Stop::State(_)) => "(no variables yet)",
            _ => "",
        };
        Row::new(look).put(Role::Dim, text).fit(usize::from(inner.width)).draw(inner, 0, buf);
        return;
    }
    let first = app.variables.scroll.top;
    for (area, (index, (row, real))) in lines(inner).zip(laid.iter().enumerate().skip(first)) {
        let line = if *real { real_line(app, row, &columns) } else { line(app, row, &columns) };
        let room = usize::from(area.width).saturating_sub(columns.confidence);
        line.fit(room).draw(area, 0, buf);
        if let Some(p) = row.confidence.filter(|_| !real && columns.confidence > 0) {
            Row::new(look).put(sureness(p), percent(p)).draw_right(area, buf);
        }
        if app.focus == Pane::Variables && index == app.variables.scroll.cursor {
            buf.set_style(area.intersection(buf.area), look.style(Role::Cursor));
        }
    }
}

fn line<'a>(app: &'a App, row: &ValueRow, columns: &Columns) -> Row<'a> {
    let look = &app.look;
    let mut line = Row::new(look);
    line = match row.mark {
        Some((role, mark)) => line.mark(role, mark),
        None => line.put(Role::Text, " "),
    };
    let mut label = Row::new(look).put(Role::Text, "  ".repeat(row.level));
    label = match row.open {
        Some(true) => label.mark(Role::Dim, Mark::Open),
        Some(false) => label.mark(Role::Dim, Mark::Closed),
        None => label.put(Role::Text, " "),
    };
    let label = label.put(Role::Text, " ").put(Role::Text, &row.label).fit(columns.name);
    line = line.put(Role::Text, " ").join(label).pad_to(2 + columns.name + 2);

    let role = match row.mark {
        Some((role @ (Role::Wrong | Role::Changed), _)) => role,
        _ => Role::Text,
    };
    let mut value = Row::new(look);
    if let Some(old) = &row.old {
        // The new value is what matters: if there is not room for both, the old one gets a
        // third, and in a narrow column nothing.
        let new = side(Row::new(look), &row.value, role).width();
        let mut old = Row::new(look).put(Role::Dim, old);
        if old.width() + 4 + new > columns.value {
            old = old.fit(if columns.value > 24 { columns.value / 3 } else { 0 });
        }
        if old.width() > 0 {
            value = value.join(old).own(Role::Dim, &format!(" {} ", look.mark(Mark::Arrow)));
        }
    }
    let agrees = columns.stacked && row.actual == Some(Side::Same);
    let room = columns.value.saturating_sub(if agrees { 2 } else { 0 });
    line = line.join(side(value, &row.value, role).skip(app.left).fit(room));
    if agrees {
        return line.put(Role::Text, " ").mark(Role::Right, Mark::Agree);
    }
    match &row.actual {
        Some(actual) if columns.actual > 0 => line
            .pad_to(2 + columns.name + 2 + columns.value)
            .put(Role::Border, " ")
            .mark(Role::Border, Mark::Divider)
            .put(Role::Text, " ")
            .join(side(Row::new(look), actual, Role::Truth).skip(app.left).fit(columns.actual)),
        _ => line,
    }
}

/// CPython's side on a line of its own.
fn real_line<'a>(app: &'a App, row: &ValueRow, columns: &Columns) -> Row<'a> {
    let line = Row::new(&app.look).pad_to(columns.name).mark(Role::Truth, Mark::Truth);
    let line = line.pad_to(2 + columns.name + 2);
    match &row.actual {
        Some(actual) => side(line, actual, Role::Truth),
        None => line,
    }
}

fn side<'a>(row: Row<'a>, side: &Side, role: Role) -> Row<'a> {
    match side {
        Side::Text(text) => row.put(role, text),
        Side::Note(text) => row.put(Role::Unknown, text),
        Side::Hidden => row.put(Role::Dim, "?"),
        Side::Absent => row.put(Role::Dim, "(not there)"),
        Side::Same => row.mark(Role::Right, Mark::Agree),
    }
}
