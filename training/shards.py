"""Token shards written by `foretrace dataset`, read by memory map.

A folder, or each of its folders where a data set was made in parts (`--shard`), holds `NNNNN.ids` (u16, little endian), `NNNNN.mask` (u8, 1 = the model must
predict this token), `NNNNN.idx` (u32, end offset of each document in tokens) and
`manifest.json` (dialect, vocabulary and its hash, window, counts).
"""

import json
import random
from pathlib import Path

import numpy as np
import torch


class Shards:
    """All documents of one folder, or of the parts in it."""

    def __init__(self, folder):
        self.folder = Path(folder)
        whole = (self.folder / "manifest.json").exists()
        folders = [self.folder] if whole else sorted(m.parent for m in self.folder.glob("*/manifest.json"))
        if not folders:
            raise SystemExit(f"{folder}: no manifest.json; make token shards with `foretrace dataset`")
        manifests = [json.loads((part / "manifest.json").read_text()) for part in folders]
        self.manifest = manifests[0]
        for part, manifest in zip(folders, manifests):
            if manifest.get("vocab_sha256") != self.manifest.get("vocab_sha256"):
                raise SystemExit(f"{part}: another vocabulary than {folders[0]}; make both with one foretrace")
        self.parts, self.documents = [], []
        for number, idx in enumerate(idx for part in folders for idx in sorted(part.glob("*.idx"))):
            ends = np.fromfile(idx, dtype="<u4")
            ids = np.memmap(idx.with_suffix(".ids"), dtype="<u2", mode="r")
            mask = np.memmap(idx.with_suffix(".mask"), dtype="u1", mode="r")
            self.parts.append((ids, mask))
            starts = np.concatenate([[0], ends[:-1]])
            self.documents += [(number, int(a), int(b)) for a, b in zip(starts, ends) if b > a]
        if not self.documents:
            raise SystemExit(f"{folder}: no documents; make some with `foretrace dataset`")

    def __len__(self):
        return len(self.documents)

    def get(self, index):
        """(ids, mask) of one document as numpy arrays of equal length."""
        part, a, b = self.documents[index]
        ids, mask = self.parts[part]
        return ids[a:b], mask[a:b]

    def length(self, index):
        _, a, b = self.documents[index]
        return b - a


def check_same_language(folders):
    """Refuses to mix folders whose vocabularies differ; returns the first manifest."""
    first = folders[0].manifest
    for other in folders[1:]:
        if other.manifest["vocab_sha256"] != first["vocab_sha256"]:
            raise SystemExit(f"{other.folder}: another vocabulary than {folders[0].folder}; make both with one foretrace")
    return first


def pad(documents, multiple=32):
    """Documents -> ids (B, T) int64 and mask (B, T) bool, zero-padded to a common length."""
    longest = max(len(ids) for ids, _ in documents)
    width = -(-longest // multiple) * multiple
    ids = torch.zeros(len(documents), width, dtype=torch.long)
    mask = torch.zeros(len(documents), width, dtype=torch.bool)
    for row, (i, m) in enumerate(documents):
        ids[row, : len(i)] = torch.from_numpy(i.astype(np.int64))
        mask[row, : len(m)] = torch.from_numpy(m.astype(bool))
    return ids, mask


def batches(shards, tokens, seed, skip=0, pool=1024, rank=0, ranks=1):
    """Endless batches of about `tokens` tokens, each of documents of similar length.

    The order depends only on `seed`; `skip` batches are passed over without reading, so
    that a resumed run goes on where it stopped. Of `ranks` processes each gets every
    `ranks`-th batch.
    """
    epoch, number = 0, 0
    while True:
        rng = random.Random(f"{seed}/{epoch}")
        order = list(range(len(shards)))
        rng.shuffle(order)
        for start in range(0, len(order), pool):
            group = sorted(order[start : start + pool], key=shards.length)
            made, batch = [], []
            for index in group:
                if batch and (len(batch) + 1) * shards.length(index) > tokens:
                    made.append(batch)
                    batch = []
                batch.append(index)
            made.append(batch)
            rng.shuffle(made)
            for batch in made:
                number += 1
                if (number - 1) % ranks != rank:
                    continue
                if skip > 0:
                    skip -= 1
                    continue
                yield pad([shards.get(i) for i in batch])
        epoch += 1
