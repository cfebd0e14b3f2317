//! The timeline: a tree of segments, each a run of entries, and the cursor in it.
//!
//! Must not know: commands, breakpoints, workers. Rewinding and redoing move the cursor
//! and nothing else; the same move at the same mark finds the entry that is already
//! there; another move, or an edit, starts a branch.

use super::entry::{Entry, Go, Mark, Step};
use crate::trace::Direction;

/// The tree. A segment's entries follow one another; every other way on from an entry is
/// a new segment whose parent is that entry.
#[derive(Debug, Clone, Default)]
pub(super) struct Timeline {
    segments: Vec<Segment>,
    cursor: Option<Mark>,
}

#[derive(Debug, Clone)]
struct Segment {
    parent: Option<Mark>,
    entries: Vec<Entry>,
    /// The way on from each entry that was taken last, which `redo` takes again.
    taken: Vec<Option<Mark>>,
}

impl Timeline {
    /// Where the cursor is; `None` while there is no first state.
    pub fn cursor(&self) -> Option<Mark> {
        self.cursor
    }

    /// The entry at the cursor.
    pub fn present(&self) -> Option<&Entry> {
        self.entry(self.cursor?)
    }

    /// The entry at a mark.
    pub fn entry(&self, mark: Mark) -> Option<&Entry> {
        self.segment(mark)?.entries.get(mark.step as usize)
    }

    /// Its mutable form, for verdicts that come later.
    pub fn entry_mut(&mut self, mark: Mark) -> Option<&mut Entry> {
        self.segments.get_mut(mark.segment as usize)?.entries.get_mut(mark.step as usize)
    }

    fn segment(&self, mark: Mark) -> Option<&Segment> {
        self.segments.get(mark.segment as usize)
    }

    /// The entry before a mark.
    pub fn before(&self, mark: Mark) -> Option<Mark> {
        match mark.step.checked_sub(1) {
            Some(step) => Some(Mark { step, ..mark }),
            None => self.segment(mark)?.parent,
        }
    }

    /// All ways on from a mark, the oldest first.
    pub fn ways_on(&self, mark: Mark) -> Vec<Mark> {
        let next = Mark { step: mark.step + 1, ..mark };
        let straight = self.entry(next).map(|_| next);
        let branches = (0..).zip(&self.segments).filter(|(_, s)| s.parent == Some(mark));
        straight.into_iter().chain(branches.map(|(segment, _)| Mark { segment, step: 0 })).collect()
    }

    /// The way on that was taken last.
    pub fn after(&self, mark: Mark) -> Option<Mark> {
        *self.segment(mark)?.taken.get(mark.step as usize)?
    }

    /// Adds an entry after the cursor and moves there. `fresh` starts a segment (a turn,
    /// an edit); otherwise one starts only if the cursor is not at its segment's end.
    pub fn push(&mut self, entry: Entry, fresh: bool) -> Mark {
        let at_end = self.cursor.filter(|mark| {
            let len = self.segment(*mark).map_or(0, |s| s.entries.len());
            !fresh && mark.step as usize + 1 == len
        });
        let mark = match at_end {
            Some(mark) => Mark { step: mark.step + 1, ..mark },
            None => {
                let segment = self.segments.len() as u32;
                let parent = self.cursor;
                self.segments.push(Segment { parent, entries: Vec::new(), taken: Vec::new() });
                Mark { segment, step: 0 }
            }
        };
        if let Some(segment) = self.segments.get_mut(mark.segment as usize) {
            segment.entries.push(entry);
            segment.taken.push(None);
        }
        self.visit(mark);
        mark
    }

    /// Moves the cursor to a mark that exists, and remembers that way for `redo`.
    pub fn visit(&mut self, mark: Mark) -> bool {
        if self.entry(mark).is_none() {
            return false;
        }
        self.cursor = Some(mark);
        let mut here = mark;
        while let Some(before) = self.before(here) {
            let taken = self.segments.get_mut(before.segment as usize);
            if let Some(slot) = taken.and_then(|s| s.taken.get_mut(before.step as usize)) {
                *slot = Some(here);
            }
            here = before;
        }
        true
    }

    /// The way on that answers the same question, if it was asked here before.
    pub fn replay(&self, same: impl Fn(&Entry) -> bool) -> Option<Mark> {
        self.ways_on(self.cursor?).into_iter().find(|mark| self.entry(*mark).is_some_and(&same))
    }

    /// Marks from the start to a mark, both included.
    pub fn path(&self, to: Mark) -> Vec<Mark> {
        let mut path = vec![to];
        while let Some(before) = path.last().and_then(|mark| self.before(*mark)) {
            path.push(before);
        }
        path.reverse();
        path
    }

    /// All steps from the start to the cursor, sub-steps included.
    pub fn steps(&self) -> impl Iterator<Item = &Step> {
        let path = self.cursor.map(|mark| self.path(mark)).unwrap_or_default();
        path.into_iter().filter_map(|mark| self.entry(mark)).flat_map(Entry::steps)
    }

    /// All marks in order of creation within each segment; an entry comes after the one
    /// it continues.
    pub fn marks(&self) -> Vec<Mark> {
        let segments = (0..).zip(&self.segments);
        segments
            .flat_map(|(segment, s)| {
                (0..s.entries.len() as u32).map(move |step| Mark { segment, step })
            })
            .collect()
    }

    /// How many predictions the whole tree holds.
    pub fn predictions(&self) -> usize {
        let entries = self.segments.iter().flat_map(|s| &s.entries);
        entries.flat_map(Entry::steps).filter(|step| step.ask.is_some()).count()
    }
}

/// Whether an entry begins a new prompt: nothing was asked for it, or it was asked in
/// the other direction than the entry before.
pub(super) fn turns(before: Option<&Entry>, go: &Go) -> bool {
    let old = before.and_then(|entry| entry.go.as_ref()).map(Go::direction);
    old.is_some_and(|old| old != go.direction())
        || old.is_none() && go.direction() == Direction::Inverse
}
