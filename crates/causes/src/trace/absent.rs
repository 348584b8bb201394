//! What branches of a trace left out, by where it would have been stored.

use std::collections::{HashMap, VecDeque};

use whydunit_replay::At;

use super::Trace;
use crate::left_out::Stores;
use crate::nodes::NodeId;

/// Of so many branches one place of memory knows, the latest.
const KEPT: usize = 32;
/// So many are told of a value.
const TOLD: usize = 4;

/// A store that a branch left out.
#[derive(Clone, Copy, Debug)]
struct Left {
    branch: NodeId,
    address: u64,
    bytes: u32,
    pc: u32,
}

/// What the branches of a trace left out.
#[derive(Default)]
pub(crate) struct Absent {
    stores: Stores,
    /// By the eight bytes in which it begins.
    by_place: HashMap<u64, VecDeque<Left>>,
}

impl Absent {
    pub fn clear(&mut self) {
        self.by_place.clear();
    }
}

impl Trace {
    /// The same trace, which tells what branches left out.
    pub fn with_left_out(self) -> Self {
        Self { absent: Some(Absent::default()), ..self }
    }

    /// A branch has led from one block to another: what it left out is noted.
    #[cold]
    #[inline(never)]
    pub(super) fn note_left_out(&mut self, at: At<'_>, from: u32, to: u32) {
        let branch = self.branches.get(self.now.branches + from as usize).copied();
        let (Some(absent), Some(branch)) = (&mut self.absent, branch) else { return };
        let sides = absent.stores.of(at.code, at.function);
        let left = sides.get(&from).and_then(|sides| sides.iter().find(|(taken, _)| *taken == to));
        for store in left.iter().flat_map(|(_, left)| left.iter()) {
            let Some(address) = store.address(&at) else { continue };
            let all = absent.by_place.entry(address / 8).or_default();
            if all.len() == KEPT {
                all.pop_front();
            }
            all.push_back(Left { branch, address, bytes: store.bytes, pc: store.pc });
        }
    }

    /// The branches that were executed between two nodes and left out a store to a place, the latest first, and the store, or the call that leads to
    /// it: of each store the latest.
    pub(crate) fn left_out(&self, (address, bytes): (u64, u64), from: NodeId, until: NodeId) -> Vec<(NodeId, u32)> {
        let Some(absent) = &self.absent else { return Vec::new() };
        let end = address.wrapping_add(bytes.max(1));
        let overlaps = |left: &&Left| left.address < end && left.address.wrapping_add(left.bytes.into()) > address;
        let between =
            |left: &&Left| left.branch > from && left.branch < until && self.nodes.kept(left.branch) == left.branch;
        let places = (address / 8).saturating_sub(1)..=end / 8;
        let found = places.filter_map(|place| absent.by_place.get(&place)).flatten();
        let mut found: Vec<&Left> = found.filter(overlaps).filter(between).collect();
        found.sort_unstable_by_key(|left| std::cmp::Reverse(left.branch));
        let mut out: Vec<(NodeId, u32)> = Vec::new();
        for left in found {
            let function = self.node(left.branch).function;
            if !out.iter().any(|(branch, pc)| (self.node(*branch).function, *pc) == (function, left.pc)) {
                out.push((left.branch, left.pc));
            }
        }
        out.truncate(TOLD);
        out
    }
}
