//! Files whose header is well-formed and whose model is not: each is the small model that
//! opens, with one thing changed.

use crate::header::Bad;
use foretrace::gguf::{TensorType, Writer};

const WIDTH: usize = 32;
const TOKENS: usize = 258;

/// A metadata value.
#[derive(Clone)]
pub enum Key {
    Text(String),
    Int(u32),
    Float(f32),
    Bool(bool),
    Texts(Vec<String>),
    Ints(Vec<i32>),
    Floats(Vec<f32>),
}

/// A model that opens, in parts.
#[derive(Clone)]
pub struct Small {
    keys: Vec<(String, Key)>,
    tensors: Vec<(String, Vec<usize>, TensorType, Vec<u8>)>,
}

/// A word.
pub fn word(text: &str) -> Key {
    Key::Text(text.to_owned())
}

fn floats(count: usize, value: f32) -> Vec<u8> {
    value.to_le_bytes().repeat(count)
}

impl Small {
    /// One layer of the llama family, all weights `value`; bytes as vocabulary.
    pub fn new(value: f32) -> Self {
        let tokens: Vec<String> = (0..256)
            .map(|byte| format!("<0x{byte:02X}>"))
            .chain(["▁".to_owned(), "<|im_end|>".to_owned()])
            .collect();
        let kind = |id| if id < 256 { 6 } else { 1 + 2 * i32::from(id == 257) };
        let kinds = (0..TOKENS).map(kind).collect();
        let mut small = Small { keys: Vec::new(), tensors: Vec::new() }
            .key("general.architecture", word("llama"))
            .key("tokenizer.ggml.model", word("llama"))
            .key("tokenizer.ggml.tokens", Key::Texts(tokens))
            .key("tokenizer.ggml.token_type", Key::Ints(kinds))
            .key("tokenizer.ggml.scores", Key::Floats(vec![0.0; TOKENS]))
            .key("tokenizer.ggml.eos_token_id", Key::Int(257))
            .key("llama.attention.layer_norm_rms_epsilon", Key::Float(1e-5));
        for (size, n) in [
            ("block_count", 1),
            ("context_length", 4096),
            ("embedding_length", WIDTH as u32),
            ("feed_forward_length", 48),
            ("attention.head_count", 2),
            ("attention.head_count_kv", 1),
        ] {
            small = small.key(&format!("llama.{size}"), Key::Int(n));
        }
        for (name, rows, columns) in [
            ("token_embd", TOKENS, WIDTH),
            ("blk.0.attn_q", WIDTH, WIDTH),
            ("blk.0.attn_k", 16, WIDTH),
            ("blk.0.attn_v", 16, WIDTH),
            ("blk.0.attn_output", WIDTH, WIDTH),
            ("blk.0.ffn_gate", 48, WIDTH),
            ("blk.0.ffn_up", 48, WIDTH),
            ("blk.0.ffn_down", WIDTH, 48),
        ] {
            small = small.numbers(&format!("{name}.weight"), &[rows, columns], value);
        }
        for name in ["blk.0.attn_norm", "blk.0.ffn_norm", "output_norm"] {
            small = small.numbers(&format!("{name}.weight"), &[WIDTH], value);
        }
        small
    }

    /// With a key, in place of any of that name.
    pub fn key(mut self, name: &str, value: Key) -> Self {
        self.keys.retain(|(key, _)| key != name);
        self.keys.push((name.to_owned(), value));
        self
    }

    pub fn without_key(mut self, name: &str) -> Self {
        self.keys.retain(|(key, _)| key != name);
        self
    }

    /// With a tensor, in place of any of that name.
    pub fn tensor(mut self, name: &str, shape: &[usize], kind: TensorType, data: Vec<u8>) -> Self {
        self.tensors.retain(|(tensor, ..)| tensor != name);
        self.tensors.push((name.to_owned(), shape.to_vec(), kind, data));
        self
    }

    pub fn numbers(self, name: &str, shape: &[usize], value: f32) -> Self {
        let data = floats(shape.iter().product(), value);
        self.tensor(name, shape, TensorType::F32, data)
    }

    fn without_tensor(mut self, name: &str) -> Self {
        self.tensors.retain(|(tensor, ..)| tensor != name);
        self
    }

    pub fn file(&self) -> Vec<u8> {
        let file = self.keys.iter().fold(Writer::new(), |file, (name, value)| match value {
            Key::Text(text) => file.str(name, text),
            Key::Int(n) => file.u32(name, *n),
            Key::Float(x) => file.f32(name, *x),
            Key::Bool(b) => file.bool(name, *b),
            Key::Texts(texts) => file.strings(name, texts),
            Key::Ints(numbers) => file.i32s(name, numbers),
            Key::Floats(numbers) => file.f32s(name, numbers),
        });
        let tensors = self.tensors.iter().cloned();
        tensors
            .fold(file, |file, (name, shape, kind, data)| file.tensor(&name, &shape, kind, data))
            .finish()
    }
}

/// All that must be refused, with the reason.
pub fn files() -> Vec<Bad> {
    let mut bad = Vec::new();
    sizes(&mut bad);
    tensors(&mut bad);
    vocabularies(&mut bad);
    cards(&mut bad);
    bad
}

type Rows<'a> = &'a mut Vec<Bad>;

fn add(bad: Rows<'_>, name: impl Into<String>, small: &Small, words: impl Into<String>) {
    bad.push((name.into(), small.file(), words.into()));
}

/// Hyper-parameters out of range, or that contradict each other or the tensors.
fn sizes(bad: Rows<'_>) {
    let good = Small::new(0.5);
    let with = |name: &str, value| good.clone().key(name, value);
    for (name, key, words) in [
        ("mamba", word("mamba"), "architecture `mamba` is not supported"),
        ("", word(""), "architecture `` is not supported"),
        ("a\nb", word("a\nb"), "is \"a\\nb\"; a line of at most"),
        ("4", Key::Int(4), "`general.architecture` is 4; a line"),
        ("long", word(&"x".repeat(1 << 20)), "a line of at most 256 bytes is needed"),
    ] {
        add(bad, format!("architecture {name}"), &with("general.architecture", key), words);
    }
    let needed = good.clone().without_key("general.architecture");
    add(bad, "no architecture", &needed, "`general.architecture` is missing");
    for size in [
        "block_count",
        "context_length",
        "embedding_length",
        "feed_forward_length",
        "attention.head_count",
        "attention.head_count_kv",
        "attention.key_length",
        "attention.value_length",
        "attention.sliding_window",
        "rope.dimension_count",
    ] {
        let key = format!("llama.{size}");
        for n in [0, (1 << 20) + 1, u32::MAX] {
            let words = format!("`{key}` is {n}; 1 to 1048576 are possible");
            add(bad, format!("{size} {n}"), &with(&key, Key::Int(n)), words);
        }
        for (name, value) in [("words", word("many")), ("half", Key::Float(0.5))] {
            add(bad, format!("{size} in {name}"), &with(&key, value), format!("`{key}` is "));
        }
        add(bad, format!("{size} as list"), &with(&key, Key::Ints(vec![1])), "an integer from 0");
    }
    for size in ["block_count", "context_length", "embedding_length", "feed_forward_length"] {
        let key = format!("llama.{size}");
        let words = format!("`{key}` is missing");
        add(bad, format!("no {size}"), &good.clone().without_key(&key), words);
    }
    for (size, n, words) in [
        ("block_count", 1 << 20, "`blk.1.attn_norm.weight` is missing"),
        (
            "embedding_length",
            36,
            "`token_embd.weight` has the shape [258, 32]; the sizes imply [258, 36]",
        ),
        ("embedding_length", 1 << 20, "the sizes imply [258, 1048576]"),
        ("feed_forward_length", 49, "the sizes imply [49, 32]"),
        ("attention.head_count", 3, "the sizes imply [30, 32]"),
        ("attention.head_count", 1 << 20, "do not fit together"),
        ("attention.head_count_kv", 2, "the sizes imply [32, 32]"),
        ("attention.head_count_kv", 3, "do not fit together"),
        ("attention.key_length", 8, "the sizes imply [16, 32]"),
        ("attention.key_length", 1 << 20, "the sizes imply [2097152, 32]"),
        ("attention.value_length", 8, "of different sizes"),
        ("rope.dimension_count", 15, "an even number"),
        ("rope.dimension_count", 18, "an even number up to that"),
        ("expert_count", 8, "mixture-of-experts"),
    ] {
        add(bad, format!("{size} {n}"), &with(&format!("llama.{size}"), Key::Int(n)), words);
    }
    let epsilon = "attention.layer_norm_rms_epsilon";
    for key in [epsilon, "rope.freq_base", "rope.scaling.factor", "attention.scale"] {
        let key = format!("llama.{key}");
        for x in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let small = with(&key, Key::Float(x));
            add(bad, format!("{key} {x}"), &small, format!("`{key}` is {x}; a finite number"));
        }
        add(bad, format!("{key} in words"), &with(&key, word("1.0")), "a finite number");
    }
    let windowed = with("llama.attention.sliding_window", Key::Int(4));
    for (key, value, words) in [
        (epsilon, Key::Float(-1.0), "norm epsilon -1"),
        ("rope.freq_base", Key::Float(0.0), "rope base 0"),
        ("rope.freq_base", Key::Float(-1.0), "rope base -1"),
        ("rope.freq_base_swa", Key::Float(0.0), "is not above 0"),
        ("rope.freq_base_swa", Key::Float(f32::NAN), "a finite number"),
        ("attention.sliding_window_pattern", Key::Int(0), "is 0; 1 to"),
        ("attention.sliding_window_pattern", Key::Ints(vec![1]), "one truth value for each of 1"),
        ("attention.sliding_window_pattern", Key::Texts(vec![]), "one truth value for each of 1"),
        ("rope.scaling.type", word("yarn"), "`yarn` by 1 is not supported"),
        ("rope.scaling.type", word("linear"), "`linear` by 0 is not supported"),
        ("rope.scaling.type", word(&"y".repeat(1000)), "a line of at most 256 bytes"),
    ] {
        let small = windowed
            .clone()
            .key("llama.attention.sliding_window_pattern", Key::Int(2))
            .key(
                "llama.rope.scaling.factor",
                Key::Float(if words.contains("by 0") { 0.0 } else { 1.0 }),
            )
            .key(&format!("llama.{key}"), value);
        add(bad, format!("{key}: {words}"), &small, words);
    }
}

/// Tensors that are missing, of other shapes or types, or of no role.
fn tensors(bad: Rows<'_>) {
    let good = Small::new(0.5);
    for (name, shape, ..) in &good.tensors {
        let lacking = good.clone().without_tensor(name);
        add(bad, format!("no {name}"), &lacking, format!("the tensor `{name}` is missing"));
        let count: usize = shape.iter().product();
        let others = [
            vec![count],
            vec![shape[0], 1],
            vec![shape[0] + 1, *shape.last().unwrap()],
            vec![1, 1, shape[0], *shape.last().unwrap()],
        ];
        for other in others {
            if other == *shape || (name == "token_embd.weight" && other[0] == shape[0] + 1) {
                continue; // the right one; or only one more row than tokens
            }
            let reshaped = good.clone().numbers(name, &other, 0.5);
            let words = match (name.as_str(), other.len()) {
                ("token_embd.weight", 1 | 4) => "the embedding is not a matrix".to_owned(),
                _ => format!("`{name}` has the shape {other:?}; the sizes imply {shape:?}"),
            };
            add(bad, format!("{name} {other:?}"), &reshaped, words);
        }
        let unknown = good.clone().tensor(name, shape, TensorType::Other(20), vec![0; 4]);
        add(bad, format!("{name} as IQ4_NL"), &unknown, "unsupported type IQ4_NL");
        // a type without a known size may claim any shape
        let giant = vec![1 << 30, 1 << 30];
        let giant = good.clone().tensor(name, &giant, TensorType::Other(99), Vec::new());
        add(bad, format!("{name} of 2^60"), &giant, "");
    }
    for (name, shape) in [
        ("blk.0.attn_q.bias", vec![32]),
        ("blk.1.attn_q.weight", vec![32, 32]),
        ("blk.0.attn_q.weight.lora_a", vec![32, 2]),
        ("x", vec![1]),
    ] {
        let more = good.clone().numbers(name, &shape, 0.5);
        add(
            bad,
            format!("one more, {name}"),
            &more,
            format!("`{name}` is unknown in llama models"),
        );
    }
    for (name, shape, words) in [
        ("output.weight", vec![257, 32], "the sizes imply [258, 32]"),
        ("rope_freqs.weight", vec![7], "the sizes imply [8]"),
    ] {
        add(bad, format!("a wrong {name}"), &good.clone().numbers(name, &shape, 0.5), words);
    }
}

/// Vocabularies whose parts do not fit together or the network.
fn vocabularies(bad: Rows<'_>) {
    let good = Small::new(0.5);
    let with = |name: &str, value| good.clone().key(&format!("tokenizer.ggml.{name}"), value);
    let texts = |count: usize| Key::Texts(vec!["x".to_owned(); count]);
    for (key, value, words) in [
        ("model", word("unigram"), "the tokenizer `unigram` is not supported"),
        ("model", word(&"u".repeat(1 << 20)), "a line of at most 256 bytes"),
        ("model", Key::Bool(true), "a line of at most 256 bytes"),
        ("tokens", texts(0), "it has 0 tokens"),
        ("tokens", texts(3), "3 tokens, but 258 token types"),
        ("tokens", texts((1 << 20) + 1), "has 1048577 strings"),
        ("tokens", Key::Texts(vec!["x".repeat(1 << 20); 17]), "has 17 strings in 17825928 bytes"),
        ("tokens", Key::Ints(vec![1; TOKENS]), "an array of UTF-8 strings"),
        ("tokens", word("x"), "an array of UTF-8 strings"),
        ("token_type", Key::Ints(vec![1; 3]), "258 tokens, but 3 token types"),
        ("scores", Key::Floats(vec![]), "258 tokens, but 0 scores"),
        ("scores", Key::Int(3), "258 tokens, but 0 scores"),
        ("bos_token_id", Key::Int(258), "token 258 is named, but there are 258"),
        ("eos_token_id", Key::Int(u32::MAX), "token 4294967295 is named"),
        ("eos_token_id", word("</s>"), "an integer"),
        ("add_bos_token", Key::Int(1), "a boolean"),
        ("add_space_prefix", word("no"), "a boolean"),
    ] {
        let small = with(key, value).key("tokenizer.ggml.add_bos_token", Key::Bool(true));
        let small = match key {
            "add_bos_token" => with(key, Key::Int(1)),
            _ => small,
        };
        add(bad, format!("tokenizer {key}: {words}"), &small, words);
    }
    let none = good.clone().without_key("tokenizer.ggml.model");
    add(bad, "no tokenizer", &none, "`tokenizer.ggml.model` is missing");
    let fewer_rows = good.clone().numbers("token_embd.weight", &[TOKENS - 1, WIDTH], 0.5);
    add(
        bad,
        "fewer rows than tokens",
        &fewer_rows,
        "the vocabulary has 258 tokens, the network 257",
    );
    let gpt2 = with("model", word("gpt2"));
    let pair = |merge: &str| vec![merge.to_owned()];
    for (key, value, words) in [
        ("pre", word("klingon"), "the pre-tokenizer `klingon` is not supported"),
        ("pre", word(&"k".repeat(300)), "a line of at most 256 bytes"),
        ("merges", Key::Texts(pair("ab")), "the merge \"ab\" is no pair"),
        ("merges", Key::Texts(pair(&"a".repeat(1 << 20))), "aaa\"… is no pair"),
        ("merges", Key::Texts(pair("x y")), "the vocabulary is corrupt: "),
        ("merges", Key::Texts(pair(&format!("{} y", "x".repeat(1 << 19)))), "is corrupt: "),
        ("merges", texts((1 << 20) + 1), "has 1048577 strings"),
    ] {
        let small = gpt2.clone().key(&format!("tokenizer.ggml.{key}"), value);
        add(bad, format!("gpt2 {key}: {words}"), &small, words);
    }
    let many = 20_000;
    let defined = (0..many).map(|i| format!("a{i}")).collect();
    let small = with("tokens", Key::Texts(defined))
        .key("tokenizer.ggml.token_type", Key::Ints(vec![4; many]))
        .key("tokenizer.ggml.scores", Key::Floats(vec![0.0; many]))
        .numbers("token_embd.weight", &[many, WIDTH], 0.5);
    add(bad, "user-defined tokens", &small, "20000 user-defined tokens begin with the same byte");
}

/// What a model says about the debugger language it was trained on.
fn cards(bad: Rows<'_>) {
    let native = Small::new(0.5).key("debugger.dialect", word("native"));
    let long = "step_into,".repeat(1 << 16) + "fly";
    for (key, value, words) in [
        ("dialect", word("klingon"), "the dialect `klingon`"),
        ("dialect", word(&"k".repeat(1 << 20)), "a line of at most 256 bytes"),
        ("dialect", Key::Int(1), "a line of at most 256 bytes"),
        ("dialect_version", Key::Int(9), "version 9 of the native dialect"),
        ("dialect_version", word("1"), "an integer"),
        ("directions", word("sideways"), "forward or inverse is needed"),
        ("directions", word(&"s".repeat(1 << 20)), "sss\"…; forward or inverse is needed"),
        ("direct_actions", word("fly"), "names of moves"),
        ("direct_actions", word(&long), "names of moves"),
        ("context", word("long"), "an integer"),
        ("limits", Key::Int(3), "a line of"),
        ("python_version", word(&"3".repeat(1 << 20)), "a line of at most 256 bytes"),
        ("dialect", word("native"), "has no <|begin_of_text|>"),
        ("dialect", word("compact"), "another vocabulary of the compact dialect"),
    ] {
        let small = native.clone().key(&format!("debugger.{key}"), value);
        add(bad, format!("card {key}: {words}"), &small, words);
    }
}

/// What opens although it is odd: a model may say nonsense, and nothing may come of it but
/// nonsense.
pub fn odd() -> Vec<(String, Vec<u8>)> {
    let good = Small::new(0.5);
    let mut odd: Vec<(String, Vec<u8>)> =
        [0.0, -0.0, f32::NAN, f32::INFINITY, f32::MAX, f32::MIN_POSITIVE]
            .map(|x| (format!("all weights {x:e}"), Small::new(x).file()))
            .into();
    let tokenizer = |key: &str, value| good.clone().key(&format!("tokenizer.ggml.{key}"), value);
    for (name, small) in [
        ("one token of context", good.clone().key("llama.context_length", Key::Int(1))),
        ("a giant context", good.clone().key("llama.context_length", Key::Int(1 << 20))),
        ("a card's context of 0", good.clone().key("debugger.context", Key::Int(0))),
        ("rotation by nothing", good.clone().numbers("rope_freqs.weight", &[8], 0.0)),
        ("rotation by no number", good.clone().numbers("rope_freqs.weight", &[8], f32::NAN)),
        ("the least rope base", good.clone().key("llama.rope.freq_base", Key::Float(1e-45))),
        ("a window of one", {
            let small = good.clone().key("llama.attention.sliding_window", Key::Int(1));
            small.key("llama.attention.sliding_window_pattern", Key::Int(1 << 20))
        }),
        ("empty tokens", tokenizer("tokens", Key::Texts(vec![String::new(); TOKENS]))),
        ("equal tokens", tokenizer("tokens", Key::Texts(vec!["a".to_owned(); TOKENS]))),
        ("unknown token types", tokenizer("token_type", Key::Ints(vec![-7; TOKENS]))),
        ("control tokens only", tokenizer("token_type", Key::Ints(vec![3; TOKENS]))),
        ("bytes that are none", {
            let tokens = (0..TOKENS).map(|i| format!("<0x{i:03X}>")).collect();
            tokenizer("tokens", Key::Texts(tokens))
        }),
        ("scores that are none", tokenizer("scores", Key::Floats(vec![f32::NAN; TOKENS]))),
        ("no end of text", good.clone().without_key("tokenizer.ggml.eos_token_id")),
        ("a name of 1 MiB", good.clone().key("general.name", word(&"n\u{1b}".repeat(1 << 19)))),
        ("a template of 1 MiB", {
            good.clone().key("tokenizer.chat_template", word(&"{{ <|im_start|>".repeat(60_000)))
        }),
    ] {
        odd.push((name.to_owned(), small.file()));
    }
    odd
}
