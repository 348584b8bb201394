//! What a run with the fix says against the fix: whether a death of it is the bug's, the fix's, or nobody's that is asked about.

use whydunit_inputs::{Input, Keep, neighbours};
use whydunit_locate::find;
use whydunit_process::{Exit, Limits};
use whydunit_replay::Machine;
use whydunit_review::{Programs, Ran, Version};
use whydunit_suite::{Case, Outcome, TestResult, skeleton};
use whydunit_workbench::Along;

use super::death::{At, Death, Kind};
use super::programs::Pair;
use super::told::did;
use super::violation::Violation;
use crate::Error;
use whydunit_desk::recordings::{self, Opened};

/// A stack that no program needs for what people give it.
const STACK: u64 = 1 << 30;
/// A run that does not end is given so many times as long once more.
const PATIENCE: u32 = 2;
/// A run of the other version that takes less than this part of the time has ended long before.
const SHORT: u32 = 4;
/// Of inputs on which the program goes the failing test's own way.
pub const OWN: &str = "on the way of the test";
/// Ways of the program that differ by no more edges from the failing test's are near it.
const NEAR: usize = 4;
/// So many inputs next to one that dies with the fix are run before it.
const NEXT: usize = 100;
const SIGBUS: i32 = 7;
const SIGSEGV: i32 = 11;

/// What a run with the fix says.
#[derive(Clone, PartialEq, Debug)]
pub enum Judged {
    /// Nothing.
    Fine,
    /// The bug is still there: how the run fails.
    Uncovered(String),
    /// The fix has brought a failure that was not there: which.
    Broken(String),
    /// It fails, and nothing says that the fix is to blame: why it is told.
    Told(&'static str, String),
}

impl Judged {
    /// How the run fails, where that counts against the fix.
    pub fn fails(&self) -> Option<&str> {
        match self {
            Judged::Uncovered(how) | Judged::Broken(how) => Some(how),
            Judged::Fine | Judged::Told(..) => None,
        }
    }
}

impl Pair<'_> {
    /// What both versions do on an input says. It is asked of runs that fail; what counts has failed more than once.
    pub fn judge(&self, input: &Input, before: &TestResult, after: &TestResult) -> Result<Judged, Error> {
        let bug = self.plain.bug;
        if let (Violation::Status(bad), Some(how)) = (&bug.violation, bug.violation.of_run(after))
            && Death::of(after).is_none()
        {
            // What fails only since the fix is a difference: whether that status is right there nobody knows.
            let both = [before, after].iter().all(|run| run.exit == Some(Exit::Status(*bad)));
            // Another complaint is another matter.
            let both = both && skeleton(&how) == skeleton(&bug.how);
            return Ok(if both { Judged::Uncovered(how) } else { Judged::Fine });
        }
        let Some(after) = self.placed(Version::Mended, input, after)? else { return Ok(Judged::Fine) };
        let again = self.plain.result(Version::Mended, input);
        let again = again.as_ref().and_then(Death::of).map(|death| class(death.kind));
        if again != Some(class(after.kind)) && !after.kind.is_exhausted() {
            return Ok(Judged::Told("it does not fail so each time", after.how));
        }
        let mut before = self.placed(Version::Broken, input, before)?;
        if before.is_none() && matches!(class(after.kind), Kind::Memory) {
            // What does not show is an error all the same.
            before = self.recorded_error(Version::Broken, input)?;
        }
        self.compare(input, before.as_ref(), after)
    }

    /// Compares a death with the fix with the one before it, if there is one.
    fn compare(&self, input: &Input, before: Option<&Death>, after: Death) -> Result<Judged, Error> {
        let bug = self.plain.bug.death.as_ref();
        if after.kind.is_exhausted() {
            return Ok(self.exhausted(input, before, after));
        }
        if after.kind == Kind::Leak && bug.is_none_or(|bug| bug.kind != Kind::Leak) {
            return Ok(Judged::Told("memory is not given back", after.how));
        }
        if after.is_check() && after.at.as_ref().is_some_and(|at| self.places.is_own_check(at)) {
            return Ok(Judged::Told("a check that the fix has brought ends it", after.how));
        }
        let Some(before) = before else {
            return Ok(match self.dies_so_before(input, &after)? {
                true => Judged::Told("it fails elsewhere, as before the fix on other inputs", after.how),
                false => Judged::Broken(after.how),
            });
        };
        let is_bug = bug.is_some_and(|bug| {
            self.is_same((bug, Version::Broken), (&after, Version::Mended))
                || self.is_same((bug, Version::Broken), (before, Version::Broken))
        });
        if is_bug {
            return Ok(Judged::Uncovered(after.how));
        }
        let why = if bug.is_some_and(|bug| bug.is_alike(&after)) {
            "it fails as the test does, in another place"
        } else if self.is_same((before, Version::Broken), (&after, Version::Mended)) {
            "it fails elsewhere, as before the fix"
        } else {
            "it fails in another way than the test"
        };
        Ok(Judged::Told(why, after.how))
    }

    /// What a run says that ended because there was not enough time, memory or stack.
    fn exhausted(&self, input: &Input, before: Option<&Death>, after: Death) -> Judged {
        let of_bug = self.plain.bug.death.as_ref().is_some_and(|bug| bug.kind == after.kind);
        if self.is_far(input, if of_bug { 2 } else { 1 }) {
            return Judged::Told("a large input exhausts it", after.how);
        }
        match before {
            Some(before) if before.kind == after.kind && !of_bug => {
                Judged::Told("it fails elsewhere, as before the fix", after.how)
            }
            Some(before) if before.kind.is_exhausted() && before.kind != after.kind => {
                Judged::Told("it fails in another way than the test", after.how)
            }
            // Whether it may go on for ever where it died before nobody knows: a script that never ends is right to.
            Some(_) if matches!(after.kind, Kind::Time | Kind::Limit) && !of_bug => {
                Judged::Told("it does not end where it died before the fix", after.how)
            }
            _ if after.kind == Kind::Time && !self.hangs(input, before.is_some()) => {
                Judged::Told("it takes long with the fix", after.how)
            }
            None => Judged::Broken(after.how),
            Some(_) => Judged::Uncovered(after.how),
        }
    }

    /// Whether the program with the fix does not end though it has worked for longer than it may; before it, it has to end
    /// long before, unless it fails there.
    fn hangs(&self, input: &Input, fails_before: bool) -> bool {
        let Some(time) = self.plain.time() else { return false };
        let longer = |limits: Limits| Limits { time: Some(time * PATIENCE), ..limits };
        let run = |version| self.plain.within(version, std::slice::from_ref(input), &longer).pop();
        if !fails_before && run(Version::Broken).is_none_or(|before| before.work.max(before.time) >= time / SHORT) {
            return false;
        }
        let waits = self.plain.bug.death.as_ref().is_some_and(|bug| bug.kind == Kind::Time);
        // It was run once before.
        run(Version::Mended).is_some_and(|after| after.outcome == Outcome::Timeout && (waits || after.work >= time))
    }

    /// Whether an input is larger than the suite's, by so many times: longer, or with larger numbers.
    fn is_far(&self, input: &Input, times: u128) -> bool {
        let texts = |input: &Input| -> Vec<Vec<u8>> {
            input.parts(&Keep::default()).iter().map(|part| input.text(part).to_vec()).collect()
        };
        let largest = |input: &Input| texts(input).iter().map(|text| largest_number(text)).max().unwrap_or(0);
        let longest = |input: &Input| texts(input).iter().map(Vec::len).sum::<usize>() + input.args.len();
        let number = self.suite.iter().map(largest).max().unwrap_or(0);
        let length = self.suite.iter().map(longest).max().unwrap_or(0);
        largest(input) > number.saturating_mul(times) || longest(input) as u128 > length as u128 * times + 8
    }

    /// A run's death with what nothing but a recording, or a larger stack, tells of it. None where it does not die.
    fn placed(&self, version: Version, input: &Input, result: &TestResult) -> Result<Option<Death>, Error> {
        match Death::of(result) {
            Some(death) => Ok(Some(self.with_place(version, input, death)?)),
            None => Ok(None),
        }
    }

    /// A run's death with what a recording, or a larger stack, tells of it.
    fn with_place(&self, version: Version, input: &Input, mut death: Death) -> Result<Death, Error> {
        if let Kind::Signal(SIGSEGV | SIGBUS) = death.kind {
            let larger = |limits: Limits| Limits { stack: Some(STACK), time: self.plain.time(), ..limits };
            let again = self.plain.within(version, std::slice::from_ref(input), &larger).pop();
            if again.is_some_and(|again| !matches!(again.exit, Some(Exit::Signal(SIGSEGV | SIGBUS)))) {
                death.kind = Kind::Stack;
                return Ok(death);
            }
        }
        if death.at.is_none()
            && !death.kind.is_exhausted()
            && let Some((_, opened)) = self.record(version, input)?
        {
            death.at = point(&opened);
        }
        Ok(death)
    }

    /// Whether two deaths are one: of a kind, and at one place or by one condition. Where nothing tells the places, the kind does.
    fn is_same(&self, (one, first): (&Death, Version), (two, second): (&Death, Version)) -> bool {
        if class(one.kind) != class(two.kind) {
            return false;
        }
        if one.is_specific() && one.says == two.says {
            return true;
        }
        match (&one.at, &two.at, first == second) {
            (Some(one), Some(two), true) => one.line == two.line && one.name() == two.name(),
            (Some(one), Some(two), false) if first == Version::Broken => self.places.same(one, two),
            (Some(one), Some(two), false) => self.places.same(two, one),
            _ => one.says == two.says || class(one.kind) == Kind::Memory,
        }
    }

    /// What a recorded run does wrong to memory. None where it is not recorded, or does nothing wrong.
    pub fn recorded_error(&self, version: Version, input: &Input) -> Result<Option<Death>, Error> {
        match self.record(version, input)? {
            Some((_, opened)) => self.memory_error(version, &opened),
            None => Ok(None),
        }
    }

    fn memory_error(&self, version: Version, opened: &Opened) -> Result<Option<Death>, Error> {
        let desk = &self.laid[usize::from(version == Version::Mended)].desk;
        let replayed = recordings::replay(desk, opened, Along::MemoryCheck)?;
        let error = replayed.answer.errors.memory.into_iter().find(|error| error.kind != "uninitialised");
        Ok(error.map(|error| Death {
            kind: Kind::Memory,
            at: error.location.map(|location| At { file: location.file, line: location.line }),
            says: error.kind,
            how: error.message,
        }))
    }

    /// Whether the replay, too, looks for errors of memory.
    fn checks_memory(&self) -> bool {
        let kind = self.plain.bug.death.as_ref().map(|death| class(death.kind));
        self.plain.bug.violation == Violation::Memory || kind == Some(Kind::Memory) && !self.is_by_signal()
    }

    fn is_by_signal(&self) -> bool {
        self.plain.bug.death.as_ref().is_some_and(|death| matches!(death.kind, Kind::Signal(_)))
    }

    /// A run as it ends by itself, where what is recorded may end otherwise: nothing that a sanitizer brings is recorded. None
    /// where the recorded one tells as much.
    fn native(&self, version: Version, input: &Input) -> Option<TestResult> {
        let kind = self.plain.bug.death.as_ref()?.kind;
        matches!(kind, Kind::Memory | Kind::Undefined | Kind::Leak | Kind::Time)
            .then(|| self.plain.result(version, input))
            .flatten()
    }

    /// The verdict on a run of the program with the fix; what fails and counts for nothing is a remark.
    pub fn verdict(&self, input: &Input, before: &TestResult, after: &TestResult) -> Result<Option<Judged>, Error> {
        let judged = self.judge(input, before, after)?;
        if let Judged::Told(why, how) = &judged {
            self.remark(why, how, input, [before, after]);
        }
        Ok(Some(judged).filter(|judged| judged.fails().is_some()))
    }

    fn remark(&self, why: &str, how: &str, input: &Input, [before, after]: [&TestResult; 2]) {
        let case = || self.told_case(input, "seen");
        self.remarks.borrow_mut().add(format!("{why}: {how}"), input, case, [did(before), did(after)]);
    }

    /// A counterexample as a line of `cases.jsonl`. What is expected nobody knows, but for the status that is the bug.
    pub fn failing_case(&self, input: &Input) -> String {
        let by_status = matches!(self.plain.bug.violation, Violation::Status(_));
        self.written(input, "again", self.plain.case.status.filter(|_| by_status))
    }

    /// An input as a line of `cases.jsonl`, which says nothing of what is expected: nobody knows.
    pub fn told_case(&self, input: &Input, what: &str) -> String {
        self.written(input, what, None)
    }

    fn written(&self, input: &Input, what: &str, status: Option<i32>) -> String {
        let plain = self.plain;
        let name = format!("{}-{what}", plain.case.name);
        let case = Case { name, status, signal: None, stdout: None, ..input.case(plain.case) };
        case.to_json().to_string()
    }
}

impl Pair<'_> {
    /// Keeps how a run of the program before the fix died, if it did.
    pub fn see_death(&self, input: &Input, before: &TestResult) {
        self.deaths.borrow_mut().see(input, before);
    }

    /// Whether the program dies as it does with the fix on this input before the fix, too, on others: on those that were run and, where
    /// nobody has said which inputs there are, on those next to this one. The bug's own death is none of these.
    fn dies_so_before(&self, input: &Input, after: &Death) -> Result<bool, Error> {
        let is_after = |before: &Death| self.is_same((before, Version::Broken), (after, Version::Mended));
        // Where nothing tells the places, two deaths are too easily one.
        let told = after.at.is_some() || after.is_specific();
        if !told || self.plain.bug.death.as_ref().is_some_and(is_after) {
            return Ok(false);
        }
        if self.is_among_deaths(&is_after)? {
            return Ok(true);
        }
        if self.in_domain || self.is_over() {
            return Ok(false);
        }
        let near = neighbours(input, &self.suite, NEXT);
        for (near, run) in near.iter().zip(self.plain.results(Version::Broken, &near)) {
            self.see_death(near, &run);
        }
        self.is_among_deaths(&is_after)
    }

    /// Whether one of the deaths that were seen is such a one. What has no place from outside gets it from a recording.
    fn is_among_deaths(&self, is_it: &dyn Fn(&Death) -> bool) -> Result<bool, Error> {
        let list = std::mem::take(&mut self.deaths.borrow_mut().list);
        let mut placed = Vec::new();
        for (death, input) in list {
            let death = match death.at {
                None => self.with_place(Version::Broken, &input, death)?,
                Some(_) => death,
            };
            placed.push((death, input));
        }
        let found = placed.iter().any(|(death, _)| {
            (death.at.is_some() || death.is_specific()) && !death.kind.is_exhausted() && is_it(death)
        });
        self.deaths.borrow_mut().list = placed;
        Ok(found)
    }
}

/// Kinds that one error may have: an access of memory that must not be shows in several ways.
fn class(kind: Kind) -> Kind {
    if let Kind::Signal(SIGSEGV | SIGBUS) = kind { Kind::Memory } else { kind }
}

/// The largest number in a text, by its digits.
fn largest_number(text: &[u8]) -> u128 {
    let runs = text.split(|byte| !byte.is_ascii_digit()).filter(|digits| !digits.is_empty());
    let value = |digits: &[u8]| {
        let digit = |sum: u128, digit: &u8| sum.saturating_mul(10).saturating_add(u128::from(digit - b'0'));
        digits.iter().fold(0, digit)
    };
    runs.map(value).max().unwrap_or(0)
}

/// Where a recorded run fails. None where that is not found.
fn point(opened: &Opened) -> Option<At> {
    let mut machine = Machine::new(opened.program.clone(), &opened.recording).ok()?;
    let found = find(&mut machine, &Default::default(), false).ok()?.ok()?;
    let at = At { file: found.position.file.clone(), line: found.position.loc.line };
    Some(at).filter(|at| !at.file.is_empty() && at.line > 0)
}

impl Pair<'_> {
    /// How the broken program fails on an input in the way of the bug. None where it does not.
    fn is_bug(&self, input: &Input, result: &TestResult, opened: Option<&Opened>) -> Result<Option<String>, Error> {
        let bug = self.plain.bug;
        let Some(known) = &bug.death else {
            return Ok(bug.violation.of_run(result).filter(|_| Death::of(result).is_none()));
        };
        let mut found = Death::of(result);
        if found.is_none()
            && self.checks_memory()
            && let Some(opened) = opened
        {
            found = self.memory_error(Version::Broken, opened)?;
        }
        let Some(mut death) = found.filter(|death| class(death.kind) == class(known.kind)) else { return Ok(None) };
        if death.at.is_none() && !death.kind.is_exhausted() {
            death.at = opened.and_then(point);
        }
        let is_it = Input::of(self.plain.case).is_ok_and(|own| own == *input)
            || self.is_same((known, Version::Broken), (&death, Version::Broken));
        Ok(is_it.then_some(death.how))
    }

    /// What the fixed program's run on an input says, by itself and as it was recorded.
    pub fn judged(&self, input: &Input, recorded: Option<(&TestResult, &Opened)>) -> Result<Judged, Error> {
        let by_itself = || self.plain.result(Version::Mended, input);
        let native = self.native(Version::Mended, input).or_else(|| recorded.map_or_else(by_itself, |_| None));
        let Some(after) = native.as_ref().or(recorded.map(|(result, _)| result)) else { return Ok(Judged::Fine) };
        if self.plain.bug.violation.of_run(after).is_some() {
            let Some(before) = self.plain.result(Version::Broken, input) else { return Ok(Judged::Fine) };
            return Ok(self.verdict(input, &before, after)?.unwrap_or(Judged::Fine));
        }
        let Some((_, opened)) = recorded.filter(|_| self.checks_memory()) else { return Ok(Judged::Fine) };
        let Some(after) = self.memory_error(Version::Mended, opened)? else { return Ok(Judged::Fine) };
        let before = self.recorded_error(Version::Broken, input)?;
        let judged = self.compare(input, before.as_ref(), after)?;
        if let Judged::Told(why, how) = &judged {
            let sides = [Version::Broken, Version::Mended].map(|version| self.plain.result(version, input));
            if let [Some(before), Some(after)] = sides {
                self.remark(why, how, input, [&before, &after]);
            }
            return Ok(Judged::Fine);
        }
        Ok(judged)
    }

    /// Whether the program before the fix takes the failing test's path on an input.
    pub fn is_own(&self, input: &Input) -> bool {
        if self.own.borrow().contains(&input.digest()) {
            return true;
        }
        let Ok(Some((_, opened))) = self.record(Version::Broken, input) else { return false };
        let path = self.path(Version::Broken, input, &opened);
        path.is_some_and(|path| self.first.borrow().as_ref() == Some(&path.edges))
    }
}

impl Programs for Pair<'_> {
    type Error = Error;

    fn run(&self, version: Version, input: &Input) -> Result<Option<Ran>, Error> {
        let recorded = self.record(version, input)?;
        let Some((result, opened)) = &recorded else {
            // What cannot be recorded can still be run.
            let Some(result) = self.plain.result(version, input) else { return Ok(None) };
            let fails = match version {
                Version::Broken => self.is_bug(input, &result, None)?,
                Version::Mended => self.judged(input, None)?.fails().map(String::from),
            };
            return Ok(Some(Ran { fails, path: None }));
        };
        let path = self.path(version, input, opened);
        let by_output = self.plain.bug.violation == Violation::Output;
        let fails = match version {
            Version::Broken if by_output => path.as_ref().and_then(|path| {
                let mut first = self.first.borrow_mut();
                let first = first.get_or_insert_with(|| path.edges.clone());
                if *first == path.edges {
                    self.own.borrow_mut().insert(input.digest());
                }
                (whydunit_review::distance(&path.edges, first) <= NEAR).then(|| self.plain.bug.how.clone())
            }),
            Version::Broken => {
                let native = self.native(version, input);
                self.is_bug(input, native.as_ref().unwrap_or(result), Some(opened))?
            }
            Version::Mended => {
                let fails = self.judged(input, Some((result, opened)))?.fails().map(String::from);
                if by_output && fails.is_none() {
                    self.ask(input);
                }
                fails
            }
        };
        Ok(Some(Ran { fails, path }))
    }

    fn is_over(&self) -> bool {
        Pair::is_over(self)
    }
}
