//! Bytes of a source file to lines, exactly as CPython reads them.
//!
//! PEP 263: a byte order mark, or a coding cookie in a comment on one of the first two
//! lines, else UTF-8. Only LF, CRLF and CR end a line. What CPython refuses is a
//! [`Problem`], and the file is still there to be looked at, with U+FFFD for what cannot
//! be read. Must not know: files on disk, Python's grammar.

use super::{Outline, Problem, SourceFile};
use encoding_rs::Encoding;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::sync::Arc;

const BOM: &[u8] = b"\xef\xbb\xbf";

/// Decodes and outlines a file. Never fails; problems come worst first.
pub fn decode(name: &str, bytes: &[u8]) -> (SourceFile, Vec<Problem>) {
    let (text, problem) = text_of(bytes);
    let (file, mut problems) = SourceFile::new(name, &split_lines(&text), sha256_hex(bytes));
    if let Some(problem) = problem {
        // What the parser says of a file that CPython cannot even read is noise.
        problems = vec![problem];
    }
    (file, problems)
}

impl SourceFile {
    /// A file from its lines, outlined.
    pub(super) fn new(name: &str, lines: &[&str], sha256: String) -> (Self, Vec<Problem>) {
        let lines: Vec<Arc<str>> = lines.iter().map(|&line| line.into()).collect();
        let (outline, problems) = Outline::of(&lines);
        (SourceFile { name: name.into(), lines, sha256, outline: Arc::new(outline) }, problems)
    }
}

/// SHA-256 in hex.
pub fn sha256_hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut hex, byte| {
        // Writing to a String cannot fail.
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// The physical lines of a text: LF, CRLF and CR end one, nothing else does.
pub fn split_lines(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(['\n', '\r']).unwrap_or(rest.len());
        let (line, after) = rest.split_at(end);
        lines.push(line);
        rest = after
            .strip_prefix("\r\n")
            .or_else(|| after.strip_prefix(['\n', '\r']))
            .unwrap_or(after);
    }
    lines
}

/// The text, as far as it can be read, and why CPython would refuse it.
fn text_of(bytes: &[u8]) -> (String, Option<Problem>) {
    let (has_bom, body) = match bytes.strip_prefix(BOM) {
        Some(body) => (true, body),
        None => (false, bytes),
    };
    let lossy = |problem: Problem| (String::from_utf8_lossy(body).into_owned(), Some(problem));
    if let Some(at) = body.iter().position(|&b| b == 0) {
        let (line, column) = place(body, at);
        let problem = Problem::error(line, "source code cannot contain null bytes");
        return lossy(problem.at_column(column));
    }
    let Some((line, cookie)) = cookie(body) else { return from_utf8(body) };
    let name = normal_name(&cookie);
    if has_bom && name != "utf-8" {
        return lossy(Problem::error(
            line,
            format!("encoding problem: {name} with a UTF-8 byte order mark"),
        ));
    }
    match codec(&name) {
        Some(Codec::Utf8) => from_utf8(body),
        Some(Codec::Latin1) => (body.iter().map(|&b| char::from(b)).collect(), None),
        Some(Codec::Ascii) => from_ascii(body),
        Some(Codec::Table(encoding)) => from_table(encoding, body),
        None => lossy(Problem::error(
            line,
            format!("unknown or unsupported encoding {cookie:?}: save the file as UTF-8"),
        )),
    }
}

fn from_utf8(body: &[u8]) -> (String, Option<Problem>) {
    match std::str::from_utf8(body) {
        Ok(text) => (text.into(), None),
        Err(error) => {
            let at = error.valid_up_to();
            let byte = body.get(at).copied().unwrap_or_default();
            let problem = bad_byte(body, at, format!("byte 0x{byte:02x} is not UTF-8"));
            (String::from_utf8_lossy(body).into_owned(), Some(problem))
        }
    }
}

fn from_ascii(body: &[u8]) -> (String, Option<Problem>) {
    let problem = body.iter().position(|b| !b.is_ascii()).map(|at| {
        let byte = body.get(at).copied().unwrap_or_default();
        bad_byte(body, at, format!("byte 0x{byte:02x} is not ASCII"))
    });
    (String::from_utf8_lossy(body).into_owned(), problem)
}

fn from_table(encoding: &'static Encoding, body: &[u8]) -> (String, Option<Problem>) {
    let (text, had_errors) = encoding.decode_without_bom_handling(body);
    // WHATWG fills the holes of the windows pages with control characters; Python does not.
    let windows = encoding.name().starts_with("windows-");
    let bad = |c: char| {
        had_errors && c == char::REPLACEMENT_CHARACTER
            || windows && ('\u{80}'..='\u{9f}').contains(&c)
    };
    let problem = split_lines(&text).iter().zip(1u32..).find_map(|(line, number)| {
        let column = line.chars().position(bad)?;
        let why = format!("bytes that are not {}", encoding.name());
        Some(Problem::error(number, why).at_column(u32::try_from(column + 1).unwrap_or(u32::MAX)))
    });
    (text.into_owned(), problem)
}

fn bad_byte(body: &[u8], at: usize, what: String) -> Problem {
    let (line, column) = place(body, at);
    let message = format!("{what}: save the file as UTF-8, or name its encoding on line 1");
    Problem::error(line, message).at_column(column)
}

/// Line and column in characters, 1-based, of a byte whose line is readable up to it.
fn place(body: &[u8], at: usize) -> (u32, u32) {
    let before = body.get(..at).unwrap_or(body);
    let text = String::from_utf8_lossy(before);
    let lines = split_lines(&text);
    let ended = text.is_empty() || text.ends_with(['\n', '\r']);
    let (line, column) = if ended {
        (lines.len() + 1, 1)
    } else {
        (lines.len(), lines.last().map_or(0, |l| l.chars().count()) + 1)
    };
    (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX))
}

/// The coding cookie and its line. On line 2 it counts only after a blank or comment line.
fn cookie(body: &[u8]) -> Option<(u32, String)> {
    let mut rest = body;
    for number in 1..=2 {
        let end = rest.iter().position(|b| matches!(b, b'\n' | b'\r')).unwrap_or(rest.len());
        let (line, after) = rest.split_at_checked(end)?;
        let code = line.iter().position(|b| !matches!(b, b' ' | b'\t' | b'\x0c'));
        match code.and_then(|at| line.get(at..)) {
            Some(comment) if comment.first() == Some(&b'#') => {
                if let Some(name) = cookie_in(comment) {
                    return Some((number, name));
                }
            }
            Some(_) => return None,
            None => {}
        }
        rest = after
            .strip_prefix(b"\r\n")
            .or_else(|| after.strip_prefix(b"\n"))
            .or_else(|| after.strip_prefix(b"\r"))?;
    }
    None
}

/// `coding[:=][ \t]*([-_.a-zA-Z0-9]+)` in a comment.
fn cookie_in(comment: &[u8]) -> Option<String> {
    (0..comment.len()).find_map(|at| {
        let rest = comment.get(at..)?.strip_prefix(b"coding")?;
        let rest = rest.strip_prefix(b":").or_else(|| rest.strip_prefix(b"="))?;
        let blank = rest.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
        let name: String = rest
            .iter()
            .skip(blank)
            .take_while(|b| b.is_ascii_alphanumeric() || b"-_.".contains(b))
            .map(|&b| char::from(b))
            .collect();
        (!name.is_empty()).then_some(name)
    })
}

/// `get_normal_name` of CPython's tokenizer: the two encodings it knows itself.
fn normal_name(cookie: &str) -> String {
    let short: String = cookie
        .chars()
        .take(12)
        .map(|c| if c == '_' { '-' } else { c.to_ascii_lowercase() })
        .collect();
    let is = |name: &str| {
        short == name || short.strip_prefix(name).is_some_and(|rest| rest.starts_with('-'))
    };
    if is("utf-8") {
        "utf-8".into()
    } else if is("latin-1") || is("iso-8859-1") || is("iso-latin-1") {
        "iso-8859-1".into()
    } else {
        cookie.into()
    }
}

enum Codec {
    Utf8,
    Latin1,
    Ascii,
    Table(&'static Encoding),
}

/// Python's names and aliases (`encodings/aliases.py`) of what can be decoded here.
fn codec(name: &str) -> Option<Codec> {
    let alias: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || c == '.' { c.to_ascii_lowercase() } else { '_' })
        .collect();
    let table = |encoding| Some(Codec::Table(encoding));
    match alias.as_str() {
        "utf_8" | "utf8" | "u8" | "utf" | "utf8_ucs2" | "utf8_ucs4" | "cp65001" | "utf_8_sig" => {
            Some(Codec::Utf8)
        }
        "iso_8859_1" | "iso8859_1" | "iso8859" | "8859" | "latin_1" | "latin1" | "latin" | "l1"
        | "cp819" | "ibm819" | "iso_ir_100" | "iso_8859_1_1987" | "csisolatin1" => {
            Some(Codec::Latin1)
        }
        "ascii" | "us_ascii" | "646" | "ansi_x3.4_1968" | "ansi_x3_4_1968" | "ansi_x3.4_1986"
        | "cp367" | "csascii" | "ibm367" | "iso646_us" | "iso_646.irv_1991" | "iso_ir_6" | "us" => {
            Some(Codec::Ascii)
        }
        "cp1250" | "1250" | "windows_1250" => table(encoding_rs::WINDOWS_1250),
        "cp1251" | "1251" | "windows_1251" => table(encoding_rs::WINDOWS_1251),
        "cp1252" | "1252" | "windows_1252" => table(encoding_rs::WINDOWS_1252),
        "cp1253" | "1253" | "windows_1253" => table(encoding_rs::WINDOWS_1253),
        "cp1254" | "1254" | "windows_1254" => table(encoding_rs::WINDOWS_1254),
        "cp1255" | "1255" | "windows_1255" => table(encoding_rs::WINDOWS_1255),
        "cp1256" | "1256" | "windows_1256" => table(encoding_rs::WINDOWS_1256),
        "cp1257" | "1257" | "windows_1257" => table(encoding_rs::WINDOWS_1257),
        "cp1258" | "1258" | "windows_1258" => table(encoding_rs::WINDOWS_1258),
        "iso8859_2" | "iso_8859_2" | "latin2" | "l2" => table(encoding_rs::ISO_8859_2),
        "iso8859_3" | "iso_8859_3" | "latin3" | "l3" => table(encoding_rs::ISO_8859_3),
        "iso8859_4" | "iso_8859_4" | "latin4" | "l4" => table(encoding_rs::ISO_8859_4),
        "iso8859_5" | "iso_8859_5" | "cyrillic" => table(encoding_rs::ISO_8859_5),
        "iso8859_7" | "iso_8859_7" | "greek" | "greek8" => table(encoding_rs::ISO_8859_7),
        "iso8859_10" | "iso_8859_10" | "latin6" | "l6" => table(encoding_rs::ISO_8859_10),
        "iso8859_13" | "iso_8859_13" | "latin7" | "l7" => table(encoding_rs::ISO_8859_13),
        "iso8859_14" | "iso_8859_14" | "latin8" | "l8" => table(encoding_rs::ISO_8859_14),
        "iso8859_15" | "iso_8859_15" | "latin9" | "l9" => table(encoding_rs::ISO_8859_15),
        "iso8859_16" | "iso_8859_16" | "latin10" | "l10" => table(encoding_rs::ISO_8859_16),
        "koi8_r" | "cskoi8r" => table(encoding_rs::KOI8_R),
        "koi8_u" => table(encoding_rs::KOI8_U),
        "cp866" | "866" | "ibm866" => table(encoding_rs::IBM866),
        "mac_roman" | "macintosh" | "macroman" => table(encoding_rs::MACINTOSH),
        "shift_jis" | "shiftjis" | "sjis" | "s_jis" | "csshiftjis" | "cp932" | "932" | "ms932"
        | "mskanji" | "ms_kanji" | "windows_31j" => table(encoding_rs::SHIFT_JIS),
        "euc_jp" | "eucjp" | "ujis" | "u_jis" => table(encoding_rs::EUC_JP),
        "euc_kr" | "euckr" | "korean" | "ks_c_5601" | "ksc5601" | "cp949" | "949" | "ms949"
        | "uhc" => table(encoding_rs::EUC_KR),
        "gbk" | "936" | "cp936" | "ms936" | "gb2312" | "euc_cn" | "euccn" | "eucgb2312_cn"
        | "chinese" | "gb2312_80" => table(encoding_rs::GBK),
        "gb18030" | "gb18030_2000" => table(encoding_rs::GB18030),
        "big5" | "big5_tw" | "csbig5" => table(encoding_rs::BIG5),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
