"""Trains the default model on shards made by `foretrace dataset`.

    python training/train.py --data EASY FULL --stage 0.2 0.8 --held HELD --hours 4

    torchrun --nproc-per-node 8 training/train.py …      (the same on eight GPUs, or CPU processes)

It never tokenizes and never traces. It can be stopped at any moment and goes on from the
last checkpoint when started again with the same command; hours are core-hours of this
process (on CUDA: hours; of many processes the first's), so that a niced background run on a busy machine means the same.
"""

import argparse
import json
import math
import os
import time
from functools import partial
from pathlib import Path

import torch
import torch.nn.functional as F

import released
from growth import deepen
from induction import plant
from model import Config, Decoder
from optimiser import MuonAdamW
from ranks import Ranks
from shards import Shards, batches, check_same_language, pad


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--data", nargs="+", required=True, help="shard folders, one a stage of the curriculum")
    p.add_argument("--stage", nargs="+", type=float, help="share of the time of each stage (default: equal)")
    p.add_argument("--held", required=True, help="shard folder of held-out programs")
    p.add_argument("--out", default=os.path.expanduser("~/.cache/foretrace-train/run"), help="checkpoints and log")
    p.add_argument("--hours", type=float, default=4.0, help="length of the whole schedule")
    p.add_argument("--steps", type=int, default=0, help="length in steps instead (for tests)")
    p.add_argument("--dim", type=int, default=192)
    p.add_argument("--layers", type=int, default=4)
    p.add_argument("--heads", type=int, default=3)
    p.add_argument("--ff", type=int, default=512)
    p.add_argument("--window", type=int, default=1024)
    p.add_argument("--tokens", type=int, default=4096, help="tokens a step")
    p.add_argument("--rate", type=float, default=0.005, help="Muon's learning rate")
    p.add_argument("--other-rate", type=float, default=0.002, help="AdamW's, for embedding and norms")
    p.add_argument("--decay", type=float, default=0.45, help="share of the schedule in which the rate falls to zero")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--threads", type=int, default=1, help="CPU threads; one is best beside other work")
    p.add_argument("--save-minutes", type=float, default=5.0)
    p.add_argument("--evaluations", type=int, default=12)
    p.add_argument("--held-documents", type=int, default=300)
    p.add_argument("--init", help="checkpoint or released .gguf to start from, with a fresh schedule; of fewer --layers: it is made deeper")
    a = p.parse_args()
    a.stage = a.stage or [1.0] * len(a.data)
    if len(a.stage) != len(a.data):
        p.error("--stage needs one share for each folder of --data")
    return a


def learning_scale(done, steps, decay):
    """Warm up over 60 steps, stay, then fall linearly to zero (WSD)."""
    return min(1.0, (steps + 1) / 60) * min(1.0, max(0.02, (1 - done) / decay))


def stage_of(done, shares):
    """Index of the curriculum stage at a point of the schedule in 0..=1."""
    total, seen = sum(shares), 0.0
    for index, share in enumerate(shares):
        seen += share / total
        if done < seen:
            return index
    return len(shares) - 1


@torch.no_grad()
def evaluate(model, held, limit, precision):
    """Loss, and the share of predicted states of which every token is the likeliest.

    Predicted states are the runs of the mask; this equals greedy decoding given the true
    history (without the grammar, which can only help).
    """
    model.eval()
    loss = tokens = right = states = 0
    order = sorted(range(min(limit, len(held))), key=held.length)
    for start in range(0, len(order), 8):
        ids, mask = pad([held.get(i) for i in order[start : start + 8]])
        device = model.embed.weight.device
        ids, mask = ids.to(device), mask.to(device)
        with precision():
            logits = model(ids[:, :-1])
        wanted, target = mask[:, 1:], ids[:, 1:]
        loss += F.cross_entropy(logits[wanted].float(), target[wanted], reduction="sum").item()
        tokens += int(wanted.sum())
        good = (logits.argmax(-1) == target) | ~wanted
        for row_wanted, row_good in zip(wanted.cpu(), good.cpu()):
            begin = None
            for position, on in enumerate(row_wanted.tolist() + [False]):
                if on and begin is None:
                    begin = position
                elif not on and begin is not None:
                    states += 1
                    right += bool(row_good[begin:position].all())
                    begin = None
    model.train()
    return {"loss": loss / max(tokens, 1), "exact": right / max(states, 1), "states": states}


def quicker_precision(model, device):
    """A context to compute in: bfloat16 on CUDA; on a CPU whichever of bfloat16 and f32 is
    quicker, tried once. Of two processors with the same bfloat16 flags one was twice as fast
    in bfloat16 and the other in f32."""

    def context(bfloat16):
        return torch.autocast(device.type, torch.bfloat16, enabled=bfloat16)

    def seconds(bfloat16):
        ids = torch.ones(4, model.config.window, dtype=torch.long)
        began = time.process_time()
        with context(bfloat16):
            loss = model(ids).float().mean()
        loss.backward()
        model.zero_grad()
        return time.process_time() - began

    if device.type == "cuda":
        return partial(context, True)
    tries = [(seconds(bfloat16), bfloat16) for bfloat16 in (True, False) * 2]
    return partial(context, min(tries)[1])


def initial(path, vocab_sha256, device):
    """Weights of a checkpoint or of a released GGUF file, and what was spent on them."""
    if path.endswith(".gguf"):
        return released.weights(path, vocab_sha256), released.spent(path)
    saved = torch.load(path, map_location=device, weights_only=True)
    return saved["model"], spent(saved["state"])


def spent(state):
    """Tokens and core-seconds behind a state, those of the runs it started from included."""
    return {key: state[key] + state["earlier"][key] for key in ("tokens", "seconds")}


def main():
    a = arguments()
    torch.set_num_threads(a.threads)
    torch.manual_seed(a.seed)
    ranks = Ranks()
    device = ranks.device
    out = Path(a.out)
    out.mkdir(parents=True, exist_ok=True)
    log = open(out / "log.jsonl", "a") if ranks.first else None

    def say(**fields):
        if not ranks.first:
            return
        print(json.dumps(fields), file=log, flush=True)
        print(json.dumps(fields), flush=True)

    folders = [Shards(f) for f in a.data]
    held = Shards(a.held)
    manifest = check_same_language([*folders, held])
    vocab = -(-len(manifest["vocab"]) // 32) * 32  # rows of 32: what Q8_0 blocks want
    config = Config(vocab=vocab, dim=a.dim, layers=a.layers, heads=a.heads, ff=a.ff, window=a.window)
    model = Decoder(config).to(device)
    plant(model)
    optimiser = MuonAdamW(model, a.rate, a.other_rate)

    checkpoint = out / "last.pt"
    state = {"step": 0, "tokens": 0, "seconds": 0.0, "evaluated": 0, "skip": [0] * len(folders)}
    state["earlier"] = {"tokens": 0, "seconds": 0.0}
    if checkpoint.exists():
        saved = torch.load(checkpoint, map_location=device, weights_only=True)
        if saved["config"] != config.as_dict() or saved["vocab_sha256"] != manifest["vocab_sha256"]:
            raise SystemExit(f"{checkpoint} is of another model or vocabulary; choose another --out")
        model.load_state_dict(saved["model"])
        optimiser.load_state_dict(saved["optimiser"])
        state = saved["state"]
        if len(state["skip"]) != len(folders):
            state["skip"] = [0] * len(folders)
        say(resumed=str(checkpoint), **{k: state[k] for k in ("step", "tokens", "seconds")})
    elif a.init:
        given, state["earlier"] = initial(a.init, manifest["vocab_sha256"], device)
        model.load_state_dict(deepen(given, a.layers))
        say(init=a.init, earlier=state["earlier"])
    precision = quicker_precision(model, device)
    say(arguments=vars(a), bfloat16=precision.args[0], parameters=model.parameter_count(), vocab=len(manifest["vocab"]), device=str(device), ranks=ranks.count)

    def save():
        if not ranks.first:
            return
        torch.save(
            {
                "config": config.as_dict(),
                "vocab_sha256": manifest["vocab_sha256"],
                "model": model.state_dict(),
                "optimiser": optimiser.state_dict(),
                "state": state,
            },
            out / "saving.pt",
        )
        os.replace(out / "saving.pt", checkpoint)

    def clock():
        return time.time() if device.type == "cuda" else time.process_time()

    sources = [None] * len(folders)
    running, saved_at, began = None, time.time(), clock() - state["seconds"]
    while True:
        state["seconds"] = clock() - began
        done = ranks.agree(state["step"] / a.steps if a.steps else state["seconds"] / (3600 * a.hours))
        if done >= (state["evaluated"] + 1) / a.evaluations or done >= 1:
            paused = clock()
            result = evaluate(model, held, a.held_documents, precision) if ranks.first else {}
            ranks.wait()
            state["evaluated"] = math.floor(done * a.evaluations)
            say(done=round(done, 3), step=state["step"], tokens=state["tokens"], seconds=round(state["seconds"]), **result)
            began += clock() - paused
            save()
        if done >= 1:
            break

        stage = stage_of(done, a.stage)
        if sources[stage] is None:
            sources[stage] = batches(folders[stage], a.tokens, a.seed, skip=state["skip"][stage], rank=ranks.number, ranks=ranks.count)
        ids, mask = (t.to(device) for t in next(sources[stage]))
        with precision():
            logits = model(ids[:, :-1], select=mask[:, 1:])
        loss = F.cross_entropy(logits.float(), ids[:, 1:][mask[:, 1:]])
        loss.backward()
        state["tokens"] += ranks.average(list(model.parameters()), int((ids != 0).sum()))
        optimiser.step(learning_scale(done, state["step"], a.decay))

        state["step"] += 1
        state["skip"][stage] += 1
        running = loss.item() if running is None else 0.98 * running + 0.02 * loss.item()
        if state["step"] % 200 == 0:
            say(step=state["step"], stage=stage, tokens=state["tokens"], loss=round(running, 4), seconds=round(state["seconds"]))
        if time.time() - saved_at > 60 * a.save_minutes:
            save()
            saved_at = time.time()
    ranks.leave()


if __name__ == "__main__":
    main()
