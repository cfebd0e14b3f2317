//! The oracle by itself.

use super::server::{Act, Asked, Server, models, parrot, parrots, rest, say};
use super::{PROGRAM, TRACE};
use foretrace::oracle::remote::{Endpoint, Key, Options, open};
use foretrace::oracle::{
    Answer, Confidence, Control, Oracle, OracleError, Prediction, Query, RemoteOracle,
};
use foretrace::program::{Entry, Loc, Program, SourceFile};
use foretrace::trace::{Action, Direction, Event, Exit, Locals, Move, Segment, State};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

fn ask_of(server: &Server, options: Options) -> Result<RemoteOracle, OracleError> {
    let endpoint: Endpoint = server.url().parse().expect("an address");
    open(&endpoint, options)
}

fn oracle(server: &Server) -> RemoteOracle {
    ask_of(server, Options::default()).expect("a usable server")
}

fn program(text: &str) -> Arc<Program> {
    let (file, _) = SourceFile::from_text("prog.py", text);
    Arc::new(Program { files: vec![file], entry: Entry::Module })
}

fn start() -> State {
    State {
        event: Event::Call,
        loc: Loc::main(1),
        function: "<module>".into(),
        depth: 0,
        locals: Some(Locals::default()),
        arg: None,
        suspension: false,
    }
}

fn query(states: &[State]) -> Query {
    let ask = Move::forward(Action::StepInto);
    let mut segment = Segment::new(Direction::Forward, Vec::new(), start());
    segment.steps = states.iter().map(|state| (ask.clone(), state.clone())).collect();
    Query { program: program(PROGRAM), segment, ask }
}

/// Answers from the start to the end of the program.
fn run(oracle: &mut RemoteOracle) -> Vec<Prediction> {
    let (mut states, mut predictions) = (Vec::new(), Vec::new());
    loop {
        match oracle.answer(&query(&states), &Control::silent()).expect("an answer") {
            Answer::State(prediction) => {
                states.push(prediction.state.clone());
                predictions.push(*prediction);
            }
            Answer::Exit { exit, .. } => {
                assert_eq!(exit, Exit::Normal);
                return predictions;
            }
            Answer::Malformed { text, why } => panic!("{why}: {text}"),
        }
    }
}

/// The states of the trace, in short.
fn shown(predictions: &[Prediction]) -> Vec<String> {
    let one = |prediction: &Prediction| {
        let state = &prediction.state;
        let locals = state.locals.iter().flat_map(Locals::iter);
        let locals: Vec<_> = locals.map(|(n, v)| format!("{n}={}", v.text())).collect();
        let arg = state.arg.as_ref().map_or("", |arg| arg.text());
        format!("{} {} {} {arg}", state.event.name(), state.loc.line, locals.join(","))
    };
    predictions.iter().map(|p| one(p).trim_end().to_owned()).collect()
}

const SHOWN: [&str; 8] = [
    "line 1",
    "line 4",
    "call 1 a=1,b=2",
    "line 2 a=1,b=2",
    "line 3 a=1,b=2,c=3",
    "return 3 a=1,b=2,c=3 3",
    "line 5 n=3",
    "return 5 n=3 None",
];

fn all(confidence: &Confidence) -> Vec<f32> {
    let locals = confidence.locals.iter().map(|(_, p)| *p);
    locals.chain([confidence.event, confidence.source]).chain(confidence.arg).collect()
}

#[test]
fn a_good_model_is_followed_and_is_as_sure_as_it_says() {
    let mut oracle = oracle(&parrot(TRACE, Some(0.5)));
    assert!(oracle.label().starts_with("parrot at 127.0.0.1:"), "{}", oracle.label());
    let predictions = run(&mut oracle);
    assert_eq!(shown(&predictions), SHOWN);
    for prediction in &predictions {
        let constrained = prediction.confidence.as_ref().expect("how sure");
        let raw = prediction.raw_confidence.as_ref().expect("how sure without the grammar");
        for (constrained, raw) in all(constrained).into_iter().zip(all(raw)) {
            // Each token has 0.5, and 0.25 for what is not legal outside values.
            let tokens = -raw.log2();
            assert!((tokens - tokens.round()).abs() < 1e-3, "{raw}");
            assert!(raw <= constrained && constrained <= 1.0, "{raw} {constrained}");
        }
    }
    let returned = predictions[5].raw_confidence.as_ref().expect("how sure").arg;
    assert!(returned.expect("a value") < 0.51);
}

#[test]
fn without_probabilities_nothing_is_said_about_sureness() {
    let ignores = parrot(TRACE, None);
    // Refuses the parameter, as some do that were started without an option.
    let refuses = Server::start(|asked| match asked {
        asked if !asked.wants_text() => models(),
        asked if !asked.json["logprobs"].is_null() => {
            Act::Status(500, "", json!({"error": {"message": "no logprobs"}}).to_string())
        }
        asked if asked.is_probe() => say(" 2", None),
        asked => say(rest(TRACE, asked), None),
    });
    for server in [ignores, refuses] {
        let mut oracle = oracle(&server);
        assert!(oracle.capabilities().limits.contains("does not say how sure"));
        let predictions = run(&mut oracle);
        assert_eq!(shown(&predictions), SHOWN);
        let unsure = |p: &Prediction| p.confidence.is_none() && p.raw_confidence.is_none();
        assert!(predictions.iter().all(unsure));
    }
}

/// The first answer of a server whose model says something else at first.
fn corrected(
    wrong: impl Fn(&Asked) -> Option<Act> + Send + Sync + 'static,
    p: Option<f64>,
) -> Server {
    Server::start(move |asked| match asked {
        asked if !asked.wants_text() => models(),
        asked if asked.is_probe() => say(" 2", p),
        asked => wrong(asked).unwrap_or_else(|| say(rest(TRACE, asked), p)),
    })
}

#[test]
fn where_text_is_illegal_the_likeliest_legal_token_takes_its_place() {
    let server = corrected(
        |asked| {
            asked.trace().ends_with("line 4: n = add(1, 2)\n\n").then(|| {
                // The mark and a return are likelier than the call, but cannot be there.
                let top = json!([
                    {"b": -0.5, "return": -1.5, "call": -2.0, "<|im_end|>": -5.0, "line": -9.0},
                    {"anana": -0.1},
                ]);
                let logprobs = json!({
                    "tokens": ["b", "anana"],
                    "token_logprobs": [-0.5, -0.1],
                    "top_logprobs": top,
                });
                Act::Answer(json!({"choices": [{
                    "text": "banana", "finish_reason": "stop", "logprobs": logprobs,
                }]}))
            })
        },
        Some(0.9),
    );
    let predictions = run(&mut oracle(&server));
    assert_eq!(shown(&predictions), SHOWN);
    let raw = predictions[2].raw_confidence.as_ref().expect("how sure");
    let constrained = predictions[2].confidence.as_ref().expect("how sure");
    assert!((raw.event - (-2.0f32).exp()).abs() < 1e-3, "{raw:?}");
    let illegal = (-0.5f32).exp() + (-1.5f32).exp() + (-5.0f32).exp();
    let wanted = (-2.0f32).exp() / (1.0 - illegal);
    assert!((constrained.event - wanted).abs() < 1e-3, "{constrained:?} {wanted}");
}

/// Where the language leaves no choice, nobody is asked what to write.
#[test]
fn what_the_model_leaves_out_is_forced() {
    let place = |asked: &Asked| {
        // Ends before the variable that the line before must have set.
        asked.trace().ends_with("line 2: c = a + b\n\n").then(|| say("line 3: return c", None))
    };
    assert_eq!(shown(&run(&mut oracle(&corrected(place, None)))), SHOWN);
}

#[test]
fn text_that_cannot_be_followed_is_malformed_and_whole() {
    for (said, words) in [
        ("I think the next line is 4", "says no alternatives"),
        ("line 77: nope", "says no alternatives"),
        ("", "says no alternatives"),
    ] {
        let server =
            corrected(move |asked| asked.trace().contains("line 1").then(|| say(said, None)), None);
        let mut oracle = oracle(&server);
        let first = query(&[]);
        let Ok(Answer::State(first)) = oracle.answer(&first, &Control::silent()) else {
            panic!("no state");
        };
        let second = query(&[first.state]);
        match oracle.answer(&second, &Control::silent()) {
            Ok(Answer::Malformed { text, why }) => {
                assert!(text.ends_with(said) && why.contains(words), "{why}: {text}");
            }
            other => panic!("{other:?}"),
        }
        // The oracle is as before.
        assert!(oracle.answer(&query(&[]), &Control::silent()).is_ok());
    }
}

/// A model that never ends a value is cut; one that says a letter at a time is left.
#[test]
fn requests_and_answers_are_bounded() {
    let mut states = run(&mut oracle(&parrot(TRACE, None)));
    states.truncate(5);
    let states: Vec<State> = states.into_iter().map(|prediction| prediction.state).collect();
    let answer = |more: &'static str| {
        let go_on = move |asked: &Asked| {
            let begun = !asked.trace().ends_with("c = 3\n\n");
            let text = if begun { more } else { "return 3: return c => 1" };
            Some(Act::Answer(json!({"choices": [{"text": text, "finish_reason": "length"}]})))
        };
        let server = corrected(go_on, None);
        let answer = oracle(&server).answer(&query(&states), &Control::silent());
        assert!(server.asked().len() < 40);
        answer.expect("an answer")
    };
    match answer("0123456789".repeat(100).leak()) {
        Answer::State(prediction) => {
            let value = prediction.state.arg.expect("a value");
            assert!((100..1000).contains(&value.text().len()), "{value:?}");
        }
        other => panic!("{other:?}"),
    }
    match answer("7") {
        Answer::Malformed { why, .. } => assert!(why.contains("no end after"), "{why}"),
        other => panic!("{other:?}"),
    }
}

/// A tokenizer that joins the two line ends only at the end of a text: the model then says
/// another one. It is asked with one of them left out, and that is remembered.
#[test]
fn the_line_end_before_an_answer_is_left_to_models_that_want_it() {
    let server = Server::start(|asked| match asked {
        asked if !asked.wants_text() => models(),
        asked if asked.is_probe() => say(" 2", None),
        asked if asked.trace().ends_with("\n\n") => say("\nI am lost", None),
        asked
            if asked.trace().ends_with('\n') && TRACE.contains(&format!("{}\n", asked.trace())) =>
        {
            let rest = TRACE.strip_prefix(asked.trace()).expect("the right path");
            let end = rest[1..].find("\n\n").expect("an end") + 1;
            say(&rest[..end], None)
        }
        asked => say(rest(TRACE, asked), None),
    });
    assert_eq!(shown(&run(&mut oracle(&server))), SHOWN);
    let lost = |asked: &&Asked| asked.wants_text() && asked.trace().ends_with("\n\n");
    assert_eq!(server.asked().iter().filter(lost).count(), 1);
}

/// What a server can do wrong at one question: an error in one line that names the server,
/// and the next question is answered.
#[test]
fn the_oracle_outlives_what_servers_do() {
    type Wrong = fn() -> Act;
    let cases: [(Wrong, &str); 9] = [
        (|| Act::Hang, "no whole answer within 1 s; --endpoint-timeout"),
        (|| Act::Drop, "closed the connection before its answer was whole"),
        (|| Act::Huge(9 << 20), "larger than 8 MB"),
        (
            || Act::Status(500, "", "{\"error\": {\"message\": \"out of\\nmemory\"}}".into()),
            "HTTP 500: out of memory",
        ),
        (|| Act::Status(503, "", String::new()), "HTTP 503: no reason given"),
        (|| Act::Status(200, "", "<html>".into()), "its answer is no JSON"),
        (|| Act::Answer(json!({"choices": []})), "none of the completions protocol"),
        (
            || Act::Status(401, "", "key sk-secret".into()),
            "refuses the key in FORETRACE_API_KEY (HTTP 401)",
        ),
        (|| Act::Status(502, "", "sk-secret?".into()), "HTTP 502: …?"),
    ];
    for (wrong, words) in cases {
        let first = AtomicBool::new(true);
        let server =
            corrected(move |_| first.swap(false, Ordering::Relaxed).then(wrong), Some(0.9));
        let key = Key::new("sk-secret").expect("a key");
        // Only a server that never answers waits for this.
        let timeout = Duration::from_secs(if words.contains("1 s;") { 1 } else { 60 });
        let mut oracle = ask_of(&server, Options { key, timeout, seed: 0 }).expect("a server");
        match oracle.answer(&query(&[]), &Control::silent()) {
            Err(OracleError::Failed(why)) => {
                let host = server.address.to_string();
                assert!(why.contains(words) && why.contains(&host), "{why}");
                assert!(!why.contains('\n') && !why.contains("secret"), "{why}");
            }
            other => panic!("{words}: {other:?}"),
        }
        assert!(matches!(oracle.answer(&query(&[]), &Control::silent()), Ok(Answer::State(_))));
        let authorized = |asked: &Asked| asked.headers.contains("Bearer sk-secret");
        assert!(server.asked().iter().all(authorized));
        assert!(!format!("{oracle:?}").contains("secret"));
    }
}

/// A server that goes away, and comes back.
#[test]
fn the_oracle_outlives_the_server() {
    let server = parrot(TRACE, None);
    let (address, endpoint) = (server.address, server.url().parse().expect("an address"));
    let mut oracle = oracle(&server);
    assert!(oracle.answer(&query(&[]), &Control::silent()).is_ok());
    server.stop();
    for error in [
        oracle.answer(&query(&[]), &Control::silent()).map(|_| ()),
        open(&endpoint, Options::default()).map(|_| ()),
    ] {
        match error {
            Err(OracleError::Failed(why)) => {
                assert!(why.contains("is the server running?"), "{why}");
            }
            other => panic!("{other:?}"),
        }
    }
    let _server = Server::start_at(address, parrots(TRACE, None));
    assert!(oracle.answer(&query(&[]), &Control::silent()).is_ok());
}

/// Neither the key nor the program goes anywhere else.
#[test]
fn redirects_are_not_followed() {
    let other = parrot(TRACE, None);
    for code in [301, 307, 308] {
        let header: &'static str = format!("Location: {}/v1/completions\r\n", other.url()).leak();
        let server = corrected(
            move |asked| {
                asked.trace().contains("call").then(|| Act::Status(code, header, String::new()))
            },
            None,
        );
        let key = Key::new("sk-secret").expect("a key");
        let options = Options { key, ..Options::default() };
        let mut oracle = ask_of(&server, options).expect("a server");
        match oracle.answer(&query(&[]), &Control::silent()) {
            Err(OracleError::Failed(why)) => {
                assert!(why.contains("redirects to http://127.0.0.1;"), "{why}");
            }
            answer => panic!("{answer:?}"),
        }
    }
    assert!(other.asked().is_empty());
}

/// Cancelling ends the wait and closes the connection, so that the server can stop.
#[test]
fn cancelling_closes_the_connection() {
    let cancel = Arc::new(AtomicBool::new(false));
    let (flag, first) = (cancel.clone(), AtomicBool::new(true));
    let server = corrected(
        move |_| {
            first.swap(false, Ordering::Relaxed).then(|| {
                flag.store(true, Ordering::Relaxed);
                Act::Hang
            })
        },
        None,
    );
    let mut oracle = oracle(&server);
    let control = Control::new(cancel, Arc::new(|_| {}));
    assert_eq!(oracle.answer(&query(&[]), &control), Err(OracleError::Cancelled));
    server.closed.recv().expect("the connection is closed");
    assert!(matches!(oracle.answer(&query(&[]), &Control::silent()), Ok(Answer::State(_))));
}

/// A server that does not say how much its model reads refuses what is too long: then the
/// older states are left out.
#[test]
fn a_prompt_that_is_too_long_is_shortened() {
    let states: Vec<State> =
        run(&mut oracle(&parrot(TRACE, None))).into_iter().map(|p| p.state).take(6).collect();
    let many: Vec<State> = states.iter().cycle().take(6 * 60 + 3).cloned().collect();
    let longest = 6000;
    let server = corrected(
        move |asked| {
            let length = asked.json["prompt"].as_str().expect("a prompt").len();
            Some(match length > longest {
                true => Act::Status(400, "", json!({"error": {"message": "too long"}}).to_string()),
                false => say("line 2: c = a + b", None),
            })
        },
        None,
    );
    let mut oracle = oracle(&server);
    let answer = oracle.answer(&query(&many), &Control::silent());
    assert!(matches!(answer, Ok(Answer::State(_))), "{answer:?}");
    let refused = server.asked().len();
    let answer = oracle.answer(&query(&many), &Control::silent());
    assert!(matches!(answer, Ok(Answer::State(_))), "{answer:?}");
    assert_eq!(server.asked().len(), refused + 1, "it remembers");
}

#[test]
fn arguments_are_invented_with_a_seed() {
    let server = parrot("call 1: def add(a, b):\na = 5\nb = 'x'\n\n", None);
    let mut oracle = ask_of(&server, Options { seed: 7, ..Options::default() }).expect("a server");
    let call = State { function: "add".into(), locals: None, ..start() };
    for inventions in 0..2 {
        let invented =
            oracle.complete(&program(PROGRAM), &call, Direction::Forward, &Control::silent());
        match invented {
            Ok(Answer::State(p)) => assert_eq!(shown(&[*p]), ["call 1 a=5,b='x'"]),
            other => panic!("{other:?}"),
        }
        let asked = server.asked();
        let json = &asked.last().expect("a question").json;
        assert_eq!(json["seed"], 7 + inventions);
        assert!(json["temperature"].as_f64().is_some_and(|t| t > 0.0), "{json}");
    }
}
