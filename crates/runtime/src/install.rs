//! Writes the runtime's libraries to a folder.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

const SHARED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/libwhydunit_rt.so"));
const ARCHIVE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/libwhydunit_rt.a"));
const REDIRECT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/libwhydunit_redirect.so"));
const OPENED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/libwhydunit_opened.so"));
const SPECTRUM: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/libwhydunit_spectrum.so"));
const SPECTRUM_ARCHIVE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/libwhydunit_spectrum.a"));

/// Where the libraries are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Installed {
    /// `libwhydunit_rt.so`.
    pub so: PathBuf,
    /// `libwhydunit_rt.a`.
    pub archive: PathBuf,
    /// `libwhydunit_redirect.so`.
    pub redirect: PathBuf,
    /// `libwhydunit_opened.so`.
    pub opened: PathBuf,
    /// `libwhydunit_spectrum.so`.
    pub spectrum: PathBuf,
    /// `libwhydunit_spectrum.a`.
    pub spectrum_archive: PathBuf,
}

/// Writes the libraries below `dir`, in a folder named after their contents. Several processes may do so at once;
/// what is there already is left as it is, unless it is damaged.
pub fn install(dir: &Path) -> io::Result<Installed> {
    let folder = dir.join(format!("{:016x}", hash(&[SHARED, ARCHIVE, REDIRECT, OPENED, SPECTRUM, SPECTRUM_ARCHIVE])));
    std::fs::create_dir_all(&folder).map_err(|error| context("make", &folder, error))?;
    let place = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        if std::fs::read(&path).ok().as_deref() != Some(bytes) {
            write(&path, bytes).map_err(|error| context("write", &path, error))?;
        }
        Ok::<_, io::Error>(path)
    };
    Ok(Installed {
        so: place("libwhydunit_rt.so", SHARED)?,
        archive: place("libwhydunit_rt.a", ARCHIVE)?,
        redirect: place("libwhydunit_redirect.so", REDIRECT)?,
        opened: place("libwhydunit_opened.so", OPENED)?,
        spectrum: place("libwhydunit_spectrum.so", SPECTRUM)?,
        spectrum_archive: place("libwhydunit_spectrum.a", SPECTRUM_ARCHIVE)?,
    })
}

fn context(what: &str, path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot {what} {}: {error}", path.display()))
}

/// A file appears with all of its bytes or not at all.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let partial = path.with_extension(format!("{}.{number}.part", std::process::id()));
    std::fs::write(&partial, bytes).and_then(|()| std::fs::rename(&partial, path)).inspect_err(|_| {
        let _ = std::fs::remove_file(&partial);
    })
}

/// FNV-1a, over the parts and their lengths: names a folder, guards nothing.
fn hash(parts: &[&[u8]]) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    parts.iter().fold(0xcbf2_9ce4_8422_2325, |hash, part| {
        let hash = (part.len() as u64).to_le_bytes().into_iter().fold(hash, step);
        part.iter().copied().fold(hash, step)
    })
}
