//! Any bytes as a Python file: decoded, outlined, and every line asked where it goes on.

#![no_main]

use foretrace::program::decode::decode;
use foretrace::program::flow::{Flow, Frame, Stop};
use foretrace::program::{Entry, Loc, Program, entry};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let (file, _) = decode("fuzz.py", bytes);
    let _ = entry::of_file(&file);
    let lines = file.lines.len() as u32;
    for line in 0..lines.min(200) + 2 {
        let outline = &file.outline;
        let _ = (outline.statement_at(line), outline.scope_at(line), outline.breakable(line));
        let _ = (outline.reads(line), outline.binds(line), outline.suspends(line));
    }
    let program = Program { files: vec![file], entry: Entry::Module };
    let flow = Flow::of(&program);
    let Some(outline) = program.outline(0) else { return };
    let stops = [Stop::Call, Stop::Resume, Stop::Line, Stop::Exception, Stop::Return, Stop::Yield];
    for line in 1..lines.min(50) + 1 {
        let loc = Loc::main(line);
        let present = Frame { loc, scope: Some(outline.scope_at(line)) };
        for stop in stops {
            let _ = (flow.next(stop, present, None), flow.next(stop, present, Some(present)));
        }
    }
});
