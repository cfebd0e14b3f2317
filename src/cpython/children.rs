//! Processes that run now and the folders they may write, so that nothing is left behind
//! however foretrace ends, unless it is killed outright (SIGKILL): then empty folders stay.
//!
//! Must not know: what the processes do.

use rustix::process::{Pid, Signal, kill_process_group};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

static CHILDREN: Mutex<Children> = Mutex::new(Children { next: 0, running: Vec::new() });

struct Children {
    next: u64,
    running: Vec<Running>,
}

struct Running {
    number: u64,
    group: Option<Pid>,
    folder: Option<PathBuf>,
}

/// An entry of the list, until it is dropped.
#[derive(Debug)]
pub struct Listed(u64);

/// Lists a folder that is to go with its process, or a process without one.
pub fn list(folder: Option<&Path>) -> Listed {
    let mut children = lock();
    let number = children.next;
    children.next += 1;
    children.running.push(Running { number, group: None, folder: folder.map(Path::to_path_buf) });
    Listed(number)
}

impl Listed {
    /// Names the process, the leader of a group of its own.
    pub fn runs(&self, process: u32) {
        self.set(Pid::from_raw(process.cast_signed()));
    }

    /// Kills its group, unless that was done before; the caller then waits for the process.
    pub fn kill(&self) {
        if let Some(group) = self.set(None) {
            let _ = kill_process_group(group, Signal::KILL);
        }
    }

    fn set(&self, group: Option<Pid>) -> Option<Pid> {
        let mut children = lock();
        let found = children.running.iter_mut().find(|running| running.number == self.0);
        found.and_then(|running| std::mem::replace(&mut running.group, group))
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        lock().running.retain(|running| running.number != self.0);
    }
}

/// Kills every child's process group and removes its folder; for the end of the process.
pub fn end_all() {
    let running = std::mem::take(&mut lock().running);
    for group in running.iter().filter_map(|running| running.group) {
        let _ = kill_process_group(group, Signal::KILL);
    }
    for folder in running.iter().filter_map(|running| running.folder.as_deref()) {
        // What was killed may still write for a moment.
        let gone = (0..50).any(|_| {
            let _ = std::fs::remove_dir_all(folder);
            !folder.exists() || {
                std::thread::sleep(Duration::from_millis(5));
                false
            }
        });
        if !gone {
            tracing::warn!("{} is left behind", folder.display());
        }
    }
}

fn lock() -> MutexGuard<'static, Children> {
    CHILDREN.lock().unwrap_or_else(PoisonError::into_inner)
}
