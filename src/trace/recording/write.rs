//! Recordings to lines. The format is described in the head of `recording`.

use super::{BLOCK, Edit, FORMAT, Limits, Output, Recording, ReprRules, VERSION};
use crate::trace::{Event, FrameId, Locals, NodeId, Patch, StateTree, Value};
use serde::ser::{Serialize, Serializer};
use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::Arc;

#[derive(serde::Serialize)]
#[serde(rename_all = "lowercase")]
enum Line<'a> {
    Header(Header<'a>),
    State(State<'a>),
    Output { after: u64, stream: &'a str, text: &'a str },
    Input { after: u64, text: &'a str },
    End { exit: &'a str, states: usize, note: &'a str },
}

#[derive(serde::Serialize)]
struct Header<'a> {
    format: &'a str,
    version: u32,
    python: &'a str,
    entry: &'a str,
    files: Vec<File<'a>>,
    argv: &'a [String],
    seed: u64,
    limits: Limits,
    repr: ReprRules,
    edits: &'a [Edit],
}

#[derive(serde::Serialize)]
struct File<'a> {
    name: &'a str,
    sha256: &'a str,
}

#[derive(serde::Serialize)]
struct State<'a> {
    event: &'static str,
    #[serde(skip_serializing_if = "is_zero")]
    file: u16,
    line: u32,
    frame: FrameId,
    #[serde(skip_serializing_if = "Option::is_none")]
    function: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<NodeId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    locals: Option<Option<Whole<'a>>>,
    #[serde(rename = "del", skip_serializing_if = "<[_]>::is_empty")]
    deleted: Vec<&'a str>,
    #[serde(skip_serializing_if = "Pairs::is_empty")]
    set: Pairs<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    arg: Option<&'a str>,
}

fn is_zero(file: &u16) -> bool {
    *file == 0
}

/// All variables as one object.
struct Whole<'a>(&'a Locals);

impl Serialize for Whole<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (&**name, value.text())))
    }
}

/// Some variables as one object.
#[derive(Default)]
struct Pairs<'a>(&'a [(Arc<str>, Value)]);

impl Pairs<'_> {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Pairs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (&**name, value.text())))
    }
}

/// Writes a recording. Hand in a buffered writer; it is flushed at the end.
///
/// # Errors
/// Those of the writer.
pub fn write_recording(recording: &Recording, mut to: impl Write) -> io::Result<()> {
    let mut line = |line: &Line<'_>| -> io::Result<()> {
        serde_json::to_writer(&mut to, line)?;
        to.write_all(b"\n")
    };
    line(&header(recording))?;
    let tree = &recording.tree;
    let mut output = recording.output.iter().peekable();
    let mut latest = HashMap::new();
    for node in 0..tree.len() as NodeId {
        while let Some(output) = output.next_if(|output| output.after <= u64::from(node)) {
            line(&output_line(output))?;
        }
        let previous = latest.insert(tree.frame(node), node);
        line(&Line::State(state(tree, node, &vars(tree, node, previous))))?;
    }
    for output in output {
        line(&output_line(output))?;
    }
    line(&Line::End { exit: tree.exit().name(), states: tree.len(), note: &recording.note })?;
    to.flush()
}

fn header(recording: &Recording) -> Line<'_> {
    let files = recording.files.iter().map(|(name, sha256)| File { name, sha256 });
    Line::Header(Header {
        format: FORMAT,
        version: VERSION,
        python: &recording.python,
        entry: &recording.entry,
        files: files.collect(),
        argv: &recording.argv,
        seed: recording.seed,
        limits: recording.limits,
        repr: recording.repr,
        edits: &recording.edits,
    })
}

fn output_line(output: &Output) -> Line<'_> {
    let Output { after, stream, text } = output;
    match stream.as_str() {
        "stdin" => Line::Input { after: *after, text },
        _ => Line::Output { after: *after, stream, text },
    }
}

/// What a line says of the variables.
enum Vars<'a> {
    Whole(Option<Locals>),
    Changed(Cow<'a, Patch>),
}

/// `previous`: the frame's previous state.
fn vars(tree: &StateTree, node: NodeId, previous: Option<NodeId>) -> Vars<'_> {
    let Some(previous) = previous.filter(|previous| previous / BLOCK == node / BLOCK) else {
        return Vars::Whole(tree.locals(node));
    };
    if let Some((_, patch)) = tree.patch(node).filter(|&(base, _)| base == previous) {
        return Vars::Changed(patch.map(Cow::Borrowed).unwrap_or_default());
    }
    match (tree.locals(previous), tree.locals(node)) {
        (Some(base), Some(locals)) => Vars::Changed(Cow::Owned(Patch::between(&base, &locals))),
        (_, locals) => Vars::Whole(locals),
    }
}

fn state<'a>(tree: &'a StateTree, node: NodeId, vars: &'a Vars<'a>) -> State<'a> {
    let loc = tree.loc(node);
    let opens = tree.first_of_level(node) == node;
    let (locals, deleted, set): (_, &[_], &[_]) = match vars {
        Vars::Whole(locals) => (Some(locals.as_ref().map(Whole)), &[], &[]),
        Vars::Changed(patch) => (None, &patch.deleted, &patch.set),
    };
    State {
        event: match (tree.event(node), tree.suspension(node)) {
            (Event::Call, true) => "resume",
            (Event::Return, true) => "yield",
            (event, _) => event.name(),
        },
        file: loc.file,
        line: loc.line,
        frame: tree.frame(node),
        function: opens.then(|| &**tree.function(node)),
        parent: if opens { tree.parent(node) } else { None },
        locals,
        deleted: deleted.iter().map(|name| &**name).collect(),
        set: Pairs(set),
        arg: tree.arg(node).map(Value::text),
    }
}
