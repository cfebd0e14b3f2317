//! Commands of a breakpoint, as in pdb: `commands` takes lines until `end`, and they run when
//! it stops.
//!
//! Must not know: what a command does, beyond whether it goes on. A command that goes on ends
//! the list, as what follows would run elsewhere.

use super::command::Command;
use super::view::LogKind;
use super::{Session, Waiting, parse};
use std::collections::BTreeMap;

/// Breakpoints may go on by themselves for so many single steps; then it is the person's turn.
const ALONE: usize = 250;

/// What pdb calls a list that says nothing of its stop.
const SILENT: &str = "silent";

/// The lists, and the one that is being typed.
#[derive(Debug, Default)]
pub(super) struct Attached {
    lists: BTreeMap<u32, Vec<String>>,
    typing: Option<(u32, Vec<String>)>,
    /// Single steps since the person last typed something.
    alone: usize,
}

impl Attached {
    /// Whether lines are taken for a list.
    pub fn is_typing(&self) -> bool {
        self.typing.is_some()
    }

    /// The person is here.
    pub fn attended(&mut self) {
        self.alone = 0;
    }

    /// So many steps were made.
    pub fn stepped(&mut self, steps: usize) {
        self.alone += steps;
    }

    /// The list of a breakpoint.
    pub fn of(&self, number: u32) -> &[String] {
        self.lists.get(&number).map_or(&[], Vec::as_slice)
    }

    /// Gives a breakpoint a list; an empty one is none.
    pub fn set(&mut self, number: u32, list: Vec<String>) {
        match list.is_empty() {
            true => drop(self.lists.remove(&number)),
            false => drop(self.lists.insert(number, list)),
        }
    }

    /// Whether the stop of a breakpoint is not to be shown.
    pub fn is_silent(&self, number: u32) -> bool {
        self.of(number).iter().any(|line| line == SILENT)
    }
}

impl Session {
    /// `commands [NUMBER]`: takes the lines that follow; of the breakpoint set last.
    ///
    /// # Errors
    /// One line, if there is no such breakpoint.
    pub(super) fn begin_commands(&mut self, number: Option<u32>) -> Result<(), String> {
        let last = self.breakpoints.list().last().map(|breakpoint| breakpoint.number);
        let number = number.or(last).ok_or("there is no breakpoint; 'b LINE' sets one")?;
        self.breakpoints.get_mut(number)?;
        self.attached.typing = Some((number, Vec::new()));
        let text = format!("commands for breakpoint {number}, until 'end' (silent: say no stop)");
        self.say(LogKind::Note, text);
        Ok(())
    }

    /// Takes a line for the list that is being typed; false if there is none.
    pub(super) fn take_command(&mut self, line: &str) -> bool {
        let Some((number, list)) = &mut self.attached.typing else { return false };
        let number = *number;
        let ends = line == "end" || goes_on(line);
        if line != "end" {
            list.push(line.into());
        }
        if ends {
            let (_, list) = self.attached.typing.take().unwrap_or_default();
            let said = match list.len() {
                0 => format!("breakpoint {number} has no commands"),
                _ => format!("breakpoint {number} runs: {}", list.join(";; ")),
            };
            self.attached.set(number, list);
            self.say(LogKind::Note, said);
        }
        true
    }

    /// Leaves off typing; what the breakpoint had stays.
    pub(super) fn drop_commands(&mut self) -> bool {
        self.attached.typing.take().is_some()
    }

    /// Lets the commands of a breakpoint that has stopped run next.
    pub(super) fn run_commands(&mut self, number: u32) {
        let list: Vec<String> = self.attached.of(number).to_vec();
        if list.is_empty() {
            return;
        }
        if self.attached.alone >= ALONE {
            let text = format!(
                "{} steps by commands of breakpoints alone: those of {number} do not run here",
                self.attached.alone
            );
            return self.say(LogKind::Note, text);
        }
        let lines = list.into_iter().filter(|line| line != SILENT);
        for (i, line) in lines.enumerate() {
            self.waiting.insert(i, Waiting::Line(line));
        }
    }

    /// Whether the lines that come are those of a breakpoint's list, so that a screen goes on
    /// asking for them.
    pub fn takes_commands(&self) -> bool {
        self.attached.is_typing()
    }
}

/// Whether a line leads on from the stop.
fn goes_on(line: &str) -> bool {
    let on = |command| {
        matches!(
            command,
            Command::Go(_) | Command::Advance(_) | Command::Restart(_) | Command::Quit
        )
    };
    parse::parse(line, &[]).is_ok_and(on)
}
