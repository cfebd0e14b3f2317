use super::*;
use crate::program::{Severity, SourceFile};

fn outline(text: &str) -> Outline {
    let (file, problems) = SourceFile::from_text("t.py", text);
    assert_eq!(problems, [], "{text}");
    (*file.outline).clone()
}

const PROGRAM: &str = "\
'''Docs.'''
import os.path as p, sys

@decorate(
    1)
class Stack(Base):
    '''A stack.'''
    size: int = 0

    def push(self, item, *rest, key=None, **more):
        \"\"\"Push.

        More.\"\"\"
        self.items.append(item)
        total += key(item)


async def main(a, /, b=[1,
                        2], *, c):
    global x
    y: int
    async with lock:
        await go(lambda z: z + a)
    f = (i for i in range(b))
    if a: b = 2; c = 3
    elif b:
        yield b
    else:
        pass
";

#[test]
fn scopes_and_params() {
    let outline = outline(PROGRAM);
    let names: Vec<_> = outline.scopes().iter().map(|s| s.qualname.as_str()).collect();
    let main = ["main", "main.<locals>.<lambda>", "main.<locals>.<genexpr>"];
    assert_eq!(names, [&["<module>", "Stack", "Stack.push"], &main[..]].concat());
    let stack = &outline.scopes()[1];
    assert_eq!((stack.first_line, stack.line, stack.body), (4, 6, Lines { first: 7, last: 15 }));
    let (_, push) = outline.function("push").unwrap();
    let kinds: Vec<_> = push.params.iter().map(|p| (p.name.as_str(), p.kind)).collect();
    use ParamKind::*;
    let expected =
        [("self", Plain), ("item", Plain), ("rest", Args), ("key", KeywordOnly), ("more", Kwargs)];
    assert_eq!(kinds, expected);
    assert_eq!(push.params[3].default.as_deref(), Some("None"));
    let (_, main) = outline.function("main").unwrap();
    assert!(main.is_async && main.is_generator && !push.is_generator);
    assert_eq!(main.params[0].kind, PositionalOnly);
    assert_eq!(main.params[1].default.as_deref(), Some("[1,\n                        2]"));
    assert_eq!((main.line, main.body), (18, Lines { first: 20, last: 29 }));
}

#[test]
fn statements_and_lines() {
    let outline = outline(PROGRAM);
    let silent = [3, 9, 11, 12, 13, 16, 17, 20, 21, 28];
    for line in 1..=29 {
        assert_eq!(outline.is_executable(line), !silent.contains(&line), "line {line}");
    }
    assert_eq!(outline.statement_at(5).unwrap().1.lines, Lines { first: 4, last: 6 });
    assert_eq!(outline.breakable(12).unwrap().lines.first, 14);
    assert_eq!(outline.breakable(19).unwrap().kind, StatementKind::Def);
    assert_eq!(outline.breakable(28).unwrap().lines.first, 29);
    assert_eq!(outline.breakable(30), None);
    assert_eq!(outline.statements_at(25).count(), 3);
    let elif = outline.statement_at(26).unwrap().1;
    assert_eq!((elif.kind, elif.arm, elif.end), (StatementKind::If, Arm::Else, 29));
    assert!(outline.suspends(22) && outline.suspends(27) && !outline.suspends(24));
    assert_eq!(outline.scope_at(14), 2);
    assert_eq!(outline.scope_at(18), 0);
    assert_eq!(outline.scope_named("<lambda>", 23), Some(4));
    assert_eq!(outline.scope_named("Stack", 4), Some(1));
}

#[test]
fn names_and_calls() {
    let outline = outline(PROGRAM);
    assert_eq!(outline.binds(2), ["p", "sys"]);
    assert_eq!(outline.reads(14), ["self", "item"]);
    assert_eq!(outline.reads(15), ["total", "key", "item"]);
    assert_eq!(outline.binds(15), ["total"]);
    assert_eq!(outline.reads(23), ["go", "z", "a"]);
    let calls: Vec<_> = outline.calls(14).iter().map(|c| (&*c.callee, c.attribute)).collect();
    assert_eq!(calls, [("append", true)]);
    let attributes: Vec<_> =
        outline.names(14).iter().filter(|n| n.usage == Use::Attribute).collect();
    assert_eq!(attributes.len(), 2);
}

#[test]
fn clauses_hang_under_their_statement() {
    let text = "\
try:
    a()
except (A,
        B) as e:
    b()
except C:
    c()
else:
    d()
finally:
    e()
match m:
    case [x, *y] if x:
        pass
    case (
        1
    ):
        f()
";
    let outline = outline(text);
    let got: Vec<_> = outline
        .statements()
        .iter()
        .map(|s| (s.lines.first, s.lines.last, s.end, s.kind, s.arm, s.parent))
        .collect();
    use Arm::*;
    use StatementKind as K;
    assert_eq!(
        got,
        [
            (1, 1, 11, K::Try, Body, None),
            (2, 2, 2, K::Simple, Body, Some(0)),
            (3, 4, 5, K::Except, Clause, Some(0)),
            (5, 5, 5, K::Simple, Body, Some(2)),
            (6, 6, 7, K::Except, Clause, Some(0)),
            (7, 7, 7, K::Simple, Body, Some(4)),
            (9, 9, 9, K::Simple, Else, Some(0)),
            (11, 11, 11, K::Simple, Finally, Some(0)),
            (12, 12, 18, K::Match, Body, None),
            (13, 13, 14, K::Case, Clause, Some(8)),
            (14, 14, 14, K::Pass, Body, Some(9)),
            (15, 17, 18, K::Case, Clause, Some(8)),
            (18, 18, 18, K::Simple, Body, Some(11)),
        ]
    );
}

#[test]
fn broken_files_are_outlined_by_indentation() {
    let text = "\
@deco
def f(a, b=1, *args):
    '''Doc.'''
    if a:
        return g(a.b)
    elif b:
        x = 1
    else:
        y(
            2)
    try:
        pass
    except* E:
        z = f'{f'{x}'}'

def g(:
";
    let (file, problems) = SourceFile::from_text("t.py", text);
    let outline = &file.outline;
    assert_eq!(outline.maker(), Maker::Indentation);
    assert_eq!((problems.len(), problems[0].severity), (1, Severity::Error));
    let (_, f) = outline.function("f").unwrap();
    assert_eq!((f.line, f.body), (2, Lines { first: 2, last: 14 }));
    assert_eq!(f.params.len(), 3);
    assert!(outline.function("g").is_some());
    assert!(!outline.is_executable(3) && !outline.is_executable(8) && outline.is_executable(10));
    assert_eq!(outline.calls(5)[0].callee, "g");
    let kind = |line| outline.statement_at(line).map(|(_, s)| (s.kind, s.arm, s.parent));
    assert_eq!(kind(6), Some((StatementKind::If, Arm::Else, Some(2))));
    assert_eq!(kind(13), Some((StatementKind::ExceptStar, Arm::Clause, Some(7))));
}

#[test]
fn hostile_files_are_refused_before_parsing() {
    let n = 100_000;
    let cases = [
        "(".repeat(n),
        format!("x = {}1{}", "[".repeat(n), "]".repeat(n)),
        format!("x = 1{}", "+1".repeat(n)),
        format!("x = y{}", ".z".repeat(n)),
        format!("x = y{}", "(1, 2)".repeat(n)),
        format!("x = {}1", "not ".repeat(n)),
        format!("x = {}1", "lambda a, b=2: ".repeat(n)),
        format!("x = f'{{1{}}}'", "+1".repeat(n)),
        format!("x = {}2", "1 if 1 else ".repeat(n)),
        format!("if a: b\n{}", "elif a: b\n".repeat(n)),
        (0..n / 100).map(|i| format!("{}if a:\n", " ".repeat(i))).collect(),
    ];
    for text in cases {
        let (file, problems) = SourceFile::from_text("t.py", &text);
        assert_eq!(file.outline.maker(), Maker::Indentation);
        let shown: String = text.chars().take(40).collect();
        assert!(problems[0].message.contains("not parsed"), "{shown}: {}", problems[0]);
    }
}

#[test]
fn parts_from_elsewhere_are_checked() {
    let good = outline(PROGRAM).parts().clone();
    let text = serde_json::to_string(&good).unwrap();
    let back: Parts = serde_json::from_str(&text).unwrap();
    assert_eq!(Outline::from_parts(back, 29).unwrap(), outline(PROGRAM));
    assert!(Outline::from_parts(good.clone(), 28).is_err());
    let mut bad = good.clone();
    bad.statements[3].parent = Some(3);
    assert!(Outline::from_parts(bad, 29).is_err());
    let mut bad = good;
    bad.names[0].scope = 99;
    assert!(Outline::from_parts(bad, 29).is_err());
}

mod never_fails {
    use crate::program::flow::{Flow, Frame, Stop};
    use crate::program::{Entry, Literal, Loc, Program, decode, entry};
    use proptest::prelude::*;

    /// Pieces that meet in broken Python.
    fn pythonish() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            "def f(a, *b, c=1, **d):",
            "class C(B):",
            "if x:",
            "elif y:",
            "else:",
            "try:",
            "except E as e:",
            "except* E:",
            "finally:",
            "with a as b, \\",
            "match x:",
            "case [a, *b]:",
            "for i in x:",
            "while True:",
            "return (yield)",
            "raise",
            "break",
            "continue",
            "pass",
            "lambda: (",
            "[i for i in x",
            "async def g():",
            "await x",
            "@d",
            "'''",
            "\"",
            "'",
            "\\",
            "(",
            ")",
            "]",
            "}",
            "{",
            "f'{x!r:>{w}}'",
            "global x",
            "x: int",
            "x = 1; y = 2",
            "\n",
            "\n",
            "\n    ",
            "\n        ",
            "\n\t",
            "\r",
            "\x0c",
            " ",
            "é",
            "\u{2028}",
            "0x_1",
            "1e",
            "# entry: f(",
            "nonlocal",
        ]);
        prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn on_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let (file, problems) = decode("t.py", &bytes);
            prop_assert!(problems.iter().all(|p| p.line as usize <= file.lines.len() + 1));
        }

        #[test]
        fn on_broken_python(text in pythonish()) {
            let (file, _) = decode("t.py", text.as_bytes());
            let outline = &file.outline;
            let count = file.lines.len() as u32;
            let again = super::Outline::from_parts(outline.parts().clone(), file.lines.len().max(1));
            prop_assert!(again.is_ok(), "{again:?}");
            let _ = (entry::of_file(&file), entry::parse(&text, &file), entry::at("2", Some(&text), std::slice::from_ref(&file)));
            let program = Program { files: vec![file.clone()], entry: Entry::Module };
            let flow = Flow::of(&program);
            for line in 1..=count {
                if let Some(bound) = outline.breakable(line) {
                    prop_assert!(bound.lines.last >= line);
                }
                let scope = Some(outline.scope_at(line));
                let frame = Frame { loc: Loc::main(line), scope };
                for stop in [Stop::Call, Stop::Line, Stop::Exception, Stop::Yield] {
                    let steps = flow.next(stop, frame, Some(frame));
                    prop_assert!(steps.iter().all(|s| (1..=count.max(1)).contains(&s.loc.line)));
                }
            }
        }

        #[test]
        fn on_any_repr(text in "[\\[\\](){}'\"\\\\,:=.a-c0-9 jnx+-]{0,40}|\\PC{0,40}") {
            if let Some(value) = Literal::read(&text) {
                // What is written is read back as the same value.
                prop_assert_eq!(Literal::read(&value.to_string()), Some(value));
            }
        }
    }
}
