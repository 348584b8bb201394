//! The commits of a history, read as the objects that they are.

use crate::{Error, Repository, Revision};

/// A commit with what it says.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Commit {
    /// Its object's name.
    pub id: String,
    /// Those of its parents.
    pub parents: Vec<String>,
    /// Name and address of its author.
    pub author: String,
    /// When it was written, in seconds since 1970.
    pub time: i64,
    /// The whole message: in UTF-8, or in Latin-1 where the commit says so; what is neither is replaced.
    pub message: String,
}

impl Commit {
    /// The first line of the message.
    pub fn subject(&self) -> &str {
        self.message.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim()
    }

    /// The commit as a revision.
    pub fn revision(&self) -> Revision {
        Revision { name: self.id.clone(), commit: self.id.clone() }
    }

    /// Its first parent as a revision; `None` of a commit without any.
    pub fn parent(&self) -> Option<Revision> {
        self.parents.first().map(|id| Revision { name: id.clone(), commit: id.clone() })
    }
}

impl Repository {
    /// The commits that lead to `newest`, without those that lead to `since`; parents stand before their children.
    pub fn log(&self, newest: &Revision, since: Option<&Revision>) -> Result<Vec<Commit>, Error> {
        let mut args = vec!["rev-list".to_owned(), "--reverse".into(), "--topo-order".into(), newest.commit.clone()];
        args.extend(since.map(|since| format!("^{}", since.commit)));
        let list = self.git(&args.iter().map(String::as_str).collect::<Vec<_>>())?;
        let list = String::from_utf8_lossy(&list);
        let ids: Vec<&str> = list.lines().collect();
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let objects = self.contents(ids.iter().copied(), &newest.name)?;
        Ok(ids.iter().filter_map(|id| objects.get(*id).map(|object| parse(id, object))).collect())
    }

    /// Whether commits before some are not there.
    pub fn is_shallow(&self) -> Result<bool, Error> {
        Ok(self.git(&["rev-parse", "--is-shallow-repository"])?.starts_with(b"true"))
    }

    /// Whether it has no work tree.
    pub fn is_bare(&self) -> Result<bool, Error> {
        Ok(self.git(&["rev-parse", "--is-inside-work-tree"])?.starts_with(b"false"))
    }

    /// Whether an object is there.
    pub fn has(&self, revision: &Revision) -> bool {
        self.git(&["cat-file", "-e", &revision.commit]).is_ok()
    }
}

/// A commit out of its object: lines of a head, an empty line, the message.
fn parse(id: &str, object: &[u8]) -> Commit {
    let end = object.windows(2).position(|pair| pair == b"\n\n").unwrap_or(object.len());
    let is_latin = is_latin(&object[..end]);
    let text = |bytes: &[u8]| match is_latin {
        true => bytes.iter().map(|&byte| char::from(byte)).collect(),
        false => String::from_utf8_lossy(bytes).into_owned(),
    };
    let head = text(&object[..end]);
    let message = text(object.get(end + 2..).unwrap_or_default());
    let mut commit = Commit { id: id.to_owned(), message, ..Commit::default() };
    for line in head.lines() {
        match line.split_once(' ') {
            Some(("parent", parent)) => commit.parents.push(parent.to_owned()),
            Some(("author", author)) => {
                // `Name <address> seconds zone`
                let (who, when) = author.rsplit_once('>').unwrap_or((author, ""));
                commit.author = format!("{who}>");
                commit.time = when.split_whitespace().next().and_then(|time| time.parse().ok()).unwrap_or(0);
            }
            _ => {}
        }
    }
    commit
}

/// Whether a commit says that it is written in Latin-1, or in what differs from it in signs only that hardly occur.
fn is_latin(head: &[u8]) -> bool {
    let names = ["iso-8859-1", "iso8859-1", "latin1", "latin-1", "iso-8859-15", "windows-1252", "cp1252"];
    let encoding = head.split(|&byte| byte == b'\n').find_map(|line| line.strip_prefix(b"encoding "));
    encoding.is_some_and(|name| names.iter().any(|known| name.trim_ascii().eq_ignore_ascii_case(known.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_commit_is_read_out_of_its_object() {
        let object = b"tree 1\nparent 2\nparent 3\nauthor A B <a@b> 1700000000 +0100\ncommitter C <c> 1 +0000\nencoding latin1\n\n\nFix \xe4\n\nbody\n";
        let commit = parse("9", object);
        assert_eq!((commit.parents.len(), commit.time, &*commit.author), (2, 1_700_000_000, "A B <a@b>"));
        assert_eq!(commit.subject(), "Fix ä");
        let commit = parse("9", b"author \xe4 <a> 1 +0000\n\nFix \xe4\n");
        assert_eq!((commit.subject(), &*commit.author), ("Fix \u{fffd}", "\u{fffd} <a>"));
        assert_eq!(parse("9", b"tree 1").subject(), "");
    }
}
