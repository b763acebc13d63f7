//! What `compare` leaves behind when all goes well.

use std::collections::BTreeMap;
use std::fs;
use std::process::Output;

use serde_json::Value;

use crate::bench::{Bench, files, json_lines, stderr, stdout};

pub(crate) const CLASSES: &str = "gaussian-mixture:n=300,test=100";
pub(crate) const NUMBERS: &str = "friedman:n=300,test=100";

/// The fields that every finished run has.
pub(crate) const FIELDS: [&str; 28] = [
    "date",
    "metrics",
    "standard_errors",
    "dataset",
    "task",
    "algorithm",
    "params",
    "trees",
    "seed",
    "protocol",
    "n_train",
    "n_test",
    "n_features",
    "n_classes",
    "metric",
    "value",
    "learn_seconds",
    "predict_seconds",
    "nodes",
    "stored_samples",
    "model_bytes",
    "threads",
    "revision",
    "cpu",
    "data_sha256",
    "changes",
    "around_changes",
    "best_accuracy",
];

#[test]
fn a_comparison_leaves_its_files_tables_means_and_values() {
    let (bench, output) = compare_all();
    every_file_is_there_and_can_be_read(&bench, &output);
    tables_name_algorithms_metrics_and_the_rule_for_ties(&bench, &output);
    the_summary_has_the_means_of_the_runs(&bench);
    the_same_command_gives_the_same_values(&bench);
}

fn compare_all() -> (Bench, Output) {
    let bench = Bench::new();
    let output = bench.compare(&format!(
        "--data {CLASSES} --data {NUMBERS} --seeds 2 --trees 4"
    ));
    (bench, output)
}

fn every_file_is_there_and_can_be_read(bench: &Bench, output: &Output) {
    assert!(output.status.success(), "{}", stderr(output));
    let index = fs::read_to_string(bench.out().join("index.json")).unwrap();
    let index: Value = serde_json::from_str(&index).unwrap();
    let mut listed: Vec<&str> = index["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|name| name.as_str().unwrap())
        .collect();
    listed.push("index.json");
    listed.sort();
    assert_eq!(files(&bench.out()), listed);
    assert!(
        index["command"]
            .as_str()
            .unwrap()
            .starts_with("cargo xtask compare --threads 1")
    );
    for run in bench.runs() {
        for field in FIELDS {
            assert!(run.get(field).is_some(), "{field} is missing in {run}");
        }
    }
}

fn tables_name_algorithms_metrics_and_the_rule_for_ties(bench: &Bench, output: &Output) {
    let markdown = fs::read_to_string(bench.out().join("summary.md")).unwrap();
    for text in [stdout(output), &markdown] {
        for word in [
            "majority (baseline)",
            "accuracy",
            "rmse",
            "±",
            "tie:",
            "without noise",
        ] {
            assert!(text.contains(word), "{word} is missing in\n{text}");
        }
    }
}

#[test]
fn the_report_needs_no_other_file() {
    let bench = Bench::new();
    bench.compare(&format!(
        "--data {CLASSES} --seeds 2 --protocol prequential"
    ));
    let page = fs::read_to_string(bench.out().join("report.html")).unwrap();
    assert_eq!(page.matches("<figure").count(), 6); // metric, speed, memory, time, and two curves
    for foreign in ["<link", "<img", "src=", "url("] {
        assert!(!page.contains(foreign), "{foreign}");
    }
    assert!(page.contains("cargo xtask compare"));
}

#[test]
fn json_is_all_there_is_on_standard_output() {
    let bench = Bench::new();
    let output = bench.compare(&format!("--data {CLASSES} --algorithm majority --json"));
    assert_eq!(json_lines(stdout(&output)), bench.runs());
    assert_eq!(bench.runs().len(), 2 * 5);
}

fn the_same_command_gives_the_same_values(bench: &Bench) {
    let values = |bench: &Bench| {
        let key = |run: &Value| {
            let curve = &run["curve"]["windowed"];
            [&run["label"], &run["seed"], &run["value"], curve].map(Value::clone)
        };
        bench.runs().iter().map(key).collect::<Vec<_>>()
    };
    assert_eq!(values(bench), values(&compare_all().0));
}

#[test]
fn a_holdout_learns_what_is_observed_and_is_compared_with_the_truth() {
    let bench = Bench::new();
    let arguments = "--algorithm mean --protocol holdout";
    bench.compare(&format!("--data {NUMBERS} --seeds 1 {arguments}"));
    let data = datasets::open(NUMBERS, &datasets::OpenOptions::default()).unwrap();
    let datasets::Target::Values { values, noise_free } = data.target else {
        panic!("{NUMBERS} is regression");
    };
    let (train, test) = (&values[..300], &noise_free.unwrap()[300..]);
    let mean = train.iter().sum::<f64>() / train.len() as f64;
    let squares: f64 = test.iter().map(|truth| (truth - mean).powi(2)).sum();
    let expected = (squares / test.len() as f64).sqrt();
    let value = bench.runs()[0]["value"].as_f64().unwrap();
    assert!((value - expected).abs() < 1e-9, "{value} {expected}");
}

fn the_summary_has_the_means_of_the_runs(bench: &Bench) {
    let runs = bench.runs();
    let mut rows = csv::Reader::from_path(bench.out().join("results.csv")).unwrap();
    let rows = rows
        .deserialize::<BTreeMap<String, String>>()
        .map(Result::unwrap);
    let mut count = 0;
    for row in rows {
        let same = |run: &&Value| {
            ["dataset", "protocol", "algorithm"]
                .iter()
                .all(|key| run[*key] == row[*key])
        };
        let runs: Vec<&Value> = runs.iter().filter(same).collect();
        assert_eq!(runs.len(), 2, "{row:?}");
        let mean = |key: &str| {
            let values = runs.iter().map(|run| run[key].as_f64().unwrap());
            values.sum::<f64>() / 2.0
        };
        let trees = runs[0]["trees"].as_f64().unwrap().max(1.0);
        let expected = match row["metric"].as_str() {
            "accuracy" | "rmse" => mean("value"),
            "learn_us_per_sample_and_tree" => {
                mean("learn_seconds") * 1e6 / runs[0]["n_train"].as_f64().unwrap() / trees
            }
            same @ ("nodes" | "model_bytes") => mean(same),
            _ => continue,
        };
        let found: f64 = row["mean"].parse().unwrap();
        let is_near = (found - expected).abs() <= 1e-9 * expected.abs();
        assert!(is_near, "{row:?}: {expected}");
        count += 1;
    }
    assert_eq!(count, 4 * runs.len() / 2);
}

#[test]
fn a_run_that_fails_is_a_line_with_its_error_and_the_others_continue() {
    let bench = Bench::new();
    let one_row = "--train 1 --pca 2 --algorithm mean --seeds 1";
    let output = bench.compare(&format!("--data {NUMBERS} {one_row}"));
    assert_eq!(output.status.code(), Some(1));
    let runs = bench.runs();
    assert!(runs[0]["error"].as_str().unwrap().contains("at least 2"));
    assert!(runs[1]["value"].is_number());
    assert!(stdout(&output).contains("mean failed: "));
}
