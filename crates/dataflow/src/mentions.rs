//! Where the addresses of functions stand: in code, in data, in tables of virtual functions.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};
use whydunit_model::{Callee, Const, ConstExpr, Global, Symbol};

use crate::program::{FunctionId, GlobalId, Program};

/// The mentions of the functions of a program.
#[derive(Default)]
pub(crate) struct Mentions {
    named: FxHashSet<FunctionId>,
    /// Address taken, but for tables of virtual functions.
    elsewhere: BTreeSet<FunctionId>,
    in_tables: BTreeSet<FunctionId>,
    externals: BTreeSet<FunctionId>,
    /// By the place behind an address by which code knows a table.
    virtuals: FxHashMap<i64, BTreeSet<FunctionId>>,
}

impl Mentions {
    /// Of a program.
    pub fn of(program: &Program) -> Self {
        let mut mentions = Self::default();
        // The places of tables by which code and other data know them.
        let mut points: FxHashMap<GlobalId, BTreeSet<i64>> = FxHashMap::default();
        for (number, module) in program.modules().iter().enumerate() {
            for function in &module.functions {
                for call in &function.calls {
                    if let Callee::Direct(index) = call.callee {
                        mentions.named.extend(program.meant(program.function_id(number, index)));
                    }
                }
                for value in &function.consts {
                    mentions.take(program, number, value, &mut points, false);
                }
            }
            for global in &module.globals {
                for (_, _, value) in &global.init.addresses {
                    mentions.take(program, number, value, &mut points, is_table(global));
                }
            }
        }
        for id in program.globals().filter(|&id| is_table(program.global(id))) {
            let starts = points.get(&program.meant_global(id));
            for &start in starts.into_iter().flatten() {
                mentions.add_table(program, id, start);
            }
        }
        mentions
    }

    fn add_table(&mut self, program: &Program, id: GlobalId, start: i64) {
        let module = program.module_of_global(id);
        for (offset, _, value) in &program.global(id).init.addresses {
            if let Const::Addr(Symbol::Function(index), _) = value {
                let functions = program.meant(program.function_id(module, *index));
                self.virtuals.entry(*offset as i64 - start).or_default().extend(functions);
            }
        }
    }

    fn take(
        &mut self,
        program: &Program,
        module: usize,
        value: &Const,
        points: &mut FxHashMap<GlobalId, BTreeSet<i64>>,
        table: bool,
    ) {
        match value {
            Const::Bits(_) => {}
            Const::Addr(Symbol::Function(index), _) => {
                let id = program.function_id(module, *index);
                let meant = program.meant(id);
                if meant.is_empty() {
                    self.externals.insert(id);
                }
                self.named.extend(&meant);
                if table { &mut self.in_tables } else { &mut self.elsewhere }.extend(meant);
            }
            Const::Addr(Symbol::Global(index), offset) => {
                let global = program.meant_global(program.global_id(module, *index));
                points.entry(global).or_default().insert(*offset);
            }
            Const::Expr(expr) => match &**expr {
                ConstExpr::Add(a, b) | ConstExpr::Sub(a, b) | ConstExpr::Mul(a, b) | ConstExpr::Xor(a, b) => {
                    self.take(program, module, a, points, false);
                    self.take(program, module, b, points, false);
                }
                ConstExpr::Trunc(_, a) => self.take(program, module, a, points, false),
            },
        }
    }

    /// Whether a function's address is taken.
    pub fn taken(&self, id: FunctionId) -> bool {
        self.elsewhere.contains(&id) || self.in_tables.contains(&id)
    }

    /// Whether any code or data names a function.
    pub fn named(&self, id: FunctionId) -> bool {
        self.named.contains(&id)
    }

    /// Functions whose address is taken elsewhere than in tables of virtual functions.
    pub fn taken_elsewhere(&self) -> impl Iterator<Item = FunctionId> + '_ {
        self.elsewhere.iter().copied()
    }

    /// Functions whose address is taken.
    pub fn all_taken(&self) -> impl Iterator<Item = FunctionId> + '_ {
        self.elsewhere.union(&self.in_tables).copied()
    }

    /// Functions of no module whose address is taken, by their declarations.
    pub fn taken_externals(&self) -> impl Iterator<Item = FunctionId> + '_ {
        self.externals.iter().copied()
    }

    /// The functions that stand in tables so many bytes behind where code knows the table.
    pub fn virtuals_at(&self, place: i64) -> impl Iterator<Item = FunctionId> + '_ {
        self.virtuals.get(&place).into_iter().flatten().copied()
    }

    /// The functions that a constant is the address of; `None` for one that is no function's.
    pub fn functions_in(&self, program: &Program, module: usize, value: &Const) -> Option<Vec<FunctionId>> {
        match value {
            Const::Addr(Symbol::Function(index), 0) => Some(program.meant(program.function_id(module, *index))),
            Const::Bits(0) => Some(Vec::new()),
            _ => None,
        }
    }
}

/// Whether a global is a table of virtual functions: of C++ (Itanium C++ ABI, 2.5 and 2.6.2), or of a trait of Rust. Code uses
/// these through the pointers that the compiler has put into objects only.
fn is_table(global: &Global) -> bool {
    let named = ["_ZTV", "_ZTC", "vtable."].iter().any(|start| global.name.starts_with(start));
    named && global.constant
}
