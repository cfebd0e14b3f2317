//! What a data set teaches is what was recorded: documents are read back, in both dialects,
//! and walked beside the recorded run.

use crate::recorded::{self, Recorded};
use crate::shards;
use foretrace::codec::compact::document::read;
use foretrace::codec::compact::vocab::{LINE, SLOT, Token};
use foretrace::codec::compact::{self, Context, Writer};
use foretrace::codec::native::history::History;
use foretrace::codec::native::parse::{self, Payload, Record, Trace};
use foretrace::codec::native::{split, write};
use foretrace::dataset::trajectory::Counts;
use foretrace::dataset::{Dialect, Format, Report, build};
use foretrace::program::outline::ScopeKind;
use foretrace::program::{Entry, Program};
use foretrace::trace::{
    Direction, Event, Exit, Landing, Locals, Move, NodeId, Outcome, Place, State, StateTree,
    StopAt, write_recording,
};
use serde_json::{Value, json};
use std::fs;
use std::io::Write as _;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Builds and reads JSON Lines of recorded programs.
fn built(programs: &[(Value, &Recorded)], dialect: Dialect, window: usize) -> (Report, Vec<Value>) {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in.jsonl");
    let mut file = fs::File::create(&input).unwrap();
    for (line, recorded) in programs {
        writeln!(file, "{{\"program\":{line}}}").unwrap();
        write_recording(&recorded.recording, &mut file).unwrap();
    }
    drop(file);
    let mut options = shards::options(&input, folder.path().join("out"));
    (options.recipe.dialect, options.recipe.window) = (dialect, window);
    options.format = Format::Jsonl;
    let report = build(&options).unwrap();
    let lines = lines(&options.output);
    let manifest = fs::read_to_string(options.output.join("manifest.json")).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["documents"], lines.len());
    (report, lines)
}

fn lines(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("00000.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn generated(count: usize) -> Vec<(Value, Recorded)> {
    let made = recorded::generated(count).into_iter();
    made.map(|(line, recorded)| (serde_json::from_str(&line).unwrap(), recorded)).collect()
}

fn learn(line: &Value) -> Vec<Range<usize>> {
    let number = |value: &Value| value.as_u64().unwrap() as usize;
    let ranges = line["learn"].as_array().unwrap();
    ranges.iter().map(|range| number(&range[0])..number(&range[1])).collect()
}

/// The program of a line, under each entry that a document of it may have.
fn entries(recorded: &Recorded) -> Vec<Program> {
    let program = &*recorded.program;
    let mut entries = vec![program.entry.clone(), Entry::Module];
    let scopes = program.outline(0).unwrap().scopes();
    let functions = scopes.iter().filter(|scope| scope.kind == ScopeKind::Function);
    entries.extend(functions.map(|scope| Entry::Invent { function: scope.qualname.clone() }));
    let with = |entry| Program { files: program.files.clone(), entry };
    entries.into_iter().map(with).collect()
}

/// The part of a recording that counts as the whole, seen from a state in it: the call at a
/// depth, and where it ends.
fn scope(tree: &StateTree, node: NodeId, depth: u32) -> Option<(Range<NodeId>, Exit)> {
    if depth == 0 {
        return Some((0..tree.len() as NodeId, tree.exit()));
    }
    let mut at = node;
    while tree.depth(at) > depth {
        at = tree.parent(at)?;
    }
    let call = tree.first_of_level(at);
    let last = tree.last_of_level(call)?;
    let exit = if tree.event(last) == Event::Return { Exit::Normal } else { Exit::Error };
    Some((call..tree.after(last).unwrap_or(tree.len() as NodeId), exit))
}

/// Whether moves from a place lead to what a document says they do.
fn is_walk(
    tree: &StateTree,
    start: Place,
    depth: u32,
    moves: &mut dyn Iterator<Item = Move>,
    fits: &mut dyn FnMut(&Outcome) -> bool,
    never: bool,
) -> bool {
    let Some((nodes, exit)) = scope(tree, start.node(), depth) else { return false };
    let mut place = start;
    for ask in moves {
        let outcome = match tree.go(Some(place), &ask) {
            Some(Landing::At(next)) if nodes.contains(&next.node()) => {
                place = next;
                let mut state = tree.at(next);
                state.depth -= depth;
                Outcome::State(state)
            }
            Some(_) if ask.direction == Direction::Inverse => Outcome::Exit(Exit::Entry),
            Some(_) if never && depth == 0 => Outcome::Exit(Exit::Never),
            Some(_) => Outcome::Exit(exit),
            None => return false,
        };
        if !fits(&outcome) {
            return false;
        }
    }
    true
}

/// Every place and entry depth that a document may begin at.
fn starts(tree: &StateTree) -> impl Iterator<Item = (Place, u32)> + '_ {
    (0..tree.len() as NodeId).flat_map(move |node| {
        let after = tree.made_calls(node).then_some(Place::AfterCall(node));
        let places = [Some(Place::At(node)), after].into_iter().flatten();
        places.flat_map(move |place| (0..=tree.depth(node)).map(move |depth| (place, depth)))
    })
}

/// Reads a document of tokens, checks it against the recording and what is learned of it, and
/// counts its answers.
fn check_compact(
    recorded: &Recorded,
    never: bool,
    line: &Value,
    window: usize,
    counts: &mut Counts,
) {
    let mut ids: Vec<Token> =
        line["ids"].as_array().unwrap().iter().map(|id| id.as_u64().unwrap() as Token).collect();
    for kind in [LINE, SLOT] {
        let shift = ids.iter().find(|id| kind.contains(id)).map_or(0, |id| id - kind.start);
        ids.iter_mut().filter(|id| kind.contains(id)).for_each(|id| *id -= shift);
    }
    let contexts = entries(recorded).into_iter().filter_map(|program| {
        let context = Context::new(&program, compact::budget(window)).ok()?;
        ids.starts_with(context.ids()).then(|| Arc::new(context))
    });
    let both = [Direction::Forward, Direction::Inverse];
    let mut read = contexts
        .flat_map(|context| both.map(|direction| (context.clone(), direction)))
        .filter_map(|(context, direction)| {
            let document = read(&context, direction, &ids)?;
            let steps = document.segment.steps.iter().map(|(ask, _)| ask);
            let mut moves = steps.chain(document.exit.iter().map(|(ask, _)| ask));
            moves.all(|ask| ask.direction == direction).then_some((document, context))
        });
    let (document, context) = read.next().unwrap_or_else(|| panic!("{}: {line}", recorded.name));
    let segment = &document.segment;

    // What is learned: the answers and nothing else.
    let mut writer = Writer::new(&context, segment.direction);
    for caller in &segment.callers {
        writer.state(caller).unwrap();
    }
    let mut head = writer.clone();
    head.head(&segment.first).unwrap();
    let first = head.ids().len()..writer.state(&segment.first).unwrap().end;
    let mut answers = Vec::new();
    for (ask, state) in &segment.steps {
        writer.ask(ask).unwrap();
        answers.push(writer.state(state).unwrap());
        counts.answer(ask.name(), &Outcome::State(state.clone()));
    }
    if let Some((ask, exit)) = &document.exit {
        writer.ask(ask).unwrap();
        answers.push(writer.exit(*exit).unwrap());
        counts.answer(ask.name(), &Outcome::Exit(*exit));
    }
    assert_eq!(writer.ids(), ids);
    let learned = learn(line);
    if learned.len() > answers.len() {
        answers.insert(0, first);
        counts.answer("invent", &Outcome::State(segment.first.clone()));
    }
    assert_eq!(learned, answers, "{}", recorded.name);

    // What it says: what was recorded.
    let tree = &recorded.recording.tree;
    let same = |said: &State, real: &State| {
        let locals = said.locals.is_none() || said.locals == real.locals;
        locals && State { locals: None, ..said.clone() } == State { locals: None, ..real.clone() }
    };
    let found = starts(tree).any(|(place, depth)| {
        let mut real = tree.at(place);
        real.depth -= depth;
        if !same(&segment.first, &real) {
            return false;
        }
        let exit = document.exit.iter().map(|(ask, exit)| (ask, Outcome::Exit(*exit)));
        let steps = segment.steps.iter().map(|(ask, state)| (ask, Outcome::State(state.clone())));
        let steps: Vec<_> = steps.chain(exit).collect();
        let mut said = steps.iter().map(|(_, outcome)| outcome);
        let mut fits = |real: &Outcome| match (said.next(), real) {
            (Some(Outcome::State(said)), Outcome::State(real)) => same(said, real),
            (said, real) => said == Some(real),
        };
        let mut moves = steps.iter().map(|(ask, _)| (*ask).clone());
        is_walk(tree, place, depth, &mut moves, &mut fits, never)
    });
    assert!(found, "{}: no such run: {segment:?}", recorded.name);
}

/// What a text's states are, given the moves, or that they are not those of this run.
struct Reading<'a> {
    program: &'a Program,
    history: History,
    records: std::slice::Iter<'a, (Record, Option<parse::Written>)>,
    exit: Option<Exit>,
}

impl Reading<'_> {
    fn fits(&mut self, outcome: &Outcome) -> bool {
        match outcome {
            Outcome::Exit(exit) => self.records.next().is_none() && self.exit == Some(*exit),
            Outcome::State(state) => self.state(state, state.locals.clone()),
        }
    }

    /// Whether the next record is this state; `seen`: its variables as the writer had them.
    fn state(&mut self, state: &State, seen: Option<Locals>) -> bool {
        let Some((record, written)) = self.records.next() else { return false };
        let source = write::source(self.program, state.event, state.loc, &state.function);
        let payload = match &record.payload {
            Payload::Arg(value) => state.arg.as_ref() == Some(value),
            Payload::Locals(shown) => {
                let filled = self.history.filled(record.event, state.depth, shown);
                let locals = state.locals.as_ref().unwrap();
                locals.iter().all(|(name, value)| filled.get(name) == Some(value))
                    && (shown.others || filled.len() == locals.len())
            }
        };
        self.history.visit(&State { locals: seen, ..state.clone() });
        if let Some(written) = written {
            self.history.moved(&ask(self.program, written, &[]));
        }
        record.event == state.event && record.source == source && payload
    }
}

/// A written action as a move.
fn ask(program: &Program, written: &parse::Written, direction: &[Direction]) -> Move {
    let direction = direction.first().copied().unwrap_or(Direction::Forward);
    let stops = written.source.iter().map(|source| {
        let lines = &program.files[0].lines;
        let line = lines.iter().position(|line| **line == **source).expect("a line") as u32 + 1;
        StopAt { loc: foretrace::program::Loc::main(line), call: false }
    });
    Move { action: written.action, direction, stops: stops.collect() }
}

fn check_native(recorded: &Recorded, never: bool, line: &Value, counts: &mut Counts) {
    let text = line["text"].as_str().unwrap();
    let trace: Trace = parse::trace(&split(text)).unwrap_or_else(|error| panic!("{error}: {text}"));
    let (tree, program) = (&recorded.recording.tree, &*recorded.program);

    // Every state but those given is learned, with the token that ends it.
    let characters = |text: &str| text.chars().count();
    let mut parts = text.split("<|frame_sep|>");
    let mut at = characters(parts.next().unwrap());
    let states = parts.map(|part| {
        let start = at + "<|frame_sep|>".len();
        at = start + characters(part);
        let end = part.find("<|action_sep|>").map(|end| end + "<|action_sep|>".len());
        start..start + end.map_or(characters(part), |end| characters(&part[..end]))
    });
    let states: Vec<_> = states.collect();
    let learned = learn(line);
    let invented = !learned.is_empty() && !states.contains(&learned[0]);
    let answers = &learned[usize::from(invented)..];
    let given = states.len() - answers.len();
    assert_eq!(states[given..], *answers, "{text}");
    if invented {
        let said: String = text.chars().skip(learned[0].start).take(learned[0].len()).collect();
        assert!(said.starts_with('{') && learned[0].end == states[given - 1].end, "{said}");
    }

    let direction = trace.direction;
    let found = starts(tree).any(|(place, depth)| {
        let callers: Vec<NodeId> = match direction {
            Direction::Forward => {
                tree.callers(place.node()).into_iter().filter(|&c| tree.depth(c) >= depth).collect()
            }
            Direction::Inverse => Vec::new(),
        };
        if callers.len() + 1 != given {
            return false;
        }
        [true, false].into_iter().any(|known| {
            let history = History::new(direction);
            let records = trace.steps.iter();
            let mut reading = Reading { program, history, records, exit: trace.exit };
            let callers = callers.iter().map(|&node| Place::At(node));
            let mut given = callers.chain([place]).map(|place| {
                let mut state = tree.at(place);
                state.depth -= depth;
                state
            });
            if !given.all(|state| {
                let seen = state.locals.clone().filter(|_| known);
                reading.state(&state, seen)
            }) {
                return false;
            }
            let asked = &trace.steps[states.len() - answers.len() - 1..];
            let asked = asked.iter().filter_map(|(_, written)| written.as_ref());
            let mut moves = asked.map(|written| ask(program, written, &[direction]));
            is_walk(tree, place, depth, &mut moves, &mut |real| reading.fits(real), never)
        })
    });
    assert!(found, "{}: no such run: {text}", recorded.name);

    let steps = trace.steps.iter().skip(given - 1);
    let moves: Vec<Move> = steps
        .filter_map(|(_, written)| written.as_ref())
        .map(|written| ask(program, written, &[direction]))
        .collect();
    assert_eq!(moves.len(), answers.len());
    *counts.actions.entry("invent").or_default() += u64::from(invented);
    for ask in &moves {
        *counts.actions.entry(ask.name()).or_default() += 1;
    }
    if let Some(exit) = trace.exit {
        *counts.exits.entry(exit.name()).or_default() += 1;
    }
}

#[test]
fn compact_documents_say_what_was_recorded_and_the_manifest_counts_them() {
    let recorded = generated(30);
    let programs: Vec<_> = recorded.iter().map(|(line, made)| (line.clone(), made)).collect();
    let (report, lines) = built(&programs, Dialect::Compact, 512);
    let mut counts = Counts::default();
    for line in &lines {
        let number = line["program"].as_u64().unwrap() as usize;
        check_compact(programs[number].1, false, line, 512, &mut counts);
    }
    assert_eq!(counts, report.counts);
    assert!(report.counts.actions["invent"] > 0 && report.counts.actions["breakpoint"] > 0);
}

#[test]
fn native_documents_say_what_was_recorded_and_the_manifest_counts_them() {
    let recorded = generated(30);
    let programs: Vec<_> = recorded.iter().map(|(line, made)| (line.clone(), made)).collect();
    let (report, lines) = built(&programs, Dialect::Native, 4096);
    let mut counts = Counts::default();
    let mut length = 0;
    for line in &lines {
        let number = line["program"].as_u64().unwrap() as usize;
        check_native(programs[number].1, false, line, &mut counts);
        length += line["text"].as_str().unwrap().len() as u64;
        assert!(line["text"].as_str().unwrap().len() <= 4096);
    }
    counts.actions.retain(|_, count| *count > 0);
    assert_eq!((counts.actions, counts.exits), (report.counts.actions, report.counts.exits));
    assert_eq!(length, report.tokens);
}

/// Shards and lines of the same seed hold the same.
#[test]
fn a_format_changes_nothing_but_the_files() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in");
    fs::create_dir(&input).unwrap();
    shards::batch(&input);
    let mut options = shards::options(&input, folder.path().join("shards"));
    let report = build(&options).unwrap();
    let shards = shards::documents(&options.output);
    (options.output, options.format) = (folder.path().join("lines"), Format::Jsonl);
    assert_eq!(build(&options).unwrap(), report);
    let lines = lines(&options.output).into_iter().map(|line| {
        let ids = line["ids"].as_array().unwrap().iter();
        let ids: Vec<Token> = ids.map(|id| id.as_u64().unwrap() as Token).collect();
        let mut mask = vec![0; ids.len()];
        learn(&line).into_iter().for_each(|range| mask[range].fill(1));
        (ids, mask)
    });
    assert!(lines.collect::<Vec<_>>() == shards);
}

/// A program that was built to loop for ever ends in `never` where a move does not come back,
/// and nowhere else; without being told so, it ends in nothing.
#[test]
fn never_is_learned_only_where_it_is_so() {
    let inner = "def spin(n):\n    while True:\n        n += 1\n\n\
                 def main():\n    k = 1\n    spin(k)\n    return k\n";
    let outer = "def up(n):\n    return n + 1\n\n\
                 def main():\n    n = 0\n    while n >= 0:\n        n = up(n)\n    return n\n";
    let recorded = [inner, outer].map(|code| (code, recorded::one(code, "main()")));
    assert!(recorded.iter().all(|(_, made)| made.recording.tree.exit() == Exit::Cut));
    let programs = |never: bool| -> Vec<(Value, &Recorded)> {
        let line = |code: &str| json!({ "code": code, "entry": "main()", "never": never });
        recorded.iter().map(|(code, made)| (line(code), made)).cycle().take(40).collect()
    };
    let told = programs(true);
    for (dialect, window) in [(Dialect::Compact, 512), (Dialect::Native, 4096)] {
        let (report, lines) = built(&told, dialect, window);
        assert!(report.counts.exits["never"] > 5, "{:?}", report.counts);
        assert!(!report.counts.exits.contains_key("error"), "{:?}", report.counts);
        let mut counts = Counts::default();
        for line in &lines {
            let recorded = told[line["program"].as_u64().unwrap() as usize].1;
            match dialect {
                Dialect::Compact => check_compact(recorded, true, line, window, &mut counts),
                Dialect::Native => {
                    check_native(recorded, true, line, &mut counts);
                    let text = line["text"].as_str().unwrap();
                    let Some(before) = text.strip_suffix("<|trace_end|><|end_of_text|>") else {
                        continue;
                    };
                    if !before.ends_with("<|exit_never|>") {
                        continue;
                    }
                    let last = before.rsplit("<|frame_sep|>").nth(1).unwrap();
                    let into = last.ends_with("<|step_into|>");
                    let over = last.ends_with("<|step_over|>");
                    assert!(!into && (!over || last.contains("<|src_sep|>    spin(k)")), "{last}");
                }
            }
        }
    }
    let (report, _) = built(&programs(false), Dialect::Compact, 512);
    assert!(!report.counts.exits.contains_key("never"), "{:?}", report.counts);
}
