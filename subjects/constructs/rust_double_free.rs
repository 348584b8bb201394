// A block that is given back twice: the C library finds it in the call of Rust's allocator and aborts.
//: undefined a block is given back twice
use std::alloc::{Layout, alloc, dealloc};
use std::hint::black_box;

fn main() {
    let layout = Layout::new::<[u64; 5]>();
    // SAFETY: it is not.
    unsafe {
        let block = black_box(alloc(layout));
        block.write_bytes(7, layout.size());
        dealloc(black_box(block), layout);
        println!("once");
        dealloc(black_box(block), layout);
        println!("twice");
    }
}
