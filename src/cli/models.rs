//! `foretrace models`: which models there are, what a file is, and more of them.

mod download;
mod offers;
mod progress;
mod pull;
#[cfg(test)]
mod served;

use super::factory::default_bytes;
use super::failure::Failure;
use super::{out, signals};
use crate::config::Folders;
use crate::gguf::{FileBytes, Gguf};
use crate::model::{DeviceChoice, Model};
use crate::oracle::neural::Card;
use clap::{Args, Subcommand};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Which models there are, and what a file is.
#[derive(Debug, Clone, Args)]
pub struct ModelsArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Clone, Subcommand)]
enum What {
    /// The built-in model, those in the models folder, whose names --model takes, and those
    /// that can be pulled.
    List,
    /// What a model file is: network, types, sizes, language, and whether it fits here.
    Inspect {
        /// A GGUF file, or a name from the list; without one, the built-in model.
        model: Option<PathBuf>,
    },
    /// Fetches a model of the list into the models folder. Run again, it goes on where it stopped.
    Pull(pull::PullArgs),
    /// The folder where models are looked for by name.
    Where,
}

/// The name of the built-in model.
const DEFAULT: &str = "default";

/// Runs the command.
///
/// # Errors
/// [`Failure`]: no such file, not a model, not to be had, or no home folder.
pub fn run(
    args: ModelsArgs,
    folders: Option<&Folders>,
    watch: signals::Watch,
) -> anyhow::Result<()> {
    let home = || folders.ok_or_else(|| Failure::usage("there is no home folder"));
    let lines = match args.what {
        What::Where => vec![home()?.data.display().to_string()],
        What::Pull(args) => vec![pull::run(&args, &home()?.data, watch)?],
        What::List => {
            let files = folders.map(|folders| installed(&folders.data)).unwrap_or_default();
            let here = files.iter().map(|(name, path)| match FileBytes::open(path) {
                Ok(bytes) => line(name, &bytes),
                Err(error) => format!("{name:<32} {error}"),
            });
            let more = offers::OFFERS.iter().filter(|offer| !files.contains_key(offer.name));
            let more = more.map(offered);
            std::iter::once(line(DEFAULT, default_bytes())).chain(here).chain(more).collect()
        }
        What::Inspect { model } => {
            let Some(path) = model.and_then(|given| named(&given, folders)) else {
                return print(&inspect("built in", default_bytes())?);
            };
            let name = path.display().to_string();
            let bytes = FileBytes::open(&path);
            let bytes = bytes.map_err(|error| Failure::usage(format!("{name}: {error}")))?;
            inspect(&name, &bytes)?
        }
    };
    print(&lines)
}

fn print(lines: &[String]) -> anyhow::Result<()> {
    let mut out = out::stdout();
    lines.iter().try_for_each(|line| out.line(line))?;
    Ok(())
}

/// The file that `--model` means: a path, or the name of a model in the models folder; `None`:
/// the built-in one, which is called `default`.
pub fn named(given: &Path, folders: Option<&Folders>) -> Option<PathBuf> {
    if given.exists() || given.components().count() != 1 {
        return Some(given.to_owned());
    }
    // not `with_extension`, which takes the end of `qwen2.5` for one
    let ending = if given.extension().is_some_and(|end| end == "gguf") { "" } else { ".gguf" };
    let name = format!("{}{ending}", given.display());
    let inside = folders.map(|folders| folders.data.join(name));
    match inside.filter(|path| path.is_file()) {
        Some(path) => Some(path),
        None if given == Path::new(DEFAULT) => None,
        None => Some(given.to_owned()),
    }
}

/// Model files of a folder by name.
fn installed(folder: &Path) -> BTreeMap<String, PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    let models = paths.filter(|path| path.extension().is_some_and(|end| end == "gguf"));
    models
        .filter_map(|path| Some((path.file_stem()?.to_string_lossy().into_owned(), path.clone())))
        .collect()
}

/// One line of the list.
fn line(name: &str, bytes: &[u8]) -> String {
    let about = Gguf::read(bytes).map_err(anyhow::Error::from).and_then(|gguf| {
        let architecture = gguf.opt_word("general.architecture")?.unwrap_or("?").to_owned();
        let dialect = Card::read(&gguf)?.map_or("prompted".to_owned(), |card| card.dialect);
        Ok(format!("{architecture}, {dialect} dialect"))
    });
    let about = about.unwrap_or_else(|error| format!("not usable: {error:#}"));
    format!("{name:<32} {:>8.1} MB  {about}", bytes.len() as f64 / 1e6)
}

/// One line of the list, of a model that is not here.
fn offered(offer: &offers::Offer<'_>) -> String {
    let megabytes = offer.model().bytes as f64 / 1e6;
    let offers::Offer { name, about, licence, .. } = offer;
    format!("{name:<32} {megabytes:>8.1} MB  to pull: {about} ({licence})")
}

/// Whether `models pull` fetches a model of this name.
pub fn can_be_pulled(name: &Path) -> bool {
    name.to_str().is_some_and(|name| offers::find(name).is_some())
}

/// All about a model file, a fact a line.
fn inspect(name: &str, bytes: &[u8]) -> Result<Vec<String>, Failure> {
    let fail = |why: &dyn std::fmt::Display| Failure::usage(format!("{name}: {why}"));
    let gguf = Gguf::read(bytes).map_err(|error| fail(&error))?;
    let megabytes = |bytes: u64| bytes as f64 / 1e6;
    let mut types: BTreeMap<String, (usize, u64)> = BTreeMap::new();
    for tensor in gguf.tensors() {
        let entry = types.entry(tensor.kind.to_string()).or_default();
        entry.0 += 1;
        entry.1 += tensor.bytes().map_or(0, <[u8]>::len) as u64;
    }
    let mut lines = vec![format!("file          {name}, {:.1} MB", megabytes(bytes.len() as u64))];
    for (title, key) in [("name", "general.name"), ("licence", "general.license")] {
        if let Ok(Some(text)) = gguf.opt_word(key) {
            lines.push(format!("{title:<13} {text}"));
        }
    }
    lines.extend(types.iter().map(|(kind, (count, bytes))| {
        format!("tensors       {count} {kind}, {:.1} MB", megabytes(*bytes))
    }));
    match Card::read(&gguf).map_err(|error| fail(&error))? {
        Some(card) => lines.extend([
            format!("language      {} dialect, version {}", card.dialect, card.version),
            format!("limits        {}", card.limits),
            format!("trained on    Python {}", card.python_version),
        ]),
        None => lines.push("language      none of ours: asked in the prompted dialect".to_owned()),
    }
    let (config, needs) = Model::needs(&gguf, DeviceChoice::Cpu).map_err(|error| fail(&error))?;
    let fits = match needs.available {
        Some(available) if needs.bytes > available => "does not fit",
        Some(_) => "fits",
        None => "unknown whether it fits",
    };
    lines.extend([
        format!(
            "network       {}: {} layers, {} wide, {} heads ({} of keys), {} inner, vocabulary {}",
            config.architecture,
            config.layers,
            config.width,
            config.heads,
            config.kv_heads,
            config.inner,
            config.vocab
        ),
        format!("window        {} tokens", config.context),
        format!("memory        about {:.0} MB on the CPU: {fits}", megabytes(needs.bytes)),
    ]);
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::sample::SMALL;

    #[test]
    fn names_are_files_of_the_models_folder_unless_such_a_path_exists() {
        let home = tempfile::tempdir().unwrap();
        let folders = Folders::under(home.path());
        std::fs::create_dir_all(&folders.data).unwrap();
        let file = folders.data.join("tiny.gguf");
        std::fs::write(&file, SMALL.file()).unwrap();
        let named = |given: &str| named(Path::new(given), Some(&folders));
        assert_eq!(named("tiny"), Some(file.clone()));
        assert_eq!(named("tiny.gguf"), Some(file.clone()));
        let dotted = folders.data.join("tiny2.5-it.gguf");
        std::fs::write(&dotted, SMALL.file()).unwrap();
        assert_eq!(named("tiny2.5-it"), Some(dotted.clone()));
        std::fs::remove_file(dotted).unwrap();
        assert_eq!(named("other"), Some("other".into()));
        assert_eq!(named("./tiny"), Some("./tiny".into()));
        assert_eq!(named(&file.display().to_string()), Some(file.clone()));
        assert_eq!(named("default"), None);
        assert_eq!(installed(&folders.data).keys().collect::<Vec<_>>(), ["tiny"]);
    }

    #[test]
    fn a_model_is_told_in_lines_and_rubbish_is_refused() {
        let text = inspect("tiny", &SMALL.file()).unwrap().join("\n");
        for words in [
            "llama: 2 layers, 64 wide, 4 heads (2 of keys)",
            "Q8_0",
            "prompted",
            "300 tokens",
            "fits",
        ] {
            assert!(text.contains(words), "{words}: {text}");
        }
        let error = inspect("x", b"hello").unwrap_err().to_string();
        assert!(error.starts_with("x: ") && error.contains("not a GGUF file"), "{error}");
        assert!(line("broken", b"hello").contains("not usable"));
    }
}
