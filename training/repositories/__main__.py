"""Harvests the listed packages; see the package's docstring."""

import argparse
import concurrent.futures
import json
import sys
from pathlib import Path

if __package__ in (None, ""):  # run as `python training/repositories`
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

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
    programs, seen = [], set()
    with concurrent.futures.ThreadPoolExecutor(a.workers) as pool:
        for lines, about in pool.map(attempt, listed):
            print(about, file=sys.stderr, flush=True)
            for line in lines:
                one = json.loads(line)
                if (one["code"], one["entry"]) not in seen:
                    seen.add((one["code"], one["entry"]))
                    programs.append(line)
    a.out.parent.mkdir(parents=True, exist_ok=True)
    a.out.write_text("".join(line + "\n" for line in programs))
    functions = len({json.loads(line)["source"] for line in programs})
    print(f"{len(programs)} programs of {functions} functions from {len(listed)} packages", file=sys.stderr)


if __name__ == "__main__":
    main()
