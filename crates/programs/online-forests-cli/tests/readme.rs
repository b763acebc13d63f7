//! The shell lines of the user guide, run as written there.

use std::fs;
use std::path::{Path, PathBuf};

use crate::bench::{Bench, column};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// The lines of the first block of code below a heading of the guide.
fn lines(heading: &str) -> Vec<String> {
    let guide = fs::read_to_string(root().join("docs/guide.md")).unwrap();
    let (_, section) = guide.split_once(&format!("\n## {heading}\n")).unwrap();
    let (_, block) = section.split_once("```sh\n").unwrap();
    let (block, _) = block.split_once("```").unwrap();
    let joined = block.replace("\\\n", " ");
    joined.lines().map(str::to_owned).collect()
}

/// A copy of the tables that the guide names, at the paths that it names.
fn bench() -> Bench {
    let (bench, folder) = (Bench::new(), "datasets/tests/fixtures");
    fs::create_dir_all(bench.path(folder)).unwrap();
    for entry in fs::read_dir(root().join(folder)).unwrap() {
        let path = entry.unwrap().path();
        let copy = bench.path(folder).join(path.file_name().unwrap());
        fs::copy(path, copy).unwrap();
    }
    bench
}

/// Without `cargo install`, which the block begins with.
fn run(bench: &Bench, line: &str) -> String {
    let arguments = line.strip_prefix("online-forests ");
    let arguments = arguments.unwrap_or_else(|| panic!("`{line}` does not run online-forests"));
    // As a shell does; within these quotes there are no blanks.
    bench.ok(&arguments.replace('"', ""))
}

#[test]
fn five_lines_from_a_table_with_missing_values_categories_and_dates() {
    let (bench, lines) = (bench(), lines("From a shell"));
    let [install, lines @ ..] = &lines[..] else {
        panic!("no lines")
    };
    assert_eq!(
        install,
        "cargo install --path crates/programs/online-forests-cli"
    );
    assert_eq!(lines.len(), 5);
    let said: Vec<String> = lines.iter().map(|line| run(&bench, line)).collect();
    let predictions = bench.read("prices.csv");
    let rows = bench.read("datasets/tests/fixtures/houses.csv");
    let rows = csv::Reader::from_reader(rows.as_bytes()).records().count();
    assert_eq!(column(&predictions, "prediction").len(), rows);
    assert!(
        column(&predictions, "prediction")
            .iter()
            .all(|prediction| prediction.parse::<f64>().is_ok())
    );
    assert!(said[2].contains("regression of `price`"), "{}", said[2]);
    assert!(said[3].contains("yes: "), "{}", said[3]);
    assert!(said[4].contains("prediction of all"), "{}", said[4]);
}

/// Parquet says the same as CSV.
#[cfg(feature = "columnar")]
#[test]
fn the_five_lines_say_the_same_of_parquet() {
    let (csv, parquet) = (bench(), bench());
    for line in &lines("From a shell")[1..] {
        let other = line.replace("houses.csv", "houses.parquet");
        // Only a text has a separator.
        let said = run(&csv, line).replace("--delimiter , ", "");
        assert_eq!(said, run(&parquet, &other), "{line}");
    }
    assert_eq!(csv.read("prices.csv"), parquet.read("prices.csv"));
}
