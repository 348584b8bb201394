//! Says whether texts match a pattern, and holds it against what a pattern means: driver PATTERN TEXT...
use std::env;
use wildmatch::WildMatch;

/// What a pattern means.
fn means(pattern: &[char], text: &[char]) -> bool {
    match pattern.split_first() {
        None => text.is_empty(),
        Some(('*', rest)) => (0..=text.len()).any(|at| means(rest, &text[at..])),
        Some((letter, rest)) => !text.is_empty() && (*letter == '?' || *letter == text[0]) && means(rest, &text[1..]),
    }
}

fn main() {
    let words: Vec<Vec<char>> = env::args().skip(1).map(|word| word.chars().take(12).collect()).collect();
    if words.is_empty() {
        println!("no pattern");
        return;
    }
    let pattern = WildMatch::new(&words[0].iter().collect::<String>());
    for text in &words[1..] {
        let matches = pattern.matches(&text.iter().collect::<String>());
        println!("{}", if matches { "yes" } else { "no" });
        assert_eq!(matches, means(&words[0], text));
    }
}
