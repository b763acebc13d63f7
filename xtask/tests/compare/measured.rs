//! Which rows are learned and tested, in which order, with which features and limits.

use std::fs;

use serde_json::Value;

use crate::bench::{Bench, CLASSES, NUMBERS, end, has, table};

#[test]
fn a_stream_is_tested_row_by_row_in_order() {
    let bench = Bench::new();
    bench.input("stream.csv", "x,y\n1,a\n2,a\n3,b\n4,b\n5,b\n");
    bench.done("--data stream.csv --algorithm majority --protocol prequential --seeds 1");
    // Nothing known: not scored. Then a is right, b wrong, b wrong (2 a, 1 b), and a tie, which a wins: wrong.
    let run = &bench.runs()[0];
    assert_eq!((&run["value"], &run["window"]), (&0.25.into(), &5.into()));
    assert_eq!(run["predict_seconds"], Value::Null);
    let ended = bench.done(
        "--data stream.csv --algorithm majority --resume --protocol delayed --delay 2 --seeds 1",
    );
    has(&ended.out, "labels 2 rows late");
}

#[test]
fn rows_are_learned_in_the_order_that_is_asked_for() {
    // Predicts the class of the row before: the last one in the order of classes.
    let options = "--algorithm no-change --protocol holdout --split repeated --seeds 1";
    let [sorted, descending] = ["sorted", "sorted-descending"].map(|order| {
        let bench = Bench::of(&format!("--data {CLASSES} {options} --order {order}"));
        let run = bench.runs().remove(0);
        assert_eq!(run["order"], order);
        run["value"].clone()
    });
    assert_ne!(sorted, descending);
}

#[test]
fn rows_in_the_order_of_their_dates_can_be_tested_in_it() {
    let row = |i: usize| {
        let class = if i < 42 { "early" } else { "late" };
        format!("2014-{:02}-{:02},{class}\n", 1 + i / 28, 1 + i % 28)
    };
    let bench = Bench::new();
    let rows: String = (0..60).map(row).collect();
    bench.input("base.csv", &format!("when,y\n{rows}"));
    let run = "--data base.csv --algorithm majority --seeds 1 --protocol holdout";
    has(
        &bench.done(run).err,
        "sorted by the dates in `when`|--split chronological",
    );
    let in_time = bench.done(&format!("{run} --resume --split chronological"));
    assert!(!in_time.err.contains("shuffles them"), "{}", in_time.err);
    let run = &bench.runs()[1];
    assert_eq!((&run["n_train"], &run["n_test"]), (&42.into(), &18.into()));
    // Only early rows were learned, and only late ones are tested.
    assert_eq!(run["value"], 0.0);
    assert_eq!(run["split"]["kind"], "chronological");
}

/// Two classes in turn, then the other way round: `no-change` is always wrong but for the row of the change.
#[test]
fn the_metric_is_stated_around_every_change() {
    let bench = Bench::new();
    let rows: String = (0..4000)
        .map(|i| format!("{},{}\n", i % 7, i % 2))
        .collect();
    bench.input("turns.csv", &format!("x,class\n{rows}"));
    let turns = "--data turns.csv+flip=1200 --algorithm no-change --protocol prequential --seeds 1";
    let ended = bench.done(turns);
    let run = bench.runs().remove(0);
    assert_eq!(run["changes"], Value::from(vec![1200]));
    let around = &run["around_changes"][0];
    let values = ["row", "before", "after", "later"].map(|key| around[key].as_f64().unwrap());
    assert_eq!(values, [1200.0, 0.0, 0.002, 0.0]);
    for text in [
        ended.out,
        bench.read("summary.md"),
        bench.read("report.html"),
    ] {
        has(&text, "row 1,200|0.000000 → 0.002000 → 0.000000");
    }
    bench.done(&format!("{turns} --order shuffled --resume"));
    assert_eq!(bench.runs()[1]["changes"], Value::Array(Vec::new()));
}

/// The first principal component explains more than the second; a weight that is given stays.
#[test]
fn weights_are_the_variances_of_components() {
    let bench = Bench::new();
    let algorithms = "--algorithm wurtf --algorithm wmrtf:weights=1/2 --algorithm mondrian";
    let features = "--pca 2 --scale robust --weights variances";
    let ended = bench.done(&format!(
        "--data {CLASSES} {features} --protocol holdout --seeds 1 {algorithms}"
    ));
    has(&ended.out, "median 0 and interquartile range 1");
    let runs = bench.runs();
    let text = |run: &Value| run["params"]["weights"].as_str().unwrap().to_owned();
    let own = text(&runs[0]);
    let weights: Vec<f64> = own
        .split('/')
        .map(|weight| weight.parse().unwrap())
        .collect();
    assert!(
        weights[0] > 1.0 && weights[1] < 1.0 && weights.len() == 2,
        "{weights:?}"
    );
    assert!((weights.iter().sum::<f64>() - 2.0).abs() < 1e-9);
    assert_eq!((&*text(&runs[1]), &*text(&runs[2])), ("1/2", "none"));
    assert_eq!(runs[0]["n_features"], 2);
    let features = &runs[0]["preprocessing"];
    let named = ["components", "scaling", "weights"].map(|key| features[key].to_string());
    assert_eq!(named, ["2", "\"robust\"", "\"variances\""]);
}

#[test]
fn a_run_that_fails_or_holds_too_much_is_a_line_and_the_others_continue() {
    let large = "--data friedman:n=5000 --algorithm boundary-forest --algorithm k-nn";
    for (options, error) in [
        (
            format!("--data {NUMBERS} --train 1 --pca 2 --algorithm mean"),
            "at least 2",
        ),
        (
            format!("{large} --max-memory 200KiB"),
            "more than the memory limit (200.00 KiB)",
        ),
    ] {
        let bench = Bench::new();
        let ended = bench.compare(&format!("{options} --seeds 1"));
        assert_eq!(ended.code, Some(1));
        let runs = bench.runs();
        has(runs[0]["error"].as_str().unwrap(), error);
        assert!(runs[1]["value"].is_number());
        has(&ended.out, " failed: ");
    }
}

#[test]
fn files_with_one_name_in_two_folders_are_two_sets() {
    let bench = Bench::new();
    for (folder, shift) in [("d1", 0), ("d2", 9)] {
        fs::create_dir(bench.path(folder)).unwrap();
        bench.input(&format!("{folder}/train.csv"), &table(shift));
    }
    let ended =
        bench.done("--data d1/train.csv --data d2/train.csv --algorithm mondrian --seeds 1");
    has(
        &ended.out,
        "d1/train.csv · hold-out|d2/train.csv · prequential",
    );
}

#[cfg(unix)]
#[test]
fn a_path_that_is_not_utf_8_is_opened_and_reported() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    let bench = Bench::new();
    let name = OsStr::from_bytes(b"caf\xe9.csv");
    fs::write(bench.path("").join(name), table(0)).unwrap();
    let ended = end(bench
        .command("--seeds 1 --algorithm majority --data")
        .arg(name));
    assert_eq!(ended.code, Some(0), "{ended:?}");
    has(&ended.out, "caf\u{fffd} · hold-out");
}
