//! A short question to a command that nothing is known about: it may hang, flood or fork.
//!
//! Must not know: what is asked.

use super::children;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// Most bytes of one stream.
const MOST: usize = 1 << 16;
/// How long pipes are read on after the end of the process.
const GRACE: Duration = Duration::from_secs(2);
/// How often the clock and the process are looked at.
const TICK: Duration = Duration::from_millis(10);

/// What it said, and how it went.
#[derive(Debug, Default)]
pub struct Said {
    /// Standard output and standard error.
    pub streams: [Vec<u8>; 2],
    /// Why it was ended, if it did not end by itself.
    pub stopped: Option<Stopped>,
}

/// Why a command was ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// It took too long.
    Late,
    /// It said too much.
    Flood,
}

/// Runs a command without input, in a process group of its own that is killed in the end.
///
/// # Errors
/// When it cannot be started.
pub fn ask(mut command: Command, time: Duration) -> std::io::Result<Said> {
    let deadline = Instant::now() + time;
    let listed = children::list(None);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let mut child = command.spawn()?;
    listed.runs(child.id());
    let (sender, pieces) = sync_channel(4);
    if let Some(pipe) = child.stdout.take() {
        drain(0, pipe, sender.clone());
    }
    if let Some(pipe) = child.stderr.take() {
        drain(1, pipe, sender);
    }
    let mut said = Said::default();
    let mut ended: Option<Instant> = None;
    while said.stopped.is_none() {
        match pieces.recv_timeout(TICK) {
            Ok((stream, bytes)) => {
                let stream: &mut Vec<u8> = &mut said.streams[usize::from(stream == 1)];
                stream.extend(bytes);
                if stream.len() > MOST {
                    said.stopped = Some(Stopped::Flood);
                }
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) if ended.is_some() => break,
            Err(RecvTimeoutError::Disconnected) => std::thread::sleep(TICK),
        }
        match ended {
            // what it said may still be on its way, on a busy machine; who left its group may
            // hold its pipes open, and that is not waited for
            Some(since) if since.elapsed() > GRACE => break,
            Some(_) => {}
            None if has_ended(child.id()) => {
                ended = Some(Instant::now());
                listed.kill();
            }
            None if Instant::now() > deadline => {
                said.stopped = said.stopped.or(Some(Stopped::Late));
            }
            None => {}
        }
    }
    listed.kill();
    child.wait()?;
    Ok(said)
}

/// Whether a child has ended. It is not reaped, so that its group's number stays its own.
fn has_ended(process: u32) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let Some(pid) = Pid::from_raw(process.cast_signed()) else { return true };
    !matches!(waitid(WaitId::Pid(pid), options), Ok(None))
}

/// Hands on what comes through a pipe, until nobody listens.
fn drain(stream: usize, mut pipe: impl Read + Send + 'static, to: SyncSender<(usize, Vec<u8>)>) {
    std::thread::spawn(move || {
        let mut buffer = vec![0; 1 << 12];
        while let Ok(count @ 1..) = pipe.read(&mut buffer) {
            let bytes = buffer.get(..count).unwrap_or_default().to_vec();
            if to.send((stream, bytes)).is_err() {
                break;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Said {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]);
        ask(command, Duration::from_millis(1500)).expect("a shell")
    }

    #[test]
    fn whatever_it_does_there_is_an_answer() {
        for (script, stopped, out) in [
            ("echo hello", None, "hello\n"),
            ("echo out; echo err >&2; exit 3", None, "out\n"),
            ("read line; echo none", None, "none\n"),
            ("sleep 1000", Some(Stopped::Late), ""),
            ("trap '' TERM INT; echo begun; sleep 1000", Some(Stopped::Late), "begun\n"),
            ("exec >&- 2>&-; sleep 1000", Some(Stopped::Late), ""),
            ("sleep 1000 & echo left", None, "left\n"),
            ("setsid sleep 5 & echo away", None, "away\n"),
        ] {
            let said = shell(script);
            assert_eq!(said.stopped, stopped, "{script}");
            assert_eq!(String::from_utf8_lossy(&said.streams[0]), out, "{script}");
        }
        let flood = shell("while :; do echo yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy; done");
        assert_eq!(flood.stopped, Some(Stopped::Flood));
        assert!(flood.streams[0].len() <= MOST + (1 << 12));
    }

    #[test]
    fn what_it_started_is_ended_with_it() {
        let said = shell("sleep 1000 & echo $!");
        let pid: i32 = String::from_utf8_lossy(&said.streams[0]).trim().parse().expect("a number");
        let pid = Pid::from_raw(pid).expect("a process");
        // Killed, it may wait a moment for its new parent.
        let gone = (0..500).any(|_| {
            std::thread::sleep(Duration::from_millis(10));
            let state = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero()));
            state.is_ok_and(|text| text.contains(") Z "))
                || rustix::process::test_kill_process(pid).is_err()
        });
        assert!(gone, "{pid:?} still runs");
    }
}
