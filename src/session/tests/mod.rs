//! A session driven without threads: a world that answers every effect at once.

mod commands;
mod stepping;
mod timeline;
mod truth;
mod world;
