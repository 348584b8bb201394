//! A fix reviewed by the inputs of a case that shows the bug.

use std::time::Instant;

use whydunit_findings::{Counterexample, Distance, Problem};
use whydunit_inputs::{Input, options};
use whydunit_review::{Coverage, Domain, Guide, Search, Version};
use whydunit_suite::{Case, TestResult};

use super::asking::Asked;
use super::error::ReviewError;
use super::judging::Judged;
use super::programs::Pair;
use super::relations::Relations;
use super::suites::Outcomes;
use super::symptom::Symptom;
use super::told::did;
use super::versions::Fix;
use super::violation::{Bug, Violation};
use super::{Answer, Question, comparing, disruption, parting};
use crate::Error;
use whydunit_desk::BuiltVersion;
use whydunit_desk::Desk;

/// Notes on what was held as in the runs.
const NOTES: usize = 3;
/// For so much of the time the bug's input is made smaller.
const SMALL: f64 = 0.2;
/// Parts of the time by which other things are begun: inputs are compared after a first look at paths, then the other paths are looked
/// at, and what that has run is compared.
const PATHS_FIRST: f64 = 0.2;
const INPUTS: f64 = 0.6;
/// The same where no other paths are left.
const ALONE: f64 = 0.85;
/// For so much of the time relations are looked for.
const ASKING: f64 = 0.2;
const PATHS: f64 = 0.95;

/// What is reviewed, and the answer so far.
pub struct OfCase<'a> {
    pub desk: &'a Desk,
    pub question: &'a Question<'a>,
    pub fix: &'a Fix,
    pub domain: &'a Domain,
    pub outcomes: &'a Outcomes,
    pub answer: &'a mut Answer,
    /// The inputs that both versions were run on.
    pub tried: Vec<Input>,
}

/// What looking at both versions has found.
struct Looked {
    found: disruption::Found,
    /// An input on which the fix fails.
    shown: Option<Input>,
    /// Inputs that were made to compare on.
    made: usize,
    /// What relations and inputs next to the test's give to ask.
    asked: Asked,
}

impl OfCase<'_> {
    /// Reviews a fix by two versions, and compares it with another one; `before` is what the case did before it.
    pub fn review(
        &mut self,
        versions: [&BuiltVersion; 2],
        against: Option<&BuiltVersion>,
        (case, before): (&Case, &TestResult),
    ) -> Result<(), Error> {
        let question = self.question;
        let in_domain = question.domain.is_some();
        let bug = Bug::of(versions[0], case, before, &self.outcomes.statuses(), in_domain)?;
        self.answer.reviewed.failure.clone_from(&bug.how);
        let input = Input::of(case)?;
        self.see_domain(case, &input)?;
        if bug.violation == Violation::Output {
            let text = "the test fails by what it prints or the status that it ends with, and nobody knows what is right for other \
                        inputs: only new failures and the suite count against the fix";
            let help = "an assertion in the program would say what is right for all inputs";
            self.answer.problems.push(Problem::new(text).help(help));
        }
        let started = Instant::now();
        let mut pair = Pair::new(versions, self.fix, (case, &bug), self.outcomes, started + question.limit);
        pair.in_domain = in_domain;
        pair.symptom = Symptom::of(&bug, case, before, self.outcomes);
        let looked = self.look(&pair, &input, started)?;
        self.tell(&pair, looked, started)?;
        if let (Some(laid), Some(name)) = (against, question.against) {
            let task = self.desk.task("comparing the fixes", None);
            let (compared, runs) = comparing::compare(&pair, laid, name, &self.tried, question.limit)?;
            self.answer.reviewed.compared = Some(compared);
            self.answer.runs += runs;
            drop(task);
        }
        Ok(())
    }

    /// Looks for an input that still fails and for what the fix changes besides: on paths first, on inputs that are made then, and where
    /// the fix still stands on paths again.
    fn look(&mut self, pair: &Pair<'_>, input: &Input, started: Instant) -> Result<Looked, Error> {
        let question = self.question;
        let mut shown = self.answer.reviewed.counterexample.as_ref().map(|_| input.clone());
        let seeds = self.outcomes.seeds(self.domain);
        let mut search = match shown {
            Some(_) => None,
            None => Some(self.search(pair, input, &seeds)?),
        };
        let share = |part: f64| started + question.limit.mul_f64(part);
        let more = self.explore(&mut search, share(PATHS_FIRST))?;
        let by_paths = search.as_ref().is_some_and(|search| search.counterexample().is_some());
        let cases: Vec<Case> = self.outcomes.cases().cloned().collect();
        // Where it is known to be bad, little is left to be found out.
        let known_bad = shown.is_some() || by_paths || !self.answer.reviewed.disruptions.is_empty();
        let number = if known_bad { question.inputs / 10 } else { question.inputs };
        let known = search.as_ref().map(Search::inputs).unwrap_or_default();
        let task = self.desk.task("comparing on inputs", None);
        let soon = Instant::now() + question.limit.mul_f64(SMALL);
        let small = if known_bad { None } else { disruption::smallest_bug(pair, self.domain, input, soon) };
        let known = (known, small.as_ref());
        let of_sources = options(pair.places.sources());
        let how_many = (number, question.seed);
        let inputs = disruption::inputs(known, &cases, pair.plain.case, self.domain, &of_sources, how_many);
        let until = share(if more { INPUTS } else { ALONE });
        let mut found = disruption::look(pair, self.domain, &inputs, until)?;
        drop(task);
        let stands = found.counterexample.is_none();
        let asked = if stands && !known_bad { self.asked(pair, &found.changed())? } else { Asked::default() };
        if more && stands {
            let before = search.as_ref().map_or(0, |search| search.inputs().len());
            self.explore(&mut search, share(PATHS))?;
            let new = search.as_ref().and_then(|search| search.inputs().get(before..)).unwrap_or_default();
            let new: Vec<Input> = new.iter().filter(|input| self.domain.holds(input)).cloned().collect();
            found.add(disruption::look(pair, self.domain, &new, pair.deadline)?);
        }
        if let Some(search) = search {
            let coverage = search.finish();
            let coverage = Coverage { cut: coverage.cut && stands, ..coverage };
            shown = self.tell_search(pair, coverage)?;
        }
        Ok(Looked { found, shown, made: inputs.len(), asked })
    }

    /// Tells what was found.
    fn tell(&mut self, pair: &Pair<'_>, looked: Looked, started: Instant) -> Result<(), Error> {
        let question = self.question;
        let Looked { mut found, mut shown, made, asked } = looked;
        if let (None, Some((input, judged))) = (&shown, &found.counterexample) {
            self.answer.reviewed.counterexample = Some(told(pair, input, judged, "inputs", None));
            shown = Some(input.clone());
        }
        let proposed = match question.domain {
            None => self.answer.reviewed.proposed_domain.as_ref().and_then(|text| Domain::parse(text).ok()),
            Some(_) => None,
        };
        let domain = proposed.as_ref().unwrap_or(self.domain);
        let (mut differences, unlike) =
            disruption::differences(pair, &mut found, [domain, self.domain], pair.deadline)?;
        self.answer.runs += 2 * found.tried.len() as u64;
        let clean = shown.is_none() && !self.answer.reviewed.exhausted;
        let used = started.elapsed();
        if clean && found.tried.len() >= made && made >= question.inputs && used < question.limit {
            let (number, used) = (found.tried.len(), used.as_secs());
            let text = format!("{number} inputs were compared in {used} of {} s", question.limit.as_secs());
            self.answer.problems.push(Problem::new(text).help("`--inputs` compares more"));
        }
        let questions = if shown.is_none() { pair.questions(asked) } else { Vec::new() };
        let reviewed = &mut self.answer.reviewed;
        reviewed.inputs = found.tried.len() as u64;
        if question.strict {
            reviewed.disruptions.extend(differences.drain(..unlike));
        }
        reviewed.differences = differences;
        reviewed.questions = questions;
        reviewed.remarks = pair.remarks.borrow_mut().take();
        reviewed.searching = started.elapsed().as_secs_f64();
        if let (Some(counterexample), Some(input)) = (&mut reviewed.counterexample, &shown) {
            counterexample.parts = parting::parting(pair, self.fix, input)?;
        }
        self.tried = found.tried;
        Ok(())
    }

    /// What is asked where nothing stands against the fix: of relations, and of what is next to the test's input.
    fn asked(&mut self, pair: &Pair<'_>, changed: &[Input]) -> Result<Asked, Error> {
        let task = self.desk.task("looking for what to ask", None);
        let bug = Input::of(pair.plain.case)?;
        let until = Instant::now() + self.question.limit.mul_f64(ASKING);
        let mut relations = Relations::new(pair, self.domain, &self.outcomes.passing_inputs(), &bug, until);
        let broken = relations.ask(changed);
        let nearby = match pair.plain.bug.violation {
            Violation::Output if !pair.is_over() => pair.ask_nearby(self.domain, self.outcomes),
            _ => Default::default(),
        };
        self.answer.runs += relations.runs + nearby.1;
        drop(task);
        Ok(Asked { relations: broken, nearby: nearby.0 })
    }

    /// The domain must have the input that shows the bug, and should have the suite's: those the program is for. Without one
    /// they propose one.
    fn see_domain(&mut self, case: &Case, input: &Input) -> Result<(), Error> {
        let Some(path) = self.question.domain else {
            let proposed = Domain::proposed(&self.outcomes.inputs());
            self.answer.reviewed.proposed_domain = Some(proposed).filter(|proposed| !proposed.is_empty());
            return Ok(());
        };
        if !self.domain.holds(input) {
            return Err(ReviewError::DomainLacks { test: case.name.clone(), path: path.to_path_buf() }.into());
        }
        for name in self.outcomes.outside(self.domain) {
            let text = format!("the domain leaves out the input of {name}, which is in the suite");
            self.answer.problems.push(Problem::new(text));
        }
        Ok(())
    }

    /// A search for an input on a path on which the fix does not cover the bug.
    fn search<'b>(
        &self,
        pair: &'b Pair<'b>,
        input: &'b Input,
        seeds: &'b [Input],
    ) -> Result<Search<'b, Pair<'b>>, Error>
    where
        Self: 'b,
    {
        let question = self.question;
        let asked = whydunit_review::Question {
            input,
            seeds,
            domain: self.domain,
            guide: if question.unguided { Guide::Unguided } else { Guide::Distance },
            distance: question.distance,
            runs: question.runs,
        };
        Search::new(pair, asked, pair.deadline)
    }

    /// Goes on with it; whether there is more to look at, and nothing was found.
    fn explore(&self, search: &mut Option<Search<'_, Pair<'_>>>, until: Instant) -> Result<bool, Error> {
        let task = self.desk.task("looking for inputs that still fail", None);
        let more = search.as_mut().map_or(Ok(false), |search| search.explore(until));
        drop(task);
        more
    }

    /// Tells what it has found; the counterexample, if there is one.
    fn tell_search(&mut self, pair: &Pair<'_>, coverage: Coverage) -> Result<Option<Input>, Error> {
        let answer = &mut *self.answer;
        let Coverage {
            counterexample,
            distance,
            by_distance,
            predicate,
            runs,
            questions,
            solving,
            complete,
            exhausted,
            unanswered,
            cut,
            notes,
            ..
        } = coverage;
        answer.questions = questions;
        answer.runs += runs.iter().sum::<u64>();
        let reviewed = &mut answer.reviewed;
        reviewed.distance = distance.map(|distance| distance as u64);
        // Of an output nobody knows on which other paths, and for which other inputs, it is wrong.
        let is_known = pair.plain.bug.violation != Violation::Output;
        let told_distance = |at: whydunit_review::AtDistance| Distance {
            distance: at.distance as u64,
            paths: at.paths,
            feasible: if is_known { at.feasible } else { at.feasible.min(1) },
        };
        reviewed.distances = by_distance.into_iter().map(told_distance).collect();
        (reviewed.predicate, reviewed.followed) = (if is_known { predicate } else { Vec::new() }, runs);
        (reviewed.complete, reviewed.exhausted) = (complete, exhausted);
        reviewed.solving = solving.as_secs_f64();
        if cut {
            answer.problems.push(
                Problem::new("not all paths were looked at: time was up, or there were too many runs")
                    .help("`--time-limit` and `--runs` allow more; a `--domain` leaves out inputs that cannot be"),
            );
        }
        if unanswered > 0 {
            let text = format!("{unanswered} questions were not answered in time, or their answers led elsewhere");
            answer.problems.push(Problem::new(text));
        }
        // Of the library of C++ nobody can say more.
        let notes: Vec<&String> = notes.iter().filter(|note| !note.contains("`_Z")).collect();
        answer.problems.extend(notes.iter().take(NOTES).map(|note| Problem::new(*note)));
        if let Some(more) = notes.len().checked_sub(NOTES).filter(|more| *more > 0) {
            answer.problems.push(Problem::new(format!("{more} more such places")));
        }
        let Some(found) = counterexample else { return Ok(None) };
        let distance = found.distance.map(|distance| distance as u64);
        let recorded = pair.record(Version::Mended, &found.input)?;
        if recorded.is_none() {
            let text = "the run that fails with the fix could not be recorded: it is told as it ran by itself";
            answer.problems.push(Problem::new(text));
        }
        // What fails once must fail again.
        let judged = pair.judged(&found.input, recorded.as_ref().map(|(result, opened)| (result, opened)))?;
        if judged.fails().is_none() {
            return Ok(None);
        }
        reviewed.counterexample = Some(told(pair, &found.input, &judged, "paths", distance));
        Ok(Some(found.input))
    }
}

/// A counterexample as it is told: both versions are run once more.
fn told(pair: &Pair<'_>, input: &Input, judged: &Judged, by: &str, distance: Option<u64>) -> Counterexample {
    let sides = [Version::Broken, Version::Mended].map(|version| pair.plain.result(version, input));
    let [before, after] = sides.map(|side| side.as_ref().map(did).unwrap_or_default());
    Counterexample {
        case: pair.failing_case(input),
        fails: judged.fails().unwrap_or_default().to_string(),
        covered: matches!(judged, Judged::Uncovered(_)),
        by: by.into(),
        distance,
        before,
        after,
        parts: None,
    }
}
