//! Markdown, as comments on a change and summaries of a workflow take it.

use whydunit_findings::{Body, Finding, Located, Location, Problem, Report};

use crate::plain::{plain, plain_line, words};
use crate::ranking::{self, Part};
use crate::{Options, Sources, text};

/// At most so many lines of one statement.
const LINES: u32 = 4;

/// The report under a heading. Answers that are no ranking are a block of text.
pub fn markdown(report: &Report, options: &Options<'_>) -> String {
    let mut out = format!("## whydunit {}\n\n", report.body.command());
    match &report.body {
        Body::Locate(located) => locate(&mut out, report, located, options),
        _ => {
            out += &block("text", &text(report, &Options { colour: false, ..*options }));
            return out;
        }
    }
    if report.partial {
        let text = ranking::cut_short(report);
        out += &format!("**{}{}.**\n\n", text[..1].to_uppercase(), &text[1..]);
    }
    if !report.problems.is_empty() {
        out += "### Notes\n\n";
        report.problems.iter().for_each(|it| problem(&mut out, it));
        out.push('\n');
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

fn locate(out: &mut String, report: &Report, located: &Located, options: &Options<'_>) {
    let failing = ranking::failing(report).map(|text| text + "; ranked").unwrap_or_else(|| "Ranked".into());
    *out += &format!("{failing} by {}.\n\n", code(&located.method));
    for failure in &located.failures {
        let predicate = failure.predicate.iter().map(|it| format!("; should have held: {}", escape(it)));
        *out += &format!("- {}{}\n", escape(&ranking::fails(failure)), predicate.collect::<String>());
    }
    if !located.failures.is_empty() {
        out.push('\n');
    }
    if located.findings.is_empty() {
        *out += "Nothing to rank: no failing test executes a captured statement.\n\n";
    } else {
        *out += "| rank | suspiciousness | where | code | tests that run it |\n|---:|---:|---|---|---|\n";
        let (parts, less) = ranking::parts(&located.findings, options.limit);
        for part in &parts {
            match part {
                Part::Full(finding) => row(out, finding),
                Part::More(rest) => {
                    let (rank, places) = (ranking::rank(&rest[0]), escape(&ranking::places(rest)));
                    *out += &format!("| {rank} | | {} more: {places} | | |\n", rest.len());
                }
            }
        }
        out.push('\n');
        if less > 0 {
            *out += &format!("and {}.\n\n", ranking::less(less));
        }
        let told = parts.iter().filter_map(|part| if let Part::Full(finding) = part { Some(finding) } else { None });
        for finding in told.filter(|finding| !ranking::reasons(finding).is_empty()) {
            reasons(out, finding, options.sources);
        }
    }
    sets(out, located, options.limit);
    if let Some(anomalies) = located.anomalies.as_ref().filter(|all| !all.is_empty()) {
        *out += "### Calls that find an object otherwise than passing tests do\n\n";
        for anomaly in anomalies {
            *out += &format!("- {}: {} ({})\n", code(&anomaly.class), prose(&anomaly.text), escape(&anomaly.places()));
        }
        out.push('\n');
    }
    if let Some(stats) = &report.stats.formulas {
        *out += &format!("### How far this went\n\n{}; {}.\n\n", ranking::explored(stats), ranking::phases(stats));
        if !stats.left_out.is_empty() {
            *out += "Left out:\n\n";
            stats.left_out.iter().for_each(|text| *out += &format!("- {}\n", prose(text)));
            out.push('\n');
        }
    }
}

fn row(out: &mut String, finding: &Finding) {
    let function = format!(" in {}", code(&finding.function));
    let branch = finding.branch.as_ref().map(|branch| format!(", outcome {}", escape(branch))).unwrap_or_default();
    *out += &format!(
        "| {} | {} | {}{function}{branch} | {} | {} |\n",
        ranking::rank(finding),
        ranking::score(finding.score),
        escape(&finding.location.to_string()),
        // A cell ends at a bar, in code too.
        code(&finding.code).replace('|', "\\|"),
        finding.counts.map(ranking::counts).unwrap_or_default()
    );
}

fn reasons(out: &mut String, finding: &Finding, sources: &dyn Sources) {
    *out += &format!("**{}**, rank {}\n\n", escape(&finding.location.to_string()), ranking::rank(finding));
    if let Some(lines) = excerpt(&finding.location, sources) {
        *out += &block("c", &lines);
        out.push('\n');
    }
    for reason in ranking::reasons(finding) {
        *out += &format!("- {}\n", prose(&reason));
    }
    out.push('\n');
}

fn excerpt(location: &Location, sources: &dyn Sources) -> Option<String> {
    let last = location.end_line.clamp(location.line, location.line.saturating_add(LINES - 1));
    let lines: Option<Vec<String>> =
        (location.line..=last).map(|number| sources.line(&location.file, number)).collect();
    Some(lines?.iter().map(|line| plain_line(line)).collect::<Vec<_>>().join("\n"))
}

fn sets(out: &mut String, located: &Located, limit: Option<usize>) {
    let sets = &located.correction_sets;
    let shown = limit.unwrap_or(sets.len()).min(sets.len());
    if shown == 0 {
        return;
    }
    *out +=
        "### Correction sets\n\nWere the values of these statements others, the test would pass; cheapest first.\n\n";
    for (index, set) in sets[..shown].iter().enumerate() {
        let statements: Vec<_> = set.statements.iter().map(|place| escape(&place.to_string())).collect();
        let doubt = ranking::doubt(set).map_or(String::new(), |doubt| format!(" ({doubt})"));
        let tests = ranking::of_tests(set, located.failures.len());
        let tests = tests.map_or(String::new(), |tests| format!(" {}", escape(&tests)));
        *out += &format!("{}. {}{tests}{doubt}\n", index + 1, statements.join(", "));
        for witness in &set.witness {
            *out += &format!("   - {}\n", prose(witness));
        }
    }
    out.push('\n');
    if shown < sets.len() {
        *out += &format!("and {}.\n\n", ranking::dearer(sets.len() - shown));
    }
}

fn problem(out: &mut String, problem: &Problem) {
    let place = problem.location.as_ref().map(|place| format!("{}: ", escape(&place.to_string()))).unwrap_or_default();
    let help = problem.help.as_ref().map(|help| format!(" ({})", escape(help))).unwrap_or_default();
    *out += &format!("- {place}{}{help}\n", escape(&problem.message));
}

/// Text in which nothing is markup, mention or HTML.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in plain(text).chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '&' => out.push_str("&amp;"),
            // A mention would tell somebody.
            '@' => out.push_str("&#64;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '|' | '~' | '!' | '$' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

/// Text in which pieces between backticks are code.
fn prose(text: &str) -> String {
    words(text).iter().map(|(is_code, part)| if *is_code { code(part) } else { escape(part) }).collect()
}

/// Inline code, between more backticks than it has.
fn code(text: &str) -> String {
    let text = plain(text.trim());
    if text.is_empty() {
        return String::new();
    }
    let fence = "`".repeat(longest_run(&text) + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// A block of code, between fences longer than any in it.
fn block(language: &str, text: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}\n", text.trim_end())
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_stays_between_its_fences() {
        assert_eq!(code("a"), "`a`");
        assert_eq!(code("a ``b"), "```a ``b```");
        assert_eq!(code("`a"), "`` `a ``");
        assert_eq!(block("c", "```\nx"), "````c\n```\nx\n````\n");
    }

    #[test]
    fn names_are_no_markup() {
        assert_eq!(escape("a_b <img> @you [x](y)"), "a\\_b &lt;img> &#64;you \\[x\\](y)");
    }
}
