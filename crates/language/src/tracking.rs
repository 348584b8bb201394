//! Where the lines of a text are in a later one.

use imara_diff::{Algorithm, Diff, InternedInput};

/// The lines of a text in a later one, for those that are still there.
pub struct Lines(Vec<Option<u32>>);

impl Lines {
    /// From one text to another.
    pub fn between(before: &str, after: &str) -> Self {
        let count = before.split('\n').count();
        if before == after {
            return Self((0..count as u32).map(Some).collect());
        }
        let input = InternedInput::new(before, after);
        let mut diff = Diff::compute(Algorithm::Histogram, &input);
        diff.postprocess_lines(&input);
        let mut to = vec![None; count];
        let (mut old, mut new) = (0u32, 0u32);
        for hunk in diff.hunks() {
            while old < hunk.before.start {
                to[old as usize] = Some(new);
                (old, new) = (old + 1, new + 1);
            }
            (old, new) = (hunk.before.end, hunk.after.end);
        }
        for line in to.iter_mut().skip(old as usize) {
            *line = Some(new);
            new += 1;
        }
        Self(to)
    }

    /// Where a line is, both from 0; `None` where it is gone or was changed.
    pub fn to(&self, line: u32) -> Option<u32> {
        self.0.get(line as usize).copied().flatten()
    }

    /// Which line it was that is at `line` now, both from 0.
    pub fn from(&self, line: u32) -> Option<u32> {
        self.0.iter().position(|to| *to == Some(line)).and_then(|index| u32::try_from(index).ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_move_with_what_is_typed_before_them() {
        let lines = Lines::between("a\nb\nc\nd", "a\nx\ny\nb\nd");
        assert_eq!([0, 1, 2, 3, 4].map(|line| lines.to(line)), [Some(0), Some(3), None, Some(4), None]);
        assert_eq!([0, 1, 3, 4].map(|line| lines.from(line)), [Some(0), None, Some(1), Some(3)]);
    }

    proptest! {
        #[test]
        fn a_line_is_only_where_the_same_text_stands(before in "[ab\n]{0,30}", after in "[ab\n]{0,30}") {
            let lines = Lines::between(&before, &after);
            let (old, new): (Vec<&str>, Vec<&str>) = (before.split('\n').collect(), after.split('\n').collect());
            let mut last = None;
            for (line, text) in old.iter().enumerate() {
                let Some(to) = lines.to(line as u32) else { continue };
                // Behind the last newline nothing stands.
                if !text.is_empty() {
                    prop_assert_eq!(new.get(to as usize), Some(text));
                }
                prop_assert!(last.is_none_or(|last| last < to));
                last = Some(to);
            }
        }
    }
}
