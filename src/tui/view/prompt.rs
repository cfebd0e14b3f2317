//! The lowest line but one: the command line when it is open, else what is going on or
//! the latest news.

use super::{Row, answer, log};
use crate::oracle::Progress;
use crate::session::{Busy, LogKind, Question};
use crate::tui::app::App;
use crate::tui::prompt::Prompt;
use crate::tui::text::Safe;
use crate::tui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

/// Cells that a label leaves for what is typed.
const ROOM: usize = 16;

/// Draws the line; where the cursor is, if text is being typed.
pub fn draw(app: &App, area: Rect, buf: &mut Buffer) -> Option<Position> {
    if area.is_empty() {
        return None;
    }
    let look = &app.look;
    if let Some(question @ Question::Reads(_)) = app.session.question() {
        return Some(typed(app, &app.input, &format!("{} ", question.text()), area, buf));
    }
    if let Some(kind) = app.prompt.kind() {
        // As in pdb, where lines are commands of a breakpoint.
        let label = if app.session.takes_commands() { "(com) " } else { kind.label() };
        return Some(typed(app, &app.prompt, label, area, buf));
    }
    let row = if let Some(busy) = app.session.busy() {
        Some(busy_row(app, busy))
    } else if let Some(message) = &app.message {
        Some(Row::new(look).put(Role::Notice, format!(" {message}")))
    } else {
        news(app).filter(|_| answer::area(app).is_none())
    };
    if let Some(row) = row {
        // Over the hints, where the screen has no line for it.
        ratatui::widgets::Widget::render(ratatui::widgets::Clear, area.intersection(buf.area), buf);
        buf.set_style(area.intersection(buf.area), look.style(Role::Text));
        row.fit(usize::from(area.width)).draw(area, 0, buf);
    }
    None
}

/// A line that is being typed, after its label; that gives way on a narrow screen.
fn typed(app: &App, prompt: &Prompt, label: &str, area: Rect, buf: &mut Buffer) -> Position {
    let look = &app.look;
    ratatui::widgets::Widget::render(ratatui::widgets::Clear, area.intersection(buf.area), buf);
    buf.set_style(area.intersection(buf.area), look.style(Role::Text));
    let label = Row::new(look).put(Role::Focus, format!(" {label}"));
    let label = if label.width() + ROOM > usize::from(area.width) {
        label.fit(usize::from(area.width).saturating_sub(ROOM)).put(Role::Focus, " ")
    } else {
        label
    };
    let start = u16::try_from(label.width()).unwrap_or(u16::MAX).min(area.width);
    label.draw(area, 0, buf);
    let room = Rect { x: area.x + start, width: area.width - start, ..area };
    // Scrolls so that the cursor, one cell past the text at most, stays visible.
    let cell = Safe::new(&prompt.before_cursor(), look.charset).width();
    let from = (cell + 1).saturating_sub(usize::from(room.width).max(1));
    Row::new(look).put(Role::Text, prompt.text()).draw(room, from, buf);
    Position { x: room.x + u16::try_from(cell - from).unwrap_or(0), y: area.y }
}

fn busy_row<'a>(app: &'a App, busy: &Busy) -> Row<'a> {
    let look = &app.look;
    let mut row = Row::new(look)
        .own(Role::Focus, &format!(" {} ", look.spinner(app.tick)))
        .put(Role::Text, &busy.what);
    if busy.substeps > 0 {
        row = row.put(Role::Dim, format!(", {} steps", busy.substeps));
    }
    let keys = app.keys(&["cancel"]);
    row = row.put(Role::Dim, format!("  {keys} cancels"));
    match &busy.progress {
        Some(Progress::Prompt(done, all)) => {
            row.put(Role::Dim, format!("  reading {done} of {all}"))
        }
        Some(Progress::Partial(text)) => row.put(Role::Dim, "  ").put(Role::Unsure, text),
        _ => row,
    }
}

/// The last that was said, where no transcript is visible to say it; errors always.
pub fn news(app: &App) -> Option<Row<'_>> {
    let new = app.session.log().get(app.log_seen..)?;
    let visible = !app.layout().pane(super::Pane::Log).is_empty();
    let line = new.iter().rfind(|line| match line.kind {
        LogKind::Error => true,
        LogKind::Value | LogKind::Note => !visible,
        _ => false,
    })?;
    Some(Row::new(&app.look).put(Role::Text, " ").join(log::row(app, line)))
}
