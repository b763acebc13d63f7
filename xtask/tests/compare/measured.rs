//! Metrics, protocols and limits, as a user chooses them.

use std::fs;

use serde_json::Value;

use crate::bench::{Bench, stderr, stdout};

const CLASSES: &str = "gaussian-mixture:n=300,test=100";
const NUMBERS: &str = "friedman:n=300,test=100";

#[test]
fn tables_show_the_metrics_that_were_chosen_and_records_all_of_the_task() {
    let bench = Bench::new();
    let data = format!("--data {CLASSES} --data {NUMBERS} --seeds 2 --protocol holdout");
    let chosen = "--metric kappa --metric brier";
    let algorithms = "--algorithm mondrian --algorithm mondrian-2016";
    let output = bench.compare(&format!("{data} {chosen} {algorithms}"));
    assert!(output.status.success(), "{}", stderr(&output));
    for word in ["Cohen's κ", "Brier score", "RMSE", "MAE"] {
        assert!(
            stdout(&output).contains(word),
            "{word} is missing in\n{}",
            stdout(&output)
        );
    }
    assert!(!stdout(&output).contains("log loss"));
    for run in bench.runs() {
        let metrics = run["metrics"].as_object().unwrap();
        assert_eq!(metrics[run["metric"].as_str().unwrap()], run["value"]);
        let intervals = run["algorithm"] == "mondrian-2016";
        let expected = if run["task"] == "regression" {
            4 + 2 * usize::from(intervals)
        } else {
            10
        };
        assert_eq!(metrics.len(), expected, "{run}");
        assert!(run["standard_errors"][run["metric"].as_str().unwrap()].is_number());
    }
    let all = fs::read_to_string(bench.out().join("results.csv")).unwrap();
    assert!(all.contains("expected_calibration_error") && all.contains("coverage_90"));
    let refused = Bench::new().compare("--metric acuracy");
    assert!(
        stderr(&refused).contains("did you mean `accuracy`"),
        "{}",
        stderr(&refused)
    );
}

#[test]
fn folds_and_delayed_labels_are_protocols() {
    for (arguments, rows, words) in [
        (
            "--protocol kfold --folds 4",
            400,
            "4 parts of a shuffle per seed",
        ),
        ("--protocol delayed --delay 20", 400, "labels 20 rows late"),
        (
            "--protocol prequential-kfold --folds 3 --validation bootstrap",
            400,
            "bootstrap validation by 3 learners, every row",
        ),
    ] {
        let bench = Bench::new();
        let data = format!("--data {CLASSES} --algorithm mondrian --seeds 2");
        let output = bench.compare(&format!("{data} {arguments}"));
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(stdout(&output).contains(words), "{}", stdout(&output));
        for run in bench.runs() {
            assert_eq!(run["n_test"], rows);
            assert!(run["value"].as_f64().unwrap() > 0.4, "{run}");
        }
    }
    let refused = Bench::new().compare("--protocol kfold --folds 1");
    assert!(stderr(&refused).contains("--folds") && stderr(&refused).contains("from 2 to"));
}

#[test]
fn a_learner_that_holds_too_much_is_a_line_and_the_others_continue() {
    let bench = Bench::new();
    let data = "--data friedman:n=5000 --protocol holdout --seeds 1";
    let algorithms = "--algorithm boundary-forest --algorithm k-nn --algorithm mean";
    let output = bench.compare(&format!("{data} {algorithms} --max-memory 200KiB"));
    assert_eq!(output.status.code(), Some(1));
    let runs = bench.runs();
    let error = runs[0]["error"].as_str().unwrap();
    assert!(
        error.contains("more than the memory limit (200.00 KiB)"),
        "{error}"
    );
    // Offline learners and those that report nothing are not limited.
    assert!(runs[1..].iter().all(|run| run["value"].is_number()));
    let tables = stdout(&output);
    assert!(
        tables.contains("boundary-forest failed: stopped after"),
        "{tables}"
    );
}

#[test]
fn over_several_sets_there_are_ranks() {
    let bench = Bench::new();
    let sets = [
        "gaussian-mixture:n=200,test=50",
        "mondrian-cube:n=200,test=50",
        "sea:n=250",
    ];
    let data = sets.map(|set| format!("--data {set}")).join(" ");
    let algorithms = "--algorithm mondrian --algorithm boundary-forest --algorithm majority";
    let output = bench.compare(&format!("{data} {algorithms} --seeds 2 --protocol holdout"));
    assert!(output.status.success(), "{}", stderr(&output));
    let read = |name: &str| fs::read_to_string(bench.out().join(name)).unwrap();
    for text in [stdout(&output), &read("summary.md"), &read("report.html")] {
        for words in [
            "Over all sets · hold-out · accuracy",
            "mean rank over 3 sets",
            "Friedman",
            "Nemenyi",
        ] {
            assert!(text.contains(words), "{words} is missing in\n{text}");
        }
    }
    let report = read("report.html");
    let matrix = report.split("id=\"best\"").nth(1).unwrap();
    let matrix = matrix.split("id=\"cost\"").next().unwrap();
    let numbers = matrix.split("data-value=\"").skip(1);
    let numbers: Vec<f64> = numbers
        .map(|rest| rest.split('"').next().unwrap().parse().unwrap())
        .collect();
    let runs = bench.runs();
    for first in runs.iter().filter(|run| run["seed"] == 0) {
        let is_other = |run: &&Value| {
            let same = ["dataset", "label"]
                .iter()
                .all(|key| run[*key] == first[*key]);
            same && run["seed"] == 1
        };
        let second = runs.iter().find(is_other).unwrap();
        let value = |run: &Value| run["value"].as_f64().unwrap();
        let mean = (value(first) + value(second)) / 2.0;
        let is_there = numbers.iter().any(|number| (number - mean).abs() < 1e-12);
        assert!(is_there, "{mean} of {first} is not in {numbers:?}");
    }
    assert_eq!(numbers.len(), 3 * (1 + sets.len())); // mean ranks and values
    assert!(
        bench
            .out()
            .join("plots/ranks-holdout-accuracy.svg")
            .is_file()
    );
    let index: Value = serde_json::from_str(&read("index.json")).unwrap();
    let listed = index["files"].as_array().unwrap();
    assert!(listed.contains(&Value::from("plots/ranks-holdout-accuracy.svg")));
}
