//! Where flags stand, and which of them tell that a block was executed.

use std::collections::{BTreeSet, HashMap, HashSet};

use whydunit_llvm::{Block, Builder, Module, Opcode, Value};

/// The way from a branch to one of its targets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Outcome {
    pub(crate) target: Block,
    /// `true`, `false`, `case 3, 4`, `default`.
    pub(crate) text: String,
    /// The flag on the way; none where the target's own branch tells.
    flag: Option<u32>,
}

/// The flags of one function.
#[derive(Debug)]
pub(crate) struct Flags {
    pub(crate) entry: u32,
    /// Outcomes by branching block, in order of the targets.
    outcomes: HashMap<Block, Vec<Outcome>>,
    /// Flags at the labels that computed gotos lead to.
    labels: HashMap<Block, u32>,
    executed: HashMap<Block, BTreeSet<u32>>,
}

impl Flags {
    /// Gives out flags from `next` on.
    pub(crate) fn plan(function: Value, next: &mut u32) -> Flags {
        let mut take = || {
            *next += 1;
            *next - 1
        };
        let mut flags = Flags {
            entry: take(),
            outcomes: HashMap::new(),
            labels: HashMap::new(),
            executed: HashMap::new(),
        };
        let blocks: Vec<Block> = function.blocks().collect();
        let mut predecessors: HashMap<Block, Vec<Block>> = HashMap::new();
        for &block in &blocks {
            let mut targets = block.successors();
            targets.dedup();
            targets.iter().for_each(|&target| predecessors.entry(target).or_default().push(block));
            if block.terminator().is_some_and(|terminator| terminator.opcode() == Opcode::LLVMIndirectBr) {
                for &label in &targets {
                    flags.labels.entry(label).or_insert_with(&mut take);
                }
            }
            let outcomes = outcomes(block);
            if !outcomes.is_empty() {
                flags.outcomes.insert(block, outcomes);
            }
        }
        let implied = |target: Block, outcomes: &HashMap<Block, Vec<Outcome>>| {
            predecessors.get(&target).is_some_and(|before| before.iter().collect::<HashSet<_>>().len() == 1)
                && outcomes.contains_key(&target)
                && only_decides(target)
        };
        for &block in &blocks {
            let Some(list) = flags.outcomes.get(&block) else { continue };
            let given: Vec<Option<u32>> =
                list.iter().map(|outcome| (!implied(outcome.target, &flags.outcomes)).then(&mut take)).collect();
            if let Some(list) = flags.outcomes.get_mut(&block) {
                list.iter_mut().zip(given).for_each(|(outcome, flag)| outcome.flag = flag);
            }
        }
        flags.propagate(&blocks, &predecessors);
        flags
    }

    /// Sets of flags grow along unconditional edges until nothing changes.
    fn propagate(&mut self, blocks: &[Block], predecessors: &HashMap<Block, Vec<Block>>) {
        if let Some(&entry) = blocks.first() {
            self.executed.insert(entry, BTreeSet::from([self.entry]));
        }
        let mut changed = true;
        while changed {
            changed = false;
            for &block in blocks {
                if let Some(&label) = self.labels.get(&block) {
                    changed |= self.executed.insert(block, BTreeSet::from([label])).is_none();
                    continue;
                }
                let mut set = self.executed.get(&block).cloned().unwrap_or_default();
                let before = set.len();
                for from in predecessors.get(&block).into_iter().flatten() {
                    match self.outcomes.get(from) {
                        Some(outcomes) => outcomes
                            .iter()
                            .filter(|outcome| outcome.target == block)
                            .for_each(|outcome| set.extend(self.told(outcome))),
                        None => set.extend(self.executed.get(from).into_iter().flatten()),
                    }
                }
                changed |= set.len() != before;
                self.executed.insert(block, set);
            }
        }
    }

    /// Flags that tell of an outcome.
    pub(crate) fn told(&self, outcome: &Outcome) -> BTreeSet<u32> {
        match outcome.flag {
            Some(flag) => BTreeSet::from([flag]),
            // The target has a branch of its own and this one predecessor, so this ends.
            None => self.outcomes.get(&outcome.target).into_iter().flatten().flat_map(|next| self.told(next)).collect(),
        }
    }

    /// Outcomes of the branch that ends a block; none where it does not branch.
    pub(crate) fn outcomes(&self, block: Block) -> &[Outcome] {
        self.outcomes.get(&block).map_or(&[], Vec::as_slice)
    }

    /// Flags that tell that a block was executed.
    pub(crate) fn executed(&self, block: Block) -> BTreeSet<u32> {
        self.executed.get(&block).cloned().unwrap_or_default()
    }

    /// Puts the stores into the code.
    pub(crate) fn insert(&self, module: &Module, function: Value, array: Value) {
        let builder = Builder::new(module);
        builder.set_location(None);
        let one = module.int_type(8).constant(1);
        let set = |flag: u32| {
            builder.store(one, builder.offset(array, flag.into()), 1).set_volatile(true);
        };
        let blocks: Vec<Block> = function.blocks().collect();
        let mut sources: HashMap<Block, BTreeSet<usize>> = HashMap::new();
        for (index, block) in blocks.iter().enumerate() {
            for target in block.successors() {
                sources.entry(target).or_default().insert(index);
            }
        }
        if let Some(first) = blocks.first().and_then(|entry| entry.instructions().find(|first| !first.is_alloca())) {
            builder.before(first);
            set(self.entry);
        }
        for (label, &flag) in &self.labels {
            if let Some(first) = label.instructions().find(|first| !first.is_phi()) {
                builder.before(first);
                set(flag);
            }
        }
        // (target, block that branched) -> the block now between them.
        let mut between: HashMap<(Block, Block), Block> = HashMap::new();
        for &block in &blocks {
            for outcome in self.outcomes(block) {
                let Some(flag) = outcome.flag else { continue };
                let alone = sources.get(&outcome.target).is_some_and(|from| from.len() == 1);
                if alone && let Some(first) = outcome.target.instructions().find(|first| !first.is_phi()) {
                    builder.before(first);
                    set(flag);
                    continue;
                }
                let Some(terminator) = block.terminator() else { continue };
                let edge = builder.append_block(function, "");
                edge.move_after(block);
                builder.at_end(edge);
                set(flag);
                builder.jump(outcome.target);
                for (index, target) in terminator.successors().into_iter().enumerate() {
                    if target == outcome.target {
                        terminator.set_successor(index as u32, edge);
                    }
                }
                between.insert((outcome.target, block), edge);
            }
        }
        if !between.is_empty() {
            blocks.iter().for_each(|&block| redirect(&builder, block, &between));
        }
    }
}

/// Phis of a block name the blocks that were put on the edges to it, each once.
fn redirect(builder: &Builder, block: Block, between: &HashMap<(Block, Block), Block>) {
    for phi in block.instructions().take_while(|phi| phi.is_phi()).collect::<Vec<_>>() {
        let incoming = phi.incoming();
        if incoming.iter().all(|(_, from)| !between.contains_key(&(block, *from))) {
            continue;
        }
        builder.before(phi);
        let fresh = builder.phi(phi.ty());
        let mut seen = Vec::new();
        for (value, from) in incoming {
            match between.get(&(block, from)) {
                Some(&edge) if !seen.contains(&edge) => {
                    seen.push(edge);
                    fresh.add_incoming(value, edge);
                }
                Some(_) => {}
                None => fresh.add_incoming(value, from),
            }
        }
        phi.replace_all_uses_with(fresh);
        phi.erase();
    }
}

/// The distinct targets of a conditional branch or switch.
fn outcomes(block: Block) -> Vec<Outcome> {
    let Some(terminator) = block.terminator() else { return Vec::new() };
    let mut outcomes: Vec<Outcome> = Vec::new();
    let mut add = |target: Block, text: String| match outcomes.iter_mut().find(|outcome| outcome.target == target) {
        Some(outcome) => {
            outcome.text.push_str(", ");
            outcome.text.push_str(text.strip_prefix("case ").unwrap_or(&text));
        }
        None => outcomes.push(Outcome { target, text, flag: None }),
    };
    match terminator.opcode() {
        Opcode::LLVMBr if terminator.branch_condition().is_some() => {
            let targets = terminator.successors();
            for (target, text) in targets.into_iter().zip(["true", "false"]) {
                add(target, text.to_owned());
            }
        }
        Opcode::LLVMSwitch => {
            for (value, target) in terminator.switch_cases() {
                let text = value.int_value_signed().map_or_else(|| "?".to_owned(), |value| value.to_string());
                add(target, format!("case {text}"));
            }
            terminator.switch_default().into_iter().for_each(|target| add(target, "default".to_owned()));
        }
        _ => {}
    }
    if outcomes.len() < 2 { Vec::new() } else { outcomes }
}

/// Whether a block cannot but reach its branch: it touches only the function's own variables and globals.
fn only_decides(block: Block) -> bool {
    use Opcode::*;
    let safe = |address: Option<Value>| {
        address.is_some_and(|address| address.is_alloca() || address.is_global_variable())
    };
    block.instructions().all(|instruction| match instruction.opcode() {
        LLVMLoad => safe(instruction.operand(0)) && !instruction.is_volatile(),
        LLVMICmp | LLVMFCmp | LLVMZExt | LLVMSExt | LLVMTrunc | LLVMAdd | LLVMSub | LLVMAnd | LLVMOr | LLVMXor
        | LLVMBr | LLVMSwitch | LLVMPHI | LLVMSelect => true,
        _ => false,
    })
}
