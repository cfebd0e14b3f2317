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
