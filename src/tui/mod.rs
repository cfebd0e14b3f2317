//! The terminal: loop generic over Backend, events, app, command table, keymap, theme, panes. Must not know: models, tokens, CPython.
