//! The pipeline: one reader, some workers, one writer; bounded memory, fixed order.

use super::batch::{Content, Item, ItemError, Items};
use super::random::Random;
use super::shard::Shards;
use super::trajectory::{Counts, Document, Recipe, documents};
use crate::codec::compact::{Limit, VERSION, vocab};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

/// What to build.
#[derive(Debug, Clone)]
pub struct Options {
    /// Batch files, or folders of them.
    pub inputs: Vec<PathBuf>,
    /// Where the shards go.
    pub output: PathBuf,
    /// How trajectories are drawn.
    pub recipe: Recipe,
    /// Everything that is drawn depends on it.
    pub seed: u64,
    /// This part of so many parts of the input, from 0.
    pub part: (u64, u64),
    /// Worker threads.
    pub threads: usize,
    /// SHA-256 of files that must not be learned from.
    pub excluded: HashSet<String>,
}

/// What was built.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Programs with a recording.
    pub programs: u64,
    /// Documents written.
    pub documents: u64,
    /// Tokens written.
    pub tokens: u64,
    /// Of those, tokens to be predicted.
    pub learned: u64,
    /// Programs left out, by reason.
    pub skipped: BTreeMap<String, u64>,
    /// Answers by action and by event.
    pub counts: Counts,
}

/// Why no data set came out.
#[derive(Debug, thiserror::Error)]
pub enum DatasetError {
    /// A file could not be read or written.
    #[error("{path}: {source}")]
    File {
        /// The file or folder.
        path: String,
        /// What the system says.
        source: io::Error,
    },
    /// A batch file holds something else.
    #[error("{path}: {source}; record the programs again with `foretrace trace --batch`")]
    Item {
        /// The batch file.
        path: String,
        /// What is wrong.
        source: ItemError,
    },
    /// A program that must not be learned from.
    #[error(
        "program {number} is one of the excluded files ({sha256}): it must not be learned from; take it out of the input"
    )]
    Excluded {
        /// Its number in the input.
        number: u64,
        /// Its hash.
        sha256: String,
    },
    /// Nothing to learn from.
    #[error("no batch files (*.jsonl) in the input; make some with `foretrace trace --batch`")]
    Empty,
    /// A worker stopped.
    #[error("a worker stopped early")]
    Worker,
}

/// What a worker makes of one item.
struct Made {
    number: u64,
    documents: Vec<Document>,
    counts: Counts,
    python: String,
    skipped: Option<String>,
}

/// Reads batch files, draws trajectories and writes shards and their manifest.
///
/// # Errors
/// See [`DatasetError`].
pub fn build(options: &Options) -> Result<Report, DatasetError> {
    let files = batch_files(&options.inputs)?;
    let at = |path: &Path| {
        let path = path.display().to_string();
        move |source| DatasetError::File { path, source }
    };
    let mut hashes = Vec::new();
    for path in &files {
        hashes.push((path.display().to_string(), sha256(path).map_err(at(path))?));
    }
    let mut shards = Shards::create(&options.output).map_err(at(&options.output))?;
    let mut report = Report::default();
    let mut pythons = BTreeMap::<String, u64>::new();
    let (items, work) = crossbeam_channel::bounded::<Item>(64 * options.threads.max(1));
    let (results, made) = crossbeam_channel::bounded(64 * options.threads.max(1));
    std::thread::scope(|scope| {
        for _ in 0..options.threads.max(1) {
            let (work, results) = (work.clone(), results.clone());
            scope.spawn(move || {
                for item in work {
                    if results.send(make(&item, options)).is_err() {
                        return;
                    }
                }
            });
        }
        drop((work, results));
        let reader = scope.spawn(move || read(&files, options.part, &items));
        let mut early = BTreeMap::new();
        let mut next = options.part.0;
        for result in made {
            let result: Made = result?;
            early.insert(result.number, result);
            while let Some(result) = early.remove(&next) {
                next += options.part.1;
                match result.skipped {
                    Some(why) => *report.skipped.entry(why).or_default() += 1,
                    None => report.programs += 1,
                }
                if !result.python.is_empty() {
                    *pythons.entry(result.python).or_default() += 1;
                }
                report.counts.add(&result.counts);
                for document in &result.documents {
                    shards.push(document).map_err(at(&options.output))?;
                }
            }
        }
        reader.join().map_err(|_| DatasetError::Worker)?
    })?;
    shards.close().map_err(at(&options.output))?;
    (report.documents, report.tokens) = (shards.documents, shards.tokens);
    report.learned = shards.learned;
    let manifest = manifest(options, &report, &pythons, &hashes);
    let path = options.output.join("manifest.json");
    std::fs::write(&path, format!("{manifest:#}\n")).map_err(at(&path))?;
    Ok(report)
}

/// Sends the items of this part to the workers. A closed channel means that someone else
/// has the error.
fn read(
    files: &[PathBuf],
    (part, parts): (u64, u64),
    items: &crossbeam_channel::Sender<Item>,
) -> Result<(), DatasetError> {
    let mut next = 0;
    for path in files {
        let at = |source| DatasetError::File { path: path.display().to_string(), source };
        let file = File::open(path).map_err(at)?;
        for item in Items::new(BufReader::with_capacity(1 << 20, file), path, next) {
            let item = item.map_err(at)?;
            next = item.number + 1;
            if item.number % parts.max(1) == part && items.send(item).is_err() {
                return Ok(());
            }
        }
    }
    Ok(())
}

fn make(item: &Item, options: &Options) -> Result<Made, DatasetError> {
    let mut made = Made {
        number: item.number,
        documents: Vec::new(),
        counts: Counts::default(),
        python: String::new(),
        skipped: None,
    };
    let content = item
        .read()
        .map_err(|source| DatasetError::Item { path: item.file.display().to_string(), source })?;
    let (program, recording) = match content {
        Content::Run(run) => *run,
        Content::Nothing(why) => {
            made.skipped = Some(why);
            return Ok(made);
        }
    };
    for file in &program.files {
        if options.excluded.contains(&file.sha256) {
            let sha256 = file.sha256.clone();
            return Err(DatasetError::Excluded { number: item.number, sha256 });
        }
    }
    made.python = recording.python;
    let mut random = Random::new(options.seed, item.number);
    let drawn =
        documents(&program, &recording.tree, &options.recipe, &mut random, &mut made.counts);
    match drawn {
        Ok(documents) if documents.is_empty() => {
            made.skipped = Some("no answer fits the window".into())
        }
        Ok(documents) => made.documents = documents,
        Err(limit) => {
            made.counts = Counts::default();
            made.skipped = Some(match limit {
                Limit::Lines => "too many lines".into(),
                Limit::Names => "too many names".into(),
                other => other.to_string(),
            });
        }
    }
    Ok(made)
}

/// The files named, and the `.jsonl` files of the folders named, sorted.
///
/// # Errors
/// A folder cannot be read, or there is nothing in it.
pub fn batch_files(inputs: &[PathBuf]) -> Result<Vec<PathBuf>, DatasetError> {
    let mut files = Vec::new();
    for input in inputs {
        let at = |source| DatasetError::File { path: input.display().to_string(), source };
        if !input.is_dir() {
            files.push(input.clone());
            continue;
        }
        let mut found = Vec::new();
        for entry in std::fs::read_dir(input).map_err(at)? {
            let path = entry.map_err(at)?.path();
            if path.extension().is_some_and(|extension| extension == "jsonl") {
                found.push(path);
            }
        }
        found.sort();
        files.extend(found);
    }
    if files.is_empty() { Err(DatasetError::Empty) } else { Ok(files) }
}

fn sha256(path: &Path) -> io::Result<String> {
    let mut hash = Sha256::new();
    let mut file = File::open(path)?;
    let mut buffer = vec![0; 1 << 20];
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            break;
        }
        hash.update(buffer.get(..read).unwrap_or_default());
    }
    Ok(hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

fn manifest(
    options: &Options,
    report: &Report,
    pythons: &BTreeMap<String, u64>,
    hashes: &[(String, String)],
) -> serde_json::Value {
    let recipe = &options.recipe;
    serde_json::json!({
        "dialect": "compact",
        "dialect_version": VERSION,
        "vocab_sha256": vocab::sha256(),
        "window": recipe.window,
        "seed": options.seed,
        "part": [options.part.0, options.part.1],
        "recipe": {
            "actions": format!("{:?}", recipe.actions).to_lowercase(),
            "inverse": recipe.inverse,
            "inner": recipe.inner,
            "midway": recipe.midway,
            "invent": recipe.invent,
            "spread": recipe.spread,
            "documents": recipe.documents,
        },
        "programs": report.programs,
        "documents": report.documents,
        "tokens": report.tokens,
        "learned_tokens": report.learned,
        "skipped": report.skipped,
        "actions": report.counts.actions,
        "events": report.counts.events,
        "python": pythons,
        "recordings": hashes.iter()
            .map(|(name, sha256)| serde_json::json!({ "name": name, "sha256": sha256 }))
            .collect::<Vec<_>>(),
        "vocab": &*vocab::STRINGS,
    })
}
