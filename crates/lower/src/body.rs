//! One function.

mod control;

use std::{collections::HashMap, rc::Rc};

use control::Edge;

use whydunit_canonical::layout::{FrameLayout, is_defined, is_setjmp};
use whydunit_llvm::{AttributePlace, Block, DebugRecordKind, Value};
use whydunit_model::{
    self as model, Const, DebugValue, Function, Op, Opnd, Param, Scalar, Site, Slot, StackObject, TrapKind,
};

use crate::{
    Context,
    debug::{FunctionDebug, Meaning},
    globals,
    leaves::Shape,
    slots::{Lives, Slots, operands},
};

/// The state of lowering one function.
pub(crate) struct Body<'c, 'a> {
    pub context: &'c mut Context<'a>,
    pub function: Function,
    pub debug: FunctionDebug,
    pub blocks: HashMap<Block, u32>,
    /// Edge blocks still to be written; they are numbered after the LLVM blocks.
    pub edges: Vec<Edge>,
    pub phi_sites: HashMap<Value, Site>,
    pub edge_numbers: HashMap<(Block, Block), u32>,
    values: HashMap<Value, Slot>,
    pool: HashMap<Vec<Const>, u32>,
    constants: HashMap<Value, Option<Opnd>>,
    lives: Lives,
    pub slots: Slots,
    temporaries: Vec<(Slot, u32)>,
    /// Stack object of each alloca, with its offset where it is static.
    objects: HashMap<Value, (u32, Option<u64>)>,
    /// Stack objects that hold references of C++, with their variables.
    pub references: HashMap<u32, u32>,
    pub site: Site,
    pub loc: u32,
}

/// Lowers a function of the table; `first_site` is that of its first instruction where it is defined.
pub(crate) fn lower(context: &mut Context, value: Value, first_site: Option<Site>) -> Function {
    let mut function = signature(context, value);
    let Some(first_site) = first_site.filter(|_| is_defined(value)) else { return function };
    let frame = FrameLayout::of(context.module, value);
    let calls_setjmp =
        value.blocks().flat_map(|block| block.instructions()).any(|call| call.is_call() && is_setjmp(call));
    function.calls_setjmp = calls_setjmp;
    function.frame_size = frame.size;
    function.frame_align = frame.align;
    let mut body = Body {
        debug: FunctionDebug::new(value),
        blocks: value.blocks().zip(0..).collect(),
        edges: Vec::new(),
        phi_sites: HashMap::new(),
        edge_numbers: HashMap::new(),
        values: HashMap::new(),
        pool: HashMap::new(),
        constants: HashMap::new(),
        lives: Lives::of(value, calls_setjmp),
        slots: Slots::default(),
        temporaries: Vec::new(),
        objects: HashMap::new(),
        references: HashMap::new(),
        site: first_site,
        loc: 0,
        context,
        function,
    };
    body.place_params(value);
    body.place_objects(value, &frame);
    body.place_values(value);
    body.lower_blocks(value);
    body.finish()
}

/// What is known of a declared function too.
fn signature(context: &mut Context, value: Value) -> Function {
    let ty = value.value_type();
    let leaves = |context: &mut Context, ty| context.types.shape(ty).map(|shape| shape.leaves.clone());
    let params = ty
        .param_types()
        .into_iter()
        .zip(0..)
        .map(|(ty, index)| {
            let place = AttributePlace::Param(index);
            let byval = value.type_attribute(place, "byval");
            let align = byval.map_or(0, |ty| {
                let stated = value.int_attribute(place, "align").unwrap_or(0) as u32;
                stated.max(context.module.align_of(ty))
            });
            Param {
                slot: 0,
                leaves: leaves(context, ty).unwrap_or_default(),
                byval: byval.map_or(0, |ty| context.module.size_of(ty)),
                align,
                vector: ty.is_vector(),
            }
        })
        .collect();
    let ret = ty.return_type().and_then(|ty| leaves(context, ty)).unwrap_or_default();
    let described = value.subprogram().map(|node| context.debug.subprogram(node));
    let readable = model::names::readable(&value.name());
    let (source_name, loc) = match described {
        Some((name, loc)) => (Some(readable.unwrap_or(name)), Some(loc)),
        None => (readable, None),
    };
    Function {
        source_name,
        loc,
        linkage: globals::function_linkage(value),
        params,
        ret,
        variadic: ty.is_variadic(),
        ..Function::declared(value.name())
    }
}

impl Body<'_, '_> {
    fn place_params(&mut self, value: Value) {
        for (index, param) in value.params().enumerate() {
            let slots = self.shape(param.ty()).map_or(0, |shape| shape.slots);
            let slot = self.slots.own(slots);
            self.function.params[index].slot = slot;
            self.values.insert(param, slot);
        }
    }

    fn place_objects(&mut self, value: Value, frame: &FrameLayout) {
        for slot in &frame.slots {
            self.add_object(slot.alloca, Some(slot.offset), slot.size);
        }
        for alloca in value.blocks().flat_map(|block| block.instructions()).filter(|value| value.is_alloca()) {
            if !self.objects.contains_key(&alloca) {
                let size = self.context.module.size_of(alloca.allocated_type());
                self.add_object(alloca, None, size);
            }
        }
    }

    fn add_object(&mut self, alloca: Value, offset: Option<u64>, size: u64) {
        let index = self.function.stack.len() as u32;
        self.objects.insert(alloca, (index, offset));
        self.function.stack.push(StackObject {
            name: alloca.name(),
            offset: offset.unwrap_or(0),
            size,
            dynamic: offset.is_none(),
            loc: None,
        });
    }

    /// Gives the values that outlive their block their slots, and notes the sites of phis.
    fn place_values(&mut self, value: Value) {
        for (site, instruction) in (self.site..).zip(value.blocks().flat_map(|block| block.instructions())) {
            if instruction.is_phi() {
                self.phi_sites.insert(instruction, site);
            }
            if self.lives.last_use(instruction).is_none()
                && let Some(shape) = self.shape(instruction.ty())
                && shape.slots > 0
            {
                let slot = self.slots.own(shape.slots);
                self.values.insert(instruction, slot);
            }
        }
    }

    fn lower_blocks(&mut self, value: Value) {
        let mut freed = Vec::new();
        for (source, block) in (0..).zip(value.blocks()) {
            let start = self.function.code.len() as u32;
            let mut instructions = 0;
            for (position, instruction) in (0u32..).zip(block.instructions()) {
                for record in instruction.debug_records() {
                    self.debug_record(record);
                }
                self.loc = self.debug.loc(&mut self.context.debug, instruction.debug_location());
                if self.instruction(instruction).is_none() {
                    self.unsupported(instruction);
                }
                self.release_temporaries();
                freed.clear();
                freed.extend(operands(instruction).filter(|&value| self.lives.last_use(value) == Some(position)));
                // A value that nothing uses ends where it begins.
                freed.extend((self.lives.last_use(instruction) == Some(position)).then_some(instruction));
                for &value in &freed {
                    if let Some(slot) = self.values.remove(&value) {
                        let n = self.shape(value.ty()).map_or(1, |shape| shape.slots);
                        self.slots.give(slot, n);
                    }
                }
                instructions += 1;
                self.site += 1;
            }
            let end = self.function.code.len() as u32;
            self.function.blocks.push(model::Block { start, end, instructions, source, edge: false });
        }
        self.write_edges();
    }

    fn finish(mut self) -> Function {
        self.function.slots = self.slots.count();
        self.function.locs = self.debug.locs;
        self.function.scopes = self.debug.scopes;
        self.function.inlined = self.debug.inlined;
        self.function.variables = self.debug.variables;
        self.function
    }

    fn debug_record(&mut self, record: whydunit_llvm::DebugRecord) {
        let Some(node) = record.variable() else { return };
        // What functions of libraries have to themselves is theirs.
        if record.location().is_some_and(whydunit_canonical::is_inlined_library) {
            return;
        }
        let variable = self.debug.variable(&mut self.context.debug, node, record.location());
        let meaning = self.context.debug.meaning(record.expression());
        let value = record.value().filter(|value| !value.is_undef_or_poison());
        let declared = record.kind() == DebugRecordKind::Declare;
        if declared && let Some(&(object, _)) = value.and_then(|value| self.objects.get(&value)) {
            let loc = self.debug.variable_loc(&mut self.context.debug, node, variable);
            let described = &mut self.debug.variables[variable as usize];
            let entry = &mut self.function.stack[object as usize];
            entry.name.clone_from(&described.name);
            entry.loc = Some(loc);
            if meaning != Meaning::Other {
                described.object = Some(object);
                described.indirect = meaning == Meaning::Address;
            }
            if meaning == Meaning::Plain && described.arg == 0 && self.context.debug.is_reference(node) {
                self.references.insert(object, variable);
            }
            return;
        }
        // A declaration over an address in a register says where the variable is, not what it is.
        let indirect = match (declared, meaning) {
            (false, Meaning::Plain) => Some(false),
            (true, Meaning::Plain) | (false, Meaning::Address) => Some(true),
            _ => None,
        };
        let value = value.filter(|_| indirect.is_some()).and_then(|value| self.operand(value));
        if value.is_some() {
            self.debug.variables[variable as usize].indirect = indirect == Some(true);
        }
        let bound = value.filter(|_| indirect == Some(false) && self.debug.variables[variable as usize].arg == 0);
        if let Some(value) = bound
            && self.context.debug.is_reference(node)
        {
            self.demand_bound(value, variable);
        }
        let pc = self.function.code.len() as u32;
        self.function.debug_values.push(DebugValue { pc, variable, value });
    }

    /// The shape of a type.
    pub fn shape(&mut self, ty: whydunit_llvm::Type) -> Option<Rc<Shape>> {
        self.context.types.shape(ty)
    }

    /// The scalar that a type is.
    pub fn scalar(&mut self, ty: whydunit_llvm::Type) -> Option<Scalar> {
        self.context.types.scalar(ty)
    }

    /// The operand that reads a value.
    pub fn operand(&mut self, value: Value) -> Option<Opnd> {
        if let Some(&slot) = self.values.get(&value) {
            return Some(Opnd::slot(slot));
        }
        if !value.is_constant() {
            return None;
        }
        if let Some(known) = self.constants.get(&value) {
            return *known;
        }
        let words = self.context.constant_words(value);
        let operand = words.filter(|words| !words.is_empty()).map(|words| self.pooled(words));
        self.constants.insert(value, operand);
        operand
    }

    /// Operand `index` of an instruction.
    pub fn input(&mut self, instruction: Value, index: u32) -> Option<Opnd> {
        self.operand(instruction.operand(index)?)
    }

    /// The pool entry of consecutive constant words.
    pub fn pooled(&mut self, words: Vec<Const>) -> Opnd {
        let next = self.function.consts.len() as u32;
        let consts = &mut self.function.consts;
        Opnd::constant(*self.pool.entry(words).or_insert_with_key(|words| {
            consts.extend(words.iter().cloned());
            next
        }))
    }

    /// The pool entry of a number.
    pub fn number(&mut self, number: u64) -> Opnd {
        self.pooled(vec![Const::Bits(number)])
    }

    /// The slots for the result of an instruction.
    pub fn result(&mut self, instruction: Value) -> Option<Slot> {
        if let Some(&slot) = self.values.get(&instruction) {
            return Some(slot);
        }
        let slots = self.shape(instruction.ty())?.slots;
        let slot = self.slots.take(slots);
        self.values.insert(instruction, slot);
        Some(slot)
    }

    /// Slots until the end of the instruction.
    pub fn temporary(&mut self, n: u32) -> Slot {
        let slot = self.slots.take(n);
        self.temporaries.push((slot, n));
        slot
    }

    /// Gives the temporaries back.
    pub fn release_temporaries(&mut self) {
        while let Some((slot, n)) = self.temporaries.pop() {
            self.slots.give(slot, n);
        }
    }

    /// Stack object and offset of an alloca.
    pub fn object(&self, alloca: Value) -> Option<(u32, Option<u64>)> {
        self.objects.get(&alloca).copied()
    }

    /// Appends an operation of the current instruction.
    pub fn emit(&mut self, op: Op) {
        self.function.code.push(op);
        self.function.sites.push(self.site);
        self.function.op_locs.push(self.loc);
    }

    /// Moves `n` slots.
    pub fn copy(&mut self, n: u32, dst: Slot, a: Opnd) {
        let mut done = 0;
        while done < n {
            let part = (n - done).min(u8::MAX.into());
            self.emit(Op::Copy { n: part as u8, dst: dst + done, a: a.word(done) });
            done += part;
        }
    }

    /// The run cannot go past this instruction.
    fn unsupported(&mut self, instruction: Value) {
        self.unsupported_text(instruction.print().trim().to_owned());
        // Its users, which never run, read some slot.
        self.result(instruction);
    }

    /// The same with a text.
    pub fn unsupported_text(&mut self, text: String) {
        let index = self.function.unsupported.len() as u32;
        self.function.unsupported.push(text);
        self.emit(Op::Trap { kind: TrapKind::Unsupported(index) });
    }
}
