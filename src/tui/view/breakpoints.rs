//! The breakpoints, by number.

use super::source::breakpoint_mark;
use super::{Row, count_of, lines};
use crate::session::Breakpoint;
use crate::tui::app::App;
use crate::tui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// How many rows there are.
pub fn count(app: &App) -> usize {
    app.session.breakpoints().len()
}

/// The breakpoint of the chosen row.
pub fn chosen(app: &App) -> Option<&Breakpoint> {
    app.session.breakpoints().get(app.breakpoints.cursor)
}

/// How many there are.
pub fn title(app: &App) -> Row<'_> {
    Row::new(&app.look).put(Role::Dim, format!("{} ", count(app)))
}

/// Draws the visible rows.
pub fn draw(app: &App, inner: Rect, buf: &mut Buffer) {
    if count(app) == 0 {
        let key = app.keys(&["break"]);
        Row::new(&app.look)
            .put(Role::Dim, format!("{key} sets one at the cursor"))
            .fit(usize::from(inner.width))
            .draw(inner, 0, buf);
        return;
    }
    let rows = app.session.breakpoints().iter().enumerate().skip(app.breakpoints.top);
    for (area, (index, breakpoint)) in lines(inner).zip(rows) {
        row(app, breakpoint).skip(app.left).fit(usize::from(inner.width)).draw(area, 0, buf);
        if app.focus == super::Pane::Breakpoints && index == app.breakpoints.cursor {
            buf.set_style(area.intersection(buf.area), app.look.style(Role::Cursor));
        }
    }
}

fn row<'a>(app: &'a App, b: &Breakpoint) -> Row<'a> {
    let file = app.session.program().files.get(usize::from(b.loc.file));
    let file = file.filter(|_| b.loc.file > 0).map_or_else(String::new, |f| format!("{}:", f.name));
    let mut row = Row::new(&app.look)
        .put(Role::Dim, format!("{:>2} ", b.number))
        .mark(Role::Breakpoint, breakpoint_mark(b));
    row = match &b.function {
        Some(name) => row.put(Role::Text, format!(" {name}()")),
        None => row.put(Role::Text, format!(" {file}{}", b.loc.line)),
    };
    if let Some(condition) = &b.condition {
        row = row.put(Role::Dim, " if ").put(Role::Text, condition);
    }
    for (said, text) in [
        (b.temporary, "once".to_owned()),
        (!b.enabled, "disabled".to_owned()),
        (b.ignore > 0, format!("ignored {} more", count_of(b.ignore as usize, "time"))),
        (b.hits > 0, count_of(b.hits as usize, "hit")),
    ] {
        if said {
            row = row.put(Role::Dim, format!("  {text}"));
        }
    }
    row
}
