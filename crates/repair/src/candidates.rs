//! What may stand at a site: changes of what stands there, then what the levels of components make (SemFix, section 4.2).

use std::collections::HashSet;

use crate::distance::distance;
use crate::expression::{ARITHMETIC, BITS, COMPARISONS, Class, Expression, LOGIC, sound};
use crate::rearrange::{everywhere, exchanged, regrouped, rounded};
use crate::site::{Role, Site};

/// Variables that are joined with others, the nearest.
const MOST_VARIABLES: usize = 10;
/// Constants of the function that are joined with variables.
const MOST_CONSTANTS: usize = 6;
/// Variables that are looked at.
const MOST_PROBES: usize = 8;
/// Numbers that values of variables suggest, joined with one variable.
pub const MOST_NUMBERS: usize = 40;
/// Variables that are factors.
const MOST_FACTORS: usize = 6;
/// Tests by which two values are chosen from.
const MOST_TESTS: usize = 120;
/// Candidates of a site.
const MOST: usize = 2500;

/// An expression for a site.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// The expression.
    pub expression: Expression,
    /// The level of its components, from 1; 0 where it is what stands there with one thing changed.
    pub level: u8,
    /// How far it is from what stands there.
    pub cost: u32,
}

impl Candidate {
    /// By what it is tried before others: what the lower levels make first, there what is closest to what stands there.
    pub fn order(&self) -> (bool, u32, u8) {
        (self.level > 4, self.cost, self.level)
    }
}

/// The candidates of a site.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    /// In the order in which they are tried.
    pub list: Vec<Candidate>,
    /// What is only looked at in a survey: variables whose values suggest numbers.
    pub probes: Vec<Expression>,
}

impl Candidates {
    /// The candidates of a site; `numbers` are those that values of its variables suggest.
    pub fn of(site: &Site, numbers: &[i64]) -> Self {
        let mut make = Make { site, kept: impure(&site.expression), known: HashSet::new(), list: Vec::new() };
        make.known.insert(site.expression.text());
        match site.role {
            Role::Guarded => make.guards(),
            Role::Condition => {
                make.changed();
                make.conditions(numbers);
            }
            _ => {
                make.changed();
                make.values(numbers);
                if site.expression.class() == Class::Bool {
                    make.conditions(numbers);
                }
            }
        }
        let mut list = make.list;
        list.sort_by_key(|candidate| (candidate.order(), candidate.expression.size()));
        list.truncate(MOST);
        Self { list, ..Self::probes(site) }
    }

    /// Takes away those behind the first so many, which are returned.
    pub fn split_off(&mut self, most: usize) -> Self {
        let list = self.list.split_off(most.min(self.list.len()));
        Self { list, probes: self.probes.clone() }
    }

    /// Leaves out one of the list, or, by the numbers behind it, of what is looked at.
    pub fn remove(&mut self, number: usize) {
        match number.checked_sub(self.list.len()) {
            None => drop(self.list.remove(number)),
            Some(probe) => drop(self.probes.remove(probe)),
        }
    }

    /// Nothing but what is looked at.
    pub fn probes(site: &Site) -> Self {
        let whole = |variable: &&Expression| matches!(variable.class(), Class::Int | Class::Char) && variable.is_pure();
        let probes = site.variables.iter().filter(whole).take(MOST_PROBES).cloned().collect();
        Self { list: Vec::new(), probes }
    }
}

/// What stands in an expression and has effects, in order.
fn impure(expression: &Expression) -> Vec<&Expression> {
    match expression {
        Expression::Atom { pure: false, .. } | Expression::Written { pure: false, .. } => vec![expression],
        other => other.operands().into_iter().flat_map(impure).collect(),
    }
}

struct Make<'a> {
    site: &'a Site,
    /// What a candidate must do as well.
    kept: Vec<&'a Expression>,
    known: HashSet<String>,
    list: Vec<Candidate>,
}

impl Make<'_> {
    fn add(&mut self, level: u8, expression: Expression) {
        if self.known.contains(&expression.text()) {
            return;
        }
        let cost = distance(&self.site.expression, &expression, &self.site.constants);
        // Products and bits are tried last, even where they only replace an operator.
        let level = if rare(&expression) > rare(&self.site.expression) { level.max(6) } else { level };
        self.add_at(level, cost, expression);
    }

    /// The same for what is so far from what stands there.
    fn add_at(&mut self, level: u8, cost: u32, expression: Expression) {
        let silly = is_silly(&expression) && !is_silly(&self.site.expression);
        if !silly && sound(&expression) && impure(&expression) == self.kept && self.known.insert(expression.text()) {
            self.list.push(Candidate { expression, level, cost });
        }
    }

    fn variables(&self) -> Vec<Expression> {
        self.site.variables.iter().take(MOST_VARIABLES).cloned().collect()
    }

    /// Constants of the function, and those that programs have everywhere.
    fn constants(&self) -> Vec<Expression> {
        let mut out: Vec<Expression> = [0, 1].map(Expression::Number).to_vec();
        for constant in self.site.constants.iter().take(MOST_CONSTANTS) {
            if !out.contains(constant) {
                out.push(constant.clone());
            }
        }
        out
    }

    /// What stands there with one thing changed, or with one more.
    fn changed(&mut self) {
        for changed in self.changes(&self.site.expression, true) {
            self.add(0, changed);
        }
        for moved in regrouped(&self.site.expression).into_iter().chain(exchanged(&self.site.expression)) {
            self.add_at(0, MOVED, moved);
        }
        for longer in self.longer(&self.site.expression) {
            self.add(2, longer);
        }
        for rounded in rounded(&self.site.expression) {
            self.add_at(0, ROUNDED, rounded);
        }
        for product in self.products(&self.site.expression) {
            let cost = 1 + distance(&self.site.expression, &product, &self.site.constants);
            self.add_at(4, cost, product);
        }
        for called in self.called(&self.site.expression) {
            self.add(3, called);
        }
        for choice in self.choices(&self.site.expression) {
            let cost = CHOICE + distance(&self.site.expression, &choice, &self.site.constants);
            self.add_at(3, cost, choice);
        }
    }

    /// Each number in it times a variable.
    fn products(&self, expression: &Expression) -> Vec<Expression> {
        let times = |part: &Expression| -> Vec<Expression> {
            let class = part.class();
            let others = self.site.variables.iter().take(MOST_FACTORS);
            let fits = |other: &&Expression| other.class().is_number() && class.goes_with(other.class());
            let numbers = matches!(class, Class::Int | Class::Float) && *part != Expression::Number(0);
            others
                .filter(fits)
                .filter(|_| numbers)
                .map(|by| Expression::binary("*", part.clone(), by.clone()))
                .collect()
        };
        everywhere(expression, &times)
    }

    /// Each part of it given to a function in the place of one of the arguments with which it is called somewhere near.
    fn called(&self, expression: &Expression) -> Vec<Expression> {
        let calls = || {
            let variables = self.site.variables.iter();
            variables.filter(
                |of| matches!(of, Expression::Written { pieces, .. } if pieces[0].ends_with('(') && pieces[0] != "("),
            )
        };
        let given = |part: &Expression| -> Vec<Expression> {
            let class = part.class();
            let into = |call: &Expression| -> Vec<Expression> {
                let result = call.class();
                let operands = call.operands().into_iter().enumerate();
                let fits = result == class || class.goes_with(result);
                let places = operands.filter(|(_, operand)| fits && operand.class().goes_with(class));
                places.filter_map(|(at, _)| call.with_operand(at, part.clone())).collect()
            };
            calls().flat_map(into).filter(|_| part.is_pure()).collect()
        };
        everywhere(expression, &given)
    }

    /// It, or its strings, only where something holds: something else otherwise.
    fn choices(&self, expression: &Expression) -> Vec<Expression> {
        // Of those that say the opposite one will do: what is chosen is chosen the other way round. What decides most often looks at
        // what is chosen.
        let opposite = |test: &Expression| match test {
            Expression::Unary("!", _) => true,
            Expression::Binary(operator, ..) => ["<=", ">=", "!="].contains(operator),
            _ => false,
        };
        let tests = self.tests(&[]).into_iter().map(|(_, test)| test).filter(|test| !opposite(test));
        let mut tests: Vec<Expression> = tests.collect();
        tests.sort_by_key(|test| !test.operands().contains(&expression));
        tests.truncate(MOST_TESTS);
        let others = |part: &Expression| -> Vec<Expression> {
            let class = part.class();
            if matches!(part, Expression::Atom { constant: true, class: Class::Pointer(_), .. }) {
                let empty = Expression::Atom { text: "\"\"".into(), class, pure: true, constant: true };
                return vec![empty];
            }
            let fits = |other: &Expression| other.class() == class || class.goes_with(other.class());
            let near = self.site.variables.iter().filter(|other| fits(other)).take(3).cloned();
            let mut out: Vec<Expression> = near.collect();
            if matches!(class, Class::Int | Class::Float) {
                out.extend([1, -1].map(|by| shifted(part.clone(), by)));
                out.push(Expression::Unary("-", Box::new(part.clone())));
                out.extend([0, 1].map(Expression::Number));
            }
            out
        };
        let chosen = |part: &Expression, otherwise: bool| -> Vec<Expression> {
            let is_text = matches!(part, Expression::Atom { constant: true, class: Class::Pointer(_), .. });
            // Truth values are joined.
            if !is_text && (*part != self.site.expression || part.class() == Class::Bool) {
                return Vec::new();
            }
            let choice = |test: &Expression, other: &Expression| {
                let [then, other] =
                    if otherwise { [part, other] } else { [other, part] }.map(|of| Box::new(of.clone()));
                Expression::Choice(Box::new(test.clone()), then, other)
            };
            let others = others(part);
            tests.iter().flat_map(|test| others.iter().map(move |other| choice(test, other))).collect()
        };
        [true, false]
            .into_iter()
            .flat_map(|otherwise| everywhere(expression, &|part| chosen(part, otherwise)))
            .collect()
    }

    /// Each number in it joined with a variable or a constant.
    fn longer(&self, expression: &Expression) -> Vec<Expression> {
        let mut out = Vec::new();
        for (number, operand) in expression.operands().into_iter().enumerate() {
            out.extend(self.longer(operand).into_iter().filter_map(|other| expression.with_operand(number, other)));
        }
        let class = expression.class();
        if matches!(class, Class::Int | Class::Char | Class::Float) {
            let others = self.variables().into_iter().chain(self.constants());
            for other in others.filter(|other| class.goes_with(other.class()) && *other != Expression::Number(0)) {
                out.extend(["+", "-"].map(|operator| Expression::binary(operator, expression.clone(), other.clone())));
                out.push(Expression::binary("-", other, expression.clone()));
            }
        }
        out
    }

    fn changes(&self, expression: &Expression, outermost: bool) -> Vec<Expression> {
        let mut out = Vec::new();
        for (number, operand) in expression.operands().into_iter().enumerate() {
            out.extend(
                self.changes(operand, false).into_iter().filter_map(|other| expression.with_operand(number, other)),
            );
        }
        match expression {
            Expression::Binary(operator, left, right) => {
                let same: &[&[&'static str]] = &[&COMPARISONS, &LOGIC, &ARITHMETIC, &BITS];
                let others = same.iter().filter(|group| group.contains(operator)).flat_map(|group| group.iter());
                out.extend(
                    others
                        .filter(|other| *other != operator)
                        .map(|other| Expression::Binary(other, left.clone(), right.clone()))
                        .filter(sound),
                );
                if ["-", "/", "%", "<<", ">>"].contains(operator) {
                    out.push(Expression::Binary(operator, right.clone(), left.clone()));
                }
                // One operand less.
                if expression.class() == left.class() {
                    out.push((**left).clone());
                }
                if expression.class() == right.class() {
                    out.push((**right).clone());
                }
                if COMPARISONS.contains(operator) && left.class().is_number() && right.class().is_number() {
                    for by in [1, -1] {
                        out.push(Expression::Binary(operator, left.clone(), Box::new(shifted((**right).clone(), by))));
                    }
                }
            }
            Expression::Unary("!" | "-", of) if !outermost || of.class() != Class::Bool => out.push((**of).clone()),
            Expression::Number(number) => out.extend([1, -1].map(|by| Expression::Number(number.saturating_add(by)))),
            Expression::Choice(test, then, other) => {
                out.push(Expression::Choice(test.clone(), other.clone(), then.clone()));
                out.extend([(**then).clone(), (**other).clone()]);
            }
            _ => {}
        }
        out.extend(self.others(expression));
        if matches!(expression.class(), Class::Int | Class::Char) && !matches!(expression, Expression::Number(_)) {
            out.extend([1, -1].map(|by| shifted(expression.clone(), by)));
        }
        out
    }

    /// What can stand in the place of a variable, of what is reached from one, or of a constant.
    fn others(&self, expression: &Expression) -> Vec<Expression> {
        let class = match expression {
            Expression::Atom { class, pure: true, .. } | Expression::Written { class, pure: true, .. } => *class,
            Expression::Number(_) => Class::Int,
            _ => return Vec::new(),
        };
        let is_number = matches!(expression, Expression::Number(_));
        let fits = |other: &&Expression| match other.class() {
            Class::Float => is_number || class == Class::Float,
            other => other == class || class.goes_with(other),
        };
        // A constant is most often another one.
        let is_constant = is_number || matches!(expression, Expression::Atom { constant: true, .. });
        let constants = if is_constant { self.site.constants.clone() } else { Vec::new() };
        let values = self.site.variables.iter().chain(&self.site.bases).filter(fits).cloned();
        let all = values.chain(self.constants().into_iter().chain(constants).filter(|other| fits(&other)));
        all.filter(|other| other != expression).collect()
    }

    /// Comparisons, alone and joined to what stands there.
    fn conditions(&mut self, numbers: &[i64]) {
        let now = self.site.expression.clone();
        self.add(1, Expression::Unary("!", Box::new(now.clone())));
        for constant in [0, 1] {
            self.add(1, Expression::Number(constant));
        }
        let tests = self.tests(numbers);
        for (level, test) in &tests {
            self.add(*level, test.clone());
            for operator in LOGIC {
                self.add((*level).max(3), Expression::binary(operator, now.clone(), test.clone()));
            }
        }
        // The same of what is joined.
        let joined = |part: &Expression| -> Vec<Expression> {
            if *part == now || part.class() != Class::Bool {
                return Vec::new();
            }
            let tests = tests.iter().filter(|(level, _)| *level <= 3).take(MOST_TESTS);
            tests
                .flat_map(|(_, test)| LOGIC.map(|operator| Expression::binary(operator, part.clone(), test.clone())))
                .collect()
        };
        for within in everywhere(&now, &joined) {
            self.add(4, within);
        }
    }

    /// What a statement may be done for.
    fn guards(&mut self) {
        for (level, test) in self.tests(&[]) {
            self.add(level, test);
        }
    }

    /// Comparisons and truth values, with their levels.
    fn tests(&self, numbers: &[i64]) -> Vec<(u8, Expression)> {
        let variables = self.variables();
        let mut tests = Vec::new();
        for variable in
            variables.iter().filter(|variable| matches!(variable.class(), Class::Bool | Class::Pointer(_) | Class::Int))
        {
            // A number as a truth value says less than what is one.
            let level = if variable.class() == Class::Int { 5 } else { 2 };
            tests.push((level, variable.clone()));
            tests.push((level, Expression::Unary("!", Box::new(variable.clone()))));
        }
        let operands: Vec<Expression> = variables.iter().cloned().chain(self.constants()).collect();
        for left in &variables {
            for right in operands.iter().filter(|right| *right != left && comparable(left, right)) {
                // `a < b` and `b > a` are one.
                let once = !variables.contains(right) || left.text() < right.text();
                let pointers = left.class().is_pointer();
                for operator in
                    COMPARISONS.into_iter().filter(|operator| once && (!pointers || ["==", "!="].contains(operator)))
                {
                    tests.push((2, Expression::binary(operator, left.clone(), right.clone())));
                }
            }
            if matches!(left.class(), Class::Int | Class::Char) {
                for &number in numbers.iter() {
                    for operator in ["<", ">", "=="] {
                        tests.push((3, Expression::binary(operator, left.clone(), Expression::Number(number))));
                    }
                }
            }
        }
        // The same member of two structures.
        let members: Vec<(&Expression, &str)> =
            self.site.variables.iter().filter_map(|of| Some((of, of.member()?))).collect();
        for (number, &(left, member)) in members.iter().enumerate() {
            let others =
                members[number + 1..].iter().filter(|(right, other)| *other == member && comparable(left, right));
            for (right, _) in others.filter(|(right, _)| !variables.contains(left) || !variables.contains(right)) {
                let operators: &[&'static str] = if left.class().is_pointer() { &["==", "!="] } else { &COMPARISONS };
                let compared =
                    |&operator: &&'static str| (3, Expression::binary(operator, left.clone(), (*right).clone()));
                tests.extend(operators.iter().map(compared));
            }
        }
        tests
    }

    /// Constants, variables, sums.
    fn values(&mut self, numbers: &[i64]) {
        let now = self.site.expression.clone();
        let class = if self.site.result == Class::Float { Class::Float } else { now.class() };
        let fits = |other: &Expression| other.class() == class || class.goes_with(other.class());
        let variables: Vec<Expression> = self.variables().into_iter().filter(|other| fits(other)).collect();
        for constant in self.constants().into_iter().filter(|other| fits(other)) {
            self.add(1, constant);
        }
        for variable in &variables {
            self.add(1, variable.clone());
        }
        if !class.is_number() {
            return;
        }
        let small: Vec<Expression> = self.constants().into_iter().filter(|other| fits(other)).collect();
        let of_numbers: Vec<Expression> = numbers.iter().map(|number| Expression::Number(*number)).collect();
        if matches!(class, Class::Int | Class::Char | Class::Float) {
            for number in &of_numbers {
                self.add(2, number.clone());
            }
        }
        let firsts: Vec<Expression> = std::iter::once(now.clone()).chain(variables.iter().cloned()).collect();
        // A factor that is missing is most often one that the function has.
        let factors = small.iter().filter(|factor| self.site.constants.contains(factor)).cloned();
        let common = COMMON_FACTORS.map(Expression::Number).into_iter().filter(|factor| !small.contains(factor));
        for factor in factors.chain(common) {
            for operator in ["*", "/"] {
                let joined = Expression::binary(operator, now.clone(), factor.clone());
                self.add_at(4, FACTOR, joined);
            }
        }
        for first in &firsts {
            for (level, others) in [(2, &variables), (2, &small), (3, &of_numbers)] {
                for other in others.iter().filter(|other| *other != first && **other != Expression::Number(0)) {
                    for operator in ["+", "-"] {
                        self.add(level, Expression::binary(operator, first.clone(), other.clone()));
                    }
                }
            }
            for other in variables.iter().chain(&small).filter(|other| **other != Expression::Number(0)) {
                for operator in ["*", "/", "%"] {
                    self.add(6, Expression::binary(operator, first.clone(), other.clone()));
                }
            }
        }
    }
}

/// What stands there times a constant of the function is so far from it.
const FACTOR: u32 = 3;
/// Factors that programs have everywhere.
const COMMON_FACTORS: [i64; 4] = [2, 3, 4, 10];
/// What is chosen by a new test is so much farther.
const CHOICE: u32 = 2;
/// A quotient that is rounded otherwise is so far from it.
const ROUNDED: u32 = 4;
/// What stands there in another order is so far from it.
const MOVED: u32 = 2;

/// Whether nobody would write it: an operand that changes nothing, two that are the same, two numbers.
fn is_silly(of: &Expression) -> bool {
    let own = match of {
        Expression::Binary(operator, left, right) => {
            let is = |side: &Expression, number| *side == Expression::Number(number);
            left == right
                || matches!((&**left, &**right), (Expression::Number(_), Expression::Number(_)))
                || is(right, 0) && ["+", "-", "*", "/", "%", "<<", ">>", "|", "^"].contains(operator)
                || is(right, 1) && ["*", "/", "%"].contains(operator)
                || (is(left, 0) || is(left, 1)) && ["*", "+", "/", "%", "<<", ">>"].contains(operator)
        }
        Expression::Choice(_, then, other) => then == other,
        _ => false,
    };
    own || of.operands().into_iter().any(is_silly)
}

/// How many operators it has of the highest level.
fn rare(of: &Expression) -> usize {
    let own = match of {
        Expression::Binary(operator, ..) => ["*", "/", "%"].contains(operator) || BITS.contains(operator),
        _ => false,
    };
    usize::from(own) + of.operands().into_iter().map(rare).sum::<usize>()
}

fn comparable(left: &Expression, right: &Expression) -> bool {
    match (left.class(), right.class()) {
        (one @ Class::Pointer(_), other @ Class::Pointer(_)) => one == other,
        (Class::Pointer(_), _) => *right == Expression::Number(0),
        (left, right) => left.goes_with(right) && left != Class::Bool,
    }
}

/// One more or less, without `+ -1`.
pub(crate) fn shifted(expression: Expression, by: i64) -> Expression {
    match expression {
        Expression::Number(number) => Expression::Number(number.saturating_add(by)),
        other => Expression::binary(if by < 0 { "-" } else { "+" }, other, Expression::Number(by.abs())),
    }
}
