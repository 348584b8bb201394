// Enums with and without niches, options of references, results with `?`, matches, drop flags, moves.
use std::num::NonZeroU32;
use std::rc::Rc;

#[derive(Debug, Clone, PartialEq)]
enum Shape {
    Empty,
    Circle { radius: u32 },
    Rectangle(u32, u32),
    Named(String, Box<Shape>),
}

impl Shape {
    fn area(&self) -> u32 {
        match self {
            Shape::Empty => 0,
            Shape::Circle { radius } => 3 * radius * radius,
            Shape::Rectangle(a, b) => a * b,
            Shape::Named(name, inner) => inner.area() + name.len() as u32,
        }
    }
}

struct Loud(&'static str);

impl Drop for Loud {
    fn drop(&mut self) {
        println!("drop {}", self.0);
    }
}

fn maybe(moves: bool) -> Option<Loud> {
    let a = Loud("a");
    let b = Loud("b");
    let kept = if moves { Some(a) } else { None };
    println!("kept {}", kept.is_some());
    drop(b);
    kept
}

fn parse(text: &str) -> Result<NonZeroU32, String> {
    let number: u32 = text.parse().map_err(|error| format!("{text}: {error}"))?;
    NonZeroU32::new(number).ok_or_else(|| "zero".to_string())
}

fn main() {
    let shapes = vec![
        Shape::Empty,
        Shape::Circle { radius: 4 },
        Shape::Rectangle(3, 5),
        Shape::Named("box".into(), Box::new(Shape::Rectangle(2, 2))),
    ];
    println!("{} {:?}", shapes.iter().map(Shape::area).sum::<u32>(), shapes.last());
    println!("{}", shapes.iter().filter(|shape| matches!(shape, Shape::Rectangle(3..=9, _))).count());
    for moves in [true, false] {
        let kept = maybe(moves);
        println!("back {:?}", kept.as_ref().map(|loud| loud.0));
    }
    for text in ["17", "0", "x", ""] {
        println!("{:?}", parse(text));
    }
    let shared = Rc::new(std::cell::RefCell::new(vec![Some(1u8), None]));
    let other = Rc::clone(&shared);
    other.borrow_mut().push(Some(3));
    println!("{:?} {} {:?}", shared.borrow(), Rc::strong_count(&shared), shared.try_borrow_mut().is_ok());
    let mut slot: Option<Box<u64>> = None;
    slot.get_or_insert_with(|| Box::new(5));
    println!("{:?} {:?} {}", slot.take(), slot, size_of::<Option<NonZeroU32>>());
    let c = Some('é').filter(|c| c.is_alphabetic()).map_or(0, |c| c.len_utf8());
    println!("{c} {:?}", 'a'..='c');
}
