//! What is kept on the disk: of the project here, and in the user's cache.

use std::fs;
use std::path::Path;

use whydunit_capture::products;
use whydunit_desk::{Desk, chain};
use whydunit_findings::{HealthCheck, HealthState, HealthTopic};
use whydunit_workbench::Recordings;

use super::bytes;

/// The folder of what is kept of the project, what was captured and recorded there, and the user's cache where there is one.
pub(super) fn checks(desk: &Desk) -> Vec<HealthCheck> {
    let check = |name, state, found: String| HealthCheck::new(HealthTopic::Kept, name, state, found);
    let folder = whydunit_suite::store_of(&desk.project);
    let mut checks = Vec::new();
    if folder.is_dir() {
        let found = format!("{} in {}; it can be deleted at any time", bytes(size(&folder)), folder.display());
        checks.push(check("folder", HealthState::Good, found));
        checks.push(match desk.store() {
            Ok(store) => match products(&store) {
                Ok(all) => check("captured", HealthState::Good, format!("programs and libraries: {}", all.len())),
                Err(error) => damaged(chain(&error)),
            },
            Err(error) => damaged(chain(&error)),
        });
        let recordings = Recordings::at(folder.join("recordings")).all().map_or(0, |all| all.len());
        checks.push(check("recordings", HealthState::Good, recordings.to_string()));
    } else {
        let found = format!("nothing yet; it will be {}", folder.display());
        checks.push(check("folder", HealthState::Good, found));
    }
    if let Some(cache) = whydunit_suite::cache().filter(|cache| cache.is_dir()) {
        let found = format!("{} in {}; it can be deleted at any time", bytes(size(&cache)), cache.display());
        checks.push(check("cache", HealthState::Good, found));
    }
    checks
}

fn damaged(found: String) -> HealthCheck {
    HealthCheck::new(HealthTopic::Kept, "captured", HealthState::Missing, found)
        .remedy("delete the folder and build again: `whydunit build`")
}

/// Bytes of all files below a folder, each link to one counted once as itself. What cannot be read is not counted.
fn size(folder: &Path) -> u64 {
    let (mut open, mut bytes) = (vec![folder.to_path_buf()], 0);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let Ok(meta) = entry.path().symlink_metadata() else { continue };
            match meta.is_dir() {
                true => open.push(entry.path()),
                false => bytes += meta.len(),
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_is_that_of_all_files_and_no_link_is_followed() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("a")).expect("a folder");
        fs::write(folder.path().join("a/b"), [0; 1000]).expect("a file");
        fs::write(folder.path().join("c"), [0; 10]).expect("a file");
        std::os::unix::fs::symlink("..", folder.path().join("a/up")).expect("a link");
        assert_eq!(size(folder.path()), 1012);
    }
}
