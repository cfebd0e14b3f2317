//! Signals that end a command without a screen: first its interpreters and their folders go.
//!
//! Must not know: terminals (the screen reads signals itself), commands.

use crate::cpython;
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::{Handle, Signals};
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Held by whoever ends the process.
static ENDING: Mutex<()> = Mutex::new(());

/// Watches until it is dropped.
#[derive(Debug)]
pub struct Watch(Handle);

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Watches on a thread of its own. A signal that the caller of this program wants ignored
/// (`nohup`, a script's background jobs) stays ignored.
///
/// # Errors
/// When the handlers cannot be installed.
pub fn watch() -> std::io::Result<Watch> {
    let mut signals = Signals::new(watched(ignored()))?;
    let handle = signals.handle();
    std::thread::Builder::new().name("signals".into()).spawn(move || {
        for signal in signals.forever() {
            let _ending = finish();
            // Ends the process as the signal would have, so that a shell sees which it was.
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    })?;
    Ok(Watch(handle))
}

/// From now on a signal that would end the process sets its number here instead, for work that
/// says how to go on. Drop the [`Watch`] first.
///
/// # Errors
/// When the handlers cannot be installed.
pub fn flag() -> std::io::Result<Arc<AtomicUsize>> {
    let flag = Arc::new(AtomicUsize::new(0));
    for signal in watched(ignored()) {
        signal_hook::flag::register_usize(signal, Arc::clone(&flag), signal as usize)?;
    }
    Ok(flag)
}

/// Signals that end a process, but for those that are ignored.
fn watched(ignored: u64) -> impl Iterator<Item = i32> {
    let wanted = [SIGTERM, SIGINT, SIGHUP, SIGQUIT];
    wanted.into_iter().filter(move |signal| ignored >> (signal - 1) & 1 == 0)
}

/// Ends all interpreters. Whoever holds the result may end the process; a second caller
/// waits, and so says nothing about children that were killed under it.
pub fn finish() -> MutexGuard<'static, ()> {
    let ending = ENDING.lock().unwrap_or_else(PoisonError::into_inner);
    cpython::end_all();
    ending
}

/// The signals this process was started to ignore, a bit each. Where that cannot be told,
/// all but TERM are left as they are.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = line.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.unwrap_or(!(1 << (SIGTERM - 1)))
}
