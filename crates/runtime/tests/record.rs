//! What the runtime writes, by drivers that call it as instrumented code does.

mod support;

use std::ffi::OsStr;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;

use support::log::{Event, FORK_CHILD, ORDERLY, STOPPED, Value};
use support::{Place, Recorded, read};

fn ok(output: &std::process::Output) {
    assert!(output.status.success(), "{:?}: {}", output.status, String::from_utf8_lossy(&output.stderr));
}

#[test]
fn events_say_what_happened_and_nothing_twice() {
    let place = Place::new();
    let (output, processes) = place.record(&place.driver("basics"), &["argument"]);
    ok(&output);
    assert_eq!(output.stdout, b"captured 42   2.5 argument|\n");
    let [process] = &processes[..] else { panic!("{} processes", processes.len()) };
    check_start(process);

    let events: Vec<_> = process.run().into_iter().map(|entry| (entry.counter, &entry.event)).collect();
    let mut at = events.iter();
    let mut next = || *at.next().expect("more events");
    let mut load = |size: usize| match next() {
        (2, Event::Load { value, .. }) => assert_eq!(value.len(), size),
        other => panic!("{other:?}"),
    };
    load(8);
    load(1);
    load(16);
    load(10);
    for byte in [1, 2] {
        let (2, Event::Fix { site: 5, bytes, .. }) = next() else { panic!() };
        assert_eq!(*bytes, [byte]);
    }
    for value in [1000, 990, 990] {
        assert_eq!(next(), (2, &Event::Ret { site: 6, value: Value::Int(value) }));
    }
    assert_eq!(next(), (2, &Event::Ret { site: 7, value: Value::Void }));
    assert_eq!(next(), (2, &Event::Ret { site: 8, value: Value::Bytes(b"abcdefghijklmnopqrst".to_vec()) }));
    let (3, Event::Fix { site: 9, bytes, .. }) = next() else { panic!() };
    assert_eq!(*bytes, *b"captured");
    // printf: the format, whose shadow is unknown here, then the text and its length.
    let (3, Event::Fix { site: 12, .. }) = next() else { panic!() };
    let (3, Event::Output { fd: 1, bytes }) = next() else { panic!() };
    assert_eq!(*bytes, *b"captured 42   2.5 argument|\n");
    assert_eq!(next(), (3, &Event::Ret { site: 12, value: Value::Int(28) }));
    while let (3, Event::Fix { site: 13, .. }) = events[events.len() - at.as_slice().len()] {
        at.next();
    }
    let mut next = || *at.next().expect("more events");
    let (3, Event::Write { bytes, .. }) = next() else { panic!() };
    assert_eq!(*bytes, *b"123456-\0");
    assert_eq!(next(), (3, &Event::Ret { site: 13, value: Value::Int(11) }));
    let mut rest: Vec<_> = std::iter::from_fn(|| at.next()).collect();
    rest.retain(|(_, event)| !matches!(event, Event::Fix { site: 14, .. }));
    let written = rest.iter().filter_map(|(_, event)| match event {
        Event::Write { bytes, .. } => Some(&bytes[..]),
        _ => None,
    });
    let written: Vec<_> = written.collect();
    assert_eq!(written, [&17i32.to_le_bytes()[..], b"word\0"]);
    assert!(matches!(rest.last(), Some((3, Event::Setjmp { site: 15, serial: 2, value: -3 }))));
}

/// START, the arguments, the module with its addresses and the hash of its data.
fn check_start(process: &Recorded) {
    assert_eq!(process.said("pid"), Some(&*process.control.main_tid.to_string()));
    assert_eq!(process.head.iter().filter(|(key, _)| key == "arg").count(), 2);
    assert!(process.said("exe").unwrap().ends_with("basics"));
    assert_eq!(process.control.flags, ORDERLY);
    let Event::Start { argc, usp, .. } = &process.events[0].event else { panic!() };
    assert_eq!((*argc, usp % 16), (2, 0));
    let argument = process
        .events
        .iter()
        .any(|event| matches!(&event.event, Event::Write { bytes, .. } if *bytes == *b"argument\0"));
    assert!(argument);
    let is_module = |event: &&_| matches!(event, Event::Module { .. });
    let module = process.events.iter().map(|entry| &entry.event).find(is_module);
    let Some(Event::Module { id, globals, own_bodies, data_hash, .. }) = module else { panic!() };
    assert_eq!(*id, "00112233445566778899aabbccddeeff".repeat(2));
    assert_eq!((globals.len(), &own_bodies[..]), (2, &[1][..]));
    let hash = [7, 0, 0, 0, 8, 0, 0, 0]
        .iter()
        .fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ byte).wrapping_mul(0x100_0000_01b3));
    assert_eq!(*data_hash, hash);
}

#[test]
fn what_comes_again_is_told_by_more_than_what_came_last() {
    const ROUNDS: u64 = 1000;
    let place = Place::new();
    let (output, processes) = place.record(&place.driver("order"), &[]);
    ok(&output);
    let process = &processes[0];
    let events: Vec<_> = process.run().into_iter().map(|entry| &entry.event).collect();
    let void = |site| Event::Ret { site, value: Value::Void };
    let int = |site, value| Event::Ret { site, value: Value::Int(value) };
    let handler = |event: &Event| if let Event::Callback { function, .. } = event { Some(*function) } else { None };
    let function = events.iter().find_map(|event| handler(event)).expect("a callback");
    let callback = |words: &[u64]| Event::Callback { function, words: words.to_vec() };
    let expected = (0..ROUNDS).flat_map(|i| {
        let words: Vec<u64> = (0..6).map(|n| i * n).collect();
        let results = [void(1), int(2, 7), void(1), int(3, i), void(1)];
        results.into_iter().chain([callback(&[i]), int(4, i * i), callback(&words)])
    });
    assert!(events.into_iter().eq(&expected.collect::<Vec<_>>()));
    // Told by the last alone, three events of each round would name their site or function.
    let bytes = process.control.log_bytes;
    assert!(bytes < 36 * ROUNDS, "{bytes} bytes in {ROUNDS} rounds");
}

#[test]
fn a_program_runs_without_a_recording() {
    let place = Place::new();
    let output = Command::new(place.driver("basics")).arg("x").env_remove("WHYDUNIT_RECORD_DIR").output().unwrap();
    ok(&output);
    let missing = place.path("missing/folder");
    let output = Command::new(place.path("basics")).arg("x").env("WHYDUNIT_RECORD_DIR", &missing).output().unwrap();
    ok(&output);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(
        message.starts_with("whydunit: nothing is recorded: cannot write to ") && message.lines().count() == 1,
        "{message}"
    );
}

#[test]
fn a_static_program_is_recorded_too() {
    let place = Place::new();
    let archive = place.runtime.archive.clone();
    let program = place.compile("basics", "static", &[OsStr::new("-static-pie"), archive.as_ref(), OsStr::new("-lm")]);
    let (output, processes) = place.record(&program, &["argument"]);
    ok(&output);
    assert!(processes[0].run().len() > 15);
    assert_eq!(processes[0].control.flags, ORDERLY);
}

#[test]
fn a_long_log_spans_chunks() {
    let place = Place::new();
    let (output, processes) = place.record(&place.driver("process"), &["fill"]);
    ok(&output);
    let process = &processes[0];
    assert_eq!(process.run().iter().filter(|entry| matches!(entry.event, Event::Write { .. })).count(), 30000);
    assert_eq!(process.events.last().map(|event| event.counter), Some(30001));
    let number = process.control.log_bytes >> 20;
    assert!(number >= 3, "{number}");
    let full = std::fs::metadata(process.folder.join("log.000000")).unwrap().len();
    assert_eq!(full.div_ceil(1 << 20), number, "the present chunk is in another file");
}

#[test]
fn a_full_disk_stops_the_recording_and_not_the_program() {
    let place = Place::new();
    let (output, processes) = place.record(&place.driver("process"), &["limited"]);
    ok(&output);
    assert!(output.stderr.is_empty());
    let process = &processes[0];
    assert_eq!(process.control.flags, ORDERLY | STOPPED);
    assert!(process.control.message.contains("the log cannot grow"), "{}", process.control.message);
    let writes = process.run().len();
    assert!((5000..35000).contains(&writes), "{writes}");
    assert_eq!(process.control.counter, 35001);
}

#[test]
fn what_was_logged_before_a_kill_is_whole() {
    let place = Place::new();
    let (output, processes) = place.record(&place.driver("process"), &["kill"]);
    assert_eq!(output.status.signal(), Some(libc::SIGKILL));
    let process = &processes[0];
    assert_eq!(process.run().len(), 20000);
    assert_eq!((process.control.counter, process.control.flags), (20001, 0));
}

#[test]
fn a_fork_child_goes_on_in_its_own_folder() {
    let place = Place::new();
    let (output, processes) = place.record(&place.driver("process"), &["fork"]);
    ok(&output);
    let [parent, child] = &processes[..] else { panic!("{} processes", processes.len()) };
    let name = parent.folder.file_name().and_then(OsStr::to_str).unwrap();
    assert_eq!(child.said("parent"), Some(name));
    assert_eq!(child.control.flags, ORDERLY | FORK_CHILD);
    let own: Vec<_> = child.events.iter().filter(|event| !event.inherited).collect();
    assert_eq!(own[0].event, Event::Ret { site: 3, value: Value::Int(0) });
    assert_eq!((own[0].counter, own.len()), (12001, 4));
    assert_eq!(child.control.counter, 12001 + 8);
    assert!(child.events.iter().filter(|event| event.inherited).count() > 12000);
    assert_eq!(parent.control.counter, 12001 + 50);
    let returned = parent.count(
        |event| matches!(event, Event::Ret { site: 3, value: Value::Int(pid) } if *pid == child.control.main_tid),
    );
    assert_eq!(returned, 1);
    let status = parent.count(|event| matches!(event, Event::Write { bytes, .. } if *bytes == [0, 9, 0, 0]));
    assert_eq!(status, 1);
}

#[test]
fn signals_come_at_safepoints_and_in_external_code() {
    let place = Place::new();
    let (output, processes) = place.record(&place.driver("process"), &["signals"]);
    ok(&output);
    let events: Vec<_> = processes[0]
        .run()
        .into_iter()
        .filter_map(|entry| match &entry.event {
            Event::Signal { words, .. } => Some((entry.counter, "signal", words.to_vec())),
            Event::Callback { words, .. } => Some((entry.counter, "callback", words.to_vec())),
            _ => None,
        })
        .collect();
    let usr1 = vec![libc::SIGUSR1 as u64];
    // The handler's own safepoint counts, and the one that it interrupted.
    assert_eq!(events, [(2, "signal", usr1.clone()), (4, "callback", usr1.clone()), (5, "callback", usr1)]);
}

#[test]
fn faults_are_logged_and_kill_as_ever() {
    let place = Place::new();
    let driver = place.driver("process");
    for (how, signal, address) in [("fault", libc::SIGSEGV, 40), ("abort", libc::SIGABRT, 0)] {
        let (output, processes) = place.record(&driver, &[how]);
        assert_eq!(output.status.signal(), Some(signal));
        let last = &processes[0].events.last().unwrap();
        assert_eq!(last.event, Event::Fault { signal: signal as u64, address });
        assert!(processes[0].control.end_cycles > processes[0].control.start_cycles);
    }
}

#[test]
fn records_of_several_programs_lie_side_by_side() {
    let place = Place::new();
    let driver = place.driver("process");
    let records = place.path("records");
    std::fs::create_dir(&records).unwrap();
    let run = || Command::new(&driver).env("WHYDUNIT_RECORD_DIR", &records).spawn().unwrap();
    let children: Vec<_> = (0..4).map(|_| run()).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(read(&records).len(), 4);
}

#[test]
fn limits_on_address_space_are_kept_or_named() {
    let place = Place::new();
    let driver = place.driver("process");
    let limited = |kib: u32| {
        let script = format!("ulimit -v {kib}; exec \"$0\" fill");
        let (output, processes) =
            place.record(std::path::Path::new("/bin/sh"), &["-c", &script, driver.to_str().unwrap()]);
        (output, processes)
    };
    let (output, processes) = limited(200_000);
    ok(&output);
    assert_eq!(processes[0].run().len(), 30000);
    let (output, _) = limited(12_000);
    assert_eq!(output.status.code(), Some(whydunit_runtime::EXIT_REFUSED));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.starts_with("whydunit: ") && message.contains("ulimit -v"), "{message}");
}
