use std::io::Read;

/// The mean of grades, by subject.
fn mean(grades: &[u32]) -> u32 {
    grades.iter().sum::<u32>() / grades.len() as u32
}

fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).expect("a text");
    for line in text.lines() {
        let (subject, rest) = line.split_once(':').unwrap_or((line, ""));
        let grades: Vec<u32> = rest.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        println!("{subject} {}", mean(&grades));
    }
}
