//! Colours by role, from TOML files.
//!
//! A theme names about thirty roles; a role says what something *means*, never where it is.
//! Every meaning also has a mark on screen, so that the `mono` theme (and `NO_COLOR`) loses
//! nothing. Must not know: panes, sessions.

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

/// How many colours may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// None: marks, bold, underline and reverse video carry the meaning.
    Mono,
    /// The terminal's own sixteen.
    Ansi,
    /// xterm's 256.
    Indexed,
    /// Red, green and blue.
    True,
}

impl Depth {
    /// What the environment says: `NO_COLOR`, `TERM`, `COLORTERM`.
    pub fn detect(env: impl Fn(&str) -> Option<String>) -> Depth {
        let term = env("TERM").unwrap_or_default();
        let rich = env("COLORTERM").unwrap_or_default();
        if env("NO_COLOR").is_some_and(|v| !v.is_empty()) || term == "dumb" {
            Depth::Mono
        } else if rich == "truecolor" || rich == "24bit" || term.ends_with("-direct") {
            Depth::True
        } else if term.contains("256") || term.contains("kitty") || term.contains("alacritty") {
            Depth::Indexed
        } else {
            Depth::Ansi
        }
    }
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
        match std::fs::read_to_string(dir.join(format!("{name}.toml"))) {
            Ok(text) => return Ok(text),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => {
                return Err(ThemeError::Invalid { name: name.into(), why: error.to_string() });
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

/// The nearest colour the terminal has; `None` keeps its own.
fn reduce(color: Color, depth: Depth) -> Option<Color> {
    match (color, depth) {
        (_, Depth::Mono) => None,
        (Color::Rgb(r, g, b), Depth::Indexed) => Some(Color::Indexed(nearest_indexed(r, g, b))),
        (Color::Rgb(r, g, b), Depth::Ansi) => Some(nearest_ansi(r, g, b)),
        (Color::Indexed(_), Depth::Ansi) => None,
        (color, _) => Some(color),
    }
}

/// Nearest of xterm's 6×6×6 cube and grey ramp.
fn nearest_indexed(r: u8, g: u8, b: u8) -> u8 {
    const LEVELS: [i32; 6] = [0, 95, 135, 175, 215, 255];
    let rgb = [i32::from(r), i32::from(g), i32::from(b)];
    let far = |c: [i32; 3]| c.iter().zip(rgb).map(|(a, b)| (a - b) * (a - b)).sum::<i32>();
    let cube = rgb.map(|v| (0..6).min_by_key(|&i| (LEVELS[i] - v).abs()).unwrap_or(0));
    let grey = ((rgb.iter().sum::<i32>() / 3 - 8 + 5) / 10).clamp(0, 23);
    if far([8 + 10 * grey; 3]) < far(cube.map(|i| LEVELS[i])) {
        232 + grey as u8
    } else {
        (16 + 36 * cube[0] + 6 * cube[1] + cube[2]) as u8
    }
}

/// Nearest of the sixteen, by xterm's default values.
fn nearest_ansi(r: u8, g: u8, b: u8) -> Color {
    use Color::*;
    const SIXTEEN: [(Color, [i32; 3]); 16] = [
        (Black, [0, 0, 0]),
        (Red, [205, 0, 0]),
        (Green, [0, 205, 0]),
        (Yellow, [205, 205, 0]),
        (Blue, [0, 0, 238]),
        (Magenta, [205, 0, 205]),
        (Cyan, [0, 205, 205]),
        (Gray, [229, 229, 229]),
        (DarkGray, [127, 127, 127]),
        (LightRed, [255, 0, 0]),
        (LightGreen, [0, 255, 0]),
        (LightYellow, [255, 255, 0]),
        (LightBlue, [92, 92, 255]),
        (LightMagenta, [255, 0, 255]),
        (LightCyan, [0, 255, 255]),
        (White, [255, 255, 255]),
    ];
    let rgb = [i32::from(r), i32::from(g), i32::from(b)];
    let far = |c: &[i32; 3]| c.iter().zip(rgb).map(|(a, b)| (a - b) * (a - b)).sum::<i32>();
    SIXTEEN.iter().min_by_key(|(_, c)| far(c)).map_or(White, |(color, _)| *color)
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

    #[test]
    fn colours_come_down_to_what_there_is() {
        assert_eq!(reduce(Color::Rgb(255, 0, 0), Depth::Indexed), Some(Color::Indexed(196)));
        assert_eq!(reduce(Color::Rgb(128, 128, 128), Depth::Indexed), Some(Color::Indexed(244)));
        assert_eq!(reduce(Color::Rgb(250, 10, 10), Depth::Ansi), Some(Color::LightRed));
        assert_eq!(reduce(Color::Cyan, Depth::Mono), None);
    }
}
