//! Jobs from programs, recordings from lines.
//!
//! Must not know: processes, sockets, what a sandbox is made of.

use super::interpreter::{Bounds, Ended, GRACE, Interpreter, Sink, Written};
use super::protocol::{self, Event as Wire, Failure, Line};
use super::sandbox::{self, Policy};
use super::{Attendant, Error, Options};
use crate::program::{Entry, Loc, Program, SourceFile};
use crate::trace::{
    self, Edit, Event, Exit, Locals, Output, Recording, ReprRules, State, TreeBuilder, Value,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Depth to which instances without a repr of their own are opened (`tracer/values.py`).
const INSTANCE_DEPTH: u32 = 2;

/// States that are worth looking at while more are recorded.
const FIRST_TOLD: usize = 100;

/// What a program needs to read: its folder; if that is the home folder or above it, only
/// its own files.
pub fn policy(program: &Program, options: &Options) -> Policy {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let mut read = Vec::new();
    for file in &program.files {
        let Some(path) = real_path(file) else { continue };
        let root = package(&path).map(|package| PathBuf::from(package.root));
        let may = |folder: &PathBuf| home.as_ref().is_none_or(|home| !home.starts_with(folder));
        let folder = path.parent().map(Path::to_path_buf);
        read.push(root.filter(may).or(folder.filter(may)).unwrap_or(path));
        read.extend(options.module.as_ref().map(|module| module.root.clone()).filter(may));
    }
    Policy { read, write: Vec::new(), trust: options.trust }
}

fn real_path(file: &SourceFile) -> Option<PathBuf> {
    std::fs::canonicalize(&file.name).ok().filter(|path| path.is_file())
}

/// The package that a file is a module of, as `python -m` would have it.
fn package(path: &Path) -> Option<protocol::Package> {
    let mut names = Vec::new();
    let mut folder = path.parent()?;
    while folder.join("__init__.py").is_file() {
        names.push(folder.file_name()?.to_str()?);
        folder = folder.parent()?;
    }
    names.reverse();
    let name = names.join(".");
    (!name.is_empty()).then(|| protocol::Package { name, root: folder.display().to_string() })
}

/// Records one program on an interpreter that is running already. In a batch, what bypasses
/// the tracer's output is not kept: two recordings of a program are to be equal.
pub fn record(
    interpreter: &mut Interpreter,
    program: &Program,
    options: &Options,
    edits: &[Edit],
    attendant: Option<&dyn Attendant>,
    batch: bool,
    cancel: &AtomicBool,
) -> Result<Recording, Error> {
    let mut job = job(interpreter, program, options, edits, batch)?;
    job.ask = attendant.is_some() && options.stdin.is_none();
    let limits = options.limits;
    let about = about(interpreter, program, options, edits);
    let mut assembly = Assembly::new(limits.output, about, attendant);
    let bounds = Bounds {
        seconds: limits.seconds + GRACE,
        bytes: limits.bytes.saturating_mul(2).saturating_add(limits.output.saturating_mul(8)),
        pipes: !batch,
    };
    let ended = interpreter.job(&job, bounds, cancel, &mut assembly)?;
    let (exit, mut note) = assembly.exit(ended, options)?;
    let protection = interpreter.protection();
    if protection.is_weak() {
        note =
            if note.is_empty() { protection.to_string() } else { format!("{note}; {protection}") };
    }
    let Assembly { tree, output, about, .. } = assembly;
    Ok(Recording { tree: tree.finish(exit), output, note, ..about })
}

/// What a recording says of a run beside what happened in it.
fn about(
    interpreter: &Interpreter,
    program: &Program,
    options: &Options,
    edits: &[Edit],
) -> Recording {
    let limits = options.limits;
    Recording {
        python: interpreter.version().into(),
        entry: program.entry.to_string(),
        files: program.files.iter().map(|f| (f.name.clone(), f.sha256.clone())).collect(),
        argv: options.argv.clone(),
        seed: options.seed.into(),
        limits: trace::Limits {
            events: limits.events,
            milliseconds: (limits.seconds * 1000.0) as u64,
            bytes: limits.bytes,
        },
        repr: ReprRules { depth: INSTANCE_DEPTH, items: 0, chars: limits.chars },
        edits: edits.to_vec(),
        ..Recording::of(TreeBuilder::new().finish(Exit::Cut))
    }
}

fn job<'a>(
    interpreter: &Interpreter,
    program: &'a Program,
    options: &'a Options,
    edits: &'a [Edit],
    batch: bool,
) -> Result<protocol::Record<'a>, Error> {
    let entry = match &program.entry {
        Entry::Module => protocol::Entry::Module,
        Entry::Call { function, expression } => protocol::Entry::Call { function, expression },
        Entry::Invent { function } => {
            return Err(Error::Unsupported(format!(
                "CPython needs arguments to call {function}: give them with --entry '{function}(…)'"
            )));
        }
        Entry::Returns { function, .. } => {
            return Err(Error::Unsupported(format!(
                "CPython cannot run {function} backwards: give its arguments with --entry"
            )));
        }
        Entry::At { loc: Loc { file: 0, line }, locals } => {
            let text = program.files.first().map(text).unwrap_or_default();
            protocol::Entry::At { line: *line, locals, text }
        }
        Entry::At { .. } => {
            return Err(Error::Unsupported(
                "CPython can only start at a line of the first file".into(),
            ));
        }
    };
    let folder = interpreter.folder();
    // A batch's programs are no files, whatever lies where foretrace was started.
    let real = |file| if batch { None } else { real_path(file) };
    let files = program.files.iter().map(|file| protocol::File {
        path: real(file).map_or_else(|| file_name(&file.name).into(), |p| p.display().to_string()),
        name: &file.name,
        text: text(file),
    });
    let files: Vec<_> = files.collect();
    let Some(first) = program.files.first().map(real) else {
        return Err(Error::Entry("the program has no file".into()));
    };
    let home = first.as_deref().and_then(Path::parent).unwrap_or(folder).display().to_string();
    let module = options.module.as_ref();
    let root = module.map(|module| module.root.display().to_string());
    let limits = options.limits;
    Ok(protocol::Record {
        argv: &options.argv,
        stdin: options.stdin.as_deref(),
        ask: false,
        package: match (module, &root) {
            (Some(module), Some(root)) => {
                Some(protocol::Package { name: module.package.clone(), root: root.clone() })
            }
            _ => first.as_deref().and_then(package),
        },
        module: module.map(|module| module.name.as_str()),
        cwd: root.unwrap_or_else(|| home.clone()),
        path: home,
        entry,
        limits: protocol::Limits {
            events: limits.events,
            seconds: limits.seconds,
            bytes: limits.bytes,
            output: limits.output,
            memory: limits.memory,
            strict: !options.trust,
            processes: sandbox::processes(),
            filter: !options.trust && sandbox::filters(),
        },
        edits,
        value_chars: limits.chars,
        warm: batch,
        seed: options.seed,
        files,
    })
}

/// What a program that is no file here is called in its tracebacks: the last part of its name.
/// One in brackets, e.g. `<string>` of a data set, would be taken for the tracer's own.
fn file_name(name: &str) -> &str {
    let last = name.rsplit(['/', '\\']).next();
    last.filter(|last| !last.is_empty() && !last.starts_with('<')).unwrap_or("program.py")
}

/// A file's text with Python's line ends made one.
pub fn text(file: &SourceFile) -> String {
    let mut text = String::with_capacity(file.lines.iter().map(|line| line.len() + 1).sum());
    for line in &file.lines {
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// One activation as the lines have told it.
struct Frame {
    depth: u32,
    file: u16,
    name: Arc<str>,
    locals: Locals,
}

/// Builds the tree while lines come in.
struct Assembly<'a> {
    attendant: Option<&'a dyn Attendant>,
    /// The recording without what happened.
    about: Recording,
    /// How many states the attendant was told of.
    told: usize,
    /// How many there will be when it is told again, however busy the program is.
    tell: usize,
    /// Before this it is not told for the program's being idle.
    patience: Instant,
    /// Lines that the program has read.
    lines: usize,
    tree: TreeBuilder,
    frames: Vec<Frame>,
    names: std::collections::HashSet<Arc<str>>,
    output: Vec<Output>,
    room: u64,
    end: Option<(Exit, String)>,
    failure: Option<(Failure, String)>,
    odd: Option<String>,
}

impl<'a> Assembly<'a> {
    fn new(room: u64, about: Recording, attendant: Option<&'a dyn Attendant>) -> Self {
        Assembly {
            attendant,
            about,
            told: 0,
            tell: FIRST_TOLD,
            patience: Instant::now(),
            lines: 0,
            tree: TreeBuilder::new(),
            frames: Vec::new(),
            names: Default::default(),
            output: Vec::new(),
            room,
            end: None,
            failure: None,
            odd: None,
        }
    }

    fn name(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.names.get(text) {
            return known.clone();
        }
        let name: Arc<str> = text.into();
        self.names.insert(name.clone());
        name
    }

    fn state(&mut self, wire: protocol::State) -> Result<(), String> {
        if wire.frame == self.frames.len() {
            let (Some(depth), Some(file), Some(name)) = (wire.depth, wire.file, &wire.name) else {
                return Err("a frame without a call".into());
            };
            let name = self.name(name);
            self.frames.push(Frame { depth, file, name, locals: Locals::default() });
        }
        let mut changes = Vec::with_capacity(wire.set.len());
        for (name, value) in wire.set {
            changes.push((self.name(&name), Value(value.into())));
        }
        let frame = self.frames.get_mut(wire.frame).ok_or("a frame out of order")?;
        frame.depth = wire.depth.unwrap_or(frame.depth);
        for name in &wire.del {
            frame.locals.remove(name);
        }
        for (name, value) in changes {
            frame.locals.set(name, value);
        }
        let (event, suspension) = match wire.event {
            Wire::Call => (Event::Call, false),
            Wire::Resume => (Event::Call, true),
            Wire::Line => (Event::Line, false),
            Wire::Return => (Event::Return, false),
            Wire::Yield => (Event::Return, true),
            Wire::Exception => (Event::Exception, false),
        };
        let state = State {
            event,
            loc: Loc { file: frame.file, line: wire.line.max(1) },
            function: frame.name.clone(),
            depth: frame.depth,
            locals: Some(frame.locals.clone()),
            arg: wire.arg.map(|text| Value(text.into())),
            suspension,
        };
        let number = u32::try_from(wire.frame).map_err(|_| "too many frames")?;
        self.tree.push(state, Some(number)).map_err(|error| error.to_string())?;
        if self.tree.len() >= self.tell {
            self.tell_attendant();
        }
        Ok(())
    }

    /// Tells the attendant what is new, if anything is.
    fn tell_attendant(&mut self) {
        let states = self.tree.len();
        let Some(attendant) = self.attendant.filter(|_| states > self.told) else { return };
        let began = Instant::now();
        (self.told, self.tell) = (states, FIRST_TOLD.max(4 * states));
        let (tree, output) = (self.tree.clone().finish(Exit::Cut), self.output.clone());
        attendant.so_far(Recording { tree, output, ..self.about.clone() });
        // telling takes as long as there are states: one part of twenty of the time
        self.patience = Instant::now() + 20 * began.elapsed();
    }

    fn print(&mut self, stream: &str, text: &str) {
        let after = self.tree.len() as u64;
        match self.output.last_mut() {
            Some(last) if last.after == after && last.stream == stream => last.text.push_str(text),
            _ => self.output.push(Output { after, stream: stream.into(), text: text.into() }),
        }
    }

    /// How the program ended, in the recording's words.
    fn exit(&mut self, ended: Ended, options: &Options) -> Result<(Exit, String), Error> {
        match self.failure.take() {
            Some((Failure::Syntax, message)) => return Err(Error::Syntax(message)),
            Some((Failure::Entry, message)) => return Err(Error::Entry(message)),
            Some((Failure::Tracer, message)) => return Err(Error::Child(message)),
            None => {}
        }
        if let Some(end) = self.end.take() {
            return Ok(end);
        }
        let mut note = match ended {
            Ended::Late | Ended::Stuck => {
                format!("stopped after {} seconds", options.limits.seconds)
            }
            Ended::TooMuch => "stopped: the program printed too much".into(),
            Ended::Died => "the program ended the whole interpreter".into(),
            Ended::Done { signal: 0, code } => {
                format!("the program ended its process itself, with exit code {code}")
            }
            Ended::Done { signal, .. } => match signal_name(signal) {
                "SIGXCPU" => format!("stopped: more than {} s of CPU", options.limits.seconds),
                name => format!("the program was killed by signal {signal} ({name})"),
            },
        };
        if let Some(odd) = self.odd.take() {
            note = format!("{note}; {odd}");
        }
        if self.tree.is_empty() {
            return Err(Error::Entry(format!("nothing was recorded: {note}")));
        }
        Ok((Exit::Cut, note))
    }
}

impl Sink for Assembly<'_> {
    fn line(&mut self, line: Line) {
        match line {
            Line::State(state) => {
                if let Err(why) = self.state(state) {
                    self.odd.get_or_insert(why);
                }
            }
            Line::Output { stream, text } => self.print(&stream, &text),
            Line::End { exit, note } => {
                let exit = match exit {
                    protocol::Exit::Normal => Exit::Normal,
                    protocol::Exit::Error => Exit::Error,
                    protocol::Exit::Cut => Exit::Cut,
                };
                self.end = Some((exit, note));
            }
            Line::Fail { kind, message } => self.failure = Some((kind, message)),
            Line::Value { .. }
            | Line::Outline(_)
            | Line::Hello { .. }
            | Line::Ask { .. }
            | Line::Done { .. } => {}
        }
    }

    fn written(&mut self, written: Written) -> bool {
        self.room = self.room.saturating_sub(written.bytes.len() as u64);
        if self.room == 0 {
            return false;
        }
        self.print(written.stream, &escaped(&written.bytes));
        true
    }

    fn idle(&mut self) {
        if Instant::now() >= self.patience {
            self.tell_attendant();
        }
    }

    fn ask(&mut self, prompt: &str) -> Result<Option<String>, Error> {
        let Some(attendant) = self.attendant else { return Ok(None) };
        self.tell_attendant(); // who is asked may look at what led there
        let line = attendant.line(self.lines, prompt)?;
        self.lines += 1;
        if let Some(line) = &line {
            self.print("stdin", &format!("{line}\n"));
        }
        Ok(line)
    }
}

/// Bytes as text; undecodable ones as `\xNN`.
fn escaped(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            text.push_str(&format!("\\x{byte:02x}"));
        }
    }
    text
}

fn signal_name(signal: i32) -> &'static str {
    match signal {
        4 => "SIGILL",
        6 => "SIGABRT",
        7 => "SIGBUS",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        15 => "SIGTERM",
        24 => "SIGXCPU",
        25 => "SIGXFSZ",
        31 => "SIGSYS",
        _ => "?",
    }
}
