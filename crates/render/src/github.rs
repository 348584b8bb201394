//! Annotations of a GitHub workflow: each line of the answer is a command to the runner.

use whydunit_findings::{Body, Finding, Location, Report};

use crate::Options;
use crate::plain::plain;
use crate::ranking::{self, Part};

/// `::warning …::…` for each finding that is shown in full, and notices for all else.
pub fn github(report: &Report, options: &Options<'_>) -> String {
    let mut out = String::new();
    let title = format!("whydunit {}", report.body.command());
    if let Body::Locate(located) = &report.body {
        let summary = ranking::failing(report).unwrap_or_else(|| "no test was run".into());
        command(&mut out, "notice", &[], &title, &[summary, format!("ranked by {}", located.method)]);
        let (parts, less) = ranking::parts(&located.findings, options.limit);
        for part in parts {
            match part {
                Part::Full(finding) => one(&mut out, finding, options.prefix),
                Part::More(rest) => {
                    let text = format!("{} more of rank {}: ", rest.len(), ranking::rank(&rest[0]));
                    command(&mut out, "notice", &[], &title, &[text + &ranking::places(rest)]);
                }
            }
        }
        if less > 0 {
            command(&mut out, "notice", &[], &title, &[format!("and {}", ranking::less(less))]);
        }
    }
    for problem in &report.problems {
        let place = problem.location.as_ref().map(|location| place(location, options.prefix)).unwrap_or_default();
        let text: Vec<String> =
            [Some(&problem.message), problem.help.as_ref()].into_iter().flatten().cloned().collect();
        command(&mut out, "notice", &place, &title, &text);
    }
    if report.partial {
        command(&mut out, "notice", &[], &title, &[ranking::cut_short(report).into()]);
    }
    out
}

fn one(out: &mut String, finding: &Finding, prefix: &str) {
    let title = format!("rank {}, suspiciousness {}", ranking::rank(finding), ranking::score(finding.score));
    let mut text = vec![match &finding.branch {
        Some(branch) => format!("this branch with outcome {branch} (in {}) can be at fault", finding.function),
        None => format!("this statement (in {}) can be at fault", finding.function),
    }];
    text.extend(ranking::reasons(finding));
    text.extend(finding.counts.map(ranking::counts));
    text.extend(ranking::sets(&finding.sets));
    command(out, "warning", &place(&finding.location, prefix), &title, &text);
}

fn place(location: &Location, prefix: &str) -> Vec<(&'static str, String)> {
    let file =
        if location.file.starts_with('/') { location.file.clone() } else { format!("{prefix}{}", location.file) };
    let mut place = vec![("file", file), ("line", location.line.to_string())];
    if location.end_line > location.line {
        place.push(("endLine", location.end_line.to_string()));
    } else if location.column > 0 {
        // Columns mean something to the runner on one line only.
        place.push(("col", location.column.to_string()));
        if location.end_column > location.column {
            place.push(("endColumn", location.end_column.to_string()));
        }
    }
    place
}

fn command(out: &mut String, name: &str, place: &[(&str, String)], title: &str, lines: &[String]) {
    *out += &format!("::{name} ");
    for (key, value) in place {
        *out += &format!("{key}={},", property(value));
    }
    let lines: Vec<String> = lines.iter().map(|line| data(&plain(line))).collect();
    *out += &format!("title={}::{}\n", property(title), lines.join("%0A"));
}

/// Text of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A value before the text, where colons and commas have a meaning too.
fn property(text: &str) -> String {
    data(&plain(text)).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostile_name_gives_no_command_of_its_own() {
        let mut out = String::new();
        let place = place(&Location::line("a,line=9::b%\n::error::x", 3), "sub/");
        command(&mut out, "warning", &place, "t", &["50 %\n::stop".into(), "b".into()]);
        let expected =
            "::warning file=sub/a%2Cline=9%3A%3Ab%25\\n%3A%3Aerror%3A%3Ax,line=3,title=t::50 %25\\n::stop%0Ab\n";
        assert_eq!(out, expected);
    }
}
