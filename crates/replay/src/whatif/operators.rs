//! The program's own operators new and delete, which what-if runs call in place of the library's.

use crate::code::LoadedModule;
use crate::func_id::FuncId;
use crate::machine::Machine;

/// An operator that the program defines.
#[derive(Clone, Debug)]
pub(crate) struct Operator {
    symbol: String,
    function: FuncId,
}

impl Operator {
    /// Those that a module defines.
    pub fn of(module: &LoadedModule) -> impl Iterator<Item = Operator> + '_ {
        let functions = (module.first.0..).zip(&module.model.functions);
        let defined = functions.filter(|(_, function)| function.is_defined() && is_operator(&function.name));
        defined.map(|(id, function)| Operator { symbol: function.name.clone(), function: FuncId(id) })
    }
}

fn is_operator(symbol: &str) -> bool {
    ["_Znw", "_Zna", "_Zdl", "_Zda"].iter().any(|start| symbol.starts_with(start))
}

impl Machine {
    /// The program's own operator that a call of this one comes to: by default those for arrays, and those that get more
    /// arguments, call the plain ones.
    pub(super) fn own_operator(&self, symbol: &str) -> Option<FuncId> {
        let operators = &self.run.operators;
        if operators.is_empty() || !is_operator(symbol) {
            return None;
        }
        let find = |name: &str| operators.iter().find(|operator| operator.symbol == name);
        let (of_array, plain) = if symbol.starts_with("_Zn") { ("_Znam", "_Znwm") } else { ("_ZdaPv", "_ZdlPv") };
        let array = symbol.starts_with("_Zna") || symbol.starts_with("_Zda");
        let found = find(symbol).or_else(|| find(of_array).filter(|_| array)).or_else(|| find(plain));
        found.map(|operator| operator.function)
    }
}
