//! Candidates with which all tests pass: which of them are built by themselves first.

use whydunit_findings::ENOUGH;
use whydunit_repair::{Candidate, Candidates, Expression};

use super::{SPARE, Searching};
use crate::Error;
use crate::repair::Method;
use crate::repair::asked_place::AskedPlace;

/// As many candidates are looked for that pass.
const RIVALS: usize = 40;

/// A candidate with which all tests pass, beside all others in one program.
pub struct Promising {
    /// Number of its place.
    place: usize,
    candidate: Candidate,
    /// How far it is from what stands there, and how odd what it came to.
    far: u32,
    /// So many other changes that are as small pass all tests, too.
    rivals: u64,
    /// Others that came to the same, the closest first: one of them may be right where it turns out to be wrong.
    mates: Vec<Expression>,
}

impl Promising {
    /// Whether it is the least change of what stands there.
    pub fn is_close(&self) -> bool {
        self.far <= 1
    }
}

impl Searching<'_, '_> {
    /// Tries what could stand at some places.
    pub fn enumerate(&mut self, candidates: Vec<(usize, Candidates)>, open: &[AskedPlace<'_>]) -> Result<(), Error> {
        let promising = self.promising(candidates, open)?;
        self.confirm_best(promising)
    }

    /// What could stand at some places with all tests passing, and what the suite says of it.
    pub fn promising(
        &mut self,
        candidates: Vec<(usize, Candidates)>,
        open: &[AskedPlace<'_>],
    ) -> Result<Vec<Promising>, Error> {
        if candidates.iter().all(|(_, of)| of.list.is_empty()) {
            return Ok(Vec::new());
        }
        self.task.detail("building with candidates");
        let Some(program) = self.program(candidates)? else { return Ok(Vec::new()) };
        self.task.detail("surveying");
        let surveyed = self.survey(&program)?;
        let order = surveyed.order(&program, open, true);
        // Some of them may not stand when they are built by themselves; how many there are says how much the first is worth.
        let wanted = self.wanted();
        let found = self.passing(&program, &order, RIVALS.max(wanted));
        // Before any is built by itself: that is laid over this program.
        self.task.detail("weighing");
        let mut promising = Vec::new();
        for &one in found.iter().take(wanted) {
            self.count_deciding(&program, &surveyed, one.0);
            let mates = self.mates(&program, &surveyed, &found[..wanted.min(found.len())], one);
            let expression = |(site, number)| program.candidate(site, number).expression.clone();
            promising.push(Promising {
                place: program.place(one.0),
                candidate: program.candidate(one.0, one.1).clone(),
                far: program.candidate(one.0, one.1).cost + surveyed.oddity(&program.sites[one.0], one.1),
                rivals: self.rivals(&program, &surveyed, &found, one),
                mates: mates.into_iter().map(expression).collect(),
            });
        }
        Ok(promising)
    }

    /// Builds by themselves those that are most likely meant, until there are as many patches as are wanted.
    pub fn confirm_best(&mut self, mut promising: Vec<Promising>) -> Result<(), Error> {
        promising.sort_by_key(|one| self.doubt(one));
        self.add_rivals(&mut promising);
        promising.truncate(self.wanted());
        self.task.detail("confirming");
        for Promising { place, candidate, rivals, mates, .. } in promising {
            let refuted = self.refuted();
            // What came to the same as a patch that is wrong may be right. Those before it pass all tests, too.
            let all = (rivals..).zip(std::iter::once(candidate.expression).chain(mates));
            for (rivals, expression) in all {
                if self.is_over() {
                    return Ok(());
                }
                let stands = self.confirm(&[(place, &expression)], Method::Enumeration, rivals)?;
                if stands || self.refuted() == refuted {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Counts those at other places that no less speaks for, too: the suite does not choose between them either.
    fn add_rivals(&self, promising: &mut [Promising]) {
        let written: Vec<_> =
            promising.iter().map(|one| self.written_with(one.place, &one.candidate.expression)).collect();
        let doubts: Vec<_> = promising.iter().map(|one| (one.place, self.doubt(one))).collect();
        for (number, one) in promising.iter_mut().enumerate() {
            let is_rival = |other: &usize| {
                let ((place, doubt), (own, least)) = (doubts[*other], doubts[number]);
                place != own && (doubt.0, doubt.1) <= (least.0, least.1) && written[*other] != written[number]
            };
            one.rivals += (0..doubts.len()).filter(is_rival).count() as u64;
        }
    }

    fn wanted(&self) -> usize {
        SPARE * self.question.patches.saturating_sub(self.convincing()).max(1)
    }

    /// What speaks against a candidate, the most telling first: it is far from what stands there, and few passing tests depend on its
    /// place, so that nearly anything could stand there.
    fn doubt(&self, one: &Promising) -> (bool, u32, u64) {
        let deciding = self.deciding.get(&one.place).copied().unwrap_or_default();
        let (rare, ..) = one.candidate.order();
        (rare, one.far + u32::from(deciding == 0), ENOUGH.saturating_sub(deciding))
    }
}
