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
    built_in: Vec<(Part, Regex, f64, &'static str)>,
    component: Regex,
    no_component: Regex,
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

/// What is read of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    /// All of it.
    Whole,
    /// All of it without the name of a part of the program before it, as in `parser: fix the end`: what a part is called says nothing.
    Said,
}
use Part::{Said, Whole};

/// Verbs of mending.
const MENDING: &str = r"(fix|fixe[sd]|fixing|bugfix(es)?|hotfix|correct(s|ed|ing)?)";
/// What goes wrong in programs.
const FAILURE: &str = r"(crash(es|ed|ing)?|overflows?|underflows?|leak(s|ed|ing)?|segfaults?|panic(s|ked|king)?|off[- ]by[- ]one|use[- ]after[- ]free|out[- ]of[- ]bounds|null pointer|infinite loop|hang(s|ed)?|deadlock|undefined behaviou?r|regression|double free|uninitiali[sz]ed)";
/// Before a colon at the beginning, up to two words: a part of the program, unless they speak of a mistake themselves.
const COMPONENT: &str = r"\A\s*[\w./+*-]+( [\w./+*-]+)?(\([^)]*\))?:\s+";
const NO_COMPONENT: &str =
    r"\A\s*(hot|bug)?fix(e[sd])?\b|\A[^\n:]*\b(bug|null|overflow|crash|leak|panic|regression)\b[^\n:]*:";

/// Expressions, what each counts, and why; `MENDING` and `FAILURE` stand for the expressions of these names.
///
/// A word of mending counts as a verb: at the beginning, or behind what a verb stands behind. As a noun it is as often what a program is
/// about. A word of a failure counts where it is said when it happens, or that it does not any more.
const BUILT_IN: &[(Part, &str, f64, &str)] = &[
    (
        Whole,
        r"(?m)^(fixes|closes|resolves|bug|bugzilla)\s*:\s*(#|https?:|gh-|[a-z]+-\d|\d|[0-9a-f]{7,})",
        3.0,
        "a trailer names what is fixed",
    ),
    (
        Whole,
        r"\b(fix(e[sd])?|close[sd]?|resolve[sd]?)\s+(issue\s+|bug\s+)?(#|gh-)\d+",
        3.0,
        "it says which report is fixed",
    ),
    (Whole, r"\A\s*(hot|bug)?fix(e[sd])?(\([^)]*\))?!?:", 2.0, "it is called a fix"),
    (Whole, r"\A[^\n]*\b(bug|issue|ticket)\s*#?\d+", 1.0, "it names a report"),
    (Said, r"\A\W*(v?\d[\w.]*\W+)?MENDING\b", 1.0, "it begins with a fix"),
    (
        Said,
        r"\A[^\n]*(\b(and|to|also|that|which|should|minor|small|quick|more|some|few|bug|really|actually|another|better|proper|properly|try|attempt)\s|\s-+\s|[,;.:&+/(])[^\w\n]*MENDING\b",
        1.0,
        "it speaks of a fix",
    ),
    (
        Said,
        r"\A\W*(\w+\W+){0,3}(bug ?)?fix(es)? (for|in|on)\b|\A[^\n]*\bbug ?fix(es)?\b",
        1.0,
        "it speaks of a fix of something",
    ),
    (Said, r"\A[^\n]*\bbugs?\b", 0.5, "it speaks of a bug"),
    (
        Said,
        r"\A[^\n]*\bFAILURE\s+(on|in|when|for|with|if|at|after|while|from|caused|due|during|by|where|bug|fix(es|ed)?|issue|problem|error)\b",
        1.0,
        "it says when something fails",
    ),
    (
        Said,
        r"\A[^\n]*\b(avoids?|prevents?|removes?|no|not|never|don't|doesn't|handles?|stop|eliminate|possible|potential|memory|stack|buffer|integer|heap|arithmetic)\s+(\w+\s+)?FAILURE\b",
        1.0,
        "it speaks of a failure that is no more",
    ),
    (
        Said,
        r"\A\W*((is|was|were|the|an?|some)\s+)?(wrong|incorrect)(ly)?\b|\A[^\n]*\b(was|were) (wrong|incorrect)(ly)?\b",
        1.0,
        "it says what was wrong",
    ),
    (Said, r"\A[^\n]*\b(FAILURE|wrong(ly)?|incorrect(ly)?)\b", 0.5, "it speaks of a failure"),
    // Trackers hold wishes as well, and `closes #12` says the same of these.
    (
        Said,
        r"\A\W*(add(s|ed|ing)?|implement(s|ed|ing)?|impl|introduc(e|es|ed|ing)|support(s|ed|ing)?)\b",
        -3.5,
        "it begins with something new",
    ),
    (
        Said,
        r"\A\W*add(s|ed|ing)?\s+(\w+\W+){0,3}(missing|checks?|checking|bounds|guards?|null|tests?|fix|workaround)\b",
        3.5,
        "what is new is a check",
    ),
    (
        Said,
        r"\A[^\n]*\b(add(s|ed|ing)? support|support for|rustfmt|cargo fmt|clang-format)\b",
        -3.5,
        "it speaks of something new, or of form",
    ),
    (Said, r"\A[^\n]*\b(impl|to implement|implements|feature request)\b", -3.5, "it speaks of something new"),
    (Whole, r"\n(.|\n)*\b(fix(e[sd])?|bug)\b", 0.25, "its text speaks of a fix"),
    (
        Whole,
        r"\A[^\n]*\b(typos?|spelling|comments?|read-?me|docs?|documentation|whitespace|indent(ation)?|formatting|copyright|licen[sc]e|changelog|badges?|clippy|lints?|warnings?)\b",
        -1.5,
        "it speaks of texts, form or warnings",
    ),
    (
        Whole,
        r"\A[^\n]*\b(travis|appveyor|github actions?|workflows?|ci|cmake|makefile|meson|autotools|build(s|ing)?|compil(e|es|er|ation|ing)|msvc|mingw)\b",
        -1.0,
        "it speaks of building",
    ),
    (
        Whole,
        r"\A\s*(docs|style|chore|ci|build|test|tests|refactor|feat|perf)(\([^)]*\))?!?:",
        -3.0,
        "it is called something else",
    ),
    (Whole, r"\A\s*(merge|release|bump|version)\b", -2.0, "it merges or releases"),
];

impl Rules {
    /// The rules with a project's own patterns; `least` is the score from which on a message counts as a fix.
    pub fn new(own: Vec<Pattern>, least: Option<f64>) -> Self {
        let regex = |text: &str| regex::RegexBuilder::new(text).case_insensitive(true).build();
        let built_in = BUILT_IN.iter().filter_map(|(part, text, score, why)| {
            let text = text.replace("MENDING", MENDING).replace("FAILURE", FAILURE);
            Some((*part, regex(&text).ok()?, *score, *why))
        });
        let built_in = built_in.collect();
        let never = || regex("$^").unwrap_or_else(|_| unreachable!("an expression without anything in it"));
        let issue = r"(?:(fix(?:e[sd])?|close[sd]?|resolve[sd]?)\s*:?\s+)?(?:\b(?:issue|bug|ticket|gh)\s*[-#]?\s*|#)(\d{1,8})\b";
        let issue = regex(issue).unwrap_or_else(|_| never());
        let revert = regex(r"\A\s*revert\b|\bthis reverts commit [0-9a-f]{7,}").unwrap_or_else(|_| never());
        let [component, no_component] = [COMPONENT, NO_COMPONENT].map(|text| regex(text).unwrap_or_else(|_| never()));
        Self { own, least: least.unwrap_or(LEAST), built_in, component, no_component, issue, revert }
    }

    /// Judges a message, with what the tracker knows of the reports that it names.
    pub fn trust(&self, message: &str, tracker: Option<&Tracker>) -> Trust {
        let mut trust = Trust { reverts: self.revert.is_match(message), ..Trust::default() };
        let said = self.said(message);
        for (part, regex, score, why) in &self.built_in {
            if regex.is_match(if *part == Said { said } else { message }) {
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

    /// A message without the name of a part of the program before it.
    fn said<'a>(&self, message: &'a str) -> &'a str {
        match self.component.find(message).filter(|_| !self.no_component.is_match(message)) {
            Some(name) => &message[name.end()..],
            None => message,
        }
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
            "fixed: the end of a line",
            "TextList::show - fix the last comma",
            "0.8.5 fix floating point parsing",
            "handle null pointer: compose",
            "No longer crash on an empty list",
            "Wrong counter increment",
            "Add test and fix for #12",
            "Add missing null check (closes #12)",
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
            // What the program is about is no fix, nor is the name of a part of it.
            "repair: guards before statements",
            "Programs with a bug, a bad fix and a good one",
            "Panics of Rust are failure points",
            "Added a way to borrow\n\nFixes #51",
            "Table to implement Display (fixes #6)",
            "fixes #11 - add support for other separators",
            "run cargo fix --edition",
            "Document overflow behavior",
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

    #[test]
    fn all_expressions_are_read() {
        let rules = Rules::new(Vec::new(), None);
        assert_eq!(rules.built_in.len(), BUILT_IN.len());
        assert!(
            !rules.component.is_match("") && rules.component.is_match("a b: c") && rules.revert.is_match("Revert x")
        );
    }
}
