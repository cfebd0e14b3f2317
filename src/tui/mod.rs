//! The terminal: loop generic over Backend, events, app, keymap, theme, panes. Must not know: models, tokens, CPython.

pub mod highlight;
pub mod text;
pub mod theme;
