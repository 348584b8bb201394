//! `repair` as text: the patches, and what was tried.

use whydunit_findings::{Grade, Otherwise, Patch, PatchEvidence, Repaired, Replacement, Report, ValuesSeen};

use super::{Page, counted};
use crate::plain::plain;

pub(super) fn repaired(page: &mut Page<'_>, repaired: &Repaired, report: &Report) {
    if !repaired.anomalies.is_empty() {
        super::mine::anomalies(page, &repaired.anomalies);
        page.line("");
    }
    if let Some(text) = summary(repaired) {
        page.line(text);
    }
    // What is wrong with the others stands in the notes.
    let standing = repaired.patches.iter().enumerate().filter(|(_, patch)| patch.refuted.is_none());
    standing.for_each(|(number, patch)| one(page, number + 1, patch));
    if repaired.patches.iter().all(|patch| patch.refuted.is_some()) && !repaired.lines.is_empty() {
        let lines: Vec<String> = repaired.lines.iter().map(|line| format!("{}:{}", line.file, line.line)).collect();
        page.line(format!("tried: {}", lines.join(", ")));
    }
    if repaired.sites > 0 {
        let made = counted(repaired.candidates, "candidate");
        let what = if repaired.anomalies.is_empty() { "expression" } else { "call" };
        let sites = counted(repaired.sites, what);
        page.line(format!(
            "\n{made} for {sites}, {} of them run; {}, {:.1} s",
            repaired.tried,
            counted(report.stats.builds, "build"),
            report.stats.seconds
        ));
        for (what, count) in counts(repaired) {
            page.line(format!("{count} {what}"));
        }
        let phases = repaired.phases.by_name();
        let spent =
            phases.iter().filter(|(_, spent)| *spent >= 0.05).map(|(name, spent)| format!("{name} {spent:.1} s"));
        let spent: Vec<String> = spent.collect();
        if !spent.is_empty() {
            page.line(format!("of the time: {}", spent.join(", ")));
        }
    }
}

fn one(page: &mut Page<'_>, number: usize, patch: &Patch) {
    for (at, replaced) in patch.replacements().enumerate() {
        let place = page.style.strong(&replaced.location.to_string());
        let function = plain(&replaced.function);
        match at {
            0 => page.line(format!("\n{number}. {place} in {function}  ({})", patch.grade.name())),
            _ => page.line(format!("   and {place} in {function}")),
        }
        page.line(format!("   {}", change(replaced)));
    }
    for demand in &patch.demands {
        page.line(format!("   {}", plain(demand)));
    }
    for line in patch.evidence.iter().flat_map(|found| evidence(patch, found)) {
        page.line(format!("   {line}"));
    }
    for line in missing(patch) {
        page.line(format!("   {line}"));
    }
    for line in patch.diff.lines() {
        page.line(format!("    {}", plain(line)));
    }
    for line in unlike(patch) {
        page.line(format!("   {line}"));
    }
}

/// What tests show of a patch, in lines.
pub(crate) fn evidence(patch: &Patch, evidence: &PatchEvidence) -> Vec<String> {
    let mut lines: Vec<String> = evidence.failing.iter().map(|seen| seen_in_a_test(patch, seen, "failing")).collect();
    let (passing, reaching) = (counted(evidence.passing, "passing test"), evidence.reaching);
    let come = if reaching == 1 { "comes" } else { "come" };
    let of_all = format!("{reaching} of {passing} that were looked at {come} here");
    lines.push(match (evidence.passing, reaching) {
        (0, _) => "no passing test was looked at".to_owned(),
        (_, 0) => {
            format!("none of {passing} that were looked at comes here: nothing says what the patch changes there")
        }
        _ if !evidence.has_values => of_all,
        _ => format!("{of_all}; in {} of these nothing was seen to change", reaching - evidence.otherwise.len() as u64),
    });
    lines.extend(evidence.otherwise.iter().map(|seen| seen_in_a_test(patch, seen, "passing")));
    lines
}

/// What a test shows of a replacement.
fn seen_in_a_test(patch: &Patch, seen: &ValuesSeen, outcome: &str) -> String {
    let Some(replaced) = patch.replacements().nth(seen.replacement) else { return String::new() };
    let (before, after) = (short(&replaced.before), short(&replaced.after));
    let lead = format!("in {} ({outcome})", plain(&seen.test));
    let times = counted(seen.times, "time");
    let Some((number, otherwise)) = &seen.first else {
        return match (seen.known, seen.later) {
            (false, _) => format!("{lead}, which comes here {times}, the values were not compared"),
            (true, true) => format!("{lead}, which comes here {times}, the value differs later than values are kept"),
            (true, false) => format!("{lead}, which comes here {times}, nothing was seen to change"),
        };
    };
    let when = if seen.times == 1 { String::new() } else { format!(" (number {number} of {times})") };
    match otherwise {
        Otherwise::Value { before: is, after: would_be } => {
            format!("{lead} `{before}` is {}, and `{after}` {}{when}", plain(is), plain(would_be))
        }
        Otherwise::LeftOut => format!("{lead} `{before}` is done, and left out with the patch{when}"),
        Otherwise::Leaves => format!("{lead} the run goes on here, and leaves with the patch{when}"),
    }
}

/// What is replaced by what.
fn change(replaced: &Replacement) -> String {
    match short(&replaced.before) {
        nothing if nothing.is_empty() => format!("new:  {}", short(&replaced.after)),
        before => format!("{before}  ->  {}", short(&replaced.after)),
    }
}

/// What was found; none where nothing was looked for.
pub(crate) fn summary(repaired: &Repaired) -> Option<String> {
    let standing: Vec<&Patch> = repaired.patches.iter().filter(|patch| patch.refuted.is_none()).collect();
    let refuted = (repaired.patches.len() - standing.len()) as u64;
    Some(match standing.len() {
        0 if refuted > 0 => format!(
            "no patch stands: with {} all tests pass, and something else is wrong (see the notes)",
            counted(refuted, "change")
        ),
        0 if repaired.tests.is_empty() => return None,
        0 => "no patch was found with which all tests pass".into(),
        n => {
            let grades = [Grade::Verified, Grade::Plausible, Grade::Display].map(|grade| {
                let count = standing.iter().filter(|patch| patch.grade == grade).count();
                (count > 0).then(|| if count == n { grade.name().into() } else { format!("{count} {}", grade.name()) })
            });
            let grades: Vec<String> = grades.into_iter().flatten().collect();
            format!("{}: {}", counted(n as u64, "patch"), grades.join(", "))
        }
    })
}

/// What was left out, and how much of it.
pub(crate) fn counts(repaired: &Repaired) -> Vec<(&'static str, String)> {
    let alike = ("left out that did the same as another with all new inputs", repaired.alike, "patch");
    let hopeless = ("left out: whatever the values, a failing test fails", repaired.hopeless, "expression");
    let some = [alike, hopeless].into_iter().filter(|(_, count, _)| *count > 0);
    some.map(|(what, count, unit)| (what, counted(count, unit))).collect()
}

/// Why a patch with which the suite passes is not verified; empty of others.
pub(crate) fn missing(patch: &Patch) -> Vec<String> {
    let passes = patch.grade == Grade::Plausible || patch.deciding.is_some();
    let missing = if passes { patch.missing() } else { Vec::new() };
    missing.iter().map(|missing| format!("not verified: {}", plain(missing))).collect()
}

/// An expression in one line.
pub(crate) fn short(text: &str) -> String {
    plain(&text.split_whitespace().collect::<Vec<_>>().join(" ")).into_owned()
}

/// An input on which a patch differs from another one, and what both do; empty where none is known.
pub(crate) fn unlike(patch: &Patch) -> Vec<String> {
    let Some(differing) = &patch.differing else { return Vec::new() };
    let (own, other) = first_difference(&differing.output, &differing.other_output);
    let ends = |line: Option<&str>, status: i32| match line {
        Some(line) if differing.status == differing.other_status => format!("`{}`", plain(line)),
        Some(line) => format!("`{}`, status {status}", plain(line)),
        None if differing.status == differing.other_status => "nothing more".to_string(),
        None => format!("status {status}"),
    };
    let number = differing.other;
    let (own, other) = (ends(own, differing.status), ends(other, differing.other_status));
    vec![
        format!("unlike patch {number}: {}", plain(&differing.case)),
        format!("prints {own}; patch {number} prints {other}"),
    ]
}

/// The first lines in which two outputs differ; none where there is no such line.
fn first_difference<'a>(one: &'a str, other: &'a str) -> (Option<&'a str>, Option<&'a str>) {
    let (mut one, mut other) = (one.lines(), other.lines());
    loop {
        match (one.next(), other.next()) {
            (None, None) => return (None, None),
            (one, other) if one != other => return (one, other),
            _ => {}
        }
    }
}
