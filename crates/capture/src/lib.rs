//! Captures a program while its own build runs, and builds its flavours.
