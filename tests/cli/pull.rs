//! `models pull` in the binary; what servers do wrong is tested beside the download.

use crate::{Folder, foretrace};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The smallest model of the list, and how long what is pulled for it is.
const SMALLEST: (&str, usize) = ("smollm2-135m-instruct", 92_871_040);

fn data(folder: &Folder, name: &str) -> PathBuf {
    folder.path().join("home/data").join(name)
}

#[test]
fn what_cannot_be_pulled_is_one_line() {
    let folder = Folder::new();
    let (name, _) = SMALLEST;
    // nobody answers there: discard is a service of the past
    let nobody = "http://127.0.0.1:9";
    let table: &[(&[&str], i32, &str)] = &[
        (&["gpt-9"], 2, "there is no model \"gpt-9\" to pull; there are smollm2-135m-instruct, "),
        (&["../x"], 2, "there is no model"),
        (&[name, "--mirror", "example"], 2, "--mirror takes an address"),
        (&[name, "--mirror", nobody], 3, "127.0.0.1:9: it refuses the connection; `foretrace mod"),
    ];
    for (args, code, words) in table {
        let args = [&["models", "pull"], *args].concat();
        let (status, stdout, stderr) = folder.run(&args);
        let last = stderr.lines().last().unwrap_or_default();
        assert_eq!((status, stdout.as_str()), (*code, ""), "{args:?}: {stderr}");
        assert!(last.contains(words), "{args:?}: {stderr}");
    }
    std::fs::write(data(&folder, &format!("{name}.gguf")), b"mine").expect("a file");
    let (status, _, stderr) = folder.run(&["models", "pull", name, "--mirror", nobody]);
    assert_eq!((status, stderr.lines().count()), (3, 1), "{stderr}");
    assert!(stderr.contains("is another file; move it away"), "{stderr}");
}

#[test]
fn the_list_says_what_can_be_pulled_and_a_name_that_is_not_here_how() {
    let folder = Folder::new();
    let (name, _) = SMALLEST;
    let (_, stdout, _) = folder.run(&["models", "list"]);
    let line = stdout.lines().find(|line| line.starts_with(name)).expect("its line");
    assert!(line.contains("98.4 MB  to pull: ") && line.contains("Apache-2.0"), "{line}");
    let (status, _, stderr) = folder.run(&["predict", "prog.py", "-c", "s", "--model", name]);
    assert_eq!(status, 3);
    assert!(stderr.contains(&format!("`foretrace models pull {name}` fetches it")), "{stderr}");
    std::fs::create_dir_all(data(&folder, "")).expect("a folder");
    std::fs::write(data(&folder, &format!("{name}.gguf")), b"mine").expect("a file");
    let (_, stdout, _) = folder.run(&["models", "list"]);
    let line = stdout.lines().find(|line| line.starts_with(name)).expect("its line");
    assert!(!line.contains("to pull"), "{line}");
}

/// Ctrl-C keeps what has come, says how to go on, and that is how it goes on.
#[test]
#[cfg(unix)]
fn an_interrupted_pull_goes_on_where_it_was() {
    let (name, whole) = SMALLEST;
    let come = 3_000_000;
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let mirror = format!("http://{}", listener.local_addr().expect("its number"));
    let server = std::thread::spawn(move || {
        let mut ranges = Vec::new();
        for send in [come, 0] {
            let (stream, _) = listener.accept().expect("a connection");
            let lines = BufReader::new(&stream).lines().map_while(Result::ok);
            let head: Vec<_> = lines.take_while(|line| !line.is_empty()).collect();
            let range = head.iter().find(|line| line.to_lowercase().starts_with("range: "));
            ranges.push(range.map(|line| line.to_lowercase()));
            let answer = match range {
                None => format!("200 OK\r\nContent-Length: {whole}"),
                Some(_) => "404 Not Found\r\nContent-Length: 0".to_owned(),
            };
            let answer = format!("HTTP/1.1 {answer}\r\n\r\n");
            let _ = (&stream).write_all(&[answer.as_bytes(), &vec![0; send]].concat());
            let _ = (&stream).read(&mut [0]); // until the other side closes
        }
        ranges
    });
    let folder = Folder::new();
    let part = data(&folder, &format!("{name}.part"));
    let pull = ["models", "pull", name, "--mirror", &mirror];
    let mut child = Command::new(env!("CARGO_BIN_EXE_foretrace"))
        .args(pull)
        .env("FORETRACE_HOME", folder.path().join("home"))
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    while std::fs::metadata(&part).map_or(0, |part| part.len()) < come as u64 {
        assert!(child.try_wait().expect("our child").is_none(), "it ended");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let number = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &number]).status().expect("kill").success());
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{said}");
    let last = said.lines().last().unwrap_or_default();
    let words = format!("stopped; 3 MB are kept, and `foretrace models pull {name}` goes on");
    assert!(last.contains(&words), "{said}");
    assert_eq!(std::fs::metadata(&part).expect("it is kept").len(), come as u64);

    let output = foretrace(folder.path()).args(pull).output().expect("the binary runs");
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(server.join().expect("it served"), [None, Some(format!("range: bytes={come}-"))]);
    assert_eq!(std::fs::metadata(&part).expect("it is kept").len(), come as u64);
}
