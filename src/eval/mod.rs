//! How often an oracle is right: exact match by action, component and construct, on recorded runs.
//!
//! ```text
//! (Program, StateTree) ─walk─► Question ─ask─► Answer ─score─► Score ─report─► rows
//! Item ─cruxeval─► moves ─ask─► Answer ─a real run─► right or not ─report─► rows
//! ```
//!
//! The oracle, the recordings and who makes them are handed in; what is right, the tree says
//! ([`crate::trace::StateTree::go`], [`crate::trace::compare`]).
//!
//! Must not know: terminals, files, which model answers, how states are spelled.

mod ask;
mod calibration;
pub mod cruxeval;
pub mod report;
mod score;
mod states;
mod table;
mod walk;

pub use calibration::Calibration;
pub use report::{Report, Row, Slice, Tally, Way};
pub use score::Score;
pub use states::{EvalError, Options, States};

#[cfg(test)]
mod tests;
