//! What operations other than calls and branches make of what is known.

use std::sync::Arc;

use whydunit_model::{Const, IntOp, IntPred, Op, Opnd, Symbol as Named, defined};

use super::run::Run;
use crate::identity::FunctionKey;
use crate::state::{Background, Cell, Object, Region, State};
use crate::symbol::{Sym, Symbol, Test, Value, negated};
use whydunit_numerics::arith;

/// Kinds of terms; what else tells them apart stands in the lower bits.
const INDEX: u32 = 1 << 28;
const COMPARED: u32 = 2 << 28;
const COMPUTED: u32 = 3 << 28;
const CONVERTED: u32 = 4 << 28;
const ADDED: u32 = 5 << 28;

impl Run<'_, '_> {
    /// What an operand is.
    pub fn operand(&mut self, state: &State, operand: Opnd) -> Value {
        if !operand.is_const() {
            return state.slots.get(&operand.index()).copied().unwrap_or(Value::Any);
        }
        let program = self.engine.program;
        let module = program.module_of(self.id);
        match self.function.consts[operand.index() as usize] {
            Const::Bits(bits) => Value::Number(bits),
            Const::Addr(Named::Global(index), offset) => {
                let global = program.meant_global(program.global_id(module, index));
                Value::At(self.engine.symbols.number(Symbol::Global(self.engine.identities.global(global))), offset)
            }
            Const::Addr(Named::Function(index), offset) => {
                let function = program.function_id(module, index);
                let meant = program.meant(function).first().copied().unwrap_or(function);
                Value::At(self.engine.symbols.number(Symbol::Function(self.engine.identities.address(meant))), offset)
            }
            Const::Expr(_) => Value::Any,
        }
    }

    /// A value of its own for a word of what an operation gives. What it gave in an earlier round of a loop goes by another name
    /// from here, see [`Run::again`].
    pub fn made(&mut self, pc: u32, word: u32) -> Value {
        Value::At(self.engine.symbols.number(Symbol::Made(self.key, pc, word)), 0)
    }

    /// An operation that makes values is done, in a loop perhaps once more.
    pub fn again(&mut self, state: &mut State, pc: u32) {
        if !self.shape.in_loop[self.shape.blocks[pc as usize] as usize] {
            return;
        }
        let id = self.key;
        let old = self.engine.symbols.number(Symbol::Old(id, pc));
        let which = |symbol: Symbol| match symbol {
            Symbol::Made(f, at, _) | Symbol::Within(f, at, _) => (f, at) == (id, pc),
            _ => false,
        };
        state.forget(&self.engine.symbols, &which, old);
    }

    pub fn simple(&mut self, state: &mut State, pc: u32, op: &Op) {
        let result = match *op {
            Op::Int { op, w, a, b, .. } => {
                let (a, b) = (self.operand(state, a), self.operand(state, b));
                self.computed(op, w, a, b)
            }
            Op::ICmp { pred, w, a, b, .. } if w <= 64 => {
                let (a, b) = (self.operand(state, a), self.operand(state, b));
                self.compared(pred, w, a, b)
            }
            Op::Trunc { to, a, .. } if to <= 64 => {
                let a = self.operand(state, a);
                match a {
                    Value::Number(number) => Some(Value::Number(number & arith::mask(to))),
                    Value::At(..) if (2..32).contains(&to) => self.term(CONVERTED | u32::from(to), a, a),
                    _ => Some(a),
                }
            }
            Op::ZExt { to, a, .. } if to <= 64 => Some(self.operand(state, a)),
            Op::SExt { from, to, a, .. } if to <= 64 => Some(match self.operand(state, a) {
                Value::Number(number) => Value::Number(arith::sext(number, from) as u64 & arith::mask(to)),
                Value::Truth(..) => Value::Any,
                value => value,
            }),
            Op::Copy { n, dst, a } => {
                let values: Vec<Value> = (0..u32::from(n)).map(|word| self.operand(state, a.word(word))).collect();
                state.slots.extend((dst..).zip(values));
                return;
            }
            Op::PtrAdd { base, offset, .. } => Some(match self.operand(state, base) {
                Value::At(sym, at) => Value::At(sym, at.wrapping_add(offset)),
                Value::Number(number) => Value::Number(number.wrapping_add(offset as u64)),
                _ => Value::Any,
            }),
            Op::PtrIndex { w, base, index, scale, .. } => {
                let (base, index) = (self.operand(state, base), self.operand(state, index));
                match (base, index) {
                    (Value::At(sym, at), Value::Number(number)) => {
                        Some(Value::At(sym, at.wrapping_add(arith::sext(number, w).wrapping_mul(scale))))
                    }
                    _ => self.term(INDEX | (scale as u32 & 0xff_ffff), base, index),
                }
            }
            Op::StackAddr { object, .. } => {
                Some(Value::At(self.engine.symbols.number(Symbol::Stack(self.key, object)), 0))
            }
            Op::ThreadLocal { global, .. } => {
                let program = self.engine.program;
                let global = program.meant_global(program.global_id(program.module_of(self.id), global));
                Some(Value::At(self.engine.symbols.number(Symbol::Global(self.engine.identities.global(global))), 0))
            }
            Op::Load { ty, addr, .. } => {
                let addr = self.operand(state, addr);
                self.touched(state, pc, addr, "read");
                return self.load(state, pc, op, (addr, ty.bytes()));
            }
            Op::Store { ty, value, addr } => {
                let (addr, value) = (self.operand(state, addr), self.operand(state, value));
                self.touched(state, pc, addr, "write");
                let value = if ty.slots() == 1 { value } else { Value::Any };
                self.write(state, addr, ty.bytes(), value);
                return;
            }
            Op::AtomicRmw { ty, addr, .. } | Op::CmpXchg { ty, addr, .. } => {
                let addr = self.operand(state, addr);
                self.write(state, addr, ty.bytes(), Value::Any);
                None
            }
            Op::MemMove { dst, src, len } | Op::ByvalCopy { dst, src, len } => {
                let (dst, src, len) = (self.operand(state, dst), self.operand(state, src), self.operand(state, len));
                self.touched(state, pc, dst, "write");
                self.touched(state, pc, src, "read");
                self.moved(state, dst, src, len);
                self.filled_from_elsewhere(state, dst);
                return;
            }
            Op::MemSet { dst, value, len } => {
                let (dst, value, len) =
                    (self.operand(state, dst), self.operand(state, value), self.operand(state, len));
                self.touched(state, pc, dst, "write");
                self.filled(state, dst, value, len);
                return;
            }
            _ => None,
        };
        self.give(state, pc, op, result);
    }

    /// The result of an operation goes to its slots.
    fn give(&mut self, state: &mut State, pc: u32, op: &Op, result: Option<Value>) {
        let Some((slot, words)) = defined(self.function, op) else { return };
        match result {
            Some(value) if words == 1 => {
                state.slots.insert(slot, value);
            }
            _ => {
                self.again(state, pc);
                for word in 0..words {
                    let value = self.made(pc, word);
                    state.slots.insert(slot + word, value);
                }
                if let (Op::Alloca { .. }, Value::At(sym, _)) = (op, self.made(pc, 0)) {
                    self.engine.fresh.insert(sym);
                }
            }
        }
    }

    fn term(&mut self, tag: u32, a: Value, b: Value) -> Option<Value> {
        self.engine.symbols.term(tag, a, b)
    }

    fn computed(&mut self, op: IntOp, w: u8, a: Value, b: Value) -> Option<Value> {
        match (op, a, b) {
            (_, Value::Number(a), Value::Number(b)) => arith::int(op, w, a, b).map(Value::Number),
            (IntOp::Xor, Value::Truth(sym, test), Value::Number(1)) => {
                Some(Value::Truth(sym, Test { pred: negated(test.pred), ..test }))
            }
            (IntOp::Xor, Value::At(sym, 0), Value::Number(1)) if w == 1 => {
                Some(Value::Truth(sym, Test { pred: IntPred::Eq, against: 0 }))
            }
            (IntOp::And, _, Value::Number(0)) => Some(Value::Number(0)),
            (IntOp::And, Value::Number(_), Value::At(..)) => self.computed(op, w, b, a),
            (IntOp::And, Value::At(sym, 0), Value::Number(mask)) => match self.masked(sym, w, mask) {
                Some(known) => Some(known),
                None => self.term(COMPUTED | (op as u32) << 8 | u32::from(w), a, b),
            },
            (IntOp::Add | IntOp::Sub, ..) => self.term(ADDED | (op as u32) << 8 | u32::from(w), a, b),
            _ => self.term(COMPUTED | (op as u32) << 8 | u32::from(w), a, b),
        }
    }

    /// The bits that a mask leaves of a value to which masks were applied before: flags that were cleared or set.
    fn masked(&mut self, sym: Sym, w: u8, mask: u64) -> Option<Value> {
        let tag = |op: IntOp| COMPUTED | (op as u32) << 8 | u32::from(w);
        match self.engine.symbols.of(sym) {
            Symbol::Term(of, inner, Value::Number(before)) if of == tag(IntOp::And) => match before & mask {
                0 => Some(Value::Number(0)),
                both => self.term(of, inner, Value::Number(both)),
            },
            Symbol::Term(of, _, Value::Number(set)) if of == tag(IntOp::Or) && set & mask == mask => {
                Some(Value::Number(mask))
            }
            _ => None,
        }
    }

    fn compared(&mut self, pred: IntPred, w: u8, a: Value, b: Value) -> Option<Value> {
        let turned = match pred {
            IntPred::Eq | IntPred::Ne => pred,
            IntPred::Ugt => IntPred::Ult,
            IntPred::Uge => IntPred::Ule,
            IntPred::Ult => IntPred::Ugt,
            IntPred::Ule => IntPred::Uge,
            IntPred::Sgt => IntPred::Slt,
            IntPred::Sge => IntPred::Sle,
            IntPred::Slt => IntPred::Sgt,
            IntPred::Sle => IntPred::Sge,
        };
        let equality = matches!(pred, IntPred::Eq | IntPred::Ne);
        match (a, b) {
            (Value::Number(_), Value::At(..) | Value::Truth(..)) => self.compared(turned, w, b, a),
            (Value::Number(a), Value::Number(b)) => Some(truth(arith::compare(pred, w, a, b))),
            (Value::Truth(sym, test), Value::Number(number)) if equality && number <= 1 => {
                let same = (pred == IntPred::Eq) == (number == 1);
                let pred = if same { test.pred } else { negated(test.pred) };
                Some(Value::Truth(sym, Test { pred, ..test }))
            }
            (Value::At(sym, 0), Value::Number(number)) => {
                let address =
                    matches!(self.engine.symbols.of(sym), Symbol::Global(_) | Symbol::Stack(..) | Symbol::Function(_));
                if address && equality && number == 0 {
                    return Some(truth(pred == IntPred::Ne));
                }
                Some(Value::Truth(sym, Test { pred, against: arith::sext(number, w) }))
            }
            (Value::At(..), Value::Number(0)) if equality => Some(truth(pred == IntPred::Ne)),
            (Value::At(one, x), Value::At(two, y)) if one == two && equality => {
                Some(truth((x == y) == (pred == IntPred::Eq)))
            }
            _ => self.term(COMPARED | (pred as u32) << 8 | u32::from(w), a, b),
        }
    }

    fn load(&mut self, state: &mut State, pc: u32, op: &Op, (addr, bytes): (Value, u32)) {
        let Some((slot, words)) = defined(self.function, op) else { return };
        let known = match addr {
            Value::At(sym, offset) if words == 1 => self.read(state, sym, offset, bytes),
            _ => None,
        };
        if let (Some(value), Value::At(base, offset)) = (known, addr) {
            self.keep_read(state, (base, offset), bytes, value);
        }
        let value = known.unwrap_or_else(|| {
            self.again(state, pc);
            self.made(pc, 0)
        });
        state.slots.insert(slot, value);
        for word in 1..words {
            state.slots.insert(slot + word, Value::Any);
        }
        // Reading may have renamed the base itself.
        if let (None, Value::At(sym, offset)) = (known, addr)
            && words == 1
        {
            let stale = self
                .engine
                .symbols
                .mentions(sym, &|it| matches!(it, Symbol::Made(f, at, _) if (f, at) == (self.key, pc)));
            if !stale {
                name_place(state, (sym, offset), bytes, value);
            }
        }
    }

    /// What was there at entry can be overwritten by other names: it is kept that it was read.
    pub fn keep_read(&self, state: &mut State, (base, offset): (Sym, i64), bytes: u32, value: Value) {
        if let Value::At(sym, 0) = value
            && self.engine.symbols.of(sym) == Symbol::Initial(base, offset)
            && state.region(base).is_none_or(|region| region.cells.get(&offset).is_none())
        {
            state.region_mut(base).cells.insert(offset, Cell { bytes, value, written: false });
        }
    }

    /// What lies at an address; `None` where that is not known.
    pub fn read(&mut self, state: &State, base: Sym, offset: i64, bytes: u32) -> Option<Value> {
        if let Symbol::Global(global) = self.engine.symbols.of(base)
            && offset == 0
            && self.engine.constant.contains(&global)
        {
            return self.engine.symbols.initial(base, 0).map(|sym| Value::At(sym, 0));
        }
        let empty = Region::default();
        let region = state.region(base).unwrap_or(&empty);
        if let Some(cell) = region.cells.get(&offset) {
            return (cell.bytes == bytes && cell.value != Value::Any).then_some(cell.value);
        }
        let end = offset + i64::from(bytes);
        let overlaps = |(at, cell): (&i64, &Cell)| *at + i64::from(cell.bytes) > offset;
        if region.cells.span(offset - 15, end).any(overlaps) {
            return None;
        }
        match region.background {
            Background::Zero => Some(Value::Number(0)),
            Background::Initial
                if !state.changed
                    && self.engine.symbols.is_of_entry(base)
                    && !self.may_be_written(state, base, (offset, end)) =>
            {
                self.engine.symbols.initial(base, offset).map(|sym| Value::At(sym, 0))
            }
            _ => None,
        }
    }

    /// Whether what lies at an address may have been written by another name.
    fn may_be_written(&self, state: &State, base: Sym, (offset, end): (i64, i64)) -> bool {
        let global = |sym: Sym| matches!(self.engine.symbols.of(sym), Symbol::Global(_));
        let written = |(at, cell): (&i64, &Cell)| cell.written && *at + i64::from(cell.bytes) > offset;
        let other = |it: Sym| it != base && !self.is_own(it) && !(global(it) && global(base));
        let mut others = state.memory.iter().filter(|(it, _)| other(**it));
        others.any(|(_, region)| region.cells.span(offset - 15, end).any(written))
    }

    /// Whether nobody else has an address like this one: an own object, or new memory.
    pub fn is_own(&self, sym: Sym) -> bool {
        match self.engine.symbols.of(sym) {
            Symbol::Stack(f, _) => f == self.key,
            _ => self.engine.fresh.contains(&sym),
        }
    }

    /// A value goes to memory. Other memory that may be the same place is no longer known.
    pub fn write(&mut self, state: &mut State, addr: Value, bytes: u32, value: Value) {
        let Value::At(base, offset) = addr else { return };
        let end = offset + i64::from(bytes);
        self.steps += state.memory.len() as u64 / 32;
        if !self.is_own(base) {
            self.written_elsewhere(state, base, (offset, end));
        }
        let region = state.region_mut(base);
        forget_range(region, offset, end);
        region.cells.retain(|at, cell| *at + i64::from(cell.bytes) <= offset || *at >= end || *at < offset);
        region.cells.insert(offset, Cell { bytes, value, written: true });
    }

    /// Memory of other names that may be the same place as what is written is no longer known. A pointer that was loaded, and is
    /// written through as it is, may point into the middle of any object that others know; all other pointers are taken to point to
    /// the start of theirs.
    fn written_elsewhere(&self, state: &mut State, base: Sym, (offset, end): (i64, i64)) {
        let symbols = &self.engine.symbols;
        let global = matches!(symbols.of(base), Symbol::Global(_));
        let inner = offset == 0 && end == 8 && !matches!(symbols.of(base), Symbol::Parameter(_) | Symbol::Global(_));
        let exposed = if inner { self.exposed(state) } else { Vec::new() };
        state.changed |= inner;
        for (other, region) in state.memory.iter_mut() {
            let own = self.is_own(*other);
            let apart = own && !exposed.contains(other)
                || global && matches!(symbols.of(*other), Symbol::Global(_))
                || *other == base;
            if apart {
                continue;
            }
            if inner {
                if region.cells.values().any(|cell| cell.bytes == 8 && cell.value != Value::Any) {
                    let cells = Arc::make_mut(region).cells.values_mut().filter(|cell| cell.bytes == 8);
                    cells.for_each(|cell| (cell.value, cell.written) = (Value::Any, true));
                }
            } else if meets(region, offset, end) {
                forget_range(Arc::make_mut(region), offset, end);
            }
        }
    }

    /// Own objects whose addresses lie in memory that others may know.
    fn exposed(&self, state: &State) -> Vec<Sym> {
        let mut out: Vec<Sym> = state.escaped.iter().copied().collect();
        let outside = |base: &Sym| !self.is_own(*base) || state.escaped.contains(base);
        let regions = state.memory.iter().filter(|(base, _)| outside(base));
        out.extend(regions.flat_map(|(_, region)| region.cells.values()).filter_map(|cell| match cell.value {
            Value::At(sym, _) if self.is_own(sym) => Some(sym),
            _ => None,
        }));
        out
    }

    /// Memory from an address on may hold anything.
    pub fn spoil(&mut self, state: &mut State, addr: Value) {
        if let Value::At(base, offset) = addr {
            state.region_mut(base).wipe(offset, None);
        }
    }

    fn moved(&mut self, state: &mut State, dst: Value, src: Value, len: Value) {
        let (Value::At(to, at), Value::At(from, start), Value::Number(len)) = (dst, src, len) else {
            return self.spoil(state, dst);
        };
        let empty = Region::default();
        let region = state.region(from).unwrap_or(&empty).clone();
        let end = start + len as i64;
        let whole = self.is_own(to) && at == 0 && state.region(to).is_none_or(|it| it.background != Background::Zero);
        let cells: Vec<(i64, Cell)> = region.cells.span(start, end).map(|(at, cell)| (*at, *cell)).collect();
        forget_range(state.region_mut(to), at, at + len as i64);
        if !whole || region.background != Background::Zero {
            state.region_mut(to).background = Background::Unknown;
        }
        for (offset, cell) in cells {
            self.write(state, Value::At(to, offset - start + at), cell.bytes, cell.value);
        }
    }

    /// An object that nothing was done to yet is a copy of another one now.
    fn filled_from_elsewhere(&self, state: &mut State, dst: Value) {
        let raw = |object: &Object| {
            let Value::At(sym, _) = dst else { return false };
            sym == object.at.0 && self.engine.protocols[object.protocol].raw == Some(object.state)
        };
        state.object.take_if(|object| raw(object));
    }

    fn filled(&mut self, state: &mut State, dst: Value, value: Value, len: Value) {
        let Value::At(base, offset) = dst else { return };
        let Value::Number(len) = len else { return self.spoil(state, dst) };
        let (end, zero) = (offset + len as i64, value == Value::Number(0));
        let cells = |state: &State| {
            state.region(base).map_or(0, |it| it.cells.keys().filter(|&&at| at < offset || at >= end).count())
        };
        if zero && offset == 0 && cells(state) == 0 {
            *state.region_mut(base) = Region { background: Background::Zero, ..Region::default() };
            return;
        }
        let region = state.region_mut(base);
        forget_range(region, offset, end);
        if region.background != Background::Zero || !zero {
            region.background = Background::Unknown;
        }
        if zero {
            region.cells.retain(|at, cell| *at + i64::from(cell.bytes) <= offset || *at >= end);
            (offset..end).step_by(8).take(16).for_each(|at| {
                region.cells.insert(at, Cell { bytes: 8, value: Value::Number(0), written: true });
            });
        }
    }

    /// The function's name, for symbols.
    pub fn here(&self) -> FunctionKey {
        self.key
    }
}

/// Whether a term is a place in an object, by an index that is not known.
pub(crate) fn is_index(tag: u32) -> bool {
    tag & 0xf << 28 == INDEX
}

/// What lies at an address, of which nothing is known, has a name from now on, unless something is said of what lies around it.
pub(super) fn name_place(state: &mut State, (base, offset): (Sym, i64), bytes: u32, value: Value) {
    let cells = &mut state.region_mut(base).cells;
    let around = |(at, cell): (&i64, &Cell)| *at + i64::from(cell.bytes) > offset && *at != offset;
    if cells.span(offset - 15, offset + i64::from(bytes)).any(around) {
        return;
    }
    let rest = cells.get(&offset).map_or(0, |it| it.bytes.saturating_sub(bytes));
    cells.insert(offset, Cell { bytes, value, written: true });
    if rest > 0 {
        cells.insert(offset + i64::from(bytes), Cell { bytes: rest, value: Value::Any, written: true });
    }
}

/// Whether something is said of what lies between two offsets.
fn meets(region: &Region, offset: i64, end: i64) -> bool {
    region.cells.span(offset - 15, end).any(|(at, cell)| *at + i64::from(cell.bytes) > offset)
}

/// What lies between two offsets is no longer known.
fn forget_range(region: &mut Region, offset: i64, end: i64) {
    for (at, cell) in region.cells.span_mut(offset - 15, end) {
        if *at + i64::from(cell.bytes) > offset {
            cell.value = Value::Any;
            cell.written = true;
        }
    }
}

fn truth(holds: bool) -> Value {
    Value::Number(u64::from(holds))
}
