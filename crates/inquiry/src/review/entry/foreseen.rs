//! What cannot be given is known from the sources alone, where these say so: of Rust, types of its library other than those that are
//! written as values.

use std::collections::HashMap;

use syn::visit::Visit;
use whydunit_changes::Tree;

use crate::Error;
use crate::review::error::ReviewError;

/// Types of Rust's library that a call is given, or that the values in it say.
const GIVEN: [&str; 8] = ["String", "Vec", "Box", "Rc", "Arc", "Cow", "Wrapping", "RefCell"];
/// Where its library lies.
const LIBRARY: [&str; 3] = ["std", "core", "alloc"];

/// Refuses a function all of whose declarations have a parameter that nobody can give a value.
pub fn foresee(tree: &Tree, function: &str) -> Result<(), Error> {
    let name = function.rsplit("::").next().unwrap_or(function);
    let mut refused = None;
    for (_, file) in tree.files.iter().filter(|(path, _)| path.ends_with(".rs")) {
        let Some(parsed) = std::str::from_utf8(&file.bytes).ok().and_then(|text| syn::parse_file(text).ok()) else {
            continue;
        };
        let mut found = Declared { name, imported: HashMap::new(), refusals: Vec::new() };
        found.visit_file(&parsed);
        for parameters in &found.refusals {
            match parameters {
                Some(reason) => refused = Some(reason.clone()),
                // This one may be meant.
                None => return Ok(()),
            }
        }
    }
    match refused {
        Some(reason) => Err(ReviewError::CannotBeGiven { function: function.to_owned(), reason }.into()),
        None => Ok(()),
    }
}

/// The types of the sources that a value is written of, where they are structures: the first one that is no type of the project's, so
/// that nobody knows its fields. None where there is none.
pub fn foreign<'t>(tree: &Tree, types: impl Iterator<Item = &'t str>) -> Option<&'t str> {
    let texts: Vec<&str> = tree
        .files
        .iter()
        .filter(|(path, _)| path.ends_with(".rs"))
        .filter_map(|(_, file)| std::str::from_utf8(&file.bytes).ok())
        .collect();
    let is_own = |ty: &str| {
        let name = ty.split('<').next().unwrap_or(ty).rsplit("::").next().unwrap_or(ty);
        name.is_empty() || name.starts_with('(') || texts.iter().any(|text| declares(text, name))
    };
    types.into_iter().find(|ty| !is_own(ty))
}

/// Whether a source has a structure of this name, or a macro that may make it.
fn declares(text: &str, name: &str) -> bool {
    let follows = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    ["struct ", "enum ", "union ", "! { ", "!("].iter().any(|word| {
        let word = format!("{word}{name}");
        text.match_indices(&word).any(|(at, _)| follows(&text[at + word.len()..]))
    })
}

/// Functions of a name in a file, and what is imported there from Rust's library.
struct Declared<'a> {
    name: &'a str,
    imported: HashMap<String, String>,
    /// Of each function, why it cannot be given something.
    refusals: Vec<Option<String>>,
}

impl Declared<'_> {
    fn import(&mut self, tree: &syn::UseTree, path: &str) {
        match tree {
            syn::UseTree::Path(inner) => self.import(&inner.tree, &format!("{path}{}::", inner.ident)),
            syn::UseTree::Name(name) => {
                self.imported.insert(name.ident.to_string(), format!("{path}{}", name.ident));
            }
            syn::UseTree::Rename(rename) => {
                self.imported.insert(rename.rename.to_string(), format!("{path}{}", rename.ident));
            }
            syn::UseTree::Group(group) => group.items.iter().for_each(|item| self.import(item, path)),
            syn::UseTree::Glob(_) => {}
        }
    }

    /// Why a parameter cannot be given. None where it may be.
    fn refusal(&self, argument: &syn::FnArg) -> Option<String> {
        let syn::FnArg::Typed(argument) = argument else { return None };
        let syn::Pat::Ident(name) = &*argument.pat else { return None };
        let mut types = Types::default();
        types.visit_type(&argument.ty);
        let whole = |path: &Vec<String>| match self.imported.get(&path[0]) {
            Some(imported) => {
                format!("{imported}{}", path[1..].iter().map(|part| format!("::{part}")).collect::<String>())
            }
            None => path.join("::"),
        };
        let foreign = types.paths.iter().map(whole).find(|path| {
            let (first, last) = (path.split("::").next(), path.rsplit("::").next());
            first.is_some_and(|first| LIBRARY.contains(&first)) && last.is_some_and(|last| !GIVEN.contains(&last))
        })?;
        Some(format!("`{}` is of the type {foreign}, whose fields are the library's own", name.ident))
    }
}

impl<'ast> Visit<'ast> for Declared<'_> {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.import(&item.tree, "");
    }

    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        if function.sig.ident == self.name {
            let refusal = function.sig.inputs.iter().find_map(|argument| self.refusal(argument));
            self.refusals.push(refusal);
        }
    }
}

/// The paths of a type, its parameters among them.
#[derive(Default)]
struct Types {
    paths: Vec<Vec<String>>,
}

impl<'ast> Visit<'ast> for Types {
    fn visit_type_path(&mut self, ty: &'ast syn::TypePath) {
        let parts: Vec<String> = ty.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if !parts.is_empty() {
            self.paths.push(parts);
        }
        syn::visit::visit_type_path(self, ty);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use whydunit_changes::{File, Mode};

    fn tree(text: &str) -> Tree {
        let file = File { bytes: text.as_bytes().to_vec().into(), mode: Mode::Plain };
        Tree { files: [("src/lib.rs".to_string(), file)].into() }
    }

    #[test]
    fn types_of_the_library_are_refused_by_the_sources() {
        let refused = |text: &str| foresee(&tree(text), "f").map_err(|error| error.to_string()).err();
        let said = refused("use std::path::{Path, PathBuf};\nfn f(n: u8, at: &Path) {}").expect("a refusal");
        assert!(said.contains("`at` is of the type std::path::Path"), "{said}");
        assert!(refused("fn f(m: &std::collections::BTreeMap<u8, u8>) {}").is_some());
        assert!(refused("use std::sync::Mutex;\nfn f(m: Vec<Mutex<u8>>) {}").is_some());
        assert_eq!(refused("use std::vec::Vec;\nfn f(m: Vec<String>, s: &str, t: (u8, Own)) {}\nstruct Own;"), None);
        assert_eq!(refused("use std::path::Path;\nfn g(at: &Path) {}"), None);
        assert_eq!(refused("use std::path::Path;\nmod a { fn f(at: &Path) {} }\nmod b { fn f(n: u8) {} }"), None);
    }

    #[test]
    fn structures_of_others_have_fields_that_nobody_knows() {
        let tree = tree("pub struct Own { a: u8 }\nstruct Owner;");
        assert_eq!(foreign(&tree, ["Own", "Span"].into_iter()), Some("Span"));
        assert_eq!(foreign(&tree, ["Owner", "(u8, u8)", "Own<u8>"].into_iter()), None);
    }
}
