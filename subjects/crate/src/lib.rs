//! A test for each way in which Rust finds something wrong, and a fault to locate.

/// The middle one of three.
pub fn middle(x: i32, y: i32, z: i32) -> i32 {
    let mut middle = z;
    if y < z {
        if x < y {
            middle = y;
        } else if x < z {
            middle = y; // the fault: x
        }
    } else if x > y {
        middle = y;
    } else if x > z {
        middle = x;
    }
    middle
}

pub fn difference(a: u32, b: u32) -> u32 {
    a - b
}

pub fn third(list: &[u8]) -> u8 {
    list[2]
}

pub fn first_word(text: &str) -> &str {
    text.split(' ').find(|word| !word.is_empty()).unwrap()
}

pub fn number(text: &str) -> i64 {
    text.parse().expect("a number")
}

pub fn share(sum: i32, count: i32) -> i32 {
    sum / count
}

pub fn kind(code: u8) -> &'static str {
    match code {
        0 => "none",
        1 => "some",
        _ => panic!("code {code} has no kind"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn middle_of_equal_ones() {
        assert_eq!(middle(3, 3, 5), 3);
        assert_eq!(middle(5, 5, 5), 5);
    }

    #[test]
    fn middle_of_rising_ones() {
        assert_eq!(middle(1, 2, 3), 2);
    }

    #[test]
    fn middle_of_falling_ones() {
        assert_eq!(middle(3, 2, 1), 2);
    }

    #[test]
    fn middle_of_mixed_ones() {
        assert_eq!(middle(5, 3, 4), 4);
    }

    #[test]
    fn middle_comes_first() {
        assert_eq!(middle(2, 1, 3), 2);
    }

    #[test]
    fn overflow() {
        assert_eq!(difference(5, 3), 2);
        assert_eq!(difference(3, 5), 2);
    }

    #[test]
    fn bounds() {
        assert_eq!(third(&[1, 2, 3]), 3);
        assert_eq!(third(&[1, 2]), 0);
    }

    #[test]
    fn nothing_there() {
        assert_eq!(first_word(" a b"), "a");
        assert_eq!(first_word("  "), "");
    }

    #[test]
    fn no_number() {
        assert_eq!(number("17"), 17);
        assert_eq!(number("x"), 0);
    }

    #[test]
    fn by_zero() {
        assert_eq!(share(6, 3), 2);
        share(6, 0);
    }

    #[test]
    fn said_by_the_program() {
        assert_eq!(kind(1), "some");
        kind(7);
    }

    #[test]
    fn condition() {
        let word = first_word("ab c");
        assert!(word.len() > 2);
    }

    #[test]
    fn gives_an_error() -> Result<(), String> {
        if number("5") > 4 { Err("too large".into()) } else { Ok(()) }
    }

    #[test]
    #[should_panic(expected = "no kind")]
    fn panics_as_it_should() {
        kind(9);
    }

    #[test]
    #[should_panic]
    fn does_not_panic() {
        kind(0);
    }
}
