//! # foretrace: a neural debugger for Python
//!
//! A person steps through a Python program; a local language model predicts every next
//! state instead of running the code; real CPython can stand beside it as the truth.
//! The language and its semantics follow arXiv 2603.09951 ("Towards a Neural Debugger
//! for Python").
//!
//! ```text
//!  program ─┬─► codec ───┐
//!  trace  ──┤            ├─► oracle ──► session ──► tui
//!          └─► cpython ─┤   answers    where am I,  shows it
//!  gguf ─► model ► decode┘   a Move     do they agree
//!
//!  offline:  cpython ─► dataset ─► training/ (PyTorch) ─► a GGUF file ─► eval
//! ```
//!
//! *"Given this program, this path of states and this [`trace::Move`], what state comes
//! next?"* is a [`oracle::Query`]. An [`oracle::Oracle`] answers it: the neural one and the
//! remote one (a model here, a model on a server) *guess*, the replay one *knows*, because
//! CPython recorded the whole run as one [`trace::StateTree`]. A guess and a fact have the
//! same type, [`trace::State`]; only their origin differs.
//!
//! ## Layers
//!
//! Each room may use rooms of lower layers as listed, and nothing else
//! (`tests/layers.rs` enforces it).
//!
//! | layer | room | what it is | may use |
//! |---|---|---|---|
//! | 0 | [`program`] | Python source as data: decoding, outline, flow, literals | – |
//! | 0 | [`trace`] | what an execution is; the one definition of every move | program |
//! | 0 | [`gguf`] | bytes of a model file → metadata and tensor views, bounded | – |
//! | 1 | [`model`] | token ids in, logits out; no Python, no text | gguf |
//! | 1 | [`codec`] | states ⇄ text ⇄ token ids: the language and its dialects | program, trace, gguf |
//! | 1 | [`decode`] | mask × logits → ids; no Python | model |
//! | 1 | [`cpython`] | the real interpreter, sandboxed | program, trace |
//! | 2 | [`oracle`] | who answers "what comes next?", and the ports | layers 0 and 1 |
//! | 2 | [`dataset`] | recordings → trajectories → token shards | layers 0 and 1 |
//! | 3 | [`session`] | one debugging session: timeline, commands, verdicts | program, trace, oracle's traits |
//! | 3 | [`eval`] | exact match by action, component and construct | layers 0 to 2, lesson |
//! | 3 | [`lesson`] | reserved, not built yet: drawings, quizzes, exports as plain data | program, trace, oracle's traits |
//! | 4 | [`tui`] | the terminal: loop, panes, keys, themes | session, lesson, trace, program, oracle's plain types, config |
//! | 5 | [`cli`], `main` | one file per subcommand; builds oracles and hands them in | everything |
//!
//! [`config`] holds config.toml, folders and environment; cli and tui read it. [`tls`] is what
//! https needs; oracle and cli use it.
//!
//! ## Invariants
//!
//! * `program`, `trace` and `codec` do no I/O and start no threads.
//! * The TUI never names the model or CPython; the session never names tokens; the model
//!   never sees text.
//! * Model nonsense and broken Python are values, not errors.
//! * `update(event)` may mutate and does no I/O; `draw(&App)` may not mutate; nothing on
//!   the UI thread waits.
//! * Program code never runs unless verification was asked for.
//! * A prediction is never shown as a fact, an inverse guess never as a rewind, a direct
//!   jump never as a chained one.
//! * No `unsafe` except around the memory map and for the intrinsics of `model/kernels/x86`,
//!   behind run-time detection; the compiler denies it elsewhere.
//!
//! ## Words
//!
//! *state* (a stop: event, location, locals; never "frame", which is a function
//! activation), *event* (call, line, return, exception), *action*, *move*, *direction*
//! (forward, inverse), *trajectory*, *segment* (one run of one direction that a prompt
//! holds), *recording*, *oracle*, *prediction*, *verdict*, *timeline*, *branch*, *mark*,
//! *dialect*, *focus*, *free* and *guided* history, *horizon* (states skipped by a jump).

pub mod cli;
pub mod codec;
pub mod config;
pub mod cpython;
pub mod dataset;
pub mod decode;
pub mod eval;
pub mod gguf;
pub mod lesson;
pub mod model;
pub mod oracle;
pub mod program;
pub mod session;
pub mod tls;
pub mod trace;
pub mod tui;
