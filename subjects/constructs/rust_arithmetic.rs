// Integers of every width: wrapping, saturating, checked, wide, rotated; floats to integers; bits.
use std::hint::black_box;

fn wide(a: u128, b: u128) -> (u128, u128, u128, i128) {
    (a * 3 / b, a % b, a >> 3 ^ b << 70, -(a as i128) / 7)
}

fn narrow(a: u8, b: u8) -> (u8, u8, u8, Option<u8>, (u8, bool)) {
    (a.wrapping_add(b), a.saturating_add(b), a.saturating_sub(b), a.checked_mul(b), a.overflowing_sub(b))
}

fn signed(a: i32, b: i32) -> (i32, i32, Option<i32>, (i32, bool), i32) {
    (a.wrapping_mul(b), a.saturating_add(b), a.checked_add(b), a.overflowing_sub(b), a.rem_euclid(7))
}

fn bits(a: u64) -> (u32, u32, u32, u64, u64, u64, u32) {
    (a.leading_zeros(), a.trailing_zeros(), a.count_ones(), a.swap_bytes(), a.reverse_bits(), a.rotate_left(13), (a as u16).leading_zeros())
}

fn floats(a: f64) -> (i8, u8, i32, u64, f32, f64, i64) {
    (a as i8, a as u8, a as i32, a as u64, a as f32, a.floor(), a.to_bits() as i64)
}

fn main() {
    println!("{:?}", wide(black_box(u128::MAX / 5), black_box(1 << 77)));
    println!("{:?} {:?}", narrow(black_box(200), 100), narrow(3, black_box(9)));
    println!("{:?} {:?}", signed(black_box(i32::MAX), 2), signed(black_box(-5), i32::MIN));
    println!("{:?} {:?}", bits(black_box(0x0123_4567_89ab_cdef)), bits(black_box(1)));
    for value in [0.0, -1.5, 300.7, 1e20, -1e20, f64::NAN, f64::INFINITY] {
        println!("{:?}", floats(black_box(value)));
    }
    println!("{} {}", black_box(7i128).pow(40), black_box(u64::MAX).widening());
    println!("{:?} {:?}", black_box(10u32).checked_ilog2(), black_box(1_000_003u64).isqrt());
    println!("{:?}", black_box([3u16, 1, 2]).iter().map(|x| x.abs_diff(2)).collect::<Vec<_>>());
}

trait Widening {
    fn widening(self) -> u128;
}

impl Widening for u64 {
    fn widening(self) -> u128 {
        u128::from(self) * u128::from(self)
    }
}
