//! Which rows are learned and tested, in which order, and who joins in.

use std::fs;

use serde_json::Value;

use crate::bench::{Bench, stderr, stdout};
use crate::results::{CLASSES, FIELDS, NUMBERS};

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
    let arguments =
        format!("--data {path} --data {CLASSES} --algorithm majority --protocol holdout --seeds 1");
    let sizes = |train: &str| {
        let bench = Bench::new();
        bench.compare(&format!("{arguments} --train {train}"));
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
fn a_stream_is_tested_row_by_row_in_order() {
    let bench = Bench::new();
    let path = bench.input("stream.csv", "x,y\n1,a\n2,a\n3,b\n4,b\n5,b\n");
    bench.compare(&format!(
        "--data {path} --algorithm majority --protocol prequential --seeds 1"
    ));
    // Nothing known: not scored. Then a is right, b wrong, b wrong (2 a, 1 b), and a tie, which a wins: wrong.
    let run = &bench.runs()[0];
    assert_eq!(run["value"], 0.25);
    assert_eq!(
        (&run["n_train"], &run["window"]),
        (&Value::from(5), &Value::from(5))
    );
    assert_eq!(run["predict_seconds"], Value::Null);
}

#[test]
fn a_shuffled_stream_is_another_one_for_every_seed() {
    let bench = Bench::new();
    let prequential = format!("--data {NUMBERS} --algorithm mean --protocol prequential");
    bench.compare(&format!("{prequential} --order shuffled --seeds 2"));
    let runs = bench.runs();
    assert_eq!(runs[0]["order"], "shuffled");
    assert_ne!(runs[0]["curve"]["windowed"], runs[1]["curve"]["windowed"]);
}

#[test]
fn a_hold_out_learns_its_rows_in_the_order_that_is_asked_for() {
    // Predicts the class of the row before.
    let latest = |order: &str| {
        let bench = Bench::new();
        bench.compare(&format!(
            "--data {CLASSES} --algorithm no-change --protocol holdout --split repeated --seeds 1 {order}"
        ));
        bench.runs().remove(0)
    };
    let [default, shuffled, sorted, descending] = [
        "",
        "--order shuffled",
        "--order sorted",
        "--order sorted-descending",
    ]
    .map(latest);
    assert_eq!(default["value"], shuffled["value"]);
    assert_ne!(sorted["value"], descending["value"]);
    assert_eq!(
        (&sorted["order"], &default["order"]),
        (&"sorted".into(), &Value::Null)
    );
}

#[test]
fn who_cannot_do_a_task_is_left_out_of_it_aloud() {
    let bench = Bench::new();
    let algorithms = "--algorithm mean --algorithm majority --seeds 1";
    let data = format!("--data {NUMBERS} --data {CLASSES} --protocol holdout");
    let output = bench.compare(&format!("{data} {algorithms}"));
    assert!(output.status.success());
    assert!(stderr(&output).contains("`majority` is left out"));
    assert_eq!(bench.runs().len(), 2);
}

const WITH_OFFLINE: &str =
    "--algorithm random-forest:depth=4 --algorithm mondrian --algorithm logistic-regression";

#[test]
fn offline_learners_join_the_holdout_and_are_named_so() {
    let bench = Bench::new();
    let data = format!("--data {CLASSES} --data {NUMBERS} --seeds 2");
    let output = bench.compare(&format!("{data} {WITH_OFFLINE}"));
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).contains("random-forest:depth=4 (offline)"));
    let remarks = stderr(&output);
    assert!(
        remarks.contains("prequential: `logistic-regression` is left out"),
        "{remarks}"
    );
    assert!(remarks.contains("`logistic-regression` is left out, it does not support regression"));
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
    bench.compare(&format!("--data {CLASSES} --seeds 1 --trees 2"));
    assert!(bench.runs().iter().all(|run| run["offline"] == false));
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
    let algorithms = "--algorithm no-change --algorithm majority --seeds 2";
    let output = bench.compare(&format!(
        "--data {address} --protocol prequential {algorithms}"
    ));
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
    bench.compare(&format!("--data {address} --order shuffled {algorithms}"));
    let unmarked = |run: &Value| run["changes"].as_array().unwrap().is_empty();
    assert!(
        bench.runs().iter().all(unmarked),
        "a shuffled stream has no change points"
    );
}
