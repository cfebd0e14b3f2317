//! The paper's own language, as text (arXiv 2603.09951, section 3, appendices B.3 and C).
//!
//! ```text
//! TRACE     := <|begin_of_text|><|trace_context_start|> CODE { STATE ACTION } EXIT
//! STATE     := <|frame_sep|><|line_sep|>   <|arg_sep|>LOCALS <|src_sep|>SRC     (forward line)
//!            | <|frame_sep|>EVENT          <|src_sep|>SRC    <|arg_sep|>PAYLOAD (all others)
//! PAYLOAD   := LOCALS at calls and lines, ARGS at returns and exceptions
//! ACTION    := <|action_sep|> ACTION_TOKEN [SRC, for breakpoint]
//! EXIT      := <|frame_sep|> EXIT_TOKEN <|trace_end|><|end_of_text|>
//! ```
//!
//! LOCALS is one JSON object of names and `repr` strings with unchanged names collapsed to
//! `"..": ".."` ([`history`]); ARGS is a JSON string of the value's repr (of `repr(exc)` at
//! an exception); SRC is the physical line's text, so places are ambiguous where lines are
//! equal. Depth, deletions and the locals at a return are not carried.
//!
//! Must not know: models.

mod dialect;
mod grammar;
pub mod history;
pub mod json;
pub mod parse;
pub mod word;
pub mod write;

pub use dialect::Native;
pub use parse::{Malformed, Parsed, Record};
pub use word::{Piece, Word, spell, split};
