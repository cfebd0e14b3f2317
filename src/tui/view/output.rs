//! What the program printed. Output is not predicted: until CPython ran it, the pane says
//! so and how to get it.

use super::{Row, count_of, lines, wrapped};
use crate::session::OutputView;
use crate::tui::app::App;
use crate::tui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Lines in order, with the stream each came from.
fn printed(app: &App) -> Option<Vec<(bool, String)>> {
    let OutputView::Recorded(pieces) = app.session.output() else { return None };
    let mut lines: Vec<(bool, String)> = Vec::new();
    let mut open = false;
    for piece in pieces {
        let error = piece.stream == "stderr";
        for part in piece.text.split_inclusive('\n') {
            let text = part.strip_suffix('\n').unwrap_or(part);
            match lines.last_mut().filter(|(e, _)| open && *e == error) {
                Some((_, line)) => line.push_str(text),
                None => lines.push((error, text.to_owned())),
            }
            open = !part.ends_with('\n');
        }
    }
    Some(lines)
}

/// How many rows there are.
pub fn count(app: &App) -> usize {
    printed(app).map_or(0, |lines| lines.len())
}

/// How much there is.
pub fn title(app: &App) -> Row<'_> {
    let row = Row::new(&app.look);
    match printed(app) {
        Some(lines) => {
            row.put(Role::Truth, format!("CPython, {} up to here ", count_of(lines.len(), "line")))
        }
        None => row.put(Role::Dim, "not predicted "),
    }
}

/// Draws the visible lines.
pub fn draw(app: &App, inner: Rect, buf: &mut Buffer) {
    let Some(printed) = printed(app) else {
        let key = app.keys(&["verify"]);
        let why = match app.session.header().exact {
            true => "No recorded output belongs to this state.",
            false => "Output is not predicted.",
        };
        let text = format!(
            "{why} {key} runs the program with real CPython, in a sandbox, and shows what it prints."
        );
        for (area, text) in lines(inner).zip(wrapped(&text, usize::from(inner.width))) {
            Row::new(&app.look).put(Role::Dim, text).draw(area, 0, buf);
        }
        return;
    };
    for (area, (error, text)) in lines(inner).zip(printed.iter().skip(app.output.top)) {
        let role = if *error { Role::Error } else { Role::Text };
        Row::new(&app.look)
            .put(role, text)
            .skip(app.left)
            .fit(usize::from(inner.width))
            .draw(area, 0, buf);
    }
}
