//! The law of `why`: the value that a step names is one that the run had there, and the condition that it names held as told.
//!
//! The other side of the law reads variables where the run stands, as a debugger does; it knows nothing of traces.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use serde_json::Value;
use whydunit_capture::Store;
use whydunit_causes::expression::evaluate;
use whydunit_causes::variables::Watch;
use whydunit_model::Op;
use whydunit_replay::{At, Entry, Machine, Observer};
use whydunit_workbench::load;

/// What a step says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    line: u32,
    /// A variable, or a condition.
    text: String,
    value: String,
    condition: bool,
}

/// What was held against the run.
#[derive(Default, Debug)]
pub struct Held {
    /// Claims that some moment of the run bears out.
    pub values: usize,
    pub conditions: usize,
    /// Those that none does.
    pub wrong: Vec<String>,
}

/// What the steps of an answer claim about a file.
pub fn claims(steps: &[Value], file: &str) -> Vec<Claim> {
    let own = steps.iter().filter(|step| step["location"]["file"] == file && step["kind"] != "input");
    own.filter_map(|step| {
        let text = |key: &str| step[key].as_str().unwrap_or_default().to_owned();
        let condition = step["condition"].is_string();
        let name = if condition { text("condition") } else { text("variable") };
        let line = step["location"]["line"].as_u64()? as u32;
        let value = text("value");
        (!name.is_empty() && !value.is_empty()).then_some(Claim { line, text: name, value, condition })
    })
    .collect()
}

/// Replays a recording and holds the claims against it.
pub fn hold(project: &Path, recording: &Path, claims: &[Claim]) -> Held {
    let store = Store::open(&project.join(".whydunit")).expect("a store");
    let loaded = load(&store, recording).expect("a recording");
    let mut machine = Machine::new(loaded.program, &loaded.recording).expect("a machine");
    let mut seen =
        Seen { claims, watch: Watch::default(), lines: HashMap::new(), found: vec![BTreeSet::new(); claims.len()] };
    machine.run(&mut seen).expect("a replay");
    let mut held = Held::default();
    for (claim, found) in claims.iter().zip(&seen.found) {
        match found {
            // Nothing of it can be read there: an element of a table by what a register holds, a call.
            found if found.is_empty() => {}
            found if found.contains(&claim.value) => match claim.condition {
                true => held.conditions += 1,
                false => held.values += 1,
            },
            found => held.wrong.push(format!("{claim:?}, but the run had {found:?}")),
        }
    }
    held
}

struct Seen<'a> {
    claims: &'a [Claim],
    watch: Watch,
    /// The line on which each frame stood before, by depth.
    lines: HashMap<usize, u32>,
    /// What each claim's text was, at its line and right after it.
    found: Vec<BTreeSet<String>>,
}

impl Observer for Seen<'_> {
    const OPS: bool = true;
    const FRAMES: bool = true;

    fn op(&mut self, at: &At<'_>, _: &Op) {
        self.watch.follow(at);
        if at.position().in_library() {
            return;
        }
        let line = at.loc().line;
        let before = self.lines.insert(at.depth, line);
        for (claim, found) in self.claims.iter().zip(&mut self.found) {
            if claim.line == line || before == Some(claim.line) {
                found.extend(value(at, &self.watch, claim));
            }
        }
    }

    fn enter(&mut self, at: &At<'_>, _: &Entry<'_>) {
        self.watch.enter(at);
        self.lines.remove(&at.depth);
    }
}

fn value(at: &At<'_>, watch: &Watch, claim: &Claim) -> Option<String> {
    if claim.condition {
        return truth(at, watch, &claim.text).map(|truth| truth.to_string());
    }
    read(at, watch, &claim.text)
}

fn read(at: &At<'_>, watch: &Watch, name: &str) -> Option<String> {
    // A method names members without saying whose.
    let member = || evaluate(at, watch, at.depth, &format!("this->{name}"));
    let found = evaluate(at, watch, at.depth, name).or_else(|_| member()).ok()?;
    Some(found.text(at.module(), at.memory()))
}

/// Whether a condition holds that compares numbers and variables; `None` for all others.
fn truth(at: &At<'_>, watch: &Watch, text: &str) -> Option<bool> {
    let text = text.trim();
    for (word, all) in [("||", false), ("&&", true)] {
        if let Some((one, rest)) = text.split_once(word) {
            let (one, rest) = (truth(at, watch, one)?, truth(at, watch, rest)?);
            return Some(if all { one && rest } else { one || rest });
        }
    }
    let number = |text: &str| -> Option<i128> {
        let text = text.trim();
        text.parse().ok().or_else(|| {
            let read = read(at, watch, text)?;
            let word = if read == "NULL" || read == "0x0" { "0" } else { &read };
            word.split(' ').next()?.parse().ok()
        })
    };
    for sign in ["==", "!=", "<=", ">=", "<", ">"] {
        if let Some((one, two)) = text.split_once(sign) {
            let (one, two) = (number(one)?, number(two)?);
            return Some(match sign {
                "==" => one == two,
                "!=" => one != two,
                "<=" => one <= two,
                ">=" => one >= two,
                "<" => one < two,
                _ => one > two,
            });
        }
    }
    match text.strip_prefix('!') {
        Some(rest) => truth(at, watch, rest).map(|truth| !truth),
        None if text == "true" || text == "false" => Some(text == "true"),
        None => match read(at, watch, text)?.as_str() {
            "true" => Some(true),
            "false" => Some(false),
            other => other.parse::<i128>().ok().map(|number| number != 0),
        },
    }
}
