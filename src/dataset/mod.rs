//! Recordings → trajectories → token shards. Must not know: sessions, terminals, training.
