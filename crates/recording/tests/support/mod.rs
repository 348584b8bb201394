//! Raw process folders made by hand, and events made by proptest.
#![allow(dead_code)]

use std::{
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
};

use proptest::prelude::*;
use whydunit_recording::*;

/// A process folder that is being written, as the runtime writes it.
pub struct Folder {
    pub path: PathBuf,
    codec: CodecState,
    file: Vec<u8>,
    number: u64,
    /// Number of the chunk in `log`, plus one.
    present: u64,
}

impl Folder {
    pub fn new(dir: &Path, name: &str, head: &[(&str, &str)]) -> Self {
        Self::forked(dir, name, head, CodecState::new())
    }

    pub fn forked(dir: &Path, name: &str, head: &[(&str, &str)], codec: CodecState) -> Self {
        let path = dir.join(name);
        std::fs::create_dir_all(&path).unwrap();
        let mut bytes = Vec::new();
        let version = LOG_VERSION.to_string();
        for (key, value) in [("version", &*version), ("pid", "7"), ("exe", "/bin/x"), ("cwd", "/")].iter().chain(head) {
            bytes.extend(format!("{key}={value}\0").into_bytes());
        }
        std::fs::write(path.join("head"), bytes).unwrap();
        let folder = Self { path, codec, file: Vec::new(), number: 0, present: 0 };
        folder.control(0, 1, 0, "");
        folder
    }

    pub fn control(&self, counter: u64, flags: u32, reason: u32, message: &str) {
        let mut ctl = vec![0u8; 8192];
        ctl[..8].copy_from_slice(&counter.to_le_bytes());
        ctl[4096 + 36..][..4].copy_from_slice(&flags.to_le_bytes());
        ctl[4096 + 40..][..4].copy_from_slice(&reason.to_le_bytes());
        ctl[4096 + 88..][..8].copy_from_slice(&self.present.to_le_bytes());
        ctl[4096 + 2048..][..message.len()].copy_from_slice(message.as_bytes());
        std::fs::write(self.path.join("ctl"), ctl).unwrap();
    }

    pub fn push(&mut self, entry: &Entry) {
        let mut bytes = Vec::new();
        self.codec.encode(entry, &mut bytes);
        assert!(bytes.len() < 1 << 20);
        if self.file.len() + bytes.len() > 1 << 20 {
            self.next_file();
        }
        self.file.extend(bytes);
    }

    /// Puts the present chunk away.
    pub fn next_file(&mut self) {
        let path = self.path.join(format!("log.{:06}", self.number / 64));
        let file = std::fs::OpenOptions::new().create(true).truncate(false).write(true).open(path).unwrap();
        file.write_all_at(&self.file, self.number % 64 * LOG_CHUNK_BYTES).unwrap();
        self.number += 1;
        self.file.clear();
    }

    /// Writes the present chunk.
    pub fn write_file(&mut self) {
        let mut bytes = self.file.clone();
        bytes.resize(1 << 20, 0);
        std::fs::write(self.log_path(), bytes).unwrap();
        self.set_present(self.number + 1);
    }

    /// Says that no chunk is in `log`.
    pub fn no_chunk(&mut self) {
        self.set_present(0);
    }

    fn set_present(&mut self, present: u64) {
        self.present = present;
        let ctl = std::fs::OpenOptions::new().write(true).open(self.path.join("ctl")).unwrap();
        ctl.write_all_at(&present.to_le_bytes(), 4096 + 88).unwrap();
    }

    pub fn log_path(&self) -> PathBuf {
        self.path.join("log")
    }

    /// Position in the log, and the state that a fork child inherits.
    pub fn fork_point(&self) -> (u64, CodecState) {
        (self.number * LOG_CHUNK_BYTES + self.file.len() as u64, self.codec.clone())
    }
}

pub fn events() -> impl Strategy<Value = Event> {
    let site = || any::<u32>();
    // Addresses and words of every size, small ones often.
    let word = || (any::<u64>(), 0u32..64).prop_map(|(word, shift)| word >> shift);
    let bytes = |range| proptest::collection::vec(any::<u8>(), range).prop_map(Vec::into_boxed_slice);
    let words = || proptest::collection::vec(any::<u64>(), 0..9).prop_map(Vec::into_boxed_slice);
    prop_oneof![
        (site(), proptest::collection::vec(any::<u8>(), 1..=16))
            .prop_map(|(site, bytes)| Event::Load { site, value: LoadValue::new(&bytes).unwrap() }),
        site().prop_map(|site| Event::Ret { site, value: RetValue::Void }),
        (0u32..2000, prop_oneof![word(), Just(5), Just(u64::MAX)])
            .prop_map(|(site, value)| Event::Ret { site, value: RetValue::Int(value) }),
        (site(), bytes(1..40)).prop_map(|(site, bytes)| Event::Ret { site, value: RetValue::Bytes(bytes) }),
        (word(), bytes(0..300)).prop_map(|(address, bytes)| Event::Write { address, bytes }),
        (site(), word(), bytes(0..40)).prop_map(|(site, address, bytes)| Event::Fix { site, address, bytes }),
        (site(), any::<i64>(), word()).prop_map(|(site, delta, class)| Event::Alloc { site, delta, class }),
        (word(), words()).prop_map(|(function, words)| Event::Callback { function, words }),
        (word(), words()).prop_map(|(function, words)| Event::Signal { function, words }),
        (site(), word(), any::<i64>()).prop_map(|(site, serial, value)| Event::Setjmp { site, serial, value }),
        module().prop_map(|module| Event::Module(Box::new(module))),
        [(); 8].map(|()| word()).prop_map(|[usp, stdin, stdout, stderr, argc, argv, envp, main_tid]| {
            Event::Start(Box::new(Start { version: 1, usp, stdin, stdout, stderr, argc, argv, envp, main_tid }))
        }),
        (any::<u32>(), word()).prop_map(|(signal, address)| Event::Fault { signal, address }),
        bytes(0..200).prop_map(|bytes| Event::Variadic { bytes }),
        any::<u32>().prop_map(|index| Event::Unload { index }),
        bytes(0..40).prop_map(|text| Event::Note { text }),
        bytes(0..40).prop_map(|symbol| Event::OneTest { symbol }),
        (word(), word()).prop_map(|(address, length)| Event::Zeroed { address, length }),
        (site(), word(), word(), any::<i64>()).prop_map(|(site, usp, exception, selector)| Event::Landed {
            site,
            usp,
            exception,
            selector
        }),
        word().prop_map(|function| Event::Unwound { function }),
        Just(Event::ThreadEnd),
        switch().prop_map(|switch| Event::Switch(Box::new(switch))),
        (any::<i32>(), bytes(0..100)).prop_map(|(fd, bytes)| Event::Output { fd, bytes }),
    ]
}

fn switch() -> impl Strategy<Value = Switch> {
    let new = (any::<[u32; 3]>(), any::<[u64; 2]>())
        .prop_map(|([creator, tid, rounding], [usp, stack_low])| NewThread { creator, tid, usp, stack_low, rounding });
    let addresses = proptest::collection::vec((any::<u32>(), any::<u64>()), 0..10);
    let locals =
        (any::<u32>(), addresses).prop_map(|(module, addresses)| ThreadLocals { module, addresses: addresses.into() });
    (any::<u32>(), proptest::option::of(new), proptest::collection::vec(locals, 0..4))
        .prop_map(|(thread, new, locals)| Switch { thread, new, locals: locals.into() })
}

fn module() -> impl Strategy<Value = ModuleLoaded> {
    let addresses = || proptest::collection::vec(any::<u64>(), 0..20);
    (
        any::<[u8; 32]>(),
        any::<u32>(),
        addresses(),
        proptest::collection::vec((any::<u64>(), any::<bool>()), 0..20),
        any::<u64>(),
    )
        .prop_map(|(id, index, globals, functions, data_hash)| {
            let (functions, own_bodies) = functions.into_iter().unzip();
            ModuleLoaded { id, index, globals, functions, own_bodies, data_hash }
        })
}

/// Events with rising safepoint counts.
pub fn logs(size: impl Into<proptest::collection::SizeRange>) -> impl Strategy<Value = Vec<Entry>> {
    proptest::collection::vec((0u64..5000, events()), size).prop_map(|events| {
        let mut counter = 0;
        events
            .into_iter()
            .map(|(delta, event)| {
                counter += delta;
                Entry { counter, event }
            })
            .collect()
    })
}

/// A few events, one of most kinds.
pub fn sample() -> Vec<Entry> {
    let ret = |site, value| Event::Ret { site, value: RetValue::Int(value) };
    [
        Event::Start(Box::new(Start {
            version: 1,
            usp: 0x5780_0000_0000,
            stdin: 1,
            stdout: 2,
            stderr: 3,
            argc: 1,
            argv: 0x7fff_ffff_e000,
            envp: 0x7fff_ffff_e010,
            main_tid: 77,
        })),
        Event::Write { address: 0x1000, bytes: b"hello, input".as_slice().into() },
        ret(4, 12),
        ret(4, 12),
        ret(4 + 1024, 13),
        Event::Load { site: 9, value: LoadValue::new(&[1, 2, 3, 4]).unwrap() },
        Event::Alloc { site: 3, delta: -32, class: 2 },
        Event::Callback { function: 0x4000, words: [1, 2].into() },
        Event::Ret { site: 5, value: RetValue::Void },
        Event::Output { fd: 1, bytes: b"out\n".as_slice().into() },
    ]
    .into_iter()
    .enumerate()
    .map(|(n, event)| Entry { counter: 3 * n as u64, event })
    .collect()
}

pub fn collect(recording: &Recording) -> Result<Vec<Entry>, Error> {
    recording.events().collect()
}

/// A recording of `entries`, closed into chunks of `per_chunk` events.
pub fn write(path: &Path, entries: &[Entry], per_chunk: u32) -> RecordingSummary {
    let run = RunInfo {
        build: "b1".into(),
        test: Some("t17".into()),
        exit: Some(Exit::Status(1)),
        stdin: Some(b"the input".to_vec()),
        stdout: Some(Vec::new()),
        ..RunInfo::default()
    };
    let head = Head { version: 1, args: vec!["x".into(), ByteString(vec![0xff, b'=', 0x80])], ..Head::default() };
    let control = Control { counter: 1000, ..Control::default() };
    let mut writer = RecordingWriter::create(path, Info { run, head, control }).unwrap();
    writer.chunk_events(per_chunk);
    for entry in entries {
        writer.push(entry, entry.event.kind(), 1).unwrap();
    }
    writer.finish(RunEnd::Killed { counter: 1000 }).unwrap()
}
