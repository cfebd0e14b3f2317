//! Mask × logits → ids: forced, greedy, sampled. Must not know: Python, text, dialects.
