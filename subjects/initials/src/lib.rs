//! A fault behind which vectors grow and texts are made: by what Rust's library has compiled already.

/// The first letters of a text's words, as capitals.
pub fn initials(text: &str) -> String {
    let mut letters: Vec<u8> = Vec::new();
    for word in text.split(' ') {
        if word.len() > 1 {
            // the fault above: 0
            letters.push(word.as_bytes()[0]);
        }
    }
    let letters = String::from_utf8(letters).expect("letters");
    let mut ways = vec![letters.clone()];
    ways.push(letters.to_uppercase());
    ways[ways.len() - 1].clone()
}

/// How many characters a text has.
pub fn length(text: &str) -> usize {
    text.chars().count()
}
