//! `cargo xtask plot` draws what it is asked, and says what it cannot.

use std::path::Path;
use std::process::{Command, Output};

/// `cargo xtask plot` with these words, and one more option.
fn plot(line: &str, option: [&str; 2]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    let words = line.split_whitespace().chain(option);
    command.arg("plot").args(words).output().unwrap()
}

fn drawn(folder: &Path, stem: &str) -> String {
    std::fs::read_to_string(folder.join(format!("{stem}.svg"))).unwrap()
}

#[test]
fn a_partition_has_a_panel_for_every_algorithm_and_step() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let algorithms = "--algorithm mondrian:budget=5 --algorithm obsp:budget=5";
    let line = format!("partition --data friedman:n=60,test=0 --steps 2 {algorithms}");
    let output = plot(&line, ["--out", out]);
    assert!(output.status.success(), "{output:?}");
    let svg = drawn(folder.path(), "partition");
    for title in ["mondrian · 30 points", "obsp · 60 points", "budget=5"] {
        assert!(svg.contains(title), "{title}");
    }
}

#[test]
fn an_algorithm_without_cuts_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let line = "partition --algorithm boundary-forest";
    let output = plot(line, ["--out", out.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("`boundary-forest` does not divide the plane"),
        "{said}"
    );
    assert!(!out.exists(), "nothing is written");
}
