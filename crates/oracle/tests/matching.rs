//! Laws of matching, with glibc's printf as the judge: what a requirement asks for prints the text, and what prints the
//! text satisfies it.

mod support;

use proptest::prelude::*;
use support::{FLOATS, INTEGERS, LONG_FLOATS, OTHERS, cases, print};
use whydunit_oracle::{Alternative, Argument, Format, Match, Need, Place, Requirement, match_format};

fn index(need: &Need) -> usize {
    match need.place {
        Place::Argument(index) => index,
        Place::Memory { .. } => unreachable!("no memory is printed"),
    }
}

/// Values of a requirement: its ends, and some between.
fn members(requirement: &Requirement, seed: u64) -> Vec<Argument> {
    match requirement {
        Requirement::Integer { bits, value, .. } => {
            let above = if *bits == 64 { 0 } else { seed << bits };
            vec![Argument::Word(*value), Argument::Word(value | above)]
        }
        Requirement::Double { low, high } => {
            let (least, most) = (low.to_bits().min(high.to_bits()), low.to_bits().max(high.to_bits()));
            let between = least + seed % (most - least).saturating_add(1);
            vec![Argument::Double(least), Argument::Double(most), Argument::Double(between)]
        }
        Requirement::LongDouble { low, high } => vec![Argument::LongDouble(*low), Argument::LongDouble(*high)],
        Requirement::NotANumber { .. } => Vec::new(),
        Requirement::Text(text) => text.contents().map(|content| Argument::Bytes(content.into())).collect(),
    }
}

/// The values next to a requirement's, which must not satisfy it.
fn neighbours(requirement: &Requirement) -> Vec<Argument> {
    match requirement {
        Requirement::Integer { bits, value, .. } => {
            vec![Argument::Word(value.wrapping_add(1)), Argument::Word(value ^ 1 << (bits - 1))]
        }
        Requirement::Double { low, high } if low.is_finite() => {
            vec![Argument::Double(low.next_down().to_bits()), Argument::Double(high.next_up().to_bits())]
        }
        Requirement::Text(text) => {
            let longest = text.contents().last().unwrap();
            vec![Argument::Bytes([longest, b"x"].concat()), Argument::Bytes([b" ", longest].concat())]
        }
        _ => Vec::new(),
    }
}

/// The arguments with what an alternative asks for, in several ways.
fn repaired(alternative: &Alternative, arguments: &[Argument], seed: u64) -> Vec<Vec<Argument>> {
    let mut all = Vec::new();
    for choice in 0..3 {
        let mut with = arguments.to_vec();
        for need in &alternative.needs {
            let members = members(&need.requirement, seed);
            if members.is_empty() {
                return Vec::new();
            }
            with[index(need)] = members[choice % members.len()].clone();
        }
        all.push(with);
    }
    all
}

/// A conversion followed by a bar: what `b` prints, and nothing else, satisfies the requirement.
fn exact(conversion: &str, b: &Argument, others: &[Argument], seed: u64) -> Result<(), TestCaseError> {
    let format = format!("{conversion}|");
    let shown = |text: &[u8]| text.escape_ascii().to_string();
    let text = print(format.as_bytes(), std::slice::from_ref(b));
    // Against an argument that prints something else, so that there is a requirement to see.
    let differs = |other: &&Argument| print(format.as_bytes(), std::slice::from_ref(*other)) != text;
    let Some(a) = others.iter().find(differs) else { return Ok(()) };
    let found = match_format(format.as_bytes(), std::slice::from_ref(a), &text);
    let Match::Requires { alternatives, .. } = found else {
        return Err(TestCaseError::fail(format!("{format} {a:?} {b:?} {}: {found:?}", shown(&text))));
    };
    let [need] = &alternatives[0].needs[..] else { return Err(TestCaseError::fail(format!("{alternatives:?}"))) };
    prop_assert_eq!(alternatives[0].consumed, text.len(), "{} {:?}", format, need);
    prop_assert!(need.requirement.holds(b), "{} {:?} {}: {:?}", format, b, shown(&text), need);
    let near = members(&need.requirement, seed).into_iter().chain(neighbours(&need.requirement));
    for other in others.iter().cloned().chain(near) {
        let same = print(format.as_bytes(), std::slice::from_ref(&other)) == text;
        prop_assert_eq!(need.requirement.holds(&other), same, "{} {:?} {}: {:?}", format, other, shown(&text), need);
    }
    Ok(())
}

fn values(format: &str) -> impl Strategy<Value = (String, Argument, Vec<Argument>)> + use<> {
    let parsed = Format::parse(format.as_bytes()).unwrap();
    let one = || support::arguments(&parsed).prop_map(|mut arguments| arguments.remove(0));
    // The bar must not be in a string: where it ends would be open.
    let unbarred = |argument: &Argument| !matches!(argument, Argument::Bytes(bytes) if bytes.contains(&b'|'));
    (Just(format.to_owned()), one().prop_filter("a bar", unbarred), proptest::collection::vec(one(), 2..6))
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn an_integer_is_required_exactly((format, b, others) in support::conversion(INTEGERS, false).prop_flat_map(|f| values(&f)), seed: u64) {
        exact(&format, &b, &others, seed)?;
    }

    #[test]
    fn a_string_character_or_pointer_is_required_exactly((format, b, others) in support::conversion(OTHERS, false).prop_flat_map(|f| values(&f)), seed: u64) {
        exact(&format, &b, &others, seed)?;
    }

    #[test]
    fn a_double_is_required_exactly((format, b, others) in support::conversion(FLOATS, false).prop_flat_map(|f| values(&f)), seed: u64) {
        exact(&format, &b, &others, seed)?;
    }
}

proptest! {
    // The widest exponents print thousands of digits.
    #![proptest_config(cases(60))]

    #[test]
    fn a_long_double_is_required_exactly((format, b, others) in support::conversion(LONG_FLOATS, false).prop_flat_map(|f| values(&f)), seed: u64) {
        exact(&format, &b, &others, seed)?;
    }
}

/// A format, the arguments of the run, those that print the expected text (of equal widths), and what follows it.
fn runs() -> impl Strategy<Value = (String, Vec<Argument>, Vec<Argument>, String)> {
    let arguments = |format: String| {
        let parsed = Format::parse(format.as_bytes()).unwrap();
        let counts = support::counts(&parsed);
        let both = (support::arguments(&parsed), support::arguments(&parsed));
        let length = parsed.wants.len();
        (both, proptest::collection::vec(proptest::bool::weighted(0.4), length)).prop_map(move |((a, mut b), kept)| {
            for index in 0..length {
                if counts.contains(&index) || kept[index] {
                    b[index] = a[index].clone();
                }
            }
            (format.clone(), a, b)
        })
    };
    let after = prop_oneof![Just(String::new()), Just("\n".into()), "[0-9a-z \n]{0,6}"];
    (support::format().prop_flat_map(arguments), after).prop_map(|((format, a, b), after)| (format, a, b, after))
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn what_is_required_prints_the_text_and_what_prints_it_is_allowed((format, a, b, after) in runs(), seed: u64) {
        let format = format.as_bytes();
        let mut text = print(format, &b);
        let length = text.len();
        text.extend_from_slice(after.as_bytes());
        let context = format!("{} {a:?} {b:?} {}", format.escape_ascii(), text.escape_ascii());
        match match_format(format, &a, &text) {
            Match::Equal { consumed } => {
                let printed = print(format, &a);
                prop_assert_eq!(printed.len(), consumed, "{}", context);
                prop_assert!(text.starts_with(&printed), "{}", context);
            }
            Match::Requires { alternatives, complete } => {
                prop_assert!(!text.starts_with(&print(format, &a)), "{}", context);
                for alternative in &alternatives {
                    prop_assert!(!alternative.needs.is_empty(), "{}", context);
                    prop_assert!(alternative.stay.iter().all(|need| need.holds(&a)), "{}: {:?}", context, alternative);
                    prop_assert!(alternative.needs.iter().all(|need| !need.holds(&a)), "{}: {:?}", context, alternative);
                    for with in repaired(alternative, &a, seed) {
                        let printed = print(format, &with);
                        let wanted = &text[..alternative.consumed];
                        prop_assert_eq!(&printed, wanted, "{} by {:?}: {:?}", context, with, alternative);
                    }
                }
                // The alternatives are those with the fewest changes; `b` is one of them unless it changes more.
                let changes = alternatives[0].needs.len();
                let changed = (0..a.len()).filter(|index| a[*index] != b[*index]).count();
                let allowed = |alternative: &Alternative| alternative.all().all(|need| need.holds(&b));
                if complete && changed <= changes {
                    prop_assert!(alternatives.iter().any(allowed), "{}: {:?}", context, alternatives);
                    prop_assert!(alternatives.iter().any(|found| allowed(found) && found.consumed == length), "{}", context);
                }
            }
            other => prop_assert!(false, "{}: {:?}", context, other),
        }
    }

    #[test]
    fn where_text_of_the_format_differs_nothing_helps((format, a, b, _after) in runs(), literal in "[!;=]{1,2}") {
        let printed = print(format!("{format}{literal}").as_bytes(), &b);
        // The expected text ends before the literal does.
        let text = &printed[..printed.len() - 1];
        if let Match::Impossible { at } = match_format(format!("{format}{literal}").as_bytes(), &a, text) {
            prop_assert!(at <= text.len());
        } else {
            // Only a string or a character can hold the literal.
            prop_assert!(format.contains(['s', 'c']), "{format} {literal} {}", text.escape_ascii());
        }
    }
}
