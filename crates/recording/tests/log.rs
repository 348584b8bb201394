//! From raw logs to recordings.

mod support;

use proptest::prelude::*;
use support::*;
use whydunit_recording::*;

fn info() -> RunInfo {
    RunInfo { build: "b1".into(), stdout: Some(b"out\n".to_vec()), ..RunInfo::default() }
}

#[test]
fn a_log_over_several_files_becomes_one_recording() {
    let dir = tempfile::tempdir().unwrap();
    let mut folder = Folder::new(dir.path(), "p.7.0", &[("arg", "x"), ("arg", "a=b"), ("env", "HOME=/"), ("odd", "1")]);
    let mut entries = sample();
    for n in 0..70_000u64 {
        let event = if n % 7 == 0 {
            Event::Write { address: n, bytes: vec![n as u8; 200].into() }
        } else {
            Event::Ret { site: n as u32 % 3000, value: RetValue::Int(n / 3) }
        };
        entries.push(Entry { counter: 100 + n, event });
    }
    for entry in &entries {
        folder.push(entry);
    }
    folder.write_file();
    assert!(folder.path.join("log.000000").exists());

    let out = dir.path().join("r/t.rec");
    let summary = finalise(&folder.path, info(), &out).unwrap();
    assert_eq!(summary.end, RunEnd::Orderly);
    assert!(summary.chunks > 2);
    let recording = Recording::open(&out).unwrap();
    assert_eq!(collect(&recording).unwrap(), entries);
    assert_eq!(recording.head().args, ["x".into(), "a=b".into()]);
    assert_eq!(recording.head().other, [("odd".into(), "1".into())]);
    assert_eq!(recording.stdout().unwrap().as_deref(), Some(b"out\n".as_slice()));
    assert_eq!(recording.stderr().unwrap(), None);
    assert_eq!(recording.summary(), &summary);
    let statistics = recording.statistics();
    assert_eq!(statistics.events, entries.len() as u64);
    assert_eq!(statistics.write_bytes, 12 + 10_000 * 200);
    assert!(statistics.write_bytes_compressed > 0 && statistics.write_bytes_compressed < summary.compressed_bytes);
    assert_eq!(statistics.surprises(), 1);
    assert_eq!(statistics.external_calls(), 60_004);
    // Nothing but the recording is left in its folder.
    assert_eq!(std::fs::read_dir(dir.path().join("r")).unwrap().count(), 1);
}

#[test]
fn what_comes_again_takes_little_room() {
    let callback = |function, word| Event::Callback { function, words: [word, 7].into() };
    let result = |site, value| Event::Ret { site, value };
    let turn = [
        callback(0x5555_5555_4444, 9),
        result(70_000, RetValue::Int(3)),
        result(80_000, RetValue::Void),
        callback(0x5555_5555_8888, 1),
    ];
    let (mut encoder, mut decoder) = (CodecState::new(), CodecState::new());
    let mut sizes = Vec::new();
    for _ in 0..3 {
        let mut bytes = Vec::new();
        for event in &turn {
            encoder.encode(&Entry { counter: 5, event: event.clone() }, &mut bytes);
        }
        sizes.push(bytes.len());
        let mut at = 0;
        for event in &turn {
            let (entry, taken) = decoder.decode(&bytes[at..]).unwrap();
            assert_eq!(&entry.event, event);
            at += taken;
        }
        assert_eq!(at, bytes.len());
    }
    // A header and a count each, and a byte for each word.
    assert_eq!(sizes[2], 2 * 4 + 2 * 2);
    assert!(sizes[0] > 2 * sizes[2], "{sizes:?}");
}

#[test]
fn a_log_cut_anywhere_gives_its_whole_events() {
    let dir = tempfile::tempdir().unwrap();
    let entries = sample();
    let mut folder = Folder::new(dir.path(), "p.7.0", &[]);
    let mut ends = vec![0];
    for entry in &entries {
        folder.push(entry);
        ends.push(folder.fork_point().0);
    }
    folder.write_file();
    let bytes = std::fs::read(folder.log_path()).unwrap();
    let out = dir.path().join("t.rec");
    for cut in 0..*ends.last().unwrap() {
        std::fs::write(folder.log_path(), &bytes[..cut as usize]).unwrap();
        let summary = finalise(&folder.path, info(), &out).unwrap();
        let whole = ends.iter().filter(|end| **end <= cut).count() - 1;
        assert_eq!(collect(&Recording::open(&out).unwrap()).unwrap(), entries[..whole], "cut at {cut}");
        let at_event = ends.contains(&cut);
        assert_eq!(matches!(summary.end, RunEnd::Cut { .. }), !at_event, "cut at {cut}: {:?}", summary.end);
    }
    // The header is written last: an event without it is not there.
    let last = ends[ends.len() - 2] as usize;
    let mut half = bytes.clone();
    half[last] = 0;
    std::fs::write(folder.log_path(), &half).unwrap();
    assert_eq!(finalise(&folder.path, info(), &out).unwrap().end, RunEnd::Orderly);
    assert_eq!(collect(&Recording::open(&out).unwrap()).unwrap(), entries[..entries.len() - 1]);
}

/// The chunk in `log` is in no other file before it is wholly there, and in `log` no longer once the next one begins.
#[test]
fn a_process_killed_while_it_puts_a_chunk_away_loses_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let entries = sample();
    let mut folder = Folder::new(dir.path(), "p.7.0", &[]);
    entries.iter().for_each(|entry| folder.push(entry));
    folder.write_file();
    let out = dir.path().join("t.rec");
    let read = |folder: &Folder| {
        finalise(&folder.path, info(), &out).unwrap();
        collect(&Recording::open(&out).unwrap()).unwrap()
    };
    std::fs::write(folder.path.join("log.000000"), b"half").unwrap();
    assert_eq!(read(&folder), entries, "the copy is not complete");
    folder.next_file();
    assert_eq!(read(&folder), entries, "the copy is complete");
    folder.no_chunk();
    assert_eq!(read(&folder), entries, "the chunk is about to be cleared");
    folder.push(&entries[1]);
    folder.write_file();
    assert_eq!(read(&folder).len(), entries.len() + 1, "the next chunk has begun");
}

#[test]
fn a_fork_child_starts_with_what_its_parents_logged() {
    let dir = tempfile::tempdir().unwrap();
    let entries = sample();
    let mut parent = Folder::new(dir.path(), "p.7.0", &[]);
    parent.push(&entries[0]);
    parent.push(&entries[1]);
    parent.next_file();
    for entry in &entries[2..5] {
        parent.push(entry);
    }
    let (at, state) = parent.fork_point();
    // What the parent logs later is none of the child's.
    parent.push(&entries[5]);
    parent.write_file();

    let head = [("parent", "p.7.0"), ("parent_bytes", &at.to_string())];
    let mut child = Folder::forked(dir.path(), "p.5.0", &head, state);
    let own = Entry { counter: 50, event: Event::Ret { site: 4, value: RetValue::Int(13) } };
    child.push(&own);
    let (at, state) = child.fork_point();
    child.write_file();
    let head = [("parent", "p.5.0"), ("parent_bytes", &at.to_string())];
    let mut grandchild = Folder::forked(dir.path(), "p.3.0", &head, state);
    grandchild.push(&own);
    grandchild.write_file();

    let folders = processes(dir.path()).unwrap();
    let names: Vec<_> = folders.iter().map(|folder| folder.path.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["p.7.0", "p.5.0", "p.3.0"]);

    let out = dir.path().join("t.rec");
    let summary = finalise(&grandchild.path, info(), &out).unwrap();
    assert_eq!(summary.statistics.inherited, 6);
    let mut expected = entries[..5].to_vec();
    expected.extend([own.clone(), own]);
    assert_eq!(collect(&Recording::open(&out).unwrap()).unwrap(), expected);

    std::fs::remove_file(dir.path().join("p.7.0/log")).unwrap();
    let summary = finalise(&grandchild.path, info(), &out).unwrap();
    assert!(matches!(summary.end, RunEnd::Cut { detail } if detail.contains("forked")));
}

#[test]
fn the_end_of_a_run_is_told_from_flags_faults_and_the_counter() {
    let dir = tempfile::tempdir().unwrap();
    let mut folder = Folder::new(dir.path(), "p.7.0", &[]);
    folder.push(&Entry { counter: 1, event: Event::Fault { signal: 11, address: 64 } });
    folder.push(&Entry { counter: 1, event: Event::Note { text: b"died".as_slice().into() } });
    folder.write_file();
    let out = dir.path().join("t.rec");
    let end = |flags, message: &str| {
        folder.control(99, flags, 3, message);
        finalise(&folder.path, info(), &out).unwrap().end
    };
    assert_eq!(end(0, ""), RunEnd::Fault { signal: 11, address: 64 });
    assert_eq!(end(1, ""), RunEnd::Orderly);
    assert_eq!(end(2, ""), RunEnd::Exec);
    let stopped = RunEnd::Stopped { reason: 3, message: "no space left".into() };
    assert_eq!(end(5, "no space left"), stopped);
    folder.push(&Entry { counter: 1, event: Event::Callback { function: 5, words: [].into() } });
    folder.write_file();
    folder.control(99, 0, 0, "");
    assert_eq!(finalise(&folder.path, info(), &out).unwrap().end, RunEnd::Killed { counter: 99 });
}

#[test]
fn folders_that_are_no_logs_are_told_apart() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("t.rec");
    let fails = |folder: &std::path::Path, needle: &str| {
        let error = finalise(folder, info(), &out).unwrap_err().to_string();
        assert!(error.contains(needle), "{error}");
        assert!(!out.exists());
    };
    fails(&dir.path().join("none"), "cannot read");
    let folder = Folder::new(dir.path(), "p.7.0", &[("version", "9")]);
    fails(&folder.path, "log version 9");
    let folder = Folder::new(dir.path(), "p.7.0", &[("parent_bytes", "x")]);
    fails(&folder.path, "not a number");
    let folder = Folder::new(dir.path(), "p.7.0", &[("parent", "p.7.0"), ("parent_bytes", "5")]);
    fails(&folder.path, "its own ancestor");
    let folder = Folder::new(dir.path(), "p.7.0", &[]);
    std::fs::write(folder.path.join("ctl"), [0; 100]).unwrap();
    fails(&folder.path, "100 bytes");
    // A head that was being written ends at a whole pair; a folder with none is no process yet.
    let head = folder.path.join("head");
    std::fs::write(&head, format!("version={LOG_VERSION}\0pid=7\0ar")).unwrap();
    assert_eq!(read_head(&folder.path).unwrap().pid, 7);
    assert_eq!(processes(dir.path()).unwrap().len(), 1);
    std::fs::write(&head, "").unwrap();
    assert_eq!(processes(dir.path()).unwrap().len(), 0);
    // A killed process may have left nothing but its description.
    let folder = Folder::new(dir.path(), "p.7.0", &[]);
    assert_eq!(finalise(&folder.path, info(), &out).unwrap().statistics.events, 0);
    assert!(Recording::open(&out).unwrap().events().next().is_none());
}

proptest! {
    #[test]
    fn events_survive_the_log_and_the_file(entries in logs(0..60), per_chunk in 1u32..20) {
        let mut bytes = Vec::new();
        let mut state = CodecState::new();
        for entry in &entries {
            state.encode(entry, &mut bytes);
        }
        let (mut state, mut at, mut decoded) = (CodecState::new(), 0, Vec::new());
        while at < bytes.len() {
            let (entry, used) = state.decode(&bytes[at..]).unwrap();
            decoded.push(entry);
            at += used;
        }
        prop_assert_eq!(&decoded, &entries);

        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("t.rec");
        write(&path, &entries, per_chunk);
        let recording = Recording::open(&path).unwrap();
        prop_assert_eq!(&collect(&recording).unwrap(), &entries);

        // Every position leads back to the same events, from any other.
        let mut reader = recording.events();
        let mut positions = Vec::new();
        for entry in &entries {
            prop_assert_eq!(reader.peek().unwrap(), Some(entry));
            positions.push((reader.position(), reader.number()));
            reader.advance();
        }
        for (n, (position, number)) in positions.into_iter().enumerate().rev() {
            prop_assert_eq!(number, n as u64);
            let mut other = reader.clone();
            other.seek(position);
            prop_assert_eq!(other.peek().unwrap(), Some(&entries[n]));
            other.seek_number(number);
            prop_assert_eq!(other.peek().unwrap(), Some(&entries[n]));
            let first = entries.partition_point(|entry| entry.counter < entries[n].counter);
            other.seek_counter(entries[n].counter).unwrap();
            prop_assert_eq!(other.number(), first as u64);
        }
        reader.seek_number(entries.len() as u64);
        prop_assert_eq!(reader.next_entry().unwrap(), None);
        prop_assert_eq!(reader.number(), entries.len() as u64);
    }

    #[test]
    fn arbitrary_bytes_are_events_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let mut state = CodecState::new();
        let mut at = 0;
        while at < bytes.len() {
            match state.decode(&bytes[at..]) {
                Ok((_, used)) => { prop_assert!(used > 0); at += used }
                Err(_) => break,
            }
        }
    }
}
