//! Flags that spectrum flavours leave behind (format: `c/whydunit_rt.h`).

use std::io;
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 8] = b"wdspect1";
const HEADER: usize = 4096;

/// The flags of one process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProcessFlags {
    /// Its process id; a program that executes another one in its place leaves both programs' modules here.
    pub pid: u32,
    /// Id (in hexadecimal) and flags of each module, in order of registration.
    pub modules: Vec<(String, Vec<u8>)>,
}

/// Whether a flag was set once `main` was entered, or whether it is not known when.
pub fn is_of_main(flag: u8) -> bool {
    const BEFORE_MAIN: u8 = 2;
    flag != 0 && flag != BEFORE_MAIN
}

/// Why flags cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SpectrumError {
    /// The system said so.
    #[error("cannot read {path}: {source}")]
    Io {
        /// File or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Not written by the runtime, or cut.
    #[error("{path} is no file of counters, or it is cut: {detail}; run the tests again")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        detail: String,
    },
}

/// Reads the flags of all processes that ran with `WHYDUNIT_SPECTRUM_DIR=dir`, by process id. A module that was being
/// registered when its process was killed has no flags yet and is passed over.
pub fn read(dir: &Path) -> Result<Vec<ProcessFlags>, SpectrumError> {
    let io = |path: &Path| {
        let path = path.to_path_buf();
        move |source| SpectrumError::Io { path, source }
    };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(io(dir))? {
        let entry = entry.map_err(io(dir))?;
        if let Some(key) = entry.file_name().to_str().and_then(numbers) {
            files.push((key, entry.path()));
        }
    }
    files.sort();
    let mut processes: Vec<ProcessFlags> = Vec::new();
    for ((pid, _), path) in files {
        let bytes = std::fs::read(&path).map_err(io(&path))?;
        let modules = parse(&bytes).map_err(|detail| SpectrumError::Damaged { path, detail })?;
        match processes.last_mut() {
            Some(last) if last.pid == pid => last.modules.extend(modules),
            _ if modules.is_empty() => {}
            _ => processes.push(ProcessFlags { pid, modules }),
        }
    }
    Ok(processes)
}

/// The numbers in `s.PID.N`.
fn numbers(name: &str) -> Option<(u32, u64)> {
    let (pid, number) = name.strip_prefix("s.")?.split_once('.')?;
    Some((pid.parse().ok()?, number.parse().ok()?))
}

/// The modules of a file.
fn parse(mut bytes: &[u8]) -> Result<Vec<(String, Vec<u8>)>, String> {
    let mut modules = Vec::new();
    while let Some((header, rest)) = bytes.split_at_checked(HEADER) {
        if header.first_chunk() != Some(MAGIC) {
            return Err("a module does not begin with `wdspect1`".into());
        }
        let size = header[16..24].iter().rev().fold(0u64, |size, byte| size << 8 | u64::from(*byte));
        let id = std::str::from_utf8(&header[24..88]).map_err(|_| "a module's id is no text".to_string())?;
        let Some((flags, rest)) = usize::try_from(size).ok().and_then(|size| rest.split_at_checked(size)) else {
            break;
        };
        modules.push((id.trim_end_matches('\0').to_owned(), flags.to_vec()));
        bytes = rest;
    }
    Ok(modules)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_no_spectrum_is_named() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("s.7.0"), vec![0; 8192]).unwrap();
        let error = read(dir.path()).unwrap_err();
        assert!(error.to_string().contains("s.7.0"), "{error}");
    }

    #[test]
    fn a_file_that_was_being_made_is_passed_over() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("s.7.0"), b"wdspect1").unwrap();
        assert_eq!(read(dir.path()).unwrap(), vec![]);
    }
}
