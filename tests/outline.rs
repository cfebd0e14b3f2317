//! The outline against CPython's own code objects, on files of its standard library: the
//! same scopes with the same parameters, and a statement wherever there is a line of code.

use foretrace::program::outline::{Maker, ParamKind, ScopeKind, StatementKind};
use foretrace::program::{SourceFile, decode};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;
use std::time::Instant;

/// Prints the code objects of some of its own library's files; starts none of them.
const SCRIPT: &str = r#"
import inspect, json, os, sys, types, warnings
warnings.simplefilter("ignore")
folder = os.path.dirname(os.__file__)
def codes(code):
    yield code
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            yield from codes(const)
names = sorted(n for n in os.listdir(folder) if n.endswith(".py"))[:: int(sys.argv[1])]
for name in names + ["asyncio/tasks.py", "unittest/mock.py", "json/decoder.py"]:
    path = os.path.join(folder, name)
    data = open(path, "rb").read()
    found = []
    for code in codes(compile(data, path, "exec", dont_inherit=True)):
        lines = sorted({l for _, _, l in code.co_lines() if l})
        args = inspect.getargs(code)
        found.append({"name": code.co_name, "qualname": code.co_qualname, "line": code.co_firstlineno, "lines": lines,
            "generator": bool(code.co_flags & 0x220), "async": bool(code.co_flags & 0x280),
            "args": args.args, "star": args.varargs, "stars": args.varkw})
    print(json.dumps({"path": path, "codes": found}))
"#;

#[derive(Deserialize)]
struct File {
    path: String,
    codes: Vec<Code>,
}

#[derive(Deserialize)]
struct Code {
    name: String,
    qualname: String,
    line: u32,
    lines: Vec<u32>,
    generator: bool,
    #[serde(rename = "async")]
    is_async: bool,
    args: Vec<String>,
    star: Option<String>,
    stars: Option<String>,
}

#[test]
fn scopes_and_lines_are_cpythons() {
    // One in so many files of the library.
    let every = std::env::var("FORETRACE_STDLIB_EVERY").unwrap_or_else(|_| "9".into());
    let output =
        Command::new("python3").args(["-I", "-S", "-c", SCRIPT, &every]).output().expect("python3");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let (mut files, mut scopes, mut lines, mut extra) = (0, 0, 0, 0);
    let mut wrong = Vec::new();
    let mut seconds = 0.0;
    for line in text.lines() {
        let file: File = serde_json::from_str(line).expect("the script's JSON");
        let bytes = std::fs::read(&file.path).expect("a library file");
        let started = Instant::now();
        let (source, problems) = decode(&file.path, &bytes);
        seconds += started.elapsed().as_secs_f64();
        lines += source.lines.len();
        if source.outline.maker() != Maker::Parser {
            // PEP 701; CPython's own ast takes over there.
            assert!(problems[0].message.contains("f-string"), "{}: {}", file.path, problems[0]);
            continue;
        }
        files += 1;
        scopes += file.codes.len();
        extra += compare(&source, &file, &mut wrong);
    }
    println!("{files} files, {lines} lines in {seconds:.2} s, {scopes} scopes, {extra} dead");
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(files > 15 && extra * 100 < scopes);
}

/// Notes what differs; returns how many scopes CPython has no code for (dead code).
fn compare(source: &SourceFile, file: &File, wrong: &mut Vec<String>) -> usize {
    let outline = &source.outline;
    let mut ours: BTreeMap<(&str, u32), Vec<usize>> = BTreeMap::new();
    for (i, scope) in outline.scopes().iter().enumerate() {
        ours.entry((&scope.qualname, scope.first_line)).or_default().push(i);
    }
    let mut code_lines = BTreeSet::new();
    let mut found = 0;
    for code in &file.codes {
        code_lines.extend(code.lines.iter().copied());
        let comprehension = ["<listcomp>", "<setcomp>", "<dictcomp>"].contains(&&*code.name);
        if comprehension || code.name.starts_with("<generic") || code.name == "__annotate__" {
            continue;
        }
        // A comprehension is a scope of its own in CPython's qualified names, up to 3.11.
        let qualname = ["<listcomp>", "<setcomp>", "<dictcomp>"]
            .iter()
            .fold(code.qualname.clone(), |name, c| name.replace(&format!("{c}.<locals>."), ""));
        let Some(&i) = ours.get(&(qualname.as_str(), code.line)).and_then(|v| v.first()) else {
            wrong.push(format!("{}:{}: no scope {}", file.path, code.line, code.qualname));
            continue;
        };
        found += 1;
        let scope = &outline.scopes()[i];
        let star = |kind| scope.params.iter().find(|p| p.kind == kind).map(|p| p.name.clone());
        let plain = |p: &&foretrace::program::outline::Param| {
            !matches!(p.kind, ParamKind::Args | ParamKind::Kwargs)
        };
        let args: Vec<String> = scope.params.iter().filter(plain).map(|p| p.name.clone()).collect();
        let mut theirs = code.args.clone();
        if scope.kind == ScopeKind::Generator {
            theirs.clear(); // `.0`
        }
        let mangled = |a: &String, b: &String| a == b || b.ends_with(a.as_str());
        let same_args =
            args.len() == theirs.len() && args.iter().zip(&theirs).all(|(a, b)| mangled(a, b));
        if !same_args || star(ParamKind::Args) != code.star || star(ParamKind::Kwargs) != code.stars
        {
            wrong.push(format!("{}:{}: parameters of {}", file.path, code.line, code.qualname));
        }
        if scope.is_generator != code.generator || scope.is_async != code.is_async {
            wrong.push(format!("{}:{}: kind of {}", file.path, code.line, code.qualname));
        }
    }
    for &line in &code_lines {
        // Every line of code is in a statement, else it is the head of a scope.
        let head = outline.scopes().iter().any(|s| (s.first_line..=s.line).contains(&line));
        if outline.statement_at(line).is_none() && !head {
            wrong.push(format!("{}:{line}: code outside statements", file.path));
        }
    }
    for (id, statement) in outline.statements().iter().enumerate() {
        let has_code = statement.lines.iter().any(|line| code_lines.contains(&line));
        let silent = statement.kind == StatementKind::Silent;
        let first = statement.lines.first;
        if silent && has_code && outline.statements_at(first).count() == 1 && !only(source, id) {
            wrong.push(format!("{}:{first}: a silent statement has code", file.path));
        }
        // `if 0 and more:` is folded by the compiler, not by us.
        let folded = (first.saturating_sub(2)..first)
            .filter_map(|line| source.line(line))
            .any(|text| text.contains("if 0 and"));
        if !silent && !has_code && !folded && !dead(source, id as u32) {
            wrong.push(format!("{}:{first}: no code for {:?}", file.path, statement.kind));
        }
    }
    outline.scopes().len() - found.min(outline.scopes().len())
}

/// Whether a silent statement is its scope's last: `return None` is reported there.
fn only(source: &SourceFile, id: usize) -> bool {
    let statements = source.outline.statements();
    let scope = statements[id].scope;
    !statements[id + 1..].iter().any(|s| s.scope == scope)
}

/// Whether a statement can be dead code for the compiler: under a constant test, after a
/// jump, or an endless loop's `else`.
fn dead(source: &SourceFile, id: u32) -> bool {
    let outline = &source.outline;
    let mut at = Some(id);
    while let Some(statement) = at.and_then(|at| outline.statement(at)) {
        let mut before = outline.statements().iter().filter(|s| {
            (s.scope, s.parent, s.arm) == (statement.scope, statement.parent, statement.arm)
                && s.lines.first < statement.lines.first
        });
        let stops = |kind| {
            use StatementKind::{Raise, Return, Try, While, With};
            matches!(kind, Return | Raise | While | With | Try)
        };
        let parent = statement.parent.and_then(|p| outline.statement(p));
        if before.next_back().is_some_and(|s| stops(s.kind))
            || parent.is_some_and(|p| p.always.is_some())
        {
            return true;
        }
        at = statement.parent;
    }
    false
}
