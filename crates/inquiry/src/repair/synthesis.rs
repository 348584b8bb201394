//! Synthesis: an expression out of components that meets what the tests demand, checked by running them; a test that fails with it
//! demands something more (Nguyen et al., "SemFix", section 4: counterexamples join the tests).

use std::time::{Duration, Instant};

use whydunit_findings::Grade;
use whydunit_repair::{Class, Entry, Expression};
use whydunit_solve::{Cadical, Limits};
use whydunit_suite::Suite;
use whydunit_synthesis::{Decided, Demand, Made, Operator, Problem, find};
use whydunit_terms::Pool;

use super::Method;
use super::angels::{Calls, Demanded, Failing, Never, Watched, watched};
use super::demands::demanded;
use super::places::{Place, Places};
use super::search::Searching;
use crate::Error;
use whydunit_desk::BuiltVersion;
use whydunit_desk::Cancel;

/// Failing tests that are asked.
const FAILING: usize = 2;
/// Passing tests whose values are asked for.
const PASSING: usize = 12;
/// Expressions that are built and tested at a place.
const MOST_TRIED: usize = 8;
/// So long tests are asked about the expressions of a round, of the first and of others; what is left is tried without.
const ASKING: [Duration; 2] = [Duration::from_secs(4), Duration::from_millis(1500)];
/// What one question to the solver may cost.
const CONFLICTS: u32 = 30_000;
const TIME: Duration = Duration::from_secs(3);
/// Without the values of tests that pass, levels up to this one are tried.
const FREELY: u8 = 2;

impl<'a> Searching<'a, '_> {
    /// Asks tests what they demand of some places, those that pass as well; none where nothing could be recorded.
    pub fn ask(&mut self, some: &[usize]) -> Result<Asked<'a>, Error> {
        let Some((mut asked, laid)) = self.ask_failing(some)? else { return Ok(Asked::default()) };
        self.answer.repaired.hopeless += asked.hopeless.len() as u64;
        if !asked.open.is_empty() {
            for name in self.trial.passing.iter().take(PASSING) {
                let Some(calls) = Calls::record(&laid, name)? else { continue };
                for at in &mut asked.open {
                    let held = calls.demand(at.one.number, &mut at.pool);
                    at.held.push(held);
                }
            }
        }
        Ok(asked)
    }

    /// Asks failing tests, recorded with the values of expressions passing through functions; none where there are no such expressions.
    fn ask_failing(&mut self, some: &[usize]) -> Result<Option<(Asked<'a>, BuiltVersion)>, Error> {
        self.task.detail("recording what the tests demand");
        let mut asked = Asked::default();
        let places = self.places;
        let Some(Watching { list, laid, mut failing }) = self.watching(some)? else { return Ok(None) };
        let until = Instant::now() + ASKING[usize::from(some.first() != Some(&0))];
        for one in list {
            let mut at = At::new(one, places, self.cancel);
            self.task.detail(&at.place.name());
            if at.ask(&mut failing, self.deadline)? == Some(Never) {
                asked.hopeless.push(at.one.place);
            } else if !at.demands.is_empty() {
                asked.open.push(at);
            }
            if self.late() || Instant::now() >= until {
                break;
            }
        }
        Ok(Some((asked, laid)))
    }

    /// Records failing tests with the values of some places passing through functions; none where there are no such places.
    pub fn watching(&mut self, some: &[usize]) -> Result<Option<Watching>, Error> {
        let list = some.iter().enumerate().filter_map(|(n, &place)| Watched::of(self.places, place, n + 1)).collect();
        let (tree, list) = watched(self.tree, self.places, list, None)?;
        if list.is_empty() {
            return Ok(None);
        }
        let laid = self.recorder.lay(&tree)?;
        let mut failing = Vec::new();
        for (number, name) in self.trial.failing.iter().take(FAILING).enumerate() {
            failing.extend(Failing::record(&laid, name, Some(number))?);
        }
        Ok(Some(Watching { list, laid, failing }))
    }

    /// What failing tests demand of some places, in words.
    pub fn demanded(&mut self, some: &[usize]) -> Result<Vec<(usize, Vec<String>)>, Error> {
        let asked = self.ask_failing(some)?.map(|(asked, _)| asked).unwrap_or_default();
        let failing = self.trial.failing;
        let told = |mut at: At<'_>| {
            let kind = at.one.result;
            let of = |(test, decided, gave): &(usize, Decided, Vec<i64>)| {
                let demanded = demanded(decided, gave, kind?, &mut at.pool)?;
                Some(format!("{}: `{}`{demanded}", failing[*test], at.place.site.expression.text()))
            };
            (at.one.place, at.decided.iter().filter_map(of).collect())
        };
        Ok(asked.open.into_iter().map(told).collect())
    }

    /// Looks for expressions at places of which tests demand something.
    pub fn synthesise(&mut self, open: Vec<At<'_>>) -> Result<(), Error> {
        for at in open {
            if self.is_over() {
                break;
            }
            self.task.detail(&at.place.name());
            self.at_place(at)?;
        }
        Ok(())
    }

    /// Looks for an expression at a place.
    fn at_place(&mut self, mut at: At<'_>) -> Result<(), Error> {
        let mut refused = Vec::new();
        for _ in 0..MOST_TRIED {
            if self.late() {
                break;
            }
            let started = Instant::now();
            let next = at.next(&refused, self.deadline);
            self.phases().solve += started.elapsed().as_secs_f64();
            let Some(made) = next? else { break };
            refused.push(made.clone());
            let Some(expression) = at.expression(&made) else { continue };
            if expression.text() == at.place.site.expression.text() {
                continue;
            }
            self.answer.repaired.candidates += 1;
            self.answer.repaired.tried += 1;
            let (bytes, text) = at.place.site.edit(&at.place.source, &expression);
            let tree = self.patched(&[(&at.place.file, bytes, &text)]);
            let Ok(suite) = self.shop.make(&tree)? else { continue };
            match self.first_failing(&suite) {
                None if self.confirm(&[(at.one.place, &expression)], Method::Synthesis)? == Grade::Verified => break,
                None => {}
                Some(name) => self.counterexample(&mut at, &expression, &name)?,
            }
        }
        Ok(())
    }

    /// A test, as it fails with an expression, demands something more.
    fn counterexample(&mut self, at: &mut At<'_>, expression: &Expression, test: &str) -> Result<(), Error> {
        let alone = Watched::of(self.places, at.one.place, at.one.number).into_iter().collect();
        let (tree, alone) = watched(self.tree, self.places, alone, Some(expression))?;
        if !alone.is_empty()
            && let Some(mut failing) = Failing::record(&self.recorder.lay(&tree)?, test, None)?
        {
            at.ask(std::slice::from_mut(&mut failing), self.deadline)?;
        }
        Ok(())
    }

    /// The first test that fails, those that failed before first.
    fn first_failing(&mut self, suite: &Suite) -> Option<String> {
        let mut names = self.trial.failing.iter().chain(self.trial.passing);
        names.find(|name| !self.trial.passes(suite, name, &mut self.answer.runs)).cloned()
    }
}

/// Failing tests, recorded with the values of places passing through functions.
pub struct Watching {
    pub list: Vec<Watched>,
    pub laid: BuiltVersion,
    pub failing: Vec<Failing>,
}

/// What tests say of places.
#[derive(Default)]
pub struct Asked<'a> {
    /// Those of which tests demand something.
    pub open: Vec<At<'a>>,
    /// Those whose values, whatever they are, do not make a failing test pass.
    pub hopeless: Vec<usize>,
}

/// A place, and what is known of it.
pub struct At<'a> {
    one: Watched,
    place: &'a Place,
    /// Ends solvers.
    cancel: &'a Cancel,
    pool: Pool,
    /// What failing tests demand.
    demands: Vec<Demand>,
    /// Of those that values alone decide, with the numbers of the tests, and what the expression gives in them.
    decided: Vec<(usize, Decided, Vec<i64>)>,
    /// That tests that pass have the values that they have.
    held: Vec<Demand>,
}

impl<'a> At<'a> {
    fn new(one: Watched, places: &'a Places, cancel: &'a Cancel) -> Self {
        let place = &places.list[one.place];
        Self { one, place, cancel, pool: Pool::new(), demands: Vec::new(), decided: Vec::new(), held: Vec::new() }
    }

    /// Asks failing tests, whose demands are added; whether one of them can never pass.
    fn ask(&mut self, failing: &mut [Failing], deadline: Instant) -> Result<Option<Never>, Error> {
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
    pub fn place(&self) -> usize {
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
    fn next(&mut self, refused: &[Made], deadline: Instant) -> Result<Option<Made>, Error> {
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
    fn expression(&self, made: &Made) -> Option<Expression> {
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
