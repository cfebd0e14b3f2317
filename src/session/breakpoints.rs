//! Breakpoints: where they bind, and what is hit.
//!
//! Must not know: who predicts, the log. Breakpoints bind to statements.

use super::command::Address;
use super::goal::StopPlace;
use super::view::Breakpoint;
use crate::program::outline::{Lines, StatementKind};
use crate::program::{Loc, Program};
use crate::trace::StopAt;

/// The breakpoints of a session, by number.
#[derive(Debug, Clone, Default)]
pub(super) struct Breakpoints {
    list: Vec<Breakpoint>,
    last: u32,
}

/// What a place as typed means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bound {
    pub loc: Loc,
    pub lines: Lines,
    pub function: Option<String>,
    /// Something to tell the person, e.g. that the line moved.
    pub note: Option<String>,
}

/// What is decided about breakpoints that were reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reached {
    /// One stops: its number.
    Stop(u32),
    /// Ask whether the condition of one is true; then go on with the rest.
    Ask(u32, String),
    /// None stops.
    Pass,
}

/// Finds the statement or function that an address names. `here` is the file that a bare
/// line number means.
///
/// # Errors
/// One line that says what is wrong.
pub(super) fn bind(address: &Address, program: &Program, here: u16) -> Result<Bound, String> {
    let (file, searched) = match address {
        Address::Line { file, .. } | Address::Function { file, .. } => match file {
            Some(name) => (find_file(program, name)?, false),
            None => (here, true),
        },
    };
    match address {
        Address::Line { line, .. } => bind_line(program, file, *line),
        Address::Function { name, .. } => {
            let others = (0..program.files.len() as u16).filter(|other| searched && *other != file);
            let found = std::iter::once(file).chain(others).find_map(|file| {
                let (_, scope) = program.outline(file)?.function(name)?;
                let lines = Lines { first: scope.first_line, last: scope.line };
                let function = Some(scope.qualname.clone());
                let loc = Loc { file, line: scope.line };
                Some(Bound { loc, lines, function, note: None })
            });
            found.ok_or_else(|| no_function(name, program))
        }
    }
}

fn bind_line(program: &Program, file: u16, line: u32) -> Result<Bound, String> {
    let source = program.files.get(usize::from(file));
    let count = source.map_or(0, |source| source.lines.len());
    if line == 0 || line as usize > count {
        let name = source.map_or("the program", |source| source.name.as_str());
        return Err(format!("there is no line {line}: {name} has {count} lines"));
    }
    let outline = program.outline(file);
    let Some(statement) = outline.and_then(|outline| outline.breakable(line)) else {
        return Err(format!("nothing runs at line {line} or below it"));
    };
    let lines = statement.lines;
    let opens = statement.opens.and_then(|scope| outline?.scope(scope));
    let note = if !lines.contains(line) {
        Some(format!("nothing runs at line {line}; the next statement is at line {}", lines.first))
    } else if statement.kind == StatementKind::Def {
        opens.map(|scope| {
            format!("line {line} defines {0}; 'b {0}' stops when it is called", scope.qualname)
        })
    } else {
        None
    };
    Ok(Bound { loc: Loc { file, line: lines.first }, lines, function: None, note })
}

fn no_function(name: &str, program: &Program) -> String {
    let same: Vec<&str> = program
        .files
        .iter()
        .flat_map(|file| file.outline.functions())
        .filter(|(_, scope)| scope.name == name)
        .map(|(_, scope)| scope.qualname.as_str())
        .collect();
    match &same[..] {
        [] => format!("there is no function '{name}' in this program"),
        many => format!("'{name}' may be {}; name one", many.join(" or ")),
    }
}

fn find_file(program: &Program, name: &str) -> Result<u16, String> {
    let tail = |full: &str| {
        full == name
            || full.ends_with(name) && {
                let before = full.len() - name.len();
                matches!(full.as_bytes().get(before.wrapping_sub(1)), Some(b'/' | b'\\'))
            }
    };
    let found =
        program.files.iter().position(|file| tail(&file.name) || name.ends_with(&file.name));
    found
        .and_then(|file| u16::try_from(file).ok())
        .ok_or_else(|| format!("'{name}' is no file of this program"))
}

impl Bound {
    /// As the target of `advance`.
    pub fn target(&self) -> StopAt {
        StopAt { loc: self.loc, call: self.function.is_some() }
    }
}

impl Breakpoints {
    /// All, by number.
    pub fn list(&self) -> &[Breakpoint] {
        &self.list
    }

    /// Sets one.
    pub fn add(
        &mut self,
        bound: &Bound,
        condition: Option<String>,
        temporary: bool,
    ) -> &Breakpoint {
        self.last += 1;
        let breakpoint = Breakpoint {
            number: self.last,
            loc: bound.loc,
            lines: bound.lines,
            function: bound.function.clone(),
            condition,
            temporary,
            enabled: true,
            ignore: 0,
            hits: 0,
        };
        let at = self.list.len();
        self.list.push(breakpoint);
        &self.list[at]
    }

    /// Takes all out, to put them where they are bound anew.
    pub fn take(&mut self) -> Vec<Breakpoint> {
        std::mem::take(&mut self.list)
    }

    /// Puts one back, bound to this place; it keeps its number.
    pub fn put(&mut self, bound: &Bound, breakpoint: Breakpoint) {
        let (loc, lines, function) = (bound.loc, bound.lines, bound.function.clone());
        self.list.push(Breakpoint { loc, lines, function, ..breakpoint });
    }

    /// The one that was set last.
    pub fn last_mut(&mut self) -> Option<&mut Breakpoint> {
        self.list.last_mut()
    }

    /// One by number.
    ///
    /// # Errors
    /// One line, if there is none.
    pub fn get_mut(&mut self, number: u32) -> Result<&mut Breakpoint, String> {
        self.list
            .iter_mut()
            .find(|b| b.number == number)
            .ok_or_else(|| format!("there is no breakpoint {number}; 'b' lists them"))
    }

    /// Removes one.
    ///
    /// # Errors
    /// One line, if there is none.
    pub fn remove(&mut self, number: u32) -> Result<Breakpoint, String> {
        let at = self.list.iter().position(|b| b.number == number);
        at.map(|at| self.list.remove(at))
            .ok_or_else(|| format!("there is no breakpoint {number}; 'b' lists them"))
    }

    /// Removes those at a place; their numbers.
    pub fn remove_at(&mut self, bound: &Bound) -> Vec<u32> {
        let here = |b: &Breakpoint| b.loc == bound.loc && b.function == bound.function;
        let numbers = self.list.iter().filter(|b| here(b)).map(|b| b.number).collect();
        self.list.retain(|b| !here(b));
        numbers
    }

    /// Removes all; how many there were.
    pub fn clear(&mut self) -> usize {
        std::mem::take(&mut self.list).len()
    }

    /// Those that can stop a movement, as they are now.
    pub fn stop_places(&self) -> Vec<StopPlace> {
        let enabled = self.list.iter().filter(|b| b.enabled);
        enabled
            .map(|b| StopPlace {
                number: Some(b.number),
                file: b.loc.file,
                lines: b.lines,
                call: b.function.is_some(),
                always: b.condition.is_none() && b.ignore == 0,
            })
            .collect()
    }

    /// Decides about breakpoints that were reached, in order: counts a hit, and says
    /// whether it stops. Call again with the rest after [`Reached::Ask`].
    pub fn reach(&mut self, numbers: &[u32]) -> Reached {
        for number in numbers {
            let Ok(breakpoint) = self.get_mut(*number) else { continue };
            if let Some(condition) = &breakpoint.condition {
                return Reached::Ask(*number, condition.clone());
            }
            if self.hit(*number) {
                return Reached::Stop(*number);
            }
        }
        Reached::Pass
    }

    /// Counts a hit whose condition is true; whether it stops. A temporary breakpoint
    /// that stops is removed.
    pub fn hit(&mut self, number: u32) -> bool {
        let Ok(breakpoint) = self.get_mut(number) else { return false };
        breakpoint.hits += 1;
        if breakpoint.ignore > 0 {
            breakpoint.ignore -= 1;
            return false;
        }
        if breakpoint.temporary {
            self.list.retain(|b| b.number != number);
        }
        true
    }
}
