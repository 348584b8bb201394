//! Writing attributes.

use llvm_sys::{core, prelude::*};

use crate::{AttributePlace, Module, Type, Value};

/// An attribute with what is needed to decide about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Attribute(LLVMAttributeRef);

/// The number of an enum or type attribute's kind.
pub fn attribute_kind(name: &str) -> u32 {
    // SAFETY: plain call.
    unsafe { core::LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
}

impl Attribute {
    /// Kind number of an enum, integer or type attribute; none for strings and others.
    pub fn kind(self) -> Option<u32> {
        // SAFETY: a live attribute; the kind is asked of those that have one.
        unsafe { (core::LLVMIsStringAttribute(self.0) == 0).then(|| core::LLVMGetEnumAttributeKind(self.0)) }
    }

    /// Key of a string attribute.
    pub fn key(self) -> Option<String> {
        let mut len = 0;
        // SAFETY: a string attribute; LLVM's own bytes.
        unsafe {
            (core::LLVMIsStringAttribute(self.0) != 0).then(|| {
                let text = core::LLVMGetStringAttributeKind(self.0, &mut len);
                crate::module::text_of(text, len as usize)
            })
        }
    }
}

impl Module {
    /// Enum attribute, with a number where it has one.
    pub fn attribute(&self, name: &str, value: u64) -> Attribute {
        let kind = attribute_kind(name);
        assert!(kind != 0, "an attribute that LLVM knows: {name}");
        // SAFETY: the kind is known.
        Attribute(unsafe { core::LLVMCreateEnumAttribute(self.context.raw, kind, value) })
    }

    /// Type attribute.
    pub fn type_attribute(&self, name: &str, ty: Type) -> Attribute {
        // SAFETY: the kind is known.
        Attribute(unsafe { core::LLVMCreateTypeAttribute(self.context.raw, attribute_kind(name), ty.0) })
    }

    /// String attribute.
    pub fn string_attribute(&self, key: &str, value: &str) -> Attribute {
        // SAFETY: the texts are copied.
        Attribute(unsafe {
            core::LLVMCreateStringAttribute(
                self.context.raw,
                key.as_ptr().cast(),
                key.len() as u32,
                value.as_ptr().cast(),
                value.len() as u32,
            )
        })
    }
}

impl Value {
    /// All attributes of a function or call at a place.
    pub fn attributes(self, place: AttributePlace) -> Vec<Attribute> {
        // SAFETY: a function or call; the buffer has the counted length.
        unsafe {
            let index = place.index();
            let count = if self.is_function() {
                core::LLVMGetAttributeCountAtIndex(self.0, index)
            } else {
                core::LLVMGetCallSiteAttributeCount(self.0, index)
            };
            let mut raw = vec![std::ptr::null_mut(); count as usize];
            if count == 0 {
            } else if self.is_function() {
                core::LLVMGetAttributesAtIndex(self.0, index, raw.as_mut_ptr());
            } else {
                core::LLVMGetCallSiteAttributes(self.0, index, raw.as_mut_ptr());
            }
            raw.into_iter().map(Attribute).collect()
        }
    }

    /// Adds an attribute to a function or call.
    pub fn add_attribute(self, place: AttributePlace, attribute: Attribute) {
        // SAFETY: a function or call.
        unsafe {
            if self.is_function() {
                core::LLVMAddAttributeAtIndex(self.0, place.index(), attribute.0);
            } else {
                core::LLVMAddCallSiteAttribute(self.0, place.index(), attribute.0);
            }
        }
    }

    /// Removes an attribute of a function or call.
    pub fn remove_attribute(self, place: AttributePlace, attribute: Attribute) {
        let (kind, key) = (attribute.kind(), attribute.key());
        // SAFETY: a function or call.
        unsafe {
            match (kind, key) {
                (Some(kind), _) if self.is_function() => {
                    core::LLVMRemoveEnumAttributeAtIndex(self.0, place.index(), kind);
                }
                (Some(kind), _) => core::LLVMRemoveCallSiteEnumAttribute(self.0, place.index(), kind),
                (None, Some(key)) => {
                    let (text, len) = (key.as_ptr().cast(), key.len() as u32);
                    if self.is_function() {
                        core::LLVMRemoveStringAttributeAtIndex(self.0, place.index(), text, len);
                    } else {
                        core::LLVMRemoveCallSiteStringAttribute(self.0, place.index(), text, len);
                    }
                }
                (None, None) => {}
            }
        }
    }
}
