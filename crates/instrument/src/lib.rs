//! The instrumented copies of a module: the record and spectrum flavours.
