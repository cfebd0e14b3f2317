//! Which key asks for which command: the tables' defaults, then a preset, then the user's
//! `keys.toml`. Must not know: how a command is done.
//!
//! ```toml
//! preset = "pudb"             # or vim, vscode
//! [keys]
//! step = ["s", "F11"]         # replaces the keys of this command
//! ```

use super::command::{SCREEN, Screen};
use crate::session::{COMMANDS, CommandInfo};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;

/// A key with its modifiers, in one spelling: a letter carries Shift in its case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key {
    code: KeyCode,
    modifiers: KeyModifiers,
}

impl Key {
    /// The key of a terminal event.
    pub fn new(event: KeyEvent) -> Key {
        let KeyEvent { mut code, mut modifiers, .. } = event;
        modifiers &= KeyModifiers::CONTROL | KeyModifiers::ALT | KeyModifiers::SHIFT;
        match code {
            KeyCode::BackTab => {
                (code, modifiers) = (KeyCode::Tab, modifiers | KeyModifiers::SHIFT);
            }
            KeyCode::Char(c) => {
                if modifiers.contains(KeyModifiers::CONTROL) {
                    code = KeyCode::Char(c.to_ascii_lowercase());
                }
                modifiers -= KeyModifiers::SHIFT;
            }
            _ => {}
        }
        Key { code, modifiers }
    }

    /// The event a terminal would send.
    pub fn event(self) -> KeyEvent {
        KeyEvent::new(self.code, self.modifiers)
    }

    /// Reads `s`, `S`, `Left`, `F11`, `Ctrl-C`, `Shift-Tab`, `Alt-x`.
    pub fn parse(text: &str) -> Option<Key> {
        let mut modifiers = KeyModifiers::NONE;
        let mut rest = text;
        while let Some((word, tail)) =
            rest.split_once('-').filter(|(w, t)| !w.is_empty() && !t.is_empty())
        {
            modifiers |= match word.to_ascii_lowercase().as_str() {
                "ctrl" => KeyModifiers::CONTROL,
                "alt" => KeyModifiers::ALT,
                "shift" => KeyModifiers::SHIFT,
                _ => return None,
            };
            rest = tail;
        }
        let mut chars = rest.chars();
        let code = match (chars.next()?, chars.next()) {
            (c, None) => KeyCode::Char(c),
            _ => NAMED
                .iter()
                .find(|(name, _)| name.eq_ignore_ascii_case(rest))
                .map(|(_, code)| *code)
                .or_else(|| {
                    let number: u8 = rest.strip_prefix(['F', 'f'])?.parse().ok()?;
                    (1..=24).contains(&number).then_some(KeyCode::F(number))
                })?,
        };
        Some(Key::new(KeyEvent::new(code, modifiers)))
    }
}

const NAMED: &[(&str, KeyCode)] = &[
    ("Left", KeyCode::Left),
    ("Right", KeyCode::Right),
    ("Up", KeyCode::Up),
    ("Down", KeyCode::Down),
    ("Home", KeyCode::Home),
    ("End", KeyCode::End),
    ("PageUp", KeyCode::PageUp),
    ("PageDown", KeyCode::PageDown),
    ("Tab", KeyCode::Tab),
    ("Enter", KeyCode::Enter),
    ("Esc", KeyCode::Esc),
    ("Space", KeyCode::Char(' ')),
    ("Backspace", KeyCode::Backspace),
    ("Delete", KeyCode::Delete),
    ("Insert", KeyCode::Insert),
];

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (modifier, word) in [
            (KeyModifiers::CONTROL, "Ctrl-"),
            (KeyModifiers::ALT, "Alt-"),
            (KeyModifiers::SHIFT, "Shift-"),
        ] {
            if self.modifiers.contains(modifier) {
                f.write_str(word)?;
            }
        }
        match self.code {
            KeyCode::F(n) => write!(f, "F{n}"),
            KeyCode::Char(c) if c != ' ' => {
                let upper = self.modifiers.contains(KeyModifiers::CONTROL);
                write!(f, "{}", if upper { c.to_ascii_uppercase() } else { c })
            }
            code => f.write_str(NAMED.iter().find(|(_, c)| *c == code).map_or("?", |(n, _)| n)),
        }
    }
}

/// What a key asks for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Binding {
    /// A command of the session.
    Session(&'static CommandInfo),
    /// A command of the screen.
    Screen(Screen),
}

/// One command as help lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyRow {
    /// What kind of command it is.
    pub heading: &'static str,
    /// Its keys.
    pub keys: Vec<Key>,
    /// Its words and arguments, as typed; empty for a command of the screen.
    pub words: String,
    /// What it does.
    pub doc: &'static str,
}

/// Keys in force. Commands without a key are absent.
#[derive(Debug, Clone)]
pub struct Keymap {
    /// In the order of the tables; a command may have several.
    keys: Vec<(Key, &'static str, Binding)>,
}

/// `keys.toml` as written.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    preset: Option<String>,
    #[serde(default)]
    keys: BTreeMap<String, Vec<String>>,
}

/// Presets in the binary.
const PRESETS: &[(&str, &str)] = &[
    ("pudb", include_str!("keys/pudb.toml")),
    ("vim", include_str!("keys/vim.toml")),
    ("vscode", include_str!("keys/vscode.toml")),
];

impl Default for Keymap {
    /// The tables' own keys.
    fn default() -> Self {
        let session = COMMANDS.iter().map(|row| (row.name, row.keys, Binding::Session(row)));
        let screen = SCREEN.iter().map(|row| (row.name, row.keys, Binding::Screen(row.screen)));
        let keys = session
            .chain(screen)
            .flat_map(|(name, keys, binding)| {
                keys.iter().filter_map(move |key| Some((Key::parse(key)?, name, binding)))
            })
            .collect();
        Keymap { keys }
    }
}

impl Keymap {
    /// The defaults changed by a `keys.toml`. Whatever is wrong with it is said in one line
    /// each and left out.
    pub fn load(text: &str) -> (Keymap, Vec<String>) {
        let mut map = Keymap::default();
        let mut problems = Vec::new();
        let file: File = match toml::from_str(text) {
            Ok(file) => file,
            Err(error) => {
                let at = error.span().and_then(|s| text.get(..s.start)).unwrap_or_default();
                let line = at.matches('\n').count() + 1;
                return (map, vec![format!("keys.toml, line {line}: {}", error.message())]);
            }
        };
        if let Some(name) = &file.preset {
            match PRESETS.iter().find(|(known, _)| known == name) {
                Some((_, preset)) => match toml::from_str::<File>(preset) {
                    Ok(preset) => map.change(&preset.keys, &mut problems),
                    Err(error) => problems.push(format!("preset {name}: {}", error.message())),
                },
                None => problems
                    .push(format!("keys.toml: no preset {name:?}; there are pudb, vim, vscode")),
            }
        }
        map.change(&file.keys, &mut problems);
        (map, problems)
    }

    fn change(&mut self, keys: &BTreeMap<String, Vec<String>>, problems: &mut Vec<String>) {
        for (name, keys) in keys {
            let Some((name, binding)) = command(name) else {
                problems.push(format!("keys.toml: there is no command {name:?}"));
                continue;
            };
            self.keys.retain(|(_, n, _)| *n != name);
            for text in keys {
                match Key::parse(text) {
                    // A key asks for one thing: whoever names it last has it.
                    Some(key) => {
                        self.keys.retain(|(k, _, _)| *k != key);
                        self.keys.push((key, name, binding));
                    }
                    None => problems.push(format!("keys.toml: {name}: {text:?} is not a key")),
                }
            }
        }
    }

    /// What a key asks for.
    pub fn find(&self, key: Key) -> Option<Binding> {
        self.keys.iter().find(|(k, _, _)| *k == key).map(|(_, _, binding)| *binding)
    }

    /// Every command with its keys and words, in the order of help: for the overlay, the
    /// README and whoever else wants to list them.
    pub fn table(&self) -> Vec<KeyRow> {
        let session = COMMANDS.iter().map(|row| {
            let words: Vec<_> = [row.name].iter().chain(row.aliases).copied().collect();
            let words = format!("{} {}", words.join(" "), row.args).trim_end().to_owned();
            (row.group.title(), row.name, words, row.doc)
        });
        let screen = SCREEN.iter().map(|row| ("the screen", row.name, String::new(), row.doc));
        session
            .chain(screen)
            .map(|(heading, name, words, doc)| KeyRow {
                heading,
                keys: self.keys(name).collect(),
                words,
                doc,
            })
            .collect()
    }

    /// The keys of a command, the first being the one to show in hints.
    pub fn keys(&self, name: &str) -> impl Iterator<Item = Key> {
        self.keys.iter().filter(move |(_, n, _)| *n == name).map(|(key, _, _)| *key)
    }
}

/// The command of a name in either table.
fn command(name: &str) -> Option<(&'static str, Binding)> {
    let session = COMMANDS.iter().find(|row| row.name == name);
    let screen = SCREEN.iter().find(|row| row.name == name);
    session
        .map(|row| (row.name, Binding::Session(row)))
        .or_else(|| screen.map(|row| (row.name, Binding::Screen(row.screen))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_default_key_reads_and_asks_for_one_thing() {
        let mut seen = BTreeSet::new();
        let session = COMMANDS.iter().flat_map(|row| row.keys);
        for key in session.chain(SCREEN.iter().flat_map(|row| row.keys)) {
            let read = Key::parse(key).unwrap_or_else(|| panic!("{key}"));
            assert_eq!(read.to_string(), *key, "help shows what the table says");
            assert!(seen.insert(key), "{key} is there twice");
        }
        let names: Vec<_> =
            COMMANDS.iter().map(|r| r.name).chain(SCREEN.iter().map(|r| r.name)).collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    }

    #[test]
    fn terminals_spell_keys_differently() {
        let key = |code, modifiers| Key::new(KeyEvent::new(code, modifiers)).to_string();
        assert_eq!(key(KeyCode::Char('S'), KeyModifiers::SHIFT), "S");
        assert_eq!(key(KeyCode::Char('S'), KeyModifiers::NONE), "S");
        assert_eq!(key(KeyCode::BackTab, KeyModifiers::SHIFT), "Shift-Tab");
        assert_eq!(key(KeyCode::BackTab, KeyModifiers::NONE), "Shift-Tab");
        assert_eq!(key(KeyCode::Char('c'), KeyModifiers::CONTROL), "Ctrl-C");
        assert_eq!(Key::parse("-").map(|k| k.to_string()).as_deref(), Some("-"));
        assert_eq!(Key::parse("Hyper-x"), None);
        assert_eq!(Key::parse("F99"), None);
    }

    #[test]
    fn presets_load_and_take_keys_over() {
        for (name, _) in PRESETS {
            let (map, problems) = Keymap::load(&format!("preset = {name:?}"));
            assert_eq!(problems, [""; 0], "{name}");
            for step in ["step", "next", "return", "continue", "bstep", "bnext", "quit", "help"] {
                assert!(map.keys(step).next().is_some(), "{name} lost {step}");
            }
        }
        let (map, _) = Keymap::load("preset = 'pudb'\n[keys]\nwhere = ['S']");
        let text = |name| map.keys(name).map(|k| k.to_string()).collect::<Vec<_>>().join(" ");
        assert_eq!(text("where"), "S");
        assert_eq!(text("stack"), "3");
        assert_eq!(text("bstep"), "Alt-S");
    }

    #[test]
    fn mistakes_are_said_and_left_out() {
        for (text, problem) in [
            ("[keys]\nstep = ['Hyper-x', 'F11']", "step: \"Hyper-x\" is not a key"),
            ("[keys]\nsteep = ['s']", "no command \"steep\""),
            ("preset = 'emacs'", "no preset \"emacs\"; there are pudb"),
            ("\nkeys = 3", "line 2"),
        ] {
            let (map, problems) = Keymap::load(text);
            assert!(problems.len() == 1 && problems[0].contains(problem), "{problems:?}");
            assert!(map.keys("step").next().is_some());
        }
    }
}
