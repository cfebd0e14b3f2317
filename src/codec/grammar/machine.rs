//! The deterministic form of a language, made state by state as texts meet them, with the
//! tokens that each state allows.
//!
//! Must not know: which text is being written.

use super::Expr;
use super::nfa::{Edge, Nfa, UNREACHABLE};
use crate::codec::TokenId;
use crate::codec::tokenizer::{Tokenizer, Trie};
use std::collections::HashMap;
use std::sync::Arc;

/// A vocabulary ready for masking: shared by all questions to a model.
#[derive(Debug)]
pub struct Vocabulary {
    /// Text ⇄ ids.
    pub tokenizer: Tokenizer,
    /// Its tokens as a tree of bytes.
    pub trie: Trie,
}

impl Vocabulary {
    /// Prepares a tokenizer for masking.
    pub fn new(tokenizer: Tokenizer) -> Self {
        let trie = Trie::new(&tokenizer);
        Vocabulary { tokenizer, trie }
    }
}

/// Index of a state of the machine.
pub(super) type StateId = u32;

/// The state from which nothing can be written.
pub(super) const DEAD: StateId = 0;
/// The state before anything is written.
pub(super) const START: StateId = 1;
const UNKNOWN: StateId = StateId::MAX;

#[derive(Debug)]
struct State {
    nodes: Box<[u32]>,
    /// By byte; filled when met.
    next: Option<Box<[StateId; 256]>>,
    controls: Vec<(TokenId, StateId)>,
    ends: bool,
    distance: u32,
    allowed: Option<Arc<[TokenId]>>,
}

/// What follows a forced text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum After {
    /// The text may end.
    End,
    /// Only this control token.
    Control(TokenId),
    /// More than one continuation.
    Choice,
}

/// A language over a vocabulary.
#[derive(Debug)]
pub struct Machine {
    nfa: Nfa,
    vocabulary: Arc<Vocabulary>,
    states: Vec<State>,
    ids: HashMap<Box<[u32]>, StateId>,
}

impl Machine {
    /// Prepares a language for writing.
    pub fn new(expr: &Expr, vocabulary: Arc<Vocabulary>) -> Self {
        let nfa = Nfa::new(expr);
        let mut machine = Machine { nfa, vocabulary, states: Vec::new(), ids: HashMap::new() };
        machine.intern(Vec::new());
        let start = machine.nfa.closure([0]);
        machine.intern(start);
        machine
    }

    /// The vocabulary it is written with.
    pub fn vocabulary(&self) -> &Arc<Vocabulary> {
        &self.vocabulary
    }

    fn intern(&mut self, nodes: Vec<u32>) -> StateId {
        let nodes = nodes.into_boxed_slice();
        if let Some(&id) = self.ids.get(&nodes) {
            return id;
        }
        let id = self.states.len() as StateId;
        let state = State {
            ends: nodes.iter().any(|&node| self.nfa.is_end(node)),
            distance: nodes.iter().map(|&n| self.nfa.distance(n)).min().unwrap_or(UNREACHABLE),
            nodes: nodes.clone(),
            next: None,
            controls: Vec::new(),
            allowed: None,
        };
        self.states.push(state);
        self.ids.insert(nodes, id);
        // The control tokens are few: they are followed at once.
        let mut controls: Vec<TokenId> = Vec::new();
        for &node in &self.states[id as usize].nodes {
            controls.extend(self.nfa.edges(node).iter().filter_map(|(edge, _)| match edge {
                Edge::Control(token) => Some(*token),
                _ => None,
            }));
        }
        controls.sort_unstable();
        controls.dedup();
        for token in controls {
            let to = self.follow(id, |edge| matches!(edge, Edge::Control(t) if *t == token));
            self.states[id as usize].controls.push((token, to));
        }
        id
    }

    fn follow(&mut self, from: StateId, matches: impl Fn(&Edge) -> bool) -> StateId {
        let nodes = self.states[from as usize].nodes.iter();
        let targets: Vec<u32> = nodes
            .flat_map(|&node| self.nfa.edges(node))
            .filter(|(edge, _)| matches(edge))
            .map(|(_, to)| *to)
            .collect();
        let closure = self.nfa.closure(targets);
        self.intern(closure)
    }

    /// Where a byte leads.
    pub(super) fn byte(&mut self, from: StateId, byte: u8) -> StateId {
        if let Some(next) = &self.states[from as usize].next {
            let to = next[usize::from(byte)];
            if to != UNKNOWN {
                return to;
            }
        }
        let to = self.follow(from, |edge| match edge {
            Edge::Byte(b) => *b == byte,
            Edge::Class(set) => set.contains(byte),
            Edge::Control(_) | Edge::Empty => false,
        });
        let next = &mut self.states[from as usize].next;
        next.get_or_insert_with(|| Box::new([UNKNOWN; 256]))[usize::from(byte)] = to;
        to
    }

    /// Where a token leads.
    pub(super) fn token(&mut self, from: StateId, id: TokenId) -> StateId {
        let controls = &self.states[from as usize].controls;
        if let Some((_, to)) = controls.iter().find(|(token, _)| *token == id) {
            return *to;
        }
        let vocabulary = self.vocabulary.clone();
        if vocabulary.tokenizer.kind(id) == crate::codec::tokenizer::Kind::Control {
            return DEAD;
        }
        let bytes = vocabulary.tokenizer.bytes(id);
        if bytes.is_empty() {
            return DEAD;
        }
        bytes.iter().fold(from, |at, &byte| if at == DEAD { DEAD } else { self.byte(at, byte) })
    }

    /// Whether the text may end here.
    pub(super) fn ends(&self, state: StateId) -> bool {
        self.states[state as usize].ends
    }

    /// Fewest bytes and control tokens to the end.
    pub(super) fn distance(&self, state: StateId) -> u32 {
        self.states[state as usize].distance
    }

    /// The tokens that may follow, ascending.
    pub(super) fn allowed(&mut self, state: StateId) -> Arc<[TokenId]> {
        if let Some(allowed) = &self.states[state as usize].allowed {
            return allowed.clone();
        }
        let vocabulary = self.vocabulary.clone();
        // found in the order of their bytes, wanted in that of their ids: marked, not sorted
        let mut marks = vec![false; vocabulary.tokenizer.len()];
        let mut mark = |token: TokenId| marks[token as usize] = true;
        self.states[state as usize].controls.iter().for_each(|(token, _)| mark(*token));
        let nodes = vocabulary.trie.nodes();
        // path[d] is the state before the byte at depth d.
        let mut path = vec![state];
        let mut at = 0;
        while let Some(node) = nodes.get(at) {
            let depth = usize::from(node.depth);
            path.truncate(depth + 1);
            let to = path.get(depth).map_or(DEAD, |&from| self.byte(from, node.byte));
            if to == DEAD {
                at = node.end as usize;
                continue;
            }
            if let Some(token) = node.token {
                mark(token);
            }
            path.push(to);
            at += 1;
        }
        let marked = (0..).zip(marks).filter_map(|(token, mark)| mark.then_some(token));
        let tokens: Arc<[TokenId]> = marked.collect();
        self.states[state as usize].allowed = Some(tokens.clone());
        tokens
    }

    /// Those of the allowed tokens that lie on a shortest way to the end.
    pub(super) fn shortest(&mut self, state: StateId) -> Vec<TokenId> {
        let here = self.distance(state);
        let vocabulary = self.vocabulary.clone();
        let allowed = self.allowed(state);
        let control = |machine: &Machine, id: TokenId| {
            machine.states[state as usize].controls.iter().any(|(token, _)| *token == id)
        };
        let mut kept = Vec::new();
        for &id in allowed.iter() {
            let to = self.token(state, id);
            let cost = if control(self, id) { 1 } else { vocabulary.tokenizer.bytes(id).len() };
            if self.distance(to).saturating_add(cost as u32) == here {
                kept.push(id);
            }
        }
        kept
    }

    /// The text that must follow, byte by byte, and what comes after it.
    pub(super) fn forced(&mut self, mut state: StateId) -> (Vec<u8>, After) {
        let mut bytes = Vec::new();
        loop {
            let here = &self.states[state as usize];
            if here.ends || bytes.len() > 4096 {
                return (bytes, if here.ends { After::End } else { After::Choice });
            }
            let mut only: Option<u8> = None;
            let mut branches = false;
            for &node in &here.nodes {
                for (edge, _) in self.nfa.edges(node) {
                    match edge {
                        Edge::Byte(byte) => {
                            branches |= only.replace(*byte).is_some_and(|b| b != *byte)
                        }
                        Edge::Class(_) => branches = true,
                        Edge::Control(_) | Edge::Empty => {}
                    }
                }
            }
            match (only, here.controls.as_slice()) {
                _ if branches => return (bytes, After::Choice),
                (Some(byte), []) => {
                    bytes.push(byte);
                    state = self.byte(state, byte);
                }
                (None, [(token, _)]) => return (bytes, After::Control(*token)),
                _ => return (bytes, After::Choice),
            }
        }
    }
}
