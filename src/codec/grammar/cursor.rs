//! One text being written under a language.
//!
//! Must not know: what the text means.

use super::machine::{After, DEAD, Machine, START, StateId};
use crate::codec::TokenId;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

/// Where a text stands in its language. Copies share the machine's cached masks.
#[derive(Debug, Clone)]
pub struct Cursor {
    machine: Arc<Mutex<Machine>>,
    state: StateId,
    pushed: Vec<TokenId>,
    /// Ids of forced text, in the tokenizer's own spelling.
    queue: VecDeque<TokenId>,
    /// From this many ids on, only the shortest way to the end is allowed.
    patience: usize,
    current: Arc<[TokenId]>,
    stale: bool,
}

impl Cursor {
    /// Nothing written yet. After `patience` ids the text is brought to its end.
    pub fn new(machine: Machine, patience: usize) -> Self {
        Cursor {
            machine: Arc::new(Mutex::new(machine)),
            state: START,
            pushed: Vec::new(),
            queue: VecDeque::new(),
            patience,
            current: Arc::new([]),
            stale: true,
        }
    }

    /// The ids that may come next, ascending; all ids once the text has left the language.
    pub fn allowed(&mut self) -> &[TokenId] {
        if self.stale {
            self.stale = false;
            self.current = self.compute();
        }
        &self.current
    }

    fn compute(&mut self) -> Arc<[TokenId]> {
        let mut machine = self.machine.lock().unwrap_or_else(PoisonError::into_inner);
        if self.state == DEAD {
            return (0..machine.vocabulary().tokenizer.len() as TokenId).collect();
        }
        if machine.ends(self.state) {
            return Arc::new([]);
        }
        if self.queue.is_empty() {
            self.queue = canonical(&mut machine, self.state).into();
        }
        match self.queue.front() {
            Some(&id) => Arc::new([id]),
            None if self.pushed.len() >= self.patience => machine.shortest(self.state).into(),
            None => machine.allowed(self.state),
        }
    }

    /// The ids that are forced from here.
    pub fn forced(&mut self) -> Vec<TokenId> {
        let only = <[TokenId; 1]>::try_from(self.allowed()).ok();
        match only {
            Some([id]) if self.queue.is_empty() => vec![id],
            _ => self.queue.iter().copied().collect(),
        }
    }

    /// Takes the next id; `false` if it was not allowed. Other spellings of a forced text
    /// count as allowed.
    pub fn push(&mut self, id: TokenId) -> bool {
        if self.queue.front() == Some(&id) {
            self.queue.pop_front();
        } else {
            self.queue.clear();
        }
        self.pushed.push(id);
        self.stale = true;
        let mut machine = self.machine.lock().unwrap_or_else(PoisonError::into_inner);
        self.state = if self.state == DEAD { DEAD } else { machine.token(self.state, id) };
        self.state != DEAD
    }

    /// Whether the text is complete.
    pub fn done(&self) -> bool {
        let machine = self.machine.lock().unwrap_or_else(PoisonError::into_inner);
        self.state != DEAD && machine.ends(self.state)
    }

    /// What was written.
    pub fn pushed(&self) -> &[TokenId] {
        &self.pushed
    }
}

/// The forced text from a state in the tokenizer's spelling. Where other text follows, what
/// may be spelled together with it is left to the model.
fn canonical(machine: &mut Machine, state: StateId) -> Vec<TokenId> {
    let (bytes, after) = machine.forced(state);
    let Ok(text) = String::from_utf8(bytes) else { return Vec::new() };
    let tokenizer = &machine.vocabulary().tokenizer;
    match after {
        After::Choice => tokenizer.encode_open(&text),
        After::End => tokenizer.encode(&text),
        After::Control(control) => {
            let mut ids = tokenizer.encode(&text);
            ids.push(control);
            ids
        }
    }
}
