# One program from start to end, in a process of its own.

import io
import os
import re
import sys
import types

RELATIVE = re.compile(r"^\s*from\s*\.", re.M)  # a relative import, or what looks like one

def limit(limits, channel):
    """Bounds of this process, where the system has them."""
    alone = limits["strict"] and unprivileged()
    why = isolate() if limits["strict"] and limits["filter"] else None
    if why is not None:
        channel.fail("tracer", "the network could not be blocked: %s" % why)
    try:
        import resource
    except ImportError:
        return
    # A backstop for a child whose parent is lost; the parent tells, and kills, before it.
    seconds = int(limits["seconds"]) + 10
    wanted = {"RLIMIT_CORE": 0, "RLIMIT_CPU": seconds}
    if limits["memory"]:
        wanted["RLIMIT_AS"] = limits["memory"]
    if limits["strict"]:
        wanted.update({"RLIMIT_FSIZE": FILE_SIZE, "RLIMIT_NOFILE": FILES})
        if alone or limits["processes"]:
            wanted["RLIMIT_NPROC"] = PROCESSES if alone else limits["processes"]
    for name, most in wanted.items():
        try:
            kind = getattr(resource, name)
            hard = resource.getrlimit(kind)[1]
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(kind, (most, most))
        except (AttributeError, ValueError, OSError):
            pass


PROCESSES, FILES, FILE_SIZE = 64, 256, 64 << 20  # that a program may have; bytes


def unprivileged():
    """Where root runs this: goes on as a user of its own, who can read and write what root can.

    Root is not bound in the number of its processes. Tells whether that was done."""
    if sys.platform != "linux" or os.geteuid():
        return False
    import ctypes
    import struct

    libc = ctypes.CDLL(None)
    files = (1, 2, 3)  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_FOWNER; Landlock is above them
    bits = sum(1 << number for number in files)
    libc.prctl(8, 1, 0, 0, 0)  # PR_SET_KEEPCAPS
    for user in (0x7F000000 + os.getpid(), 65534):  # nobody else's; or nobody, where there are few
        try:
            os.setresuid(user, user, user)
            break
        except OSError:
            pass
    else:
        return False
    libc.capset(struct.pack("Ii", 0x20080522, 0), struct.pack("IIIIII", bits, bits, bits, 0, 0, 0))
    for number in files:
        libc.prctl(47, 2, number, 0, 0)  # PR_CAP_AMBIENT, for what it starts
    libc.prctl(4, 1, 0, 0, 0)  # PR_SET_DUMPABLE
    libc.prctl(1, 9, 0, 0, 0)  # PR_SET_PDEATHSIG, SIGKILL: forgotten with the user
    return True


# Architecture as seccomp names it, the number of socketpair(2), and what is refused whole: socket and
# io_uring_setup; ptrace, process_vm_readv and _writev; unshare, mount, bpf and perf_event_open; and what
# changes a file's mode, owner, times or attributes, which Landlock leaves open.
NEWER = (425, 452, 463, 466)  # io_uring_setup, fchmodat2, setxattrat, removexattrat: the same everywhere
SYSTEM_CALLS = {
    "x86_64": (0xC000003E, 53, NEWER + (
        41, 101, 310, 311, 272, 165, 321, 298,
        90, 91, 92, 93, 94, 132, 188, 189, 190, 197, 198, 199, 235, 260, 261, 268, 280)),
    "aarch64": (0xC00000B7, 199, NEWER + (
        198, 117, 270, 271, 97, 40, 280, 241, 5, 6, 7, 14, 15, 16, 52, 53, 54, 55, 88)),
}  # fmt: skip


def isolate():
    """Refuses what Landlock leaves open: sockets, except connected pairs (an unconnected local
    one could reach any service of the machine by its path); other processes; modes of files.

    Linux only; tells why not, if not."""
    numbers = SYSTEM_CALLS.get(os.uname().machine) if sys.platform == "linux" else None
    if numbers is None or sys.maxsize < 1 << 32:
        return None
    import ctypes
    import struct

    architecture, pair, refused = numbers
    load, mask, equal, above, give = 0x20, 0x54, 0x15, 0x35, 0x06
    allow, refuse = 0x7FFF0000, 0x00050000 | 13  # SECCOMP_RET_ALLOW, SECCOMP_RET_ERRNO | EACCES
    many = len(refused)  # jumps count the rules passed over; the last rule refuses
    rules = [(load, 0, 0, 4), (equal, 0, many + 7, architecture), (load, 0, 0, 0), (above, many + 5, 0, 0x40000000)]
    rules += [(equal, many + 4 - index, 0, number) for index, number in enumerate(refused)]
    rules += [
        (equal, 0, 3, pair), (load, 0, 0, 24), (mask, 0, 0, 15), (equal, 0, 1, 1),  # SOCK_STREAM
        (give, 0, 0, allow), (give, 0, 0, refuse),
    ]  # fmt: skip
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *rule) for rule in rules))
    program = struct.pack("HxxxxxxP", len(rules), ctypes.addressof(code))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, ctypes.create_string_buffer(program), 0, 0):
        return os.strerror(ctypes.get_errno())  # PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP
    return None


def forked(recorder):
    """In a child that the program forks: it goes on unrecorded."""
    settrace(None)
    os.close(recorder.channel.fd)
    recorder.channel.fd = -1
    recorder.channel.page = bytearray(PAGE)  # the other is the recorded process's


def run(request, channel, talk):
    """Records one program, in a process of its own, and ends that process."""
    limits = request["limits"]
    channel.most = limits["bytes"]
    channel.sent = 0
    recorder = Recorder(channel, request)
    file = request["files"][0]
    try:
        code = compile(file["text"], file["path"], "exec", dont_inherit=True)
    except SyntaxError as error:
        channel.fail("syntax", "%s:%s: %s" % (file["name"], error.lineno, error.msg))
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        why = str(error) or "it is nested more deeply than CPython can read"
        channel.fail("syntax", "%s: %s" % (file["name"], why))
    room = [limits["output"]]
    printed = Output(recorder, 1, room)
    sys.stdout = sys.__stdout__ = text_of(printed)
    sys.stderr = sys.__stderr__ = text_of(Output(recorder, 2, room))
    module = request.get("module")  # as `python -m` names it
    sys.argv = [file["path"] if module else file["name"]] + request["argv"]
    sys.path[0] = request["path"]
    os.chdir(request["cwd"])
    if request.get("stdin") is not None:
        give(request["stdin"])
    elif talk is not None:
        read = io.BufferedReader(Asked(recorder, printed, talk))
        sys.stdin = sys.__stdin__ = io.TextIOWrapper(read, "utf-8", "surrogateescape")
    os.register_at_fork(after_in_parent=recorder.forked, after_in_child=lambda: forked(recorder))
    count_threads(recorder)
    sys.settrace, sys.setprofile = ignored(recorder, "settrace"), ignored(recorder, "setprofile")
    recursion(recorder)
    if any("random" in file["text"] for file in request["files"]):
        import random

        random.seed(request["seed"])
    limit(limits, channel)
    entry = request["entry"]
    name = "__main__"
    if entry["kind"] != "module":
        name = os.path.splitext(os.path.basename(file["path"]))[0]
        if not name.isidentifier() or name in sys.modules:
            name = "program"
    here = types.ModuleType(name)
    here.__file__ = file["path"]
    here.__builtins__ = __builtins__
    sys.modules[name] = here
    if name != "__main__":
        sys.modules["__main__"] = types.ModuleType("__main__")
    names = here.__dict__
    if module:
        from importlib.util import spec_from_file_location

        names["__spec__"] = spec_from_file_location(module, file["path"])
        join(recorder, request["package"], names)
    elif request.get("package") and RELATIVE.search(file["text"]):
        sys.path.append(request["path"])
        join(recorder, request["package"], names)
    if entry["kind"] == "module":
        error = guarded(recorder, lambda: exec(code, names))
    else:
        error = {"call": call, "at": at}[entry["kind"]](recorder, entry, code, names)
    ending(recorder, error)


def give(text):
    """What the program will read from its standard input."""
    path = os.path.join(os.environ.get("TMPDIR") or ".", "stdin")
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
    os.unlink(path)
    data = text.encode("utf-8")
    while data:
        data = data[os.write(fd, data) :]
    os.lseek(fd, 0, os.SEEK_SET)
    os.dup2(fd, 0)
    os.close(fd)
    sys.stdin = sys.__stdin__ = io.TextIOWrapper(io.FileIO(0, closefd=False), "utf-8", "surrogateescape")


def join(recorder, package, names):
    """Makes the module one of its package, as `python -m` does, for its relative imports."""
    sys.path[0] = package["root"]
    names["__package__"] = package["name"]
    try:
        if package["name"]:
            __import__(package["name"])
    except BaseException as error:
        recorder.channel.fail("entry", "the package %s cannot be imported: %s" % (package["name"], told(error)))


def count_threads(recorder):
    """Other threads are not observed; how many there were is told."""
    import _thread

    def counted(real):
        def start(*args, **more):
            recorder.threads += 1
            return real(*args, **more)

        return start

    threads = sys.modules.get("threading")
    for name in ("start_new_thread", "start_new", "start_joinable_thread"):
        real = getattr(_thread, name, None)
        if real is not None:
            setattr(_thread, name, counted(real))
            if hasattr(threads, "_" + name):
                setattr(threads, "_" + name, getattr(_thread, name))


def ignored(recorder, name):
    """The program's own `sys.settrace` would end the recording: that is noted, and all."""

    def replaced(function):
        if function is not None:
            recorder.notes.append("the program's own sys.%s was ignored" % name)

    return replaced


def recursion(recorder):
    """The program sees its own recursion limit; the real one has room for the observer."""
    real = sys.setrecursionlimit

    def setrecursionlimit(limit):
        if not isinstance(limit, int) or limit < 1:
            return real(limit)
        real(limit * C_CALLS + recorder.base + HEADROOM)
        recorder.deepest = limit

    sys.setrecursionlimit = setrecursionlimit
    sys.getrecursionlimit = lambda: recorder.deepest
    setrecursionlimit(recorder.deepest)


def guarded(recorder, body):
    """Runs with recording on; the exception that left it, if any."""
    frame = sys._getframe()
    while frame is not None:
        recorder.base += 1
        frame = frame.f_back
    recorder.base += 1  # the body that is called here
    try:
        settrace(recorder.call)
        body()
    except BaseException as error:
        return error
    finally:
        lost = sys.gettrace() is None and recorder.ended is None
        settrace(None)
        if lost:
            recorder.cut("stopped: the recursion was too deep to observe")
    return None


def load(recorder, code, names, what):
    """Runs the module body, unrecorded."""
    try:
        exec(code, names)
    except BaseException as error:
        line = where(error, code.co_filename)
        recorder.channel.fail("entry", "the module raised %s%s before %s" % (told(error), line, what))


def at(recorder, entry, code, names):
    """A frame begun in its middle: its code is entered without arguments, then put at the line."""
    import ast

    fail, line, values = recorder.channel.fail, entry["line"], {}
    for name, text in entry["locals"]:
        try:
            values[name] = ast.literal_eval(text)
        except Exception:
            fail("entry", "%s = %s is no literal: CPython cannot start there" % (name, text))
    inner = innermost(code, line)
    if inner is None:
        fail("entry", "line %d has no code to start at" % line)
    recorder.single, recorder.jump, recorder.start_at = True, (line, values), {inner}
    recorder.unusual = True
    if inner is code:
        # The definitions and imports count as run, the rest does not.
        kept = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
        tree = ast.parse(entry["text"])
        tree.body = [node for node in tree.body if isinstance(node, kept)]
        load(recorder, compile(tree, code.co_filename, "exec", dont_inherit=True), names, "line %d" % line)
        return guarded(recorder, lambda: exec(code, names))
    load(recorder, code, names, "line %d" % line)
    bare = inner.co_flags & ~(4 | 8)  # no *args, no **kwargs
    inner = inner.replace(co_argcount=0, co_posonlyargcount=0, co_kwonlyargcount=0, co_flags=bare)
    recorder.start_at = {inner}
    cells = tuple(types.CellType(*[values[name]] if name in values else []) for name in inner.co_freevars)
    function = types.FunctionType(inner, names, inner.co_name, None, cells)
    return guarded(recorder, lambda: exhaust(recorder, function()))


def innermost(code, line):
    """The code object, deepest first, that has instructions of a line; never a class's body
    or a comprehension, which no one can enter."""
    import dis

    for inner in code.co_consts:
        if isinstance(inner, types.CodeType) and inner.co_flags & 1 and inner.co_name not in COMPREHENSIONS:
            found = innermost(inner, line)
            if found is not None:
                return found
        elif isinstance(inner, types.CodeType):
            found = innermost(inner, line)
            if found is not None and found is not inner:
                return found
    lines = {number for _, number in dis.findlinestarts(code)}
    return code if line in lines - {code.co_firstlineno} or code.co_name == "<module>" and line in lines else None


def exhaust(recorder, result):
    """Drives a generator or coroutine that has not been entered yet."""
    if recorder.start_at is None:
        return
    if isinstance(result, types.GeneratorType):
        for _ in result:
            pass
    elif isinstance(result, types.CoroutineType):
        import asyncio

        asyncio.run(result)


def call(recorder, entry, code, names):
    """The module body unrecorded, then a call recorded from the called function's frame on."""
    fail = recorder.channel.fail
    expression = entry["expression"]
    load(recorder, code, names, "%s could be called" % expression)
    try:
        body = compile(expression.strip(), "<entry>", "eval", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        fail("entry", "%s is not a Python expression: %s" % (expression, error))
    try:
        recorder.start_at = codes_of(entry["function"], names)
    except BaseException as error:
        fail("entry", "%s: %s" % (entry["function"], told(error)))
    recorder.single = True

    error = guarded(recorder, lambda: exhaust(recorder, eval(body, names)))
    if recorder.start_at is not None:
        why = told(error) if error is not None else "no function of the program was entered"
        fail("entry", "%s: %s" % (expression, why))
    return error


def codes_of(function, names):
    """The code objects that calling `function` may enter, through wrappers and classes."""
    value = eval(compile(function.strip(), "<entry>", "eval"), names)
    found = set()
    for _ in range(20):
        if isinstance(value, type):
            maker = value.__dict__.get("__init__") or value.__init__
            value = maker if hasattr(maker, "__code__") else value.__new__
        value = getattr(value, "__func__", value)
        code = getattr(value, "__code__", None)
        if isinstance(code, types.CodeType):
            last = function.strip().rpartition(".")[2]
            found = {code} if code.co_name == last else found | {code}
        if not hasattr(value, "__wrapped__"):
            break
        value = value.__wrapped__
    return found


def told(error):
    return "%s: %s" % (type(error).__name__, error) if str(error) else type(error).__name__


def where(error, path):
    line, trail = None, error.__traceback__
    while trail is not None:
        if trail.tb_frame.f_code.co_filename == path:
            line = trail.tb_lineno
        trail = trail.tb_next
    return " at line %d" % line if line else ""


def ending(recorder, error):
    """Tells how the program ended, then what CPython does at its end."""
    exit, note = recorder.ended or "normal", ""
    if isinstance(error, SystemExit):
        quiet = error.code is None or error.code == 0
        exit = recorder.ended and exit if quiet and recorder.ended == "normal" else ("normal" if quiet else "error")
        note = "" if quiet else "exit code %s" % recorder.print.text(error.code)
    elif error is not None and recorder.ended != "normal":
        exit = "error"
    if error is not None and exit == "error" and not isinstance(error, SystemExit):
        trail = error.__traceback__
        while trail is not None and trail.tb_frame.f_code.co_filename in ("<string>", "<entry>"):
            trail = trail.tb_next
        try:
            sys.excepthook(type(error), error.with_traceback(trail), trail)
        except BaseException:
            pass
    elif isinstance(error, SystemExit) and error.code is not None and not isinstance(error.code, int):
        print(error.code, file=sys.stderr)
    recorder.finish(exit, note, error)
    try:
        import atexit

        atexit._run_exitfuncs()
        sys.stdout.flush()
    finally:
        recorder.channel.leave()
