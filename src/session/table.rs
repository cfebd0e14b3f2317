//! The one table of commands: it feeds the parser, help, keys, palette and README.
//!
//! Must not know: what a command does.

/// What kind of command it is: the headings of help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Predict forwards.
    Forward,
    /// Predict backwards.
    Backward,
    /// Move in what was already produced.
    Rewind,
    /// Breakpoints.
    Breakpoints,
    /// Look at states and source.
    Look,
    /// CPython and the model.
    Truth,
    /// The session itself.
    Session,
}

impl Group {
    /// The heading.
    pub fn title(self) -> &'static str {
        match self {
            Group::Forward => "predict forwards",
            Group::Backward => "predict backwards (a guess, one of many)",
            Group::Rewind => "rewind (exact, free)",
            Group::Breakpoints => "breakpoints",
            Group::Look => "look",
            Group::Truth => "truth and model",
            Group::Session => "session",
        }
    }
}

/// One row of the table of commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommandInfo {
    /// The full word; unique.
    pub name: &'static str,
    /// Other words for it, the usual short one first.
    pub aliases: &'static [&'static str],
    /// Arguments in pdb's notation; empty: none.
    pub args: &'static str,
    /// What it does, in one line.
    pub doc: &'static str,
    /// Keys in the panes, by default, in words (`s`, `Left`, `Ctrl-C`); a key whose
    /// command takes an argument acts on the line under the cursor.
    pub keys: &'static [&'static str],
    /// Under which heading.
    pub group: Group,
}

macro_rules! row {
    ($group:ident, $name:literal, [$($alias:literal),*], $args:literal, [$($key:literal),*], $doc:literal) => {
        CommandInfo {
            name: $name,
            aliases: &[$($alias),*],
            args: $args,
            doc: $doc,
            keys: &[$($key),*],
            group: Group::$group,
        }
    };
}

/// Every command, in the order of help.
pub const COMMANDS: &[CommandInfo] = &[
    row!(Forward, "step", ["s"], "", ["s"], "predict the next stop, entering calls"),
    row!(Forward, "next", ["n"], "", ["n"], "predict the next stop in this function, or its end"),
    row!(
        Forward,
        "return",
        ["r", "finish", "f"],
        "",
        ["r", "f"],
        "predict the end of this function"
    ),
    row!(
        Forward,
        "continue",
        ["c", "cont"],
        "[LINE]",
        ["c"],
        "predict on to a breakpoint or the end; with LINE as until"
    ),
    row!(
        Forward,
        "until",
        ["unt"],
        "[LINE]",
        [],
        "predict on to a line below this one (or at or below LINE)"
    ),
    row!(
        Forward,
        "advance",
        ["t"],
        "LINE|FUNCTION",
        ["t"],
        "predict on to that place, a breakpoint or the end"
    ),
    row!(
        Backward,
        "bstep",
        ["rs", "reverse-step"],
        "",
        ["S"],
        "guess the stop before this one, entering calls from their end"
    ),
    row!(
        Backward,
        "bnext",
        ["rn", "reverse-next"],
        "",
        ["N"],
        "guess the stop before this one in this function, or its call"
    ),
    row!(
        Backward,
        "bfinish",
        ["rf", "reverse-finish"],
        "",
        ["F"],
        "guess the call of this function, that is, its arguments"
    ),
    row!(
        Backward,
        "bcontinue",
        ["rc", "reverse-continue"],
        "",
        ["C"],
        "guess backwards to a breakpoint or the entry"
    ),
    row!(Rewind, "rewind", ["back"], "[COUNT]", ["Left"], "go back to the entry before, as it was"),
    row!(
        Rewind,
        "redo",
        ["forth"],
        "[COUNT]",
        ["Right"],
        "go forth again to the entry that followed"
    ),
    row!(Rewind, "goto", [], "STEP|SEGMENT.STEP", [], "go to a place of the timeline"),
    row!(
        Rewind,
        "inside",
        ["open"],
        "",
        ["Alt-Left"],
        "go into this jump: to the single step before its stop"
    ),
    row!(
        Rewind,
        "steps",
        [],
        "[NUMBER]",
        [],
        "list the single steps of this jump, or go to one of them"
    ),
    row!(
        Breakpoints,
        "break",
        ["b"],
        "[[FILE:]LINE|FUNCTION[, CONDITION]]",
        ["b"],
        "set a breakpoint; alone: list them"
    ),
    row!(
        Breakpoints,
        "tbreak",
        [],
        "[FILE:]LINE|FUNCTION[, CONDITION]",
        [],
        "set a breakpoint that goes at its first hit"
    ),
    row!(
        Breakpoints,
        "clear",
        ["cl"],
        "[NUMBER… | [FILE:]LINE]",
        [],
        "remove breakpoints; alone: all"
    ),
    row!(Breakpoints, "enable", [], "NUMBER…", [], "enable breakpoints"),
    row!(Breakpoints, "disable", [], "NUMBER…", [], "disable breakpoints"),
    row!(
        Breakpoints,
        "condition",
        [],
        "NUMBER [CONDITION]",
        [],
        "stop only where CONDITION is true; without one: always"
    ),
    row!(
        Breakpoints,
        "ignore",
        [],
        "NUMBER [COUNT]",
        [],
        "pass a breakpoint COUNT times before it stops"
    ),
    row!(
        Breakpoints,
        "commands",
        [],
        "[NUMBER]",
        [],
        "take lines until 'end', to run at the stop of a breakpoint"
    ),
    row!(Look, "where", ["w", "bt"], "", ["w"], "print the stack"),
    row!(Look, "up", ["u"], "[COUNT]", ["u"], "select the calling frame"),
    row!(Look, "down", ["d"], "[COUNT]", ["d"], "select the called frame"),
    row!(Look, "list", ["l"], "[FIRST[, LAST] | .]", [], "print the source around the line"),
    row!(Look, "longlist", ["ll"], "", [], "print the source of the whole function"),
    row!(Look, "p", ["print"], "EXPRESSION", [], "print a value of the shown state"),
    row!(Look, "pp", [], "EXPRESSION", [], "print a value, an element a line"),
    row!(Look, "whatis", [], "EXPRESSION", [], "print the type of a value"),
    row!(Look, "args", ["a"], "", [], "print the arguments of the function"),
    row!(Look, "retval", ["rv"], "", [], "print the value the function returned"),
    row!(
        Look,
        "display",
        [],
        "[EXPRESSION]",
        [],
        "show this frame's value at stops that change it; alone: list them"
    ),
    row!(Look, "undisplay", [], "[EXPRESSION]", [], "stop showing a value; alone: all"),
    row!(
        Truth,
        "!",
        [],
        "NAME = VALUE",
        ["!"],
        "rewrite a variable and go on from there (a branch)"
    ),
    row!(
        Truth,
        "verify",
        ["v"],
        "",
        ["v"],
        "record the program with real CPython (asks first) and compare"
    ),
    row!(
        Truth,
        "wrong",
        [],
        "",
        ["x"],
        "go to the first prediction that is wrong, then to the next"
    ),
    row!(Truth, "resync", [], "", [], "go on from where CPython is"),
    row!(
        Truth,
        "history",
        [],
        "[free|guided]",
        [],
        "predict from the model's own states, or corrected to the truth"
    ),
    row!(
        Truth,
        "jump",
        [],
        "[auto|direct|chained]",
        [],
        "answer jumps by one prediction, or by single steps"
    ),
    row!(Truth, "unit", [], "[statement|event]", [], "step by statements, or by CPython's events"),
    row!(
        Session,
        "alias",
        [],
        "[NAME [COMMAND]]",
        [],
        "make NAME short for COMMAND, %1 its arguments; alone: list them"
    ),
    row!(Session, "unalias", [], "NAME", [], "forget an alias"),
    row!(
        Session,
        "restart",
        ["run"],
        "[ENTRY]",
        [],
        "start again with the file as it is, or at another entry: f(3)"
    ),
    row!(
        Session,
        "help",
        ["h", "?"],
        "[COMMAND]",
        ["?", "F1"],
        "list the commands, or explain one"
    ),
    row!(
        Session,
        "cancel",
        [],
        "",
        ["Ctrl-C"],
        "stop the prediction in progress; the session stays"
    ),
    row!(
        Session,
        "quit",
        ["q", "exit"],
        "",
        ["q"],
        "leave; asks first if predictions would be lost"
    ),
];

/// The row of a word, which may be a name or an alias.
pub fn find(word: &str) -> Option<&'static CommandInfo> {
    COMMANDS.iter().find(|row| row.name == word || row.aliases.contains(&word))
}
