//! Runs that differ in anything but the seed are never in one mean.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value;

use crate::bench::{Bench, stderr, stdout};

/// Two features and a class of 60 rows; another `shift` gives other values.
pub(crate) fn table(shift: usize) -> String {
    let row = |i: usize| {
        let (a, b) = ((i * 37 + shift) % 61, (i * 53) % 59);
        format!("{a},{b},{}\n", u8::from(a > 30))
    };
    let rows: String = (0..60).map(row).collect();
    format!("a,b,class\n{rows}")
}

/// The options of the first comparison; the file is `base.csv`.
const FIRST: [&str; 4] = [
    "--data base.csv",
    "--seeds 2",
    "--trees 2",
    "--algorithm mondrian",
];

/// A folder with the runs of the first comparison, changed by `options`.
fn begun(options: &str) -> Bench {
    let bench = Bench::new();
    bench.input("base.csv", &table(0));
    compare(&bench, options);
    bench
}

/// A new folder with the file and the runs of another.
fn copy(other: &Bench) -> Bench {
    let bench = Bench::new();
    fs::create_dir(bench.out()).unwrap();
    for name in ["base.csv", "out/runs.jsonl"] {
        fs::copy(other.path(name), bench.path(name)).unwrap();
    }
    bench
}

/// Compares with `options`, and with those of the first comparison that are not among them.
fn compare(bench: &Bench, options: &str) -> String {
    let first = FIRST.map(|option| match option.split_once(' ') {
        Some((name, _)) if options.contains(name) => "",
        _ => option,
    });
    let output = bench.compare(&format!("{} {options}", first.join(" ")));
    assert!(output.status.success(), "{options:?}: {}", stderr(&output));
    stdout(&output).to_owned()
}

fn resume(bench: &Bench, options: &str) -> String {
    compare(bench, &format!("{options} --resume"))
}

fn summary(bench: &Bench) -> Vec<BTreeMap<String, String>> {
    let mut rows = csv::Reader::from_path(bench.out().join("results.csv")).unwrap();
    let rows = rows.deserialize().map(Result::unwrap);
    rows.filter(|row: &BTreeMap<String, String>| ["accuracy", "rmse"].contains(&&*row["metric"]))
        .collect()
}

/// What decides what a run measures, by its record, without what this test should find out.
fn kind(run: &Value) -> String {
    let fields = [
        "dataset",
        "data_sha256",
        "rows_sha256",
        "target",
        "task",
        "protocol",
        "split",
        "preprocessing",
        "n_train",
        "n_features",
        "folds",
        "delay",
        "label",
        "asked_trees",
    ];
    fields.map(|field| run[field].to_string()).join(" ")
}

/// Every row of the summary is the mean over both seeds of runs of one kind, and rows have different names.
fn assert_pure(bench: &Bench, kinds: usize) {
    let mut runs: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for run in bench.runs() {
        let value = run["value"].as_f64().unwrap();
        runs.entry(kind(&run)).or_default().push(value);
    }
    let mut means: Vec<f64> = runs.values().map(|v| v.iter().sum::<f64>() / 2.0).collect();
    let rows = summary(bench);
    assert_eq!((rows.len(), means.len()), (kinds, kinds), "{rows:?}");
    let mut names = BTreeSet::new();
    for row in &rows {
        assert_eq!(row["n"], "2", "{row:?}");
        let mean: f64 = row["mean"].parse().unwrap();
        let found = means.iter().position(|of| (of - mean).abs() < 1e-12);
        assert!(found.is_some(), "{row:?} is not a mean of one kind");
        means.swap_remove(found.unwrap());
        let name = ["dataset", "protocol", "algorithm", "distinction"].map(|key| &row[key]);
        assert!(names.insert(name), "{row:?} has the name of another");
    }
}

#[test]
fn a_changed_option_is_another_run_with_a_row_of_its_own() {
    let plain = begun("");
    // The options that change, and how many of the two protocols they concern.
    for (first, changed, protocols) in [
        ("", "--target a --task regress", 2),
        ("--task classify", "--task regress", 2),
        ("--target a --task regress", "--target b --task regress", 2),
        ("", "--trees 3", 2),
        ("", "--scale none", 2),
        ("", "--pca 1", 2),
        ("", "--weights variances", 2),
        ("", "--drop a", 2),
        ("--drop a", "--drop b", 2),
        ("", "--train 0.5", 1),
        ("", "--order shuffled", 2),
        ("", "--algorithm mondrian:budget=1", 2),
    ] {
        let bench = if first.is_empty() {
            copy(&plain)
        } else {
            begun(first)
        };
        resume(&bench, changed);
        assert_eq!(bench.runs().len(), 4 + 2 * protocols, "{changed:?}");
        assert_pure(&bench, 2 + protocols);
    }
}

#[test]
fn other_folds_and_delays_are_other_runs() {
    for (protocol, option) in [("kfold", "--folds"), ("delayed", "--delay")] {
        let bench = begun(&format!("--protocol {protocol} {option} 5"));
        resume(&bench, &format!("--protocol {protocol} {option} 7"));
        assert_pure(&bench, 2);
    }
}

#[test]
fn a_file_whose_content_changed_is_other_data_under_the_same_name() {
    let bench = begun("");
    bench.input("base.csv", &table(5));
    let text = resume(&bench, "");
    assert_pure(&bench, 4);
    let digest = bench.runs()[4]["data_sha256"].as_str().unwrap()[..8].to_owned();
    assert!(
        text.contains(&format!("base · hold-out · data {digest}")),
        "{text}"
    );
}

#[test]
fn nothing_is_run_again_that_agrees_in_all_but_what_changes_no_result() {
    let bench = begun("--algorithm mondrian --algorithm adaptive --algorithm majority");
    let before = bench.runs().len();
    let same = "--algorithm mondrian --algorithm adaptive --algorithm majority --max-memory 1GiB --metric kappa";
    resume(&bench, same);
    assert_eq!(bench.runs().len(), before);
}

#[test]
fn a_baseline_without_trees_is_the_same_run_with_any_number_of_them() {
    let bench = begun("--algorithm mondrian --algorithm majority");
    let algorithms = "--algorithm mondrian --algorithm majority";
    let text = resume(&bench, &format!("{algorithms} --trees 3"));
    assert_pure(&bench, 2 * 3);
    assert!(
        text.contains("mondrian, 2 trees") && text.contains("mondrian, 3 trees"),
        "{text}"
    );
    assert!(text.contains("; 2 or 3 trees"), "{text}");
}

#[test]
fn a_seed_counts_once_however_often_it_is_recorded() {
    let bench = begun("");
    let runs = bench.out().join("runs.jsonl");
    let text = fs::read_to_string(&runs).unwrap();
    let twice = bench.path("twice.jsonl");
    fs::write(&twice, text.repeat(2)).unwrap();
    let report = |path: &std::path::Path| {
        let output = bench.compare(&format!("--report-from {}", path.display()));
        assert!(output.status.success(), "{}", stderr(&output));
        (summary(&bench), stdout(&output).to_owned())
    };
    let (once, silent) = report(&runs);
    let (doubled, said) = report(&twice);
    assert_eq!(doubled, once);
    let note = "2 runs left out: a seed counts once";
    assert!(
        said.contains(note) && !silent.contains("left out"),
        "{said}"
    );
}

#[test]
fn a_report_from_runs_of_several_comparisons_keeps_them_apart() {
    let benches = [begun(""), begun("--trees 3"), begun("--scale none")];
    let runs = benches
        .iter()
        .map(|bench| fs::read_to_string(bench.out().join("runs.jsonl")).unwrap());
    let bench = Bench::new();
    let all = bench.input("all.jsonl", &runs.collect::<String>());
    let output = bench.compare(&format!("--report-from {all}"));
    assert!(output.status.success(), "{}", stderr(&output));
    fs::copy(&all, bench.out().join("runs.jsonl")).unwrap();
    assert_pure(&bench, 6);
    let text = stdout(&output);
    assert!(text.contains("base · hold-out · raw features"), "{text}");
}

/// Over all sets, a set counts once, and only sets that are treated alike are ranked together.
#[test]
fn sets_are_ranked_together_that_are_different_and_treated_alike() {
    let bench = begun("--algorithm mondrian --algorithm majority");
    bench.input("other.csv", &table(9));
    let more = "--algorithm mondrian --algorithm majority --scale none";
    let both = "--data base.csv --data other.csv --protocol holdout";
    let text = resume(&bench, &format!("{more} {both}"));
    let title = "Over all sets · hold-out · accuracy · raw features";
    assert!(text.contains(title), "{text}");
    assert_eq!(text.matches("Over all sets").count(), 1, "{text}");
    assert!(text.contains("mean rank over 2 sets"), "{text}");
}
