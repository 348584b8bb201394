//! Lines and outcomes that the spectrum flavour tells of are exactly those that were executed.
//!
//! In the programs a comment says what a line is: `//+` a statement that is executed, `//-` one that is not; other lines
//! are no statements.

mod common;

use std::collections::BTreeSet;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use common::*;
use whydunit_instrument::{Optimization, emit_object, spectrum};
use whydunit_model::SpectrumTable;

/// Lines and outcomes (`7:true`) of one module.
#[derive(Debug, PartialEq)]
struct Hits {
    lines: BTreeSet<u32>,
    outcomes: BTreeSet<String>,
}

/// The flags that the processes of a run left behind for a module.
fn hits(table: &SpectrumTable, spectra: &Path) -> Hits {
    let mut all = Hits { lines: BTreeSet::new(), outcomes: BTreeSet::new() };
    for process in whydunit_runtime::spectrum::read(spectra).unwrap() {
        for (id, flags) in process.modules.iter().filter(|(id, _)| *id == table.id) {
            assert!(flags.len() >= table.flags as usize, "{id}");
            let (lines, outcomes) = table.executed(flags);
            all.lines.extend(lines.map(|line| line.line));
            all.outcomes.extend(outcomes.map(|outcome| format!("{}:{}", outcome.line, outcome.outcome)));
        }
    }
    all
}

/// Runs a program's flavour and compares its lines with the comments, its outcomes with `outcomes`.
fn check(text: &str, outcomes: &[&str], run: impl Fn(&mut Command) -> Output) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let (object, table) = counted(compile(text));
    let program = link(folder.path(), &[object], Optimization::Spectrum);
    let spectra = folder.path().join("spectra");
    std::fs::create_dir(&spectra).unwrap();
    let output = run(Command::new(&program).env("WHYDUNIT_SPECTRUM_DIR", &spectra));
    let found = hits(&table, &spectra);
    let known: BTreeSet<u32> = table.statements.iter().map(|statement| statement.line).collect();
    let mut wrong = Vec::new();
    for (line, source) in (1..).zip(text.lines()) {
        let expected = if source.contains("//+") {
            "hit"
        } else if source.contains("//-") {
            "missed"
        } else {
            "nothing"
        };
        let got = match (known.contains(&line), found.lines.contains(&line)) {
            (_, true) => "hit",
            (true, false) => "missed",
            (false, false) => "nothing",
        };
        if got != expected {
            wrong.push(format!("{line}: {got} instead of {expected}: {source}"));
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.join("\n"), String::from_utf8_lossy(&output.stderr));
    let expected: BTreeSet<String> = outcomes.iter().map(|&outcome| outcome.to_owned()).collect();
    assert_eq!(found.outcomes, expected);
    output
}

fn to_end(command: &mut Command) -> Output {
    command.output().unwrap()
}

#[test]
fn branches_loops_and_switches() {
    let text = r#"
#include <stdio.h>
static int twice(int n) {
  return 2 * n;                    //+
}
static int never(int n) {
  return n + 1;                    //-
}
static int kind(int n) {
  switch (n) {                     //+
  case 1:
    return 10;                     //+
  case 2:
  case 3:
    return 20;                     //-
  case 4:
    n = 5;                         //+
  case 5:
    return n;                      //+
  default:
    return 0;                      //-
  }
}
int main(int argc, char **argv) {
  int sum = 0;                     //+
  for (int i = 0; i < argc; i++)   //+
    sum += twice(i);               //+
  for (int i = 5; i < argc; i++)   //+
    sum += never(i);               //-
  while (sum < 3)                  //+
    sum++;                         //+
  do {                             //+
    sum--;                         //+
  } while (sum > 100);             //+
  if (argc > 1 && argv[1][0])      //+
    puts("two");                   //-
  else
    puts("one");                   //+
  sum += argc == 1 || argc == 7    //+
    ? 3
    : 4;
  if (sum > 2)                     //+
    goto out;                      //+
  sum = 9;                         //-
out:
  return kind(1) + kind(4) - 15;   //+
}
"#;
    let outcomes = [
        "10:case 1",
        "10:case 4",
        "26:true",
        "26:false",
        "28:false",
        "30:true",
        "30:false",
        "34:false",
        "35:false",
        "39:true",
        "42:true",
    ];
    let output = check(text, &outcomes, to_end);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn calls_that_do_not_come_back() {
    let text = r#"
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
static jmp_buf there;
static int count;
static void leave(int how) {
  if (how == 1)                    //+
    longjmp(there, 1);             //+
  if (how == 2)                    //+
    exit(3);                       //+
  count++;                         //-
}
static void deep(int how) {
  leave(how);                      //+
  count += 2;                      //-
}
int main(void) {
  if (setjmp(there) == 0) {        //+
    deep(1);                       //+
    count += 3;                    //-
  }                                //-
  puts("back");                    //+
  deep(2);                         //+
  count += 4;                      //-
  return 0;                        //-
}
"#;
    let output = check(text, &["8:true", "8:false", "10:true", "19:true", "19:false"], to_end);
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn aborts_and_faults() {
    let text = r#"
#include <stdlib.h>
#include <unistd.h>
int *nowhere;
static void check(int n) {
  if (n > 2)                       //+
    abort();                       //-
}
int main(int argc, char **argv) {
  int n = argc;                    //+
  check(n);                        //+
  if (argc == 1)                   //+
    *nowhere = 1;                  //+
  if (n)                           //+ (the fault comes in the middle of what is told apart)
    n++;                           //-
  check(n);                        //-
  return n;                        //-
}
"#;
    let output = check(text, &["6:false", "12:true"], to_end);
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&output.status), Some(libc_sigsegv()));
    let text = text
        .replace("(n > 2)", "(n < 2)")
        .replace("abort();                       //-", "abort();                       //+");
    let text = text.replace("(argc == 1)                   //+", "(argc == 1)                   //-");
    let text = text.replace("if (n)                           //+", "if (n)                           //-");
    let text = text.replace("*nowhere = 1;                  //+", "*nowhere = 1;                  //-");
    check(&text, &["6:true"], to_end);
}

fn libc_sigsegv() -> i32 {
    11
}

#[test]
fn killed_in_an_endless_loop() {
    let text = r#"
#include <unistd.h>
static unsigned turn(unsigned n) {
  while (n != 3)                   //+
    n = n * 4 + 4;                 //+
  return n;                        //-
}
int main(int argc, char **argv) {
  unsigned n = argc;               //+
  write(1, "x", 1);                //+
  if (n > 7)                       //+
    n = 7;                         //-
  n = turn(n);                     //+
  write(1, "y", 1);                //-
  return n;                        //-
}
"#;
    let output = check(text, &["4:true", "11:false"], |command| {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
        // What comes between the output and the loop takes no time to speak of.
        std::thread::sleep(std::time::Duration::from_millis(300));
        child.kill().unwrap();
        child.wait_with_output().unwrap()
    });
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&output.status), Some(9));
}

#[test]
fn computed_gotos() {
    let text = r#"
int main(int argc, char **argv) {
  static void *to[] = {&&one, &&two, &&three};
  int n = 0;                       //+
  goto *to[argc];                  //+
one:
  n += 1;                          //-
two:
  n += 2;                          //+
  if (n < 4)                       //+
    goto *to[argc];                //+
  return n - 4;                    //+
three:
  return 7;                        //-
}
"#;
    let output = check(text, &["10:true", "10:false"], to_end);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn children_and_several_modules() {
    let main = "#include <unistd.h>\n#include <sys/wait.h>\nint other(int);\nint main(void) {\n  if (fork() == 0)\n    _exit(other(1));\n  wait(0);\n  return other(0);\n}\n";
    let other = "int other(int n) {\n  if (n)\n    return 5;\n  return 0;\n}\n";
    let folder = tempfile::tempdir().unwrap();
    let ids = ["a".repeat(64), "b".repeat(64)];
    let made: Vec<(Vec<u8>, SpectrumTable)> = [main, other]
        .iter()
        .zip(&ids)
        .map(|(text, id)| {
            let mut module = compile(text);
            let (table, _) = spectrum(&mut module, id).unwrap();
            (emit_object(&mut module, Optimization::Spectrum).unwrap(), table)
        })
        .collect();
    let objects: Vec<Vec<u8>> = made.iter().map(|(object, _)| object.clone()).collect();
    let program = link(folder.path(), &objects, Optimization::Spectrum);
    let spectra = folder.path().join("spectra");
    std::fs::create_dir(&spectra).unwrap();
    assert!(execute(&program, Some(("WHYDUNIT_SPECTRUM_DIR", &spectra))).status.success());
    assert_eq!(hits(&made[0].1, &spectra).lines, BTreeSet::from([5, 6, 7, 8]));
    let others = hits(&made[1].1, &spectra);
    assert_eq!(others.lines, BTreeSet::from([2, 3, 4]));
    assert_eq!(others.outcomes, BTreeSet::from(["2:true".to_owned(), "2:false".to_owned()]));
}

#[test]
fn without_a_folder_the_program_simply_runs() {
    let folder = tempfile::tempdir().unwrap();
    let (object, _) = counted(compile("int main(void) { return 4; }"));
    let program = link(folder.path(), &[object], Optimization::Spectrum);
    assert_eq!(execute(&program, None).status.code(), Some(4));
    let missing = folder.path().join("missing");
    assert_eq!(execute(&program, Some(("WHYDUNIT_SPECTRUM_DIR", &missing))).status.code(), Some(4));
}

#[test]
fn static_libraries_work_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let (object, table) =
        counted(compile("int main(int n, char **v) {\n  if (n > 1)\n    return 1;\n  return 0;\n}\n"));
    let (path, program) = (folder.path().join("a.o"), folder.path().join("program"));
    std::fs::write(&path, object).unwrap();
    let archive = whydunit_runtime::install(folder.path()).unwrap().spectrum_archive;
    run(Command::new("clang-22").arg("-static").arg(&path).arg(archive).arg("-o").arg(&program));
    let spectra = folder.path().join("spectra");
    std::fs::create_dir(&spectra).unwrap();
    assert!(execute(&program, Some(("WHYDUNIT_SPECTRUM_DIR", &spectra))).status.success());
    assert_eq!(hits(&table, &spectra).lines, BTreeSet::from([2, 4]));
}

#[test]
fn a_loop_without_branches_sets_no_flag_inside() {
    let text = "void f(char *a, int n) {\n  for (int i = 0; i < n; i++)\n    a[i] = 1;\n}\n";
    let mut module = compile(text);
    let (table, _) = spectrum(&mut module, ID).unwrap();
    assert_eq!(table.statements.len(), 2);
    assert_eq!(table.outcomes.len(), 2);
    emit_object(&mut module, Optimization::Spectrum).unwrap();
    // So it can be seen to be a memset.
    assert!(module.print().contains("llvm.memset"), "{}", module.print());
}
