//! What a child may touch, and its start.
//!
//! Landlock restricts a *thread* and what it starts, so the child is started by a thread
//! of its own that is restricted first; the rest of foretrace stays free and no `unsafe`
//! is needed. Must not know: Python, programs, protocols.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::{Child, Command};

/// What a child may read and write.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Policy {
    /// Files and folders it may read (and execute), beside the system's.
    pub read: Vec<PathBuf>,
    /// Folders it may write.
    pub write: Vec<PathBuf>,
    /// Nothing is restricted.
    pub trust: bool,
}

/// What is really in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protection {
    /// Files by Landlock, and all network (TCP by Landlock, the rest by the tracer's filter).
    Full,
    /// Files and TCP by Landlock.
    NoTcp,
    /// Files by Landlock; the kernel is too old for more.
    Files,
    /// Nothing: the system has no such means, or the kernel has them turned off.
    None,
    /// Nothing: the user lifted it.
    Trusted,
}

impl Protection {
    /// Whether less is in force than there should be.
    pub fn is_weak(self) -> bool {
        !matches!(self, Protection::Full | Protection::Trusted)
    }
}

impl fmt::Display for Protection {
    /// For the header and the confirmation.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const FILES: &str =
            "no writes outside a temporary folder, home unreadable but for the program's folder";
        match self {
            Protection::Full => {
                write!(f, "sandboxed: {FILES}, no modes or times of files changed, no network")
            }
            Protection::NoTcp => {
                write!(f, "partly sandboxed: {FILES}, no TCP (other network is open)")
            }
            Protection::Files => write!(f, "partly sandboxed: {FILES}; the network is open"),
            Protection::None => f.write_str("not sandboxed: this system offers no Landlock"),
            Protection::Trusted => f.write_str("not sandboxed: --trust"),
        }
    }
}

/// Starts a command under a policy and says what is in force.
///
/// # Errors
/// When the command cannot be started.
pub fn spawn(mut command: Command, policy: &Policy) -> io::Result<(Child, Protection)> {
    if policy.trust {
        return Ok((command.spawn()?, Protection::Trusted));
    }
    let policy = policy.clone();
    let starter = std::thread::Builder::new().name("sandbox".into()).spawn(move || {
        let protection = restrict(&policy);
        Ok((command.spawn()?, protection))
    })?;
    starter.join().unwrap_or_else(|_| Err(io::Error::other("the sandbox thread failed")))
}

/// What [`spawn`] would give here.
pub fn available(trust: bool) -> Protection {
    if trust {
        return Protection::Trusted;
    }
    let probe = std::thread::Builder::new().spawn(|| restrict(&Policy::default()));
    probe.ok().and_then(|thread| thread.join().ok()).unwrap_or(Protection::None)
}

/// Folders of the system that programs and interpreters read.
#[cfg(target_os = "linux")]
const SYSTEM: [&str; 40] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    // Of /etc what libraries read: to root all of it is open, passwords too.
    // Debian keeps an interpreter's `sitecustomize` there.
    "/etc/python3",
    "/etc/python3.8",
    "/etc/python3.9",
    "/etc/python3.10",
    "/etc/python3.11",
    "/etc/python3.12",
    "/etc/python3.13",
    "/etc/python3.14",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/os-release",
    "/etc/debian_version",
    "/etc/passwd",
    "/etc/group",
    "/etc/nsswitch.conf",
    "/etc/hosts",
    "/etc/host.conf",
    "/etc/resolv.conf",
    "/etc/services",
    "/etc/protocols",
    "/etc/mime.types",
    "/etc/ssl/certs",
    "/etc/ssl/openssl.cnf",
    "/opt",
    "/nix/store",
    // Of /proc what tells of the machine; the rest tells of other processes.
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/version",
    "/sys/devices/system/cpu",
    "/dev/urandom",
];

/// How many processes there may be while a child makes more: those that there are and some;
/// 0 where that is not known.
pub fn processes() -> u64 {
    const MORE: u64 = 64;
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let tasks =
        load.split_whitespace().nth(3).and_then(|tasks| tasks.split_once('/')?.1.parse().ok());
    tasks.map_or(0, |tasks: u64| tasks.saturating_add(MORE))
}

/// Whether a seccomp filter can refuse sockets here; the tracer knows two architectures.
#[cfg(target_os = "linux")]
pub fn filters() -> bool {
    cfg!(any(target_arch = "x86_64", target_arch = "aarch64"))
        && std::fs::read_to_string("/proc/self/status")
            .is_ok_and(|text| text.contains("\nSeccomp:"))
}

/// Other systems have no such means.
#[cfg(not(target_os = "linux"))]
pub fn filters() -> bool {
    false
}

/// Restricts the present thread.
#[cfg(target_os = "linux")]
fn restrict(policy: &Policy) -> Protection {
    use landlock::{
        ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr,
        RulesetCreatedAttr, RulesetStatus, Scope, path_beneath_rules,
    };
    const WANTED: ABI = ABI::V6;
    let filters = filters(); // asked before this thread is cut off from where that is written
    let restricted = || -> Result<_, landlock::RulesetError> {
        Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(WANTED))?
            .handle_access(AccessNet::from_all(WANTED))?
            .scope(Scope::from_all(WANTED))?
            .create()?
            .add_rules(path_beneath_rules(SYSTEM, AccessFs::from_read(WANTED)))?
            .add_rules(path_beneath_rules(&policy.read, AccessFs::from_read(WANTED)))?
            .add_rules(path_beneath_rules(["/dev/null"], AccessFs::from_all(WANTED)))?
            .add_rules(path_beneath_rules(&policy.write, AccessFs::from_all(WANTED)))?
            .restrict_self()
    };
    match restricted().map(|status| status.ruleset) {
        Ok(RulesetStatus::FullyEnforced) if filters => Protection::Full,
        Ok(RulesetStatus::FullyEnforced) => Protection::NoTcp,
        Ok(RulesetStatus::PartiallyEnforced) => Protection::Files,
        Ok(RulesetStatus::NotEnforced) | Err(_) => Protection::None,
    }
}

/// Other systems have no such means yet.
#[cfg(not(target_os = "linux"))]
fn restrict(_: &Policy) -> Protection {
    Protection::None
}
