use std::io::Read;

/// Follows steps (n, e, s, w) on a board of eight by eight fields, from the corner at the south west.
fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).expect("a text");
    let mut seen = [[false; 8]; 8];
    let (mut x, mut y) = (0usize, 0usize);
    seen[y][x] = true;
    for step in text.trim().chars() {
        match step {
            'n' => y += 1,
            's' => y -= 1,
            'e' => x += 1,
            'w' => x -= 1,
            _ => {}
        }
        seen[y][x] = true;
    }
    let count = seen.iter().flatten().filter(|seen| **seen).count();
    println!("{count} fields, ends at {x} {y}");
}
