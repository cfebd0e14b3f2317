"""Repository traces: real code by people, called as its own tests call it.

    python training/repositories --out repo.jsonl
    python training/repositories --out repo-held.jsonl --held

`packages.txt` names pinned packages with permissive licences, `held_out.txt` those that no
model learns from. For each: its source and its tests are downloaded, the tests run once under
a profile hook (`hook`), calls with literal arguments are kept, the module is cut down to a
program that stands alone (`cut`, `call`), and the program is run on its own to see that it
still gives what the tests saw (`check`). One JSON object a line, {"code", "entry", "family",
"source"}: what `foretrace trace --batch` takes.

Everything downloaded or harvested lives in the user's cache folder and is never committed.
"""
