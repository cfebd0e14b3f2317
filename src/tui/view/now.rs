//! The line that says what the present state is, where it comes from and how sure it is.
//!
//! `--Return-- count 3   predicted 97% · next, direct · right`. A rewind and a guess never
//! look the same here: other mark, other colour, other word.

use super::Row;
use crate::session::{Entry, Origin, Stop, Verdict, Way, end, percent};
use crate::trace::{Direction, Event, Part, State};
use crate::tui::app::App;
use crate::tui::theme::Role;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// How loud a probability is said: what is likely stays quiet.
pub fn sureness(p: f32) -> Role {
    if p < 0.5 { Role::Unsure } else { Role::Dim }
}

/// Draws the line.
pub fn draw(app: &App, area: Rect, buf: &mut Buffer) {
    let room = usize::from(area.width);
    let Some(entry) = app.session.present() else {
        let busy = app.session.busy().map_or("no state yet", |b| &b.what);
        Row::new(&app.look).put(Role::Dim, format!(" {busy}")).fit(room).draw(area, 0, buf);
        return;
    };
    // Where it comes from is never left out; the state itself is on the screen anyway. What
    // was asked goes first, where there is not room for all.
    let state = what(app, entry).width() + 1;
    let origin = [Asked::Whole, Asked::Way, Asked::Nothing]
        .map(|asked| origin(app, entry, asked).put(Role::Text, " "))
        .into_iter()
        .reduce(|long, short| if long.width() + state <= room { long } else { short });
    let origin = origin.unwrap_or_else(|| Row::new(&app.look)).fit(room);
    what(app, entry).fit(room.saturating_sub(origin.width() + 1)).draw(area, 0, buf);
    origin.draw_right(area, buf);
}

/// The state, as pdb's banners have it.
fn what<'a>(app: &'a App, entry: &Entry) -> Row<'a> {
    let row = Row::new(&app.look).put(Role::Text, " ");
    match &entry.stop.stop {
        Stop::State(state) => state_words(row, state),
        Stop::Exit(exit) => row.put(Role::Notice, end(*exit, entry.stop.ending.as_ref())),
        Stop::Malformed { why, .. } => row.put(Role::Error, format!("not a state: {why}")),
    }
}

fn state_words<'a>(row: Row<'a>, state: &State) -> Row<'a> {
    let function = &state.function;
    let arg = state.arg.as_ref().map_or("", |v| v.text());
    match (state.event, state.suspension) {
        (Event::Call, false) => {
            let arguments = state.locals.iter().flat_map(|locals| locals.iter());
            let arguments: Vec<_> =
                arguments.map(|(name, value)| format!("{name}={value}")).collect();
            row.put(Role::Notice, "--Call-- ")
                .put(Role::Text, &**function)
                .put(Role::Dim, format!("({})", arguments.join(", ")))
        }
        (Event::Call, true) => row.put(Role::Notice, "--Resume-- ").put(Role::Text, &**function),
        (Event::Line, _) => row
            .put(Role::Dim, "line ")
            .put(Role::Text, state.loc.line.to_string())
            .put(Role::Dim, " of ")
            .put(Role::Text, &**function),
        (Event::LineAfterCall, _) => row
            .put(Role::Dim, "line ")
            .put(Role::Text, state.loc.line.to_string())
            .put(Role::Dim, " of ")
            .put(Role::Text, &**function)
            .put(Role::Dim, ", after its call"),
        (Event::Return, suspended) => {
            let banner = if suspended { "--Yield-- " } else { "--Return-- " };
            row.put(Role::Notice, banner)
                .put(Role::Dim, format!("{function} -> "))
                .put(Role::Text, arg)
        }
        (Event::Exception, _) => row
            .put(Role::Error, "--Exception-- ")
            .put(Role::Error, arg)
            .put(Role::Dim, format!(" in {function}")),
    }
}

/// How much is said of what was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asked {
    /// The command and how it was answered.
    Whole,
    /// How it was answered, where that is worth a word.
    Way,
    Nothing,
}

/// Where it comes from, how sure, by which way, and what CPython says.
fn origin<'a>(app: &'a App, entry: &Entry, asked: Asked) -> Row<'a> {
    let look = &app.look;
    let step = &entry.stop;
    let inverse = entry.go.as_ref().is_some_and(|go| go.direction() == Direction::Inverse);
    let mut row = Row::new(look);
    let (role, word) = match (step.origin, inverse) {
        _ if app.replayed => (Role::Replayed, "replayed"),
        (Origin::Predicted, true) => (Role::Guessed, "guessed predecessor"),
        (Origin::Predicted, false) => (Role::Dim, "predicted"),
        (Origin::Recorded, _) => (Role::Truth, "recorded"),
        (Origin::Given, _) => (Role::Dim, "given"),
        (Origin::Edited, _) => (Role::Notice, "edited"),
        (Origin::Invented, _) => (Role::Guessed, "invented"),
    };
    row = row.put(role, word);
    if app.replayed && inverse {
        row = row.put(Role::Guessed, " guess");
    }
    // A chained stop is as sure as all the steps on its way.
    let sure: Option<f32> = entry.steps().map(|s| s.confidence.as_ref().map(|c| c.all())).product();
    if let Some(all) = sure {
        row = row.put(sureness(all), format!(" {}", percent(all)));
    }
    if let Some(go) = entry.go.as_ref() {
        let count = entry.via.len() + 1;
        let way = match entry.way {
            Way::Direct if go.is_jump() => "direct".to_owned(),
            Way::Direct => String::new(),
            Way::Chained if count == 1 => "chained".to_owned(),
            Way::Chained => format!("chained: {count} states"),
        };
        let words = match asked {
            Asked::Whole if way.is_empty() => go.word().to_owned(),
            Asked::Whole => format!("{}, {way}", go.word()),
            Asked::Way => way,
            Asked::Nothing => String::new(),
        };
        if !words.is_empty() {
            row = row.put(Role::Dim, look.pick(" · ", " - ")).put(Role::Dim, words);
        }
    }
    let verdict = entry.verdict();
    if verdict == Verdict::Unverified {
        return row;
    }
    let role = verdict_role(&verdict);
    let row = row.put(Role::Dim, look.pick(" · ", " - ")).put(role, verdict.name());
    match (&verdict, differing(&verdict)) {
        (Verdict::OnTheWay(fault), _) => row.put(role, format!(": step {}", fault.step)),
        (_, names) if names.is_empty() => row,
        (_, names) => row.put(role, format!(": {}", names.join(", "))),
    }
}

/// Which components differ from CPython's.
fn differing(verdict: &Verdict) -> Vec<&str> {
    let Some(compared) = verdict.comparison() else { return Vec::new() };
    let whole = [("event", Some(compared.event)), ("line", Some(compared.source))];
    let locals = compared.locals.iter().flatten().map(|(name, part)| (&**name, Some(*part)));
    whole
        .into_iter()
        .chain(locals)
        .chain([("value", compared.arg)])
        .filter(|(_, part)| matches!(part, Some(Part::Different | Part::Missing | Part::Extra)))
        .map(|(name, _)| name)
        .collect()
}

/// The colour of a verdict.
pub fn verdict_role(verdict: &Verdict) -> Role {
    match verdict {
        Verdict::Recorded | Verdict::Consistent => Role::Right,
        Verdict::Inconsistent => Role::Wrong,
        verdict => match verdict.right() {
            Some(true) => Role::Right,
            Some(false) => Role::Wrong,
            None => Role::Unknown,
        },
    }
}
