//! A file that grows, and Ctrl-C.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use online_forests::Regression;
use online_forests_cli::{AnyModel, Model};

use crate::bench::{Bench, stderr};
use crate::data::{first, sums};

fn interrupt(child: Child) -> Output {
    let process = child.id().to_string();
    let asked = Command::new("kill")
        .args(["-INT", &process])
        .status()
        .unwrap();
    assert!(asked.success());
    child.wait_with_output().unwrap()
}

/// The model, once it has learned so many rows.
fn model_of(bench: &Bench, rows: u64) -> Model<Regression> {
    let start = Instant::now();
    loop {
        if let Ok(AnyModel::Regression(model)) = AnyModel::load(bench.path("m"))
            && model.position().learned >= rows
        {
            return model;
        }
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "no model of {rows} rows"
        );
        thread::sleep(Duration::from_millis(20));
    }
}

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
    let output = interrupt(child);
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
fn ctrl_c_before_the_columns_are_known_makes_no_model() {
    let bench = Bench::new();
    bench.write("log.csv", &sums(50));
    let follow = "train --data log.csv --target value --model m --follow";
    let child = bench
        .command(follow)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    thread::sleep(Duration::from_millis(500));
    let output = interrupt(child);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("there is no model yet"), "{said}");
    assert_eq!(bench.files(), ["log.csv"]);
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

#[test]
fn ctrl_c_while_answering_leaves_no_output() {
    let (bench, text) = (Bench::new(), sums(200));
    bench.write("sums.csv", &text);
    bench.ok("train --data sums.csv --target value --model m");
    let mut command = bench.command("predict --data - --model m --out answers");
    let mut child = command
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut asking = child.stdin.take().unwrap();
    asking.write_all(text.as_bytes()).unwrap();
    thread::sleep(Duration::from_millis(500));
    let output = interrupt(child);
    assert_eq!(output.status.code(), Some(130));
    assert_eq!(bench.files(), ["m", "sums.csv"]);
}
