//! Ctrl-C leaves what is finished, whole, on disk.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use crate::bench::{Bench, files};

#[test]
fn finished_runs_survive_ctrl_c() {
    let bench = Bench::new();
    // Far more than can be done before the signal arrives.
    let arguments = [
        "--data",
        "friedman:n=20000",
        "--algorithm",
        "mean",
        "--seeds",
        "100000",
        "--json",
    ];
    let mut child = bench
        .command(&arguments)
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
