//! A running interpreter: starts the tracer, hands it jobs, reads its lines, ends it.
//!
//! The child's descriptor 0 is a socket for jobs and lines; 1 and 2 are pipes for what a
//! program writes past `sys.stdout`. Must not know: what lines mean.

use super::children::{self, Listed};
use super::complaint;
use super::environment::{PASSED, Variable};
use super::protocol::{Answer, Line, VERSION};
use super::sandbox::{self, Policy, Protection};
use super::{Error, Python};
use serde::Serialize;
use std::borrow::Cow;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// What runs inside CPython.
const TRACER: &str = concat!(
    include_str!("tracer/values.py"),
    include_str!("tracer/remember.py"),
    include_str!("tracer/recorder.py"),
    include_str!("tracer/wire.py"),
    include_str!("tracer/asked.py"),
    include_str!("tracer/program.py"),
    include_str!("tracer/known.py"),
    include_str!("tracer/server.py"),
);

/// How often a waiting reader looks at the clock and the cancel flag.
const TICK: Duration = Duration::from_millis(25);

/// How much longer than a job's own time limit its server gets, in seconds.
pub const GRACE: f64 = 4.0;

/// How long an interpreter may take to begin.
const START: Duration = Duration::from_secs(20);

/// After the end of a program: how long its exit handlers may take.
const AFTERMATH: Duration = Duration::from_millis(1500);

/// How long, after the end, nothing must come from the program's pipes.
const PATIENCE: Duration = Duration::from_millis(5);

/// What the child's folder is called in whatever a program shows: its real name is new in each
/// run, and recordings of two runs are to be equal. Another seed has another name, so that a
/// second run tells that nobody could know it.
fn steady_name(seed: u32) -> String {
    match seed {
        0 => "/tmp/foretrace".into(),
        seed => format!("/tmp/foretrace-{seed}"),
    }
}

/// A piece of what a program wrote to a descriptor.
pub struct Written {
    /// `stdout` or `stderr`.
    pub stream: &'static str,
    /// As it came.
    pub bytes: Vec<u8>,
}

impl Written {
    fn name_folder(&mut self, place: &Renamed) {
        if let Cow::Owned(bytes) = place.steady(&self.bytes) {
            self.bytes = bytes;
        }
    }
}

/// The child's folder and its name in what a program shows.
struct Renamed {
    real: String,
    shown: String,
}

impl Renamed {
    /// Bytes with the folder under the name that it has in every run.
    fn steady<'a>(&self, bytes: &'a [u8]) -> Cow<'a, [u8]> {
        match std::str::from_utf8(bytes) {
            Ok(text) if text.contains(&self.real) => {
                Cow::Owned(text.replace(&self.real, &self.shown).into_bytes())
            }
            _ => Cow::Borrowed(bytes),
        }
    }
}

/// Takes what a job produces, in order.
pub trait Sink {
    /// A line; not `hello` and `done`.
    fn line(&mut self, line: Line);
    /// Bytes that came past the tracer; false when there have been too many.
    fn written(&mut self, written: Written) -> bool;
    /// The program does something that takes long, or waits.
    fn idle(&mut self) {}
    /// A line for the program to read, after what it has printed; `None` ends its input. The
    /// time this takes does not count.
    ///
    /// # Errors
    /// [`Error::Cancelled`] ends the job.
    fn ask(&mut self, _prompt: &str) -> Result<Option<String>, Error> {
        Ok(None)
    }
}

/// Bounds of one job, enforced by killing the child.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Wall-clock time: more than the tracer's own.
    pub seconds: f64,
    /// Bytes of lines.
    pub bytes: u64,
    /// Whether what comes through the program's pipes is taken, and waited for at the end. When
    /// it comes is chance.
    pub pipes: bool,
}

/// How a job's process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// It is gone; by this signal, or with this exit code.
    Done { signal: i32, code: i32 },
    /// The whole interpreter is gone.
    Died,
    /// The server ended it at its time limit.
    Late,
    /// The server itself was killed, past the time limit.
    Stuck,
    /// It was killed because it wrote too much.
    TooMuch,
}

/// A child that does jobs one after another.
pub struct Interpreter {
    child: Child,
    channel: BufReader<UnixStream>,
    written: Receiver<Written>,
    /// Goes before its entry in the list does.
    folder: TempDir,
    /// Its path as lines and output have it.
    place: Renamed,
    listed: Listed,
    protection: Protection,
    version: String,
    usable: bool,
}

impl Interpreter {
    /// Starts the tracer under a policy, in a fresh folder that it may write, with these
    /// variables on top of those that are passed on.
    ///
    /// # Errors
    /// [`Error::Child`] with what the interpreter said.
    pub fn start(
        python: &Python,
        policy: &Policy,
        seed: u32,
        variables: &[Variable],
    ) -> Result<Self, Error> {
        let passed = |name: &str| Some((name.to_owned(), std::env::var_os(name)?));
        let passed = PASSED.into_iter().filter_map(passed);
        let given = variables.iter().map(|v| (v.name.clone(), OsString::from(&v.value)));
        Self::with(python, policy, seed, &["-B"], passed.chain(given).collect())
    }

    /// One that sees nothing of the user's: no site packages, no environment.
    ///
    /// # Errors
    /// See [`Interpreter::start`].
    pub fn bare(python: &Python) -> Result<Self, Error> {
        // Not -I, which would ignore the hash seed; the environment is empty anyway.
        Self::with(python, &Policy::default(), 0, &["-B", "-s", "-S"], Vec::new())
    }

    fn with(
        python: &Python,
        policy: &Policy,
        seed: u32,
        flags: &[&str],
        environment: Vec<(String, OsString)>,
    ) -> Result<Self, Error> {
        let failed = |error: std::io::Error| Error::Child(error.to_string());
        let folder = tempfile::Builder::new().prefix("foretrace-").tempdir();
        let folder = folder.map_err(|error| {
            Error::Child(format!("it needs a temporary folder (see $TMPDIR): {error}"))
        })?;
        let listed = children::list(Some(folder.path()));
        let mut policy = policy.clone();
        policy.read.extend(python.folders().iter().cloned());
        policy.write.push(folder.path().into());
        let (ours, theirs) = UnixStream::pair().map_err(failed)?;
        ours.set_read_timeout(Some(TICK)).map_err(failed)?;
        let mut command = Command::new(python.path());
        command
            .args(flags)
            .args(["-c", TRACER])
            .current_dir(folder.path()) // the first place it would import from
            .env_clear()
            .envs(environment)
            .env("PYTHONHASHSEED", seed.to_string())
            .env("HOME", folder.path())
            .env("TMPDIR", folder.path())
            // a debugger within the program would take its place, and wait for keys
            .env("PYTHONBREAKPOINT", "0")
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        let (mut child, protection) = sandbox::spawn(command, &policy).map_err(failed)?;
        listed.runs(child.id());
        let (sender, written) = sync_channel(64);
        if let Some(pipe) = child.stdout.take() {
            drain("stdout", pipe, sender.clone()).map_err(failed)?;
        }
        if let Some(pipe) = child.stderr.take() {
            drain("stderr", pipe, sender).map_err(failed)?;
        }
        let channel = BufReader::with_capacity(1 << 16, ours);
        let version = String::new();
        let usable = true;
        let real = folder.path().display().to_string();
        let place = Renamed { real, shown: steady_name(seed) };
        let mut this = Interpreter {
            child,
            channel,
            written,
            folder,
            place,
            listed,
            protection,
            version,
            usable,
        };
        this.greet(python)?;
        Ok(this)
    }

    fn greet(&mut self, python: &Python) -> Result<(), Error> {
        let deadline = Instant::now() + START;
        let mut buffer = Vec::new();
        loop {
            match self.next(&mut buffer) {
                Next::Line => break,
                Next::Nothing if Instant::now() < deadline => {}
                Next::Nothing => {
                    let (path, seconds) = (python.path().display(), START.as_secs());
                    return Err(Error::Child(format!(
                        "{path} has not begun after {seconds} s; if the machine is busy, try \
                         again, else name another with --python"
                    )));
                }
                Next::Closed => return Err(Error::Child(self.last_words(python))),
            }
        }
        match serde_json::from_slice(&buffer) {
            Ok(Line::Hello { protocol: VERSION, python }) => {
                self.version = python;
                Ok(())
            }
            _ => Err(Error::Child("its first line was not understood".into())),
        }
    }

    /// Which interpreter it was that died, and what it said on stderr before.
    fn last_words(&mut self, python: &Python) -> String {
        let mut said = Vec::new();
        while let Ok(written) = self.written.recv_timeout(Duration::from_millis(200)) {
            said.extend(written.bytes);
        }
        let path = python.path().display();
        match complaint::of(&said) {
            Some(line) => format!("{path} does not start: {line}"),
            None => format!("{path} ended at once without a word"),
        }
    }

    /// Version, e.g. `3.11.7`.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// What is in force.
    pub fn protection(&self) -> Protection {
        self.protection
    }

    /// The folder it may write.
    pub fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }

    /// Whether it can take another job.
    pub fn usable(&self) -> bool {
        self.usable
    }

    /// Does one job. At the deadline, when cancelled, or after too many bytes of lines the
    /// child is killed and no longer usable.
    ///
    /// # Errors
    /// [`Error::Cancelled`], or [`Error::Child`] when the job cannot be sent.
    pub fn job(
        &mut self,
        job: &impl Serialize,
        bounds: Bounds,
        cancel: &AtomicBool,
        sink: &mut impl Sink,
    ) -> Result<Ended, Error> {
        self.send(job)?;
        let seconds = Duration::from_secs_f64(bounds.seconds.clamp(0.1, 1e6));
        let mut deadline = Instant::now() + seconds;
        let mut left = bounds.bytes;
        let mut buffer = Vec::new();
        let ended = loop {
            let next = self.next(&mut buffer);
            // What came through the pipes was written after the states that are still on the
            // wire; so those go first.
            let silent = matches!(next, Next::Nothing);
            if silent && !self.pass_written(sink, bounds.pipes) || left < buffer.len() as u64 {
                break Ended::TooMuch;
            }
            if cancel.load(Ordering::Relaxed) {
                self.kill();
                return Err(Error::Cancelled);
            }
            if Instant::now() > deadline {
                break Ended::Stuck;
            }
            match next {
                Next::Nothing => {
                    sink.idle();
                    continue;
                }
                Next::Closed => break Ended::Died,
                Next::Line => left -= buffer.len() as u64,
            }
            // What is not understood is a program that wrote to our descriptor.
            match serde_json::from_slice(&self.place.steady(&buffer)) {
                Ok(Line::Done { late: true, .. }) => break Ended::Late,
                Ok(Line::Done { signal, code, .. }) => break Ended::Done { signal, code },
                Ok(Line::Hello { .. }) | Err(_) => {}
                Ok(Line::Ask { prompt }) => {
                    let asked = Instant::now();
                    let answer = sink.ask(&prompt).inspect_err(|_| self.kill())?;
                    deadline += asked.elapsed();
                    self.send(&Answer { answer })?;
                }
                Ok(line) => {
                    if matches!(line, Line::End { .. }) {
                        deadline = deadline.min(Instant::now() + AFTERMATH);
                    }
                    sink.line(line);
                }
            }
            buffer.clear();
        };
        if matches!(ended, Ended::Died | Ended::TooMuch | Ended::Stuck) {
            self.kill();
        }
        if !bounds.pipes {
            return Ok(ended);
        }
        // The pipes' readers are a moment behind.
        while let Ok(mut written) = self.written.recv_timeout(PATIENCE) {
            written.name_folder(&self.place);
            if !sink.written(written) {
                break;
            }
        }
        Ok(ended)
    }

    /// Sends a line; a child that cannot be spoken to is killed.
    fn send(&mut self, what: &impl Serialize) -> Result<(), Error> {
        let mut text = serde_json::to_vec(what).map_err(|error| Error::Child(error.to_string()))?;
        text.push(b'\n');
        self.channel.get_mut().write_all(&text).map_err(|error| {
            self.kill();
            Error::Child(error.to_string())
        })
    }

    /// Reads on until a line is whole, nothing comes for a tick, or the end.
    fn next(&mut self, buffer: &mut Vec<u8>) -> Next {
        match self.channel.read_until(b'\n', buffer) {
            Ok(_) if buffer.ends_with(b"\n") => Next::Line,
            Ok(_) => Next::Closed,
            Err(error) => match error.kind() {
                ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => {
                    Next::Nothing
                }
                _ => Next::Closed,
            },
        }
    }

    fn pass_written(&mut self, sink: &mut impl Sink, taken: bool) -> bool {
        loop {
            match self.written.try_recv() {
                Ok(_) if !taken => {}
                Ok(mut written) => {
                    written.name_folder(&self.place);
                    if !sink.written(written) {
                        return false;
                    }
                }
                Err(TryRecvError::Empty | TryRecvError::Disconnected) => return true,
            }
        }
    }

    /// Kills the child and all it has started (its process group).
    fn kill(&mut self) {
        self.usable = false;
        self.listed.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Interpreter {
    fn drop(&mut self) {
        self.kill();
    }
}

enum Next {
    Line,
    Closed,
    Nothing,
}

/// Reads a pipe on a thread of its own until it closes. A full queue blocks the writer.
fn drain(
    stream: &'static str,
    mut pipe: impl Read + Send + 'static,
    sender: SyncSender<Written>,
) -> std::io::Result<()> {
    std::thread::Builder::new().name(stream.into()).spawn(move || {
        let mut buffer = vec![0; 1 << 14];
        while let Ok(count) = pipe.read(&mut buffer) {
            let bytes = buffer.get(..count).unwrap_or_default().to_vec();
            if count == 0 || sender.send(Written { stream, bytes }).is_err() {
                break;
            }
        }
    })?;
    Ok(())
}
