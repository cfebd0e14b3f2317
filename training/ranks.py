"""Many processes that train one model, as `torchrun` starts them; one process is the plain case.

Each rank reads batches of its own and computes their gradients; the mean of all gradients is
what every rank steps by, so all hold the same weights throughout.
"""

import os

import torch
import torch.distributed as dist


class Ranks:
    """This process's number, how many there are, and the device it computes on."""

    def __init__(self):
        self.number, self.count = (int(os.environ.get(name, default)) for name, default in (("RANK", 0), ("WORLD_SIZE", 1)))
        cuda = torch.cuda.is_available()
        self.device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", 0))) if cuda else torch.device("cpu")
        if cuda:
            torch.cuda.set_device(self.device)
        if self.count > 1:
            dist.init_process_group("nccl" if cuda else "gloo")

    @property
    def first(self):
        """Whether this is the process that evaluates, logs and saves."""
        return self.number == 0

    def agree(self, value):
        """The first process's value, so that all stop and change the stage in the same step."""
        if self.count == 1:
            return value
        shared = torch.tensor([value], dtype=torch.float64, device=self.device)
        dist.broadcast(shared, 0)
        return shared.item()

    def average(self, parameters, tokens):
        """Replaces gradients by their mean over all processes; returns the tokens of all."""
        if self.count == 1:
            return tokens
        gradients = [p.grad for p in parameters]
        flat = torch.cat([g.flatten().float() for g in gradients] + [torch.tensor([float(tokens)], device=self.device)])
        dist.all_reduce(flat)
        at = 0
        for gradient in gradients:
            gradient.copy_((flat[at : at + gradient.numel()] / self.count).view_as(gradient))
            at += gradient.numel()
        return int(flat[-1])

    def wait(self):
        """Until all are here; the first may have been evaluating."""
        if self.count > 1:
            dist.barrier()

    def leave(self):
        if self.count > 1:
            dist.destroy_process_group()
