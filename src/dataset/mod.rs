//! Recordings → trajectories → token shards: what a model learns from.
//!
//! ```text
//! batch files ─batch─► Program, StateTree ─trajectory, policy─► Document ─shard─► *.ids *.mask *.idx
//!                                                     (page)            ─lines─► *.jsonl
//!                                                                     manifest.json
//! ```
//!
//! A *document* is one context and one segment in one dialect, and which parts of it the model
//! has to predict: states and exits it is asked for; nothing else. Everything is decided
//! by the seed and the input, whatever the number of threads.
//!
//! Must not know: models, how recordings are made, terminals.

pub mod batch;
pub mod build;
pub mod file;
pub mod lines;
mod manifest;
pub mod page;
pub mod policy;
pub mod random;
pub mod shard;
pub mod trajectory;

pub use build::{DatasetError, Format, Options, Report, build};
pub use page::Dialect;
