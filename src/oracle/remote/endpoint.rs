//! Where a server is, as a person types it, and the key to it.

use std::fmt;
use std::str::FromStr;
use ureq::http::Uri;

/// The address of a server: `http://127.0.0.1:8000`, or with the path of its API.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// Scheme, host, port and the API's path, without a slash at the end.
    base: String,
    host: String,
    loopback: bool,
    secure: bool,
}

impl Endpoint {
    /// The address of one of the API's services.
    pub(super) fn service(&self, name: &str) -> String {
        format!("{}/{name}", self.base)
    }

    /// Host and port, for people.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Whether it is this machine: then no proxy is asked.
    pub(super) fn is_loopback(&self) -> bool {
        self.loopback
    }

    /// Whether it wants TLS.
    pub(super) fn is_secure(&self) -> bool {
        self.secure
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.base)
    }
}

impl FromStr for Endpoint {
    type Err = String;

    /// The errors do not repeat the address: it may hold a password.
    fn from_str(text: &str) -> Result<Self, String> {
        let example = "an address such as http://127.0.0.1:8000";
        let uri: Uri = text.trim().parse().map_err(|_| format!("--endpoint wants {example}"))?;
        let scheme = uri.scheme_str().unwrap_or_default();
        let (secure, authority) = match (scheme, uri.authority()) {
            ("http", Some(authority)) => (false, authority.as_str()),
            ("https", Some(authority)) => (true, authority.as_str()),
            _ => return Err(format!("--endpoint wants {example}, with http:// or https://")),
        };
        if authority.contains('@') {
            let why = "--endpoint takes no user and password; put the key into";
            return Err(format!("{why} {}", Key::VARIABLE));
        }
        if uri.query().is_some() || text.contains('#') {
            return Err(format!("--endpoint wants {example}, without ? and #"));
        }
        let path = uri.path().trim_end_matches('/');
        let path = path.strip_suffix("/completions").unwrap_or(path);
        let path = if path.is_empty() { "/v1" } else { path };
        let name = uri.host().unwrap_or_default().trim_matches(['[', ']']);
        let address = name.parse::<std::net::IpAddr>();
        Ok(Endpoint {
            base: format!("{scheme}://{authority}{path}"),
            host: authority.to_owned(),
            loopback: name == "localhost" || address.is_ok_and(|address| address.is_loopback()),
            secure,
        })
    }
}

/// What proves to a server who asks. Nothing shows or logs it.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    /// The environment variable that holds it.
    pub const VARIABLE: &str = "FORETRACE_API_KEY";

    /// A key from its text; `None` if that is empty.
    ///
    /// # Errors
    /// One line, without the text, if no header can hold it.
    pub fn new(text: &str) -> Result<Option<Key>, String> {
        let text = text.trim();
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(format!("{} holds characters that no key has", Key::VARIABLE));
        }
        Ok((!text.is_empty()).then(|| Key(text.to_owned())))
    }

    /// The value of the `Authorization` header.
    pub(super) fn bearer(&self) -> String {
        format!("Bearer {}", self.0)
    }

    /// A text without the key, should a server repeat it.
    pub(super) fn hidden_in(&self, text: &str) -> String {
        text.replace(&self.0, "…")
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_completed() {
        for (text, base, loopback) in [
            ("http://127.0.0.1:8000", "http://127.0.0.1:8000/v1", true),
            ("http://localhost:8000/", "http://localhost:8000/v1", true),
            (" http://[::1]:8080/v1/ ", "http://[::1]:8080/v1", true),
            ("https://llm.example.org/v1/completions", "https://llm.example.org/v1", false),
            ("https://example.org/api/v3", "https://example.org/api/v3", false),
        ] {
            let endpoint: Endpoint = text.parse().unwrap();
            assert_eq!(endpoint.to_string(), base);
            assert_eq!(endpoint.is_loopback(), loopback, "{text}");
            assert_eq!(endpoint.service("models"), format!("{base}/models"));
        }
    }

    #[test]
    fn what_is_no_address_is_refused_and_not_repeated() {
        for text in [
            "",
            "127.0.0.1:8000",
            "localhost",
            "ftp://host/secret",
            "http://",
            "http://me:secret@host:80",
            "http://host/v1?key=secret",
            "http://host/v1#secret",
            "http://ho st/secret",
        ] {
            let why = text.parse::<Endpoint>().unwrap_err();
            assert!(!why.contains("secret") && !why.contains('\n'), "{why}");
        }
    }

    #[test]
    fn keys_are_not_shown() {
        let key = Key::new(" sk-secret\n").unwrap().unwrap();
        assert!(!format!("{key:?}").contains("secret"));
        assert_eq!(key.hidden_in("bad key sk-secret!"), "bad key …!");
        assert_eq!(Key::new(" "), Ok(None));
        assert!(!Key::new("sk\nsecret").unwrap_err().contains("secret"));
    }
}
