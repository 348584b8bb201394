//! Sets of changes, tested: versions built in a folder of ours, with progress.

use std::collections::{BTreeSet, HashMap, HashSet};

use whydunit_changes::{Changes, Tree};
use whydunit_coherence::Coherence;
use whydunit_delta::{Outcome, Set, Test, shrink_grouped, union, without};
use whydunit_explain::Dynamic;
use whydunit_replay::Position;
use whydunit_variants::{Counts, Subject, Tried, Verdict, Workshop};

use super::belonging::Belonging;
use super::complaints::{Complaint, complaints};
use super::error::{ExplainError, passes_in_good};
use super::needs::Needs;
use super::so_far::{Kept, SoFar};
use super::subject::Bad;
use super::syntax::Syntax;
use super::touching::Touching;
use super::{Question, Versions};
use crate::Error;
use whydunit_desk::Desk;
use whydunit_desk::Task;

/// So often messages of failed builds lead to more changes that are reverted.
const ROUNDS: usize = 3;
/// To set so few changes aside is not worth a build.
const WORTH: usize = 8;
/// More than this reverted with the changes at fault is much.
const MUCH: usize = 8;
/// Where there are more others than this, builds are better spent otherwise than on finding what has to be reverted with a set.
const FEW: usize = 64;
/// So many builds are spent on finding what has to be reverted with a set where messages do not tell.
const TRIES: u64 = 24;

/// How others are found that have to be reverted with a set so that it can be built, each with those before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Help {
    /// Not at all.
    None,
    /// By what the compiler says.
    Messages,
    /// By trying where that does not tell.
    Trials,
}

/// Tests sets of reverted changes.
pub struct Working<'a> {
    pub(super) changes: &'a Changes,
    /// Changes that may have to be reverted: with all of them the test passes.
    pub(super) matter: Set,
    /// Files of which all changes were set aside.
    pub(super) aside: HashSet<String>,
    pub(super) shop: Workshop<'a>,
    /// What was reverted for a set so that the test passes: others with it, and without what versions could not be built without.
    pub(super) mending: HashMap<Set, Set>,
    /// Which changes go with which.
    pub(super) needs: Needs,
    /// How a set that cannot be built is helped.
    pub help: Help,
    /// So many versions are built at most.
    pub most: Option<u64>,
    /// What no compiler takes.
    pub(super) syntax: Syntax,
    /// Changes that are kept, since versions without them could not be built.
    pub(super) stuck: Set,
    /// Where these were reverted, those had to be as well.
    pub(super) together: Vec<(Set, Set)>,
    /// What mixtures lack.
    pub(super) coherence: Coherence,
    /// Sets that cannot be built, whatever messages led to.
    pub(super) unbuilt: HashSet<Set>,
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
        let subject = Subject { test: bad.test.clone(), executable: bad.executable(), made: bad.made()? };
        let verdicts = bad.folder.join("verdicts");
        let mut shop = Workshop::new(&bad.folder.join("work"), &verdicts, subject, question.jobs, &desk.cancel)?;
        shop.expect(&bad.failed);
        shop.repeat(bad.repeats());
        Ok(Self {
            changes,
            matter: (0..changes.list.len()).collect(),
            aside: HashSet::new(),
            shop,
            mending: HashMap::new(),
            needs: Needs::of(changes),
            help: Help::Trials,
            most: question.builds,
            syntax: Syntax::of(changes),
            stuck: Set::new(),
            together: Vec::new(),
            coherence: Coherence::of(&changes.old, &changes.new),
            unbuilt: HashSet::new(),
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
        self.touching = Some(touching);
    }

    /// How many changes there are.
    pub fn number(&self) -> usize {
        self.changes.list.len()
    }

    /// The file that a change is in.
    pub fn file(&self, change: usize) -> &str {
        &self.changes.list[change].file
    }

    /// What was built and run.
    pub fn counts(&self) -> Counts {
        self.shop.counts
    }

    /// Whether the test passes in the good version.
    pub fn mends_as_a_whole(&mut self) -> Result<bool, Error> {
        let all: Set = (0..self.number()).collect();
        self.mends(&all)
    }

    /// The test must pass in the good version, and fail in the bad one as it is built here.
    pub fn good_passes(&mut self, versions: &Versions) -> Result<(), Error> {
        let all: Set = (0..self.number()).collect();
        passes_in_good(&versions.good, self.version(&all)?)?;
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
        let tried = self.try_tree(&self.changes.reverted(reverted))?;
        if tried.verdict == Verdict::Pass && self.best.as_ref().is_none_or(|best| reverted.len() < best.len()) {
            self.best = Some(reverted.to_vec());
            self.so_far.mends(self.changes, reverted);
            self.kept.write(self.changes, reverted);
        }
        Ok(tried)
    }

    /// What a version comes to that no compiler has to be asked about, or else what its build and test do.
    pub(super) fn try_tree(&mut self, tree: &Tree) -> Result<Tried, Error> {
        if let Some(says) = self.syntax.error(tree) {
            return Ok(Tried { verdict: Verdict::NotBuilt, says });
        }
        let tried = self.shop.try_version(tree)?;
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

    /// Sets aside what need not be reverted: where the test passes with the program's own sources reverted, all others; else what is not
    /// known to build it either, then what is no part of it. In any case the latter goes with no other change.
    pub fn narrow(&mut self, belonging: &[Belonging]) -> Result<(), Error> {
        let apart = (0..self.number()).filter(|&change| belonging[change] == Belonging::Apart);
        self.needs.leave_out(&apart.collect());
        let mut before = 0;
        for least in [Belonging::Program, Belonging::Build, Belonging::Beside] {
            let set: Set = (0..self.number()).filter(|&change| belonging[change] <= least).collect();
            let is_known = set.is_empty() || set.len() == before || set.len() + WORTH > self.number();
            before = set.len();
            if is_known || self.version(&set)?.verdict != Verdict::Pass {
                continue;
            }
            let aside = without(&self.matter, &set);
            let files =
                |set: &Set| -> HashSet<String> { set.iter().map(|&change| self.file(change).to_owned()).collect() };
            self.aside = &files(&aside) - &files(&set);
            self.needs.leave_out(&BTreeSet::from_iter(aside));
            self.matter = set;
            break;
        }
        Ok(())
    }

    /// Whether a change is looked at: it was not set aside.
    pub fn matters(&self, change: usize) -> bool {
        self.matter.binary_search(&change).is_ok()
    }

    /// What the version without these changes comes to, with what must be reverted besides so that it can be built, which is
    /// remembered.
    pub(super) fn helped(&mut self, set: &[usize]) -> Result<Verdict, Error> {
        // What goes with it may be seen otherwise by now.
        if self.help > Help::None && self.mending.contains_key(set) {
            return Ok(Verdict::Pass);
        }
        let (tried, reverted) = self.with_more(set)?;
        if self.help > Help::None && tried.verdict == Verdict::Pass {
            self.mending.insert(set.to_vec(), reverted);
        }
        Ok(tried.verdict)
    }

    fn with_more(&mut self, set: &[usize]) -> Result<(Tried, Set), Error> {
        if self.help == Help::None {
            return Ok((self.version(set)?, set.to_vec()));
        }
        let (tried, all) = self.by_messages(set)?;
        if tried.verdict != Verdict::NotBuilt || self.help < Help::Trials {
            return Ok((tried, all));
        }
        // All others do: what is needed of them?
        let others = without(&self.matter, set);
        if others.len() > FEW {
            return Ok((tried, all));
        }
        let levels = [self.changes.by_file()];
        let most = self.counts().builds + TRIES;
        let mut builds = |part: &[usize]| -> Result<Outcome, Error> {
            let whole = union(set, part);
            if self.needs.lacks(&whole) || self.counts().builds >= most || !self.lacking(&whole).is_empty() {
                return Ok(Outcome::Unresolved);
            }
            let tried = self.version(&whole)?;
            Ok(if tried.verdict == Verdict::NotBuilt { Outcome::Pass } else { Outcome::Fail })
        };
        let added = shrink_grouped(&others, &levels, &mut builds)?;
        let all = union(set, &added);
        Ok((self.version(&all)?, all))
    }

    /// What the version without these changes comes to, and without what syntax trees and messages of failed builds tell besides.
    fn by_messages(&mut self, set: &[usize]) -> Result<(Tried, Set), Error> {
        let mut all = self.completed(set);
        let (mut tried, mut said) = self.asked(&all)?;
        let mut before: Vec<Complaint> = Vec::new();
        for _ in 0..ROUNDS {
            // What syntax trees tell was followed as far as it leads.
            if tried.verdict != Verdict::NotBuilt || tried.says.is_empty() {
                break;
            }
            // What is complained of once more was not helped by more.
            let again: Vec<Complaint> =
                said.iter().filter(|one| before.iter().any(|other| one.is_like(other))).cloned().collect();
            let next = if again.is_empty() { self.taught(&all, &said) } else { all.clone() };
            let next = if next == all {
                self.give_up(&all, if again.is_empty() { &said } else { &again });
                self.completed(set)
            } else {
                next
            };
            if next == all {
                break;
            }
            (all, before) = (next, said);
            (tried, said) = self.asked(&all)?;
        }
        Ok((tried, all))
    }

    /// What the version without these changes comes to, with what goes with them as far as syntax trees tell, in one build at most; none where it
    /// lacks something for them, if only syntax.
    pub(super) fn once(&mut self, set: &[usize]) -> Result<Outcome, Error> {
        if self.mending.contains_key(set) {
            return Ok(Outcome::Pass);
        }
        let all = self.completed(set);
        if !self.lacking(&all).is_empty() {
            return Ok(Outcome::Unresolved);
        }
        let verdict = self.version(&all)?.verdict;
        if verdict == Verdict::Pass {
            self.mending.insert(set.to_vec(), all);
        }
        Ok(outcome(verdict))
    }

    /// What a version comes to, and what is complained of it. One that lacks a name as far as syntax trees tell is not built; what is no
    /// syntax for them may be some all the same, where there are macros.
    fn asked(&mut self, reverted: &[usize]) -> Result<(Tried, Vec<Complaint>), Error> {
        let lacking = self.lacking(reverted);
        if lacking.iter().any(|lack| !lack.names.is_empty()) {
            return Ok((Tried { verdict: Verdict::NotBuilt, says: String::new() }, lacking));
        }
        let tried = self.version(reverted)?;
        let said = if tried.verdict == Verdict::NotBuilt { complaints(&tried.says) } else { Vec::new() };
        Ok((tried, said))
    }

    /// What must be reverted with the changes at fault, none of it in vain.
    pub fn auxiliary_of(&mut self, root: &[usize]) -> Result<Set, Error> {
        let added = self.mending.get(root).map_or(Set::new(), |all| without(all, root));
        if added.is_empty() {
            return Ok(added);
        }
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
            if self.needs.lacks(&whole) || !self.lacking(&whole).is_empty() {
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
        let whole = self.mending.get(root).cloned().unwrap_or_else(|| root.to_vec());
        if whole.len() < 2 {
            return Ok((whole, Set::new()));
        }
        let whole = self.shed(whole, &[], likely)?;
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
}

/// The changes at places of a list.
pub fn chosen(changes: &[usize], places: &[usize]) -> Set {
    sorted(&places.iter().map(|&place| changes[place]).collect::<Vec<_>>())
}

pub(super) fn sorted(changes: &[usize]) -> Set {
    let mut set = changes.to_vec();
    set.sort_unstable();
    set
}

impl Test<Error> for Working<'_> {
    fn test(&mut self, set: &[usize]) -> Result<Outcome, Error> {
        self.helped(set).map(outcome)
    }
}

fn outcome(verdict: Verdict) -> Outcome {
    match verdict {
        Verdict::Pass => Outcome::Pass,
        Verdict::Fail => Outcome::Fail,
        Verdict::Other | Verdict::NotBuilt => Outcome::Unresolved,
    }
}

impl Dynamic<Error> for Working<'_> {
    fn changes_at(&mut self, position: &Position) -> Vec<usize> {
        let at = self.touching.as_ref().map_or(Vec::new(), |touching| touching.at(position));
        at.into_iter().filter(|&change| self.matters(change)).collect()
    }

    fn root(&mut self, changes: &[usize]) -> Result<Option<Vec<usize>>, Error> {
        self.culprits(changes)
    }

    fn progress(&mut self, causes: usize, changes: usize) {
        let at = self.at();
        self.task.detail(&format!("{causes} causes, {changes} changes among them; {at}"));
    }
}
