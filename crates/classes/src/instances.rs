//! The instances of a template or generic type as one class.

use std::collections::{BTreeMap, HashMap};

use crate::gathered::{Gathered, GatheredMethod};
use crate::{Class, Method, Position};

/// A class whose instances are not merged.
pub(crate) fn alone(gathered: Gathered) -> Class {
    let methods = gathered.methods.into_iter().map(|method| method.method).collect();
    Class { methods, ..gathered.class }
}

/// One class for all instances of a template that are defined at one place: explicit specialisations are classes of their own.
/// Instances of a method that is a template are one method.
pub(crate) fn merge(classes: impl Iterator<Item = Gathered>) -> Vec<Class> {
    let mut plain = Vec::new();
    let mut templates: BTreeMap<(String, Option<Position>), Vec<Gathered>> = BTreeMap::new();
    for class in classes {
        match &class.template {
            Some(template) => {
                let key = (template.name.clone(), class.class.position.clone());
                templates.entry(key).or_default().push(class);
            }
            None => plain.push(merged(class.class.name.clone(), vec![class], true)),
        }
    }
    let mut definitions: HashMap<&str, usize> = HashMap::new();
    for (name, _) in templates.keys() {
        *definitions.entry(name).or_default() += 1;
    }
    let several: Vec<String> =
        definitions.into_iter().filter(|(_, number)| *number > 1).map(|(name, _)| name.to_owned()).collect();
    for ((name, _), instances) in templates {
        // Where specialisations share the name, one instance is told from the others by its arguments.
        let keeps = instances.len() == 1 && several.contains(&name);
        plain.push(merged(name, instances, keeps));
    }
    plain
}

/// What the instances of a method have in common.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Same {
    name: String,
    declared: Option<Position>,
    parameters: usize,
    constant: bool,
    /// Of several in one instance that are alike in all this, which.
    number: usize,
}

fn merged(name: String, instances: Vec<Gathered>, keeps: bool) -> Class {
    let mut class: Option<Class> = None;
    let mut methods: BTreeMap<Same, Method> = BTreeMap::new();
    for Gathered { class: own, methods: gathered, .. } in instances {
        let mut seen: HashMap<String, usize> = HashMap::new();
        for GatheredMethod { mut method, declared, written, .. } in gathered {
            // What a generic function is written with is right for all instances.
            if let Some((parameters, result)) =
                written.filter(|_| !own.instances.is_empty() || !method.arguments.is_empty())
            {
                (method.parameters, method.result) = (parameters, result);
            }
            let mut same = Same {
                name: method.name.clone(),
                declared,
                parameters: method.parameters.len(),
                constant: method.receiver.is_some_and(|receiver| receiver.constant),
                number: 0,
            };
            // Instances of a template that is a method are one method as well.
            if method.arguments.is_empty() {
                let text = format!("{} {:?} {} {}", same.name, same.declared, same.parameters, same.constant);
                let number = seen.entry(text).or_default();
                same.number = *number;
                *number += 1;
            }
            match methods.get_mut(&same) {
                Some(known) => join(known, method),
                None => _ = methods.insert(same, Method { arguments: Vec::new(), ..method }),
            }
        }
        match &mut class {
            Some(class) => class.instances.extend(own.instances),
            None => class = Some(own),
        }
    }
    // There is an instance: only classes with one are merged.
    let mut class = class.expect("an instance");
    if !keeps {
        class.name = name;
    }
    class.methods = methods.into_values().collect();
    class
}

/// Takes another instance of a method in.
fn join(known: &mut Method, other: Method) {
    for (known, other) in known.parameters.iter_mut().zip(other.parameters) {
        if *known != other {
            *known = "_".to_owned();
        }
    }
    if known.result != other.result {
        known.result = "_".to_owned();
    }
    known.code = known.code.max(other.code);
    known.symbols.extend(other.symbols);
    known.symbols.sort();
    known.symbols.dedup();
    if known.position.is_none() || other.code > crate::Code::None && other.position.is_some() {
        known.position = other.position;
    }
}
