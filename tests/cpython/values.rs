//! How values become text.

use crate::support::{minor, options, pythons, record, text};
use foretrace::cpython;
use foretrace::trace::{Event, Exit, Leeway, Part, Value, compare};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;

/// The texts of the module's variables at its end.
fn last_values(python: &foretrace::cpython::Python, source: &str) -> Vec<(String, Value)> {
    let recording = record(python, &text(source));
    let last = recording.tree.state(recording.tree.len() as u32 - 1);
    assert!(recording.note.is_empty(), "{}", recording.note);
    let locals = last.locals.expect("locals");
    locals.iter().map(|(name, value)| (name.to_string(), value.clone())).collect()
}

#[test]
fn values_are_one_line_of_text_under_the_rules() {
    let source = r#"
import collections, dataclasses, time
class Point:
    def __init__(self, x, y): self.x, self.y = x, y
class Slotted:
    __slots__ = ("a", "b")
class Loud:
    def __repr__(self): raise KeyError("no")
class Slow:
    def __repr__(self):
        while True: pass
class Lines:
    def __repr__(self): return "two\nlines\x1b[2J"
class NoText:
    def __repr__(self): return 3
class Trap:
    def __getattr__(self, name): raise SystemExit(name)
@dataclasses.dataclass
class Card:
    suit: str
    rank: int = 1
class Mine(list): pass
a_int = 5
a_neg = -0.0
a_text = "it's"
a_bytes = b"\x00a"
a_list = [1, "a", None, [2.5, True]]
a_tuple = (1,)
a_dict = {"k": [1], 2: {}}
a_set = {3}
a_empty = set()
a_frozen = frozenset({1})
point = Point(1, Point(2, Point(3, Point(4, 5))))
slotted = Slotted()
slotted.b = 2
loud, lines, no_text, trap = Loud(), Lines(), NoText(), Trap()
slow = [Slow()]
card = Card("hearts")
mine = Mine([1, 2])
big = 10 ** 5000
big_list = [10 ** 5000]
big_table = {1: (10 ** 5000, 2)}
loop = [1]
loop.append(loop)
cycle = Point(0, None)
cycle.y = cycle
queue = collections.deque([1, 2], maxlen=3)
counts = collections.Counter("aab")
groups = collections.defaultdict(list, {"a": [1]})
thing = object()
bound = point.__init__
error = ValueError("a", 2)
view = {"a": 1}.keys()
"#;
    for python in pythons() {
        let found = last_values(&python, source);
        let get = |name: &str| -> &str {
            let (_, value) =
                found.iter().find(|(n, _)| n == name).unwrap_or_else(|| panic!("{name}"));
            value.text()
        };
        for (name, wanted) in [
            ("a_int", "5"),
            ("a_neg", "-0.0"),
            ("a_text", "\"it's\""),
            ("a_bytes", "b'\\x00a'"),
            ("a_list", "[1, 'a', None, [2.5, True]]"),
            ("a_tuple", "(1,)"),
            ("a_dict", "{'k': [1], 2: {}}"),
            ("a_set", "{3}"),
            ("a_empty", "set()"),
            ("a_frozen", "frozenset({1})"),
            ("point", "Point(x=1, y=Point(x=2, y=Point(...)))"),
            ("slotted", "Slotted(b=2)"),
            ("loud", "<unrepresentable Loud: KeyError>"),
            ("slow", "[<repr of Slow timed out>]"),
            ("lines", "two\\nlines\\x1b[2J"),
            ("no_text", "<unrepresentable NoText: TypeError>"),
            ("trap", "Trap()"),
            ("card", "Card(suit='hearts', rank=1)"),
            ("mine", "[1, 2]"),
            ("big", "<int, 5001 digits>"),
            ("big_list", "[<int, 5001 digits>]"),
            ("big_table", "{1: (<int, 5001 digits>, 2)}"),
            ("loop", "[1, [...]]"),
            ("cycle", "Point(x=0, y=Point(...))"),
            ("queue", "deque([1, 2], maxlen=3)"),
            ("counts", "Counter({'a': 2, 'b': 1})"),
            ("groups", "defaultdict(<class 'list'>, {'a': [1]})"),
            ("thing", "<object object at 0x>"),
            ("bound", "<bound method Point.__init__ of Point(x=1, y=Point(x=2, y=Point(...)))>"),
            ("error", "ValueError('a', 2)"),
            ("view", "dict_keys(['a'])"),
        ] {
            assert_eq!(get(name), wanted, "{name} on Python {}", python.version());
        }
        let shown: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        for hidden in ["collections", "Point", "__name__"] {
            assert!(!shown.contains(&hidden), "{hidden} is shown");
        }
    }
}

#[test]
fn large_values_are_cut_before_their_text_is_built_and_marked() {
    let source = "
text = 'x' * 10 ** 8
numbers = list(range(10 ** 6))
nested = [['ab' * 400] * 3] * 1000
deep = []
for _ in range(700): deep = [deep]
table = dict.fromkeys(range(10 ** 5), 'v')
digits = 10 ** 4000
short = 'y' * 100
";
    for python in pythons() {
        let begun = std::time::Instant::now();
        for (name, value) in last_values(&python, source) {
            match &*name {
                "short" => assert!(!value.is_cut(), "{value}"),
                "_" => {}
                _ => {
                    assert!(value.is_cut(), "{name}: {value}");
                    let length = value.text().chars().count();
                    assert!(length < 1_200, "{name} has {length} characters");
                }
            }
        }
        assert!(begun.elapsed().as_secs() < 20, "values are built whole");
    }
}

/// However large a value is, as many reprs of its parts are made as fit, and no code of the
/// program runs but its `__repr__`.
#[test]
fn large_values_cost_what_fits_and_only_repr_runs() {
    let source = "
import collections
ran = []
class Counted:
    def __repr__(self):
        ran.append('repr')
        return 'c'
class Meta(type):
    def __instancecheck__(cls, other):
        ran.append('instancecheck')
        return False
def trap(name, back=None):
    def run(*args):
        ran.append(name)
        return back
    return run
class Trap(metaclass=Meta):
    def __init__(self):
        self.a = 1
    p = property(trap('property'))
    __class__ = property(trap('class', int))
    __getattr__ = trap('getattr')
    __eq__ = trap('eq', False)
    __hash__ = trap('hash', 1)
    __len__ = trap('len', 1)
    __bool__ = trap('bool', True)
    __iter__ = trap('iter')
    __str__ = trap('str', '')
    __format__ = trap('format', '')
class Seen(Trap):
    def __repr__(self):
        return 'seen'
class Items(list):
    __len__ = __iter__ = __getitem__ = trap('items', 3)
class Table(dict):
    items = keys = __iter__ = __len__ = __getitem__ = trap('table', 3)
class Queue(collections.deque):
    maxlen = property(trap('maxlen'))
    __iter__ = __len__ = trap('queue', 3)
class Groups(collections.defaultdict):
    default_factory = property(trap('factory'))
traps = [Trap(), Seen(), Items([1]), Table(a=1), Queue([1]), Groups(int)]
ran.clear()
one = Counted()
after_one = len(ran)
many = [one] * 10 ** 6
table = dict.fromkeys(range(300_000), one)
pairs = ((one, one),) * 10 ** 6
attributes = Trap()
attributes.__dict__.update(zip(map(str, range(10 ** 5)), [one] * 10 ** 5))
data = bytes(20 * 10 ** 6)
reprs = ran.count('repr')
others = sorted(set(ran))
";
    for python in pythons() {
        let found = last_values(&python, source);
        let get = |name: &str| {
            let found = found.iter().find(|(n, _)| n == name).unwrap_or_else(|| panic!("{name}"));
            found.1.text().to_owned()
        };
        assert_eq!(get("others"), "['repr']", "Python {}", python.version());
        let traps = "[Trap(a=1), seen, [1], {'a': 1}, Queue([1]), Groups(<class 'int'>, {})]";
        assert_eq!(get("traps"), traps, "Python {}", python.version());
        let reprs: u32 = get("reprs").parse().expect("a number");
        assert!((10..20_000).contains(&reprs), "{reprs} on Python {}", python.version());
    }
}

#[test]
fn every_change_of_a_container_is_seen() {
    // Made, seen unchanged a few times, then changed: in size and identity often as before.
    let cases = [
        ("[('a', 1), ('b', 2)]", "x[0] = ('a', True)", "[('a', True), ('b', 2)]"),
        ("[('a', 1), ('b', 2)]", "x[1] = ('b', 2.0)", "[('a', 1), ('b', 2.0)]"),
        ("[('a', 0.0)]", "x[0] = ('a', -0.0)", "[('a', -0.0)]"),
        ("[('a', 1), ('b', 2)]", "x.reverse()", "[('b', 2), ('a', 1)]"),
        ("[('a', 1), ('b', 2)]", "x.append(())", "[('a', 1), ('b', 2), ()]"),
        ("[('a', 1), ('b', 2)]", "x = tuple(x)", "(('a', 1), ('b', 2))"),
        ("(('a', 1), ('b', 2))", "x = list(x)", "[('a', 1), ('b', 2)]"),
        ("[('a', 1)]", "x[0] = Equal()", "[Equal()]"),
        ("['long enough', 'to be kept']", "x[1] = Text(x[1])", "['long enough', mine]"),
        ("[('a', [1]), ('b', [2])]", "x[0][1].append(3)", "[('a', [1, 3]), ('b', [2])]"),
        ("[('a', (1, [2]))]", "x[0][1][1][0] = True", "[('a', (1, [True]))]"),
        ("('a', [1])", "x[1][0] = True", "('a', [True])"),
        ("('a', (1, [2]))", "x[1][1][0] = True", "('a', (1, [True]))"),
        ("('a', 1)", "x = ('a', True)", "('a', True)"),
        ("('a', (0.0, 1))", "x = ('a', (-0.0, 1))", "('a', (-0.0, 1))"),
        ("[1, 0, 3]", "x[0] = True", "[True, 0, 3]"),
        ("[]", "x.append(0)", "[0]"),
        ("{'a': 1}", "x['a'] = True", "{'a': True}"),
        ("{'a': 1, 'b': 2}", "x['a'] = x.pop('a')", "{'b': 2, 'a': 1}"),
        ("{1: ('a', 2)}", "x.clear(); x[True] = ('a', 2)", "{True: ('a', 2)}"),
        ("{1}", "x.clear(); x.add(True)", "{True}"),
    ];
    let mut source = String::from(
        "
class Equal:
    def __eq__(self, other):
        print('compared')
        return True
    __hash__ = None
class Text(str):
    def __repr__(self):
        return 'mine'
",
    );
    for (number, (made, change, _)) in cases.iter().enumerate() {
        source += &format!(
            "def case{number}():\n    x = {made}\n    y = 0\n    y = 1\n    y = 2\n    y = 3\n    {change}\n    return 0\ncase{number}()\n"
        );
    }
    for python in pythons() {
        let recording = record(&python, &text(&source));
        assert!(recording.output.is_empty(), "code of the program ran: {:?}", recording.output);
        for (number, (made, change, wanted)) in cases.iter().enumerate() {
            let returned = recording.tree.states().rev().find(|state| {
                state.event == Event::Return && *state.function == *format!("case{number}")
            });
            let locals = returned.and_then(|state| state.locals).expect("its last state");
            let found = locals.get("x").expect("x").text();
            assert_eq!(found, *wanted, "{made}, then {change}, on Python {}", python.version());
        }
    }
}

/// A list of which only the first items are in its text: a copy made at the end is printed
/// anew, and reads the same.
#[test]
fn every_change_of_a_long_list_is_seen() {
    let lists = [
        "list(range(1000))",
        "[i * 0.37 for i in range(400)]",
        "[True] * 300",
        "[i % 3 for i in range(500)]",
        "[None] * 200 + [[1]] * 300",
    ];
    let changes = [
        "x[0] = 7.5",
        "x[20] = -1",
        "x[20] = [x[20]]",
        "x[0] = float(x[0] or 0)",
        "x.append(3)",
        "del x[-1]",
        "del x[5:]",
        "del x[150:]",
        "x.insert(0, 1)",
        "x.clear()",
        "x.reverse()",
        "x = tuple(x)",
        "x[0] = 5; x[0] = 0",
    ];
    let mut source = String::new();
    for (number, (made, change)) in
        lists.iter().flat_map(|l| changes.iter().map(move |c| (l, c))).enumerate()
    {
        source += &format!(
            "def case{number}():\n    x = {made}\n    y = 0\n    y = 1\n    {change}\n    y = 2\n    y = type(x)(x)\n    return 0\ncase{number}()\n"
        );
    }
    for python in pythons() {
        let recording = record(&python, &text(&source));
        let mut seen = 0;
        for state in recording.tree.states().filter(|state| state.event == Event::Return) {
            let Some(locals) = &state.locals else { continue };
            if let (Some(x), Some(y)) = (locals.get("x"), locals.get("y")) {
                assert_eq!(x, y, "{} on Python {}", state.function, python.version());
                seen += 1;
            }
        }
        assert_eq!(seen, lists.len() * changes.len());
    }
}

/// What the recorder remembers of a value never hides a change: random changes in place of nested
/// values between events, each text against that of a fresh printer, on four seeds.
#[test]
fn no_random_change_is_missed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    for python in pythons() {
        for seed in ["1", "2", "3", "4"] {
            let output = Command::new(python.path())
                .arg(folder.join("tests/cpython/changes.py"))
                .arg(folder.join("src/cpython/tracer"))
                .args([seed, "30"])
                .env("PYTHONHASHSEED", "0")
                .output()
                .expect("it runs");
            let (said, told) = (output.stdout, String::from_utf8_lossy(&output.stderr));
            let said = String::from_utf8_lossy(&said);
            assert!(output.status.success(), "Python {}: {told}", python.version());
            assert_eq!(said, "", "Python {}", python.version());
        }
    }
}

/// A container that is within itself twice would take `marshal` exponential time; and what is
/// remembered keeps nothing of the program's alive, so that it dies when it would.
#[test]
fn cycles_end_and_nothing_lives_longer_than_without_a_recorder() {
    let source = "
import weakref
class Node:
    def __init__(self, key): self.key, self.next = key, None
    def __del__(self): died.append(self.key)
died = []
twice = [1, 2]
within = {'a': twice}
twice.append(within)
twice.append(twice)
pass
pass
def use():
    node = Node(1)
    node.next = Node(2)
    row = [node, node.next]
    seen = weakref.ref(node.next)
    pass
    pass
    row.clear()
    node.next = None
    gone = seen() is None, list(died)
    node = None
    last = list(died)
    return gone, last
result = use()
";
    for python in pythons() {
        let found = last_values(&python, source);
        let get = |name: &str| {
            let found = found.iter().find(|(n, _)| n == name).unwrap_or_else(|| panic!("{name}"));
            found.1.text().to_owned()
        };
        assert_eq!(get("result"), "((True, [2]), [2, 1])", "Python {}", python.version());
        assert_eq!(get("twice"), "[1, 2, {'a': [...]}, [...]]", "Python {}", python.version());
    }
}

#[test]
fn deleted_rebound_and_hidden_names() {
    let source = "
def f(b, a, *rest, key=0, **more):
    c = 1
    del a
    a = 2
    def inner(): return b
    import os
    class K:
        _x = 1
        __secret = 2
        def m(self): pass
    return inner()
f(1, 2, 3, z=4)
";
    for python in pythons() {
        let recording = record(&python, &text(source));
        let rows = crate::support::rows(&recording);
        let find = |start: &str| {
            rows.iter().find(|row| row.trim_start().starts_with(start)).expect("a row").trim()
        };
        assert_eq!(
            find("call 2 f"),
            "call 2 f b=1 a=2 key=0 rest=(3,) more={'z': 4}",
            "{}",
            python.version()
        );
        assert_eq!(find("line 5"), "line 5 -a", "{}", python.version());
        assert_eq!(find("line 6"), "line 6 a=2", "{}", python.version());
        let class = rows
            .iter()
            .rposition(|row| row.trim_start().starts_with("return 11"))
            .expect("the class");
        assert!(!rows[class].contains("m="), "a class's functions are hidden: {}", rows[class]);
        let _ = minor(&python);
    }
}

/// A second run with another seed tells what is no part of a program's meaning, from real runs:
/// a wrong guess of that is nobody's mistake, and one of the rest is.
#[test]
fn what_differs_from_run_to_run_is_found_by_running_twice() {
    let source = "
import os, random, time
clock = time.time()
drawn = random.random()
number = id(object())
address = f'{object()!r}'
order = list({'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'})
folder = os.environ['HOME']
process = os.getpid()
user = os.environ.get('USER')
noon = time.strftime('%H:%M', time.localtime(0))
given = os.environ['GIVEN'] + os.environ['TERM']
fixed = [1, {'x', 'y'}, 0.1]
";
    let guess = Value::from("'a guess'");
    for python in pythons() {
        let set = ["GIVEN=a", "TERM=xterm"].map(|text| text.parse().expect("a variable"));
        let one = cpython::Options { variables: set.to_vec(), ..options(&python) };
        let last = |options: &cpython::Options| {
            let never = AtomicBool::new(false);
            let run = cpython::record(&text(source), options, &[], &never).expect("recorded");
            assert_eq!(run.tree.exit(), Exit::Normal, "{}", run.note);
            run.tree.state(run.tree.len() as u32 - 1)
        };
        let (real, other) = (last(&one), last(&one.varied()));
        let mut predicted = real.clone();
        let locals = real.locals.as_ref().expect("locals");
        predicted.locals =
            Some(locals.iter().map(|(name, _)| (name.clone(), guess.clone())).collect());
        let leeway = Leeway { other: Some(&other), ..Leeway::default() };
        let compared = compare(&predicted, &real, leeway);
        for (name, part) in compared.locals.expect("both have them") {
            let wanted = if ["fixed", "given"].contains(&&*name) {
                Part::Different
            } else {
                Part::NotComparable
            };
            assert_eq!(part, wanted, "{name} {}", python.version());
        }
        let right = compare(&real, &real, leeway);
        assert_eq!(right.all(), Part::Same);
    }
}
