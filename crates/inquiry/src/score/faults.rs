//! Where methods of `locate` put a fault that is known.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::time::Instant;

use whydunit_findings::{Exclusions, FaultPlace, Finding, Phases, ScoredBug, Verdict};
use whydunit_spectra::Formula;
use whydunit_suite::Truth;

use super::{Question, ScoreError};
use crate::Error;
use crate::locate::{Baseline, Method, Reach, Scope, Search};
use whydunit_desk::Desk;

/// A line, for comparing.
type Line = (String, u32);

/// Builds a project, runs its suite, and looks for the fault in each method's ranking.
pub fn measure(
    desk: &Desk,
    folder: &Path,
    methods: &[Method],
    asked: &Question<'_>,
    bug: &mut ScoredBug,
) -> Result<(), Error> {
    let truth = Truth::of(folder).map_err(ScoreError::Truth)?;
    bug.kind = truth.kind;
    let faults: Vec<Line> = truth.fault.into_iter().map(|place| (place.file, place.line)).collect();
    let desk = desk.quietly_in(folder)?;
    let baseline = Baseline::of(&desk, &[], None, Scope::default(), Reach { apart: true, ..Reach::default() })?;
    bug.tests = baseline.executed.len() as u64;
    bug.failing = baseline.failing().count() as u64;
    if bug.failing == 0 {
        return Err(ScoreError::NothingFails.into());
    }
    let executed = statements(&baseline.by_counts(&desk, Formula::Ochiai));
    for &method in methods {
        let started = Instant::now();
        let limit = asked.limit;
        let ranking = baseline.rank(&desk, &Search::by(method, asked.failing, limit))?;
        let phases = ranking.stats.as_ref().map(Phases::of);
        let seconds = phases.map_or_else(|| started.elapsed().as_secs_f64(), |phases| phases.sum());
        let reported = statements(&ranking.located.findings);
        let (examined, found) = examined(&reported, &executed, &faults);
        let (cut, exclusions) = (ranking.cut, exclusions(&ranking.located.findings, &faults));
        let method = method.name().into();
        bug.places.push(FaultPlace { method, examined, found, seconds, phases, cut, exclusions });
    }
    Ok(())
}

/// Statements with their positions: the mean within their tie. A statement stands where the first of its findings does.
fn statements(findings: &[Finding]) -> HashMap<Line, f64> {
    let mut first: HashMap<Line, u64> = HashMap::new();
    for finding in findings {
        let line = (finding.location.file.clone(), finding.location.line);
        let best = first.entry(line).or_insert(finding.rank_best);
        *best = finding.rank_best.min(*best);
    }
    let mut ties: BTreeMap<u64, BTreeSet<Line>> = BTreeMap::new();
    for (line, best) in first {
        ties.entry(best).or_default().insert(line);
    }
    let mut positions = HashMap::new();
    let mut before = 0;
    for lines in ties.into_values() {
        let position = before as f64 + (lines.len() as f64 + 1.0) / 2.0;
        before += lines.len();
        positions.extend(lines.into_iter().map(|line| (line, position)));
    }
    positions
}

/// The statements that a ranking excludes; none where it says of no statement what values could do.
fn exclusions(findings: &[Finding], faults: &[Line]) -> Option<Exclusions> {
    let line = |finding: &Finding| (finding.location.file.clone(), finding.location.line);
    findings.iter().any(|finding| finding.verdict.is_some()).then(|| {
        let excluded = findings.iter().filter(|finding| finding.verdict == Some(Verdict::Excluded));
        let lines: BTreeSet<Line> = excluded.map(line).collect();
        let falsely = lines.iter().filter(|line| faults.contains(line)).count() as u64;
        Exclusions { falsely, rightly: lines.len() as u64 - falsely }
    })
}

/// How many statements are looked at before one of `faults` is found, and whether it is reported.
fn examined(reported: &HashMap<Line, f64>, executed: &HashMap<Line, f64>, faults: &[Line]) -> (f64, bool) {
    let best = faults.iter().filter_map(|line| reported.get(line)).copied().min_by(f64::total_cmp);
    if let Some(best) = best {
        return (best, true);
    }
    let rest = executed.keys().filter(|line| !reported.contains_key(*line)).count();
    (reported.len() as f64 + (rest as f64 + 1.0) / 2.0, false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use whydunit_findings::Location;

    fn finding(line: u32, best: u64, branch: bool) -> Finding {
        Finding {
            rank_best: best,
            location: Location::point("a.c", line, 1),
            branch: branch.then(|| "true".to_string()),
            ..Finding::default()
        }
    }

    #[test]
    fn a_line_is_one_statement_however_many_findings_it_has() {
        let findings = [
            finding(7, 1, true),
            finding(7, 2, false),
            finding(9, 2, false),
            finding(8, 2, true),
            finding(5, 5, false),
        ];
        let positions = statements(&findings);
        let at = |line: u32| positions[&("a.c".to_string(), line)];
        assert_eq!((at(7), at(8), at(9), at(5)), (1.0, 2.5, 2.5, 4.0));
        let fault = |lines: &[u32]| lines.iter().map(|&line| ("a.c".to_string(), line)).collect::<Vec<_>>();
        assert_eq!(examined(&positions, &positions, &fault(&[5, 9])), (2.5, true));
        assert_eq!(exclusions(&findings, &fault(&[9])), None);
        let mut judged = findings.clone();
        for (finding, verdict) in judged.iter_mut().zip([Verdict::Alone, Verdict::Excluded, Verdict::Excluded]) {
            finding.verdict = Some(verdict);
        }
        let excluded = |falsely, rightly| Some(Exclusions { falsely, rightly });
        assert_eq!(exclusions(&judged, &fault(&[9])), excluded(1, 1));
        assert_eq!(exclusions(&judged, &fault(&[5])), excluded(0, 2));
        let reported = statements(&findings[..1]);
        assert_eq!(examined(&reported, &positions, &fault(&[5])), (3.0, false));
    }
}
