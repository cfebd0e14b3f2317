use super::*;
use crate::program::{Entry, SourceFile};

fn program(text: &str) -> Program {
    let (file, problems) = SourceFile::from_text("t.py", text);
    assert_eq!(problems, []);
    Program { files: vec![file], entry: Entry::Module }
}

/// Lines after a line of the first function, and whether the frame can end there.
fn after(program: &Program, line: u32) -> (Vec<u32>, bool) {
    let flow = Flow::of(program);
    let mut reach = flow.graph(0).unwrap().after(1, line);
    reach.lines.sort_unstable();
    (reach.lines, reach.ends)
}

#[test]
fn loops_branches_and_jumps() {
    let program = program(
        "\
def f(n):
    for i in range(n):
        if i > 3:
            break
        elif i:
            continue
        n += 1
    else:
        n = 0
    while True:
        n -= 1
        if n:
            return n
    g(
        n,
        2)
",
    );
    for (line, lines, ends) in [
        (2, &[3, 9][..], false),
        // A `break` or `while True:` may get no event.
        (3, &[4, 5, 10, 11], false),
        (4, &[10, 11], false),
        (5, &[2, 6, 7], false),
        (7, &[2], false),
        (9, &[10, 11], false),
        (10, &[11], false),
        (12, &[10, 11, 13], false),
        (13, &[], true),
        (15, &[14, 15, 16], true),
    ] {
        assert_eq!(after(&program, line), (lines.to_vec(), ends), "line {line}");
    }
    let flow = Flow::of(&program);
    let graph = flow.graph(0).unwrap();
    assert_eq!(graph.begin(1).lines, [2]);
    assert_eq!(graph.before(1, 2), [5, 6, 7], "and the call");
}

#[test]
fn exceptions_go_to_handlers_and_clean_up() {
    let program = program(
        "\
def f(m):
    try:
        with m:
            g()
    except (A,
            B):
        pass
    except C:
        h()
    finally:
        k()
    return 1
",
    );
    let flow = Flow::of(&program);
    let raised = |line| {
        let mut reach = flow.graph(0).unwrap().raised(1, line);
        reach.lines.sort_unstable();
        (reach.lines, reach.ends)
    };
    // The `with` may be visited again, swallow it, or pass it on.
    assert_eq!(raised(4), (vec![3, 4, 5, 6, 11], false));
    assert_eq!(raised(9), (vec![9, 11], false));
    assert_eq!(raised(11), (vec![], false));
    assert_eq!(after(&program, 5), (vec![5, 6, 7, 8, 11], false));
    assert_eq!(after(&program, 11), (vec![12], false));
}

#[test]
fn steps_know_the_frames_around() {
    let program = program(
        "\
def gen(n):
    yield n
def f(n):
    return sum(gen(n))
class C:
    x = 1
f(1)
",
    );
    let flow = Flow::of(&program);
    let frame = |name: &str, line| Frame::of(&program, name, Loc::main(line));
    let module = frame("<module>", 7);
    let shown = |steps: Vec<Step>| -> Vec<(Stop, i8, u32)> {
        steps.into_iter().map(|s| (s.stop, s.level, s.loc.line)).collect()
    };
    // What the line names comes first; a class body runs only where it stands.
    let steps = shown(flow.next(Stop::Line, module, None));
    assert_eq!(
        steps,
        [
            (Stop::Return, 0, 7),
            (Stop::Call, 1, 3),
            (Stop::Call, 1, 1),
            (Stop::Resume, 1, 2),
            (Stop::Exception, 0, 7),
        ]
    );
    let class = shown(flow.next(Stop::Line, frame("<module>", 5), None));
    assert!(class.contains(&(Stop::Call, 1, 5)) && class.contains(&(Stop::Line, 0, 7)));
    // A return goes on in the caller, where it may end as well.
    let back = shown(flow.next(Stop::Return, frame("f", 4), Some(module)));
    assert!(back.contains(&(Stop::Return, -1, 7)) && !back.iter().any(|s| s.1 == 1), "{back:?}");
    assert_eq!(shown(flow.next(Stop::Return, module, None)), []);
    // A yield without a known caller can only be resumed.
    let steps = shown(flow.next(Stop::Yield, frame("gen", 2), None));
    assert!(steps.contains(&(Stop::Resume, 0, 2)));
}
