//! `foretrace models pull`: a model of the list into the models folder.
//!
//! Must not know: how a download is taken up, what networks compute.

use super::download::{Download, Trouble, hex};
use super::offers::{Content, OFFERS, Offer, find};
use super::progress::Progress;
use crate::cli::failure::Failure;
use crate::cli::{out, signals};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::atomic::Ordering;

/// Which model, and from where.
#[derive(Debug, Clone, clap::Args)]
pub struct PullArgs {
    /// A name from `models list`.
    name: String,

    /// A server that has the same paths as the one that the model comes from, such as a mirror
    /// of huggingface.co inside a company. What it sends counts only with the right hash.
    #[arg(long, value_name = "URL", env = "FORETRACE_MIRROR")]
    mirror: Option<String>,
}

/// Runs the command: one line for people when the model is there.
///
/// # Errors
/// [`Failure`]: no such name (2), the file cannot be had or kept (3), or a signal.
pub(super) fn run(args: &PullArgs, folder: &Path, watch: signals::Watch) -> anyhow::Result<String> {
    let offer = find(&args.name).ok_or_else(|| {
        let names: Vec<&str> = OFFERS.iter().map(|offer| offer.name).collect();
        let (name, names) = (&args.name, names.join(", "));
        Failure::usage(format!("there is no model {name:?} to pull; there are {names}"))
    })?;
    drop(watch); // a signal is a request from here on
    let flag = signals::flag()?;
    let signal = || u8::try_from(flag.load(Ordering::Relaxed)).ok().filter(|&number| number > 0);
    Ok(pull(offer, args.mirror.as_deref(), folder, &signal)?)
}

/// Fetches a model, checks it and puts it in its place.
pub(super) fn pull(
    offer: &Offer<'_>,
    mirror: Option<&str>,
    folder: &Path,
    signal: &dyn Fn() -> Option<u8>,
) -> Result<String, Failure> {
    let name = offer.name;
    let url = address(offer.url, mirror)?;
    std::fs::create_dir_all(folder).map_err(|error| unusable(folder, &error))?;
    let file = folder.join(format!("{name}.gguf"));
    if file.exists() {
        return there_already(offer, &file);
    }
    let part = folder.join(format!("{name}.part"));
    let host = url.split('/').nth(2).unwrap_or_default();
    let megabytes = offer.download.bytes / 1_000_000;
    out::note(format_args!("{name}: {megabytes} MB from {host}, licence {}", offer.licence));
    let mut progress = Progress::new(name, offer.download.bytes);
    let mut tell = |done| progress.tell(done);
    let content = offer.download;
    let done = Download { url: &url, content, part: &part, signal, progress: &mut tell }.run();
    progress.end();
    done.map_err(|trouble| failed(name, host, &part, trouble))?;
    match offer.inside {
        None => rename(&part, &file)?,
        Some((member, content)) => {
            let unpacked = folder.join(format!("{name}.unpacked"));
            let done =
                unpack(&part, member, content, &unpacked).and_then(|()| rename(&unpacked, &file));
            if done.is_err() {
                let _ = std::fs::remove_file(&unpacked);
            }
            done?;
            let _ = std::fs::remove_file(&part);
        }
    }
    Ok(format!("{} is there: --model {name} takes it", file.display()))
}

/// The file's address, at a mirror if one is named.
fn address(url: &str, mirror: Option<&str>) -> Result<String, Failure> {
    let Some(mirror) = mirror.filter(|mirror| !mirror.is_empty()) else {
        return Ok(url.to_owned());
    };
    let host = mirror.strip_prefix("https://").or_else(|| mirror.strip_prefix("http://"));
    if host.is_none_or(|host| host.is_empty() || host.contains(char::is_whitespace)) {
        let why = "--mirror takes an address such as https://mirror.example";
        return Err(Failure::usage(format!("{why}, not {mirror:?}")));
    }
    let path = url.splitn(4, '/').nth(3).unwrap_or_default();
    Ok(format!("{}/{path}", mirror.trim_end_matches('/')))
}

/// A file of that name is there: it is this model, or nothing is done.
fn there_already(offer: &Offer<'_>, file: &Path) -> Result<String, Failure> {
    let shown = file.display();
    let content = offer.model();
    let is_it = sha256(file, content).map_err(|error| unusable(file, &error))?;
    if is_it {
        return Ok(format!("{shown} is there already, and whole: --model {} takes it", offer.name));
    }
    Err(Failure::unusable(format!("{shown} is another file; move it away and pull again")))
}

/// Whether a file is what it should be.
fn sha256(file: &Path, content: Content<'_>) -> io::Result<bool> {
    let mut opened = File::open(file)?;
    if opened.metadata()?.len() != content.bytes {
        return Ok(false);
    }
    let mut hash = Sha256::new();
    io::copy(&mut opened, &mut hash)?;
    Ok(hex(hash) == content.sha256)
}

/// A member of a zip archive, as a file of its own.
fn unpack(part: &Path, member: &str, content: Content<'_>, to: &Path) -> Result<(), Failure> {
    let wrong = |why: String| {
        Failure::unusable(format!("{member} cannot be taken out of {}: {why}", part.display()))
    };
    let archive = File::open(part).map_err(|error| unusable(part, &error))?;
    let mut archive = zip::ZipArchive::new(archive).map_err(|error| wrong(error.to_string()))?;
    let member = archive.by_name(member).map_err(|error| wrong(error.to_string()))?;
    let mut file = File::create(to).map_err(|error| unusable(to, &error))?;
    let mut hash = Sha256::new();
    let mut both = Both(&mut file, &mut hash);
    let written = io::copy(&mut member.take(content.bytes + 1), &mut both);
    let written = written.map_err(|error| unusable(to, &error))?;
    if written != content.bytes || hex(hash) != content.sha256 {
        return Err(wrong("its SHA-256 is another".to_owned()));
    }
    file.sync_all().map_err(|error| unusable(to, &error))
}

/// Writes to a file and to its hash.
struct Both<'a>(&'a mut File, &'a mut Sha256);

impl Write for Both<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.0.write(bytes)?;
        self.1.update(bytes.get(..count).unwrap_or_default());
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

fn rename(from: &Path, to: &Path) -> Result<(), Failure> {
    std::fs::rename(from, to).map_err(|error| unusable(to, &error))
}

fn unusable(path: &Path, error: &io::Error) -> Failure {
    Failure::unusable(format!("{}: {error}", path.display()))
}

/// Why there is no file, what is kept, and what to do.
fn failed(name: &str, host: &str, part: &Path, trouble: Trouble) -> Failure {
    let kept = std::fs::metadata(part).map_or(0, |data| data.len());
    let again = match kept / 1_000_000 {
        0 => format!("`foretrace models pull {name}` tries again"),
        megabytes => {
            format!(
                "{megabytes} MB are kept, and `foretrace models pull {name}` goes on from there"
            )
        }
    };
    match trouble {
        Trouble::Signal(number) => {
            Failure { message: format!("stopped; {again}"), ..Failure::signal(number) }
        }
        Trouble::Lost(why) => Failure::unusable(format!("{host}: {why}; {again}")),
        Trouble::Disk(why) => Failure::unusable(format!("{why}; {again}")),
        Trouble::Refused(why) => Failure::unusable(format!("{host}: {why}")),
        Trouble::Wrong(why) => {
            Failure::unusable(format!("{host}: not the file of {name}, so it was removed: {why}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::models::served::{Reply, serve};

    const MODEL: &[u8] = b"GGUF and more";

    fn zipped() -> Vec<u8> {
        let mut zip = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
        let options = zip::write::SimpleFileOptions::default()
            .compression_method(zip::CompressionMethod::Deflated);
        for (name, bytes) in [("a/readme", &b"hello"[..]), ("a/m.gguf", MODEL)] {
            zip.start_file(name, options).unwrap();
            zip.write_all(bytes).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    fn hash(bytes: &[u8]) -> String {
        hex(Sha256::new_with_prefix(bytes))
    }

    fn files(folder: &Path) -> Vec<String> {
        let name = |entry: io::Result<std::fs::DirEntry>| entry.unwrap().file_name();
        let entries = std::fs::read_dir(folder).unwrap();
        let mut files: Vec<_> =
            entries.map(|entry| name(entry).to_string_lossy().into_owned()).collect();
        files.sort();
        files
    }

    /// What it came to, and the files that are there then.
    fn run(
        offer: &Offer<'_>,
        folder: &Path,
        data: &[u8],
        script: &[Reply],
    ) -> (String, Vec<String>) {
        let (mirror, _) = serve(data.to_vec(), script);
        let said = match pull(offer, Some(&mirror), folder, &|| None) {
            Ok(said) => said,
            Err(failure) => format!("{}: {}", failure.code, failure.message),
        };
        assert!(!said.contains('\n'), "{said}");
        (said, files(folder))
    }

    #[test]
    fn a_model_comes_plain_or_out_of_an_archive_and_is_checked_when_it_is_there() {
        let archive = zipped();
        let (model, whole, other) = (hash(MODEL), hash(&archive), hash(b""));
        let model = Content { bytes: MODEL.len() as u64, sha256: &model };
        let whole = Content { bytes: archive.len() as u64, sha256: &whole };
        let plain = Offer {
            name: "m2.5",
            url: "https://example.invalid/x/m.gguf",
            download: model,
            inside: None,
            licence: "MIT",
            about: "tests",
        };
        let inside =
            |member, content| Offer { download: whole, inside: Some((member, content)), ..plain };
        let wrong = Content { sha256: &other, ..model };
        let short = Content { bytes: 3, ..model };
        type Row<'a> = (Offer<'a>, &'a [u8], &'a str, &'a [&'a str]);
        let table: &[Row<'_>] = &[
            (plain, MODEL, "m2.5.gguf is there: --model m2.5 takes it", &["m2.5.gguf"]),
            (inside("a/m.gguf", model), &archive, "is there: --model", &["m2.5.gguf"]),
            (plain, b"GGUF and less", "3: 127.0.0.1:", &[]),
            (inside("a/m.gguf", wrong), &archive, "its SHA-256 is another", &["m2.5.part"]),
            (inside("a/m.gguf", short), &archive, "its SHA-256 is another", &["m2.5.part"]),
            (inside("b/m.gguf", model), &archive, "cannot be taken out", &["m2.5.part"]),
        ];
        for (offer, data, words, there) in table {
            let folder = tempfile::tempdir().unwrap();
            let (said, files) = run(offer, folder.path(), data, &[Reply::File]);
            assert!(said.contains(words), "{said}");
            assert_eq!(files, *there, "{said}");
            if files == ["m2.5.gguf"] {
                let file = folder.path().join("m2.5.gguf");
                assert_eq!(std::fs::read(&file).unwrap(), MODEL);
                let (said, _) = run(offer, folder.path(), data, &[]);
                assert!(said.contains("is there already, and whole"), "{said}");
                std::fs::write(&file, "my own").unwrap();
                let (said, _) = run(offer, folder.path(), data, &[]);
                assert!(said.contains("3: ") && said.contains("is another file"), "{said}");
                assert_eq!(std::fs::read(&file).unwrap(), b"my own");
            }
        }
    }

    #[test]
    fn a_failure_says_how_to_go_on() {
        let part = tempfile::NamedTempFile::new().unwrap();
        let say = |trouble| failed("m", "h", part.path(), trouble);
        let stopped = say(Trouble::Signal(2));
        assert_eq!(stopped.code, 130);
        assert_eq!(stopped.message, "stopped; `foretrace models pull m` tries again");
        part.as_file().set_len(7_900_000).unwrap();
        assert_eq!(
            say(Trouble::Lost("gone".into())).message,
            "h: gone; 7 MB are kept, and `foretrace models pull m` goes on from there"
        );
        assert!(say(Trouble::Disk("no room".into())).message.contains("goes on"));
        assert_eq!(say(Trouble::Refused("404".into())).message, "h: 404");
    }

    #[test]
    fn mirrors_have_the_same_paths() {
        let url = "https://a.example/b/c.gguf";
        assert_eq!(address(url, None).unwrap(), url);
        assert_eq!(address(url, Some("")).unwrap(), url);
        let at = |mirror| address(url, Some(mirror));
        assert_eq!(at("http://m:8/x/").unwrap(), "http://m:8/x/b/c.gguf");
        for mirror in ["m", "ftp://m", "https://", "http://a b"] {
            assert_eq!(at(mirror).unwrap_err().code, 2, "{mirror}");
        }
    }
}
