//! What can follow a state, and how likely by the shape of the program alone.
//!
//! [`Flow::next`] is sound by construction: whatever CPython can do is in its answer (any line
//! may raise; after any line any function, lambda or suspended generator of the program
//! may be entered; lines of one statement come in any order). It excludes only what
//! CPython cannot do: a `line` event in a frame goes to a successor in that frame.
//! Must not know: models, tokens, values.

mod graph;

pub use graph::{Graph, Reach};

use super::outline::{Outline, ScopeId, ScopeKind, StatementKind};
use super::{Loc, Program};
use std::cell::OnceCell;

/// What kind of stop a state is, as far as flow depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stop {
    /// A frame begins.
    Call,
    /// A suspended frame goes on.
    Resume,
    /// A line is about to run.
    Line,
    /// A frame returns.
    Return,
    /// A frame suspends.
    Yield,
    /// Something is raised in a frame, or passes through it.
    Exception,
}

/// A frame of the stack: its code and the line it was last seen at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame {
    /// Where it is.
    pub loc: Loc,
    /// Its code in the outline of its file; `None` if the outline has no such scope.
    pub scope: Option<ScopeId>,
}

impl Frame {
    /// The frame of a state, from its `co_name` and place.
    pub fn of(program: &Program, name: &str, loc: Loc) -> Self {
        let scope = program.outline(loc.file).and_then(|o| o.scope_named(name, loc.line));
        Frame { loc, scope }
    }
}

/// One possible next state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Step {
    /// What kind of stop.
    pub stop: Stop,
    /// In which frame: 1 a new one (or a resumed one), 0 the present, -1 its caller.
    pub level: i8,
    /// Where.
    pub loc: Loc,
    /// The code of a frame that is entered.
    pub enters: Option<ScopeId>,
}

/// The flow of a program: graphs of its files, made when first needed.
#[derive(Debug)]
pub struct Flow<'a> {
    program: &'a Program,
    graphs: Vec<OnceCell<Graph<'a>>>,
}

impl<'a> Flow<'a> {
    /// The flow of a program.
    pub fn of(program: &'a Program) -> Self {
        Flow { program, graphs: program.files.iter().map(|_| OnceCell::new()).collect() }
    }

    /// The graph of a file.
    pub fn graph(&self, file: u16) -> Option<&Graph<'a>> {
        let outline = self.program.outline(file)?;
        Some(self.graphs.get(usize::from(file))?.get_or_init(|| Graph::of(outline)))
    }

    /// All possible next states, likeliest first, each once.
    ///
    /// `stop` is what the present state is, `present` its frame, `caller` the frame below
    /// it as last seen, if there is one and it is known. Without a caller the end of the
    /// frame is the end of the execution, except that a suspended one may be resumed.
    pub fn next(&self, stop: Stop, present: Frame, caller: Option<Frame>) -> Vec<Step> {
        let mut steps = Vec::new();
        match stop {
            Stop::Call => {
                let reach = self.reach(present, |graph, scope, _| graph.begin(scope));
                self.lines(&reach, present, 0, &mut steps);
                steps.push(Step::at(Stop::Exception, 0, present.loc));
                if reach.ends {
                    steps.push(Step::at(Stop::Return, 0, present.loc));
                }
            }
            Stop::Line | Stop::Resume => self.inside(present, 0, &mut steps),
            Stop::Exception => {
                let reach = self.reach(present, |graph, scope, line| graph.raised(scope, line));
                self.lines(&reach, present, 0, &mut steps);
                if let Some(caller) = caller {
                    steps.push(Step::at(Stop::Exception, -1, caller.loc));
                    self.inside(caller, -1, &mut steps);
                }
                steps.push(Step::at(Stop::Exception, 0, present.loc));
                if reach.ends {
                    steps.push(Step::at(Stop::Return, 0, present.loc));
                }
                self.calls(present, 1, &mut steps);
            }
            Stop::Return | Stop::Yield => match caller {
                Some(caller) => self.inside(caller, -1, &mut steps),
                None if stop == Stop::Yield => self.calls(present, 0, &mut steps),
                None => {}
            },
        }
        let mut seen = std::collections::HashSet::new();
        steps.retain(|step| seen.insert(*step));
        steps
    }

    /// What can happen next in a frame that is at a line.
    fn inside(&self, frame: Frame, level: i8, steps: &mut Vec<Step>) {
        let reach = self.reach(frame, |graph, scope, line| graph.after(scope, line));
        // What an iterator's end leads to is shown without an exception.
        let caught = self.reach(frame, |graph, scope, line| graph.raised(scope, line));
        let outline = self.program.outline(frame.loc.file);
        let mut end = Vec::new();
        if reach.ends || caught.ends {
            end.push(Step::at(Stop::Return, level, frame.loc));
        }
        if outline.is_none_or(|outline| outline.statement_suspends(frame.loc.line))
            || self.kind(frame) == Some(ScopeKind::Generator)
        {
            end.push(Step::at(Stop::Yield, level, frame.loc));
        }
        let returns = outline.is_some_and(|outline| {
            outline.statements_at(frame.loc.line).any(|(_, s)| s.kind == StatementKind::Return)
        });
        if returns {
            steps.append(&mut end);
        }
        self.lines(&reach, frame, level, steps);
        steps.append(&mut end);
        self.calls(frame, level + 1, steps);
        let file = frame.loc.file;
        let known = frame.scope.and_then(|scope| Some((self.graph(file)?, scope)));
        let raised = known
            .map_or(vec![frame.loc.line], |(graph, scope)| graph.raised_at(scope, frame.loc.line));
        let raised = raised.into_iter().map(|line| Loc { file, line });
        steps.extend(raised.map(|loc| Step::at(Stop::Exception, level, loc)));
        self.lines(&caught, frame, level, steps);
    }

    fn kind(&self, frame: Frame) -> Option<ScopeKind> {
        Some(self.program.outline(frame.loc.file)?.scope(frame.scope?)?.kind)
    }

    /// What a graph says of a frame; of an unknown one, every line of its file.
    fn reach(&self, frame: Frame, ask: impl Fn(&Graph, ScopeId, u32) -> Reach) -> Reach {
        let file = frame.loc.file;
        let known = frame.scope.and_then(|scope| Some((self.graph(file)?, scope)));
        match known {
            Some((graph, scope)) => ask(graph, scope, frame.loc.line),
            None => {
                let count = self.program.files.get(usize::from(file)).map_or(0, |f| f.lines.len());
                let last = u32::try_from(count).unwrap_or(u32::MAX);
                Reach { lines: (1..=last).collect(), ends: true }
            }
        }
    }

    fn lines(&self, reach: &Reach, frame: Frame, level: i8, steps: &mut Vec<Step>) {
        let file = frame.loc.file;
        let step = |&line: &u32| Step::at(Stop::Line, level, Loc { file, line });
        steps.extend(reach.lines.iter().map(step));
    }

    /// Frames that can be entered from a frame at a line: those it names first.
    fn calls(&self, from: Frame, level: i8, steps: &mut Vec<Step>) {
        let named = |name: &str| {
            let outline = self.program.outline(from.loc.file);
            let names = outline.map_or(&[][..], |outline| outline.names(from.loc.line));
            names.iter().any(|known| known.name == name)
        };
        let mut rest = Vec::new();
        for (file, source) in (0u16..).zip(&self.program.files) {
            let outline = &source.outline;
            for (id, scope) in (0..).zip(outline.scopes()) {
                let loc = Loc { file, line: scope.line };
                let enter = Step { stop: Stop::Call, level, loc, enters: Some(id) };
                match scope.kind {
                    // Bodies run where they stand; another file's, where it is imported.
                    ScopeKind::Module if file == 0 => {}
                    ScopeKind::Class if !opens(outline, id, from, file) => {}
                    _ if named(&scope.name) => steps.push(enter),
                    _ => rest.push(enter),
                }
                if scope.is_generator || scope.is_async {
                    let resume = |line| Step {
                        stop: Stop::Resume,
                        level,
                        loc: Loc { file, line },
                        enters: Some(id),
                    };
                    let all = scope.kind == ScopeKind::Generator;
                    let lines = scope.body.iter().filter(|&line| {
                        all || outline.suspends(line) || outline.statement_suspends(line)
                    });
                    rest.extend(lines.map(resume));
                }
            }
        }
        steps.extend(rest);
    }
}

impl Step {
    fn at(stop: Stop, level: i8, loc: Loc) -> Self {
        Step { stop, level, loc, enters: None }
    }
}

/// Whether a class body is run by the statement at a frame's line.
fn opens(outline: &Outline, class: ScopeId, from: Frame, file: u16) -> bool {
    from.loc.file == file
        && outline.statements_at(from.loc.line).any(|(_, s)| s.opens == Some(class))
}

#[cfg(test)]
mod tests;
