//! One row of styled, safe text: the only way text gets onto the screen.
//!
//! Must not know: which pane it is for.

use crate::tui::look::{Look, Mark};
use crate::tui::text::{Charset, Safe, ellipsis};
use crate::tui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

/// A row being put together from left to right.
#[derive(Debug, Clone)]
pub struct Row<'a> {
    look: &'a Look,
    spans: Vec<(Safe, Style)>,
}

impl<'a> Row<'a> {
    /// An empty row.
    pub fn new(look: &'a Look) -> Self {
        Row { look, spans: Vec::new() }
    }

    /// Appends text in a role.
    pub fn put(self, role: Role, text: impl AsRef<str>) -> Self {
        let style = self.look.style(role);
        self.styled(style, text)
    }

    /// Appends text in a style.
    pub fn styled(mut self, style: Style, text: impl AsRef<str>) -> Self {
        let text = text.as_ref();
        if !text.is_empty() {
            self.spans.push((Safe::new(text, self.look.charset), style));
        }
        self
    }

    /// Appends text that the house wrote itself and that may hold box drawing; it must be
    /// right for the terminal's characters already ([`Look::pick`], [`Look::mark`]).
    pub fn own(self, role: Role, text: &str) -> Self {
        let style = self.look.style(role);
        self.styled_own(style, text)
    }

    /// The same in a style.
    pub fn styled_own(mut self, style: Style, text: &str) -> Self {
        self.spans.push((Safe::new(text, Charset::Unicode), style));
        self
    }

    /// Appends a mark.
    pub fn mark(self, role: Role, mark: Mark) -> Self {
        let text = self.look.mark(mark);
        self.own(role, text)
    }

    /// Leaves out what was appended last, such as a separator with nothing after it.
    pub fn pop(mut self) -> Self {
        self.spans.pop();
        self
    }

    /// Appends spaces up to a cell.
    pub fn pad_to(self, cell: usize) -> Self {
        let gap = cell.saturating_sub(self.width());
        if gap == 0 { self } else { self.put(Role::Text, " ".repeat(gap)) }
    }

    /// Appends another row.
    pub fn join(mut self, other: Row<'a>) -> Self {
        self.spans.extend(other.spans);
        self
    }

    /// Shortens to a width, ending in a mark where something was cut.
    pub fn fit(mut self, width: usize) -> Self {
        if self.width() <= width {
            return self;
        }
        let mut room = width.saturating_sub(1);
        let mut kept = Vec::new();
        let mut last = self.look.style(Role::Dim);
        for (text, style) in self.spans.drain(..) {
            let part = text.cut(0, room);
            room = room.saturating_sub(text.width());
            last = style;
            kept.push((Safe::new(&part, Charset::Unicode), style));
            if room == 0 {
                break;
            }
        }
        self.spans = kept;
        if width > 0 {
            let mark = ellipsis(self.look.charset);
            self.spans.push((Safe::new(mark, Charset::Unicode), last));
        }
        self
    }

    /// Leaves out the first cells.
    pub fn skip(mut self, mut cells: usize) -> Self {
        self.spans.retain_mut(|(text, _)| {
            let width = text.width();
            if cells > 0 && cells < width {
                *text = Safe::new(&text.cut(cells, width), Charset::Unicode);
            }
            let kept = cells < width;
            cells = cells.saturating_sub(width);
            kept
        });
        self
    }

    /// Patches the style of everything so far.
    pub fn over(mut self, style: Style) -> Self {
        self.spans.iter_mut().for_each(|(_, s)| *s = s.patch(style));
        self
    }

    /// Cells it needs.
    pub fn width(&self) -> usize {
        self.spans.iter().map(|(text, _)| text.width()).sum()
    }

    /// Draws the part from a cell on into the first line of an area; whatever lies outside
    /// the buffer is left out.
    pub fn draw(&self, area: Rect, from: usize, buf: &mut Buffer) {
        let area = area.intersection(buf.area);
        if area.is_empty() {
            return;
        }
        let (mut skip, mut x) = (from, area.x);
        for (text, style) in &self.spans {
            let width = text.width();
            if skip >= width {
                skip -= width;
                continue;
            }
            let room = usize::from(area.right().saturating_sub(x));
            let part = text.cut(skip, room);
            skip = 0;
            (x, _) = buf.set_stringn(x, area.y, part, room, *style);
            if x >= area.right() {
                return;
            }
        }
    }

    /// Draws into the first line of an area, right-aligned.
    pub fn draw_right(&self, area: Rect, buf: &mut Buffer) {
        let width = u16::try_from(self.width()).unwrap_or(u16::MAX).min(area.width);
        self.draw(Rect { x: area.right() - width, width, ..area }, 0, buf);
    }
}
