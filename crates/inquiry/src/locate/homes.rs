//! Where in a source a change stands that is not the line of a statement: an element of an initial value, the label of a switch.

use std::ops::Range;
use std::path::Path;

use whydunit_desk::{ProjectSources, convert};
use whydunit_findings::{Location, Replacement, Sources};
use whydunit_locate::Home;

use super::Place;

/// So many lines above what a label leads to the label is looked for.
const NEAR: usize = 6;
/// So many lines of an expression are looked at.
const SPREAD: usize = 40;
/// An initial value begins at most so many lines below the name of its variable.
const BELOW: usize = 3;

/// The place of a home, of a change of this statement.
pub(super) fn place(home: &Home, project: &Path, sources: &ProjectSources, statement: &Place) -> Place {
    let (file, known) = match home {
        Home::Label { line } => (statement.0.clone(), *line),
        Home::Entry { file, line, .. } => (convert::relative(project, file), *line),
    };
    let line = sources.text(&file).map_or(known, |text| line(home, &text));
    (file, line)
}

/// Which of the values of a list a home is, from 1, in words; empty for what is no such value, and where the text does not tell.
pub(super) fn which(home: &Home, sources: &ProjectSources, place: &Place) -> String {
    let Home::Entry { line, variable, offset, bytes, size, .. } = home else { return String::new() };
    let entry = Entry { offset: *offset, bytes: u64::from(*bytes), size: *size };
    let number = sources.text(&place.0).and_then(|text| entry.found(&text, *line, variable)?.number);
    match number {
        Some(number) if variable.is_empty() => format!(" (value {number})"),
        Some(number) => format!(" (value {number} of `{variable}`)"),
        None => String::new(),
    }
}

/// What a change of a number is in the text of its file: of an initial value, or of the definition of a constant that has a name. `None`
/// where the text does not have the number there, or has it twice in the line of the definition.
pub(super) fn replaced(
    home: Option<&Home>,
    definition: Option<&Definition>,
    (file, text): (&str, &str),
    (was, now): (i64, i64),
) -> Option<Replacement> {
    let (number, line, function) = match (home, definition) {
        (Some(Home::Entry { line, variable, offset, bytes, size, .. }), _) => {
            let entry = Entry { offset: *offset, bytes: u64::from(*bytes), size: *size };
            match entry.found(text, *line, variable) {
                Some(found) => {
                    let at = found.at?;
                    let number = numbers(text, at..text.len()).next().filter(|(bytes, _)| bytes.start == at)?;
                    (number, found.line, variable)
                }
                None => (only(text, *line, was)?, *line, variable),
            }
        }
        (None, Some(definition)) => (only(text, definition.line, was)?, definition.line, &definition.name),
        _ => return None,
    };
    let (bytes, _) = Some(number).filter(|(_, value)| *value == was)?;
    let before = &text[bytes.clone()];
    let suffix = &before[before.trim_end_matches(['u', 'U', 'l', 'L']).len()..];
    let start = text[..bytes.start].rfind('\n').map_or(0, |end| end + 1);
    let column = text[start..bytes.start].chars().count() as u32 + 1;
    Some(Replacement {
        location: Location { file: file.to_owned(), line, column, ..Location::default() },
        function: function.clone(),
        before: before.to_owned(),
        after: format!("{now}{suffix}"),
        bytes,
    })
}

/// The one number of this value in a line, and the value.
fn only(text: &str, line: u32, value: i64) -> Option<(Range<usize>, i64)> {
    let before = (line as usize).saturating_sub(1);
    let start: usize = text.split_inclusive('\n').take(before).map(str::len).sum();
    let end = text[start..].find('\n').map_or(text.len(), |end| start + end);
    let mut same = numbers(text, start..end).filter(|(_, written)| *written == value);
    same.next().filter(|_| same.next().is_none())
}

/// The decimal numbers that are written in a part of a text, each with its sign, and their values.
fn numbers(text: &str, within: Range<usize>) -> impl Iterator<Item = (Range<usize>, i64)> {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let mut at = within.start;
    std::iter::from_fn(move || {
        loop {
            let start = at + text[at..within.end].find(is_word)?;
            at = text[start..within.end].find(|c| !is_word(c)).map_or(within.end, |length| start + length);
            let digits = text[start..at].trim_end_matches(['u', 'U', 'l', 'L']);
            let octal = digits.len() > 1 && digits.starts_with('0');
            let Some(value) = digits.parse::<i64>().ok().filter(|_| !octal) else { continue };
            // A minus behind an operand takes something away.
            let before = text[within.start..start].trim_end();
            let signed = before.strip_suffix('-').is_some_and(|before| {
                !before.trim_end().ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ')' | ']'))
            });
            let from = if signed { within.start + before.len() - 1 } else { start };
            return Some((from..at, if signed { -value } else { value }));
        }
    })
}

/// A constant of the source that has a name: where it is defined.
pub(super) struct Definition {
    pub name: String,
    pub line: u32,
}

/// The definition that gives a constant of this value its name, of those that stand in a line of code; `None` where the line has the value
/// itself, or names nothing that the file defines so.
pub(super) fn definition(text: &str, code: &str, value: i64) -> Option<Definition> {
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .filter(|word| !word.is_empty())
            .map(str::to_string)
            .collect()
    };
    let used = words(code);
    let is_value = |word: &str| word.trim_end_matches(['u', 'U', 'l', 'L']).replace('_', "").parse() == Ok(value);
    if used.iter().any(|word| is_value(word)) {
        return None;
    }
    let defines = |line: &str| -> Option<String> {
        let line = line.split("//").next().unwrap_or_default().split("/*").next().unwrap_or_default();
        let (name, rest) = match line.trim_start().strip_prefix("#define") {
            Some(macro_) => {
                let name = words(macro_).into_iter().next()?;
                let rest = macro_.trim_start().strip_prefix(&name)?.to_string();
                (name, rest)
            }
            None => {
                // `const int most = 8;`, `const int most{8};`
                let given = |(_, after): &(&str, &str)| {
                    after.trim_start().starts_with(|c: char| c.is_ascii_digit() || c == '-')
                };
                let braced = || line.split_once(['{', '(']).filter(given);
                let (before, after) = line.split_once('=').or_else(braced)?;
                let is_constant = words(before).iter().any(|word| matches!(&**word, "const" | "constexpr" | "static"));
                let before = before.split(':').next().filter(|_| is_constant && !after.starts_with('='))?;
                (words(before).pop()?, after.to_string())
            }
        };
        let sign = if rest.trim_start().trim_start_matches('(').starts_with('-') { -1 } else { 1 };
        let number = rest.trim_matches(|c: char| !c.is_ascii_digit());
        let number: i64 = number.replace('_', "").parse().ok()?;
        (used.contains(&name) && sign * number == value).then_some(name)
    };
    let enumerator = |line: &str| -> Option<String> {
        let named = |(name, number): &(&str, i64)| *number == value && used.iter().any(|word| word == name);
        enumerators(line).find(named).map(|(name, _)| name.to_owned())
    };
    let defined = |line: &str| defines(line).or_else(|| enumerator(line));
    let found = text.lines().enumerate().find_map(|(number, line)| Some((number, defined(line)?)));
    found.map(|(number, name)| Definition { name, line: number as u32 + 1 })
}

/// The enumerators that a line gives numbers: `enum { NAME = 3 };`, or `NAME = 3,` in a line of its own.
fn enumerators(line: &str) -> impl Iterator<Item = (&str, i64)> {
    let line = line.split("//").next().unwrap_or_default().split("/*").next().unwrap_or_default().trim();
    let is_whole = line.starts_with("enum") || line.starts_with("typedef enum");
    let list = match line.split_once('{') {
        Some((_, list)) if is_whole => list,
        _ if line.contains([';', '(', '{']) => "",
        _ => line,
    };
    list.split([',', '}']).filter_map(|part| {
        let (name, value) = part.split_once('=')?;
        let name = name.trim();
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        is_name.then_some((name, value.trim().parse().ok()?))
    })
}

/// The line of a constant in an expression in brackets that begins at `line` and goes on below; `None` where it has no such line of its
/// own.
pub(super) fn spread(text: &str, line: u32, value: i64) -> Option<u32> {
    let mut depth = 0;
    let mut found = None;
    for (index, code) in text.lines().enumerate().skip(line as usize - 1).take(SPREAD) {
        let code = code.split("//").next().unwrap_or_default();
        if has_constant(code, value) && found.replace(index as u32 + 1).is_some() {
            return None;
        }
        depth += code.matches(['{', '(', '[']).count() as i32 - code.matches(['}', ')', ']']).count() as i32;
        if depth <= 0 {
            break;
        }
    }
    found.filter(|found| *found != line && depth <= 0)
}

/// Whether code has this number, or the character of this number.
fn has_constant(code: &str, value: i64) -> bool {
    let character = u32::try_from(value).ok().and_then(char::from_u32).filter(|c| !c.is_control());
    let number = |word: &str| word.trim_end_matches(['u', 'U', 'l', 'L']).replace('_', "").parse() == Ok(value);
    code.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(number)
        || character.is_some_and(|c| code.contains(&format!("'{c}'")))
}

/// The line of a home in the text of its file.
fn line(home: &Home, text: &str) -> u32 {
    match home {
        Home::Label { line } => label(text, *line).unwrap_or(*line),
        Home::Entry { line, variable, offset, bytes, size, .. } => {
            let entry = Entry { offset: *offset, bytes: u64::from(*bytes), size: *size };
            entry.found(text, *line, variable).map_or(*line, |found| found.line)
        }
    }
}

/// The nearest line with a label, from a line upwards.
fn label(text: &str, line: u32) -> Option<u32> {
    let lines: Vec<&str> = text.lines().take(line as usize).collect();
    let is_label = |text: &str| text.starts_with("case ") || text.starts_with("default:") || text.contains("=>");
    let nearest = lines.iter().enumerate().rev().take(NEAR).find(|(_, text)| is_label(text.trim_start()))?;
    Some(nearest.0 as u32 + 1)
}

/// Bytes of a variable.
struct Entry {
    offset: u64,
    bytes: u64,
    size: u64,
}

/// Where bytes of a variable are written out.
struct Found {
    line: u32,
    /// Which of several values of one size, from 1.
    number: Option<usize>,
    /// Where in the text the value begins; `None` where only its row is known.
    at: Option<usize>,
}

impl Entry {
    /// Where these bytes are written out, of a variable that is declared at a line; `None` where the text does not tell.
    fn found(&self, text: &str, declared: u32, variable: &str) -> Option<Found> {
        let start: usize = text.split_inclusive('\n').take(declared as usize - 1).map(str::len).sum();
        let named = start + text.get(start..)?.find(variable)?;
        let opens = named + text[named..].find(['{', ';'])?;
        let below = text[start..opens].matches('\n').count();
        if !text[opens..].starts_with('{') || below > BELOW {
            return None;
        }
        let list = List::of(&text[opens..])?;
        let line_of = |at: usize| declared + text[start..opens + at].matches('\n').count() as u32;
        let even = |parts: &[usize]| {
            let number = parts.len() as u64;
            (number > 0 && self.size.is_multiple_of(number)).then(|| self.size / number)
        };
        if let Some(each) = even(&list.values).filter(|each| *each == self.bytes) {
            let index = (self.offset / each) as usize;
            let number = (list.values.len() > 1).then_some(index + 1);
            return list.values.get(index).map(|&at| Found { line: line_of(at), number, at: Some(opens + at) });
        }
        let row = even(&list.rows)?;
        list.rows.get((self.offset / row) as usize).map(|&at| Found { line: line_of(at), number: None, at: None })
    }
}

/// A list in braces.
#[derive(Default)]
struct List {
    /// Where each value begins, at any depth.
    values: Vec<usize>,
    /// Where each part of the outermost list begins.
    rows: Vec<usize>,
}

impl List {
    /// Of a text that begins with the brace; none where it does not end.
    fn of(text: &str) -> Option<Self> {
        let (mut list, mut depth) = (Self::default(), 0);
        let (mut in_value, mut in_row) = (false, false);
        let mut rest = text.char_indices().peekable();
        while let Some((at, c)) = rest.next() {
            match c {
                '{' => {
                    if depth == 1 && !in_row {
                        list.rows.push(at);
                        in_row = true;
                    }
                    (depth, in_value) = (depth + 1, false);
                }
                '}' => {
                    (depth, in_value) = (depth - 1, false);
                    if depth == 0 {
                        return Some(list);
                    }
                }
                ',' => {
                    in_value = false;
                    in_row &= depth > 1;
                }
                '/' if matches!(rest.peek(), Some((_, '/'))) => while rest.next_if(|(_, c)| *c != '\n').is_some() {},
                '/' if matches!(rest.peek(), Some((_, '*'))) => {
                    let mut before = ' ';
                    for (_, c) in rest.by_ref().skip(1) {
                        if before == '*' && c == '/' {
                            break;
                        }
                        before = c;
                    }
                }
                c if c.is_whitespace() => {}
                c => {
                    if !in_value {
                        list.values.push(at);
                        in_value = true;
                    }
                    if depth == 1 && !in_row {
                        list.rows.push(at);
                        in_row = true;
                    }
                    if matches!(c, '"' | '\'') {
                        let mut escaped = false;
                        for (_, inside) in rest.by_ref() {
                            if inside == c && !escaped {
                                break;
                            }
                            escaped = inside == '\\' && !escaped;
                        }
                    }
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(text: &str, variable: &str, offset: u64, bytes: u32, size: u64) -> u32 {
        let declared = text.lines().position(|line| line.contains(variable)).expect("its line") as u32 + 1;
        line(&Home::Entry { file: String::new(), line: declared, variable: variable.into(), offset, bytes, size }, text)
    }

    #[test]
    fn elements_are_counted_where_all_have_one_size() {
        let text = "int n;\nstatic const int days[12] = {\n    31, 28, 31, // first\n    30, 31, 30,\n    31, 31, 30, 31, 30, 31,\n};\n";
        assert_eq!(entry(text, "days", 0, 4, 48), 3);
        assert_eq!(entry(text, "days", 12, 4, 48), 4);
        assert_eq!(entry(text, "days", 44, 4, 48), 5);
        assert_eq!(entry("int limit = 7;\n", "limit", 0, 4, 4), 1);
    }

    #[test]
    fn numbers_are_replaced_where_they_are_written() {
        let text = "static const long days[] = { 31, -28L,\n    31 };\n#define MOST 12 /* a dozen */\nconst int twice = 7 + 7;\nint limit = 7;\n";
        let home = |variable: &str, offset, size| {
            let line = text.lines().position(|line| line.contains(variable)).expect("its line") as u32 + 1;
            Home::Entry { file: String::new(), line, variable: variable.into(), offset, bytes: 8, size }
        };
        let of = |home: Option<&Home>, definition: Option<&Definition>, change| {
            let replaced = replaced(home, definition, ("a.c", text), change)?;
            assert_eq!(&text[replaced.bytes.clone()], replaced.before);
            Some((replaced.before, replaced.after, replaced.location.line, replaced.location.column))
        };
        let text_of = |text: &str| text.to_owned();
        let february = (text_of("-28L"), text_of("29L"), 1, 34);
        assert_eq!(of(Some(&home("days", 8, 24)), None, (-28, 29)), Some(february));
        assert_eq!(of(Some(&home("days", 16, 24)), None, (31, 30)), Some((text_of("31"), text_of("30"), 2, 5)));
        assert_eq!(of(Some(&home("days", 16, 24)), None, (28, 30)), None);
        let most = Definition { name: "MOST".into(), line: 3 };
        assert_eq!(of(None, Some(&most), (12, 11)), Some((text_of("12"), text_of("11"), 3, 14)));
        assert_eq!(of(None, Some(&Definition { name: "twice".into(), line: 4 }), (7, 8)), None);
        assert_eq!(of(Some(&home("limit", 0, 8)), None, (7, 9)), Some((text_of("7"), text_of("9"), 5, 13)));
    }

    #[test]
    fn of_structures_the_row_is_told() {
        let text = "struct rate { char name[8]; int least; double share; };\nstruct rate rates[] = {\n    {\"a, b\", 1, 0.5},\n    {\"c}\", 2, 0.25}, /* { */\n    {\"d\", 3, 1.0},\n};\n";
        assert_eq!(entry(text, "rates", 24 + 16, 8, 72), 4);
        assert_eq!(entry(text, "rates", 48 + 8, 4, 72), 5);
    }

    #[test]
    fn a_constant_is_where_it_has_its_name() {
        let text = "#define MOST 12 /* a dozen */\nstatic const int LEAST = -3;\nconst STEP: i64 = 1_000;\nint other = 12;\n  const int seven{7};\nconstexpr int eight(8);\nstatic int give(int nine9);\n";
        let line =
            |code: &str, value| definition(text, code, value).map(|definition| (definition.name, definition.line));
        assert_eq!(line("if (n > MOST)", 12), Some(("MOST".into(), 1)));
        assert_eq!(line("return n < LEAST;", -3), Some(("LEAST".into(), 2)));
        assert_eq!(line("n += STEP;", 1000), Some(("STEP".into(), 3)));
        assert_eq!(line("if (n % seven == 0)", 7), Some(("seven".into(), 5)));
        assert_eq!(line("return n << eight;", 8), Some(("eight".into(), 6)));
        assert_eq!(line("return give(n);", 9), None);
        assert_eq!(line("if (n > MOST)", 13), None);
        let text = "enum { length = 4, width = 5 };\nenum side\n{\n    LEFT = 7,\n};\nint x = 9, y = 8;\nstruct at at = { .z = 6 };\n";
        let line = |code: &str, value| definition(text, code, value).map(|definition| definition.line);
        assert_eq!([line("n / length", 4), line("n * width", 5), line("== LEFT", 7)], [Some(1), Some(1), Some(4)]);
        assert_eq!([line("n + x", 9), line("n + at.z", 6)], [None, None]);
        assert_eq!(line("if (n > 12 && m < MOST)", 12), None);
        assert_eq!(line("n = other;", 12), None);
    }

    #[test]
    fn a_constant_of_a_long_expression_has_its_own_line() {
        let text = "fn new() -> Pen {\n    Pen {\n        x: 0,\n        y: 0,\n        sign: '+',\n        step: 1_000, // 7\n    }\n}\nlet a = 43;\n";
        assert_eq!(spread(text, 2, 43), Some(5));
        assert_eq!(spread(text, 2, 1000), Some(6));
        assert_eq!(spread(text, 2, 7), None);
        assert_eq!(spread(text, 2, 0), None);
        assert_eq!(spread(text, 9, 43), None);
    }

    #[test]
    fn labels_stand_above_what_they_lead_to() {
        let text = "switch (c) {\ncase 1:\ncase 2:\n    go();\n    break;\ndefault:\n    stay();\n}\n";
        assert_eq!(line(&Home::Label { line: 4 }, text), 3);
        assert_eq!(line(&Home::Label { line: 7 }, text), 6);
        assert_eq!(line(&Home::Label { line: 1 }, text), 1);
    }
}
