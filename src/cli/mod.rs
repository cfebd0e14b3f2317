//! The command line: one file per subcommand. The only place that builds oracles, recorders and evaluators and hands them in.
