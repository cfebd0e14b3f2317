//! A cursor in a list that is longer than its pane. Rows are `usize` throughout: a file
//! may have more lines than a `u16` counts. Must not know: what the rows are.

/// Which row is chosen and which is shown first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Scroll {
    /// Chosen row.
    pub cursor: usize,
    /// First visible row.
    pub top: usize,
}

impl Scroll {
    /// Moves the cursor by rows.
    pub fn step(&mut self, by: isize) {
        self.cursor = self.cursor.saturating_add_signed(by);
    }

    /// Moves the view, and the cursor no more than it must to stay in it.
    pub fn wheel(&mut self, by: isize, rows: usize, height: usize) {
        self.top = self.top.saturating_add_signed(by).min(rows.saturating_sub(height));
        let last = (self.top + height).saturating_sub(1);
        self.cursor = self.cursor.clamp(self.top, last.max(self.top));
    }

    /// Brings cursor and view into a list of so many rows, with the cursor visible.
    pub fn settle(&mut self, rows: usize, height: usize) {
        self.cursor = self.cursor.min(rows.saturating_sub(1));
        if self.cursor < self.top {
            self.top = self.cursor;
        }
        if height > 0 && self.cursor >= self.top + height {
            self.top = self.cursor + 1 - height;
        }
        self.top = self.top.min(rows.saturating_sub(height.max(1)));
    }

    /// Goes to a row; if that is out of sight, it appears a third from the top.
    pub fn reveal(&mut self, row: usize, height: usize) {
        self.cursor = row;
        let margin = 2.min(height / 4);
        if row < self.top + margin || row + margin >= self.top + height {
            self.top = row.saturating_sub(height / 3);
        }
    }

    /// The last row shown at the bottom, as a transcript does.
    pub fn follow(&mut self, rows: usize, height: usize) {
        self.cursor = rows.saturating_sub(1);
        self.top = rows.saturating_sub(height);
    }

    /// The row under a line of the pane, if there is one.
    pub fn row_at(&self, line: u16, rows: usize) -> Option<usize> {
        let row = self.top + usize::from(line);
        (row < rows).then_some(row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_cursor_is_always_in_sight(rows in 0usize..200_000, height in 0usize..60,
                                         moves in prop::collection::vec(-100_000isize..100_000, 0..9)) {
            let mut scroll = Scroll::default();
            for (i, by) in moves.into_iter().enumerate() {
                match i % 3 {
                    0 => scroll.step(by),
                    1 => scroll.wheel(by, rows, height),
                    _ => scroll.reveal(by.unsigned_abs(), height),
                }
                scroll.settle(rows, height);
                prop_assert!(scroll.cursor < rows.max(1));
                if height > 0 {
                    prop_assert!((scroll.top..scroll.top + height).contains(&scroll.cursor));
                }
            }
        }
    }
}
