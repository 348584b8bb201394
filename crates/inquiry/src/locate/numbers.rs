//! Numbers that tests state: what a constant of the program should have been often stands among them.

use std::rc::Rc;

use whydunit_suite::Test;

/// So many numbers are taken, from so many bytes of a text.
const MOST: usize = 24;
const MOST_BYTES: usize = 4096;

/// The integers in the arguments and the standard input of tests, then their neighbours, each once.
pub fn stated<'a>(tests: impl Iterator<Item = &'a Test>) -> Rc<[i64]> {
    let mut given = Vec::new();
    for test in tests {
        let Test::Case(case) = test else { continue };
        case.args.iter().for_each(|arg| given.extend(integers(arg.as_bytes())));
        let stdin = case.stdin.as_ref().and_then(|content| content.read().ok());
        given.extend(stdin.map_or_else(Vec::new, |bytes| integers(&bytes)));
    }
    let neighbours: Vec<i64> = given.iter().flat_map(|&number| [number - 1, number + 1]).collect();
    let mut numbers = Vec::new();
    for number in given.into_iter().chain(neighbours) {
        if numbers.len() < MOST && !numbers.contains(&number) {
            numbers.push(number);
        }
    }
    numbers.into()
}

/// The integers of a text that fit in 32 bits.
fn integers(text: &[u8]) -> Vec<i64> {
    let text = String::from_utf8_lossy(&text[..text.len().min(MOST_BYTES)]);
    let words = text.split(|c: char| !c.is_ascii_digit() && c != '-');
    words.filter_map(|word| word.parse::<i32>().ok()).map(i64::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_in_text() {
        assert_eq!(integers(b"4 -9,x17\n1-2"), [4, -9, 17]);
        assert_eq!(integers(b"99999999999 none"), Vec::<i64>::new());
    }
}
