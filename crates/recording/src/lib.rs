//! Recordings: the raw log of a process and the file it is kept in.
