//! Statistics of few sets, and of values that are equal on paper.

use std::fs;

use serde_json::{Value, json};

use crate::bench::{Bench, json_lines, stderr, stdout};

/// The report of runs with these accuracies: set, algorithm, seed, accuracy. All else is from a run that was made.
fn report(accuracies: &[(usize, &str, usize, f64)]) -> (String, String) {
    let bench = Bench::new();
    let made = "--data gaussian-mixture:n=100,test=20 --algorithm mondrian --protocol holdout --seeds 1 --trees 1";
    bench.compare(made);
    let base = json_lines(&fs::read_to_string(bench.out().join("runs.jsonl")).unwrap());
    let base = base.iter().find(|run| run["label"] == "mondrian").unwrap();
    let line = |&(set, algorithm, seed, accuracy): &(usize, &str, usize, f64)| {
        let mut run: Value = base.clone();
        for (key, value) in [
            ("dataset", json!(format!("s{set}"))),
            ("data_sha256", json!(format!("{set}"))),
            ("rows_sha256", json!(format!("{set}"))),
            ("label", json!(algorithm)),
            ("algorithm", json!(algorithm)),
            ("params", json!({})),
            ("seed", json!(seed)),
            ("value", json!(accuracy)),
            ("metrics", json!({"accuracy": accuracy})),
            ("standard_errors", json!({})),
        ] {
            run[key] = value;
        }
        format!("{run}\n")
    };
    let runs = bench.input(
        "made.jsonl",
        &accuracies.iter().map(line).collect::<String>(),
    );
    let output = bench.compare(&format!("--report-from {runs}"));
    assert!(output.status.success(), "{}", stderr(&output));
    let summary = fs::read_to_string(bench.out().join("summary.md")).unwrap();
    (stdout(&output).to_owned(), summary)
}

/// Both have 127/180 on every set, by other pairs of seeds; in binary they differ in the last bit.
#[test]
fn means_that_are_equal_on_paper_are_not_ranked() {
    let sets = (0..6).flat_map(|set| {
        [("mondrian", [70.0, 57.0]), ("amf", [72.0, 55.0])].map(|(name, right)| (set, name, right))
    });
    let runs = sets.flat_map(|(set, name, right)| {
        (0..2).map(move |seed| (set, name, seed, right[seed] / 90.0))
    });
    let (tables, summary) = report(&runs.collect::<Vec<_>>());
    for words in [
        "F = 0, p = 1.00",
        "no difference between the algorithms is shown",
        "less than 1e-9 of their size are equal",
    ] {
        assert!(tables.contains(words), "{words}: {tables}");
    }
    for line in ["| mondrian | 1.50 |  |", "| amf | 1.50 | 1.00 |"] {
        assert!(summary.contains(line), "{line}: {summary}");
    }
    assert!(!tables.contains("the algorithms differ"), "{tables}");
}

#[test]
fn two_sets_that_rank_two_algorithms_alike_prove_nothing_and_stand_by_name() {
    let sets = [1, 0]
        .into_iter()
        .flat_map(|set| [(set, "mondrian", 0.8), (set, "amf", 0.7)]);
    let runs = sets.flat_map(|(set, name, value)| {
        (0..3).map(move |seed| (set, name, seed, value + seed as f64 / 1000.0))
    });
    let (tables, summary) = report(&runs.collect::<Vec<_>>());
    assert!(summary.find("## s0") < summary.find("## s1"), "{summary}");
    assert!(
        tables.contains("too few sets for Friedman's test"),
        "{tables}"
    );
    for words in ["inf", "p = 0:", "the algorithms differ"] {
        assert!(!tables.contains(words), "{words}: {tables}");
    }
}

/// Differences of 0.03 seven times, and of 0.06 once.
#[test]
fn wilcoxons_test_ties_differences_that_are_equal_on_paper() {
    let first = [0.63, 0.66, 0.69, 0.60, 0.63, 0.66, 0.69, 0.66];
    let second = [0.60, 0.63, 0.66, 0.57, 0.60, 0.69, 0.72, 0.60];
    let of =
        |name: &'static str, values: [f64; 8]| (0..8).map(move |set| (set, name, 0, values[set]));
    let runs: Vec<_> = of("amf", first).chain(of("mondrian", second)).collect();
    let (_, summary) = report(&runs);
    assert!(summary.contains("| mondrian | 1.75 | 0.234 |"), "{summary}");
}
