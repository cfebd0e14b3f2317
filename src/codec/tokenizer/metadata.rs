//! A model file's metadata → [`Spec`].
//!
//! Must not know: how text is split.

use super::{Spec, TokenizerError};
use crate::gguf::{Gguf, GgufError};

/// Most tokens or merges; real files have some 450,000 at most.
const MOST: usize = 1 << 20;

/// Most bytes of all tokens or merges together, their lengths not counted: the tree of a
/// vocabulary takes some 16 times as many. Real files have some 5 million.
const MOST_BYTES: usize = 16 << 20;

impl Spec {
    /// Reads `tokenizer.*` of a model file.
    ///
    /// # Errors
    /// [`TokenizerError::Metadata`] if a key is missing or of another type.
    pub fn from_gguf(gguf: &Gguf<'_>) -> Result<Self, TokenizerError> {
        let strings = |key: &str| -> Result<Vec<String>, TokenizerError> {
            let size = gguf.get(key).and_then(|value| value.as_array());
            let (count, bytes) = size.map_or((0, 0), |array| (array.len, array.size()));
            if count > MOST || bytes > MOST_BYTES + 8 * count {
                return Err(TokenizerError::Corrupt(format!(
                    "`{key}` has {count} strings in {bytes} bytes; {MOST} in {MOST_BYTES} are \
                     possible"
                )));
            }
            let list = gguf.opt_strings(key)?.unwrap_or_default();
            Ok(list.into_iter().map(str::to_owned).collect())
        };
        let array = |key: &str| gguf.get(key).and_then(|value| value.as_array());
        let model = gguf.opt_word("tokenizer.ggml.model")?;
        let id = |name: &str, add: &str, default: bool| -> Result<_, GgufError> {
            let wanted = gguf.opt_bool(add)?.unwrap_or(default);
            Ok(gguf.opt_u32(name)?.filter(|_| wanted))
        };
        let model = model.ok_or_else(|| GgufError::MissingKey("tokenizer.ggml.model".into()))?;
        let spm = model == "llama";
        Ok(Spec {
            model: model.to_owned(),
            pre: gguf.opt_word("tokenizer.ggml.pre")?.unwrap_or("default").to_owned(),
            tokens: strings("tokenizer.ggml.tokens")?,
            kinds: array("tokenizer.ggml.token_type")
                .map(|list| list.iter().map(|v| v.as_f64().unwrap_or(1.0) as i64).collect())
                .unwrap_or_default(),
            merges: strings("tokenizer.ggml.merges")?,
            scores: array("tokenizer.ggml.scores")
                .map(|list| list.iter().map(|v| v.as_f64().unwrap_or(0.0) as f32).collect())
                .unwrap_or_default(),
            add_space_prefix: gguf.opt_bool("tokenizer.ggml.add_space_prefix")?.unwrap_or(spm),
            bos: id("tokenizer.ggml.bos_token_id", "tokenizer.ggml.add_bos_token", spm)?,
            eos: gguf.opt_u32("tokenizer.ggml.eos_token_id")?,
            chat_template: gguf.opt_str("tokenizer.chat_template")?.map(str::to_owned),
        })
    }
}
