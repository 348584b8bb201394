//! Whether all is there that a project needs: what is installed, what is missing, and what to do about it.
//!
//! Nothing is built and no test is run: programs are asked for their versions, the kernel for what it allows, and files are looked
//! at.

mod kept;
mod project;
mod system;
mod tools;

use whydunit_desk::{Desk, chain};
use whydunit_findings::{Health, HealthCheck, HealthState, HealthTopic};
use whydunit_workbench::Project;

/// Looks at the tools, the system, what is kept and the project of a desk. What cannot be read is a check that says so, never an
/// error; `version` is that of the running program.
pub fn answer(desk: &Desk, version: &str) -> Health {
    let opened = desk.open_project();
    let mut checks = tools::checks(opened.as_ref().ok(), &desk.project, &desk.cancel);
    checks.extend(system::checks(&desk.project));
    checks.extend(kept::checks(desk));
    match &opened {
        Ok(project) => checks.extend(project::checks(project)),
        Err(error) => {
            let check = HealthCheck::new(HealthTopic::Project, "configuration", HealthState::Missing, chain(error));
            checks.push(check.remedy(format!("mend {}", whydunit_suite::FILE_NAME)));
        }
    }
    Health { version: version.to_owned(), checks }
}

/// The shell commands by which a project is built and tested.
fn commands(project: &Project) -> Vec<&str> {
    use whydunit_suite::{BuildHow, TestsKind};
    let mut commands = Vec::new();
    if let Some(BuildHow::Command(command)) = &project.config.build.how {
        commands.push(command.as_str());
    }
    match &project.config.tests.kind {
        Some(TestsKind::Script(all) | TestsKind::Tap(all)) => commands.extend(all.iter().map(String::as_str)),
        Some(TestsKind::Automake(one) | TestsKind::Cargo(one)) => commands.push(one),
        Some(TestsKind::Ctest(_)) => commands.push("ctest"),
        Some(TestsKind::Meson(_)) => commands.push("meson test"),
        Some(TestsKind::Cases(_) | TestsKind::Programs(..)) | None => {}
    }
    commands
}

/// A number of bytes in words, to three digits: `12.3 MB`.
fn bytes(number: u64) -> String {
    const UNITS: [&str; 5] = ["B", "kB", "MB", "GB", "TB"];
    let (mut value, mut unit) = (number as f64, 0);
    while value >= 999.5 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    let digits = if unit == 0 || value >= 99.95 { 0 } else { 1 };
    format!("{value:.digits$} {}", UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_told_to_three_digits() {
        for (number, told) in [
            (0, "0 B"),
            (999, "999 B"),
            (1000, "1.0 kB"),
            (99_949, "99.9 kB"),
            (999_600, "1.0 MB"),
            (12_345_678_901, "12.3 GB"),
        ] {
            assert_eq!(bytes(number), told);
        }
    }
}
