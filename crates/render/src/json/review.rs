//! A reviewed fix.

use serde_json::{Value, json as value};
use whydunit_findings::{
    ChangedLine, Compared, Counterexample, Did, Disruption, Distance, Executed, Parting, Remark, Reviewed, UnderTest,
};

use super::{list, location, option, seconds, text};

/// The keys of `review`.
pub(super) fn put_reviewed(reviewed: &Reviewed, put: &mut dyn FnMut(&str, Value)) {
    put("fix", text(&reviewed.fix));
    put("test", text(&reviewed.test));
    put("failure", text(&reviewed.failure));
    put("verdict", reviewed.verdict.name().into());
    put("counterexample", option(&reviewed.counterexample, counterexample));
    put("disruptions", list(&reviewed.disruptions, disruption));
    put("differences", list(&reviewed.differences, disruption));
    put("questions", list(&reviewed.questions, remark));
    put("remarks", list(&reviewed.remarks, remark));
    put("predicate", text(&reviewed.predicate.join(" or ")));
    put("distances", list(&reviewed.distances, distance));
    put("complete", reviewed.complete.into());
    put("exhausted", reviewed.exhausted.into());
    put("inputs", reviewed.inputs.into());
    put("proposed_domain", option(&reviewed.proposed_domain, |domain| text(domain)));
    put("compared", option(&reviewed.compared, compared));
    put("entry", option(&reviewed.entry, entry));
    put("changes", list(&reviewed.changes, changed));
}

fn changed(line: &ChangedLine) -> Value {
    value!({ "before": option(&line.before, executed), "after": option(&line.after, executed) })
}

/// Its figures, among the others.
pub(super) fn put_figures(reviewed: &Reviewed, stats: &mut Value) {
    let last = reviewed.distances.last().copied().unwrap_or_default();
    stats["distance"] = reviewed.distance.map_or(Value::Null, Value::from);
    stats["paths"] = last.paths.into();
    stats["feasible"] = last.feasible.into();
    stats["solve_seconds"] = seconds(reviewed.solving);
    stats["search_seconds"] = seconds(reviewed.searching);
    stats["runs_before"] = reviewed.followed[0].into();
    stats["runs_after"] = reviewed.followed[1].into();
}

/// A line of cases.jsonl as an object; as text where it is none.
fn case(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or_else(|_| text(line))
}

fn counterexample(found: &Counterexample) -> Value {
    value!({
        "case": case(&found.case),
        "fails": text(&found.fails),
        "fails_before": found.covered,
        "by": text(&found.by),
        "distance": found.distance,
        "before": did(&found.before),
        "after": did(&found.after),
        "parts": option(&found.parts, parting),
    })
}

fn entry(entry: &UnderTest) -> Value {
    let given = entry.parameters.iter().zip(&entry.arguments);
    value!({
        "function": text(&entry.function),
        "file": text(&entry.file),
        "parameters": list(&entry.parameters, |name| text(name)),
        "arguments": given.map(|(name, given)| value!({ "name": text(name), "value": text(given) })).collect::<Vec<_>>(),
        "unit_test": option(&entry.unit_test, |test| text(test)),
    })
}

fn did(did: &Did) -> Value {
    value!({ "end": text(&did.end), "output": text(&did.output) })
}

fn parting(parting: &Parting) -> Value {
    value!({
        "common": option(&parting.common, executed),
        "before": list(&parting.before, executed),
        "after": list(&parting.after, executed),
    })
}

fn executed(line: &Executed) -> Value {
    value!({ "location": location(&line.location), "code": text(&line.code) })
}

fn disruption(disruption: &Disruption) -> Value {
    value!({
        "test": option(&disruption.test, |test| text(test)),
        "case": option(&disruption.case, |line| case(line)),
        "before": did(&disruption.before),
        "after": did(&disruption.after),
        "what": text(&disruption.what),
        "inputs": disruption.inputs,
    })
}

fn remark(remark: &Remark) -> Value {
    value!({
        "what": text(&remark.what),
        "case": case(&remark.case),
        "inputs": remark.inputs,
        "before": did(&remark.before),
        "after": did(&remark.after),
    })
}

fn distance(at: &Distance) -> Value {
    value!({ "distance": at.distance, "paths": at.paths, "feasible": at.feasible })
}

fn compared(compared: &Compared) -> Value {
    let counts = |[this, other, both]: [u64; 3]| value!({ "this": this, "other": other, "both": both });
    value!({
        "other": text(&compared.other),
        "better": compared.better.name(),
        "failing": compared.failing,
        "covered": counts(compared.covered),
        "disrupted": counts(compared.disrupted),
    })
}
