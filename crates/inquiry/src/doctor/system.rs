//! The kernel, and what recorded programs need of it.

use std::path::Path;

use whydunit_findings::{HealthCheck, HealthState, HealthTopic};
use whydunit_process::{System, free_space};

use super::bytes;

/// Where less is free than this, builds and recordings soon fail.
const LITTLE_SPACE: u64 = 1_000_000_000;

/// What the kernel allows, and how much is free for the project.
pub(super) fn checks(project: &Path) -> Vec<HealthCheck> {
    let mut checks = of(&System::read());
    if let Some(free) = free_space(project) {
        let check = |state| HealthCheck::new(HealthTopic::System, "disk", state, format!("{} are free", bytes(free)));
        checks.push(match free < LITTLE_SPACE {
            true => check(HealthState::Doubtful).remedy("make room: bitcode and recordings are kept in the project"),
            false => check(HealthState::Good),
        });
    }
    checks
}

fn of(system: &System) -> Vec<HealthCheck> {
    use HealthState::{Doubtful, Good, Missing};
    let check = |name, state, found: String| HealthCheck::new(HealthTopic::System, name, state, found);
    let mut checks = vec![match &system.release {
        Some(release) => check("kernel", Good, format!("Linux {release}")),
        None => check("kernel", Missing, "there is no /proc".into()).remedy("mount it: mount -t proc proc /proc"),
    }];
    checks.push(match system.sets_segments {
        true => check("fsgsbase", Good, "recorded programs may set the base of a segment".into()),
        false => check("fsgsbase", Missing, "recorded programs cannot set the base of a segment".into())
            .remedy("record on Linux 5.9 or newer, on a processor of 2013 or newer"),
    });
    checks.push(match (system.overcommits, system.address_space) {
        (true, None) => check("addresses", Good, "address space is not limited".into()),
        (true, Some(limit)) => {
            check("addresses", Doubtful, format!("address space is limited to {}: recordings may stop", bytes(limit)))
                .remedy("ulimit -v unlimited")
        }
        (false, _) => check("addresses", Doubtful, "vm.overcommit_memory is 2: recordings may stop".into())
            .remedy("sysctl vm.overcommit_memory=0"),
    });
    checks.push(match system.fixes_addresses {
        true => check("randomising", Good, "can be turned off for tests".into()),
        false => check("randomising", Doubtful, "cannot be turned off: addresses differ from run to run".into())
            .remedy("allow `personality`, as with docker run --security-opt seccomp=unconfined; recordings are exact without it"),
    });
    if !system.lists_children {
        let found = "the kernel does not list the children of a process: many processes are looked through slowly";
        checks.push(check("children", Doubtful, found.into()));
    }
    let memory = system.memory.map(|free| format!(", {} of memory are free", bytes(free))).unwrap_or_default();
    checks.push(check("machine", Good, format!("processors: {}{memory}", system.processors)));
    checks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn good() -> System {
        System {
            release: Some("6.1.0".into()),
            sets_segments: true,
            overcommits: true,
            address_space: None,
            fixes_addresses: true,
            lists_children: true,
            processors: 2,
            memory: Some(8_000_000_000),
        }
    }

    fn states(system: &System) -> Vec<(String, HealthState)> {
        let told = of(system).into_iter().filter(|check| check.state != HealthState::Good);
        told.map(|check| (check.name, check.state)).collect()
    }

    #[test]
    fn what_the_kernel_does_not_allow_is_told_with_a_remedy() {
        assert_eq!(states(&good()), []);
        let cases = [
            (System { release: None, ..good() }, "kernel", HealthState::Missing),
            (System { sets_segments: false, ..good() }, "fsgsbase", HealthState::Missing),
            (System { overcommits: false, ..good() }, "addresses", HealthState::Doubtful),
            (System { address_space: Some(1 << 32), ..good() }, "addresses", HealthState::Doubtful),
            (System { fixes_addresses: false, ..good() }, "randomising", HealthState::Doubtful),
            (System { lists_children: false, ..good() }, "children", HealthState::Doubtful),
        ];
        for (system, name, state) in cases {
            assert_eq!(states(&system), [(name.to_owned(), state)]);
        }
    }
}
