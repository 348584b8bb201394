//! Stores that a branch leaves out: what memory would have got, had the branch gone another way. A value that stayed as it was depends on such a
//! branch, too (potential dependence: Gyimóthy, Beszédes and Forgács 1999, relevant slices).

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use whydunit_dataflow::flow::Flow;
use whydunit_model::{BlockId, Callee, Function, IntOp, Op, Opnd, Scalar, Slot, defined};
use whydunit_numerics::arith::{mask, sext};
use whydunit_replay::{At, Code, FuncId};

/// How deep an address is computed.
const DEPTH: u32 = 8;
/// How deep calls are looked into.
const CALLS: u32 = 3;
/// So many stores of a side of a branch, or of a function, are looked at.
const STORES: usize = 16;

/// An address, or a part of one, by what is known where a branch stands.
#[derive(Clone, Debug)]
enum Word {
    /// A slot of the frame.
    Slot(Slot),
    Number(u64),
    /// Behind the base of the frame's stack objects.
    Frame(u64),
    Sum(Rc<Word>, i64),
    /// A base, and an index of so many bits times a scale.
    Element(Rc<Word>, Rc<Word>, u8, i64),
    /// So many bytes at an address.
    Loaded(Rc<Word>, u8),
    /// The lowest bits, with the sign.
    Signed(Rc<Word>, u8),
    /// The lowest bits.
    Lowest(Rc<Word>, u8),
    /// Both, in so many bits.
    Added(Rc<Word>, Rc<Word>, u8),
}

/// A store that is left out.
#[derive(Clone, Debug)]
pub struct LeftOut {
    address: Rc<Word>,
    /// How many bytes it would write.
    pub bytes: u32,
    /// The operation in the branch's own function: the store, or the call that leads to it.
    pub pc: u32,
}

impl LeftOut {
    /// Where it would write, seen from its branch, which the run has just executed; `None` where that needs memory that the program never had.
    pub fn address(&self, at: &At<'_>) -> Option<u64> {
        self.address.value(at)
    }
}

impl Word {
    fn value(&self, at: &At<'_>) -> Option<u64> {
        Some(match self {
            Word::Slot(slot) => at.slot(*slot),
            Word::Number(number) => *number,
            Word::Frame(offset) => at.frame().stack_base.wrapping_add(*offset),
            Word::Sum(base, offset) => base.value(at)?.wrapping_add_signed(*offset),
            Word::Element(base, index, bits, scale) => {
                let index = sext(index.value(at)?, *bits);
                base.value(at)?.wrapping_add_signed(index.wrapping_mul(*scale))
            }
            Word::Loaded(address, bytes) => {
                let address = address.value(at)?;
                at.memory().is_written(address).then(|| at.memory().read_uint(address, (*bytes).into()))?
            }
            Word::Signed(word, bits) => sext(word.value(at)?, *bits).cast_unsigned(),
            Word::Lowest(word, bits) => word.value(at)? & mask(*bits),
            Word::Added(a, b, bits) => a.value(at)?.wrapping_add(b.value(at)?) & mask(*bits),
        })
    }

    /// The same seen from who calls the function, whose parameters are these. `None` where it needs something else of the function.
    fn seen_by(&self, passed: &HashMap<Slot, Rc<Word>>) -> Option<Rc<Word>> {
        Some(match self {
            Word::Slot(slot) => passed.get(slot)?.clone(),
            Word::Number(number) => Rc::new(Word::Number(*number)),
            Word::Frame(_) => return None,
            Word::Sum(base, offset) => Rc::new(Word::Sum(base.seen_by(passed)?, *offset)),
            Word::Element(base, index, bits, scale) => {
                Rc::new(Word::Element(base.seen_by(passed)?, index.seen_by(passed)?, *bits, *scale))
            }
            Word::Loaded(address, bytes) => Rc::new(Word::Loaded(address.seen_by(passed)?, *bytes)),
            Word::Signed(word, bits) => Rc::new(Word::Signed(word.seen_by(passed)?, *bits)),
            Word::Lowest(word, bits) => Rc::new(Word::Lowest(word.seen_by(passed)?, *bits)),
            Word::Added(a, b, bits) => Rc::new(Word::Added(a.seen_by(passed)?, b.seen_by(passed)?, *bits)),
        })
    }
}

/// By branch: the block that it leads to, and what is left out on the way there.
pub type Sides = HashMap<BlockId, Vec<(BlockId, Rc<[LeftOut]>)>>;

/// What branches leave out, worked out once a function.
#[derive(Default)]
pub struct Stores {
    sides: HashMap<FuncId, Rc<Sides>>,
    /// What a call of a function may store, by its parameters.
    called: HashMap<FuncId, Rc<[LeftOut]>>,
}

impl Stores {
    /// Of each branch of a function: for each block that it leads to, what stands on its other sides.
    pub fn of(&mut self, code: &Code, id: FuncId) -> Rc<Sides> {
        if let Some(known) = self.sides.get(&id) {
            return known.clone();
        }
        let function = code.model(id);
        let flow = Flow::of(function);
        let dependence = flow.control_dependence();
        let tree = flow.post_dominators();
        let mut sides = Sides::new();
        for (branch, targets) in flow.successors.iter().enumerate() {
            let last = &function.code[function.blocks[branch].end as usize - 1];
            if !matches!(last, Op::Branch { .. } | Op::Switch { .. }) {
                continue;
            }
            let side = |target: BlockId| side(&dependence, &tree, branch as BlockId, target);
            let stores: Vec<(BlockId, Vec<LeftOut>)> =
                targets.iter().map(|&target| (target, self.stores(code, id, &side(target), CALLS))).collect();
            let others = |taken: BlockId| -> Rc<[LeftOut]> {
                let others = stores.iter().filter(|(target, _)| *target != taken);
                others.flat_map(|(_, stores)| stores.iter().cloned()).take(STORES).collect()
            };
            let left: Vec<(BlockId, Rc<[LeftOut]>)> =
                targets.iter().map(|&taken| (taken, others(taken))).filter(|(_, left)| !left.is_empty()).collect();
            if !left.is_empty() {
                sides.insert(branch as BlockId, left);
            }
        }
        let sides = Rc::new(sides);
        self.sides.insert(id, sides.clone());
        sides
    }

    /// The stores that stand in these blocks of a function, those of called functions included, where their addresses can be told from what is
    /// known before.
    fn stores(&mut self, code: &Code, id: FuncId, region: &HashSet<BlockId>, calls: u32) -> Vec<LeftOut> {
        let mut out = Vec::new();
        if region.is_empty() {
            return out;
        }
        let addresses = Addresses::new(code, id, region);
        let mut blocks: Vec<BlockId> = region.iter().copied().collect();
        blocks.sort_unstable();
        for block in blocks {
            let block = &addresses.function.blocks[block as usize];
            for pc in block.start..block.end {
                if out.len() >= STORES {
                    return out;
                }
                match &addresses.function.code[pc as usize] {
                    Op::Store { ty, addr, .. } => {
                        if let Some(address) = addresses.word(pc, *addr, DEPTH) {
                            out.push(LeftOut { address, bytes: ty.bytes(), pc });
                        }
                    }
                    Op::Call { call } if calls > 0 => {
                        let Callee::Direct(callee) = addresses.function.calls[*call as usize].callee else { continue };
                        let Some(called) = body(code, id, callee) else { continue };
                        let passed = addresses.passed(pc, *call, code.model(called));
                        let stores = self.of_call(code, called, calls - 1);
                        let seen = stores.iter().filter_map(|store| {
                            Some(LeftOut { address: store.address.seen_by(&passed)?, bytes: store.bytes, pc })
                        });
                        out.extend(seen.take(STORES));
                    }
                    _ => {}
                }
            }
        }
        out
    }

    /// What a call of a function may store, by its parameters.
    fn of_call(&mut self, code: &Code, id: FuncId, calls: u32) -> Rc<[LeftOut]> {
        if let Some(known) = self.called.get(&id) {
            return known.clone();
        }
        // Of a call of itself nothing is told.
        self.called.insert(id, Rc::new([]));
        let all: HashSet<BlockId> = (0..code.model(id).blocks.len() as BlockId).collect();
        let stores: Rc<[LeftOut]> = self.stores(code, id, &all, calls).into();
        self.called.insert(id, stores.clone());
        stores
    }
}

/// The body of a function that is called by its number in a caller's module; `None` where none was captured.
fn body(code: &Code, caller: FuncId, callee: u32) -> Option<FuncId> {
    let module = code.loaded_module_of(caller)?;
    let function = module.model.functions.get(callee as usize)?;
    if function.is_defined() { Some(FuncId(module.first.0 + callee)) } else { code.find(&function.name) }
}

/// The blocks that run only where a branch goes to one of its targets, those that they decide about in turn included.
fn side(dependence: &[Vec<BlockId>], tree: &[BlockId], branch: BlockId, target: BlockId) -> HashSet<BlockId> {
    let mut region = HashSet::new();
    let mut current = target;
    while current != branch && tree[branch as usize] != current && region.insert(current) {
        let Some(&next) = tree.get(current as usize).filter(|next| (**next as usize) < tree.len()) else { break };
        current = next;
    }
    loop {
        let inner = |(block, deciders): (usize, &Vec<BlockId>)| {
            let block = block as BlockId;
            let decided = deciders.iter().any(|decider| region.contains(decider)) && !deciders.contains(&branch);
            (decided && block != branch && !region.contains(&block)).then_some(block)
        };
        let more: Vec<BlockId> = dependence.iter().enumerate().filter_map(inner).collect();
        if more.is_empty() {
            return region;
        }
        region.extend(more);
    }
}

/// Computes addresses in some blocks of a function from what stands before them.
struct Addresses<'a> {
    code: &'a Code,
    id: FuncId,
    function: &'a Function,
    /// Operations of the blocks that define a slot, in order.
    definitions: HashMap<Slot, Vec<u32>>,
    /// They are all of the function: what is known before are its parameters.
    whole: bool,
}

impl<'a> Addresses<'a> {
    fn new(code: &'a Code, id: FuncId, region: &HashSet<BlockId>) -> Self {
        let function = code.model(id);
        let mut definitions: HashMap<Slot, Vec<u32>> = HashMap::new();
        let mut blocks: Vec<BlockId> = region.iter().copied().collect();
        blocks.sort_unstable();
        for block in blocks {
            let block = &function.blocks[block as usize];
            for pc in block.start..block.end {
                if let Some((slot, words)) = defined(function, &function.code[pc as usize]) {
                    (slot..slot + words).for_each(|slot| definitions.entry(slot).or_default().push(pc));
                }
            }
        }
        Self { code, id, function, definitions, whole: region.len() == function.blocks.len() }
    }

    /// The value of an operand of an operation; `None` where it comes from something else than the slots before and memory.
    fn word(&self, pc: u32, operand: Opnd, depth: u32) -> Option<Rc<Word>> {
        if operand.is_const() {
            let consts = self.code.consts(self.id);
            return consts.get(operand.index() as usize).map(|&number| Rc::new(Word::Number(number)));
        }
        let Some(definitions) = self.definitions.get(&operand.index()) else {
            return Some(Rc::new(Word::Slot(operand.index())));
        };
        let before = definitions.partition_point(|&definition| definition < pc);
        let from = *definitions[..before].last().filter(|_| depth > 0)?;
        let word = |operand: Opnd| self.word(from, operand, depth - 1);
        Some(match self.function.code[from as usize] {
            Op::Copy { n: 1, a, .. } => word(a)?,
            Op::PtrAdd { base, offset, .. } => Rc::new(Word::Sum(word(base)?, offset)),
            Op::PtrIndex { w, base, index, scale, .. } => Rc::new(Word::Element(word(base)?, word(index)?, w, scale)),
            Op::Load { ty, addr, .. } if ty.bytes() <= 8 && matches!(ty, Scalar::Int(_) | Scalar::Ptr) => {
                Rc::new(Word::Loaded(word(addr)?, ty.bytes() as u8))
            }
            Op::SExt { from: bits, a, .. } if bits <= 64 => Rc::new(Word::Signed(word(a)?, bits)),
            Op::ZExt { from: bits, a, .. } if bits <= 64 => Rc::new(Word::Lowest(word(a)?, bits)),
            Op::Trunc { to, a, .. } => Rc::new(Word::Lowest(word(a)?, to)),
            Op::Int { op: IntOp::Add, w, a, b, .. } => Rc::new(Word::Added(word(a)?, word(b)?, w)),
            Op::StackAddr { offset, .. } if !self.whole => Rc::new(Word::Frame(offset)),
            _ => return None,
        })
    }

    /// What a call passes, by the slots of the parameters.
    fn passed(&self, pc: u32, call: u32, called: &Function) -> HashMap<Slot, Rc<Word>> {
        let site = &self.function.calls[call as usize];
        let pairs = site.args.iter().zip(&called.params).filter(|(_, param)| param.byval == 0);
        pairs.filter_map(|(arg, param)| Some((param.slot, self.word(pc, arg.value, DEPTH)?))).collect()
    }
}
