//! Files whose header is malformed. The reader's bounds are tested one by one, each at what
//! real attacks on readers of this format have used: counts, lengths, nesting, products that
//! overflow, places outside the file.

use crate::raw::{Raw, info, kv, text};

const MAX: u64 = u64::MAX;

/// A name, the file's bytes, and words of the one line that refuses it.
pub type Bad = (String, Vec<u8>, String);

pub fn files() -> Vec<Bad> {
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
    let mut bad = vec![
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

    let strings = |count: u64, each: &[u8]| {
        let head = [&8u32.to_le_bytes()[..], &count.to_le_bytes()].concat();
        Raw::key(kv(b"k", 9, &[head, text(each).repeat(count as usize)].concat())).plain()
    };
    bad.extend([
        (
            "a key of two lines",
            Raw::key(kv(b"a\nb", 4, &[0; 4])).plain(),
            "key 0 has the name \"a\\nb\"",
        ),
        (
            "a tensor of two lines",
            Raw::tensors(&[info(b"a\r\x1b", &[8], 0, 0)]).plain(),
            "tensor 0 has the name \"a\\r\\u{1b}\"",
        ),
        ("a key of 257 bytes", Raw::key(kv(&[b'k'; 257], 4, &[0; 4])).plain(), "is 257, the limit"),
        (
            "a tensor's name of 2^20 bytes",
            Raw::tensors(&[info(&vec![b'a'; 1 << 20], &[8], 0, 0)]).plain(),
            "the length of the name of tensor 0 is 1048576",
        ),
        (
            "a string of 2^21 bytes",
            Raw::key(kv(b"k", 8, &text(&vec![b'x'; 1 << 21]))).plain(),
            "the length of the value of `k` is 2097152",
        ),
        (
            "a name of 256 bytes that are not UTF-8",
            Raw::key(kv(&[0xff; 256], 4, &[0; 4])).plain(),
            "key 0 has the name",
        ),
        ("strings of more than 64 MiB", strings(65, &vec![b'x'; 1 << 20]), "the size of the array"),
        ("an array of 2^23 empty strings", strings(1 << 23, b""), "the length of the array `k`"),
        (
            "10,001 keys",
            {
                let keys = (0..10_001u32).map(|i| kv(format!("k{i}").as_bytes(), 7, &[1]));
                Raw { keys: keys.collect(), ..Raw::default() }.plain()
            },
            "the number of keys is 10001",
        ),
        ("a size of zero rows", a(&[32, 0], 0, 0), "a dimension is zero"),
        ("2^63 of a type without a size", a(&[1 << 63], 99, 0), "it is too large"),
    ]);
    bad.into_iter().map(|(name, file, words)| (name.to_owned(), file, words.to_owned())).collect()
}
