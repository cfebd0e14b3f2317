//! A recording to documents: which part of the run, which moves, and what of it is learned.
//!
//! Must not know: files, threads.

use super::page::{Context, Dialect, Document};
use super::policy::{self, Actions, Stops};
use super::random::Random;
use crate::program::{Entry, Program};
use crate::trace::{
    Action, Direction, Event, Exit, Landing, Move, NodeId, Outcome, Place, State, StateTree,
};
use std::collections::BTreeMap;
use std::ops::Range;

/// How trajectories are drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Recipe {
    /// How states are written.
    pub dialect: Dialect,
    /// Longest document, in the dialect's unit.
    pub window: usize,
    /// Which forward moves.
    pub actions: Actions,
    /// Share of runs walked backwards.
    pub inverse: f64,
    /// Share of runs in which an inner call is the entry.
    pub inner: f64,
    /// Share of runs that begin somewhere on the way instead of at the first state.
    pub midway: f64,
    /// Share of the runs begun at a call in which its arguments have to be invented.
    pub invent: f64,
    /// Share of documents whose lines and slots are numbered from a random start, so that
    /// large numbers are learned from small programs.
    pub spread: f64,
    /// Most documents of one run: where the window is full, the next goes on.
    pub documents: usize,
}

/// Numbers of what was drawn.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts {
    /// Answers by action.
    pub actions: BTreeMap<&'static str, u64>,
    /// Answers that are states, by event.
    pub events: BTreeMap<&'static str, u64>,
    /// Answers that are exits, by kind.
    pub exits: BTreeMap<&'static str, u64>,
}

impl Counts {
    /// Adds other counts.
    pub fn add(&mut self, other: &Counts) {
        let sum = |mine: &mut BTreeMap<_, u64>, other: &BTreeMap<&'static str, u64>| {
            other.iter().for_each(|(&key, count)| *mine.entry(key).or_default() += count);
        };
        sum(&mut self.actions, &other.actions);
        sum(&mut self.events, &other.events);
        sum(&mut self.exits, &other.exits);
    }

    /// Counts an answer; to `invent` where a call's arguments were asked for.
    pub fn answer(&mut self, action: &'static str, outcome: &Outcome) {
        *self.actions.entry(action).or_default() += 1;
        let (counts, name) = match outcome {
            Outcome::Exit(exit) => (&mut self.exits, exit.name()),
            Outcome::State(state) => {
                let name = match (state.event, state.suspension) {
                    (Event::Call, true) => "resume",
                    (Event::Return, true) => "yield",
                    (event, _) => event.name(),
                };
                (&mut self.events, name)
            }
        };
        *counts.entry(name).or_default() += 1;
    }
}

/// The documents of one recorded run.
///
/// `never`: the program was built to loop for ever.
///
/// # Errors
/// Why there are none, in a few words.
pub fn documents(
    program: &Program,
    tree: &StateTree,
    never: bool,
    recipe: &Recipe,
    random: &mut Random,
    counts: &mut Counts,
) -> Result<Vec<Document>, String> {
    let scope = Scope::draw(tree, never, recipe, random);
    let invented = scope.starts_at_call(tree) && random.chance(recipe.invent);
    let mut program = program.clone();
    if invented || scope.nodes.start > 0 {
        // No call expression stands for an inner call, and none may tell the arguments.
        program.entry = scope.entry(tree, &program);
    }
    let Some(context) = Context::new(&program, recipe.dialect, recipe.window)? else {
        return Ok(Vec::new());
    };
    let stops = context.stops(tree);
    let mut draw = Draw { context: &context, tree, scope, recipe, random, stops, counts };
    if draw.random.chance(recipe.inverse) { draw.inverse() } else { draw.forward(invented) }
}

/// The part of a recording that counts as the whole: its entry frame has depth 0.
#[derive(Debug, Clone)]
struct Scope {
    nodes: Range<NodeId>,
    depth: u32,
    exit: Exit,
    /// Of a program that loops for ever: the depth of the frame that does.
    endless: Option<u32>,
}

impl Scope {
    fn draw(tree: &StateTree, never: bool, recipe: &Recipe, random: &mut Random) -> Self {
        let nodes = 0..tree.len() as NodeId;
        let endless = if never && tree.exit() == Exit::Cut { endless(tree) } else { None };
        let whole = Scope { nodes, depth: 0, exit: tree.exit(), endless };
        if !random.chance(recipe.inner) {
            return whole;
        }
        let inner = |node: NodeId| {
            let call = tree.event(node) == Event::Call && !tree.suspension(node);
            call && tree.depth(node) > 0
        };
        let calls: Vec<NodeId> = (0..tree.len() as NodeId).filter(|&node| inner(node)).collect();
        let Some(&call) = random.pick(&calls) else { return whole };
        let Some(last) = tree.last_of_level(call) else { return whole };
        let exit = match tree.event(last) {
            Event::Return if !tree.suspension(last) => Exit::Normal,
            Event::Exception => Exit::Error,
            _ => return whole,
        };
        // An exception state may still have calls below it (`__exit__`).
        let end = tree.after(last).unwrap_or(tree.len() as NodeId);
        if end == tree.len() as NodeId && tree.exit() == Exit::Cut {
            return whole; // whether it ends there is not known
        }
        Scope { nodes: call..end, depth: tree.depth(call), exit, endless: None }
    }

    fn starts_at_call(&self, tree: &StateTree) -> bool {
        !self.nodes.is_empty()
            && tree.event(self.nodes.start) == Event::Call
            && **tree.function(self.nodes.start) != *"<module>"
    }

    /// The entry without its arguments.
    fn entry(&self, tree: &StateTree, program: &Program) -> Entry {
        let (name, line) = (tree.function(self.nodes.start), tree.loc(self.nodes.start).line);
        let outline = program.outline(0);
        let scope = outline.and_then(|outline| outline.scope(outline.scope_named(name, line)?));
        match scope {
            Some(scope) => Entry::Invent { function: scope.qualname.clone() },
            None => Entry::Module,
        }
    }

    fn state(&self, tree: &StateTree, place: Place) -> State {
        let mut state = tree.at(place);
        state.depth -= self.depth.min(state.depth);
        state
    }

    fn go(&self, tree: &StateTree, from: Place, ask: &Move) -> Option<(Outcome, Option<Place>)> {
        Some(match tree.go(Some(from), ask)? {
            Landing::At(place) if self.nodes.contains(&place.node()) => {
                (Outcome::State(self.state(tree, place)), Some(place))
            }
            Landing::At(_) | Landing::Exit(_) if ask.direction == Direction::Inverse => {
                (Outcome::Exit(Exit::Entry), None)
            }
            Landing::At(_) => (Outcome::Exit(self.exit), None),
            Landing::Exit(exit) => {
                let inner = self.nodes.end < tree.len() as NodeId;
                let exit = match exit {
                    _ if inner => self.exit,
                    Exit::Cut if self.never(tree, from.node(), ask.action) => Exit::Never,
                    exit => exit,
                };
                (Outcome::Exit(exit), None)
            }
        })
    }

    /// Whether a move that leaves a cut recording never stops, because the program loops for
    /// ever: more of the same follows, so what has not come in half a recording never comes.
    fn never(&self, tree: &StateTree, from: NodeId, action: Action) -> bool {
        let Some(endless) = self.endless else { return false };
        match action {
            Action::Continue => true,
            Action::Breakpoint => (from as usize) < tree.len() / 2,
            Action::StepReturn => tree.depth(from) <= endless,
            Action::StepOver => tree.depth(from) < endless,
            Action::StepInto | Action::StepCall => false,
        }
    }
}

/// The depth of the frame that loops: all of the second half of the recording is in it or
/// below it.
fn endless(tree: &StateTree) -> Option<u32> {
    (tree.len() as NodeId / 2..tree.len() as NodeId).map(|node| tree.depth(node)).min()
}

struct Draw<'a> {
    context: &'a Context,
    tree: &'a StateTree,
    scope: Scope,
    recipe: &'a Recipe,
    random: &'a mut Random,
    stops: Stops,
    counts: &'a mut Counts,
}

impl Draw<'_> {
    fn forward(&mut self, invented: bool) -> Result<Vec<Document>, String> {
        let weights = policy::forward(self.recipe.actions, self.random);
        let nodes = self.scope.nodes.clone();
        if nodes.is_empty() {
            return Ok(Vec::new());
        }
        let midway = !invented && self.random.chance(self.recipe.midway);
        let skip = if midway { self.random.below(nodes.len()) } else { 0 };
        let start = Place::At(nodes.start + skip as NodeId);
        self.segments(start, Direction::Forward, weights, invented)
    }

    fn inverse(&mut self) -> Result<Vec<Document>, String> {
        let weights = policy::inverse(self.random);
        let nodes = self.scope.nodes.clone();
        // Mostly from a return: "which execution gives this value?"
        let ends = |node: &NodeId| self.tree.event(*node) == Event::Return;
        let ends: Vec<NodeId> = nodes.clone().filter(ends).collect();
        let any: Vec<NodeId> = nodes.collect();
        let from = if self.random.chance(0.6) { self.random.pick(&ends) } else { None };
        let Some(&node) = from.or_else(|| self.random.pick(&any)) else { return Ok(Vec::new()) };
        self.segments(Place::At(node), Direction::Inverse, weights, false)
    }

    /// Documents from a place on, each going on where the one before was full.
    fn segments(
        &mut self,
        start: Place,
        direction: Direction,
        weights: &[(Action, f64)],
        invented: bool,
    ) -> Result<Vec<Document>, String> {
        let mut documents = Vec::new();
        let mut place = Some((start, invented));
        while let Some((from, invented)) = place
            && documents.len() < self.recipe.documents
        {
            let (document, next) = self.segment(from, direction, weights, invented)?;
            documents.extend(document);
            // Where not even one answer fits after the present state, nothing is left to do.
            place = next.filter(|&next| next != from).map(|next| (next, false));
        }
        Ok(documents)
    }

    /// One document, if it holds an answer, and where it stopped for want of room.
    fn segment(
        &mut self,
        start: Place,
        direction: Direction,
        weights: &[(Action, f64)],
        invented: bool,
    ) -> Result<(Option<Document>, Option<Place>), String> {
        let mut page = self.context.page(direction);
        let mut answers: Vec<Range<usize>> = Vec::new();
        let mut counts = Counts::default();
        for node in self.tree.callers(start.node()) {
            if self.scope.nodes.contains(&node) {
                page.caller(&self.scope.state(self.tree, Place::At(node)))?;
            }
        }
        let mut first = self.scope.state(self.tree, start);
        if direction == Direction::Inverse
            && first.event == Event::Return
            && self.random.chance(0.5)
        {
            // Only the value is known.
            first.locals = None;
        }
        if invented {
            answers.push(page.invented(&first)?);
            counts.answer("invent", &Outcome::State(first));
        } else {
            page.state(&first)?;
        }
        let (mut place, mut full) = (start, None);
        let mut length = page.length();
        while length <= self.recipe.window {
            let Some(ask) = self.ask(place, direction, weights) else { break };
            let Some((outcome, next)) = self.scope.go(self.tree, place, &ask) else { break };
            page.ask(&ask)?;
            let answer = match &outcome {
                Outcome::State(state) => page.state(state)?,
                Outcome::Exit(Exit::Cut) => break,
                Outcome::Exit(exit) => page.exit(*exit)?,
            };
            if answer.end > self.recipe.window {
                full = Some(place);
                break;
            }
            length = answer.end;
            answers.push(answer);
            counts.answer(ask.name(), &outcome);
            let Some(next) = next else { break };
            place = next;
        }
        if answers.is_empty() || length > self.recipe.window {
            return Ok((None, full));
        }
        let spread = self.random.chance(self.recipe.spread);
        let document = page.finish(length, answers, spread.then_some(&mut *self.random))?;
        self.counts.add(&counts);
        Ok((Some(document), full))
    }

    fn ask(
        &mut self,
        place: Place,
        direction: Direction,
        weights: &[(Action, f64)],
    ) -> Option<Move> {
        let action = self.random.weighted(weights)?;
        Some(match (direction, action) {
            (Direction::Forward, Action::Breakpoint) => self
                .stops
                .draw(place.node(), self.random)
                .unwrap_or_else(|| Move::forward(Action::StepInto)),
            (Direction::Forward, _) => Move::forward(action),
            (Direction::Inverse, _) => Move::inverse(action),
        })
    }
}
