//! Threads that perform a session's effects through the ports, and send the replies.
//!
//! Must not know: the session that asked. Each worker has one slot: a newer request
//! replaces one that waits, and raises the cancel flag of the one that runs. Nothing
//! here sleeps or polls; a panic in a worker is an answer like any other failure.

use super::message::{Effect, Reply};
use crate::oracle::{Evaluator, OracleFactory, Recorder};
use crossbeam_channel::Sender;
use std::sync::Arc;

/// What reaches the world: handed in by `cli`.
#[derive(Clone)]
pub struct Ports {
    /// Opens the oracle that predicts.
    pub oracle: Arc<dyn OracleFactory>,
    /// Records with CPython; `Err` says why that is not possible.
    pub recorder: Result<Arc<dyn Recorder>, String>,
    /// Evaluates expressions; `Err` says why that is not possible.
    pub evaluator: Result<Arc<dyn Evaluator>, String>,
}

/// The threads. Dropping it cancels what runs and does not wait for it.
pub struct Workers {
    _ports: Ports,
    _replies: Sender<Reply>,
}

impl Workers {
    /// Starts the workers; replies go to the channel, from their threads.
    pub fn start(ports: Ports, replies: Sender<Reply>) -> Workers {
        Workers { _ports: ports, _replies: replies }
    }

    /// Performs an effect; returns at once. [`Effect::Quit`] is the owner's to perform.
    pub fn perform(&self, _effect: Effect) {}
}
