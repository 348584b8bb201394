//! Methods of Rust.
//!
//! rustc says the class of a method in an `impl` for nothing but the type. Functions in the `impl` of a trait stand in a
//! namespace `{impl#N}` that tells neither trait nor type, and provided methods in a namespace of the trait, with the type as
//! the template argument `Self`. Visibility is not told.

use whydunit_llvm::{Metadata, MetadataKind};
use whydunit_model::{ClassId, Method, MethodKind, Origin, Passing, Receiver};

use super::{ARGUMENTS, BASE, Debug, NAME, RETAINED, SCOPE, TYPE, tag, without_arguments};

/// How the namespaces of impls are called.
const IMPL: &str = "{impl#";
/// Types around a made object: the pointer among them is `Box`.
const AROUND: &[&str] = &["core::option::Option", "core::result::Result", "alloc::sync::Arc", "alloc::rc::Rc"];
const BOX: &str = "alloc::boxed::Box<";
/// A result is looked into no deeper: `Result<Option<Box<Self>>, E>`.
const DEPTH: usize = 3;

impl Debug<'_> {
    pub(super) fn method_of_rust(&mut self, node: Metadata, declaration: Metadata) -> Option<Method> {
        let scope = self.operand(declaration, SCOPE)?;
        let own = self.template_parameters(self.operand(declaration, ARGUMENTS));
        let (class, origin) = match scope.kind() {
            MetadataKind::LLVMDICompositeTypeMetadataKind => (Some(self.class(scope)?), Origin::Class),
            MetadataKind::LLVMDINamespaceMetadataKind => {
                let name = self.string(self.operand(scope, NAME));
                match own.iter().find(|&&parameter| self.string(self.operand(parameter, 0)) == "Self") {
                    Some(&of) => {
                        let class = self.argument_type(of).and_then(|ty| self.class(ty))?;
                        (Some(class), Origin::Trait(self.qualified(scope)))
                    }
                    None if name.starts_with(IMPL) => (None, Origin::TraitImpl(self.qualified(scope))),
                    None => return None,
                }
            }
            _ => return None,
        };
        let name = self.string(self.operand(declaration, NAME));
        let name = without_arguments(&name).to_owned();
        // Closures of a method are in its namespace, but a trait's are beside its provided methods.
        if name.starts_with('{') {
            return None;
        }
        let (result, mut parameters) = self.signature(self.operand(declaration, TYPE)?);
        // Of what a method returns it is to be seen whether it has failed, also where no variable has that type.
        if result.is_some_and(|result| ["Result<", "Option<"].iter().any(|start| result.type_name().starts_with(start)))
        {
            self.type_of(result);
        }
        let first = parameters.first().copied();
        let variables = self.arguments_of(node);
        let receiver = first.filter(|_| variables.iter().any(|(name, number)| name == "self" && *number == 1));
        // The library has impls for raw pointers, whatever they lead to.
        let raw = receiver.is_some_and(|first| first.type_name().starts_with('*'));
        let class = class.or_else(|| receiver.filter(|_| !raw).and_then(|first| self.class_behind(first)));
        let receiver = receiver.map(|first| self.receiver_of_rust(first, class));
        let returns = if receiver.is_none() { self.made(result, DEPTH) } else { None };
        let kind = match receiver {
            Some(_) => Some(MethodKind::Instance),
            // No parameter has kept its name.
            None if variables.is_empty() && first.is_some_and(|first| self.class_behind(first).is_some()) => None,
            None if returns.is_some() && returns == class => Some(MethodKind::Constructor),
            None => Some(MethodKind::Static),
        };
        if receiver.is_some() {
            parameters.remove(0);
        }
        let arguments = self.own_arguments(&own, class);
        let plain = self.plain_method(declaration, class, name, result, &parameters);
        Some(Method { kind, receiver, origin, returns, arguments, ..plain })
    }

    /// Template arguments of a function as text, without those that it has from its class, which stand first.
    fn own_arguments(&self, all: &[Metadata], class: Option<ClassId>) -> Vec<String> {
        let is_own = |&&parameter: &&Metadata| self.string(self.operand(parameter, 0)) != "Self";
        let all: Vec<Metadata> = all.iter().filter(is_own).copied().collect();
        let names = self.argument_names(&all);
        let template = class.and_then(|class| self.classes[class as usize].template.as_ref());
        let of_class = template.map_or(&[][..], |template| &template.arguments);
        names.strip_prefix(of_class).map_or(names.clone(), <[String]>::to_vec)
    }

    /// Names and numbers of the parameters of a function that have kept their names.
    fn arguments_of(&self, node: Metadata) -> Vec<(String, i64)> {
        let variables = self.template_parameters(self.operand(node, RETAINED));
        variables
            .into_iter()
            .filter_map(|variable| Some((self.string(self.operand(variable, 1)), self.number(variable, "arg: ")?)))
            .collect()
    }

    /// What `self` is, by the parameter's type.
    fn receiver_of_rust(&mut self, first: Metadata, class: Option<ClassId>) -> Receiver {
        let name = first.type_name();
        let is_class = matches!(first.kind(), MetadataKind::LLVMDICompositeTypeMetadataKind)
            && class.is_none_or(|class| self.class(first) == Some(class));
        let passing = match () {
            () if name.starts_with(BOX) => Passing::SmartPointer,
            () if name.starts_with("&mut ") => Passing::MutableReference,
            () if name.starts_with('&') => Passing::Reference,
            () if name.starts_with('*') => Passing::Pointer,
            () if is_class || first.tag() == tag::ENUMERATION => Passing::Value,
            () => Passing::SmartPointer,
        };
        Receiver { parameter: 1, passing, constant: passing == Passing::Reference || name.starts_with("*const ") }
    }

    /// The class that a type is, or a pointer or reference to.
    fn class_behind(&mut self, node: Metadata) -> Option<ClassId> {
        match self.pointed_class(node) {
            Some((class, _)) => Some(class),
            None => self.class(node),
        }
    }

    /// The class of the object that a function returns: bare, or in what stands around it.
    fn made(&mut self, result: Option<Metadata>, depth: usize) -> Option<ClassId> {
        let result = result?;
        let depth = depth.checked_sub(1)?;
        if result.type_name().starts_with(BOX) {
            return self.made(self.operand(result, BASE), depth);
        }
        let name = self.qualified(result);
        let around = AROUND.iter().any(|around| name.strip_prefix(around).is_some_and(|rest| rest.starts_with('<')));
        match self.class_parameters(result).first() {
            Some(&first) if around => self.made(self.argument_type(first), depth),
            _ => self.class(result),
        }
    }
}
