"""A model made deeper says what it said. Needs PyTorch: `training/smoke.sh` has it."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

try:
    import torch

    from growth import below, deepen
    from model import Config, Decoder
except ImportError:
    torch = None


@unittest.skipUnless(torch, "needs PyTorch")
class Growth(unittest.TestCase):
    def test_new_blocks_stand_evenly(self):
        for layers, old, wanted in [(4, 4, "0 1 2 3"), (6, 4, "0 1 + 2 3 +"), (7, 4, "0 1 + 2 + 3 +"), (4, 2, "0 + 1 +"), (5, 2, "0 + 1 + +")]:
            plan = " ".join("+" if new else str(source) for source, new in below(layers, old))
            self.assertEqual(plan, wanted)

    def test_the_deeper_model_says_the_same_and_learns(self):
        torch.manual_seed(0)
        small, large = (Decoder(Config(vocab=64, dim=32, layers=layers, heads=1, ff=64, window=32)) for layers in (2, 5))
        for p in small.parameters():
            torch.nn.init.normal_(p, std=0.2)
        ids = torch.randint(1, 64, (3, 20))
        large.load_state_dict(deepen(small.state_dict(), 5))
        torch.testing.assert_close(large(ids), small(ids))
        large(ids).pow(2).mean().backward()
        for block in large.blocks:  # a new block is no dead end
            self.assertGreater(float(block.out.weight.grad.abs().sum()), 0)
            self.assertGreater(float(block.down.weight.grad.abs().sum()), 0)

    def test_fewer_layers_are_refused(self):
        weights = Decoder(Config(vocab=32, dim=32, layers=2, heads=1, ff=32, window=16)).state_dict()
        with self.assertRaises(SystemExit):
            deepen(weights, 1)


if __name__ == "__main__":
    unittest.main()
