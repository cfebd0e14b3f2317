//! A scripted HTTP server on the loopback interface, for tests.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// What the server does with a connection.
#[derive(Debug, Clone, Copy)]
pub(super) enum Reply {
    /// The file, or the part that was asked for.
    File,
    /// The whole file, whatever was asked for.
    Whole,
    /// As `File`, but so many bytes of it.
    Drop(usize),
    /// As `Whole`, but so many bytes of it.
    DropWhole(usize),
    /// As `Drop`, but the connection stays open.
    Stall(usize),
    /// A part that was not asked for.
    OtherRange,
    /// The whole file without its length.
    Unsaid,
    /// Without its length, and a byte more.
    TooMuch,
    /// A whole file of so many bytes.
    Length(usize),
    /// Only a status.
    Status(u16),
    /// To the same place.
    Redirect,
    /// Closes without an answer.
    Nothing,
    /// What is no HTTP.
    Noise,
}

/// Answers one connection for each reply, then refuses. Gives its address, and what was asked
/// for, which grows.
pub(super) fn serve(data: Vec<u8>, script: &[Reply]) -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let asked = Arc::new(Mutex::new(Vec::new()));
    let (script, tell) = (script.to_vec(), Arc::clone(&asked));
    std::thread::spawn(move || {
        let mut open = Vec::new();
        for reply in script {
            let Ok((stream, _)) = listener.accept() else { return };
            answer(&stream, &data, reply, &tell);
            if matches!(reply, Reply::Stall(_)) {
                open.push(stream);
            }
        }
        if let Some(stream) = open.pop() {
            let _ = (&stream).read(&mut [0]); // until the other side closes
        }
    });
    (format!("http://{address}"), asked)
}

fn answer(stream: &TcpStream, data: &[u8], reply: Reply, tell: &Mutex<Vec<String>>) {
    let (mut range, mut condition) = (String::new(), String::new());
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let head: Vec<String> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
    for line in &head {
        match line.split_once(": ") {
            Some((name, value)) if name.eq_ignore_ascii_case("range") => range = value.into(),
            Some((name, value)) if name.eq_ignore_ascii_case("if-range") => {
                condition = format!(" if {value}");
            }
            _ => {}
        }
    }
    tell.lock().unwrap().push(format!("{range}{condition}"));
    let first: usize = range
        .strip_prefix("bytes=")
        .and_then(|range| range.strip_suffix('-'))
        .map_or(0, |first| first.parse().unwrap());
    let ranged = !range.is_empty();
    let whole = data.len();
    let part = |first: usize, send: usize| {
        let length = whole - first;
        let head = match ranged {
            false => format!("200 OK\r\nContent-Length: {length}"),
            true => format!(
                "206 Partial Content\r\nContent-Length: {length}\r\n\
                 Content-Range: bytes {first}-{}/{whole}",
                whole - 1
            ),
        };
        (head, data[first..][..send.min(length)].to_vec())
    };
    let all = |send: usize| {
        (format!("200 OK\r\nContent-Length: {whole}"), data[..send.min(whole)].to_vec())
    };
    let (head, body) = match reply {
        Reply::File => part(first, whole),
        Reply::Whole => all(whole),
        Reply::Drop(count) | Reply::Stall(count) => part(first, count),
        Reply::DropWhole(count) => all(count),
        Reply::OtherRange => {
            let range = format!("Content-Range: bytes 5-{}/{whole}", whole - 1);
            let length = whole - 5;
            (
                format!("206 Partial Content\r\nContent-Length: {length}\r\n{range}"),
                data[5..].to_vec(),
            )
        }
        Reply::Unsaid => ("200 OK".to_owned(), data.to_vec()),
        Reply::TooMuch => ("200 OK".to_owned(), [data, &[1]].concat()),
        Reply::Length(length) => (format!("200 OK\r\nContent-Length: {length}"), vec![0; length]),
        Reply::Status(204) => ("204 No Content".to_owned(), Vec::new()),
        Reply::Status(status) => (format!("{status} X\r\nContent-Length: 0"), Vec::new()),
        Reply::Redirect => ("302 Found\r\nLocation: /there\r\nContent-Length: 0".into(), vec![]),
        Reply::Nothing => return,
        Reply::Noise => {
            let _ = (&*stream).write_all(b"\0\0 no HTTP \xff\r\n\r\n");
            return;
        }
    };
    let head = format!("HTTP/1.1 {head}\r\nETag: \"tag\"\r\nConnection: close\r\n\r\n");
    let _ = (&*stream).write_all(head.as_bytes()); // whoever gave up does not listen
    let _ = (&*stream).write_all(&body);
}
