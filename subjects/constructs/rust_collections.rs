// Vectors, strings, maps, sets, iterators, sorting: generic code of the standard library, partly precompiled.
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet, VecDeque};
use std::fmt::Write;

fn words(text: &str) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for word in text.split_whitespace() {
        *counts.entry(word.trim_matches('.')).or_insert(0) += 1;
    }
    counts
}

fn primes(below: usize) -> Vec<usize> {
    let mut sieve = vec![true; below];
    let mut out = Vec::new();
    for n in 2..below {
        if sieve[n] {
            out.push(n);
            (n * n..below).step_by(n).for_each(|multiple| sieve[multiple] = false);
        }
    }
    out
}

fn main() {
    println!("{:?}", words("to be or not to be. that is the question."));
    println!("{:?}", primes(60));
    let mut text = String::new();
    for (index, c) in "Grüße, Welt".char_indices() {
        write!(text, "{index}{c}|").unwrap();
    }
    println!("{text} {} {:?}", text.to_uppercase(), text.rsplit('|').nth(1));
    let mut map: HashMap<String, Vec<u32>> = HashMap::new();
    for n in 0..200u32 {
        map.entry(format!("k{}", n % 7)).or_default().push(n);
    }
    let mut keys: Vec<_> = map.iter().map(|(key, list)| (list.iter().sum::<u32>(), key.as_str())).collect();
    keys.sort_unstable_by(|a, b| b.cmp(a));
    println!("{keys:?}");
    let set: HashSet<u64> = (0..50).map(|n| n * n % 13).collect();
    let mut set: Vec<_> = set.into_iter().collect();
    set.sort();
    println!("{set:?}");
    let mut heap: BinaryHeap<_> = [5, 1, 8, 3].into_iter().collect();
    println!("{:?} {:?} {}", heap.pop(), heap.pop(), heap.len());
    let mut queue: VecDeque<_> = (1..5).collect();
    queue.rotate_left(2);
    queue.push_front(9);
    println!("{queue:?}");
    let mut list: Vec<String> = (0..30).map(|n| format!("{:02}", n * 17 % 30)).collect();
    list.sort();
    list.dedup_by_key(|text| text.as_bytes()[0]);
    list.retain(|text| text != "10");
    println!("{list:?} {:?}", list.binary_search(&"20".to_string()));
    let total: f64 = list.iter().filter_map(|text| text.parse::<f64>().ok()).fold(0.5, |sum, x| sum + x.sqrt());
    println!("{total:.6} {:?}", list.concat().bytes().rev().take(3).collect::<Vec<_>>());
    let pairs: Vec<(usize, char)> = "abc".chars().enumerate().skip(1).zip("xyz".chars()).map(|((n, _), c)| (n, c)).collect();
    println!("{pairs:?} {:?}", [[1, 2], [3, 4]].concat());
    println!("{:?}", [1, 5, 2, 8, 3].chunks(2).map(|pair| pair.iter().max()).collect::<Vec<_>>());
}
