//! Names of types and scopes as a source has them.

use whydunit_llvm::{Metadata, MetadataKind};
use whydunit_model::Language;

use super::{Debug, types::tag};

// Operands: 1 is the scope of all that has one, 2 the name, 5 the type that a derived type is made of.
pub(super) const SCOPE: usize = 1;
pub(super) const NAME: usize = 2;
pub(super) const BASE: usize = 5;
/// Of a composite type: the arguments of its template.
pub(super) const ARGUMENTS: usize = 8;

/// What stands for the name of a namespace that has none, and of a type: closures of C++ are such.
const ANONYMOUS: &str = "(anonymous)";
const UNNAMED: &str = "(unnamed)";

impl Debug<'_> {
    /// A type, namespace or function with its scopes.
    pub(super) fn qualified(&self, node: Metadata) -> String {
        let name = self.own_name(node);
        match self.scope_path(self.operand(node, SCOPE)) {
            scope if scope.is_empty() => name,
            scope => format!("{scope}::{name}"),
        }
    }

    /// A scope with the scopes around it; empty outside all of them.
    pub(super) fn scope_path(&self, node: Option<Metadata>) -> String {
        use MetadataKind::*;
        let Some(node) = node else { return String::new() };
        match node.kind() {
            LLVMDINamespaceMetadataKind | LLVMDICompositeTypeMetadataKind | LLVMDISubprogramMetadataKind => {
                self.qualified(node)
            }
            LLVMDILexicalBlockMetadataKind | LLVMDILexicalBlockFileMetadataKind => {
                self.scope_path(self.operand(node, SCOPE))
            }
            _ => String::new(),
        }
    }

    fn own_name(&self, node: Metadata) -> String {
        let name = self.string(self.operand(node, NAME));
        match node.kind() {
            MetadataKind::LLVMDINamespaceMetadataKind if name.is_empty() => ANONYMOUS.to_owned(),
            _ if name.is_empty() => self.aliases.get(&node).cloned().unwrap_or_else(|| UNNAMED.to_owned()),
            _ => name,
        }
    }

    /// Whether one of the scopes of a node has no name that other units could use: a namespace without a name, a function.
    pub(super) fn is_local(&self, node: Metadata) -> bool {
        use MetadataKind::*;
        let Some(scope) = self.operand(node, SCOPE) else { return false };
        match scope.kind() {
            LLVMDISubprogramMetadataKind | LLVMDILexicalBlockMetadataKind | LLVMDILexicalBlockFileMetadataKind => true,
            LLVMDINamespaceMetadataKind => self.operand(scope, NAME).is_none() || self.is_local(scope),
            LLVMDICompositeTypeMetadataKind => self.is_local(scope),
            _ => false,
        }
    }

    /// The type that template argument `node` is, where it is one.
    pub(super) fn argument_type(&self, node: Metadata) -> Option<Metadata> {
        let is_type = matches!(node.kind(), MetadataKind::LLVMDITemplateTypeParameterMetadataKind);
        is_type.then(|| self.operand(node, 1)).flatten()
    }

    /// The entries of a list of template parameters.
    pub(super) fn template_parameters(&self, list: Option<Metadata>) -> Vec<Metadata> {
        list.map(|list| self.module.metadata_operands(list)).into_iter().flatten().flatten().collect()
    }

    /// Template arguments as text: types, values, templates. Packs are taken apart.
    pub(super) fn argument_names(&self, parameters: &[Metadata]) -> Vec<String> {
        let mut names = Vec::new();
        for &parameter in parameters {
            if let Some(ty) = self.argument_type(parameter) {
                names.push(self.type_text(Some(ty)));
                continue;
            }
            let value = self.operand(parameter, 2);
            match value.map(|value| (value, value.kind())) {
                Some((list, MetadataKind::LLVMMDTupleMetadataKind)) => {
                    names.extend(self.argument_names(&self.template_parameters(Some(list))));
                }
                Some((value, MetadataKind::LLVMMDStringMetadataKind)) => names.push(self.string(Some(value))),
                // A constant: `i32 4`, `i1 true`.
                Some((value, MetadataKind::LLVMConstantAsMetadataMetadataKind)) => {
                    let text = self.module.metadata_text(value);
                    names.push(text.rsplit(' ').next().unwrap_or_default().to_owned());
                }
                Some(_) => names.push("…".to_owned()),
                None => names.push("void".to_owned()),
            }
        }
        names
    }

    /// A type as the source writes it; `void`, or in Rust `()`, for none.
    pub(super) fn type_text(&self, node: Option<Metadata>) -> String {
        use MetadataKind::*;
        let Some(node) = node else {
            return if self.language == Language::Rust { "()" } else { "void" }.to_owned();
        };
        match node.kind() {
            LLVMDISubroutineTypeMetadataKind => self.function_text(node, ""),
            LLVMDICompositeTypeMetadataKind if node.tag() == tag::ARRAY => self.array_text(node),
            LLVMDIDerivedTypeMetadataKind => self.derived_text(node),
            _ => self.qualified(node),
        }
    }

    fn array_text(&self, node: Metadata) -> String {
        let element = self.type_text(self.operand(node, BASE));
        let counts = self.elements(node).into_iter().map(|range| self.count(range));
        counts.rev().fold(element, |text, count| {
            let count = count.map(|count| count.to_string()).unwrap_or_default();
            if self.language == Language::Rust { format!("[{text}; {count}]") } else { format!("{text}[{count}]") }
        })
    }

    fn derived_text(&self, node: Metadata) -> String {
        // Pointers of Rust have names; typedefs have scopes.
        if !node.type_name().is_empty() {
            return if node.tag() == tag::TYPEDEF { self.qualified(node) } else { node.type_name() };
        }
        let base = self.operand(node, BASE);
        let mark = match node.tag() {
            tag::POINTER => "*",
            tag::REFERENCE => "&",
            tag::RVALUE_REFERENCE => "&&",
            tag::CONST => return self.qualified_text("const", base),
            tag::VOLATILE => return self.qualified_text("volatile", base),
            tag::RESTRICT => return self.type_text(base),
            _ => "",
        };
        match base.filter(|base| matches!(base.kind(), MetadataKind::LLVMDISubroutineTypeMetadataKind)) {
            Some(function) => self.function_text(function, &format!("({mark})")),
            None => {
                let text = self.type_text(base);
                let gap = if text.ends_with(['*', '&']) { "" } else { " " };
                format!("{text}{gap}{mark}")
            }
        }
    }

    /// A qualifier stands before a type, and behind a pointer.
    fn qualified_text(&self, word: &str, base: Option<Metadata>) -> String {
        let text = self.type_text(base);
        if text.ends_with(['*', '&']) { format!("{text} {word}") } else { format!("{word} {text}") }
    }

    fn function_text(&self, node: Metadata, middle: &str) -> String {
        let (result, parameters) = self.signature(node);
        let parameters: Vec<String> = parameters.into_iter().map(|ty| self.type_text(Some(ty))).collect();
        format!("{} {middle}({})", self.type_text(result), parameters.join(", "))
    }

    /// Result and parameters of a `DISubroutineType`. Variable arguments, an empty entry at the end, are left out.
    pub(super) fn signature(&self, node: Metadata) -> (Option<Metadata>, Vec<Metadata>) {
        let is_list = |node: &Metadata| matches!(node.kind(), MetadataKind::LLVMMDTupleMetadataKind);
        let list = self.module.metadata_operands(node).into_iter().flatten().find(is_list);
        let mut types = list.map(|list| self.module.metadata_operands(list)).unwrap_or_default().into_iter();
        (types.next().flatten(), types.flatten().collect())
    }
}

/// A name without the template arguments at its end: `conv<double>` is `conv`, `operator< <int>` is `operator<`.
pub(super) fn without_arguments(name: &str) -> &str {
    if !name.ends_with('>') {
        return name;
    }
    let mut depth = 0usize;
    for (at, byte) in name.bytes().enumerate().rev() {
        match byte {
            b'>' if at > 0 && name.as_bytes()[at - 1] == b'-' => {}
            b'>' => depth += 1,
            b'<' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return name[..at].trim_end();
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::without_arguments;

    #[test]
    fn arguments_are_taken_from_the_end_of_a_name() {
        let table = [
            ("conv<double>", "conv"),
            ("push<std::vector<int>, (fn() -> u8)>", "push"),
            ("operator< <int>", "operator<"),
            ("operator<<<int>", "operator<<"),
            ("operator><int>", "operator>"),
            ("plain", "plain"),
            ("Ring<int, 4>", "Ring"),
        ];
        for (name, bare) in table {
            assert_eq!(without_arguments(name), bare, "{name}");
        }
    }
}
