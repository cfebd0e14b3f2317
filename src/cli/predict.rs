//! `foretrace predict`: the same session without a screen.
//!
//! Commands come from `-c`, or one a line from the standard input. Text is printed as pdb
//! would, JSON as `json` describes. Nothing sleeps: replies are waited for.

use super::answers::Answers;
use super::args::SessionArgs;
use super::failure::{Failure, arguments, shortened};
use super::json;
use super::open::{Opened, open};
use super::out;
use super::ports::Fault;
use crate::config::Config;
use crate::session::worker::Workers;
use crate::session::{Effect, LogKind, Mark, Question, Reply, Session, Unit};
use anyhow::Context as _;
use clap::Args;
use crossbeam_channel::Receiver;
use std::io::{BufRead, IsTerminal, Write};
use std::sync::Arc;

/// Predicts without a screen: commands in, text or JSON out.
#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Examples:
  foretrace predict prog.py -c s -c s -c 'p n'
  foretrace predict prog.py --entry 'f(3)' -b 4 -c c --verify --json
  foretrace predict prog.py --oracle cpython -c 's;;n;;r'

Exit codes: 0 whatever the verdicts, 2 bad usage or unreadable program, 3 model or CPython
not usable, 4 a mismatch with --fail-on-mismatch.")]
pub struct PredictArgs {
    #[command(flatten)]
    session: SessionArgs,

    /// A command, as in pdb; repeatable. Without any they are read from the standard input.
    #[arg(short = 'c', long = "command", value_name = "COMMAND")]
    commands: Vec<String>,

    /// Print JSON: a header, then one object a step.
    #[arg(long)]
    json: bool,

    /// Say at the end, on stderr and as JSON, what the answers cost: tokens read, found in the
    /// cache, forced, speculated, accepted and sampled, and the seconds from the first command.
    #[arg(long)]
    stats: bool,

    /// With --json: print the single steps of a chained jump, too, each with its number as
    /// `substep`, before the jump.
    #[arg(long, requires = "json")]
    substeps: bool,

    /// Exit with 4 if a prediction differs from what CPython does.
    #[arg(long)]
    fail_on_mismatch: bool,
}

/// Runs the command.
///
/// # Errors
/// [`Failure`] with the exit code.
pub fn run(args: &PredictArgs, config: &Config) -> anyhow::Result<()> {
    let Opened { session, started, workers, replies, fault } =
        open(&args.session, config, Unit::Event, None, Answers::none(), Vec::new())?;
    if let Some(why) = &session.setup().refused {
        return Err(Failure::usage(why.clone()).into());
    }
    let mut printer = Printer {
        out: out::stdout(),
        json: args.json,
        substeps: args.substeps,
        lines: 0,
        visits: 0,
        steps: 0,
        mismatches: 0,
    };
    let mut driver = Driver { session, workers, replies, fault };
    driver.perform(started)?;
    driver.usable(args)?;
    if args.json {
        json::header(&mut printer.out, &driver.session)?;
    }
    printer.print(&driver.session)?;
    let begun = std::time::Instant::now();
    if args.commands.is_empty() {
        if std::io::stdin().is_terminal() {
            let why = "no commands: give them with -c, e.g. -c s, or on the standard input";
            return Err(Failure::usage(why).into());
        }
        for line in std::io::stdin().lock().lines() {
            let line = line.context("commands on the standard input")?;
            driver.command(&line, &mut printer)?;
        }
    } else {
        for line in &args.commands {
            driver.command(line, &mut printer)?;
        }
    }
    driver.usable(args)?;
    if args.stats {
        out::note(stats(&driver.session, begun.elapsed()));
    }
    match (driver.session.refused(), args.fail_on_mismatch, printer.mismatches) {
        ([why, more @ ..], _, _) => {
            let more = match more.len() {
                0 => String::new(),
                n => format!(" (and {n} more)"),
            };
            Err(Failure::usage(format!("{why}{more}")).into())
        }
        (_, true, n @ 1..) => {
            let steps = if n == 1 { "one step differs" } else { &format!("{n} steps differ") };
            Err(Failure::mismatch(format!("{steps} from CPython")).into())
        }
        _ => Ok(()),
    }
}

/// What a session's answers have cost, in one line.
fn stats(session: &Session, elapsed: std::time::Duration) -> serde_json::Value {
    let (answers, work) = session.work();
    serde_json::json!({
        "answers": answers,
        "prompt": work.prompt,
        "cached": work.cached,
        "forced": work.forced,
        "speculated": work.speculated,
        "accepted": work.accepted,
        "sampled": work.sampled,
        "seconds": elapsed.as_secs_f64(),
    })
}

/// Performs effects and waits for replies, until the session is idle.
struct Driver {
    session: Session,
    workers: Workers,
    replies: Receiver<Reply>,
    fault: Arc<Fault>,
}

impl Driver {
    fn command(&mut self, line: &str, printer: &mut Printer) -> anyhow::Result<()> {
        if self.session.is_over() || line.trim_start().starts_with('#') {
            return Ok(());
        }
        let effects = self.session.execute(line);
        self.perform(effects)?;
        printer.print(&self.session)
    }

    fn perform(&mut self, mut effects: Vec<Effect>) -> anyhow::Result<()> {
        loop {
            for effect in effects.drain(..) {
                self.workers.perform(effect);
            }
            if let Some(question) = self.session.question() {
                effects = match question {
                    // Nobody is asked; what a program reads is in --stdin.
                    Question::Reads(_) => self.session.enter(None),
                    // Asking for it on the command line is consent; a loop without a stop is not.
                    question => {
                        let yes = !matches!(question, Question::GoOn(_));
                        self.session.answer(yes)
                    }
                };
            } else if self.session.busy().is_some() {
                effects = self.session.receive(self.replies.recv()?);
            } else {
                return Ok(());
            }
        }
    }

    /// Whether there is someone to predict, and to verify if that was asked for.
    fn usable(&self, args: &PredictArgs) -> anyhow::Result<()> {
        if let Some(why) = self.session.oracle_failure() {
            return Err(self.fault.failure(why).into());
        }
        match self.session.recorder_failure() {
            Some(why) if args.session.verify => Err(self.fault.failure(why).into()),
            _ => Ok(()),
        }
    }
}

/// Prints what is new.
struct Printer {
    out: out::Stdout,
    json: bool,
    substeps: bool,
    lines: usize,
    visits: usize,
    steps: usize,
    mismatches: usize,
}

impl Printer {
    fn print(&mut self, session: &Session) -> anyhow::Result<()> {
        let visits: Vec<Mark> = session.visits().iter().skip(self.visits).copied().collect();
        self.visits += visits.len();
        for mark in visits {
            let Some(entry) = session.entry(mark) else { continue };
            if entry.verdict().right() == Some(false) {
                self.mismatches += 1;
            }
            if self.json {
                json::entry(&mut self.out, session, mark, entry, self.steps, self.substeps)?;
            }
            self.steps += 1;
        }
        for line in session.log().iter().skip(self.lines) {
            match (self.json, line.kind) {
                (false, LogKind::Command) => self.out.line(format_args!("(fdb) {}", line.text))?,
                (false, LogKind::Change) => self.out.line(format_args!("   {}", line.text))?,
                (false, LogKind::Error) => {
                    self.out.line(format_args!("*** {}", shortened(&line.text, arguments())))?;
                }
                (false, _) => self.out.line(&line.text)?,
                // What was refused is said once, at the end.
                (true, LogKind::Error) if session.refused().contains(&line.text) => {}
                (true, LogKind::Error) => out::warn(shortened(&line.text, arguments())),
                (true, LogKind::Value) => json::value(&mut self.out, &line.text)?,
                (true, _) => {}
            }
        }
        self.lines = session.log().len();
        self.out.flush()?;
        Ok(())
    }
}
