//! Keys, mouse and pasted text → commands of the session or of the screen.
//!
//! What is on top gets a key first: a question, an overlay, the prompt, then the panes.
//! Step keys mean the same in every pane. Must not know: how anything is drawn, beyond the
//! layout.

use super::app::{App, Effect, Overlay, Page};
use super::command::Screen;
use super::keymap::{Binding, Key};
use super::layout::Pane;
use super::prompt::{Done, Kind};
use super::scroll::Scroll;
use super::view::{answer, breakpoints, timeline, variables};
use crate::session::{Address, Command, Question};
use crossterm::event::{
    Event as Input, KeyCode, KeyEvent, KeyEventKind, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::Rect;

/// Rows that one notch of the wheel scrolls.
const WHEEL: isize = 3;

impl App {
    /// Takes in what the terminal says.
    pub(super) fn input(&mut self, input: Input) -> Vec<Effect> {
        match input {
            Input::Key(key) if key.kind != KeyEventKind::Release => self.key(key),
            Input::Mouse(mouse) => self.mouse(mouse),
            Input::Paste(text) => {
                // Pasted text is never keys: without an open prompt it goes nowhere.
                if self.input.kind().is_some() {
                    self.input.paste(&text);
                } else if self.prompt.kind().is_some() {
                    self.prompt.paste(&text);
                } else {
                    self.message =
                        Some("pasted text goes to the command line: press : first".into());
                }
                Vec::new()
            }
            Input::Resize(width, height) => {
                self.screen = Rect::new(0, 0, width, height);
                self.show_state();
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    fn key(&mut self, event: KeyEvent) -> Vec<Effect> {
        self.message = None;
        let key = Key::new(event);
        let binding = self.keymap.find(key);
        // These work everywhere, even in a prompt.
        match binding {
            Some(Binding::Screen(Screen::Redraw)) => return vec![Effect::Redraw],
            Some(Binding::Screen(Screen::Suspend)) => return vec![Effect::Suspend],
            _ => {}
        }
        if let Some(question) = self.session.question() {
            if matches!(question, Question::Reads(_)) {
                return self.input_key(event);
            }
            let quits = matches!(question, Question::Quit(_));
            return match event.code {
                KeyCode::Char('y' | 'Y') => self.with_session(|s| s.answer(true)),
                // who presses q twice means it
                KeyCode::Char('q') if quits => self.with_session(|s| s.answer(true)),
                KeyCode::Char('n' | 'N' | 'q') | KeyCode::Esc => {
                    self.with_session(|s| s.answer(false))
                }
                _ => Vec::new(),
            };
        }
        if self.overlay.is_some() && self.overlay_key(binding) {
            return Vec::new();
        }
        if self.prompt.kind().is_some() {
            return self.prompt_key(event);
        }
        self.mark_seen();
        match binding {
            Some(Binding::Session(row)) => self.session_key(row),
            Some(Binding::Screen(screen)) => self.screen_key(screen),
            None => {
                let help = self.keys(&["help"]);
                self.message = Some(format!("{key} does nothing here; {help} shows the keys"));
                Vec::new()
            }
        }
    }

    /// A key while a program waits for a line.
    fn input_key(&mut self, event: KeyEvent) -> Vec<Effect> {
        let cancel = self.keymap.keys("cancel").any(|key| key == Key::new(event));
        if cancel {
            return self.command(Command::Cancel);
        }
        match self.input.key(event, &[]) {
            Done::Editing => Vec::new(),
            Done::Cancelled => self.with_session(|s| s.enter(None)),
            Done::Entered(_, line) => self.with_session(|s| s.enter(Some(line))),
        }
    }

    /// A key while an overlay is open; `false` lets it through after closing.
    fn overlay_key(&mut self, binding: Option<Binding>) -> bool {
        let page = isize::from(self.screen.height as i16 / 2).max(1);
        match (&mut self.overlay, binding) {
            (Some(Overlay::Page(_, scroll)), Some(Binding::Screen(screen))) => match screen {
                Screen::Move(by) => scroll.top = scroll.top.saturating_add_signed(by),
                Screen::Page(by) => scroll.top = scroll.top.saturating_add_signed(by * page),
                Screen::First => scroll.top = 0,
                Screen::Last => scroll.top = usize::MAX,
                _ => self.overlay = None,
            },
            (Some(Overlay::Page(..)), _) => self.overlay = None,
            // The first screen gives way to the first command, and does not eat it.
            (Some(Overlay::Welcome), binding) => {
                self.overlay = None;
                return !matches!(binding, Some(Binding::Session(_)));
            }
            (None, _) => return false,
        }
        true
    }

    fn prompt_key(&mut self, event: KeyEvent) -> Vec<Effect> {
        // What runs is cancelled first; only then does Ctrl-C leave the prompt.
        let cancel = self.keymap.keys("cancel").any(|key| key == Key::new(event));
        if cancel && self.busy() {
            return self.command(Command::Cancel);
        }
        let completions = self.completions();
        match self.prompt.key(event, &completions) {
            Done::Editing => {
                if self.prompt.kind() == Some(Kind::Search) {
                    self.source.search(self.prompt.text(), self.session.program());
                }
                Vec::new()
            }
            // As in pdb, a list of commands that is left is not made.
            Done::Cancelled if self.session.takes_commands() => self.command(Command::Cancel),
            Done::Cancelled | Done::Entered(Kind::Input, _) => Vec::new(),
            Done::Entered(Kind::Command, line) => {
                // from habit: `:` opened it already
                let line = line.trim_start().trim_start_matches(':').to_owned();
                if let Ok(line) = line.trim().parse::<usize>()
                    && !self.session.takes_commands()
                {
                    self.goto(line.saturating_sub(1));
                    return Vec::new();
                }
                self.mark_seen();
                let mut effects = self.execute(&line);
                if self.session.takes_commands() {
                    self.open_prompt(Kind::Command, "");
                }
                if !line.trim().is_empty() {
                    effects.push(Effect::Remember(line));
                }
                effects
            }
            Done::Entered(Kind::Search, text) => {
                self.source.search(&text, self.session.program());
                if !text.is_empty() && self.source.hits() == 0 {
                    self.message = Some(format!("no {text:?} in this file"));
                }
                Vec::new()
            }
            Done::Entered(Kind::Line, text) => {
                match text.trim().parse::<usize>() {
                    Ok(line) => self.goto(line.saturating_sub(1)),
                    Err(_) => self.message = Some(format!("{text:?} is not a line number")),
                }
                Vec::new()
            }
        }
    }

    fn goto(&mut self, index: usize) {
        self.focus = Pane::Source;
        let rows = usize::from(self.layout().inner(Pane::Source).height);
        self.source.scroll.reveal(index, rows);
    }

    /// A key of the session's table. Where its command takes a place, that is the line
    /// under the cursor; where it needs more, the command line opens.
    fn session_key(&mut self, row: &'static crate::session::CommandInfo) -> Vec<Effect> {
        match row.name {
            "help" => self.open_page(Page::Help),
            "cancel" => return self.command(Command::Cancel),
            "break" => return self.toggle_break(),
            "advance" => {
                return match self.cursor_address() {
                    // as typed, so that Enter repeats it
                    Address::Line { file: None, line } => self.execute(&format!("advance {line}")),
                    here => self.command(Command::Advance(here)),
                };
            }
            "!" => self.open_prompt(Kind::Command, "!"),
            name if row.args.is_empty() || row.args.starts_with('[') => return self.execute(name),
            name => self.open_prompt(Kind::Command, &format!("{name} ")),
        }
        Vec::new()
    }

    fn open_page(&mut self, page: Page) {
        self.overlay = Some(Overlay::Page(page, Scroll::default()));
    }

    /// The source line under the cursor, as a command would name it.
    fn cursor_address(&self) -> Address {
        let program = self.session.program();
        let file = program.files.get(self.source.file).filter(|_| self.source.file > 0);
        Address::Line {
            file: file.map(|f| f.name.clone()),
            line: u32::try_from(self.source.scroll.cursor + 1).unwrap_or(u32::MAX),
        }
    }

    fn toggle_break(&mut self) -> Vec<Effect> {
        if self.focus == Pane::Breakpoints
            && let Some(number) = breakpoints::chosen(self).map(|b| b.number)
        {
            return self.command(Command::Clear(vec![number]));
        }
        let here = self.cursor_address();
        self.command(Command::ToggleBreak(here))
    }

    fn screen_key(&mut self, screen: Screen) -> Vec<Effect> {
        let rows = isize::from(self.layout().inner(self.focus).height as i16);
        match screen {
            Screen::Move(by) => self.scroll().step(by),
            Screen::Page(by) => self.scroll().step(by * (rows / 2).max(1)),
            Screen::First => self.scroll().cursor = 0,
            Screen::Last => self.scroll().cursor = usize::MAX,
            Screen::Sideways(by) => {
                let left = match self.focus {
                    Pane::Source => &mut self.source.left,
                    _ => &mut self.left,
                };
                *left = left.saturating_add_signed(by);
            }
            Screen::Here => {
                self.focus = Pane::Source;
                self.show_state();
            }
            Screen::Choose => return self.choose(),
            Screen::GotoLine => self.open_prompt(Kind::Line, ""),
            Screen::Search => {
                self.focus = Pane::Source;
                self.open_prompt(Kind::Search, "");
            }
            Screen::NextHit => self.hit(1),
            Screen::PreviousHit => self.hit(-1),
            Screen::Wrap => self.source.wrap = !self.source.wrap,
            Screen::CommandLine => self.open_prompt(Kind::Command, ""),
            Screen::NextPane => self.shift_focus(1),
            Screen::PreviousPane => self.shift_focus(-1),
            Screen::Focus(n) => self.focus = Pane::ALL.get(n).copied().unwrap_or(self.focus),
            Screen::Zoom => self.zoom = !self.zoom,
            Screen::Start => return self.goto_cell(0),
            Screen::End => return self.goto_cell(usize::MAX),
            Screen::Details => self.open_page(Page::Details),
            Screen::Close => {
                self.zoom = false;
                self.source.search("", self.session.program());
            }
            // Handled before anything else.
            Screen::Redraw | Screen::Suspend => {}
        }
        Vec::new()
    }

    fn hit(&mut self, by: isize) {
        self.focus = Pane::Source;
        if !self.source.next_hit(by) {
            let key = self.keys(&["search"]);
            self.message = Some(format!("nothing to find; {key} searches"));
        }
    }

    fn shift_focus(&mut self, by: isize) {
        let count = Pane::ALL.len() as isize;
        let next = (self.focus as isize + by).rem_euclid(count) as usize;
        self.focus = Pane::ALL.get(next).copied().unwrap_or(self.focus);
    }

    /// To a cell of the strip; past the end, the last.
    fn goto_cell(&mut self, index: usize) -> Vec<Effect> {
        let cells = self.session.cells();
        match cells.get(index).or(cells.last()) {
            Some(cell) if !cell.present => self.command(Command::Goto(cell.mark)),
            _ => Vec::new(),
        }
    }

    /// The cursor of the focused pane.
    fn scroll(&mut self) -> &mut Scroll {
        self.scroll_of(self.focus)
    }

    /// Enter, or a click on the chosen row.
    fn choose(&mut self) -> Vec<Effect> {
        match self.focus {
            Pane::Variables => {
                variables::toggle(self);
                Vec::new()
            }
            Pane::Stack => self.select_frame(),
            Pane::Breakpoints => {
                if let Some(loc) = breakpoints::chosen(self).map(|b| b.loc) {
                    let rows = usize::from(self.layout().inner(Pane::Source).height);
                    self.source.reveal(loc, rows);
                }
                Vec::new()
            }
            Pane::Source | Pane::Output | Pane::Log => self.execute(""),
        }
    }

    /// Selects the frame of the chosen row by going up or down.
    fn select_frame(&mut self) -> Vec<Effect> {
        // The pane lists the innermost frame first.
        let frames = self.session.stack();
        let Some(frame) = frames.iter().rev().nth(self.stack.cursor) else { return Vec::new() };
        let (target, now) = (frame.depth, self.session.selected());
        match target.cmp(&now) {
            std::cmp::Ordering::Less => self.command(Command::Up((now - target) as usize)),
            std::cmp::Ordering::Greater => self.command(Command::Down((target - now) as usize)),
            std::cmp::Ordering::Equal => Vec::new(),
        }
    }

    fn mouse(&mut self, mouse: MouseEvent) -> Vec<Effect> {
        let layout = self.layout();
        let (column, row) = (mouse.column, mouse.row);
        let wheel = match mouse.kind {
            MouseEventKind::ScrollDown => Some(WHEEL),
            MouseEventKind::ScrollUp => Some(-WHEEL),
            MouseEventKind::Down(MouseButton::Left) => None,
            MouseEventKind::Drag(MouseButton::Left)
                if layout.timeline.contains((column, row).into()) =>
            {
                None
            }
            _ => return Vec::new(),
        };
        if let (Some(by), Some(Overlay::Page(_, scroll))) = (wheel, &mut self.overlay) {
            scroll.top = scroll.top.saturating_add_signed(by);
            return Vec::new();
        }
        if self.session.question().is_some() {
            return Vec::new();
        }
        if self.overlay.is_some() {
            self.overlay = None;
            return Vec::new();
        }
        if wheel.is_none() && answer::area(self).is_some_and(|a| a.contains((column, row).into())) {
            self.mark_seen();
            return Vec::new();
        }
        if layout.timeline.contains((column, row).into()) {
            if let Some(by) = wheel {
                let there = if by > 0 { Command::Redo(1) } else { Command::Rewind(1) };
                return self.command(there);
            }
            return match timeline::mark_at(self, layout.timeline, column) {
                Some(mark) if mark != self.session.mark() => self.command(Command::Goto(mark)),
                _ => Vec::new(),
            };
        }
        let Some(pane) = layout.pane_at(column, row) else { return Vec::new() };
        let inner = layout.inner(pane);
        if let Some(by) = wheel {
            let (rows, height) = (self.row_count(pane), usize::from(inner.height));
            self.scroll_of(pane).wheel(by, rows, height);
            return Vec::new();
        }
        let focused = self.focus == pane;
        self.focus = pane;
        if !inner.contains((column, row).into()) {
            return Vec::new();
        }
        self.click(pane, inner, column, row, focused)
    }

    fn click(
        &mut self,
        pane: Pane,
        inner: Rect,
        column: u16,
        row: u16,
        focused: bool,
    ) -> Vec<Effect> {
        let line = row - inner.y;
        if pane == Pane::Source {
            let Some(index) = self.source.line_at(inner, row, self.session.program()) else {
                return Vec::new();
            };
            self.source.scroll.cursor = index;
            let gutter = inner.x + self.source.gutter(self.session.program());
            return if column < gutter { self.toggle_break() } else { Vec::new() };
        }
        let rows = self.row_count(pane);
        let Some(index) = self.scroll_of(pane).row_at(line, rows) else { return Vec::new() };
        let again = focused && self.scroll_of(pane).cursor == index;
        self.scroll_of(pane).cursor = index;
        // A second click on a row chooses it; a value opens at the first.
        if again || pane == Pane::Variables { self.choose() } else { Vec::new() }
    }
}
