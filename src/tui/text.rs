//! Text made safe for terminal cells, once, at the border.
//!
//! Everything a file, a model or a program wrote passes through [`Safe`] before it reaches
//! the screen: tabs become spaces, control and invisible characters get a visible form,
//! widths are counted by grapheme cluster, and every cell can be traced back to a byte of
//! the original. Must not know: styles, panes, what the text means.

use std::borrow::Cow;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// What the terminal can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Charset {
    /// UTF-8 text and box drawing.
    #[default]
    Unicode,
    /// Seven bits: everything else is shown as Python would escape it.
    Ascii,
}

impl Charset {
    /// What the locale says; the first of these that is set decides.
    pub fn detect(env: impl Fn(&str) -> Option<String>) -> Charset {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
            .into_iter()
            .find_map(|name| env(name).filter(|value| !value.is_empty()))
            .unwrap_or_default()
            .to_ascii_lowercase();
        // Unset says nothing; only a locale that names another encoding (or none) counts.
        if locale.is_empty() || locale.contains("utf-8") || locale.contains("utf8") {
            Charset::Unicode
        } else {
            Charset::Ascii
        }
    }
}

/// Columns between tab stops, as Python's own tokenizer counts them.
const TAB: usize = 8;
/// Combining characters kept on one base before the rest is dropped from the screen.
const MAX_CLUSTER: usize = 12;

/// One grapheme cluster of the original, as it is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Glyph {
    /// Byte offset in the original.
    source: usize,
    /// Byte offset in [`Safe::shown`].
    shown: usize,
    /// First cell it occupies.
    cell: usize,
    /// Whether it stands for something that cannot be shown as itself.
    escaped: bool,
}

/// One line of text that a terminal can show without surprises.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Safe {
    shown: String,
    /// In order; the last one is a sentinel at the end.
    glyphs: Vec<Glyph>,
}

impl Safe {
    /// Makes one line safe. Line breaks inside it are shown as `^J` and `^M`.
    pub fn new(text: &str, charset: Charset) -> Self {
        let mut safe = Safe { shown: String::with_capacity(text.len()), glyphs: Vec::new() };
        let mut cell = 0;
        for (source, cluster) in text.grapheme_indices(true) {
            let shown = safe.shown.len();
            let escaped = push_cluster(&mut safe.shown, cluster, cell, charset);
            safe.glyphs.push(Glyph { source, shown, cell, escaped });
            cell += safe.shown[shown..].width();
        }
        safe.glyphs.push(Glyph {
            source: text.len(),
            shown: safe.shown.len(),
            cell,
            escaped: false,
        });
        safe
    }

    /// The whole text as it is drawn.
    pub fn as_str(&self) -> &str {
        &self.shown
    }

    /// Cells it occupies.
    pub fn width(&self) -> usize {
        self.glyphs.last().map_or(0, |end| end.cell)
    }

    /// The cell at which the cluster that holds a byte of the original begins; past the
    /// end, the width.
    pub fn cell_of(&self, byte: usize) -> usize {
        let after = self.glyphs.partition_point(|g| g.source <= byte);
        self.glyphs.get(after.saturating_sub(1)).map_or(0, |g| g.cell)
    }

    /// The byte of the original under a cell; past the end, the original's length.
    pub fn byte_at(&self, cell: usize) -> usize {
        let after = self.glyphs.partition_point(|g| g.cell <= cell);
        self.glyphs.get(after.saturating_sub(1)).map_or(0, |g| g.source)
    }

    /// The part between two cells. A wide character cut by an edge leaves spaces, so the
    /// result has exactly the asked width, or less only where the text ends.
    pub fn cut(&self, from: usize, width: usize) -> String {
        self.pieces(from, width).map(|piece| piece.text).collect()
    }

    /// The same part cluster by cluster, for callers that style by original byte.
    pub fn pieces(&self, from: usize, width: usize) -> impl Iterator<Item = Piece<'_>> {
        let to = from.saturating_add(width);
        let first = self.glyphs.partition_point(|g| g.cell <= from).saturating_sub(1);
        self.glyphs.windows(2).skip(first).take_while(move |pair| pair[0].cell < to).filter_map(
            move |pair| {
                let (start, end) = (pair[0].cell, pair[1].cell);
                let whole = &self.shown[pair[0].shown..pair[1].shown];
                let text = if start >= from && end <= to {
                    whole
                } else {
                    // Cut by an edge: an escape is ASCII and may be cut anywhere, a wide
                    // character becomes blank.
                    let (a, b) = (start.max(from) - start, end.min(to) - start);
                    match whole.get(a..b) {
                        Some(part) if whole.is_ascii() => part,
                        _ => BLANK.get(..b - a).unwrap_or(BLANK),
                    }
                };
                (end > from).then_some(Piece {
                    text,
                    source: pair[0].source,
                    escaped: pair[0].escaped,
                })
            },
        )
    }
}

const BLANK: &str = "        ";

/// A cluster of [`Safe::pieces`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece<'a> {
    /// What to draw.
    pub text: &'a str,
    /// Where it begins in the original.
    pub source: usize,
    /// Whether it is an escape for something invisible.
    pub escaped: bool,
}

/// Appends the visible form of a cluster; returns whether it is an escape.
fn push_cluster(out: &mut String, cluster: &str, cell: usize, charset: Charset) -> bool {
    if cluster == "\t" {
        out.extend(std::iter::repeat_n(' ', TAB - cell % TAB));
        return false;
    }
    let visible = match charset {
        Charset::Ascii => cluster.bytes().all(|b| matches!(b, b' '..=b'~')),
        Charset::Unicode => cluster.width() > 0 && !cluster.chars().any(hides),
    };
    if visible {
        out.extend(cluster.chars().take(MAX_CLUSTER));
    } else {
        cluster.chars().take(MAX_CLUSTER).for_each(|c| push_escape(out, c));
    }
    !visible
}

/// Characters that change how others look, or look like nothing, wherever they stand.
/// Joiners and variation selectors are fine inside a cluster that has a width.
fn hides(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e001f}')
}

/// `^L` for the control characters people know by that name, else Python's escape.
fn push_escape(out: &mut String, c: char) {
    match c as u32 {
        code @ 0..=31 => out.extend(['^', char::from(b'@' + code as u8)]),
        127 => out.push_str("^?"),
        32..=126 => out.push(c),
        code @ 128..=255 => out.push_str(&format!("\\x{code:02x}")),
        code @ 256..=0xffff => out.push_str(&format!("\\u{code:04x}")),
        code => out.push_str(&format!("\\U{code:08x}")),
    }
}

/// One line of text for a stream that may be a terminal: what hides gets a visible form, and
/// nothing else changes (a tab stays one, nothing is cut).
pub fn visible(line: &str) -> Cow<'_, str> {
    let unsafe_here = |c: char| c != '\t' && hides(c);
    if !line.contains(unsafe_here) {
        return Cow::Borrowed(line);
    }
    let mut out = String::with_capacity(line.len() + 8);
    for c in line.chars() {
        if unsafe_here(c) { push_escape(&mut out, c) } else { out.push(c) }
    }
    Cow::Owned(out)
}

/// Shortens a text to a width, ending in `…` (or `~`) when something was cut.
pub fn fit(text: &str, width: usize, charset: Charset) -> String {
    let safe = Safe::new(text, charset);
    if safe.width() <= width {
        return safe.shown;
    }
    let mark = ellipsis(charset);
    safe.cut(0, width.saturating_sub(1)) + if width == 0 { "" } else { mark }
}

/// What marks text that goes on outside the pane.
pub fn ellipsis(charset: Charset) -> &'static str {
    match charset {
        Charset::Unicode => "…",
        Charset::Ascii => "~",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn invisible_characters_become_visible() {
        for (text, unicode, ascii) in [
            ("a\tb", "a       b", "a       b"),
            ("\x0cdef", "^Ldef", "^Ldef"),
            ("\x1b[2J", "^[[2J", "^[[2J"),
            ("a\r\n", "a^M^J", "a^M^J"),
            ("\u{feff}x", "\\ufeffx", "\\ufeffx"),
            ("a\u{202e}b", "a\\u202eb", "a\\u202eb"),
            ("zero\u{200b}width", "zero\\u200bwidth", "zero\\u200bwidth"),
            ("\u{200d}", "\\u200d", "\\u200d"),
            ("\u{85}", "\\x85", "\\x85"),
            ("中文", "中文", "\\u4e2d\\u6587"),
            ("é", "é", "\\xe9"),
            ("👩‍👩‍👧", "👩‍👩‍👧", "\\U0001f469\\u200d\\U0001f469\\u200d\\U0001f467"),
        ] {
            assert_eq!(Safe::new(text, Charset::Unicode).as_str(), unicode, "{text:?}");
            assert_eq!(Safe::new(text, Charset::Ascii).as_str(), ascii, "{text:?}");
        }
    }

    #[test]
    fn a_line_for_a_stream_keeps_all_but_what_hides() {
        for (line, shown) in [
            ("plain é 中文 👩‍👩‍👧\tx", "plain é 中文 👩‍👩‍👧\tx"),
            ("\x1b]0;title\x07", "^[]0;title^G"),
            ("\u{9b}2J\u{9d}", "\\x9b2J\\x9d"),
            ("a\u{202e}b\u{2066}c\u{200f}", "a\\u202eb\\u2066c\\u200f"),
            ("one\r\ntwo\u{2028}\x7f", "one^M^Jtwo\\u2028^?"),
        ] {
            assert_eq!(visible(line), shown, "{line:?}");
        }
    }

    #[test]
    fn a_wide_character_never_straddles_an_edge() {
        let safe = Safe::new("a中b", Charset::Unicode);
        assert_eq!(safe.width(), 4);
        assert_eq!(safe.cut(0, 2), "a ");
        assert_eq!(safe.cut(2, 2), " b");
        assert_eq!(safe.cut(1, 2), "中");
        assert_eq!(fit("a中b", 3, Charset::Unicode), "a …");
        assert_eq!(fit("abc", 3, Charset::Unicode), "abc");
        assert_eq!(fit("abc", 0, Charset::Unicode), "");
    }

    #[test]
    fn bytes_and_cells_correspond() {
        let safe = Safe::new("\tif 中:", Charset::Unicode);
        assert_eq!(safe.cell_of(0), 0);
        assert_eq!(safe.cell_of(1), 8);
        assert_eq!(safe.cell_of(4), 11);
        assert_eq!(safe.cell_of(7), 13, "after a two-cell character of three bytes");
        assert_eq!(safe.cell_of(99), safe.width());
        assert_eq!(safe.byte_at(3), 0, "inside the tab");
        assert_eq!(safe.byte_at(12), 4, "second half of the wide character");
    }

    proptest! {
        #[test]
        fn any_text_is_cut_exactly(text in "\\PC{0,20}|.{0,20}|[\\x00-\\x{300}]{0,12}",
                                   from in 0usize..30, width in 0usize..30) {
            for charset in [Charset::Unicode, Charset::Ascii] {
                let safe = Safe::new(&text, charset);
                prop_assert!(!safe.as_str().chars().any(char::is_control));
                let cut = safe.cut(from, width);
                prop_assert_eq!(cut.width(), safe.width().saturating_sub(from).min(width));
                prop_assert!(fit(&text, width, charset).width() <= width);
                if charset == Charset::Ascii {
                    prop_assert!(safe.as_str().is_ascii());
                }
            }
        }
    }
}
