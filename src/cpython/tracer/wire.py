# Lines to foretrace, and what the program prints among them.

import io
import json
import os

PROTOCOL = 1

class Channel:
    """Lines of JSON to foretrace, counted. `eager` sends each at once, so that nothing is lost
    however the program dies."""

    def __init__(self, fd):
        self.fd = fd
        self.eager = True
        self.most = 1 << 60
        self.sent = 0
        self.held = []
        self.size = 0
        self.rest = b""

    def send(self, line):
        self.sent += len(line)
        if self.eager:
            self.write(line.encode("ascii"))
            return
        self.held.append(line)
        self.size += len(line)
        if self.size > 32768:
            self.flush()

    def flush(self):
        data, self.held, self.size = "".join(self.held), [], 0
        self.write(data.encode("ascii"))

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
        if recorder.channel.fd < 0:
            return os.write(self.number, data)
        self.most[0] -= size
        if self.most[0] < 0:
            recorder.cut("stopped: the program printed too much")
        text = bytes(data).decode("utf-8", "backslashreplace")
        stream = "stdout" if self.number == 1 else "stderr"
        recorder.channel.send('{"output":{"stream":"%s","text":%s}}\n' % (stream, quote(text)))
        return size


def text_of(raw):
    return io.TextIOWrapper(raw, "utf-8", "backslashreplace", "\n", write_through=True)
