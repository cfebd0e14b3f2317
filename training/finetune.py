"""Fine-tunes a small model that exists already, in the paper's own language.

    foretrace dataset RECORDINGS -o NATIVE --dialect native
    python training/finetune.py --init SmolLM2-135M.gguf --data NATIVE --held HELD --out RUN --hours 10
    python training/finetune.py --init SmolLM2-135M.gguf --out RUN --export tuned.gguf

`--init` is a GGUF file, or a Hugging Face folder with `--like`, a GGUF file of the same model
whose vocabulary the export takes over. The words of the language (`<|frame_sep|>` …) become
control tokens behind the vocabulary. Stops and goes on like train.py; `torchrun` as there.
"""

import argparse
import json
import os
import time
from pathlib import Path

import gguf
import numpy as np
import torch
import torch.nn.functional as F
from gguf import GGMLQuantizationType as Kind
from gguf import GGUFValueType as Type
from transformers import AutoModelForCausalLM, AutoTokenizer
from transformers.utils.logging import disable_progress_bar

from export import interleave
from ranks import Ranks
from shards import batches
from train import evaluate, learning_scale

disable_progress_bar()

CONTROL = 3  # token type in GGUF: never recognised in text
VERSION = 1  # of the native dialect


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--init", required=True, help="a GGUF file or a Hugging Face folder")
    p.add_argument("--like", help="GGUF file with the vocabulary, where --init is a folder")
    p.add_argument("--data", help="folder written by `foretrace dataset --dialect native`")
    p.add_argument("--held", help="the same of held-out programs")
    p.add_argument("--out", required=True, help="folder of the checkpoint and the log")
    p.add_argument("--export", metavar="FILE.gguf", help="write the checkpoint as a model file, and train no more")
    p.add_argument("--direct-actions", default="step_into,inv_step_into", help="what the model was trained to answer at once")
    p.add_argument("--hours", type=float, default=10.0)
    p.add_argument("--steps", type=int, default=0, help="length in steps instead (for tests)")
    p.add_argument("--window", type=int, default=2048, help="longest document in tokens; longer ones are left out")
    p.add_argument("--tokens", type=int, default=4096, help="tokens a step")
    p.add_argument("--rate", type=float, default=2e-4)
    p.add_argument("--decay", type=float, default=0.8)
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--save-minutes", type=float, default=10.0)
    p.add_argument("--evaluations", type=int, default=6)
    p.add_argument("--held-documents", type=int, default=50)
    a = p.parse_args()
    if not a.export and not (a.data and a.held):
        p.error("--data and --held name what to learn from; or --export writes what was learned")
    if Path(a.init).is_dir() and not a.like:
        p.error("--init is a folder: --like names a GGUF file of the same model")
    a.like = a.like or a.init
    return a


def words(folder):
    """The special tokens of the language and the versions of Python, as the manifest of a native data set has them."""
    manifest = json.loads((Path(folder) / "manifest.json").read_text())
    if manifest["dialect"] != "native":
        raise SystemExit(f"{folder} is in the {manifest['dialect']} dialect; make it with `foretrace dataset --dialect native`")
    return manifest["special_tokens"], sorted(manifest["python"])


class Documents:
    """Native documents as ids, seen as train.py and shards.py see shards."""

    def __init__(self, folder, tokenizer, window):
        self.documents, self.longer = [], 0
        for file in sorted(Path(folder).glob("*.jsonl")):
            for line in open(file):
                row = json.loads(line)
                coded = tokenizer(row["text"], add_special_tokens=False, return_offsets_mapping=True)
                if len(coded["input_ids"]) > window:
                    self.longer += 1
                    continue
                inside = np.zeros(len(row["text"]) + 1, dtype=bool)
                for begin, end in row["learn"]:
                    inside[begin:end] = True
                learn = [bool(inside[begin]) for begin, _ in coded["offset_mapping"]]
                self.documents.append((np.array(coded["input_ids"]), np.array(learn)))
        if not self.documents:
            raise SystemExit(f"{folder}: no documents of at most {window} tokens")

    def __len__(self):
        return len(self.documents)

    def get(self, index):
        return self.documents[index]

    def length(self, index):
        return len(self.documents[index][0])


class Logits(torch.nn.Module):
    """A Hugging Face model called as ours is: ids in, logits out."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    @property
    def embed(self):
        return self.model.get_input_embeddings()

    def forward(self, ids, select=None):
        hidden = self.model.model(input_ids=ids, use_cache=False).last_hidden_state
        return self.model.lm_head(hidden if select is None else hidden[select])


def opened(a, special):
    """The model with rows for the language's words, and its tokenizer."""
    path = Path(a.init)
    where = (path, {}) if path.is_dir() else (path.parent, {"gguf_file": path.name})
    tokenizer = AutoTokenizer.from_pretrained(where[0], **where[1])
    model = AutoModelForCausalLM.from_pretrained(where[0], dtype=torch.float32, **where[1])
    rows = model.get_input_embeddings().num_embeddings
    tokenizer.add_special_tokens({"additional_special_tokens": special})
    if tokenizer.convert_tokens_to_ids(special) != list(range(rows, rows + len(special))):
        raise SystemExit("the words of the language do not stand behind the vocabulary; is it padded?")
    model.resize_token_embeddings(rows + len(special))  # new rows begin at the mean of the others
    return Logits(model), tokenizer


def export(model, special, like, context, direct_actions, python, path):
    """Writes the weights with another file's metadata and vocabulary. Matrices become Q8_0."""
    source = gguf.GGUFReader(like)
    value = lambda key: source.fields[key].contents()
    arch = value("general.architecture")
    if arch != "llama":
        raise SystemExit(f"{like}: exporting is written for llama models, this is {arch}")
    out = gguf.GGUFWriter(path, arch)
    replaced = {"tokenizer.ggml.tokens": special, "tokenizer.ggml.token_type": [CONTROL] * len(special)}
    left_out = {"general.architecture", "general.file_type", "general.quantization_version", "llama.vocab_size"}
    for field in source.fields.values():
        if field.name.startswith("GGUF.") or field.name in left_out:
            continue
        contents = field.contents() + replaced.get(field.name, []) if field.types[0] == Type.ARRAY else field.contents()
        out.add_key_value(field.name, contents, field.types[0], field.types[-1] if len(field.types) > 1 else None)
    out.add_vocab_size(len(value("tokenizer.ggml.tokens")) + len(special))
    out.add_string("debugger.dialect", "native")
    out.add_uint32("debugger.dialect_version", VERSION)
    out.add_uint32("debugger.context", context)
    out.add_string("debugger.limits", f"{context} tokens")
    out.add_string("debugger.directions", "forward,inverse")
    out.add_string("debugger.direct_actions", direct_actions)
    out.add_string("debugger.python_version", ", ".join(python))
    config, names = model.model.config, gguf.get_tensor_name_map(gguf.MODEL_ARCH.LLAMA, model.model.config.num_hidden_layers)
    heads = {"q_proj": config.num_attention_heads, "k_proj": config.num_key_value_heads}
    for name, weight in model.model.state_dict().items():
        if name == "lm_head.weight" and config.tie_word_embeddings:
            continue
        array = weight.float().numpy()
        for projection, count in heads.items():
            if projection in name:
                array = interleave(array, count)
        kind = Kind.Q8_0 if array.ndim == 2 and array.shape[1] % 32 == 0 else Kind.F32
        array = np.ascontiguousarray(array)
        out.add_tensor(names.get_name(name, (".weight", ".bias")), gguf.quantize(array, kind) if kind != Kind.F32 else array, raw_dtype=kind)
    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.write_tensors_to_file()
    out.close()
    print(f"{path}: {Path(path).stat().st_size:,} bytes")


def main():
    a = arguments()
    torch.set_num_threads(a.threads)
    torch.manual_seed(a.seed)
    out = Path(a.out)
    checkpoint = out / "last.pt"
    saved = torch.load(checkpoint, map_location="cpu", weights_only=True) if checkpoint.exists() else None
    if a.export:
        if saved is None:
            raise SystemExit(f"{checkpoint}: nothing was trained yet")
        model, _ = opened(a, saved["words"])
        model.load_state_dict(saved["model"])
        return export(model, saved["words"], a.like, a.window, a.direct_actions, saved["python"], a.export)

    ranks = Ranks()
    special, python = words(a.data)
    model, tokenizer = opened(a, special)
    model.to(ranks.device)
    data, held = (Documents(folder, tokenizer, a.window) for folder in (a.data, a.held))
    optimiser = torch.optim.AdamW(model.parameters(), lr=a.rate, betas=(0.9, 0.95), weight_decay=0.01)
    state = {"step": 0, "tokens": 0, "seconds": 0.0, "evaluated": 0}
    if saved:
        model.load_state_dict(saved["model"])
        optimiser.load_state_dict(saved["optimiser"])
        state = saved["state"]
    out.mkdir(parents=True, exist_ok=True)

    def say(**fields):
        if ranks.first:
            with open(out / "log.jsonl", "a") as log:
                print(json.dumps(fields), file=log)
            print(json.dumps(fields), flush=True)

    def save():
        if ranks.first:
            torch.save({"words": special, "python": python, "model": model.state_dict(), "optimiser": optimiser.state_dict(), "state": state}, out / "saving.pt")
            os.replace(out / "saving.pt", checkpoint)

    say(arguments=vars(a), resumed=bool(saved), documents=len(data), left_out=data.longer, device=str(ranks.device), ranks=ranks.count)
    precision = lambda: torch.autocast(ranks.device.type, torch.bfloat16, enabled=ranks.device.type == "cuda")
    source = batches(data, a.tokens, a.seed, skip=state["step"], rank=ranks.number, ranks=ranks.count)
    clock = time.time if ranks.device.type == "cuda" else time.process_time
    began, saved_at = clock() - state["seconds"], time.time()
    while True:
        state["seconds"] = clock() - began
        done = ranks.agree(state["step"] / a.steps if a.steps else state["seconds"] / (3600 * a.hours))
        if done >= (state["evaluated"] + 1) / a.evaluations or done >= 1:
            result = evaluate(model, held, a.held_documents, precision) if ranks.first else {}
            ranks.wait()
            state["evaluated"] = int(done * a.evaluations)
            say(done=round(done, 3), **{k: round(state[k]) for k in ("step", "tokens", "seconds")}, **result)
            save()
        if done >= 1:
            break
        ids, mask = (t.to(ranks.device) for t in next(source))
        with precision():
            logits = model(ids[:, :-1], select=mask[:, 1:])
        F.cross_entropy(logits.float(), ids[:, 1:][mask[:, 1:]]).backward()
        state["tokens"] += ranks.average([p for p in model.parameters() if p.grad is not None], int(mask.numel()))
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for group in optimiser.param_groups:
            group["lr"] = a.rate * learning_scale(done, state["step"], a.decay)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        state["step"] += 1
        if time.time() - saved_at > 60 * a.save_minutes:
            save()
            saved_at = time.time()
    ranks.leave()


if __name__ == "__main__":
    main()
