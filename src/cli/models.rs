//! `foretrace models`: which models there are, and what a file is.

use super::factory::default_bytes;
use super::failure::Failure;
use crate::config::Folders;
use crate::gguf::{FileBytes, Gguf};
use crate::model::{DeviceChoice, Model};
use crate::oracle::neural::Card;
use clap::{Args, Subcommand};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Which models there are, and what a file is.
#[derive(Debug, Clone, Args)]
pub struct ModelsArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Clone, Subcommand)]
enum What {
    /// The built-in model and those in the models folder; --model takes their names.
    List,
    /// What a model file is: network, types, sizes, language, and whether it fits here.
    Inspect {
        /// A GGUF file, or a name from the list; without one, the built-in model.
        model: Option<PathBuf>,
    },
    /// The folder where models are looked for by name.
    Where,
}

/// Runs the command.
///
/// # Errors
/// [`Failure`]: no such file, not a model, or no home folder.
pub fn run(args: ModelsArgs, folders: Option<&Folders>) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    match args.what {
        What::Where => {
            let folders = folders.ok_or_else(|| Failure::usage("there is no home folder"))?;
            writeln!(out, "{}", folders.data.display())?;
        }
        What::List => {
            line(&mut out, "default", default_bytes())?;
            for (name, path) in folders.map(|folders| installed(&folders.data)).unwrap_or_default()
            {
                match FileBytes::open(&path) {
                    Ok(bytes) => line(&mut out, &name, &bytes)?,
                    Err(error) => writeln!(out, "{name:<32} {error}")?,
                }
            }
        }
        What::Inspect { model: None } => inspect(&mut out, "built in", default_bytes())?,
        What::Inspect { model: Some(given) } => {
            let path = named(&given, folders);
            let fail =
                |why: &dyn std::fmt::Display| Failure::usage(format!("{}: {why}", path.display()));
            let bytes = FileBytes::open(&path).map_err(|error| fail(&error))?;
            inspect(&mut out, &path.display().to_string(), &bytes)?;
        }
    }
    Ok(())
}

/// The file that `--model` means: a path, or the name of a model in the models folder.
pub fn named(given: &Path, folders: Option<&Folders>) -> PathBuf {
    let inside = folders.map(|folders| folders.data.join(given).with_extension("gguf"));
    let is_name = given.components().count() == 1 && !given.exists();
    inside.filter(|path| is_name && path.is_file()).unwrap_or_else(|| given.to_owned())
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
fn line(out: &mut impl Write, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
    let about = Gguf::read(bytes).map_err(anyhow::Error::from).and_then(|gguf| {
        let architecture = gguf.opt_str("general.architecture")?.unwrap_or("?").to_owned();
        let dialect = Card::read(&gguf)?.map_or("prompted".to_owned(), |card| card.dialect);
        Ok(format!("{architecture}, {dialect} dialect"))
    });
    let about = about.unwrap_or_else(|error| format!("not usable: {error:#}"));
    writeln!(out, "{name:<32} {:>8.1} MB  {about}", bytes.len() as f64 / 1e6)?;
    Ok(())
}

fn inspect(out: &mut impl Write, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
    let fail = |why: &dyn std::fmt::Display| Failure::usage(format!("{name}: {why}"));
    let gguf = Gguf::read(bytes).map_err(|error| fail(&error))?;
    let title = gguf.opt_str("general.name").ok().flatten().unwrap_or("(no name)");
    let mut types: BTreeMap<String, (usize, u64)> = BTreeMap::new();
    for tensor in gguf.tensors() {
        let entry = types.entry(tensor.kind.to_string()).or_default();
        entry.0 += 1;
        entry.1 += tensor.bytes().map_or(0, <[u8]>::len) as u64;
    }
    writeln!(out, "file          {name}, {:.1} MB", bytes.len() as f64 / 1e6)?;
    writeln!(out, "name          {title}")?;
    if let Ok(Some(licence)) = gguf.opt_str("general.license") {
        writeln!(out, "licence       {licence}")?;
    }
    for (kind, (count, bytes)) in &types {
        writeln!(out, "tensors       {count} {kind}, {:.1} MB", *bytes as f64 / 1e6)?;
    }
    match Card::read(&gguf).map_err(|error| fail(&error))? {
        Some(card) => {
            writeln!(out, "language      {} dialect, version {}", card.dialect, card.version)?;
            writeln!(out, "limits        {}", card.limits)?;
            writeln!(out, "trained on    Python {}", card.python_version)?;
        }
        None => writeln!(out, "language      none of ours: asked in the prompted dialect")?,
    }
    let (config, needs) = Model::needs(&gguf, DeviceChoice::Cpu).map_err(|error| fail(&error))?;
    writeln!(
        out,
        "network       {}: {} layers, {} wide, {} heads ({} of keys), {} inner, vocabulary {}",
        config.architecture,
        config.layers,
        config.width,
        config.heads,
        config.kv_heads,
        config.inner,
        config.vocab
    )?;
    writeln!(out, "window        {} tokens", config.context)?;
    let fits = match needs.available {
        Some(available) if needs.bytes > available => "does not fit",
        Some(_) => "fits",
        None => "unknown whether it fits",
    };
    writeln!(out, "memory        about {:.0} MB on the CPU: {fits}", needs.bytes as f64 / 1e6)?;
    Ok(())
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
        assert_eq!(named("tiny"), file);
        assert_eq!(named("other"), Path::new("other"));
        assert_eq!(named("./tiny"), Path::new("./tiny"));
        assert_eq!(named(&file.display().to_string()), file);
        assert_eq!(installed(&folders.data).keys().collect::<Vec<_>>(), ["tiny"]);
    }

    #[test]
    fn a_model_is_told_in_lines_and_rubbish_is_refused() {
        let mut out = Vec::new();
        inspect(&mut out, "tiny", &SMALL.file()).unwrap();
        let text = String::from_utf8(out).unwrap();
        for words in [
            "llama: 2 layers, 64 wide, 4 heads (2 of keys)",
            "Q8_0",
            "prompted",
            "300 tokens",
            "fits",
        ] {
            assert!(text.contains(words), "{words}: {text}");
        }
        let error = inspect(&mut Vec::new(), "x", b"hello").unwrap_err().to_string();
        assert!(error.starts_with("x: ") && error.contains("not a GGUF file"), "{error}");
        let mut out = Vec::new();
        line(&mut out, "broken", b"hello").unwrap();
        assert!(String::from_utf8(out).unwrap().contains("not usable"));
    }
}
