//! Models made by hand, and the events of a run of them.
#![allow(dead_code, missing_docs)]

use whydunit_model::{
    Arg, Block, Call, Callee, Const, Function, Global, Initializer, Linkage, Module, NO_TYPE, Op, Opnd, Param, Scalar,
    Slot, StackObject,
};
use whydunit_recording::{Entry, Event, ModuleLoaded, RunEnd, Start};
use whydunit_replay::{Events, Machine, Program};

pub const ID: &str = "0102030405060708091011121314151617181920212223242526272829303132";
pub const FUNCTIONS: u64 = 0x5555_0000_0000;
pub const GLOBALS: u64 = 0x5555_0010_0000;
pub const USP: u64 = 0x5780_0000_0000;

/// Builds one function; slots and constants are given out in order.
pub struct Build {
    pub function: Function,
    open: usize,
}

impl Build {
    pub fn new(name: &str, params: &[Scalar]) -> Self {
        let mut function = Function { name: name.into(), ..empty() };
        for &leaf in params {
            function.params.push(Param { slot: function.slots, leaves: vec![leaf], byval: 0, align: 0, vector: false });
            function.slots += leaf.slots();
        }
        Self { function, open: 0 }
    }
    pub fn slot(&mut self) -> Slot {
        self.slots(1)
    }
    pub fn slots(&mut self, n: u32) -> Slot {
        self.function.slots += n;
        self.function.slots - n
    }
    pub fn word(&mut self, value: u64) -> Opnd {
        self.function.consts.push(Const::Bits(value));
        Opnd::constant(self.function.consts.len() as u32 - 1)
    }
    pub fn words(&mut self, value: u128) -> Opnd {
        let first = self.word(value as u64);
        self.word((value >> 64) as u64);
        first
    }
    pub fn constant(&mut self, value: Const) -> Opnd {
        self.function.consts.push(value);
        Opnd::constant(self.function.consts.len() as u32 - 1)
    }
    /// A stack object; its address is in the slot returned.
    pub fn object(&mut self, size: u64) -> Opnd {
        let offset = self.function.frame_size;
        self.function.stack.push(StackObject { name: "object".into(), offset, size, dynamic: false, loc: None });
        self.function.frame_size = (offset + size).next_multiple_of(16);
        let (dst, object) = (self.slot(), self.function.stack.len() as u32 - 1);
        self.op(Op::StackAddr { dst, offset, object });
        Opnd::slot(dst)
    }
    pub fn op(&mut self, op: Op) -> &mut Self {
        self.function.code.push(op);
        self
    }
    /// Ends the present block; the next operation starts block number `blocks`.
    pub fn end(&mut self, op: Op) -> &mut Self {
        self.op(op);
        let end = self.function.code.len();
        let (start, instructions) = (self.open as u32, (end - self.open) as u32);
        let source = self.function.blocks.len() as u32;
        self.function.blocks.push(Block { start, end: end as u32, instructions, source, edge: false });
        self.open = end;
        self
    }
    /// A call; the result goes to the slot returned.
    pub fn call(&mut self, callee: Callee, args: &[(Opnd, Scalar)], ret: &[Scalar]) -> Slot {
        let slots = ret.iter().map(|leaf| leaf.slots()).sum::<u32>().max(1);
        let dst = self.slots(slots);
        let args = args
            .iter()
            .map(|&(value, leaf)| Arg { value, leaves: vec![leaf], byval: 0, align: 0, vector: false })
            .collect();
        let call = Call {
            callee,
            args,
            dst,
            ret: ret.to_vec(),
            fixed: None,
            returns_twice: false,
            noreturn: false,
            unwind: None,
        };
        self.function.calls.push(call);
        let call = self.function.calls.len() as u32 - 1;
        self.op(Op::Call { call });
        dst
    }
    pub fn ret(&mut self, values: u8, a: Opnd) -> &mut Self {
        self.end(Op::Return { n: values, a })
    }
    pub fn done(mut self, ret: &[Scalar]) -> Function {
        self.function.ret = ret.to_vec();
        self.function
    }
}

pub fn empty() -> Function {
    Function {
        name: String::new(),
        source_name: None,
        loc: None,
        linkage: Linkage::Strong,
        params: vec![],
        ret: vec![],
        variadic: false,
        calls_setjmp: false,
        method: None,
        is_own_test: false,
        slots: 0,
        consts: vec![],
        code: vec![],
        sites: vec![],
        op_locs: vec![],
        locs: vec![Default::default()],
        blocks: vec![],
        calls: vec![],
        switches: vec![],
        demands: vec![],
        pads: Vec::new(),
        frame_size: 0,
        frame_align: 16,
        stack: vec![],
        scopes: vec![],
        inlined: Vec::new(),
        variables: vec![],
        debug_values: vec![],
        asm: vec![],
        unsupported: vec![],
    }
}

pub fn declared(name: &str, params: &[Scalar], ret: &[Scalar]) -> Function {
    let mut function = Build::new(name, params).done(ret);
    function.linkage = Linkage::Declared;
    function
}

pub fn global(name: &str, bytes: &[u8], size: u64) -> Global {
    Global {
        name: name.into(),
        source_name: None,
        ty: NO_TYPE,
        loc: None,
        linkage: Linkage::Strong,
        size,
        align: 16,
        thread_local: false,
        constant: false,
        init: Initializer { bytes: bytes.to_vec(), addresses: vec![] },
    }
}

/// A module of these functions; sites are given out.
pub fn module(functions: Vec<Function>, globals: Vec<Global>) -> Module {
    let mut module = Module { id: ID.into(), source: "/test.c".into(), functions, globals, ..Module::default() };
    for function in &mut module.functions {
        for _ in &function.code {
            function.sites.push(module.sites);
            function.op_locs.push(0);
            module.sites += 1;
        }
    }
    module
}

/// The site of operation `pc` of function `index`.
pub fn site(module: &Module, index: usize, pc: usize) -> u32 {
    module.functions[index].sites[pc]
}

pub fn function_address(index: usize) -> u64 {
    FUNCTIONS + 64 * index as u64
}

pub fn global_address(index: usize) -> u64 {
    GLOBALS + 4096 * index as u64
}

/// The events of a start of the program up to the call of `main` (the last function that has this name).
pub fn start(module: &Module) -> Vec<Entry> {
    let mut hash = 0xcbf2_9ce4_8422_2325u64;
    for global in module.globals.iter().filter(|global| !global.init.bytes.is_empty()) {
        let mut image = global.init.bytes.clone();
        image.resize(global.size as usize, 0);
        image.iter().for_each(|byte| hash = (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3));
    }
    let mut id = [0; 32];
    for (byte, text) in id.iter_mut().zip(ID.as_bytes().chunks(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(text).unwrap(), 16).unwrap();
    }
    let main = module.functions.iter().position(|function| function.name == "main").unwrap();
    let loaded = ModuleLoaded {
        id,
        index: 0,
        globals: (0..module.globals.len()).map(global_address).collect(),
        functions: (0..module.functions.len()).map(function_address).collect(),
        own_bodies: module.functions.iter().map(|function| function.is_defined()).collect(),
        data_hash: hash,
    };
    let start = Start {
        version: 1,
        usp: USP,
        stdin: 0x7f00_0000_0000,
        stdout: 0x7f00_0000_1000,
        stderr: 0x7f00_0000_2000,
        argc: 1,
        argv: 0,
        envp: 0,
        main_tid: 1,
    };
    vec![
        at(0, Event::Start(Box::new(start))),
        at(0, Event::Module(Box::new(loaded))),
        at(0, Event::Callback { function: function_address(main), words: [1, 0].into() }),
    ]
}

pub fn at(counter: u64, event: Event) -> Entry {
    Entry { counter, event }
}

pub fn machine(module: &Module, events: Vec<Entry>) -> Machine {
    ending(module, events, RunEnd::Orderly)
}

pub fn ending(module: &Module, events: Vec<Entry>, end: RunEnd) -> Machine {
    let mut program = Program::new();
    program.add(module.clone());
    let all: Vec<Entry> = start(module).into_iter().chain(events).collect();
    Machine::with_events(program, Events::list(all, end)).unwrap()
}
