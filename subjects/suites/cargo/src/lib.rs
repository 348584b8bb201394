/// Half of a number.
///
/// ```
/// assert_eq!(halves::half(4), 2);
/// ```
///
/// ```
/// assert_eq!(halves::half(6), 4);
/// ```
pub fn half(number: i32) -> i32 {
    number / 2
}

#[cfg(test)]
mod tests {
    use super::half;

    #[test]
    fn even() {
        assert_eq!(half(8), 4);
    }

    #[test]
    fn odd() {
        assert_eq!(half(7), 4, "rounds up");
    }

    #[test]
    #[ignore]
    fn later() {}

    #[test]
    #[should_panic]
    fn panics() {
        assert_eq!(half(1), 7);
    }
}
