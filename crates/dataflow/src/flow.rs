//! Control flow over a function's blocks: successors, dominators, post-dominators, control dependence.
//!
//! Dominators after Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm"; control dependence after Ferrante,
//! Ottenstein and Warren, "The Program Dependence Graph and Its Use in Optimization".

use whydunit_model::{BlockId, Function, Op};

/// No block: of the entry's dominator, of what is not reached, of what post-dominates an exit.
pub const NO_BLOCK: BlockId = BlockId::MAX;

/// The blocks that may follow block `block`, without repetitions, in the terminator's order; where an exception leads comes
/// last.
pub fn successors(function: &Function, block: BlockId) -> Vec<BlockId> {
    let bounds = &function.blocks[block as usize];
    let mut out = Vec::new();
    let mut add = |to: BlockId| {
        if !out.contains(&to) {
            out.push(to);
        }
    };
    match function.code[bounds.start as usize..bounds.end as usize].last() {
        Some(Op::Jump { to }) => add(*to),
        Some(Op::Branch { then, els, .. }) => {
            add(*then);
            add(*els);
        }
        Some(Op::Switch { table, .. }) => {
            let switch = &function.switches[*table as usize];
            let mut targets: Vec<BlockId> = switch.cases.iter().map(|case| case.1).collect();
            targets.sort_unstable();
            targets.dedup();
            targets.into_iter().for_each(&mut add);
            add(switch.default);
        }
        _ => {}
    }
    // A call that an exception may come out of ends its block of the source: only moves and a jump follow.
    for op in &function.code[bounds.start as usize..bounds.end as usize] {
        if let Op::Call { call } = op {
            function.calls[*call as usize].unwind.into_iter().for_each(&mut add);
        }
    }
    out
}

/// Successors and predecessors of all blocks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flow {
    /// By block.
    pub successors: Vec<Vec<BlockId>>,
    /// By block.
    pub predecessors: Vec<Vec<BlockId>>,
}

impl Flow {
    /// Of a function.
    pub fn of(function: &Function) -> Flow {
        Flow::from_successors((0..function.blocks.len()).map(|block| successors(function, block as BlockId)).collect())
    }

    /// Of a graph whose block 0 is the entry.
    pub fn from_successors(successors: Vec<Vec<BlockId>>) -> Flow {
        let mut predecessors = vec![Vec::new(); successors.len()];
        for (from, targets) in successors.iter().enumerate() {
            for &to in targets {
                predecessors[to as usize].push(from as BlockId);
            }
        }
        Flow { successors, predecessors }
    }

    /// The blocks that the entry reaches, each before what it leads to but for the way back in loops.
    pub fn reverse_postorder(&self) -> Vec<BlockId> {
        if self.successors.is_empty() {
            return Vec::new();
        }
        postorder(&self.successors, 0).into_iter().rev().map(|block| block as BlockId).collect()
    }

    /// Immediate dominator of each block; [`NO_BLOCK`] for the entry and for blocks that are not reached.
    pub fn dominators(&self) -> Vec<BlockId> {
        if self.successors.is_empty() {
            return Vec::new();
        }
        let mut tree = immediate(&self.successors, &self.predecessors, 0);
        tree[0] = NO_BLOCK;
        tree
    }

    /// Immediate post-dominator of each block; [`NO_BLOCK`] where only leaving the function follows. Loops that never
    /// end count as if they could leave from their last block.
    pub fn post_dominators(&self) -> Vec<BlockId> {
        let exit = self.successors.len();
        let mut backward = self.predecessors.clone();
        let mut forward = self.successors.clone();
        backward.push(Vec::new());
        forward.push(Vec::new());
        let leave = |block: usize, forward: &mut Vec<Vec<BlockId>>, backward: &mut Vec<Vec<BlockId>>| {
            forward[block].push(exit as BlockId);
            backward[exit].push(block as BlockId);
        };
        for block in 0..exit {
            if self.successors[block].is_empty() {
                leave(block, &mut forward, &mut backward);
            }
        }
        // What cannot reach an exit gets one, from its last block on, so that it has a place in the tree.
        let mut reaches = vec![false; exit + 1];
        mark(&backward, exit, &mut reaches);
        for block in (0..exit).rev() {
            if !reaches[block] {
                leave(block, &mut forward, &mut backward);
                mark(&backward, block, &mut reaches);
            }
        }
        let mut tree = immediate(&backward, &forward, exit);
        tree.pop();
        for parent in &mut tree {
            if *parent as usize == exit {
                *parent = NO_BLOCK;
            }
        }
        tree
    }

    /// For each block, the blocks whose branch decides whether it runs (direct control dependence), sorted.
    pub fn control_dependence(&self) -> Vec<Vec<BlockId>> {
        let tree = self.post_dominators();
        let mut out = vec![Vec::new(); self.successors.len()];
        for (block, targets) in self.successors.iter().enumerate() {
            if targets.len() < 2 {
                continue;
            }
            for &target in targets {
                let mut current = target;
                while current != NO_BLOCK && current != tree[block] {
                    out[current as usize].push(block as BlockId);
                    current = tree[current as usize];
                }
            }
        }
        for deciders in &mut out {
            deciders.sort_unstable();
            deciders.dedup();
        }
        out
    }
}

/// Whether `a` dominates `b` (or is it) in a tree of immediate dominators.
pub fn dominates(tree: &[BlockId], a: BlockId, b: BlockId) -> bool {
    let mut current = b;
    loop {
        if current == a {
            return true;
        }
        match tree.get(current as usize) {
            Some(&parent) if parent != NO_BLOCK => current = parent,
            _ => return false,
        }
    }
}

fn mark(edges: &[Vec<BlockId>], from: usize, seen: &mut [bool]) {
    let mut stack = vec![from];
    while let Some(block) = stack.pop() {
        if !std::mem::replace(&mut seen[block], true) {
            stack.extend(edges[block].iter().map(|&next| next as usize));
        }
    }
}

/// What is reached from `root`, each after what it leads to but for the way back in loops.
fn postorder(forward: &[Vec<BlockId>], root: usize) -> Vec<usize> {
    // Without recursion: functions may have many thousand blocks.
    let mut order = Vec::with_capacity(forward.len());
    let mut seen = vec![false; forward.len()];
    let mut stack = vec![(root, 0)];
    seen[root] = true;
    while let Some((block, next)) = stack.pop() {
        match forward[block].get(next) {
            Some(&target) => {
                stack.push((block, next + 1));
                if !std::mem::replace(&mut seen[target as usize], true) {
                    stack.push((target as usize, 0));
                }
            }
            None => order.push(block),
        }
    }
    order
}

/// Immediate dominators from `root`; the root is its own, blocks that are not reached have [`NO_BLOCK`].
fn immediate(forward: &[Vec<BlockId>], backward: &[Vec<BlockId>], root: usize) -> Vec<BlockId> {
    let order = postorder(forward, root);
    let mut rank = vec![usize::MAX; forward.len()];
    for (position, &block) in order.iter().enumerate() {
        rank[block] = position;
    }
    let mut tree = vec![NO_BLOCK; forward.len()];
    tree[root] = root as BlockId;
    let mut changed = true;
    while changed {
        changed = false;
        for &block in order.iter().rev().skip(1) {
            let mut parent = NO_BLOCK;
            for &from in &backward[block] {
                if tree[from as usize] != NO_BLOCK {
                    parent = if parent == NO_BLOCK { from } else { meet(&tree, &rank, parent, from) };
                }
            }
            if parent != tree[block] {
                tree[block] = parent;
                changed = true;
            }
        }
    }
    tree
}

fn meet(tree: &[BlockId], rank: &[usize], mut a: BlockId, mut b: BlockId) -> BlockId {
    while a != b {
        while rank[a as usize] < rank[b as usize] {
            a = tree[a as usize];
        }
        while rank[b as usize] < rank[a as usize] {
            b = tree[b as usize];
        }
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    const N: BlockId = NO_BLOCK;

    fn flow(edges: &[&[BlockId]]) -> Flow {
        Flow::from_successors(edges.iter().map(|targets| targets.to_vec()).collect())
    }

    #[test]
    fn a_diamond_in_a_loop() {
        // 0 -> 1; 1 -> 2 | 5; 2 -> 3 | 4; 3 -> 4; 4 -> 1
        let flow = flow(&[&[1], &[2, 5], &[3, 4], &[4], &[1], &[]]);
        assert_eq!(flow.dominators(), [N, 0, 1, 2, 2, 1]);
        assert_eq!(flow.post_dominators(), [1, 5, 4, 4, 1, N]);
        let dependence = flow.control_dependence();
        assert_eq!(dependence, [vec![], vec![1], vec![1], vec![2], vec![1], vec![]]);
        assert!(dominates(&flow.dominators(), 1, 3) && !dominates(&flow.dominators(), 3, 4));
    }

    #[test]
    fn several_exits_and_unreached_blocks() {
        // 0 -> 1 | 2; 1 returns; 2 returns; 3 -> 2 is not reached.
        let flow = flow(&[&[1, 2], &[], &[], &[2]]);
        assert_eq!(flow.dominators(), [N, 0, 0, N]);
        assert_eq!(flow.post_dominators(), [N, N, N, 2]);
        assert_eq!(flow.control_dependence(), [vec![], vec![0], vec![0], vec![]]);
    }

    #[test]
    fn a_loop_without_end_has_post_dominators_too() {
        // 0 -> 1 | 3; 1 -> 2; 2 -> 1; 3 returns.
        let flow = flow(&[&[1, 3], &[2], &[1], &[]]);
        assert_eq!(flow.post_dominators(), [N, 2, N, N]);
        assert_eq!(flow.control_dependence()[1], [0]);
        assert!(Flow::default().dominators().is_empty());
    }

    #[test]
    fn irreducible_graphs_settle() {
        // 0 -> 1 | 2; 1 -> 2; 2 -> 1 | 3.
        let flow = flow(&[&[1, 2], &[2], &[1, 3], &[]]);
        assert_eq!(flow.dominators(), [N, 0, 0, 2]);
        assert_eq!(flow.post_dominators(), [2, 2, 3, N]);
    }

    /// Against the definition: a dominates b when b is not reached without a.
    #[test]
    fn random_graphs_agree_with_the_definition() {
        let mut state = 12345u32;
        let mut next = move |below: usize| {
            state = state.wrapping_mul(1664525).wrapping_add(1013904223);
            (state >> 16) as usize % below
        };
        for _ in 0..200 {
            let n = 2 + next(9);
            let edges: Vec<Vec<BlockId>> = (0..n).map(|_| (0..next(3)).map(|_| next(n) as BlockId).collect()).collect();
            let graph = Flow::from_successors(edges);
            let tree = graph.dominators();
            let mut reached = vec![false; n];
            mark(&graph.successors, 0, &mut reached);
            for a in 0..n {
                let mut around = vec![false; n];
                around[a] = true;
                if a != 0 {
                    mark(&graph.successors, 0, &mut around);
                }
                for b in (0..n).filter(|&b| reached[b]) {
                    let expected = a == b || reached[a] && !around[b];
                    assert_eq!(dominates(&tree, a as BlockId, b as BlockId), expected, "{graph:?} {a} {b}");
                }
            }
        }
    }
}
