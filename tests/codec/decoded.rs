//! Recorded steps asked of the built-in model: what saves passes must change no answer.

use crate::recorded::{self, Recorded};
use foretrace::codec::compact::Compact;
use foretrace::codec::{Ask, Dialect, Reply};
use foretrace::decode::{Choice, Mask, Settings, Stop, Tape, Watch, generate};
use foretrace::gguf::{FileBytes, Gguf};
use foretrace::model::{Cache, DeviceChoice, EngineChoice, Model, Want};
use foretrace::trace::{Action, Direction, Landing, Move, Outcome, Place, Segment};

const WINDOW: usize = 1024;
/// Most ids of an answer; both ways end there.
const LONGEST: usize = 400;
/// Steps taken of one program.
const OF_ONE: usize = 40;

struct Guide(Box<dyn Reply>);

impl Mask for Guide {
    fn allowed(&mut self) -> &[u32] {
        self.0.allowed()
    }

    fn forced(&mut self) -> Vec<u32> {
        self.0.forced()
    }

    fn push(&mut self, id: u32) {
        self.0.push(id);
    }

    fn done(&self) -> bool {
        self.0.done()
    }

    fn fork(&self) -> Box<dyn Mask + '_> {
        Box::new(Guide(self.0.fork()))
    }
}

struct Nobody;

impl Watch for Nobody {
    fn cancelled(&self) -> bool {
        false
    }

    fn prompt(&self, _: usize, _: usize) {}
}

/// The definition: every id is read alone, the whole output head is computed, and the
/// likeliest of the allowed ids is taken, forced or not.
fn plainly(
    model: &Model,
    (cache, seen): (&mut Cache, &mut Vec<u32>),
    prompt: &[u32],
    mut reply: Box<dyn Reply>,
) -> Vec<u32> {
    let same = seen.iter().zip(prompt).take_while(|(a, b)| a == b).count();
    seen.truncate(same.min(prompt.len() - 1));
    cache.truncate(seen.len());
    let mut answer = Vec::new();
    let mut next = prompt[seen.len()..].to_vec();
    while !reply.done() && answer.len() < LONGEST && seen.len() + next.len() < WINDOW {
        let logits = model.forward(&next, cache, Want::Last).unwrap();
        seen.append(&mut next);
        let allowed = reply.allowed();
        let better = |a: u32, b: u32| {
            if logits.last()[b as usize] > logits.last()[a as usize] { b } else { a }
        };
        let best = allowed.iter().copied().reduce(better).expect("something is allowed");
        reply.push(best);
        answer.push(best);
        next.push(best);
    }
    answer
}

#[test]
fn forced_runs_restricted_heads_and_speculation_change_no_answer_on_500_recorded_steps() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("models/default.gguf");
    let bytes = FileBytes::open(&path).unwrap();
    let gguf = Gguf::read(&bytes).unwrap();
    let model = Model::load(&gguf, DeviceChoice::Cpu, EngineChoice::Auto, Some(1)).unwrap();
    let dialect = Compact::new(WINDOW);
    let (mut cache, mut seen) = (model.cache(WINDOW).unwrap(), Vec::new());
    let mut tapes = [Tape::new(&model, WINDOW).unwrap(), Tape::new(&model, WINDOW).unwrap()];
    let (mut steps, mut forced, mut speculated, mut accepted, mut chosen) = (0, 0, 0, 0, 0);
    for Recorded { name, program, recording } in recorded::all(10) {
        let tree = &recording.tree;
        let step = Move::forward(Action::StepInto);
        let mut segment = Segment::new(Direction::Forward, Vec::new(), tree.at(Place::At(0)));
        let mut place = Place::At(0);
        for number in 0..OF_ONE {
            if let Ok(question) = dialect.ask(&program, &segment, &Ask::Move(step.clone())) {
                let prompt = &question.prompt;
                let all = (&mut cache, &mut seen);
                let wanted = plainly(&model, all, prompt, question.reply.fork());
                // the whole head for probabilities, as the built-in model is asked; and the
                // allowed rows alone
                for (tape, raw) in tapes.iter_mut().zip([true, false]) {
                    let settings = Settings { choice: Choice::Greedy, limit: LONGEST, raw };
                    let mut mask = Guide(question.reply.fork());
                    let got = generate(&model, tape, prompt, &mut mask, settings, &Nobody).unwrap();
                    let ids: Vec<u32> = got.tokens.iter().map(|token| token.id).collect();
                    assert_eq!(ids, wanted, "{name}, step {number}, whole head: {raw}");
                    assert!(got.stop != Stop::Stuck, "{name}, step {number}");
                    if raw {
                        forced += got.forced();
                        chosen += got.chosen();
                        speculated += got.speculated;
                        accepted += got.accepted;
                    }
                }
                steps += 1;
            }
            let landing = tree.go(Some(place), &step).expect("a step");
            let (Outcome::State(state), Landing::At(next)) = (tree.outcome(landing), landing)
            else {
                break;
            };
            segment.steps.push((step.clone(), state));
            place = next;
        }
    }
    println!(
        "{steps} steps: {forced} ids forced, {chosen} chosen, of which {speculated} were \
         guessed and {accepted} as guessed"
    );
    assert!(steps >= 500, "{steps}");
    assert!(forced > 0 && speculated > accepted && accepted > chosen / 4);
}
