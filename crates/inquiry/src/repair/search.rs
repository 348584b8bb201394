//! The search: candidates of some places at a time are run, and what passes is built by itself.

mod evidence;
mod explaining;
mod genetic;
mod pairs;
mod promising;
mod synthesis;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use whydunit_changes::{Changes, Tree};
use whydunit_findings::{Differing, Grade, Location, Patch, Problem, RepairPhases, Replacement};
use whydunit_repair::{Candidates, Expression, Role};
use whydunit_suite::Suite;
use whydunit_variants::{Workshop, complaint};

use super::asked_place::AskedPlace;
use super::checking::Checking;
use super::differing::Inputs;
use super::pachika::Edit;
use super::places::{Place, Places};
use super::program::{Chosen, Program};
use super::surveyed::Surveyed;
use super::trial::Trial;
use super::{Answer, Method, Question, patched};
use crate::Error;
use explaining::Made;
use promising::Promising;
use synthesis::Asked;
use whydunit_desk::Cancel;
use whydunit_desk::Recorder;
use whydunit_desk::Task;

/// So many patches that are wrong are told of in notes.
const REFUTED: usize = 5;
/// Looking for more patches takes as long as the first took, and a bit, and at most this part of the time that is left then: the rest is for
/// building them by themselves.
const LEAST_MORE: Duration = Duration::from_secs(4);
const MOST_MORE: u32 = 3;
/// So many times the patches that are wanted are built by themselves.
pub const SPARE: usize = 3;
/// Places that are compiled into one program.
const TOGETHER: usize = 8;
/// As many where what they include takes most of the time: where the first ones took so many seconds to be built.
const MANY: usize = 24;
const SLOW: f64 = 4.0;
/// So often some places are looked at until the first ones are looked at more closely.
const EARLY: usize = 2;
/// So many candidates of each place, the closest to what stands there, are tried at all places before others.
const CLOSEST: usize = 120;
/// This part of the time is kept for values of two places together.
const JOINTLY: u32 = 6;
/// Behind them those that are at most so far from what stands there before the rest: a comparison joined to a condition.
const CLOSE: u32 = 8;

/// What is kept for later, some places at a time.
#[derive(Default)]
struct Later<'a> {
    /// What is not among the closest.
    close: Vec<Vec<(usize, Candidates)>>,
    /// So many of these were looked at, and tests asked about their places.
    asked: usize,
    /// Of these what is far from what stands there.
    last: Vec<Vec<(usize, Candidates)>>,
    /// What tests demand.
    open: Vec<AskedPlace<'a>>,
}

/// The search under way.
pub struct Searching<'a, 's> {
    pub question: &'a Question<'a>,
    pub deadline: Instant,
    pub cancel: &'a Cancel,
    /// Two places at once are tried as well.
    pub twice: bool,
    /// Changes that anomalies suggest, or locating.
    pub edits: &'a [Edit],
    pub tree: &'a Tree,
    pub places: &'a Places,
    pub trial: &'a Trial<'a>,
    /// Builds versions.
    pub shop: &'a mut Workshop<'s>,
    /// Builds versions that are recorded.
    pub recorder: &'a mut Recorder<'s>,
    pub checking: &'a mut Checking<'s>,
    /// New inputs, and what patches do with them; none before the first patch.
    pub inputs: Option<Inputs>,
    /// Passing tests that depend on a place, by its number, up to as many as are enough.
    pub deciding: BTreeMap<usize, u64>,
    /// What expressions at places replace.
    pub made: Vec<Made>,
    /// The file of surveys.
    pub table: PathBuf,
    pub task: Task,
    pub answer: &'a mut Answer,
}

impl<'a> Searching<'a, '_> {
    pub fn late(&self) -> bool {
        self.cancel.is_cancelled() || Instant::now() >= self.deadline
    }

    /// What took how long.
    pub fn phases(&mut self) -> &mut RepairPhases {
        &mut self.answer.repaired.phases
    }

    pub fn add_problem(&mut self, problem: Problem) {
        if !self.answer.problems.contains(&problem) {
            self.answer.problems.push(problem);
        }
    }

    /// How many patches there are of which nothing wrong is known.
    pub fn standing(&self) -> usize {
        self.answer.repaired.patches.iter().filter(|patch| patch.stands()).count()
    }

    /// How many of them are more than a guess among others that pass as well.
    fn convincing(&self) -> usize {
        let patches = self.answer.repaired.patches.iter().filter(|patch| patch.stands());
        patches.filter(|patch| patch.graded() > Grade::Display).count()
    }

    /// There are as many patches as are wanted, or no time for others.
    pub fn is_over(&self) -> bool {
        self.late() || self.convincing() >= self.question.patches
    }

    /// There is a patch, or no time for others.
    fn is_done(&self) -> bool {
        self.standing() > 0 || self.is_over()
    }

    /// Leaves out what was not asked for.
    fn cut(&mut self) {
        let mut left = self.question.patches;
        self.answer.repaired.patches.retain(|patch| {
            let keeps = patch.refuted.is_some() || left > 0;
            left -= usize::from(patch.refuted.is_none() && left > 0);
            keeps
        });
    }

    /// Searches by the method that is asked for.
    pub fn run(&mut self) -> Result<(), Error> {
        let searched = match self.question.method {
            Method::Genprog => self.breed(),
            Method::Pachika => self.mend(),
            _ => self.rounds(),
        };
        match searched {
            // What is known by then is an answer.
            Err(error) if self.cancel.is_cancelled() && error.is_cut_short() => {}
            searched => searched?,
        }
        self.reason()?;
        self.weigh()?;
        self.answer.builds = self.shop.counts.builds;
        self.answer.late = self.late() && self.standing() < self.question.patches;
        self.answer.repaired.patches.sort_by_key(|patch| std::cmp::Reverse((patch.refuted.is_none(), patch.grade)));
        self.cut();
        self.tell_apart();
        if self.question.explain {
            let explained = self.explain();
            self.answer.builds = self.shop.counts.builds;
            explained?;
        }
        Ok(())
    }

    /// The number of the place at which something is replaced.
    fn place_of(&self, replaced: &Replacement) -> Option<usize> {
        // What leaves early stands before its statement.
        let at = |place: &Place| match place.site.role {
            Role::Left => place.site.range.start..place.site.range.start,
            _ => place.site.range.clone(),
        };
        let is = |place: &Place| place.file == replaced.location.file && at(place) == replaced.bytes;
        self.places.list.iter().position(is)
    }

    /// Gives patches what failing tests demand of their expressions.
    fn reason(&mut self) -> Result<(), Error> {
        // What is demanded of one place, where the others stay as they are, says nothing of several.
        let place_of = |patch: &Patch| self.place_of(&patch.replaced).filter(|_| patch.also.is_empty());
        let patches: Vec<Option<usize>> = self.answer.repaired.patches.iter().map(place_of).collect();
        let some: BTreeSet<usize> = patches.iter().flatten().copied().collect();
        if some.is_empty() || self.late() || matches!(self.question.method, Method::Genprog | Method::Pachika) {
            return Ok(());
        }
        let started = Instant::now();
        let demanded = self.demanded(&Vec::from_iter(some));
        self.phases().ask += started.elapsed().as_secs_f64();
        let demanded = match demanded {
            // What does not build with our functions in it has its patches all the same.
            Err(error) if error.is_of_build() => Vec::new(),
            demanded => demanded?,
        };
        for (patch, place) in self.answer.repaired.patches.iter_mut().zip(patches) {
            let of = demanded.iter().find(|(number, _)| Some(*number) == place);
            patch.demands = of.map(|(_, demands)| demands.clone()).unwrap_or_default();
        }
        Ok(())
    }

    /// Gives each patch an input on which it differs from the first, and the first one on which it differs from the second.
    fn tell_apart(&mut self) {
        let Some(inputs) = &self.inputs else { return };
        let diffs: Vec<String> = self.answer.repaired.patches.iter().map(|patch| patch.diff.clone()).collect();
        for (number, patch) in self.answer.repaired.patches.iter_mut().enumerate() {
            let other = usize::from(number == 0);
            let differing = diffs.get(other).and_then(|diff| inputs.differing(&patch.diff, diff));
            patch.differing = differing.map(|differing| Differing { other: other + 1, ..differing });
        }
    }

    /// Some places at a time, the most suspicious first: what is closest to what stands there is tried. Where none of that was found
    /// at all places, tests are asked which values would do, and others are tried where some would, those first that have such
    /// values (at the most suspicious places before the least suspicious ones are looked at); then two places at once, what is far
    /// from what stands there, and at last expressions that are made of components.
    fn rounds(&mut self) -> Result<(), Error> {
        let method = self.question.method;
        let numbers: Vec<usize> = (0..self.places.list.len()).collect();
        let (some, others) = numbers.split_at(TOGETHER.min(numbers.len()));
        let mut rounds: Vec<&[usize]> = Some(some).filter(|some| !some.is_empty()).into_iter().collect();
        let mut later = Later::default();
        // Where the most suspicious line is that of a number outside of functions, it is mended there.
        let at_first = self.edits.first().zip(self.places.lines.first());
        let is_first = |(edit, line): (&Edit, &Location)| {
            (&edit.replaced.location.file, edit.replaced.location.line) == (&line.file, line.line)
        };
        let outside = at_first.is_some_and(is_first) || rounds.is_empty();
        if outside && method != Method::Synthesis {
            self.mend()?;
        }
        if method != Method::Synthesis {
            let promising = self.closest_of_all(&mut rounds, others, outside, &mut later)?;
            self.confirm_best(promising)?;
        }
        if rounds.len() < 2 {
            rounds.extend(others.chunks(TOGETHER));
        }
        while let Some(some) = rounds.get(later.asked) {
            if self.is_done() {
                return Ok(());
            }
            self.closely(some, &mut later)?;
        }
        // Two small changes come before one that is far from what stands there.
        let mut together = Vec::new();
        if self.twice && self.trial.failing.len() > 1 && !self.is_done() {
            together = self.together()?;
            self.beside_others(together.clone())?;
        }
        let end = self.deadline;
        if self.twice {
            self.deadline = end - self.question.limit / JOINTLY;
        }
        for candidates in later.last {
            if !self.is_done() {
                self.enumerate(candidates, &later.open)?;
            }
        }
        if !self.is_done() {
            self.synthesise(later.open)?;
        }
        self.deadline = end;
        if self.twice && !self.is_done() {
            let together = if together.is_empty() { self.together()? } else { together };
            self.jointly(together)?;
        }
        Ok(())
    }

    /// Tries what is closest to what stands at the first places, then at others, and gives that with which all tests pass: others than the
    /// first are worth some time, but no wait. Adds the rounds in which the others are looked at.
    fn closest_of_all<'n>(
        &mut self,
        rounds: &mut Vec<&'n [usize]>,
        others: &'n [usize],
        outside: bool,
        later: &mut Later<'a>,
    ) -> Result<Vec<Promising>, Error> {
        let (started, mut until) = (Instant::now(), None);
        let mut promising = Vec::new();
        let mut number = 0;
        while let Some(&some) = rounds.get(number) {
            if until.is_some_and(|until| Instant::now() > until) || self.is_over() {
                break;
            }
            promising.extend(self.closest(some, later)?);
            if number == 0 {
                let is_slow = self.phases().build > SLOW;
                rounds.extend(others.chunks(if is_slow { MANY } else { TOGETHER }));
            }
            if number == 0 && !outside && self.standing() == 0 && !promising.iter().any(Promising::is_close) {
                self.mend()?;
            }
            if promising.is_empty() && number + 1 == EARLY && self.standing() == 0 {
                self.closely(rounds[0], later)?;
            }
            if !promising.is_empty() || self.standing() > 0 {
                let now = Instant::now();
                let left = self.deadline.saturating_duration_since(now);
                until.get_or_insert(now + (started.elapsed() + LEAST_MORE).min(left / MOST_MORE));
            }
            number += 1;
        }
        Ok(promising)
    }

    /// Tries what is closest to what stands at some places, and gives that with which all tests pass.
    fn closest(&mut self, some: &[usize], later: &mut Later<'a>) -> Result<Vec<Promising>, Error> {
        let mut candidates = self.candidates(some)?;
        // What is left early, and what is added, is never close, but where a block has nothing in it.
        let is_far = |place: usize| {
            let Place { site, source, .. } = &self.places.list[place];
            matches!(site.role, Role::Left | Role::Added) && !site.fills_a_block(source)
        };
        let most = |place: usize| if is_far(place) { 0 } else { CLOSEST };
        let rest = candidates.iter_mut().map(|(place, list)| (*place, list.split_off(most(*place))));
        later.close.push(rest.collect());
        self.promising(candidates, &[])
    }

    /// Asks tests about the next places, and tries what is close to what stands there.
    fn closely(&mut self, some: &[usize], later: &mut Later<'a>) -> Result<(), Error> {
        let asked = if self.question.method == Method::Enumeration { Asked::default() } else { self.asked(some)? };
        let candidates = later.close.get_mut(later.asked).map(std::mem::take);
        later.asked += 1;
        if let Some(mut candidates) = candidates {
            candidates.retain(|(place, _)| !asked.hopeless.contains(place));
            let rest = candidates.iter_mut().map(|(place, list)| (*place, list.split_off(list.within(CLOSE))));
            later.last.push(rest.collect());
            self.enumerate(candidates, &asked.open)?;
        }
        later.open.extend(asked.open);
        Ok(())
    }

    /// What tests demand of some places.
    fn asked(&mut self, some: &[usize]) -> Result<Asked<'a>, Error> {
        let started = Instant::now();
        let asked = self.ask(some);
        self.phases().ask += started.elapsed().as_secs_f64();
        match asked {
            // What does not build with our functions in it is tried without them.
            Err(error) if error.is_of_build() => {
                let said = error.line();
                let line = complaint(&said).unwrap_or(&said);
                self.add_problem(Problem::new(format!("tests are not asked about some expressions: {line}")));
                Ok(Asked::default())
            }
            asked => asked,
        }
    }

    /// What could stand at some places, made of what stands there, and of numbers that values of variables suggest.
    pub fn candidates(&mut self, some: &[usize]) -> Result<Vec<(usize, Candidates)>, Error> {
        if some.is_empty() {
            return Ok(Vec::new());
        }
        let (more, places) = (self.answer.repaired.candidates, self.places);
        self.task.detail(&format!("{more} candidates so far, looking at variables"));
        let probes = some.iter().map(|&number| (number, Candidates::probes(&places.list[number].site))).collect();
        let Some(program) = self.program(probes)? else { return Ok(Vec::new()) };
        let numbers = self.survey(&program)?.numbers(&program);
        let of = |(&number, numbers): (&usize, &Vec<i64>)| (number, Candidates::of(&places.list[number].site, numbers));
        let mut candidates: Vec<(usize, Candidates)> = numbers.iter().map(of).collect();
        candidates.sort_by_key(|(place, _)| *place);
        self.answer.repaired.candidates += candidates.iter().map(|(_, of)| of.list.len() as u64).sum::<u64>();
        Ok(candidates)
    }

    /// How many patches pass all tests, and something is known to be wrong with them.
    fn refuted(&self) -> usize {
        self.answer.repaired.patches.iter().filter(|known| known.refuted.is_some()).count()
    }

    /// The first candidates of a program with which the tests pass, `most` at most, in the order in which they are run.
    fn passing(&mut self, program: &Program, order: &[Chosen], most: usize) -> Vec<Chosen> {
        let progress = |done: usize, found: usize| {
            self.task.detail(&format!("{done} of {} candidates run, {found} pass", order.len()));
        };
        let (deadline, cancel) = (self.deadline, self.cancel);
        let late = || cancel.is_cancelled() || Instant::now() >= deadline;
        let started = Instant::now();
        let passing = self.trial.passing(program, order, most, &late, &progress);
        self.phases().run += started.elapsed().as_secs_f64();
        self.answer.runs += passing.runs;
        self.answer.repaired.tried += passing.tried;
        passing.found
    }

    /// Evaluates all candidates in runs of tests.
    pub fn survey(&mut self, program: &Program) -> Result<Surveyed, Error> {
        let started = Instant::now();
        let (deadline, cancel) = (self.deadline, self.cancel);
        let late = || cancel.is_cancelled() || Instant::now() >= deadline;
        let surveyed = self.trial.survey(program, &late, &mut self.answer.runs);
        self.phases().survey += started.elapsed().as_secs_f64();
        surveyed
    }

    /// The program with candidates in it; none, and why, where it cannot be built.
    pub fn program(&mut self, candidates: Vec<(usize, Candidates)>) -> Result<Option<Program>, Error> {
        let started = Instant::now();
        let made = Program::make(self.shop, self.tree, self.places, candidates, &self.table);
        self.phases().build += started.elapsed().as_secs_f64();
        let (problems, program) = match made? {
            Ok(mut program) => (std::mem::take(&mut program.problems), Some(program)),
            Err(problem) => (vec![problem], None),
        };
        problems.into_iter().for_each(|problem| self.add_problem(problem));
        Ok(program)
    }

    /// Builds expressions at their places by themselves, and runs the whole suite on it; whether the patch stands. So many other
    /// changes that are as small are known to pass.
    pub fn confirm(&mut self, changes: &[(usize, &Expression)], origin: Method, rivals: u64) -> Result<bool, Error> {
        let replaced = changes.iter().map(|(place, expression)| self.places.list[*place].replaced(expression));
        let replaced: Vec<Replacement> = replaced.collect();
        let Some((first, also)) = replaced.split_first() else { return Ok(false) };
        let (first, also) = (first.clone(), also.to_vec());
        self.made.push(Made::of(replaced, changes));
        self.confirmed(Patch { origin: origin.name().into(), replaced: first, also, rivals, ..Patch::default() })
    }

    /// Builds a version, and runs the whole suite on it; its suite where all tests pass, else one that does not, if it could be built.
    fn tested(&mut self, version: &Tree) -> Result<Result<Suite, Option<String>>, Error> {
        let Ok(suite) = self.shop.make(version)? else { return Ok(Err(None)) };
        let broken = self.trial.broken(&suite, &mut self.answer.runs).map(String::from);
        Ok(broken.map_or(Ok(suite), |name| Err(Some(name))))
    }

    /// Builds a patch by itself, runs the whole suite on it, and keeps it as a diff with what was found; whether it stands.
    pub fn confirmed(&mut self, mut patch: Patch) -> Result<bool, Error> {
        let started = Instant::now();
        let replaced: Vec<(&str, Range<usize>, &str)> =
            patch.replacements().map(|one| (&*one.location.file, one.bytes.clone(), &*one.after)).collect();
        let tree = self.patched(&replaced);
        let changes = Changes::between(self.tree.clone(), tree.clone(), &|_| false);
        let all: Vec<usize> = (0..changes.list.len()).collect();
        patch.diff_bytes = changes.patch(&all);
        patch.diff = String::from_utf8_lossy(&patch.diff_bytes).into_owned();
        let suite = match self.tested(&tree)? {
            Ok(suite) => suite,
            Err(broken) => {
                self.phases().confirm += started.elapsed().as_secs_f64();
                if !self.late() {
                    let text = match broken.filter(|name| self.trial.examples.iter().any(|example| example == name)) {
                        Some(name) => format!("with `{}` tests pass, but not `{name}`", patch.replaced.after),
                        None => format!(
                            "with `{}` tests pass beside other candidates, but not by itself",
                            patch.replaced.after
                        ),
                    };
                    self.add_problem(Problem::new(text).at(patch.replaced.location.clone()));
                }
                return Ok(false);
            }
        };
        patch.grade = Grade::Plausible;
        if !self.is_new(&mut patch, &suite)? && self.question.patches > 1 {
            self.phases().confirm += started.elapsed().as_secs_f64();
            self.answer.repaired.alike += 1;
            return Ok(false);
        }
        if patch.stands() {
            let checked = self.checking.look(self.tree, &tree, self.deadline)?;
            self.answer.runs += checked.runs;
            patch.unchecked.extend(checked.unchecked);
            if let (Some(inputs), Some(input)) = (&mut self.inputs, checked.input) {
                inputs.add_counterexample(input);
            }
            patch.refuted = checked.wrong;
        }
        if let (Some(inputs), true) = (&mut self.inputs, patch.refuted.is_some()) {
            inputs.refute(&patch.diff);
        }
        let told = self.refuted();
        if let Some(wrong) = patch.refuted.as_ref().filter(|_| told < REFUTED) {
            let text = format!("with `{}` all tests pass, but {wrong}", patch.replaced.after);
            self.answer.problems.push(Problem::new(text).at(patch.replaced.location.clone()));
        }
        self.phases().confirm += started.elapsed().as_secs_f64();
        let stands = patch.stands();
        // Tests that were cut short say nothing.
        if !self.cancel.is_cancelled() && self.answer.repaired.patches.iter().all(|known| known.diff != patch.diff) {
            self.answer.repaired.patches.push(patch);
        }
        Ok(stands)
    }

    /// Whether a patch, built, does with some new input what no other one does; where the program dies with it on one, and does not
    /// without it, or died so with a patch before, the patch is refuted.
    fn is_new(&mut self, patch: &mut Patch, suite: &Suite) -> Result<bool, Error> {
        let inputs = self.inputs.get_or_insert_with(|| Inputs::of(suite));
        let is_new = inputs.is_new(&patch.diff, suite, self.trial, &mut self.answer.runs);
        if is_new || self.question.patches == 1 {
            if inputs.needs_before()
                && let Ok(suite) = self.shop.make(self.tree)?
            {
                inputs.add_before(&suite, self.trial, &mut self.answer.runs);
            }
            let new_death = inputs.new_death().map(|case| format!("the program dies where it did not: {case}"));
            patch.refuted = new_death.or_else(|| inputs.known_death(suite, self.trial, &mut self.answer.runs));
        }
        Ok(is_new)
    }

    /// The project with something else in the place of some bytes of files, which do not overlap.
    pub fn patched(&self, replaced: &[(&str, Range<usize>, &str)]) -> Tree {
        let mut tree = self.tree.clone();
        let mut replaced = replaced.to_vec();
        replaced.sort_by_key(|(_, bytes, _)| std::cmp::Reverse((bytes.start, bytes.end)));
        for (name, bytes, text) in replaced {
            let text = self.places.written(name, text);
            if let Some(file) = tree.files.get_mut(name) {
                file.bytes = patched(&file.bytes, bytes, &text).into();
            }
        }
        tree
    }
}
