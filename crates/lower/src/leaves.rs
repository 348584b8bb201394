//! Flattening of LLVM types to scalar leaves.

use std::{collections::HashMap, rc::Rc};

use whydunit_llvm::{Module, Type, TypeKind};
use whydunit_model::Scalar;

/// More leaves than any value that a C compiler keeps in registers.
const MOST_LEAVES: usize = 4096;

/// A type as values of the model have it.
#[derive(Debug)]
pub struct Shape {
    /// Its scalars, in order.
    pub leaves: Vec<Scalar>,
    /// Byte offset of each in memory.
    pub offsets: Vec<u64>,
    /// Slots of the whole value.
    pub slots: u32,
}

/// The shapes of a module's types.
pub struct Types<'a> {
    module: &'a Module,
    known: HashMap<Type, Option<Rc<Shape>>>,
}

impl<'a> Types<'a> {
    pub fn new(module: &'a Module) -> Self {
        Self { module, known: HashMap::new() }
    }

    /// The shape of a type; none where the model has no such values.
    pub fn shape(&mut self, ty: Type) -> Option<Rc<Shape>> {
        if let Some(known) = self.known.get(&ty) {
            return known.clone();
        }
        let mut shape = Shape { leaves: Vec::new(), offsets: Vec::new(), slots: 0 };
        let fits = self.flatten(ty, 0, &mut shape);
        let shape = fits.then(|| {
            shape.slots = shape.leaves.iter().map(|leaf| leaf.slots()).sum();
            Rc::new(shape)
        });
        self.known.insert(ty, shape.clone());
        shape
    }

    /// The single scalar that a type is.
    pub fn scalar(&mut self, ty: Type) -> Option<Scalar> {
        if ty.is_aggregate() || ty.is_vector() {
            return None;
        }
        self.shape(ty)?.leaves.first().copied()
    }

    /// Slot offset and type of the part of an aggregate that `indices` lead to.
    pub fn part(&mut self, ty: Type, indices: &[u32]) -> Option<(u32, Type)> {
        let (mut slot, mut ty) = (0, ty);
        for &index in indices {
            if ty.is_struct() {
                for before in 0..index {
                    slot += self.shape(ty.element(before.into())?)?.slots;
                }
                ty = ty.element(index.into())?;
            } else {
                ty = ty.element(index.into())?;
                slot += index * self.shape(ty)?.slots;
            }
        }
        Some((slot, ty))
    }

    fn flatten(&mut self, ty: Type, offset: u64, out: &mut Shape) -> bool {
        if out.leaves.len() >= MOST_LEAVES {
            return false;
        }
        let scalar = match ty.kind() {
            TypeKind::LLVMVoidTypeKind => return true,
            TypeKind::LLVMIntegerTypeKind if ty.int_width() <= 128 => Scalar::Int(ty.int_width() as u8),
            TypeKind::LLVMPointerTypeKind => Scalar::Ptr,
            TypeKind::LLVMHalfTypeKind => Scalar::F16,
            TypeKind::LLVMFloatTypeKind => Scalar::F32,
            TypeKind::LLVMDoubleTypeKind => Scalar::F64,
            TypeKind::LLVMX86_FP80TypeKind => Scalar::F80,
            TypeKind::LLVMStructTypeKind => {
                return (0..ty.element_count()).all(|index| match ty.element(index) {
                    Some(element) => {
                        let at = offset + self.module.offset_of(ty, index as u32);
                        self.flatten(element, at, out)
                    }
                    None => false,
                });
            }
            TypeKind::LLVMArrayTypeKind | TypeKind::LLVMVectorTypeKind => {
                let (Some(element), count) = (ty.element(0), ty.element_count()) else { return false };
                if count > MOST_LEAVES as u64 {
                    return false;
                }
                // Elements of vectors lie packed, bit after bit; those of arrays by their size.
                let step = if ty.is_vector() { self.module.bits_of(element) / 8 } else { self.module.size_of(element) };
                return (0..count).all(|index| self.flatten(element, offset + index * step, out));
            }
            _ => return false,
        };
        out.leaves.push(scalar);
        out.offsets.push(offset);
        true
    }
}

/// Bits of a scalar.
pub fn bits(scalar: Scalar) -> u8 {
    match scalar {
        Scalar::Int(width) => width,
        Scalar::Ptr | Scalar::F64 => 64,
        Scalar::F16 => 16,
        Scalar::F32 => 32,
        Scalar::F80 => 80,
    }
}
