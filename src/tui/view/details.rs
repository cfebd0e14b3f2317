//! Everything known about the present step: what was asked, how sure each component was,
//! what else the model considered, what CPython had, and the text as it came.

use super::now::{sureness, verdict_role};
use super::{Row, wrapped};
use crate::oracle::{Confidence, OTHERS};
use crate::session::{Step, percent};
use crate::trace::Outcome;
use crate::tui::app::App;
use crate::tui::theme::Role;

/// Cells before the second column.
const COLUMN: usize = 18;

/// The lines of the page.
pub fn rows(app: &App, width: usize) -> Vec<Row<'_>> {
    let look = &app.look;
    let Some(entry) = app.session.present() else {
        return vec![Row::new(look).put(Role::Dim, " no state yet")];
    };
    let step = &entry.stop;
    let mut rows = Vec::new();
    let mut line = |label: &str, role: Role, text: &str| {
        let mut label = Some(label);
        for part in wrapped(text, width.saturating_sub(COLUMN + 1).max(10)) {
            let label = label.take().unwrap_or_default();
            let row = Row::new(look).put(Role::Dim, format!(" {label}")).pad_to(COLUMN);
            rows.push(row.put(role, part));
        }
    };
    if let Some(ask) = &step.ask {
        line("asked", Role::Text, ask.name());
        line("answered", Role::Text, entry.way.name());
    }
    line("origin", Role::Text, step.origin.name());
    let verdict = entry.verdict();
    line("verdict", verdict_role(&verdict), verdict.name());
    let note = verdict.note();
    if !note.is_empty() {
        line("", Role::Wrong, &note);
    }
    if let Some(Outcome::State(actual)) = &step.actual {
        let what =
            format!("{} at line {} of {}", actual.event.name(), actual.loc.line, actual.function);
        line("CPython", Role::Truth, &what);
        for (name, value) in actual.locals.iter().flat_map(|locals| locals.iter()) {
            line("", Role::Truth, &format!("{name} = {value}"));
        }
        if let Some(arg) = &actual.arg {
            line("", Role::Truth, &format!("-> {arg}"));
        }
    }
    for (component, sure, raw) in components(step) {
        let raw = raw.map_or_else(String::new, |raw| format!("   {} unconstrained", percent(raw)));
        line(&format!("sure of {component}"), sureness(sure), &format!("{}{raw}", percent(sure)));
    }
    for other in &step.runners_up {
        let text = format!("{}   {}", percent(other.probability), other.text);
        line(&format!("or {}", other.component), Role::Text, &text);
    }
    if !step.raw.is_empty() {
        line("text", Role::Text, &step.raw);
    }
    let header = app.session.header();
    line("", Role::Text, "");
    line("model", Role::Text, &header.model);
    if let Some(dialect) = &header.dialect {
        line("dialect", Role::Text, dialect);
    }
    line("seed", Role::Text, &header.seed.to_string());
    if let Some(recorder) = &header.recorder {
        line("recorder", Role::Text, recorder);
    }
    rows
}

/// Each component with its probability under the grammar's constraint and without it.
fn components(step: &Step) -> Vec<(String, f32, Option<f32>)> {
    let Some(sure) = &step.confidence else { return Vec::new() };
    let raw = step.raw_confidence.as_ref();
    let of = |pick: fn(&Confidence) -> Option<f32>| raw.and_then(pick);
    let mut all = vec![
        ("event".to_owned(), sure.event, of(|c| Some(c.event))),
        ("line".to_owned(), sure.source, of(|c| Some(c.source))),
    ];
    all.extend(sure.locals.iter().map(|(name, p)| {
        let same = raw.and_then(|raw| raw.locals.iter().find(|(n, _)| n == name));
        let name = if &**name == OTHERS { "the rest as before" } else { name };
        (name.to_owned(), *p, same.map(|(_, p)| *p))
    }));
    all.extend(sure.arg.map(|p| ("value".to_owned(), p, of(|c| c.arg))));
    all
}
