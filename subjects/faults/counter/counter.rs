//! A queue at the counters of a bank, minute by minute.
//!
//! Arguments: the number of counters and how the next customer is chosen: `fair`, `short` or `old`. Each line of the
//! input is a customer: the minute of arrival, the name, the kind of business, the age.

use std::collections::{BTreeMap, VecDeque};
use std::env;
use std::io::{self, BufRead};

const PATIENCE: u32 = 15;
const SENIOR: u32 = 65;
const CLOSING: u32 = 120;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Business {
    Deposit,
    Transfer,
    Loan,
}

impl Business {
    fn parse(word: &str) -> Option<Business> {
        match word {
            "deposit" => Some(Business::Deposit),
            "transfer" => Some(Business::Transfer),
            "loan" => Some(Business::Loan),
            _ => None,
        }
    }

    fn minutes(self) -> u32 {
        match self {
            Business::Deposit => 3,
            Business::Transfer => 5,
            Business::Loan => 12,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Business::Deposit => "deposit",
            Business::Transfer => "transfer",
            Business::Loan => "loan",
        }
    }
}

#[derive(Clone, Debug)]
struct Customer {
    name: String,
    arrival: u32,
    business: Business,
    age: u32,
}

/// Chooses who is next of those who wait.
trait Policy {
    fn choose(&self, waiting: &VecDeque<Customer>) -> Option<usize>;
}

struct Fair;

impl Policy for Fair {
    fn choose(&self, waiting: &VecDeque<Customer>) -> Option<usize> {
        if waiting.is_empty() { None } else { Some(0) }
    }
}

/// The shortest business first.
struct Short;

impl Policy for Short {
    fn choose(&self, waiting: &VecDeque<Customer>) -> Option<usize> {
        (0..waiting.len()).min_by_key(|index| waiting[*index].business.minutes())
    }
}

/// Seniors first, then in the order of arrival.
struct Old;

impl Policy for Old {
    fn choose(&self, waiting: &VecDeque<Customer>) -> Option<usize> {
        waiting.iter().position(|customer| customer.age >= SENIOR).or(Fair.choose(waiting))
    }
}

#[derive(Default)]
struct Counter {
    busy_until: u32,
    served: u32,
    worked: u32,
}

struct Bank {
    counters: Vec<Counter>,
    policy: Box<dyn Policy>,
    waiting: VecDeque<Customer>,
    waits: BTreeMap<Business, Vec<u32>>,
    longest: usize,
    left: u32,
}

impl Bank {
    fn minute(&mut self, now: u32) {
        let before = self.waiting.len();
        self.waiting.retain(|customer| {
            let stays = now - customer.arrival <= PATIENCE;
            if !stays {
                println!("{now:>3} {} leaves", customer.name);
            }
            stays
        });
        self.left += (before - self.waiting.len()) as u32;
        for (number, counter) in self.counters.iter_mut().enumerate() {
            if counter.busy_until > now {
                continue;
            }
            let Some(customer) = self.policy.choose(&self.waiting).and_then(|index| self.waiting.remove(index)) else {
                continue;
            };
            let minutes = customer.business.minutes();
            counter.busy_until = now + minutes;
            counter.served += 1;
            counter.worked += minutes;
            self.waits.entry(customer.business).or_default().push(now - customer.arrival);
            println!("{now:>3} {} to counter {}: {}", customer.name, number + 1, customer.business.name());
        }
        self.longest = self.longest.max(self.waiting.len());
    }

    fn report(&self) {
        println!("longest queue {}, {} left", self.longest, self.left);
        for (number, counter) in self.counters.iter().enumerate() {
            println!("counter {}: {} served in {} minutes", number + 1, counter.served, counter.worked);
        }
        for (business, waits) in &self.waits {
            let sum: u32 = waits.iter().sum();
            let most = waits.iter().max().copied().unwrap_or(0);
            println!(
                "{:<8} waits {:.1} on average, {most} at most",
                business.name(),
                f64::from(sum) / waits.len() as f64
            );
        }
    }
}

fn parse_customer(line: &str) -> Option<Customer> {
    let mut words = line.split_whitespace();
    let arrival = words.next()?.parse().ok()?;
    let name = words.next()?.to_string();
    let business = Business::parse(words.next()?)?;
    let age = words.next()?.parse().ok()?;
    Some(Customer { name, arrival, business, age })
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let counters = arguments.first().and_then(|word| word.parse().ok()).unwrap_or(1);
    let policy: Box<dyn Policy> = match arguments.get(1).map(String::as_str) {
        Some("short") => Box::new(Short),
        Some("old") => Box::new(Old),
        _ => Box::new(Fair),
    };
    let mut coming = VecDeque::new();
    for (index, line) in io::stdin().lock().lines().map_while(Result::ok).enumerate() {
        match parse_customer(&line) {
            Some(customer) => coming.push_back(customer),
            None => println!("line {} is skipped", index + 1),
        }
    }
    let mut bank = Bank {
        counters: (0..counters).map(|_| Counter::default()).collect(),
        policy,
        waiting: VecDeque::new(),
        waits: BTreeMap::new(),
        longest: 0,
        left: 0,
    };
    for now in 0..CLOSING {
        while coming.front().is_some_and(|customer: &Customer| customer.arrival <= now) {
            bank.waiting.extend(coming.pop_front());
        }
        bank.minute(now);
    }
    bank.report();
}
