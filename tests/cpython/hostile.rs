//! No program makes a recording hang or fail; each end is a word and one line.

use crate::support::{options, pythons, record, text};
use foretrace::cpython::{self, Python};
use foretrace::trace::{Exit, Recording};
use std::os::unix::fs::PermissionsExt as _;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

fn output(recording: &Recording) -> String {
    recording.output.iter().map(|output| output.text.as_str()).collect()
}

/// With bounds of two seconds.
fn quickly(python: &Python, source: &str) -> Recording {
    let mut options = options(python);
    options.limits.seconds = 2.0;
    options.limits.events = 500;
    let begun = Instant::now();
    let recording = cpython::record(&text(source), &options, &[], &AtomicBool::new(false))
        .unwrap_or_else(|error| panic!("{source}: {error}"));
    assert!(begun.elapsed() < Duration::from_secs(30), "{source} took {:?}", begun.elapsed());
    recording
}

#[test]
fn every_end_is_told() {
    let python = &pythons()[0];
    for (source, exit, note) in [
        ("while True:\n    x = 1\n", Exit::Cut, "stopped after 500 states"),
        ("x = 1\nsum(iter(int, 1))\n", Exit::Cut, "stopped after 2 seconds"),
        ("import time\ntime.sleep(100)\n", Exit::Cut, "stopped after 2 seconds"),
        ("print('x' * 10 ** 8)\n", Exit::Cut, "stopped: the program printed too much"),
        (
            "import os\nos.write(1, b'x' * 10 ** 8)\n",
            Exit::Cut,
            "stopped: the program printed too much",
        ),
        (
            "import os\nos._exit(3)\n",
            Exit::Cut,
            "the program ended its process itself, with exit code 3",
        ),
        (
            "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n",
            Exit::Cut,
            "the program was killed by signal 9 (SIGKILL)",
        ),
        (
            "import os, signal\ntry: os.kill(os.getppid(), signal.SIGKILL)\nexcept OSError: pass\nwhile True: pass\n",
            Exit::Cut,
            "",
        ),
        (
            "import ctypes\nctypes.string_at(0)\n",
            Exit::Cut,
            "the program was killed by signal 11 (SIGSEGV)",
        ),
        ("open('/etc/shadow').read()\n", Exit::Error, "refused"),
        ("import sys\nsys.exit()\n", Exit::Normal, ""),
        ("import sys\nsys.exit(0)\n", Exit::Normal, ""),
        ("import sys\nsys.exit('bad')\n", Exit::Error, "exit code 'bad'"),
        ("raise KeyboardInterrupt\n", Exit::Error, ""),
        ("input()\n", Exit::Error, ""),
        ("import sys\nx = sys.stdin.read()\n", Exit::Normal, ""),
        ("x = [0] * 10 ** 12\n", Exit::Error, "out of memory: it may have 4096 MB"),
        ("x = bytearray(10 ** 10)\n", Exit::Error, "out of memory: it may have 4096 MB"),
        ("while True: pass\n", Exit::Cut, "stopped after "),
        ("while True: print('again')\n", Exit::Cut, "stopped after 500 states"),
        ("[print('again') for _ in iter(int, 1)]\n", Exit::Cut, "stopped"),
        ("import sys\nsys.settrace(None)\nx = 1\n", Exit::Normal, ""),
        (
            "import sys\nsys.settrace(print)\nx = 1\n",
            Exit::Normal,
            "the program's own sys.settrace was ignored",
        ),
        (
            "import os\nfor fd in range(3, 50):\n    try: os.close(fd)\n    except OSError: pass\nx = 1\n",
            Exit::Cut,
            "",
        ),
        (
            "import os\nfor fd in range(3, 50):\n    try: os.write(fd, b'junk\\n{\"state\":1}\\n')\n    except OSError: pass\nx = 1\n",
            Exit::Normal,
            "",
        ),
        ("import gc, sys\nsys.stdout = None\nprint('nowhere')\n", Exit::Normal, ""),
        ("import atexit\natexit.register(lambda: 1 / 0)\n", Exit::Normal, ""),
        ("import atexit, time\natexit.register(time.sleep, 100)\nx = 1\n", Exit::Normal, ""),
        (
            "import threading, time\nthreading.Thread(target=time.sleep, args=(100,)).start()\n",
            Exit::Normal,
            "1 thread is not recorded",
        ),
        ("", Exit::Normal, ""),
        ("# nothing", Exit::Normal, ""),
    ] {
        let recording = quickly(python, source);
        let found = (recording.tree.exit(), recording.note.as_str());
        let told = note.is_empty() || found.1.contains(note);
        assert!(found.0 == exit && told && !found.1.contains('\n'), "{source}: {found:?}");
    }
}

/// What a limit or the sandbox stops is told in one line that says what stopped it, and the
/// next program is recorded as if nothing had been.
#[cfg(target_os = "linux")]
#[test]
fn what_stops_a_program_is_told() {
    let python = &pythons()[0];
    let protection = cpython::describe(&options(python)).expect("a description");
    if !protection.contains(" sandboxed: no writes") {
        eprintln!("not all of it is here: {protection}");
        return;
    }
    let home = std::env::var("HOME").expect("a home");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("main.py");
    let lifts = "(--trust lifts the sandbox)";
    for (source, exit, note) in [
        // A bomb that counts, so that a sandbox without that limit does not take the machine down.
        (
            "import os, time\nfor n in range(300):\n    if not os.fork():\n        time.sleep(2)\n        os._exit(0)\n",
            Exit::Error,
            "refused: it may have 64 processes and threads".to_owned(),
        ),
        (
            "import threading, time\nfor n in range(300):\n    threading.Thread(target=time.sleep, args=(2,)).start()\n",
            Exit::Error,
            "threads are not recorded".to_owned(),
        ),
        (
            &format!("import os\nkeys = os.listdir('{home}')\n"),
            Exit::Error,
            format!("refused, by the sandbox or the system: '{home}' {lifts}"),
        ),
        (
            "import socket\nsocket.create_connection(('127.0.0.1', 9))\n",
            Exit::Error,
            format!("refused, by the sandbox or the system: a system call {lifts}"),
        ),
        (
            "import socket\nsocket.socket(socket.AF_UNIX).connect('/run/any')\n",
            Exit::Error,
            format!("refused, by the sandbox or the system: a system call {lifts}"),
        ),
        (
            "import os, shutil\nshutil.rmtree(os.path.dirname(__file__))\n",
            Exit::Error,
            format!("main.py' {lifts}"), // a name alone, where it works by descriptors
        ),
        (
            "open('/tmp/left-behind', 'w')\n",
            Exit::Error,
            format!("refused, by the sandbox or the system: '/tmp/left-behind' {lifts}"),
        ),
        (
            "import tempfile\nwith tempfile.TemporaryFile() as f:\n    for _ in range(100):\n        f.write(b'x' * 10 ** 6)\n",
            Exit::Error,
            "refused: a file may have 64 MB".to_owned(),
        ),
        (
            "files = [open(__file__) for _ in range(300)]\n",
            Exit::Error,
            "refused: it may have 256 files open".to_owned(),
        ),
        ("x = 1\n", Exit::Normal, String::new()),
    ] {
        std::fs::write(&path, source).expect("written");
        let recording = record(python, &crate::support::file(&path));
        let found = (recording.tree.exit(), recording.note.as_str());
        assert!(found.0 == exit && found.1.contains(&note), "{source}: {found:?}, not {note}");
        assert!(!found.1.contains('\n') && (found.1.is_empty() == note.is_empty()), "{found:?}");
        assert!(path.exists(), "{source} deleted the program");
    }
}

#[test]
fn threads_and_forked_processes_are_counted_and_handlers_of_signals_recorded() {
    let source = "
import os, signal, threading
heard = []
def handler(number, frame):
    heard.append(number)
def other(n):
    m = n
signal.signal(signal.SIGTERM, handler)
signal.raise_signal(signal.SIGTERM)
for n in range(2):
    thread = threading.Thread(target=other, args=(n,))
    thread.start()
    thread.join()
child = os.fork()
if not child:
    other(2)
    os._exit(0)
os.waitpid(child, 0)
";
    for python in pythons() {
        let recording = record(&python, &text(source));
        assert_eq!(recording.note, "2 threads are not recorded; 1 forked process is not recorded");
        let rows = crate::support::rows(&recording);
        let calls: Vec<_> = rows.iter().filter(|row| row.starts_with("  call")).collect();
        assert!(
            calls.len() == 1 && calls[0].starts_with("  call 4 handler number=15"),
            "{calls:?}"
        );
        assert!(rows.iter().any(|row| row.ends_with("line 10 heard=[15]")), "{rows:#?}");
    }
}

#[test]
fn states_before_a_sudden_end_are_kept() {
    let python = &pythons()[0];
    for end in ["import os; os._exit(0)", "import os; os.abort()", "sum(iter(int, 1))"] {
        let recording = quickly(python, &format!("a = 1\nb = 2\n{end}\n"));
        let last = recording.tree.state(recording.tree.len() as u32 - 1);
        assert_eq!(last.loc.line, 3, "{end}");
        assert_eq!(last.locals.and_then(|l| l.get("b").cloned()), Some("2".into()), "{end}");
    }
}

#[test]
fn recursion_to_the_limit_is_seen_whole() {
    for python in pythons() {
        let source = "
def down(n):
    return down(n + 1)
try:
    down(0)
except RecursionError as error:
    told = str(error)
after = 1
";
        let recording = record(&python, &text(source));
        assert_eq!(recording.tree.exit(), Exit::Normal, "{} {}", python.version(), recording.note);
        let deepest = (0..recording.tree.len() as u32).map(|n| recording.tree.depth(n)).max();
        assert!(
            (900..=1000).contains(&deepest.unwrap_or(0)),
            "{deepest:?} on {}",
            python.version()
        );
        let last = recording.tree.state(recording.tree.len() as u32 - 1);
        let told = last.locals.and_then(|l| l.get("told").cloned()).expect("told");
        assert!(told.text().contains("maximum recursion depth exceeded"), "{told}");
    }
}

#[test]
fn recursion_through_methods_operators_and_libraries_does_not_end_the_observation() {
    for python in pythons() {
        for source in [
            "class A:\n    def __eq__(self, other):\n        return self == other\ntry:\n    A() == A()\nexcept RecursionError:\n    ok = 1\n",
            "class A:\n    def __getattr__(self, name):\n        return getattr(self, name + 'x')\ntry:\n    A().b\nexcept RecursionError:\n    ok = 1\n",
            "import functools\n@functools.lru_cache(None)\ndef f(n):\n    return f(n + 1)\ntry:\n    f(0)\nexcept RecursionError:\n    ok = 1\n",
            "def f(n):\n    return sorted([n], key=f)\ntry:\n    f(0)\nexcept RecursionError:\n    ok = 1\n",
            "import copy\nx = []\nfor _ in range(3000): x = [x]\ntry:\n    copy.deepcopy(x)\nexcept RecursionError:\n    ok = 1\n",
        ] {
            let recording = record(&python, &text(source));
            let last = recording.tree.state(recording.tree.len() as u32 - 1);
            let ok = last.locals.is_some_and(|locals| locals.get("ok").is_some());
            let end = (recording.tree.exit(), &recording.note);
            assert!(
                ok || recording.tree.exit() == Exit::Cut,
                "{source} on {}: {end:?}",
                python.version()
            );
        }
    }
}

#[test]
fn what_a_program_prints_is_kept_in_order_with_the_states() {
    let python = &pythons()[0];
    let source = "
import os, sys
print('one', end='')
sys.stderr.write('two\\n')
sys.stdout.buffer.write(b'\\xff\\n')
os.write(1, b'three\\n')
os.system('echo four')
";
    let recording = record(python, &text(source));
    let text = output(&recording);
    for part in ["one", "two\n", "\\xff\n", "three\n", "four\n"] {
        assert!(text.contains(part), "{part} is not in {text:?}");
    }
    // What goes through sys.stdout is in exact order; what bypasses it comes when it comes.
    let place = |text: &str| {
        let found = recording.output.iter().find(|output| output.text == text);
        found.map(|output| (output.after, output.stream.as_str()))
    };
    assert_eq!(place("one"), Some((3, "stdout")));
    assert_eq!(place("two\n"), Some((4, "stderr")));
}

#[test]
fn an_uncaught_exception_is_on_stderr_without_the_tracer() {
    for python in pythons() {
        let recording = record(&python, &text("def f():\n    1 / 0\nf()\n"));
        let text = output(&recording);
        assert!(text.starts_with("Traceback (most recent call last):\n"), "{text}");
        assert!(text.ends_with("ZeroDivisionError: division by zero\n"), "{text}");
        assert!(!text.contains("<string>") && !text.contains("guarded"), "{text}");
        assert_eq!(text.matches("line ").count(), 2, "{text}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_sandbox_keeps_the_machine_safe() {
    let python = &pythons()[0];
    let protection = cpython::describe(&options(python)).expect("a description");
    if !protection.contains(" sandboxed: no writes") {
        eprintln!("not all of it is here: {protection}");
        return;
    }
    let outside = tempfile::tempdir().expect("a folder");
    let victim = outside.path().join("victim");
    std::fs::write(&victim, "alive").expect("written");
    let mode = std::fs::metadata(&victim).expect("written").permissions().mode() & 0o777;
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let home = std::env::var("HOME").expect("a home");
    let source = format!(
        "
import ctypes, os, shutil, socket, subprocess, tempfile
fine = socket.socketpair()
refused = []
def attempt(name, f):
    try:
        f()
    except OSError:
        refused.append(name)
def trace(pid):
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.ptrace(16, pid, 0, 0):
        raise OSError(ctypes.get_errno(), 'no')
attempt('delete', lambda: os.remove({victim:?}))
attempt('write', lambda: open({victim:?}, 'w'))
attempt('tree', lambda: shutil.rmtree({folder:?}))
attempt('home', lambda: os.listdir({home:?}))
attempt('tcp', lambda: socket.create_connection(('127.0.0.1', {port}), 1))
attempt('udp', lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
attempt('local', lambda: socket.socket(socket.AF_UNIX))
attempt('local pair', lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM))
attempt('raw', lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW))
attempt('trace', lambda: trace({parent}))
attempt('mode', lambda: os.chmod({victim:?}, 0))
attempt('own mode', lambda: os.chmod(__file__, 0))
attempt('times', lambda: os.utime({victim:?}, (0, 0)))
attempt('owner', lambda: os.chown({victim:?}, 1, 1))
attempt('attribute', lambda: os.setxattr({victim:?}, 'user.x', b'1'))
attempt('environment', lambda: open('/proc/{parent}/environ').close())
attempt('command line', lambda: open('/proc/{parent}/cmdline').close())
attempt('processes', lambda: os.listdir('/proc'))
attempt('kill', lambda: os.kill({parent}, 0))
attempt('by another', lambda: subprocess.run(['touch', {victim:?}], check=True, stderr=-3))
with tempfile.TemporaryFile() as file:
    file.write(b'fine')
",
        folder = outside.path(),
        parent = std::process::id(),
    )
    .replace("touch', ", "rm', ");
    let recording = record(python, &text(&source));
    let last = recording.tree.state(recording.tree.len() as u32 - 1);
    let refused = last.locals.and_then(|l| l.get("refused").cloned()).map(|v| v.to_string());
    let wanted = "['delete', 'write', 'tree', 'home', 'tcp', 'udp', 'local', 'local pair', \
                  'raw', 'trace', 'mode', 'own mode', \
                  'times', 'owner', 'attribute', 'environment', 'command line', 'processes', \
                  'kill']";
    assert_eq!(recording.tree.exit(), Exit::Error, "rm was refused: {}", output(&recording));
    assert_eq!(refused.as_deref(), Some(wanted));
    assert_eq!(std::fs::read_to_string(&victim).expect("still there"), "alive");
    let kept = std::fs::metadata(&victim).expect("still there");
    assert_eq!(kept.permissions().mode() & 0o777, mode);
}

#[cfg(target_os = "linux")]
#[test]
fn processes_that_a_program_leaves_behind_are_ended() {
    let python = &pythons()[0];
    let mark = format!("{}", 40_000 + std::process::id() % 10_000);
    let source = format!(
        "
import os, subprocess
if os.fork() == 0:
    os.setsid()
    os.execvp('sleep', ['sleep', '{mark}'])
subprocess.Popen(['sleep', '{mark}'], start_new_session=True)
x = 1
"
    );
    let recording = record(python, &text(&source));
    assert_eq!(recording.tree.exit(), Exit::Normal, "{}", recording.note);
    let left = std::fs::read_dir("/proc")
        .expect("/proc")
        .filter_map(|entry| std::fs::read(entry.ok()?.path().join("cmdline")).ok())
        .filter(|line| line.starts_with(format!("sleep\0{mark}").as_bytes()))
        .count();
    assert_eq!(left, 0);
}

#[test]
fn a_python_that_is_none_is_told() {
    let missing = Python::find(Some(std::path::Path::new("/nowhere/python"))).expect_err("none");
    assert_eq!(missing.to_string(), "--python: /nowhere/python was not found; name another");
    let other = Python::find(Some(std::path::Path::new("/bin/true"))).expect_err("none");
    assert!(other.to_string().contains("/bin/true is not a usable Python 3"), "{other}");
}
