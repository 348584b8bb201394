//! Outlines of runs, failure points, and the causes of a value.
