//! What `compare` leaves behind when all goes well.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use crate::bench::{Bench, files, json_lines, stderr, stdout};

const CLASSES: &str = "gaussian-mixture:n=300,test=100";
const NUMBERS: &str = "friedman:n=300,test=100";

/// The fields that every finished run has.
const FIELDS: [&str; 28] = [
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
fn every_file_is_there_and_can_be_read() {
    let bench = Bench::new();
    let output = bench.compare(&["--data", CLASSES, "--data", NUMBERS, "--seeds", "2"]);
    assert!(output.status.success(), "{}", stderr(&output));
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

#[test]
fn tables_name_algorithms_metrics_and_the_rule_for_ties() {
    let bench = Bench::new();
    let output = bench.compare(&["--data", CLASSES, "--data", NUMBERS, "--seeds", "2"]);
    let markdown = fs::read_to_string(bench.out().join("summary.md")).unwrap();
    for text in [stdout(&output), &markdown] {
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
    bench.compare(&[
        "--data",
        CLASSES,
        "--seeds",
        "2",
        "--protocol",
        "prequential",
    ]);
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
    let output = bench.compare(&["--data", CLASSES, "--algorithm", "majority", "--json"]);
    assert_eq!(json_lines(stdout(&output)), bench.runs());
    assert_eq!(bench.runs().len(), 2 * 5);
}

#[test]
fn the_same_command_gives_the_same_values() {
    let values = || {
        let bench = Bench::new();
        bench.compare(&["--data", CLASSES, "--data", NUMBERS, "--seeds", "2"]);
        let key = |run: &Value| {
            let curve = &run["curve"]["windowed"];
            [&run["label"], &run["seed"], &run["value"], curve].map(Value::clone)
        };
        bench.runs().iter().map(key).collect::<Vec<_>>()
    };
    assert_eq!(values(), values());
}

#[test]
fn a_holdout_learns_what_is_observed_and_is_compared_with_the_truth() {
    let bench = Bench::new();
    let arguments = ["--algorithm", "mean", "--protocol", "holdout"];
    bench.compare(&[&["--data", NUMBERS, "--seeds", "1"], &arguments[..]].concat());
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

#[test]
fn the_summary_has_the_means_of_the_runs() {
    let bench = Bench::new();
    let data = ["--data", CLASSES, "--data", NUMBERS];
    bench.compare(&[&data[..], &["--seeds", "2", "--trees", "4"]].concat());
    let runs = bench.runs();
    let mut rows = csv::Reader::from_path(bench.out().join("summary.csv")).unwrap();
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
        let mean = |key: &str| {
            runs.iter()
                .map(|run| run[key].as_f64().unwrap())
                .sum::<f64>()
                / 2.0
        };
        let is_near = |key: &str, expected: f64| {
            let found: f64 = row[key].parse().unwrap();
            assert!(
                (found - expected).abs() <= 1e-9 * expected.abs(),
                "{key} of {row:?}: {expected}"
            );
        };
        assert_eq!(runs.len(), 2, "{row:?}");
        let trees = runs[0]["trees"].as_f64().unwrap().max(1.0);
        let us = 1e6 / runs[0]["n_train"].as_f64().unwrap() / trees;
        is_near("mean", mean("value"));
        is_near("learn_us_per_sample_and_tree", mean("learn_seconds") * us);
        is_near("nodes", mean("nodes"));
        is_near("model_bytes", mean("model_bytes"));
        count += 2;
    }
    assert_eq!(count, runs.len());
}

#[test]
fn a_stream_is_tested_row_by_row_in_order() {
    let bench = Bench::new();
    let path = bench.input("stream.csv", "x,y\n1,a\n2,a\n3,b\n4,b\n5,b\n");
    bench.compare(&[
        "--data",
        &path,
        "--algorithm",
        "majority",
        "--protocol",
        "prequential",
        "--seeds",
        "1",
    ]);
    // Nothing known: wrong. Then a is right, b wrong, b wrong (2 a, 1 b), and a tie, which a wins: wrong.
    let run = &bench.runs()[0];
    assert_eq!(run["value"], 0.2);
    assert_eq!(
        (&run["n_train"], &run["window"]),
        (&Value::from(5), &Value::from(5))
    );
    assert_eq!(run["predict_seconds"], Value::Null);
}

#[test]
fn a_shuffled_stream_is_another_one_for_every_seed() {
    let bench = Bench::new();
    let prequential = [
        "--data",
        NUMBERS,
        "--algorithm",
        "mean",
        "--protocol",
        "prequential",
    ];
    bench.compare(&[&prequential[..], &["--order", "shuffled", "--seeds", "2"]].concat());
    let runs = bench.runs();
    assert!(runs[0]["split"].as_str().unwrap().contains("shuffled"));
    assert_ne!(runs[0]["curve"]["windowed"], runs[1]["curve"]["windowed"]);
}

#[test]
fn train_divides_a_file_and_limits_a_standard_training_part() {
    let inputs = Bench::new();
    let path = inputs.input(
        "ten.csv",
        &"x,y\n"
            .chars()
            .chain((0..10).flat_map(|i| format!("{i},{}\n", i % 2).chars().collect::<Vec<_>>()))
            .collect::<String>(),
    );
    let arguments = [
        "--data",
        &path,
        "--data",
        CLASSES,
        "--algorithm",
        "majority",
        "--protocol",
        "holdout",
        "--seeds",
        "1",
    ];
    let sizes = |train: &str| {
        let bench = Bench::new();
        bench.compare(&[&arguments[..], &["--train", train]].concat());
        let size = |run: &Value| {
            (
                run["n_train"].as_u64().unwrap(),
                run["n_test"].as_u64().unwrap(),
            )
        };
        bench.runs().iter().map(size).collect::<Vec<_>>()
    };
    assert_eq!(sizes("0.5"), [(5, 5), (150, 100)]);
    assert_eq!(sizes("7"), [(7, 3), (7, 100)]);
}

#[test]
fn principal_components_and_raw_features_are_said_to_be_so() {
    let bench = Bench::new();
    bench.compare(&[
        "--data",
        NUMBERS,
        "--algorithm",
        "mean",
        "--pca",
        "2",
        "--scale",
        "none",
    ]);
    for run in bench.runs() {
        assert_eq!(run["n_features"], 2);
        assert!(
            run["preprocessing"]
                .as_str()
                .unwrap()
                .starts_with("2 principal components, fitted on")
        );
    }
}

#[test]
fn every_scale_is_named_with_what_it_was_fitted_on() {
    for (scale, words) in [
        ("minmax", "min–max to [0, 1], fitted on"),
        ("standard", "mean 0 and variance 1, fitted on"),
        ("robust", "median 0 and interquartile range 1, fitted on"),
        ("quantile", "quantiles in [0, 1], fitted on"),
    ] {
        let bench = Bench::new();
        bench.compare(&["--data", NUMBERS, "--algorithm", "mean", "--scale", scale]);
        let runs = bench.runs();
        assert!(!runs.is_empty());
        for run in runs {
            let preprocessing = run["preprocessing"].as_str().unwrap();
            assert!(preprocessing.starts_with(words), "{preprocessing}");
            assert!(run["value"].is_number());
        }
    }
}

#[test]
fn a_run_that_fails_is_a_line_with_its_error_and_the_others_go_on() {
    let bench = Bench::new();
    let one_row = [
        "--train",
        "1",
        "--pca",
        "2",
        "--algorithm",
        "mean",
        "--seeds",
        "1",
    ];
    let output = bench.compare(&[&["--data", NUMBERS], &one_row[..]].concat());
    assert_eq!(output.status.code(), Some(1));
    let runs = bench.runs();
    assert!(runs[0]["error"].as_str().unwrap().contains("at least 2"));
    assert!(runs[1]["value"].is_number());
    assert!(stdout(&output).contains("mean failed: "));
}

#[test]
fn who_cannot_do_a_task_is_left_out_of_it_aloud() {
    let bench = Bench::new();
    let algorithms = [
        "--algorithm",
        "mean",
        "--algorithm",
        "majority",
        "--seeds",
        "1",
    ];
    let data = [
        "--data",
        NUMBERS,
        "--data",
        CLASSES,
        "--protocol",
        "holdout",
    ];
    let output = bench.compare(&[&data[..], &algorithms[..]].concat());
    assert!(output.status.success());
    assert!(stderr(&output).contains("`majority` is left out"));
    assert_eq!(bench.runs().len(), 2);
}

const WITH_OFFLINE: [&str; 6] = [
    "--algorithm",
    "random-forest:depth=4",
    "--algorithm",
    "mondrian",
    "--algorithm",
    "ridge",
];

#[test]
fn offline_learners_join_the_holdout_and_are_named_so() {
    let bench = Bench::new();
    let data = ["--data", CLASSES, "--data", NUMBERS, "--seeds", "2"];
    let output = bench.compare(&[&data[..], &WITH_OFFLINE].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).contains("random-forest:depth=4 (offline)"));
    let remarks = stderr(&output);
    assert!(
        remarks.contains("prequential: `ridge` is left out"),
        "{remarks}"
    );
    assert!(remarks.contains("`ridge` is left out, it does not do classification"));
    for run in bench.runs() {
        let offline = run["algorithm"] != "mondrian";
        assert_eq!(run["offline"], offline, "{run}");
        assert!(!offline || run["protocol"] == "holdout");
        assert_eq!(run["nodes"].is_null(), offline);
        for field in FIELDS {
            assert!(run.get(field).is_some(), "{field} is missing in {run}");
        }
        if run["algorithm"] == "random-forest" {
            assert_eq!(run["params"]["depth"], 4);
            assert_eq!(run["params"]["min_leaf"], 1);
            assert_eq!(run["trees"], 10);
            // Five classes: twice what guessing gives.
            let (value, worst) = (run["value"].as_f64().unwrap(), 0.4);
            assert!(run["metric"] == "rmse" || value > worst, "{run}");
        }
    }
    // Three algorithms, in two settings each, and two of them along the stream of each set.
    assert_eq!(bench.runs().len(), 2 * (2 + 3 + 1 + 1));
}

#[test]
fn nothing_offline_is_compared_unless_it_is_named() {
    let bench = Bench::new();
    bench.compare(&["--data", CLASSES, "--seeds", "1", "--trees", "2"]);
    assert!(bench.runs().iter().all(|run| run["offline"] == false));
}

/// The first principal component explains more than the second; a weight that is given stays.
#[test]
fn weights_are_the_variances_of_components() {
    let bench = Bench::new();
    let algorithms = ["wurtf", "wmrtf:weights=1/2", "mondrian"];
    let mut given = vec!["--data", CLASSES, "--pca", "2", "--weights", "variances"];
    given.extend(["--protocol", "holdout", "--seeds", "1", "--json"]);
    given.extend(algorithms.iter().flat_map(|name| ["--algorithm", name]));
    let output = bench.compare(&given);
    assert!(output.status.success(), "{}", stderr(&output));
    let runs = json_lines(stdout(&output));
    let text = |run: &Value| run["params"]["weights"].as_str().unwrap().to_owned();
    let weights: Vec<f64> = text(&runs[0])
        .split('/')
        .map(|n| n.parse().unwrap())
        .collect();
    assert!(weights[0] > 1.0 && weights[1] < 1.0 && weights.len() == 2);
    assert!((weights.iter().sum::<f64>() - 2.0).abs() < 1e-9);
    assert_eq!(text(&runs[1]), "1/2");
    assert!(runs[2]["params"].get("weights").is_none());
    assert!(
        runs[0]["preprocessing"]
            .as_str()
            .unwrap()
            .contains("weights")
    );
}

/// The first feature of this stream decides the class, the second means nothing.
fn one_feature_of_two(bench: &Bench) -> String {
    let row = |i: usize| {
        format!(
            "{},{},{}\n",
            i * 37 % 101,
            i * 53 % 97,
            u8::from(i * 37 % 101 > 50)
        )
    };
    let rows: String = (0..4000).map(row).collect();
    bench.input("two.csv", &format!("x,y,class\n{rows}"))
}

#[test]
fn weights_are_what_features_tell_about_labels() {
    let bench = Bench::new();
    let path = one_feature_of_two(&bench);
    let given = [
        "--data",
        &path,
        "--weights",
        "labels",
        "--scale",
        "quantile",
    ];
    let rest = [
        "--seeds",
        "1",
        "--algorithm",
        "wmrtf",
        "--algorithm",
        "mondrian",
    ];
    let output = bench.compare(&[&given[..], &rest].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    for run in bench.runs() {
        let preprocessing = run["preprocessing"].as_str().unwrap();
        assert!(
            preprocessing.contains("weights from labels, fitted on the"),
            "{preprocessing}"
        );
        if run["algorithm"] == "mondrian" {
            assert!(run["params"].get("weights").is_none());
            continue;
        }
        let weights = run["params"]["weights"].as_str().unwrap().split('/');
        let weights: Vec<f64> = weights.map(|weight| weight.parse().unwrap()).collect();
        // 2800 rows tell nearly all; a first window of 80 rows says something about the noise, too.
        let least = if run["protocol"] == "holdout" {
            1.8
        } else {
            1.1
        };
        assert!(weights[0] > least && weights.len() == 2, "{weights:?}");
    }
}

/// Two classes in turn, then the other way round: `no-change` is always wrong but for the row of the change.
#[test]
fn the_metric_is_stated_around_every_change() {
    let bench = Bench::new();
    let rows: String = (0..4000)
        .map(|i| format!("{},{}\n", i % 7, i % 2))
        .collect();
    let path = bench.input("turns.csv", &format!("x,class\n{rows}"));
    let address = format!("{path}+flip=1200");
    let algorithms = [
        "--algorithm",
        "no-change",
        "--algorithm",
        "majority",
        "--seeds",
        "2",
    ];
    let output = bench.compare(
        &[
            &["--data", &address, "--protocol", "prequential"],
            &algorithms[..],
        ]
        .concat(),
    );
    assert!(output.status.success(), "{}", stderr(&output));
    for run in bench
        .runs()
        .iter()
        .filter(|run| run["algorithm"] == "no-change")
    {
        assert_eq!(run["changes"], Value::from(vec![1200]));
        let around = &run["around_changes"][0];
        assert_eq!(
            (&around["row"], &around["before"]),
            (&Value::from(1200), &Value::from(0.0))
        );
        assert_eq!(
            (&around["after"], &around["later"]),
            (&Value::from(0.002), &Value::from(0.0))
        );
    }
    let report = fs::read_to_string(bench.out().join("report.html")).unwrap();
    let markdown = fs::read_to_string(bench.out().join("summary.md")).unwrap();
    for text in [stdout(&output), &markdown, &report] {
        assert!(
            text.contains("row 1,200") && text.contains("0.000 → 0.002 → 0.000"),
            "{text}"
        );
    }
    let curves = fs::read_dir(bench.out().join("plots")).unwrap();
    let curves = curves.map(|file| file.unwrap().path());
    let mut curves = curves.filter(|path| path.to_string_lossy().ends_with("cumulative.svg"));
    let curves = fs::read_to_string(curves.next().unwrap()).unwrap();
    assert!(
        curves.contains(">\nchange\n<") || curves.contains(">change<"),
        "the legend of the curves"
    );
    fs::remove_dir_all(bench.out()).unwrap();
    bench.compare(
        &[
            &["--data", &address, "--order", "shuffled"],
            &algorithms[..],
        ]
        .concat(),
    );
    let unmarked = |run: &Value| run["changes"].as_array().unwrap().is_empty();
    assert!(
        bench.runs().iter().all(unmarked),
        "a shuffled stream has no change points"
    );
}
