//! What a program declares: structures, enumerations and constants, by their names.

use std::collections::{HashMap, HashSet};

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use super::functions::Source;
use super::kinds::plain;

/// What is known of the program around a function.
#[derive(Clone, Debug, Default)]
pub struct Declared {
    /// Functions without effects, by their names.
    pub(crate) pure: HashSet<String>,
    /// Fields of structures with their types.
    pub(crate) fields: HashMap<String, Vec<(String, String)>>,
    /// Variants of enumerations that hold nothing.
    pub(crate) variants: HashMap<String, Vec<String>>,
    /// Texts that the project names, as they are written.
    pub texts: Vec<String>,
}

impl Declared {
    /// Of a program with these functions without effects, by their names.
    pub fn new(pure: HashSet<String>) -> Self {
        Self { pure, ..Self::default() }
    }

    /// Adds what a source declares.
    pub fn add(&mut self, source: &Source) {
        Adding { source: source.text(), to: self }.visit_file(source.file());
    }
}

struct Adding<'a> {
    source: &'a str,
    to: &'a mut Declared,
}

impl<'a> Visit<'a> for Adding<'a> {
    fn visit_item_struct(&mut self, item: &'a syn::ItemStruct) {
        let named = |(number, field): (usize, &syn::Field)| {
            let name = field.ident.as_ref().map_or(number.to_string(), ToString::to_string);
            Some((name, plain(self.source.get(field.ty.span().byte_range())?)))
        };
        let fields = item.fields.iter().enumerate().filter_map(named).collect();
        self.to.fields.insert(item.ident.to_string(), fields);
    }

    fn visit_item_enum(&mut self, item: &'a syn::ItemEnum) {
        let empty = item.variants.iter().filter(|variant| variant.fields.is_empty());
        let variants = empty.map(|variant| variant.ident.to_string()).collect();
        self.to.variants.insert(item.ident.to_string(), variants);
        visit::visit_item_enum(self, item);
    }
}
