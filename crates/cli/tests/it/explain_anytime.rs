//! `whydunit explain` ended before it is done: what is known is told, nothing of it is lost, and the next run goes on.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::support::project::{Project, WHYDUNIT, answer, notes};
use crate::support::summed::versions;
use serde_json::Value;

/// Functions of the program.
const FUNCTIONS: usize = 120;
/// The one that is wrong in the bad version.
const WRONG: usize = 77;

/// Two versions of a program of many functions, all of which differ, and one of them in what it gives.
fn many() -> (Project, PathBuf) {
    versions(FUNCTIONS, |number, bad| {
        let told = match (bad, number) {
            (false, _) => format!("x + {number}"),
            (true, WRONG) => format!("x - {number}"),
            (true, _) => format!("{number} + x"),
        };
        format!("static int f{number}(int x)\n{{\n    return {told};\n}}\n\n")
    })
}

fn command(bad: &PathBuf, args: &[&str]) -> Command {
    // In the background of a shell interrupts are ignored, and whydunit would ignore them as well.
    let mut command = Command::new("env");
    command.args(["--default-signal=INT", WHYDUNIT, "explain", "--format", "json", "--good", "../good"]).args(args);
    command.current_dir(bad).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A run that gets a signal as soon as so many versions are known; how long it took to end then.
fn signalled(bad: &PathBuf, method: &str, signal: &str, versions: usize) -> (Output, Duration) {
    let mut child = command(bad, &["--method", method, "-j", "1"]).spawn().expect("it runs");
    let known =
        || std::fs::read_to_string(bad.join(".whydunit/explain/verdicts")).map_or(0, |text| text.lines().count());
    let started = Instant::now();
    while known() < versions
        && started.elapsed() < Duration::from_secs(120)
        && child.try_wait().expect("a child").is_none()
    {
        std::thread::sleep(Duration::from_millis(5));
    }
    Command::new("kill").args([signal, &child.id().to_string()]).status().expect("kill starts");
    let asked = Instant::now();
    (child.wait_with_output().expect("it ends"), asked.elapsed())
}

fn ids(answer: &Value) -> Vec<String> {
    let root = answer["root"].as_array().expect("changes");
    root.iter().map(|change| change["id"].to_string()).collect()
}

/// Interrupted, terminated and killed at several moments: what is known is told within two seconds, the next run knows it, and the
/// answer is that of a run that nobody ended.
#[test]
fn killed_at_several_moments_nothing_is_lost() {
    let (_project, bad) = many();
    let mut best = FUNCTIONS;
    for (signal, versions) in [("-KILL", 1), ("-INT", 3), ("-KILL", 4), ("-TERM", 6)] {
        let (output, time) = signalled(&bad, "dd", signal, versions);
        if signal == "-KILL" {
            continue;
        }
        assert!(time < Duration::from_secs(2), "{signal}: {time:?}");
        let (status, known, told) = answer(&output);
        assert_eq!(
            (status, &known["partial"], &known["reduced"]),
            (5, &true.into(), &false.into()),
            "{signal}: {told}"
        );
        assert!(notes(&known).contains("the same command goes on from here"), "{known:#}");
        assert!(!ids(&known).is_empty() && ids(&known).len() <= best);
        best = ids(&known).len();
        // What is told is kept, and makes the test pass.
        let kept = std::fs::read_to_string(bad.join(".whydunit/explain/best.diff")).expect("a patch");
        assert!(kept.starts_with(&format!("With these {best} of {FUNCTIONS} changes reverted")), "{kept}");
        assert_eq!(known["patch"].as_str().map(|patch| kept.ends_with(patch)), Some(true));
    }
    let (_, after, told) = answer(&command(&bad, &["--method", "dd"]).output().expect("it runs"));
    assert!(after["saved_builds"].as_u64() >= Some(5), "{told}");
    std::fs::remove_dir_all(bad.join(".whydunit")).expect("removed");
    let (status, whole, told) = answer(&command(&bad, &["--method", "dd"]).output().expect("it runs"));
    assert_eq!((status, ids(&whole)), (1, ids(&after)), "{told}");
}

/// Killed, terminated and interrupted at ten moments from the first on: no version is built twice, the least set never grows, and the answer
/// is that of a run that nobody ended.
#[test]
fn ended_at_ten_moments_the_answer_is_the_same() {
    let (_project, bad) = many();
    let verdicts = || std::fs::read_to_string(bad.join(".whydunit/explain/verdicts")).unwrap_or_default();
    let least = || -> Option<usize> {
        let kept = std::fs::read_to_string(bad.join(".whydunit/explain/best.diff")).ok()?;
        kept.strip_prefix("With these ")?.split(' ').next()?.parse().ok()
    };
    let mut best = FUNCTIONS;
    for (signal, versions) in ["-KILL", "-INT", "-TERM"].into_iter().cycle().zip([0, 0, 0, 1, 2, 3, 4, 6, 8, 11]) {
        let before = verdicts();
        let (output, _) = signalled(&bad, "after", signal, versions);
        // Started only just, or done before it was asked to end.
        let status = output.status.code();
        assert!([None, Some(1), Some(5), Some(130), Some(143)].contains(&status), "{signal} {versions}: {output:?}");
        // What is cut off is the last line, which is written again; whole lines stay, each of them once.
        let (known, now) = (before.lines().count(), verdicts());
        assert!(now.lines().count() >= known && now.starts_with(before.trim_end_matches(|c| c != '\n')), "{signal}");
        if let Some(now) = least() {
            assert!(now <= best, "{signal} {versions}: {now} after {best}");
            best = now;
        }
    }
    let (status, after, told) = answer(&command(&bad, &["-j", "1"]).output().expect("it runs"));
    assert_eq!((status, &after["reduced"]), (1, &true.into()), "{told}");
    let saved = after["saved_builds"].as_u64();
    assert!(saved >= Some(5), "{told}");
    let versions: Vec<String> =
        verdicts().lines().filter_map(|line| Some(line.split(' ').nth(1)?.to_owned())).collect();
    let once: std::collections::BTreeSet<&String> = versions.iter().collect();
    assert_eq!(once.len(), versions.len(), "a version was built twice");
    std::fs::remove_dir_all(bad.join(".whydunit")).expect("removed");
    let (status, whole, told) = answer(&command(&bad, &["-j", "1"]).output().expect("it runs"));
    assert_eq!((status, ids(&whole)), (1, ids(&after)), "{told}");
    assert_eq!(whole["patch"], after["patch"]);
}

/// Limits in builds and in time tell what is known by then; the rest is done by a run without them.
#[test]
fn limits_tell_what_is_known() {
    let (_project, bad) = many();
    let (status, known, told) = answer(&command(&bad, &["--builds", "6"]).output().expect("it runs"));
    assert_eq!((status, &known["stats"]["builds"]), (5, &6.into()), "{told}");
    assert!(notes(&known).contains("stopped after 6 builds: with "), "{known:#}");
    let counted = |key: &str| known["variants"][key].as_u64().expect("a number");
    assert_eq!(["passed", "failed", "other", "not_built"].map(counted).iter().sum::<u64>(), 6);
    let started = Instant::now();
    let (status, _, _) = answer(&command(&bad, &["--within", "0"]).output().expect("it runs"));
    assert_eq!((status, started.elapsed() < Duration::from_secs(3)), (5, true));
    let (status, found, told) = answer(&command(&bad, &[]).output().expect("it runs"));
    assert_eq!((status, ids(&found).len()), (1, 1), "{told}");
    assert!(found["saved_builds"].as_u64() >= Some(4), "{told}");
}
