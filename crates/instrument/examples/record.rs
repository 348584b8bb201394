//! Bitcode in; canonical IR, instrumented IR and object out: `record IN.bc OUT` writes OUT.canonical.ll, OUT.ll, OUT.opt.ll,
//! OUT.model and OUT.o.
//! With the environment variable `WD_QUICK` set no IR is written.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::{error::Error, path::Path, time::Instant};

use whydunit_canonical::layout::Layout;
use whydunit_instrument::{Callee, Optimization, emit_object, record};
use whydunit_llvm::Module;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().collect();
    let [_, input, output] = args.as_slice() else { return Err("usage: record IN.bc OUT".into()) };
    let quick = std::env::var_os("WD_QUICK").is_some();
    let start = Instant::now();
    let lap = |what: &str| eprintln!("{:>7.2} s  {what}", start.elapsed().as_secs_f64());
    let mut module = Module::read(Path::new(input))?;
    lap("read");
    let notes = whydunit_canonical::canonicalise(&mut module)?;
    notes.lines.iter().for_each(|line| eprintln!("note: {line}"));
    lap("canonical");
    if !quick {
        std::fs::write(format!("{output}.canonical.ll"), module.print())?;
    }
    let id = format!(
        "{:064x}",
        args.iter()
            .flat_map(|arg| arg.bytes())
            .fold(7u128, |id, byte| { id.wrapping_mul(0x1_0000_01b3).wrapping_add(byte.into()) })
    );
    let model = whydunit_lower::lower(&module, &Layout::of(&module), &id)?;
    lap("lowered");
    std::fs::write(format!("{output}.model"), model.to_bytes())?;
    lap("model written");
    let notes = record(&mut module, &id, Callee::Recorded)?;
    notes.lines.iter().for_each(|line| eprintln!("note: {line}"));
    lap("instrumented");
    if !quick {
        std::fs::write(format!("{output}.ll"), module.print())?;
    }
    let object = emit_object(&mut module, Optimization::Record)?;
    lap("emitted");
    if !quick {
        std::fs::write(format!("{output}.opt.ll"), module.print())?;
    }
    std::fs::write(format!("{output}.o"), object)?;
    Ok(())
}
