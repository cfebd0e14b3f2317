//! A model file's bytes → an oracle: which dialect, and whether it fits.

use super::{Card, NeuralOracle};
use crate::codec::compact::{self, Compact};
use crate::codec::grammar::Vocabulary;
use crate::codec::native::Native;
use crate::codec::prompted::Prompted;
use crate::codec::tokenizer::{Spec, Tokenizer, TokenizerError};
use crate::codec::{Dialect, Refusal};
use crate::gguf::{Gguf, GgufError};
use crate::model::{DeviceChoice, EngineChoice, Model, ModelError};
use std::sync::Arc;

/// How to open and ask a model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Options {
    /// Where it runs.
    pub device: DeviceChoice,
    /// How many threads compute on the CPU; `None`: what suits the model and the machine.
    pub threads: Option<usize>,
    /// Of invented values.
    pub seed: u64,
    /// Let anything follow, not only what the language allows; for research.
    pub unconstrained: bool,
}

/// Why a model file does not open: one line each, without the path.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum OpenError {
    /// Not a model file that we read.
    #[error(transparent)]
    Gguf(#[from] GgufError),
    /// Not a network that we compute, or not on that device.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// Its vocabulary cannot be used.
    #[error(transparent)]
    Tokenizer(#[from] TokenizerError),
    /// The dialect does not work with its vocabulary.
    #[error(transparent)]
    Refusal(#[from] Refusal),
    /// Made for another version of the language.
    #[error("{0}")]
    Mismatch(String),
}

/// Opens the model of a file whose header was read. `stem` names it if it does not name itself.
///
/// A model with a `debugger.dialect` is asked in it, if we speak that version; any other is
/// taken for a general chat model and asked in the `prompted` dialect.
///
/// # Errors
/// [`OpenError`], one line that says what is wrong with the file.
pub fn open(gguf: &Gguf<'_>, stem: &str, options: Options) -> Result<NeuralOracle, OpenError> {
    let card = Card::read(gguf)?;
    if let Some(card) = &card {
        speaks(card)?; // before the weights are loaded
    }
    let model = Model::load(gguf, options.device, EngineChoice::Auto, options.threads)?;
    let context = model.config().context;
    let window = card.as_ref().and_then(|card| card.context).map_or(context, |n| n.min(context));
    let dialect: Box<dyn Dialect> = match card.as_ref().map(|card| card.dialect.as_str()) {
        None => Box::new(Prompted::new(vocabulary(gguf, &model)?, window)),
        Some("compact") => {
            enough_rows(&model, compact::vocab::SIZE)?;
            Box::new(Compact::new(window))
        }
        Some(_) => Box::new(Native::new(vocabulary(gguf, &model)?, window)?),
    };
    let name = gguf.opt_word("general.name").ok().flatten(); // only a label
    let label = name.filter(|name| !name.is_empty()).unwrap_or(stem);
    Ok(NeuralOracle::new(label.to_owned(), Arc::new(model), dialect, card, options)?)
}

/// Whether we speak the dialect and version that a model was trained on.
fn speaks(card: &Card) -> Result<(), OpenError> {
    let mismatch = |why: String| Err(OpenError::Mismatch(why));
    let version = match card.dialect.as_str() {
        "native" => 1,
        "compact" => compact::VERSION,
        other => {
            return mismatch(format!(
                "the model speaks the dialect `{other}`, which this foretrace does not; \
                 native and compact work"
            ));
        }
    };
    if card.version != version {
        return mismatch(format!(
            "the model speaks version {} of the {} dialect, this foretrace speaks version \
             {version}; use a model and a foretrace of the same release",
            card.version, card.dialect
        ));
    }
    if card.dialect == "compact" && card.vocab_sha256 != compact::vocab::sha256() {
        return mismatch(
            "the model was trained on another vocabulary of the compact dialect; use a model \
             and a foretrace of the same release"
                .to_owned(),
        );
    }
    Ok(())
}

/// The network must have a row for every id of the vocabulary; padding is fine.
fn enough_rows(model: &Model, ids: usize) -> Result<(), OpenError> {
    let rows = model.config().vocab;
    if ids > rows {
        let why = format!("corrupt: the vocabulary has {ids} tokens, the network {rows}");
        return Err(OpenError::Mismatch(why));
    }
    Ok(())
}

/// The vocabulary of a model that brings its own.
fn vocabulary(gguf: &Gguf<'_>, model: &Model) -> Result<Arc<Vocabulary>, OpenError> {
    let tokenizer = Tokenizer::new(Spec::from_gguf(gguf)?)?;
    enough_rows(model, tokenizer.len())?;
    Ok(Arc::new(Vocabulary::new(tokenizer)))
}
