//! What a program reads while somebody is there to be asked.

use crate::support::*;
use foretrace::cpython::{self, Attendant, Error, Limits, Options, Python};
use foretrace::trace::{Exit, Recording};
use std::cell::RefCell;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Answers from a list, and notes what it was asked; after the list the input ends.
struct Person {
    lines: Vec<&'static str>,
    asked: RefCell<Vec<(usize, String)>>,
    thinks: Duration,
}

impl Attendant for Person {
    fn line(&self, number: usize, prompt: &str) -> Result<Option<String>, Error> {
        std::thread::sleep(self.thinks);
        self.asked.borrow_mut().push((number, prompt.into()));
        Ok(self.lines.get(number).map(|line| (*line).to_owned()))
    }
}

fn person(lines: &[&'static str]) -> Person {
    Person { lines: lines.into(), asked: RefCell::default(), thinks: Duration::ZERO }
}

fn run(python: &Python, source: &str, person: &Person) -> Recording {
    with(&options(python), source, person)
}

fn with(options: &Options, source: &str, person: &Person) -> Recording {
    let never = AtomicBool::new(false);
    cpython::record_attended(&text(source), options, &[], person, &never).expect("recorded")
}

/// Counts the states that it is told of.
#[derive(Default)]
struct Watcher(RefCell<Vec<Recording>>);

impl Attendant for Watcher {
    fn line(&self, _: usize, _: &str) -> Result<Option<String>, Error> {
        Ok(None)
    }

    fn so_far(&self, recording: Recording) {
        self.0.borrow_mut().push(recording);
    }
}

/// A long run tells what it has recorded while it goes on, each time the beginning of the next.
#[test]
fn a_long_run_tells_what_is_recorded_so_far() {
    for python in pythons() {
        let never = AtomicBool::new(false);
        let watcher = Watcher::default();
        let program = text("n = 0\nwhile n < 1000:\n    n += 1\n");
        let whole = cpython::record_attended(&program, &options(&python), &[], &watcher, &never);
        let whole = whole.expect("recorded");
        let told = watcher.0.into_inner();
        let sizes: Vec<usize> = told.iter().map(|recording| recording.tree.len()).collect();
        // a machine that is busy may make it tell more often
        let steps = std::iter::once(0).chain(sizes.iter().copied());
        let grows =
            |(before, size): (usize, &usize)| before < *size && *size <= 100.max(4 * before);
        assert!(
            steps.zip(&sizes).all(grows) && 4 * sizes.last().unwrap_or(&0) >= whole.tree.len(),
            "{sizes:?}"
        );
        for part in &told {
            assert_eq!((part.tree.exit(), &part.python), (Exit::Cut, &whole.python));
            assert!(part.tree.states().zip(whole.tree.states()).all(|(a, b)| a == b));
        }
    }
}

/// A person who is asked, or waits for a program that waits, can look at what led there.
#[test]
fn a_run_that_waits_tells_what_it_has_done() {
    let read = "n = 1\nname = input('name? ')\nm = 2\n";
    let slept = "import time\nn = 1\ntime.sleep(0.6)\nm = 2\ntime.sleep(0.6)\nk = 3\n";
    for python in pythons() {
        for (source, line) in [(read, 2), (slept, 4)] {
            let never = AtomicBool::new(false);
            let watcher = Watcher::default();
            let options = options(&python);
            let whole = cpython::record_attended(&text(source), &options, &[], &watcher, &never)
                .expect("recorded");
            let told = watcher.0.into_inner();
            let part = &told.last().expect("told").tree;
            assert!(part.len() < whole.tree.len());
            assert!(part.states().any(|state| state.loc.line == line), "{source} {}", part.len());
        }
    }
}

/// A debugger within the program would read keys, and end the recording.
#[test]
fn the_program_s_own_breakpoints_are_passed_over() {
    for python in pythons() {
        let person = person(&[]);
        let source = "a = 1\nbreakpoint()\nb = 2\n";
        let recording = run(&python, source, &person);
        assert_eq!(recording.tree.exit(), Exit::Normal, "{}", recording.note);
        assert_eq!(ends_with(&recording), ["a=1", "b=2"]);
        assert_eq!(asked(&person), [""; 0]);
    }
}

/// The variables at the end, as `name=value`.
fn ends_with(recording: &Recording) -> Vec<String> {
    let last = recording.tree.state(recording.tree.len() as u32 - 1);
    let locals = last.locals.expect("locals");
    locals.iter().map(|(name, value)| format!("{name}={value}")).collect()
}

fn asked(person: &Person) -> Vec<String> {
    let asked = person.asked.borrow();
    let numbers: Vec<usize> = asked.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, (0..asked.len()).collect::<Vec<_>>());
    asked.iter().map(|(_, prompt)| prompt.clone()).collect()
}

#[test]
fn each_way_to_read_asks_with_what_was_printed_last() {
    // The program; what is answered; the questions; the variables at the end.
    type Row =
        (&'static str, &'static [&'static str], &'static [&'static str], &'static [&'static str]);
    let table: &[Row] = &[
        (
            "a = input('name? ')\nb = int(input(f'{a}, how many? '))\n",
            &["Zoë", "3"],
            &["name?", "Zoë, how many?"],
            &["a='Zoë'", "b=3"],
        ),
        (
            "print('A number, please:')\nn = input()\nm = input()\n",
            &["1", ""],
            &["A number, please:", ""],
            &["n='1'", "m=''"],
        ),
        (
            "import sys\nprint('text', end='\\n\\n')\nlines = [line for line in sys.stdin]\n",
            &["x", "y z"],
            &["text", "", ""],
            &["line='y z\\n'", "lines=['x\\n', 'y z\\n']"],
        ),
        (
            "import sys\ns = sys.stdin.read(3)\nb = sys.stdin.buffer\nt = sys.stdin.readline()\ndel b\n",
            &["abcd"],
            &[""],
            &["s='abc'", "t='d\\n'"],
        ),
        (
            "over = 0\nfor _ in range(3):\n    try:\n        n = input('n: ')\n    except EOFError:\n        over += 1\n",
            &["7"],
            &["n:", "n:"],
            &["over=2", "_=2", "n='7'"],
        ),
        // What nobody can answer in order with the states.
        (
            "import threading\nfound = []\ndef read():\n    try:\n        input('?')\n    except EOFError:\n        found.append('over')\nt = threading.Thread(target=read)\nt.start()\nt.join()\ndel t\n",
            &["no"],
            &[],
            &["found=['over']"],
        ),
    ];
    for python in pythons() {
        for (source, lines, questions, wanted) in table {
            let person = person(lines);
            let recording = run(&python, source, &person);
            assert_eq!(asked(&person), *questions, "{source}");
            let found = ends_with(&recording);
            let found: Vec<_> = found.iter().filter(|row| !row.starts_with("line=")).collect();
            let wanted: Vec<_> = wanted.iter().filter(|row| !row.starts_with("line=")).collect();
            assert_eq!(found, wanted, "{source}: {}", recording.note);
            assert_eq!(recording.tree.exit(), Exit::Normal, "{source}");
        }
    }
}

#[test]
fn the_recording_tells_what_was_read_and_when() {
    for python in pythons() {
        let recording = run(&python, "a = input('a? ')\nb = input('b? ')\n", &person(&["1", "2"]));
        let pieces: Vec<_> = recording
            .output
            .iter()
            .map(|piece| (piece.after, &*piece.stream, &*piece.text))
            .collect();
        let (first, second) = (2, 3); // After the call and one line, or two.
        let wanted = [
            (first, "stdout", "a? "),
            (first, "stdin", "1\n"),
            (second, "stdout", "b? "),
            (second, "stdin", "2\n"),
        ];
        assert_eq!(pieces, wanted);
    }
}

/// What is given with `--stdin` is all there is.
#[test]
fn nobody_is_asked_where_the_input_is_given() {
    for python in pythons() {
        let person = person(&["no"]);
        let options = Options { stdin: Some("yes\n".into()), ..options(&python) };
        let recording = with(&options, "a = input('a? ')\n", &person);
        assert_eq!(ends_with(&recording), ["a='yes'"]);
        assert_eq!(asked(&person), [""; 0]);
    }
}

/// The three clocks of a run (the recorder's, the server's, foretrace's own, which ends last) all
/// stand still; and they go on afterwards.
#[test]
fn a_person_may_take_longer_than_the_program_may() {
    let python = &pythons()[0];
    let person = Person { thinks: Duration::from_secs(8), ..person(&["1"]) };
    let limits = Limits { seconds: 2.5, ..Limits::default() };
    let options = Options { limits, ..options(python) };
    let source = "import time\nn = input('n? ')\nm = n\nk = m\ntime.sleep(60)\n";
    let recording = with(&options, source, &person);
    assert_eq!(recording.tree.exit(), Exit::Cut);
    assert_eq!(recording.note, "stopped after 2.5 seconds");
    assert_eq!(ends_with(&recording), ["n='1'", "m='1'", "k='1'"]);
}

#[test]
fn a_question_that_is_cancelled_ends_the_run() {
    struct Gone;
    impl Attendant for Gone {
        fn line(&self, _: usize, _: &str) -> Result<Option<String>, Error> {
            Err(Error::Cancelled)
        }
    }
    for python in pythons() {
        let never = AtomicBool::new(false);
        let program = text("input('?')\n");
        let result = cpython::record_attended(&program, &options(&python), &[], &Gone, &never);
        assert!(matches!(result, Err(Error::Cancelled)));
    }
}

/// A child that the program forks reads nothing, and an answer that nobody waits for is no job.
#[test]
fn a_fork_is_not_asked_for() {
    let source = "
import os
a = input('a? ')
if not os.fork():
    try:
        input('child? ')
    finally:
        os._exit(0)
os.wait()
b = input('b? ')
";
    for python in pythons() {
        let person = person(&["1", "2"]);
        let recording = run(&python, source, &person);
        assert_eq!(asked(&person), ["a?", "b?"]);
        assert_eq!(ends_with(&recording), ["a='1'", "b='2'"], "{}", recording.note);
    }
}
