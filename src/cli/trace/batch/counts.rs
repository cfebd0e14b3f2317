//! What became of a batch's programs, and how far it is.
//!
//! Must not know: where recordings are kept.

use super::folder::{kind, lines};
use crate::cli::live::{Live, clock};
use crate::cpython::Error;
use crate::trace::{Exit, Recording};
use anyhow::{Context as _, Result};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// How often what is recorded goes to the file.
const OFTEN: Duration = Duration::from_secs(1);

/// Numbers of one run of a batch.
#[derive(Debug)]
pub(super) struct Progress {
    normal: u64,
    error: u64,
    cut: u64,
    states: u64,
    /// By kind of error.
    failed: BTreeMap<&'static str, u64>,
    /// Programs that an earlier run has recorded.
    before: u64,
    /// Programs there are; only counted where somebody watches.
    all: u64,
    begun: Instant,
    told: Instant,
    line: Live,
}

impl Progress {
    /// Nothing recorded yet by this run.
    ///
    /// # Errors
    /// When the input cannot be read.
    pub(super) fn new(programs: &Path, before: u64) -> Result<Self> {
        let line = Live::new();
        let mut all = 0;
        if line.is_terminal() {
            let counted = lines(programs);
            all = counted.with_context(|| programs.display().to_string())?;
        }
        let (begun, told) = (Instant::now(), Instant::now());
        let failed = BTreeMap::new();
        let (normal, error, cut, states) = (0, 0, 0, 0);
        Ok(Progress { normal, error, cut, states, failed, before, all, begun, told, line })
    }

    /// Counts a program.
    pub(super) fn add(&mut self, result: &Result<Recording, Error>) {
        match result {
            Ok(recording) => {
                self.states += recording.tree.len() as u64;
                match recording.tree.exit() {
                    Exit::Error => self.error += 1,
                    Exit::Cut => self.cut += 1,
                    _ => self.normal += 1,
                }
            }
            Err(error) => *self.failed.entry(kind(error)).or_default() += 1,
        }
    }

    /// Shows how far it is; whether it is time to write what is recorded to the file.
    pub(super) fn tell(&mut self) -> bool {
        if self.line.is_due() {
            let failed = self.failed.values().sum();
            let text = line(self.before, self.done(), self.all, failed, self.begun.elapsed());
            self.line.show(&text);
        }
        let due = self.told.elapsed() >= OFTEN;
        if due {
            self.told = Instant::now();
        }
        due
    }

    /// Whatever is printed next stands on a line of its own.
    pub(super) fn end(&mut self) {
        self.line.end();
    }

    /// Programs that this run has done.
    fn done(&self) -> u64 {
        self.normal + self.error + self.cut + self.failed.values().sum::<u64>()
    }

    /// All of it in one line.
    pub(super) fn summary(&self) -> String {
        let mut text = format!(
            "{} programs: {} ended normally, {} with an exception, {} were cut",
            self.done(),
            self.normal,
            self.error,
            self.cut
        );
        for (kind, count) in &self.failed {
            text.push_str(&format!(", {count} {kind}"));
        }
        let rate = self.done() as f64 / self.begun.elapsed().as_secs_f64().max(1e-3);
        text.push_str(&format!("; {} states; {rate:.0} programs/s", self.states));
        text
    }
}

/// `1200 of 100000 programs (1 %), 210/s, 7:50 left; 3 failed`
fn line(before: u64, done: u64, all: u64, failed: u64, time: Duration) -> String {
    let rate = done as f64 / time.as_secs_f64().max(0.1);
    let (there, all) = (before + done, all.max(before + done));
    let mut text = format!("{there} of {all} programs ({} %)", there * 100 / all.max(1));
    if rate >= 0.1 {
        let left = ((all - there) as f64 / rate) as u64;
        text += &format!(", {rate:.0}/s, {} left", clock(left));
    }
    if failed > 0 {
        text += &format!("; {failed} failed");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_how_much_how_fast_and_how_long() {
        let seconds = Duration::from_secs;
        for (args, text) in [
            ((0, 0, 0, 0, seconds(0)), "0 of 0 programs (0 %)"),
            ((0, 0, 10, 0, seconds(1)), "0 of 10 programs (0 %)"),
            (
                (0, 1200, 100_000, 3, seconds(6)),
                "1200 of 100000 programs (1 %), 200/s, 8:14 left; 3 failed",
            ),
            // what an earlier run has done counts, but not for the rate
            ((500, 100, 1000, 0, seconds(2)), "600 of 1000 programs (60 %), 50/s, 0:08 left"),
            // the input has grown meanwhile
            ((0, 20, 10, 0, seconds(2)), "20 of 20 programs (100 %), 10/s, 0:00 left"),
        ] {
            let (before, done, all, failed, time) = args;
            assert_eq!(line(before, done, all, failed, time), text);
        }
    }
}
