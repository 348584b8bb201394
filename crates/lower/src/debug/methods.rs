//! Methods: what a `DISubprogram` is of a class.

mod rust;

use whydunit_llvm::{Metadata, MetadataKind};
use whydunit_model::{ClassId, Language, Loc, Method, MethodId, MethodKind, Origin, Passing, Receiver, Virtuality};

use super::{
    Debug,
    classes::access,
    names::{BASE, NAME, SCOPE, without_arguments},
    types::tag,
};

// Operands of a `DISubprogram`.
const LINKAGE_NAME: usize = 3;
const TYPE: usize = 4;
const DECLARATION: usize = 6;
const RETAINED: usize = 7;
const ARGUMENTS: usize = 9;

/// `DIFlagArtificial` and `DIFlagObjectPointer`: a parameter that the source does not write, the object.
const ARTIFICIAL: i32 = 1 << 6;
const OBJECT: i32 = 1 << 10;

impl Debug<'_> {
    /// The method that a function is, by its `DISubprogram` or the declaration of it; `None` for other functions.
    pub fn method(&mut self, node: Metadata) -> Option<MethodId> {
        let declaration = self.operand(node, DECLARATION).unwrap_or(node);
        let id = match self.method_nodes.get(&declaration) {
            Some(&known) => known,
            None => {
                let method = match self.language {
                    Language::Cxx => self.method_of_cpp(declaration),
                    Language::Rust => self.method_of_rust(node, declaration),
                    Language::C => self.method_of_c(node),
                    Language::Other => None,
                }?;
                self.methods.push(method);
                let id = self.methods.len() as MethodId - 1;
                self.method_nodes.insert(declaration, id);
                id
            }
        };
        if self.methods[id as usize].defined.is_none() && self.flags(node).has("DISPFlagDefinition") {
            self.methods[id as usize].defined = Some(self.subprogram(node).1);
        }
        Some(id)
    }

    fn method_of_cpp(&mut self, node: Metadata) -> Option<Method> {
        let scope = self.operand(node, SCOPE)?;
        let class = self.class(scope)?;
        let flags = self.flags(node);
        if flags.has("DISPFlagDeleted") {
            return None;
        }
        let (result, mut parameters) = self.signature(self.operand(node, TYPE)?);
        let receiver = parameters.first().and_then(|&first| self.receiver_of_cpp(first));
        if receiver.is_some() {
            parameters.remove(0);
        }
        let own = self.template_parameters(self.operand(node, ARGUMENTS));
        let mut name = self.string(self.operand(node, NAME));
        if !own.is_empty() {
            name = without_arguments(&name).to_owned();
        }
        let kind = match receiver {
            _ if name.starts_with('~') => MethodKind::Destructor,
            Some(_) if name == self.bare_name(scope) => MethodKind::Constructor,
            Some(_) => MethodKind::Instance,
            None => MethodKind::Static,
        };
        let virtuality = match () {
            () if flags.has("DISPFlagPureVirtual") => Virtuality::Pure,
            () if flags.has("DISPFlagVirtual") => Virtuality::Virtual,
            () => Virtuality::None,
        };
        let returns = if receiver.is_none() { self.returned(result) } else { None };
        Some(Method {
            kind: Some(kind),
            receiver,
            visibility: Some(access(flags.access(), scope)),
            virtuality,
            implicit: flags.has("DIFlagArtificial"),
            arguments: self.argument_names(&own),
            returns,
            ..self.plain_method(node, Some(class), name, result, &parameters)
        })
    }

    /// The object that a method of C++ is called on, where the first parameter is it: `this`, or one that the source names
    /// `this` (C++23).
    fn receiver_of_cpp(&self, first: Metadata) -> Option<Receiver> {
        let flags = first.type_flags();
        if flags & (ARTIFICIAL | OBJECT) == 0 {
            return None;
        }
        let constant = |ty: Metadata| self.operand(ty, BASE).is_some_and(|base| base.tag() == tag::CONST);
        let passing = match first.tag() {
            tag::POINTER => Passing::Pointer,
            tag::REFERENCE | tag::RVALUE_REFERENCE if constant(first) => Passing::Reference,
            tag::REFERENCE | tag::RVALUE_REFERENCE => Passing::MutableReference,
            _ => Passing::Value,
        };
        Some(Receiver { parameter: 1, passing, constant: passing != Passing::Value && constant(first) })
    }

    /// A function of C: a method of the structure that its first parameter points to, or without one of the structure that
    /// its result points to.
    fn method_of_c(&mut self, node: Metadata) -> Option<Method> {
        let (result, mut parameters) = self.signature(self.operand(node, TYPE)?);
        let first = parameters.first().copied();
        let receiver = first.and_then(|first| self.pointed_class(first));
        let returns = if receiver.is_none() { self.returned(result) } else { None };
        let class = receiver.map(|(class, _)| class).or(returns)?;
        let receiver = receiver.map(|(_, constant)| Receiver { parameter: 1, passing: Passing::Pointer, constant });
        if receiver.is_some() {
            parameters.remove(0);
        }
        let kind = if receiver.is_some() { MethodKind::Instance } else { MethodKind::Static };
        let name = self.string(self.operand(node, NAME));
        let declared = self.plain_method(node, Some(class), name, result, &parameters);
        Some(Method { kind: Some(kind), receiver, returns, ..declared })
    }

    /// What methods of all languages have.
    fn plain_method(
        &mut self,
        node: Metadata,
        class: Option<ClassId>,
        name: String,
        result: Option<Metadata>,
        parameters: &[Metadata],
    ) -> Method {
        let declared: Loc = self.subprogram(node).1;
        Method {
            class,
            name,
            symbol: self.string(self.operand(node, LINKAGE_NAME)),
            declared: (declared.line > 0).then_some(declared),
            defined: None,
            kind: None,
            receiver: None,
            visibility: None,
            virtuality: Virtuality::None,
            implicit: false,
            origin: Origin::Class,
            arguments: Vec::new(),
            parameters: parameters.iter().map(|&ty| self.type_text(Some(ty))).collect(),
            result: result.map(|result| self.type_text(Some(result))).unwrap_or_default(),
            returns: None,
        }
    }

    /// The class that a pointer, or a reference of C++, leads to, and whether as a constant.
    fn pointed_class(&mut self, node: Metadata) -> Option<(ClassId, bool)> {
        let pointer = self.behind_names(node);
        let points = matches!(pointer.kind(), MetadataKind::LLVMDIDerivedTypeMetadataKind)
            && matches!(pointer.tag(), tag::POINTER | tag::REFERENCE | tag::RVALUE_REFERENCE);
        let base = self.operand(pointer, BASE).filter(|_| points)?;
        let class = self.class_behind_names(base)?;
        Some((class, base.tag() == tag::CONST))
    }

    /// The class of the object that a function of C or C++ returns, or returns a pointer to.
    fn returned(&mut self, result: Option<Metadata>) -> Option<ClassId> {
        let result = result?;
        match self.pointed_class(result) {
            Some((class, _)) => Some(class),
            None if self.language == Language::Cxx => self.class_behind_names(result),
            None => None,
        }
    }

    /// The flags of a function: there is no getter for them.
    fn flags(&self, node: Metadata) -> Flags {
        Flags { text: self.module.metadata_text(node) }
    }
}

/// A function as text, which has its flags.
struct Flags {
    text: String,
}

impl Flags {
    /// Whether this flag is set. Names are in quotes, and no flag is called like one.
    fn has(&self, flag: &str) -> bool {
        self.text.split([' ', ',', '(', ')']).any(|word| word == flag)
    }

    /// `DIFlagPrivate`, `DIFlagProtected` and `DIFlagPublic`, as a type has them.
    fn access(&self) -> i32 {
        let names = ["DIFlagPrivate", "DIFlagProtected", "DIFlagPublic"];
        names.iter().position(|name| self.has(name)).map_or(0, |index| index as i32 + 1)
    }
}
