//! The screen, driven by real keys through the real loop, on a terminal in memory.

mod stage;

use crossterm::event::{Event as Input, MouseButton, MouseEventKind};
use foretrace::program::{Entry, Program, decode::decode};
use foretrace::tui::app::{Overlay, Page};
use foretrace::tui::keymap::Key;
use foretrace::tui::layout::Pane;
use foretrace::tui::{Charset, Depth, Options};
use proptest::prelude::*;
use stage::{Stage, Who};

/// Steps with the model that errs, checked by CPython, to the first wrong value.
const TO_WRONG_VALUE: &str = "n n n n n v y s s s n n n n n n n";

#[test]
fn pictures() {
    use Who::*;
    for (name, size, who, keys) in [
        ("start", (120, 40), Model, ""),
        ("call", (120, 40), Model, "n n n n n s"),
        ("changed", (120, 40), Model, "n n n n n s n n n"),
        ("verify_asks", (120, 40), Model, "n n v"),
        ("wrong_value", (120, 40), Model, TO_WRONG_VALUE),
        (
            "wrong_value_opened",
            (120, 40),
            Model,
            "n n n n n v y s s s n n n n n n n 2 Down Down Enter",
        ),
        ("wrong_line", (120, 40), Model, "n n n n n v y s s s n n n n n n n n"),
        ("off_path", (120, 40), Model, "n n n n n v y s s s n n n n n n n n n n"),
        ("end", (120, 40), Facts, "c"),
        ("rewound", (120, 40), Facts, "n n n n n s Left Left"),
        ("guessed_backwards", (120, 40), Facts, "n n n n n s s s S S"),
        ("branch", (120, 40), Facts, "n n n n n s Left n"),
        ("nonsense", (120, 40), Nonsense, "n"),
        ("help", (120, 40), Facts, "?"),
        ("details", (120, 40), Model, "n n n n n v y s s s n n n n n n n i"),
        (
            "breakpoints",
            (120, 40),
            Facts,
            "L '9' Enter b : 'tbreak is_wanted' Enter : 'b 10, letter == 1' Enter c",
        ),
        ("command_line", (120, 40), Facts, "n n n n n s n : 'p text' Enter : 'cond'"),
        ("search", (120, 40), Facts, "/ 'letter'"),
        ("wrong_value", (80, 24), Model, TO_WRONG_VALUE),
        ("start", (80, 24), Model, ""),
        ("help", (80, 24), Facts, "? PageDown"),
        ("output", (80, 24), Facts, "v y c 5"),
        ("printed", (80, 24), Facts, "n n n n n : 'p text' Enter"),
        ("answer", (80, 24), Facts, "n n n n n : 'p text;;whatis text' Enter"),
        ("where", (80, 24), Facts, "n n n n n s w"),
        ("zoomed", (80, 24), Facts, "n n n n n s 2 z"),
        ("start", (40, 12), Model, ""),
        ("wrong_value", (40, 12), Model, TO_WRONG_VALUE),
        ("variables", (40, 12), Model, "n n n n n s s 2"),
        ("verify_asks", (40, 12), Model, "n v"),
        ("command_line", (40, 12), Facts, "n : 'p text'"),
        ("start", (20, 6), Facts, "n"),
    ] {
        let mut stage = Stage::new(size.0, size.1, who);
        stage.keys(keys);
        let name = format!("{name}_{}x{}", size.0, size.1);
        insta::assert_snapshot!(name, stage.screen());
    }
}

#[test]
fn pictures_in_seven_bits_and_for_the_first_time() {
    let options = Options { depth: Depth::Mono, charset: Charset::Ascii, ..Options::default() };
    let mut stage = Stage::with(100, 30, Who::Model, &options, stage::program());
    stage.keys(TO_WRONG_VALUE);
    let screen = stage.screen();
    assert!(screen.is_ascii(), "{screen}");
    insta::assert_snapshot!("ascii_100x30", screen);
    let options = Options { welcome: true, ..options };
    let mut stage = Stage::with(80, 24, Who::Model, &options, stage::program());
    insta::assert_snapshot!("welcome_80x24", stage.screen());
    stage.keys("n");
    assert!(
        stage.shows("line 2 of <module>") || stage.shows("line 6 of <module>"),
        "n is not eaten"
    );
}

#[test]
fn hostile_text_is_shown_and_nothing_else() {
    let source =
        "def f():\n\treturn '中文 \u{202e}abc\u{1b}[2J' # \u{feff} 👩‍👩‍👧 e\u{301}\n\u{c}\nf()\n";
    let (file, _) = decode("<evil>\u{1b}[31m.py", source.as_bytes());
    let program = Program { files: vec![file], entry: Entry::Module };
    let options = Options { depth: Depth::Mono, ..Options::default() };
    let stage = Stage::with(100, 30, Who::Facts, &options, program);
    let screen = stage.screen();
    assert!(!screen.chars().any(|c| c.is_control() && c != '\n'));
    insta::assert_snapshot!("hostile_100x30", screen);
}

#[test]
fn step_keys_mean_the_same_in_every_pane() {
    for pane in ["1", "2", "3", "4", "5", "6"] {
        for (key, expected) in [("n", "line 6 of"), ("s", "line 6 of"), ("c", "the program ends")] {
            let mut stage = Stage::new(120, 40, Who::Facts);
            stage.keys(pane).keys(key);
            assert!(stage.shows(expected), "{key} in pane {pane}\n{}", stage.screen());
        }
    }
}

#[test]
fn rewinding_and_guessing_do_not_look_alike() {
    let options = Options::default();
    let mut guessed = Stage::with(120, 40, Who::Model, &options, stage::program());
    guessed.keys("n n n N");
    let mut rewound = Stage::with(120, 40, Who::Model, &options, stage::program());
    rewound.keys("n n n Left");
    assert!(guessed.shows("guessed predecessor") && !guessed.shows("replayed"));
    assert!(rewound.shows("replayed") && !rewound.shows("guessed"));
    let style = guessed.style_of("guessed predecessor");
    assert_ne!(style, rewound.style_of("replayed"), "the colours differ");
    assert!(guessed.shows("<  if __name__") && rewound.shows(">  if __name__"), "the marks differ");
}

#[test]
fn a_change_is_marked_without_colour() {
    let mut stage = Stage::new(120, 40, Who::Facts);
    stage.keys("n n n n n s n n n n n");
    assert!(stage.shows("* ▸ counts  {} → {'n': 1}"), "{}", stage.screen());
    let mut stage = Stage::new(120, 40, Who::Facts);
    stage.keys("n n n n n s n n n");
    assert!(stage.shows("+   letter"), "{}", stage.screen());
}

#[test]
fn pasted_text_never_runs() {
    let mut stage = Stage::new(120, 40, Who::Facts);
    stage.send(Input::Paste("n\nq\n".into())).settle();
    assert!(stage.shows("2 of 2") && stage.shows("press : first"));
    stage.keys(":").send(Input::Paste("p 1\nq\n".into())).settle();
    assert!(stage.shows("(fdb) p 1 q"), "{}", stage.screen());
    assert!(stage.driver.app.ending.is_none());
}

#[test]
fn control_c_cancels_a_prediction_and_never_leaves() {
    for keys in [&["n", "Ctrl-C"][..], &["n", ":", "Ctrl-C"], &["c", "?", "Ctrl-C", "Ctrl-C"]] {
        let mut stage = Stage::new(120, 40, Who::Stuck);
        // All at once: until the cancel is taken in, the loop waits for the answer.
        for key in keys {
            stage.send(Input::Key(Key::parse(key).expect("a key").event()));
        }
        stage.settle();
        assert!(stage.driver.app.ending.is_none());
        assert!(stage.shows("2 of 2"), "the session is where it was\n{}", stage.screen());
        stage.keys("Ctrl-C Ctrl-C");
        assert!(stage.driver.app.ending.is_none(), "nor does it leave when nothing runs");
    }
}

#[test]
fn an_answer_is_visible_at_once_where_the_log_is_not() {
    for (width, height) in [(80, 24), (60, 20), (40, 12)] {
        let mut stage = Stage::new(width, height, Who::Facts);
        stage.keys("n n n n n : 'p text' Enter");
        assert!(stage.shows("'nab'") && !stage.shows("(fdb)"), "{}", stage.screen());
        stage.keys(": 'where' Enter");
        assert!(stage.shows("-> print("), "{}", stage.screen());
        stage.keys(": 'nonsense' Enter");
        assert!(!stage.shows("-> print("), "the last answer only\n{}", stage.screen());
        assert!(stage.shows("nonsense"), "{}", stage.screen());
        // What has no room is a page; Esc leaves that.
        stage.keys(": 'help' Enter");
        let page = Some(Page::Answer);
        let open = |stage: &Stage| match stage.driver.app.overlay {
            Some(Overlay::Page(page, _)) => Some(page),
            _ => None,
        };
        assert_eq!(open(&stage), page, "{}", stage.screen());
        stage.keys("Esc");
        assert_eq!(open(&stage), None);
        assert!(!stage.shows(" help ━"), "{}", stage.screen());
        stage.keys("w");
        assert!(stage.shows("-> print("), "a key's answer too\n{}", stage.screen());
        stage.keys("n");
        assert!(!stage.shows("-> print("), "until the next key\n{}", stage.screen());
    }
    let mut stage = Stage::new(120, 40, Who::Facts);
    stage.keys("n n n n n : 'p text' Enter");
    assert!(!stage.shows(" p text ━"), "the transcript shows it\n{}", stage.screen());
}

#[test]
fn the_python_that_verified_stays_in_the_header() {
    for width in [80, 100, 120] {
        let mut stage = Stage::new(width, 24, Who::Model);
        stage.keys(TO_WRONG_VALUE);
        assert!(stage.shows("CPython 3.11.7 · 14/16 right"), "{}", stage.screen());
        stage.keys("n n n");
        assert!(stage.shows("CPython 3.11.7") && stage.shows("off path"), "{}", stage.screen());
    }
}

#[test]
fn leaving_asks_only_when_something_would_be_lost() {
    let mut stage = Stage::new(120, 40, Who::Facts);
    stage.keys("q");
    assert!(stage.driver.app.ending.is_some(), "nothing was done");
    let mut stage = Stage::new(120, 40, Who::Facts);
    stage.keys("n q");
    assert!(stage.driver.app.ending.is_none() && stage.shows("y yes"), "{}", stage.screen());
    stage.keys("n");
    assert!(!stage.shows("y yes"), "no is no");
    stage.keys("q y");
    assert!(stage.driver.app.ending.is_some());
    let mut stage = Stage::new(120, 40, Who::Facts);
    stage.keys("n q q");
    assert!(stage.driver.app.ending.is_some(), "who presses q twice means it");
}

#[test]
fn the_mouse_moves_the_cursor_sets_breakpoints_and_scrubs() {
    let click = MouseEventKind::Down(MouseButton::Left);
    let mut stage = Stage::new(120, 40, Who::Facts);
    stage.keys("n n n n");
    stage.mouse(click, 20, 10);
    assert_eq!(stage.driver.app.source.scroll.cursor, 8, "the ninth line");
    assert!(!stage.shows("●"));
    stage.mouse(click, 2, 10);
    assert!(stage.shows("● 9"), "{}", stage.screen());
    stage.mouse(click, 2, 10);
    assert!(!stage.shows("●"));
    let strip = stage.driver.app.layout().timeline;
    stage.mouse(click, strip.x + 10, strip.y);
    assert!(stage.shows("1 of 6"), "{}", stage.screen());
    stage.mouse(click, strip.right() - 9, strip.y);
    assert!(stage.shows("6 of 6"), "past the end is the end");
    stage.mouse(click, 100, 3);
    assert_eq!(stage.driver.app.focus, Pane::Variables);
}

#[test]
fn home_and_end_scrub_the_timeline() {
    let mut stage = Stage::new(120, 40, Who::Facts);
    for (keys, place) in
        [("n n n", "5 of 5"), ("Home", "1 of 5"), ("Right", "2 of 5"), ("End", "5 of 5")]
    {
        stage.keys(keys);
        assert!(stage.shows(place), "{keys}\n{}", stage.screen());
    }
}

#[test]
fn a_file_longer_than_sixteen_bits_counts() {
    let source = "x\n".repeat(70_000);
    let (file, _) = decode("long.py", source.as_bytes());
    let program = Program { files: vec![file], entry: Entry::Module };
    let options = Options { depth: Depth::Mono, ..Options::default() };
    let mut stage = Stage::with(100, 30, Who::Facts, &options, program);
    stage.keys("G");
    assert!(stage.shows("70000   x"), "{}", stage.screen());
    stage.keys("L '69990' Enter W PageUp");
    assert!(stage.shows("69985"), "{}", stage.screen());
}

/// A file that was edited is shown, and coloured, as it is once the session starts again.
#[test]
fn an_edited_file_is_shown_anew() {
    let (file, _) = decode("count_letters.py", b"old = 1\n");
    let program = Program { files: vec![file], entry: Entry::Module };
    let options = Options { depth: Depth::Indexed, ..Options::default() };
    let mut stage = Stage::with(120, 40, Who::Facts, &options, program);
    assert!(stage.shows("old = 1"), "{}", stage.screen());
    stage.keys(": 'restart' Enter");
    let said = "count_letters.py has changed: it is read again";
    assert!(stage.driver.app.session.log().iter().any(|line| line.text == said));
    assert!(stage.shows("def is_wanted(letter, wanted):"), "{}", stage.screen());
    assert!(!stage.shows("old = 1"), "{}", stage.screen());
    let role = stage.driver.app.source.role_at(0, 0);
    let fresh = Stage::with(120, 40, Who::Facts, &options, stage::program());
    assert_eq!(role, fresh.driver.app.source.role_at(0, 0));
    assert!(role.is_some());
}

/// While a breakpoint's commands are typed, the command line asks for the next.
#[test]
fn the_command_line_asks_on_for_commands_of_a_breakpoint() {
    let mut stage = Stage::new(120, 40, Who::Facts);
    stage.keys("L '9' Enter b : 'commands' Enter");
    assert!(stage.shows("(com)"), "{}", stage.screen());
    stage.keys("'p 1' Enter 'end' Enter");
    assert!(!stage.shows("(com)"), "{}", stage.screen());
    assert!(stage.shows("breakpoint 1 runs: p 1"), "{}", stage.screen());
    stage.keys(": 'commands' Enter 'p 2' Esc");
    assert!(!stage.shows("(com)"), "{}", stage.screen());
    assert!(!stage.driver.app.session.takes_commands());
}

/// What may happen to a screen.
#[derive(Debug, Clone)]
enum Happens {
    Key(&'static str),
    Mouse(u16, u16, u8),
    Resize(u16, u16),
    Paste(String),
}

fn happens() -> impl Strategy<Value = Happens> {
    const KEYS: &[&str] = &[
        "s",
        "n",
        "r",
        "c",
        "S",
        "N",
        "F",
        "C",
        "Left",
        "Right",
        "Home",
        "End",
        "b",
        "t",
        "u",
        "d",
        "v",
        "y",
        "/",
        "L",
        ":",
        "?",
        "Tab",
        "Shift-Tab",
        "1",
        "2",
        "3",
        "4",
        "5",
        "6",
        "z",
        "W",
        "g",
        "G",
        "h",
        "l",
        "j",
        "k",
        "PageUp",
        "PageDown",
        "Enter",
        "Esc",
        ".",
        ",",
        "!",
        "p",
        "x",
        "Ctrl-C",
        "Ctrl-L",
        "Backspace",
        "Up",
        "Down",
        "H",
        "w",
        "9",
    ];
    prop_oneof![
        10 => proptest::sample::select(KEYS).prop_map(Happens::Key),
        2 => (0u16..130, 0u16..45, 0u8..4).prop_map(|(x, y, kind)| Happens::Mouse(x, y, kind)),
        2 => (0u16..=120, 0u16..=40).prop_map(|(w, h)| Happens::Resize(w, h)),
        1 => ".{0,12}".prop_map(Happens::Paste),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, max_shrink_iters: 64, ..ProptestConfig::default() })]

    #[test]
    fn nothing_that_happens_panics(size in (0u16..=120, 0u16..=40), model: bool,
                                   events in prop::collection::vec(happens(), 1..60)) {
        let mut stage = Stage::new(size.0, size.1, if model { Who::Model } else { Who::Facts });
        for event in events {
            match event {
                Happens::Key(key) => stage.keys(key),
                Happens::Resize(w, h) => stage.resize(w, h),
                Happens::Paste(text) => stage.send(Input::Paste(text)).settle(),
                Happens::Mouse(x, y, kind) => stage.mouse(
                    match kind {
                        0 => MouseEventKind::Down(MouseButton::Left),
                        1 => MouseEventKind::Drag(MouseButton::Left),
                        2 => MouseEventKind::ScrollDown,
                        _ => MouseEventKind::ScrollUp,
                    },
                    x,
                    y,
                ),
            };
        }
    }
}

/// A jump is one entry to rewind over; opened by its key, its single steps are entries.
#[test]
fn a_jump_opens_by_its_key() {
    let mut stage = Stage::new(120, 40, Who::Facts);
    stage.keys(": 'jump chained' Enter n n n n n n");
    let stop = stage.driver.app.session.mark();
    let entry = stage.driver.app.session.present().expect("an entry");
    let inside = entry.via.clone();
    assert!(inside.len() > 3, "{}", stage.screen());
    stage.keys("Alt-Left");
    let present = |stage: &Stage| stage.driver.app.session.present().expect("a state").stop.clone();
    assert_eq!(&present(&stage).stop, &inside.last().expect("a step").stop);
    stage.keys("Left");
    assert_eq!(present(&stage).stop, inside[inside.len() - 2].stop);
    stage.keys("Right Right");
    assert!(present(&stage).stop != inside.last().expect("a step").stop);
    stage.keys(&format!(": 'goto {stop}' Enter Left Right"));
    assert_eq!(stage.driver.app.session.mark(), stop);
    // The whole stack is known where a recording answers, and at the end, too.
    let mut stage = Stage::new(120, 40, Who::Facts);
    stage.keys("L '3' Enter b c");
    assert!(stage.shows("3 stack 3") && !stage.shows("partly unknown"), "{}", stage.screen());
    stage.keys("c c c c");
    assert!(stage.shows("The program ends normally."), "{}", stage.screen());
    stage.keys("S");
    assert!(stage.shows("the last state before the end"), "{}", stage.screen());
}

/// At 80 columns the status line says the state, the source of it and the verdict whole.
#[test]
fn the_status_line_fits() {
    let mut stage = Stage::new(80, 24, Who::Model);
    stage.keys("v y : 'jump chained' Enter n n n n n n");
    let screen = stage.screen();
    let line = screen.lines().find(|line| line.contains("predicted <1%")).expect(&screen);
    assert!(!line.contains('…'), "{line}");
    assert!(line.starts_with(" --Return-- <module> -> None "), "{line}");
    assert!(line.ends_with("predicted <1% · wrong on the way: step 15"), "{line}");
}
