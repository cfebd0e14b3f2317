//! Recordings → trajectories → token shards: what a model learns from.
//!
//! ```text
//! batch files ─batch─► (Program, StateTree) ─trajectory, policy─► Document ─shard─► *.ids *.mask *.idx
//!                                                                                 manifest.json
//! ```
//!
//! A *document* is one context and one segment: the tokens, and a mask of those the model
//! has to predict (states and exits it is asked for; nothing else). Everything is decided
//! by the seed and the input, whatever the number of threads.
//!
//! Must not know: models, how recordings are made, terminals.

pub mod batch;
pub mod build;
pub mod policy;
pub mod random;
pub mod shard;
pub mod trajectory;

pub use build::{DatasetError, Options, Report, build};
