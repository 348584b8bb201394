//! New cases: those of a suite with some random changes.

use std::collections::HashSet;

use whydunit_suite::Case;

use crate::input::Input;
use crate::random::Random;
use crate::stock::Stock;
use crate::{arguments, lines, values};

/// So many changes at most make a new input of one.
const MOST_CHANGES: usize = 4;
/// Of an input that has nothing of some kind another kind of change is drawn, so often at most.
const DRAWS: usize = 20;
/// When so many in a row are known already, there is nothing new.
const MOST_MISSES: usize = 1000;

/// A change of an input; none where there is nothing to change.
type Change = fn(&Input, &Stock, &mut Random) -> Option<Input>;

/// The changes, and how often they are drawn.
const CHANGES: &[(Change, usize)] = &[
    (values::number, 5),
    (values::word, 3),
    (values::character, 2),
    (lines::line, 4),
    (arguments::argument, 2),
    (lines::joined, 1),
];

/// Up to `number` new cases, fewer where the suite has too little: each is one of these with one to four random changes, and
/// none has the input of another one or of one of these. What they should print and how they should end is not known. Cases
/// whose files cannot be read are left out.
pub fn vary(cases: &[Case], number: usize, seed: u64) -> Vec<Case> {
    let bases: Vec<(&Case, Input)> =
        cases.iter().filter_map(|case| Input::of(case).ok().map(|input| (case, input))).collect();
    let inputs: Vec<Input> = bases.iter().map(|(_, input)| input.clone()).collect();
    let stock = Stock::of(&inputs);
    let mut known: HashSet<[u8; 32]> = inputs.iter().map(identity).collect();
    let mut random = Random::new(seed, "inputs");
    let (mut found, mut misses) = (Vec::new(), 0);
    while found.len() < number && misses < MOST_MISSES {
        let Some((case, input)) = random.pick(&bases) else { break };
        // Mostly few: what is far from every case of the suite is often just wrong input.
        let changes = 1 + random.below(MOST_CHANGES).min(random.below(MOST_CHANGES));
        let input = (0..changes).fold(input.clone(), |input, _| change(&input, &stock, &mut random).unwrap_or(input));
        if !known.insert(identity(&input)) {
            misses += 1;
            continue;
        }
        misses = 0;
        let name = format!("v{:04}", found.len() + 1);
        found.push(Case { name, stdout: None, status: None, signal: None, ..input.case(case) });
    }
    found
}

fn change(input: &Input, stock: &Stock, random: &mut Random) -> Option<Input> {
    (0..DRAWS).find_map(|_| drawn(random)(input, stock, random))
}

/// One of the changes.
fn drawn(random: &mut Random) -> Change {
    let mut rest = random.below(CHANGES.iter().map(|(_, weight)| weight).sum());
    for (change, weight) in CHANGES {
        match rest.checked_sub(*weight) {
            Some(less) => rest = less,
            None => return *change,
        }
    }
    CHANGES[0].0
}

/// What two inputs share that a program cannot tell apart: an empty standard input is none.
fn identity(input: &Input) -> [u8; 32] {
    let stdin = input.stdin.clone().filter(|text| !text.is_empty());
    Input { stdin, ..input.clone() }.digest()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use whydunit_suite::Content;

    fn suite() -> Vec<Case> {
        let inline = |text: &str| Some(Content::Inline(text.as_bytes().to_vec()));
        let case = |name: &str, args: &[&str], stdin: Option<Content>| Case {
            name: name.into(),
            args: args.iter().map(ToString::to_string).collect(),
            stdin,
            stdout: inline("x\n"),
            status: Some(0),
            ..Case::default()
        };
        let mut third = case("t3", &["-f", "größe"], None);
        third.files = [("größe".to_string(), Content::Inline(b"width 3.5\nheight -20\n".to_vec()))].into();
        third.env = [("MODE".to_string(), "fast".to_string())].into();
        vec![case("t1", &["7", "ab"], inline("open a 12\nclose a\n")), case("t2", &[], inline("")), third]
    }

    fn inputs(cases: &[Case]) -> Vec<Input> {
        cases.iter().map(|case| Input::of(case).expect("it is inline")).collect()
    }

    proptest! {
        #[test]
        fn new_cases_differ_from_each_other_and_from_the_suite(seed: u64) {
            let (old, new) = (suite(), vary(&suite(), 150, seed));
            prop_assert_eq!(new.len(), 150);
            let mut seen: HashSet<[u8; 32]> = inputs(&old).iter().map(identity).collect();
            prop_assert!(inputs(&new).iter().all(|input| seen.insert(identity(input))));
            for (number, case) in new.iter().enumerate() {
                prop_assert_eq!(&case.name, &format!("v{:04}", number + 1));
                prop_assert!(case.stdout.is_none() && case.status.is_none() && case.signal.is_none());
                // What one case has in its environment goes with its files.
                prop_assert_eq!(case.env.is_empty(), case.files.is_empty());
                prop_assert!(case.args.iter().all(|arg| !arg.contains('\0')));
            }
            for input in inputs(&new) {
                let texts = input.files.values().chain(&input.stdin);
                prop_assert!(texts.into_iter().all(|text| std::str::from_utf8(text).is_ok()));
            }
        }

        #[test]
        fn a_seed_gives_the_same_and_more_begin_with_fewer(seed: u64, fewer in 0_usize..60) {
            let all = vary(&suite(), 60, seed);
            prop_assert_eq!(&all[..fewer], vary(&suite(), fewer, seed));
            prop_assert_ne!(all, vary(&suite(), 60, seed.wrapping_add(1)));
        }
    }

    #[test]
    fn a_suite_with_too_little_gives_what_there_is() {
        assert_eq!(vary(&[], 5, 1), []);
        let empty = Case { name: "t".into(), ..Case::default() };
        assert_eq!(vary(std::slice::from_ref(&empty), 5, 1), []);
        // Of an `a` there can only be none or more of them, by four changes at most.
        let one = Case { args: vec!["a".into()], ..empty };
        let found = vary(std::slice::from_ref(&one), 1000, 1);
        assert!((5..1000).contains(&found.len()), "{}", found.len());
        assert!(found.iter().all(|case| case.args.iter().all(|arg| arg.chars().all(|character| character == 'a'))));
    }
}
