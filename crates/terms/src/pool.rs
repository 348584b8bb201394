//! The pool: where terms live, each shape once.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use crate::term::Value;
pub use crate::width::MAX_WIDTH;
pub(crate) use crate::width::{mask, signed};
use crate::{Node, Sort, Term};

/// Holds terms. Operands of terms must belong to the pool and fit in sort and width: that is the caller's duty, and a
/// mistake in it panics.
#[derive(Clone)]
pub struct Pool {
    nodes: Vec<Node>,
    /// The width of each term; 0 for truth values.
    widths: Vec<u8>,
    table: HashTable<Term>,
    names: Vec<String>,
    variables: Vec<Term>,
}

impl Default for Pool {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pool").field("terms", &self.nodes.len()).field("variables", &self.names.len()).finish()
    }
}

fn hash(node: &Node) -> u64 {
    // The table takes the control byte from the top bits and the slot from the low ones.
    FxBuildHasher.hash_one(node)
}

impl Pool {
    /// A pool with the two truth values.
    pub fn new() -> Self {
        let mut pool = Self {
            nodes: Vec::new(),
            widths: Vec::new(),
            table: HashTable::new(),
            names: Vec::new(),
            variables: Vec::new(),
        };
        pool.intern(Node::Bool(false), Sort::Bool);
        pool.intern(Node::Bool(true), Sort::Bool);
        pool
    }

    /// How many terms it holds.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: the truth values are always there.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The sort of a term.
    #[inline]
    pub fn sort(&self, term: Term) -> Sort {
        match self.widths[term.index() as usize] {
            0 => Sort::Bool,
            width => Sort::BitVec(width.into()),
        }
    }

    /// The bits of a term; 1 for a truth value.
    #[inline]
    pub fn width(&self, term: Term) -> u32 {
        u32::from(self.widths[term.index() as usize]).max(1)
    }

    /// Whether a term is a truth value.
    #[inline]
    pub fn is_bool(&self, term: Term) -> bool {
        self.widths[term.index() as usize] == 0
    }

    /// The shape of a term.
    #[inline]
    pub fn node(&self, term: Term) -> &Node {
        &self.nodes[term.index() as usize]
    }

    /// The term of a shape that is in normal form.
    pub(crate) fn intern(&mut self, node: Node, sort: Sort) -> Term {
        let Self { nodes, widths, table, .. } = self;
        let entry = table.entry(
            hash(&node),
            |term| nodes[term.index() as usize] == node,
            |term| hash(&nodes[term.index() as usize]),
        );
        match entry {
            hashbrown::hash_table::Entry::Occupied(entry) => *entry.get(),
            hashbrown::hash_table::Entry::Vacant(entry) => {
                let term = Term::from_index(nodes.len() as u32);
                entry.insert(term);
                nodes.push(node);
                widths.push(match sort {
                    Sort::Bool => 0,
                    Sort::BitVec(width) => width as u8,
                });
                term
            }
        }
    }

    /// A new variable: never the same twice, whatever the names.
    ///
    /// # Panics
    /// For a width out of range.
    pub fn variable(&mut self, sort: Sort, name: impl Into<String>) -> Term {
        assert!((1..=MAX_WIDTH).contains(&sort.width()), "a bit-vector has 1 to {MAX_WIDTH} bits");
        let number = self.names.len() as u32;
        self.names.push(name.into());
        let term = self.intern(Node::Variable(number), sort);
        self.variables.push(term);
        term
    }

    /// The name of a variable by its number; empty for none.
    pub fn name(&self, variable: u32) -> &str {
        self.names.get(variable as usize).map_or("", String::as_str)
    }

    /// All variables in the order of their making.
    pub fn variables(&self) -> &[Term] {
        &self.variables
    }

    /// A truth value.
    #[inline]
    pub fn bool(&mut self, value: bool) -> Term {
        Term::from_index(value.into())
    }

    /// True.
    pub fn truth(&self) -> Term {
        Term::from_index(1)
    }

    /// False.
    pub fn falsity(&self) -> Term {
        Term::from_index(0)
    }

    /// A bit-vector of `width` bits; bits of `value` above are dropped.
    ///
    /// # Panics
    /// For a width out of range.
    pub fn constant(&mut self, width: u32, value: u128) -> Term {
        assert!((1..=MAX_WIDTH).contains(&width), "a bit-vector has 1 to {MAX_WIDTH} bits");
        self.intern(Node::Constant(width as u8, Value::new(value & mask(width))), Sort::BitVec(width))
    }

    /// The value of a constant, of a truth value 0 or 1.
    #[inline]
    pub fn as_constant(&self, term: Term) -> Option<u128> {
        match self.node(term) {
            Node::Constant(_, value) => Some(value.get()),
            Node::Bool(value) => Some((*value).into()),
            _ => None,
        }
    }

    /// The value of a constant truth value.
    #[inline]
    pub fn as_bool(&self, term: Term) -> Option<bool> {
        match self.node(term) {
            Node::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The condition and both values of a choice between constants.
    pub(crate) fn as_constant_ite(&self, term: Term) -> Option<(Term, u128, u128)> {
        match *self.node(term) {
            Node::Ite(condition, a, b) => Some((condition, self.as_constant(a)?, self.as_constant(b)?)),
            _ => None,
        }
    }

    /// Applies `fold` below the condition where the operands are constants or choices between constants by one condition.
    pub(crate) fn lift<const N: usize>(
        &mut self,
        operands: [Term; N],
        result: Sort,
        fold: impl Fn([u128; N]) -> u128,
    ) -> Option<Term> {
        let mut condition = None;
        let (mut yes, mut no) = ([0; N], [0; N]);
        for (at, operand) in operands.into_iter().enumerate() {
            if let Some(value) = self.as_constant(operand) {
                (yes[at], no[at]) = (value, value);
                continue;
            }
            let (decides, a, b) = self.as_constant_ite(operand)?;
            if condition.is_some_and(|condition| condition != decides) {
                return None;
            }
            condition = Some(decides);
            (yes[at], no[at]) = (a, b);
        }
        let mut make = |value| match result {
            Sort::Bool => self.bool(value & 1 != 0),
            Sort::BitVec(width) => self.constant(width, value),
        };
        let a = make(fold(yes));
        let Some(condition) = condition else { return Some(a) };
        let b = make(fold(no));
        Some(self.ite(condition, a, b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_is_kept_once_and_a_variable_is_always_new() {
        let mut pool = Pool::new();
        let x = pool.variable(Sort::BitVec(8), "x");
        let y = pool.variable(Sort::BitVec(8), "x");
        assert_ne!(x, y);
        assert_eq!((pool.name(0), pool.name(1), pool.name(2)), ("x", "x", ""));
        assert_eq!(pool.constant(8, 0x1ff), pool.constant(8, 0xff));
        assert_ne!(pool.constant(8, 1), pool.constant(9, 1));
        assert_eq!(pool.bool(true), pool.truth());
        assert_eq!(pool.as_bool(pool.falsity()), Some(false));
        assert_eq!(pool.variables(), [x, y]);
    }

    #[test]
    fn hashes_of_like_shapes_differ_in_the_bits_that_the_table_uses() {
        let mut low = std::collections::HashSet::new();
        for a in 0..64 {
            for b in 0..64 {
                let node = Node::And(Term::from_index(a), Term::from_index(b));
                low.insert(hash(&node) & 0xffff);
            }
        }
        assert!(low.len() > 3500, "{}", low.len());
    }
}
