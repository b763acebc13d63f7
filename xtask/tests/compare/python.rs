//! `--python` starts the module of the package with the whole comparison, and states what is missing.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::process::Output;

use serde_json::{Value, json};

use crate::bench::{Bench, stderr, stdout};

/// Runs with a `python3` that is this script, or without one.
fn run(bench: &Bench, script: Option<&str>, options: &str) -> Output {
    let programs = bench.path("programs");
    fs::create_dir_all(&programs).unwrap();
    if let Some(script) = script {
        let path = programs.join("python3");
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let file = bench.input("peers.py", "learners = {}\n");
    let mut command = bench.command(options);
    command.args(["--python", &file]).env("PATH", programs);
    command.output().unwrap()
}

/// Prints the last argument of `-m`, and fails with a code of its own.
const PRINTS: &str = r#"if [ "$1" = -m ]; then echo "$2"; echo "$3"; exit 7; fi"#;

#[test]
fn python_gets_the_whole_comparison_and_its_exit_code_is_returned() {
    let bench = Bench::new();
    let options = "--data sea:n=100 --data friedman:n=90 --algorithm amf --algorithm mean --protocol kfold --folds 3 --seeds 2 \
                   --trees 4 --metric kappa --scale none --time-limit 2m --json";
    let output = run(&bench, Some(PRINTS), options);
    assert_eq!(output.status.code(), Some(7), "{}", stderr(&output));
    let (module, described) = stdout(&output).split_once('\n').unwrap();
    let described: Value = serde_json::from_str(described).unwrap();
    assert_eq!(module, "online_forests.compare");
    let command = described["command"].as_str().unwrap();
    assert!(command.starts_with("cargo xtask compare --threads 1"));
    let expected = json!({
        "protocol": "kfold", "seeds": 2, "trees": 4, "metrics": ["kappa"], "out": bench.out(), "resume": false,
        "order": null, "train": null, "split": null, "folds": 3, "validation": null, "delay": null, "scale": "none", "weights": "equal",
        "components": null, "n_jobs": 1, "max_memory": null, "time_limit": 120.0, "data_dir": "data",
    });
    assert_eq!(described["options"], expected);
    assert_eq!(described["algorithms"], json!(["amf", "mean"]));
    assert_eq!(described["data"], json!(["sea:n=100", "friedman:n=90"]));
    assert_eq!(described["json"], json!(true));
}

#[test]
fn algorithms_are_by_default_those_of_the_tasks() {
    let of = |data: &str| {
        let output = run(&Bench::new(), Some(PRINTS), data);
        let described = stdout(&output).split_once('\n').unwrap().1;
        let described: Value = serde_json::from_str(described).unwrap();
        described["algorithms"].clone()
    };
    let names = |value: Value| value.as_array().unwrap().clone();
    let (classes, numbers) = (
        names(of("--data sea:n=100")),
        names(of("--data friedman:n=90")),
    );
    let both = names(of("--data sea:n=100 --data friedman:n=90"));
    let majority = json!("majority");
    assert!(
        classes.contains(&majority) && !numbers.contains(&majority) && both.contains(&majority)
    );
    assert!(both.len() > classes.len());
}

#[test]
fn what_is_missing_is_reported_with_what_to_do() {
    let bench = Bench::new();
    let broken = "echo \"ModuleNotFoundError: No module named 'online_forests'\" >&2; exit 1";
    let without = run(&bench, Some(broken), "");
    assert_eq!(without.status.code(), Some(1));
    for words in ["No module named 'online_forests'", "pip install ./python"] {
        assert!(stderr(&without).contains(words), "{}", stderr(&without));
    }
    let bench = Bench::new();
    let nothing = run(&bench, None, "");
    assert!(
        stderr(&nothing).contains("cannot run python3; install Python"),
        "{}",
        stderr(&nothing)
    );
    let no_file = bench.compare("--python nowhere.py");
    assert!(stderr(&no_file).contains("--python: nowhere.py is not a file"));
    let table = bench.compare("--python peers.py --target first");
    assert!(
        stderr(&table).contains("cannot be used with"),
        "{}",
        stderr(&table)
    );
    let table = bench.compare("--python peers.py --header no");
    assert!(
        stderr(&table).contains("cannot be used with"),
        "{}",
        stderr(&table)
    );
    assert!(!bench.out().exists());
}
