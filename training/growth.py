"""Makes a trained model deeper without changing what it says.

A new block begins as the identity (its two output matrices are zero, as at the start of
any training), and with the input matrices of the block below it, which already read what
stands there. So a larger model need not begin again: "progressive stacking" (Gong et al.,
2019) with zero outputs, as in Net2Net (Chen et al., 2016).
"""

import torch


def layers_of(weights):
    """Number of blocks in a state dict of `model.Decoder`."""
    return 1 + max(int(name.split(".")[1]) for name in weights if name.startswith("blocks."))


def below(layers, old):
    """For each of `layers` blocks: the old block it comes from, and whether it is new.

    New blocks are spread evenly, each above an old one: 4 to 6 is 0 1 + 2 3 +.
    """
    plan, new = [], 0
    for index in range(old):
        plan.append((index, False))
        while new < (layers - old) * (index + 1) // old:
            plan.append((index, True))
            new += 1
    return plan


def deepen(weights, layers):
    """The state dict of a model of `layers` blocks that computes what `weights` does."""
    old = layers_of(weights)
    if layers < old:
        raise SystemExit(f"the weights to start from have {old} layers; --layers {layers} is fewer")
    grown = {name: weight for name, weight in weights.items() if not name.startswith("blocks.")}
    for index, (source, new) in enumerate(below(layers, old)):
        prefix = f"blocks.{source}."
        for name, weight in weights.items():
            if name.startswith(prefix):
                part = name[len(prefix) :]
                zero = new and part in ("out.weight", "down.weight")
                grown[f"blocks.{index}.{part}"] = torch.zeros_like(weight) if zero else weight.clone()
    return grown
