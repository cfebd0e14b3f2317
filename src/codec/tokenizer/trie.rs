//! The vocabulary as a tree of bytes: which tokens a language of bytes allows is found by
//! walking both together.
//!
//! Must not know: which bytes are allowed.

use super::{Kind, Tokenizer};
use crate::codec::TokenId;

/// One byte of one or more tokens, in depth-first order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    /// The byte.
    pub byte: u8,
    /// Number of bytes before it.
    pub depth: u16,
    /// The token that ends here.
    pub token: Option<TokenId>,
    /// Index after the last node below this one.
    pub end: u32,
}

/// All tokens that are text. Of tokens with equal bytes the one that encoding would give
/// counts.
#[derive(Debug)]
pub struct Trie {
    nodes: Vec<Node>,
}

/// Longest token that takes part, in bytes; longer ones (runs of hundreds of spaces) can be
/// spelled by others.
const LONGEST: usize = 128;

impl Trie {
    /// Builds the tree.
    pub fn new(tokenizer: &Tokenizer) -> Self {
        let mut tokens: Vec<(&[u8], u8, TokenId)> = (0..tokenizer.len() as TokenId)
            .filter_map(|id| {
                let kind = tokenizer.kind(id);
                let rank = match kind {
                    Kind::UserDefined => 0,
                    Kind::Normal => 1,
                    Kind::Byte => 2,
                    Kind::Unknown | Kind::Control | Kind::Unused => return None,
                };
                let bytes = tokenizer.bytes(id);
                (1..=LONGEST).contains(&bytes.len()).then_some((bytes, rank, id))
            })
            .collect();
        tokens.sort_unstable();
        tokens.dedup_by(|later, first| later.0 == first.0);

        let mut nodes: Vec<Node> = Vec::new();
        let mut path: Vec<usize> = Vec::new(); // nodes of the bytes of the previous token
        let mut previous: &[u8] = &[];
        for (bytes, _, id) in tokens {
            let common = previous.iter().zip(bytes).take_while(|(a, b)| a == b).count();
            for open in path.drain(common..) {
                nodes[open].end = nodes.len() as u32;
            }
            for (depth, &byte) in bytes.iter().enumerate().skip(common) {
                path.push(nodes.len());
                nodes.push(Node { byte, depth: depth as u16, token: None, end: 0 });
            }
            if let Some(&last) = path.last() {
                nodes[last].token = Some(id);
            }
            previous = bytes;
        }
        for open in path {
            nodes[open].end = nodes.len() as u32;
        }
        Trie { nodes }
    }

    /// The nodes, depth first.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }
}
