//! Which states may follow: events, depths, lines and names.
//!
//! Sound by construction: what CPython can do is always in it. It excludes only what it
//! cannot do. Whether an answer is likely is the model's affair.

use super::context::Context;
use super::memory::Memory;
use super::names::Names;
use super::read::Numbers;
use super::set::TokenSet;
use super::vocab::{self, KEYWORD, LINE, SLOT, SPELL, Token, WORD};
use crate::codec::reach::{self, Possible};
use crate::program::{Loc, Program};
use crate::trace::{Action, Direction, Event, Exit, Move, Segment, State};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// What may follow a question.
#[derive(Debug, Clone)]
pub struct Legal {
    /// Kinds of states, each with the depths it can have.
    kinds: Vec<(Kind, RangeInclusive<u32>)>,
    exits: Vec<Exit>,
    places: Places,
    flow: Flow,
    free: bool,
}

/// What control flow leaves possible.
#[derive(Debug, Clone)]
enum Flow {
    /// These.
    Steps(Vec<Possible>),
    /// For a line of the frame at this depth: these.
    Before(u32, Vec<u32>),
    /// It does not say.
    Unknown,
}

impl Flow {
    fn of(program: &Program, segment: &Segment, ask: &Move) -> Flow {
        let present = segment.present();
        let steps = |direction| ask.direction == direction && ask.action != Action::StepReturn;
        if steps(Direction::Forward)
            && let Some(steps) = reach::possible(program, segment, ask)
        {
            return Flow::Steps(steps);
        }
        if steps(Direction::Inverse)
            && present.event == Event::Line
            && let Some(lines) = reach::before(program, present)
        {
            return Flow::Before(present.depth, lines.into_iter().map(|loc| loc.line).collect());
        }
        Flow::Unknown
    }

    fn allows(&self, event: Event, depth: u32, line: u32) -> bool {
        let is_line = matches!(event, Event::Line | Event::LineAfterCall);
        match self {
            Flow::Steps(steps) => steps.contains(&Possible { event, depth, loc: Loc::main(line) }),
            Flow::Before(at, lines) => !is_line || depth != *at || lines.contains(&line),
            Flow::Unknown => true,
        }
    }
}

/// An event, and whether it is a resume or a yield.
type Kind = (Event, bool);

const CALL: Kind = (Event::Call, false);
const RESUME: Kind = (Event::Call, true);
const LINE_: Kind = (Event::Line, false);
const AFTER_CALL: Kind = (Event::LineAfterCall, false);
const RETURN: Kind = (Event::Return, false);
const YIELD: Kind = (Event::Return, true);
const EXCEPTION: Kind = (Event::Exception, false);
/// What can happen in a frame without entering another.
const INSIDE: [Kind; 4] = [LINE_, RETURN, YIELD, EXCEPTION];
const ENTERING: [Kind; 2] = [CALL, RESUME];
/// How a level can end.
const ENDING: [Kind; 3] = [RETURN, YIELD, EXCEPTION];

/// Where the next state can be, beyond what its event and depth say.
#[derive(Debug, Clone)]
enum Places {
    /// In the frames that are known: by depth, the function and a line of it.
    Frames {
        frames: Vec<(u32, Arc<str>, u32)>,
        /// A call or resume is of a frame that is not known yet.
        entering: bool,
    },
    /// Exactly these lines, for a line state and for a call.
    Stops { lines: Vec<u32>, calls: Vec<u32> },
    /// Anywhere.
    Anywhere,
}

impl Legal {
    /// Everything the language can say: for reading what is written already.
    pub fn free() -> Self {
        let any = 0..=u32::MAX;
        let kinds = vocab::EVENTS.iter().map(|&kind| (kind, any.clone())).collect();
        Legal {
            kinds,
            exits: vocab::EXITS.to_vec(),
            places: Places::Anywhere,
            flow: Flow::Unknown,
            free: true,
        }
    }

    /// What may follow a move from a state. `memory` is that after the question.
    pub fn after(
        context: &Context,
        program: &Program,
        segment: &Segment,
        ask: &Move,
        memory: &Memory,
    ) -> Self {
        let present = segment.present();
        let mut legal = Legal {
            kinds: Vec::new(),
            exits: Vec::new(),
            places: Places::Anywhere,
            flow: Flow::of(program, segment, ask),
            free: false,
        };
        match ask.direction {
            Direction::Forward => legal.forward(present, ask),
            Direction::Inverse => legal.inverse(present, ask.action),
        }
        if ask.action == Action::Breakpoint {
            let at = |call| ask.stops.iter().filter(move |s| s.call == call).map(|s| s.loc.line);
            legal.places = Places::Stops { lines: at(false).collect(), calls: at(true).collect() };
        } else {
            let mut frames = memory.frames();
            let inverse = ask.direction == Direction::Inverse;
            if inverse && present.event == Event::Call {
                // Before a call there is another one, or the caller.
                frames.retain(|&(depth, ..)| depth < present.depth);
            }
            legal.places = Places::Frames { frames, entering: !inverse };
            if inverse && ask.action == Action::StepOver && present.event == Event::LineAfterCall {
                // The same line, before its calls.
                legal.places = Places::Stops { lines: vec![present.loc.line], calls: Vec::new() };
            }
        }
        let mut kinds = std::mem::take(&mut legal.kinds);
        kinds.retain(|((event, suspension), depths)| {
            let (lines, hidden) = legal.lines(context, *event, *suspension, *depths.end());
            !lines.is_empty() || !hidden.is_empty()
        });
        legal.kinds = kinds;
        legal
    }

    /// The unknown part of a call whose arguments are to be invented.
    pub fn completing() -> Self {
        let mut legal = Legal::free();
        legal.free = false;
        legal
    }

    fn add<const N: usize>(&mut self, kinds: [Kind; N], depths: RangeInclusive<u32>) {
        self.kinds.extend(kinds.into_iter().map(|kind| (kind, depths.clone())));
    }

    fn forward(&mut self, present: &State, ask: &Move) {
        let (event, depth) = (present.event, present.depth);
        match ask.action {
            Action::StepInto | Action::StepOver => {
                let into = ask.action == Action::StepInto;
                self.next(event, depth, into);
            }
            Action::StepReturn => {
                self.add(ENDING, depth..=depth);
                if matches!(event, Event::Return | Event::Exception) {
                    self.next(event, depth, false);
                }
                self.exits.extend([Exit::Normal, Exit::Error, Exit::Never]);
            }
            Action::Breakpoint => {
                let has = |call| ask.stops.iter().any(|stop| stop.call == call);
                if has(false) {
                    self.add([LINE_], 0..=u32::MAX);
                }
                if has(true) {
                    self.add([CALL], 0..=u32::MAX);
                }
                self.exits.extend([Exit::Normal, Exit::Error, Exit::Never]);
            }
            Action::Continue => self.exits.extend([Exit::Normal, Exit::Error, Exit::Never]),
            Action::StepCall => {}
        }
    }

    /// The next state, with or without those in frames that are entered from here.
    fn next(&mut self, event: Event, depth: u32, into: bool) {
        // The frame goes on.
        if event != Event::Return {
            self.add(INSIDE, depth..=depth);
            if into {
                self.add(ENTERING, depth + 1..=depth + 1);
            }
        }
        // It has ended: its caller goes on, or enters another.
        if matches!(event, Event::Return | Event::Exception) {
            self.add(ENTERING, depth..=depth);
            match depth.checked_sub(1) {
                Some(caller) => self.add(INSIDE, caller..=caller),
                None => self.exits.extend([Exit::Normal, Exit::Error]),
            }
        } else {
            // `os._exit` ends a program anywhere.
            self.exits.extend([Exit::Normal, Exit::Error]);
        }
    }

    fn inverse(&mut self, present: &State, action: Action) {
        let (event, depth) = (present.event, present.depth);
        let begins = event == Event::Call;
        match action {
            Action::StepInto if event == Event::LineAfterCall => {
                self.add(ENDING, depth + 1..=u32::MAX);
            }
            Action::StepOver if event == Event::LineAfterCall => self.add([LINE_], depth..=depth),
            Action::StepInto | Action::StepOver => {
                self.before(begins, depth, action == Action::StepInto);
            }
            Action::StepCall => {
                if begins {
                    self.before(true, depth, false);
                } else {
                    self.add(ENTERING, depth..=depth);
                }
                self.exits.push(Exit::Entry);
            }
            Action::StepReturn | Action::Breakpoint | Action::Continue => {}
        }
    }

    /// The state before, or what hangs below it.
    fn before(&mut self, begins: bool, depth: u32, into: bool) {
        if begins {
            // Another call of the same caller, or the caller.
            self.add(ENDING, depth..=depth);
            if let Some(caller) = depth.checked_sub(1) {
                self.add([LINE_, CALL, RESUME, EXCEPTION, RETURN, YIELD], caller..=caller);
            }
        } else {
            self.add([CALL, RESUME, LINE_, AFTER_CALL, EXCEPTION], depth..=depth);
        }
        if into {
            // Only lines are met once more after their calls.
            self.add(ENDING, depth + u32::from(!begins)..=u32::MAX);
        }
        if depth == 0 {
            self.exits.push(Exit::Entry);
        }
    }

    /// Whether everything is legal, also locals that are not known.
    pub fn is_free(&self) -> bool {
        self.free
    }

    /// The tokens an answer may begin with.
    pub fn events(&self) -> TokenSet {
        let event = |&((event, suspension), _): &_| vocab::event(event, suspension);
        let exits = self.exits.iter().filter_map(|&exit| vocab::exit(exit));
        self.kinds.iter().map(event).chain(exits).collect()
    }

    /// The depths a state of this kind can have.
    pub fn depths(&self, event: Event, suspension: bool) -> Numbers {
        let same = |(kind, _): &&(Kind, _)| *kind == (event, suspension);
        Numbers(self.kinds.iter().filter(same).map(|(_, depths)| depths.clone()).collect())
    }

    /// The lines it can be at: tokens, and physical lines that have none.
    pub fn lines(
        &self,
        context: &Context,
        event: Event,
        suspension: bool,
        depth: u32,
    ) -> (TokenSet, Numbers) {
        if self.free {
            return (LINE.take(context.len()).collect(), others(context));
        }
        let legal = |line: u32| self.is_at(context, event, suspension, depth, line);
        let shown = LINE.take(context.len());
        let shown = shown.filter(|&token| context.physical(token).is_some_and(legal)).collect();
        let hidden = context.hidden().iter().filter(|&&line| legal(line));
        (shown, Numbers(hidden.map(|&line| line..=line).collect()))
    }

    fn is_at(
        &self,
        context: &Context,
        event: Event,
        suspension: bool,
        depth: u32,
        line: u32,
    ) -> bool {
        let (frames, entering) = match &self.places {
            Places::Anywhere => return true,
            Places::Stops { lines, calls } => {
                let stops = if event == Event::Call { calls } else { lines };
                return stops.contains(&line);
            }
            Places::Frames { frames, entering } => (frames, *entering),
        };
        let kind = match (event, suspension) {
            CALL => context.begins(line) || depth == 0 && line == 1,
            RESUME | YIELD => context.suspends(line),
            LINE_ | AFTER_CALL => context.runs(line),
            _ => true,
        };
        if !self.flow.allows(event, depth, line) {
            return false;
        }
        let mut known = frames.iter().filter(|_| event != Event::Call || !entering);
        let frame = known.find(|(at, ..)| *at == depth);
        kind && frame.is_none_or(|(_, function, seen)| context.is_in(function, *seen, line))
    }

    /// The names of variables in a function, and whether others can be spelled.
    pub fn names(&self, context: &Context, names: &Names, function: &str, line: u32) -> TokenSet {
        let mut set = match context.names_of(function, line).filter(|_| !self.free) {
            Some(own) => own,
            None => {
                let mut all: TokenSet = WORD.collect();
                all.extend(SLOT.take(names.used()));
                all.insert(SPELL);
                all
            }
        };
        if !self.free {
            let keyword = |word: &Token| !matches!(vocab::text(*word), Some("match" | "case"));
            KEYWORD.filter(keyword).for_each(|word| set.remove(word));
        }
        set
    }
}

/// All line numbers that have no token.
fn others(context: &Context) -> Numbers {
    let mut ranges = Vec::new();
    let mut next = 0;
    for line in context.lines() {
        ranges.extend((next < line).then(|| next..=line - 1));
        next = line + 1;
    }
    ranges.push(next..=u32::MAX);
    Numbers(ranges)
}
