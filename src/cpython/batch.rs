//! Many short programs on warm interpreters, in the order given.
//!
//! Must not know: files, what the recordings are for.

use super::interpreter::Interpreter;
use super::sandbox::Policy;
use super::{Error, Options, Python, record};
use crate::program::Program;
use crate::trace::Recording;
use crossbeam_channel::{Receiver, bounded};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A program and its place in the batch.
pub struct BatchJob {
    /// Given back with the result.
    pub number: u64,
    /// The program.
    pub program: Program,
}

/// Records programs on `workers` interpreters that fork for each. Results come as they are
/// ready, with their job; the channel closes after the last one or when cancelled.
///
/// # Errors
/// [`Error::Python`] when there is no interpreter, [`Error::Child`] when it cannot be started.
#[allow(clippy::type_complexity)]
pub fn record_all(
    jobs: Receiver<BatchJob>,
    options: &Options,
    workers: usize,
    cancel: Arc<AtomicBool>,
) -> Result<Receiver<(BatchJob, Result<Recording, Error>)>, Error> {
    let python = Python::find(options.python.as_deref())?;
    let policy = Policy { trust: options.trust, ..Policy::default() };
    let (sender, results) = bounded(256);
    for number in 0..workers.max(1) {
        // Started here, so that a failure is told before the first job.
        let mut interpreter =
            Interpreter::start(&python, &policy, options.seed, &options.variables)?;
        let (jobs, sender, cancel) = (jobs.clone(), sender.clone(), cancel.clone());
        let (python, policy, options) = (python.clone(), policy.clone(), options.clone());
        let cancelled = cancel.clone();
        let mut once = move |program: &Program| {
            if !interpreter.usable() {
                match Interpreter::start(&python, &policy, options.seed, &options.variables) {
                    Ok(fresh) => interpreter = fresh,
                    Err(error) => return (Err(error), true),
                }
            }
            let result =
                record::record(&mut interpreter, program, &options, &[], None, true, &cancelled);
            (result, false)
        };
        let work = move || {
            for job in jobs {
                if cancel.load(Ordering::Relaxed) {
                    return;
                }
                let (mut result, mut lost) = once(&job.program);
                if let Err(Error::Child(_)) = result {
                    // A program before it may have ended the interpreter.
                    (result, lost) = once(&job.program);
                }
                if sender.send((job, result)).is_err() || lost {
                    return;
                }
            }
        };
        std::thread::Builder::new()
            .name(format!("tracer-{number}"))
            .spawn(work)
            .map_err(|error| Error::Child(error.to_string()))?;
    }
    Ok(results)
}
