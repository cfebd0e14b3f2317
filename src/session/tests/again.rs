//! Starting again, with a file that may have been edited; commands of breakpoints; frames of
//! displayed values.

use super::world::{LOOP, RUN, SOURCE, World, call, program, recording};
use crate::oracle::OracleError;
use crate::session::{Jump, Setup, Source, Unit};
use crate::trace::Exit;

fn event() -> Setup {
    Setup { unit: Unit::Event, ..Setup::default() }
}

fn source(text: &str) -> Source {
    let program = (*program(text, call("f(2)"))).clone();
    Source { program, notes: Vec::new(), refused: None }
}

/// The file as it is now, what is said when the session starts again, and where breakpoints are.
type Edited<'a> = (Option<&'a str>, &'a [&'a str], &'a [(u32, u32)]);

#[test]
fn an_edited_file_is_read_again() {
    let moved = format!("import sys\n\n{SOURCE}");
    let cut: String = SOURCE.lines().take(4).map(|line| format!("{line}\n")).collect();
    let same_place = SOURCE.replace("a = g(n)", "a = g(n + 1)");
    let blank = SOURCE.replace("    a = g(n)\n", "\n").replace("    b = g(a)\n", "    # b\n");
    let changed = "prog.py has changed: it is read again";
    let table: [Edited<'_>; 6] = [
        (None, &[], &[(1, 4), (2, 1), (3, 5)]),
        (Some(SOURCE), &[], &[(1, 4), (2, 1), (3, 5)]),
        (
            Some(&moved),
            &[changed, "breakpoint 1 is at line 6 now", "breakpoint 3 is at line 7 now"],
            &[(1, 6), (2, 3), (3, 7)],
        ),
        (Some(&same_place), &[changed], &[(1, 4), (2, 1), (3, 5)]),
        (
            Some(&cut),
            &[changed, "breakpoint 3 is gone: there is no line 5: prog.py has 4 lines"],
            &[(1, 4), (2, 1)],
        ),
        (
            Some(&blank),
            &[
                changed,
                "breakpoint 1 is gone: nothing runs at line 4 now",
                "breakpoint 3 is gone: nothing runs at line 5 now",
            ],
            &[(2, 1)],
        ),
    ];
    for (text, told, places) in table {
        let mut world = World::new(Setup { verify: true, ..event() });
        world.execute("b 4;;b g;;b 5, a > 2;;s");
        world.file = Ok(text.map(source));
        let recorded = world.recorded.len();
        world.said();
        world.execute("restart;;y");
        let said = world.said();
        let news =
            said.iter().filter(|line| line.contains("changed") || line.contains("breakpoint"));
        assert_eq!(news.collect::<Vec<_>>(), told, "{text:?}");
        let breaks = world.session.breakpoints().iter();
        assert_eq!(breaks.map(|b| (b.number, b.loc.line)).collect::<Vec<_>>(), places, "{text:?}");
        let lines = world.session.program().files[0].lines.len();
        assert_eq!(lines, text.unwrap_or(SOURCE).lines().count());
        assert_eq!(world.session.cells().len(), 1, "it is at its start");
        // Nothing that was recorded of another program stays.
        let again = usize::from(told.first() == Some(&changed));
        assert_eq!(world.recorded.len(), recorded + again, "{text:?}");
    }
}

#[test]
fn what_cannot_be_read_or_run_again_is_said() {
    let mut world = World::new(event());
    world.file = Err(OracleError::Failed("prog.py: there is no such file".into()));
    world.said();
    world.execute("restart");
    assert_eq!(world.said()[0], "the program stays as it was read: prog.py: there is no such file");
    assert_eq!(world.at(), "C3");

    let broken = Source { refused: Some("prog.py:3: invalid syntax".into()), ..source("x = 1\n") };
    world.file = Ok(Some(broken));
    world.execute("restart");
    assert!(world.said().contains(&"prog.py:3: invalid syntax".into()));
    world.execute("s");
    let why = "Python does not run this file: prog.py:3: invalid syntax";
    let mend = "once it is mended, 'restart' reads it again";
    assert_eq!(world.said(), [format!("{why}; {mend}")]);
    assert_eq!(world.session.header().notes[0], why);

    // Mended, it goes on.
    world.file = Ok(Some(source(SOURCE)));
    world.execute("restart");
    assert_eq!((world.go("s"), world.go("s")), ("L4".into(), ".C1".into()));
}

/// An entry that was typed counts for more than that of the file, until another is typed.
#[test]
fn the_entry_that_was_typed_stays() {
    let mut world = World::new(event());
    world.execute("restart f(7)");
    assert_eq!(world.session.header().entry, "f(7)");
    world.file = Ok(Some(source(&format!("{SOURCE}\n"))));
    world.execute("restart");
    assert_eq!(world.session.header().entry, "f(7)");
    world.said();
    world.execute("restart nope(1)");
    assert!(world.said()[0].starts_with("no function \"nope\" in prog.py"));
    assert_eq!(world.session.header().entry, "f(7)");
}

/// Commands as typed, one a line, and what is said from the first stop on.
#[test]
fn commands_run_at_the_stop_of_their_breakpoint() {
    let stop = ["breakpoint 1", "> prog.py(2)g()", "-> return x + 1", "2"];
    let table: [(&[&str], &[&str], &str); 6] = [
        (&["commands", "p x", "end"], &stop, ".L2"),
        (&["commands 1", "silent", "p x", "end"], &["2"], ".L2"),
        (&["commands 1", "p x", "p x + 1;;p x + 2", "end"], &["2", "3", "4"], ".L2"),
        // What goes on ends the list, as in pdb.
        (&["commands 1", "silent", "p x", "c"], &["2", "3"], "normal"),
        (&["commands 1", "p x", "end", "commands 1", "end"], &stop[..3], ".L2"),
        (&["commands 1", "silent", "b 6", "end"], &["breakpoint 2 at prog.py:6"], ".L2"),
    ];
    for (typed, told, at) in table {
        let mut world = World::new(Setup { jump: Jump::Chained, ..event() });
        world.execute("b 2");
        for line in typed {
            world.execute(line);
        }
        world.said();
        assert_eq!(world.go("c"), at, "{typed:?}");
        let said = world.said();
        let mut told_in_order = said.iter();
        for line in told {
            assert!(told_in_order.any(|text| text == line), "{typed:?} lacks {line}: {said:?}");
        }
        let silent = typed.contains(&"silent");
        assert_eq!(said.iter().any(|text| text == "> prog.py(2)g()"), !silent, "{said:?}");
    }
}

#[test]
fn commands_are_listed_kept_and_refused() {
    let mut world = World::new(Setup { kept: Some(Default::default()), ..event() });
    for (line, told) in [
        ("commands", "there is no breakpoint; 'b LINE' sets one"),
        ("commands 3", "there is no breakpoint 3; 'b' lists them"),
        ("commands x", "usage: commands [NUMBER]"),
    ] {
        world.said();
        world.execute(line);
        assert_eq!(world.said(), [told]);
        assert!(!world.session.takes_commands());
    }
    world.execute("b 2").execute("commands").execute("silent").execute("").execute("p x");
    assert!(world.session.takes_commands());
    world.execute("end");
    world.said();
    world.execute("b");
    assert_eq!(world.said(), ["breakpoint 1 at prog.py:2, runs: silent;; p x"]);
    let kept = world.session.kept();
    assert_eq!(kept.breakpoints[0].commands, ["silent", "p x"]);
    // Left off, nothing changes.
    world.execute("commands 1").execute("p 1");
    let effects = world.session.apply(crate::session::Command::Cancel);
    world.perform(effects);
    assert!(!world.session.takes_commands());
    assert_eq!(world.session.kept(), kept);
    let setup = Setup { kept: Some(kept), ..event() };
    let mut world = World::of(SOURCE, call("f(2)"), recording(RUN, Exit::Normal), setup);
    world.execute("jump chained;;c");
    assert_eq!(world.said().last().map(String::as_str), Some("2"));
}

/// Breakpoints that go on by themselves come to an end, though nobody is asked.
#[test]
fn commands_do_not_go_on_for_ever() {
    let lines = (0..600).map(|i| format!("\nL3 i={i}\nL4 i={i}")).collect::<String>();
    let truth = recording(&format!("C1\nL2{lines}\nL3 i=600\nR3 i=600 -> None"), Exit::Normal);
    let mut world = World::of(LOOP, call("f()"), truth, Setup { jump: Jump::Chained, ..event() });
    world.execute("b 4").execute("commands").execute("silent").execute("c");
    world.said();
    assert_eq!(world.go("c"), "L4");
    let said = world.said();
    let words = "steps by commands of breakpoints alone";
    assert!(said.last().is_some_and(|line| line.contains(words)), "{said:?}");
    assert!((250..=260).contains(&world.asked), "{}", world.asked);
}

#[test]
fn a_displayed_value_belongs_to_its_frame() {
    let mut world = World::new(event());
    world.execute("s;;s;;s;;display x;;u;;display n + 1");
    let values = |world: &World| -> Vec<String> {
        let watches = world.session.watches().iter();
        let value = watches.map(|watch| watch.value.clone().expect("a value"));
        value.map(|value| value.map_or_else(|why| why, |value| value.to_string())).collect()
    };
    assert_eq!(world.at(), ".L2");
    assert_eq!(values(&world), ["2", "3"]);
    let gone = "the frame of g is not known here";
    for (line, at, expected) in
        [("s", ".R2", ["2", "3"]), ("s", "L5", [gone, "3"]), ("s;;s", ".L2", ["3", "3"])]
    {
        assert_eq!(world.go(line), at);
        assert_eq!(values(&world), expected, "{at}");
    }
    world.said();
    world.execute("display;;undisplay n + 1;;display");
    assert_eq!(world.said(), ["x: 3", "n + 1 in f: 3", "x: 3"]);
    // The same in two frames is two.
    world.execute("display n;;u;;display n;;undisplay n");
    let left: Vec<_> = world.session.watches().iter().map(|w| w.frame.clone()).collect();
    assert_eq!(left, [Some((1, "g".into())), Some((1, "g".into()))]);
}
