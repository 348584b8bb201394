//! New cases in which something stands twice: a word or a number in the place of another one of the same input.

use std::collections::HashSet;

use whydunit_suite::Case;

use crate::input::{Input, Keep, Part};
use crate::tokens::{Kind, tokens};

/// Tokens of an input that are looked at.
const MOST_TOKENS: usize = 60;

/// Up to `most` new cases: each is one of these with a word or number put into the place of another one, those that stand close to each
/// other first, and each case in turn. What they should print and how they should end is not known. Cases whose files cannot be
/// read are left out.
pub fn repeats(cases: &[Case], most: usize) -> Vec<Case> {
    let mut lists: Vec<(&Case, std::vec::IntoIter<Input>)> =
        cases.iter().filter_map(|case| Some((case, of(&Input::of(case).ok()?).into_iter()))).collect();
    let mut known: HashSet<[u8; 32]> = cases.iter().filter_map(|case| Some(Input::of(case).ok()?.digest())).collect();
    let mut found = Vec::new();
    while found.len() < most && !lists.is_empty() {
        lists.retain_mut(|(case, list)| {
            let next = list.find(|input| known.insert(input.digest()));
            if let Some(input) = next.filter(|_| found.len() < most) {
                let name = format!("r{:04}", found.len() + 1);
                found.push(Case { name, stdout: None, status: None, signal: None, ..input.case(case) });
                return true;
            }
            false
        });
    }
    found
}

/// Those of an input.
fn of(input: &Input) -> Vec<Input> {
    let parts = input.parts(&Keep::default());
    let words = parts.iter().flat_map(|part| {
        let text = input.text(part);
        let is_one = |kind: Kind| matches!(kind, Kind::Word | Kind::Number);
        tokens(text).filter(move |token| is_one(token.kind)).map(move |token| (part, token.range))
    });
    let words: Vec<(&Part, std::ops::Range<usize>)> = words.take(MOST_TOKENS).collect();
    let text = |at: usize| &input.text(words[at].0)[words[at].1.clone()];
    let mut pairs: Vec<(usize, usize)> = (0..words.len())
        .flat_map(|at| (0..words.len()).map(move |other| (at, other)))
        .filter(|&(at, other)| text(at) != text(other))
        .collect();
    pairs.sort_by_key(|(at, other)| at.abs_diff(*other));
    let put = |(at, other): (usize, usize)| {
        let (part, range) = &words[at];
        let mut whole = input.text(part).to_vec();
        whole.splice(range.clone(), text(other).iter().copied());
        input.with(part, whole)
    };
    pairs.into_iter().map(put).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use whydunit_suite::Content;

    fn case(args: &[&str], stdin: &str) -> Case {
        let args = args.iter().map(ToString::to_string).collect();
        Case {
            args,
            stdin: Some(Content::Inline(stdin.into())),
            stdout: Some(Content::Inline(vec![])),
            ..Case::default()
        }
    }

    #[test]
    fn a_word_stands_in_the_place_of_another() {
        let cases = [case(&["7"], "open a; move a bc\n"), case(&[], "1 inf 2\n")];
        let found = repeats(&cases, 1000);
        let inputs: Vec<Input> = found.iter().filter_map(|case| Input::of(case).ok()).collect();
        let has = |stdin: &str| inputs.iter().any(|input| input.stdin.as_deref() == Some(stdin.as_bytes()));
        assert!(has("open a; move bc bc\n") && has("1 inf inf\n") && has("7 a; move a bc\n") && has("2 inf 2\n"));
        let digests: HashSet<[u8; 32]> = inputs.iter().map(Input::digest).collect();
        assert_eq!(digests.len(), inputs.len());
        assert!(found.iter().all(|case| case.stdout.is_none()));
        // Each case has its turn.
        let few = repeats(&cases, 4);
        assert_eq!(few.len(), 4);
        assert_eq!(few.iter().filter(|case| case.args.is_empty()).count(), 2);
    }
}
