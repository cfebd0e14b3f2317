//! The real binary in a real pseudo-terminal: it starts, steps, survives its terminal, and
//! always gives it back.
#![cfg(unix)]

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::num::NonZero;
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

/// What the terminal is told when the program leaves it, in any order.
const GIVEN_BACK: [&str; 4] = ["\x1b[?1049l", "\x1b[?2004l", "\x1b[?1000l", "\x1b[?25h"];
/// Longest wait for something that should happen at once, on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(60);

/// A terminal with the program in it.
struct Tty {
    child: Box<dyn Child + Send + Sync>,
    master: Option<Box<dyn MasterPty + Send>>,
    writer: Box<dyn Write + Send>,
    seen: Arc<(Mutex<Seen>, Condvar)>,
    before: String,
    _home: tempfile::TempDir,
}

/// All that the program wrote, raw and as a screen.
struct Seen {
    raw: String,
    screen: vt100::Parser,
}

impl Tty {
    /// Starts the debugger on the recorded fixture.
    fn start(width: u16, height: u16) -> Tty {
        Tty::start_in(width, height, |_| {})
    }

    /// The same, in a home that was prepared.
    fn start_in(width: u16, height: u16, prepare: impl Fn(&Path)) -> Tty {
        let fixture =
            |name: &str| format!("{}/tests/fixtures/screens/{name}", env!("CARGO_MANIFEST_DIR"));
        let args = [&fixture("count_letters.py"), "--replay", &fixture("count_letters.jsonl")];
        Tty::run(width, height, prepare, &args)
    }

    /// Starts the debugger with these arguments, in the home as working directory.
    fn run(width: u16, height: u16, prepare: impl Fn(&Path), args: &[&str]) -> Tty {
        let size = PtySize { rows: height, cols: width, ..PtySize::default() };
        let pair = native_pty_system().openpty(size).expect("a pseudo-terminal");
        let before = format!("{:?}", pair.master.get_termios());
        let home = tempfile::tempdir().expect("a temporary folder");
        prepare(home.path());
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_foretrace"));
        command.args(args);
        command.cwd(home.path());
        command.env("FORETRACE_HOME", home.path());
        command.env("TMPDIR", home.path());
        command.env("TERM", "xterm-256color");
        command.env("LANG", "C.UTF-8");
        command.env_remove("NO_COLOR");
        let child = pair.slave.spawn_command(command).expect("the program starts");
        drop(pair.slave);
        let seen =
            Seen { raw: String::new(), screen: vt100::Parser::new(cells(height), cells(width), 0) };
        let seen = Arc::new((Mutex::new(seen), Condvar::new()));
        let mut reader = pair.master.try_clone_reader().expect("a reader");
        let there = seen.clone();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(n @ 1..) = reader.read(&mut bytes) {
                let mut seen = there.0.lock().expect("no test thread panicked with it");
                seen.raw.push_str(&String::from_utf8_lossy(&bytes[..n]));
                seen.screen.process(&bytes[..n]);
                there.1.notify_all();
            }
        });
        let writer = pair.master.take_writer().expect("a writer");
        Tty { child, master: Some(pair.master), writer, seen, before, _home: home }
    }

    fn press(&mut self, keys: &str) -> &mut Self {
        self.writer.write_all(keys.as_bytes()).expect("the terminal is there");
        self.writer.flush().expect("the terminal is there");
        self
    }

    /// Waits until the program has written what is wanted.
    fn wait(&mut self, what: &str, wanted: impl Fn(&Seen) -> bool) -> &mut Self {
        let (lock, changed) = &*self.seen;
        let seen = lock.lock().expect("no test thread panicked with it");
        let (seen, late) = changed
            .wait_timeout_while(seen, PATIENCE, |seen| !wanted(seen))
            .expect("no test thread panicked with it");
        assert!(!late.timed_out(), "never {what}:\n{}", seen.screen.screen().contents());
        drop(seen);
        self
    }

    /// Waits until a text is on the screen.
    fn shows(&mut self, text: &str) -> &mut Self {
        self.wait(text, |seen| seen.screen.screen().contents().contains(text))
    }

    /// Waits until the program has ended; its exit code.
    fn ends(&mut self) -> u32 {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("it is our child") {
                return status.exit_code();
            }
            assert!(start.elapsed() < PATIENCE, "it does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn signal(&self, name: &str) {
        let pid = self.child.process_id().expect("it runs").to_string();
        let sent = std::process::Command::new("kill").args([&format!("-{name}"), &pid]).status();
        assert!(sent.expect("kill is there").success());
    }

    /// Waits until the kernel has stopped it: a continue sent earlier would be lost.
    fn is_stopped(&self) {
        let pid = self.child.process_id().expect("it runs").to_string();
        let start = Instant::now();
        loop {
            let asked =
                std::process::Command::new("ps").args(["-o", "state=", "-p", &pid]).output();
            let state = asked.expect("ps is there").stdout;
            if state.trim_ascii().starts_with(b"T") {
                return;
            }
            assert!(start.elapsed() < PATIENCE, "it does not stop");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// No folder of a child is left, and so no child.
    fn left_nothing(&self, why: &str) {
        let left = std::fs::read_dir(self._home.path()).expect("the home").filter(|entry| {
            let name = entry.as_ref().expect("an entry").file_name();
            name.to_string_lossy().starts_with("foretrace-")
        });
        assert_eq!(left.count(), 0, "{why}");
    }

    /// The terminal is as it was found, and was given back once.
    fn is_given_back(&mut self) {
        self.wait("given back", |seen| GIVEN_BACK.iter().all(|code| seen.raw.contains(code)));
        let seen = self.seen.0.lock().expect("no test thread panicked with it");
        assert_eq!(
            seen.raw.matches("\x1b[?1049l").count(),
            seen.raw.matches("\x1b[?1049h").count()
        );
        assert!(!seen.screen.screen().alternate_screen());
        assert!(!seen.screen.screen().hide_cursor());
        drop(seen);
        let after = self.master.as_ref().map(|master| master.get_termios());
        assert_eq!(format!("{:?}", after.flatten()), self.before, "line discipline");
    }
}

fn cells(n: u16) -> NonZero<u16> {
    NonZero::new(n).expect("a screen has cells")
}

#[test]
fn starts_steps_resizes_and_quits() {
    let mut tty = Tty::start(100, 30);
    tty.shows("Nothing of your program runs here").press("n").shows("line 6 of <module>");
    let size = PtySize { rows: 14, cols: 50, ..PtySize::default() };
    tty.master.as_ref().expect("open").resize(size).expect("resizes");
    tty.seen.0.lock().expect("unpoisoned").screen.screen_mut().set_size(cells(14), cells(50));
    tty.press("\x0c").wait("drawn for the new size", |seen| {
        let screen = seen.screen.screen().contents();
        screen.contains("line 6 of") && screen.lines().count() <= 14 && screen.contains("? help")
    });
    tty.press("n").shows("line 14 of").press("q").shows("y yes").press("y");
    assert_eq!(tty.ends(), 0);
    tty.is_given_back();
}

/// A program that reads its input asks on the screen: answered, ended, and asked once for all of
/// its runs. What is typed is neither a command nor a key.
#[test]
fn a_program_asks_on_the_screen() {
    let prepare = |home: &Path| {
        let source = "name = input('Who? ')\ntry:\n    age = input('How old? ')\nexcept EOFError:\n    age = None\nprint(name, age)\n";
        std::fs::write(home.join("ask.py"), source).expect("written");
    };
    let mut tty = Tty::run(100, 30, prepare, &["ask.py", "--oracle", "cpython", "--verify"]);
    // Each question comes when what lies beyond it is wanted.
    tty.shows("Any key goes on").press(" ").shows("line 1 of").press("n");
    tty.shows("The program asks: Who?").press("q s\r").shows("'q s'").press("nn");
    tty.shows("The program asks: How old?").press("\x04");
    // The oracle's run was asked; the one beside it, and the one with another seed, were not.
    tty.press("r").shows("--Return--").press("qy");
    assert_eq!(tty.ends(), 0);
    tty.is_given_back();
}

/// What a replayed program wrote is followed to its end.
#[test]
fn output_is_followed() {
    let prepare = |home: &Path| {
        let source = "for i in range(40):\n    print('tick', i)\nend = 1\n";
        std::fs::write(home.join("loop.py"), source).expect("written");
    };
    let mut tty = Tty::run(100, 30, prepare, &["loop.py", "--oracle", "cpython"]);
    tty.shows("Any key goes on").press(" ").shows("line 1 of");
    tty.press(":b 3\rc").shows("line 3 of").shows("tick 39").press("qy");
    assert_eq!(tty.ends(), 0);
    tty.is_given_back();
}

/// Whoever leaves while a program asks leaves nothing behind.
#[test]
fn nothing_is_left_behind_by_a_question() {
    let prepare = |home: &Path| {
        std::fs::write(home.join("ask.py"), "n = input('n? ')\n").expect("written");
    };
    for leave in ["TERM", "Ctrl-C"] {
        let mut tty = Tty::run(100, 30, prepare, &["ask.py", "--verify"]);
        tty.shows("The program asks: n?");
        if leave == "TERM" {
            tty.signal(leave);
        } else {
            tty.press("\x03").shows("the recording was cancelled").press("qy");
        }
        tty.ends();
        tty.is_given_back();
        tty.left_nothing(leave);
    }
}

#[test]
fn a_signal_ends_it_cleanly() {
    for (name, code) in
        [("TERM", 143), ("HUP", 129), ("QUIT", 131), ("ABRT", 134), ("ALRM", 142), ("USR1", 138)]
    {
        let mut tty = Tty::start(80, 24);
        tty.shows("Nothing of your program").signal(name);
        assert_eq!(tty.ends(), code, "{name}");
        tty.is_given_back();
    }
}

/// The interpreter that evaluated something is ended with the screen, and its folder goes.
#[test]
fn nothing_is_left_behind_by_an_evaluation() {
    for signal in [None, Some("TERM"), Some("HUP")] {
        let mut tty = Tty::start(100, 30);
        tty.shows("Nothing of your program").press("n").shows("line 6 of <module>");
        tty.press(":p 41 * 3\r").shows("123");
        match signal {
            Some(name) => tty.signal(name),
            // The command line has closed: keys are keys again.
            None => drop(tty.press("q").shows("y yes").press("y")),
        }
        tty.ends();
        tty.left_nothing(signal.unwrap_or("q"));
    }
}

/// Words to be seen on the screen, and what makes a home that shows them.
type Home<'a> = (&'a str, &'a dyn Fn(&Path));

/// Whatever stands where settings and kept things should be, it starts, steps and ends; and
/// what was kept is not overwritten.
#[test]
fn a_broken_home_locks_nobody_out() {
    let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/screens/count_letters.py");
    let write = |path: &Path, text: &str| {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("written");
    };
    let pipe = |path: &Path| {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        let made = std::process::Command::new("mkfifo").arg(path).status();
        assert!(made.expect("mkfifo is there").success());
    };
    let project = |home: &Path| foretrace::config::Folders::under(home).project(Path::new(fixture));
    let homes: [Home<'_>; 5] = [
        ("nothing is kept for the next session", &|home| {
            write(&home.join("config"), "a file");
            write(&home.join("state"), "a file");
        }),
        ("a device or a pipe", &|home| {
            pipe(&home.join("config/config.toml"));
            pipe(&home.join("config/keys.toml"));
            pipe(&project(home).join("history"));
            pipe(&project(home).join("session.json"));
        }),
        ("a built-in theme is used", &|home| {
            write(&home.join("config/config.toml"), "theme = 'mine'");
            pipe(&home.join("config/themes/mine.toml"));
        }),
        ("a built-in theme is used", &|home| {
            write(&home.join("config/themes/dark.toml"), "[roles]\ntext = {fg = 'pinkish'}");
        }),
        ("session.json.broken", &|home| write(&project(home).join("session.json"), "{oops")),
    ];
    for (number, (words, prepare)) in homes.into_iter().enumerate() {
        let mut tty = Tty::start_in(250, 30, prepare);
        tty.wait("begun", |seen| {
            let screen = seen.screen.screen().contents();
            screen.contains("source count_letters.py") || screen.contains("Nothing of your")
        });
        tty.press("\x0c")
            .shows(words)
            .press("n")
            .shows("line 6 of <module>")
            .press("b")
            .press("qy");
        assert_eq!(tty.ends(), 0, "{number}");
        tty.is_given_back();
        if words.ends_with(".broken") {
            let aside = project(tty._home.path()).join("session.json.broken");
            assert_eq!(std::fs::read_to_string(aside).expect("put aside"), "{oops");
        }
    }
}

#[test]
fn control_z_gives_the_terminal_back_until_it_is_continued() {
    let mut tty = Tty::start(80, 24);
    tty.shows("Nothing of your program").press("\x1a");
    tty.wait("left the screen", |seen| !seen.screen.screen().alternate_screen());
    tty.is_stopped();
    tty.signal("CONT");
    tty.wait("back on the screen", |seen| seen.screen.screen().alternate_screen());
    tty.press("n").shows("line 6 of").press("n").shows("line 14 of").press("qy");
    assert_eq!(tty.ends(), 0);
    tty.is_given_back();
}

#[test]
fn a_terminal_that_closes_ends_it() {
    let mut tty = Tty::start(80, 24);
    tty.shows("foretrace");
    tty.writer = Box::new(std::io::sink());
    // The last descriptor of our side is the reader's; it ends with the hang-up.
    drop(tty.master.take());
    tty.signal("HUP");
    assert_eq!(tty.ends(), 129);
}

#[test]
#[cfg(target_os = "linux")]
fn an_idle_screen_uses_no_time() {
    let mut tty = Tty::start(80, 24);
    tty.shows("Nothing of your program").press("n").shows("line 6 of");
    let stat = format!("/proc/{}/stat", tty.child.process_id().expect("it runs"));
    let ticks = || {
        let stat = std::fs::read_to_string(&stat).expect("Linux");
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or("").split_whitespace().collect();
        fields[11].parse::<u64>().expect("utime") + fields[12].parse::<u64>().expect("stime")
    };
    // Colours may still be on their way: idle is when nothing was used for a while.
    let settled = |tty: &mut Tty| {
        let before = ticks();
        std::thread::sleep(Duration::from_millis(500));
        let _ = tty;
        ticks() == before
    };
    assert!((0..40).any(|_| settled(&mut tty)), "it never rests");
    let before = ticks();
    std::thread::sleep(Duration::from_secs(1));
    assert!(ticks() - before <= 1, "{} ticks in a second of rest", ticks() - before);
    tty.press("qy");
    tty.ends();
}

#[test]
fn without_a_terminal_it_says_what_to_do() {
    let mut command = assert_cmd::Command::cargo_bin("foretrace").expect("built");
    let done = command.args(["sample_programs/gcd.py"]).assert().failure().code(2);
    let error = String::from_utf8_lossy(&done.get_output().stderr).into_owned();
    assert!(error.contains("needs a terminal") && error.contains("foretrace predict"), "{error}");
    assert_eq!(error.trim_end().lines().count(), 1);
}
