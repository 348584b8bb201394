//! What the system allows that recorded programs need.

use std::fs;
use std::path::Path;

use nix::sys::personality::{self, Persona};
use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit};

/// What the kernel is, and what it allows this process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct System {
    /// The kernel's release, `6.1.0-13-amd64`; `None` where there is no /proc.
    pub release: Option<String>,
    /// Whether programs may set the base of a segment themselves (`fsgsbase`, since Linux 5.9).
    pub sets_segments: bool,
    /// Whether address space may be reserved that memory does not suffice for (`vm.overcommit_memory` is not 2).
    pub overcommits: bool,
    /// The limit on address space in bytes (`ulimit -v`); `None` where there is none.
    pub address_space: Option<u64>,
    /// Whether addresses of a program can be kept from being drawn anew for each run.
    pub fixes_addresses: bool,
    /// Whether the kernel lists the children of a process.
    pub lists_children: bool,
    /// Processors that this process may use.
    pub processors: usize,
    /// Bytes of memory that are free or can be freed; `None` where the kernel does not tell.
    pub memory: Option<u64>,
}

impl System {
    /// Looks at the system. Changes whether the addresses of this process's programs are drawn for a moment, so it must not be called
    /// while others are started.
    pub fn read() -> Self {
        let text = |path: &str| fs::read_to_string(path).ok().map(|text| text.trim().to_owned());
        let limit = getrlimit(Resource::RLIMIT_AS).map_or(RLIM_INFINITY, |(soft, _)| soft);
        Self {
            release: text("/proc/sys/kernel/osrelease"),
            sets_segments: sets_segments(),
            overcommits: text("/proc/sys/vm/overcommit_memory").is_none_or(|mode| mode != "2"),
            address_space: (limit != RLIM_INFINITY).then_some(limit),
            fixes_addresses: fixes_addresses(),
            lists_children: fs::exists("/proc/thread-self/children").unwrap_or(false),
            processors: std::thread::available_parallelism().map_or(1, usize::from),
            memory: text("/proc/meminfo").as_deref().and_then(available),
        }
    }
}

/// Bytes that are free for this user on the file system of a folder; `None` where it does not tell.
pub fn free_space(folder: &Path) -> Option<u64> {
    let told = nix::sys::statvfs::statvfs(folder).ok()?;
    told.blocks_available().checked_mul(told.fragment_size())
}

/// Of the kernel's own list of what the machine can do (`AT_HWCAP2`), as recorded programs ask it.
fn sets_segments() -> bool {
    const HWCAP2_FSGSBASE: libc::c_ulong = 2;
    // SAFETY: a look into memory that the kernel has filled at the start.
    let can = unsafe { libc::getauxval(libc::AT_HWCAP2) };
    can & HWCAP2_FSGSBASE != 0
}

/// Tries it, and undoes it.
fn fixes_addresses() -> bool {
    let Ok(before) = personality::get() else { return false };
    let set = personality::set(before | Persona::ADDR_NO_RANDOMIZE).is_ok();
    if set {
        personality::set(before).ok();
    }
    set
}

/// The line of /proc/meminfo, in bytes.
fn available(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_from_the_kernels_list() {
        assert_eq!(available("MemTotal: 9 kB\nMemAvailable:   23 kB\nBuffers: 1 kB\n"), Some(23 << 10));
        assert_eq!(available("MemTotal: 9 kB\n"), None);
        assert_eq!(available("MemAvailable: many kB\n"), None);
    }

    #[test]
    fn a_look_leaves_the_process_as_it_was() {
        let before = personality::get();
        let system = System::read();
        assert_eq!(personality::get(), before);
        assert!(system.processors > 0 && free_space(Path::new("/")).is_some());
    }
}
