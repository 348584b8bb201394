// An allocator of the program's own: it counts, keeps small blocks for itself, and asks the system's for the rest.
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

const PLACES: usize = 64;
const PLACE: usize = 32;

struct Counting {
    places: UnsafeCell<[u8; PLACES * PLACE]>,
    taken: AtomicUsize,
    given: AtomicUsize,
    back: AtomicUsize,
    grown: AtomicUsize,
}

unsafe impl Sync for Counting {}

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        self.given.fetch_add(1, Relaxed);
        if layout.size() <= PLACE && layout.align() <= 8 {
            let place = self.taken.fetch_add(1, Relaxed);
            if place < PLACES {
                return unsafe { self.places.get().cast::<u8>().add(place * PLACE) };
            }
        }
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        self.back.fetch_add(1, Relaxed);
        let places = self.places.get() as usize;
        if !(places..places + PLACES * PLACE).contains(&(block as usize)) {
            unsafe { System.dealloc(block, layout) }
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        self.grown.fetch_add(1, Relaxed);
        let places = self.places.get() as usize;
        if !(places..places + PLACES * PLACE).contains(&(block as usize)) {
            return unsafe { System.realloc(block, layout, size) };
        }
        let fresh = unsafe { self.alloc(Layout::from_size_align_unchecked(size, layout.align())) };
        unsafe { std::ptr::copy_nonoverlapping(block, fresh, layout.size().min(size)) };
        unsafe { self.dealloc(block, layout) };
        fresh
    }
}

#[global_allocator]
static COUNTING: Counting = Counting {
    places: UnsafeCell::new([0x5a; PLACES * PLACE]),
    taken: AtomicUsize::new(PLACES),
    given: AtomicUsize::new(0),
    back: AtomicUsize::new(0),
    grown: AtomicUsize::new(0),
};

fn counts() -> [usize; 3] {
    [COUNTING.given.load(Relaxed), COUNTING.back.load(Relaxed), COUNTING.grown.load(Relaxed)]
}

fn main() {
    // From here on there are places.
    COUNTING.taken.store(0, Relaxed);
    let before = counts();
    let mut list = Vec::new();
    for n in 0..1000u64 {
        list.push(n * n);
    }
    let zeroed = vec![0u32; 300];
    let mut map = BTreeMap::new();
    for n in 0..40 {
        map.insert(format!("{:02}", n * 7 % 40), Box::new(n));
    }
    let sum: u64 = list.iter().sum::<u64>() + zeroed.iter().map(|&n| u64::from(n)).sum::<u64>();
    let text: String = map.iter().take(5).map(|(key, n)| format!("{key}={n} ")).collect();
    drop((list, zeroed, map));
    let after = counts();
    let used: Vec<bool> = after.iter().zip(before).map(|(after, before)| *after > before).collect();
    println!("{sum} {text}{used:?}");
}
