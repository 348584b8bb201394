//! The runtime inside recorded programs, and the table of external functions.
