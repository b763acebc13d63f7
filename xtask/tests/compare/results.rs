//! What `compare` leaves behind when all goes well.

use std::sync::OnceLock;

use serde_json::Value;

use crate::bench::{Bench, CLASSES, Ended, NUMBERS, files, has};

/// The fields that every finished run has.
const FIELDS: &str = "date metrics standard_errors dataset task algorithm params trees seed protocol n_train n_test \
                      n_features n_classes metric value learn_seconds predict_seconds learn_processor_seconds nodes \
                      stored_samples model_bytes threads revision cpu data_sha256 changes around_changes best_accuracy";

/// The default algorithms on classes and numbers, made once.
fn all() -> &'static (Bench, Ended) {
    static ALL: OnceLock<(Bench, Ended)> = OnceLock::new();
    ALL.get_or_init(|| {
        let bench = Bench::new();
        let ended = bench.done(&format!(
            "--data {CLASSES} --data {NUMBERS} --seeds 2 --trees 4"
        ));
        (bench, ended)
    })
}

#[test]
fn every_file_is_listed_and_every_run_has_its_fields() {
    let (bench, _) = all();
    let index: Value = serde_json::from_str(&bench.read("index.json")).unwrap();
    let names = index["files"].as_array().unwrap().iter();
    let mut listed: Vec<&str> = names.map(|name| name.as_str().unwrap()).collect();
    listed.push("index.json");
    listed.sort();
    assert_eq!(files(&bench.out()), listed);
    has(
        index["command"].as_str().unwrap(),
        "cargo xtask compare --threads 1",
    );
    for run in bench.runs() {
        for field in FIELDS.split_whitespace() {
            assert!(run.get(field).is_some(), "{field} is missing in {run}");
        }
        assert_eq!(run["offline"], false, "it is named to be compared");
    }
}

#[test]
fn tables_name_algorithms_metrics_and_the_rule_for_ties_and_the_page_needs_no_other_file() {
    let (bench, ended) = all();
    for text in [&ended.out, &bench.read("summary.md")] {
        has(
            text,
            "majority (baseline)|accuracy|rmse|±|tie:|without noise|; 4 trees",
        );
    }
    let page = bench.read("report.html");
    has(
        &page,
        "<figure|cargo xtask compare|4 trees, 2 seeds, 1 thread",
    );
    for foreign in ["<link", "<img", "src=", "url("] {
        assert!(!page.contains(foreign), "{foreign}");
    }
}

#[test]
fn a_holdout_learns_what_is_observed_and_is_compared_with_the_truth() {
    let data = datasets::open(NUMBERS, &datasets::OpenOptions::default()).unwrap();
    let datasets::Target::Values { values, noise_free } = data.target else {
        panic!("{NUMBERS} is regression");
    };
    let train = &values[..300];
    let test = &noise_free.unwrap()[300..];
    let mean = train.iter().sum::<f64>() / train.len() as f64;
    let squares: f64 = test.iter().map(|truth| (truth - mean).powi(2)).sum();
    let expected = (squares / test.len() as f64).sqrt();
    let is_mean = |run: &&Value| run["algorithm"] == "mean" && run["protocol"] == "holdout";
    let runs = all().0.runs();
    let value = runs.iter().find(is_mean).unwrap()["value"]
        .as_f64()
        .unwrap();
    assert!((value - expected).abs() < 1e-9, "{value} {expected}");
}

#[test]
fn tables_show_the_metrics_that_were_chosen_and_records_all_of_the_task() {
    let bench = Bench::new();
    let data = format!("--data {CLASSES} --data {NUMBERS} --seeds 2 --protocol holdout");
    let algorithms = "--algorithm mondrian --algorithm mondrian-2016";
    let ended = bench.done(&format!(
        "{data} --metric kappa --metric brier {algorithms}"
    ));
    has(&ended.out, "Cohen's κ|Brier score|RMSE|MAE");
    assert!(!ended.out.contains("log loss"));
    for run in bench.runs() {
        let metrics = run["metrics"].as_object().unwrap();
        let main = run["metric"].as_str().unwrap();
        assert_eq!(metrics[main], run["value"]);
        let count = match run["task"].as_str().unwrap() {
            "regression" => 4 + 2 * usize::from(run["algorithm"] == "mondrian-2016"),
            _ => 10,
        };
        assert_eq!(metrics.len(), count, "{run}");
        assert!(run["standard_errors"][main].is_number());
    }
    has(
        &bench.read("results.csv"),
        "expected_calibration_error|coverage_90",
    );
}

#[test]
fn offline_learners_join_the_holdout_and_who_is_left_out_is_named() {
    let bench = Bench::new();
    let algorithms =
        "--algorithm random-forest:depth=4 --algorithm mondrian --algorithm logistic-regression";
    let ended = bench.done(&format!(
        "--data {CLASSES} --data {NUMBERS} --seeds 2 {algorithms}"
    ));
    has(&ended.out, "random-forest:depth=4 (offline)");
    has(
        &ended.err,
        "prequential: `logistic-regression` is left out|it does not support regression",
    );
    for run in bench.runs() {
        let offline = run["algorithm"] != "mondrian";
        assert_eq!(
            (&run["offline"], run["nodes"].is_null()),
            (&offline.into(), offline),
            "{run}"
        );
        assert!(!offline || run["protocol"] == "holdout");
        if run["algorithm"] == "random-forest" {
            assert_eq!(run["params"]["depth"], 4);
            // Five classes: twice what guessing gives.
            let value = run["value"].as_f64().unwrap();
            assert!(run["metric"] == "rmse" || value > 0.4, "{run}");
        }
    }
    // Three algorithms, in two settings each, and one of them along the stream of each set.
    assert_eq!(bench.runs().len(), 2 * (2 + 3 + 1 + 1));
}
