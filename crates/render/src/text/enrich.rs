//! What may be called when: the states, what the suite knew, what was learned and how, and what stayed unseen.

use std::collections::BTreeMap;

use whydunit_findings::{Enriched, EnrichedArgument, EnrichedHow, EnrichedTransition, Location};

use super::mine::in_words;
use super::unit_tests::unit_tests;
use super::{Page, counted};
use crate::plain::plain;

/// The answer of `enrich`.
pub fn enriched(page: &mut Page, enriched: &Enriched) {
    let (known, new): (Vec<_>, Vec<_>) = enriched.transitions.iter().partition(|it| it.seen > 0);
    let depth = if enriched.depth > 1 { format!(", paths of {} steps", enriched.depth) } else { String::new() };
    page.line(format!(
        "{}: {} of {} in {}{depth}; {} tried, {} of them to an end",
        page.style.strong(&plain(&enriched.class)),
        counted(enriched.states.len().saturating_sub(1) as u64, "state"),
        counted(enriched.objects, "object"),
        counted(enriched.runs, "run"),
        counted(enriched.calls, "call"),
        enriched.executed,
    ));
    for state in enriched.states.iter().skip(1) {
        let values = if state.values.is_empty() { "it has ended".into() } else { in_words(state.values.iter()) };
        let new = if state.new { "  (no test brings an object there)" } else { "" };
        page.line(format!("  {:<6} {values}{new}", plain(&state.name)));
    }
    section(page, "the suite knew", enriched, &known);
    section(page, "learned", enriched, &new);
    unseen(page, enriched);
    if let Some(tests) = &enriched.unit_tests {
        unit_tests(page, enriched, tests);
    }
}

fn name(enriched: &Enriched, state: Option<usize>) -> &str {
    state.map_or("ex", |state| &enriched.states[state].name)
}

/// Transitions, each with what it is known by.
fn section(page: &mut Page, heading: &str, enriched: &Enriched, transitions: &[&EnrichedTransition]) {
    page.line("");
    if transitions.is_empty() {
        page.line(format!("{heading}: nothing"));
        return;
    }
    page.line(page.style.strong(heading));
    let arrow = |it: &EnrichedTransition| format!("{} -> {}", name(enriched, Some(it.from)), name(enriched, it.to));
    let width = transitions.iter().map(|it| arrow(it).chars().count()).max().unwrap_or(0);
    for it in transitions {
        let reason = it.reason.as_ref().map(|(kind, text)| match text.as_str() {
            "" => format!("  {kind}"),
            text => format!("  {kind} {text}"),
        });
        let grade = enriched.pairs.iter().find(|pair| pair.state == it.from && pair.method == it.method);
        let grade = grade.filter(|_| it.to.is_none()).map(|pair| format!("  ({})", pair.grade));
        let count = if it.seen > 0 { it.seen } else { it.tried };
        page.line(format!(
            "  {:<width$}  {} \u{d7}{count}{}{}",
            plain(&arrow(it)),
            plain(&it.method),
            plain(&reason.unwrap_or_default()),
            grade.unwrap_or_default(),
        ));
        if let Some(how) = it.how.as_ref().filter(|_| it.seen == 0) {
            page.line(page.style.faint(&plain(&format!("  {:width$}    {}", "", told(how)))));
        }
    }
}

fn place(test: &str, location: Option<&Location>) -> String {
    location.map_or_else(|| test.to_owned(), |location| format!("{test} {location}"))
}

/// How it was tried.
fn told(how: &EnrichedHow) -> String {
    let mut out = format!("in {}", place(&how.test, how.location.as_ref()));
    for step in &how.steps {
        out += &format!(", then {step}");
    }
    let argument = |it: &EnrichedArgument| match &it.test {
        Some(test) => format!("{} of {}", it.text, place(test, it.location.as_ref())),
        None => format!("{}, a boundary", it.text),
    };
    let arguments: Vec<String> = how.arguments.iter().map(argument).collect();
    if !arguments.is_empty() {
        out += &format!("; with {}", arguments.join("; "));
    }
    out
}

/// What was not executed, by reason and state.
fn unseen(page: &mut Page, enriched: &Enriched) {
    let mut by_reason: BTreeMap<String, BTreeMap<usize, Vec<&str>>> = BTreeMap::new();
    for pair in enriched.pairs.iter().filter(|pair| pair.grade == "unseen") {
        let of_reason = by_reason.entry(pair.reasons.join("; ")).or_default();
        of_reason.entry(pair.state).or_default().push(&pair.method);
    }
    if by_reason.is_empty() {
        return;
    }
    page.line("");
    page.line(page.style.strong("unseen"));
    for (reason, states) in by_reason {
        // States with the same methods stand together.
        let mut together: BTreeMap<Vec<&str>, Vec<&str>> = BTreeMap::new();
        for (state, methods) in states {
            together.entry(methods).or_default().push(name(enriched, Some(state)));
        }
        for (methods, states) in together {
            page.line(format!("  in {}: {}", plain(&states.join(", ")), plain(&methods.join(", "))));
        }
        page.line(page.style.faint(&plain(&format!("    {reason}"))));
    }
}
