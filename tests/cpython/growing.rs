//! A run that is replayed while CPython still makes it answers as the whole recording does.

use crate::support::*;
use foretrace::cpython::{self, Attendant, Error};
use foretrace::oracle::{Answer, Control, Oracle, OracleError, Progress, Query, ReplayOracle};
use foretrace::program::Loc;
use foretrace::trace::{Action, Direction, Exit, Move, NodeId, Recording, Segment, StopAt};
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Generators that outlive a call, exceptions that pass frames or are caught, calls from calls.
const SOURCE: &str = "\
def numbers(n):
    try:
        for i in range(n):
            yield i
    finally:
        done = n

def risky(n):
    if n % 3 == 0:
        raise ValueError(n)
    return [x for x in numbers(n) if x % 2]

def both(n):
    try:
        return risky(n) + risky(n + 1)
    except ValueError as error:
        return [str(error)]

held = numbers(40)
total = 0
for n in range(12):
    total += next(held) + len(both(n))
try:
    risky(3)
finally:
    total = -1
";

#[derive(Default)]
struct Keeper(RefCell<Vec<Recording>>);

impl Attendant for Keeper {
    fn line(&self, _: usize, _: &str) -> Result<Option<String>, Error> {
        Ok(None)
    }

    fn so_far(&self, recording: Recording) {
        self.0.borrow_mut().push(recording);
    }
}

fn asked(
    oracle: &mut ReplayOracle,
    run: &Recording,
    node: NodeId,
    ask: &Move,
) -> Result<Answer, OracleError> {
    let tree = &run.tree;
    let callers = tree.callers(node).into_iter().map(|caller| tree.state(caller)).collect();
    let segment = Segment::new(Direction::Forward, callers, tree.state(node));
    let query = Query { program: Arc::new(text(SOURCE)), segment, ask: ask.clone() };
    oracle.answer(&query, &Control::silent())
}

#[test]
fn a_growing_recording_answers_as_the_whole_does() {
    let stop = |line, call| StopAt { loc: Loc::main(line), call };
    let moves = [
        Move::forward(Action::StepInto),
        Move::forward(Action::StepOver),
        Move::forward(Action::StepReturn),
        Move::forward(Action::Continue),
        Move::breakpoint(vec![stop(6, false), stop(16, false)]),
        Move::breakpoint(vec![stop(8, true)]),
    ];
    for python in pythons() {
        let keeper = Keeper::default();
        let never = AtomicBool::new(false);
        let run = cpython::record_attended(&text(SOURCE), &options(&python), &[], &keeper, &never);
        let run = run.expect("recorded");
        assert_eq!(run.tree.exit(), Exit::Error);
        let parts = keeper.0.into_inner();
        assert!(parts.len() >= 2 && parts[0].tree.len() < run.tree.len());
        let whole = Arc::new(run.clone());
        for part in &parts {
            let states = part.tree.len() as NodeId;
            for node in (0..states).step_by(7).chain(states.saturating_sub(12)..states) {
                for ask in &moves {
                    let (goes_on, wait) = crossbeam_channel::bounded::<()>(1);
                    let (first, rest) = (Arc::new(part.clone()), run.clone());
                    let record = move |control: &Control| {
                        control.report(Progress::Recorded(first));
                        wait.recv().ok();
                        Ok(rest)
                    };
                    let mut growing = ReplayOracle::growing(record, &Control::silent()).unwrap();
                    goes_on.send(()).unwrap();
                    let answer = asked(&mut growing, &run, node, ask);
                    assert!(answer.is_ok(), "{answer:?}");
                    // One that was asked nothing before: where it stood counts between equal states.
                    let mut known = ReplayOracle::new(whole.clone());
                    assert_eq!(answer, asked(&mut known, &run, node, ask), "{node} of {states}");
                }
            }
        }
    }
}
