"""Harvests the listed packages; see the package's docstring."""

import argparse
import concurrent.futures
import json
import sys
from pathlib import Path

if __package__ in (None, ""):  # run as `python training/repositories`
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from decontaminate import Index
from repositories import fetch, packages
from repositories.harvest import harvest, harvested


def attempt(package):
    try:
        return harvest(package)
    except Exception as error:  # one package's surprise must not end the others
        return [], f"{package.pin}: failed: {type(error).__name__}: {str(error)[:120]}"


def main():
    p = argparse.ArgumentParser(prog="repositories", description="real code under its own tests, as programs in JSON Lines")
    p.add_argument("--out", type=Path, required=True)
    p.add_argument("--held", action="store_true", help="the packages of held_out.txt instead of the others")
    p.add_argument("--only", action="append", help="a package's name; repeatable")
    p.add_argument("--harvested", action="store_true", help="only what was harvested before; starts nothing")
    p.add_argument("--decontaminate", action=argparse.BooleanOptionalAction, default=True, help="leave out what holds a piece of a benchmark (see training/decontaminate.py)")
    p.add_argument("--workers", type=int, default=2)
    a = p.parse_args()
    held = packages.held_out()
    listed = [one for one in packages.read() if (one.name in held) == a.held and (not a.only or one.name in a.only)]
    if a.harvested:
        listed = [one for one in listed if harvested(one)]
    unknown = held - {one.name for one in packages.read()}
    if unknown:
        sys.exit(f"held_out.txt names {', '.join(sorted(unknown))}, which packages.txt does not list")
    try:
        if not all(one.stdlib or harvested(one) for one in listed):
            fetch.environment()
    except fetch.Unfetchable as why:
        sys.exit(str(why))
    programs, seen, refused = [], set(), 0
    known = Index() if a.decontaminate else None
    with concurrent.futures.ThreadPoolExecutor(a.workers) as pool:
        for lines, about in pool.map(attempt, listed):
            print(about, file=sys.stderr, flush=True)
            for line in lines:
                one = json.loads(line)
                if (one["code"], one["entry"]) in seen:
                    continue
                seen.add((one["code"], one["entry"]))
                if known and known.refuses(one["code"]):
                    refused += 1
                else:
                    programs.append(line)
    a.out.parent.mkdir(parents=True, exist_ok=True)
    a.out.write_text("".join(line + "\n" for line in programs))
    functions = len({json.loads(line)["source"] for line in programs})
    if refused:
        print(f"{refused} programs held a piece of a benchmark and were left out", file=sys.stderr)
    print(f"{len(programs)} programs of {functions} functions from {len(listed)} packages", file=sys.stderr)


if __name__ == "__main__":
    main()
