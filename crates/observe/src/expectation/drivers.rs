//! Whether what drove a run took it for right.

use crate::log::Started;
use crate::observation::{Observation, ObservedRun};

/// Programs that start tests and say of each how it ended by themselves: their own end says nothing of a single run.
const RUNNERS: &[&str] = &["make", "gmake", "ninja", "ctest", "meson", "prove", "parallel", "xargs"];
/// Automake's, which is a script.
const TEST_DRIVER: &[u8] = b"test-driver";
const TAP_DRIVER: &[u8] = b"tap-driver";
const SHELLS: &[&str] = &["sh", "bash", "dash", "ksh", "zsh"];

impl Observation {
    /// Whether what drove a run took it for right: yes, no (it was to end with 0, and did not), or not said.
    pub(super) fn accepted(&self, run: &ObservedRun) -> Option<bool> {
        let drivers = self.drivers(run);
        let is_make = |index: usize| drivers.get(index).is_some_and(|(_, started)| is_runner(started));
        // The shell of a recipe that starts a script of its own only passes on how that one ended.
        let passes_on = |index: usize| index > 0 && is_shell_command(drivers[index].1) && is_make(index + 1);
        let scripts = (0..drivers.len()).find(|index| is_make(*index) || passes_on(*index)).unwrap_or(drivers.len());
        // The command is the run itself.
        let Some((top, _)) = drivers.last() else { return (run.status == Some(0)).then_some(true) };
        let all_well = self.log.status(*top, run.start) == Some(0);
        // Scripts that speak the Test Anything Protocol end with 0 whatever they say: who reads it knows.
        if drivers.get(scripts).is_some_and(|(_, started)| reads_tap(started)) {
            return all_well.then_some(true);
        }
        if scripts > 0 {
            // A recipe that goes wrong although all that it started ended well has seen something else.
            if let Some((pid, started)) = drivers.get(scripts)
                && is_shell_command(started)
                && !self.is_explained(*pid, run.start)
            {
                return None;
            }
            let ended_well = |(pid, _): &(u32, &Started)| self.log.status(*pid, run.start) == Some(0);
            return drivers[..scripts].iter().all(ended_well).then_some(true);
        }
        // A runner started it itself.
        if all_well {
            return Some(true);
        }
        let recipe = ["make", "gmake"].contains(&drivers[0].1.name().as_str());
        recipe.then_some(run.status == Some(0))
    }

    /// Whether a process ended well, or one that it started did not.
    fn is_explained(&self, pid: u32, at: u64) -> bool {
        let mut children =
            self.log.started.iter().flat_map(|(child, started)| started.iter().map(move |it| (*child, it)));
        let went_wrong = |(child, started): (u32, &Started)| {
            started.parent == pid && self.log.status(child, started.at).is_none_or(|status| status != 0)
        };
        self.log.status(pid, at) == Some(0) || children.any(went_wrong)
    }
}

fn is_runner(started: &Started) -> bool {
    RUNNERS.contains(&started.name().as_str())
        || reads_tap(started)
        || started.args.iter().any(|arg| arg.rsplit(|byte| *byte == b'/').next() == Some(TEST_DRIVER))
}

fn reads_tap(started: &Started) -> bool {
    started.name() == "prove"
        || started.args.iter().any(|arg| arg.windows(TAP_DRIVER.len()).any(|part| part == TAP_DRIVER))
}

fn is_shell_command(started: &Started) -> bool {
    SHELLS.contains(&started.name().as_str())
        && started.args.iter().any(|arg| arg.starts_with(b"-") && arg.ends_with(b"c"))
}
