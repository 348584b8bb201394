//! What processes wrote down of themselves: the log of the runtime's `opened.c`.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The process, its parent, and so on up to the first one of the system that can be seen.
pub(crate) fn ancestors(pid: u32) -> Vec<u32> {
    let parent = |pid: &u32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // Behind the name, which may hold anything: the state, then the parent.
        let parent = stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()?;
        (parent > 0).then_some(parent)
    };
    std::iter::successors(Some(pid), parent).collect()
}

/// A program that a process executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Started {
    pub at: u64,
    pub parent: u32,
    pub args: Vec<Vec<u8>>,
}

/// A file that a process opened to read, or to write to without emptying it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Read {
    pub pid: u32,
    pub at: u64,
    pub path: PathBuf,
    /// What stood there; `None` where it was not kept.
    pub content: Option<PathBuf>,
    /// A process that was observed had made it before.
    pub made: bool,
}

/// The log of some processes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Log {
    /// By process: what it executed, in the order of time.
    pub started: HashMap<u32, Vec<Started>>,
    /// By process: when it ended, and its status.
    pub ended: HashMap<u32, Vec<(u64, i32)>>,
    pub reads: Vec<Read>,
    pub made: Vec<PathBuf>,
}

impl Log {
    /// Reads it; what a process that was killed had not written to its end is left out. Empty where there is none.
    pub(crate) fn read(path: &Path) -> Self {
        Self::parse(&fs::read(path).unwrap_or_default())
    }

    fn parse(bytes: &[u8]) -> Self {
        let mut log = Self::default();
        let mut fields = bytes.split(|byte| *byte == 0);
        while log.record(&mut fields).is_some() {}
        log
    }

    fn record<'a>(&mut self, fields: &mut impl Iterator<Item = &'a [u8]>) -> Option<()> {
        fn number<T: std::str::FromStr>(field: &[u8]) -> Option<T> {
            std::str::from_utf8(field).ok()?.parse().ok()
        }
        let path = |field: &[u8]| PathBuf::from(OsStr::from_bytes(field));
        let kind = fields.next()?;
        let pid: u32 = number(fields.next()?)?;
        let at: u64 = number(fields.next()?)?;
        match kind {
            b"S" => {
                let parent = number(fields.next()?)?;
                let count: usize = number(fields.next()?)?;
                let args: Vec<Vec<u8>> = fields.take(count).map(<[u8]>::to_vec).collect();
                self.started.entry(pid).or_default().push(Started { at, parent, args });
            }
            b"R" => {
                let (path, copy) = (normal(&path(fields.next()?)), fields.next()?);
                let content = (!copy.is_empty()).then(|| PathBuf::from(OsStr::from_bytes(copy)));
                let made = self.made.contains(&path);
                self.reads.push(Read { pid, at, path, content, made });
            }
            b"W" => self.made.push(normal(&path(fields.next()?))),
            b"X" => self.ended.entry(pid).or_default().push((at, number(fields.next()?)?)),
            _ => return None,
        }
        Some(())
    }

    /// How the process that ran at a time ended; `None` where it did not end by itself.
    pub(crate) fn status(&self, pid: u32, at: u64) -> Option<i32> {
        self.first_end(pid, at).map(|(_, status)| status)
    }

    /// When the process that ran at a time ended; the end of all times where it did not end by itself.
    pub(crate) fn end(&self, pid: u32, at: u64) -> u64 {
        self.first_end(pid, at).map_or(u64::MAX, |(end, _)| end)
    }

    fn first_end(&self, pid: u32, at: u64) -> Option<(u64, i32)> {
        // A later one is of another process that has got the number.
        self.ended.get(&pid)?.iter().find(|(end, _)| *end > at).copied()
    }

    /// What a process was executing at a time; `None` where it did not say.
    pub(crate) fn executing(&self, pid: u32, at: u64) -> Option<&Started> {
        self.started.get(&pid)?.iter().rfind(|started| started.at <= at)
    }
}

/// A path without `.` and `..`, as it is written.
pub(crate) fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => {
                out.pop();
            }
            std::path::Component::CurDir => {}
            part => out.push(part),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_and_one_that_is_cut_is_left_out() {
        let text = "S\x007\x0010\x001\x002\0sh\0t.sh\0W\x007\x0011\0/a/out\0R\x008\x0012\0/a/./b/../in\0/l.8.12\0\
                    R\x008\x0013\0/a/out\0\0X\x007\x0014\x003\0R\x008\x0015\0/cut";
        let log = Log::parse(text.as_bytes());
        assert_eq!(log.started[&7], [Started { at: 10, parent: 1, args: vec![b"sh".to_vec(), b"t.sh".to_vec()] }]);
        assert_eq!(log.reads.len(), 2);
        assert_eq!((log.reads[0].path.to_str(), log.reads[0].made), (Some("/a/in"), false));
        assert_eq!((log.reads[1].content.as_ref(), log.reads[1].made), (None, true));
        assert_eq!((log.status(7, 12), log.status(7, 14), log.status(8, 1)), (Some(3), None, None));
        assert!(log.executing(7, 9).is_none() && log.executing(7, 10).is_some());
    }

    #[test]
    fn this_process_has_a_parent() {
        let own = std::process::id();
        let all = ancestors(own);
        assert!(all.len() > 1 && all[0] == own, "{all:?}");
    }
}
