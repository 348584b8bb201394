//! Text as a value: what a run prints, call by call, and whether its output would be right were the text of one statement
//! another one. The expected text says which.

use whydunit_model::Op;
use whydunit_replay::{At, End, Machine, Observer, OutputEvent, Snapshot, Stop, Stream};
use whydunit_symbolic::{Failing, Knowledge, NO_STATEMENT, StatementId};

use crate::Error;
use crate::trial::Texts;

/// A text that a statement would have to print for a run to pass.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Printed {
    /// The statement.
    pub statement: StatementId,
    /// What it prints where that has to be another text, the first time.
    pub was: Vec<u8>,
    /// What it would have to print there.
    pub now: Vec<u8>,
    /// How often its text would have to be another one.
    pub times: usize,
    /// The text is the source's own: nothing decides it.
    pub constant: bool,
}

/// So many pieces of output are kept.
const MOST: usize = 100_000;

/// A run is followed for so many instructions behind its failure point.
const BEHIND: u64 = 20_000_000;

/// What a run prints to standard output, to its end, which is as expected but for the output.
pub(crate) struct Prints {
    pieces: Vec<Piece>,
    expected: Vec<u8>,
}

struct Piece {
    statement: StatementId,
    bytes: Vec<u8>,
    /// Nothing that the call is given depends on the run.
    constant: bool,
}

impl Prints {
    /// Of a run from `start` on. None where output is not what fails, where the run ends otherwise than it should, or prints more
    /// often than is looked at.
    pub fn of(
        machine: &mut Machine,
        start: &Snapshot,
        knowledge: &mut Knowledge,
        failing: &Failing,
    ) -> Result<Option<Self>, Error> {
        let Some(expected) = &failing.expected else { return Ok(None) };
        machine.restore(start)?;
        // A run that a limit ended has no end.
        let until = failing.point.instruction.saturating_add(BEHIND);
        let mut watch = Watch { pieces: Vec::new(), knowledge, until };
        let stop = machine.go_on(&mut watch)?;
        let pieces = watch.pieces;
        let ends = match stop {
            Stop::End(End::Exited { status }) => status.is_none_or(|status| failing.accepts_status(status)),
            _ => false,
        };
        let is_right = pieces.iter().flat_map(|piece| &piece.bytes).eq(expected);
        Ok((ends && !is_right && pieces.len() < MOST).then(|| Self { pieces, expected: expected.clone() }))
    }

    /// Texts that would make the output right.
    pub fn texts(&self) -> Texts {
        let printed = self.pieces.iter().flat_map(|piece| &piece.bytes).copied().collect();
        Texts::of(printed, &self.expected)
    }

    /// Whether a statement prints.
    pub fn by(&self, statement: StatementId) -> bool {
        self.pieces.iter().any(|piece| piece.statement == statement)
    }

    /// The text that a statement would have to print for the output to be right, all else being as it is. None where no text
    /// does it.
    pub fn dictated(&self, statement: StatementId) -> Option<Printed> {
        let own: Vec<&Piece> = self.pieces.iter().filter(|piece| piece.statement == statement).collect();
        let first = own.first()?;
        let constant = own.iter().all(|piece| piece.constant);
        let same = own.iter().all(|piece| piece.bytes == first.bytes);
        if same && let Some(now) = self.always(statement, &first.bytes, own.len()) {
            return Some(Printed { statement, was: first.bytes.clone(), now, times: own.len(), constant });
        }
        // A text that nothing decides is the same each time.
        if constant {
            return None;
        }
        let texts = self.each(statement)?;
        let mut changed = own.iter().zip(&texts).filter(|(piece, now)| piece.bytes != **now);
        let times = changed.clone().count();
        let (piece, now) = changed.next()?;
        Some(Printed { statement, was: piece.bytes.clone(), now: now.clone(), times, constant })
    }

    /// One text in the place of `was`, which the statement prints so many times.
    fn always(&self, statement: StatementId, was: &[u8], times: usize) -> Option<Vec<u8>> {
        let others: usize = self.pieces.iter().map(|piece| piece.bytes.len()).sum::<usize>() - was.len() * times;
        let room = self.expected.len().checked_sub(others)?;
        let length = room.checked_div(times).filter(|length| length * times == room)?;
        let before = self.pieces.iter().take_while(|piece| piece.statement != statement);
        let at: usize = before.map(|piece| piece.bytes.len()).sum();
        let now = self.expected.get(at..at + length)?;
        let mut rest = &self.expected[..];
        for piece in &self.pieces {
            let text = if piece.statement == statement { now } else { &piece.bytes };
            rest = rest.strip_prefix(text)?;
        }
        rest.is_empty().then(|| now.to_vec())
    }

    /// A text for each time that the statement prints: what the others print has to be found in the expected text, in order.
    fn each(&self, statement: StatementId) -> Option<Vec<Vec<u8>>> {
        // What is printed between two texts of the statement, before the first and behind the last.
        let mut between: Vec<Vec<u8>> = vec![Vec::new()];
        for piece in &self.pieces {
            match (piece.statement == statement, between.last_mut()) {
                (false, Some(last)) => last.extend(&piece.bytes),
                _ => between.push(Vec::new()),
            }
        }
        let (first, rest) = between.split_first()?;
        let (last, middle) = rest.split_last()?;
        let text = self.expected.strip_prefix(first.as_slice())?.strip_suffix(last.as_slice())?;
        let (mut texts, mut at) = (Vec::new(), 0);
        for fixed in middle {
            let found = at + find(&text[at..], fixed)?;
            texts.push(text[at..found].to_vec());
            at = found + fixed.len();
        }
        texts.push(text[at..].to_vec());
        Some(texts)
    }
}

/// Where a text is found in another one.
fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    if wanted.is_empty() {
        return Some(0);
    }
    text.windows(wanted.len()).position(|part| part == wanted)
}

/// Keeps what is printed to standard output, with the statements that do it.
struct Watch<'a> {
    pieces: Vec<Piece>,
    knowledge: &'a mut Knowledge,
    until: u64,
}

impl Observer for Watch<'_> {
    const STOPS: bool = true;

    fn stop(&mut self, at: &At<'_>) -> bool {
        at.instruction() >= self.until || self.pieces.len() >= MOST
    }

    fn output(&mut self, at: &At<'_>, output: &OutputEvent) {
        if output.stream != Stream::Descriptor(1) {
            return;
        }
        let facts = self.knowledge.facts(at, at.function);
        let statement = facts.statements.get(at.pc as usize).copied().unwrap_or(NO_STATEMENT);
        let constant = match at.op() {
            Op::Call { call } => at.model.calls[*call as usize].args.iter().all(|arg| arg.value.is_const()),
            _ => false,
        };
        self.pieces.push(Piece { statement, bytes: output.bytes.to_vec(), constant });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prints(pieces: &[(StatementId, &str, bool)], expected: &str) -> Prints {
        let piece = |&(statement, text, constant): &(StatementId, &str, bool)| Piece {
            statement,
            bytes: text.into(),
            constant,
        };
        Prints { pieces: pieces.iter().map(piece).collect(), expected: expected.into() }
    }

    fn dictated(prints: &Prints, statement: StatementId) -> Option<(String, String, usize)> {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        prints.dictated(statement).map(|printed| (text(&printed.was), text(&printed.now), printed.times))
    }

    fn told(was: &str, now: &str, times: usize) -> Option<(String, String, usize)> {
        Some((was.into(), now.into(), times))
    }

    #[test]
    fn the_expected_text_dictates_what_one_statement_prints() {
        let one = prints(&[(1, "a: ", true), (2, "N0\n", true)], "a: NO\n");
        assert_eq!(dictated(&one, 2), told("N0\n", "NO\n", 1));
        assert_eq!(dictated(&one, 1), None);
        assert!(one.by(1) && !one.by(3));
        let superfluous = prints(&[(1, "Two numbers: ", true), (2, "6\n", false)], "6\n");
        assert_eq!(dictated(&superfluous, 1), told("Two numbers: ", "", 1));
        let missing = prints(&[(1, "yes", true)], "yes\n");
        assert_eq!(dictated(&missing, 1), told("yes", "yes\n", 1));
    }

    #[test]
    fn a_constant_text_is_the_same_each_time_and_others_need_not_be() {
        let pieces =
            |constant| [(1, "1", false), (2, ",", constant), (1, "2", false), (2, ",", constant), (1, "3", false)];
        assert_eq!(dictated(&prints(&pieces(true), "1, 2, 3"), 2), told(",", ", ", 2));
        assert_eq!(dictated(&prints(&pieces(true), "1, 2,3"), 2), None);
        assert_eq!(dictated(&prints(&pieces(false), "1, 2,3"), 2), told(",", ", ", 1));
        assert_eq!(dictated(&prints(&pieces(true), "1,2,5"), 1), told("3", "5", 1));
        assert_eq!(dictated(&prints(&pieces(true), "x"), 1), None);
    }
}
