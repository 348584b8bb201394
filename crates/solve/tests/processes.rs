//! Processes that do not behave: every one gives an error in time.

use std::time::{Duration, Instant};

use whydunit_solve::{Answer, Limits, Process, SolveError, Solver};
use whydunit_terms::{FloatOp, Format, Pool, Rounding, Sort};

/// What comes of asking a shell script.
fn asked(script: &str, limits: &Limits) -> Result<Answer, SolveError> {
    let mut pool = Pool::new();
    let x = pool.variable(Sort::BitVec(8), "x");
    let seven = pool.constant(8, 7);
    let formula = pool.eq(x, seven);
    let mut solver = Process::new("script", ["sh", "-c", script]);
    let start = Instant::now();
    let answer = solver.check(&mut pool, &[formula], limits);
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    answer
}

fn failure(script: &str) -> String {
    match asked(script, &Limits::of_time(Duration::from_secs(20))) {
        Err(error) => error.to_string(),
        answer => panic!("{script}: {answer:?}"),
    }
}

/// A script that answers `check` and then whatever is asked with `rest`.
fn answering(check: &str, rest: &str) -> String {
    format!(
        r#"while read -r line; do case "$line" in
        *check-sat*) echo '{check}';; *get-*) echo '{rest}';; *echo*) echo "$line" | cut -d'"' -f2;; esac; done"#
    )
}

#[test]
fn a_program_that_is_not_there() {
    let mut pool = Pool::new();
    for memory in [None, Some(1 << 30)] {
        let mut solver = Process::new("nothing", ["/no/such/solver"]).with_memory(memory);
        assert!(!solver.is_there());
        let answer = solver.check(&mut pool, &[], &Limits::default());
        let message = answer.expect_err("an error").to_string();
        assert!(message.contains("/no/such/solver"), "{message}");
        assert!(solver.check(&mut pool, &[], &Limits::default()).is_err());
    }
    let mut solver = Process::new("nothing", Vec::<String>::new());
    assert!(solver.check(&mut pool, &[], &Limits::default()).is_err());
}

#[test]
fn death_is_an_error_with_the_last_words() {
    assert!(failure("exit 3").contains("exit status: 3"));
    assert!(failure("echo out of order >&2; exit 1").contains("out of order"));
    assert!(failure("kill -9 $$").contains("signal: 9"));
    assert!(failure("read -r line; echo '(error \"no logic\")'; exit 1").contains("no logic"));
}

#[test]
fn garbage_is_an_error_that_shows_it() {
    assert!(failure(&answering("perhaps", "")).contains("perhaps"));
    assert!(failure(&answering("sat", "((v2 1.5))")).contains("1.5"));
    assert!(failure(&answering("sat", "((v99 #x01))")).contains("v99"));
    assert!(failure(&answering("sat", "((")).contains("get-value"));
    assert!(failure(&answering("unsat", "(a7)")).contains("a7"));
    assert!(failure(&answering("unsat", "a0)")).contains("get-unsat-assumptions"));
}

#[test]
fn a_sane_script_is_understood() {
    let limits = Limits::of_time(Duration::from_secs(20));
    match asked(&answering("sat", "((v2 (_ bv7 8)))"), &limits) {
        Ok(Answer::Sat(assignment)) => assert_eq!(assignment.iter().map(|(_, value)| value).collect::<Vec<_>>(), [7]),
        answer => panic!("{answer:?}"),
    }
    match asked(&answering("unsat", "(a0)"), &limits) {
        Ok(Answer::Unsat { core }) => assert_eq!(core, [0]),
        answer => panic!("{answer:?}"),
    }
    assert!(matches!(asked(&answering("unknown", ""), &limits), Ok(Answer::Unknown(_))));
}

#[test]
fn silence_and_endless_talk_end_with_the_time() {
    let limits = Limits::of_time(Duration::from_millis(300));
    for script in ["exec sleep 100", "cat >/dev/null; true", "while true; do echo sat; done", "exec yes"] {
        let answer = asked(script, &limits).expect("no error");
        assert!(matches!(answer, Answer::Unknown(_)), "{script}: {answer:?}");
    }
}

#[test]
fn a_process_that_does_not_read_does_not_block() {
    // Far more than a pipe holds.
    let mut pool = Pool::new();
    let variables: Vec<_> = (0..40_000).map(|_| pool.variable(Sort::Bool, "a variable with a long name")).collect();
    let formula = pool.any(&variables);
    let mut solver = Process::new("deaf", ["sleep", "100"]);
    let start = Instant::now();
    let answer = solver.check(&mut pool, &[formula], &Limits::of_time(Duration::from_millis(500)));
    assert!(matches!(answer, Ok(Answer::Unknown(_))), "{answer:?}");
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn floats_are_lowered_where_that_is_wanted() {
    if std::process::Command::new("z3").arg("--version").output().is_err() {
        eprintln!("z3 is not installed: not tested");
        return;
    }
    let mut pool = Pool::new();
    let x = pool.variable(Sort::BitVec(16), "x");
    let sum = pool.float(FloatOp::Add, Format::Half, x, x, Rounding::NearestEven);
    let three = pool.constant(16, 0x4200);
    let formula = pool.eq(sum, three);
    let mut solver = Process::z3().without(&[Format::Half]);
    assert!(!solver.capabilities().floats);
    match solver.check(&mut pool, &[formula], &Limits::default()) {
        Ok(Answer::Sat(assignment)) => assert_eq!(assignment.get(x), Some(0x3e00)),
        answer => panic!("{answer:?}"),
    }
}
