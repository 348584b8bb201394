//! Finds memory errors while a recording is replayed.
