//! Byte-level BPE (GPT-2's): text is split by a model-specific pattern, bytes become
//! printable characters, pairs merge by rank.
//!
//! The patterns are those of llama.cpp (`llama-vocab.cpp`), which gives GGUF files their
//! `tokenizer.ggml.pre`. Must not know: special tokens.

use super::{Spec, TokenizerError};
use crate::codec::TokenId;
use crate::gguf::quoted;
use tokenizers::models::bpe;
use tokenizers::pre_tokenizers::split::{Split, SplitPattern};
use tokenizers::{
    Model, OffsetReferential, OffsetType, PreTokenizedString, PreTokenizer, SplitDelimiterBehavior,
};

const GPT2: &str = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)";
const LLAMA3: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";
const QWEN2: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";

/// One way to split: names in files, the patterns applied one after another, and whether a
/// piece that is a token itself is taken without merging.
struct Pre {
    names: &'static [&'static str],
    patterns: &'static [&'static str],
    whole_tokens: bool,
}

const PRE: &[Pre] = &[
    Pre {
        names: &["default"],
        patterns: &[r"[\p{P}\$\+<=>\^~\|]+", GPT2, r"\p{N}+", "[0-9][0-9][0-9]"],
        whole_tokens: false,
    },
    Pre { names: &["gpt-2"], patterns: &[GPT2], whole_tokens: false },
    Pre {
        names: &["smollm", "starcoder", "refact", "command-r", "codeshell"],
        patterns: &[r"\p{N}", GPT2],
        whole_tokens: false,
    },
    Pre { names: &["llama-bpe", "llama3", "llama-v3"], patterns: &[LLAMA3], whole_tokens: true },
    Pre { names: &["qwen2", "deepseek-r1-qwen"], patterns: &[QWEN2], whole_tokens: false },
];

/// The names that are supported, for people.
pub(super) fn known() -> String {
    PRE.iter().flat_map(|pre| pre.names).copied().collect::<Vec<_>>().join(", ")
}

#[derive(Debug)]
pub(super) struct Bpe {
    splits: Vec<Split>,
    model: bpe::BPE,
}

impl Bpe {
    pub(super) fn new(spec: &Spec) -> Result<Self, TokenizerError> {
        let corrupt = |why: String| TokenizerError::Corrupt(why);
        let pre = PRE.iter().find(|pre| pre.names.contains(&spec.pre.as_str()));
        let pre = pre.ok_or_else(|| TokenizerError::Pre(spec.pre.clone()))?;
        let splits = pre.patterns.iter().map(|pattern| {
            let pattern = SplitPattern::Regex((*pattern).to_owned());
            Split::new(pattern, SplitDelimiterBehavior::Isolated, false)
                .map_err(|error| corrupt(error.to_string()))
        });
        let splits = splits.collect::<Result<_, _>>()?;
        let merges = spec.merges.iter().map(|merge| {
            // The first half may begin with a space only in broken files: it is a letter here.
            let halves = merge.split_once(' ').map(|(a, b)| (a.to_owned(), b.to_owned()));
            halves.ok_or_else(|| corrupt(format!("the merge {} is no pair", quoted(merge))))
        });
        let merges = merges.collect::<Result<_, _>>()?;
        let mut vocab = tokenizers::models::bpe::Vocab::default();
        for (id, token) in spec.tokens.iter().enumerate() {
            vocab.entry(token.clone()).or_insert(id as TokenId);
        }
        let model = bpe::BPE::builder()
            .vocab_and_merges(vocab, merges)
            .ignore_merges(pre.whole_tokens)
            .build()
            .map_err(|error| corrupt(quoted(&error.to_string())))?;
        Ok(Bpe { splits, model })
    }

    pub(super) fn encode(&self, text: &str, ids: &mut Vec<TokenId>) {
        let pieces = self.split(text);
        for (piece, _, _) in pieces.get_splits(OffsetReferential::Original, OffsetType::Byte) {
            let letters: String = piece.bytes().map(letter).collect();
            let tokens = self.model.tokenize(&letters).unwrap_or_default();
            ids.extend(tokens.iter().map(|token| token.id));
        }
    }

    /// How many bytes of a text that goes on are split for good: all but the last piece.
    pub(super) fn settled(&self, text: &str) -> usize {
        let pieces = self.split(text);
        let splits = pieces.get_splits(OffsetReferential::Original, OffsetType::Byte);
        splits.last().map_or(0, |(_, (start, _), _)| *start)
    }

    fn split(&self, text: &str) -> PreTokenizedString {
        let mut pieces = PreTokenizedString::from(text);
        for split in &self.splits {
            // Splitting can fail only where a pattern backtracks without bound; ours do not.
            // The text then stays one piece, which has ids all the same.
            let _ = split.pre_tokenize(&mut pieces);
        }
        pieces
    }
}

/// The printable character that stands for a byte (GPT-2's `bytes_to_unicode`): printable
/// Latin-1 for itself, the others from U+0100 on in order.
pub(super) fn letter(byte: u8) -> char {
    let code = match byte {
        b'!'..=b'~' | 0xA1..=0xAC | 0xAE..=0xFF => u32::from(byte),
        0..=0x20 => 0x100 + u32::from(byte),
        0x7F..=0xA0 => 0x121 + u32::from(byte) - 0x7F,
        0xAD => 0x143,
    };
    char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// The byte that a printable character stands for.
fn byte(letter: char) -> Option<u8> {
    let byte = match u32::from(letter) {
        code @ (0x21..=0x7E | 0xA1..=0xAC | 0xAE..=0xFF) => code,
        code @ 0x100..=0x120 => code - 0x100,
        code @ 0x121..=0x142 => code - 0x121 + 0x7F,
        0x143 => 0xAD,
        _ => return None,
    };
    u8::try_from(byte).ok()
}

/// The bytes a token stands for; characters outside the map, which only unusual files
/// have, stand for themselves.
pub(super) fn write_bytes(token: &str, out: &mut Vec<u8>) {
    for c in token.chars() {
        match byte(c) {
            Some(byte) => out.push(byte),
            None => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn letters_and_bytes_are_one_to_one() {
        let letters: HashSet<char> = (0..=255).map(letter).collect();
        assert_eq!(letters.len(), 256);
        assert!((0..=255).all(|b| byte(letter(b)) == Some(b)));
        assert_eq!((letter(b' '), letter(b'\n'), letter(0xAD)), ('Ġ', 'Ċ', 'Ń'));
    }
}
