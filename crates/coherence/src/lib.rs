//! Whether a mixture of two versions of a project can be a program, told by syntax trees without building it.
//!
//! [`Coherence`] reads what each source declares and uses: names, members, labels, how many arguments calls pass, which parameters
//! declarations state, what may stand in a place once only. What a mixture lacks is told by place, as a compiler would ([`Lack`]).
//!
//! Invariants
//! - It is calibrated on the two versions: what one of them lacks as well (names of libraries, what macros hide, what the grammar does not
//!   take) is no lack of a mixture. So nothing is said of either version itself.
//! - It is a guess, on both sides: types are not followed, nor which file includes which. A build has the last word.
//!
//! Boundary: which changes are to blame for a lack, and what is done about it, is the caller's.

mod c;
mod coherence;
mod declarators;
mod facts;
mod lack;
mod macros;
#[cfg(test)]
mod mixtures;
mod reading;
mod retyped;
mod rust;
mod whole;

pub use coherence::Coherence;
pub use lack::Lack;
