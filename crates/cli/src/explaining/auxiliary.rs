//! Changes that must be reverted with others so that the rest can be built (AFTER, section IV): those that the compiler's
//! messages name are tried first.

use std::collections::BTreeSet;
use std::path::Path;

use whydunit_changes::Changes;

use super::touching::is_common;

/// So many messages count.
const MESSAGES: usize = 24;

/// The changes besides `set` that messages speak of: files that came or went and are named, and what has a name that is quoted. Of the latter those in the file that
/// a message is about go before all others.
pub fn named(changes: &Changes, set: &[usize], said: &str) -> Vec<usize> {
    let others: Vec<usize> = (0..changes.list.len()).filter(|number| set.binary_search(number).is_err()).collect();
    let whole = |number: &&usize| {
        let name = changes.list[**number].file.rsplit('/').next().unwrap_or_default();
        changes.texts(**number).is_none() && said.contains(name)
    };
    let mut out: BTreeSet<usize> = others.iter().filter(whole).copied().collect();
    for message in messages(said).into_iter().take(MESSAGES) {
        let found = others.iter().copied().filter(|&number| message.speaks_of(changes, number));
        let (near, far): (Vec<usize>, Vec<usize>) =
            found.partition(|&number| message.is_about(&changes.list[number].file));
        out.extend(if near.is_empty() { far } else { near });
    }
    out.into_iter().collect()
}

/// What a message of a compiler or linker tells.
#[derive(PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Message<'a> {
    /// The file that it is about; none of a linker's, which miss what other files have.
    file: Option<&'a str>,
    /// Words in its quotes, but for those that every source has.
    names: BTreeSet<&'a str>,
    /// Names of files in its quotes.
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

    fn is_about(&self, path: &str) -> bool {
        self.file.is_some_and(|file| Path::new(path).ends_with(file) || Path::new(file).ends_with(path))
    }
}

/// The messages that tell something, each once.
fn messages(said: &str) -> BTreeSet<Message<'_>> {
    let telling = ["error", "undefined", "multiple", "No rule"];
    let lines: Vec<&str> = said.lines().collect();
    let told = lines.iter().enumerate().filter(|(_, line)| telling.iter().any(|word| line.contains(word)));
    let messages = told.map(|(at, line)| {
        let pieces = line.split(['‘', '’', '\'', '`', '"']).skip(1).step_by(2);
        let names = pieces.clone().flat_map(super::words).filter(|word| word.len() > 1 && !is_common(word));
        Message {
            file: file_of(line, lines.get(at + 1).copied()),
            names: names.collect(),
            files: pieces.filter(|piece| piece.contains('.') && !piece.contains(' ')).collect(),
        }
    });
    messages.filter(|message| !message.names.is_empty() || !message.files.is_empty()).collect()
}

/// The file that a message is about: C's compilers say it before the message, Rust's in the line behind it.
fn file_of<'a>(line: &'a str, next: Option<&'a str>) -> Option<&'a str> {
    let place = match next.and_then(|next| next.trim_start().strip_prefix("--> ")) {
        Some(place) => place,
        None => line.split_once(" error: ").or(line.split_once(" fatal error: "))?.0,
    };
    place.split(':').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The files and names of what a build says.
    fn told(said: &str) -> Vec<(Option<&str>, Vec<&str>)> {
        messages(said).into_iter().map(|message| (message.file, message.names.into_iter().collect())).collect()
    }

    #[test]
    fn words_in_quotes_are_found() {
        let said =
            "a.c:3:5: error: ‘limit’ undeclared (first use)\nld: a.o: undefined reference to `grow'\nnote: 'x'\n";
        assert_eq!(told(said), [(None, vec!["grow"]), (Some("a.c"), vec!["limit"])]);
        let said =
            "a.c:3:5: error: redefinition of ‘struct line’\nmake: *** No rule to make target 'b.h', needed by 'a.o'.\n";
        assert!(told(said).contains(&(Some("a.c"), vec!["line"])));
        assert!(messages(said).iter().any(|message| message.files.contains("b.h")));
        let said = "error[E0425]: cannot find value `width` in this scope\n   --> src/core.rs:12:5\n";
        assert_eq!(told(said), [(Some("src/core.rs"), vec!["width"])]);
    }

    #[test]
    fn a_file_is_told_by_the_end_of_its_path() {
        let said = "lib/a.c:3:5: error: ‘limit’ undeclared\n";
        let messages = messages(said);
        let message = messages.first().expect("a message");
        assert!(message.is_about("lib/a.c") && message.is_about("src/lib/a.c") && message.is_about("a.c"));
        assert!(!message.is_about("lib/ba.c") && !message.is_about("lib/b.c"));
    }
}
