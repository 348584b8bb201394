//! A place about which tests are asked: what they demand of its expression, and the expressions that meet it.

use std::time::{Duration, Instant};

use whydunit_desk::Cancel;
use whydunit_repair::{Class, Entry, Expression};
use whydunit_solve::{Cadical, Limits};
use whydunit_synthesis::{Decided, Demand, Made, Operator, Problem, find};
use whydunit_terms::Pool;

use super::angels::{Demanded, Failing, Never, Watched};
use super::places::{Place, Places};
use crate::Error;

/// What one question to the solver may cost.
const CONFLICTS: u32 = 30_000;
const TIME: Duration = Duration::from_secs(3);
/// Without the values of tests that pass, levels up to this one are tried.
const FREELY: u8 = 2;

/// A place, and what is known of it.
pub struct AskedPlace<'a> {
    pub(super) one: Watched,
    pub(super) place: &'a Place,
    /// Ends solvers.
    cancel: &'a Cancel,
    pub(super) pool: Pool,
    /// What failing tests demand.
    pub(super) demands: Vec<Demand>,
    /// Of those that values alone decide, with the numbers of the tests, and what the expression gives in them.
    pub(super) decided: Vec<(usize, Decided, Vec<i64>)>,
    /// That tests that pass have the values that they have.
    pub(super) held: Vec<Demand>,
}

impl<'a> AskedPlace<'a> {
    pub(super) fn new(one: Watched, places: &'a Places, cancel: &'a Cancel) -> Self {
        let place = &places.list[one.place];
        Self { one, place, cancel, pool: Pool::new(), demands: Vec::new(), decided: Vec::new(), held: Vec::new() }
    }

    /// Asks failing tests, whose demands are added; whether one of them can never pass.
    pub(super) fn ask(&mut self, failing: &mut [Failing], deadline: Instant) -> Result<Option<Never>, Error> {
        for failing in failing {
            match failing.demand(&[(&self.place.file, &self.one)], &mut self.pool, deadline)? {
                Ok(None) => {}
                Ok(Some(Demanded { demand, gave, .. })) => {
                    let decided = failing.number.zip(demand.clone().decided(&self.pool));
                    self.decided.extend(decided.map(|(number, decided)| (number, decided, gave)));
                    self.demands.push(demand);
                }
                Err(never) => return Ok(Some(never)),
            }
        }
        Ok(None)
    }

    /// The number of its place.
    pub fn number(&self) -> usize {
        self.one.place
    }

    /// Whether the values of an expression, of which `entry` says them for a failing test, are what tests demand; none where that is
    /// not known.
    pub fn meets<'e>(&self, entry: &dyn Fn(usize) -> Option<&'e Entry>) -> Option<bool> {
        let mut meets = None;
        for (test, decided, _) in &self.decided {
            let entry = entry(*test).filter(|entry| entry.count == entry.values.len() as u64)?;
            match decided.met_by(&self.pool, &entry.values)? {
                true => meets = Some(true),
                false => return Some(false),
            }
        }
        meets
    }

    /// The next expression: one that tests that pass would not notice, else any of the lowest levels.
    pub(super) fn next(&mut self, refused: &[Made], deadline: Instant) -> Result<Option<Made>, Error> {
        let Some(result) = self.one.result else { return Ok(None) };
        let (constants, near) = (self.constants(), self.near());
        let held: Vec<Demand> = self.demands.iter().chain(&self.held).cloned().collect();
        let limits = || {
            let left = deadline.saturating_duration_since(Instant::now());
            let limits =
                Limits { time: Some(left.min(TIME)), conflicts: Some(CONFLICTS), interrupt: Some(self.cancel.clone()) };
            (!left.is_zero()).then_some(limits)
        };
        for (demands, most) in [(&held, u8::MAX), (&self.demands, FREELY)] {
            let problem =
                Problem { inputs: &self.one.kinds, result, constants: &constants, near: &near, demands, refused };
            let made = find(&mut self.pool, &problem, most, &|| Box::new(Cadical::new()), &limits);
            if let Some(made) = made? {
                return Ok(Some(made));
            }
        }
        Ok(None)
    }

    /// Inputs that occur in what stands there.
    fn near(&self) -> Vec<usize> {
        fn occurs(part: &Expression, whole: &Expression) -> bool {
            part == whole || whole.operands().into_iter().any(|operand| occurs(part, operand))
        }
        let inputs = self.one.inputs.iter().enumerate();
        inputs.filter(|(_, input)| occurs(&input.expression, &self.place.site.expression)).map(|(at, _)| at).collect()
    }

    /// Numbers that the function has, and those that programs have everywhere.
    fn constants(&self) -> Vec<i64> {
        let number =
            |constant: &Expression| if let Expression::Number(number) = constant { Some(*number) } else { None };
        [0, 1, -1].into_iter().chain(self.place.site.constants.iter().filter_map(number)).collect()
    }

    /// What was made, as the source would have it; none where types do not go together.
    pub(super) fn expression(&self, made: &Made) -> Option<Expression> {
        Some(match made {
            Made::Input(number) => self.one.inputs.get(*number)?.expression.clone(),
            Made::Number(number) => Expression::Number(*number),
            Made::Truth(value) => Expression::Number((*value).into()),
            Made::Of(Operator::Choose, operands) => {
                let [test, then, other] = &operands[..] else { return None };
                let of = |made| Some(Box::new(self.expression(made)?));
                Expression::Choice(of(test)?, of(then)?, of(other)?)
            }
            Made::Of(Operator::IsSet, operands) => self.expression(operands.first()?)?,
            Made::Of(Operator::Not, operands) => Expression::Unary("!", Box::new(self.expression(operands.first()?)?)),
            Made::Of(operator, operands) => {
                let [left, right] = &operands[..] else { return None };
                let (left, right) = (self.expression(left)?, self.expression(right)?);
                let pointers = (left.class(), right.class());
                if let (Class::Pointer(one), Class::Pointer(other)) = pointers
                    && one != other
                {
                    return None;
                }
                joined(*operator, left, right)?
            }
        })
    }
}

/// Two operands joined as people write it: numbers stand behind.
fn joined(operator: Operator, left: Expression, right: Expression) -> Option<Expression> {
    let is_number = |of: &Expression| matches!(of, Expression::Number(_));
    let (text, turned) = match operator {
        Operator::Add => match right {
            Expression::Number(number) if number < 0 => {
                return Some(Expression::binary("-", left, Expression::Number(-number)));
            }
            _ => ("+", Some("+")),
        },
        Operator::Subtract => match right {
            Expression::Number(number) if number < 0 => {
                return Some(Expression::binary("+", left, Expression::Number(-number)));
            }
            _ => ("-", None),
        },
        Operator::Multiply => ("*", Some("*")),
        Operator::Divide => ("/", None),
        Operator::Remainder => ("%", None),
        Operator::BitAnd => ("&", Some("&")),
        Operator::BitOr => ("|", Some("|")),
        Operator::BitXor => ("^", Some("^")),
        Operator::Less => ("<", Some(">")),
        Operator::LessOrEqual => ("<=", Some(">=")),
        Operator::Equal => ("==", Some("==")),
        Operator::Unequal => ("!=", Some("!=")),
        Operator::And => ("&&", None),
        Operator::Or => ("||", None),
        Operator::Not | Operator::IsSet | Operator::Choose => return None,
    };
    Some(match turned.filter(|_| is_number(&left) && !is_number(&right)) {
        Some(turned) => Expression::binary(turned, right, left),
        None => Expression::binary(text, left, right),
    })
}
