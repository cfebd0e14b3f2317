use super::report::Style;
use super::*;
use crate::oracle::{
    Answer, Capabilities, Control, Oracle, OracleError, Prediction, Query, ReplayOracle,
};
use crate::program::{Entry, Loc, Program, SourceFile};
use crate::trace::{Action, Direction, Event, Exit, Recording, State, StateTree, Value};
use std::sync::Arc;

const CODE: &str = "\
def f(items):
    total = 0
    for item in items:
        total = total + g(item)
    return total
def g(x):
    return x + 1
";

/// `f([3, 5])`, as CPython runs it.
fn tree() -> StateTree {
    let mut states = Vec::new();
    let mut push = |event, line, depth: u32, locals: &[(&str, i64)], arg: Option<i64>| {
        let function = if depth == 0 { "f" } else { "g" };
        let list = (depth == 0).then(|| (Arc::from("items"), Value::from("[3, 5]")));
        let numbers = locals.iter().map(|&(name, value)| (Arc::from(name), int(value)));
        states.push(State {
            event,
            loc: Loc::main(line),
            function: function.into(),
            depth,
            locals: Some(list.into_iter().chain(numbers).collect()),
            arg: arg.map(int),
            suspension: false,
        });
    };
    push(Event::Call, 1, 0, &[], None);
    push(Event::Line, 2, 0, &[], None);
    push(Event::Line, 3, 0, &[("total", 0)], None);
    let mut total = 0;
    for item in [3, 5] {
        push(Event::Line, 4, 0, &[("total", total), ("item", item)], None);
        push(Event::Call, 6, 1, &[("x", item)], None);
        push(Event::Line, 7, 1, &[("x", item)], None);
        push(Event::Return, 7, 1, &[("x", item)], Some(item + 1));
        total += item + 1;
        push(Event::Line, 3, 0, &[("total", total), ("item", item)], None);
    }
    push(Event::Line, 5, 0, &[("total", total), ("item", 5)], None);
    push(Event::Return, 5, 0, &[("total", total), ("item", 5)], Some(total));
    StateTree::from_states(states, Exit::Normal).unwrap()
}

fn int(value: i64) -> Value {
    Value(value.to_string().into())
}

fn program() -> Program {
    let (file, _) = SourceFile::from_text("program.py", CODE);
    Program { files: vec![file], entry: Entry::Module }
}

/// What a wrong oracle does to a true answer.
#[derive(Clone, Copy, PartialEq)]
enum Spoil {
    Nothing,
    Event,
    Source,
    Locals,
    Arg,
    Exit,
    All,
}

/// A recording that lies about one component, and may know single steps only.
struct Liar {
    truth: ReplayOracle,
    spoil: Spoil,
    steps_only: bool,
}

impl Liar {
    fn new(spoil: Spoil) -> Self {
        let files = program().files.into_iter().map(|file| (file.name, file.sha256)).collect();
        let recording = Recording { files, ..Recording::of(tree()) };
        Liar { truth: ReplayOracle::new(Arc::new(recording)), spoil, steps_only: false }
    }
}

impl Oracle for Liar {
    fn label(&self) -> String {
        "liar".into()
    }

    fn capabilities(&self) -> Capabilities {
        let mut can = self.truth.capabilities();
        can.direct_actions.retain(|(_, action)| !self.steps_only || *action == Action::StepInto);
        can
    }

    fn accepts(&self, program: &Program) -> Result<(), OracleError> {
        self.truth.accepts(program)
    }

    fn answer(&mut self, query: &Query, control: &Control) -> Result<Answer, OracleError> {
        let malformed = || Answer::Malformed { text: "?".into(), why: "no state".into() };
        let mut answer = match self.truth.answer(query, control) {
            // A step from a state that is a lie.
            Err(OracleError::Unsupported(_)) => return Ok(malformed()),
            other => other?,
        };
        match (&mut answer, self.spoil) {
            (_, Spoil::All) => return Ok(malformed()),
            (Answer::Exit { exit, .. }, Spoil::Exit) => *exit = Exit::Error,
            (Answer::State(prediction), spoil) => {
                let Prediction { state, .. } = &mut **prediction;
                match spoil {
                    Spoil::Event if state.event == Event::Line => state.event = Event::Exception,
                    Spoil::Source => state.loc.line += 1,
                    Spoil::Locals => {
                        let mut locals = state.locals.take().unwrap_or_default();
                        locals.set("ghost".into(), int(1));
                        state.locals = Some(locals);
                    }
                    Spoil::Arg if state.arg.is_some() => state.arg = Some(int(-1)),
                    _ => {}
                }
            }
            _ => {}
        }
        Ok(answer)
    }

    fn complete(
        &mut self,
        program: &Program,
        partial: &State,
        direction: Direction,
        control: &Control,
    ) -> Result<Answer, OracleError> {
        self.truth.complete(program, partial, direction, control)
    }
}

fn report(mut oracle: Liar) -> Report {
    let options = Options { samples: 60, seed: 1, chain: 50, free: 1 };
    let mut states = States::new(&mut oracle, options);
    assert_eq!(states.program(0, &program(), &tree()), Ok(true));
    states.finish()
}

fn row(report: &Report, action: &str) -> Row {
    let mut rows = report.rows();
    *rows.find(|(name, _, slice, _)| *name == action && *slice == Slice::All).unwrap().3
}

fn all_right(tally: Tally) -> bool {
    tally.right == tally.of
}

const ACTIONS: [&str; 8] = [
    "step_into",
    "step_over",
    "step_return",
    "breakpoint",
    "continue",
    "inv_step_into",
    "inv_step_over",
    "inv_step_call",
];

#[test]
fn the_truth_is_right_in_everything_directly_and_chained() {
    for steps_only in [false, true] {
        let report = report(Liar { steps_only, ..Liar::new(Spoil::Nothing) });
        for action in ACTIONS {
            let row = row(&report, action);
            assert!(row.n > 0, "{action}");
            for tally in [row.whole, row.event, row.source, row.locals, row.arg] {
                assert!(all_right(tally), "{action} {steps_only} {row:?}");
            }
            assert_eq!((row.whole.of, row.malformed, row.refused), (row.n, 0, 0));
        }
        let jumps = report.rows().filter(|(action, ..)| !action.ends_with("step_into"));
        let ways: Vec<Way> = jumps.map(|(_, way, ..)| way).collect();
        let way = if steps_only { Way::Chained } else { Way::Direct };
        assert!(!ways.is_empty() && ways.iter().all(|was| *was == way));
        assert_eq!((report.free.right, report.free.programs), (1, 1));
        assert_eq!(report.free.states_right, report.free.states);
        assert_eq!((report.free.returned_right, report.free.returning), (1, 1));
    }
}

#[test]
fn a_wrong_component_is_blamed_and_no_other() {
    let cases = [
        (Spoil::Event, [false, true, true, true]),
        (Spoil::Source, [true, false, true, true]),
        (Spoil::Locals, [true, true, false, true]),
        (Spoil::Arg, [true, true, true, false]),
        (Spoil::Exit, [false, true, true, true]),
    ];
    for (spoil, right) in cases {
        let report = report(Liar::new(spoil));
        let row = row(&report, "step_into");
        let parts = [row.event, row.source, row.locals, row.arg].map(all_right);
        assert_eq!(parts, right, "{row:?}");
        assert!(row.whole.right < row.whole.of, "{row:?}");
        assert_eq!((row.malformed, report.free.right), (0, 0));
        assert!(spoil != Spoil::Arg || report.free.returned_right == 0);
    }
    let report = report(Liar::new(Spoil::All));
    let row = row(&report, "step_into");
    assert_eq!((row.whole.right, row.event.right, row.source.right), (0, 0, 0));
    assert_eq!((row.locals.right, row.arg.right, row.malformed), (0, 0, row.n));
}

#[test]
fn a_chain_that_leaves_the_path_does_not_come_back() {
    let report = report(Liar { steps_only: true, ..Liar::new(Spoil::Locals) });
    let far = report.rows().filter(|(_, way, slice, _)| {
        *way == Way::Chained && !matches!(slice, Slice::All | Slice::Horizon(1, _))
    });
    let right: Vec<u64> = far.map(|(.., row)| row.whole.right).collect();
    assert!(!right.is_empty() && right.iter().all(|right| *right == 0), "{right:?}");
}

#[test]
fn slices_add_up_and_the_draw_depends_on_the_seed_alone() {
    let report = report(Liar::new(Spoil::Nothing));
    for action in ACTIONS {
        let of = |wanted: fn(&Slice) -> bool| {
            let rows = report.rows().filter(|(name, _, slice, _)| *name == action && wanted(slice));
            rows.map(|(.., row)| row.n).sum::<u64>()
        };
        let parts = match action.ends_with("step_into") {
            true => of(|slice| matches!(slice, Slice::Next(_))),
            false => of(|slice| matches!(slice, Slice::Horizon(..))),
        };
        assert_eq!(of(|slice| *slice == Slice::All), parts, "{action}");
    }
    let counts = |report: &Report| report.rows().map(|(.., row)| row.n).collect::<Vec<_>>();
    let liar = self::report(Liar::new(Spoil::Source));
    assert_eq!(counts(&report), counts(&liar));
}

#[test]
fn a_report_names_its_history_and_has_the_same_rows_in_every_form() {
    let report = report(Liar::new(Spoil::Nothing));
    let markdown = report.text(Style::Markdown);
    let rows = markdown.lines().filter(|line| line.starts_with("| ")).count();
    assert_eq!(rows, report.rows().count() + 2, "{markdown}");
    assert!(markdown.contains("guided history") && markdown.contains("free history"));
    assert!(report.text(Style::Text).contains("guided history"));
    let json: Vec<serde_json::Value> =
        report.json().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(json[0]["header"]["history"], "guided");
    let rows: Vec<_> = json.iter().filter_map(|line| line.get("row")).collect();
    assert_eq!(rows.len(), report.rows().count());
    assert_eq!(rows[0]["em"]["share"], 1.0);
}

#[test]
fn calibration_is_the_mean_distance_of_the_bins() {
    let mut calibration = Calibration::default();
    assert_eq!(calibration.ece(), None);
    // Four answers at 0.75, of which one is right: 0.5 off. Four at 1.0, all right: 0 off.
    for right in [true, false, false, false] {
        calibration.add(0.75, right);
    }
    for _ in 0..4 {
        calibration.add(1.0, true);
    }
    assert_eq!(calibration.ece(), Some(0.25));
    assert_eq!(calibration.means(), Some((0.875, 0.625)));
}
