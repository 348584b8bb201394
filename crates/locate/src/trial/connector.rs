//! `&&` in the place of `||`, and the other way round: where the first operand decides, the second one is asked, and where it
//! asked the second one, it decides.

use std::collections::HashSet;

use whydunit_dataflow::flow::successors;
use whydunit_model::{Block, BlockId, Function, Op, Slot, defined, for_each_read};

/// The other connector in the place of one: how the source has written both, and where the branch on the first operand goes
/// then when it holds, and when it does not.
pub(super) struct Connected {
    pub was: &'static str,
    pub now: &'static str,
    pub then: BlockId,
    pub els: BlockId,
}

/// Of a branch that goes to `then` or to `els`; none where it is no first operand. `a && b` branches to where both fail, or to
/// a block that only works out `b` and branches on.
pub(super) fn connected(model: &Function, then: BlockId, els: BlockId) -> Option<Connected> {
    let of = |second: BlockId, outer: BlockId| {
        let bounds = model.blocks.get(second as usize)?;
        let Op::Branch { then: on, els: off, .. } = *model.code.get(bounds.end as usize - 1)? else { return None };
        let (inner, is_and) = match outer {
            _ if on == off || outer == second => return None,
            _ if alike(model, outer, off) => (on, true),
            _ if alike(model, outer, on) => (off, false),
            _ => return None,
        };
        // Where others come to the second operand, too, there are more connectors, and this one binds no closer than they do.
        (!leaves_values(model, second) && comes_to(model, second) == 1).then_some((inner, is_and))
    };
    let (then, els, is_and) = match (of(then, els), of(els, then)) {
        // Where it went to the second operand it decides; where it decided it goes to the second operand.
        (Some((inner, is_and)), _) => (inner, then, is_and),
        (_, Some((inner, is_and))) => (els, inner, is_and),
        _ => return None,
    };
    let (was, now) = if is_and { ("&&", "||") } else { ("||", "&&") };
    Some(Connected { was, now, then, els })
}

/// How many blocks go to one.
fn comes_to(model: &Function, block: BlockId) -> usize {
    (0..model.blocks.len() as BlockId).filter(|from| successors(model, *from).contains(&block)).count()
}

fn code<'a>(model: &'a Function, block: &Block) -> &'a [Op] {
    &model.code[block.start as usize..block.end as usize]
}

/// Whether two blocks do the same: one block, or the same values carried to the same place.
fn alike(model: &Function, a: BlockId, b: BlockId) -> bool {
    let carries = |ops: &[Op]| ops.iter().all(|op| matches!(op, Op::Copy { .. } | Op::Jump { .. }));
    let of = |block: BlockId| model.blocks.get(block as usize).map(|block| code(model, block)).unwrap_or_default();
    a == b || of(a) == of(b) && carries(of(a))
}

/// Whether other blocks read what a block leaves in slots.
fn leaves_values(model: &Function, block: BlockId) -> bool {
    let own = &model.blocks[block as usize];
    let made: HashSet<Slot> = code(model, own)
        .iter()
        .filter_map(|op| defined(model, op))
        .flat_map(|(slot, words)| slot..slot + words)
        .collect();
    let others = model.blocks.iter().enumerate().filter(|(number, _)| *number != block as usize);
    others.map(|(_, other)| other).any(|other| {
        let mut open = made.clone();
        code(model, other).iter().any(|op| {
            let mut reads = false;
            for_each_read(model, op, |slot| reads |= open.contains(&slot));
            if let Some((first, words)) = defined(model, op) {
                open.retain(|slot| !(first..first + words).contains(slot));
            }
            reads
        })
    })
}
