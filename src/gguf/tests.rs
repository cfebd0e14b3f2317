//! The reader against well-formed and malformed files.

use super::*;
use proptest::prelude::*;

const MAX: u64 = u64::MAX;

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

/// Raw parts, for files that the writer would not write.
#[derive(Clone, Default)]
struct Raw {
    keys: Vec<Vec<u8>>,
    infos: Vec<Vec<u8>>,
    data: usize,
}

fn text(s: &[u8]) -> Vec<u8> {
    [&(s.len() as u64).to_le_bytes()[..], s].concat()
}

fn kv(key: &[u8], kind: u32, value: &[u8]) -> Vec<u8> {
    [&text(key)[..], &kind.to_le_bytes(), value].concat()
}

fn info(name: &[u8], fastest_first: &[u64], kind: u32, offset: u64) -> Vec<u8> {
    let mut out = text(name);
    out.extend((fastest_first.len() as u32).to_le_bytes());
    fastest_first.iter().for_each(|d| out.extend(d.to_le_bytes()));
    out.extend(kind.to_le_bytes());
    out.extend(offset.to_le_bytes());
    out
}

impl Raw {
    fn key(key: Vec<u8>) -> Self {
        Raw { keys: vec![key], ..Raw::default() }
    }

    fn tensors(infos: &[Vec<u8>]) -> Self {
        Raw { infos: infos.to_vec(), data: 128, ..Raw::default() }
    }

    fn file(&self, magic: &[u8], version: u32, tensors: Option<u64>, keys: Option<u64>) -> Vec<u8> {
        let mut out = magic.to_vec();
        out.extend(version.to_le_bytes());
        out.extend(tensors.unwrap_or(self.infos.len() as u64).to_le_bytes());
        out.extend(keys.unwrap_or(self.keys.len() as u64).to_le_bytes());
        out.extend(self.keys.concat());
        out.extend(self.infos.concat());
        out.resize(out.len().next_multiple_of(32) + self.data, 0);
        out
    }

    fn plain(&self) -> Vec<u8> {
        self.file(b"GGUF", 3, None, None)
    }
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
        (10, &[255; 8], Value::Uint(MAX)),
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

/// Every malformed file gives one line that contains the words, without a panic.
#[test]
fn malformed_files_are_refused_with_the_reason() {
    let a = |dims: &[u64], kind, offset| Raw::tensors(&[info(b"a", dims, kind, offset)]).plain();
    let empty = Raw::default();
    let align = |kind, value: &[u8]| {
        Raw { keys: vec![kv(b"general.alignment", kind, value)], ..Raw::default() }.plain()
    };
    let nested = |n: usize| {
        let level = [&9u32.to_le_bytes()[..], &1u64.to_le_bytes()].concat();
        Raw::key(kv(b"k", 9, &level.repeat(n))).plain()
    };
    let array = |kind: u32, len: u64| {
        Raw::key(kv(b"k", 9, &[&kind.to_le_bytes()[..], &len.to_le_bytes()].concat())).plain()
    };
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        ("empty", vec![], "cut off or corrupt: it ends inside its first four bytes"),
        ("three bytes", b"GGU".to_vec(), "its first four bytes"),
        ("magic only", b"GGUF".to_vec(), "ends inside the version"),
        (
            "wrong magic",
            empty.file(b"GGML", 3, None, None),
            "not a GGUF file (it begins with \"GGML\")",
        ),
        ("a PNG", b"\x89PNG\r\n\x1a\n".to_vec(), "not a GGUF file"),
        ("version 99", empty.file(b"GGUF", 99, None, None), "GGUF version 99"),
        ("version 1", empty.file(b"GGUF", 1, None, None), "GGUF version 1"),
        ("big-endian", empty.file(b"GGUF", 3 << 24, None, None), "big-endian"),
        (
            "2^64 tensors",
            empty.file(b"GGUF", 3, Some(MAX), None),
            "the number of tensors is 18446744073709551615",
        ),
        ("2^64 keys", empty.file(b"GGUF", 3, None, Some(MAX)), "the number of keys is 184467"),
        ("2^30 tensors", empty.file(b"GGUF", 3, Some(1 << 30), None), "the limit is 100000"),
        (
            "more tensors than there are",
            empty.file(b"GGUF", 3, Some(9), None),
            "tensor 0 has the name",
        ),
        ("more keys than there are", empty.file(b"GGUF", 3, None, Some(9)), "key 0 has the name"),
        ("alignment 0", align(4, &[0; 4]), "the alignment is 0"),
        ("alignment 0 as u64", align(10, &[0; 8]), "the alignment is 0"),
        ("alignment 3", align(4, &[3, 0, 0, 0]), "the alignment is 3"),
        ("alignment 2^31", align(4, &[0, 0, 0, 0x80]), "the alignment is 2147483648"),
        ("alignment is text", align(8, &text(b"32")), "the alignment is \"32\""),
        ("a key of 2^64 bytes", Raw::key(vec![255; 72]).plain(), "the length of the name of key 0"),
        (
            "a string of 2^63 bytes",
            Raw::key(kv(b"k", 8, &(1u64 << 63).to_le_bytes())).plain(),
            "the length of the value of `k`",
        ),
        ("an array of 2^63 bytes", array(0, 1 << 63), "the length of the array `k`"),
        ("an array of 2^22 strings", array(8, 1 << 22), "ends inside the array `k`"),
        ("an array of 2^23 bytes", array(0, 1 << 23), "the length of the array `k` is 8388608"),
        ("an array longer than the file", array(12, 1000), "ends inside the array `k`"),
        ("an array of unknown kind", array(77, 1), "has type 77"),
        ("63 nested arrays", nested(63), "has type 9"),
        ("100,000 nested arrays", nested(100_000), "has type 9"),
        ("boolean 7", Raw::key(kv(b"k", 7, &[7])).plain(), "the boolean `k` is 7"),
        ("unknown kind", Raw::key(kv(b"k", 77, &[0; 8])).plain(), "the value of `k` has type 77"),
        (
            "two keys of one name",
            Raw { keys: vec![kv(b"k", 4, &[1, 0, 0, 0]); 2], ..Raw::default() }.plain(),
            "the key `k` occurs twice",
        ),
        (
            "a key that is not UTF-8",
            Raw::key(kv(b"\xff\xfe", 4, &[0; 4])).plain(),
            "key 0 has the name",
        ),
        ("a key without a name", Raw::key(kv(b"", 4, &[0; 4])).plain(), "key 0 has the name \"\""),
        ("2^40 × 2^40", a(&[1 << 40, 1 << 40], 0, 0), "it is too large"),
        ("product 0 by overflow", a(&[1 << 32, 1 << 32], 0, 0), "it is too large"),
        ("product 32 by overflow", a(&[(1 << 63) + 16, 2], 0, 0), "it is too large"),
        ("bytes overflow", a(&[1 << 62], 0, 0), "beyond the end"),
        ("8 GiB that are not there", a(&[1 << 31], 0, 0), "beyond the end"),
        ("a zero dimension", a(&[0, 32], 0, 0), "a dimension is zero"),
        ("no dimensions", a(&[], 0, 0), "0 dimensions"),
        ("five dimensions", a(&[1; 5], 0, 0), "5 dimensions"),
        (
            "2^32 dimensions",
            Raw::tensors(&[[text(b"a"), vec![255; 4]].concat()]).plain(),
            "4294967295 dimensions",
        ),
        ("half a block", a(&[16, 2], 2, 0), "no whole number of blocks"),
        ("offset 2^64 - 32", a(&[32], 0, MAX - 31), "beyond the end"),
        ("offset 4096", a(&[32], 0, 4096), "beyond the end"),
        ("offset 4096, unknown type", a(&[32], 99, 4096), "beyond the end"),
        ("offset 3", a(&[16], 0, 3), "is not aligned"),
        (
            "overlap",
            Raw::tensors(&[info(b"a", &[32], 0, 0), info(b"c", &[16], 0, 64)]).plain(),
            "of tensor `c` overlaps that of `a`",
        ),
        (
            "same place",
            Raw::tensors(&[info(b"a", &[8], 0, 0), info(b"b", &[8], 0, 0)]).plain(),
            "overlaps",
        ),
        (
            "two tensors of one name",
            Raw::tensors(&[info(b"a", &[8], 0, 0), info(b"a", &[8], 0, 64)]).plain(),
            "the tensor `a` occurs twice",
        ),
        (
            "a tensor without a name",
            Raw::tensors(&[info(b"", &[8], 0, 0)]).plain(),
            "tensor 0 has the name \"\"",
        ),
    ];
    for (name, file, words) in cases {
        let error = Gguf::read(&file).expect_err(name).to_string();
        assert!(error.contains(words), "{name}: {error}");
        assert!(!error.contains('\n') && error.len() < 200, "{name}: {error}");
    }
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
