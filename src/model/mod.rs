//! Token ids in, logits out. Must not know: Python, text, tokenizers, dialects.
