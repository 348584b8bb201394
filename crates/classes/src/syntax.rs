//! A source of Rust, as far as it tells of types and methods.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use whydunit_model::{MethodKind, Passing, Receiver, Visibility};

/// What a source has.
#[derive(Default, Debug)]
pub(crate) struct Syntax {
    pub types: Vec<TypeItem>,
    pub impls: Vec<Impl>,
    pub functions: Vec<Function>,
}

/// A structure, union or enum.
#[derive(Debug)]
pub(crate) struct TypeItem {
    pub name: String,
    /// The modules in the file that it is in.
    pub modules: Vec<String>,
    pub line: u32,
    /// Derived traits, each with its line.
    pub derives: Vec<(String, u32)>,
}

/// An `impl`, or a trait with the methods that it provides.
#[derive(Debug)]
pub(crate) struct Impl {
    /// The name of the type, without path and arguments; `None` of a trait and for types without a name.
    pub of: Option<String>,
    /// The trait with its arguments, without path.
    pub implements: Option<String>,
    pub modules: Vec<String>,
    /// Whether it is compiled depends on the configuration.
    pub conditional: bool,
}

/// A function of an `impl` or a trait.
#[derive(Debug)]
pub(crate) struct Function {
    pub name: String,
    /// Its first line, of attributes and comments, and that of its name.
    pub lines: (u32, u32),
    pub visibility: Visibility,
    pub receiver: Option<Receiver>,
    /// It returns an object of the type: bare or in `Option`, `Result`, `Box`, `Rc` or `Arc`.
    pub makes: bool,
    /// Types of the parameters without the receiver, as written.
    pub parameters: Vec<String>,
    pub result: String,
    /// Index in [`Syntax::impls`].
    pub of: usize,
    pub conditional: bool,
}

impl Function {
    /// What it does to the life of an object of the type, by its signature.
    pub fn kind(&self) -> MethodKind {
        match self.receiver {
            Some(_) => MethodKind::Instance,
            None if self.makes => MethodKind::Constructor,
            None => MethodKind::Static,
        }
    }
}

impl Syntax {
    /// Reads a source; `None` where it is none of Rust.
    pub fn read(text: &str) -> Option<Self> {
        let file = syn::parse_file(text).ok()?;
        let mut reading = Reading { syntax: Syntax::default(), modules: Vec::new(), conditional: false };
        reading.visit_file(&file);
        Some(reading.syntax)
    }

    /// The function of this name at a line.
    pub fn function(&self, name: &str, line: u32) -> Option<usize> {
        let at = |function: &Function| function.name == name && (function.lines.0..=function.lines.1).contains(&line);
        self.functions.iter().position(at)
    }

    /// The type that derives the trait with a method of this name, by the line of the `derive`; and the trait.
    pub fn derived(&self, method: &str, line: u32) -> Option<(&TypeItem, &str)> {
        self.types.iter().find_map(|ty| {
            let here = |(name, at): &&(String, u32)| *at == line && provides(name).contains(&method);
            ty.derives.iter().find(here).map(|(name, _)| (ty, name.as_str()))
        })
    }
}

/// The methods that a `derive` of the standard library writes.
fn provides(derived: &str) -> &'static [&'static str] {
    match derived {
        "Clone" => &["clone"],
        "Debug" => &["fmt"],
        "Default" => &["default"],
        "Hash" => &["hash"],
        "PartialEq" => &["eq"],
        "Eq" => &["assert_receiver_is_total_eq", "assert_fields_are_eq"],
        "PartialOrd" => &["partial_cmp"],
        "Ord" => &["cmp"],
        _ => &[],
    }
}

struct Reading {
    syntax: Syntax,
    modules: Vec<String>,
    conditional: bool,
}

impl Reading {
    fn type_item(&mut self, name: &syn::Ident, attributes: &[syn::Attribute]) {
        let mut derives = Vec::new();
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("derive")) {
            // What is no list of traits derives nothing.
            let _ = attribute.parse_nested_meta(|meta| {
                if let Some(last) = meta.path.segments.last() {
                    derives.push((last.ident.to_string(), line(last.ident.span())));
                }
                Ok(())
            });
        }
        let name_line = line(name.span());
        self.syntax.types.push(TypeItem {
            name: name.to_string(),
            modules: self.modules.clone(),
            line: name_line,
            derives,
        });
    }

    fn block(&mut self, of: Option<String>, implements: Option<String>, attributes: &[syn::Attribute]) -> usize {
        let conditional = self.conditional || is_conditional(attributes);
        self.syntax.impls.push(Impl { of, implements, modules: self.modules.clone(), conditional });
        self.syntax.impls.len() - 1
    }

    fn function(
        &mut self,
        of: usize,
        sig: &syn::Signature,
        first: Span,
        visibility: Visibility,
        attributes: &[syn::Attribute],
    ) {
        let mut parameters = sig.inputs.iter().filter_map(|input| match input {
            syn::FnArg::Typed(typed) => Some(text(typed.ty.span())),
            syn::FnArg::Receiver(_) => None,
        });
        let owner = &self.syntax.impls[of];
        let (makes, result) = match &sig.output {
            syn::ReturnType::Default => (false, String::new()),
            syn::ReturnType::Type(_, ty) => (makes(ty, owner.of.as_deref()), text(ty.span())),
        };
        let function = Function {
            name: sig.ident.to_string(),
            lines: (line(first), line(sig.ident.span())),
            visibility,
            receiver: sig.receiver().map(receiver),
            makes,
            parameters: parameters.by_ref().collect(),
            result,
            of,
            conditional: owner.conditional || is_conditional(attributes),
        };
        self.syntax.functions.push(function);
    }
}

impl<'a> Visit<'a> for Reading {
    fn visit_item_mod(&mut self, item: &'a syn::ItemMod) {
        let around = self.conditional;
        self.conditional |= is_conditional(&item.attrs);
        self.modules.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.modules.pop();
        self.conditional = around;
    }

    fn visit_item_struct(&mut self, item: &'a syn::ItemStruct) {
        self.type_item(&item.ident, &item.attrs);
    }

    fn visit_item_union(&mut self, item: &'a syn::ItemUnion) {
        self.type_item(&item.ident, &item.attrs);
    }

    fn visit_item_enum(&mut self, item: &'a syn::ItemEnum) {
        self.type_item(&item.ident, &item.attrs);
    }

    fn visit_item_impl(&mut self, item: &'a syn::ItemImpl) {
        let implements = item.trait_.as_ref().and_then(|(path, _)| path.segments.last().map(|last| text(last.span())));
        let of_trait = implements.is_some();
        let block = self.block(type_name(&item.self_ty), implements, &item.attrs);
        for member in &item.items {
            if let syn::ImplItem::Fn(function) = member {
                // As visible as the trait.
                let visibility = if of_trait { Visibility::Public } else { visibility(&function.vis) };
                self.function(block, &function.sig, function.span(), visibility, &function.attrs);
            }
        }
        visit::visit_item_impl(self, item);
    }

    fn visit_item_trait(&mut self, item: &'a syn::ItemTrait) {
        let block = self.block(None, Some(item.ident.to_string()), &item.attrs);
        for member in &item.items {
            if let syn::TraitItem::Fn(function) = member {
                self.function(block, &function.sig, function.span(), Visibility::Public, &function.attrs);
            }
        }
        visit::visit_item_trait(self, item);
    }
}

fn line(span: Span) -> u32 {
    span.start().line as u32
}

/// What a source has at a span, in one line.
fn text(span: Span) -> String {
    span.source_text().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_conditional(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| attribute.path().is_ident("cfg") || attribute.path().is_ident("test"))
}

fn visibility(written: &syn::Visibility) -> Visibility {
    match written {
        syn::Visibility::Public(_) => Visibility::Public,
        syn::Visibility::Restricted(restricted) if restricted.path.is_ident("self") => Visibility::Private,
        syn::Visibility::Restricted(_) => Visibility::Restricted,
        syn::Visibility::Inherited => Visibility::Private,
    }
}

fn receiver(written: &syn::Receiver) -> Receiver {
    let reference = |mutable: bool| if mutable { Passing::MutableReference } else { Passing::Reference };
    let passing = match &written.kind {
        syn::ReceiverKind::Value => Passing::Value,
        syn::ReceiverKind::Reference(_, _, mutable) => reference(mutable.is_some()),
        syn::ReceiverKind::Typed(_, ty) => match &**ty {
            syn::Type::Reference(written) => reference(written.mutability.is_some()),
            syn::Type::Ptr(_) => Passing::Pointer,
            syn::Type::Path(path) if path.path.is_ident("Self") => Passing::Value,
            _ => Passing::SmartPointer,
        },
        _ => Passing::SmartPointer,
    };
    Receiver { parameter: 1, passing, constant: passing == Passing::Reference }
}

/// The name of a type, or of the one behind a reference, without path and arguments.
fn type_name(ty: &syn::Type) -> Option<String> {
    match ty {
        syn::Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
        syn::Type::Reference(reference) => type_name(&reference.elem),
        syn::Type::Paren(inner) => type_name(&inner.elem),
        syn::Type::Group(inner) => type_name(&inner.elem),
        _ => None,
    }
}

/// Whether a type is `Self` or the type called `own`, bare or in what stands around made objects.
fn makes(ty: &syn::Type, own: Option<&str>) -> bool {
    let syn::Type::Path(path) = ty else { return false };
    let Some(last) = path.path.segments.last() else { return false };
    if last.ident == "Self" || own.is_some_and(|own| last.ident == own) {
        return path.path.segments.len() == 1 || last.ident != "Self";
    }
    let around = ["Option", "Result", "Box", "Arc", "Rc"].iter().any(|around| last.ident == around);
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else { return false };
    let first = arguments.args.iter().find_map(|argument| match argument {
        syn::GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    around && first.is_some_and(|ty| makes(ty, own))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "
mod inner {
    #[derive(Clone, Debug)]
    pub struct Item<T> {
        of: T,
    }
    impl<T: Copy> Item<T> {
        /// Makes one.
        #[inline]
        pub fn new(of: T) -> Self { Item { of } }
        pub(crate) fn maybe(of: T) -> Option<Box<Item<T>>> { None }
        fn get(&self) -> T { self.of }
        pub fn take(self: Box<Self>, more: &mut Vec<
            u8,
        >) {}
        pub fn associated(count: usize) -> <Self as Sized>::Other { count }
    }
}
impl<'a> From<&'a str> for inner::Item<&'a str> {
    fn from(of: &'a str) -> Self { inner::Item::new(of) }
}
trait Named {
    fn name(&mut self) -> String { String::new() }
}
#[cfg(test)]
mod tests {
    impl super::Other { fn only_in_tests() {} }
}
";

    #[test]
    fn a_function_is_found_by_its_name_and_any_line_of_its_head() {
        let syntax = Syntax::read(SOURCE).unwrap();
        let new = syntax.function("new", 10).unwrap();
        assert_eq!((syntax.function("new", 8), syntax.function("new", 11)), (Some(new), None));
        let function = &syntax.functions[new];
        assert_eq!(
            (function.visibility, function.kind(), function.makes),
            (Visibility::Public, MethodKind::Constructor, true)
        );
        let block = &syntax.impls[function.of];
        assert_eq!((block.of.as_deref(), block.implements.as_deref()), (Some("Item"), None));
        assert_eq!(block.modules, ["inner"]);
    }

    #[test]
    fn signatures_tell_receivers_and_what_is_made() {
        let syntax = Syntax::read(SOURCE).unwrap();
        let function = |name: &str| syntax.functions.iter().find(|function| function.name == name).unwrap();
        let maybe = function("maybe");
        assert_eq!((maybe.visibility, maybe.kind()), (Visibility::Restricted, MethodKind::Constructor));
        let get = function("get");
        assert_eq!((get.visibility, get.receiver.unwrap().passing), (Visibility::Private, Passing::Reference));
        let take = function("take");
        assert_eq!(take.receiver.unwrap().passing, Passing::SmartPointer);
        assert_eq!(take.parameters, ["&mut Vec< u8, >"]);
        assert_eq!(function("associated").kind(), MethodKind::Static);
        assert!(function("only_in_tests").conditional && !take.conditional);
        let from = function("from");
        assert_eq!(syntax.impls[from.of].implements.as_deref(), Some("From<&'a str>"));
        assert_eq!(from.visibility, Visibility::Public);
        assert_eq!(syntax.impls[function("name").of].of, None);
    }

    #[test]
    fn derived_methods_are_found_by_the_line_of_the_derive() {
        let syntax = Syntax::read(SOURCE).unwrap();
        let derived =
            |method: &str, line: u32| syntax.derived(method, line).map(|(ty, name)| (ty.name.clone(), name.to_owned()));
        assert_eq!(derived("fmt", 3), Some(("Item".to_owned(), "Debug".to_owned())));
        assert_eq!((derived("eq", 3), derived("fmt", 4)), (None, None));
        assert!(Syntax::read("fn {").is_none());
    }
}
