use super::*;
use proptest::prelude::*;

fn state(event: Event, line: u32, locals: &[(&str, &str)], arg: Option<&str>) -> State {
    State {
        event,
        loc: Loc::main(line),
        function: "f".into(),
        depth: 1,
        locals: Some(locals.iter().copied().collect()),
        arg: arg.map(Value::from),
        suspension: false,
    }
}

#[test]
fn values_are_compared_as_python_values_type_strictly() {
    let table = [
        ("1", "1", true),
        ("1", "1.0", false),
        ("1", "True", false),
        ("-0.0", "0.0", false),
        ("nan", "nan", true),
        ("'a'", "\"a\"", true),
        ("[1,2]", "[1, 2]", true),
        ("[1, 2]", "(1, 2)", false),
        ("{1, 2}", "{2, 1}", true),
        ("{'a': 1, 'b': 2}", "{'b': 2, 'a': 1}", false),
        ("<object at 0x…>", "<object at 0x…>", true),
        ("<object>", "< object >", false),
        ("Point(x=1, y=2)", "Point(x=1,y=2)", true),
        ("[1, 2, …", "[1, 2, …", true),
    ];
    for (a, b, same) in table {
        assert_eq!(same_value(&a.into(), &b.into()), same, "{a} {b}");
        assert_eq!(same_value(&b.into(), &a.into()), same, "{b} {a}");
    }
}

/// Predicted and real variables, the parts in order, the verdict on all, the note.
#[test]
fn variables_are_compared_one_by_one() {
    use Part::{Different, Extra, Missing, NotComparable, Same};
    type Names = &'static [(&'static str, &'static str)];
    type Row = (Names, Names, &'static [(&'static str, Part)], Part, &'static str);
    let table: &[Row] = &[
        (&[], &[], &[], Same, ""),
        (
            &[("b", "2"), ("a", "1")],
            &[("a", "1"), ("b", "2")],
            &[("a", Same), ("b", Same)],
            Same,
            "",
        ),
        (&[("a", "1")], &[("a", "2")], &[("a", Different)], Different, "a: predicted 1, real 2"),
        (&[], &[("a", "2")], &[("a", Missing)], Different, "a missing, real 2"),
        (&[("a", "2")], &[], &[("a", Extra)], Different, "a predicted 2, does not exist"),
        (
            &[("a", "1"), ("c", "3")],
            &[("a", "2"), ("b", "2")],
            &[("a", Different), ("b", Missing), ("c", Extra)],
            Different,
            "a: predicted 1, real 2; 2 more",
        ),
        (&[("a", "[1]")], &[("a", "[1, …")], &[("a", NotComparable)], NotComparable, ""),
        (
            &[("a", "[1, …")],
            &[("a", "[1]")],
            &[("a", Different)],
            Different,
            "a: predicted [1, …, real [1]",
        ),
    ];
    for (ours, theirs, parts, all, note) in table {
        let found = compare(
            &state(Event::Line, 3, ours, None),
            &state(Event::Line, 3, theirs, None),
            Leeway::default(),
        );
        let expected: Vec<_> = parts.iter().map(|(name, part)| ((*name).into(), *part)).collect();
        assert_eq!(found.locals, Some(expected), "{ours:?} {theirs:?}");
        assert_eq!((found.all(), found.note.as_str()), (*all, *note), "{ours:?} {theirs:?}");
    }
}

#[test]
fn event_place_and_argument_are_parts_of_their_own() {
    let real = state(Event::Return, 3, &[], Some("1"));
    let mut elsewhere = real.clone();
    elsewhere.loc = Loc::main(9);
    let mut deeper = real.clone();
    deeper.depth = 2;
    let raised = state(Event::Exception, 3, &[], Some("ValueError('x')"));
    let other = state(Event::Return, 3, &[], Some("2"));
    let none = state(Event::Line, 3, &[], None);
    let table = [
        (
            &elsewhere,
            (Part::Same, Part::Different, Some(Part::Same)),
            "predicted line 9, real line 3",
        ),
        (
            &deeper,
            (Part::Same, Part::Different, Some(Part::Same)),
            "predicted depth 2, real depth 1",
        ),
        (
            &raised,
            (Part::Different, Part::Same, Some(Part::Different)),
            "predicted exception, real return; 1 more",
        ),
        (
            &other,
            (Part::Same, Part::Same, Some(Part::Different)),
            "return value: predicted 2, real 1",
        ),
        (
            &none,
            (Part::Different, Part::Same, Some(Part::Missing)),
            "predicted line, real return; 1 more",
        ),
    ];
    for (predicted, parts, note) in table {
        let found = compare(predicted, &real, Leeway::default());
        assert_eq!((found.event, found.source, found.arg), parts, "{predicted:?}");
        assert_eq!(found.note, note);
        assert_eq!(found.on_path(), parts.0 == Part::Same && parts.1 == Part::Same);
        assert_eq!(found.all(), Part::Different);
    }
}

#[test]
fn what_is_not_carried_is_not_judged() {
    let real = state(Event::Return, 3, &[("a", "1")], Some("1"));
    let predicted = State { locals: None, ..real.clone() };
    let found = compare(&predicted, &real, Leeway::default());
    assert_eq!((found.locals.as_ref(), found.all()), (None, Part::Same));
    assert!(same_state(&predicted, &real));
}

#[test]
fn what_differs_from_run_to_run_is_not_comparable() {
    let real = state(Event::Line, 3, &[("t", "1.5"), ("n", "1"), ("s", "{1}")], None);
    let again = state(Event::Line, 3, &[("t", "1.7"), ("n", "1"), ("u", "0")], None);
    let predicted = state(Event::Line, 3, &[("t", "0.0"), ("n", "2"), ("u", "0")], None);
    let leeway = Leeway { other: Some(&again), ..Leeway::default() };
    let parts: Vec<_> =
        compare(&predicted, &real, leeway).locals.unwrap().into_iter().map(|(_, p)| p).collect();
    let expected = [Part::NotComparable, Part::Different, Part::NotComparable, Part::NotComparable];
    assert_eq!(parts, expected);
    // What is right all the same is right.
    let lucky = compare(&real, &real, leeway);
    assert_eq!(lucky.all(), Part::Same);
}

/// A guess of a value that has no text, or whose text is cut, is nobody's mistake.
#[test]
fn what_has_no_whole_text_is_not_comparable() {
    let guess = state(Event::Line, 3, &[("self", "Shape(w=2)")], None);
    for (text, wanted) in [
        ("<unrepresentable Shape: AttributeError>", Part::NotComparable),
        ("<repr of Shape timed out>", Part::NotComparable),
        ("Shape(w=2, name='lon…", Part::NotComparable),
        ("Shape(w=3)", Part::Different),
        ("<Shape timed out>", Part::Different),
        ("'<unrepresentable Shape: AttributeError>'", Part::Different),
    ] {
        let real = state(Event::Line, 3, &[("self", text)], None);
        let compared = compare(&guess, &real, Leeway::default()).locals.unwrap();
        assert_eq!(compared[0].1, wanted, "{text}");
        assert_eq!(compare(&real, &real, Leeway::default()).all(), Part::Same);
    }
}

#[test]
fn equal_lines_are_one_place_only_where_allowed() {
    let real = state(Event::Line, 7, &[], None);
    let predicted = state(Event::Line, 3, &[], None);
    let places = [Loc::main(7)];
    let leeway = Leeway { places: &places, ..Leeway::default() };
    assert_eq!(compare(&predicted, &real, Leeway::default()).source, Part::Different);
    assert_eq!(compare(&predicted, &real, leeway).source, Part::Same);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Comparing says "the same" exactly where equality does, except that the function's
    /// name follows from the place.
    #[test]
    fn comparison_and_equality_agree(tree in crate::trace::arbitrary::trees()) {
        let states: Vec<_> = tree.states().take(40).collect();
        for a in &states {
            for b in &states {
                let same = compare(a, b, Leeway::default()).all() == Part::Same;
                prop_assert_eq!(same && a.function == b.function, same_state(a, b));
                prop_assert_eq!(same_state(a, b), same_state(b, a));
            }
        }
    }
}
