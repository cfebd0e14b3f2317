//! The real binary with a server: exit codes, one line for each fault, and no key anywhere.

use super::server::{Act, Asked, Server, models, parrot, rest, say};
use super::{PROGRAM, TRACE};
use assert_cmd::Command;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit code, stdout, stderr of a run in a folder of its own.
fn foretrace(args: &[&str], key: Option<&str>) -> (i32, String, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("prog.py"), PROGRAM).expect("a file");
    let mut command = Command::cargo_bin("foretrace").expect("the binary is built");
    command.env("FORETRACE_HOME", folder.path().join("home")).current_dir(folder.path());
    // A proxy of the machine must not matter to a server on it.
    command.env("HTTP_PROXY", "http://127.0.0.1:9").env_remove("FORETRACE_API_KEY");
    if let Some(key) = key {
        command.env("FORETRACE_API_KEY", key);
    }
    let output = command.args(args).output().expect("the binary runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

fn predict(server: &str, commands: &[&str], more: &[&str]) -> (i32, String, String) {
    let commands = commands.iter().flat_map(|command| ["-c", command]);
    let fixed = ["predict", "prog.py", "--endpoint", server];
    let args: Vec<&str> = fixed.into_iter().chain(commands).chain(more.iter().copied()).collect();
    foretrace(&args, None)
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}

#[test]
fn a_session_is_the_same_with_a_server() {
    let server = parrot(TRACE, Some(0.9));
    let (code, stdout, stderr) = predict(&server.url(), &["s", "c"], &["--json"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    let lines = lines(&stdout);
    let header = &lines[0];
    assert_eq!(header["model"], format!("parrot at {}", server.address));
    assert_eq!(
        (&header["dialect"], &header["device"]),
        (&json!("prompted"), &json!(format!("{}/v1", server.url())))
    );
    let step = &lines[2];
    assert_eq!((&step["line"], &step["origin"]), (&json!(1), &json!("predicted")));
    assert!(step["confidence"]["event"].as_f64().is_some_and(|p| p < 1.0), "{step}");
    let end = lines.last().expect("an end");
    assert_eq!((&end["exit"], &end["way"]), (&json!("normal"), &json!("chained")));
    let (code, stdout, _) = predict(&parrot(TRACE, None).url(), &["s"], &["--json"]);
    assert_eq!((code, &self::lines(&stdout)[2]["confidence"]), (0, &Value::Null));
}

/// A server that cannot be used at the start: exit code 3 and one line; bad usage: 2.
#[test]
fn what_cannot_be_used_is_one_line_and_an_exit_code() {
    let start = |act: fn() -> Act| Server::start(move |_| act());
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let refused = format!("http://{}", nobody.local_addr().expect("its address"));
    drop(nobody);
    let hangs = start(|| Act::Hang);
    let drops = start(|| Act::Drop);
    let fails = start(|| Act::Status(500, "", "overloaded".into()));
    let garbage = start(|| Act::Status(200, "", "<html></html>".into()));
    let locked = start(|| Act::Status(401, "", String::new()));
    let huge = start(|| Act::Huge(9 << 20));
    let good = parrot(TRACE, None);
    let timeout: &[&str] = &["--endpoint-timeout", "0.2"];
    for (server, more, code, words) in [
        (&refused, &[][..], 3, "is the server running?"),
        (&hangs.url(), timeout, 3, "no whole answer within 0.2 s"),
        (&drops.url(), &[], 3, "closed the connection"),
        (&fails.url(), &[], 3, "HTTP 500: overloaded"),
        (&garbage.url(), &[], 3, "is no JSON"),
        (&locked.url(), &[], 3, "wants a key (HTTP 401); put it into FORETRACE_API_KEY"),
        (&huge.url(), &[], 3, "larger than 8 MB"),
        (&"http://foretrace.invalid:1".to_owned(), &[], 3, "http://foretrace.invalid:1/v1"),
        (&"127.0.0.1:80".to_owned(), &[], 2, "with http:// or https://"),
        (&"http://me:secret@127.0.0.1".to_owned(), &[], 2, "takes no user and password"),
        (&good.url(), &["--model", "x.gguf"], 2, "--model is for a model that runs here"),
        (&good.url(), &["--device", "cpu"], 2, "--device is for a model that runs here"),
    ] {
        let (status, stdout, stderr) = predict(server, &["s"], more);
        assert_eq!(status, code, "{server}: {stdout}{stderr}");
        assert!(stderr.contains(words), "{server}: {stderr}");
        assert!(!stderr.contains("secret"), "{stderr}");
        assert_eq!(stderr.trim_end().lines().count(), 1, "{stderr}");
    }
}

/// A fault in the middle costs one step.
#[test]
fn the_session_outlives_each_fault() {
    type Wrong = fn() -> Act;
    let cases: [(Wrong, &str); 4] = [
        (|| Act::Status(500, "", "overloaded".into()), "HTTP 500: overloaded"),
        (|| Act::Drop, "closed the connection before its answer was whole"),
        (|| Act::Status(200, "", "{".into()), "its answer is no JSON"),
        (|| Act::Hang, "no whole answer within 1 s"),
    ];
    for (wrong, words) in cases {
        let first = AtomicBool::new(true);
        let server = Server::start(move |asked| match asked {
            asked if !asked.wants_text() => models(),
            asked if asked.is_probe() => say(" 2", None),
            _ if first.swap(false, Ordering::Relaxed) => wrong(),
            asked => say(rest(TRACE, asked), None),
        });
        // Only the server that never answers needs the short wait.
        let seconds = if words.contains("1 s") { "1" } else { "60" };
        let timeout = ["--endpoint-timeout", seconds];
        let (code, stdout, stderr) = predict(&server.url(), &["s", "s", "s"], &timeout);
        assert_eq!((code, stderr.as_str()), (0, ""), "{stdout}");
        assert_eq!(stdout.matches("*** ").count(), 1, "{stdout}");
        assert!(stdout.contains(words) && stdout.contains("-> n = add(1, 2)"), "{stdout}");
    }
}

#[test]
fn nonsense_is_shown_and_is_no_failure() {
    let server = Server::start(|asked| match asked {
        asked if !asked.wants_text() => models(),
        _ => say("As an AI I cannot", None),
    });
    let (code, stdout, stderr) = predict(&server.url(), &["s"], &["--json"]);
    assert_eq!((code, stderr.lines().count()), (0, 1), "{stderr}");
    let lines = lines(&stdout);
    let last = lines.last().expect("a step");
    assert_eq!(last["kind"], "malformed");
    assert_eq!(last["raw"], "As an AI I cannot");
    assert!(last["why"].as_str().is_some_and(|why| why.contains("leaves the language")), "{last}");
}

/// The key goes to the server, and nowhere else.
#[test]
fn the_key_is_sent_and_not_shown() {
    let right = |asked: &Asked| asked.headers.contains("Bearer sk-right");
    let server = Server::start(move |asked| match asked {
        // Some servers repeat the key in their error.
        asked if !right(asked) => Act::Status(401, "", asked.headers.clone()),
        asked if !asked.wants_text() => models(),
        asked if asked.is_probe() => say(" 2", None),
        asked => say(rest(TRACE, asked), None),
    });
    let url = server.url();
    let args = ["predict", "prog.py", "--endpoint", &url, "-c", "s", "--json"];
    for (key, code) in [("sk-right", 0), ("sk-wrong", 3), ("sk\nwrong", 2)] {
        let (status, stdout, stderr) = foretrace(&args, Some(key));
        assert_eq!(status, code, "{stderr}");
        assert!(!format!("{stdout}{stderr}").contains("sk"), "{stdout}{stderr}");
        assert_eq!(stderr.is_empty(), code == 0);
    }
}

/// The configuration can name the server; what is typed counts for more.
#[test]
fn a_server_can_be_configured() {
    let server = parrot(TRACE, None);
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("prog.py"), PROGRAM).expect("a file");
    std::fs::create_dir_all(folder.path().join("home/config")).expect("a folder");
    let config = format!("endpoint = {:?}\nendpoint_timeout = 60\nmodel = 'x'\n", server.url());
    std::fs::write(folder.path().join("home/config/config.toml"), config).expect("a file");
    for (more, model) in [(&[][..], "parrot at"), (&["--device", "cpu"], "foretrace")] {
        let mut command = Command::cargo_bin("foretrace").expect("the binary is built");
        command.env("FORETRACE_HOME", folder.path().join("home")).current_dir(folder.path());
        command.args(["predict", "prog.py", "-c", "s", "--json"]).args(more);
        let output = command.output().expect("the binary runs");
        let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
        let stderr = String::from_utf8_lossy(&output.stderr);
        if more.is_empty() {
            let header = &lines(&stdout)[0];
            assert!(header["model"].as_str().is_some_and(|m| m.starts_with(model)), "{header}");
        } else {
            // The configured file, which does not exist.
            assert_eq!(output.status.code(), Some(3), "{stdout}");
            assert!(stderr.contains("cannot use the model x"), "{stderr}");
        }
    }
}
