//! Where a comparison runs: revision, processor, threads, and the command that started it.

use std::fs;
use std::num::NonZeroUsize;
use std::process::Command;

use super::record::Host;

const UNKNOWN: &str = "unknown";

/// Describes this machine and checkout, for a comparison that uses `threads` (one per core if unsaid).
pub fn describe(threads: Option<NonZeroUsize>) -> Host {
    let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    Host {
        threads: threads.unwrap_or_else(cores).get(),
        revision: revision().unwrap_or_else(|| UNKNOWN.to_owned()),
        cpu: cpu().unwrap_or_else(|| UNKNOWN.to_owned()),
    }
}

/// The command line, in words that a shell takes back.
pub fn command() -> String {
    let words = std::env::args_os().skip(1);
    let quoted = words.map(|word| quote(&word.to_string_lossy()));
    ["cargo".to_owned(), "xtask".to_owned()]
        .into_iter()
        .chain(quoted)
        .collect::<Vec<_>>()
        .join(" ")
}

fn quote(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

fn revision() -> Option<String> {
    let commit = git(&["rev-parse", "--short=12", "HEAD"])?;
    let changes = git(&[
        "--no-optional-locks",
        "status",
        "--porcelain",
        "--untracked-files=no",
    ])?;
    let mark = if changes.is_empty() { "" } else { "+dirty" };
    Some(format!("{commit}{mark}"))
}

/// What `git` says about the sources this program was built from.
fn git(words: &[&str]) -> Option<String> {
    let here = env!("CARGO_MANIFEST_DIR");
    let answer = Command::new("git")
        .args(["-C", here])
        .args(words)
        .output()
        .ok()?;
    let text = String::from_utf8(answer.stdout).ok()?;
    answer.status.success().then(|| text.trim().to_owned())
}

fn cpu() -> Option<String> {
    from_proc().or_else(from_sysctl)
}

fn from_proc() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

fn from_sysctl() -> Option<String> {
    let answer = Command::new("sysctl")
        .args(["-n", "machdep.cpu.brand_string"])
        .output()
        .ok()?;
    let text = String::from_utf8(answer.stdout).ok()?;
    answer.status.success().then(|| text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_with_spaces_are_quoted() {
        assert_eq!(
            quote("mondrian:budget=5,x=1e-3"),
            "mondrian:budget=5,x=1e-3"
        );
        assert_eq!(quote("my data.csv"), "'my data.csv'");
        assert_eq!(quote("it's"), r"'it'\''s'");
        assert_eq!(quote(""), "''");
    }
}
