//! No run is lost, none is repeated, and runs that differ in anything but the seed are never in one mean.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value;

use crate::bench::{Bench, CLASSES, Ended, end, files, has, table};

fn with(more: &str) -> String {
    format!("--data {CLASSES} --algorithm mondrian --algorithm majority {more}")
}

/// What does not depend on the clock.
fn results(bench: &Bench) -> BTreeSet<String> {
    let result = |run: &Value| {
        let fields = ["dataset", "protocol", "label", "seed", "metrics"];
        let curve = &run["curve"]["windowed"];
        format!(
            "{} {curve}",
            fields.map(|field| run[field].to_string()).join(" ")
        )
    };
    bench.runs().iter().map(result).collect()
}

fn report_from(bench: &Bench, files: &[String]) -> Ended {
    bench.compare(&format!("--report-from {}", files.join(" ")))
}

/// The file of runs, as an argument.
fn runs(bench: &Bench) -> String {
    bench.out().join("runs.jsonl").display().to_string()
}

/// The rows of the summary but for times and sizes of memory, which depend on the machine.
fn summary(bench: &Bench) -> Vec<BTreeMap<String, String>> {
    let mut rows = csv::Reader::from_path(bench.out().join("results.csv")).unwrap();
    let rows = rows.deserialize().map(Result::unwrap);
    let varies = |row: &BTreeMap<String, String>| {
        ["per_", "byte"]
            .iter()
            .any(|word| row["metric"].contains(word))
    };
    rows.filter(|row| !varies(row)).collect()
}

#[test]
fn a_folder_with_runs_is_refused_with_three_ways_out() {
    let bench = Bench::of(&with("--seeds 1"));
    let before = bench.read("runs.jsonl");
    let refused = bench.compare(&with("--seeds 2"));
    assert_eq!(refused.code, Some(1));
    has(
        &refused.err,
        "4 runs already|--resume|--out|results/compare-2",
    );
    assert_eq!(bench.read("runs.jsonl"), before);
}

#[test]
fn a_resumed_comparison_runs_what_is_missing_and_comes_to_the_same() {
    let cut = Bench::of(&with("--seeds 2"));
    let whole = Bench::of(&with("--seeds 3"));
    // Killed in the middle of a line.
    let text = cut.read("runs.jsonl");
    let half = &text[..text.len() - 40];
    fs::write(runs(&cut), half).unwrap();
    let merged = Bench::new();
    let ended = report_from(&merged, &[runs(&cut)]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    has(&ended.err, "warning: the last line of|is cut off");
    has(&merged.read("report.html"), "a part is missing");
    has(&cut.done(&with("--seeds 3 --resume")).err, "[5/5]");
    let lines = cut.read("runs.jsonl");
    let whole_lines = &half[..=half.rfind('\n').unwrap()];
    assert!(lines.starts_with(whole_lines), "what is whole is kept");
    assert_eq!(lines.lines().count(), 12);
    assert_eq!(results(&cut), results(&whole));
    // Neither changes a result.
    let again = cut.done(&with("--seeds 3 --resume --max-memory 1GiB --metric kappa"));
    assert!(!again.err.contains("[1/"), "{}", again.err);
    assert_eq!(cut.read("runs.jsonl"), lines);
}

#[test]
fn a_report_is_drawn_again_from_runs_alone_and_a_seed_counts_once() {
    let bench = Bench::new();
    let first = bench.done(&with("--seeds 2"));
    let tables = ["results.csv", "tables.tex"];
    let listed = files(&bench.out());
    let before = tables.map(|name| bench.read(name));
    for name in listed.iter().filter(|name| *name != "runs.jsonl") {
        fs::remove_file(bench.out().join(name)).unwrap();
    }
    let again = end(&mut bench.bare(&format!("--report-from {}", runs(&bench))));
    assert_eq!((again.code, again.out), (Some(0), first.out));
    assert_eq!(tables.map(|name| bench.read(name)), before);
    assert_eq!(files(&bench.out()), listed);
    let twice = bench.input("twice.jsonl", &bench.read("runs.jsonl").repeat(2));
    let doubled = Bench::new();
    has(
        &report_from(&doubled, &[twice]).out,
        "4 runs left out: a seed counts once",
    );
    assert_eq!(summary(&doubled), summary(&bench));
    let other_task = bench.compare(&format!("--report-from {} --metric rmse", runs(&bench)));
    has(&other_task.err, "accuracy, balanced_accuracy");
}

/// The library proves that whatever decides a measure is in the key of a run; here, that such runs are resumed and
/// named apart.
#[test]
fn a_changed_option_or_file_is_another_run_with_a_row_of_its_own() {
    let bench = Bench::new();
    bench.input("base.csv", &table(0));
    let first = "--data base.csv --seeds 2 --algorithm mondrian --protocol holdout --resume";
    bench.done(&format!("{first} --trees 2"));
    let revision = bench.runs()[0]["revision"].as_str().unwrap().to_owned();
    let earlier = bench.read("runs.jsonl").replace(&revision, "0123456789ab");
    fs::write(runs(&bench), earlier).unwrap();
    let ended = bench.done(&format!("{first} --trees 3"));
    has(
        &ended.out,
        "the runs are of different revisions|mondrian, 2 trees|mondrian, 3 trees",
    );
    bench.done(&format!("{first} --trees 2 --target a --task regress"));
    bench.done(&format!("{first} --trees 2 --drop a"));
    bench.input("base.csv", &table(5));
    let ended = bench.done(&format!("{first} --trees 2"));
    let runs = bench.runs();
    let digest = &runs[8]["data_sha256"].as_str().unwrap()[..8];
    has(&ended.out, &format!("base · hold-out|data {digest}"));
    // Runs come in pairs of seeds; every row of the summary is the mean of a pair, and has a name of its own.
    let values: Vec<f64> = runs
        .iter()
        .map(|run| run["value"].as_f64().unwrap())
        .collect();
    let pairs = values.chunks(2).map(|pair| (pair[0] + pair[1]) / 2.0);
    let mut means: Vec<f64> = pairs.collect();
    let mut names = BTreeSet::new();
    for row in summary(&bench) {
        if ["accuracy", "rmse"].contains(&&*row["metric"]) {
            let mean: f64 = row["mean"].parse().unwrap();
            let place = means.iter().position(|of| (of - mean).abs() < 1e-12);
            means.swap_remove(place.unwrap_or_else(|| panic!("{row:?} is the mean of no pair")));
            names.insert(["dataset", "algorithm", "distinction"].map(|key| row[key].clone()));
        }
    }
    assert!(means.is_empty() && names.len() == 5, "{names:?}");
}

#[test]
fn parts_of_a_grid_are_one_grid_and_a_missing_one_is_said() {
    let grid = "--data gaussian-mixture:n=200,test=50 --data friedman:n=200,test=50 --protocol prequential --seeds 3 \
                --trees 2 --algorithm mondrian --algorithm amf --algorithm obsp --algorithm stream-rf";
    let whole = Bench::of(grid);
    let parts = ["1/3", "2/3", "3/3"].map(|part| Bench::of(&format!("{grid} --part {part}")));
    assert!(parts.iter().all(|part| part.runs().len() == 8));
    let all: BTreeSet<String> = parts.iter().flat_map(results).collect();
    assert_eq!(all, results(&whole));
    let [one, two, three] = parts.each_ref().map(runs);
    let merged = Bench::new();
    // A part that is named twice counts once.
    let ended = report_from(&merged, &[one.clone(), two, three.clone(), one.clone()]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    assert!(!ended.err.contains("warning"), "{ended:?}");
    assert_eq!(summary(&merged), summary(&whole));
    let bench = Bench::new();
    let ended = report_from(&bench, &[one, three]);
    assert_eq!(ended.code, Some(1), "{ended:?}");
    has(&ended.err, "warning: no run is of part 2/3");
    has(&ended.out, "runs missing: some algorithms lack seeds");
    has(&bench.read("report.html"), "a part is missing");
}

#[test]
fn a_picture_that_cannot_be_written_is_a_warning_and_the_tables_are_there() {
    let bench = Bench::new();
    fs::create_dir(bench.out()).unwrap();
    bench.input("out/plots", "a file where the folder should be");
    let ended = bench.done(&with("--seeds 1"));
    has(&ended.err, "warning: cannot make the folder");
    has(&ended.out, "accuracy");
    for name in ["results.csv", "summary.md", "report.html", "index.json"] {
        assert!(bench.out().join(name).is_file(), "{name}");
    }
}
