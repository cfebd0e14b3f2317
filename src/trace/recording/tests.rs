use super::*;
use crate::trace::arbitrary::trees;
use proptest::prelude::*;

fn recording(tree: StateTree, output: Vec<Output>) -> Recording {
    Recording {
        python: "3.11.7".into(),
        entry: "f('ü\n')".into(),
        files: vec![("a b.py".into(), "00ff".into()), ("c.py".into(), String::new())],
        argv: vec!["-x".into()],
        seed: 7,
        limits: Limits { events: 10, milliseconds: 0, bytes: 1 << 40 },
        repr: ReprRules { depth: 2, items: 100, chars: 1000 },
        edits: vec![Edit { at: 3, name: "x".into(), value: "[1]".into() }],
        tree,
        output,
        note: "stopped: \"limit\"".into(),
    }
}

fn written(recording: &Recording) -> String {
    let mut text = Vec::new();
    write_recording(recording, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

fn outputs() -> impl Strategy<Value = Vec<Output>> {
    let stream = prop::sample::select(vec!["stdout", "stderr", "stdin"]);
    let output = (0u64..400, stream, any::<String>()).prop_map(|(after, stream, text)| Output {
        after,
        stream: stream.into(),
        text,
    });
    prop::collection::vec(output, 0..5)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_written_is_read(tree in trees(), output in outputs()) {
        let recording = recording(tree, output);
        let text = written(&recording);
        let read = read_recording(text.as_bytes(), ReadLimits::default()).unwrap();
        prop_assert_eq!(&read, &recording);
        prop_assert_eq!(written(&read), text);
    }

    #[test]
    fn damage_is_an_error_and_no_panic(
        tree in trees(),
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let text = written(&recording(tree, Vec::new())).into_bytes();
        let at = at.index(text.len());
        let mut changed = text.clone();
        changed[at] = byte;
        // Some changes are another valid recording; none may panic.
        let _ = read_recording(changed.as_slice(), ReadLimits::default());
        let cut = read_recording(&text[..at], ReadLimits::default());
        prop_assert!(cut.is_err() || at + 1 == text.len());
    }
}

/// A file's lines, then the error.
#[test]
fn a_wrong_line_is_named() {
    let header = r#"{"header":{"format":"foretrace recording","version":1,"python":"3.11.7","entry":"<module>","files":[{"name":"a.py","sha256":""}],"seed":0,"limits":{"events":0,"milliseconds":0,"bytes":0},"repr":{"depth":0,"items":0,"chars":0}}}"#;
    let call = r#"{"state":{"event":"call","line":1,"frame":0,"function":"<module>","locals":{}}}"#;
    let line = r#"{"state":{"event":"line","line":1,"frame":0,"set":{"a":"1"}}}"#;
    let table: &[(&[&str], &str)] = &[
        (&[], "line 1: the file is empty"),
        (&["{}"], "line 1: not a recording"),
        (&["\u{1}\u{0}"], "line 1: not a recording"),
        (
            &[r#"{"header":{"format":"foretrace recording","version":2}}"#],
            "a recording of version 2",
        ),
        (&[r#"{"header":{"format":"foretrace recording","version":1}}"#], "line 1: missing field"),
        (&[header], "line 1: the recording has no end line"),
        (&[header, call], "line 2: the recording has no end line"),
        (&[header, "{"], "line 2: EOF"),
        (&[header, header], "line 2: a second header"),
        (&[header, r#"{"steak":{}}"#], "line 2: unknown variant `steak`"),
        (
            &[header, r#"{"state":{"event":"line","line":1,"frame":0,"locals":{}}}"#],
            "line 2: a level begins here",
        ),
        (
            &[header, call, r#"{"state":{"event":"line","line":1,"frame":1,"set":{}}}"#],
            "line 3: frame 1 was not called",
        ),
        (
            &[header, call, r#"{"state":{"event":"line","line":1,"frame":0,"parent":0}}"#],
            "line 3: function or parent where",
        ),
        (
            &[header, call, r#"{"state":{"event":"line","file":1,"line":1,"frame":0}}"#],
            "line 3: file 1 of 1",
        ),
        (
            &[
                header,
                call,
                r#"{"state":{"event":"line","line":1,"frame":0,"locals":{},"set":{"a":"1"}}}"#,
            ],
            "line 3: both locals",
        ),
        (
            &[header, call, r#"{"state":{"event":"line","line":1,"frame":0,"locals":null}}"#, line],
            "line 4: changes, but no variables",
        ),
        (
            &[
                header,
                call,
                r#"{"state":{"event":"call","line":5,"frame":1,"function":"f","parent":9,"locals":{}}}"#,
            ],
            "line 3: no such parent",
        ),
        (
            &[
                header,
                call,
                line,
                r#"{"state":{"event":"call","line":5,"frame":1,"function":"f","parent":0,"locals":{}}}"#,
            ],
            "line 4: the parent is not",
        ),
        (
            &[
                header,
                call,
                r#"{"state":{"event":"return","line":1,"frame":0,"arg":"None"}}"#,
                line,
            ],
            "line 4: a line state at depth 0, where no frame",
        ),
        (
            &[header, call, r#"{"end":{"exit":"normal","states":2}}"#],
            "line 3: the end speaks of 2 states, there are 1",
        ),
        (
            &[header, call, r#"{"end":{"exit":"entry","states":1}}"#],
            "line 3: unknown variant `entry`",
        ),
        (
            &[header, call, r#"{"end":{"exit":"cut","states":1}}"#, call],
            "line 4: a line after the end",
        ),
        (
            &[header, call, r#"{"output":{"after":1,"stream":"printer","text":""}}"#],
            "line 3: unknown variant `printer`",
        ),
    ];
    for (lines, expected) in table {
        let text = lines.join("\n");
        let error = read_recording(text.as_bytes(), ReadLimits::default()).unwrap_err();
        assert!(error.to_string().contains(expected), "{text}\n{error}\n{expected}");
    }
}

#[test]
fn reading_is_bounded() {
    let states = "C1 L2 L3 R3".split(' ').map(crate::trace::tests::state);
    let tree = StateTree::from_states(states, crate::trace::Exit::Normal).unwrap();
    let text = written(&recording(tree, Vec::new()));
    let all = ReadLimits::default();
    let longest = text.lines().map(str::len).max().unwrap() as u64;
    let table = [
        (all, None),
        (ReadLimits { states: 4, ..all }, None),
        (ReadLimits { states: 3, ..all }, Some("line 5: more than 3 states")),
        (ReadLimits { bytes: text.len() as u64, ..all }, None),
        (
            ReadLimits { bytes: text.len() as u64 - 1, ..all },
            Some("line 6: the file has more than"),
        ),
        (ReadLimits { line: longest + 1, ..all }, None),
        (ReadLimits { line: longest - 1, ..all }, Some("line 1: longer than")),
    ];
    for (limits, expected) in table {
        let result = read_recording(text.as_bytes(), limits);
        match expected {
            None => assert!(result.is_ok(), "{limits:?}"),
            Some(part) => assert!(result.unwrap_err().to_string().contains(part), "{limits:?}"),
        }
    }
}

#[test]
fn the_file_is_readable_by_eye() {
    let mut states: Vec<_> =
        "C1 L2 .C5 .Y6 L3 .G6 .X7 X3".split(' ').map(crate::trace::tests::state).collect();
    states[1].locals = Some([("b", "1"), ("a", "'x'")].into_iter().collect());
    states[4].locals = Some([("a", "'x'"), ("b", "2")].into_iter().collect());
    states[7].locals = Some([("a", "'x'")].into_iter().collect());
    let tree = StateTree::from_states(states, crate::trace::Exit::Error).unwrap();
    let output = Output { after: 2, stream: "stdout".into(), text: "hi\n".into() };
    insta::assert_snapshot!(written(&recording(tree, vec![output])));
}
