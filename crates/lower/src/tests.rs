//! What lowered code computes and what it says about the source.

mod compiled;
mod evaluate;
mod methods;
mod values;
