//! What is seen on the way and is held against nobody: one of each kind is kept, and how many there were.

use whydunit_findings::{Did, Remark};
use whydunit_inputs::Input;
use whydunit_suite::skeleton;

/// So many kinds are kept.
const KINDS: usize = 6;

/// Remarks, by what they say.
#[derive(Default)]
pub struct Remarks {
    list: Vec<(String, Input, Remark)>,
}

impl Remarks {
    /// Adds one, shown by an input; the shortest input of a kind is kept.
    pub fn add(&mut self, what: String, input: &Input, case: impl FnOnce() -> String, sides: [Did; 2]) {
        let key = skeleton(&format!("{what} {} {}", sides[0].end, sides[1].end));
        let size = |input: &Input| {
            let args: usize = input.args.iter().map(|arg| arg.len() + 1).sum();
            args + input.stdin.as_ref().map_or(0, Vec::len) + input.files.values().map(Vec::len).sum::<usize>()
        };
        let [before, after] = sides;
        if let Some((_, shown, known)) = self.list.iter_mut().find(|(other, ..)| *other == key) {
            known.inputs += 1;
            if size(input) < size(shown) {
                *shown = input.clone();
                (known.what, known.case, known.before, known.after) = (what, case(), before, after);
            }
        } else if self.list.len() < KINDS {
            let remark = Remark { what, case: case(), inputs: 1, before, after };
            self.list.push((key, input.clone(), remark));
        }
    }

    /// All of them, in the order in which they were seen.
    pub fn take(&mut self) -> Vec<Remark> {
        std::mem::take(&mut self.list).into_iter().map(|(_, _, remark)| remark).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_each_kind_one_is_kept_and_the_others_are_counted() {
        let mut remarks = Remarks::default();
        let input = |arg: &str| Input { args: vec![arg.into()], ..Input::default() };
        let sides = || [Did::default(), Did::default()];
        for (what, arg) in [("it dies in line 3", "100"), ("it dies in line 7", "7"), ("another", "1")] {
            remarks.add(what.into(), &input(arg), || arg.to_string(), sides());
        }
        let told: Vec<(String, u64)> = remarks.take().into_iter().map(|one| (one.case, one.inputs)).collect();
        assert_eq!(told, [("7".to_string(), 2), ("1".to_string(), 1)]);
    }
}
