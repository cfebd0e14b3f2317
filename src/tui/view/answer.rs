//! What the last command said, where no transcript is visible to say it: over the panes,
//! just above the bars. What does not fit there is a page of its own.
//!
//! A command that moved shows its place in the panes; of it only values, notes and errors
//! are an answer, and only while the command line is open.

use super::{Row, log, popup, prompt, wrapped};
use crate::session::{LogKind, LogLine};
use crate::tui::app::App;
use crate::tui::layout::Pane;
use crate::tui::text::Safe;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// The answer's lines; none where the transcript shows them, or the line of news does.
pub fn rows(app: &App, width: usize) -> Vec<Row<'_>> {
    let typing = app.prompt.kind().is_some();
    if !app.layout().pane(Pane::Log).is_empty() || app.moved() && !typing {
        return Vec::new();
    }
    let rows: Vec<_> = lines(app).flat_map(|line| broken(app, line, width)).collect();
    let told = rows.len() == 1 && !typing && prompt::news(app).is_some();
    if told { Vec::new() } else { rows }
}

/// Where the answer is; `None` if there is none, or if it needs a page.
pub fn area(app: &App) -> Option<Rect> {
    let body = body(app);
    let rows = u16::try_from(rows(app, inside(body)).len()).ok()?;
    let height = rows.checked_add(2).filter(|height| rows > 0 && *height <= body.height)?;
    Some(Rect { y: body.bottom() - height, height, ..body })
}

/// Whether there is an answer, and room for some of it only.
pub fn needs_page(app: &App) -> bool {
    let body = body(app);
    body.height > 2 && rows(app, inside(body)).len() > usize::from(body.height - 2)
}

/// The command as typed.
pub fn title(app: &App) -> &str {
    let typed = news(app).iter().rfind(|line| line.kind == LogKind::Command);
    typed.map_or("answer", |line| line.text.as_str())
}

/// Draws it where it fits.
pub fn draw(app: &App, buf: &mut Buffer) {
    let Some(area) = area(app) else { return };
    let inner = popup(app, title(app), area, buf);
    let width = usize::from(inner.width);
    for (area, row) in super::lines(inner).zip(rows(app, width)) {
        row.fit(width).draw(area, 0, buf);
    }
}

/// Everything said since the last key.
fn news(app: &App) -> &[LogLine] {
    app.session.log().get(app.log_seen..).unwrap_or_default()
}

fn lines(app: &App) -> impl Iterator<Item = &LogLine> {
    let moved = app.moved();
    news(app).iter().filter(move |line| match line.kind {
        LogKind::Command => false,
        LogKind::Value | LogKind::Note | LogKind::Error => true,
        _ => !moved,
    })
}

/// A line, on several rows if it is too long.
fn broken<'a>(app: &'a App, line: &'a LogLine, width: usize) -> Vec<Row<'a>> {
    if Safe::new(&line.text, app.look.charset).width() <= width {
        return vec![log::row(app, line)];
    }
    let parts = wrapped(&line.text, width.max(1)).into_iter();
    parts.map(|part| Row::new(&app.look).put(log::role(line.kind), part)).collect()
}

/// The panes' part of the screen.
fn body(app: &App) -> Rect {
    let layout = app.layout();
    let top = layout.header.bottom().max(layout.notes.bottom());
    let bars = [layout.now, layout.timeline, layout.prompt, layout.hints];
    let bars = bars.iter().filter(|bar| !bar.is_empty());
    let bottom = bars.map(|bar| bar.y).min().unwrap_or(app.screen.bottom());
    Rect { y: top, height: bottom.saturating_sub(top), ..app.screen }
}

fn inside(area: Rect) -> usize {
    usize::from(area.width.saturating_sub(2))
}
