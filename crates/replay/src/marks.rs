//! Pre-decoded code with marks, for runs that are followed.
//!
//! Operations that may change which line a frame is at, or which debug value a variable has, have marks: the first operations of lines in
//! each block, and those with debug values.

use std::cell::Cell;

use whydunit_model::Function;

use crate::prepare::Prepared;

/// What happens before an operation is begun.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    /// The code of its line; 0: none.
    pub line: u64,
    /// The debug values that are passed.
    pub values: (u32, u32),
}

/// A function's code with its marks.
pub(crate) struct Tracked {
    pub prepared: Prepared,
    pub marks: Box<[Mark]>,
    /// For each operation its mark, plus 1; 0: none.
    pub at: Box<[u32]>,
    /// For each operation the mark of its line, plus 1: its own or that of an operation before it in its block; 0: it has no line.
    pub of_line: Box<[u32]>,
    /// The variable of each debug value.
    pub variables: Box<[u32]>,
    /// How many variables there are.
    pub count: usize,
    /// By marks: a frame came to its line since that was asked last.
    pub passed: Box<[Cell<bool>]>,
}

impl Tracked {
    /// Of a function whose operations have these lines.
    pub fn of(function: &Function, lines: &[u64]) -> Self {
        let len = function.code.len();
        let (mut at, mut of_line) = (vec![0u32; len], vec![0u32; len]);
        let mut marks: Vec<Mark> = Vec::new();
        let values = values_by_operation(function);
        for block in &function.blocks {
            let (mut before, mut with_line) = (0, 0);
            for pc in block.start as usize..block.end as usize {
                let line = lines.get(pc).copied().unwrap_or(0);
                let comes = line != 0 && line != before;
                before = if line == 0 { before } else { line };
                if comes || values[pc].0 < values[pc].1 {
                    marks.push(Mark { line: if comes { line } else { 0 }, values: values[pc] });
                    at[pc] = marks.len() as u32;
                }
                with_line = if comes { at[pc] } else { with_line };
                of_line[pc] = if line == 0 { 0 } else { with_line };
            }
        }
        Self {
            prepared: Prepared::marked(function, &at),
            at: at.into(),
            of_line: of_line.into(),
            variables: function.debug_values.iter().map(|value| value.variable).collect(),
            count: function.variables.len(),
            passed: vec![Cell::new(false); marks.len()].into(),
            marks: marks.into(),
        }
    }

    /// The codes of the lines that frames came to since that was asked last.
    pub fn take_passed(&self) -> impl Iterator<Item = u64> + '_ {
        let passed = self.marks.iter().zip(&self.passed).filter(|(_, passed)| passed.replace(false));
        passed.map(|(mark, _)| mark.line)
    }
}

/// The debug values that stand at each operation.
fn values_by_operation(function: &Function) -> Vec<(u32, u32)> {
    let mut values = vec![(0, 0); function.code.len()];
    for (index, value) in function.debug_values.iter().enumerate() {
        let index = index as u32;
        if let Some(range) = values.get_mut(value.pc as usize) {
            *range = if range.1 == 0 { (index, index + 1) } else { (range.0, index + 1) };
        }
    }
    values
}
