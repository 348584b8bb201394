//! Source positions of statements and branches.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use whydunit_llvm::{Metadata, Opcode, Value};
use whydunit_model::{SpectrumOutcome, SpectrumStatement, SpectrumTable};

use super::flags::Flags;

/// Files that were met.
#[derive(Default)]
pub(crate) struct Positions {
    scopes: HashMap<Metadata, Option<u32>>,
    files: HashMap<String, u32>,
}

impl Positions {
    /// File, line and column of an instruction; none for what the compiler made up.
    fn of(&mut self, instruction: Value, table: &mut SpectrumTable) -> Option<(u32, u32, u32)> {
        let location = instruction.debug_location()?;
        let line = location.line();
        let scope = location.scope()?;
        if line == 0 {
            return None;
        }
        let known = self.scopes.get(&scope).copied();
        let file = known.unwrap_or_else(|| {
            let file = self.file(scope, table);
            self.scopes.insert(scope, file);
            file
        })?;
        Some((file, line, location.column()))
    }

    fn file(&mut self, scope: Metadata, table: &mut SpectrumTable) -> Option<u32> {
        let (directory, name) = scope.scope_file()?.file_name()?;
        let path = if name.starts_with('/') || directory.is_empty() { name } else { format!("{directory}/{name}") };
        let next = table.files.len() as u32;
        let index = *self.files.entry(path.clone()).or_insert(next);
        if index == next {
            table.files.push(path);
        }
        Some(index)
    }
}

/// Adds a function, its statements and its branches to the table.
pub(crate) fn describe(
    function: Value,
    flags: &Flags,
    positions: &mut Positions,
    table: &mut SpectrumTable,
) {
    let number = table.functions.len() as u32;
    table.functions.push(function.name());
    table.entries.push(flags.entry);
    let closing = closing_brace(function);
    // Instructions of one line that are executed under one condition are one statement.
    let mut columns: HashMap<(u32, u32, BTreeSet<u32>), u32> = HashMap::new();
    let mut branches: BTreeMap<(u32, u32, u32, String), BTreeSet<u32>> = BTreeMap::new();
    for block in function.blocks() {
        let executed = flags.executed(block);
        if executed.is_empty() {
            continue;
        }
        for instruction in block.instructions() {
            if closing.contains(&instruction) {
                continue;
            }
            let Some((file, line, column)) = positions.of(instruction, table) else { continue };
            columns.entry((file, line, executed.clone())).or_insert(column);
        }
        let Some(terminator) = block.terminator() else { continue };
        let condition = terminator.branch_condition().filter(|condition| condition.is_instruction());
        let place = condition.and_then(|condition| positions.of(condition, table)).or_else(|| positions.of(terminator, table));
        let Some((file, line, column)) = place else { continue };
        for outcome in flags.outcomes(block) {
            branches.entry((file, line, column, outcome.text.clone())).or_default().extend(flags.told(outcome));
        }
    }
    let mut statements: BTreeMap<(u32, u32, u32), BTreeSet<u32>> = BTreeMap::new();
    for ((file, line, executed), column) in columns {
        statements.entry((file, line, column)).or_default().extend(executed);
    }
    table.statements.extend(statements.into_iter().map(|((file, line, column), flags)| SpectrumStatement {
        file,
        line,
        column,
        function: number,
        flags: flags.into_iter().collect(),
    }));
    table.outcomes.extend(branches.into_iter().map(|((file, line, column, outcome), flags)| SpectrumOutcome {
        file,
        line,
        column,
        function: number,
        outcome,
        flags: flags.into_iter().collect(),
    }));
}

/// The instructions of a function's closing brace: a return of nothing, or of the made-up variable that `return`
/// statements store to, with the load of that.
fn closing_brace(function: Value) -> HashSet<Value> {
    let declared: HashSet<Value> = function
        .blocks()
        .flat_map(|block| block.instructions())
        .flat_map(|instruction| instruction.debug_records().filter_map(|record| record.value()).collect::<Vec<_>>())
        .collect();
    let mut found = HashSet::new();
    for terminator in function.blocks().filter_map(|block| block.terminator()) {
        if terminator.opcode() != Opcode::LLVMRet {
            continue;
        }
        match terminator.operand(0) {
            None => _ = found.insert(terminator),
            Some(value) if value.is_instruction() && value.opcode() == Opcode::LLVMLoad => {
                if value.operand(0).is_some_and(|slot| slot.is_alloca() && !declared.contains(&slot)) {
                    found.extend([terminator, value]);
                }
            }
            Some(_) => {}
        }
    }
    found
}
