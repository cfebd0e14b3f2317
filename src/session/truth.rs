//! The recordings a session has, and the truth's own walk through them.
//!
//! The truth receives the same moves as the model. While both are on one path (location,
//! event, depth) each step is judged; once the path differs, later steps are *off path*.
//! Must not know: who recorded, timelines, the log. Pure functions.

use super::command::History;
use super::entry::{Entry, Step, Stop, Way};
use super::goal::{Decision, Goal};
use super::verdict::{Cursor, Verdict};
use crate::oracle::Ending;
use crate::program::Program;
use crate::trace::{
    Action, Direction, Edit, Exit, Landing, Leeway, NodeId, Outcome, Place, Recording, State,
    StateTree, compare, same_value,
};
use std::sync::Arc;

/// The recordings, one for each set of edits; the first has none.
#[derive(Debug, Clone, Default)]
pub(super) struct Truth {
    runs: Vec<Run>,
}

/// Whether a step's callers do not follow from the path before it.
fn ask_jumps(step: &Step) -> bool {
    step.ask.as_ref().is_some_and(|ask| ask.action == Action::Breakpoint)
}

#[derive(Debug, Clone)]
struct Run {
    edits: Vec<Edit>,
    /// `None` until it arrives, and for ever if it failed.
    recording: Option<Arc<Recording>>,
    /// Whether the run goes on: more than the recording holds is not known yet.
    growing: bool,
    /// The same run with other seeds.
    other: Option<Arc<Recording>>,
    /// How many states both runs have in common, by path.
    steady: NodeId,
}

impl Truth {
    /// Makes room for a recording that was asked for.
    pub fn expect(&mut self, edits: Vec<Edit>) {
        if self.find(&edits).is_none() {
            self.runs.push(Run {
                edits,
                recording: None,
                growing: true,
                other: None,
                steady: NodeId::MAX,
            });
        }
    }

    fn find(&self, edits: &[Edit]) -> Option<usize> {
        self.runs.iter().position(|run| run.edits == edits)
    }

    /// Takes a recording that arrived; its number.
    pub fn arrived(&mut self, edits: &[Edit], recording: Arc<Recording>) -> Option<usize> {
        let number = self.find(edits)?;
        let run = self.runs.get_mut(number)?;
        (run.recording, run.growing) = (Some(recording), false);
        Some(number)
    }

    /// Takes what is recorded of a run that goes on.
    pub fn so_far(&mut self, edits: &[Edit], recording: Arc<Recording>) {
        let run = self.find(edits).and_then(|number| self.runs.get_mut(number));
        if let Some(run) = run.filter(|run| run.growing) {
            run.recording = Some(recording);
        }
    }

    /// Whether a landing is only where the recording ends so far.
    fn is_open(&self, run: usize, landing: Landing) -> bool {
        let growing = self.runs.get(run).is_some_and(|run| run.growing);
        growing && matches!(landing, Landing::Exit(_))
    }

    /// Takes the same run with other seeds.
    pub fn vary(&mut self, run: usize, other: &Arc<Recording>) {
        let Some(run) = self.runs.get_mut(run) else { return };
        let Some(recording) = &run.recording else { return };
        let (one, two) = (&recording.tree, &other.tree);
        let path = |tree: &StateTree, node| (tree.event(node), tree.loc(node), tree.depth(node));
        let common = one.len().min(two.len()) as NodeId;
        let parted = (0..common).find(|node| path(one, *node) != path(two, *node));
        let whole = if one.len() == two.len() { NodeId::MAX } else { common };
        run.steady = parted.unwrap_or(whole);
        run.other = Some(other.clone());
    }

    /// Forgets a run that could not be recorded.
    pub fn failed(&mut self, edits: &[Edit]) {
        // Only the last can go: the others are known by their numbers.
        if self.runs.last().is_some_and(|run| run.edits == edits) {
            self.runs.pop();
        }
    }

    /// The recording without edits.
    pub fn first(&self) -> Option<&Arc<Recording>> {
        self.recording(0)
    }

    /// A recording by number.
    pub fn recording(&self, run: usize) -> Option<&Arc<Recording>> {
        self.runs.get(run)?.recording.as_ref()
    }

    /// Where the truth is at a state that was given: the first recorded state like it.
    pub fn begin(&self, given: &State) -> Cursor {
        let Some(recording) = self.first() else { return Cursor::Unknown };
        let like = |state: &State| {
            let same = state.event == given.event && state.loc == given.loc;
            let locals = match (&given.locals, &state.locals) {
                (Some(mine), Some(real)) => real
                    .iter()
                    .all(|(name, value)| mine.get(name).is_none_or(|mine| same_value(mine, value))),
                _ => true,
            };
            let arg = match (&given.arg, &state.arg) {
                (Some(mine), Some(real)) => same_value(mine, real),
                _ => true,
            };
            same && locals && arg
        };
        match (0..).zip(recording.tree.states()).find(|(_, state)| like(state)) {
            Some((node, _)) => Cursor::On { run: 0, place: Place::At(node) },
            None => Cursor::Unknown,
        }
    }

    /// Where the truth is after an edit at a place, and the edits to record if that is
    /// not known yet.
    pub fn edited(&self, before: Cursor, name: &str, value: &str) -> (Cursor, Option<Vec<Edit>>) {
        let Cursor::On { run, place: Place::At(node) } = before else {
            return (Cursor::Unknown, None);
        };
        let mut edits = self.runs.get(run).map(|r| r.edits.clone()).unwrap_or_default();
        edits.push(Edit { at: u64::from(node), name: name.into(), value: value.into() });
        match self.find(&edits) {
            Some(run) if self.recording(run).is_some_and(|r| (node as usize) < r.tree.len()) => {
                (Cursor::On { run, place: Place::At(node) }, None)
            }
            Some(_) => (Cursor::Unknown, None),
            None => (Cursor::Unknown, Some(edits)),
        }
    }

    /// Judges an entry whose predecessor left the truth at `before`.
    pub fn judge(&self, before: Cursor, entry: &mut Entry, program: &Program) {
        let direct = entry.way == Way::Direct && entry.via.is_empty();
        let goal = entry.goal.clone();
        let history = goal.as_ref().map_or(History::Free, |goal| goal.history);
        let mut here = before;
        for step in &mut entry.via {
            self.follow(here, step, history, false);
            here = step.truth;
        }
        self.follow(here, &mut entry.stop, history, direct);
        // A jump is judged at its stop, even if the ways there differ.
        let parted = matches!(here, Cursor::Off { .. } | Cursor::Ended { .. });
        if let (true, false, Some(goal)) = (parted, entry.interrupted, &goal)
            && let Cursor::On { run, place } = before
            && let Some(landing) = self.arrive(run, place, goal, program)
        {
            self.meet(run, landing, &mut entry.stop, history, direct);
        }
        let open = matches!(entry.stop.verdict, Verdict::Unverified | Verdict::Unverifiable);
        if let (true, Some(consistent)) = (open, entry.checked) {
            entry.stop.verdict =
                if consistent { Verdict::Consistent } else { Verdict::Inconsistent };
        }
    }

    /// Moves the truth by the step's own move and judges the step.
    pub fn follow(&self, before: Cursor, step: &mut Step, history: History, direct: bool) {
        step.verdict = Verdict::Unverified;
        step.actual = None;
        step.truth = Cursor::Unknown;
        step.actual_ending = None;
        let Some(ask) = step.ask.clone() else { return };
        match self.turned(before, ask.direction) {
            Cursor::Unknown => {}
            Cursor::Ended { run, .. } => {
                step.truth = Cursor::Ended { run, together: false };
                step.verdict = Verdict::OffPath;
            }
            Cursor::On { run, place } => {
                let tree = self.recording(run).map(|r| &r.tree);
                if let Some(landing) = tree.and_then(|tree| tree.go(Some(place), &ask)) {
                    self.meet(run, landing, step, history, direct);
                }
            }
            Cursor::Off { run, place } => {
                let tree = self.recording(run).map(|r| &r.tree);
                step.verdict = Verdict::OffPath;
                step.truth = match tree.and_then(|tree| tree.go(Some(place), &ask)) {
                    Some(Landing::At(place)) => Cursor::Off { run, place },
                    Some(landing) if self.is_open(run, landing) => Cursor::Unknown,
                    Some(Landing::Exit(_)) => Cursor::Ended { run, together: false },
                    None => Cursor::Unknown,
                };
            }
        }
    }

    /// Lays a step beside where the truth landed.
    fn meet(&self, run: usize, landing: Landing, step: &mut Step, history: History, direct: bool) {
        let Some(recording) = self.recording(run) else { return };
        if self.is_open(run, landing) {
            step.verdict = Verdict::Unverified;
            step.truth = Cursor::Unknown;
            return;
        }
        let actual = recording.tree.outcome(landing);
        let other = self.runs.get(run).and_then(|run| run.other.as_ref());
        let steady = self.runs.get(run).map_or(NodeId::MAX, |run| run.steady);
        let other = match landing {
            Landing::At(place) if place.node() < steady => other.map(|o| o.tree.at(place)),
            _ => None,
        };
        let unsteady = match landing {
            Landing::At(place) => place.node() >= steady,
            Landing::Exit(_) => steady != NodeId::MAX,
        };
        let inverse = step.ask.as_ref().is_some_and(|ask| ask.direction == Direction::Inverse);
        let (verdict, same_path) = match (&step.stop, &actual) {
            (_, Outcome::Exit(Exit::Cut)) => (Verdict::TruthCut, false),
            (Stop::Malformed { .. }, _) => (Verdict::Malformed, false),
            (Stop::Exit(exit), Outcome::Exit(real)) => (Verdict::Exit(exit == real), true),
            (Stop::Exit(_), Outcome::State(_)) => (Verdict::EndedEarly, false),
            (Stop::State(_), Outcome::Exit(_)) => (Verdict::RanOn, false),
            (Stop::State(state), Outcome::State(real)) => {
                // Only a direct jump of a text dialect leaves lines of equal text open.
                let places: &[_] = if direct { &step.candidates } else { &[] };
                let comparison = compare(state, real, Leeway { other: other.as_ref(), places });
                let same = comparison.on_path();
                let verdict = Verdict::Compared(comparison);
                match (inverse, verdict.right()) {
                    (true, Some(true)) => (Verdict::Recorded, true),
                    (true, _) => (Verdict::Unverifiable, false),
                    (false, _) => (verdict, same),
                }
            }
        };
        step.truth = match landing {
            Landing::Exit(_) => {
                Cursor::Ended { run, together: matches!(verdict, Verdict::Exit(true)) }
            }
            Landing::At(place) if same_path || history == History::Guided => {
                Cursor::On { run, place }
            }
            Landing::At(place) => Cursor::Off { run, place },
        };
        // Where the run itself goes another way each time, nobody can be wrong.
        let right = matches!(verdict.right(), Some(true)) || verdict == Verdict::Recorded;
        step.verdict = if unsteady && !right { Verdict::Unsteady } else { verdict };
        step.actual = Some(actual);
        step.actual_callers = match landing {
            Landing::At(place) if ask_jumps(step) => {
                let callers = recording.tree.callers(place.node());
                Some(callers.into_iter().map(|node| recording.tree.state(node)).collect())
            }
            _ => None,
        };
        let ended = matches!(landing, Landing::Exit(_)) && !inverse;
        step.actual_ending = ended.then(|| Ending::of(recording));
    }

    /// Where the truth sets out from: backwards from an end, at the last recorded state.
    fn turned(&self, before: Cursor, direction: Direction) -> Cursor {
        let Cursor::Ended { run, together } = before else { return before };
        let last = self.recording(run).and_then(|recording| recording.tree.last_state());
        match (direction, last.map(Place::At), together) {
            (Direction::Inverse, Some(place), true) => Cursor::On { run, place },
            (Direction::Inverse, Some(place), false) => Cursor::Off { run, place },
            _ => before,
        }
    }

    /// Where the truth stops by the same goal; `None` if that hangs on a condition.
    fn arrive(&self, run: usize, from: Place, goal: &Goal, program: &Program) -> Option<Landing> {
        let tree = &self.recording(run)?.tree;
        let mut path: Vec<State> = Vec::new();
        let mut here = from;
        // Each move leads to another state of the recording, so this ends.
        for _ in 0..=tree.len() {
            let before = here;
            match tree.go(Some(here), &goal.ask)? {
                Landing::Exit(exit) => {
                    return Some(match goal.decide_end(&path) {
                        Decision::StopBefore => Landing::At(here),
                        _ => Landing::Exit(exit),
                    });
                }
                Landing::At(place) => here = place,
            }
            path.push(tree.at(here));
            match goal.decide(&path, program, true) {
                Decision::Stop => return Some(Landing::At(here)),
                Decision::StopBefore => return Some(Landing::At(before)),
                Decision::GoOn => {}
                Decision::Hit(numbers) => {
                    let hit = goal
                        .stops
                        .iter()
                        .filter(|stop| stop.number.is_some_and(|number| numbers.contains(&number)));
                    return hit.clone().any(|stop| stop.always).then_some(Landing::At(here));
                }
            }
        }
        None
    }
}
