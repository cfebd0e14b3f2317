//! One debugging session: timeline, breakpoints, pdb commands, verdicts, workers. Must not know: tokens, models, CPython, terminals.
