//! Which objects the constants of functions point to.

use whydunit_model::{Const, Linkage, Opnd, Symbol};
use whydunit_replay::{Code, FuncId};

use crate::object::What;
use crate::objects::Objects;
use crate::tag::Tag;

/// The objects of each function's constants, as far as they were asked for.
#[derive(Clone, Default)]
pub struct Constants {
    functions: Vec<Box<[Tag]>>,
}

impl Constants {
    /// Globals came or went.
    pub fn clear(&mut self) {
        self.functions.clear();
    }

    /// The object that a constant of a function points to.
    #[inline]
    pub fn tag(&mut self, code: &Code, objects: &Objects, function: FuncId, operand: Opnd) -> Tag {
        let known = self.functions.get(function.0 as usize).and_then(|tags| tags.get(operand.index() as usize));
        match known {
            Some(tag) => *tag,
            None => self.look_up(code, objects, function, operand),
        }
    }

    #[cold]
    fn look_up(&mut self, code: &Code, objects: &Objects, function: FuncId, operand: Opnd) -> Tag {
        if function == FuncId::NONE {
            return Tag::NONE;
        }
        let constants = code.model(function).consts.iter().zip(code.consts(function));
        let tags: Box<[Tag]> =
            constants.map(|(constant, &word)| meant(code, objects, function, constant, word)).collect();
        let tag = tags.get(operand.index() as usize).copied().unwrap_or_default();
        let function = function.0 as usize;
        if self.functions.len() <= function {
            self.functions.resize_with(function + 1, Box::default);
        }
        self.functions[function] = tags;
        tag
    }
}

/// The global that a constant means. The address of a symbol means the symbol's object, wherever it points.
fn meant(code: &Code, objects: &Objects, function: FuncId, constant: &Const, word: u64) -> Tag {
    let (tag, object) = match constant {
        Const::Bits(_) | Const::Addr(Symbol::Function(_), _) => return Tag::NONE,
        Const::Addr(symbol, _) => {
            let address = code.loaded_module_of(function).map_or(0, |module| module.address(*symbol));
            let Some(found) = objects.starting_at(address) else { return Tag::NONE };
            found
        }
        Const::Expr(_) => {
            let tag = objects.find(word);
            let Some(object) = objects.get(tag) else { return Tag::NONE };
            (tag, object)
        }
    };
    let What::Global(module, number) = object.what else { return Tag::NONE };
    let Const::Addr(Symbol::Global(symbol), _) = constant else { return tag };
    // A name that is only declared here, or of which another definition may be the one, may be the linker's, for the start
    // of a section: then it is no object of its own. Equal strings of several modules may be one.
    let own = code.module_of(function).globals.get(*symbol as usize);
    let other = code.modules().get(module as usize).and_then(|module| module.model.globals.get(number as usize));
    let same = own.zip(other).is_some_and(|(own, other)| {
        let defined = matches!(own.linkage, Linkage::Strong | Linkage::Internal);
        own.name == other.name || defined && own.size == other.size
    });
    if same { tag } else { Tag::NONE }
}
