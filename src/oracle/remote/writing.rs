//! An answer being written from a server's text under a dialect's grammar.
//!
//! The server knows no grammar. What it says is followed as far as it is legal; where it is
//! not, the likeliest legal alternative takes its place, as when a local model's logits are
//! masked. Ids are bytes here. Must not know: the server, the protocol's spelling.

use super::protocol::{Completion, Piece};
use crate::codec::{Reply, TokenId};
use crate::oracle::reading::Sureness;

/// An answer and how sure the model was of each of its bytes.
#[derive(Debug)]
pub(super) struct Writing {
    reply: Box<dyn Reply>,
    sure: Vec<Sureness>,
}

impl Writing {
    /// Nothing written yet. The reply's ids are bytes.
    pub(super) fn new(reply: Box<dyn Reply>) -> Self {
        Writing { reply, sure: Vec::new() }
    }

    /// What is written, and how sure each byte is.
    pub(super) fn into_parts(self) -> (Box<dyn Reply>, Vec<Sureness>) {
        (self.reply, self.sure)
    }

    /// Whether it is complete.
    pub(super) fn done(&self) -> bool {
        self.reply.done()
    }

    /// What is written so far.
    pub(super) fn text(&self) -> String {
        self.reply.text()
    }

    /// Writes what has no alternative from here. Spaces before a choice are left to the
    /// model: its tokens begin with them, so that it writes worse after a lone one.
    pub(super) fn force(&mut self) {
        let run = self.forced();
        let kept = match run.iter().rposition(|&id| id != TokenId::from(b' ')) {
            _ if self.completes(&run) => run.len(),
            last => last.map_or(0, |last| last + 1),
        };
        self.write_forced(run.get(..kept).unwrap_or_default());
    }

    fn forced(&self) -> Vec<TokenId> {
        let mut ahead = self.reply.fork();
        let mut run = Vec::new();
        while !ahead.done() {
            let &[only] = ahead.allowed() else { break };
            ahead.push(only);
            run.push(only);
        }
        run
    }

    fn completes(&self, run: &[TokenId]) -> bool {
        let mut ahead = self.reply.fork();
        run.iter().for_each(|&id| {
            ahead.push(id);
        });
        ahead.done()
    }

    fn write_forced(&mut self, run: &[TokenId]) {
        for &id in run {
            self.reply.push(id);
            self.sure.push(Sureness { forced: true, constrained: None, raw: None });
        }
    }

    /// Follows a server's text; whether that wrote anything. Without progress there is
    /// nothing legal that the model is known to prefer.
    pub(super) fn follow(&mut self, completion: &Completion) -> bool {
        let before = self.sure.len();
        for piece in &completion.pieces {
            if self.done() {
                break;
            }
            if self.legal(&piece.bytes) < piece.bytes.len() {
                self.correct(piece);
                return self.sure.len() > before;
            }
            self.write(&piece.bytes, self.probability(piece, piece.logprob));
        }
        if completion.ended {
            // The empty line that ended it, as far as it was not sent.
            while !self.done() && self.legal(b"\n") == 1 {
                self.write_forced(&[TokenId::from(b'\n')]);
            }
            let forced = self.forced();
            self.write_forced(&forced);
        }
        self.sure.len() > before
    }

    /// Writes what comes nearest to a piece that is not legal.
    fn correct(&mut self, piece: &Piece) {
        let mut others: Vec<&(Vec<u8>, f32)> =
            piece.others.iter().filter(|(bytes, _)| is_text(bytes)).collect();
        others.sort_by(|a, b| b.1.total_cmp(&a.1));
        let legal = others.into_iter().find(|(bytes, _)| self.legal(bytes) == bytes.len());
        if let Some((bytes, logprob)) = legal {
            self.write(bytes, self.probability(piece, Some(*logprob)));
            return;
        }
        let legal = self.legal(&piece.bytes);
        let heads = (0..=legal).rev().filter_map(|count| piece.bytes.get(..count));
        let whole = heads.into_iter().find(|head| std::str::from_utf8(head).is_ok());
        self.write(whole.unwrap_or_default(), None);
        let forced = self.forced();
        self.write_forced(&forced);
    }

    /// How many bytes may follow; those after the end of the answer count as legal.
    fn legal(&self, bytes: &[u8]) -> usize {
        let mut ahead = self.reply.fork();
        for (count, &byte) in bytes.iter().enumerate() {
            if ahead.done() {
                break;
            }
            let id = TokenId::from(byte);
            if ahead.allowed().binary_search(&id).is_err() {
                return count;
            }
            ahead.push(id);
        }
        bytes.len()
    }

    /// Writes legal bytes. How sure they are counts where they first had an alternative.
    fn write(&mut self, bytes: &[u8], probability: Option<(f32, f32)>) {
        let mut counted = false;
        for &byte in bytes {
            if self.done() {
                break;
            }
            let choice = self.reply.allowed().len() > 1;
            let forced = !choice || counted && probability.is_some();
            self.sure.push(Sureness {
                forced,
                constrained: probability.map(|(constrained, _)| constrained),
                raw: probability.map(|(_, raw)| raw),
            });
            counted |= choice;
            self.reply.push(TokenId::from(byte));
        }
    }

    /// Of something in a piece's place: among what is legal, and among everything. Not all
    /// alternatives are known: those that are not count as legal, so that the model is never
    /// shown surer than it is.
    fn probability(&self, piece: &Piece, logprob: Option<f32>) -> Option<(f32, f32)> {
        let probability = |logprob: f32| logprob.exp().clamp(0.0, 1.0);
        let raw = probability(logprob.filter(|p| !p.is_nan())?);
        let known = |bytes: &[u8]| piece.others.iter().any(|(other, _)| other == bytes);
        let itself = piece.logprob.filter(|_| !known(&piece.bytes));
        let itself = itself.map(|logprob| (&piece.bytes, logprob));
        let all = piece.others.iter().map(|(bytes, logprob)| (bytes, *logprob)).chain(itself);
        let illegal = all.filter(|(bytes, _)| self.legal(bytes) < bytes.len());
        let illegal: f32 = illegal.map(|(_, logprob)| probability(logprob)).sum();
        let constrained = raw / (1.0 - illegal).max(raw).max(f32::MIN_POSITIVE);
        Some((constrained, raw))
    }
}

/// Whether a token's spelling is what it stands for: not broken characters, no mark such as
/// `<|im_end|>`.
fn is_text(bytes: &[u8]) -> bool {
    let mark = bytes.starts_with(b"<") && bytes.ends_with(b">") && bytes.len() > 2;
    let text = std::str::from_utf8(bytes);
    !mark && text.is_ok_and(|text| !text.is_empty() && !text.contains('\u{fffd}'))
}
