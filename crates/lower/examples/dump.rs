//! Prints the model of a bitcode file, brought to canonical form: `dump FILE.bc [FUNCTION]`; with `--stats` only counts
//! and times.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::{path::Path, time::Instant};

use whydunit_canonical::layout::Layout;
use whydunit_llvm::Module;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let file = args.next().ok_or("usage: dump FILE.bc [--stats | FUNCTION]")?;
    let wanted = args.next();
    let start = Instant::now();
    let mut module = Module::read(Path::new(&file))?;
    let read = start.elapsed();
    let notes = whydunit_canonical::canonicalise(&mut module)?;
    let canonical = start.elapsed();
    let layout = Layout::of(&module);
    let lowered = whydunit_lower::lower(&module, &layout, "dump")?;
    let total = start.elapsed();
    if wanted.as_deref() == Some("--stats") {
        let code: usize = lowered.functions.iter().map(|function| function.code.len()).sum();
        println!("{} sites, {code} operations, read {read:?}", lowered.sites);
        println!("canonical form {:?}, lowered {:?}", canonical - read, total - canonical);
        notes.lines.iter().for_each(|line| println!("note: {line}"));
        if let Some(largest) = lowered.functions.iter().max_by_key(|function| function.slots) {
            println!("largest frame: {} with {} slots", largest.name, largest.slots);
        }
        println!("{} bytes", lowered.to_bytes().len());
        for function in &lowered.functions {
            for text in &function.unsupported {
                println!("unsupported in {}: {text}", function.name);
            }
        }
        return Ok(());
    }
    for function in &lowered.functions {
        if function.is_defined() && wanted.as_ref().is_none_or(|wanted| *wanted == function.name) {
            println!("{}", whydunit_model::print(&lowered, function));
        }
    }
    Ok(())
}
