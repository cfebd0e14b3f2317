# Lines to foretrace, and what the program prints among them.

import io
import json
import mmap
import os

PROTOCOL = 1

PAGE = 1 << 16


class Channel:
    """Lines of JSON to foretrace, counted.

    A program's lines are held in a page of memory shared with the server, which sends what
    is left there when the program's process is gone: nothing is lost however it dies, and
    a line costs no system call."""

    def __init__(self, fd):
        self.fd = fd
        self.page = mmap.mmap(-1, PAGE)  # the lines, then zeros
        self.used = 0
        self.most = 1 << 60
        self.sent = 0
        self.rest = b""

    def send(self, line):
        data = line.encode("ascii")
        end = self.used + len(data)
        if end >= PAGE:
            return self.put(data)
        self.page[self.used : end] = data
        self.used = end

    def put(self, data):
        """What does not fit behind what is held."""
        self.flush()
        if len(data) >= PAGE:
            self.sent += len(data)
            return self.write(data)
        self.page[: len(data)] = data
        self.used = len(data)

    def flush(self):
        if self.used:
            data, self.used = self.page[: self.used], 0
            self.sent += len(data)
            self.page[0] = 0  # what is on its way is not left behind
            self.write(data)
            self.page[: len(data)] = bytes(len(data))

    def left(self):
        """In the server: the whole lines that a program's process has left."""
        data = self.page[: self.page.find(b"\0")]
        self.page[: len(data)] = bytes(len(data))
        self.write(data[: data.rfind(b"\n") + 1])

    def write(self, data):
        try:
            while data and self.fd >= 0:
                data = data[os.write(self.fd, data) :]
        except OSError:  # foretrace is gone
            os._exit(1)

    def fail(self, kind, message):
        self.send(json.dumps({"fail": {"kind": kind, "message": message}}) + "\n")
        self.leave()

    def leave(self):
        self.flush()
        os._exit(0)

    def lines(self):
        while True:
            while b"\n" in self.rest:
                line, _, self.rest = self.rest.partition(b"\n")
                yield json.loads(line)
            if self.closed():
                return

    def closed(self):
        """Reads on; whether foretrace has gone."""
        try:
            data = os.read(self.fd, 1 << 16)
        except OSError:
            data = b""
        self.rest += data
        return not data


class Output(io.RawIOBase):
    """What Python code writes to stdout or stderr goes into the recording, in order with the
    states; what bypasses `sys.stdout` comes through the real descriptor."""

    def __init__(self, recorder, number, most):
        self.recorder, self.number, self.most = recorder, number, most
        self.name = "<stdout>" if number == 1 else "<stderr>"
        self.mode = "wb"
        self.tail = ""  # of what was written since the program last read a line

    def prompt(self):
        """What a person who is asked for a line has just been told; it is used up by that."""
        lines, self.tail = self.tail.strip().split("\n"), ""
        return lines[-1].strip()

    def writable(self):
        return True

    def fileno(self):
        return self.number

    def write(self, data):
        recorder = self.recorder
        size = memoryview(data).nbytes
        if not size:
            return 0
        if recorder.print.busy:  # a __repr__ that prints: that it runs is our doing
            return size
        if recorder.channel.fd < 0 or get_ident() != recorder.main:  # lines are the main thread's
            return os.write(self.number, data)
        self.most[0] -= size
        if self.most[0] < 0:
            recorder.cut("stopped: the program printed too much")
        text = bytes(data).decode("utf-8", "backslashreplace")
        self.tail = (self.tail + text)[-PROMPT:]
        stream = "stdout" if self.number == 1 else "stderr"
        recorder.channel.send('{"output":{"stream":"%s","text":%s}}\n' % (stream, quote(text)))
        return size


def text_of(raw):
    return io.TextIOWrapper(raw, "utf-8", "backslashreplace", "\n", write_through=True)
