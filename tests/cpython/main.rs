//! The real interpreter: what it records, compared with tables and with pdb; and that no
//! program can make it hang or fail.
//!
//! Runs on whichever python3 is there. `FORETRACE_PYTHONS`, a list like PATH, names more.

mod entries;
mod growing;
mod hostile;
mod input;
mod pdb;
mod steps;
mod support;
mod values;
