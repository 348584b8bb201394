//! A search as GenProg makes it (Le Goues, Nguyen, Forrest, Weimer, "GenProg: A Generic Method for Automatic Software Repair", TSE 2012):
//! variants of the program whose statements are deleted, doubled elsewhere or replaced by others of the same file, bred by how many
//! tests pass. A baseline: what it finds is confirmed like all other patches.

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use whydunit_findings::{Location, Patch, Replacement};
use whydunit_inputs::Random;
use whydunit_repair::{Edit, edited};

use super::Searching;
use crate::Error;
use crate::repair::Method;
use crate::repair::places::{Body, column};

/// Variants of a generation.
const POPULATION: usize = 40;
/// A test that failed and passes counts so many times one that passed and passes.
const WEIGHT: u64 = 10;
/// Variants that a parent is the best of.
const TOURNAMENT: usize = 3;

/// A variant: edits of statements of one file.
#[derive(Clone, Default)]
struct Variant {
    edits: Vec<Edit>,
    fitness: u64,
}

/// The statements of one file.
struct Statements {
    file: String,
    source: Rc<str>,
    ranges: Vec<Range<usize>>,
    /// How suspicious each is, the first function's most.
    weights: Vec<usize>,
}

impl Statements {
    /// Of the file of the most suspicious function.
    fn of(bodies: &[Body]) -> Option<Self> {
        let first = bodies.first()?;
        let own = bodies.iter().filter(|body| body.file == first.file);
        let (mut ranges, mut weights) = (Vec::new(), Vec::new());
        for (rank, body) in own.enumerate() {
            weights.extend(body.statements.iter().map(|_| (bodies.len() - rank).max(1)));
            ranges.extend(body.statements.iter().cloned());
        }
        (!ranges.is_empty()).then(|| Self { file: first.file.clone(), source: first.source.clone(), ranges, weights })
    }

    /// A statement, the more suspicious the more often.
    fn pick(&self, random: &mut Random) -> usize {
        let mut left = random.below(self.weights.iter().sum());
        for (number, &weight) in self.weights.iter().enumerate() {
            match left.checked_sub(weight) {
                Some(rest) => left = rest,
                None => return number,
            }
        }
        0
    }

    fn mutation(&self, random: &mut Random) -> Edit {
        let at = self.pick(random);
        let other = random.below(self.ranges.len());
        match random.below(3) {
            0 => Edit::Delete(at),
            1 => Edit::Insert { behind: at, of: other },
            _ => Edit::Replace { at, by: other },
        }
    }

    fn text(&self, edits: &[Edit]) -> String {
        edited(&self.source, &self.ranges, edits)
    }
}

impl Searching<'_, '_> {
    /// Breeds variants until the time is up, or enough of them pass all tests.
    pub fn breed(&mut self) -> Result<(), Error> {
        let Some(statements) = Statements::of(&self.places.bodies) else { return Ok(()) };
        let mut random = Random::new(1, &statements.file);
        let mut known = HashMap::new();
        let mut population: Vec<Variant> = Vec::new();
        let all = WEIGHT * self.trial.failing.len() as u64 + self.trial.passing.len() as u64;
        for generation in 0.. {
            let mut next = Vec::new();
            while next.len() < POPULATION {
                let mut edits = match generation {
                    0 => Vec::new(),
                    _ => crossed(&parent(&population, &mut random), &parent(&population, &mut random), &mut random),
                };
                edits.push(statements.mutation(&mut random));
                let fitness = self.fitness(&statements, &edits, &mut known)?;
                self.task.detail(&format!("generation {generation}, {} variants", known.len()));
                if fitness == all {
                    let edits = self.smaller(&statements, edits.clone(), all, &mut known)?;
                    self.found(&statements, &edits)?;
                }
                if self.is_over() {
                    return Ok(());
                }
                next.push(Variant { edits, fitness });
            }
            population.extend(next);
            population.sort_by_key(|variant| std::cmp::Reverse(variant.fitness));
            population.truncate(POPULATION);
        }
        Ok(())
    }

    /// How many tests pass with a variant, weighted; 0 where it does not build.
    fn fitness(
        &mut self,
        statements: &Statements,
        edits: &[Edit],
        known: &mut HashMap<String, u64>,
    ) -> Result<u64, Error> {
        let text = statements.text(edits);
        if let Some(&fitness) = known.get(&text) {
            return Ok(fitness);
        }
        self.answer.repaired.candidates += 1;
        let mut fitness = 0;
        let tree = self.patched(&[(&statements.file, 0..statements.source.len(), &text)]);
        if let Ok(suite) = self.shop.make(&tree)? {
            self.answer.repaired.tried += 1;
            let passed = self.trial.passed(&suite, &mut self.answer.runs);
            let count = |names: &[String]| names.iter().filter(|name| passed.contains(*name)).count() as u64;
            fitness = WEIGHT * count(self.trial.failing) + count(self.trial.passing);
        }
        known.insert(text, fitness);
        Ok(fitness)
    }

    /// The edits without which all tests pass as well left out, one by one.
    fn smaller(
        &mut self,
        statements: &Statements,
        mut edits: Vec<Edit>,
        all: u64,
        known: &mut HashMap<String, u64>,
    ) -> Result<Vec<Edit>, Error> {
        let mut at = 0;
        while at < edits.len() && !self.late() {
            let mut fewer = edits.clone();
            fewer.remove(at);
            if self.fitness(statements, &fewer, known)? == all { edits = fewer } else { at += 1 }
        }
        Ok(edits)
    }

    /// Confirms edits: as one patch, from the first byte that differs to the last.
    fn found(&mut self, statements: &Statements, edits: &[Edit]) -> Result<(), Error> {
        let (old, new) = (&*statements.source, statements.text(edits));
        let same = |(a, b): &(char, char)| a == b;
        let start: usize = old.chars().zip(new.chars()).take_while(same).map(|(a, _)| a.len_utf8()).sum();
        let rest = (old[start..].chars().rev()).zip(new[start..].chars().rev());
        let end: usize = rest.take_while(same).map(|(a, _)| a.len_utf8()).sum();
        let bytes = start..old.len() - end;
        let line = old[..start].matches('\n').count() as u32 + 1;
        self.confirmed(Patch {
            origin: Method::Genprog.name().into(),
            replaced: Replacement {
                location: Location {
                    file: statements.file.clone(),
                    line,
                    column: column(old, start),
                    ..Location::default()
                },
                before: old[bytes.clone()].into(),
                after: new[start..new.len() - end].into(),
                bytes,
                ..Replacement::default()
            },
            ..Patch::default()
        })?;
        Ok(())
    }
}

/// The best of some.
fn parent(population: &[Variant], random: &mut Random) -> Variant {
    let some = (0..TOURNAMENT).filter_map(|_| random.pick(population));
    some.max_by_key(|variant| variant.fitness).cloned().unwrap_or_default()
}

/// The first edits of one and the last of the other.
fn crossed(one: &Variant, other: &Variant, random: &mut Random) -> Vec<Edit> {
    let (upto, from) = (random.below(one.edits.len() + 1), random.below(other.edits.len() + 1));
    one.edits[..upto].iter().chain(&other.edits[from..]).copied().collect()
}
