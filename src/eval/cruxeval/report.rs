//! What came of CruxEval's tasks, and how it reads: text, Markdown, JSON lines.
//!
//! Must not know: oracles, where it is printed.

use crate::eval::ask::Reply;
use crate::eval::report::{Style, Tally, Way};
use crate::eval::table;
use crate::oracle::Answer;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What is asked about a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Task {
    /// What it returns, by `step_return`, or by single steps.
    Output,
    /// Its variables at the line that returns, which the question names.
    Breakpoint,
    /// Arguments for what it returns, by `inv_step_call`, or by single steps back.
    Input,
}

impl Task {
    /// The task and the move that asks it.
    pub fn name(self) -> (&'static str, &'static str) {
        match self {
            Task::Output => ("output", "step_return"),
            Task::Breakpoint => ("output", "breakpoint"),
            Task::Input => ("input", "inv_step_call"),
        }
    }
}

/// The figures of one task.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CruxRow {
    /// Questions.
    pub n: u64,
    /// Answers that a real run confirms (pass@1, greedy).
    pub right: u64,
    /// Of those, answers equal to the recorded run's: for an input a severe lower bound.
    pub exact: u64,
    /// Answers that are no state.
    pub malformed: u64,
    /// Questions that the oracle refused for their length. They count as wrong.
    pub refused: u64,
}

impl CruxRow {
    pub(super) fn add(&mut self, right: bool, exact: bool, reply: &Reply) {
        self.n += 1;
        self.right += u64::from(right);
        self.exact += u64::from(exact);
        match reply {
            Reply::Answer(Answer::Malformed { .. }) => self.malformed += 1,
            Reply::Refused => self.refused += 1,
            Reply::Answer(_) | Reply::Early { .. } => {}
        }
    }
}

/// What an evaluation found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CruxReport {
    /// Who was asked.
    pub label: String,
    /// In which dialect.
    pub dialect: Option<String>,
    /// Items asked about.
    pub items: u64,
    /// Items that a real run does not confirm, or that could not be run.
    pub left_out: u64,
    /// Items that the oracle does not take.
    pub refused: u64,
    rows: BTreeMap<(Task, Way), CruxRow>,
}

const HEAD: [&str; 8] = ["task", "move", "way", "n", "right", "exact", "malformed", "refused"];
/// Columns of words before the columns of numbers.
const WORDS: usize = 3;

impl CruxReport {
    pub(super) fn new(label: String, dialect: Option<String>) -> Self {
        let rows = BTreeMap::new();
        CruxReport { label, dialect, items: 0, left_out: 0, refused: 0, rows }
    }

    pub(super) fn row(&mut self, task: Task, way: Way) -> &mut CruxRow {
        self.rows.entry((task, way)).or_default()
    }

    /// The rows in order.
    pub fn rows(&self) -> impl Iterator<Item = (Task, Way, &CruxRow)> {
        self.rows.iter().map(|(&(task, way), row)| (task, way, row))
    }

    /// The report for people.
    pub fn text(&self, style: Style) -> String {
        let rows = self.rows().map(|(task, way, row)| {
            let (task, ask) = task.name();
            let share = |right| table::percent(Tally { right, of: row.n });
            [
                task.to_owned(),
                ask.to_owned(),
                way.name().to_owned(),
                row.n.to_string(),
                share(row.right),
                share(row.exact),
                row.malformed.to_string(),
                row.refused.to_string(),
            ]
        });
        let mut lines = vec![self.summary(), String::new()];
        lines.extend(table::table(style, HEAD, WORDS, rows));
        lines.join("\n") + "\n"
    }

    /// One JSON object a line: the header, the rows.
    pub fn json(&self) -> String {
        let mut lines = vec![json!({"header": {
            "eval": "cruxeval", "model": self.label, "dialect": self.dialect,
            "items": self.items, "left_out": self.left_out, "refused_items": self.refused,
        }})];
        lines.extend(self.rows().map(|(task, way, row)| {
            let (task, ask) = task.name();
            let share = |right| Tally { right, of: row.n }.share();
            json!({"row": {
                "task": task, "move": ask, "way": way.name(), "n": row.n, "right": row.right,
                "share": share(row.right), "exact": share(row.exact),
                "malformed": row.malformed, "refused": row.refused,
            }})
        }));
        lines.iter().map(|line: &Value| format!("{line}\n")).collect()
    }

    fn summary(&self) -> String {
        let dialect =
            self.dialect.as_ref().map_or(String::new(), |name| format!(", {name} dialect"));
        let mut text =
            format!("{}{dialect}; CruxEval, greedy, {} functions", self.label, self.items);
        if self.refused > 0 {
            text += &format!("; {} beyond its limits", self.refused);
        }
        if self.left_out > 0 {
            text += &format!("; {} left out: a real run does not confirm them", self.left_out);
        }
        text
    }
}
