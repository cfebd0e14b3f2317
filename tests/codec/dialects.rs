//! Every real state is legal in every text dialect, and is read back as it was.

use crate::recorded::{self, Recorded};
use crate::support::{golden, program, tree, walk};
use foretrace::codec::grammar::Vocabulary;
use foretrace::codec::native::{Native, Word};
use foretrace::codec::prompted::Prompted;
use foretrace::codec::tokenizer::{Spec, Tokenizer};
use foretrace::codec::{Ask, Dialect, Question, Reading, TokenId};
use foretrace::program::{Loc, Program};
use foretrace::trace::{
    Action, Direction, Event, Exit, Locals, Move, Outcome, Place, Segment, State, StateTree, StopAt,
};
use proptest::prelude::*;
use std::sync::Arc;

/// The small byte-level BPE of the tokenizer's fixture, with the words of the language.
fn vocabulary() -> Arc<Vocabulary> {
    let text = include_str!("../fixtures/tokenizer/golden.json");
    let json: serde_json::Value = serde_json::from_str(text).unwrap();
    let strings = |key: &str| serde_json::from_value(json["bpe"][key].clone()).unwrap();
    let mut tokens: Vec<String> = strings("tokens");
    let mut kinds: Vec<i64> = serde_json::from_value(json["bpe"]["kinds"].clone()).unwrap();
    for word in Word::ALL {
        tokens.push(word.spelling().unwrap().into());
        kinds.push(3);
    }
    let spec = Spec {
        model: "gpt2".into(),
        pre: "smollm".into(),
        tokens,
        kinds,
        merges: strings("merges"),
        chat_template: Some("<|im_start|>".into()),
        ..Spec::default()
    };
    Arc::new(Vocabulary::new(Tokenizer::new(spec).unwrap()))
}

/// Move sequences that together use every move of the language.
fn walks(tree: &StateTree) -> Vec<(Segment, Option<(Move, Exit)>)> {
    use Action::{StepCall, StepInto, StepOver, StepReturn};
    let last = Place::At(tree.len() as u32 - 1);
    let mut walks = Vec::new();
    for pattern in [&[StepInto][..], &[StepOver], &[StepInto, StepInto, StepInto, StepReturn]] {
        let moves = pattern.iter().cycle().map(|&action| Move::forward(action));
        walks.push(walk(tree, Place::At(0), Direction::Forward, moves));
    }
    let lines: Vec<_> = tree.states().filter(|s| s.event == Event::Line).map(|s| s.loc).collect();
    let jumps = (0..8).map(|index| {
        let loc = lines[(index * 7 + 5) % lines.len()];
        Move::breakpoint(vec![StopAt { loc, call: false }])
    });
    let on = [Move::forward(Action::StepInto), Move::forward(Action::Continue)];
    walks.push(walk(tree, Place::At(0), Direction::Forward, jumps.chain(on)));
    for pattern in [&[StepInto][..], &[StepOver], &[StepInto, StepInto, StepInto, StepCall]] {
        let moves = pattern.iter().cycle().map(|&action| Move::inverse(action));
        walks.push(walk(tree, last, Direction::Inverse, moves));
    }
    walks
}

/// Programs of the training recipe that are recorded beside the samples and fixtures.
const GENERATED: usize = 12;

/// Most questions that are put about one walk, spread over it.
const QUESTIONS: usize = 24;

/// Questions of a walk, with their answers: up to [`QUESTIONS`] in runs of four.
fn questions(walk: &(Segment, Option<(Move, Exit)>)) -> Vec<(Segment, Move, Outcome)> {
    let (segment, exit) = walk;
    let mut questions = Vec::new();
    let stride = segment.steps.len().div_ceil(QUESTIONS / 4).max(4);
    for (index, (ask, state)) in segment.steps.iter().enumerate() {
        if index % stride >= 4 {
            continue;
        }
        let before = Segment { steps: segment.steps[..index].to_vec(), ..segment.clone() };
        questions.push((before, ask.clone(), Outcome::State(state.clone())));
    }
    if let Some((ask, exit)) = exit {
        questions.push((segment.clone(), ask.clone(), Outcome::Exit(*exit)));
    }
    questions
}

/// Puts a question, gives the right answer under the mask, and reads it.
fn answered(
    dialect: &dyn Dialect,
    program: &Arc<Program>,
    (segment, ask, outcome): &(Segment, Move, Outcome),
    answer: &[TokenId],
) -> (Vec<TokenId>, foretrace::codec::Decoded) {
    let mut question = dialect.ask(program, segment, &Ask::Move(ask.clone())).unwrap();
    for (index, &id) in answer.iter().enumerate() {
        assert!(!question.reply.done());
        let allowed = question.reply.allowed();
        assert!(
            allowed.contains(&id),
            "{}: id {index} of {outcome:?} is illegal after {:?}",
            dialect.name(),
            question.reply.text()
        );
        assert!(question.reply.push(id));
    }
    assert!(question.reply.done(), "{:?} does not end", question.reply.text());
    (question.prompt, question.reply.decode())
}

#[derive(Default)]
struct Tally {
    states: usize,
    ambiguous: usize,
    elsewhere: usize,
    /// The walk has jumped: depths are guesses.
    jumped: bool,
}

/// Place, event, value: exactly. The line, if the text leaves a choice: one of those said.
fn same_place(
    found: &State,
    candidates: &[foretrace::program::Loc],
    real: &State,
    source: &str,
    ask: &Move,
    tally: &mut Tally,
) {
    tally.jumped |= ask.action == Action::Breakpoint;
    tally.states += 1;
    tally.ambiguous += usize::from(!candidates.is_empty());
    if found.loc != real.loc {
        tally.elsewhere += 1;
        assert!(candidates.contains(&real.loc), "{found:?}\n{real:?}");
    }
    assert_eq!(found.event, real.event);
    let frame = |state: &State| (state.function.clone(), state.depth, state.suspension);
    // A jump does not say which frames it went through; the body of a one-line function has the
    // same text as its definition; and equal lines may stand in two functions.
    let one_line = found.event == Event::Line && source.trim_start().starts_with("def ");
    let open = tally.jumped || one_line || found.loc != real.loc;
    assert!(open || frame(found) == frame(real), "{found:?}\n{real:?}");
    assert_eq!(found.arg, real.arg);
}

#[test]
fn native_says_and_reads_every_real_state() {
    let native = Native::new(vocabulary(), 1 << 20).unwrap();
    let mut tally = Tally::default();
    for Recorded { name, program, recording } in recorded::all(GENERATED) {
        let tree = &recording.tree;
        for walk in walks(tree) {
            tally.jumped = false;
            let (mut before, mut asked) = (Vec::new(), usize::MAX - 1);
            for question in questions(&walk) {
                let answer =
                    native.answer(&program, &question.0, &question.1, &question.2).unwrap();
                let (prompt, decoded) = answered(&native, &program, &question, &answer);
                let follows = question.0.steps.len() == asked + 1;
                assert!(!follows || prompt.starts_with(&before), "{name}: the cache is lost");
                (before, asked) = ([prompt, answer].concat(), question.0.steps.len());
                match (decoded.reading, &question.2) {
                    (Reading::Exit(exit), Outcome::Exit(real)) => assert_eq!(exit, *real),
                    (Reading::State(state), Outcome::State(real)) => {
                        let source = program.source(real.loc).map_or("", |line| &**line);
                        same_place(
                            &state,
                            &decoded.candidates,
                            real,
                            source,
                            &question.1,
                            &mut tally,
                        );
                        known_locals(&state, real, &question.0);
                    }
                    (reading, real) => panic!("{reading:?} instead of {real:?}"),
                }
            }
        }
    }
    println!(
        "native: {} states, {} with several possible lines, {} of them placed elsewhere",
        tally.states, tally.ambiguous, tally.elsewhere
    );
    assert!(tally.elsewhere * 50 < tally.states);
}

/// What the language carries of the variables: every value, but not which names were
/// deleted, nor (backwards) those never shown.
fn known_locals(state: &State, real: &State, _before: &Segment) {
    let Some(locals) = &state.locals else {
        assert!(matches!(state.event, Event::Return | Event::Exception));
        return;
    };
    let real = real.locals.as_ref().unwrap();
    let hidden = locals.get("..").is_some();
    for (name, value) in real.iter() {
        assert!(hidden || locals.get(name) == Some(value), "{name}: {locals:?} {real:?}");
    }
    for (name, value) in locals.iter().filter(|(name, _)| &***name != "..") {
        assert!(real.get(name).is_none_or(|real| real == value), "{name}: {locals:?} {real:?}");
    }
}

#[test]
fn prompted_says_and_reads_every_real_state() {
    let prompted = Prompted::new(vocabulary(), 1 << 20);
    let mut tally = Tally::default();
    for Recorded { name, program, recording } in recorded::all(GENERATED) {
        let tree = &recording.tree;
        let moves = std::iter::repeat(Move::forward(Action::StepInto));
        let walk = walk(tree, Place::At(0), Direction::Forward, moves);
        let (mut before, mut asked) = (Vec::new(), usize::MAX - 1);
        for question in questions(&walk) {
            let answer = prompted.answer(&program, &question.0, &question.2).unwrap();
            let (prompt, decoded) = answered(&prompted, &program, &question, &answer);
            let follows = question.0.steps.len() == asked + 1;
            assert!(!follows || prompt.starts_with(&before), "{name}: the cache is lost");
            (before, asked) = ([prompt, answer].concat(), question.0.steps.len());
            match (decoded.reading, &question.2) {
                (Reading::Exit(exit), Outcome::Exit(real)) => assert_eq!(exit, *real),
                (Reading::State(state), Outcome::State(real)) => {
                    let source = program.source(real.loc).map_or("", |line| &**line);
                    same_place(&state, &decoded.candidates, real, source, &question.1, &mut tally);
                    let sorted = |state: &State| {
                        let locals = state.locals.clone().unwrap();
                        let mut pairs: Vec<_> =
                            locals.iter().map(|(n, v)| (n.clone(), v.clone())).collect();
                        pairs.sort();
                        pairs
                    };
                    assert_eq!(sorted(&state), sorted(real));
                }
                (reading, real) => panic!("{reading:?} instead of {real:?}"),
            }
        }
    }
    assert_eq!(tally.elsewhere, 0);
}

fn state(event: Event, line: u32, function: &str) -> State {
    State {
        event,
        loc: Loc::main(line),
        function: function.into(),
        depth: 0,
        locals: None,
        arg: None,
        suspension: false,
    }
}

/// Says a text as far as it may, and reads it.
fn say(dialect: &dyn Dialect, question: &mut Question, text: &str, end: Option<Word>) -> Reading {
    let vocabulary = vocabulary();
    for id in vocabulary.tokenizer.encode(text) {
        assert!(question.reply.allowed().contains(&id), "after {:?}", question.reply.text());
        question.reply.push(id);
    }
    if let Some(word) = end {
        question.reply.push(vocabulary.tokenizer.control(word.spelling().unwrap()).unwrap());
    }
    assert!(question.reply.done(), "{}: {:?}", dialect.name(), question.reply.text());
    question.reply.decode().reading
}

#[test]
fn arguments_and_return_lines_are_completed() {
    let program = Arc::new(program(&golden("cruxeval.py")));
    let native = Native::new(vocabulary(), 4096).unwrap();
    let prompted = Prompted::new(vocabulary(), 4096);
    let call = Segment::new(Direction::Forward, vec![], state(Event::Call, 1, "f"));
    let locals = [("a", "1"), ("b", "'x'"), ("c", "[]")].into_iter().collect();
    let expected = State { locals: Some(locals), ..call.first.clone() };

    let mut question = native.ask(&program, &call, &Ask::Complete).unwrap();
    let text = r#"{"a": "1", "b": "'x'", "c": "[]"}"#;
    let read = say(&native, &mut question, text, Some(Word::ActionSep));
    assert_eq!(read, Reading::State(expected.clone()));

    let mut question = prompted.ask(&program, &call, &Ask::Complete).unwrap();
    let text = "call 1: def f(a, b, c):\na = 1\nb = 'x'\nc = []\n\n";
    assert_eq!(say(&prompted, &mut question, text, None), Reading::State(expected));

    let first = State { arg: Some("{}".into()), ..state(Event::Return, 0, "f") };
    let returned = Segment::new(Direction::Inverse, vec![], first);
    let mut question = native.ask(&program, &returned, &Ask::Complete).unwrap();
    // The only return line and the value asked for are forced up to the end.
    let forced = question.reply.forced();
    assert_eq!(vocabulary().tokenizer.decode(&forced), "    return result<|arg_sep|>");
    forced.into_iter().for_each(|id| assert!(question.reply.push(id)));
    let read = say(&native, &mut question, "\"{}\"", Some(Word::ActionSep));
    let line = State { loc: Loc::main(5), ..returned.first.clone() };
    assert_eq!(read, Reading::State(line));
}

#[test]
fn what_has_no_words_is_refused_in_one_line() {
    let program = Arc::new(program(&golden("rules.py")));
    let prompted = Prompted::new(vocabulary(), 4096);
    let back = Segment::new(Direction::Inverse, vec![], state(Event::Line, 2, "risky"));
    let ask = Ask::Move(Move::inverse(Action::StepInto));
    let refusal = prompted.ask(&program, &back, &ask).unwrap_err().to_string();
    assert!(refusal.starts_with("a general model predicts forward only"), "{refusal}");
    let on = Segment::new(Direction::Forward, vec![], state(Event::Line, 2, "risky"));
    let ask = Ask::Move(Move::forward(Action::StepOver));
    let refusal = prompted.ask(&program, &on, &ask).unwrap_err().to_string();
    assert!(refusal.contains("step_over has to be chained"), "{refusal}");
    let small = Prompted::new(vocabulary(), 100);
    let refusal = small.accepts(&program).unwrap_err().to_string();
    assert!(refusal.contains("100 tokens") && refusal.contains("--model"), "{refusal}");
    let bare = Arc::new(Vocabulary::new(
        Tokenizer::new(Spec {
            model: "gpt2".into(),
            pre: "gpt-2".into(),
            tokens: vec!["a".into()],
            ..Spec::default()
        })
        .unwrap(),
    ));
    let refusal = Native::new(bare, 100).unwrap_err().to_string();
    assert!(refusal.contains("<|begin_of_text|>"), "{refusal}");
}

/// A segment longer than the window is asked about from a later state, in full.
#[test]
fn long_segments_are_cut_at_a_state() {
    let program = Arc::new(program(&golden("tricky.py")));
    let tree = tree(&golden("tricky.states"), Exit::Normal);
    let moves = std::iter::repeat(Move::forward(Action::StepInto));
    let (segment, _) = walk(&tree, Place::At(0), Direction::Forward, moves);
    let ask = Ask::Move(Move::forward(Action::StepInto));
    let whole = Native::new(vocabulary(), 1 << 20).unwrap();
    let prompt = whole.ask(&program, &segment, &ask).unwrap().prompt;
    let window = prompt.len() / 2;
    let small = Native::new(vocabulary(), window).unwrap();
    let cut = small.ask(&program, &segment, &ask).unwrap().prompt;
    assert!(cut.len() < window, "{} of {window}", cut.len());
    let ends = |prompt: &[TokenId]| prompt[prompt.len() - 40..].to_vec();
    assert_eq!(ends(&cut), ends(&prompt));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever a model says without a constraint, it is read without a panic and kept.
    #[test]
    fn nonsense_is_kept_and_explained(ids in proptest::collection::vec(0u32..1500, 0..40), native: bool) {
        let program = Arc::new(program(&golden("rules.py")));
        let dialect: Box<dyn Dialect> = match native {
            true => Box::new(Native::new(vocabulary(), 4096).unwrap()),
            false => Box::new(Prompted::new(vocabulary(), 4096)),
        };
        let first = State { locals: Some(Locals::default()), ..state(Event::Line, 2, "risky") };
        let segment = Segment::new(Direction::Forward, vec![], first);
        let ask = Ask::Move(Move::forward(Action::StepInto));
        let mut question = dialect.ask(&program, &segment, &ask).unwrap();
        for &id in &ids {
            question.reply.push(id);
        }
        let decoded = question.reply.decode();
        prop_assert_eq!(&decoded.text, &vocabulary().tokenizer.decode(&ids));
        for (_, span) in &decoded.spans {
            prop_assert!(span.end <= ids.len());
        }
        if let Reading::Malformed { why, .. } = decoded.reading {
            prop_assert!(!why.contains('\n'));
        }
    }
}

/// Ids of the real SmolLM2 vocabulary against llama.cpp's.
///
/// ```text
/// FORETRACE_SMOLLM2=$(tests/fetch_smollm2.sh) cargo test --test codec -- --ignored
/// ```
#[test]
#[ignore = "needs a 98 MB model file; see above"]
fn smollm2_ids_equal_llama_cpp() {
    let path = std::env::var_os("FORETRACE_SMOLLM2").expect("FORETRACE_SMOLLM2");
    let file = std::fs::read(path).unwrap();
    let spec = Spec::from_gguf(&foretrace::gguf::Gguf::read(&file).unwrap()).unwrap();
    assert_eq!((spec.pre.as_str(), spec.tokens.len(), spec.bos), ("smollm", 49152, None));
    let tokenizer = Tokenizer::new(spec).unwrap();
    let text = include_str!("../fixtures/tokenizer/golden.json");
    let golden: serde_json::Value = serde_json::from_str(text).unwrap();
    let lines: Vec<String> = serde_json::from_value(golden["lines"].clone()).unwrap();
    let expected: Vec<Vec<TokenId>> = serde_json::from_value(golden["smollm2"].clone()).unwrap();
    for (line, expected) in lines.iter().zip(expected) {
        assert_eq!(tokenizer.encode(line), expected, "{line:?}");
    }
}
