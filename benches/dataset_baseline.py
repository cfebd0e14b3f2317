"""Recordings to training documents in plain Python: what `benches/dataset.py` compares with.

    python3 benches/dataset_baseline.py compact|native OUT RECORDINGS.jsonl… [--window N]

`compact` is the serializer of the experiment that the compact dialect grew out of: the source
in tokens, identifiers in slots, states as changes, before each question the line and the values
it reads; `step_into` only. Its vocabulary is a little smaller than the dialect's, the work is
the same. `native` writes exactly what `foretrace dataset --dialect native` writes after the
program's lines. Prints one JSON object: documents, states, tokens (native: characters), seconds.
"""

import argparse
import ast
import functools
import json
import re
import time
from array import array

EVENTS = ["call", "resume", "line", "return", "yield", "exception"]
EXITS = ["normal", "error"]
SPECIAL = ["<ctx>", "<run>", "<seg>", "<end>", "<arg>", "<none>", "<id>", "<focus>", "<into>", "<other>"]
SPECIAL += [f"<{event}>" for event in EVENTS] + [f"<{exit}>" for exit in EXITS]
DEPTHS = [f"<D{i}>" for i in range(64)]
LINES = [f"<L{i}>" for i in range(1, 257)]
INDENTS = [f"<I{i}>" for i in range(8)]
SLOTS = [f"<n{i}>" for i in range(256)]
OPERATORS = "== != <= >= += -= *= /= %= //= // ** |= &=".split()
WORDS = """def return if elif else for while in not and or is break continue pass try except finally raise class del None True False self lambda
len max min abs sum sorted list range str int set tuple dict zip divmod enumerate reverse key append pop sort insert extend remove items keys values
get count find index upper lower title capitalize replace join strip split isdigit isalpha startswith endswith isupper islower add discard yield with as
ZeroDivisionError IndexError KeyError ValueError TypeError AttributeError Exception RecursionError NameError UnboundLocalError __init__ print""".split()
CHARACTERS = [chr(c) for c in range(32, 127)]
VOCABULARY = list(dict.fromkeys(SPECIAL + DEPTHS + LINES + INDENTS + OPERATORS + WORDS + SLOTS + CHARACTERS))
ID = {text: number for number, text in enumerate(VOCABULARY)}
OTHER = ID["<other>"]
PIECE = re.compile(r"f'(?:\\.|[^'\\])*'|'(?:\\.|[^'\\])*'|\"[^\"]*\"|[A-Za-z_]\w*|\d|//=|[<>=!*/+\-%|&]=|\*\*|//|\S")
NAME = re.compile(r"f'((?:\\.|[^'\\])*)'|'(?:\\.|[^'\\])*'|([A-Za-z_]\w*)")
SLOT = {}


def characters(text):
    return [ID.get(c, OTHER) for c in text]


@functools.lru_cache(200_000)
def encode(text):
    out = []
    for match in PIECE.finditer(text):
        word = match.group()
        if word[0] in "'\"":
            out += characters(word)
        elif word[:2] == "f'":
            out += characters("f'")
            for i, part in enumerate(re.split(r"[{}]", word[2:-1])):
                out += characters(part) if i % 2 == 0 else [ID["{"], *encode(part), ID["}"]]
            out.append(ID["'"])
        elif word in SLOT:
            out.append(SLOT[word])
        elif word in ID:
            out.append(ID[word])
        elif word[0].isalpha() or word[0] == "_":
            out += [ID["<id>"], *characters(word)]
        else:
            out += characters(word)
    return tuple(out)


def give_slots(lines):
    SLOT.clear()
    encode.cache_clear()
    for line in lines:
        for match in NAME.finditer(line):
            words = [match.group(2)]
            if match.group(1) is not None:
                words = re.findall(r"[A-Za-z_]\w*", " ".join(re.findall(r"\{(.*?)\}", match.group(1))))
            for word in words:
                if word and word not in SLOT and (word not in ID or len(word) == 1) and len(SLOT) < len(SLOTS):
                    SLOT[word] = ID[SLOTS[len(SLOT)]]


def reads(line):
    """The names that a source line reads."""
    text = line.strip()
    if text.startswith(("def ", "class ", "else", "try", "finally", "except", "break", "continue")):
        return []
    text = text[2:] if text.startswith("elif") else text
    text = text + " pass" if text.endswith(":") else text
    try:
        node = ast.parse(text[6:].strip() or "None" if text.startswith("return") else text).body[0]
    except SyntaxError:
        return []
    augmented = isinstance(node, ast.AugAssign)
    names = (x.id for x in ast.walk(node) if isinstance(x, ast.Name) and (augmented or isinstance(x.ctx, ast.Load)))
    return list(dict.fromkeys(names))


def runs(paths):
    """(program, states, exit) of each recorded program; a state is (event, depth, line,
    function, locals, argument)."""
    program, states, frames, depths = None, [], {}, []
    for path in paths:
        for text in open(path, encoding="utf-8"):
            record = json.loads(text)
            if "program" in record:
                program, states, frames, depths = record["program"], [], {}, []
            elif "state" in record:
                s = record["state"]
                frame = frames.get(s["frame"])
                if "function" in s:
                    parent = s.get("parent")
                    depth = 0 if parent is None else depths[parent] + 1
                    frame = frames[s["frame"]] = [depth, s["function"], frame[2] if frame else {}]
                variables = frame[2]
                if s.get("locals") is not None:
                    variables = s["locals"]
                elif "set" in s or "del" in s:
                    variables = {k: v for k, v in variables.items() if k not in s.get("del", ())}
                    variables.update(s.get("set", {}))
                frame[2] = variables
                depths.append(frame[0])
                states.append((s["event"], frame[0], s["line"], frame[1], variables, s.get("arg")))
            elif "end" in record and states:
                yield program, states, record["end"]["exit"]


def compact(program, states, exit, window):
    """Ids and mask of one document, and how many answers it holds."""
    lines = program["code"].split("\n")
    if len(lines) > len(LINES):
        return [], [], 0
    give_slots(lines)
    ids = [ID["<ctx>"]]
    for number, line in enumerate(lines):
        if line.strip():
            ids += [ID[LINES[number]], ID[INDENTS[(len(line) - len(line.lstrip())) // 4]], *encode(line.strip())]
    ids += [ID["<run>"], *encode(program["entry"] or "<module>"), ID["<seg>"]]
    if len(ids) > window * 5 // 8:
        return [], [], 0
    mask, shown, answers, present, read = [0] * len(ids), {}, 0, None, {}
    for state in states + [None]:
        before, answer = [], []
        if present is not None:
            event, depth, number, _, variables, _ = present
            if event == "line":
                line = lines[number - 1]
                if number not in read:
                    read[number] = reads(line)
                before += [ID["<focus>"], *encode(line.strip())]
                for name in read[number]:
                    if name in variables:
                        before += [ID[";"], *encode(name), ID["="], *encode(variables[name])]
            before.append(ID["<into>"])
        if state is None:
            if exit == "cut":
                break
            answer.append(ID[f"<{exit}>"])
        else:
            event, depth, number, _, variables, argument = state
            for deeper in [d for d in shown if d > depth]:
                del shown[deeper]
            if event == "call":
                shown.pop(depth, None)
            known = shown.get(depth, {})
            answer += [ID[f"<{event}>"], ID[DEPTHS[min(depth, 63)]], ID[LINES[number - 1]]]
            for name in known:
                if name not in variables:
                    answer += [*encode(name), ID["="], ID["<none>"], ID[";"]]
            for name, value in variables.items():
                if known.get(name) != value:
                    answer += [*encode(name), ID["="], *encode(value), ID[";"]]
            if argument is not None:
                answer += [ID["<arg>"], *encode(argument)]
            answer.append(ID["<end>"])
            shown[depth] = variables
        if len(ids) + len(before) + len(answer) > window:
            break
        ids += before + answer
        learn = 0 if present is None else 1
        mask += [0] * len(before) + [learn] * len(answer)
        answers += learn
        present = state
    return ids, mask, answers


SEPARATOR = {"call": "call", "resume": "call", "line": "line", "return": "return", "yield": "return", "exception": "exception"}


def native(program, states, exit):
    """Text after the program's lines, spans to learn, and how many answers it holds."""
    lines = program["code"].split("\n")
    out, spans, at = [], [], 0
    frames, last = [], None
    for state in states + [None]:
        if state is None:
            if exit == "cut":
                break
            text = f"<|exit_{exit}|><|trace_end|><|end_of_text|>"
        else:
            event, depth, number, function, variables, argument = state
            event = SEPARATOR[event]
            source = "<module>" if event == "call" and function == "<module>" else lines[number - 1]
            if event in ("return", "exception"):
                payload = json.dumps(argument)
            else:
                known = frames[depth] if event == "line" and last not in ("return", None) and depth < len(frames) else None
                pairs = {k: v for k, v in variables.items() if known is None or known.get(k) != v}
                payload = json.dumps({"..": "..", **pairs} if len(pairs) < len(variables) else pairs)
            text = f"<|{event}_sep|>" + (
                f"<|arg_sep|>{payload}<|src_sep|>{source}" if event == "line" else f"<|src_sep|>{source}<|arg_sep|>{payload}"
            )
            del frames[depth + 1 :]
            frames += [None] * (depth + 1 - len(frames))
            if event not in ("return", "exception"):
                frames[depth] = variables
        opening = "<|frame_sep|>" if last is None else "<|action_sep|><|step_into|><|frame_sep|>"
        out += [opening, text]
        at += len(opening)
        if last is not None:
            if spans and spans[-1][1] == at - len(opening):
                spans[-1][1] += len("<|action_sep|>")
            spans.append([at, at + len(text)])
        at += len(text)
        last = event if state else "exit"
    return "".join(out), spans, len(spans)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("dialect", choices=["compact", "native"])
    p.add_argument("out")
    p.add_argument("recordings", nargs="+")
    p.add_argument("--window", type=int, default=512)
    a = p.parse_args()
    start = time.perf_counter()
    documents = answers = tokens = 0
    with open(a.out + ".ids", "wb") as ids_file, open(a.out + ".mask", "wb") as mask_file, open(a.out + ".jsonl", "w") as text_file:
        for program, states, exit in runs(a.recordings):
            if a.dialect == "compact":
                ids, mask, count = compact(program, states, exit, a.window)
                array("H", ids).tofile(ids_file)
                mask_file.write(bytes(mask))
                size = len(ids)
            else:
                text, spans, count = native(program, states, exit)
                text = f"<|begin_of_text|><|trace_context_start|>\n{program['code']}" + text
                shift = len(text) - (spans[-1][1] if spans else 0)
                text_file.write(json.dumps({"text": text, "learn": [[a + shift, b + shift] for a, b in spans]}) + "\n")
                size = len(text)
            documents += count > 0
            answers += count
            tokens += size if count else 0
    seconds = time.perf_counter() - start
    print(json.dumps({"documents": documents, "answers": answers, "tokens": tokens, "seconds": round(seconds, 3)}))


if __name__ == "__main__":
    main()
