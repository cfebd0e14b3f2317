//! Any bytes as a model file, as far as its header shows: reader, sizes and shapes, card,
//! vocabulary. An error or a file whose views can all be walked.

#![no_main]

use foretrace::codec::tokenizer::{Spec, Tokenizer};
use foretrace::gguf::Gguf;
use foretrace::model::{DeviceChoice, Model};
use foretrace::oracle::neural::Card;
use libfuzzer_sys::fuzz_target;

/// Of a line that refuses a file, in bytes.
const LONGEST_LINE: usize = 400;

fn said(error: impl std::fmt::Display) {
    let line = error.to_string();
    assert!(line.len() < LONGEST_LINE && !line.contains('\n'), "{line}");
}

fuzz_target!(|bytes: &[u8]| {
    let gguf = match Gguf::read(bytes) {
        Ok(gguf) => gguf,
        Err(error) => return said(error),
    };
    for (_, value) in gguf.metadata() {
        assert!(value.to_string().len() < LONGEST_LINE);
        if let Some(array) = value.as_array() {
            assert_eq!(array.iter().count(), array.len);
        }
    }
    for tensor in gguf.tensors() {
        let _ = tensor.bytes().map(|data| assert!(data.len() <= bytes.len()));
    }
    let _ = Model::needs(&gguf, DeviceChoice::Cpu).map_err(said);
    let _ = Card::read(&gguf).map_err(said);
    let tokenizer = Spec::from_gguf(&gguf).and_then(Tokenizer::new);
    let Ok(tokenizer) = tokenizer.map_err(said) else { return };
    let ids = tokenizer.encode_start("def f(x):\n    return x  # ü 12");
    assert!(ids.iter().all(|&id| (id as usize) < tokenizer.len()));
    let _ = tokenizer.decode(&ids);
});
