//! New tests.

use std::ops::Range;

use crate::body::{Body, Kind};
use crate::call::{Call, Shape};
use crate::expected::{Expected, condition, equals, holds, throws};
use crate::insert::Insertion;
use crate::prefix::kept;
use crate::register::registrations;
use crate::source::{Language, Source};
use crate::stop::{Receiver, Stop};

/// What a test is to do.
pub struct Wanted<'a> {
    /// Its name, as [`identifier`](crate::identifier) gives it.
    pub name: &'a str,
    /// What it says of itself, in a line.
    pub comment: &'a str,
    /// Calls before, which return.
    pub steps: &'a [Call],
    /// The call.
    pub call: &'a Call,
    /// What is expected of it.
    pub expected: &'a Expected,
    /// Methods that change nothing.
    pub is_pure: &'a dyn Fn(&str) -> bool,
}

/// A test, ready to be tried.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Draft {
    /// Its text.
    pub text: String,
    /// What is to stand in the file of the test that it begins as.
    pub insertions: Vec<Insertion>,
    /// The same to be tried: where no framework tells of tests one by one it prints its [`mark`] at its end.
    pub marked: Vec<Insertion>,
    /// The name of a test in `marked` that does all but the call, and is to pass: of a test that passes where anything panics.
    pub beginning: Option<String>,
    /// Lines of its body.
    pub lines: usize,
}

/// What a marked test prints once it has come to its end.
pub fn mark(name: &str) -> String {
    format!("whydunit has run {name}")
}

/// A test that begins as another one; the reason where that cannot be written.
pub fn draft(source: &Source, stop: &Stop<'_>, wanted: &Wanted<'_>) -> Result<Draft, String> {
    let body = &stop.body;
    let changes = wanted.call.changes || wanted.steps.iter().any(|step| step.changes);
    let statements = kept(source, &stop.statements, &stop.receiver, wanted.is_pure, changes);
    let mut lines: Vec<String> = statements.iter().flat_map(|text| text.lines().map(str::to_owned)).collect();
    for step in wanted.steps {
        let returns = Wanted { call: step, expected: &Expected::Returns(Vec::new()), ..*wanted };
        lines.extend(last(source, body, &stop.receiver, &returns)?);
    }
    lines.extend(last(source, body, &stop.receiver, wanted)?);
    if let (Kind::Cargo, Some(end)) = (&body.kind, result(source, body)) {
        lines.push(end);
    }
    let written = |lines: &[String]| text_of(source, body, wanted, lines);
    let text = written(&lines)?;
    let insertions = placed(source, body, wanted, &text)?;
    let mut marked = insertions.clone();
    let mut beginning = None;
    match (&body.kind, wanted.expected) {
        (Kind::Function | Kind::Main, _) => {
            let cpp = source.language == Language::Cpp;
            let (scope, header) = if cpp { ("std::", "cstdio") } else { ("", "stdio.h") };
            let print = format!("{scope}fputs(\"{}\\n\", stderr);", mark(wanted.name));
            let lines: Vec<String> = lines.iter().cloned().chain([print]).collect();
            marked = vec![Insertion { at: 0, text: format!("#include <{header}>\n") }];
            marked.extend(placed(source, body, wanted, &written(&lines)?)?);
        }
        (Kind::Cargo, Expected::Panics(_)) => {
            let name = format!("{}_begins", wanted.name);
            let all = Wanted { name: &name, expected: &Expected::Returns(Vec::new()), ..*wanted };
            let end = result(source, body).is_some();
            let before = &lines[..lines.len() - 1 - usize::from(end)];
            let lines: Vec<String> = before.iter().cloned().chain(result(source, body)).collect();
            let text = text_of(source, body, &all, &lines)?;
            marked.extend(placed(source, body, &all, &text)?);
            beginning = Some(name);
        }
        _ => {}
    }
    Ok(Draft { text, insertions, marked, beginning, lines: lines.len() })
}

/// A test with these lines.
fn text_of(source: &Source, body: &Body<'_>, wanted: &Wanted<'_>, lines: &[String]) -> Result<String, String> {
    let (base, step) = indentation(source, body);
    let head = head(source, body, wanted)?;
    let mut text = comment(source, wanted.comment, &base);
    text += &head.lines().map(|line| format!("{base}{line}")).collect::<Vec<_>>().join("\n");
    // The block opens in the head's line, or below it, as it does there.
    text += &source.text[body.head.end - gap(source, body)..body.head.end];
    text += "{\n";
    for line in lines {
        text += &if line.is_empty() { "\n".into() } else { format!("{base}{step}{line}\n") };
    }
    Ok(text + &base + "}\n")
}

/// What stands between the head of a test and its block.
fn gap(source: &Source, body: &Body<'_>) -> usize {
    let head = &source.text[body.head.clone()];
    head.len() - head.trim_end().len()
}

/// How far to the right the test stands, and how much more its statements.
fn indentation(source: &Source, body: &Body<'_>) -> (String, String) {
    let base = source.indentation(body.item.start).to_owned();
    let first = crate::source::children(body.block).first().map(|first| first.start_byte());
    let inner = first.map(|first| source.indentation(first)).unwrap_or_default();
    let step = inner.strip_prefix(base.as_str()).filter(|step| !step.is_empty()).unwrap_or("    ").to_owned();
    (base, step)
}

fn comment(source: &Source, text: &str, base: &str) -> String {
    match (text, source.language) {
        ("", _) => String::new(),
        (_, Language::C) => format!("{base}/* {text} */\n"),
        _ => format!("{base}// {text}\n"),
    }
}

/// What stands before the block of a test.
fn head(source: &Source, body: &Body<'_>, wanted: &Wanted<'_>) -> Result<String, String> {
    let old = source.text[body.head.clone()].trim_end();
    let name = wanted.name;
    Ok(match &body.kind {
        Kind::Gtest { macro_name, suite } => format!("{macro_name}({suite}, {name})"),
        Kind::Catch { .. } => {
            let literal = format!("\"{}\"", body.name);
            if !old.contains(&literal) {
                return Err("the name of the test is not understood".into());
            }
            old.replacen(&literal, &format!("\"{name}\""), 1)
        }
        Kind::Main => format!("static void {name}({})", if source.language == Language::C { "void" } else { "" }),
        Kind::Function => replaced(old, &body.name, name)?,
        Kind::Cargo => {
            let expects = |line: &&str| {
                !line.trim_start().starts_with("#[should_panic") && !line.trim_start().starts_with("#[ignore")
            };
            let is_comment = |line: &&str| !line.trim_start().starts_with("//");
            let mut lines: Vec<String> =
                old.lines().map(str::trim).filter(expects).filter(is_comment).map(str::to_owned).collect();
            if let Expected::Panics(message) = wanted.expected {
                let simple = !message.is_empty()
                    && message.chars().all(|c| c == ' ' || c.is_ascii_graphic() && !matches!(c, '"' | '\\'));
                let says = if simple { format!("(expected = \"{message}\")") } else { String::new() };
                lines.insert(lines.len() - 1, format!("#[should_panic{says}]"));
            }
            replaced(&lines.join("\n"), &body.name, name)?
        }
    })
}

/// A head with another name, which stands before its parameters.
fn replaced(head: &str, from: &str, to: &str) -> Result<String, String> {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let place = head.rmatch_indices(from).find(|(at, _)| {
        !is_word(head[..*at].chars().next_back()) && head[at + from.len()..].trim_start().starts_with(['(', '<'])
    });
    let (at, _) = place.ok_or("the head of the test is not understood")?;
    Ok(format!("{}{to}{}", &head[..at], &head[at + from.len()..]))
}

/// The last value of a test that returns a result.
fn result(source: &Source, body: &Body<'_>) -> Option<String> {
    let head = source.text[body.head.clone()].rsplit_once("->")?.1.trim();
    head.contains("Result").then(|| "Ok(())".to_owned())
}

/// A call on an object.
fn call(receiver: &Receiver, call: &Call) -> String {
    match call.shape {
        Shape::Member => format!("{}{}{}({})", receiver.text, receiver.access, call.method, call.arguments.join(", ")),
        Shape::Function(number) => {
            let mut arguments = call.arguments.clone();
            arguments.insert(number.min(arguments.len()), receiver.text.clone());
            format!("{}({})", call.method, arguments.join(", "))
        }
    }
}

/// The name of the type of a result, without path and arguments.
fn outcome(of: &Call) -> &str {
    of.result.split('<').next().and_then(|path| path.rsplit("::").next()).unwrap_or_default()
}

/// A call whose result does not matter.
fn ignored(source: &Source, of: &Call, text: &str) -> String {
    let nothing = matches!(of.result.as_str(), "" | "void" | "()");
    match source.language {
        _ if nothing => text.to_owned(),
        Language::Rust => format!("let _ = {text}"),
        _ => format!("(void){text}"),
    }
}

/// The call, and what is expected of it.
fn last(source: &Source, body: &Body<'_>, receiver: &Receiver, wanted: &Wanted<'_>) -> Result<Vec<String>, String> {
    let Wanted { call: of, expected, .. } = wanted;
    let text = call(receiver, of);
    let plain = ignored(source, of, &text);
    let result = outcome(of);
    Ok(match expected {
        Expected::Throws(ty) => throws(source, &body.kind, &plain, ty)?,
        Expected::Panics(_) => vec![format!("{plain};")],
        Expected::Err => vec![holds(source, &body.kind, &format!("{text}.is_err()"))?],
        Expected::Nothing => vec![holds(source, &body.kind, &format!("{text}.is_none()"))?],
        Expected::Value(value) => vec![equals(source, &body.kind, &text, value)?],
        Expected::Returns(conditions) => {
            let mut lines = vec![match (&body.kind, source.language) {
                (_, Language::Rust) if result == "Result" => holds(source, &body.kind, &format!("{text}.is_ok()"))?,
                (_, Language::Rust) if result == "Option" => holds(source, &body.kind, &format!("{text}.is_some()"))?,
                (Kind::Gtest { .. }, _) if conditions.is_empty() => format!("EXPECT_NO_THROW({plain});"),
                (Kind::Catch { .. }, _) if conditions.is_empty() => format!("REQUIRE_NOTHROW({plain});"),
                _ => format!("{plain};"),
            }];
            for (path, value) in conditions {
                let path = format!("{}{}{path}", receiver.text, receiver.access);
                let Some(condition) = condition(source.language, &path, value) else { continue };
                lines.push(holds(source, &body.kind, &condition)?);
            }
            lines
        }
    })
}

/// The places of a test with a text, and of what makes its file know it.
fn placed(source: &Source, body: &Body<'_>, wanted: &Wanted<'_>, text: &str) -> Result<Vec<Insertion>, String> {
    let behind = line_end(source, body.item.end);
    match body.kind {
        Kind::Main => {
            let before = source.text[..body.item.start].rfind('\n').map_or(0, |newline| newline + 1);
            let (at, indentation) = end_of_main(source, body);
            let called = Insertion { at, text: format!("{};\n{indentation}", call_of(wanted.name)) };
            Ok(vec![Insertion { at: before, text: format!("{text}\n") }, called])
        }
        Kind::Function => {
            let mut all = vec![Insertion { at: behind, text: format!("\n{text}") }];
            all.extend(registrations(source, body, wanted.name)?);
            Ok(all)
        }
        _ => Ok(vec![Insertion { at: behind, text: format!("\n{text}") }]),
    }
}

fn call_of(name: &str) -> String {
    format!("{name}()")
}

/// Behind the line that a byte is in.
fn line_end(source: &Source, at: usize) -> usize {
    source.text[at..].find('\n').map_or(source.text.len(), |newline| at + newline + 1)
}

/// Where a program's last statement is, and how far to the right: before what it returns.
fn end_of_main<'s>(source: &'s Source, body: &Body<'_>) -> (usize, &'s str) {
    let last = crate::source::children(body.block).last().copied();
    let range: Range<usize> = last
        .filter(|last| last.kind() == "return_statement")
        .map_or_else(|| body.block.end_byte() - 1..body.block.end_byte(), |last| last.byte_range());
    (range.start, source.indentation(range.start))
}
