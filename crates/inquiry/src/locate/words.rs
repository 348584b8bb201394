//! Changes of values in words.

use std::path::Path;

use whydunit_causes::failure::excerpt;
use whydunit_locate::{Kind, Mutant, Printed, Relation, Witness};
use whydunit_symbolic::FreeKind;

use super::Place;
use super::condition::{binds_otherwise, changes_itself, code_of, has_operator};
use super::formulas::Answer;
use super::naming::Told;
use whydunit_desk::{Condition, ProjectSources, convert};

/// What would have to be otherwise, in words.
pub(super) fn words(
    answer: &Answer,
    project: &Path,
    sources: &ProjectSources,
    witness: &Witness,
    told: &Told,
) -> String {
    let Some(statement) = answer.knowledge.statements.get(witness.statement()) else { return String::new() };
    let file = convert::relative(project, &statement.file);
    let code = code_of(&(file.clone(), statement.line), sources);
    let (place, values) = (format!("line {} (`{code}`)", statement.line), &told.values);
    let more = match witness.times() {
        0 | 1 => String::new(),
        2 => " (and one other time)".into(),
        times => format!(" (and {} other times)", times - 1),
    };
    let change = match witness {
        Witness::Value(change) => change,
        Witness::Printed(Printed { was, now, .. }) if now.is_empty() => {
            return format!("if {place} did not print {}{more}", excerpt(was));
        }
        Witness::Printed(Printed { was, now, .. }) => {
            return format!("if {place} printed {} in the place of {}{more}", excerpt(now), excerpt(was));
        }
    };
    let name = told.name.as_ref();
    match change.free.kind {
        FreeKind::Condition if change.free.width == 1 => {
            let condition = Condition::at(sources, &file, told.tested);
            let truth = (change.now & 1 == 1) != condition.negated;
            format!("if {}{more}", condition.otherwise((&place, &place), &truth.to_string()))
        }
        FreeKind::Condition => format!("if the value of {place} were {values}{more}"),
        FreeKind::Argument => match name {
            Some(name) => format!("if {place} passed {values} as `{name}`{more}"),
            None => format!("if {place} passed {values}{more}"),
        },
        FreeKind::Returned => format!("if {place} returned {values}{more}"),
        _ if told.returned => format!("if {place} returned {values}{more}"),
        FreeKind::Value | FreeKind::Stored | FreeKind::Result => match name {
            Some(name) => format!("if `{name}` were {values} after {place}{more}"),
            None => format!("if {place} gave {values}{more}"),
        },
    }
}

/// What a mutant does to a statement, in words.
pub fn mutant_words(mutant: &Mutant, sources: &ProjectSources, place: &Place) -> String {
    let code = code_of(place, sources);
    let at = format!("line {} (`{code}`)", place.1);
    let name = |name: &Option<String>| name.as_ref().map_or("another variable".to_string(), |name| format!("`{name}`"));
    let condition = || Condition::at(sources, &place.0, mutant.tested);
    match &mutant.kind {
        Kind::Opposite => format!("if {}", condition().otherwise((&at, &code), "the opposite")),
        Kind::Always(truth) => {
            let condition = condition();
            let how = format!("always {}", *truth != condition.negated);
            format!("if {}", condition.otherwise((&at, &code), &how))
        }
        // The source only says it without an operator, as in `if (count)`.
        Kind::Operator(was, _) if !has_operator(&code, was) => match *was {
            "==" | "!=" | "<" | "<=" | ">" | ">=" => format!("if {at} compared otherwise"),
            _ => format!("if {at} computed otherwise"),
        },
        // Beside another `&&`, which binds closer than what would stand there.
        Kind::Operator("&&", "||") if !stands_alone(&code) => {
            format!("if {at} had `(… || …)` in the place of one `… && …`")
        }
        Kind::Operator(was, now) => {
            let more = if binds_otherwise(&code, was, now) { ", its operands in parentheses" } else { "" };
            format!("if {at} had `{now}` in the place of `{was}`{more}")
        }
        // Of a function-like macro, a size, a null pointer: a number that nobody has written.
        Kind::Constant(was, _) if !may_stand_for(&code, *was) => format!("if {at} computed otherwise"),
        Kind::Constant(was, now) => {
            let [now, was] = spelled(&code, *was, [*now, *was]);
            format!("if {at} had {now} in the place of {was}")
        }
        Kind::Text(was, now) => {
            let [was, now] = [was, now].map(|text| excerpt(text.as_bytes()));
            format!("if {at} had {now} in the place of {was}")
        }
        Kind::Float(was, now) => format!("if {at} had {now} in the place of {was}"),
        Kind::More(step) => format!("if {at} computed {}", if *step < 0 { "1 less" } else { "1 more" }),
        Kind::Accumulated => format!("if {at} added to what is there"),
        Kind::Plain => format!("if {at} added nothing to it"),
        Kind::Case(value) => format!("if {} came to {at}", label(*value)),
        Kind::Element(step) => format!("if {at} used the element {} it", if *step < 0 { "before" } else { "behind" }),
        Kind::Swapped if mutant.home.is_some() => {
            format!("if two values of {at} that stand side by side changed places")
        }
        Kind::Swapped => format!("if both operands of {at} changed places"),
        Kind::Arguments(a, b) => format!("if arguments {a} and {b} of {at} changed places"),
        Kind::LeftOut => format!("if {}", left_out(&at, &code, mutant.called.as_deref())),
        Kind::LeftOutWhere(relation) => {
            let left_out = left_out(&at, &code, mutant.called.as_deref());
            format!("if {left_out} {}", place_where(relation))
        }
        Kind::AlwaysWhere(truth, relation) => {
            let condition = condition();
            let truth = (*truth != condition.negated).to_string();
            format!("if {} {}", condition.otherwise((&at, &code), &truth), place_where(relation))
        }
        Kind::ReturnsWhere(result, relation) => {
            let result = result.as_ref().map_or(String::new(), |result| format!(" {result}"));
            format!("if the function returned{result} before {at} {}", place_where(relation))
        }
        Kind::Assigned(variable, value) => format!("if {} were given {value} behind {at}", name(variable)),
        Kind::Variable(now, Some(was)) if now.as_ref() == Some(was) => format!("if {at} had another `{was}`"),
        // What stands there is also what is written.
        Kind::Variable(now, Some(was)) if changes_itself(&code, was) => {
            format!("if {at} computed `{was}` from {}", name(now))
        }
        Kind::Variable(now, Some(was)) => format!("if {at} had {} in the place of `{was}`", name(now)),
        Kind::Variable(now, None) => format!("if {at} used {}", name(now)),
    }
}

/// That a statement has another number in the place of a constant with a name, in words.
pub fn constant_words(mutant: &Mutant, sources: &ProjectSources, place: &Place, name: &str) -> String {
    let Kind::Constant(was, now) = &mutant.kind else { return mutant_words(mutant, sources, place) };
    format!("if line {} (`{}`) had {now} in the place of `{name}` ({was})", place.1, code_of(place, sources))
}

/// A value that a switch looks at, with the character that it is.
fn label(value: i64) -> String {
    match u8::try_from(value).ok().filter(u8::is_ascii_graphic) {
        Some(byte) => format!("{value} (`{}`)", char::from(byte)),
        None => value.to_string(),
    }
}

/// Whether code has a number, in any spelling, or a name that may stand for it: one in capitals, or of a scope.
fn may_stand_for(code: &str, number: i64) -> bool {
    let masked = [0xff, 0xffff, 0xffff_ffff, u64::MAX].map(|mask| number as u64 & mask);
    let is_it = |value: u64| value == number.unsigned_abs() || masked.contains(&value);
    let mut before = "";
    let mut rest = code;
    while let Some(start) = rest.find(|c: char| c.is_alphanumeric() || c == '_') {
        before = if start == 0 { before } else { &rest[..start] };
        rest = &rest[start..];
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        rest = behind;
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            let plain = word.to_ascii_lowercase().replace('_', "");
            let digits = |prefix: &str, radix| {
                let digits = plain.strip_prefix(prefix)?;
                u64::from_str_radix(digits.trim_end_matches(['u', 'l', 'i', 's', 'z']), radix).ok()
            };
            let decimal = || plain.split(|c: char| !c.is_ascii_digit()).next().and_then(|digits| digits.parse().ok());
            let value = digits("0x", 16).or_else(|| digits("0b", 2)).or_else(|| digits("0o", 8)).or_else(decimal);
            if value.is_some_and(is_it) || digits("0", 8).is_some_and(is_it) {
                return true;
            }
            continue;
        }
        let is_constant = word.len() > 1 && !word.contains(|c: char| c.is_ascii_lowercase());
        let is_of_scope = before.trim_end().ends_with("::") && word.starts_with(|c: char| c.is_ascii_uppercase());
        let is_truth = matches!(word, "true" | "false" | "TRUE" | "FALSE") && (-1..=1).contains(&number);
        let is_called = behind.trim_start().starts_with('(');
        if is_truth || word != "NULL" && !is_called && (is_constant || is_of_scope) {
            return true;
        }
    }
    // A character is a number, too.
    code.contains('\'')
}

/// Numbers as the source writes one of them, `known`: without a sign where only that stands there.
fn spelled(code: &str, known: i64, numbers: [i64; 2]) -> [String; 2] {
    let stands = |number: u64| {
        let words = code.split(|c: char| !c.is_ascii_alphanumeric());
        words.map(|word| word.trim_end_matches(['u', 'U', 'l', 'L'])).any(|word| match word.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16) == Ok(number),
            None => word.parse() == Ok(number),
        })
    };
    let masks = [0xff, 0xffff, 0xffff_ffff];
    let unsigned = masks.into_iter().find(|mask| known < 0 && stands(known as u64 & mask));
    let signed = code.contains('-') && stands(known.unsigned_abs());
    match unsigned.filter(|_| !signed) {
        Some(mask) => numbers.map(|number| (number as u64 & mask).to_string()),
        None => numbers.map(|number| number.to_string()),
    }
}

/// That a statement is left out, or what of it is: one of several calls.
fn left_out(at: &str, code: &str, called: Option<&str>) -> String {
    let calls = code.match_indices('(').filter(|(place, _)| code[..*place].ends_with(|c: char| c.is_alphanumeric()));
    match called.filter(|name| code.contains(&format!("{name}("))) {
        Some(name) if calls.count() > 1 => format!("the call of `{name}` in {at} were left out"),
        _ => format!("{at} were left out{}", but_for(code)),
    }
}

/// What a statement goes on doing when its store or call is left out.
fn but_for(code: &str) -> String {
    let does_more = code.contains(['=', '(']);
    let steps = ["++", "--"].into_iter().filter(|step| does_more && has_operator(code, step));
    steps.map(|step| format!(" but for `{step}`")).collect()
}

/// Where a relation holds.
fn place_where(Relation { left, sign, right }: &Relation) -> String {
    let is_number = right.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    match left {
        Some(name) if *sign == "==" && is_number => format!("where `{name}` is {right}"),
        Some(name) => format!("where `{name} {sign} {right}`"),
        None => "in some cases".into(),
    }
}

/// Whether code has one `&&`, and no more of its condition can stand on other lines.
fn stands_alone(code: &str) -> bool {
    let opened = code.matches('(').count() == code.matches(')').count();
    opened && code.matches("&&").count() == 1 && !code.trim_start().starts_with(['&', '|'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connector_beside_others_needs_parentheses() {
        assert!(stands_alone("if (a && b) {") && stands_alone("while (a() && (b || c))"));
        assert!(!stands_alone("if (a && b && c) {") && !stands_alone("if (a && b &&") && !stands_alone("&& b) {"));
    }

    #[test]
    fn constants_have_the_sign_of_the_source() {
        assert_eq!(spelled("if (byte > 0xfeU)", -2, [-1, -2]), ["255", "254"]);
        assert_eq!(spelled("if (rest > 65534)", -2, [-3, -2]), ["65533", "65534"]);
        assert_eq!(spelled("if (n > -2)", -2, [-1, -2]), ["-1", "-2"]);
        assert_eq!(spelled("if (n > LEAST)", -2, [-1, -2]), ["-1", "-2"]);
    }

    #[test]
    fn a_number_that_nobody_has_written_is_not_told() {
        for (code, number) in [
            ("if (n > 0x10UL)", 16),
            ("n += 017;", 15),
            ("let a = 1_000u32;", 1000),
            ("if (n > -2)", -2),
            ("if (byte > 0xfe)", -2),
            ("return LEAST;", 3),
            ("c = Color::Red;", 2),
            ("if (c == 'a')", 97),
            ("return true;", 1),
        ] {
            assert!(may_stand_for(code, number), "{code}");
        }
        for (code, number) in [
            ("if (isdigit(input[i]))", 2048),
            ("if (p == NULL)", 0),
            ("p++;", 24),
            ("if (n > 12)", 13),
            ("a = std::max(b, c);", 4),
        ] {
            assert!(!may_stand_for(code, number), "{code}");
        }
    }

    #[test]
    fn a_call_among_others_is_named() {
        let code = "drop(detach(list, 3));";
        assert_eq!(left_out("line 7", code, Some("drop")), "the call of `drop` in line 7 were left out");
        assert_eq!(left_out("line 7", "drop(list);", Some("drop")), "line 7 were left out");
        assert_eq!(left_out("line 7", "a = b;", None), "line 7 were left out");
    }

    #[test]
    fn steps_are_done_where_a_store_is_left_out() {
        assert_eq!(but_for("*q++ = ' ';"), " but for `++`");
        assert_eq!(but_for("put(list, --n);"), " but for `--`");
        assert_eq!((but_for("n++;"), but_for("a = b;")), (String::new(), String::new()));
    }
}
