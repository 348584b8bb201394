//! What external code was given: it may keep it, and may give it back to the allocator unseen.

use std::collections::{HashMap, HashSet};

use whydunit_model::{self as model, Call, names};
use whydunit_replay::At;

use crate::object::Object;
use crate::objects::Objects;
use crate::tag::Tag;

/// So many blocks are followed that hang together when external code is given one of them; where there are more, no block is known
/// from then on.
pub const FOLLOWED: usize = 1 << 8;

/// The live objects that others lead to, these among them, by what `leads` says of each; `None` where they are more than `most`.
pub fn led_to(
    objects: &Objects,
    tags: impl Iterator<Item = Tag>,
    most: usize,
    mut leads: impl FnMut(&Object) -> Vec<Tag>,
) -> Option<HashSet<Tag>> {
    let (mut seen, mut rest) = (HashSet::new(), Vec::from_iter(tags));
    while let Some(tag) = rest.pop() {
        let Some(object) = objects.get(tag).filter(|object| object.live && seen.insert(tag)) else { continue };
        if seen.len() > most {
            return None;
        }
        rest.extend(leads(&object));
    }
    Some(seen)
}

/// The name of the function that a call calls; `None` where a pointer says which.
pub fn called<'a>(at: &At<'a>, call: &Call) -> Option<&'a str> {
    let model::Callee::Direct(callee) = call.callee else { return None };
    at.module().functions.get(callee as usize).map(|function| function.name.as_str())
}

/// What is known of an external function.
#[derive(Clone, Copy)]
pub struct Callee {
    /// It is done with what it was given when it returns.
    pub lets_go: bool,
    /// It is one of C++'s standard library as that is installed, which gives back only what it has allocated itself.
    pub is_of_cpp_library: bool,
}

/// The external functions by their names.
#[derive(Clone, Default)]
pub struct Callees(HashMap<String, Callee>);

impl Callees {
    /// What is known of the function of this name.
    pub fn get(&mut self, name: &str) -> Callee {
        if let Some(known) = self.0.get(name) {
            return *known;
        }
        let lets_go = whydunit_library::lets_go(name)
            || whydunit_library::rust_heap(name).is_some()
            || whydunit_replay::is_output_of_rust(name);
        let callee = Callee { lets_go, is_of_cpp_library: is_of_cpp_library(name) };
        self.0.insert(name.to_owned(), callee);
        callee
    }
}

/// Whether a function is compiled into C++'s standard library. Templates are compiled into the program that uses them, but for those of texts
/// and streams.
fn is_of_cpp_library(name: &str) -> bool {
    let standard = ["_ZNSt", "_ZNKSt", "_ZSt", "_ZNSi", "_ZNSo", "_ZNSs", "_ZNKSs", "__cxa_"];
    let function = |name: &str| {
        ["ls", "rs", "16__ostream_insert", "7getline", "4endl", "5flush"].iter().any(|f| name.starts_with(f))
    };
    let of_text = || {
        let of_class = name.strip_prefix("_ZN").map(|name| name.trim_start_matches('K'));
        let class = of_class.map(|name| name.trim_start_matches("St").trim_start_matches("7__cxx11"));
        let class = class.map(|name| name.trim_start_matches(|digit: char| digit.is_ascii_digit()));
        class.is_some_and(|class| ["basic_", "Si", "So", "Ss"].iter().any(|text| class.starts_with(text)))
            || name.strip_prefix("_ZSt").is_some_and(function)
    };
    let is_template = || name.starts_with("_Z") && names::complete(name).is_none_or(|name| name.contains('<'));
    standard.iter().any(|start| name.starts_with(start)) && (of_text() || !is_template())
}

/// The blocks of Rust's allocator that external code was not given.
#[derive(Clone, Default)]
pub struct RustBlocks {
    /// Their names.
    pub tags: HashSet<Tag>,
    /// None is known any more.
    pub over: bool,
    /// The call under way was told as one of the heap.
    pub told: bool,
}

impl RustBlocks {
    /// Whether any is known.
    pub fn has_blocks(&self) -> bool {
        !self.tags.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_of_the_standard_library_are_the_programs_but_for_texts_and_streams() {
        for name in [
            "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6appendEPKc",
            "_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE4sizeEv",
            "_ZNSo5flushEv",
            "_ZNSt13basic_filebufIcSt11char_traitsIcEE5closeEv",
            "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc",
            "_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base",
            "_ZNSt8__detail15_List_node_base7_M_hookEPS0_",
            "_ZSt20__throw_length_errorPKc",
            "__cxa_begin_catch",
        ] {
            assert!(is_of_cpp_library(name), "{name}");
        }
        for name in [
            "_ZNSt3mapIiiSt4lessIiESaISt4pairIKiiEEED2Ev",
            "_ZNSt8_Rb_treeIiSt4pairIKiiESt10_Select1stIS2_ESt4lessIiESaIS2_EE8_M_eraseEPSt13_Rb_tree_nodeIS2_E",
            "_ZNSt10unique_ptrI3OneSt14default_deleteIS0_EED2Ev",
            "_ZN2mu10ParserBase4InitEv",
            "puts",
        ] {
            assert!(!is_of_cpp_library(name), "{name}");
        }
    }
}
