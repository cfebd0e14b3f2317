# What a program reads from its standard input while a person sits in front of it.

import io
import json
import os

PROMPT = 1000  # characters of output that are kept to find the prompt in


class Talk:
    """Two pipes between the server and a program's process, which asks by one and hears by the other.

    The program's process has no other way to hear: foretrace's socket is the server's to read.
    Both keep all four ends, so that none of them is ever closed while the program runs."""

    def __init__(self):
        self.asked, self.ask = os.pipe()
        self.heard, self.tell = os.pipe()

    def close(self):
        for fd in (self.asked, self.ask, self.heard, self.tell):
            os.close(fd)


class Asked(io.RawIOBase):
    """Standard input, a line at a time. No clock counts while a person thinks; once the input has
    ended it stays so, as that of a pipe does."""

    name, mode = "<stdin>", "rb"

    def __init__(self, recorder, printed, talk):
        self.recorder, self.printed, self.talk = recorder, printed, talk
        self.rest, self.over = b"", False

    def readable(self):
        return True

    def fileno(self):
        return 0

    def readinto(self, buffer):
        self.rest = self.rest or self.line()
        size = min(len(buffer), len(self.rest))
        buffer[:size], self.rest = self.rest[:size], self.rest[size:]
        return size

    def line(self):
        recorder, channel = self.recorder, self.recorder.channel
        # Lines are the main thread's, and a fork has none; a __repr__ runs because of us.
        alone = channel.fd < 0 or get_ident() != recorder.main or recorder.print.busy
        if self.over or recorder.over or alone:
            return b""
        begun = monotonic()
        os.write(self.talk.ask, b"?")  # before the question: the server's clock stops first
        channel.send('{"ask":{"prompt":%s}}\n' % quote(self.printed.prompt()))
        channel.flush()
        answer = b""
        while not answer.endswith(b"\n"):
            answer += os.read(self.talk.heard, 1 << 16)
        text = json.loads(answer)["answer"]
        recorder.deadline += monotonic() - begun
        self.over = text is None
        return b"" if self.over else text.encode("utf-8", "surrogateescape") + b"\n"
