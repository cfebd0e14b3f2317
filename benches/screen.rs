//! How soon the screen is there and how much a drawing costs: the real binary in a real
//! pseudo-terminal, and the same drawing in memory.
//!
//! ```sh
//! cargo bench --bench screen              # [--json]
//! ```
//!
//! *First frame* is from starting the process to the first frame that shows source text;
//! *first colour* to the first that shows it coloured. Medians of 7 runs.

use foretrace::program::{Entry, Program, decode};
use foretrace::session::{Session, Setup};
use foretrace::tui::view;
use foretrace::tui::{self, Options};
use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::layout::Rect;
use std::io::{Read, Write};
use std::sync::Arc;
use std::time::Instant;

const RUNS: usize = 7;

/// A file of about so many lines, with functions, loops, strings and comments.
fn source(lines: usize) -> String {
    let mut text = String::new();
    for n in 0..lines / 10 {
        text.push_str(&format!(
            "def f{n}(items, wanted={n}):\n    \"\"\"Counts what is wanted.\"\"\"\n    total = 0\n    \
             for item in items:\n        if item == wanted and item is not None:\n            \
             total += 1  # one more\n        else:\n            total = max(total, len(\"no\"))\n    \
             return total\n\n"
        ));
    }
    text
}

/// Milliseconds until the terminal was sent this.
fn until(path: &std::path::Path, home: &std::path::Path, sign: &str) -> f64 {
    let size = PtySize { rows: 40, cols: 120, ..PtySize::default() };
    let pair = native_pty_system().openpty(size).expect("a pseudo-terminal");
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_foretrace"));
    command.arg(path);
    command.env("FORETRACE_HOME", home);
    command.env("TERM", "xterm-256color");
    command.env("COLORTERM", "truecolor");
    command.env("LANG", "C.UTF-8");
    let start = Instant::now();
    let mut child = pair.slave.spawn_command(command).expect("the program starts");
    let mut reader = pair.master.try_clone_reader().expect("a reader");
    let mut writer = pair.master.take_writer().expect("a writer");
    let (mut seen, mut bytes) = (String::new(), [0; 1 << 16]);
    while !seen.contains(sign) {
        let read = reader.read(&mut bytes).expect("the terminal is there");
        assert!(read > 0, "it ended first:\n{seen}");
        seen.push_str(&String::from_utf8_lossy(&bytes[..read]));
    }
    let took = start.elapsed().as_secs_f64() * 1e3;
    writer.write_all(b"qqqyy").expect("the terminal is there");
    std::thread::spawn(move || while matches!(reader.read(&mut bytes), Ok(1..)) {});
    child.kill().ok();
    child.wait().ok();
    took
}

/// Milliseconds of one drawing in memory.
fn drawing(text: &str) -> f64 {
    let (file, _) = decode("big.py", text.as_bytes());
    let program = Arc::new(Program { files: vec![file], entry: Entry::Module });
    let (session, _) = Session::new(program, Setup::default());
    let mut app = tui::app(session, &Options::default()).expect("the theme loads");
    app.screen = Rect::new(0, 0, 120, 40);
    let mut terminal = Terminal::new(TestBackend::new(120, 40)).expect("a screen in memory");
    let draws = 200;
    let start = Instant::now();
    for _ in 0..draws {
        terminal.draw(|frame| view::draw(&app, frame)).expect("a screen in memory");
    }
    start.elapsed().as_secs_f64() * 1e3 / f64::from(draws)
}

fn median(mut run: impl FnMut() -> f64) -> f64 {
    let mut times: Vec<f64> = (0..RUNS).map(|_| run()).collect();
    times.sort_by(f64::total_cmp);
    times[RUNS / 2]
}

fn main() {
    let json = std::env::args().any(|arg| arg == "--json");
    let home = tempfile::tempdir().expect("a temporary folder");
    // The first start would show what this is instead of the source.
    std::fs::create_dir_all(home.path().join("state")).expect("a folder");
    if !json {
        println!(
            "{:>8} {:>16} {:>17} {:>12}",
            "lines", "first frame, ms", "first colour, ms", "drawing, ms"
        );
    }
    for lines in [100, 1_000, 10_000] {
        let text = source(lines);
        let path = home.path().join(format!("big{lines}.py"));
        std::fs::write(&path, &text).expect("a file");
        let frame = median(|| until(&path, home.path(), "items"));
        // The dark theme's violet, in which `def` is written.
        let colour = median(|| until(&path, home.path(), "38;2;196;155;255"));
        let draw = median(|| drawing(&text));
        if json {
            println!(
                "{{\"lines\":{lines},\"first_frame_ms\":{frame:.1},\"first_colour_ms\":{colour:.1},\
                 \"drawing_ms\":{draw:.3}}}"
            );
        } else {
            println!("{lines:>8} {frame:>16.0} {colour:>17.0} {draw:>12.2}");
        }
    }
}
