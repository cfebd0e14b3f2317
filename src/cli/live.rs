//! One line on standard error that changes while work goes on; for a terminal only.
//!
//! Must not know: what the work is.

use super::out;
use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

/// How often the line changes.
const OFTEN: Duration = Duration::from_millis(100);

/// The line. Where standard error is no terminal, nothing is shown.
#[derive(Debug)]
pub struct Live {
    terminal: bool,
    shown: Option<Instant>,
    /// Cells of the line that stands on the terminal.
    cells: usize,
}

impl Live {
    /// Nothing shown yet.
    pub fn new() -> Self {
        Live { terminal: stderr().is_terminal(), shown: None, cells: 0 }
    }

    /// Whether somebody may be watching.
    pub fn is_terminal(&self) -> bool {
        self.terminal
    }

    /// Whether it is time to change the line.
    pub fn is_due(&self) -> bool {
        self.terminal && self.shown.is_none_or(|shown| shown.elapsed() >= OFTEN)
    }

    /// Shows a text in place of the last one.
    pub fn show(&mut self, text: &str) {
        if !self.terminal {
            return;
        }
        self.shown = Some(Instant::now());
        let width = crossterm::terminal::size().map_or(80, |(columns, _)| columns.into());
        // one cell less, so that no terminal goes to the next line
        let text: String = text.chars().take(width - 1).collect();
        let cells = text.chars().count();
        let padding = self.cells.min(width - 1).saturating_sub(cells);
        out::progress(format_args!("{text}{}", " ".repeat(padding)));
        self.cells = cells;
    }

    /// Whatever is printed next stands on a line of its own.
    pub fn end(&mut self) {
        if std::mem::take(&mut self.cells) > 0 {
            out::note("");
        }
    }
}

/// A time as `minutes:seconds`, or `hours:minutes:seconds`.
pub fn clock(seconds: u64) -> String {
    match seconds / 3600 {
        0 => format!("{}:{:02}", seconds / 60, seconds % 60),
        hours => format!("{hours}:{:02}:{:02}", seconds / 60 % 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::clock;

    #[test]
    fn times_are_read_as_on_a_clock() {
        for (seconds, text) in [(0, "0:00"), (75, "1:15"), (3599, "59:59"), (3661, "1:01:01")] {
            assert_eq!(clock(seconds), text);
        }
    }
}
