//! What `compare` does to features: components, scales, weights.

use serde_json::Value;

use crate::bench::{Bench, json_lines, stderr, stdout};
use crate::results::{CLASSES, NUMBERS};

#[test]
fn principal_components_and_raw_features_are_said_to_be_so() {
    let bench = Bench::new();
    bench.compare(&format!(
        "--data {NUMBERS} --algorithm mean --pca 2 --scale none"
    ));
    for run in bench.runs() {
        assert_eq!(run["n_features"], 2);
        assert_eq!(run["preprocessing"]["components"], 2);
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
        let output = bench.compare(&format!(
            "--data {NUMBERS} --algorithm mean --scale {scale}"
        ));
        assert!(stdout(&output).contains(words));
        let runs = bench.runs();
        assert!(!runs.is_empty());
        for run in runs {
            assert_eq!(run["preprocessing"]["scaling"], scale);
            assert!(run["value"].is_number());
        }
    }
}

/// The first principal component explains more than the second; a weight that is given stays.
#[test]
fn weights_are_the_variances_of_components() {
    let bench = Bench::new();
    let given =
        format!("--data {CLASSES} --pca 2 --weights variances --protocol holdout --seeds 1 --json");
    let algorithms = "--algorithm wurtf --algorithm wmrtf:weights=1/2 --algorithm mondrian";
    let output = bench.compare(&format!("{given} {algorithms}"));
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
    assert_eq!(runs[2]["params"]["weights"], "none");
    assert_eq!(runs[0]["preprocessing"]["weights"], "variances");
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
    let given = format!("--data {path} --weights labels --scale quantile");
    let rest = "--seeds 1 --algorithm wmrtf --algorithm mondrian";
    let output = bench.compare(&format!("{given} {rest}"));
    assert!(output.status.success(), "{}", stderr(&output));
    for run in bench.runs() {
        assert_eq!(run["preprocessing"]["weights"], "labels");
        if run["algorithm"] == "mondrian" {
            assert_eq!(run["params"]["weights"], "none");
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
