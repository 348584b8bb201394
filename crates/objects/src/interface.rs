//! Where the functions of a class have their object, for whoever reads a program and does not run it.

use whydunit_events::MethodRole;
use whydunit_model::{Function, Module, Slot};

use crate::catalogue::Catalogue;
use crate::methods::{self, Makes, Receiver};
use crate::tables::Tables;

/// Where the object of a call is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ObjectPlace {
    /// The function returns the address of one that it made.
    Result,
    /// It makes one where the argument with this index points.
    Made(u32),
    /// It is called on the one where the argument with this index points.
    Argument(u32),
}

/// A function of a class.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ClassFunction {
    /// The method's name.
    pub method: String,
    /// The function's symbol.
    pub symbol: String,
    /// Where the object is; `None` where it is not told by an address.
    pub place: Option<ObjectPlace>,
}

/// The functions of a class and of its bases in a module, defined there.
pub fn class_functions(catalogue: &Catalogue, class: usize, module: &Module) -> Vec<ClassFunction> {
    let mut tables = Tables::default();
    let of_class = |other: usize| catalogue.base(class, other).is_some();
    let defined = module.functions.iter().filter(|function| function.is_defined());
    let found = defined.filter_map(|function| {
        let info = methods::info(catalogue, &mut tables, module, function, &of_class)?;
        let index = |slot: Slot| position(function, slot);
        let constructs = info.role == MethodRole::Constructor;
        let place = match (info.receiver, info.makes) {
            (Receiver::Address(slot, 0), _) if constructs => index(slot).map(ObjectPlace::Made),
            // The part of a base may lie behind the object's beginning.
            (Receiver::Address(slot, 0), _) if catalogue.base(class, info.class) == Some(Some(0)) => {
                index(slot).map(ObjectPlace::Argument)
            }
            (Receiver::None, Makes::InPlace(slot)) if info.fallible.is_none() => index(slot).map(ObjectPlace::Made),
            (Receiver::None, Makes::Address(0)) => Some(ObjectPlace::Result),
            _ => None,
        };
        // What is static and makes nothing has no object at all.
        let static_one = info.receiver == Receiver::None && !constructs;
        // A base's constructor makes a part.
        let part = constructs && info.class != class;
        (!static_one && !part).then(|| ClassFunction { method: info.name, symbol: function.name.clone(), place })
    });
    found.collect()
}

fn position(function: &Function, slot: Slot) -> Option<u32> {
    function.params.iter().position(|param| param.slot == slot).map(|index| index as u32)
}
