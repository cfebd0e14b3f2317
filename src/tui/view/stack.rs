//! The call stack, innermost frame first. What a direct jump skipped is said to be unknown.

use super::{Row, lines};
use crate::session::StackFrame;
use crate::tui::app::App;
use crate::tui::look::Mark;
use crate::tui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// How many rows there are.
pub fn count(app: &App) -> usize {
    app.session.stack().len()
}

/// How deep it is, and whether all of it is known.
pub fn title(app: &App) -> Row<'_> {
    let stack = app.session.stack();
    let row = Row::new(&app.look).put(Role::Dim, format!("{} ", stack.len()));
    if stack.iter().any(|f| f.state.is_none()) {
        row.put(Role::Unsure, "partly unknown ")
    } else {
        row
    }
}

/// Draws the visible frames.
pub fn draw(app: &App, inner: Rect, buf: &mut Buffer) {
    let stack = app.session.stack();
    let frames = stack.iter().rev().enumerate().skip(app.stack.top);
    for (area, (index, frame)) in lines(inner).zip(frames) {
        frame_row(app, frame).skip(app.left).fit(usize::from(inner.width)).draw(area, 0, buf);
        if app.focus == super::Pane::Stack && index == app.stack.cursor {
            buf.set_style(area.intersection(buf.area), app.look.style(Role::Cursor));
        }
    }
}

fn frame_row<'a>(app: &'a App, frame: &StackFrame) -> Row<'a> {
    let row = Row::new(&app.look);
    let row = if frame.selected {
        row.mark(Role::Focus, Mark::Current).put(Role::Text, " ")
    } else {
        row.put(Role::Text, "  ")
    };
    let Some(state) = &frame.state else {
        return row.put(Role::Unsure, "? ").put(Role::Dim, "a caller that was not predicted");
    };
    let files = &app.session.program().files;
    let name = files.get(usize::from(state.loc.file)).filter(|_| files.len() > 1);
    let place = name.map_or_else(String::new, |file| format!("{}:", file.name));
    row.put(if frame.selected { Role::Text } else { Role::Dim }, &*state.function)
        .put(Role::Dim, format!("  {place}{}", state.loc.line))
}
