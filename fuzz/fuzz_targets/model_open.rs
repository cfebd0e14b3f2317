//! Any bytes as a model file, opened and asked once. The model may say what it likes.

#![no_main]

use foretrace::gguf::Gguf;
use foretrace::model::DeviceChoice;
use foretrace::oracle::neural::{self, Options};
use foretrace::oracle::{Control, Oracle, Query};
use foretrace::program::{Entry, Loc, Program, SourceFile};
use foretrace::trace::{Action, Direction, Event, Locals, Move, Segment, State};
use libfuzzer_sys::fuzz_target;
use std::sync::Arc;

fuzz_target!(|bytes: &[u8]| {
    let options =
        Options { device: DeviceChoice::Cpu, threads: Some(1), ..Options::default() };
    let Ok(gguf) = Gguf::read(bytes) else { return };
    let Ok(mut oracle) = neural::open(&gguf, "fuzz", options) else { return };
    let (file, _) = SourceFile::from_text("a.py", "x = 1\n");
    let program = Arc::new(Program { files: vec![file], entry: Entry::Module });
    if oracle.accepts(&program).is_err() {
        return;
    }
    let start = State {
        event: Event::Line,
        loc: Loc::main(1),
        function: "<module>".into(),
        depth: 0,
        locals: Some(Locals::default()),
        arg: None,
        suspension: false,
    };
    let segment = Segment::new(Direction::Forward, Vec::new(), start);
    let query = Query { program, segment, ask: Move::forward(Action::StepInto) };
    let _ = oracle.answer(&query, &Control::new(Arc::default(), Arc::new(|_| {})));
});
