"""Muon for the matrices, AdamW for the embedding and the norms.

Muon (Jordan et al., 2024): the momentum of a matrix is replaced by the nearest
orthogonal matrix, found by five Newton-Schulz iterations in bfloat16.
"""

import torch


def _orthogonalise(g):
    x = g.bfloat16()
    tall = x.shape[0] > x.shape[1]
    if tall:
        x = x.T
    x = x / (x.norm() + 1e-7)
    for _ in range(5):
        s = x @ x.T
        x = 3.4445 * x + (-4.775 * s + 2.0315 * s @ s) @ x
    return (x.T if tall else x).float()


class MuonAdamW:
    """One step(scale) for all parameters; `scale` multiplies both learning rates."""

    def __init__(self, model, matrix_rate, other_rate, decay=0.01, momentum=0.95):
        named = list(model.named_parameters())
        self.matrices = [p for n, p in named if p.ndim == 2 and "embed" not in n]
        self.others = [p for n, p in named if p.ndim != 2 or "embed" in n]
        self.rate, self.other_rate, self.decay, self.momentum = matrix_rate, other_rate, decay, momentum
        self.buffers = [torch.zeros_like(p) for p in self.matrices]
        self.adam = torch.optim.AdamW(self.others, lr=other_rate, betas=(0.9, 0.95), weight_decay=decay)

    @torch.no_grad()
    def step(self, scale):
        torch.nn.utils.clip_grad_norm_(self.others, 1.0)
        for p, buffer in zip(self.matrices, self.buffers):
            buffer.lerp_(p.grad, 1 - self.momentum)
            update = _orthogonalise(p.grad.lerp(buffer, self.momentum))
            p.mul_(1 - self.rate * scale * self.decay)
            p.add_(update, alpha=-self.rate * scale * max(1.0, p.shape[0] / p.shape[1]) ** 0.5)
        for group in self.adam.param_groups:
            group["lr"] = self.other_rate * scale
        self.adam.step()
        for p in self.matrices + self.others:
            p.grad = None

    def state_dict(self):
        return {"buffers": self.buffers, "adam": self.adam.state_dict()}

    def load_state_dict(self, state):
        for mine, saved in zip(self.buffers, state["buffers"]):
            mine.copy_(saved)
        self.adam.load_state_dict(state["adam"])
