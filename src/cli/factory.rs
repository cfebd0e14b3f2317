//! The session's port to oracles: model files, the model inside the binary, servers,
//! recordings.

use super::models::can_be_pulled;
use crate::gguf::{FileBytes, Gguf};
use crate::oracle::neural::{self, NeuralOracle};
use crate::oracle::remote::{self, Endpoint};
use crate::oracle::{Control, Oracle, OracleError, OracleFactory, ReplayOracle};
use crate::program::Program;
use crate::trace::Recording;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::Arc;

/// The model that works without any file; `models/README.md` is its card.
const DEFAULT_MODEL: &[u8] = include_bytes!("../../models/default.gguf");

/// Opens the model that the command line names.
#[derive(Debug, Clone, Default)]
pub struct Models {
    /// `--model`; `None`: the default model.
    pub path: Option<PathBuf>,
    /// `--device`, seed, constraint.
    pub options: neural::Options,
}

/// The built-in model's file.
pub fn default_bytes() -> &'static [u8] {
    DEFAULT_MODEL
}

/// The built-in model in one line, for people.
pub fn default_model() -> String {
    format!("built in, {:.1} MB", DEFAULT_MODEL.len() as f64 / 1e6)
}

/// A model's name for messages, the stem of its file, and its bytes.
type ModelFile = (String, String, FileBytes);

impl Models {
    /// Opens the model, keeping its type.
    ///
    /// # Errors
    /// One line that names the file and says what is wrong with it.
    pub fn open(&self) -> Result<NeuralOracle, OracleError> {
        let (name, stem, bytes) = self.file()?;
        let gguf = Gguf::open(&bytes).map_err(|error| refused(&name, &error))?;
        neural::open(&gguf, &stem, self.options).map_err(|error| refused(&name, &error))
    }

    /// Whether there is a model file at all, which takes no time to see.
    ///
    /// # Errors
    /// As of [`Models::open`].
    pub fn look(&self) -> Result<(), OracleError> {
        let (name, _, bytes) = self.file()?;
        Gguf::read(&bytes).map(drop).map_err(|error| refused(&name, &error))
    }

    fn file(&self) -> Result<ModelFile, OracleError> {
        let Some(path) = &self.path else {
            return Ok(("default".into(), "default".into(), FileBytes::Static(DEFAULT_MODEL)));
        };
        let name = path.display().to_string();
        let bytes = FileBytes::open(path).map_err(|error| match error.kind() {
            _ if can_be_pulled(path) => {
                refused(&name, &format_args!("`foretrace models pull {name}` fetches it"))
            }
            ErrorKind::NotFound => {
                let why = "there is no such file; `foretrace models list` shows what there is";
                refused(&name, &why)
            }
            _ => refused(&name, &error),
        })?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok((name, stem, bytes))
    }
}

fn refused(name: &str, why: &dyn std::fmt::Display) -> OracleError {
    OracleError::Failed(format!("cannot use the model {name}: {why}"))
}

impl OracleFactory for Models {
    fn open(&self, _: &Program, _: &Control) -> Result<Box<dyn Oracle>, OracleError> {
        Ok(Box::new(Models::open(self)?))
    }

    fn replay(&self, recording: Arc<Recording>) -> Box<dyn Oracle> {
        Box::new(ReplayOracle::new(recording))
    }
}

/// Asks the server that the command line names.
#[derive(Debug, Clone)]
pub struct Servers {
    /// `--endpoint`.
    pub endpoint: Endpoint,
    /// Key, timeout, seed.
    pub options: remote::Options,
}

impl OracleFactory for Servers {
    fn open(&self, _: &Program, _: &Control) -> Result<Box<dyn Oracle>, OracleError> {
        Ok(Box::new(remote::open(&self.endpoint, self.options.clone())?))
    }

    fn replay(&self, recording: Arc<Recording>) -> Box<dyn Oracle> {
        Box::new(ReplayOracle::new(recording))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gguf::Writer;

    fn refused(path: PathBuf) -> String {
        let models = Models { path: Some(path), ..Models::default() };
        let error = Models::open(&models).expect_err("no such model").to_string();
        assert!(!error.contains('\n'), "{error}");
        error
    }

    #[test]
    fn files_that_are_no_models_are_refused_in_one_line_with_their_name() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            path
        };
        let llama = Writer::new().str("general.architecture", "llama").finish();
        let mamba = Writer::new().str("general.architecture", "mamba").finish();
        let spoken = |dialect, version| {
            Writer::new()
                .str("general.architecture", "llama")
                .str("debugger.dialect", dialect)
                .u32("debugger.dialect_version", version)
                .finish()
        };
        let cases = [
            (folder.path().join("absent.gguf"), "absent.gguf: "),
            (folder.path().to_owned(), "it is a folder"),
            (write("empty.gguf", b""), "cut off"),
            (write("text.gguf", b"hello, world"), "not a GGUF file"),
            (write("cut.gguf", &llama[..llama.len() - 40]), "cut off"),
            (write("llama.gguf", &llama), "is missing"),
            (write("mamba.gguf", &mamba), "architecture `mamba` is not supported"),
            (write("klingon.gguf", &spoken("klingon", 1)), "dialect `klingon`"),
            (write("future.gguf", &spoken("native", 9)), "version 9 of the native dialect"),
        ];
        for (path, words) in cases {
            let error = refused(path.clone());
            let name = path.display().to_string();
            assert!(error.contains(words) && error.contains(&name), "{error}");
        }
    }
}
