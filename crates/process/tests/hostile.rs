//! Programs that misbehave: none harms the run, none leaves anything behind.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use support::{limits, living, shell};
use whydunit_process::{Ended, Exit, Limits, Program, RunError, Stdin, Stop, Stream, Watch, run};

/// Compiles a C program.
fn compile(folder: &Path, source: &str) -> PathBuf {
    let (file, out) = (folder.join("x.c"), folder.join("x"));
    std::fs::write(&file, source).unwrap();
    assert!(Command::new("cc").args(["-w", "-O1", "-o"]).arg(&out).arg(&file).status().unwrap().success());
    out
}

fn compiled(folder: &Path, source: &str) -> Program {
    let executable = compile(folder, source);
    Program { arg0: executable.clone().into(), executable, args: Vec::new(), ..shell(folder, "") }
}

fn go(program: &Program, limits: &Limits) -> Ended {
    run(program, Stdin::Null, limits, Watch::default()).unwrap()
}

fn short() -> Limits {
    Limits { time: Some(Duration::from_millis(300)), grace: Duration::from_millis(100), ..Limits::default() }
}

#[test]
fn an_ordinary_program_gives_status_and_outputs() {
    let dir = tempfile::tempdir().unwrap();
    let program = shell(dir.path(), "cat; echo err >&2; pwd; exit 3");
    let ended = run(&program, Stdin::Bytes(b"input\n"), &limits(), Watch::default()).unwrap();
    assert_eq!(ended.exit, Exit::Status(3));
    assert_eq!(ended.stop, None);
    assert_eq!(String::from_utf8(ended.stdout).unwrap(), format!("input\n{}\n", dir.path().display()));
    assert_eq!(ended.stderr, b"err\n");
    assert_eq!(ended.left_behind, 0);
}

#[test]
fn all_output_arrives_however_much_and_in_order() {
    let dir = tempfile::tempdir().unwrap();
    let program = shell(dir.path(), "seq 300000; echo done >&2");
    let mut seen = 0;
    let mut on_output = |stream: Stream, bytes: &[u8]| {
        if stream == Stream::Stdout {
            seen += bytes.len();
        }
    };
    let watch = Watch { on_output: Some(&mut on_output), ..Watch::default() };
    let ended = run(&program, Stdin::Null, &limits(), watch).unwrap();
    let expected: String = (1..=300_000).map(|n| format!("{n}\n")).collect();
    assert!(ended.stdout == expected.as_bytes());
    assert_eq!(seen, expected.len());
    assert_eq!(ended.stderr, b"done\n");
}

#[test]
fn signals_and_pipes_are_as_a_shell_gives_them() {
    let dir = tempfile::tempdir().unwrap();
    assert_eq!(go(&shell(dir.path(), "kill -ABRT $$"), &limits()).exit, Exit::Signal(6));
    // With SIGPIPE ignored, as Rust has it, `yes` would go on and complain.
    let ended = go(&shell(dir.path(), "yes | head -n 1; kill -PIPE $$"), &limits());
    assert_eq!(
        (ended.exit, ended.stdout.as_slice(), ended.stderr.as_slice()),
        (Exit::Signal(13), &b"y\n"[..], &b""[..])
    );
}

#[test]
fn no_core_and_no_foreign_descriptors() {
    let dir = tempfile::tempdir().unwrap();
    let held = std::fs::File::open("/dev/null").unwrap();
    let ended = go(&shell(dir.path(), "ulimit -c; ls /proc/self/fd | tr '\\n' ' '"), &limits());
    // ls itself has the folder open as 3.
    assert_eq!(String::from_utf8(ended.stdout).unwrap(), "0\n0 1 2 3 ");
    drop(held);
}

#[test]
fn what_cannot_be_started_says_why() {
    let dir = tempfile::tempdir().unwrap();
    let mut program = shell(dir.path(), "");
    program.executable = dir.path().join("none");
    let error = run(&program, Stdin::Null, &limits(), Watch::default()).unwrap_err();
    assert!(
        matches!(&error, RunError::Start { source, .. } if source.kind() == std::io::ErrorKind::NotFound),
        "{error}"
    );
    std::fs::write(&program.executable, "text").unwrap();
    let error = run(&program, Stdin::Null, &limits(), Watch::default()).unwrap_err();
    assert!(error.to_string().contains("Permission denied"), "{error}");
    let mut program = shell(dir.path(), "");
    program.folder = dir.path().join("gone");
    let error = run(&program, Stdin::Null, &limits(), Watch::default()).unwrap_err();
    assert!(matches!(error, RunError::Folder { .. }), "{error}");
    program.args.push("a\0b".into());
    assert!(matches!(run(&program, Stdin::Null, &limits(), Watch::default()).unwrap_err(), RunError::Start { .. }));
}

#[test]
fn a_hang_ends_with_sigterm() {
    let dir = tempfile::tempdir().unwrap();
    let ended = go(&shell(dir.path(), "echo before; exec sleep 1000"), &short());
    assert_eq!(ended.stop, Some(Stop::Time));
    assert_eq!(ended.exit, Exit::Signal(15));
    assert_eq!(ended.stdout, b"before\n");
    assert!(living(dir.path()).is_empty());
}

#[test]
fn ignoring_sigterm_and_stopping_oneself_do_not_help() {
    let dir = tempfile::tempdir().unwrap();
    let ended = go(&shell(dir.path(), "trap '' TERM; while :; do sleep 0.01; done"), &short());
    assert_eq!((ended.stop, ended.exit), (Some(Stop::Time), Exit::Signal(9)));
    let ended = go(&shell(dir.path(), "kill -STOP $$"), &short());
    assert_eq!((ended.stop, ended.exit), (Some(Stop::Time), Exit::Signal(15)));
    let ended = go(&shell(dir.path(), "trap 'echo bye; exit 5' TERM; while :; do sleep 0.01; done"), &short());
    assert_eq!((ended.stop, ended.exit), (Some(Stop::Time), Exit::Status(5)));
    assert_eq!(ended.stdout, b"bye\n");
    assert!(living(dir.path()).is_empty());
}

#[test]
fn a_flood_of_output_is_cut_at_the_limit() {
    let dir = tempfile::tempdir().unwrap();
    let limits = Limits { output: 100_000, ..limits() };
    let ended = go(&shell(dir.path(), "trap '' TERM PIPE; yes & yes >&2"), &limits);
    assert_eq!(ended.stop, Some(Stop::Output));
    assert_eq!(ended.stdout.len() + ended.stderr.len(), 100_000);
    assert!(living(dir.path()).is_empty());
    // Just the limit is still allowed.
    let ended = go(&shell(dir.path(), "head -c 100000 /dev/zero"), &limits);
    assert_eq!((ended.stop, ended.exit, ended.stdout.len()), (None, Exit::Status(0), 100_000));
}

#[test]
fn children_left_behind_are_found_wherever_they_went() {
    let dir = tempfile::tempdir().unwrap();
    // In its group; in a session of its own; orphaned twice over, with no environment to know it by.
    let script = "sleep 1000 & setsid sleep 1000 & (setsid env MARK=\"$MARK\" sh -c 'sleep 1000 & sleep 1000 &' &) ; \
                  sleep 0.2; echo done";
    let quick = Limits { leftovers: Duration::from_millis(50), ..limits() };
    let ended = go(&shell(dir.path(), script), &quick);
    assert_eq!((ended.exit, ended.stop), (Exit::Status(0), None));
    assert_eq!(ended.stdout, b"done\n");
    assert_eq!(ended.left_behind, 4);
    assert!(living(dir.path()).is_empty());
}

#[test]
fn a_child_that_is_about_to_write_still_may() {
    let dir = tempfile::tempdir().unwrap();
    let patient = Limits { leftovers: Duration::from_secs(60), ..limits() };
    let ended = go(&shell(dir.path(), "(sleep 0.2; echo late) & echo soon"), &patient);
    assert_eq!(ended.stdout, b"soon\nlate\n");
    // Nobody waits for one that has closed the outputs.
    let began = Instant::now();
    let ended = go(&shell(dir.path(), "sleep 1000 >/dev/null 2>&1 & echo soon"), &patient);
    assert_eq!((ended.stdout.as_slice(), ended.left_behind), (&b"soon\n"[..], 1));
    assert!(began.elapsed() < Duration::from_secs(30));
    assert!(living(dir.path()).is_empty());
}

#[test]
fn closing_all_descriptors_is_no_end() {
    let dir = tempfile::tempdir().unwrap();
    let source = "#include <unistd.h>\n#include <stdlib.h>\n\
                  int main() { write(1, \"x\", 1); for (int i = 0; i < 256; i++) close(i); usleep(100000); exit(4); }";
    let ended = go(&compiled(dir.path(), source), &limits());
    assert_eq!((ended.exit, ended.stop, ended.stdout.as_slice()), (Exit::Status(4), None, &b"x"[..]));
    let source = "#include <unistd.h>\nint main() { for (int i = 0; i < 256; i++) close(i); for (;;) pause(); }";
    assert_eq!(go(&compiled(dir.path(), source), &short()).stop, Some(Stop::Time));
    assert!(living(dir.path()).is_empty());
}

#[test]
fn fork_bombs_are_stopped() {
    let dir = tempfile::tempdir().unwrap();
    // Each ends by itself after a while or so many forks, should it not be stopped: the machine has other work.
    let bomb = |forks: u32, body: &str| {
        let source = format!(
            "#include <unistd.h>\n#include <signal.h>\n#include <sys/mman.h>\n#include <time.h>\n\
             int main() {{ time_t end = time(0) + 4; signal(SIGTERM, SIG_IGN); \
             int *forks = mmap(0, 4096, 3, MAP_SHARED|MAP_ANONYMOUS, -1, 0); \
             while (time(0) < end && __sync_add_and_fetch(forks, 1) < {forks}) {{ {body} }} }}"
        );
        compiled(dir.path(), &source)
    };
    // The simple one; one whose processes leave the group; and those whose processes end at once and leave a child.
    for body in ["fork();", "fork(); setsid();"] {
        let ended = go(&bomb(6000, body), &limits());
        assert_eq!(ended.stop, Some(Stop::Processes), "{body}");
        assert!(ended.peak_processes > 64);
        assert!(living(dir.path()).is_empty(), "{body}");
    }
    for body in ["if (fork() > 0) _exit(0);", "if (fork() > 0) _exit(0); setsid();"] {
        let quick = Limits { leftovers: Duration::from_millis(100), ..limits() };
        let ended = go(&bomb(100_000, body), &quick);
        assert_eq!(ended.exit, Exit::Status(0), "{body}");
        assert!(living(dir.path()).is_empty(), "{body}");
    }
}

#[test]
fn memory_hogs_are_stopped() {
    let dir = tempfile::tempdir().unwrap();
    let source = "#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n\
                  int main() { for (int i = 0; i < 64; i++) { memset(malloc(4 << 20), 1, 4 << 20); } \
                  for (;;) pause(); }";
    let limits = Limits { memory: Some(64 << 20), ..limits() };
    let ended = go(&compiled(dir.path(), source), &limits);
    assert_eq!(ended.stop, Some(Stop::Memory));
    assert!(ended.peak_memory > 64 << 20);
    // Reserved and never touched is not used: the recorder reserves terabytes.
    let source = "#include <sys/mman.h>\n#include <unistd.h>\nint main() { usleep(100000); \
                  return mmap(0, 1L << 40, 3, MAP_PRIVATE|MAP_ANONYMOUS|MAP_NORESERVE, -1, 0) == MAP_FAILED; }";
    assert_eq!(go(&compiled(dir.path(), source), &limits).exit, Exit::Status(0));
    let limits = Limits { address_space: Some(1 << 30), ..limits };
    assert_eq!(go(&compiled(dir.path(), source), &limits).exit, Exit::Status(1));
}

#[test]
fn a_file_beyond_the_limit_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let limits = Limits { file_size: Some(1 << 16), ..limits() };
    let ended = go(&shell(dir.path(), "exec head -c 1000000 /dev/zero > big"), &limits);
    assert_eq!(ended.exit, Exit::Signal(libc::SIGXFSZ));
    assert_eq!(std::fs::metadata(dir.path().join("big")).unwrap().len(), 1 << 16);
}

#[test]
fn killing_the_supervisor_is_an_error_and_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let error = run(
        &shell(dir.path(), "sleep 1000 & setsid sleep 1000 & sleep 0.3; kill -KILL $PPID; sleep 1000"),
        Stdin::Null,
        &limits(),
        Watch::default(),
    )
    .unwrap_err();
    assert!(matches!(error, RunError::Lost { .. }), "{error}");
    let began = Instant::now();
    while !living(dir.path()).is_empty() {
        assert!(began.elapsed() < Duration::from_secs(30), "{:?}", living(dir.path()));
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn runs_side_by_side_do_not_wait_for_each_other() {
    let dir = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for n in 0..8 {
            let folder = dir.path().join(n.to_string());
            scope.spawn(move || {
                std::fs::create_dir(&folder).unwrap();
                for _ in 0..20 {
                    let ended = go(&shell(&folder, "echo a | cat; echo b >&2"), &limits());
                    assert_eq!((ended.exit, ended.stop, ended.left_behind), (Exit::Status(0), None, 0));
                    assert_eq!((ended.stdout.as_slice(), ended.stderr.as_slice()), (&b"a\n"[..], &b"b\n"[..]));
                    // A pipe end held by a neighbour would cost this second.
                    assert!(ended.time < Duration::from_secs(50));
                }
            });
        }
    });
    assert!(living(dir.path()).is_empty());
}

#[test]
fn addresses_are_the_same_from_run_to_run_where_that_is_permitted() {
    let dir = tempfile::tempdir().unwrap();
    let source = "#include <stdio.h>\n#include <stdlib.h>\n#include <sys/personality.h>\nint main() { int x; \
                  if (!(personality(-1) & ADDR_NO_RANDOMIZE)) return 9; printf(\"%p %p %p\\n\", &x, main, malloc(9)); }";
    let program = compiled(dir.path(), source);
    let (one, two) = (go(&program, &limits()), go(&program, &limits()));
    if one.exit == Exit::Status(0) {
        assert_eq!(one.stdout, two.stdout);
    } else {
        assert_eq!(one.exit, Exit::Status(9));
    }
}

/// Not a test of its own: the one below runs it in a process that it then kills.
#[test]
#[ignore = "runs as the victim of another test"]
fn victim() {
    let Some(folder) = std::env::var_os("VICTIM_FOLDER").map(PathBuf::from) else { return };
    let script = "sleep 1000 & setsid sleep 1000 & (setsid sh -c 'sleep 1000 & sleep 1000 &' &); sleep 0.2; \
                  touch ready; sleep 1000";
    go(&shell(&folder, script), &limits());
}

#[test]
fn when_the_caller_is_killed_everything_goes() {
    let dir = tempfile::tempdir().unwrap();
    let mut caller = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "victim", "--ignored"])
        .env("VICTIM_FOLDER", dir.path())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let began = Instant::now();
    while !dir.path().join("ready").exists() {
        assert!(began.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(living(dir.path()).len() >= 5);
    caller.kill().unwrap();
    caller.wait().unwrap();
    let began = Instant::now();
    while !living(dir.path()).is_empty() {
        assert!(began.elapsed() < Duration::from_secs(60), "{:?}", living(dir.path()));
        std::thread::sleep(Duration::from_millis(10));
    }
}
