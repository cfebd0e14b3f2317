"""Writes a checkpoint as a GGUF file of llama architecture.

    python training/export.py CHECKPOINT SHARD_FOLDER models/default.gguf

Matrices become Q8_0, norms stay F32. GGUF's llama rotates neighbouring pairs where the
trainer rotates halves, so the rows of q and k are permuted, as every llama converter does.
The `debugger.*` keys say which language the ids spell; the runtime refuses a mismatch.
"""

import argparse
import json
from pathlib import Path

import gguf
import numpy as np
import torch
from gguf import GGMLQuantizationType as Kind


def interleave(weight, heads):
    """Rows of one projection (D, D): index i and i + K/2 of each head become neighbours."""
    rows, columns = weight.shape
    return weight.reshape(heads, 2, rows // heads // 2, columns).swapaxes(1, 2).reshape(rows, columns)


def tensors(checkpoint):
    """(name, array, kind) of every tensor, in the order llama files have them."""
    c, w = checkpoint["config"], {k: v.float().numpy() for k, v in checkpoint["model"].items()}
    yield "token_embd.weight", w["embed.weight"], Kind.Q8_0
    for i in range(c["layers"]):
        q, k, v = np.split(w[f"blocks.{i}.qkv.weight"], 3)
        gate, up = np.split(w[f"blocks.{i}.gate_up.weight"], 2)
        yield f"blk.{i}.attn_norm.weight", w[f"blocks.{i}.attn_norm.weight"], Kind.F32
        yield f"blk.{i}.attn_q.weight", interleave(q, c["heads"]), Kind.Q8_0
        yield f"blk.{i}.attn_k.weight", interleave(k, c["heads"]), Kind.Q8_0
        yield f"blk.{i}.attn_v.weight", v, Kind.Q8_0
        yield f"blk.{i}.attn_output.weight", w[f"blocks.{i}.out.weight"], Kind.Q8_0
        yield f"blk.{i}.ffn_norm.weight", w[f"blocks.{i}.ffn_norm.weight"], Kind.F32
        yield f"blk.{i}.ffn_gate.weight", gate, Kind.Q8_0
        yield f"blk.{i}.ffn_up.weight", up, Kind.Q8_0
        yield f"blk.{i}.ffn_down.weight", w[f"blocks.{i}.down.weight"], Kind.Q8_0
    yield "output_norm.weight", w["norm.weight"], Kind.F32


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("checkpoint")
    p.add_argument("shards", help="a folder the model was trained on: its manifest names the language")
    p.add_argument("out")
    p.add_argument("--name", default="foretrace-first-light")
    p.add_argument("--directions", default="forward,inverse")
    p.add_argument("--direct-actions", default="step_into,inv_step_into", help="what the model was trained to answer at once")
    a = p.parse_args()

    checkpoint = torch.load(a.checkpoint, map_location="cpu", weights_only=True)
    manifest = json.loads((Path(a.shards) / "manifest.json").read_text())
    if checkpoint["vocab_sha256"] != manifest["vocab_sha256"]:
        raise SystemExit("the checkpoint was trained with another vocabulary than the shards'")
    c, state = checkpoint["config"], checkpoint["state"]
    vocab = manifest["vocab"] + [f"<unused{i}>" for i in range(c["vocab"] - len(manifest["vocab"]))]

    out = gguf.GGUFWriter(a.out, "llama")
    out.add_name(a.name)
    out.add_license("MIT OR Apache-2.0")
    out.add_context_length(c["window"])
    out.add_embedding_length(c["dim"])
    out.add_block_count(c["layers"])
    out.add_feed_forward_length(c["ff"])
    out.add_head_count(c["heads"])
    out.add_head_count_kv(c["heads"])
    out.add_layer_norm_rms_eps(c["norm_eps"])
    out.add_rope_freq_base(c["rope_base"])
    out.add_rope_dimension_count(c["dim"] // c["heads"])
    out.add_vocab_size(c["vocab"])
    out.add_tokenizer_model("foretrace-compact")
    out.add_token_list(vocab)
    out.add_string("debugger.dialect", manifest["dialect"])
    out.add_uint32("debugger.dialect_version", int(manifest["dialect_version"]))
    out.add_string("debugger.vocab_sha256", manifest["vocab_sha256"])
    out.add_uint32("debugger.context", c["window"])
    out.add_string("debugger.limits", f"{c['window']} tokens, 256 lines, 256 names")
    out.add_string("debugger.directions", a.directions)
    out.add_string("debugger.direct_actions", a.direct_actions)
    out.add_string("debugger.python_version", ", ".join(sorted(manifest["python"])))
    spent = {key: state[key] + state["earlier"][key] for key in ("tokens", "seconds")}
    out.add_uint64("debugger.trained_tokens", spent["tokens"])
    out.add_float32("debugger.trained_core_hours", spent["seconds"] / 3600)
    for name, array, kind in tensors(checkpoint):
        array = np.ascontiguousarray(array, dtype=np.float32)
        out.add_tensor(name, gguf.quantize(array, kind) if kind != Kind.F32 else array, raw_dtype=kind)
    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.write_tensors_to_file()
    out.close()
    print(f"{a.out}: {Path(a.out).stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
