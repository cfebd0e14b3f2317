use super::*;
use crate::program::Severity;

fn lines(bytes: &[u8]) -> Vec<String> {
    let (file, problems) = decode("t.py", bytes);
    assert_eq!(
        problems.iter().filter(|p| p.severity == Severity::Error).count(),
        0,
        "{problems:?}"
    );
    file.lines.iter().map(|l| l.to_string()).collect()
}

#[test]
fn line_ends_are_pythons() {
    assert_eq!(lines(b""), Vec::<String>::new());
    assert_eq!(lines(b"a=1\nb=2\r\nc=3\rd=4"), ["a=1", "b=2", "c=3", "d=4"]);
    assert_eq!(lines(b"a=1\n\r\n\rb=2\n"), ["a=1", "", "", "b=2"]);
    assert_eq!(lines("s='\u{2028}\u{85}\x0b\x1c'\n\x0ct=1\n".as_bytes()).len(), 2);
}

#[test]
fn readable_encodings() {
    for (bytes, expected) in [
        (&b"\xef\xbb\xbfx = '\xc3\xa9'\r\n"[..], "x = 'é'"),
        (b"\n# vim: set fileencoding=cp1252 :\nx = '\x80'", "x = '€'"),
        (b"\r# coding: latin-1\rx = '\xe9'\r", "x = 'é'"),
        (b"# coding: LATIN_1\nx = '\x85'", "x = '\u{85}'"),
        (b"  \x0c # -*- coding: iso-8859-1-unix -*-\nx = '\xe9'", "x = 'é'"),
        (b"# coding : no, coding:latin-1\nx = '\xe9'", "x = 'é'"),
        (b"# coding: utf-8-foo\nx = '\xc3\xa9'", "x = 'é'"),
        (b"# coding:\nx = 1", "x = 1"),
        (b"# coding: sjis\nx = '\x82\xa0'", "x = 'あ'"),
        (b"# coding: cp949\nx = '\xb0\xa1'", "x = '가'"),
        (b"# coding: mac-roman\nx = '\x82'", "x = 'Ç'"),
    ] {
        assert_eq!(lines(bytes).last().map(String::as_str), Some(expected));
    }
}

#[test]
fn what_cpython_refuses_has_a_place_and_a_view() {
    for (bytes, line, column, word) in [
        (&b"x = 1\ny = 'a\xe9'\n"[..], 2, Some(7), "0xe9"),
        (b"x = 1\n# coding: latin-1\ny = '\xe9'", 3, Some(6), "UTF-8"),
        (b"\"\"\"\n# coding: latin-1\n\"\"\"\ny = '\xe9'", 4, Some(6), "UTF-8"),
        (b"x = 1\0\n", 1, Some(6), "null"),
        (b"\xef\xbb\xbf# coding: latin-1\n", 1, None, "byte order mark"),
        (b"\xef\xbb\xbf# coding: utf8\n", 1, None, "byte order mark"),
        (b"\n# coding: foo\nx = 1", 2, None, "foo"),
        (b"# coding: cp1252\nx = '\x81'", 2, Some(6), "windows-1252"),
        (b"# coding: ascii\nx = '\xe9'", 2, Some(6), "ASCII"),
        (b"# coding: gbk\nx = '\xff'", 2, Some(6), "GBK"),
    ] {
        let (file, problems) = decode("t.py", bytes);
        let [problem] = problems.as_slice() else { panic!("{bytes:?}: {problems:?}") };
        assert_eq!(problem.severity, Severity::Error);
        assert_eq!((problem.line, problem.column), (line, column), "{problem}");
        assert!(problem.message.contains(word), "{problem}");
        assert!(file.lines.len() as u32 >= line);
    }
}
