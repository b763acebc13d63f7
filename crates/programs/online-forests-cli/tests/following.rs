//! A file that grows, and Ctrl-C.

use std::fs::OpenOptions;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use crate::bench::{Bench, stderr};
use crate::data::{first, sums};
use crate::interrupted::{from_row, model_of, shell, signal};

#[test]
fn a_growing_file_is_learned_as_it_grows_and_ctrl_c_saves() {
    let (bench, text) = (Bench::new(), sums(400));
    bench.write("log.csv", &first(&text, 200));
    let train = "train --data log.csv --target value --fit-rows 100 --model m";
    let follow = format!("{train} --follow --checkpoint 50");
    let child = bench
        .command(&follow)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    model_of(&bench, 200);
    let mut log = OpenOptions::new()
        .append(true)
        .open(bench.path("log.csv"))
        .unwrap();
    let rest: Vec<&str> = text.lines().skip(201).collect();
    for line in &rest[..100] {
        writeln!(log, "{line}").unwrap();
    }
    model_of(&bench, 300);
    // A row that is not finished is not learned, and not reported as a bad one.
    write!(log, "{}", &rest[100][..9]).unwrap();
    thread::sleep(Duration::from_millis(400));
    let output = signal(child, "-INT");
    assert_eq!(output.status.code(), Some(130));
    let said = stderr(&output);
    assert!(
        said.contains("learned 300 rows; interrupted; model so far in m"),
        "{said}"
    );
    assert_eq!(model_of(&bench, 300).position().rows(), 300);
    writeln!(log, "{}", &rest[100][9..]).unwrap();
    for line in &rest[101..] {
        writeln!(log, "{line}").unwrap();
    }
    bench.ok(&format!("{train} --resume"));
    bench.write("whole.csv", &text);
    bench.ok("train --data whole.csv --target value --fit-rows 100 --model whole");
    assert_eq!(bench.bytes("m"), bench.bytes("whole"));
}

#[test]
fn a_file_that_is_cut_off_ends_the_training_with_what_was_learned() {
    let bench = Bench::new();
    bench.write("log.csv", &sums(200));
    let follow =
        "train --data log.csv --target value --fit-rows 100 --model m --follow --checkpoint 1s";
    let mut command = bench.command(follow);
    let child = command.stderr(Stdio::piped()).spawn().unwrap();
    model_of(&bench, 200);
    bench.write("log.csv", "");
    let output = child.wait_with_output().unwrap();
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains("cut off") && said.contains("tail -F"),
        "{said}"
    );
    model_of(&bench, 200);
}

/// Programs before this one in a pipe end by the same Ctrl-C: the last line may be half written.
#[test]
fn the_end_of_a_pipe_after_a_signal_makes_no_row() {
    let bench = Bench::new();
    // What is said of the bad row is the sign that all rows before it have arrived.
    let text = format!("{}1,2\n{}", first(&sums(400), 250), from_row(250));
    bench.write("sums.csv", &text);
    bench.ok("train --data sums.csv --target value --fit-rows 100 --model whole");
    let train = "train --data - --target value --fit-rows 100 --model m";
    let mut command = bench.command(train);
    let pipes = command.stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let cut = first(&text, 251).len() + 5;
    pipe.write_all(&text.as_bytes()[..cut]).unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut said = String::new();
    stderr.read_line(&mut said).unwrap();
    assert!(said.starts_with("line 252: "), "{said}");
    shell(&format!("kill -INT {}", child.id()));
    drop(pipe);
    stderr.read_to_string(&mut said).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{said}");
    assert_eq!(model_of(&bench, 250).position().rows(), 251);
    bench.ok("train --data sums.csv --target value --fit-rows 100 --model m --resume");
    assert_eq!(bench.bytes("m"), bench.bytes("whole"));
}

#[test]
fn a_file_that_cannot_grow_is_not_followed() {
    let bench = Bench::new();
    for (name, magic) in [
        ("a.parquet", &b"PAR1\x15\x04\x15\x80"[..]),
        ("a.arrow", b"ARROW1\0\0"),
        ("a.csv.gz", b"\x1f\x8b\x08....."),
        ("a.csv.bz2", b"BZh91AY&"),
    ] {
        std::fs::write(bench.path(name), magic).unwrap();
        let line = format!("train --data {name} --target value --model m --follow");
        bench.refused(&line, &[name, "cannot grow", "--follow"]);
    }
}
