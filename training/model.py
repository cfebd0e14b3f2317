"""The default model: a small llama-family decoder.

Token ids in, logits out; it knows nothing of Python or of the language the ids spell.
Shapes: B documents, T tokens, D width, H heads of size K = D / H, V vocabulary.
The architecture is exactly llama's (RMS norm, rotary positions, SwiGLU, tied
embedding), so that any GGUF reader can run the exported file.
"""

from dataclasses import asdict, dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass(frozen=True)
class Config:
    """Hyper-parameters; everything the exported file's metadata says about the network."""

    vocab: int
    dim: int = 192
    layers: int = 4
    heads: int = 3
    ff: int = 512
    window: int = 1024
    rope_base: float = 10_000.0
    norm_eps: float = 1e-5

    def as_dict(self):
        return asdict(self)


class RMSNorm(nn.Module):
    def __init__(self, dim, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))
        self.eps = eps

    def forward(self, x):
        return F.rms_norm(x, (x.shape[-1],), self.weight.to(x.dtype), self.eps)


def rotate(x, cos, sin):
    """Rotary positions over x (B, H, T, K), pairing index i with i + K/2."""
    a, b = x.chunk(2, -1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1)


def attend(q, k, v, mask):
    """Causal attention, all (B, H, T, K).

    On a CPU in bfloat16 two matrix products and a softmax are faster than the fused kernel
    for windows up to 1,024 and heads of 64 and more; on CUDA and in f32 the fused kernel wins.
    """
    if q.is_cuda or q.dtype is torch.float32:
        return F.scaled_dot_product_attention(q, k, v, is_causal=True)
    B, H, T, K = q.shape
    scores = torch.baddbmm(
        mask[:T, :T].to(q.dtype),
        (q * K**-0.5).reshape(B * H, T, K),
        k.reshape(B * H, T, K).transpose(1, 2),
    )
    return torch.matmul(torch.softmax(scores, -1, dtype=q.dtype).view(B, H, T, T), v)


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.heads = c.heads
        self.attn_norm = RMSNorm(c.dim, c.norm_eps)
        self.ffn_norm = RMSNorm(c.dim, c.norm_eps)
        self.qkv = nn.Linear(c.dim, 3 * c.dim, bias=False)
        self.out = nn.Linear(c.dim, c.dim, bias=False)
        self.gate_up = nn.Linear(c.dim, 2 * c.ff, bias=False)
        self.down = nn.Linear(c.ff, c.dim, bias=False)

    def forward(self, x, cos, sin, mask):
        B, T, D = x.shape
        q, k, v = (
            part.view(B, T, self.heads, -1).transpose(1, 2)
            for part in self.qkv(self.attn_norm(x)).chunk(3, -1)
        )
        cos, sin = cos[:T].to(q.dtype), sin[:T].to(q.dtype)
        mixed = attend(rotate(q, cos, sin), rotate(k, cos, sin), v, mask)
        x = x + self.out(mixed.transpose(1, 2).reshape(B, T, D))
        gate, up = self.gate_up(self.ffn_norm(x)).chunk(2, -1)
        return x + self.down(F.silu(gate) * up)


class Decoder(nn.Module):
    """Embedding, blocks, norm; the output head is the embedding."""

    def __init__(self, config):
        super().__init__()
        self.config = c = config
        self.embed = nn.Embedding(c.vocab, c.dim)
        self.blocks = nn.ModuleList([Block(c) for _ in range(c.layers)])
        self.norm = RMSNorm(c.dim, c.norm_eps)
        half = c.dim // c.heads // 2
        freq = c.rope_base ** (-torch.arange(half).float() / half)
        angle = torch.arange(c.window).float()[:, None] * freq[None]
        self.register_buffer("cos", angle.cos(), persistent=False)
        self.register_buffer("sin", angle.sin(), persistent=False)
        mask = torch.full((c.window, c.window), float("-inf")).triu(1)
        self.register_buffer("mask", mask, persistent=False)
        self.initialise()

    @torch.no_grad()
    def initialise(self):
        """Normal weights; outputs of attention and feed-forward begin at zero, so that a
        block is the identity until it has learned something."""
        d = self.config.dim
        for name, p in self.named_parameters():
            if p.ndim == 2:
                nn.init.normal_(p, std=0.02 if "embed" in name else 0.6 * d**-0.5)
        for block in self.blocks:
            block.out.weight.zero_()
            block.down.weight.zero_()

    def forward(self, ids, select=None):
        """Logits (B, T, V), or (N, V) at the N positions where `select` (B, T) is true."""
        x = self.embed(ids)
        for block in self.blocks:
            x = block(x, self.cos, self.sin, self.mask)
        x = self.norm(x)
        if select is not None:
            x = x[select]
        return F.linear(x, self.embed.weight)

    def parameter_count(self):
        return sum(p.numel() for p in self.parameters())
