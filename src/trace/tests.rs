//! Hand-written executions and random trees.

use super::*;

/// A state from a word of the notation below.
///
/// One word a state: event letter, line, and the frame's depth by how far it is indented in
/// the caller's eyes: `C1` call, `L2` line, `R3` return, `X3` exception, `G4` resume,
/// `Y4` yield; `.` before it for each frame below. The function is `f<depth>`.
fn state(word: &str) -> State {
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

fn tree(words: &str, exit: Exit) -> StateTree {
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
