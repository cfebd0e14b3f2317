//! Words of the person's own, as in pdb: `alias`, `unalias`, and what they stand for.
//!
//! Must not know: what a command does.

use super::Session;
use super::parse;
use super::view::LogKind;
use std::collections::BTreeMap;

/// An alias may lead to another so often, and a line stand for so many commands; more is a
/// circle.
const DEEPEST: usize = 20;
const LONGEST: usize = 1000;

/// What the person's own words stand for: `%1` to `%9` are arguments, `%*` all of them;
/// without any of these they are put at the end.
pub(super) type Aliases = BTreeMap<String, String>;

fn fill(meaning: &str, rest: &str) -> String {
    let mut text = String::new();
    let mut placed = false;
    let mut chars = meaning.chars().peekable();
    while let Some(c) = chars.next() {
        let argument = match (c, chars.peek()) {
            ('%', Some('*')) => Some(rest),
            ('%', Some(&digit @ '1'..='9')) => {
                let at = digit as usize - '1' as usize;
                Some(rest.split_whitespace().nth(at).unwrap_or_default())
            }
            _ => None,
        };
        match argument {
            Some(argument) => {
                chars.next();
                placed = true;
                text += argument;
            }
            None => text.push(c),
        }
    }
    if !placed && !rest.is_empty() {
        text = format!("{text} {rest}");
    }
    text
}

/// The commands of a line as typed: `;;` divides them, and where a first word is an alias,
/// its commands stand there. What an alias is made to stand for is not divided.
///
/// # Errors
/// One line, if aliases lead in a circle.
pub(super) fn commands(aliases: &Aliases, line: &str) -> Result<Vec<String>, String> {
    if line.split_whitespace().next() == Some("alias") {
        return Ok(vec![line.trim().to_string()]);
    }
    let mut all = Vec::new();
    match collect(aliases, line, DEEPEST, &mut all) {
        true => Ok(all),
        false => Err(format!("the aliases in '{line}' lead in a circle; 'alias' lists them")),
    }
}

fn collect(aliases: &Aliases, line: &str, depth: usize, all: &mut Vec<String>) -> bool {
    parse::split(line).into_iter().all(|part| {
        let word = part.split_whitespace().next().unwrap_or_default();
        let Some(meaning) = aliases.get(word) else {
            all.push(part.to_string());
            return all.len() <= LONGEST;
        };
        let rest = part.get(word.len()..).unwrap_or_default().trim();
        depth > 0 && collect(aliases, &fill(meaning, rest), depth - 1, all)
    })
}

impl Session {
    /// `alias [NAME [COMMAND]]`: makes one, or says what is there.
    ///
    /// # Errors
    /// One line, if there is no such alias.
    pub(super) fn alias(
        &mut self,
        name: Option<String>,
        meaning: Option<String>,
    ) -> Result<(), String> {
        if let (Some(name), Some(meaning)) = (&name, meaning) {
            self.say(LogKind::Note, format!("{name} is short for: {meaning}"));
            self.aliases.insert(name.clone(), meaning);
            return Ok(());
        }
        let asked = |word: &&String| name.as_ref().is_none_or(|name| name == *word);
        let listed = self.aliases.iter().filter(|(word, _)| asked(word));
        let lines: Vec<String> = listed.map(|(word, is)| format!("{word} = {is}")).collect();
        match (&name, lines.is_empty()) {
            (Some(name), true) => return Err(format!("there is no alias '{name}'")),
            (None, true) => self.say(LogKind::Note, "no aliases; 'alias NAME COMMAND' makes one"),
            _ => {}
        }
        for line in lines {
            self.say(LogKind::Value, line);
        }
        Ok(())
    }

    /// `unalias NAME`.
    ///
    /// # Errors
    /// One line, if there is no such alias.
    pub(super) fn unalias(&mut self, name: &str) -> Result<(), String> {
        match self.aliases.remove(name) {
            Some(_) => {
                self.say(LogKind::Note, format!("{name} is no alias any more"));
                Ok(())
            }
            None => Err(format!("there is no alias '{name}'")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_stand_for_commands() {
        let pairs = [
            ("ss", "s;;s"),
            ("pl", "p len(%1)"),
            ("both", "p %1;;p %2"),
            ("all", "p [%*]"),
            ("u2", "up 2"),
            ("twice", "ss;;p"),
            ("percent", "p 5 % 3"),
            ("a1", "a2"),
            ("a2", "a1"),
        ];
        let aliases = pairs.map(|(word, meaning)| (word.to_string(), meaning.to_string()));
        let aliases = Aliases::from(aliases);
        let table: [(&str, &[&str]); 11] = [
            ("s", &["s"]),
            ("ss", &["s", "s"]),
            ("pl xs", &["p len(xs)"]),
            ("pl xs;;n", &["p len(xs)", "n"]),
            ("both a b", &["p a", "p b"]),
            ("all 1, 2", &["p [1, 2]"]),
            ("u2 ", &["up 2"]),
            ("twice x", &["s", "s", "p x"]),
            ("percent", &["p 5 % 3"]),
            ("p 'ss'", &["p 'ss'"]),
            ("alias x s;;s", &["alias x s;;s"]),
        ];
        for (line, expected) in table {
            assert_eq!(commands(&aliases, line).unwrap(), expected, "{line}");
        }
        assert!(commands(&aliases, "a1").unwrap_err().contains("circle"));
    }
}
