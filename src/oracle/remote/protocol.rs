//! The OpenAI-compatible completions protocol, as llama-server, llama-cpp-python and vLLM
//! speak it: what is asked, and what is made of the answers.
//!
//! Must not know: connections, states, what is legal.

use super::http::{message, one_line};
use serde_json::{Value, json};

/// What ends an answer: states end with an empty line.
const STOP: &str = "\n\n";

/// A question.
#[derive(Debug, Clone, Copy)]
pub(super) struct Request<'a> {
    /// The model's name, as the server has it.
    pub(super) model: &'a str,
    /// The text to go on from.
    pub(super) prompt: &'a str,
    /// Most tokens of the answer.
    pub(super) tokens: usize,
    /// How many alternatives of each token are asked for.
    pub(super) logprobs: Option<usize>,
    /// Seed, if the answer is drawn; else it is the likeliest.
    pub(super) drawn: Option<u64>,
}

impl Request<'_> {
    pub(super) fn json(&self) -> String {
        let mut body = json!({
            "model": self.model,
            "prompt": self.prompt,
            "max_tokens": self.tokens,
            "stop": [STOP],
            "stream": false,
            "temperature": if self.drawn.is_some() { 0.8 } else { 0.0 },
        });
        if let Some(seed) = self.drawn {
            body["top_p"] = json!(0.95);
            // Servers differ in how large a seed may be.
            body["seed"] = json!(seed & 0x7FFF_FFFF);
        }
        if let Some(logprobs) = self.logprobs {
            body["logprobs"] = json!(logprobs);
        }
        body.to_string()
    }
}

/// A part of an answer: a token, or text whose tokens are not known.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Piece {
    /// Its text.
    pub(super) bytes: Vec<u8>,
    /// Its logarithmic probability, where the server says it.
    pub(super) logprob: Option<f32>,
    /// Tokens that could have been in its place, with theirs; it may be among them.
    pub(super) others: Vec<(Vec<u8>, f32)>,
}

/// An answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Completion {
    /// Its text, whole.
    pub(super) text: String,
    /// The same in parts, with the empty line that ended it where a token holds that.
    pub(super) pieces: Vec<Piece>,
    /// Whether the model ended it; else the limit on tokens did.
    pub(super) ended: bool,
    /// Tokens of the prompt.
    pub(super) prompt: usize,
    /// Of those, found in the server's cache.
    pub(super) cached: usize,
    /// Tokens of the answer.
    pub(super) sampled: usize,
}

impl Completion {
    /// Reads an answer.
    ///
    /// # Errors
    /// One line, if it is none.
    pub(super) fn read(body: &[u8]) -> Result<Self, String> {
        let json = read(body)?;
        let choice = &json["choices"][0];
        let Some(text) = choice["text"].as_str() else {
            return Err(no_protocol(&json));
        };
        let ended = choice["finish_reason"].as_str() != Some("length");
        let mut whole = text.to_owned();
        if ended && !text.contains(STOP) {
            whole.push_str(STOP);
        }
        let pieces = pieces(whole.as_bytes(), text.len(), &tokens(&choice["logprobs"]));
        let count = |name: &str| json["usage"][name].as_u64().unwrap_or(0) as usize;
        let cached = &json["usage"]["prompt_tokens_details"]["cached_tokens"];
        Ok(Completion {
            text: text.to_owned(),
            pieces,
            ended,
            prompt: count("prompt_tokens"),
            cached: cached.as_u64().unwrap_or(0) as usize,
            sampled: count("completion_tokens"),
        })
    }

    /// Takes line ends off the beginning; whether there were any.
    pub(super) fn trim_start(&mut self) -> bool {
        let trimmed = self.text.trim_start_matches('\n');
        let mut surplus = self.text.len() - trimmed.len();
        let any = surplus > 0;
        self.text = trimmed.to_owned();
        while let Some(first) = self.pieces.first_mut().filter(|_| surplus > 0) {
            let cut = surplus.min(first.bytes.len());
            surplus -= cut;
            first.bytes.drain(..cut);
            // They stand for the whole token.
            first.others.clear();
            if first.bytes.is_empty() {
                self.pieces.remove(0);
            }
        }
        any
    }

    /// Whether the server says how sure the model is.
    pub(super) fn has_logprobs(&self) -> bool {
        self.pieces.iter().any(|piece| piece.logprob.is_some())
    }
}

/// What a server says about its model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Served {
    /// Its name.
    pub(super) name: String,
    /// Tokens that it reads, where the server says it.
    pub(super) window: Option<usize>,
}

impl Served {
    /// Reads a list of models; the first one counts.
    ///
    /// # Errors
    /// One line, if it is none.
    pub(super) fn read(body: &[u8]) -> Result<Self, String> {
        let json = read(body)?;
        let model = &json["data"][0];
        let Some(name) = model["id"].as_str() else {
            return Err(no_protocol(&json));
        };
        let windows = [&model["max_model_len"], &model["meta"]["n_ctx"]];
        let window = windows.into_iter().find_map(Value::as_u64);
        let window = window.and_then(|tokens| usize::try_from(tokens).ok());
        Ok(Served { name: name.to_owned(), window })
    }

    /// The name for people: of a path, the file.
    pub(super) fn label(&self) -> String {
        let file = self.name.rsplit(['/', '\\']).next().unwrap_or_default();
        let label = file.strip_suffix(".gguf").unwrap_or(&self.name);
        one_line(if label.is_empty() { &self.name } else { label })
    }
}

fn read(body: &[u8]) -> Result<Value, String> {
    serde_json::from_slice(body)
        .map_err(|error| format!("its answer is no JSON ({error}); is this the server's API?"))
}

fn no_protocol(json: &Value) -> String {
    match message(json) {
        Some(said) => format!("it answers: {}", one_line(said)),
        None => "its answer is none of the completions protocol".to_owned(),
    }
}

/// The tokens of an answer in either of the two forms that servers use: lists side by side,
/// or a list of objects.
fn tokens(logprobs: &Value) -> Vec<Piece> {
    let number = |value: &Value| value.as_f64().map(|number| number as f32);
    if let Some(content) = logprobs["content"].as_array() {
        let piece = |token: &Value| Piece {
            bytes: bytes(token),
            logprob: number(&token["logprob"]),
            others: {
                let others = token["top_logprobs"].as_array().into_iter().flatten();
                others.filter_map(|t| Some((bytes(t), number(&t["logprob"])?))).collect()
            },
        };
        return content.iter().map(piece).collect();
    }
    let texts = logprobs["tokens"].as_array().into_iter().flatten();
    let piece = |(index, text): (usize, &Value)| Piece {
        bytes: text.as_str().unwrap_or_default().into(),
        logprob: number(&logprobs["token_logprobs"][index]),
        others: {
            let others = logprobs["top_logprobs"][index].as_object().into_iter().flatten();
            others.filter_map(|(text, p)| Some((text.as_bytes().to_vec(), number(p)?))).collect()
        },
    };
    texts.enumerate().map(piece).collect()
}

/// The bytes of a token object; those of its text where it has no list of them.
fn bytes(token: &Value) -> Vec<u8> {
    let list = token["bytes"].as_array().map(|bytes| {
        bytes.iter().filter_map(|b| u8::try_from(b.as_u64()?).ok()).collect::<Vec<u8>>()
    });
    let text = || token["token"].as_str().unwrap_or_default().into();
    list.unwrap_or_else(text)
}

/// A text cut into the tokens that spell it. Where they do not (broken characters), the rest
/// is one piece that nothing is known about. Only the first `sent` bytes came as text: what
/// follows is a piece where a token holds it.
fn pieces(text: &[u8], sent: usize, tokens: &[Piece]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut at = 0;
    for token in tokens.iter().filter(|token| !token.bytes.is_empty()) {
        let rest = text.get(at..).unwrap_or_default();
        let head = rest.get(..token.bytes.len()).unwrap_or(rest);
        if head.is_empty() || !token.bytes.starts_with(head) {
            break;
        }
        at += head.len();
        pieces.push(Piece { bytes: head.to_vec(), ..token.clone() });
    }
    if let Some(rest) = text.get(at..sent).filter(|rest| !rest.is_empty()) {
        pieces.push(Piece { bytes: rest.to_vec(), logprob: None, others: Vec::new() });
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(completion: &Completion) -> Vec<(&str, Option<f32>)> {
        let text = |piece: &Piece| String::from_utf8(piece.bytes.clone()).unwrap().leak() as &str;
        completion.pieces.iter().map(|piece| (text(piece), piece.logprob)).collect()
    }

    #[test]
    fn both_forms_of_probabilities_are_read() {
        let side_by_side = json!({
            "tokens": ["x", " =", " 1", "\n\n"],
            "token_logprobs": [null, -0.5, -0.25, -1],
            "top_logprobs": [null, {" =": -0.5, " +": -1.5}, {" 1": -0.25}, {}],
        });
        let object = |text: &str, p: f64| json!({"token": text, "logprob": p});
        let objects = json!({"content": [
            {"token": "?", "bytes": [120], "logprob": null},
            {"token": " =", "logprob": -0.5,
             "top_logprobs": [object(" =", -0.5), object(" +", -1.5)]},
            object(" 1", -0.25),
            object("\n\n", -1.0),
        ]});
        for logprobs in [side_by_side, objects] {
            let choice = json!({"text": "x = 1", "finish_reason": "stop", "logprobs": logprobs});
            let usage = json!({"prompt_tokens": 7, "completion_tokens": 4});
            let body = json!({"choices": [choice], "usage": usage}).to_string();
            let completion = Completion::read(body.as_bytes()).unwrap();
            let wanted =
                [("x", None), (" =", Some(-0.5)), (" 1", Some(-0.25)), ("\n\n", Some(-1.0))];
            assert_eq!(parts(&completion), wanted);
            let mut others = completion.pieces[1].others.clone();
            others.sort_by(|a, b| b.1.total_cmp(&a.1));
            assert_eq!(others, [(b" =".to_vec(), -0.5), (b" +".to_vec(), -1.5)]);
            assert_eq!((completion.prompt, completion.sampled), (7, 4));
            assert!(completion.has_logprobs() && completion.ended);
        }
    }

    #[test]
    fn text_that_its_tokens_do_not_spell_is_kept_without_probabilities() {
        for (text, reason, tokens, wanted) in [
            ("x = 1", "stop", &[][..], &["x = 1"][..]),
            ("x = é", "stop", &["x = ", "\u{fffd}"], &["x = ", "é"]),
            ("x", "stop", &["x", "<|im_end|>"], &["x"]),
            ("x", "stop", &["x\n\n"], &["x\n\n"]),
            ("x", "stop", &["x", "\n", "\n\n"], &["x", "\n", "\n"]),
            ("x\n\n", "length", &[], &["x\n\n"]),
            ("x = 1", "length", &["x = 12"], &["x = 1"]),
            ("", "stop", &[], &[]),
        ] {
            let logprobs = json!({"tokens": tokens, "token_logprobs": vec![-1; tokens.len()]});
            let choice = json!({"text": text, "finish_reason": reason, "logprobs": logprobs});
            let body = json!({"choices": [choice]}).to_string();
            let completion = Completion::read(body.as_bytes()).unwrap();
            let texts: Vec<&str> = parts(&completion).into_iter().map(|(text, _)| text).collect();
            assert_eq!(texts, wanted, "{body}");
            assert_eq!(completion.ended, reason == "stop");
        }
    }

    #[test]
    fn line_ends_at_the_beginning_are_no_part_of_an_answer() {
        for (tokens, wanted) in [
            (&["\n", "line"][..], &["line"][..]),
            (&["\n\nli", "ne"], &["li", "ne"]),
            (&["line", "\n"], &["line", "\n"]),
            (&["\n"], &[]),
        ] {
            let logprobs = json!({"tokens": tokens, "token_logprobs": vec![-1; tokens.len()]});
            let text = tokens.concat();
            let choice = json!({"text": text, "finish_reason": "length", "logprobs": logprobs});
            let body = json!({"choices": [choice]}).to_string();
            let mut completion = Completion::read(body.as_bytes()).unwrap();
            assert_eq!(completion.trim_start(), text.starts_with('\n'));
            let texts: Vec<&str> = parts(&completion).into_iter().map(|(text, _)| text).collect();
            assert_eq!(texts, wanted);
            assert_eq!(completion.text, wanted.concat());
        }
    }

    #[test]
    fn answers_of_something_else_are_one_line() {
        let served = |body: &[u8]| Served::read(body).map(|_| ());
        let completion = |body: &[u8]| Completion::read(body).map(|_| ());
        for read in [&served as &dyn Fn(&[u8]) -> Result<(), String>, &completion] {
            for body in [
                &b""[..],
                b"<html>\n</html>",
                b"{}",
                b"[1]",
                b"null",
                b"\xff",
                br#"{"choices": []}"#,
                br#"{"choices": [{"text": 3}], "data": [{"id": 3}]}"#,
                br#"{"error": {"message": "no\nmodel"}}"#,
            ] {
                let why = read(body).unwrap_err();
                assert!(!why.is_empty() && !why.contains('\n'), "{why}");
            }
        }
    }

    #[test]
    fn models_have_names_for_people() {
        for (json, label, window) in [
            (json!({"id": "facebook/cwm", "max_model_len": 8192}), "facebook/cwm", Some(8192)),
            (json!({"id": "/m/SmolLM2.gguf"}), "SmolLM2", None),
            (json!({"id": "C:\\m\\a b.gguf", "meta": {"n_ctx": 512}}), "a b", Some(512)),
            (json!({"id": "\n"}), "", None),
        ] {
            let body = json!({"data": [json, {"id": "another"}]}).to_string();
            let served = Served::read(body.as_bytes()).unwrap();
            assert_eq!((served.label().as_str(), served.window), (label, window));
        }
    }
}
