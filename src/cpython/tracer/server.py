# Descriptor 0 is a socket for requests and lines; 1 and 2 are the program's stdout and stderr.
# Each request is done by a fork, so that nothing of one program reaches the next.

import itertools
import json
import os
import signal
import sys
import time
from select import select

def evaluate(request, channel):
    """An expression over values read from their text: no code of the program."""
    limit(request["limits"], channel)
    try:
        names = {name: known(name, text) for name, text in request["locals"]}
        # twice: what eval adds to the globals is no variable, and is not to be among locals()
        value = eval(compile(request["expression"].strip(), "<expression>", "eval"), names, dict(names))
        text, error = Answer(request["value_chars"]).text(value), None
    except Unknown as caught:
        text, error = None, str(caught)
    except BaseException as caught:
        text, error = None, told(caught)
    channel.send(json.dumps({"value": {"text": text, "error": error}}) + "\n")
    channel.leave()


def outline(request, channel):
    """A file's outline: parsed, never executed."""
    limit(request["limits"], channel)
    script = {}
    exec(request["script"], script)
    try:
        parts = script["outline"](request["text"])
    except SyntaxError as error:
        channel.fail("syntax", "%s:%s: %s" % (request["name"], error.lineno, error.msg))
    except BaseException as error:
        channel.fail("syntax", "%s: %s" % (request["name"], told(error)))
    channel.send(json.dumps({"outline": parts}) + "\n")
    channel.leave()


def adopt():
    """On Linux: orphans of a program become ours, and a program dies with us."""
    try:
        import ctypes

        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
        return ctypes.CDLL(None).prctl
    except Exception:
        return None


def sweep(first):
    """Ends whatever a program, of this number, has left running: children of ours by now. There
    is no /proc here to list them, but they are younger than the program."""
    try:
        while True:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
            last = newest()
            numbers = [range(first, last)] if first < last else [range(first, 1 << 22), range(2, last)]
            for number in itertools.chain(*numbers):
                try:
                    os.waitid(os.P_PID, number, os.WEXITED | os.WNOHANG | os.WNOWAIT)
                    os.kill(number, signal.SIGKILL)
                except OSError:  # not ours, or gone
                    pass
            os.waitpid(-1, 0)
    except ChildProcessError:
        return


def newest():
    """The number of a process made now; the highest, where none can be made."""
    try:
        pid = os.fork()
    except OSError:
        return 1 << 22
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)
    return pid


class Ended:
    """Waits for a child, and ends it if foretrace goes."""

    def __init__(self):
        self.reader, self.writer = os.pipe()
        os.set_blocking(self.reader, False)
        os.set_blocking(self.writer, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self.writer)

    def forget(self):
        """In the child."""
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.close(self.reader)
        os.close(self.writer)

    def wait(self, pid, channel, seconds, talk):
        """The child's status; past the time it is ended, and `late`. What a person answers is
        passed on, and the time it took does not count."""
        deadline, self.late, asked = time.monotonic() + seconds, False, None
        ears = [channel.fd, self.reader] + ([talk.asked] if talk else [])
        while True:
            done, status = os.waitpid(pid, os.WNOHANG)
            if done:
                return status
            left = deadline - time.monotonic()
            if left <= 0 and not self.late and asked is None:
                self.late = True
                os.kill(pid, signal.SIGKILL)
            ready = select(ears, [], [], max(left, 1))[0]
            if self.reader in ready:
                os.read(self.reader, 1024)
            if talk and talk.asked in ready:
                os.read(talk.asked, 1024)
                asked = time.monotonic()
            if channel.fd in ready and channel.closed():
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
                sweep(pid)
                os._exit(1)
            while talk and b"\n" in channel.rest:
                line, _, channel.rest = channel.rest.partition(b"\n")
                os.write(talk.tell, line + b"\n")
                if asked is not None:
                    deadline, asked = deadline + time.monotonic() - asked, None


# What short programs import, loaded once for a whole batch.
WARM = ("collections", "contextlib", "copy", "dataclasses", "enum", "functools", "heapq", "itertools",
        "math", "operator", "random", "re", "string", "typing")  # fmt: skip


def tell(channel, what, **fields):
    channel.write((json.dumps({what: fields}) + "\n").encode("ascii"))


def serve():
    fd = os.dup(0)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    channel = Channel(fd)
    tell(channel, "hello", protocol=PROTOCOL, python=sys.version.split()[0].rstrip("+"))
    prctl = adopt() if sys.platform == "linux" else None
    ended = Ended()
    warm = False
    for request in channel.lines():
        if "answer" in request:  # to a program that did not wait for it
            continue
        talk = Talk() if request.get("ask") else None
        if not warm and request.get("warm"):
            warm = True
            for name in WARM:
                __import__(name)
        pid = os.fork()
        if pid == 0:
            ended.forget()
            if prctl:
                prctl(1, signal.SIGKILL, 0, 0, 0)  # PR_SET_PDEATHSIG
            if "expression" in request:
                evaluate(request, channel)
            elif "script" in request:
                outline(request, channel)
            else:
                run(request, channel, talk)
            os._exit(0)
        status = ended.wait(pid, channel, request["limits"]["seconds"] + 1, talk)
        if talk:
            talk.close()
        channel.left()
        if prctl:
            sweep(pid)
        death = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        code = os.WEXITSTATUS(status) if os.WIFEXITED(status) else 0
        channel.write(b"\n")  # the last line may have been cut short
        tell(channel, "done", signal=death, code=code, late=ended.late)


if __name__ == "__main__":
    serve()
