//! Classes and their methods.

use whydunit_findings::{Class, ClassBase, ClassMethod, Location};

use super::Page;
use crate::plain::plain;

/// Instances of a template that are named; of more it is said how many there are.
const NAMED: usize = 4;

/// Each class with its methods, a line each.
pub fn classes(page: &mut Page, classes: &[Class]) {
    for (index, class) in classes.iter().enumerate() {
        if index > 0 {
            page.line("");
        }
        let name = page.style.strong(&plain(&class.name));
        page.line(format!("{} {name}{}", class.kind, place(page, class.location.as_ref())));
        if !class.instances.is_empty() {
            let named = class.instances.iter().take(NAMED).map(|instance| format!("<{}>", instance.join(", ")));
            let more = class.instances.len().saturating_sub(NAMED);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            page.line(format!("  instances: {}{more}", plain(&named.collect::<Vec<_>>().join(", "))));
        }
        for base in &class.bases {
            page.line(format!("  {}", plain(&base_line(base))));
        }
        for method in &class.methods {
            page.line(format!("  {}{}", plain(&method_line(method)), place(page, method.location.as_ref())));
        }
    }
}

fn place(page: &Page, location: Option<&Location>) -> String {
    location.map(|location| page.style.faint(&format!("  {location}"))).unwrap_or_default()
}

fn base_line(base: &ClassBase) -> String {
    match base.offset {
        Some(offset) => format!("base: {} {} at byte {offset}", base.visibility, base.name),
        None => format!("base: {} virtual {}", base.visibility, base.name),
    }
}

/// What is known of a method: who may call it, what it is, how it is called, and what else there is to say.
fn method_line(method: &ClassMethod) -> String {
    let virtuality = match method.virtuality {
        "virtual" => Some("virtual"),
        "pure" => Some("pure virtual"),
        _ => None,
    };
    let words = [method.visibility, virtuality, Some(method.kind.unwrap_or("function"))];
    let words: Vec<&str> = words.into_iter().flatten().collect();
    let mut line = format!("{} {}", words.join(" "), signature(method));
    if let Some(base) = &method.overrides {
        line += &format!(", overrides that of {base}");
    }
    if let Some(of) = &method.implements {
        let name = of.name.as_deref().unwrap_or("a trait");
        line += &if of.provided { format!(", provided by {name}") } else { format!(", for {name}") };
    }
    if method.implicit {
        line += ", made by the compiler";
    }
    match method.code {
        "none" if method.virtuality != "pure" => line += ", without code",
        "inlined" => line += ", only inlined",
        _ => {}
    }
    line
}

/// Name, receiver, parameters and result. A pointer to the object goes without saying.
fn signature(method: &ClassMethod) -> String {
    let receiver = method.receiver.as_ref().and_then(|receiver| match receiver.passing {
        "value" => Some("self"),
        "reference" => Some("&self"),
        "mutable-reference" => Some("&mut self"),
        "smart-pointer" => Some("self: smart pointer"),
        _ => None,
    });
    let parameters: Vec<&str> = receiver.into_iter().chain(method.parameters.iter().map(String::as_str)).collect();
    let arguments = match &method.arguments[..] {
        [] => String::new(),
        arguments => format!("<{}>", arguments.join(", ")),
    };
    let constant = method.receiver.as_ref().is_some_and(|it| it.constant && it.passing == "pointer");
    let constant = if constant { " const" } else { "" };
    let result = if method.result.is_empty() { String::new() } else { format!(" -> {}", method.result) };
    format!("{}{arguments}({}){constant}{result}", method.name, parameters.join(", "))
}
