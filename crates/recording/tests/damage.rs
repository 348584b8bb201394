//! Cut and changed recordings.

mod support;

use std::os::unix::fs::FileExt;
use std::path::Path;

use support::*;
use whydunit_recording::*;

fn read_all(path: &Path) -> Result<(), Error> {
    let recording = Recording::open(path)?;
    recording.verify()?;
    assert_eq!(collect(&recording)?, sample());
    assert_eq!(recording.stdin()?.as_deref(), Some(b"the input".as_slice()));
    assert_eq!(recording.stdout()?.as_deref(), Some(b"".as_slice()));
    assert_eq!(recording.info().run.test.as_deref(), Some("t17"));
    assert_eq!(recording.head().args[1], ByteString(vec![0xff, b'=', 0x80]));
    Ok(())
}

/// A damaged recording gives a prefix of the events, or an error; never other events.
fn check_partial(path: &Path, expect_damage: bool) -> Option<usize> {
    match Recording::open_partial(path) {
        Ok((recording, error)) => {
            assert_eq!(error.is_some(), expect_damage);
            assert_eq!(recording.is_complete(), !expect_damage);
            let events = collect(&recording).unwrap();
            assert_eq!(events, sample()[..events.len()]);
            assert_eq!(recording.statistics().events, events.len() as u64);
            if let Some(error) = error {
                assert_eq!(error.intact().unwrap().events, events.len() as u64);
            }
            Some(events.len())
        }
        Err(_) => {
            assert!(expect_damage);
            None
        }
    }
}

#[test]
fn a_recording_cut_at_any_byte_says_so_and_gives_the_rest() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.rec");
    write(&path, &sample(), 3);
    read_all(&path).unwrap();
    assert_eq!(check_partial(&path, false), Some(sample().len()));
    let bytes = std::fs::read(&path).unwrap();
    let mut most = 0;
    for cut in 0..bytes.len() {
        std::fs::write(&path, &bytes[..cut]).unwrap();
        let error = read_all(&path).unwrap_err();
        match &error {
            Error::NotARecording { .. } => assert_eq!(cut, 0),
            Error::Truncated { at, .. } => assert_eq!(*at, cut as u64),
            other => panic!("cut at {cut}: {other}"),
        }
        let got = check_partial(&path, true).unwrap_or(0);
        assert!(got >= most, "cut at {cut}");
        most = got;
        if let Some(intact) = error.intact() {
            assert_eq!(intact.events, got as u64);
        }
    }
    assert_eq!(most, sample().len());
}

#[test]
fn no_flipped_bit_goes_unnoticed() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.rec");
    write(&path, &sample(), 3);
    let bytes = std::fs::read(&path).unwrap();
    let file = std::fs::File::options().write(true).open(&path).unwrap();
    for bit in 0..bytes.len() * 8 {
        let at = bit / 8;
        file.write_all_at(&[bytes[at] ^ 1 << (bit % 8)], at as u64).unwrap();
        let error = read_all(&path).unwrap_err();
        let expected = match bit / 8 {
            0..8 => matches!(error, Error::NotARecording { .. }),
            8..12 => matches!(error, Error::OtherVersion { .. }),
            _ => matches!(error, Error::Damaged { .. }),
        };
        assert!(expected, "bit {bit}: {error}");
        if bit % 8 == at % 8 {
            check_partial(&path, true);
        }
        file.write_all_at(&bytes[at..=at], at as u64).unwrap();
    }
    read_all(&path).unwrap();
}

#[test]
fn bytes_added_or_a_chunk_removed_are_noticed() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.rec");
    write(&path, &sample(), 3);
    let bytes = std::fs::read(&path).unwrap();
    let mut longer = bytes.clone();
    longer.extend(b"more");
    std::fs::write(&path, &longer).unwrap();
    assert!(matches!(read_all(&path).unwrap_err(), Error::Damaged { .. }));
    assert_eq!(check_partial(&path, true), Some(sample().len()));

    // Frame heads are told by their mark; the first is the description, the second and third are chunks.
    let heads: Vec<usize> = (0..bytes.len() - 4).filter(|at| bytes[*at..].starts_with(b"Efrm")).collect();
    let mut shorter = bytes[..heads[1]].to_vec();
    shorter.extend(&bytes[heads[2]..]);
    std::fs::write(&path, &shorter).unwrap();
    assert!(matches!(read_all(&path).unwrap_err(), Error::Damaged { .. }));
    assert_eq!(check_partial(&path, true), Some(3));
}

#[test]
fn other_files_and_other_builds_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("t.rec");
    std::fs::write(&path, "[build]\ncommand = \"make\"\n").unwrap();
    assert!(matches!(Recording::open(&path).unwrap_err(), Error::NotARecording { .. }));
    assert!(matches!(Recording::open(dir.path()).unwrap_err(), Error::NotARecording { .. }));
    let missing = Recording::open(&dir.path().join("none")).unwrap_err();
    assert!(matches!(missing, Error::Io { .. }));
    assert!(missing.to_string().contains("none"));
    write(&path, &sample(), 3);
    let recording = Recording::open(&path).unwrap();
    recording.check_build("b1").unwrap();
    let error = recording.check_build("b2").unwrap_err().to_string();
    assert!(error.contains("b1") && error.contains("b2") && error.contains("record the run again"));
}

#[test]
fn an_unwritable_folder_is_an_error_and_leaves_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    std::fs::write(&file, "").unwrap();
    let info = Info { run: RunInfo::default(), head: Head::default(), control: Control::default() };
    let error = RecordingWriter::create(&file.join("t.rec"), info).err().unwrap();
    assert!(matches!(error, Error::Io { .. }));
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
}

/// Not a test of its own: the one below runs it where files must stay small.
#[test]
#[ignore = "runs under another test's limits"]
fn writes_too_much() {
    let Some(folder) = std::env::var_os("SMALL_FOLDER") else { return };
    // Bytes that do not compress.
    let mut state = 1u64;
    let noise = std::iter::repeat_with(|| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as u8
    });
    let run = RunInfo { stdout: Some(noise.take(1 << 20).collect()), ..RunInfo::default() };
    let info = Info { run, head: Head::default(), control: Control::default() };
    let path = Path::new(&folder).join("t.rec");
    let error = RecordingWriter::create(&path, info).and_then(|writer| writer.finish(RunEnd::Orderly)).unwrap_err();
    assert!(matches!(error, Error::Io { .. }), "{error}");
    assert!(error.to_string().contains("t.rec"), "{error}");
}

#[test]
fn a_recording_that_cannot_be_written_whole_is_not_there() {
    let dir = tempfile::tempdir().unwrap();
    // As on a full disk, writing fails half-way: here because files may have 64 KiB only.
    let script = "trap '' XFSZ; ulimit -f 64; exec \"$0\" --exact writes_too_much --ignored";
    let mut command = std::process::Command::new("sh");
    command.args(["-c", script]).arg(std::env::current_exe().unwrap()).env("SMALL_FOLDER", dir.path());
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
}
