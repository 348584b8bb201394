//! The allocator of Rust's library.

use crate::lookup::of_rustc;

/// What a function of Rust's allocator does, by the places of its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RustHeap {
    /// A new block: its size, and its alignment.
    Allocate {
        /// Bytes.
        size: usize,
        /// What its address is a multiple of.
        alignment: usize,
        /// All of it is zero.
        zeroed: bool,
    },
    /// The block is given back.
    Free {
        /// Its first byte.
        block: usize,
    },
    /// The block gets another size, and perhaps another place.
    Reallocate {
        /// Its first byte.
        block: usize,
        /// Bytes before.
        size: usize,
        /// What its address is a multiple of.
        alignment: usize,
        /// Bytes from then on.
        new_size: usize,
    },
}

/// Where `Box::new` gets its block; `Layout` comes in two words.
const NEW_BOX: &str = "5alloc5boxed14box_new_uninit";

/// What the function with this symbol does with the heap; `None` where it is not of Rust's allocator.
pub fn rust_heap(symbol: &str) -> Option<RustHeap> {
    Some(match of_rustc(symbol).unwrap_or(symbol) {
        "__rust_alloc" => RustHeap::Allocate { size: 0, alignment: 1, zeroed: false },
        "__rust_alloc_zeroed" => RustHeap::Allocate { size: 0, alignment: 1, zeroed: true },
        "__rust_dealloc" => RustHeap::Free { block: 0 },
        "__rust_realloc" => RustHeap::Reallocate { block: 0, size: 1, alignment: 2, new_size: 3 },
        name if name.starts_with("_ZN") || name.starts_with("_R") => {
            return name.contains(NEW_BOX).then_some(RustHeap::Allocate { size: 1, alignment: 0, zeroed: false });
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_allocator_is_known_by_its_symbols() {
        let new_box = Some(RustHeap::Allocate { size: 1, alignment: 0, zeroed: false });
        assert_eq!(rust_heap("_ZN5alloc5boxed14box_new_uninit17hdd1819e579867c24E"), new_box);
        assert_eq!(rust_heap("_RNvNtCslNYArtu3iFV_5alloc5boxed14box_new_uninit"), new_box);
        assert_eq!(
            rust_heap("_RNvCsfLfy6EI15iL_7___rustc12___rust_alloc"),
            Some(RustHeap::Allocate { size: 0, alignment: 1, zeroed: false })
        );
        assert_eq!((rust_heap("malloc"), rust_heap("_ZNSt6vectorIiE9push_backEi")), (None, None));
    }
}
