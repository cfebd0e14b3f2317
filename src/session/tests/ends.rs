//! Ends of executions, what lies inside jumps, and who called: what the session knows of them.

use super::world::{SOURCE, World, call, recording, word};
use crate::oracle::Ending;
use crate::session::{History, Jump, Setup, Unit, Way, end};
use crate::trace::{Exit, Recording};
use std::sync::Arc;

fn event() -> Setup {
    Setup { unit: Unit::Event, ..Setup::default() }
}

fn chained() -> Setup {
    Setup { jump: Jump::Chained, ..event() }
}

/// A run that an exception ends, two calls deep.
const RAISES: &str = "\
C3 n=2
L4 n=2
.C1 x=2
.L2 x=2
.X2 x=2 -> ValueError('bad')
X4 n=2 -> ValueError('bad')";

fn raising(setup: Setup) -> World {
    World::of(SOURCE, call("f(2)"), recording(RAISES, Exit::Error), setup)
}

fn cut(why: &str) -> Arc<Recording> {
    let run: Vec<&str> = super::world::RUN.lines().take(4).collect();
    let recording = recording(&run.join("\n"), Exit::Cut);
    Arc::new(Recording { note: why.into(), ..(*recording).clone() })
}

fn stack(world: &World) -> Vec<String> {
    let frames = world.session.stack().into_iter();
    frames.map(|frame| frame.state.map_or("?".into(), |state| word(&state))).collect()
}

/// Whoever replays knows the callers wherever a jump leads; a model does not.
#[test]
fn callers_after_a_jump() {
    let table = [
        ("b 2;;c", vec!["L4", ".L2"], vec!["?", ".L2"]),
        ("b 2;;c;;c", vec!["L5", ".L2"], vec!["?", ".L2"]),
        ("t 2", vec!["L4", ".L2"], vec!["?", ".L2"]),
        ("t g;;r", vec!["L4", ".R2"], vec!["?", ".R2"]),
        ("t g;;r;;n", vec!["L5"], vec!["L5"]),
        ("s;;s;;unt", vec!["L4", ".L2"], vec!["L4", ".L2"]),
        // The end has no frames; the last state had.
        ("b 2;;c;;cl;;c", vec!["R6"], vec![]),
        ("r;;bstep;;bstep;;bstep", vec!["L5", ".R2"], vec!["A5", ".R2"]),
        ("r;;bstep;;bstep;;bstep;;bcontinue", vec![], vec![]),
    ];
    for (commands, known, guessed) in table {
        for (exact, expected) in [(true, known), (false, guessed)] {
            let mut world = World::new(event());
            world.exact = exact;
            world.execute(commands);
            assert_eq!(stack(&world), expected, "{commands}, exact: {exact}");
        }
    }
}

#[test]
fn the_stack_at_the_end_is_that_of_the_last_state() {
    let mut world = World::new(event());
    world.exact = true;
    world.execute("t g;;c");
    world.said();
    world.execute("w");
    assert_eq!(
        world.said(),
        ["the execution is over; its last state was", "> prog.py(6)f()->4", "-> return b"]
    );
    world.exact = false;
    world.execute("restart;;y;;c");
    world.said();
    world.execute("w;;retval");
    assert_eq!(
        world.said(),
        [
            "the execution is over; no frame is left",
            "what was returned is not known after the jump to the end; 'rewind' goes back",
        ]
    );
}

/// The end says what ended it, and what was returned.
#[test]
fn ends_are_named() {
    type Make = fn(Setup) -> World;
    let limit: Make =
        |setup| World::of(SOURCE, call("f(2)"), cut("the program was killed by signal 9"), setup);
    let raising: Make = raising;
    let table: [(Make, bool, Setup, &str, &str); 6] = [
        (
            raising,
            true,
            event(),
            "--End-- the exception leaves the program: ValueError: bad",
            "nothing is returned here: ValueError: bad is raised",
        ),
        (
            raising,
            false,
            chained(),
            "--End-- the exception leaves the program: ValueError: bad",
            "nothing is returned here: ValueError: bad is raised",
        ),
        (
            raising,
            false,
            event(),
            "--End-- an exception leaves the program",
            "what was returned is not known after the jump to the end; 'rewind' goes back",
        ),
        (World::new, true, event(), "--End-- the program ends normally", "4"),
        (World::new, false, chained(), "--End-- the program ends normally", "4"),
        (
            limit,
            true,
            event(),
            "--Cut-- the program was killed by signal 9; nothing is known beyond",
            "nothing was returned: the execution ended before",
        ),
    ];
    for (make, exact, setup, banner, returned) in table {
        let mut world = make(setup);
        world.exact = exact;
        world.said();
        world.execute("c");
        assert_eq!(world.said()[0], banner);
        world.execute("retval");
        assert_eq!(world.said(), [returned], "{banner}");
    }
    assert_eq!(
        end(Exit::Cut, None),
        "the recording was stopped here by a limit; nothing is known beyond"
    );
    let nothing = Ending::default();
    assert_eq!(end(Exit::Error, Some(&nothing)), "an exception leaves the program");
}

#[test]
fn the_truth_says_how_it_ended() {
    let mut world = raising(Setup { verify: true, ..event() });
    world.said();
    world.execute("c");
    assert_eq!(world.said().last().unwrap(), "CPython: right: it ends by ValueError: bad");
    let mut world = World::of(
        SOURCE,
        call("f(2)"),
        cut("killed by signal 9"),
        Setup { verify: true, ..event() },
    );
    world.execute("c");
    assert_eq!(
        world.said().last().unwrap(),
        "CPython: killed by signal 9; nothing is known beyond"
    );
}

/// Backwards from the end is backwards from the last state; which that was is said.
#[test]
fn backwards_from_the_end() {
    let table = [
        ("bstep", "L6", "the return at line 6 of f"),
        ("bnext", "L6", "the return at line 6 of f"),
        ("bfinish", "C3", "the return at line 6 of f"),
        ("bcontinue", "entry", "the return at line 6 of f"),
        ("bstep;;bstep;;bstep", ".R2", "the return at line 6 of f"),
        ("bstep;;bstep;;bstep;;s", "L6", "the return at line 6 of f"),
    ];
    for (commands, place, last) in table {
        for exact in [true, false] {
            let mut world = World::new(if exact { event() } else { chained() });
            world.exact = exact;
            world.execute("c");
            world.said();
            assert_eq!(world.go(commands), place, "{commands}");
            let note = format!("asked from the last state before the end: {last}");
            let said = world.said();
            assert_eq!(said[0], note, "{commands}");
            assert_eq!(said.iter().filter(|line| **line == note).count(), 1, "{said:?}");
            // And forth again from there.
            if commands == "bstep" {
                assert_eq!(world.go("s"), "R6");
            }
        }
    }
    let mut world = raising(chained());
    assert_eq!(world.go("c;;bstep"), "A4");
    // What a direct jump does not say is not made up.
    let mut world = World::new(event());
    world.execute("c");
    world.said();
    assert_eq!(world.go("bstep"), "normal");
    assert!(
        world.said()[0].starts_with("the jump to the end does not say what the last state was")
    );
}

/// Judged beside the recording's own predecessors.
#[test]
fn backwards_from_the_end_is_judged() {
    let mut world = World::new(Setup { verify: true, ..chained() });
    world.execute("c;;bstep");
    assert_eq!((world.at().as_str(), world.verdict()), ("L6", "recorded"));
    world.lies = vec![(world.asked + 1, |state| {
        state.locals.as_mut().unwrap().set("a".into(), "9".into());
    })];
    world.execute("bnext");
    assert_eq!(world.verdict(), "unverifiable");
}

#[test]
fn a_jump_opens_into_its_steps() {
    let mut world = World::new(chained());
    world.execute("s;;n");
    let (asked, jump) = (world.asked, world.session.mark());
    assert_eq!(world.session.present().unwrap().via.len(), 3);
    world.said();
    world.execute("steps");
    assert_eq!(
        world.said(),
        [
            "   1  call prog.py(1)g()",
            "   2  line prog.py(2)g()",
            "   3  return prog.py(2)g()->3",
            "   4  line prog.py(5)f()  a: unset -> 3",
        ]
    );
    // Back inside; then by single entries, and to the jump's own stop.
    assert_eq!(world.go("inside"), ".R2");
    assert_eq!(stack(&world), ["L4", ".R2"]);
    assert_eq!(world.go("rewind"), ".L2");
    assert_eq!(world.go("rewind"), ".C1");
    assert_eq!(world.go("rewind"), "L4");
    assert_eq!(world.go("redo 4"), "L5");
    assert_eq!(world.session.present().unwrap().way, Way::Direct);
    assert_eq!(world.value("a").as_deref(), Some("3"));
    // The jump itself is still there, and opens into the same branch.
    let goto = format!("goto {jump}");
    assert_eq!(world.go(&goto), "L5");
    assert_eq!(world.session.present().unwrap().way, Way::Chained);
    let cells = world.session.cells().len();
    assert_eq!(world.go("steps 1"), ".C1");
    assert_eq!(world.go(&goto), "L5");
    assert_eq!(world.session.cells().len(), cells);
    assert_eq!(world.asked, asked, "nothing is predicted again");
    // A single step taken again at an opened place is found there.
    world.execute("steps 1;;s");
    assert_eq!((world.at().as_str(), world.asked), (".L2", asked));
    for (command, why) in [
        ("steps", "this is one step; there is nothing inside it"),
        ("inside", "this is one step; there is nothing inside it"),
    ] {
        world.said();
        world.execute(command);
        assert_eq!(world.said(), [why]);
    }
    world.execute(&goto);
    world.said();
    world.execute("steps 5");
    assert_eq!(world.said(), ["this jump has steps 1 to 4"]);
    let mut world = World::new(event());
    world.execute("r;;steps");
    assert!(world.said().last().unwrap().starts_with("a direct jump has no single steps"));
}

/// Opened steps keep what CPython said of them, also when it says so later.
#[test]
fn opened_steps_are_judged() {
    let mut world = World::new(Setup { verify: true, ..chained() });
    world.lies = vec![(3, |state| {
        state.locals.as_mut().unwrap().set("x".into(), "7".into());
    })];
    world.execute("s;;n;;steps 2");
    assert_eq!((world.at().as_str(), world.verdict()), (".L2", "wrong"));
    let mut world = World::new(chained());
    world.lies = vec![(3, |state| {
        state.locals.as_mut().unwrap().set("x".into(), "7".into());
    })];
    world.execute("s;;n;;steps 2;;verify;;y");
    assert_eq!((world.at().as_str(), world.verdict()), (".L2", "wrong"));
}

/// A wrong value on the right path is corrected, too.
#[test]
fn resync_takes_the_truths_state() {
    let mut world = World::new(Setup { verify: true, ..event() });
    world.lies = vec![(2, |state| {
        state.locals.as_mut().unwrap().set("a".into(), "8".into());
    })];
    world.execute("s;;n");
    assert_eq!((world.at().as_str(), world.verdict()), ("L5", "wrong"));
    world.execute("resync");
    assert_eq!((world.at(), world.value("a")), ("L5".into(), Some("3".into())));
    assert_eq!(world.go("n"), "L6");
    assert_eq!(world.verdict(), "right");
    world.said();
    world.execute("resync");
    assert_eq!(
        world.said(),
        ["the prediction and CPython agree here; there is nothing to correct"]
    );
}

#[test]
fn a_watched_variable_is_said_once() {
    let source = "def f():\n    i = 0\n    i = 1\n    i = 2\n    return i\n";
    let run = "C1\nL2\nL3 i=0\nL4 i=1\nL5 i=2\nR5 i=2 -> 2";
    let mut world = World::of(source, call("f()"), recording(run, Exit::Normal), event());
    world.execute("s;;s;;display i;;display i + 1;;s");
    let said = world.said();
    for line in ["i: 0 -> 1", "i + 1: 1 -> 2"] {
        assert_eq!(said.iter().filter(|text| *text == line).count(), 1, "{line}: {said:?}");
    }
}

/// Corrected to the truth, the callers are the truth's, too.
#[test]
fn guided_history_knows_the_callers_after_a_jump() {
    let mut world = World::new(Setup { verify: true, history: History::Guided, ..event() });
    world.execute("b 2;;c");
    assert_eq!(stack(&world), ["L4", ".L2"]);
    world.execute("cl;;c");
    assert_eq!(stack(&world), ["R6"]);
}

/// What the variables were when it ended can still be looked at, and no longer changed.
#[test]
fn variables_at_the_end() {
    let mut world = World::new(chained());
    world.execute("c");
    let names = world.session.variables().into_iter();
    let shown: Vec<String> = names.map(|v| format!("{}={}", v.name, v.value.unwrap())).collect();
    assert_eq!(shown, ["n=2", "a=3", "b=4"]);
    world.said();
    world.execute("p b;;b = 5");
    assert_eq!(world.said()[0], "4");
    assert_eq!(world.at(), "normal");
    world.said();
    world.execute("!b = 5");
    assert_eq!(world.said(), ["there is no state here to change"]);
}

/// An end offers to go backwards only where the oracle can.
#[test]
fn backwards_is_offered_where_it_can_be_done() {
    let mut world = World::new(chained());
    world.execute("c");
    let offers = |lines: &[String]| lines.iter().any(|line| line.contains("S guesses backwards"));
    assert!(offers(&world.said()), "{:?}", world.said());
    let end = world.session.present().expect("the end").stop.clone();
    let lines = crate::session::show::stop(world.session.program(), &end, false);
    let lines: Vec<String> = lines.into_iter().map(|line| line.text).collect();
    assert!(!offers(&lines) && lines[1].contains("'rewind'"), "{lines:?}");
}
