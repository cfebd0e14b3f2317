//! A language as a graph: nodes joined by bytes, control tokens or nothing (Thompson's
//! construction).
//!
//! Must not know: vocabularies.

use super::{ByteSet, Expr};
use crate::codec::TokenId;

/// What leads from one node to another.
#[derive(Debug, Clone)]
pub(super) enum Edge {
    Byte(u8),
    Class(ByteSet),
    Control(TokenId),
    Empty,
}

/// Where no end can be reached from.
pub(super) const UNREACHABLE: u32 = u32::MAX;

#[derive(Debug)]
pub(super) struct Nfa {
    edges: Vec<Vec<(Edge, u32)>>,
    end: u32,
    /// Fewest bytes and control tokens from a node to the end.
    distance: Vec<u32>,
}

impl Nfa {
    /// The graph of a language. Node 0 is its beginning.
    pub(super) fn new(expr: &Expr) -> Self {
        let mut nfa = Nfa { edges: vec![Vec::new()], end: 0, distance: Vec::new() };
        nfa.end = nfa.add(expr, 0);
        nfa.measure();
        nfa
    }

    fn node(&mut self) -> u32 {
        self.edges.push(Vec::new());
        self.edges.len() as u32 - 1
    }

    fn join(&mut self, from: u32, edge: Edge, to: u32) {
        if let Some(edges) = self.edges.get_mut(from as usize) {
            edges.push((edge, to));
        }
    }

    fn step(&mut self, from: u32, edge: Edge) -> u32 {
        let to = self.node();
        self.join(from, edge, to);
        to
    }

    /// Adds a language that begins at a node; returns where it ends.
    fn add(&mut self, expr: &Expr, from: u32) -> u32 {
        match expr {
            Expr::Control(id) => self.step(from, Edge::Control(*id)),
            Expr::Text(text) => text.bytes().fold(from, |at, byte| self.step(at, Edge::Byte(byte))),
            Expr::Class(set) => self.step(from, Edge::Class(*set)),
            Expr::Seq(parts) => parts.iter().fold(from, |at, part| self.add(part, at)),
            Expr::Any(parts) => {
                let to = self.node();
                for part in parts {
                    let end = self.add(part, from);
                    self.join(end, Edge::Empty, to);
                }
                to
            }
            Expr::Many(part) => {
                let hub = self.step(from, Edge::Empty);
                let end = self.add(part, hub);
                self.join(end, Edge::Empty, hub);
                self.step(hub, Edge::Empty)
            }
        }
    }

    fn measure(&mut self) {
        let mut into: Vec<Vec<(u32, u32)>> = vec![Vec::new(); self.edges.len()];
        for (from, edges) in self.edges.iter().enumerate() {
            for (edge, to) in edges {
                let cost = u32::from(!matches!(edge, Edge::Empty));
                into[*to as usize].push((from as u32, cost));
            }
        }
        self.distance = vec![UNREACHABLE; self.edges.len()];
        let mut queue = std::collections::VecDeque::from([(self.end, 0)]);
        while let Some((node, distance)) = queue.pop_front() {
            let known = &mut self.distance[node as usize];
            if *known <= distance {
                continue;
            }
            *known = distance;
            for &(from, cost) in &into[node as usize] {
                match cost {
                    0 => queue.push_front((from, distance)),
                    _ => queue.push_back((from, distance + 1)),
                }
            }
        }
    }

    pub(super) fn edges(&self, node: u32) -> &[(Edge, u32)] {
        self.edges.get(node as usize).map_or(&[], Vec::as_slice)
    }

    pub(super) fn is_end(&self, node: u32) -> bool {
        node == self.end
    }

    pub(super) fn distance(&self, node: u32) -> u32 {
        self.distance.get(node as usize).copied().unwrap_or(UNREACHABLE)
    }

    /// Some nodes and all that they lead to by nothing, ascending; only those with an edge
    /// of their own, or the end.
    pub(super) fn closure(&self, nodes: impl IntoIterator<Item = u32>) -> Vec<u32> {
        let mut stack: Vec<u32> = nodes.into_iter().collect();
        let mut seen = std::collections::HashSet::new();
        let mut kept = Vec::new();
        while let Some(node) = stack.pop() {
            if !seen.insert(node) {
                continue;
            }
            let mut own = self.is_end(node);
            for (edge, to) in self.edges(node) {
                match edge {
                    Edge::Empty => stack.push(*to),
                    _ => own = true,
                }
            }
            if own {
                kept.push(node);
            }
        }
        kept.sort_unstable();
        kept
    }
}
