//! Trees and lists of libstdc++ in free runs: what its compiled part does for `std::map`, `std::set` and `std::list`. The
//! nodes' layout is part of its binary interface; the algorithms are the textbook's for red-black trees (Cormen et al.,
//! "Introduction to Algorithms", chapter 13).

use std::collections::BTreeMap;

use crate::memory::Memory;

/// Where a node of a tree has its colour, an `int`, and its pointers. The header's parent is the root, its left and right
/// are the first and the last node.
const COLOUR: u64 = 0;
const PARENT: u64 = 8;
const LEFT: u64 = 16;
const RIGHT: u64 = 24;
const RED: u64 = 0;
const BLACK: u64 = 1;

/// Where a node of a list has its pointers.
const NEXT: u64 = 0;
const PREVIOUS: u64 = 8;

/// Steps after which memory is taken for something else than a tree.
const MOST_STEPS: u32 = 100_000;

/// What a call comes to.
pub(crate) struct Done {
    /// Bytes that it writes.
    pub writes: Vec<(u64, Vec<u8>)>,
    pub result: u64,
}

/// Computes a call; none where there is no model. `Err` is an address of which nothing is known.
pub(crate) fn call(
    memory: &Memory,
    knows: &dyn Fn(u64) -> bool,
    name: &str,
    args: &[u64],
) -> Option<Result<Done, u64>> {
    let function = name.strip_prefix("_ZSt").or_else(|| name.strip_prefix("_ZNSt8__detail15_List_node_base"))?;
    let arg = |n: usize| args.get(n).copied().unwrap_or(0);
    let mut nodes = Nodes { memory, knows, changed: BTreeMap::new(), steps: 0 };
    let result = match function {
        "18_Rb_tree_incrementPSt18_Rb_tree_node_base" | "18_Rb_tree_incrementPKSt18_Rb_tree_node_base" => {
            nodes.increment(arg(0))
        }
        "18_Rb_tree_decrementPSt18_Rb_tree_node_base" | "18_Rb_tree_decrementPKSt18_Rb_tree_node_base" => {
            nodes.decrement(arg(0))
        }
        "29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_" => {
            nodes.insert(arg(0) & 1 == 1, arg(1), arg(2), arg(3)).map(|()| 0)
        }
        "28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_" => nodes.erase(arg(0), arg(1)),
        "7_M_hookEPS0_" => nodes.hook(arg(0), arg(1)).map(|()| 0),
        "9_M_unhookEv" => nodes.unhook(arg(0)).map(|()| 0),
        _ => return None,
    };
    let writes = |nodes: Nodes<'_>| {
        let bytes = |(address, value): (u64, u64), size: usize| (address, value.to_le_bytes()[..size].to_vec());
        nodes.changed.into_iter().map(|(address, (value, size))| bytes((address, value), size)).collect()
    };
    Some(result.map(|result| Done { writes: writes(nodes), result }))
}

struct Nodes<'a> {
    memory: &'a Memory,
    knows: &'a dyn Fn(u64) -> bool,
    /// Values and their sizes.
    changed: BTreeMap<u64, (u64, usize)>,
    steps: u32,
}

type Known<T> = Result<T, u64>;

/// The other side.
fn other(side: u64) -> u64 {
    if side == LEFT { RIGHT } else { LEFT }
}

impl Nodes<'_> {
    fn get(&mut self, node: u64, field: u64) -> Known<u64> {
        let at = node.wrapping_add(field);
        self.steps += 1;
        if let Some(&(value, _)) = self.changed.get(&at) {
            return Ok(value);
        }
        if self.steps > MOST_STEPS || node == 0 || !(self.knows)(at) {
            return Err(at);
        }
        Ok(self.memory.read_uint(at, if field == COLOUR { 4 } else { 8 }))
    }

    fn set(&mut self, node: u64, field: u64, value: u64) {
        self.changed.insert(node.wrapping_add(field), (value, 8));
    }

    fn colour(&mut self, node: u64) -> Known<u64> {
        if node == 0 { Ok(BLACK) } else { self.get(node, COLOUR) }
    }

    fn paint(&mut self, node: u64, colour: u64) {
        if node != 0 {
            self.changed.insert(node.wrapping_add(COLOUR), (colour, 4));
        }
    }

    /// The node of a subtree that is outermost on a side.
    fn outermost(&mut self, mut node: u64, side: u64) -> Known<u64> {
        loop {
            match self.get(node, side)? {
                0 => return Ok(node),
                child => node = child,
            }
        }
    }

    fn increment(&mut self, mut node: u64) -> Known<u64> {
        let right = self.get(node, RIGHT)?;
        if right != 0 {
            return self.outermost(right, LEFT);
        }
        let mut above = self.get(node, PARENT)?;
        while self.get(above, RIGHT)? == node {
            (node, above) = (above, self.get(above, PARENT)?);
        }
        // From the last node, where the root has no right child, the climb ends in the header itself.
        Ok(if self.get(node, RIGHT)? == above { node } else { above })
    }

    fn decrement(&mut self, mut node: u64) -> Known<u64> {
        let parent = self.get(node, PARENT)?;
        if self.colour(node)? == RED && parent != 0 && self.get(parent, PARENT)? == node {
            // The header: behind the last node.
            return self.get(node, RIGHT);
        }
        let left = self.get(node, LEFT)?;
        if left != 0 {
            return self.outermost(left, RIGHT);
        }
        let mut above = parent;
        while self.get(above, LEFT)? == node {
            (node, above) = (above, self.get(above, PARENT)?);
        }
        Ok(above)
    }

    /// `new` stands where `old` stood below its parent.
    fn replace(&mut self, old: u64, new: u64, header: u64) -> Known<()> {
        let parent = self.get(old, PARENT)?;
        if self.get(header, PARENT)? == old {
            self.set(header, PARENT, new);
        } else if self.get(parent, LEFT)? == old {
            self.set(parent, LEFT, new);
        } else {
            self.set(parent, RIGHT, new);
        }
        Ok(())
    }

    /// A node goes down on this side, its child on the other one comes up.
    fn rotate(&mut self, node: u64, side: u64, header: u64) -> Known<()> {
        let up = self.get(node, other(side))?;
        let middle = self.get(up, side)?;
        self.set(node, other(side), middle);
        if middle != 0 {
            self.set(middle, PARENT, node);
        }
        let parent = self.get(node, PARENT)?;
        self.replace(node, up, header)?;
        self.set(up, PARENT, parent);
        self.set(up, side, node);
        self.set(node, PARENT, up);
        Ok(())
    }

    /// A new node below `parent`.
    fn insert(&mut self, left: bool, mut node: u64, parent: u64, header: u64) -> Known<()> {
        self.set(node, PARENT, parent);
        self.set(node, LEFT, 0);
        self.set(node, RIGHT, 0);
        self.paint(node, RED);
        let side = if left { LEFT } else { RIGHT };
        let outermost = parent == header || self.get(header, side)? == parent;
        if parent == header {
            self.set(header, PARENT, node);
            self.set(header, LEFT, node);
            self.set(header, RIGHT, node);
        } else {
            self.set(parent, side, node);
        }
        if outermost {
            self.set(header, side, node);
        }
        loop {
            let root = self.get(header, PARENT)?;
            let parent = self.get(node, PARENT)?;
            if node == root || self.colour(parent)? == BLACK {
                self.paint(root, BLACK);
                return Ok(());
            }
            let above = self.get(parent, PARENT)?;
            let side = if self.get(above, LEFT)? == parent { LEFT } else { RIGHT };
            let uncle = self.get(above, other(side))?;
            self.paint(above, RED);
            if self.colour(uncle)? == RED {
                self.paint(parent, BLACK);
                self.paint(uncle, BLACK);
                node = above;
                continue;
            }
            let mut top = parent;
            if self.get(parent, other(side))? == node {
                self.rotate(parent, side, header)?;
                (top, node) = (node, parent);
            }
            self.paint(top, BLACK);
            self.rotate(above, other(side), header)?;
        }
    }

    /// Takes a node out of its tree; the node.
    fn erase(&mut self, node: u64, header: u64) -> Known<u64> {
        let (left, right) = (self.get(node, LEFT)?, self.get(node, RIGHT)?);
        let parent = self.get(node, PARENT)?;
        let (child, below, gone);
        if left != 0 && right != 0 {
            // The next node takes its place.
            let next = self.outermost(right, LEFT)?;
            child = self.get(next, RIGHT)?;
            gone = self.colour(next)?;
            self.set(left, PARENT, next);
            self.set(next, LEFT, left);
            below = if next == right { next } else { self.get(next, PARENT)? };
            if next != right {
                self.set(below, LEFT, child);
                if child != 0 {
                    self.set(child, PARENT, below);
                }
                self.set(next, RIGHT, right);
                self.set(right, PARENT, next);
            }
            self.replace(node, next, header)?;
            self.set(next, PARENT, parent);
            let colour = self.colour(node)?;
            self.paint(next, colour);
        } else {
            child = if left == 0 { right } else { left };
            below = parent;
            gone = self.colour(node)?;
            if child != 0 {
                self.set(child, PARENT, parent);
            }
            self.replace(node, child, header)?;
            for side in [LEFT, RIGHT] {
                if self.get(header, side)? == node {
                    let now = if child == 0 { parent } else { self.outermost(child, side)? };
                    self.set(header, side, now);
                }
            }
        }
        if gone == BLACK {
            self.blacken(child, below, header)?;
        }
        Ok(node)
    }

    /// Ways through `node`, which may be none, below `parent` have one black node too few.
    fn blacken(&mut self, mut node: u64, mut parent: u64, header: u64) -> Known<()> {
        while node != self.get(header, PARENT)? && self.colour(node)? == BLACK {
            let side = if self.get(parent, LEFT)? == node { LEFT } else { RIGHT };
            let mut sibling = self.get(parent, other(side))?;
            if self.colour(sibling)? == RED {
                self.paint(sibling, BLACK);
                self.paint(parent, RED);
                self.rotate(parent, side, header)?;
                sibling = self.get(parent, other(side))?;
            }
            let (near, far) = (self.get(sibling, side)?, self.get(sibling, other(side))?);
            if self.colour(near)? == BLACK && self.colour(far)? == BLACK {
                self.paint(sibling, RED);
                (node, parent) = (parent, self.get(parent, PARENT)?);
                continue;
            }
            if self.colour(far)? == BLACK {
                self.paint(near, BLACK);
                self.paint(sibling, RED);
                self.rotate(sibling, other(side), header)?;
                sibling = near;
            }
            let (colour, far) = (self.colour(parent)?, self.get(sibling, other(side))?);
            self.paint(sibling, colour);
            self.paint(parent, BLACK);
            self.paint(far, BLACK);
            self.rotate(parent, side, header)?;
            break;
        }
        self.paint(node, BLACK);
        Ok(())
    }

    /// A new node of a list before another one.
    fn hook(&mut self, node: u64, before: u64) -> Known<()> {
        let previous = self.get(before, PREVIOUS)?;
        self.set(node, NEXT, before);
        self.set(node, PREVIOUS, previous);
        self.set(previous, NEXT, node);
        self.set(before, PREVIOUS, node);
        Ok(())
    }

    /// Takes a node out of its list.
    fn unhook(&mut self, node: u64) -> Known<()> {
        let (next, previous) = (self.word(node, NEXT)?, self.get(node, PREVIOUS)?);
        self.set(previous, NEXT, next);
        self.set(next, PREVIOUS, previous);
        Ok(())
    }

    /// A pointer that stands where a node of a tree has its colour.
    fn word(&mut self, node: u64, field: u64) -> Known<u64> {
        let at = node.wrapping_add(field);
        if (self.knows)(at) { Ok(self.memory.read_uint(at, 8)) } else { Err(at) }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    const HEADER: u64 = 0x1_0000;
    /// Where a node's key is.
    const KEY: u64 = 32;

    fn run(memory: &mut Memory, name: &str, args: &[u64]) -> u64 {
        let done = call(memory, &|at| at >= HEADER, name, args).expect("it has a model").expect("it is known");
        done.writes.iter().for_each(|(address, bytes)| memory.write_from(*address, bytes));
        done.result
    }

    fn node(key: u64) -> u64 {
        HEADER + 0x100 + key * 0x40
    }

    /// Goes down to where a key belongs: the parent, and whether it belongs to its left.
    fn place(memory: &Memory, key: u64) -> (u64, bool) {
        let (mut parent, mut left, mut at) = (HEADER, true, memory.read_word(HEADER + PARENT));
        while at != 0 {
            left = key < memory.read_word(at + KEY);
            (parent, at) = (at, memory.read_word(at + if left { LEFT } else { RIGHT }));
        }
        (parent, left)
    }

    /// Black nodes on all ways down; no red node has a red child, and children know their parents.
    fn black_height(memory: &Memory, node: u64) -> u64 {
        if node == 0 {
            return 1;
        }
        let red = memory.read_uint(node, 4) == RED;
        let heights = [LEFT, RIGHT].map(|side| {
            let child = memory.read_word(node + side);
            if child != 0 {
                assert_eq!(memory.read_word(child + PARENT), node);
                assert!(!(red && memory.read_uint(child, 4) == RED), "a red node has a red child");
            }
            black_height(memory, child)
        });
        assert_eq!(heights[0], heights[1]);
        heights[0] + u64::from(!red)
    }

    proptest! {
        #[test]
        fn trees_stay_sorted_and_balanced(operations in prop::collection::vec((any::<bool>(), 0..40u64), 1..200)) {
            let mut memory = Memory::new();
            for (field, value) in [(PARENT, 0), (LEFT, HEADER), (RIGHT, HEADER)] {
                memory.write_uint(HEADER + field, 8, value);
            }
            memory.write_uint(HEADER, 4, RED);
            let mut keys = BTreeMap::new();
            for (add, key) in operations {
                if add && keys.insert(key, ()).is_none() {
                    let (parent, left) = place(&memory, key);
                    memory.write_uint(node(key) + KEY, 8, key);
                    let name = "_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_";
                    run(&mut memory, name, &[left.into(), node(key), parent, HEADER]);
                } else if !add && keys.remove(&key).is_some() {
                    let name = "_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_";
                    assert_eq!(run(&mut memory, name, &[node(key), HEADER]), node(key));
                }
                black_height(&memory, memory.read_word(HEADER + PARENT));
                let (mut at, mut forward) = (memory.read_word(HEADER + LEFT), Vec::new());
                while at != HEADER {
                    forward.push(memory.read_word(at + KEY));
                    at = run(&mut memory, "_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base", &[at]);
                }
                let mut backward = Vec::new();
                for _ in 0..keys.len() {
                    at = run(&mut memory, "_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base", &[at]);
                    backward.push(memory.read_word(at + KEY));
                }
                backward.reverse();
                let expected: Vec<u64> = keys.keys().copied().collect();
                assert_eq!((&forward, &backward), (&expected, &expected));
            }
        }
    }

    #[test]
    fn nodes_come_into_lists_and_go() {
        let mut memory = Memory::new();
        let [header, first, second] = [HEADER, node(1), node(2)];
        memory.write_uint(header + NEXT, 8, header);
        memory.write_uint(header + PREVIOUS, 8, header);
        for new in [first, second] {
            run(&mut memory, "_ZNSt8__detail15_List_node_base7_M_hookEPS0_", &[new, header]);
        }
        let follow = |memory: &Memory, field| {
            [0; 3].map({
                let mut at = header;
                move |_: i32| {
                    at = memory.read_word(at + field);
                    at
                }
            })
        };
        assert_eq!(follow(&memory, NEXT), [first, second, header]);
        assert_eq!(follow(&memory, PREVIOUS), [second, first, header]);
        run(&mut memory, "_ZNSt8__detail15_List_node_base9_M_unhookEv", &[first]);
        assert_eq!(follow(&memory, NEXT), [second, header, second]);
    }

    #[test]
    fn what_is_no_tree_is_left_alone() {
        let memory = Memory::new();
        let increment = "_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base";
        assert!(call(&memory, &|_| false, increment, &[HEADER]).is_some_and(|done| done.is_err()));
        // A node of zeros.
        assert!(call(&memory, &|_| true, increment, &[HEADER]).is_some_and(|done| done.is_err()));
        assert!(call(&memory, &|_| true, "_ZSt4cout", &[]).is_none());
    }
}
