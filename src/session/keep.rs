//! What outlives a session: breakpoints and watches, as plain data.
//!
//! Must not know: where it is kept. A breakpoint is anchored by its line's text, so that
//! it follows its line when the file is edited in between.

use super::Session;
use super::breakpoints::bind;
use super::command::Address;
use super::message::Effect;
use super::view::{Breakpoint, LogKind};
use crate::program::{Loc, Program};
use serde::{Deserialize, Serialize};

/// Breakpoints and watches of a program.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Kept {
    /// In order of number.
    pub breakpoints: Vec<KeptBreakpoint>,
    /// Expressions, as typed.
    pub watches: Vec<String>,
}

/// A breakpoint and what its line looked like.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct KeptBreakpoint {
    /// The file, as the program names it.
    pub file: String,
    /// 1-based.
    pub line: u32,
    /// The line's text, without its indentation.
    pub text: String,
    /// For a function breakpoint: its qualified name.
    pub function: Option<String>,
    /// Stops only where this is true.
    pub condition: Option<String>,
    /// Goes at its first hit.
    pub temporary: bool,
    /// Is not enabled.
    pub disabled: bool,
    /// Hits still to ignore.
    pub ignore: u32,
    /// Commands to run at its stop.
    pub commands: Vec<String>,
}

impl KeptBreakpoint {
    fn of(breakpoint: &Breakpoint, program: &Program) -> KeptBreakpoint {
        let file = program.files.get(usize::from(breakpoint.loc.file));
        KeptBreakpoint {
            file: file.map(|file| file.name.clone()).unwrap_or_default(),
            line: breakpoint.loc.line,
            text: text(program, breakpoint.loc).unwrap_or_default(),
            function: breakpoint.function.clone(),
            condition: breakpoint.condition.clone(),
            temporary: breakpoint.temporary,
            disabled: !breakpoint.enabled,
            ignore: breakpoint.ignore,
            commands: Vec::new(),
        }
    }

    /// Where it is now: its line if it looks as it did, else the nearest line that does.
    fn find(&self, program: &Program) -> Option<u32> {
        let looks_so =
            |line: &u32| text(program, Loc::main(*line)).is_some_and(|text| text == self.text);
        let count = program.files.first().map_or(0, |file| file.lines.len() as u32);
        (1..=count).filter(looks_so).min_by_key(|line| line.abs_diff(self.line))
    }

    /// As typed after `b`.
    fn typed(&self, line: u32) -> String {
        let place = self.function.clone().unwrap_or_else(|| line.to_string());
        match &self.condition {
            Some(condition) => format!("{place}, {condition}"),
            None => place,
        }
    }
}

fn text(program: &Program, loc: Loc) -> Option<String> {
    program.source(loc).map(|text| text.trim().to_string())
}

impl Session {
    /// What should outlive this session.
    pub fn kept(&self) -> Kept {
        let breakpoints = self.breakpoints.list().iter();
        Kept {
            breakpoints: breakpoints
                .map(|b| KeptBreakpoint {
                    commands: self.attached.of(b.number).to_vec(),
                    ..KeptBreakpoint::of(b, &self.program)
                })
                .collect(),
            watches: self.watches.iter().map(|watch| watch.expression.clone()).collect(),
        }
    }

    /// Sets what an earlier session kept; says what moved and what is gone.
    pub(super) fn restore(&mut self, kept: &Kept) {
        for old in &kept.breakpoints {
            let found = match &old.function {
                Some(_) => Some(old.line),
                None => old.find(&self.program),
            };
            let Some(line) = found else {
                let text = format!("the breakpoint at line {} is gone with its line", old.line);
                self.say(LogKind::Note, text);
                continue;
            };
            let before = self.breakpoints.list().len();
            self.break_from(&old.typed(line));
            if self.breakpoints.list().len() == before {
                continue; // Refused, or already there; either was said.
            }
            if line != old.line && old.function.is_none() {
                let text = format!("it was at line {}, which has moved", old.line);
                self.say(LogKind::Note, text);
            }
            if let Some(new) = self.breakpoints.last_mut() {
                new.temporary = old.temporary;
                new.enabled = !old.disabled;
                new.ignore = old.ignore;
                let number = new.number;
                self.attached.set(number, old.commands.clone());
            }
        }
        for expression in &kept.watches {
            self.watches.push(super::Watch::anywhere(expression.clone()));
        }
    }

    /// Binds the breakpoints of the program as it was to the one that is now: each follows its
    /// line's text, else stays at its line. Says what moved, and what is gone with its statement.
    pub(super) fn rebind(&mut self, old: &Program) {
        for was in self.breakpoints.take() {
            let kept = KeptBreakpoint::of(&was, old);
            let line = kept.find(&self.program).unwrap_or(kept.line);
            let address = match &kept.function {
                Some(name) => Address::Function { file: None, name: name.clone() },
                None => Address::Line { file: None, line },
            };
            let number = was.number;
            match bind(&address, &self.program, was.loc.file) {
                Ok(bound) if bound.function.is_some() || bound.lines.contains(line) => {
                    if bound.function.is_none() && bound.loc.line != was.loc.line {
                        let text = format!("breakpoint {number} is at line {} now", bound.loc.line);
                        self.say(LogKind::Note, text);
                    }
                    self.breakpoints.put(&bound, was);
                }
                Ok(_) => {
                    let text =
                        format!("breakpoint {number} is gone: nothing runs at line {line} now");
                    self.say(LogKind::Note, text);
                }
                Err(why) => {
                    self.say(LogKind::Note, format!("breakpoint {number} is gone: {why}"));
                }
            }
        }
    }

    /// Asks to keep what changed since it was last kept.
    pub(super) fn keep(&mut self) {
        let kept = self.kept();
        if self.setup.kept.as_ref().is_some_and(|old| *old != kept) {
            self.setup.kept = Some(kept.clone());
            self.effects.push(Effect::Keep(kept));
        }
    }
}
