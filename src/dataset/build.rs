//! The pipeline: one reader, some workers, one writer; bounded memory, fixed order.

use super::batch::{Content, Item, ItemError, Items, Run};
use super::file::{Written, hex};
use super::lines::{Lines, line};
use super::manifest::manifest;
use super::page::{Dialect, Document};
use super::random::Random;
use super::shard::Shards;
use super::trajectory::{Counts, Recipe, documents};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

/// What kind of files documents go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Flat files of token ids, masks and document ends ([`super::shard`]).
    Shards,
    /// JSON Lines ([`super::lines`]).
    Jsonl,
}

/// What to build.
#[derive(Debug, Clone)]
pub struct Options {
    /// Batch files, or folders of them.
    pub inputs: Vec<PathBuf>,
    /// Where the files go.
    pub output: PathBuf,
    /// Which kind of files.
    pub format: Format,
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
    /// Length of them all in the dialect's unit.
    pub tokens: u64,
    /// How much of that is to be predicted.
    pub learned: u64,
    /// Documents by length, in the dialect's unit: at most 64, 128, 256 and so on.
    pub lengths: BTreeMap<usize, u64>,
    /// Programs left out, by reason.
    pub skipped: BTreeMap<String, u64>,
    /// Answers by action, event and exit.
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
    /// Text has no token ids.
    #[error(
        "native text has no token ids of its own: write it as --format jsonl, and let the tokenizer of your model make tokens of it"
    )]
    Format,
    /// A worker stopped.
    #[error("a worker stopped early")]
    Worker,
}

/// What a worker makes of one item.
struct Made {
    number: u64,
    documents: Vec<Document>,
    /// The documents as lines, if that is what is written.
    lines: Vec<Vec<u8>>,
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
    if options.format == Format::Shards && options.recipe.dialect == Dialect::Native {
        return Err(DatasetError::Format);
    }
    let mut recordings = Vec::new();
    for path in &files {
        recordings.push(hashed(path).map_err(at(path))?);
    }
    let mut output = Sink::create(&options.output, options.format).map_err(at(&options.output))?;
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
            while let Some(mut result) = early.remove(&next) {
                next += options.part.1;
                match result.skipped.take() {
                    Some(why) => *report.skipped.entry(why).or_default() += 1,
                    None => report.programs += 1,
                }
                if !result.python.is_empty() {
                    *pythons.entry(std::mem::take(&mut result.python)).or_default() += 1;
                }
                report.counts.add(&result.counts);
                for document in &result.documents {
                    report.add(document);
                }
                output.push(&result).map_err(at(&options.output))?;
            }
        }
        reader.join().map_err(|_| DatasetError::Worker)?
    })?;
    let written = output.finish().map_err(at(&options.output))?;
    let manifest = manifest(options, &report, &pythons, &recordings, &written);
    let path = options.output.join("manifest.json");
    std::fs::write(&path, format!("{manifest:#}\n")).map_err(at(&path))?;
    Ok(report)
}

impl Report {
    fn add(&mut self, document: &Document) {
        self.documents += 1;
        self.tokens += document.len() as u64;
        self.learned += document.learned() as u64;
        let most = document.len().next_power_of_two().max(64);
        *self.lengths.entry(most).or_default() += 1;
    }
}

/// Where documents go.
enum Sink {
    Shards(Box<Shards>),
    Lines(Box<Lines>),
}

impl Sink {
    /// Files in a folder, which is made if need be.
    fn create(folder: &Path, format: Format) -> io::Result<Self> {
        if folder.exists() && !folder.is_dir() {
            let why = "it is not a folder; choose another";
            return Err(io::Error::new(io::ErrorKind::NotADirectory, why));
        }
        std::fs::create_dir_all(folder)?;
        let (first, sink) = match format {
            Format::Shards => ("00000.ids", Sink::Shards(Box::new(Shards::new(folder)))),
            Format::Jsonl => ("00000.jsonl", Sink::Lines(Box::new(Lines::new(folder)))),
        };
        if folder.join("manifest.json").exists() || folder.join(first).exists() {
            let why = "it already holds a data set or recordings; choose another folder";
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, why));
        }
        Ok(sink)
    }

    fn push(&mut self, made: &Made) -> io::Result<()> {
        match self {
            Sink::Shards(shards) => {
                made.documents.iter().try_for_each(|document| shards.push(document))
            }
            Sink::Lines(lines) => made.lines.iter().try_for_each(|line| lines.push(line)),
        }
    }

    fn finish(self) -> io::Result<Vec<Written>> {
        match self {
            Sink::Shards(shards) => shards.finish(),
            Sink::Lines(lines) => lines.finish(),
        }
    }
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
        lines: Vec::new(),
        counts: Counts::default(),
        python: String::new(),
        skipped: None,
    };
    let content = item
        .read()
        .map_err(|source| DatasetError::Item { path: item.file.display().to_string(), source })?;
    let Run { program, recording, never } = match content {
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
    let (recipe, tree) = (&options.recipe, &recording.tree);
    match documents(&program, tree, never, recipe, &mut random, &mut made.counts) {
        Ok(documents) if documents.is_empty() => {
            made.skipped = Some("no answer fits the window".into())
        }
        Ok(documents) => made.documents = documents,
        Err(why) => {
            made.counts = Counts::default();
            made.skipped = Some(why);
        }
    }
    if options.format == Format::Jsonl {
        let lines = made.documents.iter().map(|document| line(item.number, document));
        let lines = lines.collect::<serde_json::Result<_>>();
        made.lines = lines.map_err(|error| DatasetError::File {
            path: options.output.display().to_string(),
            source: error.into(),
        })?;
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

/// A recordings file as the manifest names it.
fn hashed(path: &Path) -> io::Result<Written> {
    let mut hash = Sha256::new();
    let mut file = File::open(path)?;
    let mut buffer = vec![0; 1 << 20];
    let mut bytes = 0;
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            break;
        }
        bytes += read as u64;
        hash.update(buffer.get(..read).unwrap_or_default());
    }
    Ok(Written { name: path.display().to_string(), bytes, sha256: hex(hash) })
}
