//! Every state that CPython reports is legal in the compact dialect, and is read back as it
//! was, whatever the moves that lead there.

use crate::recorded;
use foretrace::codec::compact::document::{self, Document};
use foretrace::codec::compact::legal::Legal;
use foretrace::codec::compact::read::Reader;
use foretrace::codec::compact::vocab::{LINE, STRINGS, Token};
use foretrace::codec::compact::{Context, Writer};
use foretrace::dataset::batch::{Content, Items};
use foretrace::program::{Loc, Program};
use foretrace::trace::{
    Action, Direction, Event, Exit, Landing, Move, NodeId, Outcome, Place, Segment, StateTree,
    StopAt,
};
use std::fmt;
use std::fs::File;
use std::io::BufReader;
use std::sync::Arc;

/// How much is legal: a law that allows everything would be worth nothing.
#[derive(Default)]
struct Width {
    states: usize,
    lines: usize,
    possible: usize,
    events: usize,
}

impl Width {
    fn add(&mut self, other: &Width) {
        self.states += other.states;
        self.lines += other.lines;
        self.possible += other.possible;
        self.events += other.events;
    }

    fn mean(&self, sum: usize) -> f64 {
        sum as f64 / self.states as f64
    }
}

impl fmt::Display for Width {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (lines, possible) = (self.mean(self.lines), self.mean(self.possible));
        let events = self.mean(self.events);
        write!(
            f,
            "{} steps into: {lines:.2} of {possible:.1} lines legal, {events:.2} events and exits",
            self.states
        )
    }
}

fn show(ids: &[Token]) -> String {
    ids.iter().map(|&id| STRINGS[id as usize].as_str()).collect::<Vec<_>>().join(" ")
}

/// Walks a tree and checks every step; returns the width of what was legal.
fn check(
    (name, program): (&str, &Program),
    context: &Arc<Context>,
    tree: &StateTree,
    start: NodeId,
    direction: Direction,
    moves: &mut dyn FnMut(Place) -> Move,
) -> Width {
    let mut width = Width::default();
    let mut writer = Writer::new(context, direction);
    let callers: Vec<_> = tree.callers(start).into_iter().map(|node| tree.state(node)).collect();
    let mut segment = Segment::new(direction, callers, tree.state(start));
    for state in segment.callers.iter().chain([&segment.first]) {
        writer.state(state).expect("a state");
    }
    let (mut place, mut exit) = (Place::At(start), None);
    for _ in 0..400 {
        let ask = moves(place);
        let landing = tree.go(Some(place), &ask).expect("a move of the language");
        let outcome = tree.outcome(landing);
        if outcome == Outcome::Exit(Exit::Cut) {
            break;
        }
        writer.ask(&ask).expect("a question");
        let legal = Legal::after(context, program, &segment, &ask, writer.memory());
        let mut reader = Reader::new(context.clone(), writer.memory().clone(), legal);
        let written = match &outcome {
            Outcome::State(state) => writer.state(state).expect("a state"),
            Outcome::Exit(exit) => writer.exit(*exit).expect("an exit"),
        };
        width.events += reader.allowed().len();
        for (at, &token) in writer.ids()[written.clone()].iter().enumerate() {
            let allowed = reader.allowed();
            if at == 2 {
                width.states += 1;
                width.lines += allowed.within(LINE).count();
                width.possible += context.len();
            }
            assert!(
                allowed.contains(token),
                "{name}: after {} at line {} of {}, {} is illegal in {} ({} of {:?})",
                ask.name(),
                segment.present().loc.line,
                segment.present().function,
                show(&[token]),
                show(&writer.ids()[written]),
                at,
                show(&allowed.iter().filter(|id| !LINE.contains(id)).collect::<Vec<_>>()),
            );
            assert!(reader.push(token));
        }
        assert_eq!(reader.outcome(), Some(&outcome), "{name}");
        match (landing, outcome) {
            (Landing::At(next), Outcome::State(state)) => {
                segment.steps.push((ask, state));
                place = next;
            }
            (_, Outcome::Exit(end)) => {
                exit = Some((ask, end));
                break;
            }
            _ => unreachable!(),
        }
    }
    let read = document::read(context, direction, writer.ids()).expect(name);
    assert_eq!(read, Document { segment, exit }, "{name}");
    width
}

/// Walks a recording in many ways, from several places, both ways.
fn check_all(name: &str, program: &Program, tree: &StateTree, steps: &mut Width) {
    use Action::{StepCall, StepInto, StepOver, StepReturn};
    let context = match Context::new(program, 4000) {
        Ok(context) => Arc::new(context),
        Err(limit) => panic!("{name}: {limit}"),
    };
    let Some(last) = (tree.len() as NodeId).checked_sub(1) else { return };
    let cycle = |actions: &'static [Action], direction| {
        let mut actions = actions.iter().cycle();
        move |_: Place| {
            let action = *actions.next().expect("a cycle");
            Move { action, direction, stops: Vec::new() }
        }
    };
    let forward = |actions| cycle(actions, Direction::Forward);
    let inverse = |actions| cycle(actions, Direction::Inverse);
    let check = |start, direction, moves: &mut dyn FnMut(Place) -> Move| {
        check((name, program), &context, tree, start, direction, moves)
    };
    for start in [0, last / 3, last * 2 / 3] {
        steps.add(&check(start, Direction::Forward, &mut forward(&[StepInto])));
        check(start, Direction::Forward, &mut forward(&[StepOver]));
        let jumps = &[StepInto, StepInto, StepInto, StepReturn, StepOver];
        check(start, Direction::Forward, &mut forward(jumps));
        let mut odd = 7;
        let mut breakpoints = |place: Place| {
            odd = odd * 31 % 1009;
            let node = (place.node() + odd % 40).min(last);
            match odd % 5 {
                0 => Move::forward(StepInto),
                1 => Move::breakpoint(vec![StopAt { loc: Loc::main(1), call: odd % 2 == 0 }]),
                _ => {
                    let call = tree.event(node) == Event::Call;
                    let other = StopAt { loc: Loc::main(odd % 30), call: false };
                    Move::breakpoint(vec![StopAt { loc: tree.loc(node), call }, other])
                }
            }
        };
        check(start, Direction::Forward, &mut breakpoints);
    }
    check(0, Direction::Forward, &mut forward(&[Action::Continue]));
    for start in [last, last / 2, last / 5] {
        check(start, Direction::Inverse, &mut inverse(&[StepInto]));
        check(start, Direction::Inverse, &mut inverse(&[StepOver]));
        check(start, Direction::Inverse, &mut inverse(&[StepInto, StepInto, StepInto, StepCall]));
    }
}

#[test]
fn every_recorded_state_is_legal_and_read_back() {
    let recorded = recorded::all(150);
    let mut steps = Width::default();
    for recorded::Recorded { name, program, recording } in &recorded {
        check_all(name, program, &recording.tree, &mut steps);
    }
    println!("{} recordings, {steps}", recorded.len());
    assert!(steps.mean(steps.lines) < 4.0);
    assert!(steps.mean(steps.events) < 8.0);
}

/// The same for recordings at hand: batch files of `foretrace trace --batch`, by
/// `FORETRACE_BATCH=FILE cargo test --test codec -- --ignored batch`.
#[test]
#[ignore = "needs a batch file"]
fn every_state_of_a_batch_is_legal_and_read_back() {
    let path = std::env::var_os("FORETRACE_BATCH").expect("FORETRACE_BATCH names a batch file");
    let file = BufReader::new(File::open(&path).expect("the batch file"));
    let (mut steps, mut count) = (Width::default(), 0);
    for item in Items::new(file, path.as_ref(), 0) {
        let item = item.expect("a batch file");
        if let Content::Run(run) = item.read().expect("an item") {
            let name = format!("program {}", item.number);
            check_all(&name, &run.program, &run.recording.tree, &mut steps);
            count += 1;
        }
    }
    println!("{count} recordings, {steps}");
}
