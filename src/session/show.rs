//! States as lines of text, in pdb's manner.
//!
//! Must not know: who predicted, timelines, terminals.

use super::entry::{Entry, Origin, Step, Stop, Way};
use super::verdict::Verdict;
use super::view::{LogKind, LogLine};
use crate::oracle::Ending;
use crate::program::{Loc, Program};
use crate::trace::{Change, Direction, Event, Exit, Outcome, State};

pub(super) fn line(kind: LogKind, text: impl Into<String>) -> LogLine {
    LogLine { kind, text: text.into() }
}

/// `file(line)function()`, with `->value` at a return, as pdb writes it.
pub(super) fn place(program: &Program, state: &State) -> String {
    let file = program.files.get(usize::from(state.loc.file));
    let name = file.map_or("?", |file| file.name.as_str());
    let text = format!("{name}({}){}()", state.loc.line, state.function);
    match (&state.event, &state.arg) {
        (Event::Return, Some(value)) => format!("{text}->{value}"),
        _ => text,
    }
}

/// The source line, trimmed, for `-> `.
pub(super) fn source(program: &Program, loc: Loc) -> String {
    program.source(loc).map(|text| text.trim().to_string()).unwrap_or_default()
}

/// `ValueError: bad` from `ValueError('bad')`, as pdb shows an exception; a repr of
/// another form stays as it is.
pub(super) fn exception(repr: &str) -> String {
    let Some((name, rest)) = repr.split_once('(') else { return repr.into() };
    let Some(inner) = rest.strip_suffix(')') else { return repr.into() };
    if inner.is_empty() {
        return name.into();
    }
    let quoted = |quote: char| {
        let text = inner.strip_prefix(quote)?.strip_suffix(quote)?;
        (!text.contains([quote, '\\'])).then_some(text)
    };
    match quoted('\'').or_else(|| quoted('"')) {
        // It quotes its key itself.
        _ if name == "KeyError" => format!("{name}: {inner}"),
        Some(text) => format!("{name}: {text}"),
        None => repr.into(),
    }
}

/// The line above a state that is no plain line.
fn banner(state: &State) -> Option<String> {
    let arg = state.arg.as_ref().map(|value| value.text()).unwrap_or("?");
    match (state.event, state.suspension) {
        (Event::Line, _) => None,
        (Event::LineAfterCall, _) => Some("--After the call--".into()),
        (Event::Call, false) => Some("--Call--".into()),
        (Event::Call, true) => Some("--Resume--".into()),
        (Event::Return, false) => Some(format!("--Return-- {arg}")),
        (Event::Return, true) => Some(format!("--Yield-- {arg}")),
        (Event::Exception, _) => Some(format!("--Exception-- {}", exception(arg))),
    }
}

/// A state in a few words: `the return at line 6 of f`, `ValueError: bad at line 3 of g`.
pub(super) fn last(state: &State) -> String {
    let what = match (state.event, &state.arg) {
        (Event::Exception, Some(value)) => exception(value.text()),
        (event, _) => format!("the {}", event.name().replace('_', " ")),
    };
    format!("{what} at line {} of {}", state.loc.line, state.function)
}

/// How an execution ends, in a sentence without its stop: what is known of it is named.
pub fn end(exit: Exit, ending: Option<&Ending>) -> String {
    let raised = ending.and_then(Ending::exception).map(|value| exception(value.text()));
    let why = ending.map(|ending| ending.why.as_str()).filter(|why| !why.is_empty());
    match (exit, raised, why) {
        (Exit::Normal, Some(raised), _) => format!("the program ends normally, by {raised}"),
        (Exit::Normal, None, _) => "the program ends normally".into(),
        (Exit::Error, Some(raised), _) => format!("the exception leaves the program: {raised}"),
        (Exit::Error, None, _) => "an exception leaves the program".into(),
        (Exit::Never, ..) => "the program never ends".into(),
        (Exit::Cut, _, Some(why)) => format!("{why}; nothing is known beyond"),
        (Exit::Cut, _, None) => {
            "the recording was stopped here by a limit; nothing is known beyond".into()
        }
        (Exit::Entry, ..) => "nothing comes before this".into(),
    }
}

/// The banner of an end, and what can be done next; `backwards`: whether S can.
fn exit(exit: Exit, ending: Option<&Ending>, backwards: bool) -> [String; 2] {
    let mark = match exit {
        Exit::Cut => "--Cut--",
        Exit::Entry => "--Entry--",
        Exit::Normal | Exit::Error | Exit::Never => "--End--",
    };
    let next = match (exit, ending.and_then(|ending| ending.last.as_ref())) {
        (Exit::Entry, _) => {
            "'rewind' goes back, s predicts forwards; opened with --returns 'f = 3', a session begins at an end"
        }
        (_, Some(_)) if backwards => {
            "'rewind' goes back, S guesses backwards, 'restart' starts again, q leaves"
        }
        _ => "'rewind' goes back, 'restart' starts again, q leaves",
    };
    [format!("{mark} {}", end(exit, ending)), next.into()]
}

/// A stop as text: banner, place, source; at an end, what can be done next.
pub(super) fn stop(program: &Program, step: &Step, backwards: bool) -> Vec<LogLine> {
    let inverse = step.ask.as_ref().is_some_and(|ask| ask.direction == Direction::Inverse);
    let kind = |kind| if inverse { LogKind::Inverse } else { kind };
    match &step.stop {
        Stop::State(state) => {
            let mark = if inverse { "<" } else { ">" };
            let mut lines: Vec<LogLine> =
                banner(state).map(|text| line(kind(LogKind::Banner), text)).into_iter().collect();
            let at = format!("{mark} {}", place(program, state));
            lines.push(line(kind(LogKind::Place), at));
            let text = format!("-> {}", source(program, state.loc));
            lines.push(line(kind(LogKind::Source), text));
            if !step.candidates.is_empty() {
                let others: Vec<String> =
                    step.candidates.iter().map(|loc| loc.line.to_string()).collect();
                let text = format!("ambiguous: it may also be line {}", others.join(" or "));
                lines.push(line(LogKind::Note, text));
            }
            lines
        }
        Stop::Exit(how) => {
            let [what, next] = exit(*how, step.ending.as_ref(), backwards);
            vec![line(kind(LogKind::Banner), what), line(LogKind::Note, next)]
        }
        Stop::Malformed { text, why } => vec![
            line(LogKind::Error, format!("the answer is no state: {why}")),
            line(LogKind::Note, format!("it says: {}", crop(text, 200))),
            line(LogKind::Note, "'rewind' goes back; another command from there makes a branch"),
        ],
    }
}

/// One step in one line: what it is, where, how sure, what the truth says.
pub(super) fn step(program: &Program, step: &Step) -> String {
    let mut text = match &step.stop {
        Stop::State(state) => {
            let what = match (state.event, state.suspension) {
                (Event::Call, true) => "resume",
                (Event::Return, true) => "yield",
                (event, _) => event.name(),
            };
            let place = place(program, state);
            let raised = state.arg.as_ref().filter(|_| state.event == Event::Exception);
            let raised = raised.map(|value| format!(" {}", exception(value.text())));
            format!("{what} {place}{}", raised.unwrap_or_default())
        }
        Stop::Exit(how) => end(*how, step.ending.as_ref()),
        Stop::Malformed { why, .. } => format!("no state: {why}"),
    };
    if let Some(sure) = &step.confidence {
        text += &format!("  {}", percent(sure.all()));
    }
    if step.verdict != Verdict::Unverified {
        text += &format!("  {}", step.verdict.name());
        let note = step.verdict.note();
        text += &if note.is_empty() { note } else { format!(": {note}") };
    }
    text
}

/// A probability in percent; never rounded up to certainty.
pub fn percent(p: f32) -> String {
    let percent = (p * 100.0).clamp(0.0, 100.0);
    // Nothing that was chosen is impossible: a long product only vanishes.
    match percent.floor() {
        // a probability of 1 is one that f32 could not tell from it
        floor if floor >= 1.0 => format!("{:.0}%", floor.min(99.0)),
        _ => "<1%".into(),
    }
}

/// Where an entry comes from: origin, sureness, way.
pub(super) fn manner(entry: &Entry) -> Option<String> {
    let mut parts = Vec::new();
    // The product over what was chosen on the way.
    let sure: Option<f32> =
        entry.steps().map(|step| step.confidence.as_ref().map(|c| c.all())).product();
    let sure = sure.map(|sure| format!(", sure {}", percent(sure))).unwrap_or_default();
    match (entry.stop.origin, entry.go.is_some()) {
        (Origin::Given, _) | (Origin::Recorded, true) => {}
        (origin @ (Origin::Predicted | Origin::Invented), _) => {
            let inverse = entry.go.as_ref().is_some_and(|go| go.direction() == Direction::Inverse);
            let name = if inverse { "guessed" } else { origin.name() };
            parts.push(format!("{name}{}{sure}", arguments(entry)));
        }
        (origin, _) => parts.push(origin.name().into()),
    }
    match (&entry.go, entry.way, entry.via.len() + 1) {
        (Some(_), Way::Chained, many @ 2..) => parts.push(format!("chained, {many} steps")),
        (Some(go), Way::Direct, _) if go.is_jump() => parts.push("direct".into()),
        _ => {}
    }
    (!parts.is_empty()).then(|| format!("({})", parts.join("; ")))
}

/// The arguments of a call that were guessed, `: n=3, k=1`; empty for other entries. They are
/// the answer, which the source line does not show.
fn arguments(entry: &Entry) -> String {
    let guessed =
        entry.stop.origin == Origin::Invented || matches!(entry.go, Some(super::Go::Call));
    let state = entry.stop.stop.state().filter(|state| guessed && state.event == Event::Call);
    let locals = state.and_then(|state| state.locals.as_ref());
    let shown = locals.into_iter().flat_map(|locals| locals.iter());
    let shown: Vec<String> =
        shown.map(|(name, value)| format!("{name}={}", value.text())).collect();
    if shown.is_empty() { String::new() } else { format!(": {}", shown.join(", ")) }
}

/// What the truth says about an entry, in one line; empty where there is nothing to say.
pub(super) fn verdict(program: &Program, entry: &Entry) -> Option<String> {
    let (verdict, step) = (entry.verdict(), &entry.stop);
    let name = verdict.name();
    let text = match &verdict {
        Verdict::Unverified => return None,
        Verdict::Exit(true) => {
            let raised = step.actual_ending.as_ref().and_then(Ending::exception);
            match raised.map(|value| exception(value.text())) {
                Some(raised) => format!("CPython: {name}: it ends by {raised}"),
                None => format!("CPython: {name}"),
            }
        }
        Verdict::Compared(comparison) => match comparison.note.as_str() {
            "" => format!("CPython: {name}"),
            note => format!("CPython: {name}: {note}"),
        },
        Verdict::Exit(_) | Verdict::RanOn => match &step.actual {
            Some(Outcome::Exit(exit)) => {
                let how = end(*exit, step.actual_ending.as_ref());
                format!("CPython: {name}: here {how}")
            }
            _ => format!("CPython: {name}"),
        },
        Verdict::EndedEarly | Verdict::Malformed => match &step.actual {
            Some(Outcome::State(real)) => {
                let place = place(program, real);
                format!("CPython: {name}: it is at {place} ('resync' goes on from there)")
            }
            _ => format!("CPython: {name}"),
        },
        Verdict::OffPath => "CPython: off path (not judged; 'resync' goes on from there)".into(),
        Verdict::TruthCut => {
            format!("CPython: {}", end(Exit::Cut, step.actual_ending.as_ref()))
        }
        Verdict::Unsteady => {
            "CPython: not comparable: the run itself differs from time to time".into()
        }
        Verdict::Recorded => "CPython: in this run, this is what came before".into(),
        Verdict::Consistent => "CPython: consistent (running it forward gets here)".into(),
        Verdict::Inconsistent => {
            "CPython: inconsistent (running it forward does not get here)".into()
        }
        Verdict::Unverifiable => {
            "CPython: not this run's predecessor; whether it could be one is not checked".into()
        }
        Verdict::OnTheWay(fault) => {
            let off = step.verdict == Verdict::OffPath;
            let next = if off { " ('resync' goes on from there)" } else { "" };
            return Some(format!("CPython: {name}: {fault}{next}"));
        }
    };
    // A wrong stop says itself what is wrong; where that began is on the way.
    let first = entry.fault().map(|fault| format!(" (first at {fault})"));
    Some(text + &first.unwrap_or_default())
}

/// A text cut to so many characters, with a mark.
pub(super) fn crop(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.into(),
    }
}

/// `name: old -> new`.
pub(super) fn change(change: &Change) -> LogLine {
    let text = |value: &Option<crate::trace::Value>| match value {
        Some(value) => crop(value.text(), 200),
        None => "unset".into(),
    };
    let name = &change.name;
    line(LogKind::Change, format!("{name}: {} -> {}", text(&change.old), text(&change.new)))
}

/// A value over several lines: one for each element of the outermost brackets.
pub(super) fn pretty(text: &str) -> Vec<String> {
    let brackets = [('[', ']'), ('(', ')'), ('{', '}')];
    let closes = |(open, close): &(char, char)| text.starts_with(*open) && text.ends_with(*close);
    if text.chars().count() <= 72 || !brackets.iter().any(closes) {
        return vec![text.into()];
    }
    let (mut lines, mut current) = (Vec::new(), String::new());
    let (mut depth, mut quote, mut escaped) = (0usize, None, false);
    for c in text.chars() {
        current.push(c);
        match (quote, c) {
            _ if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 1 => {
                let indent = if lines.is_empty() { "" } else { " " };
                lines.push(format!("{indent}{}", current.trim()));
                current.clear();
            }
            _ => {}
        }
    }
    let indent = if lines.is_empty() { "" } else { " " };
    lines.push(format!("{indent}{}", current.trim()));
    lines
}

#[cfg(test)]
mod tests {
    use super::percent;

    #[test]
    fn no_probability_is_shown_as_certain_or_impossible() {
        for (p, shown) in [
            (0.0, "<1%"),
            (0.009, "<1%"),
            (0.01, "1%"),
            (0.5, "50%"),
            (0.999, "99%"),
            (1.0, "99%"),
            (1.5, "99%"),
            (f32::NAN, "<1%"),
        ] {
            assert_eq!(percent(p), shown, "{p}");
        }
    }
}
