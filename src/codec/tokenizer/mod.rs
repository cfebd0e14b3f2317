//! Text ⇄ token ids for models that bring their own vocabulary, from GGUF metadata
//! (`tokenizer.ggml.*`, as llama.cpp writes and reads them).
//!
//! Byte-level BPE (`bpe`) and SentencePiece by scores (`spm`). Control tokens are never
//! recognised inside text: whoever wants one asks for it by name ([`Tokenizer::control`]),
//! so a program that prints `<|im_end|>` stays a program.
//!
//! Must not know: dialects, programs, models.

mod bpe;
mod metadata;
mod spm;
mod trie;

pub use trie::{Node, Trie};

use crate::codec::TokenId;
use crate::gguf::GgufError;
use std::collections::HashMap;

/// What a token is, by the numbers of `tokenizer.ggml.token_type`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Text.
    Normal,
    /// Stands for what has no token; never chosen.
    Unknown,
    /// A mark that is not text, such as `<|im_end|>`.
    Control,
    /// Text that is cut out before anything else, such as runs of spaces.
    UserDefined,
    /// Never produced.
    Unused,
    /// One byte, spelled `<0xNN>`.
    Byte,
}

/// Names of marks that end an answer or a turn. Some files have them as text; taken as that, a
/// program that holds one could end the prompt. llama.cpp makes them control tokens too.
const ENDS: [&str; 12] = [
    "</s>",
    "<eos>",
    "<|im_end|>",
    "<|endoftext|>",
    "<|end_of_text|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|end|>",
    "<end_of_turn>",
    "<end_of_utterance>",
    "<EOT>",
    "_<EOT>",
];

impl Kind {
    fn from_id(id: i64) -> Self {
        match id {
            2 => Kind::Unknown,
            3 => Kind::Control,
            4 => Kind::UserDefined,
            5 => Kind::Unused,
            6 => Kind::Byte,
            _ => Kind::Normal,
        }
    }
}

/// Everything a tokenizer is made of.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Spec {
    /// `gpt2` (byte-level BPE) or `llama` (SentencePiece).
    pub model: String,
    /// `tokenizer.ggml.pre`: how text is split before BPE merges.
    pub pre: String,
    /// Spelling of every id.
    pub tokens: Vec<String>,
    /// Kind of every id, by number; empty means all normal.
    pub kinds: Vec<i64>,
    /// BPE: pairs in order of rank, separated by a space.
    pub merges: Vec<String>,
    /// SentencePiece: score of every id.
    pub scores: Vec<f32>,
    /// SentencePiece: whether text gets a space put before it.
    pub add_space_prefix: bool,
    /// Begin-of-text token, if prompts start with one.
    pub bos: Option<TokenId>,
    /// Token that ends a text.
    pub eos: Option<TokenId>,
    /// The model's chat template (Jinja), if it has one.
    pub chat_template: Option<String>,
}

impl Spec {
    /// The 256 bytes, each its own id: for text that somebody else cuts into tokens.
    pub fn bytes() -> Self {
        let tokens = (0..=u8::MAX).map(|byte| bpe::letter(byte).to_string()).collect();
        Spec { model: "gpt2".to_owned(), pre: "gpt-2".to_owned(), tokens, ..Spec::default() }
    }
}

/// Why a vocabulary cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TokenizerError {
    /// The metadata cannot be read, or lacks a key.
    #[error(transparent)]
    Metadata(#[from] GgufError),
    /// A kind of tokenizer that we do not have.
    #[error("the tokenizer `{0}` is not supported; models with `gpt2` or `llama` work")]
    Model(String),
    /// A split that we do not have. Guessing another would give wrong ids silently.
    #[error("the pre-tokenizer `{0}` is not supported; {known} work", known = bpe::known())]
    Pre(String),
    /// Parts that do not fit together.
    #[error("the vocabulary is corrupt: {0}")]
    Corrupt(String),
}

/// A vocabulary with its way of splitting text.
#[derive(Debug)]
pub struct Tokenizer {
    model: Model,
    kinds: Vec<Kind>,
    /// The bytes of all tokens, one after another, and where each begins.
    bytes: Vec<u8>,
    starts: Vec<u32>,
    controls: HashMap<String, TokenId>,
    /// User-defined tokens, longest first, by their first byte.
    defined: HashMap<u8, Vec<TokenId>>,
    spec: Rest,
}

#[derive(Debug)]
enum Model {
    Bpe(Box<bpe::Bpe>),
    Spm(Box<spm::Spm>),
}

/// Most user-defined tokens of one first byte: each is compared where that byte occurs.
const MOST_DEFINED: usize = 1 << 14;

/// What of the [`Spec`] is kept as it is.
#[derive(Debug)]
struct Rest {
    add_space_prefix: bool,
    bos: Option<TokenId>,
    eos: Option<TokenId>,
    chat_template: Option<String>,
}

impl Tokenizer {
    /// Checks a vocabulary and prepares it.
    ///
    /// # Errors
    /// [`TokenizerError`]: an unsupported kind, or parts that do not fit together.
    pub fn new(spec: Spec) -> Result<Self, TokenizerError> {
        let count = spec.tokens.len();
        let corrupt = |why: String| Err(TokenizerError::Corrupt(why));
        if count == 0 || u32::try_from(count).is_err() {
            return corrupt(format!("it has {count} tokens"));
        }
        if !spec.kinds.is_empty() && spec.kinds.len() != count {
            return corrupt(format!("{count} tokens, but {} token types", spec.kinds.len()));
        }
        for id in [spec.bos, spec.eos].into_iter().flatten() {
            if id as usize >= count {
                return corrupt(format!("token {id} is named, but there are {count}"));
            }
        }
        let kind = |i: usize| match Kind::from_id(spec.kinds.get(i).copied().unwrap_or(1)) {
            Kind::Normal | Kind::UserDefined if ENDS.contains(&spec.tokens[i].as_str()) => {
                Kind::Control
            }
            kind => kind,
        };
        let kinds: Vec<Kind> = (0..count).map(kind).collect();
        let model = match spec.model.as_str() {
            "gpt2" => Model::Bpe(Box::new(bpe::Bpe::new(&spec)?)),
            "llama" => Model::Spm(Box::new(spm::Spm::new(&spec, &kinds)?)),
            other => return Err(TokenizerError::Model(other.to_owned())),
        };
        let mut tokenizer = Tokenizer {
            model,
            kinds,
            bytes: Vec::new(),
            starts: vec![0],
            controls: HashMap::new(),
            defined: HashMap::new(),
            spec: Rest {
                add_space_prefix: spec.add_space_prefix,
                bos: spec.bos,
                eos: spec.eos,
                chat_template: spec.chat_template,
            },
        };
        for (id, text) in spec.tokens.iter().enumerate() {
            let kind = tokenizer.kinds[id];
            match (&tokenizer.model, kind) {
                (_, Kind::Control | Kind::UserDefined) => {
                    tokenizer.bytes.extend_from_slice(text.as_bytes());
                }
                (Model::Bpe(_), _) => bpe::write_bytes(text, &mut tokenizer.bytes),
                (Model::Spm(_), _) => spm::write_bytes(text, kind, &mut tokenizer.bytes),
            }
            let end = u32::try_from(tokenizer.bytes.len());
            let Ok(end) = end else { return corrupt("it holds more than 4 GiB".to_owned()) };
            tokenizer.starts.push(end);
            match kind {
                Kind::Control => {
                    tokenizer.controls.entry(text.clone()).or_insert(id as TokenId);
                }
                Kind::UserDefined => {
                    if let Some(&first) = text.as_bytes().first() {
                        tokenizer.defined.entry(first).or_default().push(id as TokenId);
                    }
                }
                _ => {}
            }
        }
        let defined = tokenizer.defined.values().map(Vec::len).max().unwrap_or(0);
        if defined > MOST_DEFINED {
            return corrupt(format!("{defined} user-defined tokens begin with the same byte"));
        }
        for ids in tokenizer.defined.values_mut() {
            ids.sort_by_key(|&id| std::cmp::Reverse(spec.tokens[id as usize].len()));
        }
        Ok(tokenizer)
    }

    /// Number of ids.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Whether there is no token; never the case.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// The bytes an id stands for in text; a control token's own spelling; empty outside
    /// the vocabulary.
    pub fn bytes(&self, id: TokenId) -> &[u8] {
        let index = id as usize;
        let ends = (self.starts.get(index), self.starts.get(index + 1));
        let (Some(&start), Some(&end)) = ends else { return &[] };
        self.bytes.get(start as usize..end as usize).unwrap_or_default()
    }

    /// What an id is.
    pub fn kind(&self, id: TokenId) -> Kind {
        self.kinds.get(id as usize).copied().unwrap_or(Kind::Unused)
    }

    /// The id of a control token by its spelling.
    pub fn control(&self, spelling: &str) -> Option<TokenId> {
        self.controls.get(spelling).copied()
    }

    /// The token that prompts begin with, if this model wants one.
    pub fn bos(&self) -> Option<TokenId> {
        self.spec.bos
    }

    /// The token that ends a text.
    pub fn eos(&self) -> Option<TokenId> {
        self.spec.eos
    }

    /// The model's chat template (Jinja), if it has one.
    pub fn chat_template(&self) -> Option<&str> {
        self.spec.chat_template.as_deref()
    }

    /// Text that begins a prompt or follows a control token.
    pub fn encode_start(&self, text: &str) -> Vec<TokenId> {
        if self.spec.add_space_prefix && !text.is_empty() {
            return self.encode(&format!(" {text}"));
        }
        self.encode(text)
    }

    /// Text as ids. No control token is recognised in it.
    pub fn encode(&self, text: &str) -> Vec<TokenId> {
        self.encode_parts(text).0
    }

    /// Text that goes on: the ids of its beginning, as far as they do not depend on what
    /// follows.
    pub fn encode_open(&self, text: &str) -> Vec<TokenId> {
        let (mut ids, last, rest) = self.encode_parts(text);
        ids.truncate(last);
        let rest = text.get(rest..).unwrap_or_default();
        let settled = match &self.model {
            Model::Bpe(bpe) => bpe.settled(rest),
            Model::Spm(_) => spm::settled(rest),
        };
        self.encode_plain(rest.get(..settled).unwrap_or_default(), &mut ids);
        ids
    }

    /// The ids; how many of them come before the last part (the plain text after the last
    /// user-defined token, or that token); and at which byte that part begins.
    fn encode_parts(&self, text: &str) -> (Vec<TokenId>, usize, usize) {
        let mut ids = Vec::new();
        let (mut last, mut start) = (0, 0);
        let (mut plain, mut at) = (0, 0);
        while let Some(&first) = text.as_bytes().get(at) {
            let found = self.defined.get(&first).and_then(|candidates| {
                let rest = text.as_bytes().get(at..)?;
                candidates.iter().find(|&&id| rest.starts_with(self.bytes(id)))
            });
            let Some(&id) = found else {
                at += 1;
                continue;
            };
            self.encode_plain(text.get(plain..at).unwrap_or_default(), &mut ids);
            (last, start) = (ids.len(), at);
            ids.push(id);
            at += self.bytes(id).len();
            plain = at;
        }
        if plain < text.len() {
            (last, start) = (ids.len(), plain);
            self.encode_plain(text.get(plain..).unwrap_or_default(), &mut ids);
        }
        (ids, last, start)
    }

    fn encode_plain(&self, text: &str, ids: &mut Vec<TokenId>) {
        match &self.model {
            _ if text.is_empty() => {}
            Model::Bpe(bpe) => bpe.encode(text, ids),
            Model::Spm(spm) => spm.encode(text, ids),
        }
    }

    /// Ids as text, control tokens spelled out, broken UTF-8 replaced. A character whose
    /// bytes have not all come yet is left out at the end.
    pub fn decode(&self, ids: &[TokenId]) -> String {
        let bytes: Vec<u8> = ids.iter().flat_map(|&id| self.bytes(id)).copied().collect();
        let tail = bytes.utf8_chunks().last().map_or(&[][..], |chunk| chunk.invalid());
        let end = bytes.len() - if unfinished(tail) { tail.len() } else { 0 };
        String::from_utf8_lossy(bytes.get(..end).unwrap_or_default()).into_owned()
    }
}

/// Whether bytes are the beginning of a UTF-8 character.
fn unfinished(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

#[cfg(test)]
mod tests;
