//! The model's demands of the operands of an operation.

use whydunit_model::{Callee, Demand, Demanded, Function, Op};
use whydunit_numerics::arith::sext;
use whydunit_replay::{At, FuncId};

use crate::kind::Kind;

/// Where each function's demands begin, by operation.
#[derive(Clone, Default)]
pub struct Starts {
    functions: Vec<Option<Box<[u32]>>>,
}

impl Starts {
    /// The demands of the present operation.
    #[inline]
    pub fn of<'a>(&mut self, at: &At<'a>) -> &'a [Demand] {
        let index = at.function.0 as usize;
        if self.functions.get(index).is_none_or(Option::is_none) {
            self.look_up(at.function, at.model);
        }
        let Some(Some(starts)) = self.functions.get(index) else { return &[] };
        let pc = at.pc as usize;
        let range = starts.get(pc).zip(starts.get(pc + 1)).map(|(start, end)| *start as usize..*end as usize);
        range.and_then(|range| at.model.demands.get(range)).unwrap_or_default()
    }

    #[cold]
    fn look_up(&mut self, function: FuncId, model: &Function) {
        if function == FuncId::NONE {
            return;
        }
        let index = function.0 as usize;
        if self.functions.len() <= index {
            self.functions.resize(index + 1, None);
        }
        let first = |pc: u32| model.demands.partition_point(|demand| demand.pc < pc) as u32;
        self.functions[index] = Some((0..=model.code.len() as u32).map(first).collect());
    }
}

/// The kind and the words of the first demand that the operands of an operation break.
pub fn broken(at: &At<'_>, op: &Op, demands: &[Demand]) -> Option<(Kind, String)> {
    if let Op::Load { ty, addr, .. } | Op::Store { ty, addr, .. } = *op {
        // An address that nothing else is said of lies as the ABI has it.
        let stated = demands.iter().any(|demand| matches!(demand.what, Demanded::Aligned(_)));
        if !stated && let Some(found) = misaligned(at.value(addr), ty.alignment()) {
            return Some(found);
        }
    }
    demands.iter().find_map(|demand| of(at, op, demand))
}

fn of(at: &At<'_>, op: &Op, demand: &Demand) -> Option<(Kind, String)> {
    let value = at.value(demand.value);
    match demand.what {
        Demanded::Index { w, count, accessed } => {
            let index = sext(value, w);
            let most = if accessed { count - 1 } else { count };
            let inside = u64::try_from(index).is_ok_and(|index| index <= most);
            (!inside).then(|| (Kind::ArrayIndex, format!("index {index} lies outside an array of {count} elements")))
        }
        Demanded::Aligned(bytes) => match *op {
            // Nothing is moved.
            Op::MemMove { len, .. } if at.value(len) == 0 => None,
            _ => misaligned(value, bytes),
        },
        Demanded::Argument(number) => (value == 0).then(|| {
            let callee = callee(at, op).map(|name| format!(" of `{name}`")).unwrap_or_default();
            let text = format!("argument {}{callee} is a null pointer, which its declaration excludes", number + 1);
            (Kind::Null, text)
        }),
        Demanded::Reference(variable) => (value == 0).then(|| {
            let name = at.model.variables.get(variable as usize).map_or("", |variable| variable.name.as_str());
            (Kind::Null, format!("the reference `{name}` is bound to what a null pointer points to"))
        }),
        Demanded::NotZero { w } => (sext(value, w) == 0)
            .then(|| (Kind::Builtin, "the zeros of 0 are counted, which the builtin has no result for".into())),
        Demanded::Magnitude { w } => {
            let number = sext(value, w);
            let lowest = w <= 64 && number == sext(1 << (w - 1), w);
            lowest.then(|| {
                (
                    Kind::SignedOverflow,
                    format!("the magnitude of {number} does not fit in a signed integer of {w} bits"),
                )
            })
        }
        Demanded::Truth => {
            let byte = value & 0xff;
            (byte > 1).then(|| (Kind::InvalidBool, format!("a bool has the value {byte}, which is neither 0 nor 1")))
        }
        Demanded::Result => {
            Some((Kind::MissingReturn, "the function ends without the value that it should return".into()))
        }
    }
}

fn misaligned(address: u64, bytes: u32) -> Option<(Kind, String)> {
    // A null pointer is told as that.
    (address != 0 && !address.is_multiple_of(bytes.into()))
        .then(|| (Kind::Misaligned, format!("the address {address:#x} is no multiple of {bytes}, as its type demands")))
}

/// The name of the function that is called.
fn callee(at: &At<'_>, op: &Op) -> Option<String> {
    let Op::Call { call } = *op else { return None };
    let Callee::Direct(callee) = at.model.calls.get(call as usize)?.callee else { return None };
    let function = at.module().functions.get(callee as usize)?;
    Some(function.source_name.clone().unwrap_or_else(|| function.name.clone()))
}
