//! Which moves a trajectory makes (paper table A.1, renormalised, because its row adds up
//! to 0.8).
//!
//! Must not know: tokens, files.

use super::random::Random;
use crate::program::Loc;
use crate::trace::{Action, Event, Move, NodeId, StateTree, StopAt};
use std::collections::BTreeMap;

/// Which forward moves are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Actions {
    /// `step_into` only.
    Into,
    /// All, as the paper's table has them.
    Mix,
}

/// The paper's first row: 0.35, 0.1, 0.2, 0.1, 0.05 over their sum.
const JUMPS: &[(Action, f64)] = &[
    (Action::StepInto, 0.4375),
    (Action::StepOver, 0.125),
    (Action::StepReturn, 0.25),
    (Action::Breakpoint, 0.125),
    (Action::Continue, 0.0625),
];
const STEPS: &[(Action, f64)] = &[(Action::StepInto, 0.5), (Action::StepOver, 0.5)];
const INTO: &[(Action, f64)] = &[(Action::StepInto, 1.0)];
const INVERSE_JUMPS: &[(Action, f64)] =
    &[(Action::StepInto, 0.5), (Action::StepOver, 0.25), (Action::StepCall, 0.25)];
/// Share of breakpoints on a line that is still to come.
const REACHED: f64 = 0.8;
/// Share of breakpoints set on a function instead of a line.
const ON_FUNCTION: f64 = 0.1;

/// The weights of one forward trajectory.
pub fn forward(actions: Actions, random: &mut Random) -> &'static [(Action, f64)] {
    match actions {
        Actions::Into => INTO,
        Actions::Mix if random.chance(0.5) => JUMPS,
        Actions::Mix => STEPS,
    }
}

/// The weights of one inverse trajectory.
pub fn inverse(random: &mut Random) -> &'static [(Action, f64)] {
    if random.chance(0.5) { INVERSE_JUMPS } else { STEPS }
}

/// Where breakpoints can be set in a recorded program.
#[derive(Debug, Clone, Default)]
pub struct Stops {
    /// Each place with the last state at which it stops; `None`: never.
    places: Vec<(StopAt, Option<NodeId>)>,
}

impl Stops {
    /// The places of a recording; `lines` are all lines of code.
    pub fn new(tree: &StateTree, lines: impl Iterator<Item = u32>) -> Self {
        let mut last: BTreeMap<(u32, bool), Option<NodeId>> = BTreeMap::new();
        last.extend(lines.map(|line| ((line, false), None)));
        for node in 0..tree.len() as NodeId {
            let call = match tree.event(node) {
                Event::Line => false,
                Event::Call if !tree.suspension(node) => true,
                _ => continue,
            };
            last.insert((tree.loc(node).line, call), Some(node));
        }
        let place = |(line, call)| StopAt { loc: Loc::main(line), call };
        Stops { places: last.into_iter().map(|(key, last)| (place(key), last)).collect() }
    }

    /// Keeps those places for which it is so.
    pub fn retain(&mut self, is: impl Fn(&StopAt) -> bool) {
        self.places.retain(|(stop, _)| is(stop));
    }

    /// A breakpoint to run to from a state: four in five on a line still to come.
    pub fn draw(&self, from: NodeId, random: &mut Random) -> Option<Move> {
        let (reached, call) = (random.chance(REACHED), random.chance(ON_FUNCTION));
        let fits = |want_call: bool| {
            let ahead = |last: &Option<NodeId>| last.is_some_and(|last| last > from) == reached;
            let fits = self
                .places
                .iter()
                .filter(move |(stop, last)| stop.call == want_call && ahead(last));
            fits.map(|(stop, _)| *stop).collect::<Vec<_>>()
        };
        let mut places = fits(call);
        if places.is_empty() {
            places = fits(!call);
        }
        random.pick(&places).map(|&stop| Move::breakpoint(vec![stop]))
    }
}
