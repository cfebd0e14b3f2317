//! A server of one test: a thread that reads requests and does with each what it is told.

use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

/// A request.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Method and path.
    pub line: String,
    /// All headers, as they came.
    pub headers: String,
    /// The JSON of the body; null without one.
    pub json: Value,
}

impl Asked {
    /// Whether it asks for text; else for the list of models.
    pub fn wants_text(&self) -> bool {
        self.line == "POST /v1/completions"
    }

    /// The prompt after the last heading: the states so far.
    pub fn trace(&self) -> &str {
        let prompt = self.json["prompt"].as_str().expect("a prompt");
        prompt.rsplit("\nTrace:\n").next().expect("a trace")
    }

    /// Whether it is the one-token question with which a server is tried.
    pub fn is_probe(&self) -> bool {
        self.json["max_tokens"] == 1
    }
}

/// What to do with a request.
pub enum Act {
    /// Answer 200.
    Answer(Value),
    /// Answer with a status, further headers and a body.
    Status(u16, &'static str, String),
    /// Promise more of a body than is sent.
    Drop,
    /// Answer with a body of this many bytes.
    Huge(usize),
    /// Answer nothing.
    Hang,
}

/// A server on a port of its own; it runs until the test ends.
pub struct Server {
    /// Where it is.
    pub address: SocketAddr,
    /// What it was asked, in order.
    asked: Arc<Mutex<Vec<Asked>>>,
    stopped: Arc<AtomicBool>,
    listening: JoinHandle<()>,
    /// Says when a connection that got no answer was closed by the other side.
    pub closed: Receiver<()>,
}

impl Server {
    /// Starts it on any port.
    pub fn start(act: impl Fn(&Asked) -> Act + Send + Sync + 'static) -> Server {
        Server::start_at(([127, 0, 0, 1], 0).into(), act)
    }

    /// Starts it where another one was.
    pub fn start_at(
        address: SocketAddr,
        act: impl Fn(&Asked) -> Act + Send + Sync + 'static,
    ) -> Server {
        let listener = TcpListener::bind(address).expect("a port");
        let address = listener.local_addr().expect("its address");
        let asked: Arc<Mutex<Vec<Asked>>> = Arc::default();
        let (sender, closed) = channel();
        let (act, seen) = (Arc::new(act), asked.clone());
        let stopped: Arc<AtomicBool> = Arc::default();
        let stop = stopped.clone();
        let listening = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                let (act, seen, sender) = (act.clone(), seen.clone(), sender.clone());
                let stream = stream.expect("a connection");
                std::thread::spawn(move || serve(stream, &*act, &seen, &sender));
            }
        });
        Server { address, asked, stopped, listening, closed }
    }

    /// Ends it; nobody listens there any more.
    pub fn stop(self) {
        self.stopped.store(true, Ordering::Relaxed);
        let _ = TcpStream::connect(self.address); // wakes it
        self.listening.join().expect("the listening thread");
    }

    /// Its address as one types it.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What it was asked so far.
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().expect("the list").clone()
    }
}

fn serve(
    mut stream: TcpStream,
    act: &(dyn Fn(&Asked) -> Act + Send + Sync),
    seen: &Mutex<Vec<Asked>>,
    closed: &Sender<()>,
) {
    let Some(asked) = read(&mut stream) else { return };
    seen.lock().expect("the list").push(asked.clone());
    let (status, headers, body, promised) = match act(&asked) {
        Act::Answer(json) => (200, "", json.to_string(), None),
        Act::Status(code, headers, body) => (code, headers, body, None),
        Act::Drop => (200, "", "{\"choices\": [".to_owned(), Some(1000)),
        Act::Huge(size) => (200, "", " ".repeat(size), None),
        Act::Hang => {
            let mut rest = [0; 16];
            if stream.read(&mut rest).map_or(true, |count| count == 0) {
                let _ = closed.send(());
            }
            return;
        }
    };
    let length = promised.unwrap_or(body.len());
    let head = format!(
        "HTTP/1.1 {status} Said\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    // The other side may have gone.
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()));
}

fn read(stream: &mut TcpStream) -> Option<Asked> {
    let mut bytes = Vec::new();
    let mut part = [0; 4096];
    loop {
        let count = stream.read(&mut part).ok().filter(|&count| count > 0)?;
        bytes.extend_from_slice(&part[..count]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let (line, headers) = head.split_once("\r\n").unwrap_or((head, ""));
        let length = headers.to_lowercase().lines().find_map(|line| {
            line.strip_prefix("content-length:").and_then(|value| value.trim().parse().ok())
        });
        if body.len() < length.unwrap_or(0) {
            continue;
        }
        let line = line.trim_end_matches(" HTTP/1.1").to_owned();
        let json = serde_json::from_str(body).unwrap_or(Value::Null);
        return Some(Asked { line, headers: headers.to_owned(), json });
    }
}

/// The list of models of a server.
pub fn models() -> Act {
    Act::Answer(json!({"object": "list", "data": [{"id": "models/parrot.gguf"}]}))
}

/// An answer in tokens of three characters. Their probabilities are those of `sure`, if
/// given; each has the alternative `?`, which is legal only in values.
pub fn say(text: &str, sure: Option<f64>) -> Act {
    let letters: Vec<char> = text.chars().collect();
    let tokens: Vec<String> = letters.chunks(3).map(|token| token.iter().collect()).collect();
    let logprobs = sure.map(|sure| {
        let other = (1.0 - sure) / 2.0;
        let top = |token: &String| json!({token: sure.ln(), "?": other.ln()});
        json!({
            "tokens": tokens,
            "token_logprobs": vec![sure.ln(); tokens.len()],
            "top_logprobs": tokens.iter().map(top).collect::<Vec<_>>(),
        })
    });
    Act::Answer(json!({
        "choices": [{"text": text, "finish_reason": "stop", "logprobs": logprobs}],
        "usage": {"prompt_tokens": 100, "completion_tokens": tokens.len()},
    }))
}

/// What a perfect model says after the states so far, up to an empty line.
pub fn rest<'a>(trace: &'a str, asked: &Asked) -> &'a str {
    let so_far = asked.trace();
    let rest = trace.strip_prefix(so_far).unwrap_or_else(|| panic!("a wrong path: {so_far}"));
    rest.split("\n\n").next().expect("a part")
}

/// What a server does whose model knows a trace by heart.
pub fn parrots(trace: &'static str, sure: Option<f64>) -> impl Fn(&Asked) -> Act {
    move |asked| match asked {
        asked if !asked.wants_text() => models(),
        asked if asked.is_probe() => say(" 2", sure),
        asked => say(rest(trace, asked), sure),
    }
}

/// Such a server.
pub fn parrot(trace: &'static str, sure: Option<f64>) -> Server {
    Server::start(parrots(trace, sure))
}
