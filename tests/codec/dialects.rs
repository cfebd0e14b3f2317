//! Every real state is legal in every text dialect, and is read back as it was.

use crate::support::{golden, program, tree, walk};
use foretrace::codec::grammar::Vocabulary;
use foretrace::codec::native::{Native, Word};
use foretrace::codec::prompted::Prompted;
use foretrace::codec::tokenizer::{Spec, Tokenizer};
use foretrace::codec::{Ask, Dialect, Reading, TokenId};
use foretrace::program::Program;
use foretrace::trace::{
    Action, Direction, Event, Exit, Move, Outcome, Place, Segment, State, StateTree,
};
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

/// The programs, the states that CPython reported, and how they ended.
fn recordings() -> Vec<(&'static str, Arc<Program>, StateTree)> {
    [
        ("program", "program.py", "forward.states"),
        ("cruxeval", "cruxeval.py", "cruxeval.states"),
        ("rules", "rules.py", "rules.states"),
        ("tricky", "tricky.py", "tricky.states"),
    ]
    .into_iter()
    .map(|(name, source, states)| {
        (name, Arc::new(program(&golden(source))), tree(&golden(states), Exit::Normal))
    })
    .collect()
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

/// Each question of a walk, with its answer.
fn questions(walk: &(Segment, Option<(Move, Exit)>)) -> Vec<(Segment, Move, Outcome)> {
    let (segment, exit) = walk;
    let mut questions = Vec::new();
    for (index, (ask, state)) in segment.steps.iter().enumerate() {
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
            let mut before: Vec<TokenId> = Vec::new();
            for question in questions(&walk) {
                let answer =
                    native.answer(&program, &question.0, &question.1, &question.2).unwrap();
                let (prompt, decoded) = answered(&native, &program, &question, &answer);
                assert!(prompt.starts_with(&before), "{name}: the cache is lost");
                before = [prompt, answer].concat();
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
        let mut before: Vec<TokenId> = Vec::new();
        for question in questions(&walk) {
            let answer = prompted.answer(&program, &question.0, &question.2).unwrap();
            let (prompt, decoded) = answered(&prompted, &program, &question, &answer);
            assert!(prompt.starts_with(&before), "{name}: the cache is lost");
            before = [prompt, answer].concat();
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
