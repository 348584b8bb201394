//! How much a commit's message says that it fixes a bug (after section 6.2 of the paper on iBUGS: numbers of reports and words, scored).

use regex::Regex;

use crate::Tracker;

/// A pattern of the project's own, and what a match counts.
#[derive(Clone, Debug)]
pub struct Pattern(Regex);

impl Pattern {
    /// Reads a regular expression; letters match in either case. Fails with what is wrong with it.
    pub fn new(text: &str) -> Result<Self, String> {
        let whole = regex::RegexBuilder::new(text).case_insensitive(true).build();
        whole.map(Self).map_err(|error| error.to_string().lines().last().unwrap_or_default().trim().to_owned())
    }
}

/// By what messages are judged.
#[derive(Debug)]
pub struct Rules {
    own: Vec<Pattern>,
    least: f64,
    built_in: Vec<(Regex, f64, &'static str)>,
    issue: Regex,
    revert: Regex,
}

/// What a message says.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Trust {
    /// The sum of what speaks for a fix, less what speaks against one.
    pub score: f64,
    /// What counted, in words.
    pub reasons: Vec<String>,
    /// The numbers of reports that the message says to be fixed; where it says so of none, all that it names.
    pub issues: Vec<String>,
    /// It takes another commit back.
    pub reverts: bool,
    /// It says of several reports that it fixes them.
    pub fixes_several: bool,
    /// It counts as a fix.
    pub is_fix: bool,
    /// From the tracker.
    pub priority: Option<String>,
    /// From the tracker.
    pub severity: Option<String>,
}

/// A message counts as a fix from this score on, where nothing else is configured.
const LEAST: f64 = 1.0;
/// What a match of a project's own pattern counts.
const OWN: f64 = 3.0;
/// What a report of the tracker counts that is a bug, and (less) one that is something else.
const REPORTED: f64 = 2.0;

/// Expressions for the first line (`^`) or all of a message, what each counts, and why.
const BUILT_IN: &[(&str, f64, &str)] = &[
    (r"(?m)^(fixes|closes|resolves|bug|bugzilla)\s*:\s*\S+", 3.0, "a trailer names what is fixed"),
    (r"\b(fix(e[sd])?|close[sd]?|resolve[sd]?)\s+(issue\s+|bug\s+)?(#|gh-)\d+", 3.0, "it says which report is fixed"),
    (r"\A\s*(hot)?fix(\([^)]*\))?!?:", 2.0, "it is called a fix"),
    (r"\A[^\n]*\b(bug|issue|ticket)\s*#?\d+", 1.0, "it names a report"),
    (r"\A[^\n]*\b(fix|fixe[sd]|fixing|bugfix(es)?|bug|bugs|correct(s|ed)?|repair(s|ed)?)\b", 1.0, "it speaks of a fix"),
    (
        r"\A[^\n]*\b(crash(es|ed)?|overflows?|underflows?|leak(s|ed)?|wrong(ly)?|incorrect(ly)?|segfaults?|panic(s|ked)?|off[- ]by[- ]one|use[- ]after[- ]free|out[- ]of[- ]bounds|null pointer|infinite loop|hang(s|ed)?|deadlock|undefined behaviou?r|regression|double free|uninitiali[sz]ed)\b",
        1.0,
        "it speaks of a failure",
    ),
    (r"\n(.|\n)*\b(fix(e[sd])?|bug)\b", 0.5, "its text speaks of a fix"),
    (
        r"\A[^\n]*\b(typos?|spelling|comments?|read-?me|docs?|documentation|whitespace|indent(ation)?|formatting|copyright|licen[sc]e|changelog|badges?|clippy|lints?|warnings?)\b",
        -1.5,
        "it speaks of texts, form or warnings",
    ),
    (
        r"\A[^\n]*\b(travis|appveyor|github actions?|workflows?|ci|cmake|makefile|meson|autotools|build(s|ing)?|compil(e|es|er|ation|ing)|msvc|mingw)\b",
        -1.0,
        "it speaks of building",
    ),
    (
        r"\A\s*(docs|style|chore|ci|build|test|tests|refactor|feat|perf)(\([^)]*\))?!?:",
        -3.0,
        "it is called something else",
    ),
    (r"\A\s*(merge|release|bump|version)\b", -2.0, "it merges or releases"),
];

impl Rules {
    /// The rules with a project's own patterns; `least` is the score from which on a message counts as a fix.
    pub fn new(own: Vec<Pattern>, least: Option<f64>) -> Self {
        let regex = |text: &str| regex::RegexBuilder::new(text).case_insensitive(true).build();
        let built_in =
            BUILT_IN.iter().filter_map(|(text, score, why)| Some((regex(text).ok()?, *score, *why))).collect();
        let never = || regex("$^").unwrap_or_else(|_| unreachable!("an expression without anything in it"));
        let issue = r"(?:(fix(?:e[sd])?|close[sd]?|resolve[sd]?)\s*:?\s+)?(?:\b(?:issue|bug|ticket|gh)\s*[-#]?\s*|#)(\d{1,8})\b";
        let issue = regex(issue).unwrap_or_else(|_| never());
        let revert = regex(r"\A\s*revert\b|\bthis reverts commit [0-9a-f]{7,}").unwrap_or_else(|_| never());
        Self { own, least: least.unwrap_or(LEAST), built_in, issue, revert }
    }

    /// Judges a message, with what the tracker knows of the reports that it names.
    pub fn trust(&self, message: &str, tracker: Option<&Tracker>) -> Trust {
        let mut trust = Trust { reverts: self.revert.is_match(message), ..Trust::default() };
        for (regex, score, why) in &self.built_in {
            if regex.is_match(message) {
                trust.add(*score, why);
            }
        }
        if self.own.iter().any(|Pattern(regex)| regex.is_match(message)) {
            trust.add(OWN, "it matches a pattern of the project");
        }
        (trust.issues, trust.fixes_several) = self.issues(message);
        if let Some(tracker) = tracker {
            let reports: Vec<&crate::Report> = trust.issues.iter().filter_map(|id| tracker.report(id)).collect();
            for report in &reports {
                match report.is_bug {
                    true => trust.add(REPORTED, "the tracker has it as a bug"),
                    false => trust.add(-REPORTED, "the tracker has it as something else"),
                }
            }
            trust.priority = reports.iter().find_map(|report| report.priority.clone());
            trust.severity = reports.iter().find_map(|report| report.severity.clone());
        }
        trust.is_fix = trust.score >= self.least && !trust.reverts;
        trust
    }

    /// The reports that are said to be fixed; where that is said of none, those that are named. And whether several are said to be.
    fn issues(&self, message: &str) -> (Vec<String>, bool) {
        let (mut fixed, mut named) = (Vec::new(), Vec::new());
        for found in self.issue.captures_iter(message) {
            let number = found[2].to_owned();
            let list = if found.get(1).is_some() { &mut fixed } else { &mut named };
            if !list.contains(&number) {
                list.push(number);
            }
        }
        let several = fixed.len() > 1;
        (if fixed.is_empty() { named } else { fixed }, several)
    }
}

impl Trust {
    fn add(&mut self, score: f64, why: &str) {
        self.score += score;
        self.reasons.push(format!("{why} ({score:+})"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixes_are_told_from_other_commits() {
        let rules = Rules::new(Vec::new(), None);
        let is_fix = |message: &str| rules.trust(message, None).is_fix;
        for message in [
            "Fix the sum of negative numbers",
            "fix: off by one",
            "Closes #12",
            "Handle empty input\n\nFixes: 1234567 (\"Read input\")",
            "Read past the end: crash on an empty list",
            "Bug 77: wrong answer",
        ] {
            assert!(is_fix(message), "{message}: {:?}", rules.trust(message, None));
        }
        for message in [
            "Add a feature",
            "Fix a typo in a comment",
            "Revert \"Fix the sum\"\n\nThis reverts commit 1234567.",
            "docs: fix example",
            "Fix compiler warning",
            "Prefix all names",
            "",
        ] {
            assert!(!is_fix(message), "{message}: {:?}", rules.trust(message, None));
        }
    }

    #[test]
    fn a_projects_own_patterns_and_reports_count() {
        let rules = Rules::new(vec![Pattern::new(r"^PROJ-\d+").expect("a pattern")], Some(2.0));
        assert!(rules.trust("PROJ-12 sums", None).is_fix && !rules.trust("Fix sums", None).is_fix);
        assert!(Pattern::new("(").is_err());
        let trust = rules.trust("Fixes #1, closes #2, see #3", None);
        assert!(trust.issues == ["1", "2"] && trust.fixes_several);
        let tracker = Tracker::parse("id,type,priority,severity\n1,bug,P1,major\n3,feature,,\n").expect("an export");
        let trust = rules.trust("Sums (#1)", Some(&tracker));
        assert_eq!(
            (trust.score, trust.priority.as_deref(), trust.severity.as_deref()),
            (2.0, Some("P1"), Some("major"))
        );
        assert!(rules.trust("Sums (#3)", Some(&tracker)).score < 0.0);
    }
}
