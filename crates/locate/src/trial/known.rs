//! What is known of a function, for all that is tried in it.

use std::collections::HashSet;
use std::rc::Rc;

use whydunit_dataflow::flow::Flow;
use whydunit_dataflow::{SlotSet, unassigned_at_starts};
use whydunit_model::{Function, Module, Op, Opnd, Scalar, defined, destination};

use super::signs::Signs;

/// What is known of a function, for all of its operations.
pub(crate) struct Known {
    /// Types of its slots, by the operations that define them.
    types: Vec<Option<Scalar>>,
    /// Which of its numbers have a sign.
    pub(super) signs: Signs,
    /// From where it loads and to where it stores values of a type.
    pub(super) addresses: Vec<(Scalar, Opnd)>,
    /// Distances that it adds to pointers.
    pub(super) offsets: Vec<i64>,
    /// Slots that may not have been written where each block begins; none of functions that are too large for that.
    unassigned: Option<Vec<SlotSet>>,
    /// Numbers that the tests state.
    pub(super) numbers: Rc<[i64]>,
}

/// Blocks times slots of a function for which it is worked out what was written where.
const MOST_ASSIGNED: u64 = 1 << 26;

impl Known {
    /// Of a function of a module, and the numbers that failing tests state.
    pub fn of(model: &Function, module: &Module, numbers: &Rc<[i64]>) -> Self {
        let (mut addresses, mut offsets) = (Vec::new(), Vec::new());
        let (mut known, mut distances) = (HashSet::new(), HashSet::new());
        let own = (0..model.code.len()).filter(|&pc| model.is_own(pc));
        for op in own.map(|pc| &model.code[pc]) {
            match op {
                Op::Load { ty, addr, .. } | Op::Store { ty, addr, .. } => {
                    addresses.extend(known.insert((*ty, *addr)).then_some((*ty, *addr)));
                }
                Op::PtrAdd { offset, .. } => offsets.extend(distances.insert(*offset).then_some(*offset)),
                _ => {}
            }
        }
        let is_small = model.blocks.len() as u64 * u64::from(model.slots) <= MOST_ASSIGNED;
        let unassigned = is_small.then(|| unassigned_at_starts(model, &Flow::of(model)));
        let signs = Signs::of(model, &module.types);
        Self { types: types(model), signs, addresses, offsets, unassigned, numbers: Rc::clone(numbers) }
    }

    /// The slots that some way to an operation of the function has not written: what they hold may be anything.
    pub(super) fn unassigned(&self, model: &Function, pc: u32) -> SlotSet {
        let number = model.blocks.partition_point(|block| block.start <= pc).saturating_sub(1);
        let mut slots = match self.unassigned.as_ref().and_then(|all| all.get(number)) {
            Some(slots) => slots.clone(),
            None => {
                let mut all = SlotSet::new(model.slots);
                let is_param = |slot: u32| model.params.iter().any(|param| param.slot == slot);
                (0..model.slots).filter(|slot| !is_param(*slot)).for_each(|slot| all.add(slot));
                all
            }
        };
        let start = model.blocks.get(number).map_or(pc, |block| block.start);
        for (first, words) in (start..pc).filter_map(|pc| defined(model, &model.code[pc as usize])) {
            (first..first + words).for_each(|slot| slots.remove(slot));
        }
        slots
    }

    /// The type of what a slot has, where it is known.
    pub(super) fn slot_type(&self, slot: u32) -> Option<Scalar> {
        self.types.get(slot as usize).copied().flatten()
    }
}

/// Whether a constant of a function is no number of the source: an address.
pub(super) fn is_address(value: u64) -> bool {
    (value as i64).unsigned_abs() >> 40 != 0
}

/// The name of the variable that an operand of a function is the value of, where it has one.
pub(super) fn name(model: &Function, operand: Opnd) -> Option<String> {
    let value = model.debug_values.iter().find(|value| value.value == Some(operand))?;
    model.variables.get(value.variable as usize).map(|variable| variable.name.clone())
}

/// Types of a function's slots, by the operations that define them.
fn types(model: &Function) -> Vec<Option<Scalar>> {
    let mut types = vec![None; model.slots as usize];
    for param in &model.params {
        types[param.slot as usize] = param.leaves.first().copied();
    }
    // Copies of copies take a second and a third look.
    for _ in 0..3 {
        for op in &model.code {
            let ty = match *op {
                Op::Int { w, .. } | Op::IntUnary { w, .. } | Op::FToInt { w, .. } | Op::Funnel { w, .. } => {
                    Some(Scalar::Int(w))
                }
                Op::Trunc { to, .. } | Op::ZExt { to, .. } | Op::SExt { to, .. } => Some(Scalar::Int(to)),
                Op::ICmp { .. } | Op::FCmp { .. } => Some(Scalar::Int(1)),
                Op::Load { ty, .. } | Op::Float { ty, .. } | Op::FloatUnary { ty, .. } | Op::Fma { ty, .. } => Some(ty),
                Op::FConv { to, .. } | Op::IntToF { to, .. } => Some(to),
                Op::PtrAdd { .. } | Op::PtrIndex { .. } | Op::StackAddr { .. } | Op::Alloca { .. } => Some(Scalar::Ptr),
                Op::Call { call } => model.calls[call as usize].ret.first().copied(),
                Op::Copy { a, .. } | Op::Select { a, .. } if !a.is_const() => types[a.index() as usize],
                _ => None,
            };
            let slot = destination(op).or_else(|| defined(model, op).map(|defined| defined.0));
            if let (Some(slot), Some(ty)) = (slot, ty) {
                types[slot as usize].get_or_insert(ty);
            }
        }
    }
    types
}
