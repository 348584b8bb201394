//! The program's own operators new and delete, which what-if runs call in place of the library's.

use crate::code::LoadedModule;
use crate::function_id::FuncId;

/// The operators that the modules of a program define.
#[derive(Clone, Default, Debug)]
pub(crate) struct Operators {
    list: Vec<Operator>,
}

#[derive(Clone, Debug)]
struct Operator {
    symbol: String,
    function: FuncId,
}

impl Operators {
    /// Adds those that a module defines.
    pub fn add(&mut self, module: &LoadedModule) {
        let functions = (module.first.0..).zip(&module.model.functions);
        let defined = functions.filter(|(_, function)| function.is_defined() && is_operator(&function.name));
        self.list
            .extend(defined.map(|(id, function)| Operator { symbol: function.name.clone(), function: FuncId(id) }));
    }

    /// The one that a call of this symbol comes to: by default those for arrays, and those that get more arguments, call the
    /// plain ones. `None` where the library's is called.
    pub fn called(&self, symbol: &str) -> Option<FuncId> {
        if self.list.is_empty() || !is_operator(symbol) {
            return None;
        }
        let find = |name: &str| self.list.iter().find(|operator| operator.symbol == name);
        let (of_array, plain) = if symbol.starts_with("_Zn") { ("_Znam", "_Znwm") } else { ("_ZdaPv", "_ZdlPv") };
        let array = symbol.starts_with("_Zna") || symbol.starts_with("_Zda");
        let found = find(symbol).or_else(|| find(of_array).filter(|_| array)).or_else(|| find(plain));
        found.map(|operator| operator.function)
    }
}

fn is_operator(symbol: &str) -> bool {
    ["_Znw", "_Zna", "_Zdl", "_Zda"].iter().any(|start| symbol.starts_with(start))
}
