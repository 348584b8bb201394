//! What of a state is left to be said where a function returns.

use rustc_hash::FxHashSet;

use crate::state::State;
use crate::symbol::{Sym, Symbols, Value};

impl State {
    /// Forgets memory and facts that nobody can ask for once the function has returned: what is not reached from its results, the
    /// followed object, and what was there at entry.
    pub fn keep_reachable(&mut self, symbols: &Symbols, results: &[Value]) {
        let mut reached: FxHashSet<Sym> = FxHashSet::default();
        let mut todo: Vec<Sym> = results.iter().copied().filter_map(named).collect();
        todo.extend(self.object.as_ref().map(|it| it.at.0));
        todo.extend(self.memory.keys().filter(|&&base| symbols.is_of_entry(base)));
        while let Some(sym) = todo.pop() {
            if reached.insert(sym) {
                let cells = self.region(sym).into_iter().flat_map(|region| region.cells.values());
                todo.extend(cells.filter_map(|cell| named(cell.value)));
                todo.extend(symbols.parts(sym));
            }
        }
        self.memory.retain(|base, _| reached.contains(base));
        self.facts.retain(|&sym, _| reached.contains(&sym) || symbols.tells_of_entry(sym));
        self.escaped.retain(|&sym| reached.contains(&sym) || symbols.is_of_entry(sym));
    }
}

fn named(value: Value) -> Option<Sym> {
    match value {
        Value::At(sym, _) | Value::Truth(sym, _) => Some(sym),
        _ => None,
    }
}
