use super::*;
use crate::program::{Entry, Loc};
use crate::trace::arbitrary::trees;
use crate::trace::{StopAt, Value};
use proptest::prelude::*;

fn oracle(tree: StateTree) -> ReplayOracle {
    ReplayOracle::new(Arc::new(Recording { python: "3.11.7".into(), ..Recording::of(tree) }))
}

fn program() -> Arc<Program> {
    Arc::new(Program { files: Vec::new(), entry: Entry::Module })
}

fn ask(oracle: &mut ReplayOracle, segment: &Segment, ask: &Move) -> Result<Answer, OracleError> {
    let (segment, ask) = (segment.clone(), ask.clone());
    oracle.answer(&Query { program: program(), segment, ask }, &Control::silent())
}

fn moves(direction: Direction) -> Vec<Move> {
    let stop = StopAt { loc: Loc::main(3), call: false };
    match direction {
        Direction::Forward => vec![
            Move::forward(Action::StepInto),
            Move::forward(Action::StepInto),
            Move::forward(Action::StepOver),
            Move::forward(Action::StepReturn),
            Move::breakpoint(vec![stop]),
        ],
        Direction::Inverse => vec![
            Move::inverse(Action::StepInto),
            Move::inverse(Action::StepInto),
            Move::inverse(Action::StepOver),
            Move::inverse(Action::StepCall),
        ],
    }
}

proptest! {
    /// Walking by questions, turning round and rewinding on the way, is walking the tree.
    #[test]
    fn questions_walk_the_tree(
        tree in trees(),
        choices in prop::collection::vec((0usize..12, any::<prop::sample::Index>()), 0..60),
    ) {
        let mut oracle = oracle(tree.clone());
        let mut places = vec![Place::At(0)];
        let mut segment = Segment::new(Direction::Forward, Vec::new(), tree.state(0));
        // Only by what it was asked can the oracle tell equal states apart: the walk turns
        // round only where the last question led.
        let mut asked = false;
        for (choice, index) in choices {
            let here = *places.last().unwrap();
            match choice {
                0 if !asked => {}
                0 => {
                    let turned = match segment.direction {
                        Direction::Forward => Direction::Inverse,
                        Direction::Inverse => Direction::Forward,
                    };
                    let callers = tree.callers(here.node());
                    let callers = callers.into_iter().map(|node| tree.state(node)).collect();
                    segment = Segment::new(turned, callers, tree.at(here));
                    places = vec![here];
                    asked = false;
                }
                1 => {
                    let keep = index.index(places.len());
                    places.truncate(keep + 1);
                    segment.steps.truncate(keep);
                    asked = false;
                }
                _ => {
                    let moves = moves(segment.direction);
                    let wish = &moves[index.index(moves.len())];
                    let answer = ask(&mut oracle, &segment, wish).unwrap();
                    asked = true;
                    let landing = tree.go(Some(here), wish).unwrap();
                    match (answer, landing) {
                        (Answer::State(found), Landing::At(place)) => {
                            prop_assert_eq!(&found.state, &tree.at(place));
                            segment.steps.push((wish.clone(), found.state));
                            places.push(place);
                        }
                        (Answer::Exit { exit, .. }, Landing::Exit(expected)) => {
                            prop_assert_eq!(exit, expected);
                        }
                        other => panic!("{other:?}"),
                    }
                }
            }
        }
    }
}

fn loop_of_equal_states() -> StateTree {
    let state = |event, line| State {
        event,
        loc: Loc::main(line),
        function: "f".into(),
        depth: 0,
        locals: Some([("x", "1")].into_iter().collect()),
        arg: (event == Event::Return).then(|| Value::from("1")),
        suspension: false,
    };
    let lines = (0..100).map(|i| state(Event::Line, 2 + i % 2));
    let states = std::iter::once(state(Event::Call, 1)).chain(lines);
    StateTree::from_states(states.chain([state(Event::Return, 4)]), Exit::Normal).unwrap()
}

#[test]
fn a_fresh_oracle_finds_a_long_segment_by_its_moves() {
    let tree = loop_of_equal_states();
    let into = Move::forward(Action::StepInto);
    let mut segment = Segment::new(Direction::Forward, Vec::new(), tree.state(0));
    segment.steps = (1..101).map(|node| (into.clone(), tree.state(node))).collect();
    let answer = ask(&mut oracle(tree.clone()), &segment, &into).unwrap();
    let Answer::State(found) = answer else { panic!("{answer:?}") };
    assert_eq!(found.state, tree.state(101));
}

#[test]
fn what_was_not_recorded_is_not_answered() {
    let tree = loop_of_equal_states();
    let mut edited = tree.state(3);
    edited.locals.as_mut().unwrap().set("x".into(), "2".into());
    let mut oracle = oracle(tree);
    let segment = Segment::new(Direction::Forward, Vec::new(), edited);
    let error = ask(&mut oracle, &segment, &Move::forward(Action::StepInto)).unwrap_err();
    assert!(matches!(error, OracleError::Unsupported(_)), "{error}");
    assert!(error.to_string().contains("line 2 of f"), "{error}");
}

#[test]
fn unknown_parts_are_completed() {
    let mut oracle = oracle(loop_of_equal_states());
    let partial = |event, arg: Option<&str>| State {
        event,
        loc: Loc::main(if event == Event::Call { 1 } else { 0 }),
        function: "f".into(),
        depth: 0,
        locals: None,
        arg: arg.map(Value::from),
        suspension: false,
    };
    let table = [
        (partial(Event::Call, None), Some(1)),
        (partial(Event::Return, Some("1")), Some(4)),
        (partial(Event::Return, None), Some(4)),
        (partial(Event::Return, Some("2")), None),
    ];
    for (partial, line) in table {
        let answer = oracle.complete(&program(), &partial, Direction::Forward, &Control::silent());
        match (answer, line) {
            (Ok(Answer::State(found)), Some(line)) => {
                assert_eq!(found.state.loc.line, line);
                assert!(found.state.locals.is_some());
            }
            (Err(OracleError::Unsupported(_)), None) => {}
            other => panic!("{other:?}"),
        }
    }
}

/// What a growing recording has at first: the states before this number.
fn beginning(tree: &StateTree, states: usize) -> Recording {
    let first = (0..states as NodeId).map(|node| tree.state(node)).collect::<Vec<_>>();
    Recording::of(StateTree::from_states(first, Exit::Cut).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// While a run goes on, no answer differs from what it is once the run has ended; it waits.
    #[test]
    fn what_is_recorded_so_far_answers_only_what_is_sure(
        tree in trees(),
        cut in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
    ) {
        let states = 1 + cut.index(tree.len());
        let node = at.index(states) as NodeId;
        let callers = |tree: &StateTree| {
            let callers = tree.callers(node).into_iter();
            callers.map(|node| tree.state(node)).collect::<Vec<_>>()
        };
        for direction in [Direction::Forward, Direction::Inverse] {
            let segment = Segment::new(direction, callers(&tree), tree.state(node));
            for wish in moves(direction) {
                let (goes_on, wait) = crossbeam_channel::bounded::<()>(1);
                let (whole, part) = (tree.clone(), beginning(&tree, states));
                let record = move |control: &Control| {
                    control.report(Progress::Recorded(Arc::new(part)));
                    wait.recv().ok();
                    Ok(Recording::of(whole))
                };
                let mut growing = ReplayOracle::growing(record, &Control::silent()).unwrap();
                prop_assert_eq!(growing.tree().len(), states);
                prop_assert_eq!(growing.capabilities().limits, "");
                goes_on.send(()).unwrap();
                let answer = ask(&mut growing, &segment, &wish);
                prop_assert_eq!(answer, ask(&mut oracle(tree.clone()), &segment, &wish));
            }
        }
    }
}

#[test]
fn a_run_is_stopped_and_asks_and_fails_as_its_replay_needs() {
    let states: Vec<State> =
        (1..=3).map(|line| State { loc: Loc::main(line), ..first_line() }).collect();
    let tree = StateTree::from_states(states, Exit::Normal).unwrap();
    let last = Segment::new(Direction::Forward, Vec::new(), tree.state(2));
    let step = Move::forward(Action::StepInto);

    // Dropped: the recorder is told.
    let (told, heard) = crossbeam_channel::unbounded();
    let part = beginning(&tree, 3);
    let record = move |control: &Control| {
        control.report(Progress::Recorded(Arc::new(part)));
        while !control.cancelled() {
            std::thread::yield_now();
        }
        told.send(()).unwrap();
        Err(OracleError::Cancelled)
    };
    let mut growing = ReplayOracle::growing(record, &Control::silent()).unwrap();
    let cancelled = Control::silent();
    cancelled.flag().store(true, std::sync::atomic::Ordering::Relaxed);
    let query = Query { program: program(), segment: last.clone(), ask: step.clone() };
    assert_eq!(growing.answer(&query, &cancelled), Err(OracleError::Cancelled));
    drop(growing);
    heard.recv().unwrap();

    // It reads: whoever waits for what lies beyond is asked. Then it fails.
    let part = beginning(&tree, 3);
    let record = move |control: &Control| {
        control.report(Progress::Recorded(Arc::new(part)));
        Err(OracleError::Failed(format!("read {:?}", control.ask("name? "))))
    };
    let mut growing = ReplayOracle::growing(record, &Control::silent()).unwrap();
    let (answer, answers) = crossbeam_channel::unbounded();
    answer.send(Some("Ada".into())).unwrap();
    let (asked, prompts) = crossbeam_channel::unbounded();
    let sink = move |progress| drop(asked.send(progress));
    let attended = Control::new(Arc::default(), Arc::new(sink)).answered(answers);
    let why = growing.answer(&query, &attended).unwrap_err().to_string();
    assert_eq!(why, "read Ok(Some(\"Ada\"))");
    assert_eq!(prompts.recv(), Ok(Progress::Reads("name? ".into())));
    // What was recorded before is still there.
    let first = Segment::new(Direction::Forward, Vec::new(), tree.state(0));
    assert!(matches!(ask(&mut growing, &first, &step), Ok(Answer::State(_))));

    // Nothing to show: the reason at once, also if the recorder breaks.
    let failed = ReplayOracle::growing(
        |_| Err(OracleError::Failed("no python3".into())),
        &Control::silent(),
    );
    assert_eq!(failed.err(), Some(OracleError::Failed("no python3".into())));
    let broken = ReplayOracle::growing(|_| panic!("on purpose"), &Control::silent());
    assert!(broken.unwrap_err().to_string().contains("broke off"));
}

fn first_line() -> State {
    State {
        event: Event::Line,
        loc: Loc::main(1),
        function: "<module>".into(),
        depth: 0,
        locals: Some(Default::default()),
        arg: None,
        suspension: false,
    }
}
