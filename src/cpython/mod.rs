//! The real interpreter: tracer.py as a sandboxed child, its protocol, recording and
//! evaluating.
//!
//! Must not know: models, tokens, sessions, terminals. The ports in `oracle` are
//! implemented over this room by `cli`.

/// Bounds of a recording.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// States.
    pub events: u64,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// Bytes of protocol, and of program output, each.
    pub bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { events: 200_000, seconds: 20.0, bytes: 256 << 20 }
    }
}
