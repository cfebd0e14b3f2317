//! How far a download is: one line that changes on a terminal, else a line for each tenth.
//!
//! Must not know: where the bytes come from.

use crate::cli::out;
use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

/// How often the line changes.
const OFTEN: Duration = Duration::from_millis(100);

/// Of the bar, in cells.
const BAR: u64 = 20;

/// Shows on standard error.
pub(super) struct Progress<'a> {
    name: &'a str,
    whole: u64,
    terminal: bool,
    /// When the first bytes were told of, and how many there were already.
    began: Option<(Instant, u64)>,
    shown: Option<Instant>,
    tenths: u64,
    /// Cells of the line that stands on the terminal.
    cells: usize,
}

impl<'a> Progress<'a> {
    pub(super) fn new(name: &'a str, whole: u64) -> Self {
        let terminal = stderr().is_terminal();
        Progress { name, whole, terminal, began: None, shown: None, tenths: 0, cells: 0 }
    }

    /// There are `done` bytes.
    pub(super) fn tell(&mut self, done: u64) {
        let now = Instant::now();
        let (began, had) = *self.began.get_or_insert((now, done));
        let seconds = now.duration_since(began).as_secs_f64();
        let rate = done.saturating_sub(had) as f64 / seconds.max(0.1);
        if !self.terminal {
            let tenths = done * 10 / self.whole.max(1);
            if tenths > self.tenths {
                self.tenths = tenths;
                out::note(line(self.name, done, self.whole, rate));
            }
            return;
        }
        let due = self.shown.is_none_or(|shown| now.duration_since(shown) >= OFTEN);
        if due || done == self.whole {
            self.shown = Some(now);
            let width = crossterm::terminal::size().map_or(80, |(columns, _)| columns.into());
            // one cell less, so that no terminal goes to the next line
            let text: String =
                line(self.name, done, self.whole, rate).chars().take(width - 1).collect();
            let cells = text.chars().count();
            let padding = self.cells.min(width - 1).saturating_sub(cells);
            out::progress(format_args!("{text}{}", " ".repeat(padding)));
            self.cells = cells;
        }
    }

    /// Whatever is printed next stands on a line of its own.
    pub(super) fn end(&self) {
        if self.cells > 0 {
            out::note("");
        }
    }
}

/// `name  [#####---------------]  25 %, 160 of 639 MB, 12.3 MB/s, 0:39 left`
fn line(name: &str, done: u64, whole: u64, rate: f64) -> String {
    let whole = whole.max(1);
    let done = done.min(whole);
    let full = (done * BAR / whole) as usize;
    let bar = format!("{}{}", "#".repeat(full), "-".repeat(BAR as usize - full));
    let (percent, of) = (done * 100 / whole, whole / 1_000_000);
    let mut line = format!("{name}  [{bar}] {percent:3} %, {} of {of} MB", done / 1_000_000);
    if rate >= 1.0 && done < whole {
        let left = ((whole - done) as f64 / rate) as u64;
        line += &format!(", {:.1} MB/s, {}:{:02} left", rate / 1e6, left / 60, left % 60);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_how_much_and_how_long() {
        assert_eq!(
            line("m", 250_000_000, 1_000_000_000, 10e6),
            "m  [#####---------------]  25 %, 250 of 1000 MB, 10.0 MB/s, 1:15 left"
        );
        assert_eq!(
            line("m", 7_000_000, 7_000_000, 1e6),
            "m  [####################] 100 %, 7 of 7 MB"
        );
        assert_eq!(line("m", 0, 0, 0.0), "m  [--------------------]   0 %, 0 of 0 MB");
        assert_eq!(line("m", 9, 1, 5.0), "m  [####################] 100 %, 0 of 0 MB");
    }
}
