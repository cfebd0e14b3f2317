//! Where commands lead, what they ask, and what they say.

use super::world::{LOOP, World, call, recording};
use crate::session::{Jump, LogKind, Question, Setup, Unit, Way};
use crate::trace::Exit;

fn event() -> Setup {
    Setup { unit: Unit::Event, ..Setup::default() }
}

/// Breakpoints, jump, commands; where the last one leads, how many predictions the whole
/// took, and how the last jump was answered.
#[test]
fn where_commands_lead_and_what_they_cost() {
    let direct = Way::Direct;
    let chained = Way::Chained;
    let table: &[(&str, Jump, &str, &str, usize, Way)] = &[
        ("", Jump::Auto, "s", "L4", 1, direct),
        ("", Jump::Auto, "s;;s", ".C1", 2, direct),
        ("", Jump::Auto, "s;;n", "L5", 2, direct),
        ("", Jump::Auto, "s;;n;;n;;n", "R6", 4, direct),
        ("", Jump::Auto, "r", "R6", 1, direct),
        ("", Jump::Auto, "s;;s;;r", ".R2", 3, direct),
        ("", Jump::Auto, "s;;s;;r;;r", "L5", 4, direct),
        ("", Jump::Auto, "c", "normal", 1, direct),
        ("", Jump::Auto, "t 6", "L6", 1, direct),
        ("", Jump::Auto, "t g", ".C1", 1, direct),
        ("", Jump::Auto, "s;;unt", "L5", 5, chained),
        ("", Jump::Auto, "s;;unt 6", "L6", 9, chained),
        ("", Jump::Auto, "s;;c 6", "L6", 9, chained),
        ("", Jump::Auto, "s;;s;;unt 6", ".R2", 4, chained),
        ("", Jump::Chained, "n", "L4", 1, chained),
        ("", Jump::Chained, "s;;n", "L5", 5, chained),
        ("", Jump::Chained, "r", "R6", 10, chained),
        ("", Jump::Chained, "c", "normal", 11, chained),
        ("2", Jump::Auto, "s;;n", ".L2", 3, chained),
        ("2", Jump::Auto, "r", ".L2", 3, chained),
        ("2", Jump::Auto, "c", ".L2", 1, direct),
        ("2", Jump::Auto, "c;;c", ".L2", 2, direct),
        ("2", Jump::Auto, "c;;c;;c", "normal", 3, direct),
        ("2", Jump::Direct, "s;;n", "L5", 2, direct),
        ("2", Jump::Auto, "unt 6", ".L2", 3, chained),
        ("2|5", Jump::Auto, "c;;c", "L5", 5, chained),
        ("2|5", Jump::Direct, "c;;c", "L5", 2, direct),
        ("g", Jump::Auto, "c", ".C1", 1, direct),
        ("2, x > 2", Jump::Auto, "c", ".L2", 7, chained),
        ("2, x > 9", Jump::Auto, "c", "normal", 11, chained),
        ("2, nope > 1", Jump::Auto, "c", ".L2", 3, chained),
        // Nothing runs at line 3's body end: a blank line binds below it.
        ("3", Jump::Auto, "c", "normal", 1, direct),
    ];
    for (breaks, jump, commands, place, asked, way) in table {
        let breakpoints = breaks.split('|').filter(|b| !b.is_empty()).map(String::from).collect();
        let mut world = World::new(Setup { breakpoints, jump: *jump, ..event() });
        let name = format!("{commands} with breakpoints {breaks:?}, {}", jump.name());
        assert_eq!(world.go(commands), *place, "{name}");
        assert_eq!(world.asked, *asked, "{name}: predictions");
        assert_eq!(world.session.present().unwrap().way, *way, "{name}");
        assert!(world.session.busy().is_none(), "{name}");
    }
}

#[test]
fn backwards() {
    let table = [
        ("r;;S", "L6", 2),
        ("r;;S;;S", "A5", 3),
        ("r;;S;;S;;S", ".R2", 4),
        ("r;;S;;S;;S;;F", ".C1", 5),
        ("r;;N;;N;;N", "L5", 4),
        ("r;;F", "C3", 2),
        ("r;;rf;;rs", "entry", 3),
        ("r;;C", "entry", 14),
    ];
    for (commands, place, asked) in table {
        let commands = commands.replace('S', "bstep").replace('N', "bnext");
        let commands = commands.replace('F', "bfinish").replace('C', "bcontinue");
        let mut world = World::new(event());
        assert_eq!(world.go(&commands), place, "{commands}");
        assert_eq!(world.asked, asked, "{commands}");
    }
    // The nearest earlier hit, not the first.
    let mut world = World::new(Setup { breakpoints: vec!["2".into()], ..event() });
    world.execute("jump direct;;r");
    assert_eq!(world.go("rc"), ".L2");
    assert_eq!(world.value("x").as_deref(), Some("3"));
    assert_eq!(world.go("rc"), ".L2");
    assert_eq!(world.value("x").as_deref(), Some("2"));
}

/// What is asked backwards never holds the forward states that answer it.
#[test]
fn a_turn_starts_a_segment_without_the_answer() {
    let mut world = World::new(event());
    world.execute("s;;n;;n;;bstep");
    let segment = world.segments.last().unwrap();
    assert!(segment.steps.is_empty());
    assert_eq!(super::world::word(&segment.first), "L6");
    // And forwards again from there: the backward step is not in it either.
    world.execute("n");
    let segment = world.segments.last().unwrap();
    assert!(segment.steps.is_empty());
    assert_eq!(super::world::word(&segment.first), "L5");
    assert_eq!(world.at(), "L6");
}

/// Callers are given where they are known.
#[test]
fn a_segment_that_starts_inside_a_call_knows_its_caller() {
    let mut world = World::new(event());
    world.execute("s;;s;;s;;bstep");
    let segment = world.segments.last().unwrap();
    assert_eq!(segment.callers.iter().map(super::world::word).collect::<Vec<_>>(), ["L4"]);
}

#[test]
fn a_breakpoint_counts_ignores_and_goes() {
    let mut world = World::new(event());
    world.execute("b 2;;ignore 1 1;;c");
    assert_eq!(world.value("x").as_deref(), Some("3"));
    assert_eq!(world.session.breakpoints()[0].hits, 2);

    let mut world = World::new(event());
    world.execute("tbreak 2;;c");
    assert_eq!(world.at(), ".L2");
    assert!(world.session.breakpoints().is_empty());
    assert_eq!(world.go("c"), "normal");

    let mut world = World::new(event());
    assert_eq!(world.go("b 2;;disable 1;;c"), "normal");
    world.said();
    world.execute("enable 1;;condition 1 x > 2;;b");
    assert_eq!(world.said().last().unwrap(), "breakpoint 1 at prog.py:2, if x > 2");
}

#[test]
fn places_that_are_none_are_refused_with_a_reason() {
    let table = [
        ("b 99", "there is no line 99: prog.py has 6 lines"),
        ("b 0", "there is no line 0: prog.py has 6 lines"),
        ("b h", "there is no function 'h' in this program"),
        ("b other.py:3", "'other.py' is no file of this program"),
        ("b 4,", "the condition after the comma is missing"),
        ("cl 7", "there is no breakpoint 7; 'b' lists them"),
        ("cl 5:", "usage: clear [NUMBER… | [FILE:]LINE]"),
        ("condition 3 x", "there is no breakpoint 3; 'b' lists them"),
        ("b 4, x ==", "the condition 'x ==' is no expression: invalid syntax"),
        ("b 4, x = 3", "the condition 'x = 3' is no expression: invalid syntax"),
        ("t 77", "there is no line 77: prog.py has 6 lines"),
    ];
    for (command, why) in table {
        let mut world = World::new(event());
        world.said();
        world.execute(command);
        assert_eq!(world.said(), [why], "{command}");
    }
    let mut world = World::new(event());
    world.said();
    world.execute("b 3");
    assert_eq!(
        world.said(),
        ["breakpoint 1 at prog.py:3", "line 3 defines f; 'b f' stops when it is called",]
    );
}

#[test]
fn states_are_shown_as_pdb_shows_them() {
    let mut world = World::new(event());
    assert_eq!(world.said(), ["--Call--", "> prog.py(3)f()", "-> def f(n):"]);
    world.execute("s;;s;;r;;s");
    assert_eq!(
        world.said(),
        [
            "> prog.py(4)f()",
            "-> a = g(n)",
            "(predicted)",
            "--Call--",
            "> prog.py(1)g()",
            "-> def g(x):",
            "(predicted)",
            "--Return-- 3",
            "> prog.py(2)g()->3",
            "-> return x + 1",
            "(predicted; direct)",
            "> prog.py(5)f()",
            "-> b = g(a)",
            "a: unset -> 3",
            "(predicted)",
        ]
    );
    world.execute("c");
    assert_eq!(
        world.said(),
        [
            "--End-- the program ends normally",
            "'rewind' goes back, 'restart' starts again, q leaves",
            "(predicted; direct)",
        ]
    );
    world.execute("s");
    assert_eq!(world.said(), ["the program has ended; 'rewind' goes back, 'restart' starts again"]);
}

/// A chain without a stop asks after 250 steps, and what was predicted is kept.
#[test]
fn a_long_chain_asks() {
    let mut run = String::from("C1\nL2\nL3 i=0\n");
    for i in 0..150 {
        run += &format!("L4 i={i}\nL3 i={}\n", i + 1);
    }
    run += "R3 i=150 -> None";
    let truth = recording(&run, Exit::Normal);
    let mut world = World::of(LOOP, call("f()"), truth, Setup { jump: Jump::Chained, ..event() });
    world.execute("c");
    assert_eq!(world.session.question(), Some(&Question::GoOn(250)));
    assert!(world.session.busy().is_none(), "nothing is under way while it asks");
    world.execute("no");
    assert_eq!(world.session.question(), None);
    assert_eq!(world.session.present().unwrap().via.len(), 249);
    assert!(world.session.present().unwrap().interrupted);
    // Going on from there is another movement.
    assert_eq!(world.go("c"), "normal");
    assert_eq!(world.asked, 304);
    // From the start it asks again, and goes on if it may.
    assert_eq!(world.go("goto 0;;c;;y"), "normal");
}

/// Cancelling leaves the session as it was; the answer that comes too late is ignored.
#[test]
fn a_cancelled_prediction_changes_nothing() {
    let mut world = World::new(event());
    world.execute("s");
    world.held = Some(Vec::new());
    world.execute("n;;s;;s");
    assert!(world.session.busy().is_some());
    assert_eq!(world.session.busy().unwrap().what, "predicting step_over");
    world.execute("cancel");
    assert!(world.session.busy().is_none());
    assert_eq!(world.at(), "L4");
    for effect in world.held.take().unwrap() {
        if let Some(reply) = world.reply(effect) {
            assert!(world.session.receive(reply).is_empty());
        }
    }
    assert_eq!(world.at(), "L4");
    assert_eq!(world.go("s"), ".C1");
}

/// A chain that is cancelled keeps what it had.
#[test]
fn a_cancelled_chain_keeps_its_steps() {
    let mut world = World::new(Setup { jump: Jump::Chained, ..event() });
    let mut effects = world.session.execute("c");
    for _ in 0..4 {
        let reply = world.reply(effects.pop().unwrap()).unwrap();
        effects = world.session.receive(reply);
    }
    world.execute("cancel");
    assert_eq!(world.at(), ".R2");
    assert_eq!(world.session.present().unwrap().via.len(), 3);
    assert_eq!(world.go("c"), "normal");
}

#[test]
fn an_empty_line_repeats() {
    let mut world = World::new(event());
    world.execute("s");
    world.execute("");
    world.execute("");
    assert_eq!(world.at(), ".L2");
}

#[test]
fn no_oracle_is_said_and_survived() {
    let (session, effects) = crate::session::Session::new(
        super::world::program(super::world::SOURCE, call("f(2)")),
        event(),
    );
    let mut session = session;
    for effect in effects {
        if let crate::session::Effect::Open { ticket, .. } = effect {
            let result = Err(crate::oracle::OracleError::Failed("broken.gguf: too short".into()));
            session.receive(crate::session::Reply::Opened { ticket, result });
        }
    }
    session.execute("s");
    let errors: Vec<&str> = session
        .log()
        .iter()
        .filter(|line| line.kind == LogKind::Error)
        .map(|line| line.text.as_str())
        .collect();
    assert_eq!(errors, ["no predictions: broken.gguf: too short"; 2]);
    assert_eq!(session.oracle_failure(), Some("broken.gguf: too short"));
}

#[test]
fn a_missing_gpu_is_said_once_and_stays_in_the_header() {
    let program = super::world::program(super::world::SOURCE, call("f(2)"));
    let (mut session, effects) = crate::session::Session::new(program, event());
    let why = "no GPU is used: cuda:0: none is there; the model runs on the CPU";
    for effect in effects {
        if let crate::session::Effect::Open { ticket, .. } = effect {
            let replay =
                crate::oracle::ReplayOracle::new(recording(super::world::RUN, Exit::Normal));
            let capabilities = crate::oracle::Capabilities {
                exact: false,
                device: Some("cpu".into()),
                note: Some(why.into()),
                ..crate::oracle::Oracle::capabilities(&replay)
            };
            let opened = crate::session::Opened { label: "tiny".into(), capabilities };
            session.receive(crate::session::Reply::Opened { ticket, result: Ok(opened) });
        }
    }
    let notes = session.log().iter().filter(|line| line.kind == LogKind::Note);
    assert_eq!(notes.filter(|line| line.text == why).count(), 1);
    let header = session.header();
    assert_eq!(header.device.as_deref(), Some("cpu"));
    assert!(header.notes.iter().any(|note| note == why), "{:?}", header.notes);
}

/// One statement over several lines is one step; with events it is several.
#[test]
fn statements_and_events() {
    let source = "def f():\n    a = [\n        1,\n        g(),\n    ]\n    return a\n";
    let run = "C1\nL2\nL3\nL4\n.C9\n.R9 -> 2\nL2\nL6 a=[1,2]\nR6 a=[1,2] -> [1,2]";
    let truth = recording(run, Exit::Normal);
    let table = [
        (Unit::Event, "s;;s;;s", "L4"),
        (Unit::Event, "s;;n;;n;;n", "L2"),
        (Unit::Statement, "s", "L2"),
        (Unit::Statement, "s;;s", ".C9"),
        (Unit::Statement, "s;;s;;s;;s", "L6"),
        (Unit::Statement, "s;;n", "L6"),
        (Unit::Statement, "b 9;;s;;n", "L6"),
    ];
    for (unit, commands, place) in table {
        let setup = Setup { unit, ..Setup::default() };
        let mut world = World::of(source, call("f()"), truth.clone(), setup);
        assert_eq!(world.go(commands), place, "{commands} by {}", unit.name());
    }
    // A breakpoint on any line of a statement stops once, at its first state.
    let mut world = World::of(source, call("f()"), truth, event());
    world.execute("b 4");
    assert_eq!(world.session.breakpoints()[0].loc.line, 2);
    assert_eq!(world.go("jump chained;;c"), "L2");
    assert_eq!(world.go("c"), "normal");
}
