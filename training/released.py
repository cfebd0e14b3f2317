"""Reads a released GGUF file back as weights to train on.

The inverse of export.py, so that training goes on where a release stopped even when its
checkpoints are gone. Q8_0 has cost a little precision; a few hundred steps mend it.
"""

import gguf
import numpy as np
import torch


def halve(weight, heads):
    """Rows of one projection (D, D): the neighbours of a pair become index i and i + K/2 of each head."""
    rows, columns = weight.shape
    return weight.reshape(heads, rows // heads // 2, 2, columns).swapaxes(1, 2).reshape(rows, columns)


def weights(path, vocab_sha256):
    """The trainer's state dict of a released file. Stops when it speaks another vocabulary."""
    file = gguf.GGUFReader(path)
    said = file.fields["debugger.vocab_sha256"].contents()
    if said != vocab_sha256:
        raise SystemExit(f"{path} was trained with another vocabulary than the shards'")
    heads, layers = (file.fields[f"llama.{key}"].contents() for key in ("attention.head_count", "block_count"))
    w = {t.name: gguf.dequantize(t.data, t.tensor_type).astype(np.float32) for t in file.tensors}
    out = {"embed.weight": w["token_embd.weight"], "norm.weight": w["output_norm.weight"]}
    for i in range(layers):
        theirs = lambda name: w[f"blk.{i}.{name}.weight"]
        q, k = (halve(theirs(f"attn_{part}"), heads) for part in "qk")
        for name, weight in {
            "attn_norm": theirs("attn_norm"),
            "ffn_norm": theirs("ffn_norm"),
            "qkv": np.concatenate([q, k, theirs("attn_v")]),
            "out": theirs("attn_output"),
            "gate_up": np.concatenate([theirs("ffn_gate"), theirs("ffn_up")]),
            "down": theirs("ffn_down"),
        }.items():
            out[f"blocks.{i}.{name}.weight"] = weight
    return {name: torch.from_numpy(np.ascontiguousarray(weight)) for name, weight in out.items()}


def spent(path):
    """Tokens and core-seconds that a released file says it cost."""
    fields = gguf.GGUFReader(path).fields
    hours = float(fields["debugger.trained_core_hours"].contents())
    return {"tokens": int(fields["debugger.trained_tokens"].contents()), "seconds": 3600 * hours}
