"""Checks the JSON that `foretrace predict --json` printed for a program.

    python3 tests/legal_output.py PROGRAM OUTPUT

Legal means: a header, then states whose event exists, whose line is a line of the program
and whose source is that line's text; or an exit. No answer may be malformed.
"""

import json
import sys

program, output = sys.argv[1:]
source = open(program, encoding="utf-8").read().splitlines()
rows = [json.loads(line) for line in open(output, encoding="utf-8")]
header, steps = rows[0], rows[1:]
assert header["kind"] == "header" and header["v"] == 1, header
assert steps, "no step was predicted"
for row in steps:
    assert row["kind"] in ("state", "exit"), f"{program}: {row}"
    if row["kind"] == "exit":
        assert row["exit"] in ("normal", "error", "never", "cut", "entry"), row
        continue
    assert row["event"] in ("call", "line", "line_after_call", "return", "exception"), row
    assert 1 <= row["line"] <= len(source), row
    assert row["source"] == source[row["line"] - 1], row
    assert row["confidence"] is None or 0 <= row["confidence"]["event"] <= 1, row
print(f"{program}: {len(steps)} steps, all legal")
