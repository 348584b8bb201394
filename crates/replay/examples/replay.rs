//! Replays raw recordings: `replay RECORD_DIR MODEL…` finalises each process below the folder and replays it.
//! With the environment variable `WD_STDOUT` the first process's standard output is held against that file; with `WD_PLAIN`
//! nothing is replayed a second time with an observer of every operation.

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use whydunit_model::{Module, Op};
use whydunit_recording::{Recording, RunInfo};
use whydunit_replay::{At, Machine, Observer, Program, verify};

/// Counts operations, one by one.
#[derive(Default)]
struct Count(u64);

impl Observer for Count {
    const OPS: bool = true;
    fn op(&mut self, _at: &At<'_>, _op: &Op) {
        self.0 += 1;
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let folder = args.next().ok_or("usage: replay RECORD_DIR MODEL…")?;
    let mut program = Program::new();
    for model in args {
        program.add(Module::from_bytes(&std::fs::read(model)?)?);
    }
    for (number, process) in whydunit_recording::processes(Path::new(&folder))?.into_iter().enumerate() {
        let out = Path::new(&folder).join(format!("{number}.recording"));
        let stdout = match std::env::var_os("WD_STDOUT") {
            Some(path) if number == 0 => Some(std::fs::read(path)?),
            _ => None,
        };
        let run = RunInfo { stdout, ..RunInfo::default() };
        let summary = whydunit_recording::finalise(&process.path, run, &out)?;
        let recording = Recording::open(&out)?;
        println!("{}: {:?} {:?}", process.path.display(), summary.end, summary.statistics.kinds().collect::<Vec<_>>());
        let start = Instant::now();
        let plain = verify(&program, &recording)?;
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{plain:?}\n{seconds:.3} s, {:.1} million instructions a second",
            plain.instructions as f64 / seconds / 1e6
        );
        if std::env::var_os("WD_PLAIN").is_some() {
            continue;
        }
        let start = Instant::now();
        let mut machine = Machine::new(program.clone(), &recording)?;
        let mut count = Count::default();
        let end = machine.run(&mut count)?;
        let seconds = start.elapsed().as_secs_f64();
        assert_eq!((&end, machine.core.instructions), (&plain.end, plain.instructions));
        println!(
            "watched: {} operations, {seconds:.3} s, {:.1} million a second",
            count.0,
            plain.instructions as f64 / seconds / 1e6
        );
    }
    Ok(())
}
