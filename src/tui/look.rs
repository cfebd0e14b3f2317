//! How meanings look: the theme's styles, and the marks that carry the same meaning
//! without colour. Must not know: panes, sessions.

use super::keymap::Key;
use super::text::Charset;
use super::theme::{Role, Theme};
use ratatui::style::Style;
use ratatui::symbols::border;

/// Styles, marks and frames for the terminal at hand.
#[derive(Debug, Clone)]
pub struct Look {
    /// Styles by role.
    pub theme: Theme,
    /// What the terminal can show.
    pub charset: Charset,
}

/// A mark: one cell that means something, in both character sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// An enabled breakpoint.
    Breakpoint,
    /// A breakpoint with a condition.
    Conditional,
    /// A breakpoint that goes at its first hit.
    Temporary,
    /// A disabled breakpoint.
    Disabled,
    /// The line about to run.
    Current,
    /// The line that was just run.
    Previous,
    /// A guess backwards: what stands here may have come before.
    Backwards,
    /// Where CPython is, when it is elsewhere.
    Truth,
    /// Another line the prediction may mean.
    Ambiguous,
    /// A value that changed.
    Changed,
    /// A name that is new.
    Added,
    /// A value CPython does not agree with.
    Mismatch,
    /// A value CPython agrees with.
    Agree,
    /// Differs from run to run.
    NotComparable,
    /// A value the person rewrote.
    Edited,
    /// A tree that can be opened.
    Closed,
    /// An open tree.
    Open,
    /// Between predicted and real.
    Divider,
    /// From an old value to a new one.
    Arrow,
    /// A step that was not checked.
    CellUnverified,
    /// A step CPython agrees with.
    CellRight,
    /// A step it does not agree with.
    CellWrong,
    /// A step after the paths parted.
    CellOffPath,
    /// A start, an edit or a resync.
    CellGiven,
    /// Text that is no state.
    CellMalformed,
    /// Other steps start here as well.
    CellBranch,
    /// A new segment of history.
    CellBorder,
    /// A step backwards.
    CellInverse,
}

impl Mark {
    const fn pair(self) -> (&'static str, &'static str) {
        match self {
            Mark::Breakpoint => ("●", "B"),
            Mark::Conditional => ("◆", "C"),
            Mark::Temporary => ("◌", "T"),
            Mark::Disabled => ("○", "o"),
            Mark::Current => (">", ">"),
            Mark::Previous => ("·", "-"),
            Mark::Backwards => ("<", "<"),
            Mark::Truth => ("◀", "P"),
            Mark::Ambiguous => ("?", "?"),
            Mark::Changed => ("*", "*"),
            Mark::Added => ("+", "+"),
            Mark::Mismatch => ("!", "!"),
            Mark::Agree => ("✓", "="),
            Mark::NotComparable => ("~", "~"),
            Mark::Edited => ("e", "e"),
            Mark::Closed => ("▸", "+"),
            Mark::Open => ("▾", "-"),
            Mark::Divider => ("│", "|"),
            Mark::Arrow => ("→", "->"),
            Mark::CellUnverified => ("▪", "."),
            Mark::CellRight => ("✓", "="),
            Mark::CellWrong => ("✗", "!"),
            Mark::CellOffPath => ("~", "~"),
            Mark::CellGiven => ("◆", "o"),
            Mark::CellMalformed => ("?", "?"),
            Mark::CellBranch => ("┬", "+"),
            Mark::CellBorder => ("│", "|"),
            Mark::CellInverse => ("◂", "<"),
        }
    }
}

impl Look {
    /// The style of a role.
    pub fn style(&self, role: Role) -> Style {
        self.theme.style(role)
    }

    /// A mark in the terminal's characters.
    pub fn mark(&self, mark: Mark) -> &'static str {
        let (unicode, ascii) = mark.pair();
        self.pick(unicode, ascii)
    }

    /// One of two spellings.
    pub fn pick<'a>(&self, unicode: &'a str, ascii: &'a str) -> &'a str {
        match self.charset {
            Charset::Unicode => unicode,
            Charset::Ascii => ascii,
        }
    }

    /// The frame of a pane. The focused one is heavier, so that it shows without colour.
    pub fn frame(&self, focused: bool) -> border::Set<'static> {
        match (self.charset, focused) {
            (Charset::Unicode, true) => border::THICK,
            (Charset::Unicode, false) => border::ROUNDED,
            (Charset::Ascii, _) => {
                let (side, line) = if focused { ("#", "=") } else { ("|", "-") };
                border::Set {
                    top_left: "+",
                    top_right: "+",
                    bottom_left: "+",
                    bottom_right: "+",
                    vertical_left: side,
                    vertical_right: side,
                    horizontal_top: line,
                    horizontal_bottom: line,
                }
            }
        }
    }

    /// A key as it is shown: arrows as arrows where there are any.
    pub fn key(&self, key: &Key) -> String {
        let name = key.to_string();
        match (self.charset, name.as_str()) {
            (Charset::Unicode, "Left") => "←".into(),
            (Charset::Unicode, "Right") => "→".into(),
            (Charset::Unicode, "Up") => "↑".into(),
            (Charset::Unicode, "Down") => "↓".into(),
            _ => name,
        }
    }

    /// One picture of the spinner.
    pub fn spinner(&self, tick: usize) -> &'static str {
        const UNICODE: [&str; 8] = ["⠋", "⠙", "⠸", "⢰", "⣠", "⣄", "⡆", "⠇"];
        const ASCII: [&str; 4] = ["|", "/", "-", "\\"];
        match self.charset {
            Charset::Unicode => UNICODE[tick % UNICODE.len()],
            Charset::Ascii => ASCII[tick % ASCII.len()],
        }
    }
}
