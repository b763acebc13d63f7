//! What a path is decides how it is written: a file is replaced, behind all links; anything else is written to.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;

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

fn make_pipe(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status().unwrap();
    assert!(made.success());
}

#[test]
fn predictions_go_through_a_named_pipe() {
    let bench = learned();
    let predictions = bench.ok("predict --data sums.csv --model m");
    make_pipe(&bench.path("pipe"));
    let pipe = bench.path("pipe");
    let reader = thread::spawn(move || fs::read_to_string(pipe).unwrap());
    bench.ok("predict --data sums.csv --model m --out pipe");
    assert_eq!(reader.join().unwrap(), predictions);
    assert_eq!(bench.files(), ["m", "pipe", "sums.csv"]);
}

#[test]
fn a_model_goes_through_a_named_pipe_once_and_comes_back_through_one() {
    let bench = learned();
    make_pipe(&bench.path("pipe"));
    let pipe = bench.path("pipe");
    let reader = thread::spawn(move || fs::read(pipe).unwrap());
    bench.ok("train --data sums.csv --target value --model pipe --checkpoint 50");
    let model = reader.join().unwrap();
    assert_eq!(model, bench.bytes("m"));
    let pipe = bench.path("pipe");
    let writer = thread::spawn(move || fs::write(pipe, model).unwrap());
    let predictions = bench.ok("predict --data sums.csv --model pipe");
    writer.join().unwrap();
    assert_eq!(predictions, bench.ok("predict --data sums.csv --model m"));
    let update = "train --data sums.csv --model pipe --update";
    bench.refused(update, &["pipe", "is not a regular file"]);
}

/// Also when a shell has opened a file for it: what the file had before stays.
#[test]
fn standard_output_can_be_named() {
    let bench = learned();
    let predictions = bench.ok("predict --data sums.csv --model m");
    let line = "predict --data sums.csv --model m --out";
    for name in ["/dev/stdout", "/dev/fd/1"] {
        assert_eq!(bench.ok(&format!("{line} {name}")), predictions, "{name}");
        bench.write("log", "before\n");
        let log = File::options().append(true).open(bench.path("log"));
        let mut command = bench.command(&format!("{line} {name}"));
        let status = command.stdout(log.unwrap()).status().unwrap();
        assert!(status.success(), "{name}");
        assert_eq!(
            bench.read("log"),
            format!("before\n{predictions}"),
            "{name}"
        );
    }
    assert_eq!(bench.files(), ["log", "m", "sums.csv"]);
}

#[test]
fn bad_rows_can_go_to_a_stream() {
    let bench = learned();
    bench.write("bad.csv", &(sums(20) + "1,2\n"));
    let line = "predict --data bad.csv --model m --out predictions --bad-rows /dev/stdout";
    assert_eq!(bench.ok(line), "line,reason\n22,2 cells instead of 3\n");
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

/// A list of bad rows is written in place: it must not be the table under another name.
#[test]
fn a_second_name_of_the_table_is_not_written_over() {
    let bench = learned();
    fs::hard_link(bench.path("sums.csv"), bench.path("again")).unwrap();
    let line = "train --data sums.csv --target value --model new --bad-rows again";
    bench.refused(line, &["--bad-rows", "--data"]);
    assert_eq!(bench.read("sums.csv"), sums(300));
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

/// What has gone through a pipe cannot be taken back, so the end of its reader is the end of the command.
#[test]
fn a_closed_reader_ends_the_predictions() {
    let bench = learned();
    make_pipe(&bench.path("pipe"));
    let line = "predict --data - --model m --out pipe";
    let mut command = bench.command(line);
    let pipes = command.stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(first(&sums(300), 10).as_bytes()).unwrap();
    drop(File::open(bench.path("pipe")).unwrap());
    // The program may have ended before all is written.
    let _ = stdin.write_all(from(&sums(300), 10).as_bytes());
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
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
