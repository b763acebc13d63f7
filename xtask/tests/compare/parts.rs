//! A grid in parts, which may be run on several machines, gives the report of one run.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;

use crate::bench::Bench;

/// Forty runs: two sets, five algorithms, four seeds.
const GRID: &str = "--data gaussian-mixture:n=200,test=50 --data friedman:n=200,test=50 --protocol prequential --seeds 4 --trees 2 \
                    --algorithm mondrian --algorithm amf --algorithm obsp --algorithm stream-rf --algorithm boundary-forest";

fn key(run: &Value) -> String {
    format!(
        "{} {} {} {}",
        run["dataset"], run["label"], run["seed"], run["metrics"]
    )
}

/// The table of results without times and sizes of memory.
fn results(bench: &Bench) -> Vec<Vec<String>> {
    let text = fs::read_to_string(bench.out().join("results.csv")).unwrap();
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().unwrap().clone();
    let is_measured = |row: &Vec<String>| {
        row.iter().any(|cell| {
            cell.starts_with("metric=") && (cell.contains("per_") || cell.contains("byte"))
        })
    };
    let rows = reader.records().map(|row| {
        let row = row.unwrap();
        let cells = header.iter().zip(row.iter());
        cells.map(|(name, cell)| format!("{name}={cell}")).collect()
    });
    rows.filter(|row| !is_measured(row)).collect()
}

#[test]
fn four_parts_are_one_grid() {
    let whole = Bench::new();
    assert!(whole.compare(GRID).status.success());
    let runs: Vec<String> = whole.runs().iter().map(key).collect();
    assert_eq!(runs.len(), 40);
    let (mut all, mut files) = (BTreeSet::new(), Vec::new());
    let parts: Vec<Bench> = (0..4).map(|_| Bench::new()).collect();
    for (index, part) in parts.iter().enumerate() {
        assert!(
            part.compare(&format!("{GRID} --part {}/4", index + 1))
                .status
                .success()
        );
        let runs: Vec<String> = part.runs().iter().map(key).collect();
        assert_eq!(runs.len(), 10, "part {index}");
        all.extend(runs);
        files.push(part.out().join("runs.jsonl").display().to_string());
    }
    assert_eq!(all, runs.into_iter().collect());
    let merged = Bench::new();
    // A part that is named twice counts once.
    files.push(files[0].clone());
    let output = merged.compare(&format!("--report-from {}", files.join(" ")));
    assert!(output.status.success(), "{output:?}");
    assert_eq!(results(&merged), results(&whole));
}

#[test]
fn parts_that_are_none_are_refused() {
    for part in ["0/4", "5/4", "2", "a/b"] {
        let output = Bench::new().compare(&format!("{GRID} --part {part}"));
        assert_eq!(output.status.code(), Some(2), "{part}");
    }
}
