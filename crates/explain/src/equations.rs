//! What executed operations say about values, as formulas: the weakest precondition along a path, operation by operation, with
//! a variable for each value in the place of a substitution.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use whydunit_causes::inputs::Source;
use whydunit_causes::nodes::{INITIAL, Node, NodeId, NodeKind};
use whydunit_causes::recipe::Recipe;
use whydunit_causes::trace::Trace;
use whydunit_model::{Op, Opnd, defined};
use whydunit_replay::{Code, FuncId};
use whydunit_symbolic::semantics::{Values, meaning};
use whydunit_terms::{Assignment, Pool, Sort, Term, evaluate};

/// Formulas over the values of executions.
pub(crate) struct Equations<'a> {
    pub trace: &'a Trace,
    pub code: &'a Code,
    pub pool: Pool,
    variables: HashMap<NodeId, Term>,
    recipes: HashMap<FuncId, Rc<Recipe>>,
}

/// What an execution says, and the executions that it speaks of besides.
pub(crate) struct Equation {
    pub term: Term,
    pub about: Vec<NodeId>,
}

impl<'a> Equations<'a> {
    pub fn new(trace: &'a Trace, code: &'a Code) -> Self {
        Self { trace, code, pool: Pool::new(), variables: HashMap::new(), recipes: HashMap::new() }
    }

    /// The 64 bits of an execution's value.
    pub fn variable(&mut self, id: NodeId) -> Term {
        let pool = &mut self.pool;
        *self.variables.entry(id).or_insert_with(|| pool.variable(Sort::BitVec(64), format!("v{id}")))
    }

    /// Whether the value of an execution is known: not of what calls pass as constants.
    fn has_value(&self, id: NodeId) -> bool {
        id > INITIAL && self.trace.node(id).kind != NodeKind::Call
    }

    /// It has the value that it had.
    pub fn as_run(&mut self, id: NodeId) -> Term {
        let value = self.trace.node(id).value;
        let (variable, value) = (self.variable(id), self.pool.constant(64, value.into()));
        self.pool.eq(variable, value)
    }

    /// What an execution says of its value.
    pub fn equation(&mut self, id: NodeId) -> Equation {
        let node = self.trace.node(id);
        let op = &self.code.model(node.function).code[node.pc as usize];
        let exact = match node.kind {
            NodeKind::Operation | NodeKind::Store => self.exact(id, &node, op),
            NodeKind::Call | NodeKind::External | NodeKind::Found => None,
        };
        // What does not hold in the run itself was not understood.
        exact.filter(|equation| self.holds(equation.term)).unwrap_or_else(|| self.opaque(id, &node))
    }

    fn holds(&self, term: Term) -> bool {
        let values = self.variables.iter().map(|(&id, &term)| (term, u128::from(self.trace.node(id).value)));
        let values: Assignment = values.collect();
        evaluate(&self.pool, term, &values) != 0
    }

    /// With operands as they were it has the value that it had.
    fn opaque(&mut self, id: NodeId, node: &Node) -> Equation {
        let mut about: BTreeSet<NodeId> = node.data.into_iter().collect();
        for input in self.trace.inputs(id).unwrap_or_default() {
            if let Source::Node(node) = input.source {
                about.insert(node);
            }
        }
        let about: Vec<NodeId> = about.into_iter().filter(|&node| node > INITIAL && node != id).collect();
        if node.kind == NodeKind::Call {
            let truth = self.pool.truth();
            return Equation { term: truth, about };
        }
        let known: Vec<NodeId> = about.iter().copied().filter(|&node| self.has_value(node)).collect();
        let as_run: Vec<Term> = known.into_iter().map(|node| self.as_run(node)).collect();
        let (given, own) = (self.pool.all(&as_run), self.as_run(id));
        Equation { term: self.pool.implies(given, own), about }
    }

    fn recipe(&mut self, function: FuncId) -> Rc<Recipe> {
        let code = self.code;
        self.recipes.entry(function).or_insert_with(|| Rc::new(Recipe::of(code.model(function)))).clone()
    }

    fn exact(&mut self, id: NodeId, node: &Node, op: &Op) -> Option<Equation> {
        let model = self.code.model(node.function);
        let own = self.variable(id);
        let about = |nodes: &[NodeId]| nodes.iter().copied().filter(|&node| node > INITIAL).collect::<Vec<_>>();
        match *op {
            Op::Load { ty, .. } => {
                let [writer, address] = node.data;
                if !self.has_value(writer) {
                    return None;
                }
                let from = self.trace.node(writer);
                let stored = &self.code.model(from.function).code[from.pc as usize];
                let Op::Store { ty: wrote, .. } = *stored else { return None };
                let bits = 8 * ty.bytes();
                if from.kind != NodeKind::Store
                    || from.address != node.address
                    || wrote.bytes() != ty.bytes()
                    || bits > 64
                {
                    return None;
                }
                let value = self.variable(writer);
                let (value, own) = (self.pool.extract(value, 0, bits), self.pool.extract(own, 0, bits));
                let same = self.pool.eq(value, own);
                let term = match self.has_value(address) {
                    true => {
                        let there = self.as_run(address);
                        self.pool.implies(there, same)
                    }
                    false => same,
                };
                Some(Equation { term, about: about(&[writer, address]) })
            }
            Op::Store { value, .. } | Op::Return { a: value, .. } => {
                // Of several words that are returned each is an execution.
                let word = if let Op::Return { .. } = op { node.address as u32 } else { 0 };
                let value = value.word(word);
                let mut operands = Operands { equations: self, node, recipe: None, missing: false };
                let mut pool = std::mem::take(&mut operands.equations.pool);
                let term = operands.of(&mut pool, value, node.data[0]);
                let missing = operands.missing;
                self.pool = pool;
                let term = term.filter(|_| !missing)?;
                Some(Equation { term: self.pool.eq(own, term), about: about(&node.data) })
            }
            Op::Select { .. } => {
                let [chosen, condition] = node.data;
                if !self.has_value(chosen) || !self.has_value(condition) {
                    return None;
                }
                let (given, value) = (self.as_run(condition), self.variable(chosen));
                let same = self.pool.eq(own, value);
                Some(Equation { term: self.pool.implies(given, same), about: about(&node.data) })
            }
            Op::Float { .. } | Op::FloatUnary { .. } | Op::Fma { .. } | Op::FCmp { .. } | Op::FConv { .. } => None,
            Op::FToInt { .. } | Op::IntToF { .. } | Op::Branch { .. } | Op::Switch { .. } => None,
            _ => {
                let (_, words) = defined(model, op)?;
                if words != 1 {
                    return None;
                }
                let recipe = self.recipe(node.function);
                let mut operands = Operands { equations: self, node, recipe: Some(recipe), missing: false };
                let mut pool = std::mem::take(&mut operands.equations.pool);
                let meaning = meaning(&mut pool, &mut operands, op);
                let missing = operands.missing;
                self.pool = pool;
                let word = *meaning.filter(|_| !missing)?.words.first()?;
                let word = self.pool.zext(word, 64);
                Some(Equation { term: self.pool.eq(own, word), about: about(&node.data) })
            }
        }
    }
}

/// The operands of an execution.
struct Operands<'e, 'a> {
    equations: &'e mut Equations<'a>,
    node: &'e Node,
    recipe: Option<Rc<Recipe>>,
    /// One of them is not known.
    missing: bool,
}

impl Operands<'_, '_> {
    fn of(&mut self, pool: &mut Pool, operand: Opnd, node: NodeId) -> Option<Term> {
        if operand.is_const() {
            let value = *self.equations.code.consts(self.node.function).get(operand.index() as usize)?;
            return Some(pool.constant(64, value.into()));
        }
        if !self.equations.has_value(node) {
            self.missing = true;
            return None;
        }
        let variables = &mut self.equations.variables;
        Some(*variables.entry(node).or_insert_with(|| pool.variable(Sort::BitVec(64), format!("v{node}"))))
    }
}

impl Values for Operands<'_, '_> {
    fn word(&mut self, pool: &mut Pool, operand: Opnd, width: u32) -> Term {
        let step = self.recipe.as_ref().map(|recipe| recipe.steps[self.node.pc as usize]);
        let node = match step {
            _ if operand.is_const() => INITIAL,
            Some(step) if step.a == operand.index() => self.node.data[0],
            Some(step) if step.b == operand.index() => self.node.data[1],
            _ => {
                self.missing = true;
                INITIAL
            }
        };
        match self.of(pool, operand, node) {
            Some(term) => pool.extract(term, 0, width),
            None => {
                self.missing = true;
                pool.constant(width, 0)
            }
        }
    }
}
