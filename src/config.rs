//! config.toml, folders and environment.
//!
//! Must not know: sessions, models, screens. A setting that cannot be read is a
//! [`Problem`] with its line, and the rest still counts: a typo must not lock anybody out.
//!
//! ```toml
//! theme = "light"             # a built-in theme, or a file in themes/
//! ascii = true                # no box drawing, no arrows
//! mouse = false
//! model = "/models/big.gguf"  # in place of the embedded model
//! device = "cuda:0"           # auto, cpu, cuda[:n], metal
//! endpoint = "http://127.0.0.1:8000"  # a server, in place of model and device
//! endpoint_timeout = 120      # seconds for an answer of the server
//! python = "/usr/bin/python3.12"
//! unit = "statement"          # or event
//! jump = "auto"               # or direct, chained
//! history = "free"            # or guided
//! seed = 0
//! ```

pub mod files;

use std::fmt;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// What the person wants by default; the command line overrides it. `None`: not set.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Config {
    /// Name of the theme.
    pub theme: Option<String>,
    /// Draw with ASCII characters only.
    pub ascii: Option<bool>,
    /// Whether the mouse is listened to.
    pub mouse: Option<bool>,
    /// A GGUF file in place of the embedded model.
    pub model: Option<PathBuf>,
    /// Where the model runs.
    pub device: Option<String>,
    /// A server that predicts, in place of the model.
    pub endpoint: Option<String>,
    /// Seconds that it may take for an answer.
    pub endpoint_timeout: Option<f64>,
    /// The interpreter that verifies.
    pub python: Option<PathBuf>,
    /// What `s` and `n` step by, as a word.
    pub unit: Option<String>,
    /// How jumps are answered, as a word.
    pub jump: Option<String>,
    /// What predictions are made from, as a word.
    pub history: Option<String>,
    /// Seed of what is drawn.
    pub seed: Option<u64>,
}

/// A setting that was not understood, or a file that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The file.
    pub file: String,
    /// 1-based line; `None`: the whole file.
    pub line: Option<usize>,
    /// One line for people.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file, self.message),
            None => write!(f, "{}: {}", self.file, self.message),
        }
    }
}

impl Config {
    /// Reads the text of a config.toml called `name`.
    pub fn read(name: &str, text: &str) -> (Config, Vec<Problem>) {
        let mut config = Config::default();
        let mut problems = Vec::new();
        let line = |at: usize| text.get(..at).map_or(1, |t| t.matches('\n').count() + 1);
        let mut problem = |at: usize, message: String| {
            problems.push(Problem { file: name.into(), line: Some(line(at)), message });
        };
        match DeTable::parse(text) {
            Err(error) => {
                let at = error.span().map_or(0, |span| span.start);
                problem(at, error.message().to_string());
            }
            Ok(table) => {
                for (key, value) in table.get_ref() {
                    if let Err(message) = config.set(key.get_ref(), value) {
                        problem(key.span().start, message);
                    }
                }
            }
        }
        (config, problems)
    }

    fn set(&mut self, key: &str, value: &Spanned<DeValue<'_>>) -> Result<(), String> {
        let value = value.get_ref();
        let wrong = |wanted: &str| format!("{key} must be {wanted}");
        let text = || value.as_str().map(str::to_string).ok_or_else(|| wrong("a text in quotes"));
        let switch = || value.as_bool().ok_or_else(|| wrong("true or false"));
        let choice = |words: &[&str]| {
            let word = text()?;
            match words.contains(&word.as_str()) {
                true => Ok(word),
                false => Err(wrong(&words.join(" or "))),
            }
        };
        match key {
            "theme" => self.theme = Some(text()?),
            "ascii" => self.ascii = Some(switch()?),
            "mouse" => self.mouse = Some(switch()?),
            "model" => self.model = Some(text()?.into()),
            "device" => self.device = Some(text()?),
            "python" => self.python = Some(text()?.into()),
            "unit" => self.unit = Some(choice(&["statement", "event"])?),
            "jump" => self.jump = Some(choice(&["auto", "direct", "chained"])?),
            "history" => self.history = Some(choice(&["free", "guided"])?),
            "seed" => {
                let number = value.as_integer().and_then(|n| n.as_str().parse().ok());
                self.seed = Some(number.ok_or_else(|| wrong("a number from 0"))?);
            }
            "endpoint" => self.endpoint = Some(text()?),
            "endpoint_timeout" => {
                let number = value.as_integer().map(|n| n.as_str());
                let number = number.or_else(|| value.as_float().map(|n| n.as_str()));
                let number = number.and_then(|n| n.parse().ok());
                let number = number.filter(|n| (0.001..=1e6).contains(n));
                let wanted = "a number of seconds from 0.001 to 1000000";
                self.endpoint_timeout = Some(number.ok_or_else(|| wrong(wanted))?);
            }
            _ => return Err(format!("there is no setting '{key}'")),
        }
        Ok(())
    }
}

/// Where things are kept on this platform. `FORETRACE_HOME` puts all of them under one
/// folder (for tests, and for people who like that).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folders {
    /// config.toml, keys.toml, themes/.
    pub config: PathBuf,
    /// Breakpoints and command history, by project.
    pub state: PathBuf,
    /// Models.
    pub data: PathBuf,
    /// What can be made again.
    pub cache: PathBuf,
}

impl Folders {
    /// The platform's folders; `None` if there is no home.
    pub fn find() -> Option<Folders> {
        if let Some(home) = std::env::var_os("FORETRACE_HOME").filter(|home| !home.is_empty()) {
            return Some(Folders::under(Path::new(&home)));
        }
        let dirs = directories::ProjectDirs::from("", "", "foretrace")?;
        Some(Folders {
            config: dirs.config_dir().into(),
            state: dirs.state_dir().unwrap_or_else(|| dirs.data_local_dir()).into(),
            data: dirs.data_dir().into(),
            cache: dirs.cache_dir().into(),
        })
    }

    /// All folders under one.
    pub fn under(home: &Path) -> Folders {
        Folders {
            config: home.join("config"),
            state: home.join("state"),
            data: home.join("data"),
            cache: home.join("cache"),
        }
    }

    /// Reads config.toml, if there is one. What cannot be read is a problem, and the
    /// built-in settings count in its place.
    pub fn load(&self) -> (Config, Vec<Problem>) {
        if let Err(error) = list(&self.config) {
            let why = "settings, keys and themes are the built-in ones";
            return (Config::default(), vec![unread(&self.config, &error, why)]);
        }
        let path = self.config.join("config.toml");
        let (config, mut problems) = match files::read(&path) {
            Ok(Some(text)) => Config::read(&path.display().to_string(), &text),
            Ok(None) => Default::default(),
            Err(error) => {
                let why = "settings are the built-in ones";
                (Config::default(), vec![unread(&path, &error, why)])
            }
        };
        let themes = self.config.join("themes");
        if let Err(error) = list(&themes) {
            problems.push(unread(&themes, &error, "themes are the built-in ones"));
        }
        (config, problems)
    }

    /// The person's own themes, where that folder can be read.
    pub fn themes(&self) -> Option<PathBuf> {
        Some(self.config.join("themes")).filter(|folder| list(folder).is_ok())
    }

    /// The text of keys.toml; empty where there is none, or no folder to read it from.
    ///
    /// # Errors
    /// A [`Problem`]: then the keys are the built-in ones.
    pub fn keys(&self) -> Result<String, Problem> {
        if list(&self.config).is_err() {
            return Ok(String::new()); // `load` has said it.
        }
        let path = self.config.join("keys.toml");
        let text = files::read(&path);
        let text = text.map_err(|error| unread(&path, &error, "keys are the built-in ones"))?;
        Ok(text.unwrap_or_default())
    }

    /// Where the state of one project is kept: by the file's absolute path.
    pub fn project(&self, file: &Path) -> PathBuf {
        let path = std::path::absolute(file).unwrap_or_else(|_| file.into());
        let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let text = path.to_string_lossy();
        let hash = crate::program::decode::sha256_hex(text.as_bytes());
        let short = hash.get(..12).unwrap_or(&hash);
        self.state.join("projects").join(format!("{}-{short}", name.unwrap_or_default()))
    }
}

/// Whether a folder can be read, or is not there.
fn list(folder: &Path) -> io::Result<()> {
    match std::fs::read_dir(folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn unread(path: &Path, error: &io::Error, instead: &str) -> Problem {
    let message = format!("{}; {instead}", files::plain(error));
    Problem { file: path.display().to_string(), line: None, message }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_said_with_its_line_and_the_rest_counts() {
        let text = "theme = \"light\"\nthem = \"dark\"\nseed = -1\nunit = \"word\"\nmouse = false\n\
             endpoint_timeout = 0\n";
        let (config, problems) = Config::read("c.toml", text);
        assert_eq!(config.theme.as_deref(), Some("light"));
        assert_eq!(config.mouse, Some(false));
        assert_eq!((config.seed, config.unit), (None, None));
        let said: Vec<String> = problems.iter().map(Problem::to_string).collect();
        assert_eq!(
            said,
            [
                "c.toml:6: endpoint_timeout must be a number of seconds from 0.001 to 1000000",
                "c.toml:3: seed must be a number from 0",
                "c.toml:2: there is no setting 'them'",
                "c.toml:4: unit must be statement or event",
            ]
            .map(str::to_string)
        );
    }

    #[test]
    fn broken_toml_is_one_problem_at_its_line() {
        let (config, problems) = Config::read("c.toml", "seed = 3\ntheme = \n");
        assert_eq!(config, Config::default());
        assert_eq!(problems.len(), 1);
        assert_eq!(problems[0].line, Some(2));
    }

    /// Each file that cannot be read is said once, and costs only itself.
    #[test]
    fn what_cannot_be_read_is_said_and_the_rest_counts() {
        let folder = tempfile::tempdir().unwrap();
        let home = |name: &str| folder.path().join(name);
        let write = |path: &Path, text: &str| {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write(&home("a/config"), "no folder");
        write(&home("b/config/themes"), "no folder");
        write(&home("b/config/config.toml"), "seed = 3");
        std::fs::create_dir_all(home("c/config/config.toml")).unwrap();
        std::fs::create_dir_all(home("d/config/keys.toml")).unwrap();
        write(&home("d/config/config.toml"), "seed = 4");
        for (name, seed, problem, keys, themes) in [
            ("absent", None, None, true, true),
            ("a", None, Some("config: "), true, false),
            ("b", Some(3), Some("themes: "), true, false),
            ("c", None, Some("config.toml: it is a folder; settings are"), true, true),
            ("d", Some(4), None, false, true),
        ] {
            let folders = Folders::under(&home(name));
            let (config, problems) = folders.load();
            assert_eq!(config.seed, seed, "{name}");
            let said: Vec<String> = problems.iter().map(Problem::to_string).collect();
            match problem {
                None => assert_eq!(said, [""; 0], "{name}"),
                Some(words) => {
                    assert!(said.len() == 1 && said[0].contains(words), "{name}: {said:?}");
                }
            }
            assert_eq!(
                (folders.keys().is_ok(), folders.themes().is_some()),
                (keys, themes),
                "{name}"
            );
        }
    }

    #[test]
    fn projects_of_one_name_in_two_folders_are_kept_apart() {
        let folders = Folders::under(Path::new("/h"));
        let of = |path: &str| folders.project(Path::new(path));
        assert_ne!(of("/a/main.py"), of("/b/main.py"));
        assert!(of("/a/main.py").starts_with("/h/state/projects"));
    }
}
