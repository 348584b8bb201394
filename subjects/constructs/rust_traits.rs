// Trait objects, generics, closures that borrow and move, iterators of our own, operators, constants, statics.
use std::cell::Cell;
use std::fmt;
use std::ops::{Add, Index};
use std::sync::atomic::{AtomicUsize, Ordering};

static CALLS: AtomicUsize = AtomicUsize::new(0);
const TABLE: [u8; 5] = [2, 3, 5, 7, 11];

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    static NAMES: std::cell::RefCell<Vec<String>> = std::cell::RefCell::new(Vec::new());
}

trait Animal {
    fn name(&self) -> String;
    fn noise(&self) -> &'static str {
        CALLS.fetch_add(1, Ordering::SeqCst);
        "…"
    }
}

struct Dog(u8);
struct Cat {
    name: String,
}

impl Animal for Dog {
    fn name(&self) -> String {
        format!("dog {}", self.0)
    }
    fn noise(&self) -> &'static str {
        "wuff"
    }
}

impl Animal for Cat {
    fn name(&self) -> String {
        self.name.clone()
    }
}

#[derive(Clone, Copy, PartialEq, PartialOrd, Debug, Default)]
struct Point {
    x: f32,
    y: f32,
}

impl Add for Point {
    type Output = Point;
    fn add(self, other: Point) -> Point {
        Point { x: self.x + other.x, y: self.y + other.y }
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({:.1}; {:>6.2})", self.x, self.y)
    }
}

struct Fibonacci(u64, u64);

impl Iterator for Fibonacci {
    type Item = u64;
    fn next(&mut self) -> Option<u64> {
        let next = self.0.checked_add(self.1)?;
        Some(std::mem::replace(&mut self.0, std::mem::replace(&mut self.1, next)))
    }
}

struct Primes;

impl Index<usize> for Primes {
    type Output = u8;
    fn index(&self, at: usize) -> &u8 {
        &TABLE[at % TABLE.len()]
    }
}

fn largest<T: PartialOrd + Copy>(list: &[T]) -> Option<T> {
    let mut best = *list.first()?;
    for &item in list {
        if item > best {
            best = item;
        }
    }
    Some(best)
}

fn compose<A, B, C>(f: impl Fn(A) -> B, g: impl Fn(B) -> C) -> impl Fn(A) -> C {
    move |x| g(f(x))
}

fn nested(n: u32) -> u32 {
    DEPTH.with(|depth| depth.set(depth.get() + 1));
    NAMES.with_borrow_mut(|names| names.push(n.to_string()));
    if n < 2 { n } else { nested(n - 1) + nested(n - 2) }
}

fn main() {
    let animals: Vec<Box<dyn Animal>> = vec![Box::new(Dog(1)), Box::new(Cat { name: "Minka".into() })];
    for animal in &animals {
        println!("{}: {}", animal.name(), animal.noise());
    }
    println!("{} {} {}", CALLS.load(Ordering::Relaxed), Point { x: 1.0, y: 2.5 } + Point::default(), Primes[7]);
    println!("{:?} {:?}", largest(&[1.5, 9.0, 3.0]), largest::<u8>(&[]));
    println!("{:?} {}", Fibonacci(0, 1).skip(10).step_by(20).collect::<Vec<_>>(), Fibonacci(1, 2).count());
    let mut log = Vec::new();
    let mut note = |text: &str| log.push(text.len());
    ["a", "bcd"].into_iter().for_each(&mut note);
    let offset = log.len() as i64;
    let f = compose(|x: i32| i64::from(x) << 33, move |y| y + offset);
    println!("{log:?} {} {}", f(-3), f(1));
    println!("{} {} {}", nested(6), DEPTH.get(), NAMES.take().join(""));
    let table: &dyn Fn(usize) -> u8 = &|n| TABLE[n];
    println!("{} {:?}", table(4), std::any::type_name::<Option<Point>>());
    let text: Box<str> = "boxed".into();
    let error: Box<dyn std::error::Error> = From::from(text.as_ref());
    println!("{error} {}", error.to_string().len());
}
