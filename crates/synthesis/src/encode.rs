//! The formula over location variables, and its answers as expressions.

use whydunit_solve::{Answer, Limits, SolveError, Solver};
use whydunit_terms::{Assignment, Compare, Evaluator, Pool, Sort, Term, reachable, support};

use crate::component::{Kind, WIDTH};
use crate::made::Made;
use crate::shape::Shape;

/// Bits of a location.
const LOCATION: u32 = 6;
/// Constants of any value are looked for up to this level.
const FREELY: u8 = 2;
/// Constants that are looked for are below this, and above its negative.
const LARGEST: u128 = 1 << 24;

/// One execution of the expression: the words that it has in a run, of 64 bits each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// What it gives.
    pub result: Term,
    /// The inputs.
    pub inputs: Vec<Term>,
}

/// What a test demands.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Demand {
    /// That it passes, by what the calls give.
    pub holds: Vec<Term>,
    /// Its executions.
    pub calls: Vec<Call>,
}

/// Terms of a demand that is looked at value by value.
const MOST_TERMS: usize = 2_000;

impl Demand {
    /// The same where values of its executions alone decide whether it is met, quickly; none where they do not.
    pub fn decided(self, pool: &Pool) -> Option<Decided> {
        let results: Vec<Term> = self.calls.iter().map(|call| call.result).collect();
        let known = support(pool, &self.holds).iter().all(|variable| results.contains(variable));
        (known && reachable(pool, &self.holds).len() <= MOST_TERMS).then_some(Decided { holds: self.holds, results })
    }
}

/// A demand that the values of executions decide.
#[derive(Clone, Debug)]
pub struct Decided {
    holds: Vec<Term>,
    results: Vec<Term>,
}

impl Decided {
    /// What has to hold.
    pub(crate) fn holds(&self) -> &[Term] {
        &self.holds
    }

    /// What the executions give, in their order.
    pub(crate) fn results(&self) -> &[Term] {
        &self.results
    }

    /// Whether these values meet it; none where it has another number of executions.
    pub fn met_by(&self, pool: &Pool, values: &[i64]) -> Option<bool> {
        if values.len() != self.results.len() {
            return None;
        }
        let given = self.results.iter().zip(values);
        let given: Assignment = given
            .map(|(&result, &value)| (result, value as u128 & (u128::MAX >> (128 - pool.width(result)))))
            .collect();
        let mut evaluator = Evaluator::new(pool, &given);
        Some(self.holds.iter().all(|&holds| evaluator.holds(holds)))
    }
}

impl Decided {
    /// Whether these values, of which some are not known, may meet it; none where that was not found out within the limits, or where it
    /// has another number of executions.
    pub fn may_be_met(
        &self,
        pool: &mut Pool,
        values: &[Option<i64>],
        solver: &dyn Fn() -> Box<dyn Solver>,
        limits: &Limits,
    ) -> Result<Option<bool>, SolveError> {
        let known: Option<Vec<i64>> = values.iter().copied().collect();
        if let Some(known) = known {
            return Ok(self.met_by(pool, &known));
        }
        if values.len() != self.results.len() {
            return Ok(None);
        }
        let mut solver = solver();
        for (&result, value) in self.results.iter().zip(values) {
            if let Some(value) = value {
                let width = pool.width(result);
                let value = pool.constant(width, *value as u128 & (u128::MAX >> (128 - width)));
                let same = pool.eq(result, value);
                solver.assert(pool, same)?;
            }
        }
        for &holds in &self.holds {
            solver.assert(pool, holds)?;
        }
        Ok(match solver.check(pool, &[], limits)? {
            Answer::Sat(_) => Some(true),
            Answer::Unsat { .. } => Some(false),
            Answer::Unknown(_) => None,
        })
    }
}

/// What is looked for.
pub struct Problem<'a> {
    /// What the inputs are.
    pub inputs: &'a [Kind],
    /// What the expression is.
    pub result: Kind,
    /// Constants that are tried before others.
    pub constants: &'a [i64],
    /// Inputs that are tried before others, by their places: those of the expression as it is.
    pub near: &'a [usize],
    /// What the tests demand, all in the terms of one pool.
    pub demands: &'a [Demand],
    /// Expressions that will not do.
    pub refused: &'a [Made],
}

/// The search for an expression of one shape.
pub struct Search<'a, 'b> {
    pool: &'a mut Pool,
    problem: &'a Problem<'b>,
    shape: &'a Shape,
    /// What each constant is.
    constants: Vec<Term>,
    /// By component: which of its operators.
    choices: Vec<Term>,
    /// By component and parameter: its location.
    parameters: Vec<Vec<Term>>,
    /// By component: its result's location.
    results: Vec<Term>,
    /// The location of what the expression is, where it has no components.
    whole: Term,
    formulas: Vec<Term>,
}

impl<'a, 'b> Search<'a, 'b> {
    /// Makes the formula of a shape.
    pub fn new(pool: &'a mut Pool, problem: &'a Problem<'b>, shape: &'a Shape) -> Self {
        let whole = pool.variable(Sort::BitVec(LOCATION), "whole");
        let mut search = Self {
            constants: Vec::new(),
            choices: Vec::new(),
            parameters: Vec::new(),
            results: Vec::new(),
            formulas: Vec::new(),
            whole,
            pool,
            problem,
            shape,
        };
        search.unknowns();
        search.well_formed();
        for demand in problem.demands {
            search.formulas.extend(&demand.holds);
            for call in &demand.calls {
                search.call(call);
            }
        }
        for refused in problem.refused {
            search.refuse(refused);
        }
        search
    }

    /// Whether the shape could give something.
    pub fn is_possible(problem: &Problem<'_>, shape: &Shape) -> bool {
        let sources = problem.inputs.len() + shape.constants + shape.components.len();
        let needs = |kind: Kind| shape.components.iter().any(|component| component.parameters().contains(&kind));
        let has = |kind: Kind| {
            problem.inputs.contains(&kind)
                || kind == Kind::Number && shape.constants > 0
                || shape.components.iter().skip(1).any(|component| component.result() == kind)
        };
        sources < 1 << LOCATION
            && [Kind::Number, Kind::Truth, Kind::Address].into_iter().all(|kind| !needs(kind) || has(kind))
    }

    fn unknowns(&mut self) {
        for number in 0..self.shape.constants {
            self.constants.push(self.pool.variable(Sort::BitVec(WIDTH), format!("constant{number}")));
        }
        for (number, component) in self.shape.components.iter().enumerate() {
            self.choices.push(self.pool.variable(Sort::BitVec(LOCATION), format!("operator{number}")));
            self.results.push(self.pool.variable(Sort::BitVec(LOCATION), format!("result{number}")));
            let parameters = 0..component.parameters().len();
            let location = |at| self.pool.variable(Sort::BitVec(LOCATION), format!("parameter{number}.{at}"));
            self.parameters.push(parameters.map(location).collect());
        }
    }

    fn location(&mut self, at: usize) -> Term {
        self.pool.constant(LOCATION, at as u128)
    }

    /// Inputs and constants: the number of locations that are known.
    fn leaves(&self) -> usize {
        self.problem.inputs.len() + self.shape.constants
    }

    fn kind_of_leaf(&self, at: usize) -> Kind {
        self.problem.inputs.get(at).copied().unwrap_or(Kind::Number)
    }

    /// That a location is one of something of a kind: of an input, of a constant, of a result but `but`'s own.
    fn is_source(&mut self, location: Term, kind: Kind, but: Option<usize>) -> Term {
        let mut any = self.pool.falsity();
        for at in 0..self.leaves() {
            if self.kind_of_leaf(at) == kind {
                let here = self.location(at);
                let same = self.pool.eq(location, here);
                any = self.pool.or(any, same);
            }
        }
        for (number, component) in self.shape.components.iter().enumerate() {
            if component.result() == kind && Some(number) != but {
                let same = self.pool.eq(location, self.results[number]);
                any = self.pool.or(any, same);
            }
        }
        any
    }

    /// `wfp` of the papers: locations are in range, results have each one of its own, and parameters come before results.
    fn well_formed(&mut self) {
        let components = self.shape.components;
        let leaves = self.leaves();
        let (first, end) = (self.location(leaves), self.location(leaves + components.len()));
        if components.is_empty() {
            let is_source = self.is_source(self.whole, self.problem.result, None);
            self.formulas.push(is_source);
        }
        for (number, component) in components.iter().enumerate() {
            let result = self.results[number];
            let (low, high) =
                (self.pool.compare(Compare::Ule, first, result), self.pool.compare(Compare::Ult, result, end));
            self.formulas.extend([low, high]);
            for other in 0..number {
                let same = self.pool.eq(result, self.results[other]);
                let distinct = self.pool.not(same);
                // The first one is the whole expression: it comes last.
                let before = self.pool.compare(Compare::Ult, result, self.results[0]);
                self.formulas.extend([distinct, before]);
            }
            let operators = self.location(component.operators().len());
            let known = self.pool.compare(Compare::Ult, self.choices[number], operators);
            self.formulas.push(known);
            let parameters = self.parameters[number].clone();
            for (&parameter, &kind) in parameters.iter().zip(component.parameters()) {
                let earlier = self.pool.compare(Compare::Ult, parameter, result);
                let source = self.is_source(parameter, kind, Some(number));
                self.formulas.extend([earlier, source]);
            }
            self.sensible(number);
        }
        // What is there is used.
        for used in self.results.clone().into_iter().skip(1) {
            let mut any = self.pool.falsity();
            for parameter in self.parameters.iter().flatten() {
                let same = self.pool.eq(*parameter, used);
                any = self.pool.or(any, same);
            }
            self.formulas.push(any);
        }
        for number in 0..self.constants.len() {
            let at = self.location(self.problem.inputs.len() + number);
            let mut any = self.pool.falsity();
            for location in self.parameters.iter().flatten().chain(components.is_empty().then_some(&self.whole)) {
                let same = self.pool.eq(*location, at);
                any = self.pool.or(any, same);
            }
            let (largest, constant) = (self.pool.constant(WIDTH, LARGEST), self.constants[number]);
            let zero = self.pool.constant(WIDTH, 0);
            let least = self.pool.bv(whydunit_terms::BvOp::Sub, zero, largest);
            let below = self.pool.compare(Compare::Slt, constant, largest);
            let above = self.pool.compare(Compare::Slt, least, constant);
            self.formulas.extend([any, below, above]);
        }
    }

    /// That a component has not the same operand twice, and not constants alone.
    fn sensible(&mut self, number: usize) {
        let kinds = self.shape.components[number].parameters();
        let parameters = self.parameters[number].clone();
        if let [.., a, b] = parameters[..]
            && kinds.len() >= 2
        {
            let same = self.pool.eq(a, b);
            let differ = self.pool.not(same);
            self.formulas.push(differ);
        }
        let (inputs, leaves) = (self.problem.inputs.len(), self.leaves());
        let (first, end) = (self.location(inputs), self.location(leaves));
        let mut all = self.pool.truth();
        for &parameter in &parameters {
            let from = self.pool.compare(Compare::Ule, first, parameter);
            let upto = self.pool.compare(Compare::Ult, parameter, end);
            let constant = self.pool.and(from, upto);
            all = self.pool.and(all, constant);
        }
        let some = self.pool.not(all);
        self.formulas.push(some);
    }

    /// `lib` and `conn` of one execution: that the components give what the call gives.
    fn call(&mut self, call: &Call) {
        let components = self.shape.components;
        let mut leaves = Vec::new();
        for (&word, &kind) in call.inputs.iter().zip(self.problem.inputs) {
            leaves.push(kind.of_word(self.pool, word));
        }
        leaves.extend(&self.constants);
        let values: Vec<Term> =
            components.iter().map(|component| self.pool.variable(component.result().sort(), "value")).collect();
        for (number, component) in components.iter().enumerate() {
            let mut operands = Vec::new();
            for (at, &kind) in component.parameters().iter().enumerate() {
                operands.push(self.connected(self.parameters[number][at], kind, &leaves, &values, number));
            }
            let mut means = None;
            for (choice, operator) in component.operators().iter().enumerate().rev() {
                let chosen = self.location(choice);
                let chosen = self.pool.eq(self.choices[number], chosen);
                let (term, defined) = operator.meaning(self.pool, &operands);
                if let Some(defined) = defined {
                    let sound = self.pool.implies(chosen, defined);
                    self.formulas.push(sound);
                }
                means = Some(match means {
                    None => term,
                    Some(others) => self.pool.ite(chosen, term, others),
                });
            }
            if let Some(means) = means {
                let same = self.pool.eq(values[number], means);
                self.formulas.push(same);
            }
        }
        let result = match values.first() {
            Some(&value) => value,
            None => self.connected(self.whole, self.problem.result, &leaves, &values, usize::MAX),
        };
        let word = self.problem.result.to_word(self.pool, result);
        let same = self.pool.eq(call.result, word);
        self.formulas.push(same);
    }

    /// The value at a location.
    fn connected(&mut self, location: Term, kind: Kind, leaves: &[Term], values: &[Term], but: usize) -> Term {
        let mut sources = Vec::new();
        for (at, &leaf) in leaves.iter().enumerate() {
            if self.kind_of_leaf(at) == kind {
                sources.push((self.location(at), leaf));
            }
        }
        for (number, component) in self.shape.components.iter().enumerate() {
            if component.result() == kind && number != but {
                sources.push((self.results[number], values[number]));
            }
        }
        let mut sources = sources.into_iter().rev();
        let last = sources.next().map(|(_, value)| value);
        let first = last.unwrap_or_else(|| self.pool.variable(kind.sort(), "nothing"));
        sources.fold(first, |others, (at, value)| {
            let here = self.pool.eq(location, at);
            self.pool.ite(here, value, others)
        })
    }

    /// That the expression is not this one.
    fn refuse(&mut self, made: &Made) {
        let mut same = Vec::new();
        if self.matches(made, None, &mut same) {
            let all = same.into_iter().fold(self.pool.truth(), |all, one| self.pool.and(all, one));
            let other = self.pool.not(all);
            self.formulas.push(other);
        }
    }

    /// That what stands at a location (none: the whole) is an expression; whether the shape can have it there.
    fn matches(&mut self, made: &Made, at: Option<Term>, out: &mut Vec<Term>) -> bool {
        match (made, at) {
            (Made::Input(input), _) => {
                let location = at.unwrap_or(self.whole);
                let here = self.location(*input);
                out.push(self.pool.eq(location, here));
                at.is_some() || self.shape.components.is_empty()
            }
            // Which constant it is does not matter: any of that value.
            (Made::Number(number), _) => {
                let location = at.unwrap_or(self.whole);
                let mut any = self.pool.falsity();
                for place in 0..self.constants.len() {
                    let here = self.location(self.problem.inputs.len() + place);
                    let here = self.pool.eq(location, here);
                    let value = self.pool.constant(WIDTH, *number as u128);
                    let value = self.pool.eq(self.constants[place], value);
                    let both = self.pool.and(here, value);
                    any = self.pool.or(any, both);
                }
                out.push(any);
                at.is_some() || self.shape.components.is_empty()
            }
            (Made::Truth(_), _) => false,
            (Made::Of(operator, operands), None) => {
                let Some(component) = self.shape.components.first() else { return false };
                let Some(choice) = component.operators().iter().position(|own| own == operator) else { return false };
                let here = self.location(choice);
                out.push(self.pool.eq(self.choices[0], here));
                let parameters = self.parameters[0].clone();
                parameters.len() == operands.len()
                    && parameters.iter().zip(operands).all(|(&at, operand)| self.matches(operand, Some(at), out))
            }
            (Made::Of(operator, operands), Some(location)) => {
                let mut any = self.pool.falsity();
                for (number, component) in self.shape.components.iter().enumerate().skip(1) {
                    let Some(choice) = component.operators().iter().position(|own| own == operator) else { continue };
                    let mut same = Vec::new();
                    let parameters = self.parameters[number].clone();
                    let fits = parameters.len() == operands.len()
                        && parameters
                            .iter()
                            .zip(operands)
                            .all(|(&at, operand)| self.matches(operand, Some(at), &mut same));
                    if !fits {
                        continue;
                    }
                    let chosen = self.location(choice);
                    same.push(self.pool.eq(self.choices[number], chosen));
                    same.push(self.pool.eq(location, self.results[number]));
                    let all = same.into_iter().fold(self.pool.truth(), |all, one| self.pool.and(all, one));
                    any = self.pool.or(any, all);
                }
                out.push(any);
                self.pool.as_bool(any) != Some(false)
            }
        }
    }

    /// An expression that meets all demands, within the limits of a question; `near`: only of inputs that are tried first.
    /// Constants that are known come before others, which only what is small has: they say much of few tests.
    pub fn solve(mut self, near: bool, solver: &mut dyn Solver, limits: &Limits) -> Result<Found, SolveError> {
        if self.formulas.iter().any(|&term| self.pool.as_bool(term) == Some(false)) {
            return Ok(Found::Nothing);
        }
        for &term in &self.formulas {
            solver.assert(self.pool, term)?;
        }
        let near = if near { self.near() } else { Vec::new() };
        let familiar = self.familiar();
        let freely = self.shape.level <= FREELY && !familiar.is_empty();
        let mut assumptions = vec![[near.clone(), familiar].concat()];
        assumptions.extend(freely.then_some(near));
        let mut last = Found::Nothing;
        for assumption in assumptions {
            match solver.check(self.pool, &assumption, limits)? {
                Answer::Sat(model) => return Ok(Found::Made(self.decode(&model))),
                Answer::Unsat { .. } => last = Found::Nothing,
                Answer::Unknown(_) => last = Found::Unknown,
            }
        }
        Ok(last)
    }

    /// That each operand is one that is tried first, a constant or a result.
    fn near(&mut self) -> Vec<Term> {
        let mut out = Vec::new();
        let inputs = self.problem.inputs.len();
        let locations: Vec<Term> = self.parameters.iter().flatten().copied().collect();
        for location in locations {
            let end = self.location(inputs);
            let mut any = self.pool.compare(Compare::Ule, end, location);
            for &near in self.problem.near {
                let here = self.location(near);
                let same = self.pool.eq(location, here);
                any = self.pool.or(any, same);
            }
            out.push(any);
        }
        out
    }

    /// That each constant is one that is tried first.
    fn familiar(&mut self) -> Vec<Term> {
        let mut out = Vec::new();
        for constant in self.constants.clone() {
            let mut any = self.pool.falsity();
            for &known in self.problem.constants {
                let known = self.pool.constant(WIDTH, known as u128);
                let same = self.pool.eq(constant, known);
                any = self.pool.or(any, same);
            }
            out.push(any);
        }
        out
    }

    fn decode(&self, model: &Assignment) -> Made {
        let value = |term: Term| model.get(term).unwrap_or(0);
        match self.shape.components.is_empty() {
            true => self.at(value(self.whole) as usize, &value, 0),
            false => self.component(0, &value, 0),
        }
    }

    fn at(&self, location: usize, value: &dyn Fn(Term) -> u128, depth: usize) -> Made {
        let inputs = self.problem.inputs.len();
        if location < inputs {
            return Made::Input(location);
        }
        if let Some(&constant) = self.constants.get(location - inputs) {
            return Made::Number(i64::from(value(constant) as u32 as i32));
        }
        let number = self.results.iter().position(|&result| value(result) as usize == location).unwrap_or(0);
        self.component(number, value, depth + 1)
    }

    fn component(&self, number: usize, value: &dyn Fn(Term) -> u128, depth: usize) -> Made {
        let operators = self.shape.components[number].operators();
        let operator = operators[(value(self.choices[number]) as usize).min(operators.len() - 1)];
        // Locations grow from operands to results, so that this ends.
        let operands = match depth > self.shape.components.len() {
            true => Vec::new(),
            false => self.parameters[number].iter().map(|&at| self.at(value(at) as usize, value, depth)).collect(),
        };
        Made::Of(operator, operands)
    }
}

/// What a search of one shape comes to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// An expression.
    Made(Made),
    /// There is none.
    Nothing,
    /// Not found out.
    Unknown,
}
