//! What is on the screen, as a value, and how events change it.
//!
//! [`App::update`] may mutate and does no I/O; what must be done comes out as [`Effect`]s.
//! The session owns what is debugged; the app owns only how it is looked at. Must not
//! know: terminals, threads.

use super::event::{Event, Signal};
use super::highlight::Colours;
use super::keymap::Keymap;
use super::layout::{Layout, Pane, Want, layout};
use super::listing::SourceView;
use super::look::Look;
use super::prompt::{Kind, Prompt};
use super::scroll::Scroll;
use super::view::variables::VariablesView;
use super::view::{answer, breakpoints, log, output, page, stack, variables};
use crate::session::{self, Command, Mark, Question, Session};
use crate::trace::State;
use ratatui::layout::Rect;

/// Something the loop must do for the app.
#[derive(Debug)]
pub enum Effect {
    /// For the session's workers.
    Session(session::Effect),
    /// Append to the history of commands.
    Remember(String),
    /// Draw everything anew.
    Redraw,
    /// Leave the screen until the process is continued.
    Suspend,
}

/// Why the loop ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The person left.
    Quit,
    /// TERM, or the terminal is gone.
    Signal(Signal),
}

/// What lies over the panes, at most one at a time. A question of the session comes first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Overlay {
    /// What this is and which keys matter: shown at the first start.
    Welcome,
    /// Text to read, from a line on.
    Page(Page, Scroll),
}

/// Text to read over the panes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Page {
    /// All commands and keys.
    Help,
    /// Everything known about the present step.
    Details,
    /// What the last command said, where nothing else has room for it.
    Answer,
}

/// The state of the screen.
#[derive(Debug)]
pub struct App {
    /// What is debugged.
    pub session: Session,
    /// How meanings look.
    pub look: Look,
    /// Which key asks for what.
    pub keymap: Keymap,
    /// The whole screen.
    pub screen: Rect,
    /// The pane that keys act on.
    pub focus: Pane,
    /// Only that pane is shown.
    pub zoom: bool,
    /// Source text: file, scrolling, search, colours.
    pub source: SourceView,
    /// Variables: chosen row, open values.
    pub variables: VariablesView,
    /// Call stack: chosen row.
    pub stack: Scroll,
    /// Breakpoints: chosen row.
    pub breakpoints: Scroll,
    /// Program output: scrolling.
    pub output: Scroll,
    /// Transcript: scrolling.
    pub log: Scroll,
    /// Cells scrolled sideways in lists and transcripts.
    pub left: usize,
    /// The command line.
    pub prompt: Prompt,
    /// What is typed for a program that reads; the command line is kept meanwhile.
    pub input: Prompt,
    /// What lies on top.
    pub overlay: Option<Overlay>,
    /// A line of the screen's own; goes away with the next key.
    pub message: Option<String>,
    /// Lines of the log that were there at the last key: what came later is news.
    pub log_seen: usize,
    /// Where the session was then.
    seen_at: (Option<Mark>, u32),
    /// Lines of the log that were there when an answer last became a page.
    paged: usize,
    /// The present state was reached by moving in the history.
    pub replayed: bool,
    /// Pictures of the spinner so far.
    pub tick: usize,
    /// Set once the loop is to end.
    pub ending: Option<Ending>,
}

impl App {
    /// The first screen of a session.
    pub fn new(session: Session, look: Look, keymap: Keymap, prompt: Prompt) -> App {
        let files = session.program().files.len();
        let mut app = App {
            session,
            look,
            keymap,
            screen: Rect::default(),
            focus: Pane::Source,
            zoom: false,
            source: SourceView::new(files),
            variables: VariablesView::default(),
            stack: Scroll::default(),
            breakpoints: Scroll::default(),
            output: Scroll::default(),
            log: Scroll::default(),
            left: 0,
            prompt,
            input: Prompt::default(),
            overlay: None,
            message: None,
            log_seen: 0,
            seen_at: (None, 0),
            paged: 0,
            replayed: false,
            tick: 0,
            ending: None,
        };
        app.show_state();
        app
    }

    /// The areas of the screen as it is now.
    pub fn layout(&self) -> Layout {
        let notes = u16::from(!self.session.header().notes.is_empty());
        layout(self.screen, Want { focus: self.focus, notes, zoom: self.zoom })
    }

    /// Whether something is on its way and the spinner turns.
    pub fn busy(&self) -> bool {
        self.session.busy().is_some()
    }

    /// Takes in one event.
    pub fn update(&mut self, event: Event) -> Vec<Effect> {
        let effects = match event {
            Event::Input(input) => self.input(input),
            Event::Reply(reply) => self.with_session(|session| session.receive(reply)),
            Event::Colours(Colours { file, first, lines }) => {
                self.source.set_colours(file, first, lines);
                Vec::new()
            }
            Event::Tick => {
                self.tick = self.tick.wrapping_add(1);
                Vec::new()
            }
            Event::Signal(Signal::Suspend) => vec![Effect::Suspend],
            Event::Signal(Signal::Interrupt) => self.command(Command::Cancel),
            Event::Signal(signal) => {
                self.ending = Some(Ending::Signal(signal));
                Vec::new()
            }
        };
        self.settle();
        effects
    }

    /// Gives the session a command.
    pub fn command(&mut self, command: Command) -> Vec<Effect> {
        self.with_session(|session| session.apply(command))
    }

    /// Gives the session a line as typed.
    pub fn execute(&mut self, line: &str) -> Vec<Effect> {
        self.with_session(|session| session.execute(line))
    }

    /// Lets the session change, and follows it: the source shows the new place, the
    /// transcript its end, and a state that was in the timeline before counts as replayed.
    pub fn with_session(
        &mut self,
        change: impl FnOnce(&mut Session) -> Vec<session::Effect>,
    ) -> Vec<Effect> {
        let before = self.position();
        let known: Vec<Mark> = self.session.cells().iter().map(|cell| cell.mark).collect();
        let lines = self.session.log().len();
        let written = output::count(self);
        let effects = change(&mut self.session);
        let after = self.position();
        if before != after {
            if before.0 != after.0 {
                self.replayed = after.0.is_some_and(|mark| known.contains(&mark));
                variables::show_news(self);
            }
            self.show_state();
        }
        if self.session.log().len() != lines {
            self.log.cursor = usize::MAX;
        }
        if output::count(self) != written {
            self.output.cursor = usize::MAX;
        }
        if self.session.is_over() {
            self.ending = Some(Ending::Quit);
        }
        effects.into_iter().map(Effect::Session).collect()
    }

    /// Takes what was said so far as read.
    pub fn mark_seen(&mut self) {
        let (mark, frame, _) = self.position();
        (self.log_seen, self.seen_at) = (self.session.log().len(), (mark, frame));
    }

    /// Whether the session is elsewhere than at the last key.
    pub fn moved(&self) -> bool {
        let (mark, frame, _) = self.position();
        self.seen_at != (mark, frame)
    }

    /// Where the session is, as far as the source pane follows it.
    fn position(&self) -> (Option<Mark>, u32, usize) {
        let at = self.session.present().map(|_| self.session.mark());
        let substeps = self.session.busy().map_or(0, |busy| busy.substeps);
        (at, self.session.selected(), substeps)
    }

    /// The state of the selected frame.
    pub fn shown(&self) -> Option<State> {
        self.session
            .stack()
            .into_iter()
            .find(|frame| frame.selected)
            .and_then(|frame| frame.state)
            .or_else(|| self.session.present()?.stop.stop.state().cloned())
    }

    /// Scrolls the source to the state of the selected frame.
    pub fn show_state(&mut self) {
        if let Some(state) = self.shown() {
            let rows = usize::from(self.layout().inner(Pane::Source).height);
            self.source.reveal(state.loc, rows);
        }
    }

    /// Shows a program that was read anew: of the old one's text nothing is known any more.
    pub fn show_program(&mut self) {
        self.source.forget(self.session.program().files.len());
        self.show_state();
        self.settle();
    }

    /// Brings every cursor back into what there is to see. Runs after every event, so that
    /// drawing has nothing to correct.
    fn settle(&mut self) {
        match (self.session.question(), self.input.kind()) {
            (Some(Question::Reads(_)), None) => self.input.open(Kind::Input, ""),
            (Some(Question::Reads(_)), Some(_)) | (_, None) => {}
            (_, Some(_)) => self.input = Prompt::default(),
        }
        let layout = self.layout();
        let source = layout.inner(Pane::Source);
        let (lines, program) = (self.row_count(Pane::Source), self.session.program());
        self.source.settle(lines, source.height.into(), source.width.into(), program);
        for pane in Pane::ALL.into_iter().filter(|pane| *pane != Pane::Source) {
            let (rows, height) = (self.row_count(pane), layout.inner(pane).height);
            self.scroll_of(pane).settle(rows, height.into());
        }
        let lines = self.session.log().len();
        if self.overlay.is_none() && self.paged < lines && answer::needs_page(self) {
            self.paged = lines;
            self.overlay = Some(Overlay::Page(Page::Answer, Scroll::default()));
        }
        if let Some(Overlay::Page(page, scroll)) = self.overlay {
            // A page has no cursor: its first visible line is what moves.
            let top = scroll.top.min(page::last_top(self, page));
            self.overlay = Some(Overlay::Page(page, Scroll { cursor: top, top }));
        }
    }

    /// How many rows a pane has to show.
    pub fn row_count(&self, pane: Pane) -> usize {
        match pane {
            Pane::Source => self.source.lines(self.session.program()).len(),
            Pane::Variables => variables::count(self),
            Pane::Stack => stack::count(self),
            Pane::Breakpoints => breakpoints::count(self),
            Pane::Output => output::count(self),
            Pane::Log => log::count(self),
        }
    }

    /// Cursor and first row of a pane.
    pub fn scroll_of(&mut self, pane: Pane) -> &mut Scroll {
        match pane {
            Pane::Source => &mut self.source.scroll,
            Pane::Variables => &mut self.variables.scroll,
            Pane::Stack => &mut self.stack,
            Pane::Breakpoints => &mut self.breakpoints,
            Pane::Output => &mut self.output,
            Pane::Log => &mut self.log,
        }
    }

    /// The first key of each of these commands, as shown: `S N F C`.
    pub fn keys(&self, names: &[&str]) -> String {
        let keys = names.iter().filter_map(|name| self.keymap.keys(name).next());
        keys.map(|key| self.look.key(&key)).collect::<Vec<_>>().join(" ")
    }

    /// Names that the command line may complete.
    pub fn completions(&self) -> Vec<String> {
        self.session.variables().iter().map(|v| v.name.to_string()).collect()
    }

    /// Opens the command line in front of its transcript.
    pub fn open_prompt(&mut self, kind: Kind, text: &str) {
        self.prompt.open(kind, text);
    }
}
