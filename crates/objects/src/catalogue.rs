//! The classes of a program by the symbols of their methods.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use whydunit_classes::{Class, Method};
use whydunit_model::MethodKind;

/// The classes of a program.
pub struct Catalogue {
    classes: Vec<Class>,
    by_symbol: FxHashMap<String, Vec<(usize, usize)>>,
    by_name: BTreeMap<String, usize>,
}

impl Catalogue {
    /// Of these classes.
    pub fn new(classes: Vec<Class>) -> Self {
        let mut by_symbol: FxHashMap<String, Vec<(usize, usize)>> = FxHashMap::default();
        let mut by_name = BTreeMap::new();
        for (number, class) in classes.iter().enumerate() {
            by_name.insert(class.name.clone(), number);
            for (index, method) in class.methods.iter().enumerate() {
                for symbol in &method.symbols {
                    by_symbol.entry(symbol.clone()).or_default().push((number, index));
                }
            }
        }
        Self { classes, by_symbol, by_name }
    }

    /// All classes.
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// The number of a class, by its name or that of the template it is an instance of.
    pub(crate) fn class(&self, name: &str) -> Option<usize> {
        let bare = || name.split('<').next().unwrap_or_default();
        self.by_name.get(name).or_else(|| self.by_name.get(bare())).copied()
    }

    /// The class and the method behind a symbol; `class` is what a module says of the class, where it does.
    pub(crate) fn method(&self, symbol: &str, class: Option<&str>) -> Option<(usize, &Method)> {
        let (class, method) = self.number(symbol, class)?;
        Some((class, &self.classes[class].methods[method]))
    }

    /// The numbers of class and method.
    pub(crate) fn number(&self, symbol: &str, class: Option<&str>) -> Option<(usize, usize)> {
        let found = self.by_symbol.get(symbol)?;
        let named = class.and_then(|name| self.class(name));
        found.iter().find(|(class, _)| Some(*class) == named).or_else(|| found.first()).copied()
    }

    /// Whether a class is derived from another one, and where its part begins; `None` inside for a part that a table places.
    pub(crate) fn base(&self, class: usize, base: usize) -> Option<Option<u64>> {
        if class == base {
            return Some(Some(0));
        }
        self.classes[class].bases.iter().find_map(|own| {
            let inner = self.base(self.class(&own.name)?, base)?;
            Some(own.offset.zip(inner).map(|(own, inner)| own + inner))
        })
    }

    /// Whether objects of a class come from functions that are known to make them.
    pub(crate) fn has_constructor(&self, class: usize) -> bool {
        let makes = |method: &Method| method.kind == Some(MethodKind::Constructor) && !method.symbols.is_empty();
        self.classes[class].methods.iter().any(makes)
    }
}
