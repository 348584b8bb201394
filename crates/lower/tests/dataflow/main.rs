//! Static analyses on one-page programs of C and C++: who calls whom, what points to what, what may be written.

mod calls;
mod pointers;
mod tested;
mod writes;
