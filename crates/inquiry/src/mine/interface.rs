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
        let scoped = format!("::{name}");
        let mut found =
            classes.iter_mut().filter(|class| class.name == *name || class.name.ends_with(&scoped)).peekable();
        if found.peek().is_none() {
            return Err(MineError::NoClass { name: name.clone(), near: Vec::new() });
        }
        for class in found {
            interface(class, of).map_err(|function| MineError::NoFunction { class: name.clone(), function })?;
        }
    }
    Ok(())
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
    use super::matches;

    #[test]
    fn a_star_stands_for_anything() {
        assert!(matches("stack_*", "stack_push") && matches("*", "x") && matches("a", "a") && matches("a*c", "abc"));
        assert!(!matches("stack_*", "push") && !matches("a", "ab") && !matches("a*c", "abcd"));
    }
}
