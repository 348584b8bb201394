//! Any solver that reads SMT-LIB 2, as a process of its own.

mod expression;
mod session;

use rustc_hash::FxHashMap;
use whydunit_terms::smtlib::Script;
use whydunit_terms::{Assignment, Format, Lowering, Pool, Term};

use crate::solver::{Watch, has_floats, require_truth};
use crate::{Answer, Capabilities, Limits, SolveError, Solver};
use expression::Expression;
use session::{Session, Trouble};

/// The most memory of a process, unless told otherwise.
const MEMORY: u64 = 4 << 30;

/// A solver in a process: started at the first check, ended when a limit is reached, started again at the next check.
///
/// A conflict limit is not passed on.
pub struct Process {
    name: String,
    command: Vec<String>,
    memory: Option<u64>,
    /// Lowers the floats that the solver does not know.
    lowering: Option<Lowering>,
    assertions: Vec<Term>,
    state: Option<State>,
}

/// What a running process has been told.
struct State {
    session: Session,
    script: Script,
    /// Whether of a logic with floats.
    floats: bool,
    /// How many of the assertions.
    asserted: usize,
    /// The names that stand for assumptions.
    assumed: FxHashMap<Term, String>,
}

impl Process {
    /// A solver by its command, which must read commands from standard input: its name, and program and arguments.
    pub fn new(name: impl Into<String>, command: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let command = command.into_iter().map(Into::into).collect();
        Self { name: name.into(), command, memory: Some(MEMORY), lowering: None, assertions: Vec::new(), state: None }
    }

    /// With another limit of the process's memory in bytes, 4 GiB otherwise, or none.
    pub fn with_memory(mut self, bytes: Option<u64>) -> Self {
        self.memory = bytes;
        self
    }

    /// For a solver that does not know the floats of some formats: they are lowered to bits.
    pub fn without(mut self, formats: &[Format]) -> Self {
        self.lowering = Some(Lowering::of(formats));
        self
    }

    /// Z3, from the search path.
    pub fn z3() -> Self {
        Self::new("z3", ["z3", "-in", "-smt2"])
    }

    /// cvc5, from the search path. Formats beyond single and double it calls experimental.
    pub fn cvc5() -> Self {
        Self::new("cvc5", ["cvc5", "--incremental", "--lang=smt2.6", "--fp-exp"])
    }

    /// Bitwuzla, from the search path; without x87 floats, which it is not built with.
    pub fn bitwuzla() -> Self {
        Self::new("bitwuzla", ["bitwuzla"]).without(&[Format::Extended])
    }

    /// Whether the program can be run: it tells its version.
    pub fn is_there(&self) -> bool {
        let Some(program) = self.command.first() else { return false };
        std::process::Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
    }

    /// A formula as the solver gets it.
    fn formula(&mut self, pool: &mut Pool, term: Term) -> Result<Term, SolveError> {
        require_truth(pool, term)?;
        match &mut self.lowering {
            Some(lowering) => Ok(lowering.lower(pool, term)?),
            None => Ok(term),
        }
    }

    fn failed(&self, message: impl Into<String>) -> SolveError {
        SolveError::Failed { solver: self.name.clone(), message: message.into() }
    }

    /// An answer that is none, cut short.
    fn unexpected(&self, what: &str, answer: &str) -> SolveError {
        let answer: String = answer.trim().chars().take(300).collect();
        self.failed(format!("to {what} it answered: {answer}"))
    }

    /// The state of a process that knows the assertions and names for the assumptions, and the text that it must be told
    /// before. A process that was told of a logic without floats is left for a new one.
    fn prepared(&mut self, pool: &mut Pool, assumptions: &[Term]) -> Result<(State, String), Trouble> {
        let mut text = String::new();
        let kept = self.state.take();
        let asserted = kept.as_ref().map_or(0, |state| state.asserted);
        let terms = self.assertions[asserted..].iter().chain(assumptions).copied();
        let floats = match &kept {
            Some(state) => state.floats || has_floats(pool, terms, |term| state.script.defines(term)),
            None => has_floats(pool, terms, |_| false),
        };
        let mut state = match kept {
            Some(state) if state.floats == floats => state,
            _ => {
                text += "(set-option :produce-models true)\n(set-option :produce-unsat-assumptions true)\n";
                text += if floats { "(set-logic QF_BVFP)\n" } else { "(set-logic QF_BV)\n" };
                State {
                    session: Session::start(&self.command, self.memory)?,
                    script: Script::new(),
                    floats,
                    asserted: 0,
                    assumed: FxHashMap::default(),
                }
            }
        };
        let names = state.script.define(pool, &self.assertions[state.asserted..], &mut text);
        for name in names {
            text += &format!("(assert {name})\n");
        }
        state.asserted = self.assertions.len();
        for assumption in assumptions {
            if !state.assumed.contains_key(assumption) {
                let name = state.script.define(pool, &[*assumption], &mut text).concat();
                let literal = format!("a{}", state.assumed.len());
                text += &format!("(declare-const {literal} Bool)\n(assert (=> {literal} {name}))\n");
                state.assumed.insert(*assumption, literal);
            }
        }
        Ok((state, text))
    }

    /// Asks a prepared process.
    fn decide(&self, state: &mut State, text: String, assumptions: &[Term], watch: &Watch) -> Result<Answer, Stopped> {
        let literals: Vec<&str> = assumptions.iter().map(|term| state.assumed[term].as_str()).collect();
        let check = match &literals[..] {
            [] => "(check-sat)".to_owned(),
            _ => format!("(check-sat-assuming ({}))", literals.join(" ")),
        };
        let answer = state.session.ask(text + &check, watch)?;
        match answer.trim() {
            "sat" => {
                let assignment = self.model(state, watch)?;
                Ok(Answer::Sat(assignment))
            }
            "unsat" if assumptions.is_empty() => Ok(Answer::Unsat { core: Vec::new() }),
            "unsat" => {
                let answer = state.session.ask("(get-unsat-assumptions)".into(), watch)?;
                let wrong = || self.unexpected("get-unsat-assumptions", &answer);
                let parsed = Expression::parse(&answer).ok_or_else(wrong)?;
                let named: Option<Vec<&str>> = match &parsed[..] {
                    [list] => list.list().and_then(|list| list.iter().map(Expression::word).collect()),
                    _ => None,
                };
                let named = named.ok_or_else(wrong)?;
                if named.iter().any(|name| !literals.contains(name)) {
                    return Err(wrong().into());
                }
                // A term that is assumed twice is in the core once.
                let mut core: Vec<usize> =
                    named.iter().filter_map(|name| literals.iter().position(|literal| literal == name)).collect();
                core.sort_unstable();
                core.dedup();
                Ok(Answer::Unsat { core })
            }
            "unknown" => Ok(Answer::Unknown("the solver does not know".into())),
            _ => Err(self.unexpected("check-sat", &answer).into()),
        }
    }

    fn model(&self, state: &mut State, watch: &Watch) -> Result<Assignment, Stopped> {
        let variables = state.script.variables();
        if variables.is_empty() {
            return Ok(Assignment::new());
        }
        let names: Vec<String> = variables.iter().map(|variable| format!("v{}", variable.index())).collect();
        let answer = state.session.ask(format!("(get-value ({}))", names.join(" ")), watch)?;
        let wrong = || self.unexpected("get-value", &answer);
        let parsed = Expression::parse(&answer).ok_or_else(wrong)?;
        let pairs = parsed.first().and_then(Expression::list).ok_or_else(wrong)?;
        let mut values = FxHashMap::default();
        for pair in pairs {
            let [name, value] = pair.list().unwrap_or(&[]) else { return Err(wrong().into()) };
            let (Some(name), Some(value)) = (name.word(), value.value()) else { return Err(wrong().into()) };
            values.insert(name, value);
        }
        let variables = state.script.variables().iter().zip(&names);
        let value = |(variable, name): (&Term, &String)| Some((*variable, *values.get(name.as_str())?));
        variables.map(value).collect::<Option<Assignment>>().ok_or_else(|| wrong().into())
    }
}

/// Why a check has no answer.
enum Stopped {
    Trouble(Trouble),
    Error(SolveError),
}

impl From<Trouble> for Stopped {
    fn from(trouble: Trouble) -> Self {
        Stopped::Trouble(trouble)
    }
}

impl From<SolveError> for Stopped {
    fn from(error: SolveError) -> Self {
        Stopped::Error(error)
    }
}

impl Solver for Process {
    fn name(&self) -> &str {
        &self.name
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { floats: self.lowering.is_none(), incremental: true, cores: true }
    }

    fn assert(&mut self, pool: &mut Pool, term: Term) -> Result<(), SolveError> {
        let term = self.formula(pool, term)?;
        self.assertions.push(term);
        Ok(())
    }

    fn check(&mut self, pool: &mut Pool, assumptions: &[Term], limits: &Limits) -> Result<Answer, SolveError> {
        let watch = limits.start();
        let assumptions: Vec<Term> =
            assumptions.iter().map(|term| self.formula(pool, *term)).collect::<Result<_, _>>()?;
        let assumptions = &assumptions[..];
        if let Some(reason) = watch.over() {
            return Ok(Answer::Unknown(reason.into()));
        }
        let answer = match self.prepared(pool, assumptions) {
            Ok((mut state, text)) => {
                let answer = self.decide(&mut state, text, assumptions, &watch);
                if answer.is_ok() {
                    self.state = Some(state);
                }
                answer
            }
            Err(trouble) => Err(trouble.into()),
        };
        // After anything unexpected the process is ended; the next check starts another.
        match answer {
            Ok(answer) => Ok(answer),
            Err(Stopped::Trouble(Trouble::Limit(reason))) => Ok(Answer::Unknown(reason.into())),
            Err(Stopped::Trouble(Trouble::Gone(message))) => Err(self.failed(message)),
            Err(Stopped::Error(error)) => Err(error),
        }
    }

    fn reset(&mut self) {
        self.assertions.clear();
        self.lowering = self.lowering.take().map(|lowering| Lowering::of(lowering.formats()));
        self.state = None;
    }
}
