//! Size of the screen → named areas.
//!
//! One pure function, used by `update` (what did the mouse hit, how far does a page
//! scroll) and by `draw`, so that both always agree. Every area lies within the screen; a
//! pane without room has an empty area. Must not know: what is in a pane.

use ratatui::layout::Rect;

/// A part of the screen that can have the focus. The order is that of Tab and the digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Pane {
    /// Source text.
    Source,
    /// Variables and watches.
    Variables,
    /// Call stack.
    Stack,
    /// Breakpoints.
    Breakpoints,
    /// What the program printed.
    Output,
    /// Transcript of commands, with the command line below it.
    Log,
}

impl Pane {
    /// All panes in order.
    pub const ALL: [Pane; 6] =
        [Pane::Source, Pane::Variables, Pane::Stack, Pane::Breakpoints, Pane::Output, Pane::Log];

    /// The title, and the word in messages.
    pub fn name(self) -> &'static str {
        match self {
            Pane::Source => "source",
            Pane::Variables => "variables",
            Pane::Stack => "stack",
            Pane::Breakpoints => "breakpoints",
            Pane::Output => "output",
            Pane::Log => "log",
        }
    }
}

/// What the layout depends on besides the size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Want {
    /// The focused pane is always visible.
    pub focus: Pane,
    /// Lines of notes under the header.
    pub notes: u16,
    /// Only the focused pane, as large as can be.
    pub zoom: bool,
}

/// Where everything is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Layout {
    /// Program, model, score.
    pub header: Rect,
    /// Notes that stay: a fallback, a cut context.
    pub notes: Rect,
    /// What the present state is and where it comes from.
    pub now: Rect,
    /// One cell a step.
    pub timeline: Rect,
    /// The command line, or the latest message.
    pub prompt: Rect,
    /// Keys that make sense now.
    pub hints: Rect,
    panes: [Rect; Pane::ALL.len()],
    /// Panes have a title line only, no frame around them.
    pub compact: bool,
}

impl Layout {
    /// The area of a pane with its frame; empty if there is no room.
    pub fn pane(&self, pane: Pane) -> Rect {
        self.panes.get(pane as usize).copied().unwrap_or_default()
    }

    /// The area inside a pane's frame.
    pub fn inner(&self, pane: Pane) -> Rect {
        let Rect { x, y, width, height } = self.pane(pane);
        let side = u16::from(!self.compact);
        Rect {
            x: x + side.min(width),
            y: y + 1.min(height),
            width: width.saturating_sub(2 * side),
            height: height.saturating_sub(1 + side),
        }
    }

    /// The pane under a cell.
    pub fn pane_at(&self, column: u16, row: u16) -> Option<Pane> {
        Pane::ALL.into_iter().find(|p| self.pane(*p).contains((column, row).into()))
    }

    fn set(&mut self, pane: Pane, area: Rect) {
        if let Some(slot) = self.panes.get_mut(pane as usize) {
            *slot = area;
        }
    }
}

/// Divides a screen.
pub fn layout(screen: Rect, want: Want) -> Layout {
    let mut rest = screen;
    let height = screen.height;
    let mut layout = Layout { compact: screen.width < 60 || height < 18, ..Layout::default() };

    // Each bar exists from some height on, so that the source keeps a few lines.
    if height >= 5 {
        layout.header = top(&mut rest, 1);
    }
    if height >= 7 {
        layout.hints = bottom(&mut rest, 1);
    }
    // Without a line of its own the command line lies over the lowest one.
    layout.prompt = match height {
        11.. => bottom(&mut rest, 1),
        _ => bottom(&mut screen.clone(), 1),
    };
    if height >= 9 {
        layout.timeline = bottom(&mut rest, 1);
    }
    if height >= 3 {
        layout.now = bottom(&mut rest, 1);
    }
    if height >= 14 {
        layout.notes = top(&mut rest, want.notes.min(2));
    }

    if want.zoom {
        layout.set(want.focus, rest);
        return layout;
    }
    dock(&mut layout, &mut rest, want);
    if screen.width >= 72 {
        columns(&mut layout, rest, want);
    } else {
        stacked(&mut layout, rest, want);
    }
    layout
}

/// Output and transcript side by side below everything else.
fn dock(layout: &mut Layout, rest: &mut Rect, want: Want) {
    let asked = matches!(want.focus, Pane::Output | Pane::Log);
    let rows = match rest.height {
        30.. => 8,
        22.. => 6,
        8.. if asked => rest.height / 2,
        _ if asked => rest.height,
        _ => 0,
    };
    let area = bottom(rest, rows);
    if area.width >= 72 {
        let mut log = area;
        layout.set(Pane::Output, right(&mut log, area.width * 2 / 5));
        layout.set(Pane::Log, log);
    } else {
        layout.set(if want.focus == Pane::Output { Pane::Output } else { Pane::Log }, area);
    }
}

/// Source on the left; variables, stack and breakpoints on the right.
fn columns(layout: &mut Layout, mut rest: Rect, want: Want) {
    let width = (rest.width * 9 / 20).clamp(30, 72);
    let mut side = right(&mut rest, width);
    layout.set(Pane::Source, rest);
    let frame = if layout.compact { 1 } else { 2 };
    // Each list keeps two rows of its own, variables three; the focused one always stays.
    let room = |rows: u16| rows >= 3 * frame + 7;
    if room(side.height) || want.focus == Pane::Breakpoints {
        let rows = (side.height / 5).max(frame + 2);
        let area = bottom(&mut side, rows);
        layout.set(Pane::Breakpoints, area);
    }
    if side.height >= 2 * frame + 5 || want.focus == Pane::Stack {
        let rows = (side.height / 3).max(frame + 2);
        let area = bottom(&mut side, rows);
        layout.set(Pane::Stack, area);
    }
    layout.set(Pane::Variables, side);
}

/// One column: the source, and one other pane below it where there is room.
fn stacked(layout: &mut Layout, mut rest: Rect, want: Want) {
    let other = match want.focus {
        Pane::Source | Pane::Output | Pane::Log => Pane::Variables,
        focus => focus,
    };
    let rows = match rest.height {
        24.. => 10,
        6.. => rest.height * 2 / 5,
        _ if want.focus == other => rest.height,
        _ => 0,
    };
    let area = bottom(&mut rest, rows);
    layout.set(other, area);
    layout.set(Pane::Source, rest);
}

fn top(rest: &mut Rect, rows: u16) -> Rect {
    let rows = rows.min(rest.height);
    let area = Rect { height: rows, ..*rest };
    rest.y += rows;
    rest.height -= rows;
    area
}

fn bottom(rest: &mut Rect, rows: u16) -> Rect {
    let rows = rows.min(rest.height);
    rest.height -= rows;
    Rect { y: rest.bottom(), height: rows, ..*rest }
}

fn right(rest: &mut Rect, columns: u16) -> Rect {
    let columns = columns.min(rest.width);
    rest.width -= columns;
    Rect { x: rest.right(), width: columns, ..*rest }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn areas_lie_in_the_screen_and_apart(width in 0u16..200, height in 0u16..80,
                                             focus in 0usize..6, notes in 0u16..3, zoom: bool) {
            let screen = Rect::new(0, 0, width, height);
            let focus = Pane::ALL[focus];
            let layout = layout(screen, Want { focus, notes, zoom });
            let mut areas: Vec<Rect> = Pane::ALL.iter().map(|p| layout.pane(*p)).collect();
            areas.extend([layout.header, layout.notes, layout.now, layout.timeline, layout.hints]);
            if height >= 11 {
                areas.push(layout.prompt);
            }
            areas.retain(|area| !area.is_empty());
            for (i, a) in areas.iter().enumerate() {
                prop_assert_eq!(screen.intersection(*a), *a);
                for b in &areas[i + 1..] {
                    prop_assert!(!a.intersects(*b), "{a} and {b}");
                }
            }
            let covered: u32 = areas.iter().map(|a| a.area()).sum();
            prop_assert_eq!(covered, screen.area(), "no cell is left over");
            if width > 0 && height > 0 {
                prop_assert!(!layout.pane(focus).is_empty(), "the focused pane is always there");
                prop_assert!(!layout.prompt.is_empty(), "and so is the command line");
            }
        }
    }

    #[test]
    fn a_usual_screen_has_everything() {
        for (width, height) in [(120, 40), (80, 24)] {
            let want = Want { focus: Pane::Source, notes: 0, zoom: false };
            let layout = layout(Rect::new(0, 0, width, height), want);
            assert!(layout.inner(Pane::Source).width >= 40);
            for pane in [Pane::Source, Pane::Variables, Pane::Stack] {
                assert!(layout.inner(pane).height >= 3, "{pane:?} at {width}x{height}");
            }
        }
    }
}
