//! JSON: one object, keys in the order of the contract.

mod cases;
mod check;
mod classes;
mod enrich;
mod errors;
mod health;
mod history;
mod mine;
mod review;
mod score;

use serde_json::{Map, Value, json as value};
use whydunit_findings::{
    Body, Cause, CauseStatement, Change, CorrectionSet, DemoStep, Divergence, Executable, Explained, Failure, Finding,
    Group, LineScore, Location, Otherwise, OutlineEntry, Patch, PatchEvidence, Problem, Ran, Recorded, RepairPhases,
    Replacement, ReplayStats, Report, Rounds, RunDifference, ShardOf, Shrunk, ShrunkPart, Size, SpectrumCounts, Stats,
    Step, TestFailure, TestResult, TriedChange, UntilFails, ValuesSeen, Variants,
};

pub use history::catalogue;

/// Name and version of the contract.
pub const SCHEMA: &str = "whydunit/1";

/// The report as one JSON object, indented, with a newline at the end. The keys that every command has come first.
pub fn json(report: &Report) -> String {
    let mut text = format!("{:#}", Value::Object(object(report)));
    text.push('\n');
    text
}

/// The report's object.
pub(crate) fn object(report: &Report) -> Map<String, Value> {
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| {
        object.insert(key.to_string(), value);
    };
    let findings = if let Body::Locate(located) = &report.body { &located.findings[..] } else { &[] };
    put("schema", SCHEMA.into());
    put("command", report.body.command().into());
    put("tests", list(&report.tests, test));
    put("findings", list(findings, finding));
    put("problems", list(&report.problems, problem));
    let mut figures = stats(&report.stats);
    if let Body::Review(reviewed) = &report.body {
        review::put_figures(reviewed, &mut figures);
    }
    put("stats", figures);
    put("partial", report.partial.into());
    if let Some(ShardOf { number, of, suite, complete }) = &report.shard {
        put("shard", value!({ "number": number, "of": of, "suite": suite, "complete": complete }));
    }
    put_body(&report.body, &mut put);
    object
}

/// The keys of a command.
fn put_body(body: &Body, put: &mut dyn FnMut(&str, Value)) {
    match body {
        Body::Test => {}
        Body::TestList(names) => put("names", value!(names)),
        Body::Init(init) => {
            put("path", text(&init.path));
            put("decisions", value!(init.decisions));
        }
        Body::Build(build) => {
            put("units", build.units.into());
            put("executables", list(&build.executables, executable));
            put("notes", value!(build.notes));
        }
        Body::Record(record) => {
            put("recordings", list(&record.recordings, recorded));
            record.until_fails.iter().for_each(|until| put("until_fails", until_fails(until)));
        }
        Body::Replay(replay) => {
            put("recording", ran(&replay.recording));
            put("divergence", option(&replay.divergence, divergence));
            put("end", text(&replay.end));
        }
        Body::Show(show) => {
            put("recording", ran(&show.recording));
            put("outline", list(&show.outline, outline_entry));
            put("failure", option(&show.failure, |it| failure(it)));
            put("end", text(&show.end));
            put("divergence", option(&show.divergence, divergence));
        }
        Body::Classes(classes) => put("classes", list(classes, classes::class)),
        Body::Mine(mined) => mine::put(mined, put),
        Body::Enrich(enriched) => enrich::put(enriched, put),
        Body::Check(checked) => check::put(checked, put),
        Body::History(told) => history::put(told, put),
        Body::Why(why) => {
            put("steps", list(&why.steps, step));
            put("end", text(&why.end));
            put("divergence", option(&why.divergence, divergence));
            why.ran.into_iter().for_each(|ran| put("ran", ran.into()));
            why.failure.iter().for_each(|failure| put("failure", text(failure)));
        }
        Body::Locate(located) => {
            put("method", text(&located.method));
            put("correction_sets", list(&located.correction_sets, correction_set));
            put("lines", list(&located.lines, line_score));
            put("failures", list(&located.failures, test_failure));
            if !located.rounds.is_empty() {
                put("rounds", list(&located.rounds, rounds));
            }
            if let Some(anomalies) = &located.anomalies {
                put("anomalies", list(anomalies, mine::anomaly));
            }
            if !located.groups.is_empty() {
                put("groups", list(&located.groups, group));
            }
        }
        Body::Explain(explained) => put_explained(explained, put),
        Body::Repair(repaired) => {
            put("method", text(&repaired.method));
            put("failing", list(&repaired.tests, |test| text(test)));
            put("patches", list(&repaired.patches, patch));
            if !repaired.anomalies.is_empty() {
                put("anomalies", list(&repaired.anomalies, mine::anomaly));
            }
            put("sites", repaired.sites.into());
            put("candidates", repaired.candidates.into());
            put("tried", repaired.tried.into());
            put("alike", repaired.alike.into());
            put("hopeless", repaired.hopeless.into());
            put("phases", repair_phases(&repaired.phases));
            put("looked_at", list(&repaired.lines, location));
        }
        Body::Review(reviewed) => review::put_reviewed(reviewed, put),
        Body::Score(score) => score::put_score(score, put),
        Body::Cases(told) => cases::put_cases(told, put),
        Body::Shrink(shrunk) => put("shrunk", self::shrunk(shrunk)),
        Body::Doctor(told) => health::put(told, put),
        Body::Demo(steps) => put("steps", list(steps, demo_step)),
    }
    if let Some(errors) = body.errors() {
        put("memory_errors", list(&errors.memory, errors::memory_error));
        put("undefined_behaviours", list(&errors.undefined, errors::undefined_behaviour));
    }
}

fn list<T>(items: &[T], each: impl Fn(&T) -> Value) -> Value {
    items.iter().map(each).collect()
}

fn option<T>(item: &Option<T>, some: impl Fn(&T) -> Value) -> Value {
    item.as_ref().map_or(Value::Null, some)
}

/// Whole numbers without a fraction; infinite ones as the largest there is, since JSON has none.
fn number(x: f64) -> Value {
    if x.fract() == 0.0 && x.abs() < 1e15 { value!(x as i64) } else { value!(x.clamp(f64::MIN, f64::MAX)) }
}

/// Seconds to the microsecond: more digits say nothing.
fn seconds(x: f64) -> Value {
    value!((x * 1e6).round() / 1e6)
}

/// `object` with `key` where the value is there.
fn with<T>(mut object: Value, key: &str, item: &Option<T>, some: impl Fn(&T) -> Value) -> Value {
    if let Some(item) = item {
        object[key] = some(item);
    }
    object
}

fn text(text: &str) -> Value {
    text.into()
}

fn location(location: &Location) -> Value {
    value!({
        "file": location.file,
        "line": location.line,
        "column": location.column,
        "end_line": location.end_line,
        "end_column": location.end_column,
    })
}

fn test(test: &TestResult) -> Value {
    let object = value!({ "name": test.name, "outcome": test.outcome.name(), "seconds": seconds(test.seconds) });
    let object = with(object, "reason", &test.reason, |it| text(it));
    let object = with(object, "runs", &test.runs, |it| it.runs.into());
    let object = with(object, "failures", &test.runs, |it| it.failures.into());
    let object = with(object, "check", &test.printed.as_ref().and_then(|it| it.check.as_ref()), |it| text(it));
    let object = with(object, "output", &test.printed.as_ref().map(|it| &it.lines), |it| list(it, |line| text(line)));
    let left_out = test.printed.as_ref().map(|it| it.left_out).filter(|number| *number > 0);
    let object = with(object, "output_left_out", &left_out, |it| (*it).into());
    let some = |is_empty: bool| (!is_empty).then_some(&test.errors);
    let object = with(object, "memory_errors", &some(test.errors.memory.is_empty()), |it| {
        list(&it.memory, errors::memory_error)
    });
    with(object, "undefined_behaviours", &some(test.errors.undefined.is_empty()), |it| {
        list(&it.undefined, errors::undefined_behaviour)
    })
}

fn problem(problem: &Problem) -> Value {
    let object = with(value!({ "message": problem.message }), "location", &problem.location, location);
    with(object, "help", &problem.help, |it| text(it))
}

fn patch(patch: &Patch) -> Value {
    value!({
        "grade": patch.grade.name(),
        "origin": text(&patch.origin),
        "location": location(&patch.replaced.location),
        "function": text(&patch.replaced.function),
        "before": text(&patch.replaced.before),
        "after": text(&patch.replaced.after),
        "also": patch.also.iter().map(replacement).collect::<Vec<_>>(),
        "diff": text(&patch.diff),
        "demands": patch.demands.iter().map(|demand| text(demand)).collect::<Vec<_>>(),
        "differing": option(&patch.differing, |differing| value!({
            "other": differing.other,
            "case": text(&differing.case),
            "output": text(&differing.output),
            "status": differing.status,
            "other_output": text(&differing.other_output),
            "other_status": differing.other_status,
        })),
        "evidence": option(&patch.evidence, evidence),
        "deciding": patch.deciding,
        "rivals": patch.rivals,
        "refuted": option(&patch.refuted, |refuted| text(refuted)),
        "missing": list(&patch.missing(), |missing| text(missing)),
    })
}

fn evidence(evidence: &PatchEvidence) -> Value {
    let seen = |seen: &ValuesSeen| {
        value!({
            "test": text(&seen.test),
            "replacement": seen.replacement,
            "times": seen.times,
            "first": option(&seen.first, |(number, otherwise)| match otherwise {
                Otherwise::Value { before, after } => {
                    value!({ "number": number, "change": "value", "before": text(before), "after": text(after) })
                }
                Otherwise::LeftOut => value!({ "number": number, "change": "left-out" }),
                Otherwise::Leaves => value!({ "number": number, "change": "leaves" }),
            }),
            "later": seen.later,
            "known": seen.known,
        })
    };
    value!({
        "has_values": evidence.has_values,
        "failing": list(&evidence.failing, seen),
        "passing": evidence.passing,
        "reaching": evidence.reaching,
        "otherwise": list(&evidence.otherwise, seen),
    })
}

fn replacement(replaced: &Replacement) -> Value {
    value!({
        "location": location(&replaced.location),
        "function": text(&replaced.function),
        "before": text(&replaced.before),
        "after": text(&replaced.after),
    })
}

fn put_explained(explained: &Explained, put: &mut dyn FnMut(&str, Value)) {
    put("method", text(&explained.method));
    put("test", text(&explained.test));
    put("good", text(&explained.good));
    put("bad", text(&explained.bad));
    put("failure", option(&explained.failure, test_failure));
    put("changes", explained.changes.into());
    put("root", list(&explained.root, explained_change));
    put("auxiliary", list(&explained.auxiliary, explained_change));
    put("causes", list(&explained.causes, explained_cause));
    put("patch", text(&explained.patch));
    put("saved_builds", explained.saved.into());
    put("reduced", explained.reduced.into());
    put("variants", explained_variants(explained.variants));
    let commit = |commit: &(String, String)| value!({ "id": commit.0, "subject": commit.1 });
    put("commit", option(&explained.commit, commit));
}

fn explained_change(change: &Change) -> Value {
    let Location { file, line, .. } = &change.location;
    value!({ "id": change.id, "file": file, "line": line, "diff": change.diff })
}

fn explained_variants(variants: Variants) -> Value {
    let Variants { passed, failed, other, not_built, known } = variants;
    value!({ "passed": passed, "failed": failed, "other": other, "not_built": not_built, "known": known })
}

fn explained_cause(cause: &Cause) -> Value {
    let statement = |statement: &CauseStatement| value!({ "location": location(&statement.location), "code": statement.code, "value": statement.value });
    value!({
        "id": cause.id,
        "predicate": location(&cause.predicate),
        "code": cause.code,
        "statements": list(&cause.statements, statement),
        "changes": cause.changes,
        "leads_to": cause.leads_to,
    })
}

fn finding(finding: &Finding) -> Value {
    let object = value!({
        "rank": number(finding.rank),
        "rank_best": finding.rank_best,
        "rank_worst": finding.rank_worst,
        "score": number(finding.score),
        "location": location(&finding.location),
        "function": finding.function,
        "code": finding.code,
        "sets": finding.sets,
        "witness": finding.witness,
    });
    let object = with(object, "branch", &finding.branch, |it| text(it));
    let object = with(object, "verdict", &finding.verdict, |verdict| text(verdict.name()));
    let object = with(object, "unasked", &finding.unasked, |it| text(it));
    let changes = Some(&finding.changes).filter(|changes| !changes.is_empty()).map(|changes| list(changes, change));
    let object = with(object, "changes", &changes, Value::clone);
    with(object, "counts", &finding.counts, counts)
}

fn change(change: &TriedChange) -> Value {
    value!({
        "change": change.change,
        "failing": change.failing,
        "failing_passed": change.failing_passed,
        "passing": change.passing,
        "passing_kept": change.passing_kept,
    })
}

fn counts(counts: &SpectrumCounts) -> Value {
    value!({
        "failed": counts.failed,
        "passed": counts.passed,
        "failed_total": counts.failed_total,
        "passed_total": counts.passed_total,
    })
}

fn correction_set(set: &CorrectionSet) -> Value {
    value!({
        "cost": number(set.cost),
        "statements": list(&set.statements, location),
        "witness": set.witness,
        "confirmed": set.confirmed,
        "ran": set.ran,
        "tests": set.tests,
    })
}

fn group(group: &Group) -> Value {
    let findings = list(&group.findings, finding);
    value!({ "tests": group.tests, "apart": group.apart.name(), "findings": findings })
}

fn rounds(rounds: &Rounds) -> Value {
    let sets = list(&rounds.sets, |sets| list(sets, |statements| list(statements, location)));
    value!({ "test": rounds.test, "sets": sets })
}

fn line_score(line: &LineScore) -> Value {
    value!({ "file": line.file, "line": line.line, "score": number(line.score) })
}

fn repair_phases(phases: &RepairPhases) -> Value {
    phases.by_name().into_iter().map(|(name, spent)| (name.to_string(), seconds(spent))).collect()
}

fn shrunk(shrunk: &Shrunk) -> Value {
    let size = |size: &Size| value!({ "bytes": size.bytes, "lines": size.lines });
    let part = |part: &ShrunkPart| {
        value!({
            "kind": part.kind.name(),
            "name": part.name,
            "before": size(&part.before),
            "after": option(&part.after, size),
        })
    };
    // The case is JSON already: as an object it needs no second reading.
    let case = |line: &String| serde_json::from_str(line).unwrap_or_else(|_| text(line));
    let object = value!({
        "name": shrunk.name,
        "failure": shrunk.failure,
        "parts": list(&shrunk.parts, part),
        "path": shrunk.path,
        "runs": shrunk.runs,
        "spared": shrunk.spared,
    });
    let object = with(object, "case", &shrunk.case, case);
    with(object, "text", &shrunk.text, |it| text(it))
}

fn executable(executable: &Executable) -> Value {
    value!({ "path": executable.path, "units": executable.units, "external": executable.external })
}

fn recorded(recorded: &Recorded) -> Value {
    value!({
        "path": recorded.path,
        "program": recorded.program,
        "end": recorded.end,
        "log_bytes": recorded.log_bytes,
    })
}

fn ran(ran: &Ran) -> Value {
    value!({
        "path": ran.path,
        "test": option(&ran.test, |it| text(it)),
        "arguments": ran.arguments,
        "folder": ran.folder,
        "recorded": ran.recorded,
    })
}

fn divergence(divergence: &Divergence) -> Value {
    value!({
        "instruction": divergence.instruction,
        "location": option(&divergence.location, location),
        "expected": divergence.expected,
        "got": divergence.got,
    })
}

fn outline_entry(entry: &OutlineEntry) -> Value {
    let object = value!({
        "depth": entry.depth,
        "kind": entry.kind,
        "location": option(&entry.location, location),
        "text": entry.text,
    });
    with(object, "thread", &entry.thread, |it| (*it).into())
}

fn test_failure(failure: &TestFailure) -> Value {
    value!({
        "test": failure.test,
        "kind": failure.kind,
        "location": option(&failure.location, location),
        "function": failure.function,
        "message": failure.message,
        "predicate": option(&failure.predicate, |it| text(it)),
    })
}

fn failure(failure: &Failure) -> Value {
    let mut variables = Map::new();
    for (name, value) in &failure.variables {
        // Of variables of one name the innermost, which comes first.
        variables.entry(name.as_str()).or_insert_with(|| text(value));
    }
    let stack: Vec<Value> = failure
        .stack
        .iter()
        .map(|(function, place)| value!({ "function": function, "location": option(place, location) }))
        .collect();
    let object = value!({
        "kind": failure.kind,
        "location": option(&failure.location, location),
        "predicate": option(&failure.predicate, |it| text(it)),
        "variables": variables,
        "message": failure.message,
        "stack": stack,
    });
    let left_out = |(calls, after): &(usize, usize)| value!({ "calls": calls, "after": after });
    let object = with(object, "stack_left_out", &failure.stack_left_out, left_out);
    with(object, "thread", &failure.thread, |it| (*it).into())
}

fn until_fails(until: &UntilFails) -> Value {
    let difference = |it: &RunDifference| {
        let object = value!({ "kind": it.kind, "location": option(&it.location, location), "message": it.message });
        with(object, "thread", &it.thread, |it| (*it).into())
    };
    value!({
        "runs": until.runs,
        "failures": until.failures,
        "passing": option(&until.passing, |it| text(it)),
        "compared": until.compared,
        "cut": until.cut,
        "differences": list(&until.differences, difference),
    })
}

fn step(step: &Step) -> Value {
    let object = value!({
        "location": option(&step.location, location),
        "variable": step.variable,
        "value": step.value,
        "kind": step.kind.name(),
    });
    let object = with(object, "note", &step.note, |it| text(it));
    let object = with(object, "condition", &step.condition, |it| text(it));
    with(object, "thread", &step.thread, |it| (*it).into())
}

fn demo_step(step: &DemoStep) -> Value {
    value!({ "command": step.command, "purpose": step.purpose, "result": step.result })
}

/// A stack, where there is one.
fn with_calls(object: Value, key: &str, calls: &[(String, Option<Location>)]) -> Value {
    let call = |(function, place): &(String, Option<Location>)| value!({ "function": function, "location": option(place, location) });
    with(object, key, &(!calls.is_empty()).then_some(calls), |calls| list(calls, call))
}

fn stats(stats: &Stats) -> Value {
    let mut object = value!({
        "seconds": seconds(stats.seconds),
        "solver_calls": stats.solver_calls,
        "builds": stats.builds,
        "test_runs": stats.test_runs,
    });
    if let Some(share) = stats.captured_share {
        object["captured_share"] = value!((share * 1e4).round() / 1e4);
    }
    if let Some(watched) = stats.watched_instructions {
        object["instructions"] = watched.into();
    }
    if let Some(replay) = &stats.replay {
        put_replay_stats(&mut object, replay);
    }
    if let Some(formulas) = &stats.formulas {
        object["iterations"] = formulas.iterations.into();
        object["paths"] = formulas.paths.into();
        object["branches_explored"] = formulas.branches_explored.into();
        object["branches_total"] = formulas.branches_total.into();
        object["replay_seconds"] = seconds(formulas.replay_seconds);
        object["encode_seconds"] = seconds(formulas.encode_seconds);
        object["solve_seconds"] = seconds(formulas.solve_seconds);
        object["trial_seconds"] = seconds(formulas.trial_seconds);
        object["terms"] = formulas.terms.into();
        object["left_out"] = value!(formulas.left_out);
    }
    object
}

fn put_replay_stats(object: &mut Value, replay: &ReplayStats) {
    object["instructions"] = replay.instructions.into();
    object["instructions_per_second"] = number(replay.instructions_per_second.round());
    object["surprises"] = replay.surprises.into();
    object["external_calls"] = replay.external_calls.into();
    object["log_bytes"] = replay.log_bytes.into();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_whole_where_they_can_be_and_always_finite() {
        assert_eq!(number(3.0).to_string(), "3");
        assert_eq!(number(1.5).to_string(), "1.5");
        assert_eq!(number(f64::INFINITY), value!(f64::MAX));
    }
}
