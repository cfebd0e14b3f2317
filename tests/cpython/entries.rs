//! Where a recording begins; edits; the outline by CPython; expressions over literals.

use crate::support::{
    call, file, fixture, fixtures, options, pythons, record, rows, text, try_record,
};
use foretrace::cpython::{self, Error, Evaluator};
use foretrace::program::{Entry, Loc, Outline, SourceFile};
use foretrace::trace::{Edit, Exit, Value};
use std::sync::atomic::AtomicBool;

const SOURCE: &str = "\
import functools

print('loading', __name__)


def noted(function):
    @functools.wraps(function)
    def wrapper(*args):
        return function(*args)
    return wrapper


@noted
def double(n):
    m = n * 2
    return m


class Box:
    def __init__(self, size):
        self.size = size

    def grow(self, by=1):
        self.size += by
        return self.size


def numbers(top):
    for n in range(top):
        yield n


async def answer():
    return 42


def fails(x):
    raise ValueError(x)


if __name__ == '__main__':
    raise SystemExit('not here')
";

/// Statements and expressions of each kind that all versions know.
const ALL_KINDS: &str = r#"'''doc'''
import os.path, sys as system
from math import *
from math import (pi as half_turn, e,
    )
if __debug__: a = 1; b = 2
elif a: pass
else:
    b = a if 1 else 2
x: int
y: "list[int]" = [i + j for i in range(3) if i for j in [i]]
total: int = 0
total += (yes := 3)
def f(a, /, b=1, *args: int, c, d={1: (2,
        3)}, **kw) -> str:
    "doc"
    global total
    z: int
    ...
    3
    del a, b
    return lambda p, q=b: p.r(q)[1:2, ::3].s
@f.g(1)
async def co(xs):
    async with xs as x, xs: await x
    async for (k, *l) in xs:
        yield [m async for m in xs]
    else:
        assert l, "no"
    return
class C(object, metaclass=type):
    """doc"""
    @property
    def p(self):
        def inner():
            nonlocal_ = self
            yield from (v for v in self if v)
        while True:
            try:
                raise ValueError from None
            except (ValueError, TypeError) as error:
                break
            except:
                continue
            else: pass
            finally:
                print(f"{error!r:>{self.w}} {a}")
        with open(
            "f"
        ) as g: return {**g, 1: not g}
t = sum(
    n * 2
    for n in
    {1, 2}) < 3 <= -4
for i in (): print(*t, sep=b"x")
u = {k: v for k, v in t.items()}
"#;

/// The call's recording without its first lines of output, as rows.
fn traced(python: &cpython::Python, expression: &str) -> Vec<String> {
    let recording = record(python, &call(SOURCE, expression));
    assert_eq!(recording.output.first().map(|o| o.after), Some(0), "the module body ran before");
    rows(&recording)
}

#[test]
fn a_call_is_recorded_from_the_called_function_on() {
    for python in pythons() {
        let table: [(&str, &[&str]); 6] = [
            (
                "double(4)",
                &["call 14 double n=4", "line 15", "line 16 m=8", "return 16 -> 8", "exit normal"],
            ),
            (
                "Box(2)",
                &[
                    "call 20 __init__ self=Box() size=2",
                    "line 21",
                    "return 21 self=Box(size=2) -> None",
                    "exit normal",
                ],
            ),
            (
                "Box(2).grow(by=3)",
                &[
                    "call 23 grow self=Box(size=2) by=3",
                    "line 24",
                    "line 25 self=Box(size=5)",
                    "return 25 -> 5",
                    "exit normal",
                ],
            ),
            (
                "numbers(1)",
                &[
                    "call 28 numbers top=1",
                    "line 29",
                    "line 30 n=0",
                    "yield 30 -> 0",
                    "resume 30",
                    "line 29",
                    "return 29 -> None",
                    "exit normal",
                ],
            ),
            ("answer()", &["call 33 answer", "line 34", "return 34 -> 42", "exit normal"]),
            (
                "fails(double(1))",
                &["call 37 fails x=2", "line 38", "exception 38 ! ValueError(2)", "exit error"],
            ),
        ];
        for (expression, wanted) in table {
            let mut program = call(SOURCE, expression);
            if let Entry::Call { function, .. } = &mut program.entry
                && expression.contains(".grow")
            {
                *function = "Box.grow".into();
            }
            let found = rows(&record(&python, &program));
            assert_eq!(found, wanted, "{expression} on Python {}", python.version());
        }
        assert!(traced(&python, "double(1)").len() == 5);
    }
}

#[test]
fn a_recording_can_begin_at_a_line_with_given_variables() {
    const SOURCE: &str = "\
import math
def f(a, b, *c):
    t = 0
    while a > 0:
        t += b
        a -= 1
    for i in range(2):
        t += i
    return t
class K:
    def m(self, x):
        y = x + 1
        def inner(z):
            return z + y
        return inner(y)
def g(n):
    yield n
    yield n + 1
x = 1
z = math.floor(f(x, 2))
";
    type Row<'a> = (u32, &'a [(&'a str, &'a str)], &'a [&'a str]);
    let table: [Row<'_>; 6] = [
        (
            6,
            &[("t", "11"), ("b", "10"), ("a", "1")],
            &[
                "line 6 t=11 b=10 a=1",
                "line 4 a=0",
                "line 7",
                "line 8 i=0",
                "line 7",
                "line 8 i=1",
                "line 7 t=12",
                "line 9",
                "return 9 -> 12",
                "exit normal",
            ],
        ),
        (9, &[("t", "[]")], &["line 9 t=[]", "return 9 -> []", "exit normal"]),
        (14, &[("z", "1"), ("y", "2")], &["line 14 z=1 y=2", "return 14 -> 3", "exit normal"]),
        (
            18,
            &[("n", "1")],
            &["line 18 n=1", "yield 18 -> 2", "resume 18", "return 18 -> None", "exit normal"],
        ),
        (
            20,
            &[("x", "0")],
            &[
                "line 20 x=0",
                "  call 2 f a=0 b=2 c=()",
                "  line 3",
                "  line 4 t=0",
                "  line 7",
                "  line 8 i=0",
                "  line 7",
                "  line 8 i=1",
                "  line 7 t=1",
                "  line 9",
                "  return 9 -> 1",
                "return 20 z=1 -> None",
                "exit normal",
            ],
        ),
        (15, &[("y", "1")], &["line 15 y=1", "exception 15 ! ", "exit error"]),
    ];
    let at = |line, locals: &[(&str, &str)]| foretrace::program::Program {
        entry: Entry::At {
            loc: Loc::main(line),
            locals: locals.iter().map(|(n, v)| ((*n).into(), (*v).into())).collect(),
        },
        ..text(SOURCE)
    };
    for python in pythons() {
        for (line, locals, wanted) in &table {
            let found = rows(&record(&python, &at(*line, locals)));
            let what = format!("line {line} on Python {}: {found:#?}", python.version());
            assert_eq!(found.len(), wanted.len(), "{what}");
            let same = found.iter().zip(*wanted).all(|(found, wanted)| {
                found == wanted || wanted.ends_with("! ") && found.starts_with(wanted)
            });
            assert!(same, "{what}");
        }
        let refused = try_record(&python, &at(8, &[("t", "1")]), &[]).expect_err("in a for loop");
        assert!(refused.to_string().starts_with("CPython cannot start at line 8: "), "{refused}");
    }
}

#[test]
fn an_entry_that_cannot_be_reached_is_one_clear_line() {
    let python = &pythons()[0];
    for (program, wanted) in [
        (
            call(SOURCE, "double()"),
            "double(): TypeError: double() missing 1 required positional argument: 'n'",
        ),
        (call(SOURCE, "nothing(1)"), "nothing: NameError: name 'nothing' is not defined"),
        (call(SOURCE, "print(1)"), "print(1): no function of the program was entered"),
        (
            call("x = 1\n1 / x - 1 / 0\ndef f(): pass\n", "f()"),
            "the module raised ZeroDivisionError: division by zero at line 2 before f() could be called",
        ),
        (text("def f(:\n    pass\n"), "program.py:1: "),
    ] {
        let error = try_record(python, &program, &[]).expect_err("no recording");
        assert!(error.to_string().starts_with(wanted), "{error}");
        assert!(!error.to_string().contains('\n'), "{error}");
    }
    let invent = foretrace::program::Program {
        entry: Entry::Invent { function: "double".into() },
        ..text(SOURCE)
    };
    let error = try_record(python, &invent, &[]).expect_err("no recording");
    assert!(
        matches!(error, Error::Unsupported(_)) && error.to_string().contains("--entry"),
        "{error}"
    );
}

#[test]
fn an_edit_changes_the_real_run_at_its_state() {
    let source = "def f(n):\n    while n:\n        n -= 1\n    return n\n\n\nx = f(5)\ny = x + 1\n";
    for python in pythons() {
        let edit =
            |at, name: &str, value: &str| Edit { at, name: name.into(), value: value.into() };
        // State 4 is `line 2` of f: one pass instead of five.
        let edits = [edit(4, "n", "1"), edit(8, "x", "[7]")];
        let recording = try_record(&python, &text(source), &edits).expect("a recording");
        let wanted = [
            "call 1 <module>",
            "line 1",
            "line 7",
            "  call 1 f n=5",
            "  line 2 n=1",
            "  line 3",
            "  line 2 n=0",
            "  line 4",
            "  return 4 x=[7] -> 0",
        ];
        let found = rows(&recording);
        // The last edit names a variable that f does not have.
        assert_eq!(found[..8], wanted[..8], "Python {}", python.version());
        assert!(
            recording.note.contains("x could not be set: f has no such variable"),
            "{}",
            recording.note
        );
        assert_eq!(recording.edits, edits);

        let module = [edit(9, "x", "[7]")];
        let found = rows(
            &try_record(&python, &text("x = 1\ny = x\nz = x\n"), &[edit(2, "x", "(2, 3)")])
                .expect("a recording"),
        );
        assert_eq!(
            found[2..5],
            ["line 2 x=(2, 3)", "line 3 y=(2, 3)", "return 3 z=(2, 3) -> None"],
            "{module:?}"
        );
    }
}

#[test]
fn recording_can_be_cancelled() {
    let python = &pythons()[0];
    let cancelled = AtomicBool::new(true);
    let program = text("while True: pass\n");
    let result = cpython::record(&program, &options(python), &[], &cancelled);
    assert!(matches!(result, Err(Error::Cancelled)));
}

#[test]
fn another_file_of_the_program_is_seen_and_a_library_is_not() {
    let python = &pythons()[0];
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        path
    };
    let helper = write("helper.py", "def up(n):\n    return n + 1\n");
    write("hidden.py", "def down(n, f):\n    return f(n - 1)\n");
    let main = write("main.py", "import helper, hidden\nx = hidden.down(3, helper.up)\n");
    let mut program = file(&main);
    program.files.extend(file(&helper).files);
    let recording = record(python, &program);
    assert_eq!(recording.tree.exit(), Exit::Normal, "{}", recording.note);
    let call = (0..recording.tree.len() as u32)
        .find(|&n| {
            recording.tree.loc(n) == Loc { file: 1, line: 1 }
                && &**recording.tree.function(n) == "up"
        })
        .expect("the helper's frame");
    let caller = recording.tree.parent(call).expect("a caller");
    assert_eq!(recording.tree.loc(caller), Loc { file: 0, line: 2 });
    assert!(!rows(&recording).iter().any(|row| row.contains("down")));
}

#[test]
fn a_program_reads_the_input_that_is_given() {
    let source = "
import sys
n = int(input('how many? '))
name = input()
rest = sys.stdin.readlines()
try:
    input()
except EOFError:
    over = True
";
    for python in pythons() {
        let stdin = Some("3\nZoë\nx\ny".into());
        let options = cpython::Options { stdin, ..options(&python) };
        let never = AtomicBool::new(false);
        let recording = cpython::record(&text(source), &options, &[], &never).expect("recorded");
        let last = recording.tree.state(recording.tree.len() as u32 - 1);
        let locals = last.locals.expect("locals");
        let found: Vec<_> = locals.iter().map(|(n, v)| format!("{n}={v}")).collect();
        let wanted = ["n=3", "name='Zoë'", "rest=['x\\n', 'y']", "over=True"];
        assert_eq!(found, wanted, "{} {}", python.version(), recording.note);
        assert_eq!(recording.output[0].text, "how many? ");
    }
}

#[test]
fn a_module_of_a_package_has_its_relative_imports() {
    let folder = tempfile::tempdir().expect("a folder");
    let inner = folder.path().join("outer/inner");
    std::fs::create_dir_all(&inner).expect("folders");
    let write = |path: &str, text: &str| {
        let path = folder.path().join("outer").join(path);
        std::fs::write(&path, text).expect("written");
        path
    };
    write("__init__.py", "size = 2\n");
    write("inner/__init__.py", "");
    write("near.py", "def up(n):\n    return n + 1\n");
    write("inner/beside.py", "from ..near import up\n");
    let main = write(
        "inner/main.py",
        "from .. import size\nfrom . import beside\nfrom outer.near import up\nx = up(size)\ny = beside.up(x)\n",
    );
    for python in pythons() {
        let recording = record(&python, &file(&main));
        let last = rows(&recording);
        assert_eq!(
            last[last.len() - 2..],
            ["return 5 y=4 -> None", "exit normal"],
            "{} {}",
            python.version(),
            recording.note
        );
    }
}

#[test]
fn expressions_over_literals_are_evaluated_without_the_program() {
    let mut evaluator = Evaluator::default();
    let never = AtomicBool::new(false);
    let locals: Vec<(std::sync::Arc<str>, Value)> =
        vec![("xs".into(), "[1, 2]".into()), ("f".into(), "<function f at 0x>".into())];
    let mut ask = |expression: &str| {
        evaluator
            .evaluate(expression, &locals, &never)
            .map(|value| value.text().to_owned())
            .map_err(|e| e.to_string())
    };
    assert_eq!(ask("[x + len(xs) for x in xs]"), Ok("[3, 4]".into()));
    assert_eq!(ask("xs[5]"), Err("IndexError: list index out of range".into()));
    assert_eq!(ask("f(1)"), Err("only the text of 'f' is known: <function f at 0x>".into()));
    assert_eq!(ask("g(1)"), Err("NameError: name 'g' is not defined".into()));
    assert_eq!(ask("10 ** 5000"), Ok("<int, 5001 digits>".into()));
    assert!(ask("__import__('os')._exit(3)").is_err());
    assert!(ask("open('/etc/hosts', 'w')").is_err(), "no writes");
    assert_eq!(ask("locals()"), Ok("{'xs': [1, 2], 'f': <function f at 0x>}".into()));
    assert_eq!(ask("[dir(), sorted(vars())]"), Ok("[['f', 'xs'], ['f', 'xs']]".into()));
    assert_eq!(ask("1 +"), ask("1 +"), "and it lives on");
    assert_eq!(ask("xs"), Ok("[1, 2]".into()));
}

/// A person who goes on does not wait for an answer that is no longer wanted.
#[test]
fn an_evaluation_is_cancelled_and_the_next_one_answers() {
    let mut evaluator = Evaluator::default();
    let cancel = AtomicBool::new(false);
    let endless = "sum(range(10 ** 13))";
    let ended = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(300));
            cancel.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        evaluator.evaluate(endless, &[], &cancel)
    });
    assert!(matches!(ended, Err(Error::Cancelled)), "{ended:?}");
    let never = AtomicBool::new(false);
    assert_eq!(evaluator.evaluate("1 + 1", &[], &never).expect("a value").text(), "2");
    let late = evaluator.evaluate(endless, &[], &never);
    assert!(matches!(&late, Err(Error::Raised(why)) if why.contains("took more than")), "{late:?}");
}

#[test]
fn the_attributes_of_an_instance_are_read_from_its_text() {
    let mut evaluator = Evaluator::default();
    let never = AtomicBool::new(false);
    let locals: Vec<(std::sync::Arc<str>, Value)> = [
        (
            "self",
            "Stack(items=[Point(x=1, y=-2), Point(x=3, y=4)], _top=Node(next=Node(...)), n=inf)",
        ),
        ("cut", "Point(x=[1, 2…"),
        ("gen", "<generator object f at 0x>"),
        ("loop", "[1, [...]]"),
        ("len_of", "Text()"),
        ("todo", "deque([1, 2], maxlen=4)"),
        ("max", "<built-in function max>"),
    ]
    .map(|(name, text)| (name.into(), text.into()))
    .into();
    let mut ask = |expression: &str| {
        evaluator
            .evaluate(expression, &locals, &never)
            .map(|value| value.text().to_owned())
            .map_err(|e| e.to_string())
    };
    for (expression, value) in [
        ("self.items[0]", "Point(x=1, y=-2)"),
        ("self.items[1].x + self.items[0].y", "1"),
        ("[len(self.items), self.n]", "[2, inf]"),
        ("[p.y for p in self.items]", "[-2, 4]"),
        ("type(self).__name__", "'Stack'"),
        ("self._top", "Node(next=Node(...))"),
        ("self._top is None", "False"),
        ("gen", "<generator object f at 0x>"),
        ("[gen, 1]", "[<generator object f at 0x>, 1]"),
        ("cut", "Point(x=[1, 2…"),
        ("loop[0]", "1"),
        ("loop", "[1, [...]]"),
        ("todo[1] + len(todo)", "4"),
    ] {
        assert_eq!(ask(expression), Ok(value.into()), "{expression}");
    }
    for (expression, name, text) in [
        ("cut.x", "cut", "Point(x=[1, 2…"),
        ("next(gen)", "gen", "<generator object f at 0x>"),
        ("list(gen)", "gen", "<generator object f at 0x>"),
        ("bool(gen)", "gen", "<generator object f at 0x>"),
        ("gen == 1", "gen", "<generator object f at 0x>"),
        ("f'{gen}'", "gen", "<generator object f at 0x>"),
        ("max(1, 2)", "max", "<built-in function max>"),
        ("self._top.next.next", "self._top.next", "Node(...)"),
        ("len(len_of)", "len_of", "Text()"),
        // The program's own equality is code of the program.
        ("self._top == self._top", "self._top", "Node(next=Node(...))"),
        ("self._top.size", "self._top", "Node(next=Node(...))"),
    ] {
        let error = format!("only the text of '{name}' is known: {text}");
        assert_eq!(ask(expression), Err(error), "{expression}");
    }
}

#[test]
fn the_outline_by_ast_is_the_one_of_the_built_in_parser() {
    assert!(text(ALL_KINDS).files[0].outline.maker() == foretrace::program::outline::Maker::Parser);
    let never = AtomicBool::new(false);
    let mut files: Vec<_> = fixtures().iter().map(|name| fixture(&format!("{name}.py"))).collect();
    let samples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_programs");
    files.extend(std::fs::read_dir(samples).expect("samples").filter_map(|e| Some(e.ok()?.path())));
    files.retain(|path| path.extension().is_some_and(|e| e == "py"));
    let mut programs: Vec<_> = files.iter().map(|path| file(path)).collect();
    programs.push(text(ALL_KINDS));
    for python in pythons() {
        for program in &programs {
            let source = &program.files[0];
            let theirs = cpython::outline(source, Some(python.path()), &never).expect("an outline");
            let mut parts = theirs.parts().clone();
            parts.maker = source.outline.maker();
            assert_eq!(
                &parts,
                source.outline.parts(),
                "{} by Python {}",
                source.name,
                python.version()
            );
        }
    }
}

#[test]
fn what_only_cpython_can_parse_is_outlined_and_what_it_cannot_is_told() {
    let python = &pythons()[0];
    let never = AtomicBool::new(false);
    let (file, _) = SourceFile::from_text("late.py", "x = 1\ndef f(:\n    pass\n");
    let error = cpython::outline(&file, Some(python.path()), &never).expect_err("no outline");
    assert!(error.to_string().starts_with("late.py:2: "), "{error}");
    let (file, _) = SourceFile::from_text("fine.py", "print('never run')\nraise SystemExit\n");
    let outline: Outline =
        cpython::outline(&file, Some(python.path()), &never).expect("an outline");
    assert_eq!(outline.statements().len(), 2);
}
