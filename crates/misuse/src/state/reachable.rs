//! What of a state is left to be said where a function returns.

use rustc_hash::FxHashSet;

use crate::state::State;
use crate::symbol::{Sym, Symbol, Symbols, Value};

impl State {
    /// Whether a value that is held in a slot or in memory is, or is computed of, a symbol.
    pub fn leads_to(&self, symbols: &Symbols, sym: Sym) -> bool {
        let which = |symbol: Symbol| symbol == symbols.of(sym);
        let held = |value: &Value| named(*value) == Some(sym) || symbols.value_mentions(*value, &which);
        self.slots.values().any(held) || self.memory.values().any(|it| it.cells.values().any(|cell| held(&cell.value)))
    }

    /// Forgets memory, facts and a followed object that nobody can ask for once the function has returned: what is not reached from its
    /// results and what was there at entry.
    pub fn keep_reachable(&mut self, symbols: &Symbols, results: &[Value]) {
        let mut reached: FxHashSet<Sym> = FxHashSet::default();
        let mut todo: Vec<Sym> = results.iter().copied().filter_map(named).collect();
        todo.extend(self.memory.keys().filter(|&&base| symbols.is_of_entry(base)));
        while let Some(sym) = todo.pop() {
            if reached.insert(sym) {
                let cells = self.region(sym).into_iter().flat_map(|region| region.cells.values());
                todo.extend(cells.filter_map(|cell| named(cell.value)));
                todo.extend(symbols.parts(sym));
            }
        }
        if self.object.as_ref().is_some_and(|it| !reached.contains(&it.at.0) && !symbols.is_of_entry(it.at.0)) {
            self.object = None;
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
