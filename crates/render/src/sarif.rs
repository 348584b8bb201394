//! SARIF 2.1.0, as code scanning and editors read it.

mod check;
mod explain;
mod repair;
mod review;

use serde_json::{Value, json as value};
use whydunit_findings::{Body, Finding, Located, Location, Problem, Report, Verdict};

use crate::plain::plain;
use crate::ranking::{self, Part};
use crate::{Options, Sources};

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// One run with a result for each finding that is shown in full, for each change at fault, for each patch, or for what stands
/// against a fix.
pub fn sarif(report: &Report, options: &Options<'_>) -> String {
    let place = Place { prefix: options.prefix, sources: options.sources };
    let (rules, results) = match &report.body {
        Body::Locate(located) => (rules(), results(located, &place, options.limit)),
        Body::Explain(explained) => (explain::rules(), explain::results(explained, &place)),
        Body::Repair(repaired) => (repair::rules(), repair::results(repaired, &place)),
        Body::Review(reviewed) => (review::rules(), review::results(reviewed, &place)),
        Body::Check(checked) => (check::rules(), check::results(checked, &place)),
        _ => (Vec::new(), Vec::new()),
    };
    let mut notifications: Vec<Value> = report.problems.iter().map(|problem| notification(problem, &place)).collect();
    if report.partial {
        let text = ranking::cut_short(report);
        notifications.push(value!({ "level": "warning", "message": { "text": text } }));
    }
    let left_out = report.stats.formulas.iter().flat_map(|stats| &stats.left_out);
    notifications.extend(left_out.map(|text| {
        let text = format!("left out: {}", plain(text));
        value!({ "level": "note", "message": { "text": text } })
    }));
    let log = value!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "whydunit",
                "version": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": rules,
            } },
            "columnKind": "unicodeCodePoints",
            "invocations": [{
                "executionSuccessful": true,
                "exitCode": options.exit_code,
                "toolExecutionNotifications": notifications,
            }],
            "results": results,
        }],
    });
    format!("{log:#}\n")
}

fn rules() -> Vec<Value> {
    vec![
        rule("suspicious-statement", "A statement that can be at fault for a failing test"),
        rule("suspicious-branch", "An outcome of a branch that can be at fault for a failing test"),
    ]
}

fn rule(id: &str, text: &str) -> Value {
    value!({ "id": id, "shortDescription": { "text": text }, "defaultConfiguration": { "level": "warning" } })
}

fn results(located: &Located, place: &Place<'_>, limit: Option<usize>) -> Vec<Value> {
    let total = located.findings.len() as f64;
    let (parts, _) = ranking::parts(&located.findings, limit);
    let full = parts.into_iter().filter_map(|part| if let Part::Full(finding) = part { Some(finding) } else { None });
    full.map(|finding| {
        let mut result = value!({
            "ruleId": if finding.branch.is_some() { "suspicious-branch" } else { "suspicious-statement" },
            "ruleIndex": usize::from(finding.branch.is_some()),
            "level": "warning",
            "message": { "text": message(finding) },
            "locations": [place.location(&finding.location, Some(&finding.function))],
            // From 100 down: the most suspicious first.
            "rank": (100.0 * (1.0 - (finding.rank - 1.0) / total)).clamp(0.0, 100.0),
            "properties": properties(finding),
        });
        let others: Vec<Value> = related(located, finding).map(|other| place.location(other, None)).collect();
        if !others.is_empty() {
            result["relatedLocations"] = others.into();
        }
        result
    })
    .collect()
}

fn message(finding: &Finding) -> String {
    let what = match &finding.branch {
        Some(branch) => format!("This branch with outcome {} can be at fault", plain(branch)),
        None if finding.verdict == Some(Verdict::Excluded) => {
            "This statement is not executed by every failing test of the fault".to_string()
        }
        None => "This statement can be at fault".to_string(),
    };
    let rank = format!("rank {}, suspiciousness {}", ranking::rank(finding), ranking::score(finding.score));
    let counts = finding.counts.map(|counts| format!("; run by {} tests", ranking::counts(counts))).unwrap_or_default();
    let reasons: String = ranking::said(finding).iter().map(|reason| format!("\n{}", plain(reason))).collect();
    format!("{what} ({rank}{counts}).{reasons}")
}

fn properties(finding: &Finding) -> Value {
    let mut properties = value!({
        "rankBest": finding.rank_best,
        "rankWorst": finding.rank_worst,
        // JSON has no infinite numbers.
        "score": finding.score.clamp(f64::MIN, f64::MAX),
        "correctionSets": finding.sets,
    });
    if let Some(counts) = finding.counts {
        properties["tests"] = value!({
            "failed": counts.failed,
            "passed": counts.passed,
            "failedTotal": counts.failed_total,
            "passedTotal": counts.passed_total,
        });
    }
    properties
}

/// The other statements of the smallest correction set that a finding belongs to.
fn related<'a>(located: &'a Located, finding: &'a Finding) -> impl Iterator<Item = &'a Location> {
    let sets = finding.sets.iter().filter_map(|&index| located.correction_sets.get(index as usize));
    let smallest = sets.min_by_key(|set| set.statements.len());
    let other = |place: &&Location| place.file != finding.location.file || place.line != finding.location.line;
    smallest.into_iter().flat_map(|set| &set.statements).filter(other)
}

fn notification(problem: &Problem, place: &Place<'_>) -> Value {
    let help = problem.help.as_ref().map(|help| format!(" ({})", plain(help))).unwrap_or_default();
    let text = format!("{}{help}", plain(&problem.message));
    let mut object = value!({ "level": "note", "message": { "text": text } });
    if let Some(location) = &problem.location {
        object["locations"] = value!([place.location(location, None)]);
    }
    object
}

/// How places are written.
struct Place<'a> {
    prefix: &'a str,
    sources: &'a dyn Sources,
}

impl Place<'_> {
    fn location(&self, location: &Location, function: Option<&str>) -> Value {
        let mut object = value!({ "physicalLocation": {
            "artifactLocation": { "uri": self.uri(&location.file) },
            "region": self.region(location),
        } });
        if let Some(function) = function.filter(|function| !function.is_empty()) {
            object["logicalLocations"] = value!([{ "name": plain(function), "kind": "function" }]);
        }
        object
    }

    fn uri(&self, file: &str) -> String {
        if file.starts_with('/') {
            format!("file://{}", encode(file))
        } else {
            encode(&format!("{}{file}", self.prefix))
        }
    }

    /// Our columns count bytes, those of this format characters: they need the source.
    fn region(&self, location: &Location) -> Value {
        let mut region = value!({ "startLine": location.line.max(1) });
        if location.end_line > location.line {
            region["endLine"] = location.end_line.into();
        }
        let last = location.end_line.max(location.line);
        let start = self.characters(&location.file, location.line, location.column.saturating_sub(1));
        let end = self.characters(&location.file, last, location.end_column);
        if location.column > 0
            && let (Some(start), Some(end)) = (start, end)
        {
            region["startColumn"] = (start + 1).into();
            // Without an end a region goes on to the end of its line.
            if end > start || last > location.line {
                region["endColumn"] = (end + 1).into();
            }
        }
        region
    }

    /// The characters before byte `bytes` of a line.
    fn characters(&self, file: &str, line: u32, bytes: u32) -> Option<usize> {
        Some(self.sources.line(file, line)?.get(..bytes as usize)?.chars().count())
    }
}

/// A path as part of a URI.
fn encode(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            out.push(byte as char);
        } else {
            out += &format!("%{byte:02X}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_parts_of_uris() {
        let place = Place { prefix: "sub/", sources: &crate::NoSources };
        assert_eq!(place.uri("a b/ü#1.c"), "sub/a%20b/%C3%BC%231.c");
        assert_eq!(place.uri("/usr/include/x.h"), "file:///usr/include/x.h");
    }
}
