//! What expressions can be made of besides what a function names: out of the models of the program.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use whydunit_capture::{Store, face::recipe::Unit};
use whydunit_changes::Tree;
use whydunit_dataflow::without_effects;
use whydunit_library::lookup;
use whydunit_model::{DebugType, Module};
use whydunit_repair::Surroundings;
use whydunit_workbench::kept_model;

use crate::Error;
use crate::types::written;

/// Files that have texts in quotes, by the ends of their names.
const SOURCES: &[&str] = &["c", "h", "cc", "cpp", "cxx", "hh", "hpp", "rs", "json", "jsonl", "toml"];
/// Larger ones are not looked at.
const LARGE: usize = 1 << 20;

/// By a header's path and a function that it defines, the source of a unit that has it.
pub type Headers = HashMap<(PathBuf, String), PathBuf>;

/// What the store's units of C and C++ have, and what they have of headers.
pub fn surroundings(store: &Store) -> Result<(Surroundings, Headers), Error> {
    let mut modules = Vec::new();
    let mut around = Surroundings::default();
    let mut headers = Headers::new();
    for (id, unit) in units(store)? {
        let Unit { rust: false, cxx, source, .. } = unit else { continue };
        // A unit that nothing linked has no model.
        let Some(module) = model(store, &id)? else { continue };
        add_types(&module, cxx, &mut around);
        add_headers(&module, &source, &mut headers);
        modules.push(module);
    }
    let external = |name: &str| lookup(name).is_some_and(|known| known.function.is_written_again() || known.constant());
    around.pure = without_effects(&modules, &external).into_iter().map(String::from).collect::<HashSet<_>>();
    Ok((around, headers))
}

/// The texts that the sources and the cases of a project name.
pub fn texts(tree: &Tree) -> Vec<String> {
    let named = |name: &str| SOURCES.iter().any(|end| name.rsplit_once('.').is_some_and(|(_, own)| own == *end));
    let files = tree.files.iter().filter(|(name, file)| named(name) && file.bytes.len() < LARGE);
    let of = files.filter_map(|(_, file)| std::str::from_utf8(&file.bytes).ok());
    let mut out: Vec<String> = of.flat_map(whydunit_repair::texts).collect();
    out.sort_unstable();
    out.dedup();
    out
}

/// A unit's program model; `None` where there is none yet.
fn model(store: &Store, id: &str) -> Result<Option<Module>, Error> {
    Ok(kept_model(store, id).map_err(whydunit_desk::Error::DamagedModel)?)
}

/// The functions of Rust without effects, by their names.
pub fn pure_of_rust(store: &Store) -> Result<HashSet<String>, Error> {
    let mut modules = Vec::new();
    for (id, _) in units(store)?.into_iter().filter(|(_, unit)| unit.rust) {
        modules.extend(model(store, &id)?);
    }
    let external = |name: &str| lookup(name).is_some_and(|known| known.function.is_written_again());
    // `f<T>` is `f` in a source.
    let plain = |name: &str| name.split('<').next().unwrap_or(name).to_string();
    Ok(without_effects(&modules, &external).into_iter().map(plain).collect())
}

/// Adds the functions that a unit has of headers.
fn add_headers(module: &Module, source: &Path, headers: &mut Headers) {
    for function in module.functions.iter().filter(|function| !function.code.is_empty()) {
        let file = function.loc.and_then(|loc| module.files.get(loc.file as usize));
        let (Some(file), Some(name)) = (file, &function.source_name) else { continue };
        if Path::new(file) != source {
            let known = headers.entry((file.into(), plain(name).to_string())).or_insert_with(|| source.to_path_buf());
            // The same one each time, whatever the order of the units.
            if source < &**known {
                *known = source.to_path_buf();
            }
        }
    }
}

/// A function's own name: `f` of `ns::S::f<int>`.
fn plain(name: &str) -> &str {
    parts(name).0
}

/// A function's own name, and that of the class or namespace around it; of what is called a lambda those of the function that it is in.
pub fn parts(name: &str) -> (&str, Option<&str>) {
    let segments = segments(name);
    let is_lambda =
        |segment: &str| segment.starts_with("$_") || segment.starts_with("{lambda") || segment.starts_with("'lambda");
    let until = segments.iter().position(|segment| is_lambda(segment)).filter(|at| *at > 0).unwrap_or(segments.len());
    match segments[..until] {
        [] => (name, None),
        [own] => (bare(own), None),
        [.., around, own] => (bare(own), Some(bare(around))),
    }
}

/// What stands between the `::` of a name that are of no argument or parameter.
fn segments(name: &str) -> Vec<&str> {
    let (mut depth, mut from, mut out) = (0, 0, Vec::new());
    for (at, character) in name.char_indices() {
        match character {
            '<' | '(' => depth += 1,
            '>' | ')' => depth -= 1,
            ':' if depth == 0 && name[at..].starts_with("::") => {
                out.push(&name[from..at]);
                from = at + 2;
            }
            _ => {}
        }
    }
    out.push(&name[from..]);
    out
}

/// A part of a name without its arguments and parameters.
fn bare(part: &str) -> &str {
    match part.find(['<', '(']).filter(|at| *at > 0 && !part.starts_with("operator")) {
        Some(at) => &part[..at],
        None => part,
    }
}

/// Adds structures and enumerations.
fn add_types(module: &Module, cxx: bool, around: &mut Surroundings) {
    for ty in &module.types {
        let (alias, of) = match ty {
            DebugType::Alias { name, to } => (Some(name), module.types.get(*to as usize).unwrap_or(ty)),
            other => (None, other),
        };
        match of {
            DebugType::Struct { name, members, union: false, .. } => {
                let named = members.iter().filter(|member| !member.name.is_empty());
                let list = named.filter_map(|member| Some((member.name.clone(), written(module, member.ty, cxx)?)));
                around.members.insert(alias.unwrap_or(name).clone(), list.collect());
            }
            DebugType::Enum { name, values, .. } => {
                let values: Vec<String> = values.iter().map(|(name, _)| name.clone()).collect();
                let enumeration = (alias.unwrap_or(name).clone(), values);
                if !around.enumerations.contains(&enumeration) {
                    around.enumerations.push(enumeration);
                }
            }
            _ => {}
        }
    }
}

/// The units that a store has, with their ids.
pub fn units(store: &Store) -> Result<Vec<(String, Unit)>, Error> {
    let mut out = Vec::new();
    let entries = std::fs::read_dir(store.units())
        .map_err(|source| whydunit_capture::Error::Io { path: store.units(), source })?;
    for entry in entries.flatten() {
        let id = entry.path().file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_string();
        let unit = whydunit_capture::unit(store, &id)?;
        out.push((id, unit));
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn names_have_parts() {
        assert_eq!(parts("f"), ("f", None));
        assert_eq!(parts("ns::S::f"), ("f", Some("S")));
        assert_eq!(parts("ns::Stack<std::pair<int, int> >::pop<long>"), ("pop", Some("Stack")));
        assert_eq!(parts("f<ns::T>"), ("f", None));
        assert_eq!(
            parts("(anonymous namespace)::clean(std::string const&)::$_0::operator() const"),
            ("clean", Some("(anonymous namespace)"))
        );
        assert_eq!(parts("ns::S::f(int)::{lambda(char)#1}::operator()"), ("f", Some("S")));
    }
}
