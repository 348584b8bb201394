//! How a method gets its object and its arguments.

use whydunit_classes::Method;
use whydunit_model::{Function, Module, Passing, Slot, TypeId};

use crate::methods::{self, MethodInfo, Receiver};

/// What comes in a parameter of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Comes {
    /// The address of a place for the result, of so many bytes.
    Result(u64),
    /// The address of the object, less so many bytes.
    Object(u64),
    /// A part of the argument with this index.
    Argument(usize),
}

/// An argument, as its function gets it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Parameter {
    pub name: String,
    pub ty: TypeId,
    /// What is passed is its address.
    pub by_address: bool,
    /// The first slot.
    pub slot: Slot,
}

/// How a method gets what it works on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Signature {
    /// Of each parameter of the function.
    pub comes: Vec<Comes>,
    /// The arguments in the order of the source, without the object.
    pub arguments: Vec<Parameter>,
}

/// The signature of a method's function; the reason where it cannot be told.
pub(crate) fn of(
    module: &Module,
    function: &Function,
    method: &Method,
    info: &MethodInfo,
) -> Result<Signature, String> {
    let Receiver::Address(object, skip) = info.receiver else {
        return Err("it is not called on an object by its address".into());
    };
    let own = method.receiver.map_or(0, |receiver| receiver.parameter);
    let by_value = method.receiver.is_some_and(|receiver| receiver.passing == Passing::Value);
    if by_value || function.variadic {
        return Err(if by_value { "it takes its object" } else { "it takes any number of arguments" }.into());
    }
    let mut arguments = Vec::new();
    for number in (1..).filter(|number| *number != own).take(method.parameters.len()) {
        let Some((variable, slot)) = methods::parameter(function, number) else {
            return Err(format!("nothing tells how it gets its argument {}", arguments.len() + 1));
        };
        let size = whydunit_causes::value::size_of(module, variable.ty);
        let param = function.params.iter().find(|param| param.slot == slot);
        let address = param.is_some_and(|param| param.leaves == [whydunit_model::Scalar::Ptr]);
        let by_address = variable.indirect || address && size > 16 || param.is_some_and(|param| param.byval != 0);
        arguments.push(Parameter { name: variable.name.clone(), ty: variable.ty, by_address, slot });
    }
    let mut comes = Vec::new();
    for param in &function.params {
        let starts = arguments.iter().map(|it| it.slot).chain([object]).filter(|slot| *slot <= param.slot).max();
        comes.push(match starts {
            _ if info.result_at == Some(param.slot) => Comes::Result(size_of_result(module, info)),
            Some(slot) if slot == object => Comes::Object(skip),
            Some(slot) => Comes::Argument(arguments.iter().position(|it| it.slot == slot).unwrap_or(0)),
            None => return Err("it takes more than its source says".into()),
        });
    }
    match comes.iter().filter(|it| matches!(it, Comes::Object(_))).count() {
        1 => Ok(Signature { comes, arguments }),
        _ => Err("it takes more than its source says".into()),
    }
}

/// A result that is written in place is not larger where nothing says how large it is.
const RESULT: u64 = 256;

fn size_of_result(module: &Module, info: &MethodInfo) -> u64 {
    let size = info.fallible.map_or(0, |ty| whydunit_causes::value::size_of(module, ty));
    size.max(RESULT)
}
