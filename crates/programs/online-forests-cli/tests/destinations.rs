//! A file is replaced, behind all links, by one program at a time; pipes and devices stay.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::Path;
use std::process::{Command, Output};

use crate::bench::{Bench, Running, expect_words, stderr};
use crate::data::{first, from, sums};
use crate::interrupted::model_of;

/// A table and a model of it.
fn learned() -> Bench {
    let bench = Bench::with(&[("sums.csv", &sums(300))]);
    bench.ok("train --data sums.csv --target value --model m");
    bench
}

#[test]
fn pipes_and_devices_are_not_written() {
    let bench = learned();
    let made = Command::new("mkfifo").arg(bench.path("pipe")).status();
    assert!(made.unwrap().success());
    for path in ["pipe", "/dev/null"] {
        let words: &[&str] = &["cannot write", path, "a pipe or a device"];
        for line in ["train --target value --model", "predict --model m --out"] {
            bench.refuse(&format!("{line} {path}"), &[("--data sums.csv", words)]);
        }
    }
}

#[test]
fn links_stay_and_what_they_lead_to_is_replaced() {
    let bench = learned();
    let text = sums(400);
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
    // A model that continues behind a link is the model itself.
    bench.write("early.csv", first(&text, 250));
    bench.write("late.csv", from(&text, 250));
    symlink("deep/m", bench.path("link")).unwrap();
    for model in ["link", "other"] {
        bench.ok(&format!(
            "train --data early.csv --target value --model {model}"
        ));
        bench.ok(&format!("train --data late.csv --model {model} --update"));
    }
    assert!(bench.path("link").is_symlink());
    bench.same("deep/m", "other", "behind a link");
}

const OPTIONS: &str = "--target value --fit-rows 100";

/// A training that waits for rows, with a model of 200.
fn training(bench: &Bench) -> Running {
    let line = format!("train --data - {OPTIONS} --model m --checkpoint 50");
    let mut training = bench.start(&line);
    training.write(sums(200));
    model_of(bench, 200);
    training
}

#[test]
fn one_model_is_trained_by_one_program_by_whatever_path() {
    let bench = Bench::with(&[("sums.csv", &sums(300))]);
    fs::create_dir(bench.path("deep")).unwrap();
    symlink("../m", bench.path("deep/link")).unwrap();
    let mut training = training(&bench);
    for model in ["m", "deep/link"] {
        let holder = format!("process {} is training {model}", training.child.id());
        let remedies: &[&str] = &[&holder, "wait until it ends", "SIGTERM"];
        let line = format!("train --data sums.csv {OPTIONS} --model {model}");
        let cases = ["", "--resume", "--update"].map(|option| (option, remedies));
        bench.refuse(&line, &cases);
    }
    // Readers and other models are not kept waiting.
    bench.ok("predict --data sums.csv --model m");
    bench.ok("inspect --model m");
    bench.ok("train --data sums.csv --target value --model other");
    training.close();
    let (code, said) = training.end();
    assert_eq!(code, Some(0), "{said}");
    bench.ok("train --data sums.csv --model deep/link --resume");
    assert_eq!(bench.files(), ["deep", "m", "other", "sums.csv"]);
}

#[test]
fn a_killed_training_locks_nothing() {
    let bench = Bench::with(&[("sums.csv", &sums(300))]);
    let mut training = training(&bench);
    training.child.kill().unwrap();
    training.end();
    assert!(bench.files().contains(&".m.lock".to_owned()));
    bench.ok(&format!(
        "train --data sums.csv {OPTIONS} --model m --resume"
    ));
    assert_eq!(bench.files(), ["m", "sums.csv"]);
}

#[test]
fn a_file_that_is_replaced_keeps_its_mode_and_its_owner() {
    let bench = learned();
    bench.write("predictions", "old");
    let path = bench.path("predictions");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    // Only root may give a file away.
    let _ = std::os::unix::fs::chown(&path, Some(1234), Some(1234));
    let found = || {
        let found = fs::metadata(&path).unwrap();
        (found.mode() & 0o777, found.uid(), found.gid())
    };
    let before = found();
    bench.ok("predict --data sums.csv --model m --out predictions");
    assert_ne!(bench.read("predictions"), "old");
    assert_eq!((found(), before.0), (before, 0o640));
}

/// The program under a limit of the shell's `ulimit`.
fn limited(bench: &Bench, limit: &str, line: &str) -> Output {
    let script = format!("ulimit {limit}; exec \"$@\"");
    let mut command = bench.behind("sh", &["-c", &script, "sh"], line);
    command.output().unwrap()
}

/// Checks that a command has failed with these words.
#[track_caller]
fn failed(line: &str, output: &Output, words: &[&str]) {
    assert_eq!(output.status.code(), Some(1), "{line}: {}", stderr(output));
    expect_words(line, &stderr(output), words);
}

/// The system would end the program by a signal, which leaves behind what is being written.
#[test]
fn a_file_that_is_larger_than_allowed_is_an_error_and_leaves_nothing() {
    let bench = learned();
    let files = bench.files();
    let model = bench.bytes("m");
    for line in [
        "train --model m --update",
        "predict --model m --out large.csv",
    ] {
        let output = limited(&bench, "-f 1", &format!("{line} --data sums.csv"));
        failed(line, &output, &["error: cannot ", "too large"]);
        assert_eq!(
            (bench.files(), bench.bytes("m")),
            (files.clone(), model.clone())
        );
    }
}

#[test]
#[cfg(target_os = "linux")]
fn devices_without_an_end_or_that_are_full_are_errors() {
    let bench = learned();
    for line in [
        "inspect --model /dev/zero",
        "predict --data sums.csv --model /dev/urandom",
    ] {
        // Kilobytes of addresses.
        let output = limited(&bench, "-v 4000000", line);
        failed(line, &output, &["this is not a snapshot"]);
    }
    for line in [
        "inspect --model m",
        "inspect --model m --json",
        "predict --data sums.csv --model m",
        "predict --data sums.csv --model m --format jsonl",
        "train --help",
        "--version",
    ] {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = bench.command(line).stdout(full).output().unwrap();
        failed(line, &output, &["No space left"]);
    }
}
