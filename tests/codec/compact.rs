//! Every state that CPython reports is legal in the compact dialect, and is read back as it
//! was, whatever the moves that lead there.

use crate::recorded;
use foretrace::codec::compact::document::{self, Document};
use foretrace::codec::compact::legal::Legal;
use foretrace::codec::compact::read::Reader;
use foretrace::codec::compact::vocab::{LINE, STRINGS, Token};
use foretrace::codec::compact::{Context, Writer};
use foretrace::program::{Loc, Program};
use foretrace::trace::{
    Action, Direction, Event, Exit, Landing, Move, NodeId, Outcome, Place, Segment, StateTree,
    StopAt,
};
use std::sync::Arc;

/// How much is legal: a law that allows everything would be worth nothing.
#[derive(Default)]
struct Width {
    states: usize,
    lines: usize,
    possible: usize,
    events: usize,
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

#[test]
fn every_recorded_state_is_legal_and_read_back() {
    let recorded = recorded::all(150);
    let mut steps = Width::default();
    for recorded::Recorded { name, program, recording } in &recorded {
        let tree = &recording.tree;
        let context = match Context::new(program, 4000) {
            Ok(context) => Arc::new(context),
            Err(limit) => panic!("{name}: {limit}"),
        };
        let last = tree.len() as NodeId - 1;
        let cycle = |actions: &'static [Action], direction| {
            let mut actions = actions.iter().cycle();
            move |_: Place| {
                let action = *actions.next().expect("a cycle");
                Move { action, direction, stops: Vec::new() }
            }
        };
        use Action::{StepCall, StepInto, StepOver, StepReturn};
        let forward = |actions| cycle(actions, Direction::Forward);
        let inverse = |actions| cycle(actions, Direction::Inverse);
        for start in [0, last / 3, last * 2 / 3] {
            let into = check(
                (name, program),
                &context,
                tree,
                start,
                Direction::Forward,
                &mut forward(&[StepInto]),
            );
            steps.states += into.states;
            steps.lines += into.lines;
            steps.possible += into.possible;
            steps.events += into.events;
            check(
                (name, program),
                &context,
                tree,
                start,
                Direction::Forward,
                &mut forward(&[StepOver]),
            );
            let jumps = &[StepInto, StepInto, StepInto, StepReturn, StepOver];
            check((name, program), &context, tree, start, Direction::Forward, &mut forward(jumps));
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
            check((name, program), &context, tree, start, Direction::Forward, &mut breakpoints);
        }
        check(
            (name, program),
            &context,
            tree,
            0,
            Direction::Forward,
            &mut forward(&[Action::Continue]),
        );
        for start in [last, last / 2, last / 5] {
            check(
                (name, program),
                &context,
                tree,
                start,
                Direction::Inverse,
                &mut inverse(&[StepInto]),
            );
            check(
                (name, program),
                &context,
                tree,
                start,
                Direction::Inverse,
                &mut inverse(&[StepOver]),
            );
            let jumps = &[StepInto, StepInto, StepInto, StepCall];
            check((name, program), &context, tree, start, Direction::Inverse, &mut inverse(jumps));
        }
    }
    let mean = |sum: usize| sum as f64 / steps.states as f64;
    println!(
        "{} recordings, {} steps into: {:.2} of {:.1} lines legal, {:.2} events and exits",
        recorded.len(),
        steps.states,
        mean(steps.lines),
        mean(steps.possible),
        mean(steps.events),
    );
    assert!(mean(steps.lines) < 0.8 * mean(steps.possible));
    assert!(mean(steps.events) < 8.0);
}
