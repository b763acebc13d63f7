//! No run is lost, and none is repeated.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::bench::{Bench, files, stderr, stdout};

const CLASSES: &str = "gaussian-mixture:n=300,test=100";

fn with(more: &str) -> String {
    format!("--data {CLASSES} --algorithm mondrian --algorithm majority {more}")
}

/// What does not depend on the clock.
fn results(bench: &Bench) -> BTreeSet<String> {
    let result = |run: &Value| {
        let curve = &run["curve"]["windowed"];
        format!(
            "{} {} {} {} {curve}",
            run["protocol"], run["label"], run["seed"], run["metrics"]
        )
    };
    bench.runs().iter().map(result).collect()
}

#[test]
fn a_folder_with_runs_is_refused_with_three_ways_out() {
    let bench = Bench::new();
    assert!(bench.compare(&with("--seeds 1")).status.success());
    let before = fs::read(bench.out().join("runs.jsonl")).unwrap();
    let output = bench.compare(&with("--seeds 2"));
    assert_eq!(output.status.code(), Some(1));
    for word in [
        "4 runs already",
        "--resume",
        "another --out",
        "results/compare-2",
    ] {
        assert!(
            stderr(&output).contains(word),
            "{word}: {}",
            stderr(&output)
        );
    }
    assert_eq!(fs::read(bench.out().join("runs.jsonl")).unwrap(), before);
}

#[test]
fn a_resumed_comparison_runs_what_is_missing_and_comes_to_the_same() {
    let (cut, whole) = (Bench::new(), Bench::new());
    assert!(whole.compare(&with("--seeds 3")).status.success());
    assert!(cut.compare(&with("--seeds 2")).status.success());
    // Killed in the middle of a line.
    let runs = cut.out().join("runs.jsonl");
    let text = fs::read_to_string(&runs).unwrap();
    fs::write(&runs, &text[..text.len() - 40]).unwrap();
    let kept: Vec<&str> = text.lines().take(7).collect();
    let output = cut.compare(&with("--seeds 3 --resume"));
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stderr(&output).contains("[5/5]"), "{}", stderr(&output));
    let lines = fs::read_to_string(&runs).unwrap();
    assert_eq!(lines.lines().take(7).collect::<Vec<_>>(), kept);
    assert_eq!(lines.lines().count(), 12);
    assert_eq!(results(&cut), results(&whole));
    let again = cut.compare(&with("--seeds 3 --resume"));
    assert!(again.status.success() && !stderr(&again).contains("[1/"));
    assert_eq!(fs::read_to_string(&runs).unwrap(), lines);
}

#[test]
fn runs_of_other_settings_are_missing_and_another_revision_is_said() {
    let bench = Bench::new();
    let holdout = with("--protocol holdout --seeds 1");
    bench.compare(&holdout);
    let runs = bench.out().join("runs.jsonl");
    let other = fs::read_to_string(&runs).unwrap();
    let revision = bench.runs()[0]["revision"].as_str().unwrap().to_owned();
    fs::write(&runs, other.replace(&revision, "0123456789ab")).unwrap();
    let resumed = format!("{holdout} --resume --trees 3");
    let output = bench.compare(&resumed);
    assert!(stderr(&output).contains("2 of the earlier runs are of revision 0123456789ab"));
    let tables = stdout(&output);
    let note = tables
        .lines()
        .find(|line| line.contains("the runs are of different revisions"));
    assert!(
        note.is_some_and(|note| note.contains("0123456789ab")),
        "{tables}"
    );
    // The forest has another number of trees now; the baseline has none.
    assert_eq!(bench.runs().len(), 3);
    let scaled = format!("{holdout} --resume --scale none");
    bench.compare(&scaled);
    assert_eq!(bench.runs().len(), 5);
}

#[test]
fn a_report_is_drawn_again_from_runs_alone() {
    let bench = Bench::new();
    let first = bench.compare(&with("--seeds 2"));
    let tables = ["results.csv", "tables.tex"];
    let read = |name: &str| fs::read(bench.out().join(name)).unwrap();
    let before = tables.map(read);
    let listed = files(&bench.out());
    for name in &listed {
        if name != "runs.jsonl" {
            fs::remove_file(bench.out().join(name)).unwrap();
        }
    }
    let runs = bench.out().join("runs.jsonl");
    let again = format!("--report-from {}", runs.display());
    let output = bench.bare(&again).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stdout(&output), stdout(&first));
    assert_eq!((tables.map(read), files(&bench.out())), (before, listed));
    let refused = bench.bare("--report-from nowhere.jsonl").output().unwrap();
    assert!(stderr(&refused).contains("cannot read nowhere.jsonl"));
}

#[test]
fn without_a_folder_the_report_is_in_a_dated_one_that_is_named() {
    let bench = Bench::new();
    let output = bench.bare(&with("--seeds 1")).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let said = stderr(&output).lines().last().unwrap();
    let page = said.split("report: ").nth(1).unwrap();
    assert!(page.starts_with("results/compare-20"), "{said}");
    assert!(bench.path(page).is_file());
}

#[test]
fn a_picture_that_cannot_be_written_is_a_warning_and_the_tables_are_there() {
    let bench = Bench::new();
    fs::create_dir(bench.out()).unwrap();
    fs::write(
        bench.out().join("plots"),
        "a file where the folder should be",
    )
    .unwrap();
    let output = bench.compare(&with("--seeds 1"));
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stderr(&output).contains("warning: cannot make the folder"));
    assert!(stdout(&output).contains("accuracy"));
    for name in ["results.csv", "summary.md", "report.html", "index.json"] {
        assert!(bench.out().join(name).is_file(), "{name}");
    }
}
