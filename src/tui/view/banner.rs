//! What can be done when there is no line about to run: the program ended, or the model's
//! text was no state.

use super::{Row, lines};
use crate::session::{Origin, Stop, end};
use crate::trace::Exit;
use crate::tui::app::App;
use crate::tui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget};

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Draws the banner at the bottom of the source, if there is cause.
pub fn draw(app: &App, source: Rect, buf: &mut Buffer) {
    let Some(entry) = app.session.present() else { return };
    let (role, what) = match &entry.stop.stop {
        Stop::State(_) => return,
        Stop::Exit(exit) => {
            let role = match exit {
                Exit::Normal | Exit::Never | Exit::Cut => Role::Notice,
                Exit::Error => Role::Error,
                Exit::Entry => Role::Guessed,
            };
            let what = end(*exit, entry.stop.ending.as_ref());
            // a guess of an end looks like no fact
            let what = match entry.stop.origin {
                Origin::Predicted => format!("{}: {what}", Origin::Predicted.name()),
                _ => what,
            };
            (role, format!("{}.", capital(&what)))
        }
        Stop::Malformed { why, .. } => {
            (Role::Error, format!("The model's text is no state: {why}."))
        }
    };
    let height = 3.min(source.height);
    let area = Rect { y: source.bottom() - height, height, ..source }.intersection(buf.area);
    if area.is_empty() {
        return;
    }
    Clear.render(area, buf);
    buf.set_style(area, app.look.style(Role::Text));
    let key = |name: &str| app.keys(&[name]);
    let mut what_next = Row::new(&app.look);
    for (keys, word) in [
        (key("rewind"), "rewinds"),
        (key("verify"), "checks with CPython"),
        (":restart".to_owned(), "starts again"),
        (key("quit"), "quits"),
    ] {
        if keys == key("verify") && app.session.header().python.is_some() {
            continue;
        }
        what_next =
            what_next.put(Role::Key, format!(" {keys}")).put(Role::Dim, format!(" {word} "));
    }
    let line = app.look.pick("─", "-").repeat(usize::from(area.width));
    let rows = [
        Row::new(&app.look).own(Role::Border, &line),
        Row::new(&app.look).put(role, format!(" {what}")),
        what_next,
    ];
    for (area, row) in lines(area).zip(rows) {
        row.fit(usize::from(area.width)).draw(area, 0, buf);
    }
}
