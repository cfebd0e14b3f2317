//! The manifest of a data set: what it was made of, with what, and what is in it.
//!
//! Must not know: how documents are made.

use super::build::{Format, Options, Report};
use super::file::Written;
use super::page::Dialect;
use crate::codec::compact::{VERSION, vocab};
use crate::codec::native::Word;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Version of the native dialect, as this program writes it.
const NATIVE: u32 = 1;

/// The manifest, as an object.
pub(super) fn manifest(
    options: &Options,
    report: &Report,
    pythons: &BTreeMap<String, u64>,
    recordings: &[Written],
    files: &[Written],
) -> Value {
    let recipe = &options.recipe;
    let unit = recipe.dialect.unit();
    let mut manifest = json!({
        "foretrace": env!("CARGO_PKG_VERSION"),
        "dialect": recipe.dialect.name(),
        "dialect_version": match recipe.dialect { Dialect::Compact => VERSION, Dialect::Native => NATIVE },
        "format": match options.format { Format::Shards => "shards", Format::Jsonl => "jsonl" },
        "window": recipe.window,
        "unit": unit,
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
        unit: report.tokens,
        format!("learned_{unit}"): report.learned,
        "skipped": report.skipped,
        "actions": report.counts.actions,
        "events": report.counts.events,
        "exits": report.counts.exits,
        "lengths": report.lengths,
        "python": pythons,
        "recordings": recordings,
        "files": files,
    });
    let language = match recipe.dialect {
        Dialect::Compact => json!({ "vocab_sha256": vocab::sha256(), "vocab": &*vocab::STRINGS }),
        Dialect::Native => {
            let words = Word::ALL.iter().filter_map(|word| word.spelling());
            json!({ "special_tokens": words.collect::<Vec<_>>() })
        }
    };
    if let (Value::Object(manifest), Value::Object(language)) = (&mut manifest, language) {
        manifest.extend(language);
    }
    manifest
}
