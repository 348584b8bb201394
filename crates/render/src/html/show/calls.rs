//! The calls of a run as a tree that unfolds.

use whydunit_findings::OutlineEntry;

use super::place;
use crate::plain::plain;

/// The tree is no deeper: what is deeper stands at its lowest level.
const DEEPEST: usize = 60;
/// Of a longer outline only the outer levels are unfolded.
const FEW: usize = 80;
/// So many.
const OUTER: usize = 2;

/// A call or an output, in the order of the run. Its element ends with the last of those below it.
pub struct Call {
    /// `call`, `output`, …
    pub kind: String,
    pub text: String,
    pub place: String,
    /// The moment of its first line.
    pub moment: Option<usize>,
    /// The thread that runs from here on, in a run with several.
    pub thread: Option<u32>,
    /// Whether others stand below it.
    pub opens: bool,
    /// Whether these are unfolded at first.
    pub open: bool,
    /// So many levels end behind it.
    pub closes: usize,
}

/// The outline as a tree. What comes when another thread runs stands beside what was before.
pub fn tree(outline: &[OutlineEntry], moments: &[Option<usize>]) -> Vec<Call> {
    let few = outline.len() <= FEW;
    let mut levels: Vec<u32> = Vec::new();
    let mut thread = None;
    let mut calls = Vec::new();
    for (index, entry) in outline.iter().enumerate() {
        let switched = entry.thread.filter(|number| thread.replace(*number) != Some(*number));
        let next = outline.get(index + 1).filter(|next| next.thread.is_none() || next.thread == thread);
        let opens = levels.len() < DEEPEST && next.is_some_and(|next| next.depth > entry.depth);
        let open = few || levels.len() < OUTER;
        if opens {
            levels.push(entry.depth);
        }
        let before = levels.len();
        match next {
            Some(next) => levels.truncate(levels.partition_point(|depth| *depth < next.depth)),
            None => levels.clear(),
        }
        calls.push(Call {
            kind: plain(&entry.kind).into_owned(),
            text: plain(&entry.text).into_owned(),
            place: entry.location.as_ref().map(place).unwrap_or_default(),
            moment: moments.get(index).copied().flatten(),
            thread: switched,
            opens,
            open,
            closes: before - levels.len(),
        });
    }
    calls
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: u32, thread: Option<u32>) -> OutlineEntry {
        OutlineEntry { depth, thread, kind: "call".into(), ..OutlineEntry::default() }
    }

    /// The tree with brackets around what stands below a call.
    fn brackets(entries: &[(u32, Option<u32>)]) -> String {
        let outline: Vec<OutlineEntry> = entries.iter().map(|(depth, thread)| entry(*depth, *thread)).collect();
        let call = |call: &Call| format!("c{}{}", if call.opens { "[" } else { "" }, "]".repeat(call.closes));
        tree(&outline, &[]).iter().map(call).collect()
    }

    #[test]
    fn what_is_deeper_stands_below() {
        let of = |depths: &[u32]| brackets(&depths.iter().map(|depth| (*depth, None)).collect::<Vec<_>>());
        assert_eq!(of(&[0, 1, 2, 1, 0]), "c[c[c]c]c");
        assert_eq!(of(&[0, 1, 1, 2]), "c[cc[c]]");
        // A level can be left out, and an outline can begin inside a call.
        assert_eq!(of(&[3, 5, 4, 0, 1]), "c[cc]c[c]");
    }

    #[test]
    fn another_thread_begins_at_the_outermost_level() {
        assert_eq!(brackets(&[(0, Some(0)), (1, Some(0)), (0, Some(1)), (1, Some(1)), (2, Some(0))]), "c[c]c[c]c");
    }

    #[test]
    fn each_level_ends_however_deep_it_is() {
        let text = brackets(&(0..500).map(|depth| (depth, None)).collect::<Vec<_>>());
        assert_eq!(text.matches('[').count(), DEEPEST);
        assert_eq!(text.matches(']').count(), DEEPEST);
    }
}
