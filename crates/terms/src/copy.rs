//! Terms of one pool in another one.

use crate::{Node, Pool, Term, TermMap};

impl Pool {
    /// Terms of another pool in this one. Variables are new; `copies` says which they are, and keeps what was copied for the
    /// next call with terms of the same pool.
    pub fn copy(&mut self, from: &Pool, terms: &[Term], copies: &mut TermMap<Term>) -> Vec<Term> {
        // What was copied before is not walked again: a path's conditions share nearly all of their terms.
        let mut open: Vec<(Term, bool)> = terms.iter().map(|&term| (term, false)).collect();
        while let Some((term, operands_are_there)) = open.pop() {
            if copies.contains(term) {
                continue;
            }
            let node = from.node(term);
            if !operands_are_there {
                open.push((term, true));
                open.extend(node.operands().map(|operand| (operand, false)));
                continue;
            }
            let copy = match *node {
                Node::Variable(number) => self.variable(from.sort(term), from.name(number)),
                Node::Bool(value) => self.bool(value),
                Node::Constant(width, value) => self.constant(width.into(), value.get()),
                _ => {
                    let mut operands = [self.truth(); 3];
                    for (place, operand) in operands.iter_mut().zip(node.operands()) {
                        *place = copies.get(operand).unwrap_or(*place);
                    }
                    self.rebuilt(node, operands)
                }
            };
            copies.insert(term, copy);
        }
        terms.iter().filter_map(|&term| copies.get(term)).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::{Assignment, BvOp, Compare, Pool, Sort, TermMap, evaluate};

    #[test]
    fn a_copy_is_worth_what_it_was_copied_from() {
        let mut from = Pool::new();
        let (x, y) = (from.variable(Sort::BitVec(32), "x"), from.variable(Sort::BitVec(32), "y"));
        let sum = from.bv(BvOp::Add, x, y);
        let less = from.compare(Compare::Slt, sum, x);
        let chosen = from.ite(less, y, sum);
        let mut to = Pool::new();
        let taken = to.variable(Sort::Bool, "taken");
        let mut copies = TermMap::new();
        let copied = to.copy(&from, &[chosen, less], &mut copies);
        assert_eq!(to.copy(&from, &[chosen], &mut copies), copied[..1]);
        for (a, b) in [(3, 4), (7, u128::from(u32::MAX)), (0x7fff_ffff, 1)] {
            let here: Assignment = [(x, a), (y, b)].into_iter().collect();
            let of = |term| copies.get(term).expect("a copy");
            let there: Assignment = [(of(x), a), (of(y), b), (taken, 1)].into_iter().collect();
            assert_eq!(evaluate(&from, chosen, &here), evaluate(&to, copied[0], &there));
            assert_eq!(evaluate(&from, less, &here), evaluate(&to, copied[1], &there));
        }
    }
}
