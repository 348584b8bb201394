//! Classes: what a composite type is as one.

use whydunit_llvm::{Metadata, MetadataKind};
use whydunit_model::{Base, Class, ClassId, ClassKind, Language, Template, Visibility, paths};

use super::{
    Debug,
    names::{ARGUMENTS, BASE, NAME, SCOPE, without_arguments},
    types::{VIRTUAL, tag},
};

/// `DIFlagFwdDecl`.
const DECLARATION: i32 = 1 << 2;
/// The bits of `DIFlagPrivate`, `DIFlagProtected` and `DIFlagPublic`.
pub(super) const ACCESS: i32 = 3;

impl Debug<'_> {
    /// The class that a type is; `None` for types that are none: closures, tuples, slices, and what has no name.
    pub(super) fn class(&mut self, node: Metadata) -> Option<ClassId> {
        if let Some(&known) = self.class_nodes.get(&node) {
            return Some(known);
        }
        if !self.is_class(node) {
            return None;
        }
        let id = self.classes.len() as ClassId;
        self.class_nodes.insert(node, id);
        let flags = node.type_flags();
        let file = node.scope_file();
        let line = node.type_line();
        let loc = (line > 0).then(|| whydunit_model::Loc { file: self.file(file), line, column: 0, scope: 0 });
        self.classes.push(Class {
            name: self.qualified(node),
            kind: self.class_kind(node),
            ty: whydunit_model::NO_TYPE,
            loc,
            local: self.language == Language::C || self.is_local(node),
            complete: flags & DECLARATION == 0,
            template: self.template(node),
            bases: Vec::new(),
        });
        // Types and bases refer back to the class.
        let ty = self.type_of(Some(node));
        let bases = if self.language == Language::Cxx { self.bases(node) } else { Vec::new() };
        let class = &mut self.classes[id as usize];
        class.ty = ty;
        class.bases = bases;
        Some(id)
    }

    fn is_class(&self, node: Metadata) -> bool {
        if !is_composite(node) {
            return false;
        }
        let tagged = matches!(node.tag(), tag::STRUCTURE | tag::CLASS | tag::UNION);
        let name = self.string(self.operand(node, NAME));
        match self.language {
            // An enum without fields is an enumeration.
            Language::Rust => {
                let in_enum = self.operand(node, SCOPE).is_some_and(is_composite);
                let named = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
                (tagged || node.tag() == tag::ENUMERATION) && named && !in_enum && !name.starts_with("dyn ")
            }
            Language::Cxx | Language::C => tagged && (!name.is_empty() || self.aliases.contains_key(&node)),
            Language::Other => false,
        }
    }

    fn class_kind(&self, node: Metadata) -> ClassKind {
        match node.tag() {
            tag::CLASS => ClassKind::Class,
            tag::UNION => ClassKind::Union,
            tag::ENUMERATION => ClassKind::Enum,
            _ if self.language == Language::Rust && self.variant_part(node).is_some() => ClassKind::Enum,
            _ => ClassKind::Struct,
        }
    }

    /// The template that a class is an instance of, or a member of an instance.
    fn template(&self, node: Metadata) -> Option<Template> {
        let mut arguments = self.argument_names(&self.class_parameters(node));
        let mut name = self.bare_name(node);
        let mut scope = self.operand(node, SCOPE);
        while let Some(around) = scope.filter(|&scope| is_composite(scope)) {
            let mut outer = self.argument_names(&self.class_parameters(around));
            outer.append(&mut arguments);
            arguments = outer;
            name = format!("{}::{name}", self.bare_name(around));
            scope = self.operand(around, SCOPE);
        }
        if arguments.is_empty() {
            return None;
        }
        let path = self.scope_path(scope);
        Some(Template { name: if path.is_empty() { name } else { format!("{path}::{name}") }, arguments })
    }

    /// The arguments of a class; those of an enum of Rust stand at its variants.
    pub(super) fn class_parameters(&self, node: Metadata) -> Vec<Metadata> {
        let own = self.template_parameters(self.operand(node, ARGUMENTS));
        if !own.is_empty() {
            return own;
        }
        let variants = self.variant_part(node).map(|part| self.elements(part)).unwrap_or_default();
        let of_variant = |variant: Metadata| self.operand(variant, BASE).and_then(|ty| self.operand(ty, ARGUMENTS));
        self.template_parameters(variants.into_iter().find_map(of_variant))
    }

    /// The name of a class without scopes and arguments.
    pub(super) fn bare_name(&self, node: Metadata) -> String {
        let name = self.string(self.operand(node, NAME));
        match self.class_parameters(node).is_empty() {
            true => name,
            false => without_arguments(&name).to_owned(),
        }
    }

    fn bases(&mut self, node: Metadata) -> Vec<Base> {
        let mut bases = Vec::new();
        for element in self.elements(node) {
            let is_base = matches!(element.kind(), MetadataKind::LLVMDIDerivedTypeMetadataKind)
                && element.tag() == tag::INHERITANCE;
            let Some(base) = self.operand(element, BASE).filter(|_| is_base) else { continue };
            let Some(class) = self.class_behind_names(base) else { continue };
            let flags = element.type_flags();
            bases.push(Base {
                class,
                offset: (flags & VIRTUAL == 0).then(|| element.type_offset_bits() / 8),
                visibility: access(flags, node),
            });
        }
        bases
    }

    /// The class that a type is, without typedefs and qualifiers.
    pub(super) fn class_behind_names(&mut self, node: Metadata) -> Option<ClassId> {
        let node = self.behind_names(node);
        self.class(node)
    }

    /// A type without typedefs and qualifiers. A typedef gives its name to a type without one.
    pub(super) fn behind_names(&mut self, mut node: Metadata) -> Metadata {
        while let (MetadataKind::LLVMDIDerivedTypeMetadataKind, tag::TYPEDEF | tag::CONST | tag::VOLATILE, Some(base)) =
            (node.kind(), node.tag(), self.operand(node, BASE))
        {
            self.note_alias(node, base);
            node = base;
        }
        node
    }

    /// Remembers what a typedef calls a type that has no name of its own.
    pub(super) fn note_alias(&mut self, node: Metadata, base: Metadata) {
        if node.tag() == tag::TYPEDEF && is_composite(base) && base.type_name().is_empty() {
            self.aliases.entry(base).or_insert_with(|| node.type_name());
        }
    }

    /// Makes classes of the types that were met, and lists the methods that classes of the project declare.
    pub(super) fn complete_classes(&mut self) {
        if self.language != Language::Cxx {
            return;
        }
        let mut seen = 0;
        // What is declared has types, and types may be classes.
        while let Some(&node) = self.composites.get(seen) {
            seen += 1;
            let path = node.scope_file().and_then(Metadata::file_name);
            let known = self.class_nodes.contains_key(&node);
            if path.is_some_and(|(folder, name)| paths::is_library(&super::join(&folder, &name)))
                || !known && self.class(node).is_none()
            {
                continue;
            }
            for element in self.elements(node) {
                if matches!(element.kind(), MetadataKind::LLVMDISubprogramMetadataKind) {
                    self.method(element);
                }
            }
        }
    }
}

pub(super) fn is_composite(node: Metadata) -> bool {
    matches!(node.kind(), MetadataKind::LLVMDICompositeTypeMetadataKind)
}

/// Who may use a member of class `of`, by the member's flags: without any it is as members of such classes are.
pub(super) fn access(flags: i32, of: Metadata) -> Visibility {
    match flags & ACCESS {
        1 => Visibility::Private,
        2 => Visibility::Protected,
        3 => Visibility::Public,
        _ if of.tag() == tag::CLASS => Visibility::Private,
        _ => Visibility::Public,
    }
}
