//! The language against golden listings, against the rules of the paper, and against
//! itself (what is written is read back).

mod compact;
mod decoded;
mod dialects;
mod documents;
mod recorded;
mod shards;
mod support;

use foretrace::codec::native::{self, Piece, Word, parse, spell, write};
use foretrace::program::{Loc, Program};
use foretrace::trace::{Action, Direction, Exit, Move, Place, Segment, StopAt};
use support::{forever, golden, program, tree, walk};

fn trace(program: &Program, context: &str, walked: &(Segment, Option<(Move, Exit)>)) -> String {
    let exit = walked.1.as_ref().map(|(ask, exit)| (ask, *exit));
    spell(&write::trace(program, context, &walked.0, exit).expect("a trace"))
}

/// The program context of a listing: what it quotes, which for the inverse one is only the
/// function it is about.
fn context(listing: &str) -> &str {
    let (_, rest) = listing.split_once("<|trace_context_start|>\n").expect("a context");
    rest.split_once("<|frame_sep|>").expect("a state").0
}

#[test]
fn forward_listing_is_equal() {
    let (source, listing) = (golden("program.py"), golden("forward_step_into.txt"));
    let tree = tree(&golden("forward.states"), Exit::Normal);
    let step = Move::forward(Action::StepInto);
    let walked = walk(&tree, Place::At(0), Direction::Forward, forever(step));
    assert_eq!(trace(&program(&source), &source, &walked), listing);
}

#[test]
fn inverse_listing_is_equal() {
    let (source, listing) = (golden("program.py"), golden("inverse_step_into.txt"));
    let tree = tree(&golden("inverse.states"), Exit::Normal);
    let step = Move::inverse(Action::StepInto);
    let last = Place::At(tree.len() as u32 - 1);
    let walked = walk(&tree, last, Direction::Inverse, forever(step));
    assert_eq!(trace(&program(&source), context(&listing), &walked), listing);
}

#[test]
fn cruxeval_prompts_are_equal() {
    let source = golden("cruxeval.py");
    let program = program(&source);
    let forward = tree(&golden("cruxeval.states"), Exit::Normal);
    let step = || Move::forward(Action::StepInto);
    let (segment, _) = walk(&forward, Place::At(0), Direction::Forward, [step(), step()]);
    let stop = StopAt { loc: Loc::main(5), call: false };
    for (name, ask) in [
        ("cruxeval_output_step_return.txt", Move::forward(Action::StepReturn)),
        ("cruxeval_output_breakpoint.txt", Move::breakpoint(vec![stop])),
    ] {
        let (pieces, _) = write::prompt(&program, &source, &segment, &ask).unwrap();
        assert_eq!(spell(&pieces), golden(name), "{name}");
    }
    let listing = golden("cruxeval_input_inv_step_call.txt");
    let inverse = tree(&golden("cruxeval_f.states"), Exit::Normal);
    let last = inverse.at(Place::At(inverse.len() as u32 - 1));
    let segment = Segment::new(Direction::Inverse, Vec::new(), last);
    let ask = Move::inverse(Action::StepCall);
    let (pieces, _) = write::prompt(&program, context(&listing), &segment, &ask).unwrap();
    assert_eq!(spell(&pieces), listing);
}

/// The states of a listing, one a line, without context and actions.
fn states(listing: &str) -> Vec<String> {
    let pieces = native::split(listing);
    let mut lines = Vec::new();
    let mut skip = true;
    for piece in &pieces {
        match piece {
            Piece::Word(Word::FrameSep) => {
                lines.push(String::new());
                skip = false;
            }
            Piece::Word(Word::ActionSep | Word::TraceEnd) => skip = true,
            _ if skip => {}
            piece => lines.last_mut().unwrap().push_str(&spell(std::slice::from_ref(piece))),
        }
    }
    lines
}

/// Every `step_into` through a caught exception, a deletion and returns to a caller with
/// locals, written out by hand from the rules.
#[test]
fn rules_forward() {
    let source = golden("rules.py");
    let tree = tree(&golden("rules.states"), Exit::Normal);
    let step = Move::forward(Action::StepInto);
    let walked = walk(&tree, Place::At(0), Direction::Forward, forever(step));
    let expected = [
        r#"<|call_sep|><|src_sep|>def outer(a):<|arg_sep|>{"a": "1"}"#,
        r#"<|line_sep|><|arg_sep|>{"..": ".."}<|src_sep|>    b = a + 1"#,
        r#"<|line_sep|><|arg_sep|>{"..": "..", "b": "2"}<|src_sep|>    c = risky(a)"#,
        r#"<|call_sep|><|src_sep|>def risky(n):<|arg_sep|>{"n": "1"}"#,
        r#"<|line_sep|><|arg_sep|>{"..": ".."}<|src_sep|>    if n > 1:"#,
        r#"<|line_sep|><|arg_sep|>{"..": ".."}<|src_sep|>    return n"#,
        r#"<|return_sep|><|src_sep|>    return n<|arg_sep|>"1""#,
        // Everything is shown after a return, unchanged names too.
        r#"<|line_sep|><|arg_sep|>{"a": "1", "b": "2", "c": "1"}<|src_sep|>    del b"#,
        // A deletion leaves no trace.
        r#"<|line_sep|><|arg_sep|>{"..": ".."}<|src_sep|>    try:"#,
        r#"<|line_sep|><|arg_sep|>{"..": ".."}<|src_sep|>        c = risky(c + 5)"#,
        r#"<|call_sep|><|src_sep|>def risky(n):<|arg_sep|>{"n": "6"}"#,
        r#"<|line_sep|><|arg_sep|>{"..": ".."}<|src_sep|>    if n > 1:"#,
        r#"<|line_sep|><|arg_sep|>{"..": ".."}<|src_sep|>        raise ValueError(n)"#,
        r#"<|exception_sep|><|src_sep|>        raise ValueError(n)<|arg_sep|>"ValueError(6)""#,
        r#"<|exception_sep|><|src_sep|>        c = risky(c + 5)<|arg_sep|>"ValueError(6)""#,
        // An exception is none of the events after which everything is shown.
        r#"<|line_sep|><|arg_sep|>{"..": ".."}<|src_sep|>    except ValueError as e:"#,
        r#"<|line_sep|><|arg_sep|>{"..": "..", "e": "ValueError(6)"}<|src_sep|>        c = 0"#,
        r#"<|line_sep|><|arg_sep|>{"..": "..", "c": "0"}<|src_sep|>    return c"#,
        r#"<|return_sep|><|src_sep|>    return c<|arg_sep|>"0""#,
        "<|exit_normal|>",
    ];
    assert_eq!(states(&trace(&program(&source), &source, &walked)), expected);
}

/// The same run backwards: nested calls are entered from their ends, lines that called
/// appear twice, each frame is written against its own state visited last.
#[test]
fn rules_inverse() {
    let source = golden("rules.py");
    let tree = tree(&golden("rules.states"), Exit::Normal);
    let step = Move::inverse(Action::StepInto);
    let last = Place::At(tree.len() as u32 - 1);
    let walked = walk(&tree, last, Direction::Inverse, forever(step));
    let expected = [
        r#"<|inv_return_sep|><|src_sep|>    return c<|arg_sep|>"0""#,
        r#"<|inv_line_sep|><|src_sep|>    return c<|arg_sep|>{"..": ".."}"#,
        r#"<|inv_line_sep|><|src_sep|>        c = 0<|arg_sep|>{"..": "..", "c": "1", "e": "ValueError(6)"}"#,
        r#"<|inv_line_sep|><|src_sep|>    except ValueError as e:<|arg_sep|>{"..": ".."}"#,
        r#"<|inv_exception_sep|><|src_sep|>        c = risky(c + 5)<|arg_sep|>"ValueError(6)""#,
        r#"<|inv_line_call_sep|><|src_sep|>        c = risky(c + 5)<|arg_sep|>{"..": ".."}"#,
        r#"<|inv_exception_sep|><|src_sep|>        raise ValueError(n)<|arg_sep|>"ValueError(6)""#,
        r#"<|inv_line_sep|><|src_sep|>        raise ValueError(n)<|arg_sep|>{"..": ".."}"#,
        r#"<|inv_line_sep|><|src_sep|>    if n > 1:<|arg_sep|>{"..": ".."}"#,
        r#"<|inv_call_sep|><|src_sep|>def risky(n):<|arg_sep|>{"n": "6"}"#,
        r#"<|inv_line_sep|><|src_sep|>        c = risky(c + 5)<|arg_sep|>{"..": ".."}"#,
        r#"<|inv_line_sep|><|src_sep|>    try:<|arg_sep|>{"..": ".."}"#,
        r#"<|inv_line_sep|><|src_sep|>    del b<|arg_sep|>{"..": "..", "b": "2"}"#,
        r#"<|inv_line_call_sep|><|src_sep|>    c = risky(a)<|arg_sep|>{"..": ".."}"#,
        r#"<|inv_return_sep|><|src_sep|>    return n<|arg_sep|>"1""#,
        r#"<|inv_line_sep|><|src_sep|>    return n<|arg_sep|>{"..": ".."}"#,
        r#"<|inv_line_sep|><|src_sep|>    if n > 1:<|arg_sep|>{"..": ".."}"#,
        r#"<|inv_call_sep|><|src_sep|>def risky(n):<|arg_sep|>{"n": "1"}"#,
        r#"<|inv_line_sep|><|src_sep|>    c = risky(a)<|arg_sep|>{"..": ".."}"#,
        r#"<|inv_line_sep|><|src_sep|>    b = a + 1<|arg_sep|>{"..": ".."}"#,
        r#"<|inv_call_sep|><|src_sep|>def outer(a):<|arg_sep|>{"a": "1"}"#,
        "<|inv_exit_entry|>",
    ];
    assert_eq!(states(&trace(&program(&source), &source, &walked)), expected);
}

/// Jumps: what each action shows of the variables where it lands.
#[test]
fn rules_jumps() {
    let source = golden("rules.py");
    let program = program(&source);
    let tree = tree(&golden("rules.states"), Exit::Normal);
    let at = |line| Move::breakpoint(vec![StopAt { loc: Loc::main(line), call: false }]);
    let (over, back) = (Move::forward(Action::StepOver), Move::forward(Action::StepReturn));
    let into = Move::forward(Action::StepInto);
    let moves = [over.clone(), over.clone(), over.clone(), at(2), back, over.clone(), at(14), into];
    let walked = walk(&tree, Place::At(0), Direction::Forward, moves);
    let expected = [
        r#"<|call_sep|><|src_sep|>def outer(a):<|arg_sep|>{"a": "1"}"#,
        r#"<|line_sep|><|arg_sep|>{"..": ".."}<|src_sep|>    b = a + 1"#,
        r#"<|line_sep|><|arg_sep|>{"..": "..", "b": "2"}<|src_sep|>    c = risky(a)"#,
        // Stepping over a call is no return: only what changed.
        r#"<|line_sep|><|arg_sep|>{"..": "..", "c": "1"}<|src_sep|>    del b"#,
        // A breakpoint shows everything.
        r#"<|line_sep|><|arg_sep|>{"n": "6"}<|src_sep|>    if n > 1:"#,
        r#"<|exception_sep|><|src_sep|>        raise ValueError(n)<|arg_sep|>"ValueError(6)""#,
        r#"<|exception_sep|><|src_sep|>        c = risky(c + 5)<|arg_sep|>"ValueError(6)""#,
        r#"<|line_sep|><|arg_sep|>{"a": "1", "c": "0"}<|src_sep|>    return c"#,
        r#"<|return_sep|><|src_sep|>    return c<|arg_sep|>"0""#,
    ];
    let text = trace(&program, &source, &walked);
    assert_eq!(states(&text), expected);
    assert!(text.contains("<|action_sep|><|breakpoint|>    if n > 1:<|frame_sep|>"), "{text}");
    let several = Move::breakpoint(Vec::new());
    assert!(write::prompt(&program, &source, &walked.0, &several).is_err());
}

/// Reading a listing gives back every record, and the records every byte.
#[test]
fn listings_are_read_back() {
    for name in ["forward_step_into.txt", "inverse_step_into.txt"] {
        let listing = golden(name);
        let read = parse::trace(&native::split(&listing)).expect(name);
        assert_eq!(read.context, context(&listing));
        assert!(read.exit.is_some() && !read.asks);
        for (record, _) in &read.steps {
            assert_eq!(&listing[record.spans.source.clone()], record.source);
            assert!(listing[record.spans.event.clone()].ends_with("_sep|>"));
        }
    }
    for name in ["cruxeval_output_breakpoint.txt", "cruxeval_input_inv_step_call.txt"] {
        let read = parse::trace(&native::split(&golden(name))).expect(name);
        assert!(read.asks && read.exit.is_none());
    }
}

#[test]
fn malformed_answers_say_where_and_why() {
    for (text, at, why) in [
        ("", 0, "expected a forward event or exit, found the end"),
        ("hello", 0, "expected a forward event or exit, found \"hello\""),
        ("<|inv_call_sep|>", 0, "expected a forward event or exit, found <|inv_call_sep|>"),
        ("<|line_sep|><|src_sep|>x", 12, "expected <|arg_sep|>, found <|src_sep|>"),
        ("<|line_sep|><|arg_sep|>{<|src_sep|>x", 24, "expected '\"', found the end"),
        ("<|line_sep|><|arg_sep|>{\"a\": \"1\", \"a\": \"2\"}<|src_sep|>x", 34, "a is given twice"),
        (
            "<|line_sep|><|arg_sep|>{\"..\": \"1\"}<|src_sep|>x",
            24,
            "\"..\" stands for unchanged variables and has no value",
        ),
        ("<|exit_normal|><|trace_end|>x", 28, "expected the end, found \"x\""),
    ] {
        let error = parse::answer(&native::split(text), Direction::Forward).unwrap_err();
        assert_eq!((error.at, error.why.as_str()), (at, why), "{text}");
    }
}
