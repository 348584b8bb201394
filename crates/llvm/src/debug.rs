//! Debug information: positions, records, metadata nodes.

use llvm_sys::{LLVMDbgRecordKind, core, debuginfo, prelude::*};

use crate::{
    Metadata, Module, Value,
    module::{chain, take_string, text_of},
};

/// Kinds of debug metadata nodes.
pub use debuginfo::LLVMMetadataKind as MetadataKind;

/// A debug record that stands before an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DebugRecord(LLVMDbgRecordRef);

/// What a debug record says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DebugRecordKind {
    /// The variable lives at an address.
    Declare,
    /// The variable has a value from here on.
    Value,
    /// A value is assigned (linked to a store).
    Assign,
    /// A label.
    Label,
}

impl DebugRecord {
    /// What it says.
    pub fn kind(self) -> DebugRecordKind {
        // SAFETY: a live record.
        match unsafe { core::LLVMDbgRecordGetKind(self.0) } {
            LLVMDbgRecordKind::LLVMDbgRecordLabel => DebugRecordKind::Label,
            LLVMDbgRecordKind::LLVMDbgRecordDeclare => DebugRecordKind::Declare,
            LLVMDbgRecordKind::LLVMDbgRecordValue => DebugRecordKind::Value,
            LLVMDbgRecordKind::LLVMDbgRecordAssign => DebugRecordKind::Assign,
        }
    }

    /// The address or value; none where it was lost.
    pub fn value(self) -> Option<Value> {
        if self.kind() == DebugRecordKind::Label {
            return None;
        }
        // SAFETY: a variable record; the first location operand.
        Value::new(unsafe { core::LLVMDbgVariableRecordGetValue(self.0, 0) })
    }

    /// The variable.
    pub fn variable(self) -> Option<Metadata> {
        if self.kind() == DebugRecordKind::Label {
            return None;
        }
        // SAFETY: a variable record.
        Metadata::new(unsafe { core::LLVMDbgVariableRecordGetVariable(self.0) })
    }

    /// The expression applied to the value.
    pub fn expression(self) -> Option<Metadata> {
        if self.kind() == DebugRecordKind::Label {
            return None;
        }
        // SAFETY: a variable record.
        Metadata::new(unsafe { core::LLVMDbgVariableRecordGetExpression(self.0) })
    }

    /// Its position.
    pub fn location(self) -> Option<Metadata> {
        // SAFETY: a live record.
        Metadata::new(unsafe { core::LLVMDbgRecordGetDebugLoc(self.0) })
    }
}

impl Value {
    /// Debug records before an instruction, in order.
    pub fn debug_records(self) -> impl Iterator<Item = DebugRecord> {
        // SAFETY: an instruction; null where there are none.
        let first =
            unsafe { if self.is_instruction() { core::LLVMGetFirstDbgRecord(self.0) } else { std::ptr::null_mut() } };
        chain((!first.is_null()).then_some(DebugRecord(first)), |record| {
            // SAFETY: a live record.
            let next = unsafe { core::LLVMGetNextDbgRecord(record.0) };
            (!next.is_null()).then_some(DebugRecord(next))
        })
    }

    /// Position of an instruction (a `DILocation`).
    pub fn debug_location(self) -> Option<Metadata> {
        if !self.is_instruction() {
            return None;
        }
        // SAFETY: an instruction.
        Metadata::new(unsafe { debuginfo::LLVMInstructionGetDebugLoc(self.0) })
    }

    /// Gives an instruction a position, or takes it away.
    pub fn set_debug_location(self, location: Option<Metadata>) {
        assert!(self.is_instruction(), "an instruction");
        // SAFETY: an instruction and a location of the same context.
        unsafe {
            debuginfo::LLVMInstructionSetDebugLoc(self.0, location.map_or(std::ptr::null_mut(), |metadata| metadata.0))
        }
    }

    /// The `DISubprogram` of a function.
    pub fn subprogram(self) -> Option<Metadata> {
        if !self.is_function() {
            return None;
        }
        // SAFETY: a function.
        Metadata::new(unsafe { debuginfo::LLVMGetSubprogram(self.0) })
    }

    /// The `DIGlobalVariable` of a global variable.
    pub fn global_debug_variable(self) -> Option<Metadata> {
        if !self.is_global_variable() {
            return None;
        }
        let kind = DBG_KIND;
        // SAFETY: the entries are LLVM's copy, disposed here; each has a kind and a node.
        unsafe {
            let mut count = 0;
            let entries = core::LLVMGlobalCopyAllMetadata(self.0, &mut count);
            let mut found = None;
            for index in 0..count as u32 {
                if core::LLVMValueMetadataEntriesGetKind(entries, index) == kind {
                    let node = Metadata(core::LLVMValueMetadataEntriesGetMetadata(entries, index));
                    if matches!(node.kind(), MetadataKind::LLVMDIGlobalVariableExpressionMetadataKind) {
                        found = Metadata::new(debuginfo::LLVMDIGlobalVariableExpressionGetVariable(node.0));
                    }
                    break;
                }
            }
            if !entries.is_null() {
                core::LLVMDisposeValueMetadataEntries(entries);
            }
            found
        }
    }
}

/// `dbg` is the first fixed metadata kind of every context.
const DBG_KIND: u32 = 0;

impl Metadata {
    /// Kind of the node.
    pub fn kind(self) -> MetadataKind {
        // SAFETY: a live node.
        unsafe { debuginfo::LLVMGetMetadataKind(self.0) }
    }

    /// DWARF tag of a debug node.
    pub fn tag(self) -> u16 {
        // SAFETY: LLVM answers 0 for nodes without tag.
        unsafe { debuginfo::LLVMGetDINodeTag(self.0) }
    }

    /// Line of a `DILocation`.
    pub fn line(self) -> u32 {
        // SAFETY: a location.
        if self.is_location() { unsafe { debuginfo::LLVMDILocationGetLine(self.0) } } else { 0 }
    }

    /// Column of a `DILocation`.
    pub fn column(self) -> u32 {
        // SAFETY: a location.
        if self.is_location() { unsafe { debuginfo::LLVMDILocationGetColumn(self.0) } } else { 0 }
    }

    /// Scope of a `DILocation`.
    pub fn scope(self) -> Option<Metadata> {
        // SAFETY: a location.
        if self.is_location() { Metadata::new(unsafe { debuginfo::LLVMDILocationGetScope(self.0) }) } else { None }
    }

    /// Where a `DILocation` was inlined.
    pub fn inlined_at(self) -> Option<Metadata> {
        // SAFETY: a location.
        if self.is_location() { Metadata::new(unsafe { debuginfo::LLVMDILocationGetInlinedAt(self.0) }) } else { None }
    }

    fn is_location(self) -> bool {
        matches!(self.kind(), MetadataKind::LLVMDILocationMetadataKind)
    }

    /// File of a scope (`DIFile`).
    pub fn scope_file(self) -> Option<Metadata> {
        use MetadataKind::*;
        match self.kind() {
            LLVMDIFileMetadataKind => Some(self),
            LLVMDISubprogramMetadataKind
            | LLVMDILexicalBlockMetadataKind
            | LLVMDILexicalBlockFileMetadataKind
            | LLVMDICompileUnitMetadataKind
            | LLVMDINamespaceMetadataKind
            | LLVMDICompositeTypeMetadataKind
            | LLVMDIBasicTypeMetadataKind
            | LLVMDIDerivedTypeMetadataKind => {
                // SAFETY: a scope.
                Metadata::new(unsafe { debuginfo::LLVMDIScopeGetFile(self.0) })
            }
            _ => None,
        }
    }

    /// Directory and name of a `DIFile`.
    pub fn file_name(self) -> Option<(String, String)> {
        if !matches!(self.kind(), MetadataKind::LLVMDIFileMetadataKind) {
            return None;
        }
        let (mut directory_len, mut name_len) = (0, 0);
        // SAFETY: a file; LLVM's own bytes.
        unsafe {
            let directory = debuginfo::LLVMDIFileGetDirectory(self.0, &mut directory_len);
            let name = debuginfo::LLVMDIFileGetFilename(self.0, &mut name_len);
            Some((text_of(directory, directory_len as usize), text_of(name, name_len as usize)))
        }
    }

    fn is_type(self) -> bool {
        use MetadataKind::*;
        matches!(
            self.kind(),
            LLVMDIBasicTypeMetadataKind
                | LLVMDIDerivedTypeMetadataKind
                | LLVMDICompositeTypeMetadataKind
                | LLVMDISubroutineTypeMetadataKind
        )
    }

    /// Name of a debug type (members included).
    pub fn type_name(self) -> String {
        if !self.is_type() {
            return String::new();
        }
        let mut len = 0;
        // SAFETY: a debug type; LLVM's own bytes.
        unsafe { text_of(debuginfo::LLVMDITypeGetName(self.0, &mut len), len) }
    }

    /// Size of a debug type in bits.
    pub fn type_bits(self) -> u64 {
        // SAFETY: a debug type.
        if self.is_type() { unsafe { debuginfo::LLVMDITypeGetSizeInBits(self.0) } } else { 0 }
    }

    /// Offset of a member in bits.
    pub fn type_offset_bits(self) -> u64 {
        // SAFETY: a debug type.
        if self.is_type() { unsafe { debuginfo::LLVMDITypeGetOffsetInBits(self.0) } } else { 0 }
    }

    /// Line of a debug type.
    pub fn type_line(self) -> u32 {
        // SAFETY: a debug type.
        if self.is_type() { unsafe { debuginfo::LLVMDITypeGetLine(self.0) } } else { 0 }
    }

    /// Flags of a debug type (`LLVMDIFlag…`).
    pub fn type_flags(self) -> i32 {
        // SAFETY: a debug type.
        if self.is_type() { unsafe { debuginfo::LLVMDITypeGetFlags(self.0) } } else { 0 }
    }

    /// Line of a `DISubprogram`.
    pub fn subprogram_line(self) -> u32 {
        if !matches!(self.kind(), MetadataKind::LLVMDISubprogramMetadataKind) {
            return 0;
        }
        // SAFETY: a subprogram.
        unsafe { debuginfo::LLVMDISubprogramGetLine(self.0) }
    }

    fn is_variable(self) -> bool {
        use MetadataKind::*;
        matches!(self.kind(), LLVMDILocalVariableMetadataKind | LLVMDIGlobalVariableMetadataKind)
    }

    /// Line of a variable.
    pub fn variable_line(self) -> u32 {
        // SAFETY: a variable.
        if self.is_variable() { unsafe { debuginfo::LLVMDIVariableGetLine(self.0) } } else { 0 }
    }

    /// Scope of a variable.
    pub fn variable_scope(self) -> Option<Metadata> {
        // SAFETY: a variable.
        if self.is_variable() { Metadata::new(unsafe { debuginfo::LLVMDIVariableGetScope(self.0) }) } else { None }
    }

    /// File of a variable.
    pub fn variable_file(self) -> Option<Metadata> {
        // SAFETY: a variable.
        if self.is_variable() { Metadata::new(unsafe { debuginfo::LLVMDIVariableGetFile(self.0) }) } else { None }
    }
}

impl Module {
    /// The metadata node as a value.
    fn metadata_value(&self, node: Metadata) -> LLVMValueRef {
        // SAFETY: a node of this module's context.
        unsafe { core::LLVMMetadataAsValue(self.context.raw, node.0) }
    }

    /// Operands of a metadata node; none for null ones. A node that is no tuple of operands has none.
    pub fn metadata_operands(&self, node: Metadata) -> Vec<Option<Metadata>> {
        use MetadataKind::*;
        if matches!(
            node.kind(),
            LLVMMDStringMetadataKind
                | LLVMConstantAsMetadataMetadataKind
                | LLVMLocalAsMetadataMetadataKind
                | LLVMDIArgListMetadataKind
        ) {
            return Vec::new();
        }
        // SAFETY: a node with operands; the buffer has the counted length. Null operands come back as null.
        unsafe {
            let value = self.metadata_value(node);
            let mut raw = vec![std::ptr::null_mut(); core::LLVMGetMDNodeNumOperands(value) as usize];
            core::LLVMGetMDNodeOperands(value, raw.as_mut_ptr());
            raw.into_iter()
                .map(|operand| if operand.is_null() { None } else { Metadata::new(core::LLVMValueAsMetadata(operand)) })
                .collect()
        }
    }

    /// Text of a metadata string.
    pub fn metadata_string(&self, node: Metadata) -> Option<String> {
        if !matches!(node.kind(), MetadataKind::LLVMMDStringMetadataKind) {
            return None;
        }
        let mut len = 0;
        // SAFETY: a metadata string; LLVM's own bytes.
        unsafe {
            let text = core::LLVMGetMDString(self.metadata_value(node), &mut len);
            Some(text_of(text, len as usize))
        }
    }

    /// The integer of a constant in metadata.
    pub fn metadata_int(&self, node: Metadata) -> Option<i64> {
        if !matches!(node.kind(), MetadataKind::LLVMConstantAsMetadataMetadataKind) {
            return None;
        }
        let text = self.metadata_text(node);
        text.rsplit(' ').next()?.parse().ok()
    }

    /// A metadata node as text, such as `!DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)`. For the facts
    /// that LLVM has no getter for.
    pub fn metadata_text(&self, node: Metadata) -> String {
        // SAFETY: a message to dispose.
        unsafe { take_string(core::LLVMPrintValueToString(self.metadata_value(node))) }
    }
}

impl Module {
    /// Operands of the module-level named metadata `name` (`llvm.dbg.cu`, `llvm.module.flags`, …).
    pub fn named_metadata(&self, name: &str) -> Vec<Metadata> {
        let name = crate::module::c_string(name);
        // SAFETY: the buffer has the counted length; operands of named metadata are nodes, never null.
        unsafe {
            let count = core::LLVMGetNamedMetadataNumOperands(self.raw, name.as_ptr());
            let mut raw = vec![std::ptr::null_mut(); count as usize];
            core::LLVMGetNamedMetadataOperands(self.raw, name.as_ptr(), raw.as_mut_ptr());
            raw.into_iter()
                .filter(|value| !value.is_null())
                .filter_map(|value| Metadata::new(core::LLVMValueAsMetadata(value)))
                .collect()
        }
    }
}
