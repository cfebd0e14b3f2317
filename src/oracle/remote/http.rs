//! Requests to a server: bounded in time and size, and given up when nobody waits any more.
//!
//! Must not know: what is asked.

use super::endpoint::{Endpoint, Key};
use crate::oracle::Control;
use crate::tls::tls;
use crossbeam_channel::RecvTimeoutError;
use serde_json::Value;
use std::io::ErrorKind;
use std::time::Duration;
use ureq::http::Response;
use ureq::{Agent, Body, Error, Timeout};

/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(5);

/// How often the requester's flag is looked at while a server is waited for.
const LOOK: Duration = Duration::from_millis(20);

/// Largest answer that is read.
const LARGEST: u64 = 8 << 20;

/// Longest text of a server that an error repeats, in characters.
const REPEATED: usize = 200;

/// Why there is no answer; one line for people, without the server's name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Trouble {
    /// Nobody waits for it any more.
    #[error("cancelled")]
    Cancelled,
    /// No whole answer came.
    #[error("{0}")]
    Lost(String),
    /// The server answered that it will not.
    #[error("HTTP {code}: {said}")]
    Status {
        /// The status code.
        code: u16,
        /// What it said besides, in one line.
        said: String,
    },
}

/// One server, and the connections to it.
#[derive(Debug)]
pub(super) struct Http {
    endpoint: Endpoint,
    key: Option<Key>,
    timeout: Duration,
    agent: Agent,
}

impl Http {
    /// Nothing is connected yet. `timeout` is that of a whole answer.
    ///
    /// # Errors
    /// [`Trouble::Lost`] if this machine cannot speak TLS and the server wants it.
    pub(super) fn new(
        endpoint: Endpoint,
        key: Option<Key>,
        timeout: Duration,
    ) -> Result<Self, Trouble> {
        let agent = agent(&endpoint, timeout)?;
        Ok(Http { endpoint, key, timeout, agent })
    }

    pub(super) fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// Asks a service for what it has.
    pub(super) fn get(&mut self, service: &str, control: &Control) -> Result<Vec<u8>, Trouble> {
        let mut request = self.agent.get(self.endpoint.service(service));
        if let Some(key) = &self.key {
            request = request.header("Authorization", key.bearer());
        }
        self.wait(control, move || request.call())
    }

    /// Sends JSON to a service.
    pub(super) fn post(
        &mut self,
        service: &str,
        json: String,
        control: &Control,
    ) -> Result<Vec<u8>, Trouble> {
        let request = self.agent.post(self.endpoint.service(service));
        let mut request = request.header("Content-Type", "application/json");
        if let Some(key) = &self.key {
            request = request.header("Authorization", key.bearer());
        }
        self.wait(control, move || request.send(json))
    }

    /// Waits for a request on another thread, so that it can be given up at once: the
    /// connection is then closed, which tells the server to stop.
    fn wait(
        &mut self,
        control: &Control,
        call: impl FnOnce() -> Result<Response<Body>, Error> + Send + 'static,
    ) -> Result<Vec<u8>, Trouble> {
        let (sender, receiver) = crossbeam_channel::bounded(1);
        let request = move || {
            let result = call().and_then(|mut response| {
                let body = response.body_mut().with_config().limit(LARGEST).read_to_vec()?;
                Ok((response.status().as_u16(), location(&response), body))
            });
            // Whoever gave up does not listen.
            let _ = sender.send(result);
        };
        std::thread::Builder::new()
            .name("request".into())
            .spawn(request)
            .map_err(|error| Trouble::Lost(format!("no thread for the request: {error}")))?;
        let result = loop {
            if control.cancelled() {
                if let Ok(fresh) = agent(&self.endpoint, self.timeout) {
                    std::mem::replace(&mut self.agent, fresh).shutdown();
                }
                return Err(Trouble::Cancelled);
            }
            match receiver.recv_timeout(LOOK) {
                Ok(result) => break result,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Trouble::Lost("internal error: the request ended".into()));
                }
            }
        };
        let (code, location, body) = result.map_err(|error| Trouble::Lost(self.plain(&error)))?;
        match code {
            200..=299 => Ok(body),
            300..=399 => Err(Trouble::Lost(format!(
                "it redirects to {}; name that address, if you trust it with the program",
                location.as_deref().unwrap_or("another address")
            ))),
            401 | 403 if self.key.is_some() => {
                Err(Trouble::Lost(format!("it refuses the key in {} (HTTP {code})", Key::VARIABLE)))
            }
            401 | 403 => Err(Trouble::Lost(format!(
                "it wants a key (HTTP {code}); put it into {}",
                Key::VARIABLE
            ))),
            _ => Err(Trouble::Status { code, said: self.said(&body) }),
        }
    }

    /// What a server says with an error, in one line.
    fn said(&self, body: &[u8]) -> String {
        let text = String::from_utf8_lossy(body.get(..body.len().min(1 << 16)).unwrap_or(body));
        let json: Option<Value> = serde_json::from_str(&text).ok();
        let message = json.as_ref().and_then(message);
        let text = message.unwrap_or(&text);
        let text = self.key.as_ref().map_or_else(|| text.to_owned(), |key| key.hidden_in(text));
        match one_line(&text) {
            line if line.is_empty() => "no reason given".to_owned(),
            line => line,
        }
    }

    fn plain(&self, error: &Error) -> String {
        match error {
            Error::Timeout(Timeout::Connect | Timeout::Resolve) => {
                format!("no connection within {} s", CONNECT.as_secs())
            }
            Error::Timeout(_) => format!(
                "no whole answer within {} s; --endpoint-timeout allows more",
                self.timeout.as_secs_f32()
            ),
            Error::Io(error) => match error.kind() {
                ErrorKind::ConnectionRefused => {
                    "it refuses the connection; is the server running?".to_owned()
                }
                ErrorKind::UnexpectedEof
                | ErrorKind::ConnectionReset
                | ErrorKind::ConnectionAborted
                | ErrorKind::BrokenPipe => {
                    "it closed the connection before its answer was whole".to_owned()
                }
                _ => one_line(&error.to_string()),
            },
            Error::HostNotFound => "there is no such host".to_owned(),
            Error::BodyExceedsLimit(_) => {
                format!("its answer is larger than {} MB", LARGEST >> 20)
            }
            Error::Protocol(error) => format!("it does not speak HTTP: {error}"),
            error => one_line(&error.to_string()),
        }
    }
}

/// The host that a redirect leads to; not the rest, which may hold secrets.
fn location(response: &Response<Body>) -> Option<String> {
    let location = response.headers().get("location")?.to_str().ok()?;
    let uri: ureq::http::Uri = location.parse().ok()?;
    Some(format!("{}://{}", uri.scheme_str()?, uri.host()?))
}

/// The text of an error in JSON, as servers write it.
pub(super) fn message(json: &Value) -> Option<&str> {
    let error = json.get("error").or_else(|| json.get("detail")).unwrap_or(json);
    error.as_str().or_else(|| error.get("message")?.as_str())
}

/// A text of somebody else in one line of bounded length.
pub(super) fn one_line(text: &str) -> String {
    let mut line: String = text
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .flat_map(|word| [" ", word])
        .skip(1)
        .collect();
    if let Some((at, _)) = line.char_indices().nth(REPEATED) {
        line.truncate(at);
        line.push('…');
    }
    line
}

/// An agent that follows no redirect: the key and the program are for this server alone.
fn agent(endpoint: &Endpoint, timeout: Duration) -> Result<Agent, Trouble> {
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .timeout_global(Some(timeout))
        .timeout_resolve(Some(CONNECT))
        .timeout_connect(Some(CONNECT))
        .user_agent(concat!("foretrace/", env!("CARGO_PKG_VERSION")));
    let config = if endpoint.is_loopback() { config.proxy(None) } else { config };
    let config = if endpoint.is_secure() {
        config.tls_config(tls().map_err(Trouble::Lost)?)
    } else {
        config
    };
    Ok(config.build().new_agent())
}
