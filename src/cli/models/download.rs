//! A file from a server, taken up where it was left, and kept only if it is the right one.
//!
//! Bytes go into a part file as they come, so that whatever ends the process leaves what has
//! come. Requests run on a thread of their own: the caller's looks for signals meanwhile, and
//! gives up on a server that has gone silent. Must not know: models, what is shown.

use super::offers::Content;
use crate::tls::tls;
use crossbeam_channel::{Receiver, RecvTimeoutError};
use sha2::{Digest, Sha256};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use ureq::Agent;

/// How long a connection, or an answer's beginning, may take.
const ANSWER: Duration = Duration::from_secs(30);

/// How long a server may be silent in the middle.
const SILENCE: Duration = Duration::from_secs(30);

/// How often signals are looked for.
const LOOK: Duration = Duration::from_millis(50);

/// How often a connection that broke is made again, each time having brought something.
const TAKEN_UP: usize = 20;

/// Bytes read at once.
const CHUNK: usize = 1 << 16;

/// Why there is no file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Trouble {
    /// A signal; what has come is kept.
    Signal(u8),
    /// The connection failed or broke; what has come is kept.
    Lost(String),
    /// The server does not have it, or not as it should be; nothing was written.
    Refused(String),
    /// The disk is full or fails; what has come is kept.
    Disk(String),
    /// What came is another file; it was removed.
    Wrong(String),
}

/// A download.
pub(super) struct Download<'a> {
    pub(super) url: &'a str,
    /// What must come.
    pub(super) content: Content<'a>,
    /// Where it is written.
    pub(super) part: &'a Path,
    /// The signal that asks for an end, if one came.
    pub(super) signal: &'a dyn Fn() -> Option<u8>,
    /// Is told how many bytes there are.
    pub(super) progress: &'a mut dyn FnMut(u64),
}

impl Download<'_> {
    /// Fetches what is missing. Afterwards the part file is whole and has the right hash.
    ///
    /// # Errors
    /// [`Trouble`].
    pub(super) fn run(&mut self) -> Result<(), Trouble> {
        let agent = agent(self.url)?;
        let mut part = Part::open(self.part, self.content.bytes)?;
        let mut taken_up = 0;
        while part.len < self.content.bytes {
            let before = part.len;
            match self.fetch(&agent, &mut part) {
                Ok(()) => {}
                Err(Trouble::Lost(_)) if part.len > before && taken_up < TAKEN_UP => taken_up += 1,
                Err(trouble) => return Err(trouble),
            }
        }
        part.finish(self.content.sha256)
    }

    /// One request, for all that is missing.
    fn fetch(&mut self, agent: &Agent, part: &mut Part) -> Result<(), Trouble> {
        let replies = request(agent, self.url, part);
        let Head { status, length, range, tag } = match self.next(&replies)? {
            Some(Reply::Head(head)) => head,
            _ => return Err(Trouble::Lost("internal error: no answer".to_owned())),
        };
        let whole = self.content.bytes;
        match status {
            206 if range == Some((part.len, whole)) => {}
            // The file there is another now, or parts of it are not what was asked for: begin again
            206 | 416 if part.len > 0 => return part.clear(),
            200 => {
                if length.is_some_and(|length| length != whole) {
                    let length = length.unwrap_or_default();
                    let why = format!("it has {length} bytes under that name, not {whole}");
                    return Err(Trouble::Refused(why));
                }
                part.clear()?; // a server that knows no ranges, or what is there has changed
            }
            404 | 410 => return Err(Trouble::Refused(format!("it is not there (HTTP {status})"))),
            401 | 403 => {
                return Err(Trouble::Refused(format!("it gives no access (HTTP {status})")));
            }
            429 | 500.. => {
                let why = format!("it is overloaded or broken (HTTP {status}); try again later");
                return Err(Trouble::Refused(why));
            }
            _ => return Err(Trouble::Refused(format!("it answers with HTTP {status}"))),
        }
        part.tag = tag;
        (self.progress)(part.len);
        while let Some(reply) = self.next(&replies)? {
            let Reply::Bytes(bytes) = reply else { continue };
            if part.len + bytes.len() as u64 > whole {
                part.remove();
                return Err(Trouble::Wrong(format!("it sends more than {whole} bytes")));
            }
            part.push(&bytes)?;
            (self.progress)(part.len);
        }
        match part.len {
            len if len == whole => Ok(()),
            len => Err(Trouble::Lost(format!("the connection ended after {len} bytes"))),
        }
    }

    /// What the request says next; `None`: all has been said.
    fn next(&self, replies: &Receiver<Result<Reply, String>>) -> Result<Option<Reply>, Trouble> {
        let mut silent = Duration::ZERO;
        loop {
            if let Some(signal) = (self.signal)() {
                return Err(Trouble::Signal(signal));
            }
            match replies.recv_timeout(LOOK) {
                Ok(reply) => return reply.map(Some).map_err(Trouble::Lost),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => silent += LOOK,
            }
            if silent > SILENCE + ANSWER {
                return Err(Trouble::Lost("the server has gone silent".to_owned()));
            }
        }
    }
}

/// What a request brings, in order.
enum Reply {
    Head(Head),
    Bytes(Vec<u8>),
}

/// The beginning of an answer.
struct Head {
    status: u16,
    /// Bytes that follow, if it says so.
    length: Option<u64>,
    /// Of a part: where it begins, and how long the whole is.
    range: Option<(u64, u64)>,
    /// What tells this file from another under its name.
    tag: Option<String>,
}

/// Asks for what is missing, on a thread of its own. It ends when nobody listens any more.
fn request(agent: &Agent, url: &str, part: &Part) -> Receiver<Result<Reply, String>> {
    let (sender, receiver) = crossbeam_channel::bounded(4);
    // as it is: a compressed one would have other ranges
    let mut request = agent.get(url).header("Accept-Encoding", "identity");
    if part.len > 0 {
        request = request.header("Range", format!("bytes={}-", part.len));
        if let Some(tag) = &part.tag {
            request = request.header("If-Range", tag);
        }
    }
    let run = move || {
        let mut response = match request.call() {
            Ok(response) => response,
            Err(error) => return drop(sender.send(Err(plain(&error)))),
        };
        let header = |name: &str| response.headers().get(name)?.to_str().ok().map(str::to_owned);
        let head = Head {
            status: response.status().as_u16(),
            length: header("content-length").and_then(|text| text.parse().ok()),
            range: header("content-range").as_deref().and_then(range),
            // a weak one says nothing about bytes
            tag: header("etag").filter(|tag| tag.starts_with('"')),
        };
        if sender.send(Ok(Reply::Head(head))).is_err() {
            return;
        }
        let mut reader = response.body_mut().as_reader();
        let mut buffer = vec![0; CHUNK];
        loop {
            let reply = match reader.read(&mut buffer) {
                Ok(0) => return,
                Ok(count) => Ok(Reply::Bytes(buffer.get(..count).unwrap_or_default().to_vec())),
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => Err(broken(&error)),
            };
            let last = reply.is_err();
            if sender.send(reply).is_err() || last {
                return;
            }
        }
    };
    if let Err(error) = std::thread::Builder::new().name("download".into()).spawn(run) {
        let (sender, receiver) = crossbeam_channel::bounded(1);
        let _ = sender.send(Err(format!("no thread for the download: {error}")));
        return receiver;
    }
    receiver
}

/// `bytes 5-9/10`: where it begins, and how long the whole is.
fn range(text: &str) -> Option<(u64, u64)> {
    let (range, whole) = text.strip_prefix("bytes ")?.split_once('/')?;
    let (first, _) = range.split_once('-')?;
    Some((first.parse().ok()?, whole.parse().ok()?))
}

fn agent(url: &str) -> Result<Agent, Trouble> {
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .timeout_resolve(Some(ANSWER))
        .timeout_connect(Some(ANSWER))
        .timeout_recv_response(Some(ANSWER))
        .user_agent(concat!("foretrace/", env!("CARGO_PKG_VERSION")));
    let here = ["http://127.0.0.1", "http://localhost", "http://[::1]"];
    let config = match here.iter().any(|start| url.starts_with(start)) {
        true => config.proxy(None), // else that of the environment counts
        false => config,
    };
    let config = match tls() {
        Ok(tls) => config.tls_config(tls),
        Err(why) if url.starts_with("https:") => return Err(Trouble::Refused(why)),
        Err(_) => config,
    };
    Ok(config.build().new_agent())
}

fn plain(error: &ureq::Error) -> String {
    match error {
        ureq::Error::Timeout(_) => format!("no answer within {} s", ANSWER.as_secs()),
        ureq::Error::HostNotFound => "there is no such host, or no network".to_owned(),
        ureq::Error::Io(error) => broken(error),
        error => error.to_string(),
    }
}

fn broken(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::ConnectionRefused => "it refuses the connection".to_owned(),
        ErrorKind::UnexpectedEof
        | ErrorKind::ConnectionReset
        | ErrorKind::ConnectionAborted
        | ErrorKind::BrokenPipe => "the connection broke".to_owned(),
        _ => error.to_string(),
    }
}

/// The beginning of the file that is there already.
struct Part {
    path: PathBuf,
    file: File,
    /// Of what is in the file.
    hash: Sha256,
    len: u64,
    /// Of the file that the bytes of this process came from.
    tag: Option<String>,
}

impl Part {
    /// Opens or makes it. What is longer than the whole cannot be its beginning.
    fn open(path: &Path, whole: u64) -> Result<Self, Trouble> {
        let options =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).clone();
        let file = options.open(path).map_err(|error| disk(path, &error))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let why = format!("{} is being pulled already", path.display());
                return Err(Trouble::Disk(why));
            }
            Err(TryLockError::Error(_)) => {} // a file system without locks
        }
        let path = path.to_owned();
        let mut part = Part { path, file, hash: Sha256::new(), len: 0, tag: None };
        let copied = io::copy(&mut part.file, &mut part.hash);
        part.len = copied.map_err(|error| disk(&part.path, &error))?;
        if part.len > whole {
            part.clear()?;
        }
        Ok(part)
    }

    fn clear(&mut self) -> Result<(), Trouble> {
        (self.hash, self.len, self.tag) = (Sha256::new(), 0, None);
        let cleared = self.file.set_len(0).and_then(|()| self.file.seek(SeekFrom::Start(0)));
        cleared.map(drop).map_err(|error| disk(&self.path, &error))
    }

    fn push(&mut self, bytes: &[u8]) -> Result<(), Trouble> {
        self.file.write_all(bytes).map_err(|error| disk(&self.path, &error))?;
        self.hash.update(bytes);
        self.len += bytes.len() as u64;
        Ok(())
    }

    fn remove(&self) {
        let _ = std::fs::remove_file(&self.path);
    }

    /// Checks the whole, and that it is on the disk.
    fn finish(self, sha256: &str) -> Result<(), Trouble> {
        let found = hex(self.hash.clone());
        if found != sha256 {
            self.remove();
            return Err(Trouble::Wrong(format!("its SHA-256 is {found}, not {sha256}")));
        }
        self.file.sync_all().map_err(|error| disk(&self.path, &error))
    }
}

/// A hash as text.
pub(super) fn hex(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn disk(path: &Path, error: &io::Error) -> Trouble {
    Trouble::Disk(match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            format!("there is no room for {}", path.display())
        }
        _ => format!("{}: {error}", path.display()),
    })
}

#[cfg(test)]
mod tests;
