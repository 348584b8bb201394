//! What external calls gave when the run was recorded, for what-if runs: input that the program reads there is what it would
//! read. A call of a what-if run gets what the next recorded call of the same function gave, its writes moved to where its
//! pointers point now.

mod errno;
mod firsts;
mod input;
mod later;
mod rewritten;
mod subject;
mod touched;

use std::collections::{HashMap, HashSet};

use whydunit_library::{Precision, Source, Writes, lookup};
use whydunit_model::Op;

pub(crate) use self::errno::may_set_unknown;
use self::firsts::{BEHIND_ARGUMENTS, Firsts};
use self::input::Input;
pub(crate) use self::input::{STREAM, line};
pub(crate) use self::later::Then;
use self::later::{Later, Place, Writings};
use self::rewritten::Rewritten;
use self::subject::subject;
pub(crate) use self::touched::WORD;
use crate::mathematics::is_exact;
use crate::memory::Memory;
use crate::observer::{At, Entry, External, ExternalKind, HeapBlock, Observer, PerThread, Writer};
use crate::role::{Role, Untold};

/// An external call of the recorded run.
#[derive(Clone, Debug)]
struct Recorded {
    instruction: u64,
    args: Vec<u64>,
    subject: Vec<u8>,
    writes: Vec<(u64, Vec<u8>)>,
    words: Vec<u64>,
    /// Captured code ran before it returned, or something else that cannot be given again.
    opaque: bool,
}

/// The calls of a function about one thing, in order.
#[derive(Debug)]
struct Calls {
    name: String,
    /// The stream, or the name of what was asked for.
    subject: Vec<u8>,
    /// It is the same whenever it is asked: a variable of the environment.
    steady: bool,
    list: Vec<Recorded>,
    /// Results by arguments, of a function of its arguments.
    pure: Option<HashMap<Vec<u64>, Vec<u64>>>,
}

/// The external calls of a recorded run.
#[derive(Debug, Default)]
pub struct Recall {
    /// By functions and what they are called about, which are few.
    calls: Vec<Calls>,
    /// Where `strtok` goes on, from an instruction on.
    tokens: Vec<(u64, u64)>,
    /// The program's arguments, its name first.
    pub(crate) arguments: Vec<Vec<u8>>,
    /// What was first read in memory that the program did not make: places and bytes.
    pub(crate) found: Vec<(u64, Vec<u8>)>,
    /// When bytes were written first where something was found, or among the arguments.
    rewritten: HashMap<u64, Place>,
    /// What it read later than external code had written it.
    pub(crate) later: Later,
    /// Words in objects of external code that it read while they still were zero.
    pub(crate) zeros: HashSet<u64>,
    input: Input,
    /// When it first called something that may have changed `errno`. None where it never did.
    errno_set: Option<u64>,
}

/// So many bytes are kept at most.
const MOST_BYTES: usize = 64 << 20;
/// So far from where a pointer points a write still belongs to it.
const REACH: u64 = 1 << 20;

/// What is kept of the calls of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kept {
    /// Where it goes on: `strtok`.
    Token,
    /// All of them, in order: its results do not depend on what the program did before, but for the calls of the function itself.
    Calls,
    /// Results by arguments.
    Results,
    /// The one result that it always gives.
    Result,
}

impl Kept {
    fn of(name: &str) -> Option<Self> {
        if is_constant(name) {
            return Some(Self::Result);
        }
        let known = lookup(name)?;
        let function = known.function;
        let calls = match function.source {
            Source::Input | Source::Files | Source::Clock | Source::Random | Source::Environment => {
                // What lies behind a `va_list` or a vector is not found by the pointers among the arguments.
                !known.writes().any(|writes| matches!(writes, Writes::ScannedList(_) | Writes::Buffers(..)))
            }
            Source::Arguments | Source::State => false,
        };
        // Where the last bit is the library's own affair. Of other functions of mathematics the result is computed.
        let results = matches!(function.mathematics, Some(Precision::Single | Precision::Double))
            && !is_exact(function)
            && known.writes().all(|writes| writes == Writes::Own);
        match known.name() {
            "strtok" => Some(Self::Token),
            _ if calls => Some(Self::Calls),
            _ if results => Some(Self::Results),
            _ => None,
        }
    }
}

/// Listens to a run from its start, for what its external calls give.
#[derive(Default)]
pub struct Listener {
    recall: Recall,
    open: PerThread<Vec<(String, Recorded)>>,
    bytes: usize,
    firsts: Firsts,
    writings: Writings,
    rewritten: Rewritten,
}

impl Listener {
    /// For a run that reads this from its standard input, where that is known.
    pub fn of(stdin: Option<Vec<u8>>) -> Self {
        Self { recall: Recall { input: Input::of(stdin), ..Recall::default() }, ..Self::default() }
    }

    /// What was heard; `arguments` are the program's, its name first.
    pub fn recall(mut self, arguments: Vec<Vec<u8>>) -> Recall {
        let later = self.writings.finish();
        let Firsts { zeros, found, .. } = self.firsts;
        Recall { arguments, found, rewritten: self.rewritten.finish(), later, zeros, ..self.recall }
    }
}

impl Observer for Listener {
    const RANGES: bool = true;
    const FRAMES: bool = true;
    const STOPS: bool = true;

    fn stop(&mut self, at: &At<'_>) -> bool {
        match *at.op() {
            Op::Load { ty, addr, .. } | Op::AtomicRmw { ty, addr, .. } | Op::CmpXchg { ty, addr, .. } => {
                self.firsts.read(at, at.value(addr));
                self.writings.touches(at.value(addr), ty.bytes().into());
            }
            Op::Store { ty, addr, .. } => self.writings.touches(at.value(addr), ty.bytes().into()),
            _ => {}
        }
        if let Op::Store { ty, addr, .. } | Op::AtomicRmw { ty, addr, .. } | Op::CmpXchg { ty, addr, .. } = *at.op() {
            self.rewritten.write(place_of(at), at.value(addr), ty.bytes().into());
        }
        false
    }

    fn read(&mut self, _: &At<'_>, address: u64, size: u64) {
        self.writings.touched(address, size);
    }

    fn moved(&mut self, at: &At<'_>, to: u64, from: u64, size: u64) {
        self.rewritten.write(place_of(at), to, size);
        self.writings.touched(from, size);
        self.writings.touched(to, size);
    }

    fn filled(&mut self, at: &At<'_>, address: u64, size: u64) {
        self.rewritten.write(place_of(at), address, size);
        self.writings.touched(address, size);
    }

    fn allocated(&mut self, _: &At<'_>, block: HeapBlock) {
        self.writings.allocated(block.address, block.size, block.defined);
    }

    fn external(&mut self, at: &At<'_>, call: &External<'_>) {
        self.writings.called();
        if call.kind != ExternalKind::Recorded || self.bytes > MOST_BYTES {
            return;
        }
        if Kept::of(call.name).is_some() {
            let (args, instruction) = (call.args.to_vec(), at.instruction());
            let subject = subject(call.name, call.args, at.memory());
            let (writes, words) = (Vec::new(), Vec::new());
            let recorded = Recorded { instruction, args, subject, writes, words, opaque: false };
            self.open.push((call.name.to_string(), recorded));
        }
    }

    fn enter(&mut self, at: &At<'_>, entry: &Entry<'_>) {
        if let (0, "main", Entry::Callback { words }) = (at.depth, &*at.model.name, entry) {
            let argv = words.get(1).copied().unwrap_or(0);
            self.firsts.starts(argv);
            self.rewritten.starts(argv, if argv == 0 { 0 } else { argv.saturating_add(BEHIND_ARGUMENTS) });
        }
        if !matches!(entry, Entry::Call { .. }) {
            // What has called it may have written before.
            self.writings.unknown(at, &[]);
            self.open.iter_mut().for_each(|(_, recorded)| recorded.opaque = true);
        }
    }

    fn unwind(&mut self, at: &At<'_>, _: usize) {
        self.writings.unknown(at, &[]);
    }

    fn switched(&mut self, _: &At<'_>, from: u32, to: u32) {
        self.open.switch(from, to, Vec::new);
    }

    fn external_write(&mut self, at: &At<'_>, address: u64, size: u64, writer: Writer) {
        if let Some((_, recorded)) = self.open.last_mut()
            && matches!(writer, Writer::External)
        {
            self.bytes += size as usize;
            recorded.writes.push((address, at.memory().read_vec(address, size as usize)));
        }
        match writer {
            Writer::Found => {
                if !self.firsts.is_constant(at, address) {
                    let own = self.firsts.is_of_program(at, address);
                    self.writings.found(at, address, size, own);
                }
                if self.firsts.found(at, address, size) {
                    self.rewritten.watch(address, size);
                }
            }
            Writer::External => {
                self.rewritten.write(place_of(at), address, size);
                self.writings.wrote(address, size);
            }
            Writer::Variadic => self.writings.touched(address, size),
            Writer::Image => {}
        }
    }

    fn external_done(&mut self, at: &At<'_>, call: &External<'_>, words: &[u64]) {
        let is_recorded = matches!(call.kind, ExternalKind::Recorded | ExternalKind::Asm);
        if is_recorded && self.recall.errno_set.is_none() && errno::may_set(call.name) {
            self.recall.errno_set = Some(at.instruction());
        }
        match call.kind {
            ExternalKind::Modelled | ExternalKind::Heap => {}
            ExternalKind::Recorded => match Role::written_untold(call.name) {
                Untold::Own => self.writings.library(at, call.args),
                Untold::Stream => {
                    let stream = call.args.first().copied().unwrap_or(0);
                    match self.firsts.is_of_program(at, stream) {
                        true => self.writings.unknown(at, call.args),
                        false => self.writings.library(at, call.args),
                    }
                }
                Untold::Ranges(function) => {
                    function.writes(call.args).for_each(|(address, size)| self.writings.touched(address, size));
                    self.writings.library(at, call.args);
                }
                Untold::Any => self.writings.unknown(at, call.args),
            },
            ExternalKind::Asm => self.writings.unknown(at, call.args),
        }
        self.recall.input.taken(at, call.name, call.args, words);
        if self.open.last().is_some_and(|(name, _)| name == call.name)
            && let Some((name, mut recorded)) = self.open.pop()
        {
            recorded.words = words.to_vec();
            self.recall.input.returned(at, &name, &recorded.args, words.first().copied().unwrap_or(0));
            let kept = Kept::of(&name);
            if is_of_thread(&name) && at.core.threads.several() {
                return;
            }
            if kept == Some(Kept::Token) {
                let token = words.first().copied().unwrap_or(0);
                let length = at.memory().read_string(token, REACH).len() as u64;
                let rest = if token == 0 { 0 } else { token + length + u64::from(!recorded.writes.is_empty()) };
                return self.recall.tokens.push((recorded.instruction, rest));
            }
            let subject = std::mem::take(&mut recorded.subject);
            let known = self.recall.calls.iter().position(|calls| calls.name == name && calls.subject == subject);
            let number = known.unwrap_or_else(|| {
                let pure = matches!(kept, Some(Kept::Results | Kept::Result)).then(HashMap::new);
                let steady = lookup(&name).is_some_and(|known| known.function.source == Source::Environment);
                self.recall.calls.push(Calls { name, subject, steady, list: Vec::new(), pure });
                self.recall.calls.len() - 1
            });
            if kept == Some(Kept::Result) {
                recorded.args.clear();
            }
            let calls = &mut self.recall.calls[number];
            match &mut calls.pure {
                Some(results) if results.contains_key(&recorded.args) => return,
                Some(results) => _ = results.insert(recorded.args, recorded.words),
                None => calls.list.push(recorded),
            }
            self.bytes += 128;
        }
    }
}

/// How far the run has come.
fn place_of(at: &At<'_>) -> Place {
    (at.instruction(), at.pc)
}

/// What a recalled call comes to.
pub(crate) struct Recalled {
    pub writes: Vec<(u64, Vec<u8>)>,
    pub words: Vec<u64>,
}

/// What a what-if run has called so far.
#[derive(Clone, Default)]
pub(crate) struct Made {
    /// How many calls of each recalled function, as far as it has made any.
    calls: Vec<usize>,
    /// Where it stands in its standard input, once it has read.
    input: Option<usize>,
}

impl Made {
    /// Whether it has read standard input.
    pub fn has_read(&self) -> bool {
        self.input.is_some()
    }

    /// It has read standard input up to here.
    pub fn stand(&mut self, place: usize) {
        self.input = Some(place);
    }
}

/// Whether a function gives the same whatever it is asked: a facet of the only locale, the only thread.
fn is_constant(name: &str) -> bool {
    name.starts_with("_ZSt9use_facetI") || is_of_thread(name)
}

/// Whether what a function always gives is another in another thread.
pub(crate) fn is_of_thread(name: &str) -> bool {
    matches!(name, "pthread_self" | "thrd_current")
}

impl Recall {
    /// Without what calls gave that may give something else another time: input, files, clocks. What is known of memory stays.
    pub fn without_input(mut self) -> Self {
        self.calls.retain(|calls| calls.pure.is_some());
        self.input = Input::default();
        self
    }

    /// Whether `errno` is still zero, as at the start of a program, where a run left the recorded one at `instruction`.
    pub(crate) fn errno_is_zero(&self, instruction: u64) -> bool {
        self.errno_set.is_none_or(|first| first >= instruction)
    }

    /// Where a run stands in standard input that left the recorded one at `instruction`, what is left of it, and the state of the stream of
    /// C++ when it left; none where that is not known.
    pub(crate) fn standard_input(&self, made: &Made, instruction: u64) -> Option<(usize, &[u8], u32)> {
        self.input.standing(made.input, instruction)
    }

    /// Whether something was written to a byte, of what was found or is an argument, before a place.
    pub(crate) fn is_rewritten(&self, byte: u64, place: Place) -> bool {
        self.rewritten.get(&byte).is_some_and(|first| *first < place)
    }

    /// What a function that always gives the same has given.
    pub(crate) fn always(&self, name: &str) -> Option<u64> {
        let calls = self.calls.iter().find(|calls| calls.name == name)?;
        calls.pure.as_ref()?.get(&[][..])?.first().copied()
    }

    /// Where `strtok` goes on in a run that left the recorded one at `instruction`; 0 where it was not called before.
    pub(crate) fn tokens(&self, instruction: u64) -> u64 {
        let done = self.tokens.partition_point(|call| call.0 < instruction);
        done.checked_sub(1).map_or(0, |last| self.tokens[last].1)
    }

    /// What a call gives in a run that left the recorded one at `instruction`, with this memory; none where nothing is known.
    pub(crate) fn call(
        &self,
        made: &mut Made,
        instruction: u64,
        (name, args): (&str, &[u64]),
        memory: &Memory,
    ) -> Option<Recalled> {
        if let Some(read) = self.input.call(&mut made.input, instruction, name, args) {
            return Some(read);
        }
        let subject = subject(name, args, memory);
        let is_it = |calls: &Calls| calls.name == name && (calls.pure.is_some() || calls.subject == subject);
        let number = self.calls.iter().position(is_it)?;
        let Calls { list: calls, pure, steady, .. } = &self.calls[number];
        if let Some(results) = pure {
            return results.get(args).map(|words| Recalled { writes: Vec::new(), words: words.clone() });
        }
        let first = calls.partition_point(|call| call.instruction < instruction);
        made.calls.resize(self.calls.len(), 0);
        let done = &mut made.calls[number];
        // Input that has come to its end stays there.
        let ended = |call: &&Recorded| {
            call.writes.is_empty() && matches!(call.words.first(), Some(&(0 | 0xffff_ffff | u64::MAX)))
        };
        let call = calls.get(first + *done).or_else(|| calls.last().filter(|call| *steady || ended(call)));
        let call = call.filter(|call| !call.opaque && call.args.len() == args.len())?;
        *done += 1;
        // Where a pointer of the recorded call pointed, and something was written, the present one points.
        let moved = |address: u64| {
            let behind =
                call.args.iter().zip(args).filter(|(old, _)| address.wrapping_sub(**old) < REACH && **old > 0xffff);
            let nearest = behind.min_by_key(|(old, _)| address.wrapping_sub(**old));
            nearest.map_or(address, |(old, new)| new.wrapping_add(address.wrapping_sub(*old)))
        };
        let writes = call.writes.iter().map(|(address, bytes)| (moved(*address), bytes.clone())).collect();
        let words = call.words.iter().map(|&word| if call.args.contains(&word) { moved(word) } else { word }).collect();
        Some(Recalled { writes, words })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_of_calls_is_known_by_any_name_of_a_function() {
        let kept = |names: &str, expected: Option<Kept>| {
            names.split(' ').for_each(|name| assert_eq!(Kept::of(name), expected, "{name}"));
        };
        kept("fgets __fgets_chk getc_unlocked __isoc23_fscanf ungetc feof_unlocked pread64", Some(Kept::Calls));
        kept("fopen64 stat64 fstat64 __lxstat access close isatty", Some(Kept::Calls));
        kept("time clock_gettime getenv rand getpid localtime_r setlocale getopt_long strerror", Some(Kept::Calls));
        kept("log powf sin atan2 tgamma lgamma ldexp", Some(Kept::Results));
        kept("strtok", Some(Kept::Token));
        kept("_ZSt9use_facetISt5ctypeIcEERKT_RKSt6locale pthread_self", Some(Kept::Result));
        // Those that print or change something, are computed, or write where no pointer of the call leads.
        kept("puts write fseek malloc sqrt floorf strtol frexp sinl vscanf readv no_such_function", None);
    }
}
