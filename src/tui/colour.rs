//! How many colours a terminal has, and the nearest of them to the one that is wanted.
//!
//! Must not know: themes, roles.

use ratatui::style::Color;

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

/// The nearest colour the terminal has; `None` keeps its own.
pub fn reduce(color: Color, depth: Depth) -> Option<Color> {
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
    fn colours_come_down_to_what_there_is() {
        assert_eq!(reduce(Color::Rgb(255, 0, 0), Depth::Indexed), Some(Color::Indexed(196)));
        assert_eq!(reduce(Color::Rgb(128, 128, 128), Depth::Indexed), Some(Color::Indexed(244)));
        assert_eq!(reduce(Color::Rgb(250, 10, 10), Depth::Ansi), Some(Color::LightRed));
        assert_eq!(reduce(Color::Cyan, Depth::Mono), None);
    }

    #[test]
    fn the_environment_says_how_many() {
        for (vars, depth) in [
            (&[("TERM", "xterm-256color")][..], Depth::Indexed),
            (&[("TERM", "xterm-256color"), ("COLORTERM", "truecolor")], Depth::True),
            (&[("TERM", "xterm"), ("NO_COLOR", "1"), ("COLORTERM", "truecolor")], Depth::Mono),
            (&[("TERM", "linux"), ("NO_COLOR", "")], Depth::Ansi),
            (&[("TERM", "dumb")], Depth::Mono),
        ] {
            let env = |name: &str| {
                vars.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned())
            };
            assert_eq!(Depth::detect(env), depth, "{vars:?}");
        }
    }
}
