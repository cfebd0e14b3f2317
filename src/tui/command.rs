//! Commands of the screen itself: what a pane shows, which has the focus. Those of the
//! session are in [`crate::session::COMMANDS`]; keys, help and README read both tables.
//! Must not know: how a command is done.

/// Something a key can ask of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Screen {
    /// Move the cursor of the focused pane by rows.
    Move(isize),
    /// Move it by half pages.
    Page(isize),
    /// First row.
    First,
    /// Last row.
    Last,
    /// Scroll the text of the pane sideways, by cells.
    Sideways(isize),
    /// Show the line about to run.
    Here,
    /// Open or close a value, select a frame, show a breakpoint; elsewhere repeat the last
    /// command.
    Choose,
    /// Ask for a line number and go there.
    GotoLine,
    /// Search the source.
    Search,
    /// Next hit.
    NextHit,
    /// Hit before.
    PreviousHit,
    /// Long lines: wrap or scroll.
    Wrap,
    /// Open the command line.
    CommandLine,
    /// Next pane.
    NextPane,
    /// Pane before.
    PreviousPane,
    /// A pane by number.
    Focus(usize),
    /// The focused pane alone, or all again.
    Zoom,
    /// To the start of the timeline.
    Start,
    /// To its end.
    End,
    /// Everything known about the present step.
    Details,
    /// Close what is on top, or clear the search.
    Close,
    /// Draw everything anew.
    Redraw,
    /// Leave the screen until continued.
    Suspend,
}

/// One row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScreenInfo {
    /// The word in `keys.toml`; unique in both tables.
    pub name: &'static str,
    /// What it asks.
    pub screen: Screen,
    /// Keys by default.
    pub keys: &'static [&'static str],
    /// What it does, in one line.
    pub doc: &'static str,
}

const fn row(
    name: &'static str,
    screen: Screen,
    keys: &'static [&'static str],
    doc: &'static str,
) -> ScreenInfo {
    ScreenInfo { name, screen, keys, doc }
}

/// Every command of the screen, in the order of help.
pub const SCREEN: &[ScreenInfo] = &[
    row("command-line", Screen::CommandLine, &[":"], "type a command: pdb's words"),
    row("choose", Screen::Choose, &["Enter"], "open a value, select a frame; else repeat"),
    row("cursor-down", Screen::Move(1), &["Down", "j"], "one row down"),
    row("cursor-up", Screen::Move(-1), &["Up", "k"], "one row up"),
    row("page-down", Screen::Page(1), &["PageDown", "Ctrl-D", "Ctrl-F"], "half a page down"),
    row("page-up", Screen::Page(-1), &["PageUp", "Ctrl-U", "Ctrl-B"], "half a page up"),
    row("first", Screen::First, &["g"], "first row"),
    row("last", Screen::Last, &["G"], "last row"),
    row("sideways-left", Screen::Sideways(-8), &["h", "<"], "scroll text to the left"),
    row("sideways-right", Screen::Sideways(8), &["l", ">"], "scroll text to the right"),
    row("here", Screen::Here, &["H"], "show the line about to run"),
    row("search", Screen::Search, &["/"], "search the source"),
    row("next-hit", Screen::NextHit, &["."], "next hit"),
    row("previous-hit", Screen::PreviousHit, &[","], "hit before"),
    row("goto-line", Screen::GotoLine, &["L"], "go to a line"),
    row("wrap", Screen::Wrap, &["W"], "wrap long lines, or scroll"),
    row("timeline-start", Screen::Start, &["Home"], "rewind to the start"),
    row("timeline-end", Screen::End, &["End"], "redo to the end"),
    row("next-pane", Screen::NextPane, &["Tab"], "next pane"),
    row("previous-pane", Screen::PreviousPane, &["Shift-Tab"], "pane before"),
    row("source", Screen::Focus(0), &["1"], "source"),
    row("variables", Screen::Focus(1), &["2"], "variables"),
    row("stack", Screen::Focus(2), &["3"], "stack"),
    row("breakpoints", Screen::Focus(3), &["4"], "breakpoints"),
    row("output", Screen::Focus(4), &["5"], "output"),
    row("log", Screen::Focus(5), &["6"], "log"),
    row("zoom", Screen::Zoom, &["z"], "this pane alone, or all"),
    row("details", Screen::Details, &["i"], "how sure, what else, the text as it came"),
    row("close", Screen::Close, &["Esc"], "close what is on top"),
    row("redraw", Screen::Redraw, &["Ctrl-L"], "draw the screen anew"),
    row("suspend", Screen::Suspend, &["Ctrl-Z"], "back to the shell; `fg` returns"),
];
