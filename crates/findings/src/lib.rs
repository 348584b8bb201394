//! What commands find: one model for every command.
