//! A model file's metadata → [`Spec`].
//!
//! Must not know: how text is split.

use super::{Spec, TokenizerError};
use crate::gguf::{Gguf, GgufError};

impl Spec {
    /// Reads `tokenizer.*` of a model file.
    ///
    /// # Errors
    /// [`TokenizerError::Metadata`] if a key is missing or of another type.
    pub fn from_gguf(gguf: &Gguf<'_>) -> Result<Self, TokenizerError> {
        let strings = |key: &str| {
            gguf.opt_strings(key).map(|list| {
                list.unwrap_or_default().into_iter().map(str::to_owned).collect::<Vec<_>>()
            })
        };
        let array = |key: &str| gguf.get(key).and_then(|value| value.as_array());
        let model = gguf.opt_str("tokenizer.ggml.model")?;
        let id = |name: &str, add: &str, default: bool| -> Result<_, GgufError> {
            let wanted = gguf.opt_bool(add)?.unwrap_or(default);
            Ok(gguf.opt_u32(name)?.filter(|_| wanted))
        };
        let model = model.ok_or_else(|| GgufError::MissingKey("tokenizer.ggml.model".into()))?;
        let spm = model == "llama";
        Ok(Spec {
            model: model.to_owned(),
            pre: gguf.opt_str("tokenizer.ggml.pre")?.unwrap_or("default").to_owned(),
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
