//! Readers of what comes from outside, on inputs of ours that were changed at random: each gives an answer or an error, and never a
//! panic or an endless loop.
//!
//! By itself each reader gets a few rounds, from a fixed seed. `scripts/fuzz.sh SECONDS` gives each so much time, from another seed.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::support::project::{Project, subjects};
use whydunit_desk::Cancel;
use whydunit_inputs::Random;
use whydunit_recording::{CodecState, LogReader, Recording, finalise, read_control};

/// Rounds where nobody asks for more.
const ROUNDS: usize = 400;
/// Names the seconds that each reader gets.
const SECONDS: &str = "WHYDUNIT_FUZZ_SECONDS";
/// Names the folder in which the input that is being read lies, so that it is there after a crash.
const KEEP: &str = "WHYDUNIT_FUZZ_KEEP";

/// Gives a reader changed inputs.
fn fuzz(name: &str, corpus: &[Vec<u8>], reader: impl Fn(&[u8])) {
    assert!(!corpus.is_empty(), "{name} has no inputs");
    corpus.iter().for_each(|input| reader(input));
    let seconds: Option<u64> = std::env::var(SECONDS).ok().and_then(|text| text.parse().ok());
    let seed = seconds.map_or(1, |_| SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |now| now.as_secs()));
    let (mut random, started) = (Random::new(seed, name), Instant::now());
    let goes_on = |round: usize| match seconds {
        Some(seconds) => started.elapsed() < Duration::from_secs(seconds),
        None => round < ROUNDS,
    };
    let keep = std::env::var_os(KEEP).map(|folder| PathBuf::from(folder).join(name));
    for round in (0..).take_while(|round| goes_on(*round)) {
        let input = changed(corpus, &mut random);
        keep.iter().for_each(|path| std::fs::write(path, &input).expect("the input is kept"));
        let read = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| reader(&input)));
        assert!(read.is_ok(), "{name}, seed {seed}, round {round}: {:?}", String::from_utf8_lossy(&input));
    }
    keep.iter().for_each(|path| std::fs::remove_file(path).expect("the input goes"));
}

/// An input with one to six changes: bytes, pieces of this and of other inputs, numbers at the edges, cut ends.
fn changed(corpus: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    const EDGES: &[&[u8]] = &[
        b"",
        b"0",
        b"-1",
        b"4294967296",
        b"18446744073709551615",
        b"\xff\xff\xff\xff",
        b"\0",
        b"\"",
        b"[[",
        b"{",
        b"\n",
        b"\xc3(",
    ];
    let mut input = random.pick(corpus).cloned().unwrap_or_default();
    for _ in 0..=random.below(6) {
        let (at, length) = (random.below(input.len() + 1), random.below(16));
        let end = (at + length).min(input.len());
        match random.below(6) {
            0 if at < input.len() => input[at] ^= 1 << random.below(8),
            1 => _ = input.splice(at..end, []),
            2 => _ = input.splice(at..at, input[at..end].to_vec()),
            3 => _ = input.splice(at..end, random.pick(EDGES).copied().unwrap_or_default().to_vec()),
            4 => {
                let other = random.pick(corpus).cloned().unwrap_or_default();
                let from = random.below(other.len() + 1);
                _ = input.splice(at..end, other[from..(from + length).min(other.len())].to_vec());
            }
            _ => input.truncate(at.max(1)),
        }
    }
    input
}

/// The files below a folder that a name's end tells, in order; those of our subjects and models.
fn files(folder: &Path, ending: &str) -> Vec<Vec<u8>> {
    let (mut open, mut found) = (vec![folder.to_path_buf()], Vec::new());
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.to_string_lossy().ends_with(ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found.into_iter().map(|path| std::fs::read(path).expect("a file")).filter(|text| text.len() < 1 << 16).collect()
}

fn text(bytes: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

#[test]
fn configurations() {
    fuzz("whydunit.toml", &files(&subjects(), "whydunit.toml"), |input| {
        _ = whydunit_suite::Config::parse(Path::new("/p/whydunit.toml"), &text(input));
    });
}

#[test]
fn cases() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = "[build]\nexecutable = \"p\"\n[tests]\ncases = \"cases.jsonl\"\n";
    let file = folder.path().join("whydunit.toml");
    let config = whydunit_suite::Config {
        folder: folder.path().to_path_buf(),
        ..whydunit_suite::Config::parse(&file, config).expect("a configuration")
    };
    fuzz("cases.jsonl", &files(&subjects().join("review"), "cases.jsonl"), |input| {
        std::fs::write(folder.path().join("cases.jsonl"), input).expect("written");
        _ = whydunit_suite::Suite::load(&config, &Cancel::new());
    });
}

#[test]
fn domains() {
    fuzz("domain", &files(&subjects().join("review"), "domain.txt"), |input| {
        _ = whydunit_review::Domain::parse(&text(input));
    });
}

#[test]
fn models_of_classes() {
    let shipped: Vec<Vec<u8>> = whydunit_misuse::SHIPPED.iter().map(|(_, text)| text.as_bytes().to_vec()).collect();
    fuzz("model", &shipped, |input| {
        _ = whydunit_misuse::parse(&text(input));
        _ = whydunit_typestate::parse(&text(input));
    });
}

#[test]
fn messages_of_editors() {
    let message = |content: &str| format!("Content-Length: {}\r\n\r\n{content}", content.len()).into_bytes();
    let corpus = [message("{\"jsonrpc\":\"2.0\",\"id\":1}"), [message("{}"), message("[1]")].concat()];
    fuzz("message", &corpus, |input| {
        let mut input = input;
        while let Ok(Some(_)) = whydunit_framing::read(&mut input) {}
    });
}

#[test]
fn answers_of_shards() {
    let folder = tempfile::tempdir().expect("a folder");
    let project = Project::of("single");
    let corpus = ["1/1", "1/2", "2/2"].map(|shard| {
        let (_, answer, errors) = project.json(&["test", "--shard", shard]);
        assert!(errors.is_empty() || !answer.is_null(), "{errors}");
        answer.to_string().into_bytes()
    });
    fuzz("shard", &corpus, |input| {
        std::fs::write(folder.path().join("1.json"), input).expect("written");
        _ = whydunit_reports::merge(&[folder.path().to_path_buf()]);
    });
}

/// A recording of a small program, and what it was built with.
fn recorded() -> Project {
    let project = Project::of("single");
    let (status, _, errors) = project.json(&["record", "four"]);
    assert_eq!(status, 0, "{errors}");
    project
}

#[test]
fn recordings_program_models_and_logs() {
    let project = recorded();
    let folder = tempfile::tempdir().expect("a folder");
    let recordings = files(&project.path(".whydunit/recordings"), ".rec");
    fuzz("recording", &recordings, |input| {
        let path = folder.path().join("a.rec");
        std::fs::write(&path, input).expect("written");
        if let Ok((recording, _)) = Recording::open_partial(&path) {
            let mut events = recording.events();
            while let Ok(Some(_)) = events.next_entry() {}
            _ = (recording.stdout(), recording.verify());
        }
    });
    fuzz("program model", &files(&project.path(".whydunit/models"), ".model"), |input| {
        _ = whydunit_model::Module::from_bytes(input);
    });
    // The events as they stand in a log.
    let path = folder.path().join("whole.rec");
    std::fs::write(&path, &recordings[0]).expect("written");
    let mut events = Recording::open(&path).expect("a recording").events();
    let (mut state, mut log) = (CodecState::new(), Vec::new());
    while let Some(entry) = events.next_entry().expect("events") {
        state.encode(&entry, &mut log);
    }
    fuzz("log", &[log.clone()], |input| {
        let (mut state, mut rest) = (CodecState::new(), input);
        while let Ok((_, used)) = state.decode(rest) {
            assert!(used > 0 && used <= rest.len(), "an event has {used} bytes");
            rest = &rest[used..];
        }
    });
    logs_of_processes(folder.path(), &log);
}

/// The folder that a recorded process leaves: its head, its control pages, its log. One of them is changed.
fn logs_of_processes(folder: &Path, log: &[u8]) {
    let head = format!("version={}\0pid=7\0parent=0\0exe=/p\0cwd=/\0arg=p\0env=A=b\0", whydunit_recording::LOG_VERSION);
    let mut control = vec![0; 8192];
    control[4096 + 36] = 1;
    control[4096 + 48..4096 + 56].copy_from_slice(&(log.len() as u64).to_le_bytes());
    control[4096 + 88] = 1;
    let files = [("head", head.into_bytes()), ("ctl", control), ("log", log.to_vec())];
    let raw = folder.join("p.7.1");
    std::fs::create_dir(&raw).expect("a folder");
    for (changed, original) in &files {
        for (name, bytes) in &files {
            std::fs::write(raw.join(name), bytes).expect("written");
        }
        fuzz(changed, std::slice::from_ref(original), |input| {
            std::fs::write(raw.join(changed), input).expect("written");
            _ = read_control(&raw);
            if let Ok(mut reader) = LogReader::open(&raw) {
                while let Ok(Some(_)) = reader.next_event() {}
            }
            _ = finalise(&raw, Default::default(), &folder.join("made.rec"));
        });
    }
}

#[test]
fn streams_of_events() {
    let project = Project::of("behavior/vector");
    let (status, _, errors) = project.json(&["mine", "IntVector", "--events", "stream.events"]);
    assert_eq!(status, 0, "{errors}");
    let bytes = std::fs::read(project.path("stream.events")).expect("the events");
    let lines = whydunit_events::write(&whydunit_events::read(&bytes).expect("events"), whydunit_events::Form::Lines);
    fuzz("events", &[bytes, lines], |input| {
        if let Ok(events) = whydunit_events::read(input) {
            _ = whydunit_events::check(&events);
        }
    });
}
