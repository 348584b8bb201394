//! What tests show of patches: the values of what they replace in runs of the program as it is, and those of what replaces it.

use whydunit_findings::{Otherwise, Patch, PatchEvidence, Problem, Replacement, ValuesSeen};
use whydunit_repair::{Candidate, Candidates, Class, Entry, Expression, Role};

use super::Searching;
use crate::Error;
use crate::repair::program::{Program, Rewritten};
use crate::repair::surveyed::Surveyed;

/// Expressions that were put at places, and what that replaced.
#[derive(Clone)]
pub struct Made {
    replaced: Vec<Replacement>,
    changes: Vec<(usize, Expression)>,
}

impl Made {
    /// Of changes, which replace these.
    pub fn of(replaced: Vec<Replacement>, changes: &[(usize, &Expression)]) -> Self {
        let changes = changes.iter().map(|(place, expression)| (*place, (*expression).clone())).collect();
        Self { replaced, changes }
    }

    /// Whether a patch is made of it.
    fn is_of(&self, patch: &Patch) -> bool {
        patch.replacements().eq(&self.replaced)
    }
}

impl Searching<'_, '_> {
    /// Gives the patches that stand what tests show of them: all of their expressions are built into one program and evaluated in
    /// the failing tests and in some that pass. Those that are no expressions, or that do not build so, have nothing.
    pub fn explain(&mut self) -> Result<(), Error> {
        let mut patches = std::mem::take(&mut self.answer.repaired.patches);
        let made = |patch: &Patch| self.made.iter().find(|made| made.is_of(patch)).map(|made| made.changes.clone());
        let changes: Vec<_> =
            patches.iter().map(|patch| made(patch).filter(|_| patch.stands()).unwrap_or_default()).collect();
        let mut candidates: Vec<(usize, Candidates)> = Vec::new();
        for (place, expression) in changes.iter().flatten() {
            let candidate = Candidate { expression: expression.clone(), level: 0, cost: 0 };
            match candidates.iter_mut().find(|(known, _)| known == place) {
                Some((_, known)) if known.list.contains(&candidate) => {}
                Some((_, known)) => known.list.push(candidate),
                None => candidates.push((*place, Candidates { list: vec![candidate], ..Candidates::default() })),
            }
        }
        candidates.sort_by_key(|(place, _)| *place);
        self.task.detail("evaluating patches beside what they replace");
        let evaluated = if candidates.is_empty() { Ok(None) } else { self.evaluated(candidates) };
        if let Ok(Some((program, surveyed))) = &evaluated {
            for (patch, changes) in patches.iter_mut().zip(&changes) {
                patch.evidence = self.evidence(program, surveyed, changes);
            }
        }
        self.answer.repaired.patches = patches;
        evaluated.map(drop)
    }

    /// A program with these candidates, and what they come to in tests; `None` where it does not build, and where time is up before
    /// all of these tests were run, which is noted: half of a survey looks as if tests did not come there.
    fn evaluated(&mut self, candidates: Vec<(usize, Candidates)>) -> Result<Option<(Program, Surveyed)>, Error> {
        let mut evaluated = None;
        if !self.late()
            && let Some(program) = self.program(candidates)?
        {
            let surveyed = self.survey(&program)?;
            evaluated = Some((program, surveyed));
        }
        if self.late() {
            self.add_problem(Problem::new("time was up before it was known what tests show of the patches"));
            return Ok(None);
        }
        Ok(evaluated)
    }

    /// What a survey shows of expressions at some places, which together are a patch; `None` where one of them is not in the program.
    fn evidence(
        &self,
        program: &Program,
        surveyed: &Surveyed,
        changes: &[(usize, Expression)],
    ) -> Option<PatchEvidence> {
        let passing = surveyed.passing.len() as u64;
        let mut evidence = PatchEvidence { has_values: true, passing, ..PatchEvidence::default() };
        let mut chosen = Vec::new();
        for (place, expression) in changes {
            let site = program.sites.iter().find(|site| site.place == *place)?;
            let number = site.candidates.list.iter().position(|candidate| candidate.expression == *expression)?;
            chosen.push((site, number));
        }
        if chosen.is_empty() {
            return None;
        }
        for (test, entries) in self.trial.failing.iter().zip(&surveyed.failing) {
            let seen = chosen.iter().enumerate().filter_map(|(at, one)| self.seen(*one, at, test, entries));
            evidence.failing.extend(seen);
        }
        for (test, entries) in self.trial.passing.iter().zip(&surveyed.passing) {
            evidence.reaching += u64::from(chosen.iter().any(|(site, _)| entries[site.slot.base].count > 0));
            let seen = chosen.iter().enumerate().filter_map(|(at, one)| self.seen(*one, at, test, entries));
            let seen: Vec<ValuesSeen> = seen.collect();
            evidence.has_values &= seen.iter().all(|seen| seen.known);
            evidence.otherwise.extend(seen.into_iter().find(|seen| seen.first.is_some() || seen.later));
        }
        Some(evidence)
    }

    /// What a test shows of one replacement; `None` where its run does not come there.
    fn seen(
        &self,
        (site, number): (&Rewritten, usize),
        replacement: usize,
        test: &str,
        entries: &[Entry],
    ) -> Option<ValuesSeen> {
        let (own, other) = (&entries[site.slot.base], &entries[site.slot.base + 1 + number]);
        if own.count == 0 {
            return None;
        }
        let expression = &self.places.list[site.place].site.expression;
        let classes = (expression.class(), site.candidates.list[number].expression.class());
        let pairs = own.values.iter().zip(&other.values);
        let known = !other.skipped && other.count == own.count;
        let first = pairs.enumerate().find(|(_, (own, other))| known && own != other);
        let first = first.map(|(at, (own, other))| {
            let otherwise = match site.role {
                Role::Guarded => Otherwise::LeftOut,
                Role::Left => Otherwise::Leaves,
                _ => told(classes, *own, *other),
            };
            (at as u64 + 1, otherwise)
        });
        let later = known && first.is_none() && own.hash != other.hash;
        Some(ValuesSeen { replacement, test: test.to_owned(), times: own.count, first, later, known })
    }
}

/// Two values that differ, as text.
fn told((own, other): (Class, Class), before: i64, after: i64) -> Otherwise {
    let (before, mut after) = (value(own, before), value(other, after));
    if before == after {
        after = format!("another {after}");
    }
    Otherwise::Value { before, after }
}

/// A value as text; of a pointer whether it is one.
fn value(class: Class, value: i64) -> String {
    match class {
        Class::Bool => (value != 0).to_string(),
        Class::Float => f64::from_bits(value.cast_unsigned()).to_string(),
        Class::Pointer(_) if value == 0 => "null".to_owned(),
        Class::Pointer(_) => "pointer".to_owned(),
        Class::Char => match u32::try_from(value).ok().and_then(char::from_u32) {
            Some(character) if !character.is_control() => format!("{character:?}"),
            _ => value.to_string(),
        },
        Class::Sized(width) if !width.signed => value.cast_unsigned().to_string(),
        _ => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_told_by_their_kind() {
        let values = |before: &str, after: &str| Otherwise::Value { before: before.into(), after: after.into() };
        assert_eq!(told((Class::Int, Class::Int), 3, -1), values("3", "-1"));
        assert_eq!(told((Class::Bool, Class::Bool), 0, 1), values("false", "true"));
        assert_eq!(value(Class::Float, 1.5f64.to_bits().cast_signed()), "1.5");
        assert_eq!((value(Class::Char, 65), value(Class::Char, 10)), ("'A'".into(), "10".into()));
        assert_eq!(told((Class::Pointer(1), Class::Pointer(1)), 16, 0), values("pointer", "null"));
        assert_eq!(told((Class::Pointer(1), Class::Pointer(1)), 16, 32), values("pointer", "another pointer"));
    }
}
