//! The `whydunit-catalogue` command.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use whydunit_catalogue::{Error, Made, Options, Regression, Subject, Use, examine, make};
use whydunit_process::Pool;

/// Makes catalogues of known faults, to measure fault localisation on.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Writes a catalogue: a folder for each fault, with the faulty program, its cases and a truth.json.
    Make {
        /// The faults that people made.
        #[arg(long)]
        faults: bool,
        /// So many mutants of each program, those of both uses counted.
        #[arg(long, value_name = "N", default_value = "0")]
        mutants: usize,
        /// So many cases with inputs that the suite does not have, and what the right program does with them, beside each
        /// program in held-out.jsonl: patches are judged by these.
        #[arg(long, value_name = "N", default_value = "0")]
        held_out: usize,
        /// Only so many of its cases for each fault that people made, a third of which fail, and at least one.
        #[arg(long, value_name = "N")]
        cases: Option<std::num::NonZeroUsize>,
        /// For the order in which mutants and cases are taken, and for the inputs that the suite does not have.
        #[arg(long, value_name = "S", default_value = "1")]
        seed: u64,
        /// What the faults may be used for: development, final or all.
        #[arg(long = "use", value_name = "USE", default_value = "development", value_parser = purpose)]
        purpose: Purpose,
        /// Only of this program; several can be named.
        #[arg(long = "program", value_name = "NAME")]
        programs: Vec<String>,
        /// The folder with the programs.
        subjects: PathBuf,
        /// The folder to write to.
        out: PathBuf,
    },
    /// Writes a catalogue of regressions: a folder for each, with both versions and a truth.json.
    Regressions {
        /// The folder with the regressions.
        subjects: PathBuf,
        /// The folder to write to.
        out: PathBuf,
    },
    /// Says of each fault that people made how many cases fail.
    Check {
        /// The folder with the programs.
        subjects: PathBuf,
    },
}

/// None: any.
#[derive(Clone, Copy)]
struct Purpose(Option<Use>);

fn purpose(text: &str) -> Result<Purpose, String> {
    match text {
        "all" => Ok(Purpose(None)),
        _ => text.parse().map(|purpose| Purpose(Some(purpose))).map_err(|()| "write development, final or all".into()),
    }
}

fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<(), Error> {
    match command {
        Command::Make { faults: false, mutants: 0, .. } => {
            eprintln!("nothing to make: say --faults, --mutants N or both");
        }
        Command::Make { faults, mutants, held_out, cases, seed, purpose, programs, subjects, out } => {
            let cases = cases.map(std::num::NonZeroUsize::get);
            let options = Options { faults, mutants, seed, purpose: purpose.0, held_out, cases };
            let all = Subject::all(&subjects)?;
            if let Some(name) = programs.iter().find(|name| all.iter().all(|subject| subject.name != **name)) {
                return Err(Error::At { path: subjects, message: format!("there is no program {name} in it") });
            }
            let wanted = |name: &String| programs.is_empty() || programs.contains(name);
            for subject in all.into_iter().filter(|subject| wanted(&subject.name)) {
                make(&[subject], &out, &options)?.iter().for_each(report);
            }
        }
        Command::Regressions { subjects, out } => {
            for regression in Regression::all(&subjects)? {
                regression.write(&out)?;
                println!("{}", regression.name);
            }
        }
        Command::Check { subjects } => {
            for subject in Subject::all(&subjects)? {
                let examined = Pool::of_cores().run(&subject.faults, |fault| examine(&subject, fault));
                for (fault, examined) in subject.faults.iter().zip(examined) {
                    let examined = examined?;
                    let (failing, cases) = (examined.failing.len(), examined.cases);
                    println!("{} {} ({}): {failing} of {cases} cases fail", subject.name, fault.name, fault.kind);
                }
            }
        }
    }
    Ok(())
}

fn report(made: &Made) {
    let Made { program, faults, mutants, selection, held_out } = made;
    print!("{program}: {faults} faults, {mutants} mutants");
    if selection.tried > 0 {
        print!(
            " (of {} {} were tried: {} did not compile, {} survived, {} were taken)",
            selection.all, selection.tried, selection.broken, selection.survived, selection.taken
        );
    }
    if *held_out > 0 {
        print!(", {held_out} cases held out");
    }
    println!();
}
