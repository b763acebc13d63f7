//! `--python` starts the module of the package with the whole comparison, and states what is missing.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use serde_json::{Value, json};

use crate::bench::{Bench, Ended, end, has};

/// Runs with a `python3` that is this script, or without one.
fn run(bench: &Bench, script: Option<&str>, options: &str) -> Ended {
    let programs = bench.path("programs");
    fs::create_dir_all(&programs).unwrap();
    if let Some(script) = script {
        let path = bench.input("programs/python3", &format!("#!/bin/sh\n{script}\n"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let file = bench.input("peers.py", "learners = {}\n");
    end(bench
        .command(options)
        .args(["--python", &file])
        .env("PATH", programs))
}

/// What Python gets. It prints the last arguments of `-m`, and fails with a code of its own.
fn described(bench: &Bench, options: &str) -> Value {
    let prints = r#"if [ "$1" = -m ]; then echo "$2"; echo "$3"; exit 7; fi"#;
    let ended = run(bench, Some(prints), options);
    assert_eq!(ended.code, Some(7), "{}", ended.err);
    let (module, described) = ended.out.split_once('\n').unwrap();
    assert_eq!(module, "online_forests.compare");
    serde_json::from_str(described).unwrap()
}

#[test]
fn python_gets_the_whole_comparison_and_its_exit_code_is_returned() {
    let bench = Bench::new();
    let options = "--data sea:n=100 --data friedman:n=90 --algorithm amf --algorithm mean --protocol kfold --folds 3 \
                   --seeds 2 --trees 4 --metric kappa --scale none --time-limit 2m --json";
    let described = described(&bench, options);
    has(
        described["command"].as_str().unwrap(),
        "cargo xtask compare --threads 1",
    );
    let expected = json!({
        "protocol": "kfold", "seeds": 2, "trees": 4, "metrics": ["kappa"], "out": bench.out(), "resume": false,
        "order": null, "train": null, "split": null, "folds": 3, "validation": null, "delay": null,
        "scaling": "none", "weights": "equal", "threads": 1, "max_memory": null, "time_limit": 120.0, "data_dir": null,
    });
    assert_eq!(described["request"], expected);
    assert_eq!(described["algorithms"], json!(["amf", "mean"]));
    assert_eq!(described["data"], json!(["sea:n=100", "friedman:n=90"]));
    assert_eq!(described["json"], json!(true));
}

#[test]
fn algorithms_are_by_default_those_of_the_tasks() {
    let [classes, numbers] = ["--data sea:n=100", "--data friedman:n=90"].map(|data| {
        let described = described(&Bench::new(), data);
        described["algorithms"].as_array().unwrap().clone()
    });
    assert!(classes.contains(&json!("majority")) && !numbers.contains(&json!("majority")));
}

#[test]
fn what_is_missing_is_reported_with_what_to_do() {
    let broken = "echo \"ModuleNotFoundError: No module named 'online_forests'\" >&2; exit 1";
    for (script, words) in [
        (
            Some(broken),
            "No module named 'online_forests'|pip install ./python",
        ),
        (None, "cannot run python3; install Python"),
    ] {
        let bench = Bench::new();
        let ended = run(&bench, script, "");
        assert_eq!(ended.code, Some(1));
        has(&ended.err, words);
        assert!(!bench.out().exists());
    }
}
