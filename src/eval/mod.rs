//! Exact match by action and component. Must not know: terminals.
