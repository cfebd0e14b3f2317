//! Rewind, redo, branches, edits.

use super::world::World;
use crate::session::{CellKind, Mark, Origin, Question, Setup, Unit};

fn event() -> Setup {
    Setup { unit: Unit::Event, ..Setup::default() }
}

fn marks(world: &World) -> Vec<String> {
    world.session.cells().iter().map(|cell| cell.mark.to_string()).collect()
}

#[test]
fn rewind_and_redo_are_exact_and_free() {
    let mut world = World::new(event());
    world.execute("s;;n;;s;;r");
    let (asked, states) = (world.asked, world.session.visits().to_vec());
    let entry = |world: &World| world.session.present().unwrap().clone();
    let last = entry(&world);
    assert_eq!(world.go("rewind 3"), "L4");
    assert_eq!(world.go("redo"), "L5");
    assert_eq!(world.go("redo 2"), ".R2");
    assert_eq!(entry(&world), last);
    assert_eq!(world.go("goto 0"), "C3");
    assert_eq!(world.go("goto 0.2"), "L5");
    assert_eq!(world.asked, asked, "nothing is asked");
    assert_eq!(marks(&world), ["0.0", "0.1", "0.2", "0.3", "0.4"], "nothing is added");
    assert_eq!(states.len(), 5);
    world.said();
    world.execute("goto 9;;goto 7.1;;goto 0;;rewind");
    let said = world.said();
    assert_eq!(said[0], "this path has steps 0 to 4");
    assert_eq!(said[1], "there is no step 7.1 in the timeline");
    assert_eq!(said.last().unwrap(), "this is the start; S guesses what came before it");
}

#[test]
fn the_same_move_replays_and_another_branches() {
    let mut world = World::new(event());
    world.execute("s;;n;;n;;rewind 2");
    let asked = world.asked;
    assert_eq!(world.go("n"), "L5");
    assert_eq!(world.asked, asked, "the same move is replayed");
    world.execute("rewind");
    assert_eq!(world.go("s"), ".C1");
    assert_eq!(world.asked, asked + 1, "another move is asked");
    assert_eq!(world.session.mark(), Mark { segment: 1, step: 0 });
    assert_eq!(marks(&world), ["0.0", "0.1", "1.0"]);
    let cell = world.session.cells().pop().unwrap();
    assert_eq!((cell.branches, cell.border, cell.present), (1, true, true));
    // Redo takes the way that was taken last.
    assert_eq!(world.go("rewind 2;;redo 2"), ".C1");
    // The other branch is still there.
    assert_eq!(world.go("goto 0.3;;rewind 2;;redo"), "L5");
    // A breakpoint changes what the same key asks.
    let mut world = World::new(event());
    world.execute("r;;rewind;;b 2;;r");
    assert_eq!(world.at(), ".L2");
    assert_eq!(world.session.cells().pop().unwrap().branches, 1);
}

#[test]
fn an_edit_is_a_branch_of_its_own_segment() {
    let mut world = World::new(event());
    world.execute("s;;n;;!a = 10");
    assert_eq!(world.value("a").as_deref(), Some("10"));
    let entry = world.session.present().unwrap();
    assert_eq!((entry.stop.origin, entry.stop.verdict.name()), (Origin::Edited, "unverified"));
    let edited: Vec<_> = world.session.variables().iter().filter(|v| v.edited).cloned().collect();
    assert_eq!(edited.len(), 1);
    assert_eq!(edited[0].old.as_ref().unwrap().text(), "3");
    assert_eq!(world.session.cells().pop().unwrap().kind, CellKind::Given);
    assert!(world.session.cells().pop().unwrap().border);
    // What is asked from here starts with the edited state.
    world.execute("n");
    let segment = world.segments.last().unwrap();
    assert!(segment.steps.is_empty());
    assert_eq!(segment.first.locals.as_ref().unwrap().get("a").unwrap().text(), "10");
    // An expression is evaluated first; the edit is undone by rewinding.
    world.execute("goto 0.2;;a = a + 4");
    assert_eq!(world.value("a").as_deref(), Some("7"));
    world.execute("rewind");
    assert_eq!(world.value("a").as_deref(), Some("3"));
    world.said();
    world.execute("!a = nope;;!del a");
    let said = world.said();
    assert_eq!(said[0], "NameError: name 'nope' is not defined");
    assert!(said[1].starts_with("'del' statements are not run"), "{said:?}");
}

/// CPython is run again with the same edit at the same event.
#[test]
fn an_edit_is_made_in_cpython_too() {
    let mut world = World::new(Setup { verify: true, ..event() });
    world.execute("s;;n;;!a = 10;;n");
    assert_eq!(world.recorded.len(), 2);
    let edit = &world.recorded[1][0];
    assert_eq!((edit.at, edit.name.as_str(), edit.value.as_str()), (5, "a", "10"));
    // A second edit, in the world of the first.
    world.execute("!a = 11");
    let names: Vec<_> = world.recorded[2].iter().map(|e| (e.at, e.value.as_str())).collect();
    assert_eq!(names, [(5, "10"), (5, "11")]);
    // The same edit elsewhere in the tree is recorded once.
    world.execute("rewind 2;;!a = 10");
    assert_eq!(world.recorded.len(), 3);
}

#[test]
fn work_is_not_lost_without_asking() {
    let mut world = World::new(event());
    world.execute("q");
    assert!(world.session.is_over(), "nothing would be lost");
    let mut world = World::new(event());
    world.execute("s;;s;;q");
    assert_eq!(world.session.question(), Some(&Question::Quit(2)));
    world.execute("n");
    assert!(!world.session.is_over());
    world.execute("restart");
    assert_eq!(world.session.question(), Some(&Question::Restart(2)));
    world.execute("y");
    assert_eq!((world.at().as_str(), world.session.cells().len()), ("C3", 1));
    world.execute("s;;q;;y");
    assert!(world.session.is_over());
}

#[test]
fn frames_are_selected_and_shown() {
    let mut world = World::new(event());
    world.execute("s;;s;;s");
    world.said();
    world.execute("w");
    assert_eq!(
        world.said(),
        ["  prog.py(4)f()", "-> a = g(n)", "> prog.py(2)g()", "-> return x + 1"]
    );
    world.execute("u;;p n;;u;;d;;p x;;p n");
    assert_eq!(
        world.said(),
        [
            "> prog.py(4)f()",
            "-> a = g(n)",
            "2",
            "oldest frame",
            "> prog.py(2)g()",
            "-> return x + 1",
            "2",
            "NameError: name 'n' is not defined",
        ]
    );
    // After a direct jump the caller's place is not known.
    let mut world = World::new(event());
    world.execute("t 2");
    assert_eq!(world.at(), ".L2");
    assert!(world.session.stack()[0].state.is_none());
    world.said();
    world.execute("u");
    assert_eq!(world.said(), ["that frame is not known after the jump"]);
}

#[test]
fn values_that_are_watched() {
    let mut world = World::new(event());
    world.execute("s;;display a;;display n + 1");
    assert!(world.session.watches()[0].value.as_ref().unwrap().is_err());
    world.execute("n;;n");
    let watch = &world.session.watches()[0];
    assert_eq!(watch.value.as_ref().unwrap().as_ref().unwrap().text(), "3");
    world.said();
    world.execute("display;;undisplay a;;undisplay a");
    assert_eq!(world.said(), ["a: 3", "n + 1: 3", "'a' is not displayed"]);
}

/// Breakpoints follow their lines when the file is edited between two sessions.
#[test]
fn breakpoints_outlive_a_session() {
    use crate::session::{Effect, Kept};
    let mut world = World::new(Setup { kept: Some(Kept::default()), ..event() });
    world.held = Some(Vec::new());
    world.execute("b 2, x > 2;;b g;;b 6;;disable 3;;display a");
    let keeps = world.held.take().unwrap();
    let Some(Effect::Keep(kept)) = keeps.last().cloned() else { panic!("{keeps:?}") };
    assert_eq!(kept.breakpoints.len(), 3);
    assert_eq!(kept.watches, ["a"]);

    let edited = format!("import sys\n\n{}", super::world::SOURCE.replace("return b", "return 0"));
    let truth = super::world::recording(super::world::RUN, crate::trace::Exit::Normal);
    let setup = Setup { kept: Some(kept), ..event() };
    let mut world = World::of(&edited, super::world::call("f(2)"), truth, setup);
    let said = world.said();
    let breaks = world.session.breakpoints();
    let places: Vec<_> = breaks.iter().map(|b| (b.loc.line, b.condition.as_deref())).collect();
    assert_eq!(places, [(4, Some("x > 2")), (3, None)]);
    assert_eq!(breaks[1].function.as_deref(), Some("g"));
    assert!(said.contains(&"it was at line 2, which has moved".into()), "{said:?}");
    assert!(said.contains(&"the breakpoint at line 6 is gone with its line".into()), "{said:?}");
    assert_eq!(world.session.watches().len(), 1);
}
