//! Colours by role, from TOML files.
//!
//! A theme names about thirty roles; a role says what something *means*, never where it is.
//! Every meaning also has a mark on screen, so that the `mono` theme (and `NO_COLOR`) loses
//! nothing. Must not know: panes, sessions.

use super::colour::{Depth, reduce};
use crate::config::files;
use ratatui::style::{Color, Modifier, Style};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::str::FromStr;

macro_rules! roles {
    ($($(#[$doc:meta])* $name:ident = $key:literal),* $(,)?) => {
        /// What a piece of the screen means.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Role { $($(#[$doc])* $name),* }

        impl Role {
            /// All roles, in the order of the enum.
            pub const ALL: &'static [Role] = &[$(Role::$name),*];

            /// The key in a theme file.
            pub fn key(self) -> &'static str {
                match self { $(Role::$name => $key),* }
            }
        }
    };
}

roles! {
    /// Plain text and the background of the screen.
    Text = "text",
    /// What may be overlooked: line numbers, units, high confidence.
    Dim = "dim",
    /// Pane borders.
    Border = "border",
    /// Border and title of the pane that has the focus.
    Focus = "focus",
    /// The header line.
    Header = "header",
    /// Keys in the hint line and the help.
    Key = "key",
    /// The line about to run.
    Current = "current",
    /// The line that was just run.
    Previous = "previous",
    /// What CPython says, where it differs.
    Truth = "truth",
    /// The cursor line and a chosen row.
    Cursor = "cursor",
    /// Hits of a search.
    Search = "search",
    /// Breakpoint marks.
    Breakpoint = "breakpoint",
    /// A value that changed.
    Changed = "changed",
    /// A prediction that agrees with CPython.
    Right = "right",
    /// A prediction that does not.
    Wrong = "wrong",
    /// No longer comparable, or not checked.
    Unknown = "unknown",
    /// A component the model is not sure of.
    Unsure = "unsure",
    /// A state reached by going back or forth in the history: exact.
    Replayed = "replayed",
    /// A predecessor the model guessed.
    Guessed = "guessed",
    /// Exceptions and errors.
    Error = "error",
    /// Things to know.
    Notice = "notice",
    /// Escapes that stand for invisible characters.
    Escape = "escape",
    /// Python keywords.
    Keyword = "code.keyword",
    /// Names being defined, and calls.
    Function = "code.function",
    /// Classes and types.
    Type = "code.type",
    /// Built-in names and constants.
    Builtin = "code.builtin",
    /// String literals.
    String = "code.string",
    /// Numbers.
    Number = "code.number",
    /// Comments.
    Comment = "code.comment",
    /// Operators.
    Operator = "code.operator",
    /// Decorators.
    Decorator = "code.decorator",
}

/// Why a theme cannot be used. One line that names the file.
#[derive(Debug, thiserror::Error)]
pub enum ThemeError {
    /// No such theme.
    #[error("no theme named {name:?}; there are {known}, and any NAME.toml in {dir}")]
    Unknown {
        /// As asked.
        name: String,
        /// Embedded themes.
        known: String,
        /// The user's folder.
        dir: String,
    },
    /// The file is not as it should be.
    #[error("theme {name}: {why}")]
    Invalid {
        /// Which theme.
        name: String,
        /// What is wrong.
        why: String,
    },
}

/// Themes in the binary. The folder `themes/` says how one is written.
const EMBEDDED: &[(&str, &str)] = &[
    ("dark", include_str!("../../themes/dark.toml")),
    ("light", include_str!("../../themes/light.toml")),
    ("ansi", include_str!("../../themes/ansi.toml")),
    ("mono", include_str!("../../themes/mono.toml")),
];

/// A theme file as written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Spec {
    /// The theme this one changes.
    inherits: Option<String>,
    /// Names for colours.
    #[serde(default)]
    palette: BTreeMap<String, String>,
    /// Styles by role.
    #[serde(default)]
    roles: BTreeMap<String, RoleSpec>,
}

/// A role as written: `fg`, `bg` and modifiers.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RoleSpec {
    fg: Option<String>,
    bg: Option<String>,
    #[serde(default)]
    add: Vec<String>,
}

/// A style for every role.
#[derive(Debug, Clone, PartialEq)]
pub struct Theme {
    styles: Vec<Style>,
}

impl Theme {
    /// The style of a role.
    pub fn style(&self, role: Role) -> Style {
        self.styles.get(role as usize).copied().unwrap_or_default()
    }

    /// The name of the theme that is used where this one is asked for: without colours,
    /// themes made of them would lose their meanings.
    pub fn chosen(asked: Option<&str>, depth: Depth) -> &str {
        match depth {
            Depth::Mono => "mono",
            Depth::Ansi => asked.unwrap_or("ansi"),
            Depth::Indexed | Depth::True => asked.unwrap_or("dark"),
        }
    }

    /// Loads a theme by name: first `dir/NAME.toml`, then an embedded one, reduced to the
    /// colours there are.
    ///
    /// # Errors
    /// [`ThemeError`] in one line.
    pub fn load(name: &str, dir: Option<&Path>, depth: Depth) -> Result<Theme, ThemeError> {
        let mut styles = vec![Style::default(); Role::ALL.len()];
        let chain = chain(name, dir)?;
        let mut palette = BTreeMap::new();
        for (_, spec) in chain.iter().rev() {
            palette.extend(spec.palette.clone());
        }
        for (name, spec) in chain.iter().rev() {
            let fail = |why| ThemeError::Invalid { name: name.clone(), why };
            for (key, role) in &spec.roles {
                let slot = Role::ALL
                    .iter()
                    .find(|r| r.key() == key)
                    .and_then(|r| styles.get_mut(*r as usize))
                    .ok_or_else(|| fail(format!("there is no role {key:?}")))?;
                *slot =
                    style(role, &palette, depth).map_err(|why| fail(format!("{key}: {why}")))?;
            }
        }
        if let Some(missing) = Role::ALL
            .iter()
            .find(|r| !chain.iter().any(|(_, spec)| spec.roles.contains_key(r.key())))
        {
            return Err(ThemeError::Invalid {
                name: name.to_owned(),
                why: format!("role {:?} is not set; inherits = \"dark\" fills in", missing.key()),
            });
        }
        Ok(Theme { styles })
    }

    /// Names of the themes in the binary.
    pub fn names() -> impl Iterator<Item = &'static str> {
        EMBEDDED.iter().map(|(name, _)| *name)
    }
}

/// A theme and what it inherits, outermost first.
fn chain(name: &str, dir: Option<&Path>) -> Result<Vec<(String, Spec)>, ThemeError> {
    let mut chain: Vec<(String, Spec)> = Vec::new();
    let mut next = Some(name.to_owned());
    while let Some(name) = next.take() {
        if chain.iter().any(|(seen, _)| *seen == name) {
            return Err(ThemeError::Invalid { name, why: "it inherits from itself".into() });
        }
        let text = read(&name, dir)?;
        let spec: Spec = toml::from_str(&text).map_err(|error| ThemeError::Invalid {
            name: name.clone(),
            why: one_line(&error, &text),
        })?;
        next = spec.inherits.clone();
        chain.push((name, spec));
    }
    Ok(chain)
}

/// A TOML error as `line 3: …`.
fn one_line(error: &toml::de::Error, text: &str) -> String {
    let line = error
        .span()
        .and_then(|span| text.get(..span.start))
        .map_or(1, |before| before.matches('\n').count() + 1);
    format!("line {line}: {}", error.message())
}

fn read(name: &str, dir: Option<&Path>) -> Result<String, ThemeError> {
    let plain = !name.is_empty() && !name.contains(['/', '\\']) && name != "..";
    if let Some(dir) = dir.filter(|_| plain) {
        match files::read(&dir.join(format!("{name}.toml"))) {
            Ok(Some(text)) => return Ok(text),
            Ok(None) => {}
            Err(error) => {
                let why = files::plain(&error);
                return Err(ThemeError::Invalid { name: name.into(), why });
            }
        }
    }
    EMBEDDED
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, text)| (*text).to_owned())
        .ok_or_else(|| ThemeError::Unknown {
            name: name.into(),
            known: Theme::names().collect::<Vec<_>>().join(", "),
            dir: dir.map_or_else(|| "the theme folder".into(), |d| d.display().to_string()),
        })
}

fn style(
    spec: &RoleSpec,
    palette: &BTreeMap<String, String>,
    depth: Depth,
) -> Result<Style, String> {
    let mut style = Style::default();
    if let Some(fg) = &spec.fg {
        style.fg = color(fg, palette, depth)?;
    }
    if let Some(bg) = &spec.bg {
        style.bg = color(bg, palette, depth)?;
    }
    for name in &spec.add {
        style = style.add_modifier(match name.as_str() {
            "bold" => Modifier::BOLD,
            "dim" => Modifier::DIM,
            "italic" => Modifier::ITALIC,
            "underline" => Modifier::UNDERLINED,
            "reverse" => Modifier::REVERSED,
            other => {
                return Err(format!("{other:?} is not bold, dim, italic, underline or reverse"));
            }
        });
    }
    Ok(style)
}

fn color(
    name: &str,
    palette: &BTreeMap<String, String>,
    depth: Depth,
) -> Result<Option<Color>, String> {
    let text = palette.get(name).map_or(name, String::as_str);
    let color = Color::from_str(text)
        .map_err(|_| format!("{name:?} is neither #rrggbb nor a colour's name or number"))?;
    Ok(reduce(color, depth))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_embedded_theme_sets_every_role_at_every_depth() {
        for name in Theme::names() {
            for depth in [Depth::Mono, Depth::Ansi, Depth::Indexed, Depth::True] {
                if let Err(error) = Theme::load(name, None, depth) {
                    panic!("{error}");
                }
            }
        }
    }

    #[test]
    fn every_theme_tells_rewind_from_guess_and_right_from_wrong() {
        for name in Theme::names() {
            let theme = Theme::load(name, None, Depth::True).unwrap();
            for (a, b) in [
                (Role::Replayed, Role::Guessed),
                (Role::Right, Role::Wrong),
                (Role::Current, Role::Previous),
                (Role::Focus, Role::Border),
                (Role::Cursor, Role::Text),
            ] {
                assert_ne!(theme.style(a), theme.style(b), "{name}: {a:?} and {b:?}");
            }
        }
    }

    #[test]
    fn a_bad_theme_says_what_and_where() {
        let dir = tempfile::tempdir().unwrap();
        for (text, expected) in [
            ("inherits = 'dark'\n[roles]\ntxt = {}", "there is no role \"txt\""),
            ("inherits = 'dark'\n[roles]\ntext = {fg = 'pinkish'}", "text: \"pinkish\" is neither"),
            ("inherits = 'dark'\n[roles]\ntext = {add = ['blink']}", "\"blink\" is not bold"),
            ("inherits = 'dark'\n\n[rules]", "line 3: unknown field `rules`"),
            ("inherits = 'mine'", "it inherits from itself"),
            ("inherits = 'nowhere'", "no theme named \"nowhere\"; there are dark, light"),
            ("[roles]\ntext = {}", "role \"dim\" is not set"),
        ] {
            std::fs::write(dir.path().join("mine.toml"), text).unwrap();
            let error = Theme::load("mine", Some(dir.path()), Depth::True).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
            assert!(!error.contains('\n'), "{error}");
        }
    }
}
