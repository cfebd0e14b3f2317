//! The one-line prompt: a command, a search, a line number. Holds its history.
//!
//! Must not know: what the text will do, files (the loop reads and writes the history).

use crate::session::COMMANDS;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use tui_input::backend::crossterm::EventHandler;
use tui_input::{Input, InputRequest};

/// What is being asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A command of the session.
    Command,
    /// Text to search for.
    Search,
    /// A line number.
    Line,
    /// A line for the program to read.
    Input,
}

impl Kind {
    /// What stands before the input.
    pub fn label(self) -> &'static str {
        match self {
            Kind::Command => "(fdb) ",
            Kind::Search => "/",
            Kind::Line => "line ",
            // The question itself stands there.
            Kind::Input => "",
        }
    }
}

/// What a key did to the prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Done {
    /// Still open.
    Editing,
    /// Closed without a result.
    Cancelled,
    /// Entered.
    Entered(Kind, String),
}

/// The prompt, and every line entered before.
#[derive(Debug, Default)]
pub struct Prompt {
    open: Option<Kind>,
    input: Input,
    history: Vec<String>,
    /// Index into the history while browsing, and the line begun before that.
    browsing: Option<(usize, String)>,
}

/// Lines kept.
const HISTORY: usize = 1_000;

impl Prompt {
    /// A prompt that remembers lines, the oldest first.
    pub fn new(history: Vec<String>) -> Self {
        Prompt { history, ..Prompt::default() }
    }

    /// Opens it with some text already in.
    pub fn open(&mut self, kind: Kind, text: &str) {
        self.open = Some(kind);
        self.input = Input::new(text.to_owned());
        self.browsing = None;
    }

    /// What is asked for, if it is open.
    pub fn kind(&self) -> Option<Kind> {
        self.open
    }

    /// The text so far.
    pub fn text(&self) -> &str {
        self.input.value()
    }

    /// The part before the cursor.
    pub fn before_cursor(&self) -> String {
        self.input.value().chars().take(self.input.cursor()).collect()
    }

    /// Inserts pasted text; its line ends become spaces, so that nothing is entered.
    pub fn paste(&mut self, text: &str) {
        for c in text.trim_end_matches(['\n', '\r']).replace("\r\n", "\n").chars() {
            let c = if matches!(c, '\n' | '\r') { ' ' } else { c };
            self.input.handle(InputRequest::InsertChar(c));
        }
    }

    /// Handles a key. `completions` are further words that Tab may complete.
    pub fn key(&mut self, key: KeyEvent, completions: &[String]) -> Done {
        let Some(kind) = self.open else { return Done::Cancelled };
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Esc => self.close(),
            KeyCode::Char('c') if control => self.close(),
            // As in a shell and in pdb: end of input leaves the prompt, not the session.
            KeyCode::Char('d') if control && self.text().is_empty() => self.close(),
            KeyCode::Backspace if self.text().is_empty() && kind != Kind::Input => self.close(),
            KeyCode::Enter => {
                let line = self.input.value_and_reset();
                self.browsing = None;
                // Closed, as in pudb and vim: the next key is one of the panes' again.
                self.open = None;
                let command = kind == Kind::Command && !line.trim().is_empty();
                if command && self.history.last() != Some(&line) {
                    self.history.push(line.clone());
                    let surplus = self.history.len().saturating_sub(HISTORY);
                    self.history.drain(..surplus);
                }
                Done::Entered(kind, line)
            }
            KeyCode::Up => self.browse(-1),
            KeyCode::Down => self.browse(1),
            KeyCode::Char('p') if control => self.browse(-1),
            KeyCode::Char('n') if control => self.browse(1),
            KeyCode::Tab => self.complete(completions),
            _ => {
                self.input.handle_event(&crossterm::event::Event::Key(key));
                Done::Editing
            }
        }
    }

    fn close(&mut self) -> Done {
        self.open = None;
        self.input.reset();
        Done::Cancelled
    }

    fn browse(&mut self, by: isize) -> Done {
        let (at, begun) = self
            .browsing
            .take()
            .unwrap_or_else(|| (self.history.len(), self.input.value().to_owned()));
        let at = at.saturating_add_signed(by).min(self.history.len());
        let line = self.history.get(at).unwrap_or(&begun).clone();
        self.input = Input::new(line);
        self.browsing = Some((at, begun));
        Done::Editing
    }

    /// Completes the word before the cursor to the longest common beginning.
    fn complete(&mut self, completions: &[String]) -> Done {
        let before = self.before_cursor();
        let start = before.rfind([' ', '(', '[', ',']).map_or(0, |i| i + 1);
        let word = before.get(start..).unwrap_or_default();
        let commands = COMMANDS.iter().filter(|_| start == 0).map(|row| row.name);
        let mut found = commands
            .chain(completions.iter().map(String::as_str))
            .filter(|c| c.starts_with(word) && c.len() > word.len());
        if let Some(first) = found.next() {
            let common = found.fold(first, |a, b| {
                let same = a.char_indices().zip(b.chars()).take_while(|((_, x), y)| x == y);
                let end = same.last().map_or(0, |((i, c), _)| i + c.len_utf8());
                a.get(..end).unwrap_or_default()
            });
            for c in common.chars().skip(word.chars().count()) {
                self.input.handle(InputRequest::InsertChar(c));
            }
        }
        Done::Editing
    }
}

/// The table's row for the command being typed, for the hint line.
pub fn row_of(line: &str) -> Option<&'static crate::session::CommandInfo> {
    crate::session::find_command(line.split_whitespace().next()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn type_keys(prompt: &mut Prompt, text: &str) -> Vec<String> {
        let mut entered = Vec::new();
        for c in text.chars() {
            let code = match c {
                '\n' => KeyCode::Enter,
                '\t' => KeyCode::Tab,
                '↑' => KeyCode::Up,
                '↓' => KeyCode::Down,
                c => KeyCode::Char(c),
            };
            let completions = ["text".to_owned(), "total".to_owned()];
            if let Done::Entered(_, line) =
                prompt.key(KeyEvent::new(code, KeyModifiers::NONE), &completions)
            {
                entered.push(line);
            }
        }
        entered
    }

    #[test]
    fn history_is_browsed_and_what_was_begun_is_kept() {
        let mut prompt = Prompt::new(vec!["where".into()]);
        for _ in 0..2 {
            prompt.open(Kind::Command, "");
            assert_eq!(type_keys(&mut prompt, "p x\n"), ["p x"]);
            assert_eq!(prompt.kind(), None, "a command closes it");
        }
        assert_eq!(prompt.history, ["where", "p x"], "repeats are kept once");
        prompt.open(Kind::Command, "");
        type_keys(&mut prompt, "beg↑↑↑");
        assert_eq!(prompt.text(), "where");
        type_keys(&mut prompt, "↓↓");
        assert_eq!(prompt.text(), "beg");
    }

    #[test]
    fn tab_completes_commands_first_and_names_after() {
        let mut prompt = Prompt::default();
        prompt.open(Kind::Command, "");
        type_keys(&mut prompt, "conti\t");
        assert_eq!(prompt.text(), "continue");
        prompt.open(Kind::Command, "p te");
        type_keys(&mut prompt, "\t");
        assert_eq!(prompt.text(), "p text");
        prompt.open(Kind::Command, "p t");
        type_keys(&mut prompt, "\t");
        assert_eq!(prompt.text(), "p t", "two names begin so");
    }

    #[test]
    fn pasted_lines_are_not_entered() {
        let mut prompt = Prompt::default();
        prompt.open(Kind::Command, "p ");
        prompt.paste("q\r\nq\nq\n");
        assert_eq!(prompt.text(), "p q q q");
        assert_eq!(prompt.kind(), Some(Kind::Command));
    }
}
