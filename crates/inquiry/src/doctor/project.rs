//! The project here: how it is built and tested, without doing it.

use whydunit_findings::{HealthCheck, HealthState, HealthTopic};
use whydunit_suite::{BuildHow, TestsKind};
use whydunit_workbench::Project;

/// How the project is built and tested, whether a file says so or it was found out, and what is left to the user.
pub(super) fn checks(project: &Project) -> Vec<HealthCheck> {
    let check = |name, state, found: String| HealthCheck::new(HealthTopic::Project, name, state, found);
    let configured = project.folder.join(whydunit_suite::FILE_NAME).is_file();
    let by = if configured { whydunit_suite::FILE_NAME } else { "found out, without a configuration" };
    let mut checks = vec![check("folder", HealthState::Good, format!("{} ({by})", project.folder.display()))];
    let (build, tests) = (build(project), tests(project));
    let is_open = |what: &str| project.open.iter().any(|line| line.starts_with(what));
    checks.extend(build.map(|told| check("build", HealthState::Good, told)));
    if project.config.build.how.is_none() && !is_open("build") {
        let told = "by hand: nothing says how";
        checks.push(check("build", HealthState::Good, told.into()).remedy("whydunit build -- COMMAND"));
    }
    checks.extend(tests.map(|told| check("tests", HealthState::Good, told)));
    for line in &project.open {
        let (what, told) = line.split_once(": ").unwrap_or(("configuration", line));
        let (found, remedy) = told.split_once("; ").map_or((told, None), |(found, remedy)| (found, Some(remedy)));
        let open = check(what, HealthState::Doubtful, found.to_owned());
        checks.push(match remedy {
            Some(remedy) => open.remedy(remedy),
            None => open,
        });
    }
    checks
}

/// How it is built; `None` where nothing says it.
fn build(project: &Project) -> Option<String> {
    Some(match project.config.build.how.as_ref()? {
        BuildHow::Command(command) => format!("`{command}`"),
        BuildHow::Sources { sources, .. } => {
            let names: Vec<String> = sources.iter().map(|path| path.display().to_string()).collect();
            format!("{} compiled together", names.join(", "))
        }
    })
}

/// Which tests it has; `None` where none were found.
fn tests(project: &Project) -> Option<String> {
    let programs = |kind: &str, programs: &[std::path::PathBuf]| match programs {
        [] => format!("{kind}, in the executable"),
        all => {
            let names: Vec<String> = all.iter().map(|path| path.display().to_string()).collect();
            format!("{kind}, in {}", names.join(", "))
        }
    };
    Some(match project.config.tests.kind.as_ref()? {
        TestsKind::Cases(path) => format!("the cases in {}", path.display()),
        TestsKind::Script(commands) => format!("`{}`, by exit status", commands.join("`, `")),
        TestsKind::Automake(command) => format!("`{command}`, of automake"),
        TestsKind::Cargo(command) => format!("`{command}`"),
        TestsKind::Ctest(folder) => {
            format!("those that ctest lists in {}, or else those of programs with a test framework", folder.display())
        }
        TestsKind::Meson(folder) => format!("those that meson lists in {}", folder.display()),
        TestsKind::Programs(framework, all) => programs(framework.title(), all),
        TestsKind::Tap(commands) => format!("`{}`, in TAP", commands.join("`, `")),
    })
}
