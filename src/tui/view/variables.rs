//! The variables of the selected frame: predicted, and beside it real where CPython
//! recorded it; below them the watched expressions.
//!
//! A row is `mark, name, value, confidence`. Values open as trees where they read as
//! Python literals.

use super::now::{percent, sureness};
use super::tree::{self, Part};
use super::{Row, lines};
use crate::program::literal::same;
use crate::session::Judged;
use crate::session::{Stop, Variable};
use crate::tui::app::App;
use crate::tui::look::Mark;
use crate::tui::scroll::Scroll;
use crate::tui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::collections::BTreeSet;

/// How the variables are looked at.
#[derive(Debug, Default)]
pub struct VariablesView {
    /// Chosen row and first row.
    pub scroll: Scroll,
    /// Paths of open values, such as `d` and `d['a']`.
    pub open: BTreeSet<String>,
}

/// One row of the pane.
#[derive(Debug, Clone)]
pub struct VariableRow {
    /// Its path from a variable, which also identifies it.
    path: String,
    /// How deep in the tree.
    level: usize,
    label: String,
    value: Cell,
    /// CPython's value, when compared.
    actual: Option<Cell>,
    mark: Option<(Role, Mark)>,
    old: Option<String>,
    confidence: Option<f32>,
    /// Whether it has parts, and whether they are shown.
    open: Option<bool>,
}

/// A value in a column.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Cell {
    /// The text.
    Text(String),
    /// The language does not carry it at this event.
    Hidden,
    /// This side does not have the name.
    Absent,
    /// The same as predicted.
    Same,
}

/// How many rows there are.
pub fn count(app: &App) -> usize {
    rows(app).len()
}

/// All rows, in order.
pub fn rows(app: &App) -> Vec<VariableRow> {
    let mut rows = Vec::new();
    if let Some(Stop::Malformed { text, .. }) = app.session.present().map(|e| &e.stop.stop) {
        return text.lines().map(raw_row).collect();
    }
    for variable in app.session.variables() {
        let row = top_row(&variable);
        let texts = Texts {
            value: variable.value.as_ref().map(|v| v.text()),
            actual: variable.actual.as_ref().map(|v| v.text()),
            old: variable.old.as_ref().map(|v| v.text()),
            compared: variable.verdict.is_some(),
        };
        push(&mut rows, &app.variables.open, row, &texts);
    }
    for watch in app.session.watches() {
        let value = match &watch.value {
            Some(Ok(value)) => Cell::Text(value.text().to_owned()),
            Some(Err(why)) => Cell::Text(why.clone()),
            None => Cell::Hidden,
        };
        let old = watch.old.as_ref().map(|v| v.text().to_owned());
        let changed = matches!(&value, Cell::Text(t) if old.as_ref().is_some_and(|o| o != t));
        rows.push(VariableRow {
            path: format!("display {}", watch.expression),
            level: 0,
            label: watch.expression.clone(),
            value,
            actual: None,
            mark: changed.then_some((Role::Changed, Mark::Changed)),
            old: old.filter(|_| changed),
            confidence: None,
            open: None,
        });
    }
    rows
}

/// A line of text that is no state, as the model wrote it.
fn raw_row(text: &str) -> VariableRow {
    VariableRow {
        path: String::new(),
        level: 0,
        label: String::new(),
        value: Cell::Text(text.to_owned()),
        actual: None,
        mark: None,
        old: None,
        confidence: None,
        open: None,
    }
}

fn top_row(variable: &Variable) -> VariableRow {
    let changed = variable.old.is_some();
    let mark = match variable.verdict {
        Some(Judged::Wrong) => Some((Role::Wrong, Mark::Mismatch)),
        _ if variable.edited => Some((Role::Notice, Mark::Edited)),
        _ if variable.added => Some((Role::Changed, Mark::Added)),
        _ if changed => Some((Role::Changed, Mark::Changed)),
        Some(Judged::NotComparable) => Some((Role::Unknown, Mark::NotComparable)),
        _ => None,
    };
    let value = match (&variable.value, &variable.actual) {
        (Some(value), _) => Cell::Text(value.text().to_owned()),
        (None, Some(_)) => Cell::Absent,
        (None, None) => Cell::Hidden,
    };
    let actual = match (variable.verdict, &variable.actual) {
        (None, None) => None,
        (Some(Judged::Right), _) => Some(Cell::Same),
        (_, Some(actual)) => Some(Cell::Text(actual.text().to_owned())),
        (Some(Judged::Wrong), None) => Some(Cell::Absent),
        (Some(_), None) => Some(Cell::Hidden),
    };
    VariableRow {
        path: variable.name.to_string(),
        level: 0,
        label: variable.name.to_string(),
        value,
        actual,
        mark,
        old: variable.old.as_ref().map(|v| v.text().to_owned()),
        confidence: variable.confidence,
        open: None,
    }
}

/// The same value on each side, as text.
struct Texts<'a> {
    value: Option<&'a str>,
    actual: Option<&'a str>,
    old: Option<&'a str>,
    compared: bool,
}

/// Appends a row and, where it is open, its parts.
fn push(
    rows: &mut Vec<VariableRow>,
    open: &BTreeSet<String>,
    mut row: VariableRow,
    texts: &Texts<'_>,
) {
    let whole = texts.value.or(texts.actual);
    row.open = whole.is_some_and(tree::is_compound).then(|| open.contains(&row.path));
    let (path, level, is_open) = (row.path.clone(), row.level, row.open == Some(true));
    rows.push(row);
    if !is_open {
        return;
    }
    let parts_of = |text: Option<&str>| text.map(tree::parts).unwrap_or_default();
    let (mine, theirs, before) =
        (parts_of(texts.value), parts_of(texts.actual), parts_of(texts.old));
    let find = |parts: &'_ [Part], label: &str| {
        parts.iter().find(|p| p.label == label).map(|p| p.text.clone())
    };
    let only_theirs = theirs.iter().filter(|t| !mine.iter().any(|m| m.label == t.label));
    for label in mine.iter().chain(only_theirs).map(|p| &p.label) {
        let (value, actual, old) = (find(&mine, label), find(&theirs, label), find(&before, label));
        let old = old.filter(|old| value.as_ref().is_some_and(|v| v != old));
        let added = texts.old.is_some() && value.is_some() && find(&before, label).is_none();
        let agree = match (&value, &actual) {
            (Some(a), Some(b)) => Some(same(a, b)),
            _ => texts.compared.then_some(false).filter(|_| texts.actual.is_some()),
        };
        let part = VariableRow {
            path: format!("{path}{label}"),
            level: level + 1,
            label: label.clone(),
            value: value.clone().map_or(Cell::Absent, Cell::Text),
            actual: match (agree, &actual) {
                (Some(true), _) => Some(Cell::Same),
                (Some(false), Some(text)) => Some(Cell::Text(text.clone())),
                (Some(false), None) => Some(Cell::Absent),
                (None, _) => None,
            },
            mark: match agree {
                Some(false) => Some((Role::Wrong, Mark::Mismatch)),
                _ if added => Some((Role::Changed, Mark::Added)),
                _ if old.is_some() => Some((Role::Changed, Mark::Changed)),
                _ => None,
            },
            old: old.clone(),
            confidence: None,
            open: None,
        };
        let texts = Texts {
            value: value.as_deref(),
            actual: actual.as_deref(),
            old: old.as_deref(),
            compared: texts.compared,
        };
        push(rows, open, part, &texts);
    }
}

/// Opens or closes the chosen value.
pub fn toggle(app: &mut App) {
    let rows = rows(app);
    let Some(row) = rows.get(app.variables.scroll.cursor).filter(|r| r.open.is_some()) else {
        return;
    };
    if !app.variables.open.remove(&row.path) {
        app.variables.open.insert(row.path.clone());
    }
}

/// Whose variables, and the columns.
pub fn title(app: &App) -> Row<'_> {
    let row = Row::new(&app.look);
    if let Some(Stop::Malformed { .. }) = app.session.present().map(|e| &e.stop.stop) {
        return row.put(Role::Error, "the model's text ");
    }
    let row = match app.shown() {
        Some(state) => row.put(Role::Dim, format!("{} ", state.function)),
        None => row,
    };
    if verified(app) {
        let python = app.session.header().python.unwrap_or_default();
        row.put(Role::Dim, "predicted ")
            .mark(Role::Border, Mark::Divider)
            .put(Role::Truth, format!(" CPython {python} "))
    } else {
        row
    }
}

fn verified(app: &App) -> bool {
    app.session.variables().iter().any(|v| v.verdict.is_some() || v.actual.is_some())
}

/// Draws the visible rows.
pub fn draw(app: &App, inner: Rect, buf: &mut Buffer) {
    let rows = rows(app);
    let look = &app.look;
    if rows.is_empty() {
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
    let width = usize::from(inner.width);
    let name = rows
        .iter()
        .map(|r| 2 * r.level + 2 + r.label.chars().count())
        .max()
        .unwrap_or(0)
        .min((width / 3).max(8));
    let split = rows.iter().any(|r| r.actual.is_some());
    let columns = Columns::new(width, name, split, rows.iter().any(|r| r.confidence.is_some()));
    let first = app.variables.scroll.top;
    for (area, (index, row)) in lines(inner).zip(rows.iter().enumerate().skip(first)) {
        draw_row(app, row, &columns, area, buf);
        if app.focus == super::Pane::Variables && index == app.variables.scroll.cursor {
            buf.set_style(area.intersection(buf.area), look.style(Role::Cursor));
        }
    }
}

/// Widths of the columns.
struct Columns {
    name: usize,
    value: usize,
    actual: usize,
    confidence: usize,
}

impl Columns {
    fn new(width: usize, name: usize, split: bool, sure: bool) -> Columns {
        let confidence = if sure && width >= 24 { 5 } else { 0 };
        let rest = width.saturating_sub(2 + name + 2 + confidence);
        let actual = if split { rest.saturating_sub(3) / 2 } else { 0 };
        let value = rest.saturating_sub(if split { actual + 3 } else { 0 });
        Columns { name, value, actual, confidence }
    }
}

fn draw_row(app: &App, row: &VariableRow, columns: &Columns, area: Rect, buf: &mut Buffer) {
    let look = &app.look;
    let mut out = Row::new(look);
    out = match row.mark {
        Some((role, mark)) => out.mark(role, mark),
        None => out.put(Role::Text, " "),
    };
    out = out.put(Role::Text, " ");
    let mut label = Row::new(look).put(Role::Text, "  ".repeat(row.level));
    label = match row.open {
        Some(true) => label.mark(Role::Dim, Mark::Open),
        Some(false) => label.mark(Role::Dim, Mark::Closed),
        None => label.put(Role::Text, " "),
    };
    let label = label.put(Role::Text, " ").put(Role::Text, &row.label);
    out = out.join(label.fit(columns.name)).pad_to(2 + columns.name + 2);
    let changed = matches!(row.mark, Some((Role::Changed, _)));
    let wrong = matches!(row.mark, Some((Role::Wrong, _)));
    let role = match () {
        () if wrong => Role::Wrong,
        () if changed => Role::Changed,
        () => Role::Text,
    };
    let mut value = Row::new(look);
    if let Some(old) = row.old.as_ref().filter(|_| columns.actual == 0 || columns.value > 24) {
        let arrow = look.mark(Mark::Arrow);
        // The new value is what matters: the old one gets at most a third.
        value = value.join(Row::new(look).put(Role::Dim, old).fit((columns.value / 3).max(4)));
        value = value.own(Role::Dim, &format!(" {arrow} "));
    }
    value = cell(value, &row.value, role);
    out = out.join(value.skip(app.left).fit(columns.value));
    if columns.actual > 0 {
        out = out.pad_to(2 + columns.name + 2 + columns.value);
        if let Some(actual) = &row.actual {
            let text = cell(Row::new(look), actual, Role::Truth).fit(columns.actual);
            out = out
                .own(Role::Border, " ")
                .mark(Role::Border, Mark::Divider)
                .put(Role::Text, " ")
                .join(text);
        }
    }
    out.fit(usize::from(area.width).saturating_sub(columns.confidence)).draw(area, 0, buf);
    if let Some(p) = row.confidence.filter(|_| columns.confidence > 0) {
        Row::new(look).put(sureness(p), percent(p)).draw_right(area, buf);
    }
}

fn cell<'a>(row: Row<'a>, cell: &Cell, role: Role) -> Row<'a> {
    match cell {
        Cell::Text(text) => row.put(role, text),
        Cell::Hidden => row.put(Role::Dim, "?"),
        Cell::Absent => row.put(Role::Dim, "(not there)"),
        Cell::Same => row.mark(Role::Right, Mark::Agree),
    }
}
