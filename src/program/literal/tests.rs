use super::*;
use std::io::Write;
use std::process::{Command, Stdio};

#[test]
fn equality_is_type_strict() {
    for (a, b) in [
        ("{1, 2}", "{2, 1}"),
        ("{'a', ('b', 1)}", "{('b', 1), 'a'}"),
        ("frozenset({1, 2})", "frozenset({2, 1})"),
        ("[{2, 1}, {}]", "[{1, 2}, {}]"),
        ("'a\\'b'", "\"a'b\""),
        ("'\\x41'", "'A'"),
        ("'a' 'b'", "'ab'"),
        ("b'\\x41'", "b'A'"),
        ("1_000", "1000"),
        ("0xff", "255"),
        ("1e3", "1000.0"),
        ("nan", "nan"),
        ("[nan, inf]", "[ nan , inf ]"),
        ("(1)", "1"),
        ("(1+2j)", "1+2j"),
        ("-0", "0"),
        ("Point(x={1, 2})", "Point(x={2, 1})"),
        ("<object at 0x>", "<object at 0x>"),
    ] {
        assert!(same(a, b) && same(b, a), "{a} {b}");
    }
    for (a, b) in [
        ("1", "True"),
        ("1", "1.0"),
        ("0", "False"),
        ("0.0", "-0.0"),
        ("(0-0j)", "0j"),
        ("nan", "'nan'"),
        ("[1]", "(1,)"),
        ("{1: 2, 3: 4}", "{3: 4, 1: 2}"),
        ("{}", "set()"),
        ("set()", "frozenset()"),
        ("'a'", "b'a'"),
        ("'a '", "'a'"),
        ("[...]", "[Ellipsis]"),
        ("Point(x=1)", "Point(x=True)"),
        ("Point(1)", "Point(x=1)"),
        ("'abc…", "'abc"),
        ("<A>", "<B>"),
    ] {
        assert!(!same(a, b) && !same(b, a), "{a} {b}");
    }
}

#[test]
fn what_is_not_a_value_is_not_read() {
    for text in [
        "",
        "[",
        "[1",
        "{1:",
        "(1,",
        "'a",
        "'a\nb'",
        "1 2",
        "x",
        "1 + 2",
        "f'{x}'",
        "<A>",
        "[1, …]",
        "[,]",
        "{1: 2, 3}",
        "{1, 2: 3}",
        "b'é'",
        "'\\x4'",
        "'\\N{DASH}'",
        "'\\U00110000'",
        "0x",
        "1e",
        "1__",
        "--1",
        "[1 2]",
        "f(1",
        "'a' b'c'",
        "1.2.3",
        ".",
        "-",
        "...x",
    ] {
        assert_eq!(Literal::read(text), None, "{text}");
    }
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(Literal::read(&deep), None);
    assert_eq!(Literal::read(&"9".repeat(100_000)), None);
}

/// Reads the reprs of many values and writes them again: the text must be CPython's own.
#[test]
fn reprs_of_cpython_are_read_and_written_alike() {
    let script = "\
import random, math, sys
r = random.Random(7)
def value(d):
    k = r.randrange(14 if d else 9)
    if k == 0: return r.choice([None, True, False, Ellipsis])
    if k == 1: return r.randrange(-10, 10)
    if k == 2: return r.randrange(-10**30, 10**30)
    if k == 3: return r.choice([0.0, -0.0, 1e16, 1e-5, 123456789012345.6, math.inf, -math.inf,
                                math.nan, 1e15, 9999999999999998.0, 1e22, 5e-324, 0.0001])
    if k == 4: return r.uniform(-1, 1) * 10.0 ** r.randrange(-20, 20)
    if k == 5: return complex(r.choice([0.0, -0.0, 1.5, 1e20, math.nan]), r.choice([0.0, -0.0, 2.0, -math.inf]))
    if k == 6: return ''.join(chr(r.choice([9, 10, 13, 0, 39, 34, 92, 127, 128, 160, 173, 0xe9, 0x300,
                0x378, 0x20ac, 0x2028, 0xd800, 0xfeff, 0x1f600, 0xe0001, 0x10ffff, 65, 97, 32])) for _ in range(r.randrange(6)))
    if k == 7: return bytes(r.randrange(256) for _ in range(r.randrange(6)))
    if k == 8: return r.choice(['', 'abc', \"it's\", 'say \"it\\'s\"'])
    n = r.randrange(4)
    if k == 9: return [value(d - 1) for _ in range(n)]
    if k == 10: return tuple(value(d - 1) for _ in range(n))
    if k == 11: return {value(0): value(d - 1) for _ in range(n)}
    if k == 12: return {value(0) for _ in range(min(n, 1))}
    return frozenset([value(0)] if n else [])
sys.stdout.reconfigure(encoding='utf-8', errors='strict')
for _ in range(4000):
    print(repr(value(3)))
";
    let mut child = Command::new("python3")
        .args(["-I", "-S", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3");
    child.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.lines().count() == 4000);
    for line in text.lines() {
        let value = Literal::read(line).unwrap_or_else(|| panic!("not read: {line}"));
        assert_eq!(value.to_string(), line);
        assert!(value.is_plain());
    }
}
