//! The commands of a session, as data, and the settings they change.
//!
//! Must not know: how they are typed (that is `table` and `parse`), what they do.

use super::entry::{Go, Mark};

/// Something a person can ask of a session, by word or by key.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// Predict where a move leads.
    Go(Go),
    /// `advance LOCATION`: run to this line or function, or a breakpoint, or the end.
    Advance(Address),
    /// Back by this many entries: exact, free.
    Rewind(usize),
    /// Forth again by this many entries: exact, free.
    Redo(usize),
    /// To a place of the timeline: exact, free.
    Goto(Mark),
    /// To the entry with this number on the present path, the start being 0.
    GotoStep(usize),
    /// List the single steps of this entry; with a number, go to that one.
    Steps(Option<usize>),
    /// Back into this entry: to the single step before its stop.
    Inside,
    /// Set a breakpoint.
    Break {
        /// Where.
        at: Address,
        /// Stop only where this is true.
        condition: Option<String>,
        /// Remove it at its first hit.
        temporary: bool,
    },
    /// Set a breakpoint at a line, or clear those that are there (the key on a line).
    ToggleBreak(Address),
    /// List the breakpoints.
    ListBreaks,
    /// Clear breakpoints by number; none: all.
    Clear(Vec<u32>),
    /// Clear the breakpoints at a place.
    ClearAt(Address),
    /// Enable (true) or disable breakpoints.
    Enable(bool, Vec<u32>),
    /// Set or remove the condition of a breakpoint.
    Condition(u32, Option<String>),
    /// Ignore the next so many hits of a breakpoint.
    Ignore(u32, u32),
    /// Take the lines that follow as commands of a breakpoint; none: the one set last.
    Commands(Option<u32>),
    /// Print the stack.
    Where,
    /// Select an older frame, so many levels up.
    Up(usize),
    /// Select a newer frame, so many levels down.
    Down(usize),
    /// Print source.
    List(Listing),
    /// Print the source of the whole function.
    LongList,
    /// Print the value of an expression; pretty: one element a line.
    Print {
        /// As typed.
        expression: String,
        /// One element a line.
        pretty: bool,
    },
    /// Print the type of an expression.
    WhatIs(String),
    /// Print the arguments of the function.
    Args,
    /// Print the value the function returned.
    ReturnValue,
    /// Watch an expression; none: list them.
    Display(Option<String>),
    /// Stop watching an expression; none: all.
    Undisplay(Option<String>),
    /// `NAME = VALUE`: rewrite a variable of the present state; makes a branch.
    Edit {
        /// The variable.
        name: String,
        /// An expression; a literal, or evaluated over the present state.
        value: String,
    },
    /// Record the program with CPython and compare; asks first.
    Verify,
    /// Go to where the truth is.
    Resync,
    /// Go to the first prediction that is wrong; from a wrong one, to the next.
    Wrong,
    /// Predict from the model's own states (`false`), or corrected to the truth (`true`).
    History(Option<History>),
    /// How jumps are answered.
    Jump(Option<Jump>),
    /// What `s` and `n` step by.
    Unit(Option<Unit>),
    /// Make a word stand for a command; without one: what it stands for; without a word:
    /// all of them.
    Alias(Option<String>, Option<String>),
    /// Forget such a word.
    Unalias(String),
    /// Start again (at another entry, if one is given).
    Restart(Option<String>),
    /// Stop what is in progress.
    Cancel,
    /// Help on a command; none: the list.
    Help(Option<String>),
    /// Leave.
    Quit,
}

impl Command {
    /// Whether it may be done while a prediction is in progress: it only looks, or stops.
    pub fn is_immediate(&self) -> bool {
        matches!(
            self,
            Command::Cancel
                | Command::Quit
                | Command::Help(_)
                | Command::ListBreaks
                | Command::Where
                | Command::Up(_)
                | Command::Down(_)
                | Command::List(_)
                | Command::LongList
                | Command::Args
                | Command::ReturnValue
        )
    }

    /// The word for a move, so that a key's move is in the log like a typed one.
    pub(super) fn word(&self) -> Option<&'static str> {
        let Command::Go(go) = self else { return None };
        Some(go.word())
    }
}

/// A place in the program, as typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// A line of the present file, or of the named one.
    Line {
        /// As typed; `None`: the present file.
        file: Option<String>,
        /// 1-based.
        line: u32,
    },
    /// A function, by its name or qualified name.
    Function {
        /// As typed; `None`: any file, the present one first.
        file: Option<String>,
        /// `f`, `Stack.push`.
        name: String,
    },
}

/// Which source lines to print.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Listing {
    /// Around the selected frame's line, and on from there if asked again.
    More,
    /// Around the selected frame's line.
    Here,
    /// Around a line.
    Around(u32),
    /// From a line to a line.
    Range(u32, u32),
}

/// What history predictions are made from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum History {
    /// The model lives with its own states.
    #[default]
    Free,
    /// Corrected to the truth before each prediction.
    Guided,
}

impl History {
    /// `free` or `guided`.
    pub fn name(self) -> &'static str {
        match self {
            History::Free => "free",
            History::Guided => "guided",
        }
    }
}

/// How jumps (`r`, `c`, `n` over a call, …) are answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Jump {
    /// By one prediction where nothing can stop it inside and the model was trained for
    /// it; else chained.
    #[default]
    Auto,
    /// By one prediction; breakpoints inside are not seen.
    Direct,
    /// By single steps.
    Chained,
}

impl Jump {
    /// `auto`, `direct` or `chained`.
    pub fn name(self) -> &'static str {
        match self {
            Jump::Auto => "auto",
            Jump::Direct => "direct",
            Jump::Chained => "chained",
        }
    }
}

/// What one `s` or `n` moves by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Unit {
    /// To another statement.
    #[default]
    Statement,
    /// To the next event that CPython reports.
    Event,
}

impl Unit {
    /// `statement` or `event`.
    pub fn name(self) -> &'static str {
        match self {
            Unit::Statement => "statement",
            Unit::Event => "event",
        }
    }
}
