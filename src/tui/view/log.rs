//! The transcript: commands, pdb's banners, values, what CPython says.

use super::{Row, lines};
use crate::session::{LogKind, LogLine};
use crate::tui::app::App;
use crate::tui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// How many rows there are.
pub fn count(app: &App) -> usize {
    app.session.log().len()
}

/// The role of a line.
pub fn role(kind: LogKind) -> Role {
    match kind {
        LogKind::Command => Role::Key,
        LogKind::Banner | LogKind::Note => Role::Notice,
        LogKind::Place => Role::Dim,
        LogKind::Source | LogKind::Value => Role::Text,
        LogKind::Inverse => Role::Guessed,
        LogKind::Change => Role::Changed,
        LogKind::Verdict => Role::Truth,
        LogKind::Error => Role::Error,
    }
}

/// A line with the prompt that a command was typed at.
pub fn row<'a>(app: &'a App, line: &LogLine) -> Row<'a> {
    let row = Row::new(&app.look);
    match line.kind {
        LogKind::Command => row.put(Role::Dim, "(fdb) ").put(Role::Key, &line.text),
        kind => row.put(role(kind), &line.text),
    }
}

/// Draws the visible lines.
pub fn draw(app: &App, inner: Rect, buf: &mut Buffer) {
    for (area, line) in lines(inner).zip(app.session.log().iter().skip(app.log.top)) {
        row(app, line).skip(app.left).fit(usize::from(inner.width)).draw(area, 0, buf);
    }
}
