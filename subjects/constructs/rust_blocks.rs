// Blocks of Rust's allocator: grown in place, moved and mapped anew, zeroed where there was something else, over-aligned,
// copied without having been set; and a timer's handler in between.
use std::collections::{HashMap, VecDeque};
use std::hint::black_box;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

unsafe extern "C" {
    fn signal(number: i32, handler: extern "C" fn(i32)) -> usize;
    fn setitimer(which: i32, new: *const [i64; 4], old: *mut [i64; 4]) -> i32;
}

static TICKS: AtomicU32 = AtomicU32::new(0);

extern "C" fn tick(_: i32) {
    TICKS.fetch_add(1, Relaxed);
}

#[repr(align(64))]
#[derive(Clone)]
struct Aligned([u8; 70]);

#[derive(Clone, Debug)]
enum Shape {
    Nothing,
    Small(u8),
    Large([u32; 7]),
    Text(String),
}

fn grown() -> u64 {
    let mut sum = 0;
    let mut list: Vec<u64> = Vec::new();
    for n in 0..60_000u64 {
        list.push(n);
        if n % 10_000 == 0 {
            sum += list.iter().sum::<u64>();
        }
    }
    list.truncate(100);
    list.shrink_to_fit();
    let mut text = String::new();
    for n in 0..2000 {
        text.push_str(["one", "two", "three"][n % 3]);
    }
    sum + list.iter().sum::<u64>() + text.bytes().map(u64::from).sum::<u64>()
}

fn zeroed(size: usize) -> usize {
    drop(black_box(vec![0xa5u8; size]));
    let zeroed = black_box(vec![0u8; size]);
    zeroed.iter().filter(|byte| **byte == 0).count()
}

fn unset() -> usize {
    let mut lists: Vec<Vec<MaybeUninit<[u64; 6]>>> = Vec::new();
    for n in 1..40 {
        let mut list = Vec::with_capacity(n);
        // SAFETY: what may be unset needs not be set.
        unsafe { list.set_len(n) };
        list[n / 2] = MaybeUninit::new([n as u64; 6]);
        lists.push(list.clone());
        if n % 3 == 0 {
            lists.remove(0);
        }
    }
    // SAFETY: it was set above.
    lists.iter().map(|list| unsafe { list[list.len() / 2].assume_init() }[5] as usize).sum()
}

fn shapes() -> String {
    let mut queue = VecDeque::new();
    for n in 0..200u32 {
        queue.push_back(match n % 4 {
            0 => Shape::Nothing,
            1 => Shape::Small(n as u8),
            2 => Shape::Large([n; 7]),
            _ => Shape::Text(n.to_string()),
        });
        if n % 5 == 4 {
            queue.pop_front();
            queue.rotate_left(7 % queue.len());
        }
    }
    let copy: Vec<Shape> = queue.iter().cloned().collect();
    let mut seen = [0u32; 4];
    for shape in &copy {
        match shape {
            Shape::Nothing => seen[0] += 1,
            Shape::Small(n) => seen[1] += u32::from(*n),
            Shape::Large(all) => seen[2] += all[6],
            Shape::Text(text) => seen[3] += text.len() as u32,
        }
    }
    format!("{seen:?} {:?} {:?}", copy[0], copy[3])
}

fn main() {
    println!("{} {} {} {}", grown(), zeroed(40), zeroed(5000), zeroed(3_000_000));
    println!("{} {}", unset(), shapes());
    let boxes: Vec<Box<Aligned>> = (0..20u8).map(|n| Box::new(Aligned([n; 70]))).collect();
    let fit = boxes.iter().filter(|one| &raw const ***one as usize % 64 == 0).count();
    println!("{fit} {}", boxes.clone().iter().map(|one| u32::from(one.0[69])).sum::<u32>());
    // SAFETY: the handler counts, no more.
    unsafe {
        signal(14, tick);
        setitimer(0, &[0, 300, 0, 300], std::ptr::null_mut());
    }
    let (mut rounds, mut wrong) = (0u64, 0);
    while TICKS.load(Relaxed) < 30 {
        let map: HashMap<u64, Vec<u64>> = (0..20).map(|n| (n, vec![rounds; n as usize + 1])).collect();
        wrong += map.values().filter(|list| list.iter().any(|n| *n != rounds)).count();
        rounds += 1;
    }
    // SAFETY: as above.
    unsafe { setitimer(0, &[0; 4], std::ptr::null_mut()) };
    println!("{wrong} {}", rounds > 0);
}
