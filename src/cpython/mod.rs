//! The real interpreter: a sandboxed child of the user's own CPython that records,
//! evaluates and outlines.
//!
//! Must not know: models, tokens, sessions, terminals. The ports in `oracle` are
//! implemented over this room by `cli`.
//!
//! | file | job |
//! |---|---|
//! | `python` | finds the interpreter and asks it where it lives |
//! | `venv` | a project's virtual environment, found without running it |
//! | `bounded` | a short question to a command that nothing is known about |
//! | `complaint` | why one did not start, from what it said |
//! | `children` | what runs now, and its end with foretrace's |
//! | `environment` | the variables that a program sees |
//! | `sandbox` | what the child may touch; starts it |
//! | `interpreter` | the running child: jobs in, lines out, deadlines, ends |
//! | `protocol` | the wire types |
//! | `record` | programs → jobs, lines → [`Recording`] |
//! | `evaluate` | expressions over values read from their text |
//! | `outline` | a file's outline by CPython's `ast` (`outline.py`) |
//! | `batch` | many programs on warm children |
//! | `tracer/*.py` | what runs inside CPython: one program in eight parts |

mod batch;
mod bounded;
mod children;
mod complaint;
mod environment;
mod evaluate;
mod interpreter;
mod outline;
mod protocol;
mod python;
mod record;
mod sandbox;
mod venv;

pub use batch::{BatchJob, record_all};
pub use children::end_all;
pub use environment::{OWN, PASSED, Variable};
pub use evaluate::Evaluator;
pub use outline::outline;
pub use python::Python;
pub use sandbox::Protection;

use crate::program::Program;
use crate::trace::{Edit, Recording};
use interpreter::Interpreter;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Bounds of a recording.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// States.
    pub events: u64,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// Bytes of protocol.
    pub bytes: u64,
    /// Bytes the program may print.
    pub output: u64,
    /// Bytes of address space; 0 for no bound.
    pub memory: u64,
    /// Characters of one value's text.
    pub chars: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            events: 200_000,
            seconds: 20.0,
            // ten million states take three times as much once read, and are to stay below 300 MB
            bytes: 80 << 20,
            output: 4 << 20,
            memory: 4 << 30,
            chars: 1000,
        }
    }
}

impl std::fmt::Display for Limits {
    /// For a person who asks what a program may do.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (memory, output) = (self.memory >> 20, self.output >> 20);
        let Limits { events, seconds, .. } = self;
        write!(f, "{events} states, {seconds} s, {memory} MB of memory, {output} MB printed")
    }
}

/// How a program is run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Options {
    /// The interpreter; else that of `$VIRTUAL_ENV`, else of the project's environment, else
    /// `python3` on the PATH.
    pub python: Option<PathBuf>,
    /// The folder of the program, whose project may have a virtual environment.
    pub folder: Option<PathBuf>,
    /// Bounds.
    pub limits: Limits,
    /// Lifts the sandbox.
    pub trust: bool,
    /// The program's arguments (`sys.argv[1:]`).
    pub argv: Vec<String>,
    /// Variables of its environment besides those that are passed on.
    pub variables: Vec<Variable>,
    /// It is run as `python -m` runs a module.
    pub module: Option<Module>,
    /// Seed of hashes and of `random`.
    pub seed: u32,
    /// What it reads from its standard input; else that is empty.
    pub stdin: Option<Arc<str>>,
}

impl Options {
    /// The same run where only what must not matter differs: seeds, the names of its folder,
    /// user and terminal, the time zone. What its states then show otherwise is not comparable.
    pub fn varied(&self) -> Options {
        let seed = self.seed.wrapping_add(1);
        Options { seed, variables: environment::elsewhere(&self.variables), ..self.clone() }
    }
}

/// A module that is run by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Module {
    /// Dotted, e.g. `package.__main__`.
    pub name: String,
    /// The package that it is in, dotted; empty if it is in none.
    pub package: String,
    /// `sys.path[0]` and the working directory.
    pub root: PathBuf,
}

/// Why there is no answer. A program that raises, hangs or kills itself is a recording.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No usable interpreter.
    #[error("{0}")]
    Python(String),
    /// The file does not compile.
    #[error("{0}")]
    Syntax(String),
    /// The entry cannot be reached.
    #[error("{0}")]
    Entry(String),
    /// This kind of entry cannot be run.
    #[error("{0}")]
    Unsupported(String),
    /// The expression raised.
    #[error("{0}")]
    Raised(String),
    /// The requester lost interest.
    #[error("cancelled")]
    Cancelled,
    /// The child or its pipes failed.
    #[error("CPython could not be run: {0}")]
    Child(String),
}

/// Who attends a run: answers a program that reads its standard input, as a person or with
/// what a person said before, and may look at what is recorded so far.
pub trait Attendant {
    /// The line of this number, from 0, without its end; `None` ends the input for good.
    /// `prompt` is the last line that the program has printed; empty if it has not since it
    /// last read one. The run's time does not go on meanwhile.
    ///
    /// # Errors
    /// [`Error::Cancelled`] ends the run.
    fn line(&self, number: usize, prompt: &str) -> Result<Option<String>, Error>;

    /// What is recorded so far: at a hundred states, whenever there are four times as many, before
    /// a line is asked for, and while the program waits; its exit is
    /// [`Exit::Cut`](crate::trace::Exit::Cut).
    fn so_far(&self, _recording: Recording) {}
}

/// Records a program from its entry to its end. **Runs the program's code.** Without
/// [`Options::stdin`], what it reads is empty.
///
/// # Errors
/// See [`Error`]; each is one line.
pub fn record(
    program: &Program,
    options: &Options,
    edits: &[Edit],
    cancel: &AtomicBool,
) -> Result<Recording, Error> {
    run(program, options, edits, None, cancel)
}

/// The same, attended: what the program reads is asked for, line by line, unless
/// [`Options::stdin`] says it all. The recording tells what was read, and when.
///
/// # Errors
/// See [`record`]; also those of `attendant`.
pub fn record_attended(
    program: &Program,
    options: &Options,
    edits: &[Edit],
    attendant: &dyn Attendant,
    cancel: &AtomicBool,
) -> Result<Recording, Error> {
    run(program, options, edits, Some(attendant), cancel)
}

fn run(
    program: &Program,
    options: &Options,
    edits: &[Edit],
    attendant: Option<&dyn Attendant>,
    cancel: &AtomicBool,
) -> Result<Recording, Error> {
    let python = Python::of_project(options.python.as_deref(), options.folder.as_deref())?;
    let policy = record::policy(program, options);
    let mut interpreter = Interpreter::start(&python, &policy, options.seed, &options.variables)?;
    record::record(&mut interpreter, program, options, edits, attendant, false, cancel)
}

/// What would run, why that, and under which protection, in one line. Of a project's environment
/// nothing is run to find out.
///
/// # Errors
/// [`Error::Python`] when no interpreter is found.
pub fn describe(options: &Options) -> Result<String, Error> {
    let protection = sandbox::available(options.trust);
    let found = python::describe(options.python.as_deref(), options.folder.as_deref())?;
    Ok(format!("{found}, {protection}"))
}
