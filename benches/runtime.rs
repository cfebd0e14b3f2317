//! How fast a model computes: the first prompt, single tokens, batches, and one debugger step.
//!
//! ```sh
//! cargo bench --bench runtime                      # random weights in the default model's shape
//! cargo bench --bench runtime -- FILE.gguf [--candle] [--threads N] [--json]
//! ```
//!
//! Figures are medians; a step is a question of 12 ids and an answer of 24 chosen one by one,
//! which is more than most steps take, behind a program and history of 512 and 1,536 ids.

use foretrace::gguf::{FileBytes, Gguf, TensorType, Writer};
use foretrace::model::{DeviceChoice, EngineChoice, Model, Want};
use std::time::Instant;

const QUESTION: usize = 12;
const ANSWER: usize = 24;

/// A file of the default model's shape (1.9 M parameters, Q8_0) with random weights.
fn random_model() -> Vec<u8> {
    const WIDTH: usize = 192;
    const INNER: usize = 512;
    let mut state = 1u64;
    let mut matrix = |file: Writer, name: &str, rows: usize, columns: usize| {
        let mut data = Vec::new();
        for _ in 0..rows * columns / 32 {
            data.extend(0x1400u16.to_le_bytes()); // an f16 of 2^-10
            data.extend((0..32).map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (state >> 56) as u8
            }));
        }
        file.tensor(name, &[rows, columns], TensorType::Q8_0, data)
    };
    let file = Writer::new()
        .str("general.architecture", "llama")
        .u32("llama.block_count", 4)
        .u32("llama.context_length", 2048)
        .u32("llama.embedding_length", WIDTH as u32)
        .u32("llama.feed_forward_length", INNER as u32)
        .u32("llama.attention.head_count", 3)
        .f32("llama.attention.layer_norm_rms_epsilon", 1e-5);
    let mut file = matrix(file, "token_embd.weight", 1024, WIDTH);
    for layer in 0..4 {
        for (name, rows, columns) in [
            ("attn_q", WIDTH, WIDTH),
            ("attn_k", WIDTH, WIDTH),
            ("attn_v", WIDTH, WIDTH),
            ("attn_output", WIDTH, WIDTH),
            ("ffn_gate", INNER, WIDTH),
            ("ffn_up", INNER, WIDTH),
            ("ffn_down", WIDTH, INNER),
        ] {
            file = matrix(file, &format!("blk.{layer}.{name}.weight"), rows, columns);
        }
        for name in ["attn_norm", "ffn_norm"] {
            file = file.tensor_f32(&format!("blk.{layer}.{name}.weight"), &[WIDTH], &[1.0; WIDTH]);
        }
    }
    file.tensor_f32("output_norm.weight", &[WIDTH], &[1.0; WIDTH]).finish()
}

/// Most memory that this process has had, in MB; 0 where the system does not say.
fn peak() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes: f64 =
        line.and_then(|l| l.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0.0);
    kibibytes * 1024.0 / 1e6
}

/// Median seconds of some runs.
fn median(runs: usize, mut run: impl FnMut() -> f64) -> f64 {
    let mut times: Vec<f64> = (0..runs).map(|_| run()).collect();
    times.sort_by(f64::total_cmp);
    times[runs / 2]
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let flag = |name: &str| arguments.iter().any(|a| a == name);
    let path = arguments.iter().find(|a| a.ends_with(".gguf"));
    let bytes = match path {
        Some(path) => FileBytes::open(path.as_ref()).expect("a readable file"),
        None => FileBytes::Owned(random_model()),
    };
    let threads = arguments.iter().position(|a| a == "--threads");
    let threads = threads.and_then(|at| arguments.get(at + 1)?.parse().ok());
    let engine = if flag("--candle") { EngineChoice::Candle } else { EngineChoice::Auto };
    let start = Instant::now();
    let gguf = Gguf::open(&bytes).expect("a GGUF file");
    let header = start.elapsed().as_secs_f64();
    let model = Model::load(&gguf, DeviceChoice::Cpu, engine, threads).expect("a model");
    let load = start.elapsed().as_secs_f64();

    let vocab = model.config().vocab as u64;
    let mut state = 2u64;
    let ids: Vec<u32> = (0..2048)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((state >> 33) % vocab) as u32
        })
        .collect();
    let mut rows: Vec<(String, f64, &str)> =
        vec![("header".into(), header * 1e3, "ms"), ("load".into(), load * 1e3, "ms")];
    for behind in [512, 1536] {
        let mut cache = model.cache(2048).expect("memory");
        let mut forward = |from: usize, count: usize, want| {
            cache.truncate(from);
            let start = Instant::now();
            model.forward(&ids[from..from + count], &mut cache, want).expect("logits");
            start.elapsed().as_secs_f64()
        };
        let prompt = median(5, || forward(0, behind, Want::Last));
        let one = median(31, || forward(behind, 1, Want::Last));
        let eight = median(31, || forward(behind, 8, Want::Last));
        let step = median(15, || {
            let question = forward(behind, QUESTION, Want::Last);
            let answer = (0..ANSWER).map(|i| forward(behind + QUESTION + i, 1, Want::Last));
            question + answer.sum::<f64>()
        });
        rows.push((format!("prompt of {behind}"), behind as f64 / prompt, "tok/s"));
        rows.push((format!("one token behind {behind}"), one * 1e3, "ms"));
        rows.push((format!("batch of 8 behind {behind}"), eight * 1e3, "ms"));
        rows.push((format!("step of {QUESTION}+{ANSWER} behind {behind}"), step * 1e3, "ms"));
    }
    rows.push(("peak".into(), peak(), "MB"));
    for (name, value, unit) in rows {
        if flag("--json") {
            println!("{{\"name\":\"{name}\",\"value\":{value:.4},\"unit\":\"{unit}\"}}");
        } else {
            println!("{name:28} {value:10.2} {unit}");
        }
    }
}
