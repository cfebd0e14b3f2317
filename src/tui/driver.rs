//! The loop: wait for something to happen, take in all that has, draw.
//!
//! Generic over the backend, so that tests run the same loop on a screen in memory. Draws
//! at most every 16 ms and only after a change; ticks only while something is busy; else
//! it blocks and costs nothing. Must not know: what is drawn.

use super::app::{App, Effect, Ending};
use super::event::Event;
use super::highlight;
use super::terminal::Guard;
use super::view;
use crate::program::Program;
use crate::session::{self, Reply, worker::Workers};
use crossbeam_channel::{Receiver, Sender, after, never, select, unbounded};
use ratatui::Terminal;
use ratatui::backend::Backend;
use ratatui::layout::Rect;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Least time between two drawings.
const FRAME: Duration = Duration::from_millis(16);
/// Time between two pictures of the spinner.
const TICK: Duration = Duration::from_millis(100);

/// When [`Driver::run`] returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Until {
    /// The person leaves, or a signal ends the program.
    Ended,
    /// Or there is nothing to do and nothing on its way: for tests, which never sleep.
    Idle,
}

/// Screen, app and the channels between them.
pub struct Driver<B: Backend> {
    terminal: Terminal<B>,
    /// What is on the screen.
    pub app: App,
    workers: Workers,
    replies: Receiver<Reply>,
    events: Receiver<Event>,
    sender: Sender<Event>,
    guard: Option<Guard>,
    history: Option<PathBuf>,
    drawn: Option<Instant>,
    /// When the spinner last turned.
    ticked: Instant,
    dirty: bool,
    /// Files whose colours are still on their way.
    uncoloured: usize,
    /// The program that is coloured, and what stops that.
    coloured: (Arc<Program>, Arc<AtomicBool>),
}

impl<B: Backend> Driver<B> {
    /// Connects an app to a screen and its session's workers, and performs the effects the
    /// session started with. `guard` is the real terminal's, if it is one; `history` is
    /// where commands are remembered.
    ///
    /// # Errors
    /// Those of the backend.
    pub fn new(
        terminal: Terminal<B>,
        mut app: App,
        started: Vec<session::Effect>,
        workers: Workers,
        replies: Receiver<Reply>,
        guard: Option<Guard>,
        history: Option<PathBuf>,
    ) -> Result<Self, B::Error> {
        let size = terminal.size()?;
        app.screen = Rect::new(0, 0, size.width, size.height);
        app.show_state();
        let (sender, events) = unbounded();
        let program = app.session.program().clone();
        let uncoloured = program.files.len();
        let coloured = (program.clone(), colour(program, sender.clone()));
        let mut driver = Driver {
            terminal,
            app,
            workers,
            replies,
            events,
            sender,
            guard,
            history,
            drawn: None,
            ticked: Instant::now(),
            dirty: true,
            uncoloured,
            coloured,
        };
        driver.perform(started.into_iter().map(Effect::Session).collect())?;
        Ok(driver)
    }

    /// Where keyboard, signals and tests send what happens.
    pub fn sender(&self) -> Sender<Event> {
        self.sender.clone()
    }

    /// The screen, for tests.
    pub fn backend(&self) -> &B {
        self.terminal.backend()
    }

    /// The same, to give it another size.
    pub fn backend_mut(&mut self) -> &mut B {
        self.terminal.backend_mut()
    }

    /// Runs until the app ends, or (for tests) until nothing is left to do.
    ///
    /// # Errors
    /// Those of the backend: the terminal is gone.
    pub fn run(&mut self, until: Until) -> Result<Option<Ending>, B::Error> {
        loop {
            if let Some(ending) = self.app.ending {
                return Ok(Some(ending));
            }
            let idle = !self.app.busy() && self.uncoloured == 0;
            if until == Until::Idle && idle && self.events.is_empty() && self.replies.is_empty() {
                self.draw()?;
                return Ok(None);
            }
            if self.dirty && self.drawn.is_none_or(|at| at.elapsed() >= FRAME) {
                self.draw()?;
            }
            if let Some(event) = self.wait() {
                self.take_in(event)?;
            }
            while self.app.ending.is_none() {
                let Ok(event) =
                    self.events.try_recv().or_else(|_| self.replies.try_recv().map(Event::Reply))
                else {
                    break;
                };
                self.take_in(event)?;
            }
        }
    }

    /// Blocks until something happens or something is due; `None`: a drawing is due.
    fn wait(&self) -> Option<Event> {
        let frame = match self.drawn {
            Some(at) if self.dirty => after(FRAME.saturating_sub(at.elapsed())),
            _ => never(),
        };
        let tick = match self.app.busy() {
            true => after(TICK.saturating_sub(self.ticked.elapsed())),
            false => never(),
        };
        select! {
            // Both channels outlive the loop: the senders are held here and by the workers.
            recv(self.events) -> event => event.ok(),
            recv(self.replies) -> reply => reply.ok().map(Event::Reply),
            recv(frame) -> _ => None,
            recv(tick) -> _ => Some(Event::Tick),
        }
    }

    fn take_in(&mut self, event: Event) -> Result<(), B::Error> {
        if let Event::Colours(part) = &event {
            let files = &self.app.session.program().files;
            let all = files.get(part.file).map_or(0, |file| file.lines.len());
            if part.first + part.lines.len() >= all {
                self.uncoloured = self.uncoloured.saturating_sub(1);
            }
        }
        if matches!(event, Event::Tick) {
            self.ticked = Instant::now();
        }
        self.dirty |= !is_noise(&event);
        let effects = self.app.update(event);
        self.follow_program();
        self.perform(effects)
    }

    /// Colours and shows a program that was read anew.
    fn follow_program(&mut self) {
        let program = self.app.session.program();
        let (coloured, stop) = &self.coloured;
        if Arc::ptr_eq(program, coloured) || program.files == coloured.files {
            return;
        }
        stop.store(true, Ordering::Relaxed);
        let program = program.clone();
        self.uncoloured = program.files.len();
        self.coloured = (program.clone(), colour(program, self.sender.clone()));
        self.app.show_program();
    }

    fn perform(&mut self, effects: Vec<Effect>) -> Result<(), B::Error> {
        for effect in effects {
            match effect {
                Effect::Session(session::Effect::Quit) => self.app.ending = Some(Ending::Quit),
                Effect::Session(effect) => self.workers.perform(effect),
                Effect::Remember(line) => self.remember(&line),
                Effect::Redraw => self.start_anew()?,
                Effect::Suspend => {
                    if let Some(Err(error)) = self.guard.as_ref().map(Guard::suspend) {
                        tracing::error!("cannot suspend: {error}");
                    }
                    self.start_anew()?;
                }
            }
            self.dirty = true;
        }
        Ok(())
    }

    /// Clears the screen, so that the next drawing writes every cell. Not by `clear`: that
    /// asks the terminal where its cursor is, and the keyboard thread would take the answer.
    fn start_anew(&mut self) -> Result<(), B::Error> {
        let size = self.terminal.size()?;
        self.terminal.resize(Rect::new(0, 0, size.width, size.height))
    }

    /// Appends to the history of commands; without the file the session goes on.
    fn remember(&self, line: &str) {
        let Some(path) = &self.history else { return };
        let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
        if let Err(error) = file.and_then(|mut file| writeln!(file, "{line}")) {
            tracing::warn!("cannot write {}: {error}", path.display());
        }
    }

    fn draw(&mut self) -> Result<(), B::Error> {
        self.dirty = false;
        self.drawn = Some(Instant::now());
        // A terminal that is going away reports no size.
        let size = self.terminal.size()?;
        if size.width > 0 && size.height > 0 {
            if (size.width, size.height) != (self.app.screen.width, self.app.screen.height) {
                self.app
                    .update(Event::Input(crossterm::event::Event::Resize(size.width, size.height)));
            }
            self.terminal.draw(|frame| view::draw(&self.app, frame))?;
        }
        Ok(())
    }
}

/// Colours a program's files on a thread of its own, until what is returned is set.
fn colour(program: Arc<Program>, to: Sender<Event>) -> Arc<AtomicBool> {
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = stop.clone();
    std::thread::spawn(move || {
        for (index, file) in program.files.iter().enumerate() {
            highlight::colour(index, &file.lines, |part| {
                !stopped.load(Ordering::Relaxed) && to.send(Event::Colours(part)).is_ok()
            });
        }
    });
    stop
}

/// Mouse motion changes nothing.
fn is_noise(event: &Event) -> bool {
    use crossterm::event::{Event as Input, MouseEventKind};
    matches!(event, Event::Input(Input::Mouse(mouse)) if mouse.kind == MouseEventKind::Moved)
}
