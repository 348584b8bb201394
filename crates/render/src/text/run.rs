//! Recordings, replays, outlines, causes.

use whydunit_findings::{
    Divergence, Failure, Location, MemoryError, MemoryObject, OutlineEntry, Ran, Record, Replay, ReplayStats,
    RunErrors, Show, UntilFails, Why,
};

use super::Page;
use super::excerpt::excerpt;
use crate::plain::plain;
use crate::runs::{LEAK, bytes, call_lines, fact, freed, lead, object_place, shell_word, wrappers};

pub fn record(page: &mut Page, record: &Record) {
    for recorded in &record.recordings {
        let path = page.style.strong(&recorded.path);
        let facts = format!("{}, {} of log", plain(&recorded.end), bytes(recorded.log_bytes));
        page.line(format!("{path}  {}: {facts}", plain(&recorded.program)));
    }
    errors(page, &record.errors);
    if let Some(until) = &record.until_fails {
        until_fails(page, until);
    }
}

fn until_fails(page: &mut Page, until: &UntilFails) {
    let runs = super::counted(until.runs.into(), "run");
    if until.failures == 0 {
        page.line(format!("it passed in {runs}: no failing run was seen"));
        return;
    }
    page.line(format!("it failed in {} of {runs}", until.failures));
    let Some(passing) = &until.passing else {
        page.line("no run passed: there is none to compare with");
        return;
    };
    page.line(format!("beside a run that passes ({}):", page.style.strong(passing)));
    if until.differences.is_empty() {
        let upto = if until.cut { " as far as they were compared" } else { "" };
        page.line(format!("  both go the same way{upto}, and are given the same"));
    }
    for difference in &until.differences {
        let thread = difference.thread.map(|number| format!(", thread {number}")).unwrap_or_default();
        page.line(format!("  {}{thread}: {}", page.style.bad(&difference.kind), plain(&difference.message)));
        if let Some(location) = &difference.location {
            page.line(format!("    at {}", page.style.strong(&location.to_string())));
            excerpt(page, location, 6);
        }
    }
}

/// Of which run the answer is, in a line: as a person would start it again.
fn ran(page: &mut Page, ran: &Ran) {
    let words: Vec<String> = ran.arguments.iter().map(|word| shell_word(word)).collect();
    let command = page.style.strong(&plain(&words.join(" ")));
    let test = ran.test.as_ref().map(|test| format!("test {}: ", plain(test))).unwrap_or_default();
    let when = ran.recorded.replace('T', " ").replace('Z', " UTC");
    let rest = page.style.faint(&format!("  (in {}, recorded {when})", plain(&ran.folder)));
    page.line(format!("{test}{command}{rest}"));
}

pub fn replay(page: &mut Page, replay: &Replay, stats: Option<&ReplayStats>) {
    ran(page, &replay.recording);
    match &replay.divergence {
        None => {
            let verdict = page.style.good("the replay agrees with the recording");
            page.line(format!("{verdict}; the run {}", plain(&replay.end)));
        }
        Some(divergence) => diverged(page, divergence),
    }
    if let Some(stats) = stats {
        page.line(format!(
            "{} instructions, {:.1} million a second; {} surprises, {} external calls, {} of log",
            stats.instructions,
            stats.instructions_per_second / 1e6,
            stats.surprises,
            stats.external_calls,
            bytes(stats.log_bytes)
        ));
    }
    errors(page, &replay.errors);
}

fn diverged(page: &mut Page, divergence: &Divergence) {
    let title = page.style.bad("the replay parts from the recording");
    page.line(format!("{title} at {}", plain(&divergence.instruction)));
    if let Some(location) = &divergence.location {
        page.line(format!("      at {location}"));
        excerpt(page, location, 9);
    }
    page.line(format!("expected {}", plain(&divergence.expected)));
    page.line(format!("     got {}", plain(&divergence.got)));
    page.line("this is a fault of whydunit: please report it with the recording");
}

pub fn show(page: &mut Page, show: &Show) {
    ran(page, &show.recording);
    // What went wrong is what people look for.
    if let Some(failure) = &show.failure {
        failed(page, failure);
    }
    errors(page, &show.errors);
    if (show.failure.is_some() || !show.errors.is_empty()) && !show.outline.is_empty() {
        page.line("");
    }
    let mut thread = None;
    for entry in &show.outline {
        if let Some(number) = entry.thread
            && thread.replace(number) != Some(number)
        {
            let line = page.style.faint(&format!("thread {number}:"));
            page.line(line);
        }
        outline_entry(page, entry);
    }
    if let Some(divergence) = &show.divergence {
        diverged(page, divergence);
    }
}

fn outline_entry(page: &mut Page, entry: &OutlineEntry) {
    // Deep recursion would push everything off the screen.
    let indent = 2 * entry.depth.min(30) as usize;
    let kind = if entry.kind == "call" { String::new() } else { page.style.faint(&format!("{}: ", entry.kind)) };
    let place = entry.location.as_ref().map(|place| page.style.faint(&format!("  {place}"))).unwrap_or_default();
    page.line(format!("{:indent$}{kind}{}{place}", "", plain(&entry.text)));
}

fn failed(page: &mut Page, failure: &Failure) {
    let title = page.style.bad("failure: ");
    let thread = failure.thread.map(|number| format!(", in thread {number}")).unwrap_or_default();
    page.line(format!("{title}{} ({}{thread})", plain(&failure.message), failure.kind));
    if let Some(location) = &failure.location {
        page.line(format!("  at {}", page.style.strong(&location.to_string())));
        excerpt(page, location, 4);
    }
    if let Some(predicate) = &failure.predicate {
        page.line(format!("  should have held: {}", plain(predicate)));
    }
    callers(page, failure);
    let width = failure.variables.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).min(24);
    for (name, value) in &failure.variables {
        page.line(format!("    {name:<width$} = {}", plain(value)));
    }
}

/// The calls under way but the innermost.
fn callers(page: &mut Page, failure: &Failure) {
    let (left_out, after) = failure.stack_left_out.unwrap_or((0, failure.stack.len()));
    let (inner, outer) = failure.stack.split_at(after.min(failure.stack.len()));
    calls(page, "  called from", inner.get(1..).unwrap_or_default());
    if left_out > 0 {
        page.line(format!("  … {left_out} more calls"));
    }
    calls(page, "  called from", outer);
}

pub fn why(page: &mut Page, why: &Why) {
    if why.steps.is_empty() {
        page.line("no cause was found in the recording");
    }
    if let Some(failure) = &why.failure {
        page.line(format!("{}{}", page.style.bad("failure: "), plain(failure)));
    }
    for (index, step) in why.steps.iter().enumerate() {
        let lead = lead(why, index, step);
        let fact = page.style.strong(&fact(step));
        let place = step.location.as_ref().map(|place| page.style.faint(&format!("  {place}"))).unwrap_or_default();
        // What another thread wrote should catch the eye.
        let asked = why.steps.first().and_then(|first| first.thread);
        let thread = match step.thread {
            Some(number) if step.thread != asked => page.style.strong(&format!("  in another thread, {number}")),
            Some(number) => page.style.faint(&format!("  in thread {number}")),
            None => String::new(),
        };
        page.line(format!("{lead:>12}  {fact}{place}{thread}"));
        if let Some(location) = &step.location {
            excerpt(page, location, 14);
        }
        if let Some(note) = &step.note {
            page.line(format!("{:14}{}", "", plain(note)));
        }
    }
    if let Some(divergence) = &why.divergence {
        page.line("this was the value before the end of what can be replayed:");
        diverged(page, divergence);
    }
}

/// What a run does wrong.
pub fn errors(page: &mut Page, errors: &RunErrors) {
    memory_errors(page, &errors.memory);
    for found in &errors.undefined {
        let title = page.style.bad(&format!("undefined behaviour ({}): ", found.kind));
        page.line(format!("{title}{}", plain(&found.message)));
        if let Some(location) = &found.location {
            page.line(format!("  at {} in {}", page.style.strong(&location.to_string()), plain(&found.function)));
            excerpt(page, location, 4);
        }
        calls(page, "  called from", &found.stack);
        if found.times > 1 {
            page.line(format!("  {} times in all, this is the first", found.times));
        }
    }
}

fn memory_errors(page: &mut Page, errors: &[MemoryError]) {
    for error in errors {
        let title = page.style.bad(&format!("{}: ", error.kind));
        page.line(format!("{title}{}", plain(&error.message)));
        if let Some(location) = &error.location {
            page.line(format!("  at {} in {}", page.style.strong(&location.to_string()), plain(&error.function)));
            excerpt(page, location, 4);
        }
        calls(page, "  called from", &error.stack);
        match &error.object {
            // It stands where it was allocated.
            Some(object) if error.kind == LEAK => {
                let by = wrappers(object);
                if !by.is_empty() {
                    page.line(format!("  allocated{by}"));
                }
            }
            Some(object) => memory_object(page, object),
            None => {}
        }
    }
}

fn memory_object(page: &mut Page, object: &MemoryObject) {
    page.line(format!("  {}", object_place(object)));
    calls(page, "    called from", object.allocation.get(1..).unwrap_or_default());
    if let Some(freed) = freed(object) {
        page.line(format!("  {freed}"));
        calls(page, "    called from", object.freeing.get(1..).unwrap_or_default());
    }
}

fn calls(page: &mut Page, lead: &str, calls: &[(String, Option<Location>)]) {
    for line in call_lines(calls) {
        page.line(format!("{lead} {line}"));
    }
}
