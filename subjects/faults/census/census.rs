//! Counts the words of several texts side by side.
//!
//! Texts are separated by lines of dashes; a text whose first line ends with a colon has that as its title. Each text
//! has a thread. The report has each text in order, then the most frequent words of all.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::sync::mpsc;
use std::thread;

const SHOWN: usize = 4;
const SHORTEST: usize = 3;
const COMMON: [&str; 8] = ["and", "are", "but", "for", "not", "that", "the", "was"];

#[derive(Debug)]
struct Text {
    title: String,
    body: String,
}

#[derive(Default, Debug)]
struct Counts {
    lines: usize,
    words: usize,
    sentences: usize,
    longest: String,
    by_word: BTreeMap<String, usize>,
}

fn split(input: &str) -> Vec<Text> {
    let mut texts = Vec::new();
    let mut lines: Vec<&str> = Vec::new();
    for line in input.lines().chain(["---"]) {
        if line.len() < 3 || line.chars().any(|letter| letter != '-') {
            lines.push(line);
            continue;
        }
        if lines.is_empty() {
            continue;
        }
        let mut title = format!("text {}", texts.len() + 1);
        if let Some(first) = lines[0].strip_suffix(':') {
            title = first.to_string();
            lines.remove(0);
        }
        texts.push(Text { title, body: lines.join("\n") });
        lines.clear();
    }
    texts
}

fn clean(word: &str) -> String {
    word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase()
}

fn count(body: &str) -> Counts {
    let mut counts = Counts::default();
    for line in body.lines().filter(|line| !line.trim().is_empty()) {
        counts.lines += 1;
        for word in line.split_whitespace() {
            if word.ends_with(['.', '!', '?']) {
                counts.sentences += 1;
            }
            let word = clean(word);
            if word.is_empty() {
                continue;
            }
            counts.words += 1;
            if word.len() > counts.longest.len() {
                counts.longest = word.clone();
            }
            *counts.by_word.entry(word).or_default() += 1;
        }
    }
    counts
}

fn is_worth_showing(word: &str) -> bool {
    word.len() >= SHORTEST && !COMMON.contains(&word)
}

fn most_frequent(by_word: &BTreeMap<String, usize>) -> String {
    let mut pairs: Vec<(&String, &usize)> = by_word.iter().filter(|(word, _)| is_worth_showing(word)).collect();
    pairs.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
    let shown: Vec<String> = pairs.iter().take(SHOWN).map(|(word, count)| format!("{word} {count}")).collect();
    shown.join(", ")
}

fn print_text(title: &str, counts: &Counts) {
    println!("{title}: {} lines, {} words, {} sentences", counts.lines, counts.words, counts.sentences);
    if counts.words > 0 {
        println!("  longest \"{}\"", counts.longest);
        println!("  {} different, often: {}", counts.by_word.len(), most_frequent(&counts.by_word));
    }
}

fn main() {
    let mut input = String::new();
    if io::stdin().read_to_string(&mut input).is_err() {
        println!("the input is no text");
        return;
    }
    let (sender, receiver) = mpsc::channel();
    let mut titles = Vec::new();
    let mut workers = Vec::new();
    for (index, text) in split(&input).into_iter().enumerate() {
        let sender = sender.clone();
        titles.push(text.title);
        workers.push(thread::spawn(move || sender.send((index, count(&text.body))).is_ok()));
    }
    drop(sender);
    // They end in any order.
    let results: BTreeMap<usize, Counts> = receiver.iter().collect();
    for worker in workers {
        assert!(worker.join().is_ok_and(|sent| sent), "a text was not counted");
    }
    let mut all = BTreeMap::new();
    let mut shared: Option<BTreeSet<&String>> = None;
    for (index, counts) in &results {
        print_text(&titles[*index], counts);
        for (word, number) in &counts.by_word {
            *all.entry(word.clone()).or_insert(0) += number;
        }
        let words: BTreeSet<&String> = counts.by_word.keys().filter(|word| is_worth_showing(word)).collect();
        shared = Some(match shared {
            Some(before) => before.intersection(&words).copied().collect(),
            None => words,
        });
    }
    println!("all: {} words, {} different", all.values().sum::<usize>(), all.len());
    println!("often: {}", most_frequent(&all));
    let shared: Vec<&str> = shared.into_iter().flatten().map(String::as_str).collect();
    println!("in every text: {}", if shared.is_empty() { "none".to_string() } else { shared.join(" ") });
}
