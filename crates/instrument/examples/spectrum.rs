//! Bitcode in; the object of the spectrum flavour and its table out: `spectrum IN.bc OUT` writes OUT.o and prints the table.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::{error::Error, path::Path};

use whydunit_instrument::{Optimization, emit_object, spectrum};
use whydunit_llvm::Module;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().collect();
    let [_, input, output] = args.as_slice() else { return Err("usage: spectrum IN.bc OUT".into()) };
    let mut module = Module::read(Path::new(input))?;
    let (table, notes) = spectrum(&mut module, &"0".repeat(64))?;
    notes.lines.iter().for_each(|line| eprintln!("note: {line}"));
    for statement in &table.statements {
        let function = &table.functions[statement.function as usize];
        println!("{}:{} in {function}: {:?}", statement.line, statement.column, statement.flags);
    }
    for outcome in &table.outcomes {
        println!("{}:{} {}: {:?}", outcome.line, outcome.column, outcome.outcome, outcome.flags);
    }
    std::fs::write(format!("{output}.o"), emit_object(&mut module, Optimization::Spectrum)?)?;
    Ok(())
}
