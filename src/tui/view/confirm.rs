//! A question of the session, in the middle of the screen.

use super::{Row, centred, lines, popup, wrapped};
use crate::session::Question;
use crate::tui::app::App;
use crate::tui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Draws the question and its two answers.
pub fn draw(app: &App, question: &Question, screen: Rect, buf: &mut Buffer) {
    let width = screen.width.saturating_sub(4).clamp(1, 72);
    let text = wrapped(&question.text(), usize::from(width.saturating_sub(4)).max(1));
    let title = match question {
        Question::Verify(_) => "run the program?",
        Question::Quit(_) => "quit?",
        Question::Restart(_) => "restart?",
        Question::GoOn(_) => "go on?",
        Question::Reads(_) => "input",
    };
    let height = u16::try_from(text.len() + 4).unwrap_or(u16::MAX);
    let inner = popup(app, title, centred(screen, width, height), buf);
    let answers = Row::new(&app.look)
        .put(Role::Key, "y")
        .put(Role::Text, " yes    ")
        .put(Role::Key, "n")
        .put(Role::Text, " no");
    // on a small screen the answers are kept, and the end of the question is not shown
    let room = usize::from(inner.height).saturating_sub(2).max(1);
    let rows = text.into_iter().take(room).map(|line| Row::new(&app.look).put(Role::Text, line));
    let rows = rows.chain([Row::new(&app.look), answers]);
    let inner =
        Rect { x: inner.x + 1.min(inner.width), width: inner.width.saturating_sub(2), ..inner };
    for (area, row) in lines(inner).zip(rows) {
        row.fit(usize::from(inner.width)).draw(area, 0, buf);
    }
}
