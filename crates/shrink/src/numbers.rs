//! Numbers that are simpler than others.

use std::ops::Range;

use whydunit_inputs::tokens::{Kind, tokens};

/// The first number that begins at `from` or behind; there a token begins.
pub fn next(text: &[u8], from: usize) -> Option<Range<usize>> {
    let number = tokens(text.get(from..)?).find(|token| token.kind == Kind::Number)?;
    Some(from + number.range.start..from + number.range.end)
}

/// Simpler numbers in the place of this one, the simplest first: 0, 1, shorter, half of it. Each is shorter, or as long and
/// less, so that trying ends.
pub fn simpler(digits: &str) -> Vec<String> {
    let half = digits.parse::<u128>().ok().map(|value| (value / 2).to_string());
    let round = format!("1{}", "0".repeat(digits.len() - 1));
    let shorter = [digits.len() / 2, digits.len() - 1].map(|length| digits[..length].to_string());
    let mut found: Vec<String> = Vec::new();
    for candidate in ["0".to_string(), "1".to_string()].into_iter().chain(shorter).chain([round]).chain(half) {
        let less = (candidate.len(), candidate.as_str()) < (digits.len(), digits);
        if !candidate.is_empty() && less && !found.contains(&candidate) {
            found.push(candidate);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn simpler_numbers_are_shorter_or_less() {
        assert_eq!(simpler("0"), [""; 0]);
        assert_eq!(simpler("1"), ["0"]);
        assert_eq!(simpler("7"), ["0", "1", "3"]);
        assert_eq!(simpler("9876"), ["0", "1", "98", "987", "1000", "4938"]);
        assert_eq!(simpler("00"), ["0", "1"]);
        let long = "9".repeat(60);
        assert!(simpler(&long).iter().all(|other| (other.len(), other.as_str()) < (60, long.as_str())));
    }

    #[test]
    fn numbers_are_found_in_order() {
        assert_eq!(next(b"a1 22 x3.4", 0), Some(3..5));
        assert_eq!(next(b"a1 22 x3.4", 5), Some(9..10));
        assert_eq!(next(b"a1", 0), None);
    }
}
