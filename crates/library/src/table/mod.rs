//! The rows of the table, by subject.
//!
//! A row has the names of a function, the plainest first. Before a name `!` says that the runtime has no wrapper for it; behind
//! it, `@1` says that this form has one more argument, at place 1, and `@1+2` that it has two.

mod control;
mod files;
mod format;
mod memory;
mod numbers;
mod streams;
mod system;
mod text;

use crate::effects::{
    Allocation, Character, Ending, Fails, Input, Number, NumberValue, Output, Precision, Reads, Source, Writes,
};
use crate::function::Function;

/// Functions with the same properties.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    names: &'static str,
    /// Each name is a function of its own; else they are names of one.
    each: bool,
    /// Its name is not set.
    pub function: Function,
}

/// A name of a function, and the arguments that it has in between.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Form {
    pub symbol: &'static str,
    pub wrapped: bool,
    pub inserted: (usize, usize),
}

/// All rows.
pub(crate) fn rows() -> impl Iterator<Item = &'static Row> {
    [memory::ROWS, text::ROWS, streams::ROWS, format::ROWS, files::ROWS, system::ROWS, numbers::ROWS, control::ROWS]
        .into_iter()
        .flatten()
}

impl Row {
    /// The names of each function of the row.
    pub fn functions(&self) -> Vec<Vec<Form>> {
        let names: Vec<Form> = self.names.split_ascii_whitespace().map(form).collect();
        let size = if self.each { 1 } else { names.len() };
        names.chunks(size.max(1)).map(<[Form]>::to_vec).collect()
    }
}

/// A name as the rows have it.
fn form(text: &'static str) -> Form {
    let (name, places) = text.split_once('@').unwrap_or((text, ""));
    let (at, count) = places.split_once('+').unwrap_or((places, "1"));
    let number = |text: &str| text.parse().unwrap_or(0);
    let inserted = if places.is_empty() { (0, 0) } else { (number(at), number(count)) };
    let symbol = name.strip_prefix('!').unwrap_or(name);
    Form { symbol, wrapped: symbol.len() == name.len(), inserted }
}

/// The names of one function that fails so. It depends on the program's state until more is said.
const fn row(names: &'static str, fails: Fails) -> Row {
    let function = Function {
        name: "",
        fails,
        reads: &[],
        writes: &[],
        source: Source::State,
        input: None,
        output: None,
        diverts_output: false,
        allocation: Allocation::None,
        number: None,
        character: None,
        mathematics: None,
        ending: None,
        returns_twice: false,
        keeps: false,
        calls_back: false,
        computed: false,
        constant: false,
    };
    Row { names, each: false, function }
}

/// Several functions of one name each.
const fn each(names: &'static str, fails: Fails) -> Row {
    Row { each: true, ..row(names, fails) }
}

impl Row {
    const fn reads(mut self, reads: &'static [Reads]) -> Self {
        self.function.reads = reads;
        self
    }

    const fn writes(mut self, writes: &'static [Writes]) -> Self {
        self.function.writes = writes;
        self
    }

    const fn from(mut self, source: Source) -> Self {
        self.function.source = source;
        self
    }

    /// What it gives depends on its arguments, and on what it reads.
    const fn of_arguments(self) -> Self {
        self.from(Source::Arguments)
    }

    /// The replay computes it.
    const fn computed(mut self) -> Self {
        self.function.computed = true;
        self.of_arguments()
    }

    const fn constant(mut self) -> Self {
        self.function.constant = true;
        self
    }

    const fn input(mut self, input: Input) -> Self {
        self.function.input = Some(input);
        self.function.source = match input {
            Input::Open => Source::Files,
            Input::FormatText => Source::Arguments,
            Input::OpenOther | Input::Rewind | Input::Seek => self.function.source,
            _ => Source::Input,
        };
        self
    }

    const fn prints(mut self, content: crate::Content, destination: crate::Destination) -> Self {
        self.function.output = Some(Output { content, destination });
        self
    }

    const fn diverts(mut self) -> Self {
        self.function.diverts_output = true;
        self
    }

    const fn heap(mut self, allocation: Allocation) -> Self {
        self.function.allocation = allocation;
        // The program may have operators and allocators of its own.
        self.function.calls_back |= matches!(allocation, Allocation::New | Allocation::Rust);
        self
    }

    const fn number(mut self, value: NumberValue, end: Option<usize>, base: Option<usize>) -> Self {
        self.function.number = Some(Number { value, end, base });
        self.reads(&[Reads::Number(0)]).of_arguments()
    }

    const fn character(mut self, character: Character) -> Self {
        self.function.character = Some(character);
        self.of_arguments()
    }

    const fn mathematics(mut self, precision: Precision) -> Self {
        self.function.mathematics = Some(precision);
        self.of_arguments()
    }

    const fn keeps(mut self) -> Self {
        self.function.keeps = true;
        self
    }

    const fn calls_back(mut self) -> Self {
        self.function.calls_back = true;
        self
    }

    const fn ends(mut self, ending: Ending) -> Self {
        self.function.ending = Some(ending);
        self
    }

    const fn twice(mut self) -> Self {
        self.function.returns_twice = true;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_with_their_marks() {
        let plain = Form { symbol: "fgets", wrapped: true, inserted: (0, 0) };
        assert_eq!(form("fgets"), plain);
        assert_eq!(form("!__fgets_chk@1"), Form { symbol: "__fgets_chk", wrapped: false, inserted: (1, 1) });
        assert_eq!(form("__snprintf_chk@2+2"), Form { symbol: "__snprintf_chk", wrapped: true, inserted: (2, 2) });
    }
}
