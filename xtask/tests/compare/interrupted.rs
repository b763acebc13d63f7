//! Ctrl-C leaves what is finished, whole, on disk.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::bench::{Bench, files};

#[test]
fn finished_runs_survive_ctrl_c() {
    let bench = Bench::new();
    // Far more than can be done before the signal arrives.
    let arguments = "--data friedman:n=20000 --algorithm mean --seeds 100000 --json";
    let mut child = bench
        .command(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    let asked = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(asked.success());
    let printed: Vec<String> = std::iter::once(first)
        .chain(lines.map(Result::unwrap))
        .collect();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let run_log = fs::read_to_string(bench.out().join("runs.jsonl")).unwrap();
    assert_eq!(run_log.lines().collect::<Vec<_>>(), printed);
    let report = fs::read_to_string(bench.out().join("report.html")).unwrap();
    assert!(report.contains("Interrupted"));
    assert!(
        files(&bench.out())
            .iter()
            .all(|name| !name.contains("unfinished"))
    );
}

/// A support vector machine shows no progress while it is fitted, so the first Ctrl-C has to wait.
#[test]
fn the_second_ctrl_c_writes_the_report_without_the_run_that_continues() {
    let bench = Bench::new();
    let algorithms = "--algorithm majority --algorithm svm --protocol holdout";
    let data = "--data gaussian-mixture:n=8000 --seeds 1 --json";
    let mut child = bench
        .command(&format!("{data} {algorithms}"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let process = child.id().to_string();
    let interrupt = || {
        Command::new("kill")
            .args(["-INT", &process])
            .status()
            .unwrap()
    };
    let mut printed = BufReader::new(child.stdout.take().unwrap()).lines();
    let first = printed.next().unwrap().unwrap();
    // So that the fit has begun.
    std::thread::sleep(Duration::from_millis(500));
    assert!(interrupt().success());
    let mut said = BufReader::new(child.stderr.take().unwrap())
        .lines()
        .map(Result::unwrap);
    let waiting = said.find(|line| line.contains("interrupted")).unwrap();
    let words = ["waiting for the current batch of", "svm"];
    assert!(words.iter().all(|word| waiting.contains(word)), "{waiting}");
    assert!(interrupt().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let run_log = fs::read_to_string(bench.out().join("runs.jsonl")).unwrap();
    assert_eq!(run_log.lines().collect::<Vec<_>>(), [first]);
    let report = fs::read_to_string(bench.out().join("report.html")).unwrap();
    assert!(report.contains("Interrupted") && report.contains("majority"));
}
