//! What is typed, and what it means; and that nothing typed breaks a session.

use super::world::World;
use crate::session::parse::{parse, split};
use crate::session::{COMMANDS, Command, Go, LogKind, Setup, find_command};
use crate::trace::Direction::{Forward, Inverse};
use proptest::prelude::*;
use std::collections::HashSet;

#[test]
fn every_command_is_documented_and_its_words_are_its_own() {
    let mut words = HashSet::new();
    for row in COMMANDS {
        assert!(row.doc.len() > 8, "{}", row.name);
        assert!(row.doc.starts_with(|c: char| c.is_lowercase()), "{}: {}", row.name, row.doc);
        for word in std::iter::once(&row.name).chain(row.aliases) {
            assert!(words.insert(*word), "{word} means two commands");
            assert_eq!(find_command(word), Some(row));
        }
    }
}

/// A word that is a command is the command; with an operator behind it, it is Python.
#[test]
fn commands_and_python() {
    let print = |expression: &str| Command::Print { expression: expression.into(), pretty: false };
    let edit = |name: &str, value: &str| Command::Edit { name: name.into(), value: value.into() };
    let names = ["c", "n", "r", "p", "x"];
    let table = [
        ("c", Command::Go(Go::Continue(Forward))),
        ("!c", print("c")),
        ("c.a", print("c.a")),
        ("c[0]", print("c[0]")),
        ("n()", print("n()")),
        ("n + 1", print("n + 1")),
        ("n == 1", print("n == 1")),
        ("j=1", edit("j", "1")),
        ("n = 3", edit("n", "3")),
        ("n=3", edit("n", "3")),
        ("x += 2", edit("x", "x + (2)")),
        ("!x = [1, 2]", edit("x", "[1, 2]")),
        ("x", print("x")),
        ("x.y", print("x.y")),
        ("-x", print("-x")),
        ("not x", print("not x")),
        ("[1, 2]", print("[1, 2]")),
        ("p -x", print("-x")),
        ("p (1)", print("(1)")),
        ("p x == 3", print("x == 3")),
        ("pp(x)", Command::Print { expression: "(x)".into(), pretty: true }),
        ("c 6", Command::Go(Go::Until(Some(6)))),
        ("s", Command::Go(Go::Into(Forward))),
        ("rs", Command::Go(Go::Into(Inverse))),
        ("reverse-next", Command::Go(Go::Over(Inverse))),
        ("?", Command::Help(None)),
        ("?b", Command::Help(Some("b".into()))),
        ("h b", Command::Help(Some("b".into()))),
        ("l .", Command::List(crate::session::Listing::Here)),
        ("l 3, 9", Command::List(crate::session::Listing::Range(3, 9))),
        ("l 9, 3", Command::List(crate::session::Listing::Range(9, 12))),
        ("u 2", Command::Up(2)),
        ("condition 1", Command::Condition(1, None)),
        ("commands", Command::Commands(None)),
        ("commands 2", Command::Commands(Some(2))),
        ("condition 1 x > 2", Command::Condition(1, Some("x > 2".into()))),
    ];
    for (line, command) in table {
        assert_eq!(parse(line, &names), Ok(command), "{line}");
    }
}

#[test]
fn what_is_no_command_is_said_in_one_line() {
    let table = [
        ("stpe", "'stpe' is no command and no variable here; did you mean 'step'?"),
        ("contineu", "'contineu' is no command and no variable here; did you mean 'continue'?"),
        ("brake 4", "'brake' is no command and no variable here; did you mean 'break'?"),
        ("zzzzz", "'zzzzz' is no command and no variable here; 'help' lists the commands"),
        ("S", "'S' is a key of the screen; here type 'bstep' or 'rs'"),
        ("F", "'F' is a key of the screen; here type 'bfinish' or 'rf'"),
        ("x", "'x' is a key of the screen; here type 'wrong'"),
        ("jump sideways", "usage: jump [auto|direct|chained]"),
        (
            "jump 3",
            "the next line cannot be set: 'advance 3' predicts on to it, and opening the file with \
             --at 3 starts there; here 'jump' says how jumps are answered: auto, direct or chained",
        ),
        ("s foo", "usage: step"),
        ("p", "usage: p EXPRESSION"),
        ("display", ""),
        ("unt x", "usage: until [LINE]"),
        ("goto a.b", "usage: goto STEP|SEGMENT.STEP"),
        ("history maybe", "usage: history [free|guided]"),
        (
            "import os",
            "'import' statements are not run: nothing executes here; NAME = VALUE rewrites a variable",
        ),
        ("x =", "usage: ! NAME = VALUE"),
        ("!", "usage: ! NAME = VALUE, or ! EXPRESSION"),
    ];
    for (line, why) in table {
        match parse(line, &[]) {
            Err(said) => assert_eq!(said, why, "{line}"),
            Ok(_) => assert_eq!(why, "", "{line}"),
        }
    }
}

#[test]
fn addresses() {
    use crate::session::Address;
    use crate::session::parse::address;
    let line = |file: Option<&str>, line| Some(Address::Line { file: file.map(Into::into), line });
    let function = |file: Option<&str>, name: &str| {
        Some(Address::Function { file: file.map(Into::into), name: name.into() })
    };
    let table = [
        ("12", line(None, 12)),
        ("a.py:12", line(Some("a.py"), 12)),
        ("C:\\x y\\a.py:12", line(Some("C:\\x y\\a.py"), 12)),
        ("f", function(None, "f")),
        ("Stack.push", function(None, "Stack.push")),
        ("a.py:f()", function(Some("a.py"), "f")),
        (":12", None),
        ("12x", None),
        ("f g", None),
    ];
    for (text, place) in table {
        assert_eq!(address(text), place, "{text}");
    }
}

#[test]
fn several_commands_on_a_line() {
    assert_eq!(split("s;;n ;; c"), ["s", "n", "c"]);
    assert_eq!(split("p ';;' ;;s"), ["p ';;'", "s"]);
    assert_eq!(split(";;"), [""; 0]);
}

/// The hint that a variable has a command's name comes once.
#[test]
fn a_variable_named_like_a_command() {
    let mut world = World::new(Setup::default());
    world.execute("s");
    world.said();
    world.execute("n;;n;;!n");
    let hints = world.said().into_iter().filter(|line| line.contains("'!n' prints")).count();
    assert_eq!(hints, 1);
    assert_eq!(world.session.log().last().unwrap().text, "2");
    assert_eq!(world.session.log().last().unwrap().kind, LogKind::Value);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever is typed, the session survives, ends idle, and rewinding undoes a step.
    #[test]
    fn nothing_typed_breaks_a_session(
        words in prop::collection::vec(0usize..24, 1..30),
        noise in ".{0,12}",
    ) {
        const WORDS: [&str; 24] = [
            "s", "n", "r", "c", "unt", "rs", "rn", "rf", "rc", "rewind", "redo", "goto 0", "b 2",
            "b g", "tbreak 5", "cl", "u", "d", "!n = 5", "a = 1", "verify", "y", "resync", "n",
        ];
        let mut world = World::new(Setup::default());
        for word in words {
            let before = world.session.present().cloned();
            let (mark, entries) = (world.session.mark(), world.session.visits().len());
            world.execute(WORDS[word]);
            prop_assert!(world.session.busy().is_none());
            let moved = world.session.mark() != mark;
            let undone = matches!(WORDS[word], "rewind" | "redo" | "goto 0");
            if moved && !undone && world.session.visits().len() > entries && WORDS[word] != "y" {
                world.execute("rewind");
                prop_assert_eq!(world.session.present(), before.as_ref());
                world.execute("redo");
            }
        }
        world.execute(&noise);
        prop_assert!(world.session.busy().is_none());
    }
}
