use super::*;
use crate::eval::report::Style;
use crate::oracle::{Capabilities, Prediction, Query};
use crate::program::Loc;
use crate::trace::Edit;

const CODE: &str = "def f(x):\n    y = x % 3\n    return y\n";

fn value(number: i64) -> Value {
    Value(number.to_string().into())
}

fn at(event: Event, line: u32, locals: &[(&str, i64)], arg: Option<i64>) -> State {
    let locals = locals.iter().map(|&(name, number)| (name, value(number)));
    State {
        event,
        loc: Loc::main(line),
        function: "f".into(),
        depth: 0,
        locals: Some(locals.collect()),
        arg: arg.map(value),
        suspension: false,
    }
}

/// `f(x)` from its call, or its last line from given variables.
fn run(x: i64) -> Vec<State> {
    let y = x.rem_euclid(3);
    vec![
        at(Event::Call, 1, &[("x", x)], None),
        at(Event::Line, 2, &[("x", x)], None),
        at(Event::Line, 3, &[("x", x), ("y", y)], None),
        at(Event::Return, 3, &[("x", x), ("y", y)], Some(y)),
    ]
}

/// Runs `f` without Python.
struct Runner;

impl Recorder for Runner {
    fn describe(&self) -> Result<String, OracleError> {
        Ok("runs f".into())
    }

    fn record(&self, program: &Program, _: &[Edit], _: &Control) -> Result<Recording, OracleError> {
        let number =
            |text: &str| text.parse::<i64>().map_err(|e| OracleError::Failed(e.to_string()));
        let states = match &program.entry {
            Entry::Call { expression, .. } => {
                run(number(expression.trim_start_matches("f(").trim_end_matches(')'))?)
            }
            Entry::At { locals, .. } => {
                let y = locals.iter().find(|(name, _)| name == "y");
                let y = number(&y.ok_or_else(|| OracleError::Failed("no y".into()))?.1)?;
                vec![
                    at(Event::Line, 3, &[("y", y)], None),
                    at(Event::Return, 3, &[("y", y)], Some(y)),
                ]
            }
            other => return Err(OracleError::Unsupported(format!("{other}"))),
        };
        Ok(Recording::of(StateTree::from_states(states, Exit::Normal).expect("a run")))
    }
}

/// Thinks that `f` is this function, and that its argument was this one.
struct Thinks {
    f: fn(i64) -> i64,
    x: i64,
    direct: bool,
}

impl Thinks {
    fn step(&self, now: &State) -> Option<State> {
        let known = |name| now.locals.as_ref()?.get(name)?.text().parse::<i64>().ok();
        let x = known("x").unwrap_or(self.x);
        let y = (self.f)(x);
        Some(match (now.event, now.loc.line) {
            (Event::Call, _) => at(Event::Line, 2, &[("x", x)], None),
            (Event::Line, 2) => at(Event::Line, 3, &[("x", x), ("y", y)], None),
            (Event::Line, _) => at(Event::Return, 3, &[("x", x), ("y", y)], Some(y)),
            _ => return None,
        })
    }
}

impl Oracle for Thinks {
    fn label(&self) -> String {
        "thinks".into()
    }

    fn capabilities(&self) -> Capabilities {
        let forward = [Action::StepInto, Action::StepReturn, Action::Breakpoint];
        let mut actions = forward.map(|action| (Direction::Forward, action)).to_vec();
        actions.push((Direction::Inverse, Action::StepCall));
        actions.retain(|(_, action)| self.direct || *action == Action::StepInto);
        actions.push((Direction::Inverse, Action::StepInto));
        Capabilities {
            directions: vec![Direction::Forward, Direction::Inverse],
            direct_actions: actions,
            completes: false,
            exact: false,
            dialect: Some("thought".into()),
            limits: String::new(),
            device: None,
            note: None,
        }
    }

    fn accepts(&self, program: &Program) -> Result<(), OracleError> {
        match program.files[0].lines.len() {
            0..=9 => Ok(()),
            _ => Err(OracleError::Limit("9 lines".into())),
        }
    }

    fn answer(&mut self, query: &Query, _: &Control) -> Result<Answer, OracleError> {
        let now = query.segment.present();
        let to = |from: &State, event, line| {
            let mut state = Some(from.clone());
            while let Some(now) = &state
                && (now.event, now.loc.line) != (event, line)
            {
                state = self.step(now);
            }
            state
        };
        let call = at(Event::Call, 1, &[("x", self.x)], None);
        let state = match (query.ask.direction, query.ask.action) {
            (Direction::Forward, Action::StepInto) => self.step(now),
            (Direction::Forward, Action::StepReturn) => to(now, Event::Return, 3),
            (Direction::Forward, _) => to(now, Event::Line, query.ask.stops[0].loc.line),
            (Direction::Inverse, Action::StepCall) => Some(call),
            (Direction::Inverse, _) => match (now.event, now.loc.line) {
                (Event::Return, _) => to(&call, Event::Line, 3),
                (Event::Line, 3) => to(&call, Event::Line, 2),
                _ => Some(call),
            },
        };
        let state = state.ok_or_else(|| OracleError::Unsupported("nothing follows".into()))?;
        Ok(Answer::State(Box::new(Prediction::exact(state, None))))
    }

    fn complete(
        &mut self,
        _: &Program,
        _: &State,
        _: Direction,
        _: &Control,
    ) -> Result<Answer, OracleError> {
        Err(OracleError::Unsupported("nothing to complete".into()))
    }
}

fn item(code: &str, input: &str, output: &str) -> Item {
    Item { code: code.into(), input: input.into(), output: output.into() }
}

/// Two functions' items; one that a run does not confirm, one that does not parse, one too long.
fn report(mut oracle: Thinks) -> CruxReport {
    let mut eval = CruxEval::new(&mut oracle, &Runner);
    let long = format!("{CODE}{}", "x = 1\n".repeat(9));
    for item in [
        item(CODE, "1", "1"),
        item(CODE, "5", "2"),
        item(CODE, "5", "3"),
        item(CODE, "5, 6", "2"),
        item(&long, "1", "1"),
    ] {
        eval.item(&item).expect("an answer");
    }
    eval.finish()
}

/// Of two: right and exact, by task and way.
fn found(report: &CruxReport) -> Vec<(Task, Way, u64, u64)> {
    report
        .rows()
        .map(|(task, way, row)| {
            assert_eq!((row.n, row.malformed, row.refused), (2, 0, 0));
            (task, way, row.right, row.exact)
        })
        .collect()
}

#[test]
fn what_is_right_a_run_says_and_what_is_equal_is_told_apart() {
    use Task::{Breakpoint, Input, Output};
    use Way::{Chained, Direct};
    // One argument for all: 1 gives the first item's output, and is its argument.
    let truth = report(Thinks { f: |x| x % 3, x: 1, direct: true });
    let expected = [
        (Output, Direct, 2, 2),
        (Output, Chained, 2, 2),
        (Breakpoint, Direct, 2, 2),
        (Breakpoint, Chained, 2, 2),
        (Input, Direct, 1, 1),
    ];
    assert_eq!(found(&truth), expected);
    assert_eq!((truth.items, truth.left_out, truth.refused), (2, 2, 1));
    // 7 gives the first item's output, too, but is not its argument.
    let other = report(Thinks { f: |x| x % 3, x: 7, direct: true });
    assert_eq!(found(&other)[4], (Input, Direct, 1, 0));
    // Without jumps, by single steps.
    let steps = report(Thinks { f: |x| x % 3, x: 7, direct: false });
    assert_eq!(
        found(&steps),
        [(Output, Chained, 2, 2), (Breakpoint, Chained, 2, 2), (Input, Chained, 1, 0)]
    );
    // Wrong of one item: what the variables at the line give is wrong with them.
    let wrong = report(Thinks { f: |x| x % 4, x: 0, direct: true });
    let expected = [
        (Output, Direct, 1, 1),
        (Output, Chained, 1, 1),
        (Breakpoint, Direct, 1, 1),
        (Breakpoint, Chained, 1, 1),
        (Input, Direct, 0, 0),
    ];
    assert_eq!(found(&wrong), expected);
}

/// The line that returns is run from the predicted variables: those it does not read may be wrong.
#[test]
fn a_breakpoint_is_worth_what_the_line_returns() {
    let mut oracle = Thinks { f: |x| x % 3, x: 1, direct: true };
    let eval = CruxEval::new(&mut oracle, &Runner);
    let truth = eval.truth(&item(CODE, "5", "2")).expect("it runs");
    let stop = truth.stop.clone().expect("it stops");
    let with = |x, y| at(Event::Line, 3, &[("x", x), ("y", y)], None);
    assert_eq!(eval.stopped(&truth, &stop, Some(&with(5, 2))), (true, true));
    assert_eq!(eval.stopped(&truth, &stop, Some(&with(4, 2))), (true, false));
    assert_eq!(eval.stopped(&truth, &stop, Some(&with(5, 1))), (false, false));
    assert_eq!(eval.stopped(&truth, &stop, None), (false, false));
}

#[test]
fn every_form_has_the_same_rows() {
    let report = report(Thinks { f: |x| x % 3, x: 1, direct: true });
    let markdown = report.text(Style::Markdown);
    assert!(markdown.starts_with("thinks, thought dialect; CruxEval, greedy, 2 functions"));
    assert_eq!(markdown.lines().filter(|line| line.starts_with("| ")).count(), 2 + 5);
    assert_eq!(report.text(Style::Text).lines().count(), 2 + 1 + 5);
    let json: Vec<serde_json::Value> =
        report.json().lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((json.len(), &json[0]["header"]["left_out"]), (6, &2.into()));
    assert_eq!(json[5]["row"]["share"], 0.5);
}
