//! Source positions of instructions and branches.

use std::collections::{BTreeMap, HashMap, HashSet};

use whydunit_llvm::{Metadata, Opcode, Value};
use whydunit_model::{SpectrumOutcome, SpectrumStatement, SpectrumTable};

use super::graph::{Graph, Place};
use super::plan::{Plan, Source};

/// Files that were met.
#[derive(Default)]
pub(crate) struct Positions {
    scopes: HashMap<Metadata, Option<u32>>,
    files: HashMap<String, u32>,
}

impl Positions {
    /// File, line and column of an instruction; none for what the compiler made up.
    fn of(&mut self, instruction: Value, files: &mut Vec<String>) -> Option<(u32, u32, u32)> {
        let location = whydunit_canonical::place(instruction.debug_location()?);
        let line = location.line();
        let scope = location.scope()?;
        if line == 0 {
            return None;
        }
        let known = self.scopes.get(&scope).copied();
        let file = known.unwrap_or_else(|| {
            let file = self.file(scope, files);
            self.scopes.insert(scope, file);
            file
        })?;
        Some((file, line, location.column()))
    }

    fn file(&mut self, scope: Metadata, files: &mut Vec<String>) -> Option<u32> {
        let (directory, name) = scope.scope_file()?.file_name()?;
        let path = if name.starts_with('/') || directory.is_empty() { name } else { format!("{directory}/{name}") };
        let path = whydunit_model::paths::plain(&path);
        let next = files.len() as u32;
        let index = *self.files.entry(path.clone()).or_insert(next);
        if index == next {
            files.push(path);
        }
        Some(index)
    }

    /// Lines of the segments and identities of the outcomes.
    pub(crate) fn source(&mut self, function: Value, graph: &Graph, files: &mut Vec<String>) -> Source {
        let closing = closing_brace(function);
        let mut lines = Vec::new();
        for segment in &graph.segments {
            let mut columns: BTreeMap<(u32, u32), u32> = BTreeMap::new();
            for &instruction in segment.instructions.iter().filter(|instruction| !closing.contains(instruction)) {
                let Some((file, line, column)) = self.of(instruction, files) else { continue };
                let lowest = columns.entry((file, line)).or_insert(column);
                *lowest = column.min(*lowest);
            }
            lines.push(columns);
        }
        let mut outcomes = HashMap::new();
        for (index, point) in graph.points.iter().enumerate() {
            let Place::Outcome { from, text, .. } = &point.place else { continue };
            let Some(terminator) = from.terminator() else { continue };
            let condition = terminator.operand(0).filter(|condition| condition.is_instruction());
            let place = condition.and_then(|condition| self.of(condition, files));
            if let Some((file, line, column)) = place.or_else(|| self.of(terminator, files)) {
                outcomes.insert(index, (file, line, column, text.clone()));
            }
        }
        Source { lines, outcomes }
    }
}

/// Adds a function, its statements and its branches to the table.
pub(crate) fn describe(function: Value, plan: Plan, table: &mut SpectrumTable) {
    let number = table.functions.len() as u32;
    let name = function.name();
    table.functions.push(whydunit_model::names::readable(&name).unwrap_or(name));
    table.entries.push(plan.entry.into_iter().collect());
    table.statements.extend(plan.lines.into_iter().map(|((file, line), (column, flags))| SpectrumStatement {
        file,
        line,
        column,
        function: number,
        flags: flags.into_iter().collect(),
    }));
    table.outcomes.extend(plan.outcomes.into_iter().map(|((file, line, column, outcome), flags)| SpectrumOutcome {
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
