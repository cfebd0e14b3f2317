//! Laws of the dialect: what is written is read back, token for token; what is legal and
//! random is written back, token for token.

use super::document::{self, Document};
use super::legal::Legal;
use super::read::Reader;
use super::vocab::{self, Token};
use super::{Compact, Context, Writer};
use crate::codec::{Ask, Component, Dialect, Reading};
use crate::program::{Entry, Loc, Program, SourceFile};
use crate::trace::{
    Action, Direction, Event, Exit, Locals, Move, Outcome, Segment, State, StopAt, Value,
};
use proptest::prelude::*;
use std::sync::Arc;

const SOURCE: &str = "\
# entry: count('berry')
def count(word):
    '''Counts letters.'''
    total = {}
    for ch in word:  # each
        total[ch] = total.get(ch, 0) + 1
    return total


class Point:
    def __init__(self, x):
        self.x = x

    def shift(self, by):
        return [Point(self.x + i) for i in range(by)], max(by, key=lambda é: -é)
";

fn program(source: &str, entry: Entry) -> Arc<Program> {
    let (file, _) = SourceFile::from_text("program.py", source);
    Arc::new(Program { files: vec![file], entry })
}

fn sample() -> Arc<Program> {
    program(SOURCE, Entry::Module)
}

fn sample_call() -> Arc<Program> {
    let (function, expression) = ("count".to_owned(), "count('berry')".to_owned());
    program(SOURCE, Entry::Call { function, expression })
}

fn context(program: &Program) -> Arc<Context> {
    Arc::new(Context::new(program, 10_000).expect("a small program"))
}

fn show(ids: &[Token]) -> String {
    let strings: Vec<&str> = ids.iter().map(|&id| vocab::STRINGS[id as usize].as_str()).collect();
    strings.join(" ")
}

fn state(event: Event, line: u32, function: &str, depth: u32, locals: &[(&str, &str)]) -> State {
    let locals: Locals = locals.iter().map(|&(name, value)| (name, value)).collect();
    State {
        event,
        loc: Loc::main(line),
        function: function.into(),
        depth,
        locals: Some(locals),
        arg: matches!(event, Event::Return | Event::Exception).then(|| Value::from("None")),
        suspension: false,
    }
}

fn write(context: &Context, document: &Document) -> Vec<Token> {
    let Document { segment, exit } = document;
    let mut writer = Writer::new(context, segment.direction);
    for state in segment.callers.iter().chain([&segment.first]) {
        writer.state(state).expect("a state");
    }
    for (ask, state) in &segment.steps {
        writer.ask(ask).expect("a move");
        writer.state(state).expect("a state");
    }
    if let Some((ask, exit)) = exit {
        writer.ask(ask).expect("a move");
        writer.exit(*exit).expect("an exit");
    }
    writer.ids().to_vec()
}

#[test]
fn a_document_reads_as_the_grammar_says() {
    let context = context(&sample_call());
    let into = || Move::forward(Action::StepInto);
    let at = |line, locals: &[_]| state(Event::Line, line, "count", 0, locals);
    let word = ("word", "'berry'");
    let mut segment =
        Segment::new(Direction::Forward, Vec::new(), state(Event::Call, 2, "count", 0, &[word]));
    segment.steps = vec![
        (into(), at(4, &[word])),
        (into(), at(5, &[word, ("total", "{}")])),
        (into(), at(6, &[word, ("total", "{}"), ("ch", "'b'")])),
        (into(), at(5, &[word, ("total", "{'b': 1}"), ("ch", "'b'")])),
        (
            Move::breakpoint(vec![StopAt { loc: Loc::main(7), call: false }]),
            at(7, &[word, ("total", "{'b': 1, 'é': 2}")]),
        ),
    ];
    let document =
        Document { segment, exit: Some((Move::forward(Action::Continue), Exit::Normal)) };
    let ids = write(&context, &document);
    let text = show(&ids);
    let (program, states) = text.split_once(" <seg> ").unwrap();
    assert_eq!(
        program,
        "<ctx> <L1> <I0> def count ( <n0> ) : <L2> <I1> <n1> = { } <L3> <I1> for <n2> in <n0> : \
         <L4> <I2> <n1> [ <n2> ] = <n1> . get ( <n2> ,  0 ) + 1 <L5> <I1> return <n1> \
         <run> count ( ' b e r r y ' )"
    );
    assert_eq!(
        states,
        "<call> <D0> <L1> <n0> = ' b e r r y ' <;> <end> \
         <into> <line> <D0> <L2> <end> \
         <focus> <n1> = { } <into> <line> <D0> <L3> <n1> = { } <;> <end> \
         <focus> for <n2> in <n0> : <iter> 0 <;> <n0> = ' b e r r y ' \
         <into> <line> <D0> <L4> <n2> = ' b ' <;> <end> \
         <focus> <n1> [ <n2> ] = <n1> . get ( <n2> ,  0 ) + 1 <;> <n1> = { } <;> <n2> = ' b ' \
         <into> <line> <D0> <L3> <n1> = { ' b ' :  1 } <;> <end> \
         <focus> for <n2> in <n0> : <iter> 1 <;> <n0> = ' b e r r y ' \
         <break> <L5> <line> <D0> <L5> <n2> = <none> <;> \
         <n1> = { ' b ' :  1 ,  ' <0xC3> <0xA9> ' :  2 } <;> <end> \
         <focus> return <n1> <;> <n1> = { ' b ' :  1 ,  ' <0xC3> <0xA9> ' :  2 } \
         <continue> <exit_normal>"
    );
    assert_eq!(document::read(&context, Direction::Forward, &ids), Some(document));
}

#[test]
fn an_answer_has_a_span_for_each_component() {
    let program = sample_call();
    let dialect = Compact::new(1024);
    let present = state(Event::Line, 7, "count", 1, &[("word", "'a'"), ("total", "{}")]);
    let mut segment = Segment::new(Direction::Forward, Vec::new(), present);
    let ask = Move::forward(Action::StepInto);
    let mut answer = state(Event::Return, 7, "count", 1, &[("total", "{}"), ("Point", "1")]);
    answer.arg = Some(Value::from("{}"));
    let question = dialect.ask(&program, &segment, &Ask::Move(ask.clone())).unwrap();
    segment.steps.push((ask.clone(), answer.clone()));
    let whole = dialect.ask(&program, &segment, &Ask::Move(ask)).unwrap();
    assert!(whole.prompt.starts_with(&question.prompt), "extending only appends");
    let mut reply = question.reply;
    let written = &whole.prompt[question.prompt.len()..];
    for &id in written {
        if reply.done() {
            break;
        }
        assert!(reply.allowed().contains(&id), "{}", show(&[id]));
        assert!(reply.push(id));
    }
    let decoded = reply.decode();
    assert_eq!(decoded.reading, Reading::State(answer));
    let spans: Vec<(Component, String)> = decoded
        .spans
        .iter()
        .map(|(component, range)| (component.clone(), show(&written[range.clone()])))
        .collect();
    let local = |name: &str| Component::Local(name.into());
    let expected = [
        (Component::Event, "<returned>"),
        (Component::Source, "<D1> <L5>"),
        (local("word"), "<n0> = <none> <;>"),
        (local("Point"), "<id> P o i n t = 1 <;>"),
        (local(".."), "<arg>"),
        (Component::Arg, "{ }"),
    ];
    assert_eq!(spans, expected.map(|(component, text)| (component, text.to_owned())));
}

/// A call's variables are its parameters: their names are forced one after another, in the
/// order of CPython's frames, whatever else the model would like to bind.
#[test]
fn the_parameters_of_a_call_are_forced() {
    let source = "\
def f(a, b=2, *rest, key='k', **more):
    def inner(x):
        return x + a
    return inner(b)

def bare():
    return f(1)
";
    let program = program(source, Entry::Module);
    let context = context(&program);
    let names = |function: &str, line, locals: &[(&str, &str)], ask: Move, present: Event| {
        let first = state(present, line, function, 1, locals);
        let segment = Segment::new(ask.direction, Vec::new(), first.clone());
        let mut writer = Writer::new(&context, ask.direction);
        writer.state(&first).expect("a state");
        writer.ask(&ask).expect("a move");
        let legal = Legal::after(&context, &program, &segment, &ask, writer.memory());
        Reader::new(context.clone(), writer.memory().clone(), legal)
    };
    let call = |reader: &mut Reader, depth: Token, line: u32| {
        let head = [vocab::event(Event::Call, false), vocab::DEPTH.start + depth];
        for token in head.into_iter().chain(context.line_token(line)) {
            assert!(reader.push(token), "{}", show(&[token]));
        }
    };
    // Follows what is forced, gives every parameter 1, and says which names there were.
    let finish = |mut reader: Reader| {
        let mut bound = Vec::new();
        while !reader.done() {
            let word = |token: &Token| reader.memory().names().text(*token).is_some();
            let allowed: Vec<Token> =
                reader.allowed().iter().filter(|token| *token != vocab::FUNCTION).collect();
            match allowed[..] {
                [only] if word(&only) => {
                    bound.push(reader.memory().names().text(only).unwrap().to_owned());
                    assert!(reader.push(only));
                }
                [only] => assert!(reader.push(only)),
                _ if allowed.contains(&vocab::SEP) => assert!(reader.push(vocab::SEP)),
                _ => assert!(reader.push(vocab::ascii('1').unwrap()), "{}", show(&allowed)),
            }
        }
        let Some(Outcome::State(state)) = reader.outcome().cloned() else { panic!("no state") };
        (bound, state.locals.unwrap().iter().map(|(n, _)| n.to_string()).collect::<Vec<_>>())
    };
    let parameters = ["a", "b", "key", "rest", "more"].map(str::to_owned).to_vec();
    let into = Move::forward(Action::StepInto);
    let mut forward = names("bare", 7, &[], into.clone(), Event::Line);
    call(&mut forward, 2, 1);
    assert_eq!(finish(forward), (parameters.clone(), parameters.clone()));
    let mut none = names("<module>", 6, &[], into, Event::Line);
    call(&mut none, 2, 6);
    assert_eq!(finish(none), (vec![], vec![]));

    // Backwards what was shown later goes, and what the call had before comes back.
    let to_call = Move::inverse(Action::StepCall);
    let later = [("b", "3"), ("more", "{}"), ("inner", "<function inner>")];
    let mut back = names("f", 4, &later, to_call, Event::Line);
    call(&mut back, 1, 1);
    for _ in 0..300 {
        let allowed = *back.allowed();
        let end = [vocab::END, vocab::SEP, vocab::NONE].into_iter().find(|t| allowed.contains(*t));
        let other = allowed.iter().find(|token| *token != vocab::FUNCTION);
        let Some(token) = end.or(other) else { break };
        assert!(back.push(token));
    }
    let Some(Outcome::State(found)) = back.outcome().cloned() else { panic!("no state") };
    let mut found: Vec<String> = found.locals.unwrap().iter().map(|(n, _)| n.to_string()).collect();
    let mut wanted = parameters;
    found.sort();
    wanted.sort();
    assert_eq!(found, wanted);
}

#[test]
fn arguments_are_invented_and_return_lines_chosen() {
    let invent = program(SOURCE, Entry::Invent { function: "count".into() });
    let dialect = Compact::new(1024);
    let mut first = state(Event::Call, 2, "count", 0, &[]);
    first.locals = None;
    let segment = Segment::new(Direction::Forward, Vec::new(), first.clone());
    let mut reply = dialect.ask(&invent, &segment, &Ask::Complete).unwrap().reply;
    for id in [vocab::SLOT.start].into_iter().chain(['=', '7'].map(|c| vocab::ascii(c).unwrap())) {
        assert!(reply.push(id), "{}", show(&[id]));
    }
    assert!(reply.push(vocab::SEP) && reply.push(vocab::END) && reply.done());
    first.locals = Some([("word", "7")].into_iter().collect());
    assert_eq!(reply.decode().reading, Reading::State(first));

    let mut last = state(Event::Return, 0, "count", 0, &[]);
    (last.locals, last.arg) = (None, Some(Value::from("{}")));
    let segment = Segment::new(Direction::Inverse, Vec::new(), last);
    let mut reply = dialect.ask(&invent, &segment, &Ask::Complete).unwrap().reply;
    assert_eq!(reply.forced(), [vocab::LINE.start + 4]);
    assert!(reply.push(vocab::LINE.start + 4) && reply.done());
    assert!(matches!(
        reply.decode().reading,
        Reading::State(State { loc: Loc { line: 7, .. }, .. })
    ));
}

#[test]
fn programs_beyond_the_limits_are_refused_in_one_line() {
    let lines = |count| (0..count).map(|_| "x = 1\n").collect::<String>();
    let names = |count| (0..count).map(|i| format!("a{i}, ")).collect::<String>() + "= 1";
    let table = [
        (lines(256), 10_000, None),
        (lines(257), 10_000, Some("256 lines")),
        (names(256), 10_000, None),
        (names(257), 10_000, Some("256 different names")),
        (lines(200), 512, Some("of the 512 tokens")),
        // Long files are refused as fast as short ones: each of these took a square of its lines.
        ("if x:\n    x = 1\n".repeat(20_000), 10_000, Some("256 lines")),
        ("for x in y:\n    x = 1\n".repeat(20_000), 10_000, Some("256 lines")),
        ("class C:\n    def __add__(self): x.f\n".repeat(20_000), 10_000, Some("256 lines")),
    ];
    for (source, window, refused) in table {
        let answer = Compact::new(window).accepts(&program(&source, Entry::Module));
        match (answer, refused) {
            (Ok(()), None) => {}
            (Err(refusal), Some(words)) => {
                let text = refusal.to_string();
                assert!(
                    text.contains(words) && text.contains("--model") && !text.contains('\n'),
                    "{text}"
                );
            }
            (answer, refused) => panic!("{answer:?} {refused:?}"),
        }
    }
}

#[test]
fn a_full_window_begins_again_from_the_present_state() {
    let program = sample_call();
    let dialect = Compact::new(320);
    let ask = Move::forward(Action::StepInto);
    let first = state(Event::Call, 2, "count", 0, &[("word", "'berry'")]);
    let mut segment = Segment::new(Direction::Forward, Vec::new(), first);
    let mut shorter = 0;
    for step in 0..40 {
        let before = dialect.ask(&program, &segment, &Ask::Move(ask.clone())).unwrap().prompt;
        assert!(before.len() <= 320);
        let total = format!("{{'b': {step}}}");
        let next = state(Event::Line, 5, "count", 0, &[("word", "'berry'"), ("total", &total)]);
        segment.steps.push((ask.clone(), next));
        let after = dialect.ask(&program, &segment, &Ask::Move(ask.clone())).unwrap().prompt;
        if !after.starts_with(&before) {
            shorter += 1;
            assert!(after.len() < before.len());
        }
    }
    assert!((1..20).contains(&shorter), "{shorter}");
}

/// Names, known and unknown to the program, ASCII and not.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec!["word", "total", "ch", "self", "len", "match", "Point", "b"])
            .prop_map(str::to_owned),
        "[a-c_é][a-c0_é]{0,3}",
    ]
}

/// Value text: displays, reprs of the program's own, and anything.
fn text() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        "-?[0-9]{1,4}",
        "[0-9]\\.[0-9]{1,2}(e-[0-9]{2})?",
        "'[ -&(-\\[\\]-~é…]{0,6}'",
        "b'(\\\\x0[0-9]|[a-z]){0,3}'",
        Just("\"it's\"".to_owned()),
        Just("'\\\\\\''".to_owned()),
        Just("<function count>".to_owned()),
        Just("None".to_owned()),
        name().prop_map(|name| format!("{name}(x={name})")),
        "[ -~é…\\n]{0,8}",
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|v| format!("[{}]", v.join(", "))),
            (inner.clone(), inner.clone()).prop_map(|(k, v)| format!("{{{k}: {v}}}")),
            inner.prop_map(|v| format!("{v}…")),
        ]
    })
}

fn any_state() -> impl Strategy<Value = State> {
    let event = prop::sample::select(vocab::EVENTS.to_vec());
    let function = prop_oneof![
        prop::sample::select(vec!["count", "shift", "<lambda>", "<module>", "Point"])
            .prop_map(str::to_owned),
        name(),
    ];
    let locals = prop::collection::vec((name(), text()), 0..5);
    let depth = prop_oneof![0..4u32, 60..70u32, Just(12_345)];
    (event, 0..20u32, function, depth, prop::option::weighted(0.9, locals), text()).prop_map(
        |((event, suspension), line, function, depth, locals, arg)| State {
            event,
            loc: Loc::main(line),
            function: function.as_str().into(),
            depth,
            locals: locals.map(|locals| {
                locals.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
            }),
            arg: matches!(event, Event::Return | Event::Exception).then(|| Value::from(&*arg)),
            suspension,
        },
    )
}

fn any_move(direction: Direction) -> impl Strategy<Value = Move> {
    let stop =
        (0..20u32, any::<bool>()).prop_map(|(line, call)| StopAt { loc: Loc::main(line), call });
    let actions: Vec<Action> = vocab::ACTIONS
        .iter()
        .filter(|(way, _)| *way == direction)
        .map(|&(_, action)| action)
        .filter(|&action| Move { direction, action, stops: Vec::new() }.exists())
        .collect();
    (prop::sample::select(actions), prop::collection::vec(stop, 1..3)).prop_map(
        move |(action, stops)| {
            let stops = if action == Action::Breakpoint { stops } else { Vec::new() };
            Move { action, direction, stops }
        },
    )
}

fn any_document() -> impl Strategy<Value = Document> {
    prop::sample::select(vec![Direction::Forward, Direction::Inverse]).prop_flat_map(|direction| {
        let steps = prop::collection::vec((any_move(direction), any_state()), 0..6);
        let exit = (any_move(direction), prop::sample::select(vocab::EXITS.to_vec()));
        let callers = prop::collection::vec(any_state(), 0..3);
        (callers, any_state(), steps, prop::option::of(exit)).prop_map(
            move |(callers, first, steps, exit)| Document {
                segment: Segment { direction, callers, first, steps },
                exit,
            },
        )
    })
}

/// A walk over legal tokens that ends: after a while, towards ends where there are any.
fn random_walk(mut reader: Reader, choices: &[u16]) -> Option<(Vec<Token>, Outcome)> {
    let mut ids = Vec::new();
    let ends = [vocab::END, vocab::SEP, vocab::ARG, vocab::NONE];
    for (at, &choice) in choices.iter().enumerate() {
        let allowed: Vec<Token> = reader.allowed().iter().collect();
        assert!(!allowed.is_empty(), "a dead end after {}", show(&ids));
        let end = allowed.iter().find(|token| ends.contains(token) && at > 20 && choice % 9 > 6);
        let token = *end.unwrap_or(&allowed[usize::from(choice) % allowed.len()]);
        assert!(reader.push(token));
        ids.push(token);
        if reader.done() {
            return Some((ids, reader.outcome().cloned()?));
        }
    }
    None
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn reading_what_was_written_gives_it_back(document in any_document()) {
        let context = context(&sample());
        let ids = write(&context, &document);
        prop_assert!(ids.iter().all(|&id| (id as usize) < vocab::SIZE));
        let read = document::read(&context, document.segment.direction, &ids);
        prop_assert_eq!(read.as_ref(), Some(&document), "{}", show(&ids));
    }

    #[test]
    fn writing_what_is_legal_gives_it_back(
        document in any_document(),
        free in any::<bool>(),
        room in 30..600usize,
        choices in prop::collection::vec(any::<u16>(), 400),
    ) {
        let program = sample();
        let context = context(&program);
        let begun = Segment { steps: Vec::new(), ..document.segment.clone() };
        let segment = &document.segment;
        let mut writer = Writer::new(&context, segment.direction);
        for state in segment.callers.iter().chain([&segment.first]) {
            writer.state(state).unwrap();
        }
        let ask = match segment.direction {
            Direction::Forward => Move::forward(Action::StepInto),
            Direction::Inverse => Move::inverse(Action::StepInto),
        };
        writer.ask(&ask).unwrap();
        let (_, memory) = writer.clone().finish();
        let legal = if free { Legal::free() } else { Legal::after(&context, &program, &begun, &ask, &memory) };
        let reader = Reader::new(context.clone(), memory, legal).within(room);
        let walk = random_walk(reader, &choices);
        prop_assert!(walk.is_some() || room > choices.len(), "no end within {}", room);
        if let Some((ids, outcome)) = walk {
            let range = match &outcome {
                Outcome::State(state) => writer.state(state).unwrap(),
                Outcome::Exit(exit) => writer.exit(*exit).unwrap(),
            };
            prop_assert_eq!(show(&writer.ids()[range]), show(&ids));
        }
    }
}
