//! What an evaluation found, and how it reads: text, Markdown, JSON lines.
//!
//! Must not know: oracles, where it is printed.

use super::ask::Reply;
use super::calibration::Calibration;
use super::score::Score;
use super::states::SHORT;
use super::table::{percent, table};
use super::walk::ASKED;
use crate::oracle::Answer;
use crate::trace::Move;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt;

/// How a move was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// By one prediction.
    Direct,
    /// By single steps on the oracle's own states, after a true history.
    Chained,
}

impl Way {
    /// `direct` or `chained`.
    pub fn name(self) -> &'static str {
        match self {
            Way::Direct => "direct",
            Way::Chained => "chained",
        }
    }
}

/// Which questions of an action a row counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Slice {
    /// All.
    All,
    /// Those about programs of up to 15 lines.
    Short,
    /// Those about longer programs.
    Long,
    /// Those whose true answer is this event, or an exit.
    Next(&'static str),
    /// Those at a line whose statement holds this construct; one statement holds several.
    At(&'static str),
    /// Those that stand for so many single steps, from and to (`None`: and more).
    Horizon(usize, Option<usize>),
}

impl Slice {
    /// The bin of a number of single steps.
    pub fn horizon(steps: usize) -> Self {
        match steps {
            0..=1 => Slice::Horizon(1, Some(1)),
            2..=4 => Slice::Horizon(2, Some(4)),
            5..=8 => Slice::Horizon(5, Some(8)),
            _ => Slice::Horizon(9, None),
        }
    }
}

impl fmt::Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Slice::All => f.write_str("all"),
            Slice::Short => write!(f, "programs up to {SHORT} lines"),
            Slice::Long => f.write_str("longer programs"),
            Slice::Next(event) => write!(f, "next: {event}"),
            Slice::At(construct) => write!(f, "at: {construct}"),
            Slice::Horizon(1, Some(1)) => f.write_str("1 state on"),
            Slice::Horizon(from, Some(to)) => write!(f, "{from}–{to} states on"),
            Slice::Horizon(from, None) => write!(f, "{from}+ states on"),
        }
    }
}

/// Right answers of those that can be judged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Right.
    pub right: u64,
    /// Judged.
    pub of: u64,
}

impl Tally {
    fn add(&mut self, right: Option<bool>) {
        if let Some(right) = right {
            self.right += u64::from(right);
            self.of += 1;
        }
    }

    /// The share that is right; `None` if nothing was judged.
    pub fn share(&self) -> Option<f64> {
        (self.of > 0).then(|| self.right as f64 / self.of as f64)
    }
}

/// The figures of one kind of question.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Row {
    /// Questions.
    pub n: u64,
    /// The whole next state, or the exit.
    pub whole: Tally,
    /// The event, or the exit.
    pub event: Tally,
    /// Location and depth.
    pub source: Tally,
    /// All variables.
    pub locals: Tally,
    /// Return value or exception.
    pub arg: Tally,
    /// Answers that are no state.
    pub malformed: u64,
    /// Questions that the oracle refused for their length. They count as wrong.
    pub refused: u64,
}

impl Row {
    pub(super) fn add(&mut self, score: &Score, reply: &Reply) {
        self.n += 1;
        self.whole.add(score.whole);
        self.event.add(score.event);
        self.source.add(score.source);
        self.locals.add(score.locals);
        self.arg.add(score.arg);
        match reply {
            Reply::Answer(Answer::Malformed { .. }) | Reply::Early { malformed: true } => {
                self.malformed += 1;
            }
            Reply::Refused => self.refused += 1,
            Reply::Answer(_) | Reply::Early { .. } => {}
        }
    }
}

/// Short programs run from entry to exit on the oracle's own states.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Free {
    /// Programs.
    pub programs: u64,
    /// Of those, with every state and the exit right.
    pub right: u64,
    /// Answers in all these runs.
    pub states: u64,
    /// Of those, before the first that is wrong.
    pub states_right: u64,
    /// Programs whose entry is a call that returns.
    pub returning: u64,
    /// Of those, with the right value at its end, whatever was wrong on the way.
    pub returned_right: u64,
}

/// What an evaluation found.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// Who was asked.
    pub label: String,
    /// In which dialect.
    pub dialect: Option<String>,
    /// Of the draw.
    pub seed: u64,
    /// Programs asked about.
    pub programs: u64,
    /// Programs that the oracle does not take.
    pub refused_programs: u64,
    /// Chained jumps left out because they are too long.
    pub too_far: u64,
    /// Runs on the oracle's own states.
    pub free: Free,
    /// Of `step_into`.
    pub calibration: Calibration,
    rows: BTreeMap<(usize, Way, Slice), Row>,
}

/// How the rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Columns for a terminal.
    Text,
    /// A table to paste.
    Markdown,
}

/// Columns of words before the columns of numbers.
const WORDS: usize = 3;
const HEAD: [&str; 11] = [
    "action",
    "way",
    "asked",
    "n",
    "state",
    "event",
    "source",
    "locals",
    "arg",
    "malformed",
    "refused",
];

impl Report {
    pub(super) fn new(label: String, dialect: Option<String>, seed: u64) -> Self {
        Report {
            label,
            dialect,
            seed,
            programs: 0,
            refused_programs: 0,
            too_far: 0,
            free: Free::default(),
            calibration: Calibration::default(),
            rows: BTreeMap::new(),
        }
    }

    pub(super) fn row(&mut self, action: usize, way: Way, slice: Slice) -> &mut Row {
        self.rows.entry((action, way, slice)).or_default()
    }

    /// The rows in order: action, way, slice, figures.
    pub fn rows(&self) -> impl Iterator<Item = (&'static str, Way, Slice, &Row)> {
        self.rows.iter().map(|(&(action, way, slice), row)| (name(action), way, slice, row))
    }

    /// The report for people.
    pub fn text(&self, style: Style) -> String {
        let mut lines = vec![self.summary(), String::new()];
        let rows = self.rows().map(|(action, way, slice, row)| cells(action, way, slice, row));
        lines.extend(table(style, HEAD, WORDS, rows));
        for line in [self.free_line(), self.calibration_line()].into_iter().flatten() {
            lines.extend([String::new(), line]);
        }
        lines.join("\n") + "\n"
    }

    /// One JSON object a line: the header, the rows, the free runs, the calibration.
    pub fn json(&self) -> String {
        let mut lines = vec![json!({"header": {
            "eval": "states", "model": self.label, "dialect": self.dialect, "history": "guided",
            "programs": self.programs, "refused_programs": self.refused_programs,
            "too_far": self.too_far, "seed": self.seed,
        }})];
        lines.extend(self.rows().map(|(action, way, slice, row)| {
            let share = |tally: Tally| json!({"share": tally.share(), "of": tally.of});
            json!({"row": {
                "action": action, "way": way.name(), "asked": slice.to_string(),
                "history": "guided", "n": row.n, "em": share(row.whole),
                "em_event": share(row.event), "em_source": share(row.source),
                "em_locals": share(row.locals), "em_arg": share(row.arg),
                "malformed": row.malformed, "refused": row.refused,
            }})
        }));
        let Free { programs, right, states, states_right, returning, returned_right } = self.free;
        lines.push(json!({"free": {
            "history": "free", "max_lines": SHORT, "programs": programs, "right": right,
            "states": states, "states_right": states_right,
            "returning": returning, "returned_right": returned_right,
        }}));
        let (confidence, right) = self.calibration.means().unzip();
        lines.push(json!({"calibration": {
            "action": "step_into", "n": self.calibration.count(), "ece": self.calibration.ece(),
            "confidence": confidence, "right": right,
        }}));
        lines.iter().map(|line: &Value| format!("{line}\n")).collect()
    }

    fn summary(&self) -> String {
        let dialect =
            self.dialect.as_ref().map_or(String::new(), |name| format!(", {name} dialect"));
        let mut text = format!(
            "{}{dialect}; guided history (the true states stand before every question); \
             {} programs, seed {}",
            self.label, self.programs, self.seed
        );
        if self.refused_programs > 0 {
            text += &format!("; {} programs beyond its limits", self.refused_programs);
        }
        if self.too_far > 0 {
            text += &format!("; {} chained jumps too long to ask", self.too_far);
        }
        text
    }

    fn free_line(&self) -> Option<String> {
        let Free { programs, right, states, states_right, returning, returned_right } = self.free;
        (programs > 0).then(|| {
            format!(
                "free history (the model's own states), programs up to {SHORT} lines: \
                 {right} of {programs} ({}) right in every state from entry to exit; \
                 {states_right} of {states} states before the first error; \
                 {returned_right} of {returning} calls return the right value in the end",
                percent(Tally { right, of: programs })
            )
        })
    }

    fn calibration_line(&self) -> Option<String> {
        let (confidence, right) = self.calibration.means()?;
        let ece = self.calibration.ece()?;
        Some(format!(
            "calibration of step_into, guided history: expected calibration error {ece:.3} \
             (10 bins, n = {}), mean confidence {confidence:.3}, right {right:.3}",
            self.calibration.count()
        ))
    }
}

fn name(action: usize) -> &'static str {
    ASKED
        .get(action)
        .map_or("", |&(direction, action)| Move { action, direction, stops: Vec::new() }.name())
}

type Cells = [String; HEAD.len()];

fn cells(action: &str, way: Way, slice: Slice, row: &Row) -> Cells {
    [
        action.to_owned(),
        way.name().to_owned(),
        slice.to_string(),
        row.n.to_string(),
        percent(row.whole),
        percent(row.event),
        percent(row.source),
        percent(row.locals),
        percent(row.arg),
        row.malformed.to_string(),
        row.refused.to_string(),
    ]
}
