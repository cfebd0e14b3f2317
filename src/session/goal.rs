//! Where a movement stops: pure decisions over the states it passes.
//!
//! The same goal judges the model's states and, on the recorded tree, CPython's: so both
//! stop by one rule. Must not know: who answers, timelines, the log.

use super::Setup;
use super::command::{History, Jump, Unit};
use super::entry::{Go, Way};
use super::statement;
use crate::oracle::Capabilities;
use crate::program::outline::Lines;
use crate::program::{Loc, Program};
use crate::trace::{Action, Direction, Event, Move, State, StopAt};

/// A place where a movement may stop: an enabled breakpoint as it was when asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StopPlace {
    /// Number of the breakpoint; `None`: the target of `advance`.
    pub number: Option<u32>,
    /// File of the program.
    pub file: u16,
    /// Lines of the statement, any of which may come first; for a function the `def` line.
    pub lines: Lines,
    /// Stops at the function's call instead.
    pub call: bool,
    /// Whether it stops whenever it is reached (no condition, nothing to ignore).
    pub always: bool,
}

impl StopPlace {
    fn stop_set(&self) -> impl Iterator<Item = StopAt> {
        let StopPlace { file, call, .. } = *self;
        let loc = move |line| Loc { file, line };
        self.lines.iter().map(move |line| StopAt { loc: loc(line), call })
    }

    /// Whether a state is at this place. A resume is no call.
    fn holds(&self, state: &State) -> bool {
        let event = match state.event {
            Event::Line => !self.call,
            Event::Call => self.call && !state.suspension,
            _ => false,
        };
        event && state.loc.file == self.file && self.lines.contains(state.loc.line)
    }
}

/// A movement: what was asked, from where, and how it is answered.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Goal {
    pub go: Go,
    pub unit: Unit,
    pub history: History,
    pub way: Way,
    /// The first question; chained movements ask it again and again.
    pub ask: Move,
    pub start: State,
    /// The calling frames' states, outermost first, as far as they are known.
    pub callers: Vec<State>,
    pub stops: Vec<StopPlace>,
}

/// What to do after a state.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Decision {
    /// This is the stop.
    Stop,
    /// The state before this one was the stop (the end of a frame shows only once it is
    /// left); asked for only with at least two states.
    StopBefore,
    /// Ask once more.
    GoOn,
    /// These breakpoints are reached; their conditions and counts must say.
    Hit(Vec<u32>),
}

/// Chooses how to answer.
///
/// # Errors
/// One line, if the oracle does not go this way at all.
pub(super) fn plan(
    go: Go,
    setup: &Setup,
    (callers, start): (Vec<State>, State),
    mut stops: Vec<StopPlace>,
    can: &Capabilities,
    program: &Program,
) -> Result<Goal, String> {
    let Setup { unit, jump, history, .. } = *setup;
    let direction = go.direction();
    if !can.directions.contains(&direction) {
        return Err(match direction {
            Direction::Inverse => {
                "this model does not predict backwards; 'rewind' goes back".into()
            }
            Direction::Forward => "this model does not predict forwards".into(),
        });
    }
    if let Go::To(StopAt { loc, call }) = go {
        let one = Lines { first: loc.line, last: loc.line };
        let statement = program.outline(loc.file).and_then(|o| o.statement_at(loc.line));
        let lines = statement.filter(|_| !call).map_or(one, |(_, statement)| statement.lines);
        let target = StopPlace { number: None, file: loc.file, lines, call, always: true };
        stops.insert(0, target);
    }
    let step = Move { action: Action::StepInto, direction, stops: Vec::new() };
    let one = |action| Move { action, direction, stops: Vec::new() };
    let inside = !stops.is_empty() && jump == Jump::Auto;
    let direct = match &go {
        Go::Into(_) => Some(step.clone()),
        Go::Over(Direction::Inverse) => Some(one(Action::StepOver)),
        Go::Over(Direction::Forward) => (!inside).then(|| one(Action::StepOver)),
        Go::Return => (!inside).then(|| one(Action::StepReturn)),
        Go::Call => Some(one(Action::StepCall)),
        Go::Continue(Direction::Forward) | Go::To(_) => match &stops[..] {
            [] => Some(one(Action::Continue)),
            [only] if only.always => Some(Move::breakpoint(only.stop_set().collect())),
            many if jump == Jump::Direct => {
                Some(Move::breakpoint(many.iter().flat_map(StopPlace::stop_set).collect()))
            }
            _ => None,
        },
        Go::Continue(Direction::Inverse) | Go::Until(_) => None,
    };
    let single = matches!(go, Go::Into(_));
    let allowed = |ask: &Move| single || jump != Jump::Chained && can.direct(ask);
    let (way, ask) = match direct.filter(allowed) {
        Some(ask) => (Way::Direct, ask),
        None => (Way::Chained, step),
    };
    Ok(Goal { go, unit, history, way, ask, start, callers, stops })
}

impl Goal {
    /// What to do after the last of these states, which follow the start in order.
    /// `breaks`: whether breakpoints count here.
    pub fn decide(&self, path: &[State], program: &Program, breaks: bool) -> Decision {
        let Some((now, before)) = path.split_last() else { return Decision::GoOn };
        let starts = || statement::starts(self, before, now, program);
        if self.way == Way::Direct {
            return match (&self.go, self.unit) {
                (Go::Into(_) | Go::Over(_), Unit::Statement) if !starts() => Decision::GoOn,
                (Go::Continue(_), _) if breaks => self.hit(now).unwrap_or(Decision::Stop),
                (Go::Continue(_), _) => Decision::GoOn,
                _ => Decision::Stop,
            };
        }
        if let Go::To(_) = self.go
            && starts()
            && self.stops.iter().any(|stop| stop.number.is_none() && stop.holds(now))
        {
            return Decision::Stop;
        }
        if breaks
            && (now.event != Event::Line || starts())
            && let Some(hit) = self.hit(now)
        {
            return hit;
        }
        self.arrives(before, now, starts)
    }

    /// What to do after the execution's end, which follows these states.
    pub fn decide_end(&self, path: &[State]) -> Decision {
        let raised = path
            .last()
            .is_some_and(|last| last.event == Event::Exception && last.depth == self.start.depth);
        let to_the_end = matches!(self.go, Go::Return | Go::Until(_));
        // The exception that ends the program was the frame's last state.
        if self.way == Way::Chained && to_the_end && raised {
            Decision::StopBefore
        } else {
            Decision::Stop
        }
    }

    /// What the person should know about breakpoints that this movement cannot see.
    pub fn blind(&self) -> Option<&'static str> {
        let skips = matches!(self.go, Go::Return | Go::Over(Direction::Forward));
        (self.way == Way::Direct && skips && !self.stops.is_empty())
            .then_some("direct: breakpoints inside are not seen")
    }

    fn hit(&self, now: &State) -> Option<Decision> {
        let hit = self.stops.iter().filter(|stop| stop.holds(now));
        let numbers: Vec<u32> = hit.filter_map(|stop| stop.number).collect();
        (!numbers.is_empty()).then_some(Decision::Hit(numbers))
    }

    /// Whether the movement's own end is reached, breakpoints aside.
    fn arrives(&self, before: &[State], now: &State, starts: impl Fn() -> bool) -> Decision {
        let depth = self.start.depth;
        let stop = |yes: bool| if yes { Decision::Stop } else { Decision::GoOn };
        match &self.go {
            Go::Into(_) => Decision::Stop,
            Go::Over(_) => stop(now.depth <= depth && (self.unit == Unit::Event || starts())),
            Go::Return if self.start.event == Event::Return => stop(now.depth <= depth),
            Go::Return => self.left(before, now),
            Go::Until(line) => {
                let below = match line {
                    Some(line) => now.loc.line >= *line,
                    None => now.loc.line > self.start.loc.line,
                };
                if now.event == Event::Line && now.depth == depth && below && starts() {
                    return Decision::Stop;
                }
                self.left(before, now)
            }
            Go::Call => {
                if self.start.event == Event::Call {
                    return stop(now.depth <= depth);
                }
                stop(now.depth == depth && now.event == Event::Call || now.depth < depth)
            }
            Go::Continue(_) | Go::To(_) => Decision::GoOn,
        }
    }

    /// Whether the starting frame's last state is reached, or was passed: an exception is
    /// its last state only if the frame is left after it.
    fn left(&self, before: &[State], now: &State) -> Decision {
        let depth = self.start.depth;
        if now.depth == depth && now.event == Event::Return {
            Decision::Stop
        } else if now.depth >= depth {
            Decision::GoOn
        } else if before.is_empty() {
            Decision::Stop
        } else {
            Decision::StopBefore
        }
    }
}
