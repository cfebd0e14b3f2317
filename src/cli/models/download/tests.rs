//! Downloads from a server in this process that does what a script says.

use super::*;
use crate::cli::models::served::{Reply, serve};

/// What must come.
fn data() -> Vec<u8> {
    (0..300_000u32).map(|i| (i * 31 % 251) as u8).collect()
}

/// Runs a download that finds `part` there already. What it came to, what is in the part file
/// then, and the ranges that were asked for.
fn run(part: &[u8], script: &[Reply]) -> (Result<(), Trouble>, Option<Vec<u8>>, Vec<String>) {
    let data = data();
    let sha256 = hex(Sha256::new_with_prefix(&data));
    let (url, asked) = serve(data.clone(), script);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.part");
    if !part.is_empty() {
        std::fs::write(&path, part).unwrap();
    }
    let mut told = Vec::new();
    let done = Download {
        url: &format!("{url}/m.gguf"),
        content: Content { bytes: data.len() as u64, sha256: &sha256 },
        part: &path,
        signal: &|| None,
        progress: &mut |bytes| told.push(bytes),
    }
    .run();
    assert!(told.iter().all(|&bytes| bytes <= data.len() as u64));
    let asked = asked.lock().unwrap().clone();
    (done, std::fs::read(&path).ok(), asked)
}

#[test]
fn downloads_are_taken_up_where_they_were_left() {
    let data = data();
    let half = &data[..100_000];
    let other = vec![7; 100_000];
    let longer = [&data[..], &[1]].concat();
    let all = "";
    // what is there, the script, and what is asked for
    type Case<'a> = (&'a str, &'a [u8], &'a [Reply], &'a [&'a str]);
    let cases: &[Case<'_>] = &[
        ("nothing there", &[], &[Reply::File], &[all]),
        ("a part there", half, &[Reply::File], &["bytes=100000-"]),
        ("all there", &data, &[], &[]),
        ("more there than there is", &longer, &[Reply::File], &[all]),
        ("dropped once", &[], &[Reply::Drop(5000), Reply::File], &[all, "bytes=5000- if \"tag\""]),
        (
            "dropped twice",
            half,
            &[Reply::Drop(9), Reply::Drop(1000), Reply::File],
            &["bytes=100000-", "bytes=100009- if \"tag\"", "bytes=101009- if \"tag\""],
        ),
        ("ranges unknown", half, &[Reply::Whole], &["bytes=100000-"]),
        (
            "ranges unknown, dropped",
            half,
            &[Reply::DropWhole(150_000), Reply::Whole],
            &["bytes=100000-", "bytes=150000- if \"tag\""],
        ),
        ("another range", half, &[Reply::OtherRange, Reply::File], &["bytes=100000-", all]),
        ("no such range", half, &[Reply::Status(416), Reply::File], &["bytes=100000-", all]),
        ("redirected", half, &[Reply::Redirect, Reply::File], &["bytes=100000-", "bytes=100000-"]),
        ("another beginning", &other, &[Reply::Whole], &["bytes=100000-"]),
        ("length not said", &[], &[Reply::Unsaid], &[all]),
    ];
    for (name, part, script, ranges) in cases {
        let (done, file, asked) = run(part, script);
        assert_eq!(done, Ok(()), "{name}");
        assert!(file.as_deref() == Some(&data[..]), "{name}: {:?} bytes", file.map(|f| f.len()));
        assert_eq!(asked, *ranges, "{name}");
    }
}

#[test]
fn what_fails_says_so_and_keeps_only_what_can_be_gone_on_with() {
    let data = data();
    let half = &data[..100_000];
    let other = vec![7; 100_000];
    let refused = |why: &str| Trouble::Refused(why.to_owned());
    let lost = |why: &str| Trouble::Lost(why.to_owned());
    let wrong = |why: &str| Trouble::Wrong(why.to_owned());
    type Case<'a> = (&'a [u8], &'a [Reply], Trouble, Option<&'a [u8]>);
    let cases: &[Case<'_>] = &[
        (half, &[Reply::Status(404)], refused("not there (HTTP 404)"), Some(half)),
        (half, &[Reply::Status(403)], refused("no access (HTTP 403)"), Some(half)),
        (half, &[Reply::Status(503)], refused("try again later"), Some(half)),
        (half, &[Reply::Status(204)], refused("HTTP 204"), Some(half)),
        (&[], &[Reply::OtherRange], refused("HTTP 206"), Some(&[])),
        (&[], &[Reply::Length(17)], refused("17 bytes under that name, not 300000"), Some(&[])),
        (half, &[Reply::Drop(0)], lost("the connection broke"), Some(half)),
        (half, &[Reply::Nothing], lost("the connection broke"), Some(half)),
        (half, &[Reply::Noise], lost(""), Some(half)),
        // the rest fits, the beginning does not: only the hash tells
        (&other, &[Reply::File], wrong("its SHA-256 is "), None),
        (&vec![7; 300_000], &[], wrong("its SHA-256 is "), None),
        (&[], &[Reply::TooMuch], wrong("more than 300000 bytes"), None),
    ];
    for (part, script, trouble, kept) in cases {
        let (done, file, _) = run(part, script);
        let said = done.expect_err("it fails");
        let words = |trouble: &Trouble| match trouble {
            Trouble::Lost(why) | Trouble::Refused(why) => why.clone(),
            Trouble::Wrong(why) | Trouble::Disk(why) => why.clone(),
            Trouble::Signal(number) => number.to_string(),
        };
        let kind = std::mem::discriminant(trouble) == std::mem::discriminant(&said);
        assert!(kind && words(&said).contains(&words(trouble)), "{script:?}: {said:?}");
        assert!(file.as_deref() == *kept, "{script:?}: {:?} bytes", file.map(|f| f.len()));
    }
}

#[test]
fn a_server_that_only_drops_is_given_up() {
    let (done, file, asked) = run(&[], &[Reply::Drop(10); TAKEN_UP + 5]);
    assert!(matches!(done, Err(Trouble::Lost(_))), "{done:?}");
    assert_eq!((file.unwrap().len(), asked.len()), (10 * (TAKEN_UP + 1), TAKEN_UP + 1));
}

#[test]
fn nobody_there_and_no_such_host_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.part");
    for (url, words) in [
        ("http://127.0.0.1:9/m", "it refuses the connection"),
        ("http://host.invalid/m", ""), // a proxy may answer in its place
        ("http://[/m", ""),
    ] {
        let content = Content { bytes: 10, sha256: "" };
        let mut progress = |_| {};
        let done =
            Download { url, content, part: &path, signal: &|| None, progress: &mut progress }.run();
        match done.expect_err(url) {
            Trouble::Lost(why) | Trouble::Refused(why) => assert!(why.contains(words), "{why}"),
            other => panic!("{url}: {other:?}"),
        }
    }
}

#[test]
fn a_signal_ends_it_and_what_has_come_is_kept() {
    let data = data();
    let (url, _) = serve(data.clone(), &[Reply::Stall(70_000)]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.part");
    let come = || std::fs::metadata(&path).is_ok_and(|file| file.len() == 70_000);
    let done = Download {
        url: &url,
        content: Content { bytes: data.len() as u64, sha256: "" },
        part: &path,
        signal: &|| come().then_some(2),
        progress: &mut |_| {},
    }
    .run();
    assert_eq!(done, Err(Trouble::Signal(2)));
    assert_eq!(std::fs::read(&path).unwrap(), data[..70_000]);
}

#[test]
fn two_at_once_do_not_write_into_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.part");
    let first = Part::open(&path, 10).unwrap();
    let second = Part::open(&path, 10).err();
    assert!(matches!(second, Some(Trouble::Disk(why)) if why.contains("already")));
    drop(first);
    assert!(Part::open(&path, 10).is_ok());
}

#[test]
fn ranges_are_read() {
    assert_eq!(range("bytes 5-9/10"), Some((5, 10)));
    for text in ["", "bytes", "bytes 5-9/*", "bytes */10", "bytes -1-9/10", "items 5-9/10"] {
        assert_eq!(range(text), None, "{text}");
    }
}
