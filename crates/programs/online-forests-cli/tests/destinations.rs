//! A file is replaced, behind all links; pipes and devices stay.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::Path;
use std::process::{Command, Output};

use crate::bench::{Bench, stderr};
use crate::data::{first, from, sums};
use crate::locked::training;

/// A table and a model of it.
fn learned() -> Bench {
    let bench = Bench::new();
    bench.write("sums.csv", &sums(300));
    bench.ok("train --data sums.csv --target value --model m");
    bench
}

#[test]
fn pipes_and_devices_are_not_written() {
    let bench = learned();
    let made = Command::new("mkfifo").arg(bench.path("pipe")).status();
    assert!(made.unwrap().success());
    for path in ["pipe", "/dev/null"] {
        let train = format!("train --data sums.csv --target value --model {path}");
        bench.refused(&train, &["cannot write", path, "a pipe or a device"]);
        let predict = format!("predict --data sums.csv --model m --out {path}");
        bench.refused(&predict, &["cannot write", path, "a pipe or a device"]);
    }
    assert_eq!(bench.files(), ["m", "pipe", "sums.csv"]);
}

#[test]
fn links_stay_and_what_they_lead_to_is_replaced() {
    let bench = learned();
    let predictions = bench.ok("predict --data sums.csv --model m");
    fs::create_dir(bench.path("deep")).unwrap();
    bench.write("deep/old", "old");
    for file in ["old", "new"] {
        let link = bench.path("link");
        symlink(Path::new("deep").join(file), &link).unwrap();
        bench.ok("predict --data sums.csv --model m --out link");
        assert!(link.is_symlink(), "{file}");
        assert_eq!(bench.read(&format!("deep/{file}")), predictions, "{file}");
        fs::remove_file(link).unwrap();
    }
    assert_eq!(fs::read_dir(bench.path("deep")).unwrap().count(), 2);
}

#[test]
fn a_model_that_continues_behind_a_link_is_the_model_itself() {
    let (bench, text) = (Bench::new(), sums(400));
    bench.write("early.csv", &first(&text, 250));
    bench.write("late.csv", &from(&text, 250));
    fs::create_dir(bench.path("deep")).unwrap();
    symlink("deep/m", bench.path("link")).unwrap();
    bench.ok("train --data early.csv --target value --model link");
    bench.ok("train --data late.csv --model link --update");
    assert!(bench.path("link").is_symlink());
    bench.ok("train --data early.csv --target value --model other");
    bench.ok("train --data late.csv --model other --update");
    assert_eq!(bench.bytes("deep/m"), bench.bytes("other"));
}

#[test]
fn a_link_does_not_evade_the_lock() {
    let bench = Bench::new();
    bench.write("sums.csv", &sums(300));
    fs::create_dir(bench.path("deep")).unwrap();
    symlink("../m", bench.path("deep/link")).unwrap();
    let (mut child, pipe) = training(&bench);
    let holder = format!("process {} is training deep/link", child.id());
    let update = "train --data sums.csv --model deep/link --update";
    bench.refused(update, &[holder.as_str(), "wait until it has ended"]);
    drop(pipe);
    assert!(child.wait().unwrap().success());
    bench.ok(update);
}

#[test]
fn a_file_that_is_replaced_keeps_its_mode_and_its_owner() {
    let bench = learned();
    bench.write("predictions", "old");
    let (path, mode) = (bench.path("predictions"), 0o640);
    fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    // Only root may give a file away.
    let _ = std::os::unix::fs::chown(&path, Some(1234), Some(1234));
    let of = |path: &Path| {
        let found = fs::metadata(path).unwrap();
        (found.mode() & 0o777, found.uid(), found.gid())
    };
    let before = of(&path);
    bench.ok("predict --data sums.csv --model m --out predictions");
    assert_ne!(bench.read("predictions"), "old");
    assert_eq!(of(&path), before);
    assert_eq!(before.0, mode);
}

/// The program under a limit of the shell's `ulimit`.
fn limited(bench: &Bench, limit: &str, line: &str) -> Output {
    let program = bench.command(line);
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit {limit}; exec \"$@\""), "sh"]);
    command.arg(program.get_program()).args(program.get_args());
    command.current_dir(bench.folder()).output().unwrap()
}

/// The system would end the program by a signal, which leaves behind what is being written.
#[test]
fn a_file_that_is_larger_than_allowed_is_an_error_and_leaves_nothing() {
    let bench = learned();
    let (files, model) = (bench.files(), bench.bytes("m"));
    for line in [
        "train --data sums.csv --model m --update",
        "predict --data sums.csv --model m --out large.csv",
    ] {
        let output = limited(&bench, "-f 1", line);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(
            said.contains("error: cannot ") && said.contains("too large"),
            "{said}"
        );
        assert_eq!(bench.files(), files);
        assert_eq!(bench.bytes("m"), model);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_device_without_an_end_is_not_a_model() {
    let bench = learned();
    for line in [
        "inspect --model /dev/zero",
        "predict --data sums.csv --model /dev/urandom",
    ] {
        // Kilobytes of addresses.
        let output = limited(&bench, "-v 4000000", line);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("this is not a snapshot"), "{said}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_standard_output_is_an_error() {
    let bench = learned();
    for line in [
        "inspect --model m",
        "inspect --model m --json",
        "predict --data sums.csv --model m",
        "predict --data sums.csv --model m --format jsonl",
        "--help",
        "train --help",
        "--version",
    ] {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = bench.command(line).stdout(full).output().unwrap();
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{line}: {said}");
        assert!(said.contains("No space left"), "{line}: {said}");
    }
}
