//! The lowest line: the keys that matter now, from the key table.

use super::Row;
use crate::session::Question;
use crate::tui::app::{App, Overlay};
use crate::tui::layout::Pane;
use crate::tui::prompt::{Kind, row_of};
use crate::tui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Draws as many hints as fit.
pub fn draw(app: &App, area: Rect, buf: &mut Buffer) {
    let mut row = Row::new(&app.look);
    if app.prompt.kind() == Some(Kind::Command)
        && let Some(info) = row_of(app.prompt.text())
    {
        row = row
            .put(Role::Key, format!(" {} {}", info.name, info.args))
            .put(Role::Dim, format!("  {}", info.doc));
        row.fit(usize::from(area.width)).draw(area, 0, buf);
        return;
    }
    let hint = |keys: String, what: &str| {
        Row::new(&app.look)
            .put(Role::Text, " ")
            .put(Role::Key, keys)
            .put(Role::Dim, format!(" {what} "))
    };
    // Help is always in its corner, so that everything else can be found.
    let help = hint(app.keys(&["help"]), "help");
    help.draw_right(area, buf);
    let room = usize::from(area.width).saturating_sub(help.width());
    for (keys, what) in hints(app) {
        let hint = hint(keys, what);
        if row.width() + hint.width() > room {
            break;
        }
        row = row.join(hint);
    }
    row.fit(room).draw(area, 0, buf);
}

/// Keys and what they do, the most useful first.
fn hints(app: &App) -> Vec<(String, &'static str)> {
    let keys = |names: &[&str]| app.keys(names);
    if let Some(Question::Reads(_)) = app.session.question() {
        return vec![
            ("Enter".into(), "give the line"),
            ("Esc".into(), "end of input"),
            (keys(&["cancel"]), "stop the run"),
        ];
    }
    if app.session.question().is_some() {
        return vec![("y".into(), "yes"), ("n".into(), "no")];
    }
    if matches!(app.overlay, Some(Overlay::Page(..))) {
        return vec![(keys(&["cursor-down", "cursor-up"]), "scroll"), (keys(&["close"]), "close")];
    }
    match app.prompt.kind() {
        Some(Kind::Command) => {
            return vec![
                ("Enter".into(), "run; empty: repeat"),
                ("Up".into(), "history"),
                ("Tab".into(), "complete"),
                ("Esc".into(), "back"),
            ];
        }
        Some(Kind::Search | Kind::Line | Kind::Input) => {
            return vec![("Enter".into(), "go"), ("Esc".into(), "back")];
        }
        None => {}
    }
    // A recording knows what came before; a model guesses, if it can.
    let header = app.session.header();
    let back = if header.exact { "step back" } else { "guess back" };
    let mut hints = vec![
        (keys(&["step"]), "step"),
        (keys(&["next"]), "next"),
        (keys(&["return"]), "return"),
        (keys(&["continue"]), "continue"),
        (keys(&["rewind", "redo"]), "rewind"),
    ];
    if header.backwards {
        hints.push((keys(&["bstep", "bnext", "bfinish", "bcontinue"]), back));
    }
    hints.push((keys(&["verify"]), "verify"));
    match app.focus {
        Pane::Source => {
            hints.push((keys(&["break"]), "breakpoint"));
            hints.push((keys(&["advance"]), "to cursor"));
        }
        Pane::Variables => hints.push((keys(&["choose"]), "open")),
        Pane::Stack => hints.push((keys(&["choose"]), "select")),
        Pane::Breakpoints => {
            hints.push((keys(&["choose"]), "show"));
            hints.push((keys(&["break"]), "remove"));
        }
        Pane::Output | Pane::Log => {}
    }
    hints.push((keys(&["command-line"]), "command"));
    hints.push((keys(&["details"]), "details"));
    hints.push((keys(&["search"]), "search"));
    hints.push((keys(&["next-pane"]), "pane"));
    hints.push((keys(&["quit"]), "quit"));
    hints.retain(|(keys, _)| !keys.is_empty());
    hints
}
