//! The header: what is debugged, who predicts, under which history, how it scores. And the
//! notes that stay true for the session.

use super::Row;
use crate::session::History;
use crate::tui::app::App;
use crate::tui::layout::Layout;
use crate::tui::theme::Role;
use ratatui::buffer::Buffer;

/// Draws header and notes.
pub fn draw(app: &App, layout: &Layout, buf: &mut Buffer) {
    let area = layout.header.intersection(buf.area);
    if area.is_empty() {
        return;
    }
    let look = &app.look;
    buf.set_style(area, look.style(Role::Header));
    let header = app.session.header();
    let dot = look.pick(" · ", " - ");
    let program = app.session.program();
    let file = program.files.first().map_or("", |file| &file.name);
    let short = std::path::Path::new(file).file_name().map_or(file.into(), |n| n.to_string_lossy());
    let left = |brand: &'static str| {
        Row::new(look)
            .put(Role::Focus, brand)
            .put(Role::Text, short.clone())
            .put(Role::Dim, format!(" {} ", header.entry))
            .over(background(app))
    };
    let room = usize::from(area.width);
    let (full, bare) = (" foretrace ", " ");
    // The first that fits; the program's name is worth half the line, should it be that long.
    let (left, right) = [
        (full, Words::All),
        (full, Words::Short),
        (full, Words::Python),
        (bare, Words::Python),
        (full, Words::Score),
    ]
    .map(|(brand, words)| (left(brand), right(app, words).over(background(app))))
    .into_iter()
    .find(|(left, right)| right.width() + left.width().min(room / 2) <= room)
    .unwrap_or_else(|| (left(full), Row::new(look)));
    left.fit(room.saturating_sub(right.width() + 1)).draw(area, 0, buf);
    right.draw_right(area, buf);

    if !layout.notes.is_empty() {
        let notes = header.notes.join(dot);
        Row::new(look)
            .put(Role::Notice, format!(" {notes}"))
            .fit(usize::from(layout.notes.width))
            .draw(layout.notes, 0, buf);
    }
}

/// How much the right part says. The model's name goes before the Python that verified.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Words {
    All,
    Short,
    Python,
    Score,
}

/// Who predicts, under which history, who checks, and the score.
fn right(app: &App, words: Words) -> Row<'_> {
    let look = &app.look;
    let header = app.session.header();
    let all = words == Words::All;
    let dot = look.pick(" · ", " - ");
    let mut row = Row::new(look);
    if matches!(words, Words::All | Words::Short) {
        let model = match (header.model.is_empty(), header.exact, all) {
            (true, _, _) => "opening the model".to_owned(),
            (false, true, _) => format!("replay of {}", header.model),
            (false, false, true) => match &header.dialect {
                Some(dialect) => format!("predicted by {}, {dialect} dialect", header.model),
                None => format!("predicted by {}", header.model),
            },
            (false, false, false) => header.model.clone(),
        };
        row = row.put(Role::Text, model).own(Role::Dim, dot);
    }
    if !header.exact {
        let history = app.session.setup().history;
        let role = if history == History::Guided { Role::Notice } else { Role::Dim };
        let noun = if all { " history" } else { "" };
        row = row.put(role, format!("{}{noun}", history.name())).own(Role::Dim, dot);
    }
    if let Some(python) = &header.python {
        let score = app.session.score();
        let judged = score.right + score.wrong;
        if words != Words::Score {
            row = row.put(Role::Truth, format!("CPython {python}")).own(Role::Dim, dot);
        }
        if judged > 0 {
            let role = if score.wrong == 0 { Role::Right } else { Role::Unsure };
            row = row.put(role, format!("{}/{judged} right", score.right)).own(Role::Dim, dot);
        }
        if score.off_path > 0 {
            row =
                row.put(Role::Unknown, format!("{} off path", score.off_path)).own(Role::Dim, dot);
        }
    }
    row.pop().put(Role::Text, " ")
}

/// The header's own background and modifiers under every part of it.
fn background(app: &App) -> ratatui::style::Style {
    let mut style = app.look.style(Role::Header);
    style.fg = None;
    style
}
