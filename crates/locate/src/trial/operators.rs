//! The operators of mutants: what may stand in the place of an operation.

use whydunit_causes::condition::sign;
use whydunit_dataflow::SlotSet;
use whydunit_model::{Call, Flags, FloatOp, FloatPred, Function, IntOp, IntPred, Op, Opnd, Scalar, destination};
use whydunit_replay::Body;

use super::connector::connected;
use super::known::{Known, is_address, name};
use super::mutant::{Alternative, Kind, only};

/// Other variables, members or constants that are tried in one place.
const MOST_OTHERS: usize = 8;

/// Variables are looked for among so many that were given a value before, and as many after.
const NEAR: usize = 64;

/// What may stand in the place of an operation. `consts` are the values of its function's constants, `compared` what it compares
/// with a constant, `spare` the constant that takes an [`Alternative::constant`], `scratch` slots for what is computed besides.
pub(super) fn alternatives(
    model: &Function,
    known: &Known,
    (consts, compared): (&[u64], &[u64]),
    (spare, scratch): (Opnd, [u32; 2]),
    pc: u32,
) -> Vec<Alternative> {
    let unassigned = known.unassigned(model, pc);
    let mut out = Alternatives { model, known, consts, compared, spare, scratch, pc, unassigned, list: Vec::new() };
    out.fill();
    out.accumulates(&model.code[pc as usize]);
    out.list
}

struct Alternatives<'a> {
    model: &'a Function,
    known: &'a Known,
    consts: &'a [u64],
    /// What the operation compares with a constant.
    compared: &'a [u64],
    spare: Opnd,
    scratch: [u32; 2],
    pc: u32,
    /// What may not have been written yet.
    unassigned: SlotSet,
    list: Vec<Alternative>,
}

impl Alternatives<'_> {
    fn push(&mut self, kind: Kind, op: Op) {
        self.list.push(Alternative { kind, body: Body::Instead(op), call: None, constants: Default::default() });
    }

    fn fill(&mut self) {
        let op = &self.model.code[self.pc as usize];
        match *op {
            Op::Branch { cond, then, els } => {
                self.push(Kind::Opposite, Op::Branch { cond, then: els, els: then });
                self.push(Kind::Always(true), Op::Jump { to: then });
                self.push(Kind::Always(false), Op::Jump { to: els });
                if let Some(other) = connected(self.model, then, els) {
                    let op = Op::Branch { cond, then: other.then, els: other.els };
                    self.push(Kind::Operator(other.was, other.now), op);
                }
            }
            Op::ICmp { pred, w, dst, a, b } => {
                for other in self.predicates(pred, w, [a, b]) {
                    let kind = Kind::Operator(sign(pred), sign(other));
                    self.push(kind, Op::ICmp { pred: other, w, dst, a, b });
                }
                self.operands(w.into(), &[a, b], |operands| Op::ICmp { pred, w, dst, a: operands[0], b: operands[1] });
            }
            Op::FCmp { pred, ty, dst, a, b } => {
                self.operators(&FLOAT_PREDICATES, pred, |pred| Op::FCmp { pred, ty, dst, a, b });
                self.floats(ty, &[a, b], |operands| Op::FCmp { pred, ty, dst, a: operands[0], b: operands[1] });
            }
            Op::Int { op, w, flags, dst, a, b } => self.integer(op, w, flags, dst, [a, b]),
            Op::Float { op, ty, dst, a, b } => {
                self.operators(&FLOAT_OPERATORS, op, |op| Op::Float { op, ty, dst, a, b });
                if matches!(op, FloatOp::Sub | FloatOp::Div) && a != b {
                    self.push(Kind::Swapped, Op::Float { op, ty, dst, a: b, b: a });
                }
                self.floats(ty, &[a, b], |operands| Op::Float { op, ty, dst, a: operands[0], b: operands[1] });
            }
            Op::Select { n, dst, cond, a, b } if a != b => {
                self.push(Kind::Opposite, Op::Select { n, dst, cond, a: b, b: a });
                if n == 1 && self.known.slot_type(dst) == Some(Scalar::Int(1)) {
                    self.connectives(dst, cond, a, b);
                }
            }
            Op::Load { ty, dst, addr } => {
                for other in self.other_addresses(ty, addr) {
                    self.push(Kind::Variable(None, None), Op::Load { ty, dst, addr: other });
                }
            }
            Op::Store { ty, value, addr } => {
                self.push(Kind::LeftOut, NOTHING);
                let make = |operands: &[Opnd]| Op::Store { ty, value: operands[0], addr };
                match ty {
                    Scalar::Int(_) | Scalar::Ptr => self.operands(8 * ty.bytes(), &[value], make),
                    _ => self.floats(ty, &[value], make),
                }
                for other in self.other_addresses(ty, addr) {
                    self.push(Kind::Variable(None, None), Op::Store { ty, value, addr: other });
                }
                self.accumulated(ty, value, addr, self.scratch);
            }
            Op::PtrAdd { dst, base, offset } => {
                for other in self.other_offsets(offset) {
                    self.push(Kind::Variable(None, None), Op::PtrAdd { dst, base, offset: other });
                }
            }
            Op::PtrIndex { w, dst, base, index, scale } => self.element(w, dst, base, index, scale),
            Op::SExt { from, to, dst, a } => {
                self.operands(from.into(), &[a], |operands| Op::SExt { from, to, dst, a: operands[0] });
            }
            Op::ZExt { from, to, dst, a } => {
                self.operands(from.into(), &[a], |operands| Op::ZExt { from, to, dst, a: operands[0] });
            }
            Op::IntToF { to, signed, w, dst, a } => {
                self.operands(w.into(), &[a], |operands| Op::IntToF { to, signed, w, dst, a: operands[0] });
            }
            Op::Copy { n: 1, dst, a } => self.operands(64, &[a], |operands| Op::Copy { n: 1, dst, a: operands[0] }),
            Op::Return { n: 1, a } => self.operands(64, &[a], |operands| Op::Return { n: 1, a: operands[0] }),
            Op::Call { call } => self.call(call),
            _ => {}
        }
    }

    /// Other operators and operands of an operation on integers.
    fn integer(&mut self, op: IntOp, w: u8, flags: Flags, dst: u32, [a, b]: [Opnd; 2]) {
        let signed = self.known.signs.compared([a, b]);
        // A minus before a number stands between no two.
        let is_sign =
            op == IntOp::Sub && a.is_const() && self.consts.get(a.index() as usize).is_some_and(|value| *value == 0);
        let others = if is_sign { &[(IntOp::Sub, "-"), (IntOp::Add, "+")] } else { alike(op, signed) };
        self.operators(others, op, |op| Op::Int { op, w, flags, dst, a, b });
        if !commutes(op) && a != b {
            self.push(Kind::Swapped, Op::Int { op, w, flags, dst, a: b, b: a });
        }
        self.operands(w.into(), &[a, b], |operands| Op::Int { op, w, flags, dst, a: operands[0], b: operands[1] });
        if matches!(op, IntOp::Add | IntOp::Sub) && !(a.is_const() || b.is_const()) {
            self.more(w, dst);
        }
    }

    /// Elements beside the one that is used, and those that other variables say.
    fn element(&mut self, w: u8, dst: u32, base: Opnd, index: Opnd, scale: i64) {
        for step in [-1, 1] {
            let other = Op::PtrAdd { dst, base: Opnd::slot(dst), offset: step * scale };
            self.behind(Kind::Element(step), other, 0);
        }
        self.operands(w.into(), &[index], |operands| Op::PtrIndex { w, dst, base, index: operands[0], scale });
    }

    /// The operation, and another one behind it.
    fn behind(&mut self, kind: Kind, other: Op, constant: u64) {
        let body = Body::Then(vec![other]);
        self.list.push(Alternative { kind, body, call: None, constants: only(constant) });
    }

    /// What is assigned is added to what is in memory.
    fn accumulated(&mut self, ty: Scalar, value: Opnd, addr: Opnd, scratch: [u32; 2]) {
        let [decide, sum] = scratch;
        let (old, flags) = (Opnd::slot(sum), Flags::default());
        let add = match ty {
            Scalar::Int(w @ 8..=64) => Op::Int { op: IntOp::Add, w, flags, dst: sum, a: old, b: value },
            Scalar::F64 | Scalar::F32 => Op::Float { op: FloatOp::Add, ty, dst: sum, a: old, b: value },
            _ => return,
        };
        let always = Op::ICmp { pred: IntPred::Eq, w: 64, dst: decide, a: value, b: value };
        let test = vec![Op::Load { ty, dst: sum, addr }, add, Op::Store { ty, value: old, addr }, always];
        let body = Body::Unless { test, other: NOTHING };
        self.list.push(Alternative { kind: Kind::Accumulated, body, call: None, constants: Default::default() });
    }

    /// What an operation gives to a variable is added to what the variable was; or what is added to it is all that it is given.
    fn accumulates(&mut self, op: &Op) {
        let Some(dst) = destination(op) else { return };
        let Some(variable) = self.variable(Opnd::slot(dst)) else { return };
        let before = self.before(variable).filter(|before| *before != Opnd::slot(dst));
        let Some(ty) = self.slot_type(dst) else { return };
        let (a, flags) = (Opnd::slot(dst), Flags::default());
        let added = |b: Opnd| match ty {
            Scalar::Int(w @ 8..=64) => Some(Op::Int { op: IntOp::Add, w, flags, dst, a, b }),
            Scalar::F64 | Scalar::F32 => Some(Op::Float { op: FloatOp::Add, ty, dst, a, b }),
            _ => None,
        };
        match *op {
            Op::Int { op: IntOp::Add, a, b, .. } | Op::Float { op: FloatOp::Add, a, b, .. } => {
                for (own, other) in [(a, b), (b, a)] {
                    if !own.is_const() && self.variable(own) == Some(variable) {
                        self.push(Kind::Plain, Op::Copy { n: 1, dst, a: other });
                    }
                }
            }
            _ => {
                let add = before.filter(|before| !before.is_const() && self.is_there(*before)).and_then(added);
                add.into_iter().for_each(|add| self.behind(Kind::Accumulated, add, 0));
            }
        }
    }

    /// The variable that an operand is the value of.
    fn variable(&self, operand: Opnd) -> Option<u32> {
        let known = self.model.debug_values.iter().find(|value| value.value == Some(operand))?;
        Some(known.variable)
    }

    /// What a variable was before this operation, in the order of the code.
    fn before(&self, variable: u32) -> Option<Opnd> {
        let values = &self.model.debug_values;
        let here = values.partition_point(|value| value.pc <= self.pc);
        values[..here].iter().rev().find(|value| value.variable == variable)?.value
    }

    /// One more or less of what an operation gives.
    fn more(&mut self, w: u8, dst: u32) {
        for step in [-1, 1_i64] {
            let (a, b) = (Opnd::slot(dst), self.spare);
            let other = Op::Int { op: IntOp::Add, w, flags: Flags::default(), dst, a, b };
            self.behind(Kind::More(step), other, step as u64 & super::value::mask(w.into()));
        }
    }

    /// The other operators of a list, in the place of one of them.
    fn operators<T: Copy + PartialEq>(&mut self, all: &[(T, &'static str)], now: T, make: impl Fn(T) -> Op) {
        let Some(&(_, sign)) = all.iter().find(|known| known.0 == now) else { return };
        for &(other, text) in all.iter().filter(|other| other.0 != now) {
            self.push(Kind::Operator(sign, text), make(other));
        }
    }

    /// `c && x` chooses between x and false, `c || x` between true and x: the other of both, for a choice of truth values.
    fn connectives(&mut self, dst: u32, cond: Opnd, a: Opnd, b: Opnd) {
        for (fixed, kept, truth) in [(b, a, 0), (a, b, 1)] {
            if !fixed.is_const() || self.consts.get(fixed.index() as usize) != Some(&truth) {
                continue;
            }
            let (kind, op) = match truth {
                0 => (Kind::Operator("&&", "||"), Op::Select { n: 1, dst, cond, a: self.spare, b: kept }),
                _ => (Kind::Operator("||", "&&"), Op::Select { n: 1, dst, cond, a: kept, b: self.spare }),
            };
            let (body, constants) = (Body::Instead(op), only(1 - truth));
            self.list.push(Alternative { kind, body, call: None, constants });
        }
    }

    fn call(&mut self, number: u32) {
        let call = &self.model.calls[number as usize];
        if call.noreturn || call.returns_twice {
            return;
        }
        let words: u32 = call.ret.iter().map(|leaf| leaf.slots()).sum();
        match words {
            0 => self.push(Kind::LeftOut, NOTHING),
            1 => self.push(Kind::LeftOut, Op::Copy { n: 1, dst: call.dst, a: self.spare }),
            _ => {}
        }
        let body = Body::Instead(Op::Call { call: number });
        let with = |kind, call: Call, constant| Alternative {
            kind,
            body: body.clone(),
            call: Some(call),
            constants: only(constant),
        };
        let mut more = Vec::new();
        for second in 1..call.args.len() {
            let (a, b) = (&call.args[second - 1], &call.args[second]);
            if a.leaves == b.leaves && a.value != b.value && a.byval == 0 && b.byval == 0 {
                let mut other = call.clone();
                other.args.swap(second - 1, second);
                more.push(with(Kind::Arguments(second, second + 1), other, 0));
            }
        }
        for (index, arg) in call.args.iter().enumerate().filter(|(_, arg)| arg.byval == 0 && arg.leaves.len() == 1) {
            let put = |value: Opnd| {
                let mut other = call.clone();
                other.args[index].value = value;
                other
            };
            let leaf = arg.leaves[0];
            let constants = match leaf {
                Scalar::Int(_) | Scalar::Ptr => self.other_constants(8 * leaf.bytes(), arg.value),
                _ => self.other_floats(leaf, arg.value),
            };
            for (kind, constant) in constants {
                more.push(with(kind, put(self.spare), constant));
            }
            for (kind, other) in self.other_variables(arg.value) {
                more.push(with(kind, put(other), 0));
            }
        }
        self.list.extend(more);
    }

    /// Other constants and variables in the places of operands that are integers or pointers of so many bits.
    fn operands(&mut self, width: u32, operands: &[Opnd], make: impl Fn(&[Opnd]) -> Op) {
        let constants = operands.iter().map(|&operand| self.other_constants(width, operand)).collect();
        self.values(constants, operands, make);
    }

    /// The same for operands that are floats.
    fn floats(&mut self, ty: Scalar, operands: &[Opnd], make: impl Fn(&[Opnd]) -> Op) {
        let constants = operands.iter().map(|&operand| self.other_floats(ty, operand)).collect();
        self.values(constants, operands, make);
    }

    /// Constants, by operand, and variables in the places of operands.
    fn values(&mut self, constants: Vec<Vec<(Kind, u64)>>, operands: &[Opnd], make: impl Fn(&[Opnd]) -> Op) {
        let with = |place: usize, other: Opnd| {
            let mut all = operands.to_vec();
            all[place] = other;
            make(&all)
        };
        for (place, constants) in constants.into_iter().enumerate() {
            for (kind, constant) in constants {
                let body = Body::Instead(with(place, self.spare));
                self.list.push(Alternative { kind, body, call: None, constants: only(constant) });
            }
        }
        for (place, &operand) in operands.iter().enumerate() {
            for (kind, other) in self.other_variables(operand) {
                self.push(kind, with(place, other));
            }
        }
    }

    /// Other values for a constant operand: its neighbours, small numbers, what it is compared with, other constants of its function.
    fn other_constants(&self, width: u32, operand: Opnd) -> Vec<(Kind, u64)> {
        let Some(&now) = self.consts.get(operand.index() as usize).filter(|_| operand.is_const()) else {
            return Vec::new();
        };
        let (mask, shift) = (super::value::mask(width), 64 - width.clamp(1, 64));
        let signed = |bits: u64| ((bits << shift) as i64) >> shift;
        // An address is no number.
        if signed(now).unsigned_abs() >> 40 != 0 {
            return Vec::new();
        }
        let near = [now.wrapping_add(1), now.wrapping_sub(1), 0, 1, now.wrapping_neg(), now.wrapping_mul(2)];
        let stated = self.known.numbers.iter().map(|&number| number as u64).take(MOST_OTHERS);
        let near: Vec<u64> = near.into_iter().chain(stated).map(|value| value & mask).collect();
        let others = self.consts.iter().filter(|value| !is_address(**value));
        let others = others.flat_map(|value| [value & mask, value.wrapping_neg() & mask]);
        // Whatever it should be equal to is among what is compared with it, unless the run never comes so far.
        let compared = self.compared.iter().map(|value| value & mask);
        let mut values: Vec<u64> = Vec::new();
        for value in near.into_iter().chain(compared).chain(others.take(8 * MOST_OTHERS)) {
            if value != now & mask && signed(value).unsigned_abs() >> 40 == 0 && !values.contains(&value) {
                values.push(value);
            }
        }
        values.truncate(4 * MOST_OTHERS + self.compared.len());
        values.into_iter().map(|value| (Kind::Constant(signed(now), signed(value)), value)).collect()
    }

    /// Other values for a constant float: small numbers, its multiples, other constants of its function.
    fn other_floats(&self, ty: Scalar, operand: Opnd) -> Vec<(Kind, u64)> {
        let Some(&now) = self.consts.get(operand.index() as usize).filter(|_| operand.is_const()) else {
            return Vec::new();
        };
        let (value, bits): FloatBits = match ty {
            Scalar::F64 => (f64::from_bits, f64::to_bits),
            Scalar::F32 => (|bits| f32::from_bits(bits as u32).into(), |value| (value as f32).to_bits().into()),
            _ => return Vec::new(),
        };
        let x = value(now);
        let near = [x + 1.0, x - 1.0, 0.0, 1.0, -x, 2.0 * x, x / 2.0, 10.0 * x, x / 10.0];
        let others = self.consts.iter().map(|&bits| value(bits));
        // Integers of the pool look like numbers that nobody writes.
        let others = others.filter(|value| (1e-30..1e30).contains(&value.abs())).take(MOST_OTHERS);
        let mut values: Vec<f64> = Vec::new();
        for value in near.into_iter().chain(others) {
            if value != x && !values.contains(&value) {
                values.push(value);
            }
        }
        values.into_iter().map(|value| (Kind::Float(x.to_string(), value.to_string()), bits(value))).collect()
    }

    /// Variables of the same type that could stand in the place of a variable.
    fn other_variables(&self, operand: Opnd) -> Vec<(Kind, Opnd)> {
        if operand.is_const() {
            return Vec::new();
        }
        let Some(ty) = self.slot_type(operand.index()) else { return Vec::new() };
        let name = self.name(operand);
        let is_written = |name: &Option<String>| !name.as_ref().is_some_and(|name| is_compilers(name));
        if !is_written(&name) {
            return Vec::new();
        }
        // Those that were given a value last before the operation come first.
        let values = &self.model.debug_values;
        let here = values.partition_point(|value| value.pc <= self.pc);
        let near = values[here.saturating_sub(NEAR)..here].iter().rev();
        let later = values[here..].iter().take(NEAR);
        let params = self.model.params.iter().map(|param| Opnd::slot(param.slot));
        let mut found: Vec<Opnd> = Vec::new();
        for other in near.filter_map(|near| near.value).chain(params).chain(later.filter_map(|later| later.value)) {
            if !other.is_const()
                && other != operand
                && !found.contains(&other)
                && self.slot_type(other.index()) == Some(ty)
                && is_written(&self.name(other))
                && self.is_there(other)
            {
                found.push(other);
            }
        }
        found.truncate(MOST_OTHERS);
        found.into_iter().map(|other| (Kind::Variable(self.name(other), name.clone()), other)).collect()
    }

    /// Other addresses from which the function loads, or to which it stores, values of this type.
    fn other_addresses(&self, ty: Scalar, now: Opnd) -> Vec<Opnd> {
        let is_other = |(of, addr): &&(Scalar, Opnd)| *of == ty && *addr != now && self.is_there(*addr);
        let others = self.known.addresses.iter().filter(is_other);
        others.map(|other| other.1).take(MOST_OTHERS).collect()
    }

    /// Other distances that the function adds to pointers.
    fn other_offsets(&self, now: i64) -> Vec<i64> {
        let mut found = Vec::new();
        let near = [now + 4, now - 4, now + 8, now - 8, now + 1, now - 1];
        for offset in near.into_iter().chain(self.known.offsets.iter().copied()) {
            if offset != now && offset >= 0 && !found.contains(&offset) {
                found.push(offset);
            }
        }
        found.truncate(MOST_OTHERS + 4);
        found
    }

    /// Whether an operand has a value here, whichever way the run came.
    fn is_there(&self, operand: Opnd) -> bool {
        operand.is_const() || !self.unassigned.has(operand.index())
    }

    fn name(&self, operand: Opnd) -> Option<String> {
        name(self.model, operand)
    }

    /// Other comparisons of two numbers. Where nothing says whether they have a sign, they have an order only beside a constant that is
    /// not negative.
    fn predicates(&self, now: IntPred, width: u8, operands: [Opnd; 2]) -> Vec<IntPred> {
        use IntPred::*;
        let (signed, unsigned) = ([Eq, Ne, Sgt, Sge, Slt, Sle], [Eq, Ne, Ugt, Uge, Ult, Ule]);
        let is_low = |operand: &Opnd| {
            let value = operand.is_const().then(|| self.consts.get(operand.index() as usize)).flatten();
            value.is_some_and(|value| (2..=64).contains(&width) && value >> (width - 1) == 0)
        };
        let all = match (now, self.known.signs.compared(operands)) {
            (Ugt | Uge | Ult | Ule, _) | (Eq | Ne, Some(false)) => &unsigned[..],
            (Sgt | Sge | Slt | Sle, _) | (_, Some(true)) => &signed[..],
            _ if operands.iter().any(is_low) => &signed[..],
            _ => &signed[..2],
        };
        all.iter().copied().filter(|other| *other != now).collect()
    }

    fn slot_type(&self, slot: u32) -> Option<Scalar> {
        self.known.slot_type(slot)
    }
}

/// Bits as a float, and back.
type FloatBits = (fn(u64) -> f64, fn(f64) -> u64);

/// Whether a variable is one that compilers make of a loop over a range.
fn is_compilers(name: &str) -> bool {
    ["__range", "__begin", "__end"].iter().any(|own| name.starts_with(own))
}

/// Does nothing.
pub(super) const NOTHING: Op = Op::Copy { n: 0, dst: 0, a: Opnd::slot(0) };

const FLOAT_PREDICATES: [(FloatPred, &str); 6] = [
    (FloatPred::Oeq, "=="),
    (FloatPred::Une, "!="),
    (FloatPred::Ogt, ">"),
    (FloatPred::Oge, ">="),
    (FloatPred::Olt, "<"),
    (FloatPred::Ole, "<="),
];

const FLOAT_OPERATORS: [(FloatOp, &str); 4] =
    [(FloatOp::Add, "+"), (FloatOp::Sub, "-"), (FloatOp::Mul, "*"), (FloatOp::Div, "/")];

/// Operators of the same kind, of numbers with or without a sign; with one where that is not known.
fn alike(op: IntOp, signed: Option<bool>) -> &'static [(IntOp, &'static str)] {
    use IntOp::*;
    match op {
        Add | Sub | Mul if signed == Some(false) => alike(UDiv, signed),
        Shl if signed == Some(true) => alike(AShr, signed),
        Add | Sub | Mul | SDiv | SRem => &[(Add, "+"), (Sub, "-"), (Mul, "*"), (SDiv, "/"), (SRem, "%")],
        UDiv | URem => &[(Add, "+"), (Sub, "-"), (Mul, "*"), (UDiv, "/"), (URem, "%")],
        And | Or | Xor => &[(And, "&"), (Or, "|"), (Xor, "^")],
        Shl | LShr => &[(Shl, "<<"), (LShr, ">>")],
        AShr => &[(Shl, "<<"), (AShr, ">>")],
        _ => &[],
    }
}

fn commutes(op: IntOp) -> bool {
    matches!(op, IntOp::Add | IntOp::Mul | IntOp::And | IntOp::Or | IntOp::Xor)
}
