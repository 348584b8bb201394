//! Checks of test frameworks of C and C++ that fail: the run goes on, and exits in the end with a status that says so.

use whydunit_library::printf::{self, Conversion, Piece};
use whydunit_model::checks::{self, Called, Check};
use whydunit_replay::{At, External};

use super::{FailureKind, Told};

/// So much of a check's texts is told.
const MOST: u64 = 300;

/// A call of a function of a test framework, in a run.
struct Call<'a, A> {
    at: &'a At<'a>,
    argument: A,
}

impl<A: Fn(usize) -> u64> Called for Call<'_, A> {
    fn argument(&self, number: usize) -> u64 {
        (self.argument)(number)
    }

    fn word(&self, address: u64) -> u64 {
        self.at.memory().read_word(address)
    }

    fn text(&self, address: u64, most: u64) -> String {
        String::from_utf8_lossy(&self.at.memory().read_string(address, most.min(LONGEST))).into_owned()
    }

    fn printed(&self, format: usize) -> Option<String> {
        let address = self.argument(format);
        if address == 0 {
            return None;
        }
        let mut arguments = (format + 1..).map(|number| self.argument(number));
        let mut printed = String::new();
        for piece in printf::pieces(&self.at.memory().read_string(address, MOST)) {
            match piece.ok()? {
                Piece::Literal(text) => printed += &String::from_utf8_lossy(text),
                Piece::Conversion(conversion) => printed += &self.converted(&conversion, arguments.next()?)?,
            }
        }
        Some(printed)
    }
}

impl<A: Fn(usize) -> u64> Call<'_, A> {
    /// A text, an integer or a pointer as `printf` prints it; `None` of other conversions.
    fn converted(&self, conversion: &Conversion, word: u64) -> Option<String> {
        if conversion.argument.is_some() || conversion.width.is_some() || conversion.precision.is_some() {
            return None;
        }
        let above = 64 - conversion.length.bits();
        let (signed, unsigned) = ((word << above).cast_signed() >> above, word << above >> above);
        match conversion.letter {
            b's' => Some(self.text(word, MOST)),
            b'd' | b'i' => Some(signed.to_string()),
            b'u' => Some(unsigned.to_string()),
            b'x' => Some(format!("{unsigned:x}")),
            b'p' => Some(format!("{word:#x}")),
            _ => None,
        }
    }
}

/// What is known of a check whose framework is told neither what it checks nor of what.
pub const UNTOLD: &str = "a check fails";

/// No text is longer.
const LONGEST: u64 = 1 << 30;

/// What the check says that fails by the call of the captured function that was just entered; `None` where that is no such call, or
/// one that follows tells more.
pub fn entered(at: &At<'_>) -> Option<Told> {
    let check = at.code.function(at.function).check?;
    let argument = |number: usize| at.model.params.get(number).map_or(0, |param| at.slot(param.slot));
    told(check, &Call { at, argument })
}

/// The same of a call of external code.
pub fn external(at: &At<'_>, call: &External<'_>) -> Option<Told> {
    let argument = |number: usize| call.args.get(number).copied().unwrap_or(0);
    told(checks::of(call.name)?, &Call { at, argument })
}

/// What a failing check tells; `None` where it does not fail, or a call that follows tells more of it.
fn told(check: &'static Check, called: &impl Called) -> Option<Told> {
    if check.is_told_later() || !check.fails(called) {
        return None;
    }
    let checks::Told { condition, values, words } = check.told(called, MOST);
    let condition = condition.map(|text| one_line(&text)).filter(|text| !text.is_empty());
    let words = words.map(|text| one_line(&text)).filter(|text| !text.is_empty());
    let mut message = match (&condition, words) {
        (Some(condition), Some(words)) => format!("the check `{condition}` fails: {words}"),
        (Some(condition), None) => format!("the check `{condition}` fails"),
        (None, Some(words)) => format!("a check fails: {words}"),
        (None, None) => UNTOLD.to_owned(),
    };
    // The value of a number is its name.
    let told = values.iter().filter(|(name, value)| name != value && !value.is_empty());
    let told: Vec<String> = told.map(|(name, value)| format!("`{name}` is {}", one_line(value))).collect();
    if !told.is_empty() {
        message += &format!(": {}", told.join(", "));
    }
    Some(Told {
        kind: FailureKind::Assertion,
        predicate: condition,
        message,
        thrown: check.is_thrown(),
        check: Some(check),
    })
}

/// The lines of a text in one.
fn one_line(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    lines.join("; ").replace(":; ", ": ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_is_told_in_one_line() {
        let text = "Expected equality of these values:\n  3\n  largest(v)\n    Which is: 2\n";
        assert_eq!(one_line(text), "Expected equality of these values: 3; largest(v); Which is: 2");
        assert_eq!(one_line("\n"), "");
    }
}
