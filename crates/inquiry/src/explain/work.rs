//! Sets of changes, tested: versions built in a folder of ours, with progress.

use std::collections::{HashMap, HashSet};

use whydunit_changes::{Changes, Tree};
use whydunit_delta::{Outcome, Set, Test, culprits, narrow, shrink_grouped, union, without};
use whydunit_explain::Dynamic;
use whydunit_replay::Position;
use whydunit_variants::{Counts, Subject, Tried, Verdict, Workshop};

use super::error::ExplainError;
use super::needs::Needs;
use super::so_far::{Kept, SoFar};
use super::subject::Bad;
use super::syntax::Syntax;
use super::touching::Touching;
use super::{Question, Versions, blame};
use crate::Error;
use whydunit_desk::Desk;
use whydunit_desk::Task;

/// So often messages lead to more changes that are reverted.
const ROUNDS: usize = 12;
/// The same where messages are to lead to a little more only, and to so many more changes.
const LITTLE: (usize, usize) = (4, 8);
/// More than this reverted with the changes at fault is much.
const MUCH: usize = 8;
/// So many builds are spent on finding what has to be reverted with a set where messages do not tell.
const TRIES: u64 = 24;

/// How others are found that have to be reverted with a set so that it can be built, each with those before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Help {
    /// Not at all.
    None,
    /// By what the compiler says, as long as that is little.
    Little,
    /// By what the compiler says.
    Messages,
    /// By trying where that does not tell.
    Trials,
}

/// Tests sets of reverted changes.
pub struct Working<'a> {
    pub(super) changes: &'a Changes,
    shop: Workshop<'a>,
    /// What had to be reverted with a set so that the test passes.
    added: HashMap<Set, Set>,
    /// Which changes go with which.
    pub(super) needs: Needs,
    /// How a set that cannot be built is helped.
    pub help: Help,
    /// So many versions are built at most.
    pub most: Option<u64>,
    /// What no compiler takes.
    syntax: Syntax,
    /// Sets of which nothing can be spared.
    pub(super) least: HashSet<Set>,
    /// Where changes are.
    touching: Option<Touching>,
    /// The least set so far with which reverted the test passes, and where it is kept.
    best: Option<Set>,
    kept: Kept,
    so_far: &'a SoFar,
    task: Task,
}

impl From<whydunit_explain::Error> for Error {
    fn from(error: whydunit_explain::Error) -> Self {
        ExplainError::Causes(error).into()
    }
}

impl<'a> Working<'a> {
    pub fn new(desk: &'a Desk, bad: &Bad, changes: &'a Changes, question: &Question<'a>) -> Result<Self, Error> {
        let subject = Subject { test: bad.test.clone(), executable: bad.executable() };
        let verdicts = bad.folder.join("verdicts");
        let mut shop = Workshop::new(&bad.folder.join("work"), &verdicts, subject, question.jobs, &desk.cancel)?;
        shop.expect(&bad.failed);
        shop.repeat(bad.repeats());
        Ok(Self {
            changes,
            shop,
            added: HashMap::new(),
            needs: Needs::of(changes),
            help: Help::Trials,
            most: question.builds,
            syntax: Syntax::of(changes),
            least: HashSet::new(),
            touching: None,
            best: None,
            kept: Kept::of(&bad.folder, &bad.test),
            so_far: question.so_far,
            task: desk.task("building versions", None),
        })
    }

    /// Takes in where changes are.
    pub fn touch(&mut self, touching: Touching) {
        self.needs.leave_out(&touching.apart);
        self.touching = Some(touching);
    }

    /// How many changes there are.
    pub fn number(&self) -> usize {
        self.changes.list.len()
    }

    /// What was built and run.
    pub fn counts(&self) -> Counts {
        self.shop.counts
    }

    /// The test must pass in the good version, and fail in the bad one as it is built here.
    pub fn good_passes(&mut self, versions: &Versions) -> Result<(), Error> {
        let all: Set = (0..self.number()).collect();
        let good = self.version(&all)?;
        let name = &versions.good;
        match good.verdict {
            Verdict::Pass => {}
            Verdict::NotBuilt => {
                let last =
                    good.says.lines().rev().find(|line| line.contains("error")).unwrap_or("see the build's output");
                return Err(ExplainError::GoodNotBuilt { version: name.clone(), says: last.to_owned() }.into());
            }
            Verdict::Fail | Verdict::Other => {
                return Err(ExplainError::GoodFails { version: name.clone(), says: good.says }.into());
            }
        }
        let bad = self.version(&[])?;
        if bad.verdict != Verdict::Fail {
            return Err(ExplainError::BadPassesApart.into());
        }
        Ok(())
    }

    /// What the version without these changes, and with all others, comes to.
    pub(super) fn version(&mut self, reverted: &[usize]) -> Result<Tried, Error> {
        if let Some(most) = self.most.filter(|&most| self.shop.counts.builds >= most) {
            return Err(ExplainError::NoAnswerAfter { builds: most }.into());
        }
        let tree = self.changes.reverted(reverted);
        if let Some(says) = self.syntax.error(&tree) {
            return Ok(Tried { verdict: Verdict::NotBuilt, says });
        }
        let tried = self.shop.try_version(&tree)?;
        if tried.verdict == Verdict::Pass && self.best.as_ref().is_none_or(|best| reverted.len() < best.len()) {
            self.best = Some(reverted.to_vec());
            self.so_far.mends(self.changes, reverted);
            self.kept.write(self.changes, reverted);
        }
        self.so_far.count(&self.shop.counts);
        self.task.detail(&self.at());
        Ok(tried)
    }

    /// How far it is.
    fn at(&self) -> String {
        let Counts { passed, failed, other, not_built, saved, .. } = self.shop.counts;
        let best = self.best.as_ref().map_or(self.number(), Vec::len);
        let failed = failed + other;
        let all = self.number();
        format!("{passed} passed, {failed} failed, {not_built} not built, {saved} known; best {best} of {all} changes")
    }

    /// Takes in the least set that an earlier run knew.
    pub fn go_on(&mut self) -> Result<(), Error> {
        match self.kept.read(self.changes) {
            Some(set) => self.version(&set).map(drop),
            None => Ok(()),
        }
    }

    /// What the version without these changes comes to, with what must be reverted besides so that it can be built, which is
    /// remembered.
    fn helped(&mut self, set: &[usize]) -> Result<Verdict, Error> {
        // What goes with it may be seen otherwise by now.
        if self.help > Help::None && self.added.contains_key(set) {
            return Ok(Verdict::Pass);
        }
        let (tried, added) = self.with_more(set)?;
        if self.help > Help::None && tried.verdict == Verdict::Pass {
            self.added.insert(set.to_vec(), added);
        }
        Ok(tried.verdict)
    }

    fn with_more(&mut self, set: &[usize]) -> Result<(Tried, Set), Error> {
        if self.help == Help::None {
            return Ok((self.version(set)?, Set::new()));
        }
        let mut all = self.needs.closure(set);
        if self.help == Help::Little && takes_much(set, &all) {
            return Ok((Tried { verdict: Verdict::NotBuilt, says: String::new() }, without(&all, set)));
        }
        let mut tried = self.version(&all)?;
        let (rounds, most) = if self.help == Help::Little { LITTLE } else { (ROUNDS, usize::MAX) };
        let most = all.len().saturating_add(most);
        for _ in 0..rounds {
            if tried.verdict != Verdict::NotBuilt || self.help < Help::Little {
                return Ok((tried, without(&all, set)));
            }
            let blamed = blame::blamed(self.changes, &self.needs, &all, &tried.says);
            if blamed.more.is_empty() {
                break;
            }
            self.needs.learn(&blamed.rules);
            let next = self.needs.closure(&union(&all, &Vec::from_iter(blamed.more)));
            if next.len() > most {
                break;
            }
            all = next;
            tried = self.version(&all)?;
        }
        if tried.verdict != Verdict::NotBuilt || self.help < Help::Trials {
            return Ok((tried, without(&all, set)));
        }
        // All others do: what is needed of them?
        let every: Set = (0..self.number()).collect();
        let others = without(&every, set);
        let levels = [self.changes.by_file()];
        let most = self.counts().builds + TRIES;
        let mut builds = |part: &[usize]| -> Result<Outcome, Error> {
            let whole = union(set, part);
            if self.needs.lacks(&whole) || self.counts().builds >= most {
                return Ok(Outcome::Unresolved);
            }
            let tried = self.version(&whole)?;
            Ok(if tried.verdict == Verdict::NotBuilt { Outcome::Pass } else { Outcome::Fail })
        };
        let added = shrink_grouped(&others, &levels, &mut builds)?;
        Ok((self.version(&union(set, &added))?, added))
    }

    /// What must be reverted with the changes at fault, none of it in vain.
    pub fn auxiliary_of(&mut self, root: &[usize]) -> Result<Set, Error> {
        let Some(added) = self.added.get(root).filter(|added| !added.is_empty()).cloned() else {
            return Ok(Set::new());
        };
        if self.least.contains(&union(root, &added)) {
            return Ok(added);
        }
        if added.len() > MUCH {
            let whole = self.shed(union(root, &added), root, &[])?;
            return Ok(without(&whole, root));
        }
        let levels = [self.changes.by_file()];
        let mut passes = |part: &[usize]| -> Result<Outcome, Error> {
            let whole = union(root, part);
            if self.needs.lacks(&whole) {
                return Ok(Outcome::Unresolved);
            }
            let tried = self.version(&whole)?;
            Ok(if tried.verdict == Verdict::Pass { Outcome::Fail } else { Outcome::Pass })
        };
        shrink_grouped(&added, &levels, &mut passes)
    }

    /// What has to be reverted, made least as a whole: the changes at fault, and others with them. What was taken for the fault may go;
    /// the likeliest of what is left is, then.
    pub fn settled(&mut self, root: &[usize], likely: &[usize]) -> Result<(Set, Set), Error> {
        let added = self.auxiliary_of(root)?;
        if added.is_empty() || self.least.contains(&union(root, &added)) {
            return Ok((root.to_vec(), added));
        }
        let whole = self.shed(union(root, &added), &[], likely)?;
        let mut root: Set = root.iter().copied().filter(|change| whole.contains(change)).collect();
        if root.is_empty() {
            root = likely.iter().copied().find(|change| whole.contains(change)).into_iter().collect();
        }
        let auxiliary = without(&whole, &root);
        Ok((root, auxiliary))
    }

    /// Whether the test passes with these changes reverted, and no others.
    pub fn mends(&mut self, changes: &[usize]) -> Result<bool, Error> {
        Ok(self.version(changes)?.verdict == Verdict::Pass)
    }

    /// A small set of these changes, the likelier ones first, whose reverting makes the test pass. What can be reverted by itself,
    /// or with what names tell, goes before what takes others along because the compiler says so.
    pub fn culprits(&mut self, changes: &[usize]) -> Result<Option<Set>, Error> {
        let changes = self.needs.gathered(changes);
        if changes.is_empty() {
            return Ok(None);
        }
        let help = std::mem::replace(&mut self.help, Help::Little);
        let found = self.briefly(&changes);
        self.help = help;
        if let Some(few) = found? {
            return Ok(Some(few));
        }
        // While there are more causes to come no great effort is made.
        if self.help < Help::Trials && takes_much(&sorted(&changes), &self.needs.closure(&sorted(&changes))) {
            return Ok(None);
        }
        // Each part by itself would be a search of its own for what goes with it.
        if self.help == Help::Trials && changes.len() > MUCH {
            return match self.test(&sorted(&changes))? {
                Outcome::Pass => self.shed_of(&changes).map(Some),
                _ => Ok(None),
            };
        }
        let places: Set = (0..changes.len()).collect();
        let found = culprits(&places, &mut |places: &[usize]| self.test(&chosen(&changes, places)))?;
        Ok(found.map(|places| chosen(&changes, &places)))
    }

    /// The same where a build fails as soon as it is not a little that has to be reverted besides. Definitions that
    /// changes are in are tried one by one. Where no one does, all together are taken apart if they do. If they cannot be built, or fail
    /// otherwise, definitions are taken apart into changes: each by itself, then all together of which each can be built.
    fn briefly(&mut self, changes: &[usize]) -> Result<Option<Set>, Error> {
        let whole = self.closed(changes)?;
        if whole == Verdict::Fail {
            return Ok(None);
        }
        let mut built: Vec<usize> = Vec::new();
        let (mut telling, mut parts): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
        let units = self.needs.units(changes);
        for (number, unit) in units.iter().cloned().enumerate() {
            self.ahead(&units[number..])?;
            match self.closed(&unit)? {
                Verdict::Pass => return self.narrowed(&unit).map(Some),
                // What makes the test fail otherwise has to do with it.
                Verdict::Other if unit.len() > 1 => telling.extend(unit),
                Verdict::NotBuilt if unit.len() > 1 => parts.extend(unit),
                Verdict::NotBuilt => {}
                Verdict::Fail | Verdict::Other => built.extend(unit),
            }
        }
        if whole == Verdict::Pass {
            return self.narrowed(changes).map(Some);
        }
        let parts = [telling, parts].concat();
        let single: Vec<Set> = parts.iter().map(|&part| vec![part]).collect();
        for (number, part) in parts.into_iter().enumerate() {
            self.ahead(&single[number..])?;
            match self.closed(&[part])? {
                Verdict::Pass => return self.narrowed(&[part]).map(Some),
                Verdict::NotBuilt => {}
                Verdict::Fail | Verdict::Other => built.push(part),
            }
        }
        if !built.is_empty() && self.test(&sorted(&built))? == Outcome::Pass {
            return self.narrowed(&built).map(Some);
        }
        Ok(None)
    }

    /// Where much has to be reverted with the changes at fault: changes among all of these that make the test pass and take less along.
    pub fn lighter(&mut self, root: &[usize], auxiliary: &[usize]) -> Result<Option<Set>, Error> {
        if auxiliary.len() <= MUCH {
            return Ok(None);
        }
        let help = std::mem::replace(&mut self.help, Help::Little);
        let found = self.one_of(&self.needs.gathered(&union(root, auxiliary)));
        self.help = help;
        found
    }

    /// The changes of a definition, among these, that make the test pass.
    fn one_of(&mut self, changes: &[usize]) -> Result<Option<Set>, Error> {
        let units = self.needs.units(changes);
        for (number, unit) in units.iter().enumerate() {
            self.ahead(&units[number..])?;
            if self.closed(unit)? == Verdict::Pass {
                return self.narrowed(unit).map(Some);
            }
        }
        Ok(None)
    }

    /// Has the versions built side by side that are tried next, one for each of these sets.
    fn ahead(&mut self, sets: &[Set]) -> Result<(), Error> {
        let many = self.shop.side_by_side(sets.len());
        if many < 2 || self.help == Help::None || self.most.is_some() {
            return Ok(());
        }
        let tree = |set: &Set| -> Option<Tree> {
            let all = self.needs.closure(&sorted(set));
            let tree = (self.help != Help::Little || !takes_much(set, &all)).then(|| self.changes.reverted(&all));
            tree.filter(|tree| self.syntax.error(tree).is_none())
        };
        let trees: Vec<Tree> = sets.iter().take(many).filter_map(tree).collect();
        Ok(self.shop.try_ahead(&trees)?)
    }

    /// What these changes come to with what goes with them.
    fn closed(&mut self, changes: &[usize]) -> Result<Verdict, Error> {
        self.helped(&sorted(changes))
    }

    /// As few of these changes, with which the test passes, as will do.
    fn narrowed(&mut self, changes: &[usize]) -> Result<Set, Error> {
        let added = self.added.get(&sorted(changes)).map_or(0, Vec::len);
        if changes.len() + added > 2 * MUCH {
            return self.shed_of(changes);
        }
        let places: Set = (0..changes.len()).collect();
        Ok(chosen(changes, &narrow(&places, &mut |places: &[usize]| self.test(&chosen(changes, places)))?))
    }

    /// The same of changes with which much has to go, made less together with that.
    fn shed_of(&mut self, changes: &[usize]) -> Result<Set, Error> {
        let set = sorted(changes);
        let added = self.added.get(&set).cloned().unwrap_or_default();
        let whole = self.shed(union(&set, &added), &[], changes)?;
        let mut root: Set = set.into_iter().filter(|change| whole.contains(change)).collect();
        if root.is_empty() {
            root.extend(whole.first());
        }
        self.added.insert(root.clone(), without(&whole, &root));
        Ok(root)
    }
}

/// Whether more goes with a set than one tries when there is something else to try.
fn takes_much(set: &[usize], all: &[usize]) -> bool {
    all.len() > set.len() + set.len() / 2 + 2 * MUCH
}

/// The changes at places of a list.
pub fn chosen(changes: &[usize], places: &[usize]) -> Set {
    sorted(&places.iter().map(|&place| changes[place]).collect::<Vec<_>>())
}

fn sorted(changes: &[usize]) -> Set {
    let mut set = changes.to_vec();
    set.sort_unstable();
    set
}

impl Test<Error> for Working<'_> {
    fn test(&mut self, set: &[usize]) -> Result<Outcome, Error> {
        Ok(match self.helped(set)? {
            Verdict::Pass => Outcome::Pass,
            Verdict::Fail => Outcome::Fail,
            Verdict::Other | Verdict::NotBuilt => Outcome::Unresolved,
        })
    }
}

impl Dynamic<Error> for Working<'_> {
    fn changes_at(&mut self, position: &Position) -> Vec<usize> {
        self.touching.as_ref().map_or(Vec::new(), |touching| touching.at(position))
    }

    fn root(&mut self, changes: &[usize]) -> Result<Option<Vec<usize>>, Error> {
        self.culprits(changes)
    }

    fn progress(&mut self, causes: usize, changes: usize) {
        let at = self.at();
        self.task.detail(&format!("{causes} causes, {changes} changes among them; {at}"));
    }
}
