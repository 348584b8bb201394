//! What is to be known of a function that is a method before it is entered.

use whydunit_causes::value::{is_rust, size_of, underlying};
use whydunit_classes::Method;
use whydunit_events::{MethodId, MethodRole};
use whydunit_model::{DebugType, Function, Language, MethodKind, Module, Passing, Slot, TypeId, Variable};

use crate::catalogue::Catalogue;
use crate::tables::{Tables, role};

/// Where the object is that a method is called on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Receiver {
    /// A slot has its address less so many bytes.
    Address(Slot, u64),
    /// It is passed in registers, from this slot on.
    Words(Slot),
    /// There is none, or it cannot be told.
    None,
}

/// Where a constructor without receiver leaves its object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Makes {
    Nothing,
    /// At the address in this slot, or inside of what is there.
    InPlace(Slot),
    /// The result is the object.
    Words,
    /// The result is its address less so many bytes.
    Address(u64),
}

/// A method with code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct MethodInfo {
    pub id: MethodId,
    pub name: String,
    pub class: usize,
    pub role: MethodRole,
    /// It is declared not to change its object.
    pub constant: bool,
    pub receiver: Receiver,
    /// The type of the objects, in the module of the function.
    pub ty: Option<TypeId>,
    pub makes: Makes,
    /// The type of the result, where it says whether the method has failed.
    pub fallible: Option<TypeId>,
    /// The slot with the address that the result is written to.
    pub result_at: Option<Slot>,
}

/// What a function is, where it is a method of a known class.
pub(crate) fn info(
    catalogue: &Catalogue,
    tables: &mut Tables,
    module: &Module,
    function: &Function,
    wanted: &dyn Fn(usize) -> bool,
) -> Option<MethodInfo> {
    let own = function.method.and_then(|id| module.methods.get(id as usize));
    let class_name = own.and_then(|method| method.class).map(|class| module.classes[class as usize].name.as_str());
    let (class, method) = catalogue.method(&function.name, class_name)?;
    let kind = method.kind.filter(|_| wanted(class))?;
    let role = role(kind);
    let (receiver, ty) = match method.receiver {
        Some(known) => receiver(module, function, known.parameter, known.passing)?,
        None => (Receiver::None, None),
    };
    let returned = own.and_then(|method| method.returns).map(|class| module.classes[class as usize].ty);
    // A function of C that makes one may be called on another structure.
    let named = || {
        let of_class = |known: &&whydunit_model::Class| known.name == catalogue.classes()[class].name;
        module.classes.iter().find(of_class).map(|known| known.ty)
    };
    let ty = ty.or(returned).or_else(|| named().filter(|_| kind == MethodKind::Constructor));
    // Of a generic type the instance's own.
    let method =
        &Method { result: own.map_or_else(|| method.result.clone(), |own| own.result.clone()), ..method.clone() };
    let result_at = result_at(module, function, method);
    // Of C: an address, which a typedef may be the name of.
    let bare = method.result.trim_start_matches("struct ");
    let is_address = module.language == Language::C
        && function.ret == [whydunit_model::Scalar::Ptr]
        && bare != catalogue.classes()[class].name;
    let makes = match kind {
        MethodKind::Constructor if receiver == Receiver::None && is_address => Makes::Address(0),
        MethodKind::Constructor if receiver == Receiver::None => makes(function, method, result_at),
        // In C what returns a pointer to a new one.
        MethodKind::Static if is_address => Makes::Address(0),
        _ => Makes::Nothing,
    };
    let fallible = is_rust(module).then(|| fallible(module, &method.result)).flatten();
    let role = if makes == Makes::Nothing { role } else { MethodRole::Constructor };
    let id = tables.method(catalogue, class, method, role);
    let name = method.name.clone();
    let constant = method.receiver.is_some_and(|receiver| receiver.constant);
    Some(MethodInfo { id, name, class, role, constant, receiver, ty, makes, fallible, result_at })
}

/// Where the receiver is, and the type of the object.
fn receiver(
    module: &Module,
    function: &Function,
    parameter: u32,
    passing: Passing,
) -> Option<(Receiver, Option<TypeId>)> {
    let (variable, slot) = self::parameter(function, parameter)?;
    let ty = underlying(module, variable.ty);
    if passing == Passing::Value {
        let by_address = variable.indirect
            || function.params.iter().any(|param| {
                param.slot == slot && param.leaves == [whydunit_model::Scalar::Ptr] && size_of(module, ty) > 16
            });
        return Some((if by_address { Receiver::Address(slot, 0) } else { Receiver::Words(slot) }, Some(ty)));
    }
    let (to, skip) = match module.types.get(ty as usize)? {
        DebugType::Pointer { to } => (Some(underlying(module, *to)), 0),
        DebugType::Struct { name, .. } if name.starts_with("Rc<") || name.starts_with("Arc<") => (None, 16),
        _ => (None, 0),
    };
    Some((Receiver::Address(slot, skip), to))
}

/// The variable of a function's own parameter with this number, from 1, and the slot that it comes in, the first of several.
pub(crate) fn parameter(function: &Function, number: u32) -> Option<(&Variable, Slot)> {
    let own = |scope: u32| function.scopes.get(scope as usize).is_some_and(|scope| scope.inlined == 0);
    let is_it = |variable: &Variable| variable.arg == number && own(variable.scope);
    let index = function.variables.iter().position(is_it)?;
    let variable = &function.variables[index];
    let values = function.debug_values.iter().filter(|value| value.variable == index as u32);
    let first = values.min_by_key(|value| value.pc).and_then(|value| value.value).filter(|value| !value.is_const());
    let slots: Vec<Slot> = function.params.iter().map(|param| param.slot).collect();
    let known = |slot: &Slot| slots.contains(slot);
    let slot = first.map(|value| unextended(function, value.index())).filter(known);
    // A variable in memory gets its value from a parameter at the start.
    let slot = slot.or_else(|| Some(unextended(function, stored(function, variable.object?)?))).filter(known)?;
    Some((variable, slot))
}

/// The slot of which one has the value, in more bits: a truth comes in one bit, and is kept in a byte.
fn unextended(function: &Function, slot: Slot) -> Slot {
    let from = function.code.iter().find_map(|op| match op {
        whydunit_model::Op::ZExt { dst, a, .. } if *dst == slot && !a.is_const() => Some(a.index()),
        _ => None,
    });
    from.unwrap_or(slot)
}

/// The slot that is stored in a stack object before anything else is.
fn stored(function: &Function, object: u32) -> Option<Slot> {
    use whydunit_model::Op;
    let mut address = None;
    for op in &function.code {
        match op {
            Op::StackAddr { dst, object: known, .. } if *known == object => address = Some(*dst),
            Op::Store { value, addr, .. } if address.is_some_and(|slot| !addr.is_const() && addr.index() == slot) => {
                return (!value.is_const()).then(|| value.index());
            }
            _ => {}
        }
    }
    None
}

/// The slot with the address of a result that is written in place.
fn result_at(module: &Module, function: &Function, method: &Method) -> Option<Slot> {
    let none = method.result.is_empty() || method.result == "()" || method.result == "!";
    let takes = function.params.len() > method.parameters.len() + usize::from(method.receiver.is_some());
    let named = function.variables.iter().any(|it| it.arg == 0 && it.indirect);
    (function.ret.is_empty() && !none && (takes || named || is_rust(module)))
        .then(|| function.params.first())
        .flatten()
        .filter(|param| param.leaves == [whydunit_model::Scalar::Ptr])
        .map(|param| param.slot)
}

fn makes(function: &Function, method: &Method, result_at: Option<Slot>) -> Makes {
    let bare = method.result.rsplit("::").next().unwrap_or_default();
    let starts = |name: &str| {
        bare.starts_with(name)
            || method.result.split('<').next().is_some_and(|it| it.ends_with(&name[..name.len() - 1]))
    };
    match result_at {
        Some(slot) => Makes::InPlace(slot),
        None if function.ret.is_empty() => Makes::Nothing,
        None if starts("Box<") || method.result.ends_with('*') => Makes::Address(0),
        None if starts("Rc<") || starts("Arc<") => Makes::Address(16),
        None => Makes::Words,
    }
}

/// The type of a result that says whether its function has failed.
fn fallible(module: &Module, result: &str) -> Option<TypeId> {
    let own = result.split('<').next().unwrap_or_default().rsplit("::").next().unwrap_or_default();
    if !matches!(own, "Result" | "Option") {
        return None;
    }
    let is_it = |ty: &DebugType| matches!(ty, DebugType::Variants { name, .. } if same_type(name, result));
    module.types.iter().position(is_it).map(|ty| ty as TypeId)
}

/// Types are written with and without scopes.
fn same_type(one: &str, other: &str) -> bool {
    bare(one) == bare(other)
}

fn bare(name: &str) -> String {
    let mut out = String::new();
    let mut word = String::new();
    for c in name.chars() {
        match c {
            ':' => word.clear(),
            c if c.is_alphanumeric() || c == '_' => word.push(c),
            c => {
                out.push_str(&word);
                word.clear();
                if !c.is_whitespace() {
                    out.push(c);
                }
            }
        }
    }
    out + &word
}
