//! Which points need a flag, and which flags tell what.
//!
//! What is asked for: each source line (an entity of the function), and each outcome of a branch. A segment whose lines all
//! appear in segments that dominate it is not asked for; nor is an outcome that comes after the same outcome (loops are
//! rotated, so the test at a loop's end repeats the one before it). A point that is asked for has a flag, unless the
//! segment behind it can do nothing but reach its own branch: then that branch's flags tell.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use whydunit_llvm::{Linkage, Opcode, Value};

use super::graph::{Graph, Incoming, Next};

/// A source line: file, line.
pub(crate) type Line = (u32, u32);

/// A branch outcome as a reader sees it: file, line, column, text.
pub(crate) type Identity = (u32, u32, u32, String);

/// What the code says of its source.
pub(crate) struct Source {
    /// Lines of each segment, each with its first column.
    pub(crate) lines: Vec<BTreeMap<Line, u32>>,
    /// Identities of the points that are outcomes and have a position.
    pub(crate) outcomes: HashMap<usize, Identity>,
}

/// The flags of one function.
#[derive(Debug)]
pub(crate) struct Plan {
    /// Flag of each point that has one.
    pub(crate) flags: BTreeMap<usize, u32>,
    /// Flags that tell that the function was entered.
    pub(crate) entry: BTreeSet<u32>,
    /// Flags that tell of each line, with its first column.
    pub(crate) lines: BTreeMap<Line, (u32, BTreeSet<u32>)>,
    /// Flags that tell of each outcome.
    pub(crate) outcomes: BTreeMap<Identity, BTreeSet<u32>>,
}

impl Plan {
    /// Gives out flags from `next` on.
    pub(crate) fn new(graph: &Graph, source: &Source, next: &mut u32) -> Plan {
        let tops = top_lines(graph, source);
        let segments = wanted_segments(graph, &tops);
        let first = first_outcomes(graph, source);
        let mut wanted = vec![false; graph.points.len()];
        wanted[0] = true;
        first.iter().for_each(|&point| wanted[point] = true);
        for (segment, _) in segments.iter().enumerate().filter(|(_, wanted)| **wanted) {
            for incoming in graph.entering(segment) {
                if let Incoming::Point(point) = incoming {
                    wanted[point] = true;
                }
            }
        }
        let mut told = Told { graph, wanted, branches: HashMap::new() };
        for point in 0..graph.points.len() {
            told.find(point);
        }
        let mut flags = BTreeMap::new();
        for point in (0..graph.points.len()).filter(|&point| told.wanted[point] && told.branches[&point].is_none()) {
            flags.insert(point, *next);
            *next += 1;
        }
        let of_points: Vec<BTreeSet<u32>> = (0..graph.points.len()).map(|point| told.flags(point, &flags)).collect();
        let executed = executed(graph, &segments, &of_points);
        let mut lines: BTreeMap<Line, (u32, BTreeSet<u32>)> = BTreeMap::new();
        for (segment, tops) in tops.iter().enumerate() {
            for &line in tops {
                lines.entry(line).or_insert((u32::MAX, BTreeSet::new())).1.extend(&executed[segment]);
            }
        }
        for (&line, &column) in source.lines.iter().flatten() {
            lines.entry(line).and_modify(|(lowest, _)| *lowest = column.min(*lowest));
        }
        let mut outcomes: BTreeMap<Identity, BTreeSet<u32>> = BTreeMap::new();
        for &point in &first {
            outcomes.entry(source.outcomes[&point].clone()).or_default().extend(&of_points[point]);
        }
        Plan { entry: of_points[0].clone(), flags, lines, outcomes }
    }
}

/// The lines of each segment that no segment above it in the dominator tree has.
fn top_lines(graph: &Graph, source: &Source) -> Vec<Vec<Line>> {
    let children = graph.dominated();
    let mut above: HashMap<Line, u32> = HashMap::new();
    let mut tops = vec![Vec::new(); graph.segments.len()];
    // (segment, whether its children are done)
    let mut stack = vec![(0, false)];
    while let Some((segment, left)) = stack.pop() {
        if left {
            source.lines[segment].keys().for_each(|line| *above.entry(*line).or_default() -= 1);
            continue;
        }
        for &line in source.lines[segment].keys() {
            let count = above.entry(line).or_default();
            if *count == 0 {
                tops[segment].push(line);
            }
            *count += 1;
        }
        stack.push((segment, true));
        stack.extend(children[segment].iter().map(|&child| (child, false)));
    }
    tops
}

/// Segments of which it must be known whether they were executed: those with lines of their own, and those that jump to
/// such ones.
fn wanted_segments(graph: &Graph, tops: &[Vec<Line>]) -> Vec<bool> {
    let mut wanted: Vec<bool> = tops.iter().map(|lines| !lines.is_empty()).collect();
    let mut work: Vec<usize> = (0..wanted.len()).filter(|&segment| wanted[segment]).collect();
    while let Some(segment) = work.pop() {
        for incoming in graph.entering(segment) {
            if let Incoming::Jump(from) = incoming
                && !std::mem::replace(&mut wanted[from], true)
            {
                work.push(from);
            }
        }
    }
    wanted
}

/// Outcomes that do not always come after the same outcome.
fn first_outcomes(graph: &Graph, source: &Source) -> Vec<usize> {
    let mut by_identity: HashMap<&Identity, Vec<usize>> = HashMap::new();
    for (&point, identity) in &source.outcomes {
        by_identity.entry(identity).or_default().push(point);
    }
    let mut first: Vec<usize> = Vec::new();
    for points in by_identity.values() {
        first.extend(points.iter().filter(|&&point| {
            !points.iter().any(|&other| {
                let Some(from) = graph.points[point].from else { return false };
                let to = graph.points[other].to;
                // Nothing but this outcome leads to the segment behind it, and that segment is above.
                other != point && graph.segments[to].incoming == [Incoming::Point(other)] && graph.dominates(to, from)
            })
        }));
    }
    first.sort_unstable();
    first
}

/// Points that other points tell of.
struct Told<'g> {
    graph: &'g Graph,
    wanted: Vec<bool>,
    branches: HashMap<usize, Option<&'g [usize]>>,
}

impl<'g> Told<'g> {
    /// Finds the points that tell of this one, if all of them are wanted anyway.
    fn find(&mut self, point: usize) {
        let graph = self.graph;
        let mut found = None;
        let mut came = Incoming::Point(point);
        let mut segment = graph.points[point].to;
        while graph.segments[segment].incoming == [came]
            && graph.segments[segment].instructions.iter().all(only_computes)
        {
            match &graph.segments[segment].next {
                Next::Jump(to) => (came, segment) = (Incoming::Jump(segment), *to),
                Next::Branch(points) => {
                    found = points.iter().all(|&point| self.wanted[point]).then_some(points.as_slice());
                    break;
                }
                Next::Call(_) | Next::End => break,
            }
        }
        self.branches.insert(point, found);
    }

    /// The flags that tell of a point. The way leads down the dominator tree, so it ends.
    fn flags(&self, point: usize, flags: &BTreeMap<usize, u32>) -> BTreeSet<u32> {
        let mut all = BTreeSet::new();
        let mut work = vec![point];
        while let Some(point) = work.pop() {
            match self.branches[&point] {
                Some(points) => work.extend(points),
                None => all.extend(flags.get(&point)),
            }
        }
        all
    }
}

/// The flags that tell of each wanted segment: those of the points that lead to it, through jumps also.
fn executed(graph: &Graph, wanted: &[bool], of_points: &[BTreeSet<u32>]) -> Vec<BTreeSet<u32>> {
    let mut executed = vec![BTreeSet::new(); graph.segments.len()];
    let mut work: Vec<usize> = Vec::new();
    for segment in (0..wanted.len()).filter(|&segment| wanted[segment]) {
        for incoming in graph.entering(segment) {
            if let Incoming::Point(point) = incoming {
                executed[segment].extend(&of_points[point]);
            }
        }
        work.push(segment);
    }
    while let Some(segment) = work.pop() {
        if let Next::Jump(to) = graph.segments[segment].next
            && wanted[to]
        {
            let before = executed[to].len();
            let more = executed[segment].clone();
            executed[to].extend(more);
            if executed[to].len() != before {
                work.push(to);
            }
        }
    }
    executed
}

/// Whether an instruction is sure to be followed by the next one: it touches nothing but the function's own variables and
/// globals.
fn only_computes(instruction: &Value) -> bool {
    use Opcode::*;
    match instruction.opcode() {
        LLVMLoad => instruction.operand(0).is_some_and(is_variable),
        LLVMStore => instruction.operand(1).is_some_and(is_variable),
        LLVMICmp | LLVMFCmp | LLVMZExt | LLVMSExt | LLVMTrunc | LLVMAdd | LLVMSub | LLVMMul | LLVMAnd | LLVMOr
        | LLVMXor | LLVMShl | LLVMLShr | LLVMAShr | LLVMFAdd | LLVMFSub | LLVMFMul | LLVMFDiv | LLVMFNeg
        | LLVMFPExt | LLVMFPTrunc | LLVMSIToFP | LLVMUIToFP | LLVMFPToSI | LLVMFPToUI | LLVMBitCast | LLVMIntToPtr
        | LLVMPtrToInt | LLVMGetElementPtr | LLVMAlloca | LLVMBr | LLVMSwitch | LLVMPHI | LLVMSelect | LLVMFreeze => {
            true
        }
        _ => false,
    }
}

/// Whether an address is a variable of the function or a global, or a fixed place inside.
fn is_variable(address: Value) -> bool {
    if address.is_global_variable() {
        return address.linkage() != Linkage::LLVMExternalWeakLinkage;
    }
    let element = address.is_instruction() && address.opcode() == Opcode::LLVMGetElementPtr
        || address.expression_opcode() == Some(Opcode::LLVMGetElementPtr);
    match address.operand(0) {
        Some(base) if element => address.operands().skip(1).all(Value::is_constant) && is_variable(base),
        _ => address.is_alloca(),
    }
}
