//! The search: paths of the broken program that fail, the nearest to the failing run first, and under the condition of each of
//! them the paths of the mended one.

mod queue;
mod solving;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;
use std::time::{Duration, Instant};

use whydunit_inputs::{Input, Keep, Part};
use whydunit_symbolic::Path;
use whydunit_terms::Term;

use crate::distance::{FARTHEST, Rows, distance};
use crate::domain::Domain;
use crate::given::Key;
use crate::path::{Shared, Shown};
use crate::words::words;
use queue::{Queue, Task};
use solving::Solving;

/// A version of the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Version {
    /// As it was.
    Broken,
    /// With the fix.
    Mended,
}

/// What a run did.
#[derive(Debug, Default)]
pub struct Ran {
    /// How it fails in the way that is asked about; none where it does not.
    pub fails: Option<String>,
    /// Its path; none where it could not be followed.
    pub path: Option<Path>,
}

/// Runs the two versions.
pub trait Programs {
    /// What may go wrong about a run.
    type Error;
    /// Runs a version on an input; none where it cannot be run.
    fn run(&self, version: Version, input: &Input) -> Result<Option<Ran>, Self::Error>;
    /// Whether somebody wants it to end, or there is no time any more.
    fn is_over(&self) -> bool;
}

/// How paths are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Guide {
    /// Those near the failing run first, the mended program under their conditions only.
    #[default]
    Distance,
    /// All paths of the mended program, as they come.
    Unguided,
}

/// What is asked.
pub struct Question<'a> {
    /// The input that shows the bug.
    pub input: &'a Input,
    /// Inputs to begin with besides: other lengths, other ways.
    pub seeds: &'a [Input],
    /// What inputs there may be.
    pub domain: &'a Domain,
    /// How paths are chosen.
    pub guide: Guide,
    /// Paths that are farther from the failing run are left out.
    pub distance: usize,
    /// Runs of both versions together.
    pub runs: u64,
}

/// An input on which the mended program fails.
#[derive(Clone, PartialEq, Debug)]
pub struct Counterexample {
    /// The input.
    pub input: Input,
    /// How it fails.
    pub fails: String,
    /// Whether the broken program fails on it, too: else the fix has broken it.
    pub covered: bool,
    /// The distance of the broken program's path, where it fails.
    pub distance: Option<usize>,
}

/// What was found within a distance.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AtDistance {
    /// The distance.
    pub distance: usize,
    /// Paths of the broken program within it, whether they fail or not.
    pub paths: u64,
    /// Those of them that fail: their conditions are the predicate.
    pub feasible: u64,
}

/// How far the fix covers the bug.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Coverage {
    /// The first counterexample.
    pub counterexample: Option<Counterexample>,
    /// The distance of the counterexample; without one that within which nothing was left out.
    pub distance: Option<usize>,
    /// By distance, as far as that.
    pub by_distance: Vec<AtDistance>,
    /// When the broken program fails within the distance, in words: one of these.
    pub predicate: Vec<String>,
    /// Runs of the broken program, and of the mended one.
    pub runs: [u64; 2],
    /// Questions to the solver.
    pub questions: u64,
    /// Those that it did not answer, or whose answer could not be given or led elsewhere.
    pub unanswered: u64,
    /// Time that they took.
    pub solving: Duration,
    /// Within the distance nothing was left out, of inputs whose texts are as long as those that were run: nothing was held as in a
    /// run, all runs could be followed, and all questions were answered.
    pub complete: bool,
    /// The same, and nothing is left within the distance that was asked for.
    pub exhausted: bool,
    /// Time was up, or there were too many runs.
    pub cut: bool,
    /// What was held as in the runs, in words.
    pub notes: BTreeSet<String>,
    /// The inputs that were run.
    pub inputs: Vec<Input>,
}

/// A run that was followed.
struct Followed {
    /// How it fails.
    fails: Option<String>,
    input: Input,
    shown: Shown,
    /// What lies before each turn, as a hash: two turns with the same one are the same turn, behind the same path.
    before: Vec<u64>,
}

impl Followed {
    fn new(fails: Option<String>, input: Input, shown: Shown) -> Self {
        let (mut before, mut hasher, mut at) = (Vec::with_capacity(shown.turns.len()), DefaultHasher::new(), 0);
        for turn in &shown.turns {
            let edges = &shown.edges[at..turn.edges.max(at)];
            edges.iter().for_each(|edge| edge.hash(&mut hasher));
            at += edges.len();
            // Of several turns between the same edges.
            let count = before.len() - shown.turns[..before.len()].partition_point(|one| one.edges < turn.edges);
            let mut whole = hasher.clone();
            (turn.place, count).hash(&mut whole);
            before.push(whole.finish());
        }
        Self { fails, input, shown, before }
    }
}

/// Of which version a turn is taken another way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Of {
    Broken,
    /// Under the condition of a failing path, by its number; none where nothing is asked for.
    Mended(Option<usize>),
}

/// A failing path of the broken program.
struct Failing {
    run: Rc<Followed>,
    distance: usize,
}

/// Looks for an input on which the mended program fails, for as long as is wanted.
pub struct Search<'a, P> {
    programs: &'a P,
    question: Question<'a>,
    /// When to stop.
    deadline: Instant,
    shared: Shared,
    solving: Solving,
    queue: Queue,
    /// The failing run's path.
    first: Vec<u64>,
    failing: Vec<Failing>,
    /// Inputs that were run, and the runs that could be followed.
    known: HashMap<(Version, [u8; 32]), Option<Rc<Followed>>>,
    /// Prefixes of paths, with other ways at their ends, that were solved for.
    turned: HashSet<(Of, u64)>,
    /// Paths of the broken program: their distances, and whether they fail.
    paths: BTreeMap<Vec<u64>, (usize, bool)>,
    answer: Coverage,
}

impl<'a, P: Programs> Search<'a, P> {
    /// Begins with the input that shows the bug.
    pub fn new(programs: &'a P, question: Question<'a>, deadline: Instant) -> Result<Self, P::Error> {
        let mut search = Self {
            programs,
            question,
            deadline,
            shared: Shared::default(),
            solving: Solving::within(deadline.saturating_duration_since(Instant::now())),
            queue: Queue::default(),
            first: Vec::new(),
            failing: Vec::new(),
            known: HashMap::new(),
            turned: HashSet::new(),
            paths: BTreeMap::new(),
            answer: Coverage::default(),
        };
        search.begin()?;
        Ok(search)
    }

    fn begin(&mut self) -> Result<(), P::Error> {
        let input = self.question.input.clone();
        match self.question.guide {
            Guide::Unguided => {
                if let Some(run) = self.follow(Version::Mended, &input)? {
                    self.see(&run);
                    self.turns_of_mended(None, &run);
                }
            }
            Guide::Distance => {
                if let Some(run) = self.follow(Version::Broken, &input)? {
                    self.first.clone_from(&run.shown.edges);
                    self.see(&run);
                    self.add_broken(run);
                }
                let seeds = if self.question.distance > 0 { self.question.seeds.len() } else { 0 };
                for seed in 0..seeds {
                    self.queue.add(Task { distance: 1, kind: queue::Kind::Seed { seed } });
                }
            }
        }
        Ok(())
    }

    /// Goes on until then, with a question that is asked just before to its end; whether there is more to look at, and nothing was found.
    pub fn explore(&mut self, deadline: Instant) -> Result<bool, P::Error> {
        self.answer.cut = false;
        while self.answer.counterexample.is_none()
            && let Some(task) = self.queue.next()
        {
            let used = self.answer.runs.iter().sum::<u64>();
            let is_over = used >= self.question.runs;
            if is_over || Instant::now() >= deadline || self.programs.is_over() {
                self.queue.add(task);
                self.answer.cut = true;
                return Ok(!is_over);
            }
            match task.kind {
                queue::Kind::Try { failing } => self.try_mended(failing)?,
                queue::Kind::Seed { seed } => {
                    if let Some(run) = self.follow(Version::Broken, &self.question.seeds[seed])? {
                        self.add_broken(run);
                    }
                }
                queue::Kind::Turn { run, turn, other, of } => self.turn(&run, (turn, other), of)?,
            }
        }
        Ok(false)
    }

    /// The inputs that were run so far.
    pub fn inputs(&self) -> &[Input] {
        &self.answer.inputs
    }

    /// The counterexample, if one was found.
    pub fn counterexample(&self) -> Option<&Counterexample> {
        self.answer.counterexample.as_ref()
    }

    /// What was found.
    pub fn finish(mut self) -> Coverage {
        self.tally();
        let Self { mut answer, solving, .. } = self;
        (answer.questions, answer.solving) = (solving.questions, solving.spent);
        answer
    }

    /// Counts paths, and says when the broken program fails.
    fn tally(&mut self) {
        let answer = &mut self.answer;
        let farthest = self.paths.values().map(|path| path.0).max();
        let all = match self.queue.least() {
            None => farthest,
            Some(least) => least.checked_sub(1),
        };
        answer.unanswered += self.solving.unanswered;
        answer.complete = answer.counterexample.is_none() && answer.unanswered == 0 && answer.notes.is_empty();
        answer.exhausted = answer.complete && self.queue.least().is_none();
        answer.distance = answer.counterexample.as_ref().map_or(all, |found| found.distance);
        if self.shared.pool.variables().is_empty() && !answer.complete {
            // Paths that nothing leads from one to another say nothing of distances.
            answer.distance = None;
            return;
        }
        let reached = answer.distance.unwrap_or(0);
        let distances: BTreeSet<usize> = self.paths.values().map(|path| path.0).filter(|at| *at <= reached).collect();
        for distance in distances {
            let within = self.paths.values().filter(|path| path.0 <= distance);
            let (paths, feasible) =
                within.fold((0, 0), |(all, failing), (_, fails)| (all + 1, failing + u64::from(*fails)));
            answer.by_distance.push(AtDistance { distance, paths, feasible });
        }
        self.failing.sort_by_key(|one| one.distance);
        for Failing { run, .. } in self.failing.iter().filter(|one| one.distance <= reached) {
            // What is held as in the run is no matter of the program's.
            let turns = run.shown.turns.iter().filter(|turn| !turn.others.is_empty());
            let holds: Vec<Term> = turns.map(|turn| turn.holds).collect();
            let values = self.shared.assignment(&run.shown.values);
            let own = |name: &str| text_of(&run.input, name);
            if let Some(text) = words(&self.shared.pool, &holds, &values, &own)
                && !self.answer.predicate.contains(&text)
            {
                self.answer.predicate.push(text);
            }
        }
    }

    /// Runs a version, once, and follows it.
    fn follow(&mut self, version: Version, input: &Input) -> Result<Option<Rc<Followed>>, P::Error> {
        let key = (version, input.digest());
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        self.answer.runs[usize::from(version == Version::Mended)] += 1;
        let ran = self.programs.run(version, input)?;
        let other = if version == Version::Broken { Version::Mended } else { Version::Broken };
        if !self.known.contains_key(&(other, key.1)) {
            self.answer.inputs.push(input.clone());
        }
        let followed = ran.map(|ran| {
            let shown = ran.path.as_ref().map(|path| self.shared.show(path, input));
            match &ran.path {
                Some(path) if !path.full => {}
                _ => _ = self.answer.notes.insert("a run was too long, or could not be followed".into()),
            }
            self.answer.notes.extend(ran.path.into_iter().flat_map(|path| path.notes));
            Rc::new(Followed::new(ran.fails, input.clone(), shown.unwrap_or_default()))
        });
        self.known.insert(key, followed.clone());
        Ok(followed)
    }

    /// Says what of its input the first run has not been seen to read.
    fn see(&mut self, run: &Followed) {
        let parts = run.input.parts(&Keep::default()).into_iter();
        let unread = parts.filter(|part| {
            let looked = run.shown.values.keys().any(|key| key.part().as_ref() == Some(part));
            !looked && !run.input.text(part).is_empty()
        });
        let names: Vec<String> = unread
            .map(|part| match part {
                Part::Arg(number) => format!("arg{}", number + 1),
                Part::Stdin => "stdin".into(),
                Part::File(name) => name,
            })
            .collect();
        if !names.is_empty() {
            let names = names.join(", ");
            self.answer.notes.insert(format!("{names}: not read, or in a way that is not followed"));
        }
    }

    /// A run of the broken program is known: its turns are to be taken another way, and where it fails the mended one is tried.
    fn add_broken(&mut self, run: Rc<Followed>) {
        let fails = run.fails.is_some();
        let distance = distance(&run.shown.edges, &self.first);
        let is_new = self.paths.insert(run.shown.edges.clone(), (distance, fails)).is_none();
        if fails && is_new && distance <= self.question.distance {
            self.failing.push(Failing { run: run.clone(), distance });
            self.queue.add(Task { distance, kind: queue::Kind::Try { failing: self.failing.len() - 1 } });
        }
        let mut rows = Rows::new(&self.first);
        let (mut at, mut turns) = (0, Vec::new());
        for (number, turn) in run.shown.turns.iter().enumerate() {
            while at < turn.edges {
                rows.add(run.shown.edges[at]);
                at += 1;
            }
            for (other, way) in turn.others.iter().enumerate() {
                let least = way.edge.map_or_else(|| rows.least(), |edge| rows.least_with(edge));
                turns.push((number, other, least));
            }
        }
        for (turn, other, least) in turns {
            if least < FARTHEST && least <= self.question.distance && self.is_new(Of::Broken, &run, turn, other) {
                let kind = queue::Kind::Turn { run: run.clone(), turn, other, of: Of::Broken };
                self.queue.add(Task { distance: least, kind });
            }
        }
    }

    /// The turns of a run of the mended program are to be taken another way, under the condition of a failing path.
    fn turns_of_mended(&mut self, failing: Option<usize>, run: &Rc<Followed>) {
        let distance = failing.map_or(0, |failing| self.failing[failing].distance);
        let of = Of::Mended(failing);
        for turn in 0..run.shown.turns.len() {
            for other in 0..run.shown.turns[turn].others.len() {
                if self.is_new(of, run, turn, other) {
                    let kind = queue::Kind::Turn { run: run.clone(), turn, other, of };
                    self.queue.add(Task { distance, kind });
                }
            }
        }
    }

    /// Whether a turn has not been taken another way already, behind the same path.
    fn is_new(&mut self, of: Of, run: &Followed, turn: usize, other: usize) -> bool {
        let mut hasher = DefaultHasher::new();
        (run.before[turn], run.shown.turns[turn].others[other].edge, other).hash(&mut hasher);
        self.turned.insert((of, hasher.finish()))
    }

    /// Runs the mended program on an input on which the broken one fails.
    fn try_mended(&mut self, failing: usize) -> Result<(), P::Error> {
        let run = self.failing[failing].run.clone();
        let Some(mended) = self.follow(Version::Mended, &run.input)? else { return Ok(()) };
        match &mended.fails {
            Some(fails) => self.found(&run.input, fails.clone())?,
            None => self.turns_of_mended(Some(failing), &mended),
        }
        Ok(())
    }

    /// Takes a turn of a run another way.
    fn turn(&mut self, run: &Followed, (turn, other): (usize, usize), of: Of) -> Result<(), P::Error> {
        let mut demands: Vec<Term> = run.shown.turns[..turn].iter().map(|turn| turn.holds).collect();
        let way = run.shown.turns[turn].others[other];
        demands.push(way.when);
        let mut values = run.shown.values.clone();
        if let Of::Mended(Some(failing)) = of {
            let failing = &self.failing[failing];
            demands.extend(failing.run.shown.turns.iter().map(|turn| turn.holds));
            for (key, value) in &failing.run.shown.values {
                values.entry(key.clone()).or_insert(*value);
            }
        }
        demands.push(self.question.domain.term(&mut self.shared, &run.input));
        let Some(input) = self.input(&run.input, &demands, &values) else { return Ok(()) };
        let version = if of == Of::Broken { Version::Broken } else { Version::Mended };
        let Some(next) = self.follow(version, &input)? else { return Ok(()) };
        let prefix = &run.shown.edges[..run.shown.turns[turn].edges];
        let rest = next.shown.edges.strip_prefix(prefix);
        if rest.is_none_or(|rest| way.edge.is_some_and(|edge| rest.first() != Some(&edge))) {
            self.answer.unanswered += 1;
        }
        match (of, next.fails.clone()) {
            (Of::Broken, _) => self.add_broken(next),
            (Of::Mended(_), Some(fails)) => self.found(&input, fails)?,
            (Of::Mended(failing), None) => self.turns_of_mended(failing, &next),
        }
        Ok(())
    }

    /// An input of the domain that meets demands.
    fn input(&mut self, base: &Input, demands: &[Term], values: &BTreeMap<Key, u128>) -> Option<Input> {
        let changed = self.solving.values(&mut self.shared, demands, values, self.deadline)?;
        let input = crate::given::with(base, &changed).filter(|input| self.question.domain.holds(input));
        self.answer.unanswered += u64::from(input.is_none());
        input
    }

    /// The mended program fails on an input.
    fn found(&mut self, input: &Input, fails: String) -> Result<(), P::Error> {
        let broken = self.follow(Version::Broken, input)?.filter(|run| run.fails.is_some());
        let covered = broken.is_some();
        let guided = broken.filter(|_| self.question.guide == Guide::Distance);
        let distance = guided.map(|run| distance(&run.shown.edges, &self.first));
        self.answer.counterexample = Some(Counterexample { input: input.clone(), fails, covered, distance });
        Ok(())
    }
}

/// The text of an input by the name that conditions give it. None where it has none.
fn text_of(input: &Input, name: &str) -> Option<Vec<u8>> {
    let number = name.strip_prefix("arg").and_then(|number| number.parse::<usize>().ok());
    let part = match number.and_then(|number| number.checked_sub(1)) {
        Some(at) if at < input.args.len() => Part::Arg(at),
        _ if name == "stdin" => Part::Stdin,
        _ => Part::File(name.into()),
    };
    let known = input.parts(&Keep::default()).contains(&part);
    known.then(|| input.text(&part).to_vec())
}
