//! Changes that must be reverted with others so that the rest can be built (AFTER, section IV): those that the compiler's
//! messages name are tried first.

use std::collections::BTreeSet;

use whydunit_changes::Changes;

use super::touching::is_common;

/// So many names of one message count.
const NAMES: usize = 24;

/// The changes besides `set` that messages speak of: they stand at a line that is named, or have a name that is quoted.
pub fn named(changes: &Changes, set: &[usize], said: &str) -> Vec<usize> {
    let quoted: BTreeSet<&str> = quoted(said).into_iter().take(NAMES).collect();
    let files = files(said);
    let mut out = Vec::new();
    for number in (0..changes.list.len()).filter(|number| set.binary_search(number).is_err()) {
        let Some((old, new)) = changes.texts(number) else {
            // Of a file that came or went what it declares counts, too.
            let change = &changes.list[number];
            let whole = changes.new.files.get(&change.file).or(changes.old.files.get(&change.file));
            let text = whole.map(|file| String::from_utf8_lossy(&file.bytes)).unwrap_or_default();
            let name = change.file.rsplit('/').next().unwrap_or_default();
            if said.contains(name) || text.lines().flat_map(super::words).any(|word| quoted.contains(word)) {
                out.push(number);
            }
            continue;
        };
        let has = |line: &&[u8]| {
            let line = String::from_utf8_lossy(line);
            super::words(&line).any(|word| quoted.contains(word)) || files.iter().any(|file| line.contains(file))
        };
        if old.iter().any(has) || new.iter().any(has) {
            out.push(number);
        }
    }
    out
}

/// Words in the quotes that compilers and linkers use, but for those that every source has.
fn quoted(said: &str) -> BTreeSet<&str> {
    let words = pieces(said).flat_map(super::words);
    words.filter(|word| word.len() > 1 && !is_common(word)).collect()
}

/// Names of files in these quotes.
fn files(said: &str) -> BTreeSet<&str> {
    pieces(said).filter(|piece| piece.contains('.') && !piece.contains(' ')).collect()
}

fn pieces(said: &str) -> impl Iterator<Item = &str> {
    let telling = ["error", "undefined", "multiple", "No rule"];
    let lines = said.lines().filter(move |line| telling.iter().any(|word| line.contains(word)));
    lines.flat_map(|line| line.split(['‘', '’', '\'', '`', '"']).skip(1).step_by(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_quotes_are_found() {
        let said =
            "a.c:3:5: error: ‘limit’ undeclared (first use)\nld: a.o: undefined reference to `grow'\nnote: 'x'\n";
        assert_eq!(quoted(said).into_iter().collect::<Vec<_>>(), ["grow", "limit"]);
        let said =
            "a.c:3:5: error: redefinition of ‘struct line’\nmake: *** No rule to make target 'b.h', needed by 'a.o'.\n";
        assert!(quoted(said).contains("line") && !quoted(said).contains("struct"));
        assert!(files(said).contains("b.h"));
    }
}
