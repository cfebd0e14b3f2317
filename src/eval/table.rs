//! Rows of figures as text: columns for a terminal, or Markdown.
//!
//! Must not know: what the figures mean.

use super::report::{Style, Tally};

/// The lines of a table; the first `words` columns are words, the others numbers.
pub(super) fn table<const N: usize>(
    style: Style,
    head: [&str; N],
    words: usize,
    rows: impl Iterator<Item = [String; N]>,
) -> Vec<String> {
    let head = head.map(str::to_owned);
    match style {
        Style::Text => columns(words, &std::iter::once(head).chain(rows).collect::<Vec<_>>()),
        Style::Markdown => markdown(words, &head, rows),
    }
}

/// A share for people.
pub(super) fn percent(tally: Tally) -> String {
    tally.share().map_or("–".into(), |share| format!("{:.1} %", 100.0 * share))
}

fn columns<const N: usize>(words: usize, rows: &[[String; N]]) -> Vec<String> {
    let width = |cell: &String| cell.chars().count();
    let mut widths = [0; N];
    for row in rows {
        for (widest, cell) in widths.iter_mut().zip(row) {
            *widest = width(cell).max(*widest);
        }
    }
    let line = |row: &[String; N]| {
        let cells = row.iter().zip(widths).enumerate().map(|(at, (cell, width))| {
            if at < words { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        cells.collect::<Vec<_>>().join("  ")
    };
    rows.iter().map(line).collect()
}

fn markdown<const N: usize>(
    words: usize,
    head: &[String; N],
    rows: impl Iterator<Item = [String; N]>,
) -> Vec<String> {
    let line = |cells: &[String; N]| format!("| {} |", cells.join(" | "));
    let rule = std::array::from_fn(|at| if at < words { "---" } else { "---:" }.to_owned());
    [line(head), line(&rule)].into_iter().chain(rows.map(|row| line(&row))).collect()
}
