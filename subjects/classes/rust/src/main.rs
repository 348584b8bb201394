mod shapes;

use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use shapes::circle::Circle;
use shapes::Shape;

/// A generic type with two instances.
pub struct Stack<T> {
    items: Vec<T>,
}

impl<T: Clone> Stack<T> {
    pub const fn new() -> Self {
        Stack { items: Vec::new() }
    }

    pub fn push(&mut self, item: T) -> &mut Self {
        self.items.push(item);
        self
    }

    #[inline(always)]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    pub fn map<U>(&self, by: impl Fn(&T) -> U) -> Vec<U> {
        self.items.iter().map(by).collect()
    }

    pub fn never_called(&self) -> bool {
        self.items.is_empty()
    }
}

impl<T> Drop for Stack<T> {
    fn drop(&mut self) {
        println!("{} left", self.items.len());
    }
}

impl<T> Extend<T> for Stack<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        self.items.extend(items);
    }
}

/// An enum with fields.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Mode {
    #[default]
    Off,
    On(u32),
    Named {
        name: String,
    },
}

impl Mode {
    pub fn is_on(&self) -> bool {
        !matches!(self, Mode::Off)
    }

    pub fn named(name: &str) -> Mode {
        Mode::Named { name: name.into() }
    }

    fn level(self) -> u32 {
        match self {
            Mode::On(level) => level,
            _ => 0,
        }
    }
}

impl From<u32> for Mode {
    fn from(level: u32) -> Self {
        Mode::On(level)
    }
}

/// An enum without fields.
#[derive(Clone, Copy)]
enum Side {
    Left,
    Right,
}

impl Side {
    fn other(self) -> Side {
        match self {
            Side::Left => Side::Right,
            Side::Right => Side::Left,
        }
    }
}

/// A constructor of each form, and receivers that are pointers.
pub struct Handle(u32);

impl Handle {
    pub fn plain(id: u32) -> Handle {
        Handle(id)
    }

    pub fn optional(id: u32) -> Option<Self> {
        (id > 0).then_some(Handle(id))
    }

    pub fn fallible(id: u32) -> Result<Self, String> {
        Ok(Handle(id))
    }

    pub fn boxed(id: u32) -> Box<Self> {
        Box::new(Handle(id))
    }

    pub fn shared(id: u32) -> Arc<Self> {
        Arc::new(Handle(id))
    }

    pub fn both(id: u32) -> Result<Box<Self>, String> {
        Ok(Box::new(Handle(id)))
    }

    pub fn unbox(self: Box<Self>) -> u32 {
        self.0
    }

    pub fn release(self: Rc<Self>) -> u32 {
        self.0
    }

    pub fn largest(a: &Handle, b: &Handle) -> u32 {
        a.0.max(b.0)
    }
}

impl fmt::Display for Handle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "#{}", self.0)
    }
}

union Bits {
    whole: u32,
    bytes: [u8; 4],
}

impl Bits {
    fn lowest(&self) -> u8 {
        unsafe { self.bytes[0] }
    }
}

fn main() {
    let mut circle = Circle::unit();
    circle.grow(2.0);
    println!("{} {:.1} {}", circle.describe(), circle.area(), Circle::named());
    let mut numbers = Stack::new();
    numbers.push(1).push(2);
    numbers.extend([3]);
    let mut words = Stack::new();
    words.push("one".to_string());
    println!("{} {} {:?}", numbers.len(), words.len(), numbers.map(|number| number + 1));
    let modes = [Mode::from(3), Mode::default(), Mode::named("slow")];
    println!("{:?} {}", modes.clone(), modes[0] == modes[1]);
    println!("{}", modes.iter().filter(|mode| mode.is_on()).count());
    println!("{}", modes.into_iter().map(Mode::level).sum::<u32>());
    let handles = [Handle::plain(1), Handle::optional(2).unwrap(), Handle::fallible(3).unwrap()];
    println!("{} {}", handles[0], Handle::largest(&handles[1], &handles[2]));
    println!("{} {}", Handle::boxed(4).unbox() + Handle::both(5).unwrap().unbox(), Handle::shared(6));
    println!("{}", Rc::new(Handle(7)).release());
    println!("{} {}", Bits { whole: 258 }.lowest(), Side::Left.other() as u8);
}
