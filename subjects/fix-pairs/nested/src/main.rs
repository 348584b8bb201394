use std::io::Read;

/// How deep brackets are nested; 1 where one is missing.
fn depth(text: &[u8], at: &mut usize) -> usize {
    let mut deepest = 0;
    while *at < text.len() && text[*at] == b'(' {
        *at += 1;
        deepest = deepest.max(1 + depth(text, at));
        if text[*at] != b')' {
            std::process::exit(1);
        }
        *at += 1;
    }
    deepest
}

fn main() {
    let mut text = Vec::new();
    std::io::stdin().read_to_end(&mut text).unwrap_or_default();
    let text = text.trim_ascii_end();
    println!("{}", depth(text, &mut 0));
}
