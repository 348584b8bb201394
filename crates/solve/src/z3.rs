//! Z3 in this process. Bit-vectors go in by its interface, floats, of which that has only a part, by text.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use whydunit_process::Cancel;
use whydunit_terms::smtlib::{self, Name};
use whydunit_terms::{Assignment, BvOp, Native, Node, Pool, Term, TermMap};
use z3::ast::{BV, Bool};
use z3::{Context, Params, SatResult};

use crate::solver::{Watch, has_floats, require_truth};
use crate::{Answer, Capabilities, Limits, SolveError, Solver};

/// How deep terms nest before a constant stands for them; see [`smtlib`].
const DEPTH: u8 = 16;

/// How often an interrupt is looked for.
const LOOK: Duration = Duration::from_millis(5);

/// Z3 with the solver for its smaller logics, which is much faster on them than the general one: of bit-vectors until a
/// float is met.
pub struct Z3 {
    assertions: Vec<Term>,
    state: Option<State>,
}

/// A term as Z3 has it.
#[derive(Clone)]
enum Ast {
    Bool(Bool),
    Bits(BV),
}

/// What a Z3 solver has been told.
struct State {
    solver: z3::Solver,
    /// Whether its logic has floats.
    floats: bool,
    native: Native,
    /// How many bindings were told.
    bound: usize,
    /// How many assertions.
    asserted: usize,
    asts: Vec<Ast>,
    /// By prepared terms: the place among `asts`, and how deep it nests.
    places: TermMap<(u32, u8)>,
    float_names: TermMap<()>,
    /// Terms that have a constant of their name.
    named: TermMap<()>,
    variables: Vec<Term>,
    /// What is still to be told by text: declarations, and equations over them.
    declared: Vec<String>,
    equations: String,
    /// The literals of assumptions, by their terms.
    literals: TermMap<u32>,
}

impl Default for Z3 {
    fn default() -> Self {
        Self::new()
    }
}

impl Z3 {
    /// Without assertions.
    pub fn new() -> Self {
        Self { assertions: Vec::new(), state: None }
    }

    /// Sees that there is a solver for what it knows and these assumptions.
    fn prepare(&mut self, pool: &Pool, assumptions: &[Term]) -> Result<(), SolveError> {
        let known = self.state.as_ref().map_or(0, |state| state.asserted);
        let terms = self.assertions[known..].iter().chain(assumptions).copied();
        let floats = match &self.state {
            Some(state) if state.floats => return Ok(()),
            Some(state) => has_floats(pool, terms, |term| state.places.contains(term)),
            None => has_floats(pool, terms, |_| false),
        };
        if floats || self.state.is_none() {
            self.state = Some(State::new(floats)?);
        }
        Ok(())
    }
}

fn failed(message: impl Into<String>) -> SolveError {
    SolveError::Failed { solver: "z3".into(), message: message.into() }
}

impl State {
    fn new(floats: bool) -> Result<Self, SolveError> {
        let logic = if floats { "QF_BVFP" } else { "QF_BV" };
        let solver = z3::Solver::new_for_logic(logic).ok_or_else(|| failed(format!("no solver for {logic}")))?;
        Ok(Self {
            solver,
            floats,
            native: Native::new(),
            bound: 0,
            asserted: 0,
            asts: Vec::new(),
            places: TermMap::new(),
            float_names: TermMap::new(),
            named: TermMap::new(),
            variables: Vec::new(),
            declared: Vec::new(),
            equations: String::new(),
            literals: TermMap::new(),
        })
    }

    /// The formula that a term is, once [`State::tell`] was called.
    fn formula(&mut self, pool: &mut Pool, term: Term) -> Result<Bool, SolveError> {
        let prepared = self.native.prepare(pool, term);
        self.say(pool, Name::Bits(prepared));
        while let Some(binding) = self.native.bindings().get(self.bound).copied() {
            self.bound += 1;
            self.say(pool, Name::Bits(binding.bits));
            self.say(pool, Name::Float(binding.float, binding.format));
            self.declare(pool, Name::Bits(binding.bits));
            self.declare(pool, Name::Float(binding.float, binding.format));
            self.equations += &format!("(assert {})\n", smtlib::binding(pool, binding));
        }
        match self.ast(prepared) {
            Some(Ast::Bool(formula)) => Ok(formula.clone()),
            _ => Err(failed("a formula is no truth value")),
        }
    }

    /// Tells the solver what is to be told by text.
    fn tell(&mut self) {
        if !self.equations.is_empty() {
            self.declared.sort_unstable();
            self.declared.dedup();
            let text = self.declared.concat() + &self.equations;
            self.solver.from_string(text);
            self.declared.clear();
            self.equations.clear();
        }
    }

    fn ast(&self, term: Term) -> Option<&Ast> {
        self.asts.get(self.places.get(term)?.0 as usize)
    }

    fn is_said(&self, name: Name) -> bool {
        match name {
            Name::Bits(term) => self.places.contains(term),
            Name::Float(term, _) => self.float_names.contains(term),
        }
    }

    fn say(&mut self, pool: &Pool, wanted: Name) {
        let mut open = vec![wanted];
        while let Some(&next) = open.last() {
            let before = open.len();
            if !self.is_said(next) {
                open.extend(next.needs(pool).into_iter().flatten().filter(|need| !self.is_said(*need)));
                if open.len() > before {
                    continue;
                }
                match next {
                    Name::Bits(term) if pool.node(term).is_float() => {
                        self.equate(pool, next);
                        let ast = constant(pool, next);
                        self.named.insert(term, ());
                        self.keep(term, ast, 0);
                    }
                    Name::Bits(term) => self.build(pool, term),
                    Name::Float(term, _) => {
                        self.equate(pool, next);
                        self.float_names.insert(term, ());
                    }
                }
            }
            open.pop();
        }
    }

    fn keep(&mut self, term: Term, ast: Ast, depth: u8) {
        self.places.insert(term, (self.asts.len() as u32, depth));
        self.asts.push(ast);
    }

    /// A term of bits over its operands.
    fn build(&mut self, pool: &Pool, term: Term) {
        if matches!(pool.node(term), Node::Variable(_)) {
            self.variables.push(term);
            self.named.insert(term, ());
            return self.keep(term, constant(pool, Name::Bits(term)), 0);
        }
        let operands = pool.node(term).operands();
        let depth = operands.filter_map(|operand| self.places.get(operand)).map(|(_, depth)| depth + 1).max();
        let depth = depth.unwrap_or(0);
        let ast = self.operation(pool, term);
        self.keep(term, ast, depth % DEPTH);
        if depth >= DEPTH {
            let named = self.name(pool, term);
            self.keep(term, named, 0);
        }
    }

    /// The constant of a term's name, equal to it.
    fn name(&mut self, pool: &Pool, term: Term) -> Ast {
        let named = constant(pool, Name::Bits(term));
        if self.named.insert(term, ()).is_none() {
            match (&named, self.ast(term)) {
                (Ast::Bool(name), Some(Ast::Bool(ast))) => self.solver.assert(name.eq(ast)),
                (Ast::Bits(name), Some(Ast::Bits(ast))) => self.solver.assert(name.eq(ast)),
                _ => {}
            }
        }
        named
    }

    /// Declares a name in the text to come, and sees that it means the term.
    fn declare(&mut self, pool: &Pool, name: Name) {
        if let Name::Bits(term) = name {
            if pool.as_constant(term).is_some() {
                return;
            }
            self.name(pool, term);
        }
        self.declared.push(format!("(declare-const {} {})\n", name.symbol(pool), name.sort(pool)));
    }

    /// Defines a name by an equation in text.
    fn equate(&mut self, pool: &Pool, name: Name) {
        for need in name.needs(pool).into_iter().flatten() {
            self.declare(pool, need);
        }
        self.declared.push(format!("(declare-const {} {})\n", name.symbol(pool), name.sort(pool)));
        self.equations += &format!("(assert (= {} {}))\n", name.symbol(pool), name.body(pool));
    }

    fn truth(&self, term: Term) -> Bool {
        match self.ast(term) {
            Some(Ast::Bool(ast)) => ast.clone(),
            _ => Bool::from_bool(false),
        }
    }

    fn bits(&self, term: Term) -> BV {
        match self.ast(term) {
            Some(Ast::Bits(ast)) => ast.clone(),
            _ => BV::from_u64(0, 1),
        }
    }

    fn operation(&self, pool: &Pool, term: Term) -> Ast {
        let (truth, bits) = (|term| self.truth(term), |term| self.bits(term));
        let is_truth = pool.is_bool(term);
        match *pool.node(term) {
            Node::Bool(value) => Ast::Bool(Bool::from_bool(value)),
            Node::Constant(width, value) => Ast::Bits(literal(width.into(), value.get())),
            Node::Not(a) if is_truth => Ast::Bool(truth(a).not()),
            Node::Not(a) => Ast::Bits(bits(a).bvnot()),
            Node::And(a, b) => Ast::Bool(Bool::and(&[truth(a), truth(b)])),
            Node::Eq(a, b) if pool.is_bool(a) => Ast::Bool(truth(a).eq(truth(b))),
            Node::Eq(a, b) => Ast::Bool(bits(a).eq(bits(b))),
            Node::Ite(c, a, b) if is_truth => Ast::Bool(truth(c).ite(&truth(a), &truth(b))),
            Node::Ite(c, a, b) => Ast::Bits(truth(c).ite(&bits(a), &bits(b))),
            Node::Ult(a, b) => Ast::Bool(bits(a).bvult(bits(b))),
            Node::Slt(a, b) => Ast::Bool(bits(a).bvslt(bits(b))),
            Node::Extract { low, width, of } => {
                let (low, width) = (u32::from(low), u32::from(width));
                Ast::Bits(bits(of).extract(low + width - 1, low))
            }
            Node::Concat(high, low) => Ast::Bits(bits(high).concat(bits(low))),
            Node::Sext(width, a) => Ast::Bits(bits(a).sign_ext(u32::from(width) - pool.width(a))),
            Node::Bv(op, a, b) => {
                let (a, b) = (bits(a), bits(b));
                Ast::Bits(match op {
                    BvOp::Add => a.bvadd(b),
                    BvOp::Sub => a.bvsub(b),
                    BvOp::Mul => a.bvmul(b),
                    BvOp::UDiv => a.bvudiv(b),
                    BvOp::SDiv => a.bvsdiv(b),
                    BvOp::URem => a.bvurem(b),
                    BvOp::SRem => a.bvsrem(b),
                    BvOp::Shl => a.bvshl(b),
                    BvOp::LShr => a.bvlshr(b),
                    BvOp::AShr => a.bvashr(b),
                    BvOp::And => a.bvand(b),
                    BvOp::Or => a.bvor(b),
                    BvOp::Xor => a.bvxor(b),
                })
            }
            // Variables and what depends on floats have their names.
            _ => constant(pool, Name::Bits(term)),
        }
    }

    /// The literal that stands for an assumption.
    fn literal(&mut self, pool: &mut Pool, assumption: Term) -> Result<Bool, SolveError> {
        let literal = Bool::new_const(format!("a{}", assumption.index()));
        if !self.literals.contains(assumption) {
            let formula = self.formula(pool, assumption)?;
            self.solver.assert(literal.implies(formula));
            self.literals.insert(assumption, assumption.index());
        }
        Ok(literal)
    }

    fn model(&self, pool: &Pool) -> Result<Assignment, SolveError> {
        let model = self.solver.get_model().ok_or_else(|| failed("no model"))?;
        let part = |bits: &BV| model.eval(bits, true).and_then(|value| value.as_u64()).map(u128::from);
        let value = |variable: Term| match self.ast(variable)? {
            Ast::Bool(ast) => model.eval(ast, true)?.as_bool().map(u128::from),
            Ast::Bits(ast) => match pool.width(variable) {
                0..=64 => part(ast),
                width => Some(part(&ast.extract(width - 1, 64))? << 64 | part(&ast.extract(63, 0))?),
            },
        };
        let pairs = self.variables.iter().map(|variable| Some((*variable, value(*variable)?)));
        pairs.collect::<Option<Assignment>>().ok_or_else(|| failed("a model without values"))
    }

    /// Sets the limits of the next check.
    fn limit(&self, limits: &Limits, watch: &Watch) {
        let mut params = Params::new();
        let time = watch.left().map_or(u32::MAX, |time| u32::try_from(time.as_millis()).unwrap_or(u32::MAX).max(1));
        params.set_u32("timeout", time);
        params.set_u32("max_conflicts", limits.conflicts.unwrap_or(u32::MAX));
        self.solver.set_params(&params);
    }
}

/// The constant of a name.
fn constant(pool: &Pool, name: Name) -> Ast {
    let symbol = name.symbol(pool);
    match name {
        Name::Bits(term) if !pool.is_bool(term) => Ast::Bits(BV::new_const(symbol, pool.width(term))),
        _ => Ast::Bool(Bool::new_const(symbol)),
    }
}

fn literal(width: u32, value: u128) -> BV {
    let low = BV::from_u64(value as u64, width.min(64));
    if width > 64 { BV::from_u64((value >> 64) as u64, width - 64).concat(low) } else { low }
}

/// Calls `check`, and interrupts Z3 when the flag is set.
fn interruptible<T>(interrupt: Option<&Cancel>, check: impl FnOnce() -> T) -> T {
    let Some(interrupt) = interrupt else { return check() };
    let context = Context::thread_local();
    let handle = context.handle();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                if interrupt.is_cancelled() {
                    handle.interrupt();
                }
                std::thread::sleep(LOOK);
            }
        });
        let result = check();
        done.store(true, Ordering::Relaxed);
        result
    })
}

impl Solver for Z3 {
    fn name(&self) -> &str {
        "z3"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { floats: true, incremental: true, cores: true }
    }

    fn assert(&mut self, pool: &mut Pool, term: Term) -> Result<(), SolveError> {
        require_truth(pool, term)?;
        self.assertions.push(term);
        Ok(())
    }

    fn check(&mut self, pool: &mut Pool, assumptions: &[Term], limits: &Limits) -> Result<Answer, SolveError> {
        for assumption in assumptions {
            require_truth(pool, *assumption)?;
        }
        let watch = limits.start();
        if let Some(reason) = watch.over() {
            return Ok(Answer::Unknown(reason.into()));
        }
        self.prepare(pool, assumptions)?;
        let Self { assertions, state: Some(state) } = self else { return Err(failed("no solver")) };
        while let Some(assertion) = assertions.get(state.asserted) {
            let formula = state.formula(pool, *assertion)?;
            state.solver.assert(formula);
            state.asserted += 1;
        }
        let literals: Vec<Bool> =
            assumptions.iter().map(|assumption| state.literal(pool, *assumption)).collect::<Result<_, _>>()?;
        state.tell();
        if let Some(reason) = watch.over() {
            return Ok(Answer::Unknown(reason.into()));
        }
        state.limit(limits, &watch);
        let result = interruptible(limits.interrupt.as_ref(), || state.solver.check_assumptions(&literals));
        match result {
            SatResult::Sat => Ok(Answer::Sat(state.model(pool)?)),
            SatResult::Unsat => {
                let named = state.solver.get_unsat_core();
                // A term that is assumed twice is in the core once.
                let place = |literal: &Bool| literals.iter().position(|other| other == literal);
                let mut core: Vec<usize> = named.iter().filter_map(place).collect();
                core.sort_unstable();
                core.dedup();
                Ok(Answer::Unsat { core })
            }
            SatResult::Unknown => {
                let reason = state.solver.get_reason_unknown().unwrap_or_default();
                Ok(Answer::Unknown(watch.over().map_or(reason, Into::into)))
            }
        }
    }

    fn reset(&mut self) {
        self.assertions.clear();
        self.state = None;
    }
}
