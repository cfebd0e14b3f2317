//! The panes, one a file: the state a pane keeps, and how it is drawn.
//!
//! Drawing reads the [`App`] and writes cells, nothing else; every area is cut to the
//! frame. Must not know: keys, workers.

pub mod answer;
pub mod banner;
pub mod breakpoints;
pub mod confirm;
pub mod details;
pub mod header;
pub mod help;
pub mod hints;
pub mod log;
pub mod now;
pub mod output;
pub mod page;
pub mod prompt;
mod row;
pub mod source;
pub mod stack;
pub mod timeline;
mod tree;
mod values;
pub mod variables;
pub mod welcome;

pub use row::Row;

use super::app::{App, Overlay};
use super::layout::{Layout, Pane};
use super::theme::Role;
use crate::session::Question;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Block, Borders, Clear, Widget};

/// Draws the whole screen.
pub fn draw(app: &App, frame: &mut Frame<'_>) {
    let screen = frame.area().intersection(app.screen);
    let layout = app.layout();
    let buf = frame.buffer_mut();
    buf.set_style(screen, app.look.style(Role::Text));
    header::draw(app, &layout, buf);
    for pane in Pane::ALL {
        let Some(inner) = chrome(app, &layout, pane, buf) else { continue };
        match pane {
            Pane::Source => source::draw(app, inner, buf),
            Pane::Variables => variables::draw(app, inner, buf),
            Pane::Stack => stack::draw(app, inner, buf),
            Pane::Breakpoints => breakpoints::draw(app, inner, buf),
            Pane::Output => output::draw(app, inner, buf),
            Pane::Log => log::draw(app, inner, buf),
        }
    }
    banner::draw(app, layout.inner(Pane::Source), buf);
    now::draw(app, layout.now, buf);
    timeline::draw(app, layout.timeline, buf);
    answer::draw(app, buf);
    hints::draw(app, layout.hints, buf);
    let mut cursor = prompt::draw(app, layout.prompt, buf);
    match (app.session.question(), &app.overlay) {
        (Some(Question::Reads(_)), _) => {}
        (Some(question), _) => {
            confirm::draw(app, question, screen, buf);
            cursor = None;
        }
        (None, Some(Overlay::Page(page, scroll))) => page::draw(app, *page, *scroll, buf),
        (None, Some(Overlay::Welcome)) => welcome::draw(app, screen, buf),
        (None, None) => {}
    }
    if let Some(at) = cursor.filter(|at| screen.contains(*at)) {
        frame.set_cursor_position(at);
    }
}

/// Frame and title of a pane; the area inside, if there is any.
fn chrome(app: &App, layout: &Layout, pane: Pane, buf: &mut Buffer) -> Option<Rect> {
    let area = layout.pane(pane).intersection(buf.area);
    if area.is_empty() {
        return None;
    }
    let look = &app.look;
    let focused = app.focus == pane && app.prompt.kind().is_none();
    let role = if focused { Role::Focus } else { Role::Border };
    let borders = if layout.compact { Borders::TOP } else { Borders::ALL };
    Block::new()
        .borders(borders)
        .border_set(look.frame(focused))
        .border_style(look.style(role))
        .render(area, buf);
    let title = match pane {
        Pane::Source => source::title(app),
        Pane::Variables => variables::title(app),
        Pane::Stack => stack::title(app),
        Pane::Breakpoints => breakpoints::title(app),
        Pane::Output => output::title(app),
        Pane::Log => Row::new(look),
    };
    let role = if focused { Role::Focus } else { Role::Dim };
    let number = pane as usize + 1;
    let title = Row::new(look).put(role, format!(" {number} {} ", pane.name())).join(title);
    let room = Rect { x: area.x + 1.min(area.width), width: area.width.saturating_sub(2), ..area };
    title.fit(usize::from(room.width)).draw(room, 0, buf);
    let inner = layout.inner(pane).intersection(buf.area);
    (!inner.is_empty()).then_some(inner)
}

/// The lines of an area, from the top.
fn lines(area: Rect) -> impl Iterator<Item = Rect> {
    (area.top()..area.bottom()).map(move |y| Rect { y, height: 1, ..area })
}

/// A box in the middle of the screen, emptied; the area inside.
fn popup(app: &App, title: &str, area: Rect, buf: &mut Buffer) -> Rect {
    let area = area.intersection(buf.area);
    Clear.render(area, buf);
    buf.set_style(area, app.look.style(Role::Text));
    let block = Block::new()
        .borders(Borders::ALL)
        .border_set(app.look.frame(true))
        .border_style(app.look.style(Role::Focus));
    let inner = block.inner(area);
    block.render(area, buf);
    if area.width > 4 {
        let room = Rect { x: area.x + 2, width: area.width - 4, ..area };
        Row::new(&app.look)
            .put(Role::Focus, format!(" {title} "))
            .fit(usize::from(room.width))
            .draw(room, 0, buf);
    }
    inner.intersection(buf.area)
}

/// A box of this size in the middle of the screen, or as much of it as there is.
fn centred(screen: Rect, width: u16, height: u16) -> Rect {
    let (width, height) = (width.min(screen.width), height.min(screen.height));
    Rect {
        x: screen.x + (screen.width - width) / 2,
        y: screen.y + (screen.height - height) / 2,
        width,
        height,
    }
}

/// `1 line`, `2 lines`.
fn count_of(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

/// Breaks text into lines of at most so many cells, at spaces where there are any.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    use unicode_width::UnicodeWidthStr;
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let mut word = word;
        while let Some(line) = lines.last_mut() {
            let gap = usize::from(!line.is_empty());
            if line.width() + gap + word.width() <= width {
                if gap == 1 {
                    line.push(' ');
                }
                line.push_str(word);
                break;
            }
            if line.is_empty() {
                // A word longer than the line is cut where the line ends.
                let cut = word
                    .char_indices()
                    .map(|(i, c)| i + c.len_utf8())
                    .take_while(|end| word.get(..*end).is_some_and(|part| part.width() <= width))
                    .last()
                    .unwrap_or(word.len());
                line.push_str(word.get(..cut).unwrap_or_default());
                word = word.get(cut..).unwrap_or_default();
                if word.is_empty() {
                    break;
                }
            }
            lines.push(String::new());
        }
    }
    lines
}
