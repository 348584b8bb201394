//! Comparisons of texts: what is said of their bytes, one by one, is one sentence.

use std::collections::BTreeMap;

use whydunit_terms::{Assignment, Evaluator, Node, Pool, Term, reachable, support};

/// That a text is another one, or is not.
pub struct OfText<'a> {
    /// Whose.
    pub name: &'a str,
    /// With what it is compared; its first bytes.
    pub text: String,
    /// It is the same.
    pub same: bool,
    /// It cannot be otherwise: that says nothing.
    pub empty: bool,
}

impl OfText<'_> {
    /// In words that are true of the run's own text, where that is known. None where there are none.
    pub fn words(&self, own: Option<&[u8]>) -> Option<String> {
        let text = self.text.as_bytes();
        let sign = match own {
            Some(own) if (own == text) != self.same => {
                if !self.same || !own.starts_with(text) {
                    return None;
                }
                "begins with"
            }
            _ if self.same => "==",
            _ => "!=",
        };
        Some(format!("{} {sign} {:?}", self.name, self.text))
    }
}

/// A formula that compares the bytes of a text from the first one on with one constant each, and that changes with each of them.
pub fn of_text(pool: &Pool, term: Term) -> Option<OfText<'_>> {
    let mut bytes: BTreeMap<usize, (Term, u8)> = BTreeMap::new();
    let mut whose = None;
    for variable in support(pool, &[term]) {
        let Node::Variable(number) = *pool.node(variable) else { return None };
        let (name, index) = pool.name(number).strip_suffix(']')?.rsplit_once('[')?;
        if pool.width(variable) != 8 || *whose.get_or_insert(name) != name {
            return None;
        }
        bytes.insert(index.parse().ok()?, (variable, 0));
    }
    for node in reachable(pool, &[term]) {
        let Node::Eq(a, b) = *pool.node(node) else { continue };
        let (variable, constant) = if pool.as_constant(a).is_some() { (b, a) } else { (a, b) };
        let Some((_, known)) = bytes.values_mut().find(|(byte, _)| *byte == variable) else { continue };
        let constant = pool.as_constant(constant)? as u8;
        match *known {
            // Whether it ends there is asked beside.
            0 => *known = constant,
            _ if constant == 0 || *known == constant => {}
            _ => return None,
        }
    }
    if bytes.len() < 2 || bytes.keys().copied().ne(0..bytes.len()) {
        return None;
    }
    // With all bytes as the text has them, but for those that are changed: above and below.
    let holds = |changed: &dyn Fn(Term) -> bool, by: u8| {
        let values = bytes
            .values()
            .map(|&(byte, value)| (byte, u128::from(if changed(byte) { value.wrapping_add(by) } else { value })));
        Evaluator::new(pool, &values.collect::<Assignment>()).holds(term)
    };
    let same = holds(&|_| false, 0);
    let single = bytes.values().flat_map(|(byte, _)| [1, u8::MAX].map(|by| holds(&|changed| changed == *byte, by)));
    let others: Vec<bool> = single.chain([1, u8::MAX].map(|by| holds(&|_| true, by))).collect();
    // Two texts of different lengths.
    let empty = same && others.iter().all(|holds| *holds);
    if !empty && others.contains(&same) {
        return None;
    }
    let text: Vec<u8> = bytes.values().map(|(_, value)| *value).take_while(|value| *value != 0).collect();
    Some(OfText { name: whose?, text: String::from_utf8_lossy(&text).into_owned(), same: same && !empty, empty })
}
