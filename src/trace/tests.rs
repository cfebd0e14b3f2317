//! Hand-written executions and random trees.

use super::arbitrary::trees;
use super::*;
use proptest::prelude::*;

/// A state from a word: a dot for each frame below, a letter for the event, the line.
///
/// `C1` call, `L2` line, `R3` return, `X3` exception, `Y4` yield, `G4` resume, `A5` line
/// after its call. The function at depth 2 is `f2`.
pub(super) fn state(word: &str) -> State {
    let depth = word.bytes().take_while(|&b| b == b'.').count();
    let (letter, line) = word[depth..].split_at(1);
    let event = match letter {
        "C" | "G" => Event::Call,
        "L" => Event::Line,
        "A" => Event::LineAfterCall,
        "R" | "Y" => Event::Return,
        "X" => Event::Exception,
        other => panic!("{other}"),
    };
    State {
        event,
        loc: Loc::main(line.parse().unwrap()),
        function: format!("f{depth}").into(),
        depth: depth as u32,
        locals: Some(Locals::default()),
        arg: None,
        suspension: matches!(letter, "G" | "Y"),
    }
}

pub(super) fn tree(words: &str, exit: Exit) -> StateTree {
    StateTree::from_states(words.split_whitespace().map(state), exit).unwrap()
}

fn word(tree: &StateTree, place: Place) -> String {
    let state = tree.at(place);
    let letter = match (state.event, state.suspension) {
        (Event::Call, false) => 'C',
        (Event::Call, true) => 'G',
        (Event::Line, _) => 'L',
        (Event::LineAfterCall, _) => 'A',
        (Event::Return, false) => 'R',
        (Event::Return, true) => 'Y',
        (Event::Exception, _) => 'X',
    };
    format!("{}{letter}{}", ".".repeat(state.depth as usize), state.loc.line)
}

/// Starts inside: execution, state, move, then where it leads.
#[test]
fn moves_from_inside_a_call() {
    let stop = |line, call| Move::breakpoint(vec![StopAt { loc: Loc::main(line), call }]);
    let (calls, cut) = ("C1 L2 .C5 .L6 .R6 .C8 .L9 .R9 L3 R3", "C1 L2 .C5 .L6 ..C8 ..L9");
    let generator = "C1 L2 .C7 .L8 .Y8 L3 L2 .G8 .L9 .R9 R2";
    let table = [
        (calls, Place::At(2), Move::forward(Action::StepReturn), ".R6"),
        (calls, Place::At(4), Move::forward(Action::StepReturn), "L3"),
        (calls, Place::At(4), Move::forward(Action::StepOver), ".C8"),
        (calls, Place::At(7), Move::forward(Action::StepOver), "L3"),
        (calls, Place::At(7), Move::inverse(Action::StepCall), ".C8"),
        (calls, Place::At(5), Move::inverse(Action::StepCall), "L2"),
        (calls, Place::At(5), Move::inverse(Action::StepOver), ".R6"),
        (calls, Place::At(2), Move::inverse(Action::StepOver), "L2"),
        (calls, Place::At(2), Move::inverse(Action::StepCall), "L2"),
        (calls, Place::AfterCall(1), Move::inverse(Action::StepInto), ".R9"),
        (calls, Place::AfterCall(1), Move::inverse(Action::StepOver), "L2"),
        (calls, Place::AfterCall(1), Move::inverse(Action::StepCall), "C1"),
        (calls, Place::AfterCall(1), Move::forward(Action::StepInto), "L3"),
        (calls, Place::AfterCall(1), Move::forward(Action::StepReturn), "R3"),
        (calls, Place::AfterCall(1), stop(6, false), "normal"),
        (calls, Place::At(1), stop(6, false), ".L6"),
        (calls, Place::At(3), stop(6, false), "normal"),
        (calls, Place::At(1), stop(8, true), ".C8"),
        (calls, Place::At(1), stop(8, false), "normal"),
        (calls, Place::At(1), stop(2, false), "normal"),
        (calls, Place::At(3), Move::forward(Action::Continue), "normal"),
        (cut, Place::At(4), Move::forward(Action::StepReturn), "cut"),
        (cut, Place::At(3), Move::forward(Action::StepReturn), "cut"),
        (cut, Place::At(3), Move::forward(Action::StepOver), "cut"),
        (generator, Place::At(3), Move::forward(Action::StepReturn), ".Y8"),
        (generator, Place::At(4), Move::forward(Action::StepInto), "L3"),
        (generator, Place::At(8), Move::inverse(Action::StepCall), ".G8"),
        (generator, Place::At(4), stop(7, true), "normal"),
        (generator, Place::At(7), Move::inverse(Action::StepInto), "L2"),
    ];
    for (words, from, ask, expected) in table {
        let tree = tree(words, if words == cut { Exit::Cut } else { Exit::Normal });
        let found = match tree.go(Some(from), &ask).unwrap() {
            Landing::At(place) => word(&tree, place),
            Landing::Exit(exit) => exit.name().into(),
        };
        assert_eq!(found, expected, "{words}: {} from {from:?}", ask.name());
    }
}

#[test]
fn states_that_no_call_led_to_are_refused() {
    let table = [
        (".C1", "a call at depth 1, but only 0 frames are open"),
        (".L1", "a line state at depth 1, where no frame is open"),
        ("C1 L2 ..C3", "a call at depth 2, but only 1 frames are open"),
        ("C1 R2 L3", "a line state at depth 0, where no frame is open"),
        ("C1 L2 A2", "a line_after_call state cannot be recorded"),
    ];
    for (words, expected) in table {
        let states = words.split_whitespace().map(state);
        let error = StateTree::from_states(states, Exit::Normal).unwrap_err();
        assert_eq!(error.to_string(), expected, "{words}");
    }
    let mut builder = TreeBuilder::new();
    builder.push(state("C1"), Some(7)).unwrap();
    let other = State { function: "g".into(), ..state("L2") };
    for (state, frame) in [(other, Some(7)), (state("L2"), Some(8))] {
        assert!(matches!(builder.push(state, frame), Err(TreeError::OtherFrame { .. })));
    }
    assert_eq!(builder.len(), 1);
}

/// The stops of a move repeated from outside the tree until it leaves it.
fn walk(tree: &StateTree, ask: &Move) -> String {
    let mut stops = Vec::new();
    let mut from = None;
    loop {
        match tree.go(from, ask).unwrap() {
            Landing::At(place) => {
                stops.push(word(tree, place));
                from = Some(place);
            }
            Landing::Exit(exit) => {
                stops.push(exit.name().into());
                return stops.join(" ");
            }
        }
    }
}

/// Name, execution, then step_over, step_return, inv_step_into, inv_step_over,
/// inv_step_call, each repeated from outside.
const TABLE: &[(&str, &str, Exit, [&str; 5])] = &[
    (
        "two calls on one line: h(g())",
        "C1 L2 .C5 .L6 .R6 .C8 .L9 .R9 L3 R3",
        Exit::Normal,
        [
            "C1 L2 L3 R3 normal",
            "R3 normal",
            "R3 L3 A2 .R9 .L9 .C8 .R6 .L6 .C5 L2 C1 entry",
            "R3 L3 A2 L2 C1 entry",
            "C1 entry",
        ],
    ),
    (
        "recursion",
        "C1 L2 .C1 .L2 ..C1 ..L3 ..R3 .R2 R2",
        Exit::Normal,
        [
            "C1 L2 R2 normal",
            "R2 normal",
            "R2 A2 .R2 .A2 ..R3 ..L3 ..C1 .L2 .C1 L2 C1 entry",
            "R2 A2 L2 C1 entry",
            "C1 entry",
        ],
    ),
    (
        "exception caught in the caller",
        "C1 L2 L3 .C7 .L8 .X8 X3 L4 L5 R5",
        Exit::Normal,
        [
            "C1 L2 L3 X3 L4 L5 R5 normal",
            "R5 normal",
            "R5 L5 L4 X3 A3 .X8 .L8 .C7 L3 L2 C1 entry",
            "R5 L5 L4 X3 A3 L3 L2 C1 entry",
            "C1 entry",
        ],
    ),
    (
        "exception nobody catches",
        "C1 L2 .C7 .L8 .X8 X2",
        Exit::Error,
        [
            "C1 L2 X2 error",
            "X2 error",
            "X2 A2 .X8 .L8 .C7 L2 C1 entry",
            "X2 A2 L2 C1 entry",
            "C1 entry",
        ],
    ),
    (
        "a generator in a for loop",
        "C1 L2 .C7 .L8 .Y8 L3 L2 .G8 .L9 .R9 R2",
        Exit::Normal,
        [
            "C1 L2 L3 L2 R2 normal",
            "R2 normal",
            "R2 A2 .R9 .L9 .G8 L2 L3 A2 .Y8 .L8 .C7 L2 C1 entry",
            "R2 A2 L2 L3 A2 L2 C1 entry",
            "C1 entry",
        ],
    ),
    (
        "early return out of a loop",
        "C1 L2 .C5 .L6 .L7 .L8 .R8 L3 R3",
        Exit::Normal,
        [
            "C1 L2 L3 R3 normal",
            "R3 normal",
            "R3 L3 A2 .R8 .L8 .L7 .L6 .C5 L2 C1 entry",
            "R3 L3 A2 L2 C1 entry",
            "C1 entry",
        ],
    ),
    (
        "the exception passes through two frames and is caught in the second",
        "C1 L2 .C5 .L6 .L7 ..C11 ..L12 ..X12 .X7 .L8 .L9 .R9 L3 R3",
        Exit::Normal,
        [
            "C1 L2 L3 R3 normal",
            "R3 normal",
            "R3 L3 A2 .R9 .L9 .L8 .X7 .A7 ..X12 ..L12 ..C11 .L7 .L6 .C5 L2 C1 entry",
            "R3 L3 A2 L2 C1 entry",
            "C1 entry",
        ],
    ),
    (
        "a program built to loop",
        "C1 L2 L3 L2 L3",
        Exit::Never,
        [
            "C1 L2 L3 L2 L3 never",
            "never",
            "L3 L2 L3 L2 C1 entry",
            "L3 L2 L3 L2 C1 entry",
            "C1 entry",
        ],
    ),
    (
        "two frames that nobody visible called: g(f())",
        "C1 L2 R2 C5 L6 R6",
        Exit::Normal,
        [
            "C1 L2 R2 C5 L6 R6 normal",
            "R2 C5 R6 normal",
            "R6 L6 C5 R2 L2 C1 entry",
            "R6 L6 C5 R2 L2 C1 entry",
            "C5 R2 C1 entry",
        ],
    ),
    (
        "a finalizer runs after an exception, before its handler",
        "C1 L2 X2 .C7 .R7 L4 R4",
        Exit::Normal,
        [
            "C1 L2 X2 L4 R4 normal",
            "R4 normal",
            "R4 L4 .R7 .C7 X2 L2 C1 entry",
            "R4 L4 X2 L2 C1 entry",
            "C1 entry",
        ],
    ),
    (
        "cut inside a call",
        "C1 L2 .C7 .L8",
        Exit::Cut,
        ["C1 L2 cut", "cut", "A2 .L8 .C7 L2 C1 entry", "A2 L2 C1 entry", "C1 entry"],
    ),
    (
        "a session that starts at a line",
        "L2 L3 .C7 .R7 R3",
        Exit::Normal,
        ["L2 L3 R3 normal", "R3 normal", "R3 A3 .R7 .C7 L3 L2 entry", "R3 A3 L3 L2 entry", "entry"],
    ),
];

#[test]
fn the_table_of_moves() {
    for (name, words, exit, expected) in TABLE {
        let tree = tree(words, *exit);
        let moves = [
            Move::forward(Action::StepOver),
            Move::forward(Action::StepReturn),
            Move::inverse(Action::StepInto),
            Move::inverse(Action::StepOver),
            Move::inverse(Action::StepCall),
        ];
        let into = walk(&tree, &Move::forward(Action::StepInto));
        assert_eq!(into, format!("{words} {}", exit.name()), "{name}: step_into");
        for (ask, expected) in moves.iter().zip(expected) {
            assert_eq!(walk(&tree, ask), *expected, "{name}: {}", ask.name());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// step_into visits every state in event order and nothing else.
    #[test]
    fn into_is_the_raw_trace(tree in trees()) {
        let into = Move::forward(Action::StepInto);
        let mut from = None;
        for node in 0..tree.len() as NodeId {
            let landing = tree.go(from, &into).unwrap();
            prop_assert_eq!(landing, Landing::At(Place::At(node)));
            from = Some(Place::At(node));
        }
        prop_assert_eq!(tree.go(from, &into), Some(Landing::Exit(tree.exit())));
    }

    /// inv_step_into visits every state in reverse order, and every line that made calls
    /// once more, after them.
    #[test]
    fn inverse_into_undoes_into(tree in trees()) {
        let mut places = inverse_places(&tree);
        for place in &places {
            if let Place::AfterCall(node) = *place {
                prop_assert!(tree.made_calls(node) && tree.event(node) == Event::Line);
            }
        }
        let after = places.iter().filter(|place| matches!(place, Place::AfterCall(_))).count();
        let calling = |node: &NodeId| tree.made_calls(*node) && tree.event(*node) == Event::Line;
        prop_assert_eq!(after, (0..tree.len() as NodeId).filter(calling).count());
        places.retain(|place| matches!(place, Place::At(_)));
        places.reverse();
        let all: Vec<_> = (0..tree.len() as NodeId).map(Place::At).collect();
        prop_assert_eq!(places, all);
    }

    /// A level is walked by step_over, and by inv_step_over in mirror order, where plain
    /// states are concerned.
    #[test]
    fn over_mirrors_inverse_over(tree in trees()) {
        let (over, back) = (Move::forward(Action::StepOver), Move::inverse(Action::StepOver));
        for node in 0..tree.len() as NodeId {
            let Some(Landing::At(Place::At(next))) = tree.go(Some(Place::At(node)), &over) else {
                continue;
            };
            prop_assert!(next > node && tree.depth(next) <= tree.depth(node));
            if tree.depth(next) < tree.depth(node) {
                continue;
            }
            let mut place = Place::At(next);
            if let Some(Landing::At(Place::AfterCall(line))) = tree.go(Some(place), &back) {
                prop_assert!(next > line + 1);
                place = Place::AfterCall(line);
            }
            prop_assert_eq!(tree.go(Some(place), &back), Some(Landing::At(Place::At(node))));
        }
    }

    /// step_return and inv_step_call lead to the two ends of the same level.
    #[test]
    fn return_mirrors_inverse_call(tree in trees()) {
        let (to_end, to_call) = (Move::forward(Action::StepReturn), Move::inverse(Action::StepCall));
        for node in 0..tree.len() as NodeId {
            let Some(Landing::At(Place::At(last))) = tree.go(Some(Place::At(node)), &to_end) else {
                continue;
            };
            if tree.last_of_level(node) == Some(node) {
                continue;
            }
            prop_assert!(matches!(tree.event(last), Event::Return | Event::Exception));
            let first = tree.first_of_level(node);
            prop_assert_eq!(tree.go(Some(Place::At(last)), &to_call), Some(Landing::At(Place::At(first))));
            // Repeated step_over reaches the end of the level, too.
            let mut here = node;
            while here != last {
                let landing = tree.go(Some(Place::At(here)), &Move::forward(Action::StepOver));
                let Some(Landing::At(Place::At(next))) = landing else { panic!("{landing:?}") };
                prop_assert_eq!(tree.depth(next), tree.depth(node));
                here = next;
            }
        }
    }

    /// From every place, every move ends in the tree or in an exit, and always moves on.
    #[test]
    fn no_move_stands_still_or_leaves_the_tree(tree in trees(), line in 1u32..8, call: bool) {
        let order = inverse_places(&tree);
        let position = |place| order.iter().position(|other| *other == place).unwrap();
        let stop = StopAt { loc: Loc::main(line), call };
        let mut moves = vec![Move::breakpoint(vec![stop])];
        for action in [Action::StepInto, Action::StepOver, Action::StepReturn, Action::StepCall, Action::Continue] {
            moves.extend([Move::forward(action), Move::inverse(action)]);
        }
        for (at, from) in order.iter().enumerate() {
            for ask in &moves {
                let landing = tree.go(Some(*from), ask);
                prop_assert_eq!(landing.is_some(), ask.exists());
                let Some(Landing::At(to)) = landing else { continue };
                if ask.direction == Direction::Forward {
                    prop_assert!(position(to) < at && matches!(to, Place::At(_)));
                } else {
                    prop_assert!(position(to) > at);
                }
            }
        }
    }

    /// A breakpoint move finds what repeated step_into would find first.
    #[test]
    fn a_breakpoint_is_the_first_stop_ahead(tree in trees(), line in 1u32..8, call: bool) {
        let stops = vec![StopAt { loc: Loc::main(line), call }];
        for node in 0..tree.len() as NodeId {
            let ahead = (node + 1..tree.len() as NodeId).find(|&node| {
                let state = tree.state(node);
                let event = if call { Event::Call } else { Event::Line };
                state.event == event && state.loc.line == line && !(call && state.suspension)
            });
            let expected =
                ahead.map_or(Landing::Exit(tree.exit()), |node| Landing::At(Place::At(node)));
            let landing = tree.go(Some(Place::At(node)), &Move::breakpoint(stops.clone()));
            prop_assert_eq!(landing, Some(expected));
        }
    }

    /// What is kept of a state is what was pushed.
    #[test]
    fn states_are_kept_whole(tree in trees()) {
        let mut builder = TreeBuilder::new();
        let mut pushed = Vec::new();
        for (node, mut state) in tree.states().enumerate() {
            if node % 7 == 3 {
                state.locals = None;
            }
            builder.push(state.clone(), Some(tree.frame(node as NodeId))).unwrap();
            pushed.push(state);
        }
        let again = builder.finish(tree.exit());
        prop_assert_eq!(again.states().collect::<Vec<_>>(), pushed);
    }

    #[test]
    fn a_patch_rebuilds_what_it_compares(tree in trees()) {
        let all: Vec<_> = (0..tree.len() as NodeId).filter_map(|node| tree.locals(node)).collect();
        for (old, new) in all.iter().zip(all.iter().skip(3)) {
            let patch = Patch::between(old, new);
            prop_assert_eq!(&patch.apply(old), new);
            for change in changes(old, new) {
                prop_assert_eq!(old.get(&change.name), change.old.as_ref());
                prop_assert_eq!(new.get(&change.name), change.new.as_ref());
                prop_assert_ne!(change.old, change.new);
            }
        }
    }
}

/// All places in the order inv_step_into visits them.
fn inverse_places(tree: &StateTree) -> Vec<Place> {
    let mut places = Vec::new();
    while let Some(Landing::At(place)) =
        tree.go(places.last().copied(), &Move::inverse(Action::StepInto))
    {
        places.push(place);
    }
    places
}
