//! The reader against well-formed and changed files; `tests/hostile` has the malformed ones.

use super::raw::{Raw, info, kv};
use super::*;
use proptest::prelude::*;

/// A small file with every part the format has.
fn sample() -> Vec<u8> {
    Writer::new()
        .str("general.architecture", "llama")
        .u32("llama.block_count", 2)
        .f32("llama.eps", 1e-5)
        .bool("flag", true)
        .strings("tokens", &["a", "", "ü€"])
        .tensor_f32("norm", &[3], &[1.0, -2.5, 0.0])
        .tensor("w", &[2, 32], TensorType::Q8_0, (0..68).collect())
        .finish()
}

#[test]
fn reads_what_was_written() {
    let file = sample();
    let gguf = Gguf::read(&file).unwrap();
    assert_eq!(gguf.version, 3);
    assert_eq!(gguf.opt_str("general.architecture").unwrap(), Some("llama"));
    assert_eq!(gguf.need("llama.block_count", Gguf::opt_u32).unwrap(), 2);
    assert_eq!(gguf.opt_f32("llama.eps").unwrap(), Some(1e-5));
    assert_eq!(gguf.opt_bool("flag").unwrap(), Some(true));
    assert_eq!(gguf.opt_strings("tokens").unwrap().unwrap(), ["a", "", "ü€"]);
    assert_eq!(gguf.opt_u32("absent").unwrap(), None);
    assert_eq!(gguf.metadata().len(), 5);
    let norm = gguf.tensor("norm").unwrap();
    assert_eq!((norm.kind, &norm.shape[..], norm.len()), (TensorType::F32, &[3][..], 3));
    assert_eq!(norm.bytes().unwrap()[4..8], (-2.5f32).to_le_bytes());
    let w = gguf.tensor("w").unwrap();
    assert_eq!(w.shape, [2, 32]);
    assert_eq!(w.bytes().unwrap(), (0..68).collect::<Vec<u8>>());
}

#[test]
fn reads_every_scalar_kind() {
    let cases: [(u32, &[u8], Value); 12] = [
        (0, &[200], Value::Uint(200)),
        (1, &[200], Value::Int(-56)),
        (2, &[0, 1], Value::Uint(256)),
        (3, &[0, 0x80], Value::Int(-32768)),
        (4, &[1, 0, 0, 0x80], Value::Uint(0x8000_0001)),
        (5, &[255; 4], Value::Int(-1)),
        (6, &[0, 0, 0x20, 0xc0], Value::Float(-2.5)),
        (7, &[1], Value::Bool(true)),
        (8, &[2, 0, 0, 0, 0, 0, 0, 0, b'h', b'i'], Value::String(b"hi")),
        (10, &[255; 8], Value::Uint(u64::MAX)),
        (11, &[255; 8], Value::Int(-1)),
        (12, &[0, 0, 0, 0, 0, 0, 0xf0, 0x3f], Value::Float(1.0)),
    ];
    for (kind, bytes, value) in cases {
        let file = Raw::key(kv(b"k", kind, bytes)).plain();
        assert_eq!(Gguf::read(&file).unwrap().get("k"), Some(value), "kind {kind}");
    }
}

#[test]
fn a_wrong_type_names_the_key_and_what_is_needed() {
    let file = sample();
    let gguf = Gguf::read(&file).unwrap();
    assert_eq!(
        gguf.opt_u32("general.architecture").unwrap_err().to_string(),
        "the key `general.architecture` is \"llama\"; an integer from 0 to 4294967295 is needed"
    );
    assert_eq!(
        gguf.need("absent", Gguf::opt_u32).unwrap_err().to_string(),
        "the key `absent` is missing"
    );
    assert_eq!(gguf.tensor("absent").unwrap_err().to_string(), "the tensor `absent` is missing");
}

#[test]
fn a_type_that_is_not_loaded_is_an_error_of_that_tensor_only() {
    let file = Raw::tensors(&[info(b"a", &[32], 20, 0), info(b"b", &[8], 0, 64)]).plain();
    let gguf = Gguf::read(&file).unwrap();
    assert_eq!(gguf.tensors().len(), 2);
    assert!(gguf.tensor("b").unwrap().bytes().is_ok());
    let error = gguf.tensor("a").unwrap().bytes().unwrap_err().to_string();
    assert_eq!(error, "tensor `a` has the unsupported type IQ4_NL; Q4_K_M, Q8_0 or F16 files work");
}

#[test]
fn a_file_cut_anywhere_is_refused() {
    let file = sample();
    let padding = 32 - (68 % 32); // behind the last tensor, not needed
    for len in 0..file.len() - padding {
        assert!(Gguf::read(&file[..len]).is_err(), "cut at {len} of {}", file.len());
    }
    assert!(Gguf::read(&file[..file.len() - padding]).is_ok());
}

#[test]
fn file_bytes_refuse_what_is_no_file() {
    let folder = tempfile::tempdir().unwrap();
    assert!(FileBytes::open(folder.path()).unwrap_err().to_string().contains("folder"));
    assert!(FileBytes::open(&folder.path().join("absent")).is_err());
    let path = folder.path().join("m.gguf");
    std::fs::write(&path, b"").unwrap();
    assert!(FileBytes::open(&path).unwrap().is_empty());
    std::fs::write(&path, sample()).unwrap();
    assert_eq!(FileBytes::open(&path).unwrap()[..], sample()[..]);
}

/// Memory given back must not be lost data, wherever the bytes live and the pages end.
#[test]
fn a_released_tensor_can_be_read_again() {
    let data = |seed: u8| (0..10_000u32).map(|i| (i as u8).wrapping_mul(31) ^ seed).collect();
    let file = ["a", "b", "c"].iter().zip(1..).fold(Writer::new(), |file, (name, seed)| {
        file.tensor(name, &[2_500], TensorType::F32, data(seed))
    });
    let file = file.finish();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.gguf");
    std::fs::write(&path, &file).unwrap();
    for bytes in [FileBytes::open(&path).unwrap(), FileBytes::Owned(file)] {
        let gguf = Gguf::open(&bytes).unwrap();
        for _ in 0..2 {
            for (tensor, seed) in gguf.tensors().iter().zip(1..) {
                assert_eq!(tensor.bytes().unwrap(), data(seed), "{}", tensor.name);
                gguf.release(tensor);
            }
        }
    }
}

proptest! {
    /// Any bytes changed anywhere: an error or a file whose views can all be walked.
    #[test]
    fn changed_bytes_never_panic(changes in prop::collection::vec((0usize..600, any::<u8>()), 1..8)) {
        let mut file = sample();
        let len = file.len();
        for (at, byte) in changes {
            file[at % len] = byte;
        }
        if let Ok(gguf) = Gguf::read(&file) {
            for (_, value) in gguf.metadata() {
                let shown = value.to_string();
                prop_assert!(shown.len() < 400);
                if let Some(array) = value.as_array() {
                    prop_assert_eq!(array.iter().count(), array.len);
                }
            }
            for tensor in gguf.tensors() {
                let _ = (tensor.len(), tensor.bytes().map(<[u8]>::len));
            }
        }
    }
}
