//! What may stand at a site: changes of what stands there, then what the levels of components make (SemFix, section 4.2).

mod changes;
mod choices;
mod levels;

use std::collections::HashMap;

use self::levels::negated;
use crate::distance::distance;
use crate::expression::{ARITHMETIC, BITS, COMPARISONS, Class, Expression, LOGIC};
use crate::literals::text_of;
use crate::site::{Role, Site};

/// Variables that are joined with others, the nearest.
const MOST_VARIABLES: usize = 10;
/// Constants of the function that are joined with variables.
const MOST_CONSTANTS: usize = 6;
/// Variables that are looked at.
const MOST_PROBES: usize = 8;
/// Numbers that values of variables suggest, joined with one variable.
pub const MOST_NUMBERS: usize = 40;
/// Tests that are joined to others, or choose from two values.
const MOST_TESTS: usize = 120;
/// Candidates of a site.
const MOST: usize = 2500;
/// What nobody would write is so much farther, where that stands there already: it may well be what is wrong.
const STAYS_SILLY: u32 = 2;

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
    /// In Rust each is held to the type of what stands there by itself, so that one build names all that have another one.
    pub strict: bool,
}

impl Candidates {
    /// The candidates of a site; `numbers` are those that values of its variables suggest.
    pub fn of(site: &Site, numbers: &[i64]) -> Self {
        if site.role.is_done() {
            let list = site.statements.iter().map(|(cost, text)| Candidate {
                expression: Expression::statement(text),
                level: 1,
                cost: *cost,
            });
            return Self { list: list.collect(), ..Self::default() };
        }
        if text_of(&site.expression).is_some() {
            let of = |(cost, text): (u32, &Expression)| Candidate { expression: text.clone(), level: 1, cost };
            return Self { list: (1..).zip(&site.texts).map(of).collect(), ..Self::default() };
        }
        let mut make = Make { site, kept: effects(&site.expression), known: HashMap::new(), list: Vec::new() };
        make.known.insert(plain(&site.expression).text(), None);
        match site.role {
            Role::Guarded | Role::Left => make.guards(),
            Role::Replaced | Role::Added => {}
            Role::Condition => {
                make.changed();
                make.chosen();
                make.conditions(numbers);
            }
            _ => {
                make.changed();
                make.chosen();
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
        Self { list, probes: self.probes.clone(), strict: self.strict }
    }

    /// So many are at most so far from what stands there, and of the lower levels: the first of the list.
    pub fn within(&self, cost: u32) -> usize {
        self.list.partition_point(|candidate| candidate.order() <= (false, cost, u8::MAX))
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
        let is_whole = |variable: &Expression| variable.class().is_int() || variable.class() == Class::Char;
        let whole = |variable: &&Expression| is_whole(variable) && variable.is_pure();
        let probes = site.variables.iter().filter(whole).take(MOST_PROBES).cloned().collect();
        Self { list: Vec::new(), probes, strict: false }
    }
}

/// What stands in an expression and has effects, in order.
fn impure(expression: &Expression) -> Vec<&Expression> {
    match expression {
        Expression::Atom { pure: false, .. } | Expression::Written { pure: false, .. } => vec![expression],
        other => other.operands().into_iter().flat_map(impure).collect(),
    }
}

/// What stands in an expression and has effects, in order, whichever of two opposites is asked of its result.
fn effects(expression: &Expression) -> Vec<Expression> {
    let asked = |of: &Expression| {
        let mut of = of.clone();
        if let Expression::Written { pieces, .. } = &mut of
            && let Some(last) = pieces.last_mut()
        {
            for (one, other) in OPPOSITES {
                if let Some(before) = last.strip_suffix(one) {
                    *last = format!("{before}{other}");
                }
            }
        }
        of
    };
    impure(expression).into_iter().map(asked).collect()
}

/// Methods of Rust that only look at the result of what has effects before them.
const OPPOSITES: [(&str, &str); 2] = [(".is_none()", ".is_some()"), (".is_err()", ".is_ok()")];

struct Make<'a> {
    site: &'a Site,
    /// What a candidate must do as well.
    kept: Vec<Expression>,
    /// What there is, in its plain form: its place in the list. None of what stands there.
    known: HashMap<String, Option<usize>>,
    list: Vec<Candidate>,
}

impl Make<'_> {
    fn add(&mut self, level: u8, expression: Expression) {
        if matches!(self.known.get(&plain(&expression).text()), Some(None)) {
            return;
        }
        let cost = distance(&self.site.expression, &expression, &self.site.constants);
        // Products and bits are tried last, even where they only replace an operator.
        let level = if rare(&expression) > rare(&self.site.expression) { level.max(6) } else { level };
        self.add_at(level, cost, expression);
    }

    /// The same for what is so far from what stands there. Of what means the same the one that is tried first is kept.
    fn add_at(&mut self, level: u8, cost: u32, expression: Expression) {
        let (was_silly, is_silly) = (is_silly(&self.site.expression), is_silly(&expression));
        let silly = is_silly && !was_silly;
        let cost = if is_silly && was_silly { cost + STAYS_SILLY } else { cost };
        let mixed = !self.keeps_enumerations(&expression) && self.keeps_enumerations(&self.site.expression);
        let to_itself = self.site.target.as_ref() == Some(&expression.text());
        if !silly && !mixed && !to_itself && self.site.is_sound(&expression) && effects(&expression) == self.kept {
            let plain = plain(&expression).text();
            let candidate = Candidate { expression, level, cost };
            match self.known.get(&plain) {
                None => {
                    self.known.insert(plain, Some(self.list.len()));
                    self.list.push(candidate);
                }
                Some(Some(known)) if candidate.order() < self.list[*known].order() => self.list[*known] = candidate,
                Some(_) => {}
            }
        }
    }

    /// Whether what is of an enumeration is only compared with its enumerators, and with what is of the same, and enumerators only
    /// with that.
    fn keeps_enumerations(&self, of: &Expression) -> bool {
        let list = |of: &Expression| self.site.enumerators.iter().find(|(known, _)| known == of).map(|(_, list)| list);
        let kept = |operator: &str, one: &Expression, other: &Expression| match list(one) {
            None => {
                !self.is_enumerator(one)
                    || LOGIC.contains(&operator)
                    || list(other).is_some()
                    || self.is_enumerator(other)
            }
            Some(_) if LOGIC.contains(&operator) => true,
            Some(own) => matches!(operator, "==" | "!=") && (own.contains(other) || list(other) == Some(own)),
        };
        let here = match of {
            Expression::Binary(operator, left, right) => kept(operator, left, right) && kept(operator, right, left),
            _ => true,
        };
        here && of.operands().into_iter().all(|operand| self.keeps_enumerations(operand))
    }

    fn is_enumerator(&self, of: &Expression) -> bool {
        self.site.enumerators.iter().any(|(_, list)| list.contains(of))
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
}

/// The form in which what means the same looks the same: `a > b` as `b < a`, `!(a < b)` as `b <= a` of what has an order, `!(a == b)`
/// as `a != b`.
fn plain(of: &Expression) -> Expression {
    let operands = of.operands().into_iter().map(plain).collect::<Vec<_>>();
    let with = |of: &Expression| {
        let each = operands.iter().cloned().enumerate();
        each.fold(of.clone(), |whole, (at, part)| whole.with_operand(at, part).unwrap_or(whole))
    };
    let without_sign = match with(of) {
        Expression::Unary("!", inner) => match *inner {
            Expression::Unary("!", inner) if inner.class() == Class::Bool => *inner,
            inner @ Expression::Unary("!", _) => Expression::Unary("!", Box::new(inner)),
            inner => negated(inner),
        },
        other => other,
    };
    match without_sign {
        Expression::Binary(">", left, right) => Expression::Binary("<", right, left),
        Expression::Binary(">=", left, right) => Expression::Binary("<=", right, left),
        other => other,
    }
}

/// Whether nobody would write it: an operand that changes nothing, two that are the same, two numbers, nothing less something, `a + b == b`, the
/// opposite of an opposite, a truth value that is computed with or compared with a number.
fn is_silly(of: &Expression) -> bool {
    let own = match of {
        Expression::Binary(operator, left, right) => {
            let is = |side: &Expression, number| *side == Expression::Number(number);
            left == right
                || is_truth_computed_with(operator, left, right)
                || LOGIC.contains(operator) && is_one_limit(left, right)
                || is_numeral(left) && is_numeral(right)
                || COMPARISONS.contains(operator) && (is_summand(left, right) || is_summand(right, left))
                || is(left, 0) && *operator == "-"
                || is(right, 0) && ["+", "-", "*", "/", "%", "<<", ">>", "|", "^"].contains(operator)
                || is(right, 1) && ["*", "/", "%"].contains(operator)
                || (is(left, 0) || is(left, 1)) && ["*", "+", "/", "%", "<<", ">>"].contains(operator)
        }
        Expression::Choice(_, then, other) => then == other,
        Expression::Unary(sign @ ("!" | "-"), of) => matches!(&**of, Expression::Unary(inner, _) if inner == sign),
        _ => false,
    };
    own || of.operands().into_iter().any(is_silly)
}

/// Whether one is the other with something added or taken away: what is added is compared with nothing.
fn is_summand(one: &Expression, whole: &Expression) -> bool {
    match whole {
        Expression::Binary("+", left, right) => **left == *one || **right == *one,
        Expression::Binary("-", left, _) => **left == *one,
        _ => false,
    }
}

/// Whether both compare the same with a constant in the same direction: `c <= '0' && c <= '9'`.
fn is_one_limit(one: &Expression, other: &Expression) -> bool {
    let (Expression::Binary(a, left, to), Expression::Binary(b, same, limit)) = (one, other) else { return false };
    let is_constant = |of: &Expression| matches!(of, Expression::Number(_) | Expression::Atom { constant: true, .. });
    let directed = |sign: &str| ["<", ">"].into_iter().find(|of| sign.starts_with(of) && COMPARISONS.contains(&sign));
    left == same && is_constant(to) && is_constant(limit) && directed(a).is_some() && directed(a) == directed(b)
}

/// Whether it is a number as the source writes it, with or without its type.
fn is_numeral(of: &Expression) -> bool {
    match of {
        Expression::Number(_) => true,
        Expression::Atom { text, constant: true, .. } => text.starts_with(|first: char| first.is_ascii_digit()),
        _ => false,
    }
}

fn is_truth_computed_with(operator: &str, left: &Expression, right: &Expression) -> bool {
    let is_truth = |of: &Expression| of.class() == Class::Bool;
    if is_truth(left) && is_truth(right) {
        return ARITHMETIC.contains(&operator) || matches!(operator, "<" | "<=" | ">" | ">=");
    }
    let mixed = is_truth(left) || is_truth(right);
    let may_be = |of: &Expression| is_truth(of) || matches!(of, Expression::Number(0 | 1));
    mixed
        && match operator {
            "==" | "!=" => !(may_be(left) && may_be(right)),
            _ => ARITHMETIC.contains(&operator) || COMPARISONS.contains(&operator),
        }
}

/// How many operators it has of the highest level.
fn rare(of: &Expression) -> usize {
    let own = match of {
        Expression::Binary(operator, ..) => ["*", "/", "%"].contains(operator) || BITS.contains(operator),
        _ => false,
    };
    usize::from(own) + of.operands().into_iter().map(rare).sum::<usize>()
}

/// One more or less, without `+ -1`.
pub(crate) fn shifted(expression: Expression, by: i64) -> Expression {
    match expression {
        Expression::Number(number) => Expression::Number(number.saturating_add(by)),
        Expression::Atom { text, class, pure, constant: true } => match shifted_numeral(&text, by) {
            Some(text) => Expression::Atom { text, class, pure, constant: true },
            None => added(Expression::Atom { text, class, pure, constant: true }, by),
        },
        other => added(other, by),
    }
}

/// A whole number that is written with its type, so much more.
fn shifted_numeral(text: &str, by: i64) -> Option<String> {
    let more = |number: i64| number.checked_add(by).filter(|number| *number >= 0);
    if let Some(digits) = text.strip_prefix("0x") {
        let number = more(i64::from_str_radix(digits, 16).ok()?)?;
        let upper = digits.contains(|at: char| at.is_ascii_uppercase());
        return Some(if upper { format!("0x{number:X}") } else { format!("0x{number:x}") });
    }
    let end = text.find(|at: char| !at.is_ascii_digit()).unwrap_or(text.len());
    let (digits, ty) = text.split_at(end);
    let is_whole = ty.is_empty() || ty.starts_with(['u', 'U', 'l', 'L', 'i']);
    let is_decimal = is_whole && (digits.len() == 1 || !digits.starts_with('0'));
    Some(format!("{}{ty}", more(digits.parse().ok().filter(|_| is_decimal)?)?))
}

fn added(expression: Expression, by: i64) -> Expression {
    Expression::binary(if by < 0 { "-" } else { "+" }, expression, Expression::Number(by.abs()))
}
