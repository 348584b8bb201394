//! Synthesis: an expression out of components that meets what the tests demand, checked by running them; a test that fails with it
//! demands something more (Nguyen et al., "SemFix", section 4: counterexamples join the tests).

use std::time::{Duration, Instant};

use whydunit_repair::Expression;
use whydunit_suite::Suite;
use whydunit_synthesis::Decided;

use super::Searching;
use crate::Error;
use crate::repair::Method;
use crate::repair::angels::{Calls, Failing, Never, Watched, watched};
use crate::repair::asked_place::AskedPlace;
use crate::repair::demands::demanded;
use whydunit_desk::BuiltVersion;

/// Failing tests that are asked.
const FAILING: usize = 2;
/// Passing tests whose values are asked for.
const PASSING: usize = 12;
/// Expressions that are built and tested at a place.
const MOST_TRIED: usize = 8;
/// So long tests are asked about the expressions of a round, of the first and of others; what is left is tried without.
const ASKING: [Duration; 2] = [Duration::from_secs(4), Duration::from_millis(1500)];

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
            let mut at = AskedPlace::new(one, places, self.cancel);
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
        let told = |mut at: AskedPlace<'_>| {
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
    pub fn synthesise(&mut self, open: Vec<AskedPlace<'_>>) -> Result<(), Error> {
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
    fn at_place(&mut self, mut at: AskedPlace<'_>) -> Result<(), Error> {
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
                None if self.confirm(&[(at.one.place, &expression)], Method::Synthesis, 0)? => break,
                None => {}
                Some(name) => self.counterexample(&mut at, &expression, &name)?,
            }
        }
        Ok(())
    }

    /// A test, as it fails with an expression, demands something more.
    fn counterexample(&mut self, at: &mut AskedPlace<'_>, expression: &Expression, test: &str) -> Result<(), Error> {
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
    pub open: Vec<AskedPlace<'a>>,
    /// Those whose values, whatever they are, do not make a failing test pass.
    pub hopeless: Vec<usize>,
}
