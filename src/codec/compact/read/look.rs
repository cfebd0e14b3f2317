//! What may come next in an answer, by what was read so far.

use super::changes::{Changes, Options};
use super::entering::Entering;
use super::{Phase, Reader};
use crate::codec::compact::names::Names;
use crate::codec::compact::set::TokenSet;
use crate::codec::compact::vocab::{
    self, ARG, AT, CUT, DEEP, DEPTH, END, FUNCTION, SEP, SPELL, UNKNOWN,
};
use crate::trace::Event;

/// Tokens that an answer needs to end, besides one for each open bracket.
const CLOSING: usize = 10;

impl Reader {
    /// Works out what may come next.
    pub(super) fn look(&mut self) {
        let mut set = TokenSet::EMPTY;
        let (event, suspension) = self.event();
        match &self.phase {
            Phase::Event => set = self.legal.events(),
            Phase::Depth => self.legal.depths(event, suspension).first(DEPTH, 0, DEEP, &mut set),
            Phase::DepthDigits(number) => {
                let depths = self.legal.depths(event, suspension);
                if number.allowed(&depths.from(DEPTH.len() as u32), &mut set) {
                    self.lines(number.value(), &mut set);
                }
            }
            Phase::Line => self.lines(self.head.depth, &mut set),
            Phase::LineDigits(number) => {
                let (_, hidden) =
                    self.legal.lines(&self.context, event, suspension, self.head.depth);
                if number.allowed(&hidden, &mut set) {
                    self.after_head(number.value(), &mut set);
                }
            }
            Phase::Function => self.after_head(self.head.line, &mut set),
            Phase::FunctionName(None) => {
                let suggested = self.context.suggested(event, suspension, self.head.line);
                self.memory.names.insert_functions(suggested, &mut set);
                set.insert(SPELL);
            }
            Phase::FunctionName(Some(name)) => {
                let suggested = self.context.suggested(event, suspension, self.head.line);
                if name.allowed(&self.memory.names, &mut set) && name.text() != suggested {
                    self.first_names(name.text(), self.head.line, &mut set);
                }
            }
            Phase::Locals => {
                let (function, names) = (&self.head.function, &self.memory.names);
                self.names(function, self.head.line, &self.changes, names, &mut set);
            }
            Phase::Name(name) => {
                if name.allowed(&self.memory.names, &mut set) {
                    set.extend(vocab::ascii('='));
                }
            }
            Phase::Equals(_) => set.extend(vocab::ascii('=')),
            Phase::Value(name, value) => {
                let options = self.options(name);
                if options.set {
                    value.allowed(&self.memory.names, &mut set);
                    let same = options.old.as_ref().is_some_and(|old| old.text() == value.text());
                    if value.can_end(&self.memory.names) && !same {
                        set.insert(SEP);
                    }
                }
                if options.delete && value.is_empty() {
                    set.insert(vocab::NONE);
                }
            }
            Phase::Deleted(_) => set.insert(SEP),
            Phase::AfterUnknown => self.ends(&mut set),
            Phase::Arg(value) => {
                value.allowed(&self.memory.names, &mut set);
                if value.can_end(&self.memory.names) {
                    set.insert(END);
                }
            }
            Phase::Done => {}
        }
        self.allowed = if self.is_late() { self.hurry(set) } else { set };
    }

    /// Whether what is left of the room is needed to close what is open.
    fn is_late(&self) -> bool {
        let open = match &self.phase {
            Phase::Value(_, value) | Phase::Arg(value) => value.open(),
            _ => 0,
        };
        self.taken.saturating_add(open + CLOSING) >= self.room
    }

    /// Of what may come next, what leads to the end.
    fn hurry(&self, allowed: TokenSet) -> TokenSet {
        let mut wanted: TokenSet = [ARG, SEP, END].into_iter().collect();
        match &self.phase {
            Phase::Name(_) | Phase::FunctionName(_) => wanted.extend(vocab::ascii('=')),
            Phase::Value(_, value) | Phase::Arg(value) => {
                let ends = allowed.contains(SEP) || allowed.contains(END);
                let next = value.closing().or((!ends).then_some(CUT));
                if let Some(next) = next {
                    wanted = [next].into_iter().collect();
                }
            }
            _ => {}
        }
        let kept: TokenSet = allowed.iter().filter(|&token| wanted.contains(token)).collect();
        if kept.is_empty() { allowed } else { kept }
    }

    fn lines(&self, depth: u32, set: &mut TokenSet) {
        let (event, suspension) = self.event();
        let (lines, hidden) = self.legal.lines(&self.context, event, suspension, depth);
        set.add(&lines);
        if !hidden.is_empty() {
            set.insert(AT);
        }
    }

    /// What may follow the line: another function than the line suggests, or the variables.
    fn after_head(&self, line: u32, set: &mut TokenSet) {
        let (event, suspension) = self.event();
        set.insert(FUNCTION);
        self.first_names(self.context.suggested(event, suspension, line), line, set);
    }

    /// What may follow the head.
    fn first_names(&self, function: &str, line: u32, set: &mut TokenSet) {
        let base = self.memory.base(self.event().0, self.head.depth, function);
        let mut names = self.memory.names.clone();
        names.assign(function);
        self.names(function, line, &Changes::against(base), &names, set);
    }

    /// What may follow the head or a variable.
    fn names(
        &self,
        function: &str,
        line: u32,
        changes: &Changes,
        names: &Names,
        set: &mut TokenSet,
    ) {
        if self.legal.is_free() && changes.is_empty() {
            set.insert(UNKNOWN);
        }
        if let Some(entering) = self.entering(function, line, changes, names) {
            self.parameters(&entering, function, line, changes, names, set);
            return;
        }
        let mut legal = self.legal.names(&self.context, names, function, line);
        changes.restrict(names, &mut legal);
        set.add(&legal);
        self.ends(set);
    }

    /// What a call's variables must be, where that is known and can be said in tokens.
    fn entering(
        &self,
        function: &str,
        line: u32,
        changes: &Changes,
        names: &Names,
    ) -> Option<Entering<'_>> {
        if self.legal.is_free() || self.event() != (Event::Call, false) {
            return None;
        }
        let entering = self.context.entering(function, line)?;
        let mut all = entering.required.iter().copied().chain(changes.names());
        all.all(|name| names.token(name).is_some()).then_some(entering)
    }

    /// Of the parameters, and of what was shown before, what can follow.
    fn parameters(
        &self,
        entering: &Entering<'_>,
        function: &str,
        line: u32,
        changes: &Changes,
        names: &Names,
        set: &mut TokenSet,
    ) {
        let complete = entering.is_complete(changes);
        if complete {
            self.ends(set);
        }
        if complete && entering.open {
            let mut others = self.legal.names(&self.context, names, function, line);
            changes.restrict(names, &mut others);
            set.add(&others);
        }
        for name in entering.required.iter().copied().chain(changes.names()) {
            let options = entering.options(changes, name);
            let Some(token) = names.token(name) else { continue };
            match options.set || options.delete {
                true => set.insert(token),
                false => set.remove(token),
            }
        }
    }

    /// What can be done with a variable of the state being read.
    fn options(&self, name: &str) -> Options {
        let Reader { head, changes, memory, .. } = self;
        match self.entering(&head.function, head.line, changes, &memory.names) {
            Some(entering) => entering.options(changes, name),
            None => changes.options(name),
        }
    }

    fn ends(&self, set: &mut TokenSet) {
        let carries = matches!(self.event().0, Event::Return | Event::Exception);
        set.insert(if carries { ARG } else { END });
    }
}
