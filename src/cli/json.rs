//! The JSON of a session: one header object, then one object a step, one a line.
//!
//! A step is `{"v":1,"kind":"state"|"exit"|"malformed", …}`; a value that a command printed
//! is `{"kind":"value","text"}`. Fields are never left out: what is not known is null. A
//! single step inside a jump has the jump's `step` and its own `substep`, from 1.

use crate::oracle::{Confidence, Ending};
use crate::program::Program;
use crate::session::{Entry, Mark, Session, Step, Stop, Verdict, Way};
use crate::trace::{Comparison, Locals, Outcome, Part, State};
use serde_json::{Map, Value, json};
use std::io::{self, Write};

/// Writes the header.
///
/// # Errors
/// Those of the writer.
pub fn header(out: &mut impl Write, session: &Session) -> io::Result<()> {
    let header = session.header();
    let program = session.program().files.first().map(|file| file.name.clone());
    // A replay's label names the Python that was recorded.
    let replayed = Some(&header.model).filter(|_| header.exact);
    let replayed = replayed.and_then(|label| label.strip_prefix("CPython "));
    let python = header.python.as_deref().or(replayed);
    let line = json!({
        "v": 1,
        "kind": "header",
        "program": program,
        "entry": header.entry,
        "model": header.model,
        "dialect": header.dialect,
        "device": header.device,
        "seed": header.seed,
        "history": session.setup().history.name(),
        "python": python,
    });
    writeln!(out, "{line}")
}

/// Writes one entry, and before it, if that is wanted, the single steps on its way.
///
/// # Errors
/// Those of the writer.
pub fn entry(
    out: &mut impl Write,
    session: &Session,
    mark: Mark,
    entry: &Entry,
    number: usize,
    substeps: bool,
) -> io::Result<()> {
    for (index, step) in (1..).zip(entry.via.iter().filter(|_| substeps)) {
        let mut line = self::step(session, step);
        line.extend(object(json!({
            "step": number,
            "substep": index,
            "mark": mark.to_string(),
            "action": step.ask.as_ref().map(|ask| ask.name()),
            "direction": step.ask.as_ref().map(|ask| ask.direction.name()),
            "way": entry.go.as_ref().map(|_| Way::Direct.name()),
            "substeps": 0,
            "interrupted": false,
            "stack": stack(&session.frames_inside(mark, index)),
            "verdict": verdict(&step.verdict, step),
        })));
        writeln!(out, "{}", Value::Object(line))?;
    }
    let step = &entry.stop;
    let mut line = self::step(session, step);
    line.extend(object(json!({
        "step": number,
        "substep": null,
        "mark": mark.to_string(),
        "action": entry.action(),
        "direction": entry.go.as_ref().map(|go| go.direction().name()),
        "way": entry.go.as_ref().map(|_| entry.way.name()),
        "substeps": entry.via.len(),
        "interrupted": entry.interrupted,
        "stack": stack(&session.frames_at(mark)),
        "verdict": verdict(&entry.verdict(), step),
    })));
    writeln!(out, "{}", Value::Object(line))
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

/// What a step says by itself, whatever entry it belongs to.
fn step(session: &Session, step: &Step) -> Map<String, Value> {
    let program = session.program();
    let (kind, state, exit) = match &step.stop {
        Stop::State(state) => ("state", Some(state), None),
        Stop::Exit(exit) => ("exit", None, Some(exit.name())),
        Stop::Malformed { .. } => ("malformed", None, None),
    };
    let why = match &step.stop {
        Stop::Malformed { why, .. } => json!(why),
        _ => Value::Null,
    };
    let candidates: Vec<u32> = step.candidates.iter().map(|loc| loc.line).collect();
    object(json!({
        "v": 1,
        "kind": kind,
        "event": state.map(|state| state.event.name()),
        "file": state.and_then(|state| file(program, state)),
        "line": state.map(|state| state.loc.line),
        "candidates": candidates,
        "source": state.and_then(|state| program.source(state.loc).map(|text| text.to_string())),
        "function": state.map(|state| state.function.to_string()),
        "depth": state.map(|state| state.depth),
        "locals": state.and_then(|state| state.locals.as_ref()).map(locals),
        "arg": state.and_then(|state| state.arg.as_ref()).map(|value| value.text()),
        "exit": exit,
        "ending": step.ending.as_ref().map(|ending| self::ending(program, ending)),
        "origin": step.origin.name(),
        "confidence": step.confidence.as_ref().map(confidence),
        "raw_confidence": step.raw_confidence.as_ref().map(confidence),
        "actual": step.actual.as_ref().map(|actual| outcome(program, actual)),
        "actual_ending": step.actual_ending.as_ref().map(|ending| self::ending(program, ending)),
        "raw": step.raw,
        "why": why,
    }))
}

/// Writes a line that a command printed.
///
/// # Errors
/// Those of the writer.
pub fn value(out: &mut impl Write, text: &str) -> io::Result<()> {
    writeln!(out, "{}", json!({"v": 1, "kind": "value", "text": text}))
}

fn file(program: &Program, state: &State) -> Option<String> {
    Some(program.files.get(usize::from(state.loc.file))?.name.clone())
}

fn locals(locals: &Locals) -> Value {
    let pairs = locals.iter().map(|(name, value)| (name.to_string(), json!(value.text())));
    Value::Object(pairs.collect::<Map<_, _>>())
}

/// Function and line of each frame, the entry frame first; null where not known.
fn stack(frames: &[Option<State>]) -> Value {
    let frame = |state: &Option<State>| match state {
        Some(state) => json!({"function": state.function.to_string(), "line": state.loc.line}),
        None => Value::Null,
    };
    frames.iter().map(frame).collect()
}

fn confidence(confidence: &Confidence) -> Value {
    let locals = confidence.locals.iter().map(|(name, p)| (name.to_string(), json!(p)));
    json!({
        "event": confidence.event,
        "source": confidence.source,
        "locals": locals.collect::<Map<_, _>>(),
        "arg": confidence.arg,
    })
}

/// The last state before an end, and what cut the run short.
fn ending(program: &Program, ending: &Ending) -> Value {
    let last = ending.last.clone().map(|last| outcome(program, &Outcome::State(last)));
    json!({"state": last, "why": ending.why})
}

fn outcome(program: &Program, outcome: &Outcome) -> Value {
    match outcome {
        Outcome::Exit(exit) => json!({"kind": "exit", "exit": exit.name()}),
        Outcome::State(state) => json!({
            "kind": "state",
            "event": state.event.name(),
            "file": file(program, state),
            "line": state.loc.line,
            "function": state.function.to_string(),
            "depth": state.depth,
            "locals": state.locals.as_ref().map(locals),
            "arg": state.arg.as_ref().map(|value| value.text()),
        }),
    }
}

/// A verdict; the parts are those of the step it is about.
fn verdict(verdict: &Verdict, step: &Step) -> Value {
    if *verdict == Verdict::Unverified {
        return Value::Null;
    }
    let parts = step.verdict.comparison();
    let names = |comparison: &Comparison| {
        let locals = comparison.locals.iter().flatten();
        locals.map(|(name, p)| (name.to_string(), json!(part(*p)))).collect::<Map<_, _>>()
    };
    json!({
        "event": parts.map(|c| part(c.event)),
        "source": parts.map(|c| part(c.source)),
        "locals": parts.map(names).unwrap_or_default(),
        "arg": parts.and_then(|c| c.arg).map(part),
        "all": verdict.name(),
        "note": verdict.note(),
    })
}

fn part(part: Part) -> &'static str {
    match part {
        Part::Same => "right",
        Part::Different => "wrong",
        Part::Missing => "missing",
        Part::Extra => "extra",
        Part::NotComparable => "not comparable",
    }
}
