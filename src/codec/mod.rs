//! States ⇄ text ⇄ token ids: the language and its dialects. Must not know: models, logits, CPython, files. Does no I/O and starts no threads.
