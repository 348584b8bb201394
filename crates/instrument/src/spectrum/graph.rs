//! A function as segments: stretches of a block that are executed from end to end once they are begun, as long as nothing
//! faults; between them the points where a flag may stand.

use std::collections::{HashMap, HashSet};

use whydunit_llvm::{Block, Opcode, Value};

/// Where control enters a segment in a way that is not certain beforehand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// The function is called.
    Entry,
    /// A branch takes the way to one of its targets; what the outcome is called: `true`, `case 3, 4`.
    Outcome { from: Block, target: Block, text: String },
    /// A call that may not come back has come back.
    After(Value),
    /// The head of a block that is reached in ways of which none is told apart: a computed goto's label.
    Label(Block),
}

/// A place for a flag.
#[derive(Debug)]
pub(crate) struct Point {
    pub(crate) place: Place,
    /// The segment that is left; none for entries and labels.
    pub(crate) from: Option<usize>,
    /// The segment that is entered.
    pub(crate) to: usize,
}

/// How a segment ends.
#[derive(Debug)]
pub(crate) enum Next {
    /// It leaves the function, or for a label, whose point tells.
    End,
    /// Always the same segment.
    Jump(usize),
    /// One of several points.
    Branch(Vec<usize>),
    /// A call, behind it a point.
    Call(usize),
}

/// How a segment is entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Incoming {
    Point(usize),
    Jump(usize),
}

/// Part of a block.
#[derive(Debug)]
pub(crate) struct Segment {
    pub(crate) instructions: Vec<Value>,
    pub(crate) next: Next,
    pub(crate) incoming: Vec<Incoming>,
    /// A label's point stands before it.
    pub(crate) label: bool,
}

/// The segments and points of a function; segment 0 and point 0 are its entry's.
#[derive(Debug)]
pub(crate) struct Graph {
    pub(crate) segments: Vec<Segment>,
    pub(crate) points: Vec<Point>,
    /// Immediate dominators of the segments, in parallel; the entry's is itself, unreachable ones have none.
    dominators: Vec<Option<usize>>,
    depths: Vec<usize>,
}

impl Graph {
    /// `returns` says of a call whether it is sure to come back.
    pub(crate) fn new(function: Value, returns: &mut dyn FnMut(Value) -> bool) -> Graph {
        let mut graph = Graph { segments: Vec::new(), points: Vec::new(), dominators: Vec::new(), depths: Vec::new() };
        graph.points.push(Point { place: Place::Entry, from: None, to: 0 });
        let blocks: Vec<Block> = function.blocks().collect();
        // First and last segment of each block.
        let mut ends = HashMap::new();
        for &block in &blocks {
            let first = graph.segments.len();
            graph.split(block, returns);
            ends.insert(block, (first, graph.segments.len() - 1));
        }
        graph.find_labels(&blocks, &ends);
        for &block in &blocks {
            graph.connect(block, &ends);
        }
        if let Some(entry) = graph.segments.first_mut() {
            entry.incoming.push(Incoming::Point(0));
        }
        graph.dominate();
        graph
    }

    fn split(&mut self, block: Block, returns: &mut dyn FnMut(Value) -> bool) {
        let mut instructions = Vec::new();
        let mut incoming = Vec::new();
        for instruction in block.instructions() {
            instructions.push(instruction);
            let follows = instruction.next_instruction().is_some_and(|next| next.opcode() != Opcode::LLVMUnreachable);
            if instruction.is_call() && follows && !returns(instruction) {
                let (segment, point) = (self.segments.len(), self.points.len());
                self.points.push(Point { place: Place::After(instruction), from: Some(segment), to: segment + 1 });
                let instructions = std::mem::take(&mut instructions);
                let incoming = std::mem::replace(&mut incoming, vec![Incoming::Point(point)]);
                self.segments.push(Segment { instructions, next: Next::Call(point), incoming, label: false });
            }
        }
        self.segments.push(Segment { instructions, next: Next::End, incoming, label: false });
    }

    /// Targets of terminators that are neither branches nor switches get a point of their own.
    fn find_labels(&mut self, blocks: &[Block], ends: &HashMap<Block, (usize, usize)>) {
        for block in blocks {
            let Some(terminator) = block.terminator() else { continue };
            if matches!(terminator.opcode(), Opcode::LLVMBr | Opcode::LLVMSwitch) {
                continue;
            }
            for target in terminator.successors() {
                let Some(&(to, _)) = ends.get(&target) else { continue };
                if !self.segments[to].label {
                    self.segments[to].label = true;
                    self.segments[to].incoming.push(Incoming::Point(self.points.len()));
                    self.points.push(Point { place: Place::Label(target), from: None, to });
                }
            }
        }
    }

    fn connect(&mut self, block: Block, ends: &HashMap<Block, (usize, usize)>) {
        let Some(terminator) = block.terminator() else { return };
        let from = ends[&block].1;
        match outcomes(terminator).as_slice() {
            [] => {}
            [(target, _)] => {
                let to = ends[target].0;
                if !self.segments[to].label {
                    self.segments[from].next = Next::Jump(to);
                    self.segments[to].incoming.push(Incoming::Jump(from));
                }
            }
            several => {
                let mut points = Vec::new();
                for (target, text) in several {
                    let to = ends[target].0;
                    let place = Place::Outcome { from: block, target: *target, text: text.clone() };
                    if !self.segments[to].label {
                        self.segments[to].incoming.push(Incoming::Point(self.points.len()));
                    }
                    points.push(self.points.len());
                    self.points.push(Point { place, from: Some(from), to });
                }
                self.segments[from].next = Next::Branch(points);
            }
        }
    }

    /// Segments that control goes to from `segment`. Labels count as reached from the entry: that takes dominators away,
    /// which is safe.
    fn successors(&self, segment: usize) -> Vec<usize> {
        let mut to = match &self.segments[segment].next {
            Next::End => Vec::new(),
            Next::Jump(to) => vec![*to],
            Next::Call(point) => vec![self.points[*point].to],
            Next::Branch(points) => points.iter().map(|&point| self.points[point].to).collect(),
        };
        if segment == 0 {
            to.extend((0..self.segments.len()).filter(|&segment| self.segments[segment].label));
        }
        to
    }

    /// As Cooper, Harvey and Kennedy do it.
    fn dominate(&mut self) {
        let order = self.post_order();
        let mut rank = vec![0; self.segments.len()];
        order.iter().enumerate().for_each(|(place, &segment)| rank[segment] = place);
        let mut before = vec![Vec::new(); self.segments.len()];
        for &segment in &order {
            self.successors(segment).into_iter().for_each(|to: usize| before[to].push(segment));
        }
        let mut dominators: Vec<Option<usize>> = vec![None; self.segments.len()];
        dominators[0] = Some(0);
        let mut changed = true;
        while changed {
            changed = false;
            for &segment in order.iter().rev().filter(|&&segment| segment != 0) {
                let mut found: Option<usize> = None;
                for &from in before[segment].iter().filter(|&&from| dominators[from].is_some()) {
                    found = Some(match found {
                        None => from,
                        Some(mut a) => {
                            let mut b = from;
                            while a != b {
                                while rank[a] < rank[b] {
                                    a = dominators[a].unwrap_or(0);
                                }
                                while rank[b] < rank[a] {
                                    b = dominators[b].unwrap_or(0);
                                }
                            }
                            a
                        }
                    });
                }
                if dominators[segment] != found {
                    dominators[segment] = found;
                    changed = true;
                }
            }
        }
        self.depths = vec![0; self.segments.len()];
        for &segment in order.iter().rev() {
            if segment != 0
                && let Some(above) = dominators[segment]
            {
                self.depths[segment] = self.depths[above] + 1;
            }
        }
        self.dominators = dominators;
    }

    fn post_order(&self) -> Vec<usize> {
        let mut order = Vec::new();
        let mut seen = vec![false; self.segments.len()];
        seen[0] = true;
        let mut stack = vec![(0, self.successors(0))];
        while let Some((segment, targets)) = stack.last_mut() {
            match targets.pop() {
                Some(target) if !std::mem::replace(&mut seen[target], true) => {
                    stack.push((target, self.successors(target)))
                }
                Some(_) => {}
                None => {
                    order.push(*segment);
                    stack.pop();
                }
            }
        }
        order
    }

    /// Whether `a` dominates `b` or is it.
    pub(crate) fn dominates(&self, a: usize, mut b: usize) -> bool {
        while self.depths[b] > self.depths[a] {
            match self.dominators[b] {
                Some(above) => b = above,
                None => return false,
            }
        }
        a == b
    }

    /// The ways into a segment that it need not have been executed for: back edges are none.
    pub(crate) fn entering(&self, segment: usize) -> impl Iterator<Item = Incoming> + '_ {
        self.segments[segment].incoming.iter().copied().filter(move |incoming| {
            let from = match *incoming {
                Incoming::Point(point) => self.points[point].from,
                Incoming::Jump(from) => Some(from),
            };
            from.is_none_or(|from| !self.dominates(segment, from))
        })
    }

    /// Children in the dominator tree, by segment.
    pub(crate) fn dominated(&self) -> Vec<Vec<usize>> {
        let mut children = vec![Vec::new(); self.segments.len()];
        for (segment, above) in self.dominators.iter().enumerate().skip(1) {
            above.iter().for_each(|&above| children[above].push(segment));
        }
        children
    }
}

/// The distinct targets of a branch or switch with the names of the outcomes that lead there.
fn outcomes(terminator: Value) -> Vec<(Block, String)> {
    let mut outcomes: Vec<(Block, String)> = Vec::new();
    let mut known: HashMap<Block, usize> = HashMap::new();
    let mut add = |target: Block, text: String| match known.get(&target) {
        Some(&index) => {
            let all = &mut outcomes[index].1;
            all.push_str(", ");
            all.push_str(text.strip_prefix("case ").unwrap_or(&text));
        }
        None => {
            known.insert(target, outcomes.len());
            outcomes.push((target, text));
        }
    };
    match terminator.opcode() {
        Opcode::LLVMBr => {
            for (target, text) in terminator.successors().into_iter().zip(["true", "false"]) {
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
    outcomes
}

/// Blocks that more than one other one leads to.
pub(crate) fn joins(function: Value) -> HashSet<Block> {
    let mut from: HashMap<Block, Block> = HashMap::new();
    let mut joins = HashSet::new();
    for block in function.blocks() {
        for target in block.successors() {
            if *from.entry(target).or_insert(block) != block {
                joins.insert(target);
            }
        }
    }
    joins
}
