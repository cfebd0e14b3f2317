//! The help page, made from the two tables of commands and the keys in force.

use super::{Row, wrapped};
use crate::tui::app::App;
use crate::tui::look::Look;
use crate::tui::theme::Role;

/// Cells before the words, and before the explanations on a wide and a narrow screen.
const WORDS: usize = 14;
const WIDE: usize = 50;
const NARROW: usize = 18;

/// The lines of the page.
pub fn rows(app: &App, width: usize) -> Vec<Row<'_>> {
    let look = &app.look;
    let mut rows = Vec::new();
    let mut last = "";
    for row in app.keymap.table() {
        if row.heading != last {
            last = row.heading;
            heading(&mut rows, look, last);
        }
        let keys: Vec<_> = row.keys.iter().map(|key| look.key(key)).collect();
        entry(&mut rows, look, &keys.join(" "), &row.words, row.doc, width);
    }
    heading(&mut rows, look, "the mouse");
    for (what, doc) in [
        ("click", "the cursor; left of the text: a breakpoint; a timeline cell: go there"),
        ("wheel", "scroll; on the timeline: rewind and redo"),
        ("Shift-drag", "select text, in most terminals"),
    ] {
        entry(&mut rows, look, what, "", doc, width);
    }
    rows
}

fn heading<'a>(rows: &mut Vec<Row<'a>>, look: &'a Look, text: &str) {
    if !rows.is_empty() {
        rows.push(Row::new(look));
    }
    rows.push(Row::new(look).put(Role::Focus, format!(" {text}")));
}

/// Keys, words and explanation; the explanation goes on below where it is too long, and
/// begins below where the words need the room.
fn entry<'a>(
    rows: &mut Vec<Row<'a>>,
    look: &'a Look,
    keys: &str,
    words: &str,
    doc: &str,
    width: usize,
) {
    let mut row = Row::new(look).put(Role::Key, format!("  {keys}")).pad_to(WORDS);
    let column = match (words.is_empty(), width > WIDE + 40) {
        (true, _) => WORDS,
        (false, true) => WIDE,
        (false, false) => NARROW,
    };
    row = row.put(Role::Dim, words);
    for text in wrapped(doc, width.saturating_sub(column + 1).max(10)) {
        if row.width() + 2 > column && row.width() > WORDS {
            rows.push(std::mem::replace(&mut row, Row::new(look)));
        }
        row = row.pad_to(column).put(Role::Text, text);
        rows.push(std::mem::replace(&mut row, Row::new(look)));
    }
}
