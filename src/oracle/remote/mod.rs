//! The oracle that asks a model on a server, over the OpenAI-compatible completions protocol.
//!
//! ```text
//! Prompted dialect, ids are bytes ──► text ──► server ──► text, and logprobs if it has them
//!        its grammar ◄── writing.rs: followed while legal, corrected where not ◄──┘
//! ```
//!
//! The dialect and its grammar are those of local general models. A state takes one request
//! if the model speaks legally, and one more for each place where it does not. Whatever text
//! comes is a value; what the network does is an error of that one question.
//!
//! Must not know: how states are spelled (the dialect does), verdicts, files.

mod endpoint;
mod http;
mod protocol;
mod writing;

pub use endpoint::{Endpoint, Key};

use super::reading::{answered, refused};
use super::{Answer, Capabilities, Control, Oracle, OracleError, Progress, Query, Work};
use crate::codec::prompted::Prompted;
use crate::codec::{Ask, Dialect, Question, Reply};
use crate::program::Program;
use crate::trace::{Direction, Segment, State};
use http::{Http, Trouble};
use protocol::{Completion, Request, Served};
use std::sync::Arc;
use std::time::Duration;
use writing::Writing;

/// Most requests for one answer.
const REQUESTS: usize = 24;

/// Most tokens of one request.
const TOKENS: usize = 256;

/// How many bytes of program and states a token stands for at least, as code is cut.
const BYTES_PER_TOKEN: usize = 3;

/// Tokens that a model is taken to read where the server does not say.
const WINDOW: usize = 4096;

/// The smallest window that is tried where a server says that a prompt is too long.
const SMALLEST: usize = 1024;

/// How many alternatives of each token are asked for: what vLLM gives at most by default, and
/// what the protocol's inventor did.
const LOGPROBS: [Option<usize>; 3] = [Some(20), Some(5), None];

/// How to ask a server.
#[derive(Debug, Clone)]
pub struct Options {
    /// What proves who asks, if the server wants that.
    pub key: Option<Key>,
    /// How long a whole answer to one request may take.
    pub timeout: Duration,
    /// Of invented values.
    pub seed: u64,
}

impl Options {
    /// The timeout where none is given: large models on CPUs are slow.
    pub const TIMEOUT: Duration = Duration::from_secs(120);
}

impl Default for Options {
    fn default() -> Self {
        Options { key: None, timeout: Options::TIMEOUT, seed: 0 }
    }
}

/// A model on a server.
#[derive(Debug)]
pub struct RemoteOracle {
    http: Http,
    served: Served,
    dialect: Prompted,
    /// Tokens that it reads.
    window: usize,
    /// Alternatives that the server gives of each token; `None`: no probabilities.
    logprobs: Option<usize>,
    /// Whether its tokenizer takes the two line ends between states apart, but together at
    /// the end of a text: then the second one is left to the model.
    apart: bool,
    seed: u64,
    /// Inventions made so far; each gets another seed.
    inventions: u64,
}

/// Finds out what a server has, and that it answers: its first model is asked for a token.
///
/// # Errors
/// One line that names the server and says what is wrong.
pub fn open(endpoint: &Endpoint, options: Options) -> Result<RemoteOracle, OracleError> {
    let wrong = |trouble: Trouble| {
        OracleError::Failed(format!("cannot use the server {endpoint}: {trouble}"))
    };
    let control = Control::silent();
    let mut http = Http::new(endpoint.clone(), options.key, options.timeout).map_err(wrong)?;
    let models = http.get("models", &control).map_err(wrong)?;
    let served = Served::read(&models).map_err(Trouble::Lost).map_err(wrong)?;
    let logprobs = probe(&mut http, &served.name, &control).map_err(wrong)?;
    let window = served.window.unwrap_or(WINDOW);
    let dialect = dialect(window)?;
    let seed = options.seed;
    Ok(RemoteOracle { http, served, dialect, window, logprobs, apart: false, seed, inventions: 0 })
}

/// How many alternatives a server gives. Servers that give none, or not so many, refuse the
/// request or ignore that part of it.
fn probe(http: &mut Http, model: &str, control: &Control) -> Result<Option<usize>, Trouble> {
    let mut refusal = None;
    for logprobs in LOGPROBS {
        let request = Request { model, prompt: "1 + 1 =", tokens: 1, logprobs, drawn: None };
        match http.post("completions", request.json(), control) {
            Ok(body) => {
                let completion = Completion::read(&body).map_err(Trouble::Lost)?;
                return Ok(logprobs.filter(|_| completion.has_logprobs()));
            }
            Err(trouble @ Trouble::Status { .. }) => refusal = Some(trouble),
            Err(trouble) => return Err(trouble),
        }
    }
    Err(refusal.unwrap_or(Trouble::Cancelled))
}

/// The dialect for a model that reads so many tokens.
fn dialect(window: usize) -> Result<Prompted, OracleError> {
    let bytes = window.saturating_sub(TOKENS).saturating_mul(BYTES_PER_TOKEN);
    Prompted::of_bytes(bytes).map_err(|error| OracleError::Failed(error.to_string()))
}

impl RemoteOracle {
    fn ask(
        &mut self,
        program: &Arc<Program>,
        segment: &Segment,
        ask: &Ask,
        drawn: Option<u64>,
        control: &Control,
    ) -> Result<Answer, OracleError> {
        let mut work = Work::default();
        let answer = loop {
            let question = self.dialect.ask(program, segment, ask).map_err(refused)?;
            let length = question.prompt.len();
            match self.write(question, drawn, control, &mut work) {
                Ok(answer) => break answer,
                // A server that did not say how much it reads may say that this is too much.
                Err(Trouble::Status { code: 400 | 413 | 422, .. })
                    if self.served.window.is_none() && self.shrink(length)? => {}
                Err(Trouble::Cancelled) => return Err(OracleError::Cancelled),
                Err(trouble) => {
                    let host = self.http.endpoint().host();
                    return Err(OracleError::Failed(format!("the server {host}: {trouble}")));
                }
            }
        };
        control.report(Progress::Work(work));
        Ok(answer)
    }

    /// Takes a smaller window after a prompt of so many bytes was too long; whether it could.
    fn shrink(&mut self, prompt: usize) -> Result<bool, OracleError> {
        let window = self.window.min(prompt / BYTES_PER_TOKEN) * 3 / 4;
        if window < SMALLEST {
            return Ok(false);
        }
        self.window = window;
        self.dialect = dialect(window)?;
        Ok(true)
    }

    /// Has the server write a reply.
    fn write(
        &mut self,
        question: Question,
        drawn: Option<u64>,
        control: &Control,
        work: &mut Work,
    ) -> Result<Answer, Trouble> {
        let prompt: Vec<u8> =
            question.prompt.iter().filter_map(|&id| u8::try_from(id).ok()).collect();
        let prompt = String::from_utf8_lossy(&prompt);
        let mut writing = Writing::new(question.reply);
        let mut requests = 0;
        let mut apart = self.apart;
        loop {
            writing.force();
            if writing.done() {
                return Ok(self.read(writing));
            }
            let text = writing.text();
            control.report(Progress::Partial(text.clone()));
            if requests == REQUESTS {
                let why = format!("no end after {requests} requests");
                return Ok(Answer::Malformed { text, why });
            }
            requests += 1;
            // Begun with another line end, an answer was asked for after a token that models
            // never see before one.
            let begins = text.is_empty() && prompt.ends_with("\n\n");
            let mut sent = format!("{prompt}{text}");
            if begins && apart {
                sent.pop();
            }
            let request = Request {
                model: &self.served.name,
                prompt: &sent,
                tokens: TOKENS,
                logprobs: self.logprobs,
                drawn,
            };
            let body = self.http.post("completions", request.json(), control)?;
            let mut completion = Completion::read(&body).map_err(Trouble::Lost)?;
            work.cached += completion.cached;
            work.prompt += completion.prompt.saturating_sub(completion.cached);
            work.sampled += completion.sampled;
            if begins {
                let led = completion.trim_start();
                if led && !self.apart {
                    (self.apart, apart) = (true, true);
                    continue;
                }
                if apart && !led {
                    apart = false;
                    continue;
                }
            }
            if !writing.follow(&completion) {
                let text = format!("{text}{}", completion.text);
                let why = match self.logprobs {
                    Some(count) => format!(
                        "the model leaves the language, and none of its {count} likeliest \
                         tokens stays in it"
                    ),
                    None => "the model leaves the language, and the server says no \
                             alternatives (logprobs)"
                        .to_owned(),
                };
                return Ok(Answer::Malformed { text, why });
            }
        }
    }

    fn read(&self, writing: Writing) -> Answer {
        let (reply, mut sure): (Box<dyn Reply>, _) = writing.into_parts();
        if self.logprobs.is_none() {
            // Not even what was forced says anything about a model that says nothing.
            sure.iter_mut().for_each(|sure| sure.forced = false);
        }
        answered(reply.decode(), &sure, Vec::new())
    }
}

impl Oracle for RemoteOracle {
    fn label(&self) -> String {
        format!("{} at {}", self.served.label(), self.http.endpoint().host())
    }

    fn capabilities(&self) -> Capabilities {
        let support = self.dialect.support();
        let mut limits = support.limits.clone();
        if self.logprobs.is_none() {
            limits.push_str(", the server does not say how sure it is");
        }
        Capabilities {
            directions: support.directions.clone(),
            direct_actions: support.direct.clone(),
            completes: support.completes,
            exact: false,
            dialect: Some(self.dialect.name().to_owned()),
            limits,
            device: Some(self.http.endpoint().to_string()),
            note: None,
        }
    }

    fn accepts(&self, program: &Program) -> Result<(), OracleError> {
        self.dialect.accepts(program).map_err(refused)
    }

    fn answer(&mut self, query: &Query, control: &Control) -> Result<Answer, OracleError> {
        let ask = Ask::Move(query.ask.clone());
        self.ask(&query.program, &query.segment, &ask, None, control)
    }

    fn complete(
        &mut self,
        program: &Program,
        partial: &State,
        direction: Direction,
        control: &Control,
    ) -> Result<Answer, OracleError> {
        let seed = self.seed.wrapping_add(self.inventions);
        self.inventions += 1;
        let segment = Segment::new(direction, Vec::new(), partial.clone());
        self.ask(&Arc::new(program.clone()), &segment, &Ask::Complete, Some(seed), control)
    }
}
