//! The person's unit: consecutive line states of one *execution* of a simple statement or a
//! compound statement's header are one stop.
//!
//! Must not know: who steps, breakpoints. Reads the program's outline.

use super::{Event, NodeId, State, StateTree};
use crate::program::Program;

/// Whether `later` goes on with the execution of the statement that `earlier` is in.
///
/// Both are states of one frame, and between them the frame had no other state: only calls
/// that lie below it. CPython reports a line when it differs from the frame's last one, or
/// when execution jumps back to it. So within one execution neighbouring lines differ,
/// whatever order the lines of the statement come in; the same line again is a new
/// execution (a loop that is all on one line).
pub fn goes_on(program: &Program, earlier: &State, later: &State) -> bool {
    let lines = |state: &State| matches!(state.event, Event::Line | Event::LineAfterCall);
    let (a, b) = (earlier.loc, later.loc);
    if !lines(earlier) || !lines(later) || a.file != b.file || a.line == b.line {
        return false;
    }
    let Some(outline) = program.outline(a.file) else { return false };
    match (outline.statement_at(a.line), outline.statement_at(b.line)) {
        (Some((a, _)), Some((b, _))) => a == b,
        _ => false,
    }
}

impl StateTree {
    /// The first line state of the statement execution that a state is part of; the state
    /// itself if it is no line. Breakpoints stop there and nowhere else in a statement.
    pub fn statement_start(&self, program: &Program, node: NodeId) -> NodeId {
        let mut start = node;
        while let Some(earlier) = self.before_on_level(start) {
            if !goes_on(program, &self.state(earlier), &self.state(start)) {
                break;
            }
            start = earlier;
        }
        start
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Entry, SourceFile};
    use crate::trace::Exit;
    use crate::trace::tests::tree;

    fn program(text: &str) -> Program {
        let (file, problems) = SourceFile::from_text("a.py", text);
        assert!(problems.is_empty(), "{problems:?}");
        Program { files: vec![file], entry: Entry::Module }
    }

    /// A program, what CPython 3.11.7 was seen to report of it, and the states at which a statement's
    /// execution starts.
    #[test]
    fn executions_of_statements() {
        let nested =
            "def f(a, b):\n    return a\nx = 0\nr = f(\n    1,\n    f(2,\n      3),\n)\ny = 1\n";
        let table = [
            (
                "calls in a call over several lines",
                nested,
                "C1 L1 L3 L4 L5 L6 L7 L6 .C1 .L2 .R2 L4 .C1 .L2 .R2 L9 R9",
                "L1 L3 L4 .L2 .L2 L9",
            ),
            (
                "a statement in a loop, each pass anew",
                "for i in range(2):\n    x = [\n      i,\n      2]\n",
                "C1 L1 L3 L4 L2 L1 L3 L4 L2 L1 R1",
                "L1 L3 L1 L3 L1",
            ),
            (
                "a loop on one line",
                "for i in range(2): s = i; t = s\n",
                "C1 L1 L1 L1 R1",
                "L1 L1 L1",
            ),
            (
                "leaving a with statement visits its header again",
                "import io\nwith io.StringIO(\n    'x') as f:\n    y = 1\n",
                "C1 L1 L2 L3 L2 L3 L4 L2 R2",
                "L1 L2 L4 L2",
            ),
            (
                "an exception ends the execution",
                "def g(x):\n    try:\n        x = h(\n        )\n    except ValueError:\n        pass\n",
                "C1 L2 L3 X3 L5 L6 R6",
                "L2 L3 L5 L6",
            ),
            (
                "recursion on the same statement",
                "def f(n):\n    return (n\n        and f(n - 1))\n",
                "C1 L2 L3 .C1 .L2 .L3 ..C1 ..L2 ..R2 .L2 .R2 R2",
                "L2 .L2 ..L2",
            ),
            (
                "a loop over a statement of several lines",
                "while True:\n  x = [\n   1, len(\n  'a')]\n  if x: break\n",
                "C1 L1 L3 L4 L3 L2 L5 R5",
                "L1 L3 L5",
            ),
        ];
        for (name, text, words, starts) in table {
            let program = program(text);
            let tree = tree(words, Exit::Normal);
            let found: Vec<_> = words
                .split_whitespace()
                .zip(0..)
                .filter(|(word, node)| {
                    word.contains('L') && tree.statement_start(&program, *node) == *node
                })
                .map(|(word, _)| word)
                .collect();
            assert_eq!(found.join(" "), starts, "{name}");
        }
    }
}
