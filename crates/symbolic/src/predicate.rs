//! The failed predicate as a formula: what should have held at the failure point.

use whydunit_library::{Allocation, Reads, Size, Writes, lookup};
use whydunit_model::checks::{Check, Fails};
use whydunit_model::{Call, IntOp, Op, Opnd, Scalar};
use whydunit_replay::{At, External, Machine};
use whydunit_terms::{BvOp, Compare, Term};

use crate::question::{Predicate, Range};
use crate::semantics::meaning;
use crate::state::{Here, State};
use crate::unsaid::Unsaid;

/// Adds that the failed predicate holds.
pub(crate) fn predicate(machine: &Machine, state: &mut State<'_>) {
    let at = machine.at();
    let op = at.op();
    let holds = match state.failing.point.predicate.clone() {
        Predicate::NotReached => None,
        Predicate::Prints(expected) => state.prints(&at, &expected),
        Predicate::Status(status) => {
            let operand = match op {
                Op::Return { n, a } if *n > 0 => Some(*a),
                Op::Call { call } => at.model.calls[*call as usize].args.first().map(|arg| arg.value),
                _ => None,
            };
            operand.map(|operand| {
                let value = state.word(&at, operand, 8);
                let wanted = state.pool.constant(8, (status as u8).into());
                state.pool.eq(value, wanted)
            })
        }
        Predicate::Check(check) => state.check_holds(&at, check),
        Predicate::Division => {
            let divides = matches!(op, Op::Int { op: IntOp::UDiv | IntOp::SDiv | IntOp::URem | IntOp::SRem, .. });
            let mut here = Here { at: &at, slots: &state.slots };
            let conditions = meaning(&mut state.pool, &mut here, op).map(|meaning| meaning.conditions);
            conditions.filter(|_| divides).map(|conditions| state.pool.all(&conditions))
        }
        Predicate::Pointer => state.points(&at, op),
        Predicate::Inside(range) => state.inside(&at, &range),
        Predicate::Alive(range) => state.alive(&at, &range),
        Predicate::Freeable(_) => state.freeable(&at),
    };
    if holds.is_none() && !matches!(state.failing.point.predicate, Predicate::NotReached | Predicate::Prints(_)) {
        state.unsaid.insert(Unsaid::Predicate);
    }
    let holds = holds.unwrap_or_else(|| state.pool.falsity());
    let reach = state.reach();
    let condition = state.pool.implies(reach, holds);
    state.hard.push(condition);
}

/// An access at the failure point.
struct Access {
    pointer: Term,
    /// Bytes.
    length: Term,
}

/// Arguments of a call that are pointers.
fn pointers(call: &Call) -> impl Iterator<Item = Opnd> + '_ {
    call.args.iter().filter(|arg| arg.leaves.first() == Some(&Scalar::Ptr)).map(|arg| arg.value)
}

/// How much memory a function of the C library works on, by its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Extent {
    /// As much as this.
    Exactly(Size),
    /// At most as much as this.
    AtMost(Size),
    /// The text that an argument points to, with its end.
    Text(usize),
}

impl Extent {
    /// Of the memory that the function called `name` writes, or else reads.
    fn of(name: &str, write: bool) -> Option<Self> {
        let known = lookup(name)?;
        if write {
            return known.writes().find_map(|writes| match writes {
                Writes::Bytes(_, size) => Some(Self::Exactly(size)),
                Writes::UpTo(_, size) => Some(Self::AtMost(size)),
                Writes::Copy(_, from) | Writes::Append(_, from) => Some(Self::Text(from)),
                _ => None,
            });
        }
        known.reads().find_map(|reads| match reads {
            Reads::Bytes(_, size) => Some(Self::Exactly(size)),
            Reads::UpTo(_, size) => Some(Self::AtMost(size)),
            _ => None,
        })
    }
}

/// Whether a function reads a text, at most up to its end.
fn reads_text(name: &str) -> bool {
    lookup(name).is_some_and(|known| known.reads().any(|reads| matches!(reads, Reads::Text(_) | Reads::Number(_))))
}

impl State<'_> {
    /// When the call at the failure point says of a check that it holds; `None` where texts say that.
    fn check_holds(&mut self, at: &At<'_>, check: &Check) -> Option<Term> {
        let Op::Call { call } = *at.op() else { return None };
        let args = &at.model.calls[call as usize].args;
        let word = |state: &mut Self, number: usize| {
            let arg = args.get(number)?;
            let width = arg.leaves.first().map_or(32, |leaf| leaf.bytes() * 8).min(32);
            Some((state.word(at, arg.value, width), width))
        };
        let bits = |state: &mut Self, number: usize, bits: u32| {
            let (term, width) = word(state, number)?;
            let mask = state.pool.constant(width, (bits & (u32::MAX >> (32 - width))).into());
            let masked = state.pool.bv(BvOp::And, term, mask);
            let zero = state.pool.constant(width, 0);
            Some(state.pool.eq(masked, zero))
        };
        Some(match *check.fails_when() {
            Fails::Is(number, kinds) => {
                let (term, width) = word(self, number)?;
                let mut none = self.pool.bool(true);
                for &kind in kinds {
                    let kind = self.pool.constant(width, kind.into());
                    let is = self.pool.eq(term, kind);
                    let is_not = self.pool.not(is);
                    none = self.pool.and(none, is_not);
                }
                none
            }
            Fails::Has(number, wanted) => bits(self, number, wanted)?,
            Fails::Lacks(number, wanted) => {
                let lacks = bits(self, number, wanted)?;
                self.pool.not(lacks)
            }
            Fails::FalseAt(number) => {
                let byte = self.memory_term(at, at.value(args.get(number)?.value), 1);
                let zero = self.pool.constant(8, 0);
                let is_false = self.pool.eq(byte, zero);
                self.pool.not(is_false)
            }
            Fails::Unequal(a, b) => {
                let (a, b) = (self.word(at, args.get(a)?.value, 64), self.word(at, args.get(b)?.value, 64));
                self.pool.eq(a, b)
            }
            _ => return None,
        })
    }

    /// When the pointers at the failure point, where the run has stray ones, point into objects.
    fn points(&mut self, at: &At<'_>, op: &Op) -> Option<Term> {
        let (addresses, size): (Vec<Opnd>, u64) = match op {
            Op::Load { ty, addr, .. } | Op::Store { ty, addr, .. } => (vec![*addr], ty.bytes().into()),
            Op::MemMove { dst, src, .. } | Op::ByvalCopy { dst, src, .. } => (vec![*dst, *src], 1),
            Op::MemSet { dst, .. } => (vec![*dst], 1),
            Op::Call { call } => (pointers(&at.model.calls[*call as usize]).collect(), 1),
            _ => return None,
        };
        let stray: Vec<Opnd> = match addresses[..] {
            [one] => vec![one],
            _ => addresses.into_iter().filter(|&addr| self.object_at(at, at.value(addr)).is_none()).collect(),
        };
        if stray.is_empty() {
            return None;
        }
        let mut all = self.pool.bool(true);
        for addr in stray {
            let pointer = self.word(at, addr, 64);
            let points = self.points_somewhere(at, pointer, size);
            all = self.pool.and(all, points);
        }
        Some(all)
    }

    /// The access that an error at the failure point speaks of.
    fn access(&mut self, at: &At<'_>, range: &Range) -> Option<Access> {
        let fixed = self.pool.constant(64, range.bytes.into());
        let (pointer, length) = match *at.op() {
            Op::Load { addr, .. } | Op::Store { addr, .. } => (addr, None),
            Op::AtomicRmw { addr, .. } | Op::CmpXchg { addr, .. } => (addr, None),
            Op::MemMove { dst, src, len } | Op::ByvalCopy { dst, src, len } => {
                (if range.write { dst } else { src }, Some(self.word(at, len, 64)))
            }
            Op::MemSet { dst, len, .. } => (dst, Some(self.word(at, len, 64))),
            Op::Call { call } => return self.access_of_call(at, &at.model.calls[call as usize], range),
            _ => return None,
        };
        Some(Access { pointer: self.word(at, pointer, 64), length: length.unwrap_or(fixed) })
    }

    fn access_of_call(&mut self, at: &At<'_>, call: &Call, range: &Range) -> Option<Access> {
        let near = |addr: &Opnd| at.value(*addr).wrapping_sub(range.start) <= range.size;
        let addr = pointers(call).find(|&addr| at.value(addr) == range.address);
        let addr = addr.or_else(|| pointers(call).find(near))?;
        let pointer = self.word(at, addr, 64);
        let pointer = self.add(pointer, range.address.wrapping_sub(at.value(addr)));
        let fixed = self.pool.constant(64, range.bytes.into());
        let argument = |n: usize| call.args.get(n).map(|arg| arg.value);
        let sized = |state: &mut Self, size: Size| {
            Some(match size {
                Size::Argument(n) => state.word(at, argument(n)?, 64),
                Size::Product(size, count) => {
                    let (size, count) = (state.word(at, argument(size)?, 64), state.word(at, argument(count)?, 64));
                    state.pool.bv(BvOp::Mul, size, count)
                }
            })
        };
        let length = match Self::callee(at, at.op()).and_then(|name| Extent::of(name, range.write)) {
            Some(Extent::Exactly(size)) => sized(self, size)?,
            Some(Extent::AtMost(size)) => {
                let most = sized(self, size)?;
                let less = self.pool.compare(Compare::Ult, most, fixed);
                self.pool.ite(less, most, fixed)
            }
            Some(Extent::Text(n)) => match self.length(at, at.value(argument(n)?), None) {
                Some(length) => self.add(length, 1),
                None => fixed,
            },
            None => fixed,
        };
        Some(Access { pointer, length })
    }

    /// When the access lies in its object; a block may have been made larger.
    fn inside(&mut self, at: &At<'_>, range: &Range) -> Option<Term> {
        let Access { pointer, length } = self.access(at, range)?;
        let size = match self.sizes.get(&range.start) {
            Some(&size) => size,
            None => self.pool.constant(64, range.size.into()),
        };
        let offset = self.add(pointer, range.start.wrapping_neg());
        let starts = self.pool.compare(Compare::Ule, offset, size);
        let room = self.pool.bv(BvOp::Sub, size, offset);
        let ends = self.pool.compare(Compare::Ule, length, room);
        let inside = self.pool.and(starts, ends);
        let text = Self::callee(at, at.op()).is_some_and(reads_text) && !range.write;
        if !text || range.address < range.start {
            return Some(inside);
        }
        // A text that ends inside is not read further.
        let here = self.pool.constant(64, range.address.into());
        let here = self.pool.eq(pointer, here);
        let zero = self.pool.constant(8, 0);
        let mut ends = self.pool.bool(false);
        let room = (range.start + range.size).saturating_sub(range.address).min(self.bounds.elements);
        for i in 0..room {
            let byte = self.memory_term(at, range.address + i, 1);
            let end = self.pool.eq(byte, zero);
            ends = self.pool.or(ends, end);
        }
        let ends = self.pool.and(here, ends);
        Some(self.pool.or(inside, ends))
    }

    /// That the bytes at the failure point were not freed before.
    fn not_freed(&mut self) -> Term {
        match self.freed {
            Some(freed) => self.pool.not(freed),
            None => self.pool.falsity(),
        }
    }

    /// When the access lies in a live object.
    fn alive(&mut self, at: &At<'_>, range: &Range) -> Option<Term> {
        let Access { pointer, .. } = self.access(at, range)?;
        let points = self.points_somewhere(at, pointer, range.bytes.max(1));
        // What lies there now is another object.
        let offset = self.add(pointer, range.start.wrapping_neg());
        let size = self.pool.constant(64, range.size.max(1).into());
        let elsewhere = self.pool.compare(Compare::Ule, size, offset);
        let points = self.pool.and(points, elsewhere);
        let kept = self.not_freed();
        Some(self.pool.or(points, kept))
    }

    /// When what is freed is the start of a block, or nothing.
    fn freeable(&mut self, at: &At<'_>) -> Option<Term> {
        let Op::Call { call } = at.op() else { return None };
        let argument = pointers(&at.model.calls[*call as usize]).next()?;
        let pointer = self.word(at, argument, 64);
        let mut any = self.not_freed();
        let blocks: Vec<u64> = at.core.heap.live().map(|block| block.0).chain([0]).take(MOST_BLOCKS).collect();
        for block in blocks {
            let block = self.pool.constant(64, block.into());
            let same = self.pool.eq(pointer, block);
            any = self.pool.or(any, same);
        }
        Some(any)
    }

    /// A call of the allocator: with a predicate about a block's size that may be another one, but for the worse.
    pub(crate) fn sized(&mut self, at: &At<'_>, call: &External<'_>) {
        let size: &[usize] = match lookup(call.name).map(|known| known.function.allocation) {
            Some(Allocation::Malloc) => &[0],
            Some(Allocation::Realloc) => &[1],
            Some(Allocation::Calloc) => &[0, 1],
            _ => &[],
        };
        let asked = matches!(self.failing.point.predicate, Predicate::Inside(_)) && self.level == 0;
        let mut product: Option<Term> = None;
        for (index, arg) in call.call.args.iter().enumerate() {
            if !(asked && size.contains(&index)) {
                self.pin_argument(at, arg.value, call.name);
                continue;
            }
            let factor = self.word(at, arg.value, 64);
            let least = self.pool.constant(64, at.value(arg.value).into());
            let enough = self.pool.compare(Compare::Ule, least, factor);
            self.require(enough);
            product = Some(match product {
                Some(other) => self.pool.bv(BvOp::Mul, other, factor),
                None => factor,
            });
        }
        self.size = product.filter(|&size| self.pool.as_constant(size).is_none());
    }
}

/// So many blocks are thought of when what is freed may be another one.
const MOST_BLOCKS: usize = 256;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_much_a_function_works_on_is_known_by_any_of_its_names() {
        use Extent::{AtMost, Exactly, Text};
        use Size::{Argument, Product};
        for (name, write, extent) in [
            ("memcpy", true, Some(Exactly(Argument(2)))),
            ("__memcpy_chk", false, Some(Exactly(Argument(2)))),
            ("bcmp", false, Some(Exactly(Argument(2)))),
            ("strncpy", true, Some(Exactly(Argument(2)))),
            ("strncpy", false, None),
            ("__fgets_chk", true, Some(AtMost(Argument(2)))),
            ("__vsnprintf_chk", true, Some(AtMost(Argument(1)))),
            ("pread64", true, Some(AtMost(Argument(2)))),
            ("fread_unlocked", true, Some(AtMost(Product(1, 2)))),
            ("fwrite", false, Some(Exactly(Product(1, 2)))),
            ("strcat", true, Some(Text(1))),
            ("strlen", false, None),
            ("puts", true, None),
        ] {
            assert_eq!(Extent::of(name, write), extent, "{name}");
        }
        assert!(reads_text("__strdup") && reads_text("__isoc23_strtol") && !reads_text("memcpy"));
    }
}
