//! Changes that must be reverted with others so that the rest can be built (AFTER, section IV): those that the compiler's
//! messages name are tried first.

use std::collections::BTreeSet;

use whydunit_changes::Changes;

use super::touching::is_common;

/// So many messages count.
const MESSAGES: usize = 24;

/// The changes besides `set` that messages speak of: files that came or went and are named, and what has a name that is quoted. Of those with the names of one
/// message the ones that are `near` go before all others.
pub fn named(changes: &Changes, set: &[usize], said: &str, near: impl Fn(usize) -> bool) -> Vec<usize> {
    let others: Vec<usize> = (0..changes.list.len()).filter(|number| set.binary_search(number).is_err()).collect();
    let whole = |number: &&usize| {
        let name = changes.list[**number].file.rsplit('/').next().unwrap_or_default();
        changes.texts(**number).is_none() && said.contains(name)
    };
    let mut out: BTreeSet<usize> = others.iter().filter(whole).copied().collect();
    for message in messages(said).into_iter().take(MESSAGES) {
        let found = others.iter().copied().filter(|&number| message.speaks_of(changes, number));
        let (close, far): (Vec<usize>, Vec<usize>) = found.partition(|&number| near(number));
        out.extend(if close.is_empty() { far } else { close });
    }
    out.into_iter().collect()
}

/// What is in the quotes of a message of a compiler or linker.
#[derive(PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Message<'a> {
    /// Words, but for those that every source has.
    names: BTreeSet<&'a str>,
    /// Names of files.
    files: BTreeSet<&'a str>,
}

impl Message<'_> {
    /// Whether a change has one of its names.
    fn speaks_of(&self, changes: &Changes, number: usize) -> bool {
        let Some((old, new)) = changes.texts(number) else {
            // Of a file that came or went what it declares counts, too.
            let change = &changes.list[number];
            let whole = changes.new.files.get(&change.file).or(changes.old.files.get(&change.file));
            let text = whole.map(|file| String::from_utf8_lossy(&file.bytes)).unwrap_or_default();
            return text.lines().any(|line| self.has_name(line));
        };
        old.into_iter().chain(new).any(|line| {
            let line = String::from_utf8_lossy(line);
            self.has_name(&line) || self.files.iter().any(|file| line.contains(file))
        })
    }

    fn has_name(&self, line: &str) -> bool {
        super::words(line).any(|word| self.names.contains(word))
    }
}

/// The messages that tell something, each once.
fn messages(said: &str) -> BTreeSet<Message<'_>> {
    let telling = ["error", "undefined", "multiple", "No rule"];
    let lines = said.lines().filter(|line| telling.iter().any(|word| line.contains(word)));
    let messages = lines.map(|line| {
        let pieces = line.split(['‘', '’', '\'', '`', '"']).skip(1).step_by(2);
        let names = pieces.clone().flat_map(super::words).filter(|word| word.len() > 1 && !is_common(word));
        let files = pieces.clone().filter(|piece| piece.contains('.') && !piece.contains(' '));
        Message { names: names.collect(), files: files.collect() }
    });
    messages.filter(|message| !message.names.is_empty() || !message.files.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_quotes_are_found() {
        let names = |said: &'static str| -> Vec<Vec<&str>> {
            messages(said).into_iter().map(|message| message.names.into_iter().collect()).collect()
        };
        let said =
            "a.c:3:5: error: ‘limit’ undeclared (first use)\nld: a.o: undefined reference to `grow'\nnote: 'x'\n";
        assert_eq!(names(said), [["grow"], ["limit"]]);
        let said =
            "a.c:3:5: error: redefinition of ‘struct line’\nmake: *** No rule to make target 'b.h', needed by 'a.o'.\n";
        assert!(names(said).contains(&vec!["line"]));
        assert!(messages(said).iter().any(|message| message.files.contains("b.h")));
    }
}
