//! From terms to circuits.

use whydunit_terms::{Node, Pool, Term, TermMap};

use crate::gates::{FALSE, Gates, Lit, TRUE};
use crate::solver::Watch;
use crate::words::{self, Word};

/// How many terms are translated between looks at the clock.
const LOOK: usize = 64;

/// Why a translation ended early.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The limits of the check.
    Limit(&'static str),
    /// A term of floats, which needs lowering first.
    Float,
}

/// The circuits of terms, kept from check to check.
pub(crate) struct Blaster {
    pub(crate) gates: Gates,
    /// Where a term's bits start among all bits.
    places: TermMap<u32>,
    bits: Vec<Lit>,
    /// The variables that were met.
    variables: Vec<Term>,
}

impl Blaster {
    pub(crate) fn new() -> Self {
        Self { gates: Gates::new(), places: TermMap::new(), bits: Vec::new(), variables: Vec::new() }
    }

    /// The variables that were met, in order.
    pub(crate) fn variables(&self) -> &[Term] {
        &self.variables
    }

    /// The bits of a term that was translated.
    pub(crate) fn word(&self, pool: &Pool, term: Term) -> Option<&[Lit]> {
        let start = self.places.get(term)? as usize;
        self.bits.get(start..start + pool.width(term) as usize)
    }

    fn bits_of(&self, pool: &Pool, term: Term) -> &[Lit] {
        self.word(pool, term).unwrap_or(&[])
    }

    /// The literal of a truth value.
    pub(crate) fn literal(&mut self, pool: &Pool, term: Term, watch: &Watch) -> Result<Lit, Stop> {
        self.translate(pool, term, watch)?;
        Ok(self.bits_of(pool, term).first().copied().unwrap_or(FALSE))
    }

    /// Translates a term and what it is made of, operands first.
    fn translate(&mut self, pool: &Pool, root: Term, watch: &Watch) -> Result<(), Stop> {
        let mut open = vec![root];
        let mut made = 0;
        while let Some(&term) = open.last() {
            let before = open.len();
            if !self.places.contains(term) {
                open.extend(pool.node(term).operands().filter(|operand| !self.places.contains(*operand)));
                if open.len() > before {
                    continue;
                }
                let word = self.circuit(pool, term)?;
                self.places.insert(term, self.bits.len() as u32);
                self.bits.extend(word);
                made += 1;
                if made % LOOK == 0
                    && let Some(reason) = watch.over()
                {
                    return Err(Stop::Limit(reason));
                }
            }
            open.pop();
        }
        Ok(())
    }

    /// The circuit of a term whose operands have theirs.
    fn circuit(&mut self, pool: &Pool, term: Term) -> Result<Word, Stop> {
        let width = pool.width(term);
        let word = |term: Term| self.bits_of(pool, term).to_vec();
        let one = |lit: Lit| vec![lit];
        Ok(match *pool.node(term) {
            Node::Variable(_) => {
                self.variables.push(term);
                (0..width).map(|_| self.gates.input()).collect()
            }
            Node::Bool(value) => one(if value { TRUE } else { FALSE }),
            Node::Constant(_, value) => words::of_value(value.get(), width),
            Node::Not(a) => word(a).into_iter().map(|bit| !bit).collect(),
            Node::And(a, b) => {
                let (a, b) = (word(a), word(b));
                one(self.gates.and(a[0], b[0]))
            }
            Node::Eq(a, b) => {
                let (a, b) = (word(a), word(b));
                one(words::equal(&mut self.gates, &a, &b))
            }
            Node::Ite(c, a, b) => {
                let (c, a, b) = (word(c), word(a), word(b));
                words::ite(&mut self.gates, c[0], &a, &b)
            }
            Node::Bv(op, a, b) => {
                let (a, b) = (word(a), word(b));
                words::operation(&mut self.gates, op, &a, &b)
            }
            Node::Ult(a, b) => {
                let (a, b) = (word(a), word(b));
                one(words::less(&mut self.gates, &a, &b))
            }
            Node::Slt(a, b) => {
                let (a, b) = (word(a), word(b));
                one(words::less_signed(&mut self.gates, &a, &b))
            }
            Node::Extract { low, width, of } => {
                word(of)[usize::from(low)..usize::from(low) + usize::from(width)].to_vec()
            }
            Node::Concat(high, low) => {
                let mut bits = word(low);
                bits.extend(word(high));
                bits
            }
            Node::Sext(width, a) => {
                let mut bits = word(a);
                let sign = bits.last().copied().unwrap_or(FALSE);
                bits.resize(width.into(), sign);
                bits
            }
            Node::Float(..)
            | Node::FloatUnary(..)
            | Node::Fma(..)
            | Node::FloatCompare(..)
            | Node::IsNan(..)
            | Node::FloatConvert(..)
            | Node::FloatToInt { .. }
            | Node::IntToFloat { .. } => return Err(Stop::Float),
        })
    }

    /// The value of a variable where `value` says that of a literal's number; bits that no clause mentions are 0.
    pub(crate) fn value(&self, pool: &Pool, variable: Term, value: impl Fn(i32) -> bool) -> u128 {
        let bits = self.bits_of(pool, variable).iter().enumerate();
        bits.fold(0, |sum, (at, lit)| {
            let set = match self.gates.settled(*lit) {
                Some(settled) => settled,
                None => self.gates.known_number(*lit).is_some_and(&value),
            };
            sum | u128::from(set) << at
        })
    }
}
