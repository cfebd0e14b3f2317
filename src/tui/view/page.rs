//! A page of text over the panes: help, everything about the present step, or an answer.
//!
//! Must not know: what stands on a page; [`help`], [`details`] and [`answer`] write them.

use super::{Row, answer, centred, details, help, lines, popup};
use crate::tui::app::{App, Page};
use crate::tui::scroll::Scroll;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// The page's area with its frame.
fn area(screen: Rect) -> Rect {
    let width = screen.width.saturating_sub(4).max(screen.width.min(60));
    centred(screen, width.min(116), screen.height.saturating_sub(2).max(screen.height.min(8)))
}

/// The page, broken into lines of the screen's width.
fn rows(app: &App, page: Page) -> Vec<Row<'_>> {
    let width = usize::from(area(app.screen).width).saturating_sub(2);
    match page {
        Page::Help => help::rows(app, width),
        Page::Details => details::rows(app, width),
        Page::Answer => answer::rows(app, width),
    }
}

/// The last line that may be first on the screen.
pub fn last_top(app: &App, page: Page) -> usize {
    let height = usize::from(area(app.screen).height).saturating_sub(2);
    rows(app, page).len().saturating_sub(height)
}

/// Draws a page from its first visible line.
pub fn draw(app: &App, page: Page, scroll: Scroll, buf: &mut Buffer) {
    let title = match page {
        Page::Help => "help",
        Page::Details => "this step",
        Page::Answer => answer::title(app),
    };
    let inner = popup(app, title, area(app.screen), buf);
    let width = usize::from(inner.width);
    for (area, row) in lines(inner).zip(rows(app, page).into_iter().skip(scroll.top)) {
        row.fit(width).draw(area, 0, buf);
    }
}
