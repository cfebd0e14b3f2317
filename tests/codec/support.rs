//! Programs and what CPython did with them, from `tests/fixtures/golden`.

use foretrace::program::{Entry, Loc, Program, SourceFile};
use foretrace::trace::{
    Direction, Event, Exit, Landing, Locals, Move, Outcome, Place, Segment, State, StateTree, Value,
};
use std::fs;
use std::path::PathBuf;

pub fn golden(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/golden").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub fn program(text: &str) -> Program {
    let (file, _) = SourceFile::from_text("program.py", text);
    Program { files: vec![file], entry: Entry::Module }
}

/// What `make_states.py` printed, as a tree.
pub fn tree(states: &str, exit: Exit) -> StateTree {
    let state = |line: &str| {
        let (line, arg) = match line.split_once(" => ") {
            Some((line, arg)) => (line, Some(Value::from(arg))),
            None => (line, None),
        };
        let mut words = line.splitn(5, ' ');
        let mut word = || words.next().expect("five words");
        let word_of_event = word();
        let event = match word_of_event {
            "call" | "resume" => Event::Call,
            "line" => Event::Line,
            "return" | "yield" => Event::Return,
            "exception" => Event::Exception,
            other => panic!("{other}"),
        };
        let suspension = matches!(word_of_event, "resume" | "yield");
        let loc = Loc::main(word().parse().expect("a line"));
        let (function, depth) = (word().into(), word().parse().expect("a depth"));
        let locals: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(word()).expect("locals");
        let locals: Locals =
            locals.iter().map(|(name, value)| (&**name, value.as_str().unwrap())).collect();
        State { event, loc, function, depth, locals: Some(locals), arg, suspension }
    };
    StateTree::from_states(states.lines().map(state), exit).expect("a tree")
}

/// Moves made from a place to the end, or as many as are given.
pub fn walk(
    tree: &StateTree,
    mut place: Place,
    direction: Direction,
    moves: impl IntoIterator<Item = Move>,
) -> (Segment, Option<(Move, Exit)>) {
    let mut segment = Segment::new(direction, Vec::new(), tree.at(place));
    for ask in moves {
        let landing = tree.go(Some(place), &ask).expect("a move of the language");
        match tree.outcome(landing) {
            Outcome::Exit(exit) => return (segment, Some((ask, exit))),
            Outcome::State(state) => segment.steps.push((ask, state)),
        }
        let Landing::At(next) = landing else { unreachable!() };
        place = next;
    }
    (segment, None)
}

pub fn forever(ask: Move) -> impl Iterator<Item = Move> {
    std::iter::repeat(ask)
}
