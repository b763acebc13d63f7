//! The host of a run: revision, processor, time, the command that started it, and messages to its user.

use std::io::Write as _;
use std::num::NonZeroUsize;
use std::process::Command;
use std::{fs, thread};

use jiff::Timestamp;

use crate::record::Host;

impl Host {
    /// Describes this machine and checkout.
    pub fn current() -> Self {
        let [revision, cpu] =
            [revision(), cpu()].map(|it| it.unwrap_or_else(|| "unknown".to_owned()));
        Self { revision, cpu }
    }
}

/// Prints a line on standard error. If that is closed, the program continues.
pub fn print_line(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Returns the given number of threads, by default one per core.
pub fn threads(given: Option<NonZeroUsize>) -> usize {
    let cores = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    given.unwrap_or_else(cores).get()
}

/// Returns the time as in RFC 3339, in UTC, to the second.
pub fn now() -> String {
    format!("{:.0}", Timestamp::now())
}

/// Returns the time for the name of a folder: `2026-01-31-235959`, in UTC.
pub fn stamp() -> String {
    Timestamp::now().strftime("%Y-%m-%d-%H%M%S").to_string()
}

/// Returns the commit of the checkout. It is that of this program if Cargo started it, which builds it first. A program
/// that is started by its path may be older.
fn revision() -> Option<String> {
    let git = |arguments: &str| {
        let folder = ["-C", env!("CARGO_MANIFEST_DIR")].into_iter();
        output("git", folder.chain(arguments.split(' ')))
    };
    let commit = git("rev-parse --short=12 HEAD")?;
    let changes = git("--no-optional-locks status --porcelain --untracked-files=no")?;
    let mark = if changes.is_empty() { "" } else { "+dirty" };
    Some(format!("{commit}{mark}"))
}

fn cpu() -> Option<String> {
    let linux = fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    let mac = || output("sysctl", ["-n", "machdep.cpu.brand_string"]);
    linux.or_else(mac)
}

fn output<'a>(program: &str, arguments: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
