//! From programs to token shards, as `foretrace dataset` makes them.

use crate::recorded;
use foretrace::codec::compact::vocab::{self, Token};
use foretrace::dataset::policy::Actions;
use foretrace::dataset::trajectory::Recipe;
use foretrace::dataset::{DatasetError, Dialect, Format, Options, Report, build};
use foretrace::trace::write_recording;
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

/// A batch in two files, as `foretrace trace --batch` writes it, with a program that could
/// not be recorded in between.
pub fn batch(folder: &Path) {
    let mut recorded = recorded::generated(40);
    for by in ["0", "None", "[]", "''"] {
        // few of those that are drawn end with an error
        let (code, call) =
            ("def share(n, by):\n    n += 1\n    return n // by\n", format!("share(3, {by})"));
        let line = serde_json::json!({ "code": code, "entry": call, "family": "by hand" });
        recorded.push((line.to_string(), recorded::one(code, &call)));
    }
    for (number, half) in recorded.chunks(22).enumerate() {
        let mut file = File::create(folder.join(format!("{number:05}.jsonl"))).unwrap();
        for (line, recorded) in half {
            writeln!(file, "{{\"program\":{line}}}").unwrap();
            write_recording(&recorded.recording, &mut file).unwrap();
        }
        writeln!(file, "{{\"program\":{{\"code\":\"x = (\",\"entry\":null}}}}").unwrap();
    }
}

pub fn options(input: &Path, output: PathBuf) -> Options {
    Options {
        inputs: vec![input.to_owned()],
        output,
        format: Format::Shards,
        recipe: Recipe {
            dialect: Dialect::Compact,
            window: 512,
            actions: Actions::Mix,
            inverse: 0.3,
            inner: 0.2,
            midway: 0.2,
            invent: 0.2,
            spread: 0.3,
            documents: 4,
        },
        seed: 1,
        part: (0, 1),
        threads: 3,
        excluded: HashSet::new(),
    }
}

/// Tokens and mask of each document of a folder.
pub fn documents(folder: &Path) -> Vec<(Vec<Token>, Vec<u8>)> {
    let read = |kind: &str| fs::read(folder.join(format!("00000.{kind}"))).unwrap();
    let (ids, mask) = (read("ids"), read("mask"));
    let ids: Vec<Token> =
        ids.chunks(2).map(|pair| Token::from(u16::from_le_bytes([pair[0], pair[1]]))).collect();
    assert_eq!(ids.len(), mask.len());
    let mut start = 0;
    let ends = read("idx");
    let ends = ends.chunks(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]) as usize);
    let documents = ends.map(|end| {
        let range = std::mem::replace(&mut start, end)..end;
        (ids[range.clone()].to_vec(), mask[range].to_vec())
    });
    let documents: Vec<_> = documents.collect();
    assert_eq!(start, ids.len());
    documents
}

#[test]
fn programs_become_documents_in_which_answers_are_learned() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in");
    fs::create_dir(&input).unwrap();
    batch(&input);
    let built = |name: &str, change: &dyn Fn(&mut Options)| -> (Report, Vec<_>) {
        let mut options = options(&input, folder.path().join(name));
        change(&mut options);
        let report = build(&options).unwrap();
        (report, documents(&options.output))
    };
    let (report, whole) = built("whole", &|_| {});

    assert_eq!(report.documents as usize, whole.len());
    assert_eq!(report.skipped["not recorded"], 2);
    assert_eq!(report.tokens as usize, whole.iter().map(|(ids, _)| ids.len()).sum::<usize>());
    for name in ["step_into", "step_over", "step_return", "breakpoint", "inv_step_into"] {
        assert!(report.counts.actions[name] > 0, "{name}");
    }
    // no program of the batch has a hundred lines
    let beyond = vocab::LINE.start + 100..vocab::LINE.end;
    let far = |(ids, _): &&(Vec<Token>, _)| ids.iter().any(|id| beyond.contains(id));
    assert!(whole.iter().any(|document| far(&document)), "numbers from a random start");
    let mut answers = 0;
    for (ids, mask) in &whole {
        let shown: Vec<&str> = ids.iter().map(|&id| &*vocab::STRINGS[id as usize]).collect();
        let shown = shown.join(" ");
        assert!(ids.len() <= 512 && ids[0] == vocab::CONTEXT, "{shown}");
        let runs = (1..ids.len()).filter(|&at| mask[at] == 1 && mask[at - 1] == 0);
        answers += runs.clone().count();
        for start in runs {
            let end = (start..ids.len()).find(|&at| mask[at] == 0).unwrap_or(ids.len());
            let invented = ids[..start].contains(&vocab::SEGMENT)
                && !ids[..start].contains(&vocab::END)
                && vocab::LINE.contains(&ids[start - 1]);
            let begins = vocab::EVENT.contains(&ids[start]) || vocab::EXIT.contains(&ids[start]);
            assert!(begins || invented, "{start} in {shown}");
            let last = ids[end - 1];
            assert!(last == vocab::END || vocab::EXIT.contains(&last), "{end} in {shown}");
            let ends = ids[start..end].iter().filter(|&&id| id == vocab::END).count();
            assert!(ends <= 1, "answers run into each other at {start} in {shown}");
        }
    }
    let counted: u64 = report.counts.actions.values().sum();
    assert_eq!(answers as u64, counted);
    let landed = report.counts.events.values().chain(report.counts.exits.values());
    assert_eq!(landed.sum::<u64>(), counted);
    for exit in ["normal", "error", "entry"] {
        assert!(report.counts.exits[exit] > 0, "{exit}");
    }

    // The same whatever the number of threads; another seed gives other documents.
    assert!(built("threads", &|options| options.threads = 1).1 == whole);
    assert!(built("seed", &|options| options.seed = 2).1 != whole);
    // Parts make up the whole.
    let sorted = |mut documents: Vec<_>| {
        documents.sort();
        documents
    };
    let mut parts = built("part0", &|options| options.part = (0, 3)).1;
    parts.extend(built("part1", &|options| options.part = (1, 3)).1);
    parts.extend(built("part2", &|options| options.part = (2, 3)).1);
    assert!(sorted(parts) == sorted(whole));
    let into = built("into", &|options| {
        (options.recipe.actions, options.recipe.inverse) = (Actions::Into, 0.0);
        options.recipe.invent = 0.0;
    });
    assert_eq!(into.0.counts.actions.keys().collect::<Vec<_>>(), [&"step_into"]);

    let manifest = fs::read_to_string(folder.path().join("whole/manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["vocab"].as_array().unwrap().len(), vocab::SIZE);
    assert_eq!(manifest["vocab_sha256"], vocab::sha256());
    assert_eq!(manifest["tokens"], report.tokens);
    assert_eq!(manifest["recordings"].as_array().unwrap().len(), 2);
    for file in manifest["files"].as_array().unwrap() {
        let bytes = fs::read(folder.path().join("whole").join(file["name"].as_str().unwrap()));
        let bytes = bytes.unwrap();
        assert_eq!(file["bytes"], bytes.len());
        assert_eq!(file["sha256"], foretrace::program::decode::sha256_hex(&bytes));
    }
    assert_eq!(manifest["files"].as_array().unwrap().len(), 3);
    let lengths = manifest["lengths"].as_object().unwrap().values();
    assert_eq!(lengths.map(|count| count.as_u64().unwrap()).sum::<u64>(), report.documents);
}

#[test]
fn what_must_not_be_learned_from_and_what_is_no_batch_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in");
    fs::create_dir(&input).unwrap();
    let error = |change: &dyn Fn(&mut Options)| {
        let mut options = options(&input, folder.path().join("out"));
        change(&mut options);
        let _ = fs::remove_dir_all(&options.output);
        let error: DatasetError = build(&options).unwrap_err();
        let text = error.to_string();
        assert!(!text.contains('\n'), "{text}");
        text
    };
    assert!(error(&|_| {}).contains("no batch files"));
    let nowhere = folder.path().join("nowhere.jsonl");
    assert!(error(&|options| options.inputs = vec![nowhere.clone()]).contains("nowhere.jsonl"));

    batch(&input);
    let first = fs::read_to_string(input.join("00000.jsonl")).unwrap();
    let line: serde_json::Value = serde_json::from_str(first.lines().next().unwrap()).unwrap();
    let code = line["program"]["code"].as_str().unwrap();
    let sha256 = foretrace::program::decode::sha256_hex(code.as_bytes());
    let refused = error(&|options| options.excluded = HashSet::from([sha256.clone()]));
    assert!(refused.contains("program 0") && refused.contains(&sha256), "{refused}");

    let broken = first.replacen("{\"state\":", "{\"stale\":", 1);
    fs::write(input.join("00000.jsonl"), broken).unwrap();
    let refused = error(&|_| {});
    assert!(refused.contains("00000.jsonl") && refused.contains("line 1"), "{refused}");

    let refused = error(&|options| options.recipe.dialect = Dialect::Native);
    assert!(refused.contains("--format jsonl"), "{refused}");

    let output = folder.path().join("full");
    fs::create_dir(&output).unwrap();
    fs::write(output.join("manifest.json"), "{}").unwrap();
    let refused = build(&options(&input, output)).unwrap_err().to_string();
    assert!(refused.contains("already holds"), "{refused}");
}
