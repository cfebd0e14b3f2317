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
    let model = match (header.model.is_empty(), header.exact) {
        (true, _) => "opening the model".to_owned(),
        (false, true) => format!("replay of {}", header.model),
        (false, false) => format!("predicted by {}", header.model),
    };
    let left = Row::new(look)
        .put(Role::Focus, " foretrace ")
        .put(Role::Text, short)
        .put(Role::Dim, format!(" {}", header.entry));
    let mut right = Row::new(look).put(Role::Text, model);
    if !header.exact {
        let history = app.session.setup().history;
        let role = if history == History::Guided { Role::Notice } else { Role::Dim };
        right = right.own(Role::Dim, dot).put(role, format!("{} history", history.name()));
    }
    if let Some(python) = &header.python {
        let score = app.session.score();
        let judged = score.right + score.wrong;
        right = right.own(Role::Dim, dot).put(Role::Truth, format!("CPython {python}"));
        if judged > 0 {
            let role = if score.wrong == 0 { Role::Right } else { Role::Unsure };
            right = right.own(Role::Dim, dot).put(role, format!("{}/{judged} right", score.right));
        }
        if score.off_path > 0 {
            right = right.put(Role::Unknown, format!(", {} off path", score.off_path));
        }
    }
    let right = right.put(Role::Text, " ").over(background(app));
    let room = usize::from(area.width);
    // The left part keeps what the right one leaves, but never less than a third.
    let right = right.fit(room.saturating_sub(left.width().min(room / 3) + 1));
    let left = left.over(background(app)).fit(room.saturating_sub(right.width() + 1));
    left.draw(area, 0, buf);
    right.draw_right(area, buf);

    if !layout.notes.is_empty() {
        let notes = header.notes.join(dot);
        Row::new(look)
            .put(Role::Notice, format!(" {notes}"))
            .fit(usize::from(layout.notes.width))
            .draw(layout.notes, 0, buf);
    }
}

/// The header's own background and modifiers under every part of it.
fn background(app: &App) -> ratatui::style::Style {
    let mut style = app.look.style(Role::Header);
    style.fg = None;
    style
}
