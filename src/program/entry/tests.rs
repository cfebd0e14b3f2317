use super::*;
use crate::program::Program;

const PROGRAM: &str = "\
#!/usr/bin/env python3
# entry: pair(1, b=0x10)
LIMIT = 3

def pair(a, b=2, *rest, key='k', **more):
    if a:
        return b
    def inner(x):
        return x
    return inner(a)

def default(a, b=LIMIT):
    print(a)

class Stack:
    def __init__(self, size):
        self.size = size

    def push(self, item):
        pass

def gen(n):
    yield n
";

fn file() -> SourceFile {
    SourceFile::from_text("t.py", PROGRAM).0
}

fn bound(text: &str) -> Option<String> {
    let file = file();
    let entry = parse(text, &file).unwrap();
    let locals = bind(&Program { files: vec![file], entry })?;
    Some(locals.iter().map(|(n, v)| format!("{n}={v}")).collect::<Vec<_>>().join(" "))
}

#[test]
fn entries_are_read() {
    let call = |function: &str, expression: &str| Entry::Call {
        function: function.into(),
        expression: expression.into(),
    };
    let invent = |function: &str| Entry::Invent { function: function.into() };
    let file = file();
    for (text, expected) in [
        (" pair(1) ", call("pair", "pair(1)")),
        ("pair", invent("pair")),
        ("push", invent("Stack.push")),
        ("inner", invent("pair.<locals>.inner")),
        ("Stack(3)", call("Stack.__init__", "Stack(3)")),
        ("Stack(3).push(2)", call("Stack.push", "Stack(3).push(2)")),
        ("list(gen(3))", call("gen", "list(gen(3))")),
        ("pair(gen(3))", call("pair", "pair(gen(3))")),
        ("pair (1)", call("pair", "pair (1)")),
        ("pair\t( (1), [2] )", call("pair", "pair\t( (1), [2] )")),
        ("list( gen (3) )", call("gen", "list( gen (3) )")),
        ("Stack (3) . push (2)", call("Stack.push", "Stack (3) . push (2)")),
        ("Stack.push(None, ')')", call("Stack.push", "Stack.push(None, ')')")),
        ("<module>", Entry::Module),
    ] {
        assert_eq!(parse(text, &file), Ok(expected), "{text}");
    }
    assert_eq!(of_file(&file), Ok(Some(call("pair", "pair(1, b=0x10)"))));
    let (plain, _) = SourceFile::from_text("t.py", "x = 1\n");
    assert_eq!(of_file(&plain), Ok(None));
}

#[test]
fn wrong_entries_get_one_clear_line() {
    let file = file();
    for (text, message) in [
        ("pear(1)", "no function \"pear\" in t.py; did you mean pair?"),
        ("pus", "no function \"pus\" in t.py; did you mean Stack.push?"),
        (
            "matrix",
            "no function \"matrix\" in t.py; it has pair, default, Stack.__init__, Stack.push, gen",
        ),
        (
            "pair()",
            "pair() lacks 'a'; fix the call, or let the model invent arguments: --entry pair",
        ),
        (
            "default(1, 2, 3)",
            "default(1, 2, 3) has 3 arguments, but it takes 2; fix the call, or let the model invent arguments: --entry default",
        ),
        (
            "default(1, a=2)",
            "default(1, a=2) gives 'a' twice; fix the call, or let the model invent arguments: --entry default",
        ),
        (
            "default(1, c=2)",
            "default(1, c=2) names 'c', which is no parameter; fix the call, or let the model invent arguments: --entry default",
        ),
        (
            "Stack()",
            "Stack() lacks 'size'; fix the call, or let the model invent arguments: --entry Stack.__init__",
        ),
        (
            "inner(3)",
            "pair.<locals>.inner is defined inside another function: start there, or use --at t.py:9",
        ),
        (
            "Stack(3).pop(2)",
            "\"Stack(3).pop(2)\" ends in 'pop', which is no method of one class here",
        ),
        ("3", "\"3\" is no call: write f(3), or f to have arguments invented"),
        ("pair(1)+1", "\"pair(1)+1\" is more than a call: write one, such as f(3) or list(f(3))"),
    ] {
        assert_eq!(parse(text, &file).unwrap_err().to_string(), message);
    }
    for text in [
        "pair(1);pair(2)",
        "pair(1); pair(2)",
        "pair(1), pair(2)",
        "not pair(1)",
        "x = pair(1)",
        "[pair(1)]",
        "pair(1)[0]",
        "pair(1).real",
        "pair(1) if pair(2) else 3",
        "lambda: pair(1)",
        "pair (1) pair (2)",
    ] {
        let refused = parse(text, &file).map_err(|why| why.to_string());
        assert!(refused.is_err(), "{text}");
    }
    assert!(parse("pair(1", &file).unwrap_err().to_string().contains("syntax error"));
    let (empty, _) = SourceFile::from_text("t.py", "x = 1\n");
    let error = parse("f(1)", &empty).unwrap_err().to_string();
    assert_eq!(error, "no function \"f\" in t.py: it has no functions, only a module to run");
}

#[test]
fn literal_arguments_are_bound_as_cpython_binds_them() {
    for (text, expected) in [
        ("pair(1)", Some("a=1 b=2 key='k' rest=() more={}")),
        ("pair (1)", Some("a=1 b=2 key='k' rest=() more={}")),
        (
            "pair(1, 2, 3, ..., key=\"it's\", z={'q': 1, 'q': 2})",
            Some("a=1 b=2 key=\"it's\" rest=(3, Ellipsis) more={'z': {'q': 2}}"),
        ),
        ("pair(b='a' 'b', a=-0x10)", Some("a=-16 b='ab' key='k' rest=() more={}")),
        ("list(gen([1, (2,)]))", Some("n=[1, (2,)]")),
        ("pair({True: 1, 1: 2})", None),
        ("pair(1 + 1)", None),
        ("pair(x)", None),
        ("pair(*[1])", None),
        ("default(1)", None),
        ("default(1, 2)", Some("a=1 b=2")),
        ("Stack(3)", None),
    ] {
        assert_eq!(bound(text).as_deref(), expected, "{text}");
    }
}

#[test]
fn places_and_returns_are_read() {
    let files = [file()];
    let at = |text, locals| super::at(text, locals, &files).map_err(|e| e.to_string());
    let json = r#"{"a": "'x'", "b": 1.0, "rest": [null, "y"], "more": "<o>"}"#;
    let locals = [("a", "'x'"), ("b", "1.0"), ("rest", "[None, 'y']"), ("more", "<o>")];
    let locals = locals.map(|(n, v)| (n.to_string(), v.to_string())).to_vec();
    assert_eq!(at("t.py:6", Some(json)), Ok(Entry::At { loc: Loc::main(6), locals }));
    for (text, locals, word) in [
        ("x.py:3", None, "not part"),
        ("3a", None, "LINE"),
        ("99", None, "past"),
        ("6", Some("[]"), "JSON"),
        ("11", None, "holds no code to stop at; the next line of t.py is 12"),
        ("1", None, "the next line of t.py is 3"),
        ("6", Some(r#"{"1a": 3}"#), "names \"1a\", which is no Python name"),
        ("6", Some(r#"{"for": 3}"#), "names \"for\", which is no Python name"),
        ("6", Some(r#"{"zzz": 3}"#), "names 'zzz', which is no variable at line 6"),
        ("3", Some(r#"{"zzz": 3}"#), "names 'zzz', which is no variable at line 3"),
        ("6", Some(r#"{"a": "abc"}"#), "gives a the value abc, which is no Python value"),
        ("6", Some(r#"{"a": ")("}"#), "gives a the value )(, which is no Python value"),
        ("6", Some(r#"{"a": ""}"#), "which is no Python value"),
    ] {
        let why = at(text, locals).expect_err(text);
        assert!(why.contains(word), "{text}: {why}");
        assert!(!why.contains('\n'));
    }
    // Values that are no literals, and what a module or a function around has.
    for (line, json) in [
        ("9", r#"{"x": "Point(x=1)"}"#),
        ("9", r#"{"x": "[<P>, 1]"}"#),
        ("6", r#"{"b": "'long…"}"#),
        ("6", r#"{"inner": "<function inner>", "key": 3, "more": {}}"#),
        ("3", r#"{"LIMIT": 3}"#),
    ] {
        at(line, Some(json)).expect(json);
    }

    let returns = |text| super::returns(text, &files[0]).map_err(|e| e.to_string());
    let expected = |function: &str, value: &str, line: Option<u32>| {
        let (function, value) = (function.into(), value.into());
        Ok(Entry::Returns { function, value, loc: line.map(Loc::main) })
    };
    assert_eq!(returns("pair = {'a' : 1}"), expected("pair", "{'a': 1}", None));
    assert_eq!(returns("pair:7 = 3"), expected("pair", "3", Some(7)));
    assert_eq!(returns("default = None"), expected("default", "None", Some(13)));
    assert!(returns("pair:9 = 3").unwrap_err().contains("lines: 7, 10"));
    for (text, word) in [("pair", "f = 3"), ("pair = x", "literal"), ("pear = 3", "pair")] {
        assert!(returns(text).unwrap_err().contains(word), "{text}");
    }
}
