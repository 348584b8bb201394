//! Call strings: the calls by which a function was reached, the last ones of them (Sharir and Pnueli, "Two Approaches to
//! Interprocedural Data Flow Analysis").

use rustc_hash::FxHashMap;

use crate::callgraph::CallSite;

/// Number of a call string.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Context(u32);

impl Context {
    /// However it was reached.
    pub const ANY: Context = Context(0);
}

/// All call strings in use.
pub(crate) struct Contexts {
    depth: usize,
    strings: Vec<Vec<CallSite>>,
    numbers: FxHashMap<Vec<CallSite>, Context>,
}

impl Contexts {
    /// Strings of at most so many calls.
    pub fn new(depth: usize) -> Self {
        Self { depth, strings: vec![Vec::new()], numbers: FxHashMap::from_iter([(Vec::new(), Context::ANY)]) }
    }

    /// What a call leads to.
    pub fn push(&mut self, context: Context, site: CallSite) -> Context {
        let mut string = self.strings[context.0 as usize].clone();
        string.push(site);
        let surplus = string.len().saturating_sub(self.depth);
        string.drain(..surplus);
        self.number(string)
    }

    /// The last call of a string, and the context that it was made in; `None` where any call may have been the last.
    pub fn pop(&mut self, context: Context) -> Option<(CallSite, Context)> {
        let mut string = self.strings[context.0 as usize].clone();
        let site = string.pop()?;
        Some((site, self.number(string)))
    }

    fn number(&mut self, string: Vec<CallSite>) -> Context {
        if let Some(&known) = self.numbers.get(&string) {
            return known;
        }
        let number = Context(self.strings.len() as u32);
        self.strings.push(string.clone());
        self.numbers.insert(string, number);
        number
    }
}
