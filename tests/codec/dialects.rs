//! Every real state is legal in every text dialect, and is read back as it was.

use crate::support::{golden, program, walk};
use foretrace::codec::grammar::Vocabulary;
use foretrace::codec::native::{Native, Word};
use foretrace::codec::prompted::Prompted;
use foretrace::codec::tokenizer::{Spec, Tokenizer};
use foretrace::codec::{Ask, Dialect, Reading, TokenId};
use foretrace::cpython;
use foretrace::program::{Entry, Program, entry};
use foretrace::trace::{
    Action, Direction, Event, Exit, Move, Outcome, Place, Segment, State, StateTree,
};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

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

/// Most questions that are put about one walk, spread over it.
const QUESTIONS: usize = 32;

/// Real runs: every sample program from its entry, and the fixtures from a call and as
/// modules.
fn recordings() -> Vec<(String, Arc<Program>, StateTree)> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut programs = Vec::new();
    for file in std::fs::read_dir(root.join("sample_programs")).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "py") {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let mut program = program(&std::fs::read_to_string(&path).unwrap());
            let entry = entry::of_file(&program.files[0]).unwrap();
            program.entry = entry.unwrap_or(Entry::Module);
            programs.push((name, program));
        }
    }
    let module = "\ntotal = everything()\nnames = [n for n in dir(Stack) if n[0] != '_']\n";
    for (name, source, call) in [
        ("rules", golden("rules.py"), Some("outer(1)")),
        ("tricky", golden("tricky.py"), Some("everything()")),
        ("tricky module", golden("tricky.py") + module, None),
    ] {
        let mut program = program(&source);
        if let Some(call) = call {
            program.entry = entry::parse(call, &program.files[0]).unwrap();
        }
        programs.push((name.to_owned(), program));
    }
    let recorded = programs.into_iter().map(|(name, program)| {
        let options = cpython::Options::default();
        let recording = cpython::record(&program, &options, &[], &AtomicBool::new(false)).unwrap();
        assert!(recording.tree.len() > 2, "{name}: {}", recording.note);
        (name, Arc::new(program), recording.tree)
    });
    recorded.collect()
}

/// Move sequences that together use every move of the language but breakpoints.
fn walks(tree: &StateTree) -> Vec<(Segment, Option<(Move, Exit)>)> {
    use Action::{StepCall, StepInto, StepOver, StepReturn};
    let last = Place::At(tree.len() as u32 - 1);
    let mut walks = Vec::new();
    for pattern in [&[StepInto][..], &[StepOver], &[StepInto, StepInto, StepInto, StepReturn]] {
        let moves = pattern.iter().cycle().map(|&action| Move::forward(action));
        walks.push(walk(tree, Place::At(0), Direction::Forward, moves));
    }
    for pattern in [&[StepInto][..], &[StepOver], &[StepInto, StepInto, StepInto, StepCall]] {
        let moves = pattern.iter().cycle().map(|&action| Move::inverse(action));
        walks.push(walk(tree, last, Direction::Inverse, moves));
    }
    walks
}

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
}

/// Place, event, value: exactly. The line, if the text leaves a choice: one of those said.
fn same_place(
    found: &State,
    candidates: &[foretrace::program::Loc],
    real: &State,
    tally: &mut Tally,
) {
    tally.states += 1;
    tally.ambiguous += usize::from(!candidates.is_empty());
    if found.loc != real.loc {
        tally.elsewhere += 1;
        assert!(candidates.contains(&real.loc), "{found:?}\n{real:?}");
    }
    assert_eq!(
        (found.event, &found.function, found.depth, found.suspension),
        (real.event, &real.function, real.depth, real.suspension),
        "{found:?}\n{real:?}"
    );
    assert_eq!(found.arg, real.arg);
}

#[test]
fn native_says_and_reads_every_real_state() {
    let native = Native::new(vocabulary(), 1 << 20).unwrap();
    let mut tally = Tally::default();
    for (name, program, tree) in recordings() {
        for walk in walks(&tree) {
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
                        same_place(&state, &decoded.candidates, real, &mut tally);
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
    for (name, program, tree) in recordings() {
        let moves = std::iter::repeat(Move::forward(Action::StepInto));
        let walk = walk(&tree, Place::At(0), Direction::Forward, moves);
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
                    same_place(&state, &decoded.candidates, real, &mut tally);
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
