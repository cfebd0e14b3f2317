//! Bytes of a model file → metadata and tensor views, bounded. Must not know: what the tensors are for.
