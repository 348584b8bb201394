//! Lowers a canonical LLVM module to the program model.
