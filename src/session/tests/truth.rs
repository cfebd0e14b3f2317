//! Verdicts: on and off the path, jumps, ends, history, backwards.

use super::world::{World, call, recording};
use crate::oracle::Progress;
use crate::program::Loc;
use crate::session::{
    CellKind, Effect, History, Jump, OutputView, Question, Reply, Setup, Ticket, Unit,
};
use crate::trace::{Exit, Output, Value};
use std::sync::Arc;

fn verified() -> Setup {
    Setup { unit: Unit::Event, verify: true, ..Setup::default() }
}

fn world(lies: &[(usize, super::world::Lie)], setup: Setup) -> World {
    let mut world = World::new(setup);
    world.lies = lies.to_vec();
    world
}

#[test]
fn what_is_right_is_right() {
    let mut world = world(&[], verified());
    world.execute("s;;s;;r;;n;;c");
    let kinds: Vec<CellKind> = world.session.cells().iter().map(|cell| cell.kind).collect();
    assert_eq!(kinds[0], CellKind::Given);
    assert!(kinds[1..].iter().all(|kind| *kind == CellKind::Right), "{kinds:?}");
    assert_eq!((world.session.score().right, world.session.score().wrong), (5, 0));
    assert_eq!(world.session.header().python.as_deref(), Some("3.11.7"));
}

#[test]
fn a_wrong_value_stays_on_the_path() {
    let lie: super::world::Lie = |state| {
        if let Some(locals) = &mut state.locals {
            locals.set("a".into(), Value::from("30"));
        }
    };
    let mut world = world(&[(2, lie)], verified());
    world.execute("s;;n");
    assert_eq!(world.verdict(), "wrong");
    assert_eq!(world.said().last().unwrap(), "CPython: wrong: a: predicted 30, real 3");
    let a = world.session.variables().into_iter().find(|v| &*v.name == "a").unwrap();
    assert_eq!(a.actual.unwrap().text(), "3");
    assert_eq!(a.value.unwrap().text(), "30");
    // Free: the model goes on from its own state. The replay does not know that state.
    world.execute("n");
    assert!(world.said().iter().any(|line| line.contains("the recording has no such state")));
    // Guided: it goes on from the truth, and is right again.
    assert_eq!(world.go("history guided;;n"), "L6");
    assert_eq!(world.verdict(), "right");
    let score = world.session.score();
    assert_eq!((score.right, score.wrong), (2, 1));
}

#[test]
fn another_path_is_off_path_until_resync() {
    // The third answer claims line 6 in the caller while CPython returns.
    let lie: super::world::Lie = |state| {
        state.loc = Loc::main(1);
    };
    let mut world = world(&[(2, lie)], Setup { history: History::Guided, ..verified() });
    world.execute("s;;n");
    assert_eq!(world.verdict(), "wrong");
    // Guided history is on the path again at once.
    world.execute("n");
    assert_eq!((world.at().as_str(), world.verdict()), ("L6", "right"));

    let mut free = World::new(verified());
    free.lies = vec![(2, lie)];
    free.execute("s;;n");
    assert_eq!(free.verdict(), "wrong");
    free.said();
    free.execute("resync");
    assert_eq!(free.at(), "L5");
    assert_eq!(free.session.cells().pop().unwrap().kind, CellKind::Given);
    free.execute("n");
    assert_eq!((free.at().as_str(), free.verdict()), ("L6", "right"));
    free.execute("resync");
    assert_eq!(
        free.said().last().unwrap(),
        "the prediction and CPython agree here; there is nothing to correct"
    );
}

/// From anywhere to the first wrong prediction, from a wrong one to the next, from the last to
/// the first again.
#[test]
fn wrong_goes_from_one_wrong_prediction_to_the_next() {
    let mut world = world(&[], Setup { verify: false, unit: Unit::Event, ..Setup::default() });
    world.execute("s;;wrong");
    assert_eq!(world.said().last().unwrap(), "nothing is compared with CPython; v asks to do it");
    let lie: super::world::Lie = |state| state.loc = Loc::main(1);
    let guided = Setup { history: History::Guided, unit: Unit::Event, ..verified() };
    let mut world = self::world(&[], guided.clone());
    world.execute("s;;s;;wrong");
    assert_eq!(world.said().last().unwrap(), "no prediction of this path is known to be wrong");
    let mut world = self::world(&[(1, lie), (3, lie)], guided);
    world.execute("s;;s;;s;;s;;s");
    let mut places = Vec::new();
    for _ in 0..3 {
        world.execute("wrong");
        assert_eq!(world.verdict(), "wrong");
        places.push(world.session.mark());
    }
    assert_eq!(places[0], places[2]);
    assert!(places[0] < places[1], "{places:?}");
}

/// The first wrong step of a chained jump makes the jump wrong, even if it stops where
/// CPython does; the score counts each step by its own verdict.
#[test]
fn a_chain_is_wrong_on_the_way() {
    let lie: super::world::Lie = |state| {
        if let Some(locals) = &mut state.locals {
            locals.set("x".into(), Value::from("5"));
        }
    };
    let setup = Setup { jump: Jump::Chained, history: History::Guided, ..verified() };
    let table = [
        // At a state that is right in every component, and at the end of the program.
        ("s;;n", "L5", "wrong on the way: step 3 of 4: x: predicted 5, real 2", (4, 1)),
        ("s;;c", "normal", "wrong on the way: step 3 of 10: x: predicted 5, real 2", (10, 1)),
        // Without a step before its stop a movement is judged as that one step.
        ("s;;s;;s;;s;;s", "L5", "right", (4, 1)),
    ];
    for (commands, at, verdict, score) in table {
        let mut world = world(&[(4, lie)], setup.clone());
        world.execute(commands);
        assert_eq!((world.at().as_str(), world.said().last().unwrap()), (at, &said(verdict)));
        let real = world.session.score();
        assert_eq!((real.right, real.wrong), score, "{commands}");
        let right = world.session.cells().pop().unwrap().kind == CellKind::Right;
        assert_eq!(right, verdict == "right");
    }

    // Its steps and its stop keep their own verdicts.
    let mut guided = world(&[(4, lie)], setup.clone());
    guided.execute("s;;n");
    let verdicts = |world: &World| -> Vec<&str> {
        world.session.present().unwrap().steps().map(|step| step.verdict.name()).collect()
    };
    assert_eq!(verdicts(&guided), ["right", "right", "wrong", "right"]);

    // A wrong stop says what is wrong there, and where that began.
    let mut both = world(&[(4, lie), (5, |state| state.loc = Loc::main(6))], setup);
    both.execute("s;;n");
    let line = both.said().pop().unwrap();
    assert!(line.starts_with("CPython: wrong: "), "{line}");
    assert!(line.ends_with(" (first at step 3 of 4: x: predicted 5, real 2)"), "{line}");
}

/// An end predicted too early, after the way was lost, says both.
#[test]
fn an_early_end_says_where_the_way_was_lost() {
    let setup = Setup { jump: Jump::Chained, ..verified() };
    let mut world = world(&[(3, |state| state.loc = Loc::main(1))], setup);
    world.early_end = Some(4);
    world.execute("s;;n");
    assert_eq!((world.at().as_str(), world.verdict()), ("normal", "ended early"));
    let line = world.said().pop().unwrap();
    assert!(line.contains("(first at step 2 of 3: "), "{line}");
}

fn said(verdict: &str) -> String {
    format!("CPython: {verdict}")
}

#[test]
fn ends() {
    let mut early = World::new(verified());
    early.early_end = Some(2);
    early.execute("s;;n");
    assert_eq!((early.at().as_str(), early.verdict()), ("normal", "ended early"));
    assert_eq!(early.session.cells().pop().unwrap().kind, CellKind::Wrong);

    let run = "C3 n=2\nL4 n=2\n.C1 x=2";
    let cut = recording(run, Exit::Cut);
    let mut world = World::of(super::world::SOURCE, call("f(2)"), cut, verified());
    world.execute("s;;s;;s");
    assert_eq!((world.at().as_str(), world.verdict()), ("cut", "truth cut"));
}

#[test]
fn backwards_is_never_wrong() {
    let lie: super::world::Lie = |state| {
        if let Some(locals) = &mut state.locals {
            locals.set("n".into(), Value::from("7"));
        }
    };
    let mut world = world(&[(4, lie)], verified());
    world.execute("s;;n;;bnext");
    assert_eq!((world.at().as_str(), world.verdict()), ("A4", "recorded"));
    assert_eq!(world.session.cells().pop().unwrap().kind, CellKind::Right);
    world.execute("bnext");
    assert_eq!(world.verdict(), "unverifiable");
    assert_eq!(world.session.score().wrong, 0);
}

#[test]
fn consent_comes_first() {
    let mut world = World::new(Setup { verify: false, ..verified() });
    world.execute("s;;verify");
    assert_eq!(
        world.session.question(),
        Some(&Question::Verify("Python 3.11.7, sandboxed".into()))
    );
    world.execute("n");
    assert!(world.recorded.is_empty());
    assert_eq!(world.session.output(), OutputView::NotPredicted);
    world.execute("v;;y");
    assert_eq!(world.recorded.len(), 1);
    assert_eq!(world.verdict(), "right", "what was predicted before is judged now");
    world.said();
    world.execute("verify");
    assert_eq!(world.said(), ["the program is recorded; every step is compared"]);
}

/// Arguments that are no literals are known from the recording only.
#[test]
fn an_entry_that_must_be_run() {
    let truth = recording(super::world::RUN, Exit::Normal);
    let setup = Setup { verify: false, ..verified() };
    let mut world = World::of(super::world::SOURCE, call("f(g(1))"), truth, setup);
    assert!(world.session.present().is_none());
    world.execute("s");
    assert!(world.said().last().unwrap().contains("'verify' runs the program to find it"));
    world.execute("verify;;y");
    assert_eq!(world.at(), "C3");
    assert_eq!(world.go("s"), "L4");
    assert_eq!(world.verdict(), "right");
}

/// What differs from run to run is nobody's mistake.
#[test]
fn what_differs_between_two_runs_is_not_comparable() {
    let other = super::world::RUN.replace("a=3", "a=9");
    let lie: super::world::Lie = |state| {
        if let Some(locals) = &mut state.locals {
            locals.set("a".into(), Value::from("30"));
        }
    };
    let setup = Setup { verify: false, history: History::Guided, ..verified() };
    let mut world = world(&[(2, lie)], setup);
    world.other = Some(recording(&other, Exit::Normal));
    world.execute("verify;;y;;s;;n");
    assert_eq!(world.verdict(), "not comparable");
    world.execute("n");
    assert_eq!(world.verdict(), "right");
    assert_eq!((world.session.score().wrong, world.session.score().other), (0, 1));

    // From where the runs go different ways, a path can be right and never wrong.
    let early: super::world::Lie = |state| state.loc = Loc::main(1);
    let setup = Setup { verify: false, history: History::Guided, ..verified() };
    let mut world = World::new(setup);
    world.lies = vec![(1, early), (3, early)];
    world.other = Some(recording(&super::world::RUN.replace("L5", "L6"), Exit::Normal));
    world.execute("verify;;y;;s");
    assert_eq!(world.verdict(), "wrong");
    world.execute("n");
    assert_eq!((world.at().as_str(), world.verdict()), ("L5", "right"));
    world.execute("n");
    assert_eq!((world.at().as_str(), world.verdict()), ("L1", "not comparable"));
}

/// A guess backwards that is not this run's predecessor is run forwards: one statement
/// from its variables.
#[test]
fn guesses_backwards_are_checked_by_running_them() {
    let lie: super::world::Lie = |state| {
        if let Some(locals) = &mut state.locals {
            locals.set("n".into(), Value::from("7"));
        }
    };
    let table = [
        ("L4 n=7\n.C1 x=7\n.R2 x=7 -> 8\nL5 n=7 a=8", "inconsistent"),
        // A run that reaches the known state although it began elsewhere.
        ("L4 n=7\n.C1 x=7\n.R2 x=7 -> 3\nL5 n=2 a=3", "consistent"),
        ("L4 n=7\n.C1 x=7", "unverifiable"),
    ];
    for (run, verdict) in table {
        let mut world = world(&[(4, lie)], verified());
        let exit = if run.contains("L5") { Exit::Normal } else { Exit::Cut };
        world.runs = vec![("line 4".into(), recording(run, exit))];
        world.execute("s;;n;;jump chained;;bnext");
        assert_eq!((world.at().as_str(), world.asked), ("A4", 3));
        world.execute("jump auto;;bnext");
        assert_eq!(world.at(), "L4");
        assert_eq!((world.entries.last().unwrap().as_str(), world.verdict()), ("line 4", verdict));
        assert_eq!(world.session.score().wrong, 0);
    }
}

/// From a return that was given there is no run, and guesses are checked all the same: a
/// whole call from its arguments.
#[test]
fn a_given_return_has_guesses_that_can_be_checked() {
    let start = crate::program::Entry::Returns {
        function: "f".into(),
        value: "4".into(),
        loc: Some(Loc::main(6)),
    };
    let seven = super::world::RUN.replace("n=2", "n=7");
    let table = [
        ("f(2)", super::world::RUN.to_string(), "consistent"),
        ("f(7)", seven.clone(), "consistent"),
        ("f(7)", seven.replace("-> 4", "-> 9"), "inconsistent"),
    ];
    for (entry, run, verdict) in table {
        let truth = recording(super::world::RUN, Exit::Normal);
        let mut world = World::of(super::world::SOURCE, start.clone(), truth, verified());
        assert!(world.recorded.is_empty(), "there is no run to record");
        world.runs = vec![(entry.into(), recording(&run, Exit::Normal))];
        if entry == "f(7)" {
            world.lies = vec![(1, |state| {
                state.locals.as_mut().unwrap().set("n".into(), Value::from("7"));
            })];
        }
        world.execute("bfinish");
        assert_eq!(world.at(), "C3");
        assert_eq!((world.entries.last().unwrap().as_str(), world.verdict()), (entry, verdict));
    }
}

/// Invented arguments make a call that CPython can run.
#[test]
fn invented_arguments_are_verified_as_a_call() {
    let start = crate::program::Entry::Invent { function: "f".into() };
    let truth = recording(super::world::RUN, Exit::Normal);
    let mut world = World::of(super::world::SOURCE, start, truth, verified());
    assert_eq!(world.session.present().unwrap().stop.origin.name(), "invented");
    assert_eq!(world.entries, ["f(2)"]);
    world.execute("s");
    assert_eq!(world.verdict(), "right");
}

/// The recording judges it; nothing is run once more, and nothing said twice.
#[test]
fn a_guess_made_before_verifying_is_judged_once() {
    let mut world = world(&[], Setup { unit: Unit::Event, ..Setup::default() });
    world.execute("s;;s;;rewind;;bstep");
    world.execute("verify;;y");
    let said = world.said().iter().filter(|line| line.contains("this is what came before")).count();
    assert_eq!((said, world.verdict()), (1, "recorded"));
    assert_eq!(world.entries, ["f(2)"], "one run");
}

/// Verifies with consent; the recording that is asked for is the test's to give.
fn recording_begins(world: &mut World) -> Ticket {
    let asked = |effects: Vec<Effect>| match &effects[..] {
        [Effect::Describe { ticket } | Effect::Record { ticket, .. }] => *ticket,
        other => panic!("{other:?}"),
    };
    world.held = Some(Vec::new());
    world.execute("verify");
    let ticket = asked(world.held.take().unwrap());
    let described = Reply::Described { ticket, result: Ok("Python".into()) };
    assert!(world.session.receive(described).is_empty());
    asked(world.session.answer(true))
}

/// What a line writes is there once it has run, not while it is about to.
#[test]
fn output_is_what_was_written_before() {
    let mut world = World::new(Setup { verify: false, unit: Unit::Event, ..Setup::default() });
    let ticket = recording_begins(&mut world);
    let mut run = (*recording(super::world::RUN, Exit::Normal)).clone();
    let wrote =
        |after: u64| Output { after, stream: "stdout".into(), text: format!("by {}", after - 1) };
    run.output = vec![wrote(1), wrote(2), wrote(4)];
    let effects = world.session.receive(Reply::Recorded { ticket, result: Ok(Arc::new(run)) });
    world.perform(effects);
    for shown in [0, 1, 2, 2, 3] {
        let OutputView::Recorded(pieces) = world.session.output() else { panic!("recorded") };
        assert_eq!(pieces.len(), shown, "at {}", world.at());
        world.execute("s");
    }
}

/// A recording that reads asks the person, the answer goes to the run that asked, and nothing
/// else waits meanwhile; what was answered before is told when it is read again.
#[test]
fn what_a_program_reads_is_asked_for() {
    let mut world = World::new(Setup { verify: false, ..verified() });
    let ticket = recording_begins(&mut world);
    let reads = |prompt: &str| Reply::Progress { ticket, progress: Progress::Reads(prompt.into()) };
    for (prompt, question, line) in
        [("name?", "The program asks: name?", Some("Ada")), ("", "The program reads a line:", None)]
    {
        assert!(world.session.receive(reads(prompt)).is_empty());
        assert_eq!(world.session.question().unwrap().text(), question);
        assert!(world.session.busy().is_none(), "it is the person's turn");
        world.execute("s");
        let line = line.map(str::to_owned);
        match &world.session.enter(line.clone())[..] {
            [Effect::Answer { ticket: to, line: given }] => {
                assert_eq!((*to, given), (ticket, &line));
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(world.session.question(), None);
    }
    assert_eq!(world.at(), ".C1");
    let read = |text: &str| Output { after: 1, stream: "stdin".into(), text: text.into() };
    let mut run = (*recording(super::world::RUN, Exit::Normal)).clone();
    run.output = vec![read("before\nAda\n")];
    world.said();
    let recorded = Reply::Recorded { ticket, result: Ok(Arc::new(run)) };
    let effects = world.session.receive(recorded);
    assert_eq!(world.said()[1], "the program read what was answered before: 'before'");
    world.perform(effects);
    // A question that comes too late is answered by the end of the input, or nobody would.
    let late = world.session.receive(reads("n?"));
    assert!(matches!(&late[..], [Effect::Answer { line: None, .. }]), "{late:?}");
    assert_eq!(world.session.question(), None);
}

/// A long run judges what it can while it goes on: what is not recorded yet is open, not wrong.
#[test]
fn what_is_recorded_so_far_judges_what_it_holds() {
    let mut world = World::new(Setup { verify: false, ..verified() });
    world.execute("s;;s;;s;;s;;s");
    let ticket = recording_begins(&mut world);
    let verdicts = |world: &World| {
        let marks = world.session.timeline.marks();
        let judged = marks.into_iter().filter_map(|mark| world.session.timeline.entry(mark));
        judged.skip(1).map(|entry| entry.stop.verdict.name()).collect::<Vec<_>>()
    };
    let whole = recording(super::world::RUN, Exit::Normal);
    let states: Vec<_> = whole.tree.states().collect();
    let part = |count: usize| {
        let tree = crate::trace::StateTree::from_states(states[..count].to_vec(), Exit::Cut);
        let part = crate::trace::Recording::of(tree.unwrap());
        Reply::Progress { ticket, progress: Progress::Recorded(Arc::new(part)) }
    };
    world.session.receive(part(3));
    let so_far = verdicts(&world);
    let right = so_far.iter().take_while(|name| **name == "right").count();
    assert!(right > 0 && right < so_far.len(), "{so_far:?}");
    assert!(so_far[right..].iter().all(|name| *name == "unverified"), "{so_far:?}");
    assert!(world.session.recorder.is_running());
    let recorded = Reply::Recorded { ticket, result: Ok(whole) };
    let effects = world.session.receive(recorded);
    world.perform(effects);
    let whole = verdicts(&world);
    assert!(whole[..right] == so_far[..right] && !whole.contains(&"unverified"), "{whole:?}");
    // What comes late changes nothing.
    world.session.receive(part(2));
    assert_eq!(verdicts(&world), whole);
}
