//! The timeline strip: one cell a step, from the start through the present to what redo
//! would visit. Drawing and clicking share one computation of where each cell is.

use super::Row;
use crate::session::{Cell, CellKind, Mark as Place};
use crate::tui::app::App;
use crate::tui::look::Mark;
use crate::tui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;

/// One column of the strip.
struct Column {
    place: Option<Place>,
    role: Role,
    mark: Mark,
    present: bool,
}

/// All columns; a border or a fork stands before the cell it belongs to.
fn columns(cells: &[Cell]) -> Vec<Column> {
    let mut columns = Vec::with_capacity(cells.len());
    for (index, cell) in cells.iter().enumerate() {
        let seam = match (cell.border && index > 0, cell.branches > 0) {
            (_, true) => Some((Role::Notice, Mark::CellBranch)),
            (true, false) => Some((Role::Dim, Mark::CellBorder)),
            (false, false) => None,
        };
        if let Some((role, mark)) = seam {
            columns.push(Column { place: None, role, mark, present: false });
        }
        let (role, mark) = look_of(cell);
        columns.push(Column { place: Some(cell.mark), role, mark, present: cell.present });
    }
    columns
}

fn look_of(cell: &Cell) -> (Role, Mark) {
    let (role, mark) = match cell.kind {
        CellKind::Given => (Role::Text, Mark::CellGiven),
        CellKind::Right => (Role::Right, Mark::CellRight),
        CellKind::Wrong => (Role::Wrong, Mark::CellWrong),
        CellKind::OffPath => (Role::Unknown, Mark::CellOffPath),
        CellKind::Unverified => (Role::Dim, Mark::CellUnverified),
        CellKind::Malformed => (Role::Error, Mark::CellMalformed),
    };
    match (cell.inverse, cell.kind) {
        (true, CellKind::Unverified) => (Role::Guessed, Mark::CellInverse),
        (true, CellKind::Right | CellKind::Wrong | CellKind::OffPath) => (role, Mark::CellInverse),
        _ => (role, mark),
    }
}

/// The label before the strip, the count after it, and the room between.
fn parts(app: &App, cells: &[Cell], area: Rect) -> (&'static str, String, Rect) {
    let present = cells.iter().position(|cell| cell.present);
    let count = match present {
        Some(at) => format!(" {} of {} ", at + 1, cells.len()),
        None => String::new(),
    };
    let label = if area.width >= 60 { " timeline " } else { " " };
    let used = (label.len() + count.len()) as u16;
    let room = Rect {
        x: area.x + (label.len() as u16).min(area.width),
        width: area.width.saturating_sub(used),
        ..area
    };
    let _ = app;
    (label, count, room)
}

/// First visible column: the present is kept in the middle of a strip that is too long.
fn first(columns: &[Column], width: usize) -> usize {
    let present = columns.iter().position(|c| c.present).unwrap_or(0);
    present.saturating_sub(width / 2).min(columns.len().saturating_sub(width))
}

/// The step under a column of the screen.
pub fn mark_at(app: &App, area: Rect, x: u16) -> Option<Place> {
    let cells = app.session.cells();
    let (_, _, room) = parts(app, &cells, area);
    let columns = columns(&cells);
    let index = first(&columns, usize::from(room.width)) + usize::from(x.checked_sub(room.x)?);
    // A seam belongs to the cell after it; past the end is the last cell.
    columns
        .get(index..)
        .and_then(|rest| rest.iter().find_map(|c| c.place))
        .or_else(|| (x < room.right()).then(|| cells.last().map(|cell| cell.mark)).flatten())
}

/// Draws the strip.
pub fn draw(app: &App, area: Rect, buf: &mut Buffer) {
    let area = area.intersection(buf.area);
    if area.is_empty() {
        return;
    }
    let look = &app.look;
    let cells = app.session.cells();
    let (label, count, room) = parts(app, &cells, area);
    Row::new(look).put(Role::Dim, label).draw(area, 0, buf);
    Row::new(look).put(Role::Dim, count).draw_right(area, buf);
    let columns = columns(&cells);
    let from = first(&columns, usize::from(room.width));
    let mut row = Row::new(look);
    for column in columns.iter().skip(from).take(usize::from(room.width)) {
        let mut style = look.style(column.role);
        if column.present {
            style = style.add_modifier(Modifier::REVERSED | Modifier::BOLD);
        }
        row = row.styled_own(style, look.mark(column.mark));
    }
    row.draw(room, 0, buf);
}
