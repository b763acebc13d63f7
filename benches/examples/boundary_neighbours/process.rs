//! Memory of this process, as the system reports it.

use std::io;

/// Returns the resident memory in kilobytes.
pub(crate) fn resident_kilobytes() -> io::Result<usize> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
    number.ok_or_else(|| io::Error::other("no VmRSS in /proc/self/status"))
}
