//! A file that grows, and Ctrl-C.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use crate::bench::{Bench, stderr};
use crate::data::{first, sums};
use crate::interrupted::{model_of, signal};

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
    // A row that is not finished is not learned, and not told as a bad one.
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
fn a_file_that_becomes_shorter_ends_the_following() {
    let bench = Bench::new();
    bench.write("log.csv", &sums(200));
    let follow =
        "train --data log.csv --target value --fit-rows 100 --model m --follow --checkpoint 10";
    let child = bench
        .command(follow)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    model_of(&bench, 200);
    bench.write("log.csv", &sums(10));
    let output = child.wait_with_output().unwrap();
    let said = stderr(&output);
    assert!(
        !output.status.success() && said.contains("became shorter"),
        "{said}"
    );
}
