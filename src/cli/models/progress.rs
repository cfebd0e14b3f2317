//! How far a download is: one line that changes on a terminal, else a line for each tenth.
//!
//! Must not know: where the bytes come from.

use crate::cli::live::{Live, clock};
use crate::cli::out;
use std::time::Instant;

/// Of the bar, in cells.
const BAR: u64 = 20;

/// Shows on standard error.
pub(super) struct Progress<'a> {
    name: &'a str,
    whole: u64,
    line: Live,
    /// When the first bytes were told of, and how many there were already.
    began: Option<(Instant, u64)>,
    tenths: u64,
}

impl<'a> Progress<'a> {
    pub(super) fn new(name: &'a str, whole: u64) -> Self {
        Progress { name, whole, line: Live::new(), began: None, tenths: 0 }
    }

    /// There are `done` bytes.
    pub(super) fn tell(&mut self, done: u64) {
        let now = Instant::now();
        let (began, had) = *self.began.get_or_insert((now, done));
        let seconds = now.duration_since(began).as_secs_f64();
        let rate = done.saturating_sub(had) as f64 / seconds.max(0.1);
        if !self.line.is_terminal() {
            let tenths = done * 10 / self.whole.max(1);
            if tenths > self.tenths {
                self.tenths = tenths;
                out::note(line(self.name, done, self.whole, rate));
            }
            return;
        }
        if self.line.is_due() || done == self.whole {
            self.line.show(&line(self.name, done, self.whole, rate));
        }
    }

    /// Whatever is printed next stands on a line of its own.
    pub(super) fn end(&mut self) {
        self.line.end();
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
        line += &format!(", {:.1} MB/s, {} left", rate / 1e6, clock(left));
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
