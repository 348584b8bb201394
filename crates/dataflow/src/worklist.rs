//! Data-flow problems over one function, and the worklist that solves them (Kildall, "A Unified Approach to Global Program
//! Optimization"; blocks in reverse postorder as in Cooper, Harvey and Kennedy, "Iterative Data-Flow Analysis, Revisited").

use std::collections::BTreeSet;

use whydunit_model::{BlockId, Function};

use crate::flow::Flow;

/// Facts that can be joined where paths meet.
pub trait Lattice: Clone {
    /// Takes in another fact. True where that changed this one. Whatever is joined, a fact may change only finitely often.
    fn join(&mut self, other: &Self) -> bool;
}

/// Which way facts flow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// From the entry on.
    Forward,
    /// From the exits back.
    Backward,
}

/// A data-flow problem.
pub trait Problem {
    /// What is known at a place of the code.
    type Fact: Lattice;
    /// Which way facts flow.
    const DIRECTION: Direction;
    /// What is known of a place that no path has reached: the least fact.
    fn bottom(&self, function: &Function) -> Self::Fact;
    /// What is known at the function's entry, or, of a backward problem, at its exits.
    fn boundary(&self, function: &Function) -> Self::Fact;
    /// What operation `pc` makes of a fact: of what holds before it, or, backwards, after it. Monotone.
    fn transfer(&self, function: &Function, pc: u32, fact: &mut Self::Fact);
}

/// What holds at the borders of each block.
#[derive(Clone, Debug)]
pub struct Solution<F> {
    /// Before a block's first operation, by block.
    pub before: Vec<F>,
    /// After a block's last operation, by block.
    pub after: Vec<F>,
}

/// Solves a problem: the least solution of its equations.
pub fn solve<P: Problem>(function: &Function, flow: &Flow, problem: &P) -> Solution<P::Fact> {
    let blocks = function.blocks.len();
    let forward = P::DIRECTION == Direction::Forward;
    let mut before = vec![problem.bottom(function); blocks];
    let mut after = before.clone();
    // Where a fact comes into a block, where it goes out, and to which blocks.
    let (into, out, next) = match forward {
        true => (&mut before, &mut after, &flow.successors),
        false => (&mut after, &mut before, &flow.predecessors),
    };
    let boundary = problem.boundary(function);
    for (block, fact) in into.iter_mut().enumerate() {
        let at_boundary = if forward { block == 0 } else { flow.successors[block].is_empty() };
        if at_boundary {
            fact.join(&boundary);
        }
    }
    let order = flow.reverse_postorder();
    let mut rank = vec![usize::MAX; blocks];
    let ordered = order.iter().enumerate();
    ordered.for_each(|(place, &block)| rank[block as usize] = if forward { place } else { blocks - place });
    // Blocks that nothing reaches come last: they have a solution, too.
    let mut todo: BTreeSet<(usize, BlockId)> =
        (0..blocks as BlockId).map(|block| (rank[block as usize], block)).collect();
    while let Some((_, block)) = todo.pop_first() {
        let bounds = &function.blocks[block as usize];
        let mut fact = into[block as usize].clone();
        match forward {
            true => (bounds.start..bounds.end).for_each(|pc| problem.transfer(function, pc, &mut fact)),
            false => (bounds.start..bounds.end).rev().for_each(|pc| problem.transfer(function, pc, &mut fact)),
        }
        for &to in &next[block as usize] {
            if into[to as usize].join(&fact) {
                todo.insert((rank[to as usize], to));
            }
        }
        out[block as usize] = fact;
    }
    Solution { before, after }
}
