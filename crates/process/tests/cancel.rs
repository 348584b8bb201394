//! A run that is cancelled ends at once, wherever it stands, and leaves nothing behind.

mod support;

use std::path::Path;
use std::time::{Duration, Instant};

use support::{limits, living, shell};
use whydunit_process::{Cancel, Ended, Exit, Limits, Stdin, Stop, Stream, Watch, run};

/// A cancelled run ends some 20 ms later. The rest is for machines with other work; whatever else could end a run of these
/// tests comes a minute later.
const SOON: Duration = Duration::from_secs(5);

/// Runs a script and cancels the run once `ready` has come out of it; how the run ended, soon after.
fn cancelled_when(folder: &Path, script: &str, limits: &Limits, ready: &str) -> Ended {
    let cancel = Cancel::new();
    let (mut seen, mut at) = (Vec::new(), None);
    let mut on_output = |stream: Stream, bytes: &[u8]| {
        if stream == Stream::Stdout && at.is_none() {
            seen.extend_from_slice(bytes);
            if String::from_utf8_lossy(&seen).contains(ready) {
                cancel.cancel();
                at = Some(Instant::now());
            }
        }
    };
    let watch = Watch { cancel: Some(&cancel), on_output: Some(&mut on_output) };
    let ended = run(&shell(folder, script), Stdin::Null, limits, watch).unwrap();
    let took = at.expect("the script gets so far").elapsed();
    assert!(took < SOON, "{took:?}");
    assert!(living(folder).is_empty());
    ended
}

#[test]
fn while_it_waits() {
    let dir = tempfile::tempdir().unwrap();
    let ended = cancelled_when(dir.path(), "echo ready; sleep 1000", &limits(), "ready");
    assert_eq!((ended.exit, ended.stop), (Exit::Signal(9), Some(Stop::Cancelled)));
}

#[test]
fn while_it_ignores_signals_and_has_children_everywhere() {
    let dir = tempfile::tempdir().unwrap();
    let script = "trap '' TERM INT HUP; sleep 1000 & (setsid sleep 1000 &); echo ready; while :; do :; done";
    let ended = cancelled_when(dir.path(), script, &limits(), "ready");
    assert_eq!(ended.stop, Some(Stop::Cancelled));
}

#[test]
fn while_it_is_stopped() {
    let dir = tempfile::tempdir().unwrap();
    let ended = cancelled_when(dir.path(), "echo ready; kill -STOP $$; echo no", &limits(), "ready");
    assert_eq!((ended.exit, ended.stop), (Exit::Signal(9), Some(Stop::Cancelled)));
    assert_eq!(ended.stdout, b"ready\n");
}

#[test]
fn while_it_writes_and_writes() {
    let dir = tempfile::tempdir().unwrap();
    let limits = Limits { output: 1 << 40, ..limits() };
    let ended = cancelled_when(dir.path(), "exec yes ready", &limits, "ready");
    assert_eq!(ended.stop, Some(Stop::Cancelled));
}

#[test]
fn while_it_has_closed_its_outputs() {
    let dir = tempfile::tempdir().unwrap();
    let ended = cancelled_when(dir.path(), "echo ready; exec >&- 2>&-; sleep 1000", &limits(), "ready");
    assert_eq!(ended.stop, Some(Stop::Cancelled));
}

#[test]
fn while_it_may_end_by_itself_after_the_time_limit() {
    let dir = tempfile::tempdir().unwrap();
    let limits = Limits { time: Some(Duration::from_millis(200)), grace: Duration::from_secs(60), ..limits() };
    // It says so when the limit is hit, and goes on.
    let script = "trap 'echo asked' TERM; while :; do sleep 0.01; done";
    let ended = cancelled_when(dir.path(), script, &limits, "asked");
    assert_eq!((ended.exit, ended.stop), (Exit::Signal(9), Some(Stop::Time)));
}

#[test]
fn while_others_hold_its_outputs_after_its_end() {
    let dir = tempfile::tempdir().unwrap();
    let limits = Limits { leftovers: Duration::from_secs(60), ..limits() };
    // Its child says when it is alone.
    let script = "(while kill -0 $$ 2>/dev/null; do sleep 0.01; done; sleep 0.2; echo alone; sleep 1000) & exit 3";
    let ended = cancelled_when(dir.path(), script, &limits, "alone");
    // It had ended before: that is what the run came to.
    assert_eq!((ended.exit, ended.stop), (Exit::Status(3), None));
    assert!(ended.left_behind > 0);
}

#[test]
fn before_it_starts() {
    let dir = tempfile::tempdir().unwrap();
    let cancel = Cancel::new();
    cancel.cancel();
    let began = Instant::now();
    let watch = Watch { cancel: Some(&cancel), ..Watch::default() };
    let ended = run(&shell(dir.path(), "sleep 1000"), Stdin::Null, &limits(), watch).unwrap();
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
    assert_eq!(ended.stop, Some(Stop::Cancelled));
    assert!(living(dir.path()).is_empty());
}

#[test]
fn from_another_thread_and_only_what_it_is_for() {
    let dir = tempfile::tempdir().unwrap();
    let (cancelled, other) = (Cancel::new(), Cancel::new());
    let go = |cancel: &Cancel, script: &str| {
        let watch = Watch { cancel: Some(cancel), ..Watch::default() };
        run(&shell(dir.path(), script), Stdin::Null, &limits(), watch).unwrap()
    };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !dir.path().join("one").exists() || !dir.path().join("two").exists() {
                std::thread::sleep(Duration::from_millis(5));
            }
            cancelled.cancel();
        });
        let second = scope.spawn(|| go(&other, "touch two; sleep 0.5; exit 4"));
        assert_eq!(go(&cancelled, "touch one; sleep 1000").stop, Some(Stop::Cancelled));
        let second = second.join().unwrap();
        assert_eq!((second.exit, second.stop), (Exit::Status(4), None));
    });
    assert!(living(dir.path()).is_empty());
}
