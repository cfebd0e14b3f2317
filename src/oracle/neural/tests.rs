//! The oracle on random models: their answers mean nothing, but all laws hold.

use super::super::Confidence;
use super::*;
use crate::codec::compact;
use crate::codec::native::Word;
use crate::gguf::{Gguf, Writer};
use crate::model::sample::{SMALL, Shape};
use crate::program::{Entry, Loc, SourceFile};
use crate::trace::{Event, Locals, Move};
use std::sync::atomic::AtomicBool;

/// A random model file with a SentencePiece vocabulary of bytes and native words.
fn file(meta: impl Fn(Writer) -> Writer) -> Vec<u8> {
    let bytes = (0..256).map(|b| format!("<0x{b:02X}>"));
    let words = Word::ALL.iter().filter_map(|word| word.spelling().map(str::to_owned));
    let tokens: Vec<String> = bytes.chain(words).chain(["▁".to_owned()]).collect();
    let kind = |i: usize| match i {
        0..256 => 6,
        i if i + 1 < tokens.len() => 3,
        _ => 1,
    };
    let kinds: Vec<i32> = (0..tokens.len()).map(kind).collect();
    let scores = vec![0.0; tokens.len()];
    let shape = Shape { vocab: tokens.len(), context: 2048, ..SMALL };
    let writer = Writer::new()
        .str("tokenizer.ggml.model", "llama")
        .strings("tokenizer.ggml.tokens", &tokens)
        .i32s("tokenizer.ggml.token_type", &kinds)
        .f32s("tokenizer.ggml.scores", &scores)
        .bool("tokenizer.ggml.add_space_prefix", false)
        .u32("tokenizer.ggml.eos_token_id", 259);
    shape.write(meta(writer))
}

fn native(writer: Writer) -> Writer {
    writer
        .str("general.name", "a random model")
        .str("debugger.dialect", "native")
        .u32("debugger.dialect_version", 1)
        .str("debugger.directions", "forward")
        .str("debugger.direct_actions", "step_into, step_over")
}

/// A random model file that speaks the compact dialect.
fn compact_file(sha256: &str) -> Vec<u8> {
    let writer = Writer::new()
        .str("general.name", "a random model")
        .str("debugger.dialect", "compact")
        .u32("debugger.dialect_version", compact::VERSION)
        .str("debugger.vocab_sha256", sha256)
        .str("debugger.directions", "forward,inverse")
        .str("debugger.direct_actions", "step_into,inv_step_into");
    Shape { vocab: compact::vocab::SIZE, context: 1024, ..SMALL }.write(writer)
}

fn opened(file: &[u8], options: Options) -> Result<NeuralOracle, OpenError> {
    open(&Gguf::read(file).unwrap(), "stem", options)
}

fn oracle(options: Options) -> NeuralOracle {
    opened(&file(native), options).unwrap()
}

fn compact_oracle(options: Options) -> NeuralOracle {
    opened(&compact_file(&compact::vocab::sha256()), options).unwrap()
}

/// Both dialects that models are trained on.
const TRAINED: [fn(Options) -> NeuralOracle; 2] = [oracle, compact_oracle];

fn program() -> Arc<Program> {
    let text = "def f(n):\n    m = n + 1\n    return m\n\nx = f(3)\nprint(x)\n";
    let (file, problems) = SourceFile::from_text("a.py", text);
    assert!(problems.is_empty(), "{problems:?}");
    Arc::new(Program { files: vec![file], entry: Entry::Module })
}

fn line(line: u32, locals: &[(&str, &str)]) -> State {
    State {
        event: Event::Line,
        loc: Loc::main(line),
        function: "<module>".into(),
        depth: 0,
        locals: Some(locals.iter().map(|(n, v)| (*n, *v)).collect::<Locals>()),
        arg: None,
        suspension: false,
    }
}

fn query(steps: &[State]) -> Query {
    let ask = Move::forward(Action::StepInto);
    let mut segment = Segment::new(Direction::Forward, Vec::new(), line(1, &[]));
    segment.steps = steps.iter().map(|state| (ask.clone(), state.clone())).collect();
    Query { program: program(), segment, ask }
}

/// Answers and what they cost.
fn ask(oracle: &mut NeuralOracle, query: &Query) -> (Answer, Work) {
    let (sender, receiver) = crossbeam_channel::unbounded();
    let control = Control::new(
        Arc::default(),
        Arc::new(move |progress| {
            if let Progress::Work(work) = progress {
                sender.send(work).unwrap();
            }
        }),
    );
    let answer = oracle.answer(query, &control).unwrap();
    (answer, receiver.try_recv().unwrap())
}

#[test]
fn a_random_model_answers_legally_with_scores_in_range() {
    TRAINED.iter().for_each(|open| answers_legally(open(Options::default())));
}

fn answers_legally(mut oracle: NeuralOracle) {
    assert_eq!(oracle.label(), "a random model");
    assert_eq!(oracle.capabilities().device.as_deref(), Some("cpu"));
    oracle.accepts(&program()).unwrap();
    let (answer, work) = ask(&mut oracle, &query(&[line(5, &[])]));
    assert!(work.sampled > 0 && work.prompt > 20 && work.cached == 0, "{work:?}");
    let in_range = |c: &Confidence| {
        let mut all: Vec<f32> = c.locals.iter().map(|(_, p)| *p).collect();
        all.extend([c.event, c.source, c.arg.unwrap_or(1.0)]);
        assert!(all.iter().all(|p| (0.0..=1.0).contains(p)), "{c:?}");
    };
    match answer {
        Answer::State(prediction) => {
            let (confidence, raw) = (prediction.confidence, prediction.raw_confidence);
            let (confidence, raw) = (confidence.unwrap(), raw.unwrap());
            in_range(&confidence);
            in_range(&raw);
            assert!(raw.all() <= confidence.all() * 1.001, "{raw:?} {confidence:?}");
            for runner_up in &prediction.runners_up {
                assert!((0.0..=1.0).contains(&runner_up.probability));
            }
        }
        Answer::Exit { confidence, .. } => {
            assert!((0.0..=1.0).contains(&confidence.unwrap()));
        }
        Answer::Malformed { text, why } => panic!("{why}: {text}"),
    }
}

#[test]
fn what_was_asked_before_changes_the_cost_and_not_the_answer() {
    let path = [line(5, &[]), line(6, &[("x", "4")]), line(6, &[("x", "5")])];
    let branch = [line(5, &[]), line(6, &[("x", "7")])];
    let queries = [&path[..1], &path[..2], &path[..1], &branch[..], &path[..]].map(query);
    for open in TRAINED {
        let mut stepping = open(Options::default());
        for (number, query) in queries.iter().enumerate() {
            let (answer, work) = ask(&mut stepping, query);
            let (fresh, fresh_work) = ask(&mut open(Options::default()), query);
            assert_eq!(answer, fresh, "query {number}");
            assert_eq!(work.prompt + work.cached, fresh_work.prompt, "the same prompt");
            if number > 0 {
                assert!(work.cached > fresh_work.prompt / 2, "{number}: {work:?} {fresh_work:?}");
            }
        }
    }
}

#[test]
fn cancelling_ends_a_request_and_not_the_oracle() {
    let mut oracle = oracle(Options::default());
    let cancel = Arc::new(AtomicBool::new(true));
    let control = Control::new(cancel, Arc::new(|_| {}));
    let query = query(&[line(5, &[])]);
    assert_eq!(oracle.answer(&query, &control), Err(OracleError::Cancelled));
    assert!(oracle.answer(&query, &Control::silent()).is_ok());
}

#[test]
fn inventions_differ_and_repeat_with_the_seed() {
    let call = State { event: Event::Call, function: "f".into(), locals: None, ..line(1, &[]) };
    let invent = |seed| {
        let mut oracle = oracle(Options { seed, ..Options::default() });
        let mut one = || {
            let control = Control::silent();
            oracle.complete(&program(), &call, Direction::Forward, &control).unwrap()
        };
        [one(), one()]
    };
    let first = invent(1);
    assert_eq!(first, invent(1));
    assert_ne!(first[0], first[1], "the second try is another one");
    assert_ne!(first, invent(9));
}

#[test]
fn unconstrained_nonsense_is_kept_as_text() {
    let mut oracle = oracle(Options { unconstrained: true, ..Options::default() });
    match oracle.answer(&query(&[]), &Control::silent()).unwrap() {
        Answer::Malformed { text, why } => assert!(!text.is_empty() && !why.is_empty()),
        other => panic!("a random model that speaks: {other:?}"),
    }
}

#[test]
fn the_card_limits_what_can_be_asked() {
    let capabilities = oracle(Options::default()).capabilities();
    assert_eq!(capabilities.directions, [Direction::Forward]);
    assert!(capabilities.direct(&Move::forward(Action::StepInto)));
    assert!(capabilities.direct(&Move::forward(Action::StepOver)));
    assert!(!capabilities.direct(&Move::forward(Action::StepReturn)), "not trained for");
    assert!(!capabilities.exact);
}

#[test]
fn a_model_of_another_vocabulary_is_refused() {
    let error = opened(&compact_file("0000"), Options::default()).unwrap_err().to_string();
    assert!(error.contains("another vocabulary"), "{error}");
}

#[test]
fn general_models_are_prompted() {
    let mut oracle = opened(&file(|writer| writer), Options::default()).unwrap();
    assert_eq!(oracle.label(), "stem");
    assert!(oracle.card().is_none());
    assert_eq!(oracle.capabilities().directions, [Direction::Forward]);
    let (answer, _) = ask(&mut oracle, &query(&[line(5, &[])]));
    assert!(!matches!(answer, Answer::Malformed { .. }), "it is brought to an end: {answer:?}");
}

#[test]
fn a_program_beyond_the_window_is_refused_in_one_line() {
    let text = "x = 1\n".repeat(1000);
    let (file, _) = SourceFile::from_text("long.py", &text);
    let program = Program { files: vec![file], entry: Entry::Module };
    match oracle(Options::default()).accepts(&program) {
        Err(OracleError::Limit(why)) => {
            assert!(why.contains("--model") && !why.contains('\n'), "{why}");
        }
        other => panic!("{other:?}"),
    }
}
