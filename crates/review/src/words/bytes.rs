//! What is said of one byte alone, as the set of its values.

use whydunit_terms::{Assignment, Evaluator, Node, Pool, Term, support};

/// So many runs of values are told.
const MOST: usize = 6;

/// A byte, and for each value whether it may have it.
pub struct OfByte {
    pub byte: Term,
    allowed: [bool; 256],
}

/// A formula over one byte alone.
pub fn of_byte(pool: &Pool, term: Term) -> Option<OfByte> {
    let [byte] = support(pool, &[term])[..] else { return None };
    if pool.width(byte) != 8 {
        return None;
    }
    let allowed = std::array::from_fn(|value| {
        let values: Assignment = [(byte, value as u128)].into_iter().collect();
        Evaluator::new(pool, &values).holds(term)
    });
    Some(OfByte { byte, allowed })
}

impl OfByte {
    /// Both are said.
    pub fn and(&mut self, other: &Self) {
        for (mine, other) in self.allowed.iter_mut().zip(&other.allowed) {
            *mine &= other;
        }
    }

    /// In words; nothing where it may be what it likes, or only is no zero: a text goes on.
    pub fn words(&self, pool: &Pool) -> Option<String> {
        let Node::Variable(number) = *pool.node(self.byte) else { return None };
        let name = pool.name(number);
        let of = |wanted: bool| {
            let values = (0..=255u8).filter(move |&value| self.allowed[usize::from(value)] == wanted);
            runs(values.filter(move |&value| wanted || value != 0))
        };
        let (yes, no) = (of(true), of(false));
        let set = |runs: &[(u8, u8)]| {
            let told: Vec<String> = runs.iter().take(MOST).map(|&run| told(run)).collect();
            let more = if runs.len() > MOST { ", …" } else { "" };
            format!("{{{}{more}}}", told.join(", "))
        };
        Some(match (&yes[..], &no[..]) {
            (_, []) => return None,
            ([], _) => format!("{name} cannot be"),
            (&[(one, last)], _) if one == last => format!("{name} == {}", told((one, last))),
            (_, &[(one, last)]) if one == last => format!("{name} != {}", told((one, last))),
            (&[run], _) => format!("{name} in {}", told(run)),
            _ if no.len() < yes.len() => format!("{name} not in {}", set(&no)),
            _ => format!("{name} in {}", set(&yes)),
        })
    }
}

/// Values that lie side by side.
fn runs(values: impl Iterator<Item = u8>) -> Vec<(u8, u8)> {
    values.fold(Vec::new(), |mut runs: Vec<(u8, u8)>, value| {
        match runs.last_mut() {
            Some(last) if last.1.checked_add(1) == Some(value) => last.1 = value,
            _ => runs.push((value, value)),
        }
        runs
    })
}

fn told((first, last): (u8, u8)) -> String {
    let shown = |byte: u8| if (32..127).contains(&byte) { format!("'{}'", byte as char) } else { byte.to_string() };
    if first == last { shown(first) } else { format!("{}..{}", shown(first), shown(last)) }
}
