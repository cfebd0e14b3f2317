//! Lines to recordings, bounded. The format is described in the head of `recording`.

use super::lines::{Lines, ReadLimits, RecordingError};
use super::{Edit, FORMAT, Limits, Output, Recording, ReprRules, VERSION};
use crate::program::Loc;
use crate::trace::{Event, Exit, FrameId, Locals, NodeId, State, TreeBuilder, Value};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::io::BufRead;
use std::sync::Arc;

#[derive(serde::Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
enum Line<'a> {
    Header(Header),
    #[serde(borrow)]
    State(Box<StateLine<'a>>),
    Output {
        after: u64,
        stream: Stream,
        text: String,
    },
    Input {
        after: u64,
        text: String,
    },
    End {
        exit: ExitName,
        states: u64,
        #[serde(default)]
        note: String,
    },
}

/// Only enough of a header to give a clear answer to a later version's.
#[derive(serde::Deserialize)]
struct AnyHeader {
    header: AnyVersion,
}

#[derive(serde::Deserialize)]
struct AnyVersion {
    format: String,
    version: u64,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    #[serde(rename = "format")]
    _format: String,
    #[serde(rename = "version")]
    _version: u64,
    python: String,
    entry: String,
    files: Vec<File>,
    #[serde(default)]
    argv: Vec<String>,
    seed: u64,
    limits: Limits,
    repr: ReprRules,
    #[serde(default)]
    edits: Vec<Edit>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: String,
    sha256: String,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct StateLine<'a> {
    event: EventName,
    #[serde(default)]
    file: u16,
    line: u32,
    frame: FrameId,
    #[serde(borrow)]
    function: Option<Text<'a>>,
    parent: Option<NodeId>,
    #[serde(borrow, default, deserialize_with = "given")]
    locals: Option<Option<Pairs<'a>>>,
    #[serde(borrow, rename = "del", default)]
    deleted: Vec<Text<'a>>,
    #[serde(borrow, default)]
    set: Pairs<'a>,
    #[serde(borrow)]
    arg: Option<Text<'a>>,
}

/// A string, in the line where it has no escapes.
struct Text<'a>(Cow<'a, str>);

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Borrow;
        impl<'de> Visitor<'de> for Borrow {
            type Value = Text<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }
        from.deserialize_str(Borrow)
    }
}

/// Tells `null` from a field that is not there.
fn given<'de: 'a, 'a, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<Option<Pairs<'a>>>, D::Error> {
    Option::deserialize(from).map(Some)
}

#[derive(Clone, Copy, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
enum EventName {
    Call,
    Resume,
    Line,
    Return,
    Yield,
    Exception,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "lowercase")]
enum Stream {
    Stdout,
    Stderr,
}

#[derive(serde::Deserialize)]
#[serde(rename_all = "lowercase")]
enum ExitName {
    Normal,
    Error,
    Never,
    Cut,
}

/// An object of names and reprs, in order.
#[derive(Default)]
struct Pairs<'a>(Vec<(Text<'a>, Text<'a>)>);

impl<'de: 'a, 'a> Deserialize<'de> for Pairs<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Names;
        impl<'de> Visitor<'de> for Names {
            type Value = Pairs<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of names and texts")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs<'de>, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        from.deserialize_map(Names)
    }
}

/// Reads a recording. Hand in a buffered reader.
///
/// # Errors
/// [`RecordingError`], with the number of the first line that is wrong.
pub fn read_recording(from: impl BufRead, limits: ReadLimits) -> Result<Recording, RecordingError> {
    let mut lines = Lines::new(from, limits);
    let Some(text) = lines.next()? else {
        return Err(lines.wrong("the file is empty"));
    };
    let header = match serde_json::from_slice::<AnyHeader>(text) {
        Ok(AnyHeader { header }) if header.format != FORMAT => Err("not a recording".to_owned()),
        Ok(AnyHeader { header }) if header.version != u64::from(VERSION) => {
            return Err(RecordingError::Version { found: header.version });
        }
        Ok(_) => match serde_json::from_slice(text) {
            Ok(Line::Header(header)) => Ok(header),
            Ok(_) => Err("not a recording".to_owned()),
            Err(error) => Err(error.to_string()),
        },
        Err(error) => Err(format!("not a recording ({error})")),
    };
    let header = header.map_err(|why| lines.wrong(why))?;
    let mut body = Body::new(header.files.len());
    let (exit, note) = loop {
        let Some(text) = lines.next()? else {
            return Err(RecordingError::CutOff { line: lines.number() });
        };
        let line = match serde_json::from_slice(text) {
            Ok(line) => line,
            Err(error) => return Err(lines.wrong(error.to_string())),
        };
        if body.builder.len() as u64 >= limits.states && matches!(line, Line::State(_)) {
            return Err(lines.too_large(format!("more than {} states", limits.states)));
        }
        match body.take(line) {
            Ok(None) => {}
            Ok(Some(end)) => break end,
            Err(why) => return Err(lines.wrong(why)),
        }
    };
    if lines.next()?.is_some() {
        return Err(lines.wrong("a line after the end line"));
    }
    Ok(Recording {
        python: header.python,
        entry: header.entry,
        files: header.files.into_iter().map(|file| (file.name, file.sha256)).collect(),
        argv: header.argv,
        seed: header.seed,
        limits: header.limits,
        repr: header.repr,
        edits: header.edits,
        tree: body.builder.finish(exit),
        output: body.output,
        note,
    })
}

/// What the lines between header and end add up to.
struct Body {
    builder: TreeBuilder,
    output: Vec<Output>,
    /// Number of files in the header.
    files: usize,
    /// Every frame so far.
    frames: HashMap<FrameId, Frame>,
    /// Every name so far, so that each is in memory once.
    names: HashSet<Arc<str>>,
}

struct Frame {
    function: Arc<str>,
    depth: u32,
    /// At its latest state.
    locals: Option<Locals>,
}

impl Body {
    fn new(files: usize) -> Self {
        Body {
            builder: TreeBuilder::new(),
            output: Vec::new(),
            files,
            frames: HashMap::new(),
            names: HashSet::new(),
        }
    }

    /// Takes a line; the exit and the note if it is the last.
    fn take(&mut self, line: Line<'_>) -> Result<Option<(Exit, String)>, String> {
        let (after, stream, text) = match line {
            Line::Header(_) => return Err("a second header".into()),
            Line::State(state) => return self.state(*state).map(|()| None),
            Line::End { exit, states, note } => {
                let found = self.builder.len();
                if states != found as u64 {
                    return Err(format!("the end speaks of {states} states, there are {found}"));
                }
                let exit = match exit {
                    ExitName::Normal => Exit::Normal,
                    ExitName::Error => Exit::Error,
                    ExitName::Never => Exit::Never,
                    ExitName::Cut => Exit::Cut,
                };
                return Ok(Some((exit, note)));
            }
            Line::Output { after, stream: Stream::Stdout, text } => (after, "stdout", text),
            Line::Output { after, stream: Stream::Stderr, text } => (after, "stderr", text),
            Line::Input { after, text } => (after, "stdin", text),
        };
        self.output.push(Output { after, stream: stream.into(), text });
        Ok(None)
    }

    fn state(&mut self, line: StateLine<'_>) -> Result<(), String> {
        if usize::from(line.file) >= self.files {
            return Err(format!("file {} of {}", line.file, self.files));
        }
        let (event, suspension) = match line.event {
            EventName::Call => (Event::Call, false),
            EventName::Resume => (Event::Call, true),
            EventName::Line => (Event::Line, false),
            EventName::Return => (Event::Return, false),
            EventName::Yield => (Event::Return, true),
            EventName::Exception => (Event::Exception, false),
        };
        let opens = event == Event::Call || self.builder.is_empty();
        let known = self.frames.get(&line.frame);
        let (function, depth) = if opens {
            let name = line.function.ok_or("a level begins here, but it names no function")?;
            let depth = match line.parent {
                None => 0,
                Some(parent) => 1 + self.builder.depth(parent).ok_or("no such parent")?,
            };
            (intern(&mut self.names, &name.0), depth)
        } else {
            if line.function.is_some() || line.parent.is_some() {
                return Err("function or parent where no level begins".into());
            }
            let frame = known.ok_or_else(|| format!("frame {} was not called", line.frame))?;
            (frame.function.clone(), frame.depth)
        };
        let changes = !line.deleted.is_empty() || !line.set.0.is_empty();
        let locals = match line.locals {
            Some(_) if changes => return Err("both locals and changes of them".into()),
            Some(None) => None,
            Some(Some(all)) => Some(bind(&mut self.names, Locals::default(), all)),
            None => {
                let mut locals = known
                    .and_then(|frame| frame.locals.clone())
                    .ok_or("changes, but no variables before them")?;
                for name in &line.deleted {
                    locals.remove(&name.0);
                }
                Some(bind(&mut self.names, locals, line.set))
            }
        };
        let state = State {
            event,
            loc: Loc { file: line.file, line: line.line },
            function: function.clone(),
            depth,
            locals: locals.clone(),
            arg: line.arg.map(|text| Value::from(&*text.0)),
            suspension,
        };
        let node = self.builder.push(state, Some(line.frame)).map_err(|error| error.to_string())?;
        if opens && self.builder.parent(node) != line.parent {
            return Err("the parent is not where its frame is now".into());
        }
        self.frames.insert(line.frame, Frame { function, depth, locals });
        Ok(())
    }
}

fn bind(names: &mut HashSet<Arc<str>>, mut locals: Locals, pairs: Pairs<'_>) -> Locals {
    for (name, value) in pairs.0 {
        locals.set(intern(names, &name.0), Value::from(&*value.0));
    }
    locals
}

fn intern(names: &mut HashSet<Arc<str>>, name: &str) -> Arc<str> {
    if let Some(known) = names.get(name) {
        return known.clone();
    }
    let new: Arc<str> = name.into();
    names.insert(new.clone());
    new
}
