//! The help overlay, made from the two tables of commands and the keys in force.

use super::{Row, centred, lines, popup};
use crate::tui::app::App;
use crate::tui::look::Look;
use crate::tui::scroll::Scroll;
use crate::tui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// The overlay's area.
pub fn area(screen: Rect) -> Rect {
    centred(screen, 96, screen.height.saturating_sub(2).max(screen.height.min(8)))
}

/// How many rows there are.
pub fn count(app: &App) -> usize {
    rows(app).len()
}

/// Draws the overlay from its first visible row.
pub fn draw(app: &App, scroll: Scroll, screen: Rect, buf: &mut Buffer) {
    let inner = popup(app, "help", area(screen), buf);
    let rows = rows(app);
    let width = usize::from(inner.width);
    for (area, row) in lines(inner).zip(rows.into_iter().skip(scroll.top)) {
        row.fit(width).draw(area, 0, buf);
    }
}

fn rows(app: &App) -> Vec<Row<'_>> {
    let look = &app.look;
    let mut rows = Vec::new();
    let mut last = "";
    for row in app.keymap.table() {
        if row.heading != last {
            last = row.heading;
            heading(&mut rows, look, last);
        }
        let keys: Vec<_> = row.keys.iter().map(|key| look.key(key)).collect();
        rows.push(line(look, &keys.join(" "), &row.words, row.doc));
    }
    heading(&mut rows, look, "the mouse");
    for (what, doc) in [
        ("click", "the cursor; left of the text: a breakpoint; a timeline cell: go there"),
        ("wheel", "scroll; on the timeline: rewind and redo"),
        ("Shift-drag", "select text, in most terminals"),
    ] {
        rows.push(line(look, what, "", doc));
    }
    rows
}

fn heading<'a>(rows: &mut Vec<Row<'a>>, look: &'a Look, text: &str) {
    if !rows.is_empty() {
        rows.push(Row::new(look));
    }
    rows.push(Row::new(look).put(Role::Focus, format!(" {text}")));
}

fn line<'a>(look: &'a Look, keys: &str, words: &str, doc: &str) -> Row<'a> {
    let row = Row::new(look).put(Role::Key, format!("  {keys}")).pad_to(14);
    if words.is_empty() {
        return row.put(Role::Text, doc);
    }
    row.put(Role::Dim, words).put(Role::Text, "  ").pad_to(50).put(Role::Text, doc)
}
