//! config.toml, folders and environment.
