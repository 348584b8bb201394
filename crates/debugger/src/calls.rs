//! Calls in expressions: functions of the program are run on the present state, by a run that leaves the recording and no trace.
//!
//! Only what changes nothing but its own frames and what it allocated itself has a value: all else is refused, with its reason.

use whydunit_causes::expression::{Called, Expression, Value, read};
use whydunit_causes::parts::type_name;
use whydunit_causes::variables::{Found, Store, View};
use whydunit_model::{DebugType, Function, Module, Op, Scalar};
use whydunit_replay::{At, FuncId, HeapBlock, Limits, Observer, WhatIfOutcome, WhatIfStop, Writer};

use crate::DebugError;
use crate::breakpoints::named;
use crate::inspect::FrameId;
use crate::session::Session;

/// A call may take this much.
const LIMITS: Limits = Limits { instructions: 50_000_000, depth: 10_000, output: 1 << 16 };
/// Frames of a call lie so far below the present one at most.
const STACK: u64 = 8 << 20;

/// Watches whether a call changes what was there before it.
struct Watch {
    /// Its frames lie below.
    usp: u64,
    allocated: Vec<(u64, u64)>,
    writes: bool,
}

impl Watch {
    fn write(&mut self, address: u64) {
        let own_frame = address < self.usp && address >= self.usp.saturating_sub(STACK);
        let own_block = |&(start, size): &(u64, u64)| address.wrapping_sub(start) < size;
        self.writes |= !own_frame && !self.allocated.iter().any(own_block);
    }
}

impl Observer for Watch {
    const OPS: bool = true;
    const RANGES: bool = true;

    fn op(&mut self, at: &At<'_>, op: &Op) {
        if let Op::Store { addr, .. } | Op::AtomicRmw { addr, .. } | Op::CmpXchg { addr, .. } = *op {
            self.write(at.value(addr));
        }
    }

    fn moved(&mut self, _: &At<'_>, to: u64, _: u64, _: u64) {
        self.write(to);
    }

    fn filled(&mut self, _: &At<'_>, address: u64, _: u64) {
        self.write(address);
    }

    fn external_write(&mut self, _: &At<'_>, address: u64, _: u64, writer: Writer) {
        if writer == Writer::External {
            self.write(address);
        }
    }

    fn allocated(&mut self, _: &At<'_>, block: HeapBlock) {
        self.allocated.push((block.address, block.size));
    }

    fn freed(&mut self, _: &At<'_>, address: u64, _: Option<HeapBlock>) {
        self.write(address);
    }
}

impl Session {
    /// The value of an expression in a frame; functions that it calls are run on the present state, if they change nothing.
    pub fn evaluate(&mut self, frame: FrameId, expression: &str) -> Result<Value, DebugError> {
        let read = read(expression.trim()).map_err(DebugError::Expression)?;
        let known = self.without_calls(frame, &read)?;
        self.view(frame)?.value(&known).map_err(DebugError::Expression)
    }

    /// An expression in which the values of calls stand in their places.
    fn without_calls(&mut self, frame: FrameId, expression: &Expression) -> Result<Expression, DebugError> {
        if !expression.calls() {
            return Ok(expression.clone());
        }
        let mut inner = |of: &Expression| self.without_calls(frame, of).map(Box::new);
        Ok(match expression {
            Expression::Member { of, member, arrow, text } => {
                Expression::Member { of: inner(of)?, member: member.clone(), arrow: *arrow, text: text.clone() }
            }
            Expression::Element { of, index, text } => {
                Expression::Element { of: inner(of)?, index: inner(index)?, text: text.clone() }
            }
            Expression::Pointee { of, text } => Expression::Pointee { of: inner(of)?, text: text.clone() },
            Expression::Address(of) => Expression::Address(inner(of)?),
            Expression::Unary(operator, of) => Expression::Unary(operator.to_owned(), inner(of)?),
            // What is not needed is not called.
            Expression::Binary(operator @ ("&&" | "||"), left, right) => {
                let left = inner(left)?;
                let holds = self.view(frame)?.holds(&left).map_err(DebugError::Expression)?;
                if holds == (*operator == "||") {
                    return Ok(Expression::Truth(holds));
                }
                Expression::Binary(operator, left, self.without_calls(frame, right).map(Box::new)?)
            }
            Expression::Binary(operator, left, right) => Expression::Binary(operator, inner(left)?, inner(right)?),
            Expression::Call(called) => Expression::Known(self.call(frame, called)?),
            other => other.clone(),
        })
    }

    /// What a call gives.
    fn call(&mut self, frame: FrameId, called: &Called) -> Result<Value, DebugError> {
        let mut arguments = Vec::new();
        for argument in &called.arguments {
            arguments.push(self.without_calls(frame, argument)?);
        }
        let of = called.of.as_deref().map(|of| self.without_calls(frame, of)).transpose()?;
        let no = |why: String| DebugError::Expression(format!("`{}` has no value: {why}", called.text));
        let (function, words) = {
            let view = self.view(frame)?;
            let receiver = of.as_ref().map(|of| receiver(&view, of, called.arrow)).transpose().map_err(no)?;
            let class = receiver.as_ref().map(|(_, class)| class.as_str());
            let function = self.callee(called, class).map_err(no)?;
            let receiver = receiver.map(|(address, _)| address);
            let words = words(&view, self.machine.code().model(function), receiver, &arguments).map_err(no)?;
            (function, words)
        };
        let mut watch = Watch { usp: self.machine.core.usp, allocated: Vec::new(), writes: false };
        let outcome = self.machine.inspect(function, &words, LIMITS, &mut watch)?;
        if watch.writes {
            return Err(no("it changes more than its own variables, and a recorded run is not changed".into()));
        }
        given(self.machine.code().model(function), outcome).map_err(no)
    }

    /// The captured function that is called: a method of `class`, if there is one.
    fn callee(&self, called: &Called, class: Option<&str>) -> Result<FuncId, String> {
        let code = self.machine.code();
        let count = called.arguments.len() + usize::from(class.is_some());
        let candidates: Vec<FuncId> = match class {
            None => named(code, &called.name),
            Some(class) => {
                let is_it = |id: &FuncId| is_method(code.module_of(*id), code.model(*id), class, &called.name);
                (0..code.functions()).map(FuncId).filter(is_it).collect()
            }
        };
        if candidates.is_empty() {
            return Err(match class {
                None => format!("no function `{}` was captured", called.name),
                Some(class) => format!("no method `{}` of `{class}` was captured", called.name),
            });
        }
        let takes = |id: &&FuncId| code.model(**id).params.len() == count && !code.model(**id).variadic;
        let mut fitting = candidates.iter().filter(takes);
        let first = *fitting.next().ok_or_else(|| match class {
            None => format!("no function `{}` that was captured takes {count} plain arguments", called.name),
            Some(_) => format!("no method `{}` that was captured takes {} plain arguments", called.name, count - 1),
        })?;
        match fitting.all(|other| code.model(*other).name == code.model(first).name) {
            true => Ok(first),
            false => Err(format!("several functions `{}` were captured that take as many arguments", called.name)),
        }
    }
}

/// Whether a function is this method of a class.
fn is_method(module: &Module, model: &Function, class: &str, name: &str) -> bool {
    let method = model.method.and_then(|method| module.methods.get(method as usize));
    let Some((method, receiver)) = method.and_then(|method| Some((method, method.receiver?))) else { return false };
    let parameter = model.variables.iter().find(|variable| variable.arg == receiver.parameter);
    let of = parameter.and_then(|parameter| pointee(module, parameter.ty));
    model.is_defined() && method.name == name && of.is_some_and(|of| type_name(module, of) == class)
}

/// What a pointer or reference points to, by the types' ids.
fn pointee(module: &Module, ty: whydunit_model::TypeId) -> Option<whydunit_model::TypeId> {
    match module.types.get(ty as usize)? {
        DebugType::Pointer { to } => Some(*to),
        DebugType::Alias { to, .. } if *to != ty => pointee(module, *to),
        _ => None,
    }
}

/// The address of an object on which a method is called, and the name of its class.
fn receiver(view: &View<'_>, of: &Expression, arrow: bool) -> Result<(u64, String), String> {
    let Value::Found(found) = view.value(of)? else { return Err("it is called on what is no variable".into()) };
    let module = view.module();
    match (pointee(module, found.ty), &found.store) {
        (Some(to), _) => Ok((found.word(), type_name(module, to))),
        (None, Store::Memory(address)) if !arrow => Ok((*address, type_name(module, found.ty))),
        (None, _) if arrow => Err(format!("`{}` is no pointer", found.name)),
        (None, _) => Err(format!("`{}` is kept in registers", found.name)),
    }
}

/// The words of a function's arguments.
fn words(
    view: &View<'_>,
    function: &Function,
    receiver: Option<u64>,
    arguments: &[Expression],
) -> Result<Vec<u64>, String> {
    let mut words: Vec<u64> = receiver.into_iter().collect();
    for (argument, param) in arguments.iter().zip(function.params.iter().skip(words.len())) {
        let [leaf] = param.leaves[..] else { return Err("it takes a structure by its value".into()) };
        if param.byval != 0 || leaf.slots() != 1 {
            return Err("it takes a structure by its value".into());
        }
        words.push(word(view, view.value(argument)?, leaf)?);
    }
    Ok(words)
}

/// A value as a word of this kind.
fn word(view: &View<'_>, value: Value, leaf: Scalar) -> Result<u64, String> {
    let of_found = |found: &Found| -> Option<u64> {
        let array = matches!(view.module().types.get(found.ty as usize), Some(DebugType::Array { .. }));
        match (&found.store, array) {
            (Store::Memory(address), true) => Some(*address),
            _ => (1..=8).contains(&found.bytes.len()).then(|| found.word()),
        }
    };
    let floats = matches!(leaf, Scalar::F32 | Scalar::F64);
    let value = match value {
        Value::Found(found) if !floats => {
            return of_found(&found).ok_or_else(|| format!("`{}` is no plain value", found.name));
        }
        Value::Found(found) => view.plain(Value::Found(found))?,
        other => other,
    };
    let float = |number: f64| match leaf {
        Scalar::F32 => u64::from((number as f32).to_bits()),
        _ => number.to_bits(),
    };
    match value {
        Value::Number(number) if floats => Ok(float(number as f64)),
        Value::Float(number) if floats => Ok(float(number)),
        Value::Number(number) => Ok(number as u64),
        Value::Truth(holds) => Ok(u64::from(holds)),
        Value::Address(address) => Ok(address),
        Value::Float(_) => Err("a floating number is given where a whole one is taken".into()),
        Value::Text(_) => Err("a text cannot be given to it: it would have to be put into memory".into()),
        Value::Found(found) => Err(format!("`{}` is no plain value", found.name)),
    }
}

/// What a call has given.
fn given(function: &Function, outcome: WhatIfOutcome) -> Result<Value, String> {
    if !outcome.output.is_empty() {
        return Err("it prints".into());
    }
    let words = match outcome.stop {
        WhatIfStop::Returned(words) => words,
        WhatIfStop::External { name } if name.is_empty() => return Err("it calls what was not captured".into()),
        WhatIfStop::External { name } => return Err(format!("it calls `{name}`, which was not captured")),
        WhatIfStop::Thrown { panic: true, text } => return Err(format!("it panics: {text}")),
        WhatIfStop::Thrown { text, .. } => return Err(format!("it throws {text}").trim_end().to_owned()),
        WhatIfStop::Trap { what, .. } => return Err(format!("it ends the program: {what}")),
        WhatIfStop::UnknownMemory { address } => {
            return Err(format!("it reads memory that is not known, at {address:#x}"));
        }
        WhatIfStop::Exited { .. } => return Err("it ends the program".into()),
        WhatIfStop::BackInExternal { name } => return Err(format!("it returns into `{name}`")),
        WhatIfStop::Limit { what } => return Err(format!("it takes too long ({what})")),
        WhatIfStop::OtherOutput { .. } => return Err("it prints".into()),
        WhatIfStop::NoChange { reason } => return Err(reason),
    };
    let word = words.first().copied().unwrap_or(0);
    match function.ret[..] {
        [] => Err("it returns nothing".into()),
        [Scalar::Int(1)] => Ok(Value::Truth(word & 1 == 1)),
        [Scalar::Int(bits @ 2..=64)] => Ok(Value::Number(i128::from((word << (64 - bits)) as i64 >> (64 - bits)))),
        [Scalar::Ptr] => Ok(Value::Address(word)),
        [Scalar::F64] => Ok(Value::Float(f64::from_bits(word))),
        [Scalar::F32] => Ok(Value::Float(f32::from_bits(word as u32).into())),
        _ => Err("it returns a structure".into()),
    }
}
