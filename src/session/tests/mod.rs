//! A session driven without threads: a world that answers every effect at once.

mod again;
mod commands;
mod ends;
mod stepping;
mod timeline;
mod truth;
mod world;
