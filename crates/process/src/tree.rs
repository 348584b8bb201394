//! The processes below a keeper, as /proc shows them.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

/// The processes below `keeper`, itself left out, but not many more than `most`: among processes that fork, counting all
/// would take as long as it takes them to become twice as many. Processes that end meanwhile may be missing, and so may
/// one that starts meanwhile.
pub(crate) fn below(keeper: i32, most: usize) -> Vec<i32> {
    let mut tree = Tree::new();
    let mut seen = HashSet::from([keeper]);
    let mut found = tree.children(keeper);
    let mut next = 0;
    found.retain(|pid| seen.insert(*pid));
    while let Some(&pid) = found.get(next)
        && found.len() <= most
    {
        next += 1;
        found.extend(tree.children(pid).into_iter().filter(|child| seen.insert(*child)));
    }
    found
}

/// Sends `signal` to everything below `keeper`.
pub(crate) fn signal(keeper: i32, signal: Signal) {
    for pid in below(keeper, usize::MAX) {
        // It may be gone: that is what is wanted.
        let _ = kill(Pid::from_raw(pid), signal);
    }
}

/// Kills everything below `keeper`; `root` is the program. The caller repeats this until the keeper has ended.
pub(crate) fn kill_all(keeper: i32, root: Option<i32>) {
    // A signal to a group is one step for the kernel: no member can fork away from it. That is most bombs' end.
    let kill_with_group = |pid: i32| {
        // Each process found may lead a group. Groups here have no members from outside: the program started a session.
        let _ = kill(Pid::from_raw(-pid), Signal::SIGKILL);
        let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
    };
    if let Some(root) = root {
        let _ = kill(Pid::from_raw(-root), Signal::SIGKILL);
    }
    // For the others: kill first and look for children then. What a process makes just before it takes notice is its
    // child until it dies, and the keeper's then: the next round finds it.
    let mut killed = HashSet::new();
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(1) {
        let mut tree = Tree::new();
        let mut seen = HashSet::new();
        let mut next = tree.children(keeper);
        let mut new = false;
        while let Some(pid) = next.pop() {
            if !seen.insert(pid) {
                continue;
            }
            if killed.insert(pid) {
                new = true;
                kill_with_group(pid);
            }
            next.extend(tree.children(pid));
        }
        if !new {
            return;
        }
    }
}

/// Puts the calling thread before all ordinary work, where that is permitted: among a thousand processes that fork,
/// whoever counts and kills them must not wait for its turn. Undone when dropped.
pub(crate) struct Urgent(Option<(i32, libc::sched_param)>);

impl Urgent {
    pub(crate) fn new() -> Self {
        // SAFETY: passes structures of our own, of plain numbers; a refusal changes nothing.
        unsafe {
            let mut before: libc::sched_param = std::mem::zeroed();
            let policy = libc::sched_getscheduler(0);
            if policy < 0 || libc::sched_getparam(0, &mut before) < 0 || !make_urgent(0) {
                return Self(None);
            }
            Self(Some((policy, before)))
        }
    }

    /// The same for `keeper`, which has the dead to bury.
    pub(crate) fn keeper(&self, keeper: i32) {
        if self.0.is_some() {
            make_urgent(keeper);
        }
    }
}

fn make_urgent(task: i32) -> bool {
    let urgent = libc::sched_param { sched_priority: 1 };
    // SAFETY: passes a structure of our own. What the task forks is ordinary again.
    unsafe { libc::sched_setscheduler(task, libc::SCHED_RR | libc::SCHED_RESET_ON_FORK, &urgent) == 0 }
}

impl Drop for Urgent {
    fn drop(&mut self) {
        if let Some((policy, before)) = &self.0 {
            // SAFETY: passes a structure of our own.
            unsafe {
                libc::sched_setscheduler(0, *policy, before);
            }
        }
    }
}

/// How many tasks this user may have at most while a program with the process limit `limit` runs: a backstop behind the
/// counting, with much room, as the system counts all of the user's tasks. None for root, whom it does not bind.
pub(crate) fn task_limit(limit: usize) -> Option<u64> {
    static COUNTED: Mutex<Option<(Instant, u64)>> = Mutex::new(None);
    let user = nix::unistd::geteuid();
    if user.is_root() {
        return None;
    }
    let mut counted = COUNTED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let now = match *counted {
        Some((at, count)) if at.elapsed() < Duration::from_secs(5) => count,
        _ => {
            let tasks = fs::read_dir("/proc").into_iter().flatten().flatten();
            let tasks = tasks.filter_map(|entry| fs::metadata(entry.path().join("task")).ok());
            let count = tasks.filter(|meta| meta.uid() == user.as_raw()).map(|meta| meta.nlink() - 2).sum();
            *counted = Some((Instant::now(), count));
            count
        }
    };
    Some(now + 64 * (limit as u64).max(64))
}

/// Memory of these processes in bytes: what each has for itself, and the largest shared part once.
pub(crate) fn memory(pids: &[i32]) -> u64 {
    let mut own = 0u64;
    let mut most_shared = 0u64;
    for pid in pids {
        let Ok(text) = fs::read_to_string(format!("/proc/{pid}/statm")) else { continue };
        let mut words = text.split_ascii_whitespace().skip(1).map(|word| word.parse::<u64>().unwrap_or(0));
        let (resident, shared) = (words.next().unwrap_or(0), words.next().unwrap_or(0));
        own += resident.saturating_sub(shared);
        most_shared = most_shared.max(shared);
    }
    (own + most_shared) * page_bytes()
}

/// Processor time that these processes have used, and those of their children that are gone.
pub(crate) fn work(pids: &[i32]) -> Duration {
    let ticks = pids.iter().filter_map(|pid| {
        let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name, in brackets, may have blanks.
        let fields = text.rsplit_once(')')?.1.split_ascii_whitespace();
        Some(fields.skip(11).take(4).filter_map(|field| field.parse::<u64>().ok()).sum::<u64>())
    });
    // SAFETY: asks for a number.
    let second = u64::try_from(unsafe { libc::sysconf(libc::_SC_CLK_TCK) }).unwrap_or(100).max(1);
    Duration::from_millis(ticks.sum::<u64>() * 1000 / second)
}

fn page_bytes() -> u64 {
    static PAGE: OnceLock<u64> = OnceLock::new();
    // SAFETY: asks for a number.
    *PAGE.get_or_init(|| u64::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096))
}

/// Finds children, by the kernel's lists or, where it has none, by the parents of all processes.
struct Tree {
    parents: Option<HashMap<i32, Vec<i32>>>,
}

impl Tree {
    fn new() -> Self {
        static LISTED: OnceLock<bool> = OnceLock::new();
        let listed = *LISTED.get_or_init(|| fs::exists("/proc/thread-self/children").unwrap_or(false));
        Self { parents: (!listed).then(parents) }
    }

    fn children(&mut self, pid: i32) -> Vec<i32> {
        if let Some(parents) = &mut self.parents {
            return parents.remove(&pid).unwrap_or_default();
        }
        let list = |thread: &str, into: &mut Vec<i32>| {
            if let Ok(text) = fs::read_to_string(format!("/proc/{pid}/task/{thread}/children")) {
                into.extend(text.split_ascii_whitespace().filter_map(|pid| pid.parse::<i32>().ok()));
            }
        };
        let mut found = Vec::new();
        list(&pid.to_string(), &mut found);
        // Links of the folder: two, and one for each thread.
        if fs::metadata(format!("/proc/{pid}/task")).is_ok_and(|meta| meta.nlink() > 3) {
            for thread in fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten() {
                if let Some(thread) = thread.file_name().to_str()
                    && thread != pid.to_string()
                {
                    list(thread, &mut found);
                }
            }
        }
        found
    }
}

/// Children by parent, of the whole system.
fn parents() -> HashMap<i32, Vec<i32>> {
    let mut map: HashMap<i32, Vec<i32>> = HashMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else { continue };
        let Ok(stat) = fs::read(entry.path().join("stat")) else { continue };
        // The name in parentheses may hold anything: the parent is the second word after the last one.
        let Some(end) = stat.iter().rposition(|byte| *byte == b')') else { continue };
        let rest = String::from_utf8_lossy(&stat[end + 1..]);
        if let Some(parent) = rest.split_ascii_whitespace().nth(1).and_then(|word| word.parse().ok()) {
            map.entry(parent).or_default().push(pid);
        }
    }
    map
}
