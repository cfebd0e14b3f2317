//! The options of a debugging session, with a screen or without.

use super::failure::Failure;
use super::module;
use super::numbers::{MOST_WORKERS, seconds, whole};
use crate::config::Config;
use crate::cpython::{Module, Variable};
use crate::session::{History, Jump, Unit};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};

/// What to debug, from where, and who predicts.
#[derive(Debug, Clone, Args)]
pub struct SessionArgs {
    /// The Python file. It is not run.
    #[arg(value_name = "FILE", required_unless_present = "module")]
    pub file: Option<PathBuf>,

    /// A module of the working directory in place of the file, as 'python -m' runs it:
    /// package.module, or a package with a __main__.py.
    #[arg(
        short,
        long,
        value_name = "MODULE",
        conflicts_with = "file",
        help_heading = "Where to start"
    )]
    pub module: Option<String>,

    /// Where to start: a call ('f(3)'), a function whose arguments the model invents ('f'),
    /// or '<module>'. Else the file's own '# entry: …' first line, else the module.
    #[arg(short, long, value_name = "CALL", group = "start", help_heading = "Where to start")]
    pub entry: Option<String>,

    /// Start at this line.
    #[arg(long, value_name = "[FILE:]LINE", group = "start", help_heading = "Where to start")]
    pub at: Option<String>,

    /// With --at: the variables there, as JSON of reprs: '{"n": "3", "s": "'abc'"}'.
    #[arg(long, value_name = "JSON", requires = "at", help_heading = "Where to start")]
    pub locals: Option<String>,

    /// Start at a return, to go backwards: 'f = 3', or 'f:12 = 3' to name the line.
    #[arg(long, value_name = "RETURN", group = "start", help_heading = "Where to start")]
    pub returns: Option<String>,

    /// Who predicts: the model guesses, cpython replays a recording of the real run.
    #[arg(long, value_enum, help_heading = "Who predicts")]
    pub oracle: Option<OracleChoice>,

    /// A GGUF file, or a name from 'foretrace models list', in place of the built-in model.
    #[arg(long, value_name = "PATH", help_heading = "Who predicts")]
    pub model: Option<PathBuf>,

    /// Where the model runs: auto, cpu, cuda, cuda:N or metal.
    #[arg(long, value_name = "DEVICE", help_heading = "Who predicts")]
    pub device: Option<String>,

    /// Threads of the model on the CPU; else one for tiny models, and all cores but one.
    #[arg(long, value_name = "N", value_parser = whole::<usize, 1, MOST_WORKERS>, help_heading = "Who predicts")]
    pub threads: Option<usize>,

    /// A server with the OpenAI-compatible completions protocol (llama-server, vLLM), in place
    /// of a local model: http://127.0.0.1:8000. Its key, if it wants one: $FORETRACE_API_KEY.
    #[arg(long, value_name = "URL", help_heading = "Who predicts")]
    pub endpoint: Option<String>,

    /// With --endpoint: how long the server may take for an answer; else 120 seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, help_heading = "Who predicts")]
    pub endpoint_timeout: Option<f64>,

    /// Seed of everything that is drawn.
    #[arg(long, value_name = "N", value_parser = whole::<u64, 0, { u64::MAX }>, help_heading = "Who predicts")]
    pub seed: Option<u64>,

    /// Run the program with real CPython, in a sandbox, and compare every step.
    #[arg(long, help_heading = "The truth")]
    pub verify: bool,

    /// A recording (from 'foretrace trace') to take the truth from; it also predicts,
    /// unless --oracle model is given.
    #[arg(long, value_name = "RECORDING", help_heading = "The truth")]
    pub replay: Option<PathBuf>,

    /// The interpreter; else that of $VIRTUAL_ENV, of the project's .venv or venv, or python3.
    #[arg(long, value_name = "PATH", help_heading = "The truth")]
    pub python: Option<PathBuf>,

    /// A variable of the program's environment; repeatable. Of yours it sees PATH, LANG, LC_ALL,
    /// LC_CTYPE, TZ, PYTHONPATH, VIRTUAL_ENV, USER and TERM.
    #[arg(long = "env", value_name = "NAME=VALUE", help_heading = "The truth")]
    pub variables: Vec<Variable>,

    /// Run the program without the sandbox.
    #[arg(long, help_heading = "The truth")]
    pub trust: bool,

    /// What the program reads: its input() and sys.stdin. Otherwise each line is asked for on the
    /// screen; without one they are empty.
    #[arg(long, value_name = "FILE", help_heading = "The truth")]
    pub stdin: Option<PathBuf>,

    /// A breakpoint: LINE, FILE:LINE or FUNCTION, then ', CONDITION'. Repeatable.
    #[arg(
        short = 'b',
        long = "break",
        value_name = "PLACE[, CONDITION]",
        help_heading = "Stepping"
    )]
    pub breakpoints: Vec<String>,

    /// What s and n step by; on a screen the statement, else the event.
    #[arg(long, value_enum, help_heading = "Stepping")]
    pub unit: Option<Unit>,

    /// Predict from the model's own states, or corrected to the truth.
    #[arg(long, value_enum, help_heading = "Stepping")]
    pub history: Option<History>,

    /// Answer jumps by one prediction, or by single steps.
    #[arg(long, value_enum, help_heading = "Stepping")]
    pub jump: Option<Jump>,

    /// The program's own arguments, after '--'.
    #[arg(last = true, value_name = "ARGV")]
    pub argv: Vec<String>,
}

impl SessionArgs {
    /// What the command line leaves open, the configuration decides.
    pub fn with(mut self, config: &Config) -> SessionArgs {
        fn word<T: ValueEnum>(text: &Option<String>) -> Option<T> {
            T::from_str(text.as_deref()?, false).ok()
        }
        // A model of one kind that is typed counts for more than one of the other kind that
        // is configured.
        if self.local().is_none() {
            self.endpoint = self.endpoint.or_else(|| config.endpoint.clone());
        }
        if self.endpoint.is_none() {
            self.model = self.model.or_else(|| config.model.clone());
            self.device = self.device.or_else(|| config.device.clone());
        }
        self.endpoint_timeout = self.endpoint_timeout.or(config.endpoint_timeout);
        self.python = self.python.or_else(|| config.python.clone());
        self.seed = self.seed.or(config.seed);
        self.unit = self.unit.or_else(|| word(&config.unit));
        self.jump = self.jump.or_else(|| word(&config.jump));
        self.history = self.history.or_else(|| word(&config.history));
        self
    }

    /// The file, and how it is run if a module was named.
    ///
    /// # Errors
    /// One line that says why there is no such module.
    pub fn program(&self) -> Result<(PathBuf, Option<Module>), Failure> {
        program(self.file.as_deref(), self.module.as_deref())
    }

    /// The option, if any, that is about a model which runs here.
    pub fn local(&self) -> Option<&'static str> {
        let given = [
            (self.model.is_some(), "--model"),
            (self.device.is_some(), "--device"),
            (self.threads.is_some(), "--threads"),
        ];
        given.into_iter().find(|(given, _)| *given).map(|(_, name)| name)
    }

    /// The device, `auto` unless given.
    pub fn device(&self) -> &str {
        self.device.as_deref().unwrap_or("auto")
    }
}

/// The file that is named, or that of the module.
///
/// # Errors
/// One line.
pub fn program(
    file: Option<&Path>,
    module: Option<&str>,
) -> Result<(PathBuf, Option<Module>), Failure> {
    match (file, module) {
        (_, Some(name)) => {
            let root = std::env::current_dir().and_then(|folder| folder.canonicalize());
            let root =
                root.map_err(|error| Failure::usage(format!("the working directory: {error}")))?;
            module::find(name, &root).map(|(file, module)| (file, Some(module)))
        }
        (Some(file), None) => Ok((file.into(), None)),
        (None, None) => Err(Failure::usage("name a Python file, or a module with -m")),
    }
}

/// The folder that a file is in, for the environment of its project.
pub fn folder(file: &Path) -> Option<PathBuf> {
    file.canonicalize().ok()?.parent().map(Path::to_path_buf)
}

/// Who predicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OracleChoice {
    /// The language model.
    Model,
    /// CPython itself: the program is recorded and replayed.
    Cpython,
}

/// The settings of a session as words on the command line.
macro_rules! words {
    ($type:ty: $($value:expr),+) => {
        impl ValueEnum for $type {
            fn value_variants<'a>() -> &'a [Self] {
                &[$($value),+]
            }

            fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
                Some(clap::builder::PossibleValue::new(self.name()))
            }
        }
    };
}

words!(Unit: Unit::Statement, Unit::Event);
words!(History: History::Free, History::Guided);
words!(Jump: Jump::Auto, Jump::Direct, Jump::Chained);
