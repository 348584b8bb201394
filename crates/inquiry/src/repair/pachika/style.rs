//! How conditions, values and calls are written in a language.

use whydunit_behavior::Abstract;
use whydunit_repair::calls::Operand;

/// What a source is written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Style {
    C,
    Cxx,
    Rust,
}

impl Style {
    fn null(self) -> &'static str {
        if self == Self::C { "NULL" } else { "nullptr" }
    }

    /// A member of an object.
    pub fn member(self, object: &Operand, name: &str) -> String {
        let sign = if object.pointer { "->" } else { "." };
        match self {
            Self::Rust => format!("{}.{name}", object.text),
            _ => format!("{}{sign}{name}", simple(&object.text)),
        }
    }

    /// A call of a method without arguments.
    pub fn call(self, object: &Operand, method: &str) -> String {
        match self {
            Self::C if object.pointer => format!("{method}({})", object.text),
            Self::C => format!("{method}(&{})", simple(&object.text)),
            _ => format!("{}()", self.member(object, method)),
        }
    }

    /// That something has a value, or has it not; `None` where that cannot be written.
    pub fn condition(self, what: &str, value: Abstract, names: &[(i64, String)], holds: bool) -> Option<String> {
        let compared =
            |holding: &str, other: &str, to: &str| Some(format!("{what} {} {to}", if holds { holding } else { other }));
        let truth = |truth: bool, what: &str| Some(if truth == holds { what.to_owned() } else { format!("!{what}") });
        let name = |number: i64| names.iter().find(|(known, _)| *known == number).map(|(_, name)| name.as_str());
        match value {
            Abstract::Truth(value) => truth(value, what),
            Abstract::Zero => compared("==", "!=", "0"),
            Abstract::Positive => compared(">", "<=", "0"),
            Abstract::Negative => compared("<", ">=", "0"),
            Abstract::Null if self != Self::Rust => compared("==", "!=", self.null()),
            Abstract::Reference if self != Self::Rust => compared("!=", "==", self.null()),
            Abstract::Empty if self != Self::C => truth(true, &format!("{what}.{}", self.is_empty())),
            Abstract::Filled if self != Self::C => truth(false, &format!("{what}.{}", self.is_empty())),
            Abstract::Named(number) | Abstract::Exactly(number) => match (self, name(number)) {
                (Self::Rust, Some("None")) => truth(true, &format!("{what}.is_none()")),
                (Self::Rust, Some("Some")) => truth(true, &format!("{what}.is_some()")),
                (Self::Rust, Some(_)) => None,
                (_, Some(name)) => compared("==", "!=", name),
                (_, None) => compared("==", "!=", &number.to_string()),
            },
            _ => None,
        }
    }

    fn is_empty(self) -> &'static str {
        if self == Self::Rust { "is_empty()" } else { "empty()" }
    }

    /// A value as it is assigned; `None` where that cannot be written.
    pub fn value(self, value: Abstract, names: &[(i64, String)]) -> Option<String> {
        let name = |number: i64| names.iter().find(|(known, _)| *known == number).map(|(_, name)| name.clone());
        match value {
            Abstract::Truth(truth) if self == Self::C => Some(u8::from(truth).to_string()),
            Abstract::Truth(truth) => Some(truth.to_string()),
            Abstract::Zero => Some("0".into()),
            Abstract::Null if self != Self::Rust => Some(self.null().into()),
            Abstract::Exactly(number) => Some(name(number).unwrap_or_else(|| number.to_string())),
            Abstract::Named(number) => name(number).filter(|name| self != Self::Rust || name == "None"),
            _ => None,
        }
    }

    /// A statement that is done only where something holds.
    pub fn only_where(self, condition: &str, statement: &str, indent: &str) -> String {
        match self {
            Self::Rust => {
                let deeper = statement.replace('\n', "\n    ");
                format!("if {condition} {{\n{indent}    {deeper}\n{indent}}}")
            }
            _ => format!("if ({condition})\n{indent}    {statement}"),
        }
    }
}

/// What a member can be taken of without parentheses.
fn simple(text: &str) -> String {
    match text.strip_prefix('&') {
        Some(rest) if is_name(rest) => rest.to_owned(),
        _ if text.starts_with(['*', '&', '!', '-']) => format!("({text})"),
        _ => text.to_owned(),
    }
}

fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '>' | '-' | '[' | ']'))
}

/// An argument as an object: `&port` is one whose members are taken by a dot.
pub(super) fn object_of_argument(text: &str, pointer: bool) -> Operand {
    match text.strip_prefix('&').filter(|rest| is_name(rest)) {
        Some(rest) => Operand { text: rest.to_owned(), pointer: false },
        None => Operand { text: text.to_owned(), pointer },
    }
}

/// Whether a type, as it is written, is one of a class, a pointer or a reference to one, and whether members are taken by `->`.
pub(super) fn is_of_class(ty: &str, class: &str) -> Option<bool> {
    let bare = |name: &str| name.rsplit("::").next().unwrap_or(name).to_owned();
    let words = ty.replace(['&', '*'], " ");
    let own =
        words.split_whitespace().filter(|word| !matches!(*word, "const" | "struct" | "class" | "mut" | "volatile"));
    let names: Vec<&str> = own.filter(|word| !word.starts_with('\'')).collect();
    let [name] = names[..] else { return None };
    let name = name.split('<').next().unwrap_or(name);
    (bare(name) == bare(class)).then(|| ty.trim_end().ends_with('*'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_written_as_the_language_has_them() {
        let names = [(0, "None".to_owned()), (1, "Some".to_owned())];
        let c = |value, holds| Style::C.condition("p->next", value, &[], holds);
        assert_eq!(c(Abstract::Null, true).as_deref(), Some("p->next == NULL"));
        assert_eq!(c(Abstract::Null, false).as_deref(), Some("p->next != NULL"));
        assert_eq!(c(Abstract::Filled, true), None);
        let cxx = |value, holds| Style::Cxx.condition("list", value, &[], holds);
        assert_eq!(cxx(Abstract::Filled, true).as_deref(), Some("!list.empty()"));
        assert_eq!(cxx(Abstract::Truth(false), false).as_deref(), Some("list"));
        let rust = Style::Rust.condition("self.scope", Abstract::Named(0), &names, false);
        assert_eq!(rust.as_deref(), Some("!self.scope.is_none()"));
    }

    #[test]
    fn types_of_a_class_are_known_however_they_are_written() {
        assert_eq!(is_of_class("const shop::Port &", "shop::Port"), Some(false));
        assert_eq!(is_of_class("struct port *", "port"), Some(true));
        assert_eq!(is_of_class("&'a mut Port", "program::Port"), Some(false));
        assert_eq!(is_of_class("&mut Manager<'t>", "program::Manager"), Some(false));
        assert_eq!(is_of_class("std::vector<Port>", "Port"), None);
    }
}
