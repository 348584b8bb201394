//! Interfaces of C as a configuration describes them: which functions make objects of a structure, which end them, and which are its
//! methods.

use std::collections::BTreeMap;

use whydunit_classes::{Class, Method};
use whydunit_model::MethodKind;
use whydunit_suite::MineConfig;

use super::MineError;

/// Makes classes what the configuration says of them.
pub(super) fn apply(classes: &mut [Class], config: &BTreeMap<String, MineConfig>) -> Result<(), MineError> {
    for (name, of) in config {
        let named = of.constructors.iter().chain(&of.destructors).next().is_some() || !of.methods.is_empty();
        if !named {
            continue;
        }
        if !classes.iter().any(|class| is_named(class, name)) {
            return Err(MineError::NoClass { name: name.clone(), near: Vec::new() });
        }
        adopt(classes, name, of);
        for class in classes.iter_mut().filter(|class| is_named(class, name)) {
            interface(class, of).map_err(|function| MineError::NoFunction { class: name.clone(), function })?;
        }
    }
    Ok(())
}

/// Whether a class is called so, with or without its scopes.
fn is_named(class: &Class, name: &str) -> bool {
    class.name == name || class.name.strip_suffix(name).is_some_and(|scopes| scopes.ends_with("::"))
}

/// A function that is said to make objects of a class, and that C counts to another structure, since its first parameter points to one (`parser_new(const struct
/// options *)`), is one of this class.
fn adopt(classes: &mut [Class], name: &str, config: &MineConfig) {
    for constructor in &config.constructors {
        let has = |class: &Class| class.methods.iter().position(|method| method.name == *constructor);
        let Some(to) = classes.iter().position(|class| is_named(class, name)) else { return };
        if has(&classes[to]).is_some() {
            continue;
        }
        let makes = |class: &Class| has(class).filter(|&at| may_be_address(&class.methods[at].result));
        let found = classes.iter().enumerate().find_map(|(from, class)| makes(class).map(|at| (from, at)));
        if let Some((from, at)) = found {
            let mut method = classes[from].methods.remove(at);
            method.parameters.insert(0, format!("{} *", classes[from].name));
            method.receiver = None;
            classes[to].methods.push(method);
        }
    }
}

/// Whether a type of C, as it is written, may be a pointer: it says so, or is a name that somebody gave.
fn may_be_address(ty: &str) -> bool {
    const NUMBERS: [&str; 12] =
        ["void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "_Bool", "bool", "enum"];
    let first = ty.split_whitespace().next();
    ty.ends_with('*') || first.is_some_and(|first| !NUMBERS.contains(&first) && first != "struct" && first != "union")
}

/// A class with its constructors and destructors; a function that is none of its methods is the error.
fn interface(class: &mut Class, config: &MineConfig) -> Result<(), String> {
    for (names, kind) in
        [(&config.constructors, MethodKind::Constructor), (&config.destructors, MethodKind::Destructor)]
    {
        for name in names {
            let method = class.methods.iter_mut().find(|method| method.name == *name).ok_or_else(|| name.clone())?;
            method.kind = Some(kind);
        }
    }
    if !config.methods.is_empty() {
        let listed = |method: &Method| config.methods.iter().any(|pattern| matches(pattern, &method.name));
        let special =
            |method: &Method| config.constructors.contains(&method.name) || config.destructors.contains(&method.name);
        class.methods.retain(|method| listed(method) || special(method));
    }
    Ok(())
}

/// Whether a name fits a pattern, in which a star stands for anything.
fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = name.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let mut last = "";
    for part in parts {
        last = part;
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    if pattern.contains('*') { last.is_empty() || rest.is_empty() } else { rest.is_empty() }
}

#[cfg(test)]
mod tests {
    use super::{matches, may_be_address};

    #[test]
    fn what_makes_objects_gives_an_address() {
        assert!(may_be_address("struct parser *") && may_be_address("parser_t") && may_be_address("const char *"));
        assert!(!may_be_address("int") && !may_be_address("unsigned long") && !may_be_address("struct pair"));
        assert!(!may_be_address(""));
    }

    #[test]
    fn a_star_stands_for_anything() {
        assert!(matches("stack_*", "stack_push") && matches("*", "x") && matches("a", "a") && matches("a*c", "abc"));
        assert!(!matches("stack_*", "push") && !matches("a", "ab") && !matches("a*c", "abcd"));
    }
}
