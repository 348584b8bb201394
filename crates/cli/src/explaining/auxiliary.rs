//! Changes that must be reverted with others so that the rest can be built (AFTER, section IV): those that the compiler's
//! messages name are tried first.

use std::collections::BTreeSet;

use whydunit_changes::Changes;

/// So many names of one message count.
const NAMES: usize = 24;

/// The changes besides `set` that messages speak of: they stand at a line that is named, or have a name that is quoted.
pub fn named(changes: &Changes, set: &[usize], said: &str) -> Vec<usize> {
    let quoted: BTreeSet<&str> = quoted(said).into_iter().take(NAMES).collect();
    let mut out = Vec::new();
    for number in (0..changes.list.len()).filter(|number| set.binary_search(number).is_err()) {
        let Some((old, new)) = changes.texts(number) else {
            if said.contains(changes.list[number].file.rsplit('/').next().unwrap_or_default()) {
                out.push(number);
            }
            continue;
        };
        let has = |line: &&[u8]| {
            let line = String::from_utf8_lossy(line);
            super::words(&line).any(|word| quoted.contains(word))
        };
        if old.iter().any(has) || new.iter().any(has) {
            out.push(number);
        }
    }
    out
}

/// Words in the quotes that compilers and linkers use.
fn quoted(said: &str) -> BTreeSet<&str> {
    let mut out = BTreeSet::new();
    for line in
        said.lines().filter(|line| line.contains("error") || line.contains("undefined") || line.contains("multiple"))
    {
        for piece in line.split(['‘', '’', '\'', '`', '"']).skip(1).step_by(2) {
            let word = super::words(piece).find(|word| word.len() > 1);
            out.extend(word);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_quotes_are_found() {
        let said =
            "a.c:3:5: error: ‘limit’ undeclared (first use)\nld: a.o: undefined reference to `grow'\nnote: 'x'\n";
        assert_eq!(quoted(said).into_iter().collect::<Vec<_>>(), ["grow", "limit"]);
    }
}
