//! `cargo xtask train`, `predict` and `inspect` are the commands of `online-forests`.
#![allow(clippy::unwrap_used, reason = "helpers of tests may panic, too")]

use std::fs;
use std::path::Path;
use std::process::Command;

fn xtask(folder: &Path, line: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.args(line.split_whitespace()).current_dir(folder);
    let output = command.output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{line} said\n{said}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_table_is_learned_predicted_and_inspected() {
    let folder = tempfile::tempdir().unwrap();
    let table: String = (0..200)
        .map(|i| format!("{i},{}\n", if i < 100 { "low" } else { "high" }))
        .collect();
    fs::write(
        folder.path().join("levels.csv"),
        format!("x,level\n{table}"),
    )
    .unwrap();
    let folder = folder.path();
    xtask(folder, "train --data levels.csv --target level --model m");
    let predictions = xtask(folder, "predict --data levels.csv --model m");
    let truth = table.lines().map(|line| line.split(',').nth(1).unwrap());
    let right = predictions
        .lines()
        .skip(1)
        .zip(truth)
        .filter(|(a, b)| a == b);
    assert_eq!(right.count(), 200);
    assert!(xtask(folder, "inspect --model m").contains("classification of `level`"));
}
