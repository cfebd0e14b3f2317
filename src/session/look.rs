//! What the commands print that only look.
//!
//! Must not know: who predicted, panes. Nothing here changes the timeline.

use super::command::{Command, Listing};
use super::evaluate::{Purpose, type_name};
use super::parse;
use super::show;
use super::table::{COMMANDS, Group, find};
use super::view::{Breakpoint, LogKind};
use super::{Session, Stop};
use crate::program::Loc;
use crate::trace::{Event, State, Value, changes};

impl Session {
    /// Does a command that only looks.
    ///
    /// # Errors
    /// One line.
    pub(super) fn look(&mut self, command: Command) -> Result<(), String> {
        match command {
            Command::ListBreaks => self.list_breaks(),
            Command::Where => self.print_stack(),
            Command::Up(count) => self.select(-(count as i64))?,
            Command::Down(count) => self.select(count as i64)?,
            Command::List(what) => self.list(what)?,
            Command::LongList => self.long_list()?,
            Command::Print { expression, pretty } => {
                self.shown_state().ok_or("there is no state to print from")?;
                self.want(Purpose::Print { pretty }, &expression);
            }
            Command::WhatIs(expression) => match self.variable(&expression) {
                Some(value) => self.say(LogKind::Value, type_name(value.text())),
                None => self.want(Purpose::Print { pretty: false }, &format!("type({expression})")),
            },
            Command::Args => self.args()?,
            Command::ReturnValue => self.return_value()?,
            Command::Display(Some(expression)) => {
                self.watch(expression);
            }
            Command::Display(None) => self.list_watches(),
            Command::Undisplay(Some(expression)) => self.unwatch(&expression)?,
            Command::Undisplay(None) => self.watches.clear(),
            Command::Help(topic) => self.help(topic.as_deref())?,
            _ => {}
        }
        Ok(())
    }

    /// The state of the selected frame; at an end that of the last state.
    pub(super) fn shown_state(&self) -> Option<&State> {
        let present = self.timeline.present()?.stop.departure(self.setup.history);
        match self.selected {
            None => present,
            Some(depth) => self
                .timeline
                .path(self.timeline.cursor()?)
                .into_iter()
                .rev()
                .filter_map(|mark| self.timeline.entry(mark))
                .flat_map(|entry| entry.steps().rev())
                .filter_map(|step| step.believed(self.setup.history))
                .find(|state| state.depth == depth)
                .or(present),
        }
    }

    /// One line about a breakpoint.
    pub(super) fn describe_break(&self, breakpoint: &Breakpoint) -> String {
        let file = self.program.files.get(usize::from(breakpoint.loc.file));
        let name = file.map_or("?", |file| file.name.as_str());
        let mut text =
            format!("breakpoint {} at {name}:{}", breakpoint.number, breakpoint.loc.line);
        if let Some(function) = &breakpoint.function {
            text += &format!(", call of {function}");
        }
        if let Some(condition) = &breakpoint.condition {
            text += &format!(", if {condition}");
        }
        if breakpoint.temporary {
            text += ", once";
        }
        if !breakpoint.enabled {
            text += ", disabled";
        }
        if breakpoint.ignore > 0 {
            text += &format!(", passed {} times more", breakpoint.ignore);
        }
        if breakpoint.hits > 0 {
            text += &format!(", hit {} times", breakpoint.hits);
        }
        let commands = self.attached.of(breakpoint.number);
        if !commands.is_empty() {
            text += &format!(", runs: {}", commands.join(";; "));
        }
        text
    }

    fn list_breaks(&mut self) {
        let lines: Vec<String> =
            self.breakpoints.list().iter().map(|b| self.describe_break(b)).collect();
        if lines.is_empty() {
            self.say(LogKind::Note, "no breakpoints; 'b LINE' sets one");
        }
        for line in lines {
            self.say(LogKind::Value, line);
        }
    }

    fn print_stack(&mut self) {
        let entry = self.timeline.present();
        if entry.is_some_and(|entry| matches!(entry.stop.stop, Stop::Exit(_))) {
            let note = match self.shown_state() {
                Some(_) => "the execution is over; its last state was",
                None => "the execution is over; no frame is left",
            };
            self.say(LogKind::Note, note);
        }
        let newest = self.frames().len().saturating_sub(1) as u32;
        let selected = self.selected.unwrap_or(newest);
        for (depth, frame) in (0..).zip(self.frames()) {
            let mark = if depth == selected { ">" } else { " " };
            match frame {
                Some(state) => {
                    let place = show::place(&self.program, &state);
                    self.say(LogKind::Place, format!("{mark} {place}"));
                    let source = show::source(&self.program, state.loc);
                    self.say(LogKind::Source, format!("-> {source}"));
                }
                None => self.say(LogKind::Place, format!("{mark} ? (not known after the jump)")),
            }
        }
    }

    fn select(&mut self, by: i64) -> Result<(), String> {
        let frames = self.frames();
        let newest = frames.len().saturating_sub(1) as i64;
        let now = self.selected.map_or(newest, i64::from);
        let wanted = (now + by).clamp(0, newest);
        if wanted == now {
            let end = if by < 0 { "oldest frame" } else { "newest frame" };
            return Err(end.into());
        }
        let Some(Some(state)) = frames.get(wanted as usize) else {
            return Err("that frame is not known after the jump".into());
        };
        self.selected = (wanted != newest).then_some(wanted as u32);
        self.listed = None;
        let place = show::place(&self.program, state);
        let source = show::source(&self.program, state.loc);
        self.say(LogKind::Place, format!("> {place}"));
        self.say(LogKind::Source, format!("-> {source}"));
        Ok(())
    }

    fn list(&mut self, what: Listing) -> Result<(), String> {
        let here = self.shown_state().map_or(Loc::main(1), |state| state.loc);
        let around =
            |line: u32| (line.saturating_sub(5).max(1), line.saturating_sub(5).max(1) + 10);
        let (first, last) = match what {
            Listing::More => match self.listed {
                Some(line) => (line + 1, line + 11),
                None => around(here.line),
            },
            Listing::Here => around(here.line),
            Listing::Around(line) => around(line),
            Listing::Range(first, last) => (first, last),
        };
        self.print_lines(here, first, last)
    }

    fn long_list(&mut self) -> Result<(), String> {
        let here = self.shown_state().map_or(Loc::main(1), |state| state.loc);
        let outline = self.program.outline(here.file).ok_or("there is no source")?;
        let function = self.shown_state().map(|state| state.function.clone());
        let scope = function.and_then(|name| outline.scope_named(&name, here.line));
        let scope = scope.unwrap_or_else(|| outline.scope_at(here.line));
        let (first, last) = match outline.scope(scope) {
            Some(scope) if scope.parent.is_some() => (scope.first_line, scope.body.last),
            _ => (1, u32::MAX),
        };
        self.print_lines(here, first, last)
    }

    fn print_lines(&mut self, here: Loc, first: u32, last: u32) -> Result<(), String> {
        let program = self.program.clone();
        let file = program.files.get(usize::from(here.file)).ok_or("there is no source")?;
        let last = last.min(file.lines.len() as u32);
        if first > last {
            return Err("[EOF]".into());
        }
        for line in first..=last {
            let text = file.line(line).map_or("", |text| text);
            let breaks = self.breakpoints.list().iter();
            let stops = breaks.filter(|b| b.loc == Loc { file: here.file, line }).count() > 0;
            let mark = if stops { "B" } else { " " };
            let arrow = if line == here.line { "->" } else { "  " };
            self.say(LogKind::Source, format!("{line:>3} {mark}{arrow}\t{text}"));
        }
        self.listed = Some(last);
        Ok(())
    }

    fn args(&mut self) -> Result<(), String> {
        let state = self.shown_state().ok_or("there is no state")?;
        let locals = state.locals.clone().ok_or("the variables are not known here")?;
        let outline = self.program.outline(state.loc.file);
        let scope = outline.and_then(|o| o.scope(o.scope_named(&state.function, state.loc.line)?));
        let names: Vec<String> =
            scope.map(|s| s.params.iter().map(|p| p.name.clone()).collect()).unwrap_or_default();
        for name in names {
            let value = locals.get(&name).map_or("*** undefined", Value::text);
            let text = format!("{name} = {value}");
            self.say(LogKind::Value, text);
        }
        Ok(())
    }

    fn return_value(&mut self) -> Result<(), String> {
        let over = matches!(self.timeline.present().map(|e| &e.stop.stop), Some(Stop::Exit(_)));
        let state = self.shown_state().ok_or(match over {
            true => "what was returned is not known after the jump to the end; 'rewind' goes back",
            false => "there is no state",
        })?;
        match (state.event, &state.arg) {
            (Event::Return, Some(value)) => {
                let text = value.to_string();
                self.say(LogKind::Value, text);
                Ok(())
            }
            (Event::Exception, Some(value)) => Err(format!(
                "nothing is returned here: {} is raised",
                show::exception(value.text())
            )),
            _ if over => Err("nothing was returned: the execution ended before".into()),
            _ => Err("this function has not returned yet; r predicts its end".into()),
        }
    }

    fn list_watches(&mut self) {
        if self.watches.is_empty() {
            self.say(LogKind::Note, "nothing is displayed; 'display EXPRESSION' shows a value");
        }
        let selected = self.selected();
        for watch in self.watches.clone() {
            let value = match &watch.value {
                Some(Ok(value)) => value.to_string(),
                Some(Err(why)) => format!("*** {why}"),
                None => "?".into(),
            };
            self.say(LogKind::Value, format!("{}: {value}", watch.name(selected)));
        }
    }

    fn help(&mut self, topic: Option<&str>) -> Result<(), String> {
        if let Some(word) = topic {
            let row = find(word).ok_or_else(|| parse::unknown(word))?;
            let usage = format!("{} {}", row.name, row.args);
            self.say(LogKind::Value, usage.trim_end().to_string());
            self.say(LogKind::Value, format!("    {}", row.doc));
            if !row.aliases.is_empty() {
                self.say(LogKind::Value, format!("    also: {}", row.aliases.join(", ")));
            }
            if !row.keys.is_empty() {
                self.say(LogKind::Value, format!("    key: {}", row.keys.join(", ")));
            }
            return Ok(());
        }
        let mut group: Option<Group> = None;
        for row in COMMANDS {
            if group != Some(row.group) {
                group = Some(row.group);
                self.say(LogKind::Value, row.group.title());
            }
            let short = row.aliases.first().map(|alias| format!(", {alias}")).unwrap_or_default();
            let words = format!("{}{short} {}", row.name, row.args);
            self.say(LogKind::Value, format!("  {words:<44} {}", row.doc));
        }
        Ok(())
    }

    /// Prints the present entry: the stop, what changed, how sure, what the truth says.
    pub(super) fn show_present(&mut self) {
        self.listed = None;
        let Some(cursor) = self.timeline.cursor() else { return };
        let Some(entry) = self.timeline.entry(cursor) else { return };
        let mut lines = show::stop(&self.program, &entry.stop, self.goes_backwards());
        if let Some(state) = entry.stop.stop.state()
            && let Some(old) = self.frame_before(state)
            && let (Some(old), Some(new)) = (&old.locals, &state.locals)
        {
            lines.extend(changes(old, new).iter().map(show::change));
        }
        // Quiet: every step has one, and a screen shows the same beside the state.
        lines.extend(show::manner(entry).map(|text| show::line(LogKind::Place, text)));
        self.visits.push(cursor);
        if !self.quiet {
            self.log.extend(lines);
            self.show_verdict();
        }
        self.refresh_watches();
    }

    /// Prints what the truth says about the present entry.
    pub(super) fn show_verdict(&mut self) {
        let entry = self.timeline.present();
        if let Some(text) = entry.and_then(|entry| show::verdict(&self.program, entry)) {
            self.say(LogKind::Verdict, text);
        }
    }
}
