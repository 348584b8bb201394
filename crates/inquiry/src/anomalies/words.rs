//! Anomalies in words.

use std::cmp::Ordering;
use std::path::Path;

use whydunit_anomalies::{Anomaly, Expected, Fact};
use whydunit_behavior::{Abstract, Example};
use whydunit_desk::convert::relative;
use whydunit_findings::{self as findings, Location};

/// Anomalies that are told.
const TOLD: usize = 10;
/// What else was otherwise in a call that is told.
const ALSO: usize = 4;

/// Anomalies of a test as findings.
pub(crate) fn told(project: &Path, test: &str, anomalies: &[Anomaly]) -> Vec<findings::Anomaly> {
    anomalies.iter().take(TOLD).map(|anomaly| one(project, test, anomaly)).collect()
}

fn one(project: &Path, test: &str, anomaly: &Anomaly) -> findings::Anomaly {
    let fact = &anomaly.facts[0];
    let inspector = fact.inspector.as_ref().map(|saying| (saying.path.clone(), saying.value.text(&[])));
    findings::Anomaly {
        class: anomaly.class.clone(),
        method: anomaly.method.clone(),
        text: sentence(anomaly, fact),
        location: location(project, &anomaly.at),
        test: test.to_owned(),
        count: anomaly.count,
        exceptional: anomaly.exceptional,
        path: fact.path.clone(),
        found: found(fact),
        expected: expected(fact),
        calls: fact.calls,
        tests: fact.tests,
        odd_tests: fact.odd_tests,
        inspector,
        passing_location: location(project, &fact.example),
        passing_test: fact.example.run.clone(),
        also: anomaly.facts.iter().skip(1).take(ALSO).map(also).collect(),
        score: anomaly.score,
    }
}

fn location(project: &Path, at: &Example) -> Option<Location> {
    (!at.file.is_empty() && at.line > 0).then(|| Location::line(relative(project, &at.file), at.line))
}

fn sentence(anomaly: &Anomaly, fact: &Fact) -> String {
    let says = fact.inspector.as_ref().map(|saying| format!(" ({})", equation(&saying.path, &saying.value.text(&[]))));
    let odd = match (fact.odd_calls, fact.odd_tests) {
        (0, _) => String::new(),
        (calls, tests) => format!(", and as here in {} of {}", counted(calls, "call"), counted(tests, "test")),
    };
    format!(
        "`{}` is called here with {}{}; in {} calls of {} passing tests {}{odd}",
        anomaly.method,
        found_at(fact),
        says.unwrap_or_default(),
        fact.calls,
        fact.tests,
        usual(fact),
    )
}

fn counted(number: u64, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// `bound = false`, `size > 0`, `handle null`.
fn equation(path: &str, value: &str) -> String {
    let is_sign = value.starts_with(['<', '>', '=']);
    let is_word = value.starts_with("not ") || matches!(value, "null" | "empty" | "no number");
    if is_sign || is_word { format!("{path} {value}") } else { format!("{path} = {value}") }
}

fn sign(order: Ordering) -> &'static str {
    match order {
        Ordering::Less => "<",
        Ordering::Equal => "=",
        Ordering::Greater => ">",
    }
}

fn found_at(fact: &Fact) -> String {
    match (&fact.expected, fact.order) {
        (Expected::Order(other, _), Some(order)) => format!("{} {} {other}", fact.path, sign(order)),
        _ => equation(&fact.path, &found(fact)),
    }
}

fn found(fact: &Fact) -> String {
    match (&fact.expected, fact.order) {
        (Expected::Order(other, _), Some(order)) => format!("{} {other}", sign(order)),
        _ => fact.found.text(&fact.names),
    }
}

fn expected(fact: &Fact) -> String {
    match &fact.expected {
        Expected::Values(values) => {
            let words: Vec<String> = values.iter().map(|value| value.text(&fact.names)).collect();
            words.join(" or ")
        }
        Expected::Order(other, orders) => {
            let sign = match &orders[..] {
                [one] => sign(*one),
                [Ordering::Less, Ordering::Equal] => "<=",
                [Ordering::Equal, Ordering::Greater] => ">=",
                _ => "!=",
            };
            format!("{sign} {other}")
        }
    }
}

/// `it was true`, `size <= capacity`.
fn usual(fact: &Fact) -> String {
    match &fact.expected {
        Expected::Values(values) if values.iter().all(|value| *value == Abstract::Zero) => "it was 0".into(),
        Expected::Values(_) => format!("it was {}", expected(fact)),
        Expected::Order(..) => format!("{} {}", fact.path, expected(fact)),
    }
}

fn also(fact: &Fact) -> String {
    format!("{}, otherwise {}", found_at(fact), expected(fact))
}
