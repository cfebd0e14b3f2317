//! The first screen a person ever sees: what this is, and the keys that matter.

use super::{Row, centred, lines, popup, wrapped};
use crate::tui::app::App;
use crate::tui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Draws the overlay.
pub fn draw(app: &App, screen: Rect, buf: &mut Buffer) {
    let width = screen.width.saturating_sub(2).clamp(1, 70);
    let rows = rows(app, usize::from(width.saturating_sub(4)).max(1));
    let height = u16::try_from(rows.len() + 2).unwrap_or(u16::MAX);
    let inner = popup(app, "foretrace", centred(screen, width, height), buf);
    let inner =
        Rect { x: inner.x + 1.min(inner.width), width: inner.width.saturating_sub(2), ..inner };
    for (area, row) in lines(inner).zip(rows) {
        row.fit(usize::from(inner.width)).draw(area, 0, buf);
    }
}

fn rows(app: &App, width: usize) -> Vec<Row<'_>> {
    let look = &app.look;
    let keys = |names: &[&str]| app.keys(names);
    let what = "Nothing of your program runs here. A language model predicts what each step \
                would do; it can be wrong, and says how sure it is.";
    let mut rows: Vec<Row<'_>> =
        wrapped(what, width).into_iter().map(|line| Row::new(look).put(Role::Text, line)).collect();
    rows.push(Row::new(look));
    for (keys, text) in [
        (keys(&["step", "next", "return", "continue"]), "step, next, return, continue, as in pdb"),
        (
            keys(&["bstep", "bnext", "bfinish", "bcontinue"]),
            "the same backwards: a guess at what led here",
        ),
        (keys(&["rewind", "redo"]), "rewind and redo: exact, free"),
        (keys(&["verify"]), "verify: run it with real CPython and compare"),
        (keys(&["break"]), "breakpoint at the cursor"),
        (keys(&["command-line"]), "a command line with pdb's words"),
        (keys(&["help"]), "all keys and commands"),
        (keys(&["quit"]), "quit"),
    ] {
        rows.push(
            Row::new(look).put(Role::Key, format!(" {keys}")).pad_to(14).put(Role::Text, text),
        );
    }
    rows.push(Row::new(look));
    rows.push(Row::new(look).put(Role::Dim, "Any key goes on."));
    rows
}
