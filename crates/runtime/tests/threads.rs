//! Threads: one runs at a time, and the log says which.

mod support;

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::process::ExitStatusExt;

use support::log::{Event, FORK_CHILD, ORDERLY, STOPPED};
use support::{Place, Recorded};

/// Records the driver, which must succeed.
fn record(how: &str) -> Vec<Recorded> {
    let place = Place::new();
    let (output, processes) = place.record(&place.driver("threads"), &[how]);
    assert!(output.status.success(), "{how}: {output:?}");
    processes
}

/// The threads in the order of the log, by number.
fn switches(process: &Recorded) -> Vec<u64> {
    let thread = |event: &Event| if let Event::Switch { thread, .. } = event { Some(*thread) } else { None };
    process.events.iter().filter_map(|entry| thread(&entry.event)).collect()
}

#[test]
fn captured_code_that_does_not_give_way_is_stopped_at_a_safepoint() {
    let processes = record("spin");
    let [process] = &processes[..] else { panic!("one process") };
    let order = switches(process);
    assert!(order.len() >= 4, "{order:?}");
    assert!(order.windows(2).all(|pair| pair[0] != pair[1]), "{order:?}");
    assert_eq!(process.control.flags, ORDERLY);
}

#[test]
fn two_hundred_and_fifty_six_threads_take_turns() {
    let processes = record("many");
    let order = switches(&processes[0]);
    assert_eq!(order.iter().collect::<BTreeSet<_>>().len(), 257);
    assert_eq!(processes[0].count(|event| matches!(event, Event::Switch { new: true, .. })), 256);
    assert_eq!(processes[0].count(|event| *event == Event::ThreadEnd), 256);
}

#[test]
fn a_lock_does_not_go_over_to_a_thread_without_the_baton_each_time() {
    let processes = record("locks");
    let order = switches(&processes[0]);
    assert!(order.len() < 2000, "{} switches for 40000 lockings", order.len());
}

#[test]
fn threads_may_come_and_go() {
    let processes = record("again");
    let stacks: BTreeSet<u64> = processes[0]
        .events
        .iter()
        .filter_map(|entry| if let Event::Switch { new: true, usp, .. } = entry.event { Some(usp) } else { None })
        .collect();
    assert!(stacks.len() < 20, "{} stacks for threads one after the other", stacks.len());
}

#[test]
fn external_code_that_waits_gives_way() {
    record("blocks");
}

#[test]
fn a_signal_for_a_thread_comes_at_its_safepoint() {
    let processes = record("signal");
    let events = &processes[0].events;
    let signal = events.iter().position(|entry| matches!(entry.event, Event::Signal { .. })).expect("a signal");
    let before = events[..signal]
        .iter()
        .rev()
        .find_map(|entry| if let Event::Switch { thread, .. } = entry.event { Some(thread) } else { None });
    assert_eq!(before, Some(1));
}

#[test]
fn a_fork_child_has_the_thread_that_forked() {
    let processes = record("fork");
    let child = processes.iter().find(|process| process.control.flags & FORK_CHILD != 0).expect("a child");
    let own: Vec<_> = child.events.iter().filter(|entry| !entry.inherited).collect();
    assert!(own.iter().all(|entry| !matches!(entry.event, Event::Switch { .. })));
}

#[test]
fn the_log_is_whole_however_a_thread_ends_the_process() {
    let place = Place::new();
    let driver = place.driver("threads");
    for (how, signal, status) in
        [("crash", Some(libc::SIGSEGV), None), ("kill", Some(libc::SIGKILL), None), ("exit", None, Some(7))]
    {
        let (output, processes) = place.record(&driver, &[how]);
        assert_eq!((output.status.signal(), output.status.code()), (signal, status), "{how}");
        assert!(!switches(&processes[0]).is_empty(), "{how}");
        match how {
            "crash" => assert_eq!(processes[0].events.last().unwrap().event, Event::Fault { signal: 11, address: 40 }),
            "exit" => assert_eq!(processes[0].control.flags, ORDERLY),
            _ => assert_eq!(processes[0].control.flags & ORDERLY, 0),
        }
    }
}

#[test]
fn what_cannot_be_recorded_is_refused() {
    let place = Place::new();
    let (output, processes) = place.record(&place.driver("threads"), &["strange"]);
    assert_eq!(output.status.code(), Some(whydunit_runtime::EXIT_REFUSED));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.starts_with("whydunit: a thread that was not started by pthread_create"), "{message}");
    assert_eq!(processes[0].control.flags, STOPPED);
    let archive = place.runtime.archive.clone();
    let fixed = place.compile("threads", "static", &[OsStr::new("-static-pie"), archive.as_ref(), OsStr::new("-lm")]);
    let (output, _) = place.record(&fixed, &["spin"]);
    assert_eq!(output.status.code(), Some(whydunit_runtime::EXIT_REFUSED));
    assert!(String::from_utf8_lossy(&output.stderr).contains("statically linked"));
}
