//! What is wrong with a row is handled alike among the first rows, which determine the columns, and later.

use crate::bench::{Bench, bad_rows};
use crate::data::sums;

/// Rows that cannot be learned. The word of the last one occurs nowhere else.
const BAD: [(&str, &str); 6] = [
    ("1,2,red", "3 cells instead of 4"),
    ("1,much,red,3", "`much` in column `y` is not a number"),
    ("1,inf,red,3", "`inf` in column `y` is not a finite number"),
    (
        "1,2,red,nothing",
        "`nothing` in column `value` is not a number",
    ),
    ("1,2,red,1e101", "beyond ±1e100"),
    (
        "1e39,2,violet,3",
        "`1e39` in column `x` is not a finite number",
    ),
];

/// Columns `x,y,colour,value`.
fn table() -> Vec<String> {
    let colours = ["red", "green", "blue"];
    let sums = sums(300);
    let row = |(at, line): (usize, &str)| match (at, line.rsplit_once(',')) {
        (0, _) => "x,y,colour,value".to_owned(),
        (_, Some((features, value))) => format!("{features},{},{value}", colours[at % 3]),
        (_, None) => line.to_owned(),
    };
    sums.lines().enumerate().map(row).collect()
}

/// The table with rows in between, from this line on.
fn with(rows: &[&str], line: usize) -> String {
    let mut lines = table();
    for (at, row) in rows.iter().enumerate() {
        lines.insert(line - 1 + 10 * at, (*row).to_owned());
    }
    lines.join("\n") + "\n"
}

#[test]
fn a_bad_row_leaves_no_trace_in_the_model_wherever_it_is() {
    let bad = BAD.map(|(row, _)| row);
    let (good, early, late) = (with(&[], 1), with(&bad, 20), with(&bad, 150));
    let bench = Bench::with(&[
        ("good.csv", &good),
        ("early.csv", &early),
        ("late.csv", &late),
    ]);
    let train = "train --target value --task regress --fit-rows 100";
    bench.ok(&format!("{train} --data good.csv --model good"));
    let predictions = |model| bench.ok(&format!("predict --data good.csv --model {model}"));
    for name in ["early", "late"] {
        let line = format!("{train} --data {name}.csv --model {name} --list-bad-rows");
        let reasons = bad_rows(&bench.says(&line, &["learned 300 rows; 6 bad rows"]));
        assert_eq!(reasons.len(), BAD.len(), "{name}");
        for ((_, reason), (_, expected)) in reasons.iter().zip(BAD) {
            assert!(
                reason.contains(expected),
                "{name}: {reason} is not {expected}"
            );
        }
    }
    // The first rows are as many as before, and bad ones among them are not fitted on.
    let late = predictions("late");
    assert_eq!(late, predictions("good"));
    bench.ok("train --target value --data early.csv --task regress --fit-rows 106 --model same");
    assert_eq!(predictions("same"), late);
    let inspected = bench.ok("inspect --model early --json");
    assert!(!inspected.contains("violet"), "{inspected}");
}

#[test]
fn a_cell_that_is_not_a_date_makes_a_bad_row_wherever_it_is() {
    let bench = Bench::new();
    let row = |row: usize| format!("2020-{:02}-{:02},{row}", row % 12 + 1, row % 28 + 1);
    let good: Vec<String> = (0..60).map(row).collect();
    for (name, line) in [("early", 10), ("late", 50)] {
        let mut rows = good.clone();
        rows.insert(line, "yesterday,7".to_owned());
        bench.write("dates.csv", format!("when,y\n{}\n", rows.join("\n")));
        let train = "train --data dates.csv --target y --task regress --fit-rows 40";
        let reason = "`yesterday` in column `when` is not a date like the others";
        let words = [reason, "learned 60 rows; 1 bad row"];
        bench.says(&format!("{train} --model {name}"), &words);
    }
}

#[test]
fn a_table_without_a_row_that_can_be_read_says_why() {
    let bench = Bench::new();
    let bytes = [&b"a,b\n"[..], &b"1,\xff\n".repeat(5)].concat();
    bench.write("latin.csv", bytes);
    bench.write("missing.csv", "a,b\n1,\n2,?\n");
    let reason = ["line 2: is not text (UTF-8)", "--encoding latin-1"];
    let missing = ["missing values: 2 of 2 cells of column `b`"];
    let train = "train --target b --model m --data";
    bench.refuse(train, &[("latin.csv", &reason), ("missing.csv", &missing)]);
}

/// Before anything is learned the user decides; what comes later does not end a training that has gone on for hours.
#[test]
fn a_missing_value_ends_the_training_before_it_begins_and_is_a_bad_row_later() {
    let bench = Bench::new();
    let missing = [",2,red,3", "1,NA,red,3", "1,,red,3", "1,2,?,3"];
    bench.write("early.csv", with(&missing, 20));
    bench.write("late.csv", with(&missing, 150));
    let train = "train --target value --fit-rows 100 --missing refuse --model m";
    let all = [
        "1 of 100 cells of column `x`",
        "2 of 100 cells of column `y`",
        "1 of 100 cells of column `colour`",
        "--missing median, indicator or drop",
    ];
    bench.refuse(train, &[("--data early.csv", &all)]);
    let late = format!("{train} --data late.csv");
    let reasons = bad_rows(&bench.says(&late, &["learned 300 rows; 4 bad rows"]));
    assert!(
        reasons
            .iter()
            .all(|(_, reason)| reason.contains("no value in column"))
    );
    for name in ["early", "late"] {
        let files = format!("--data {name}.csv --model {name}");
        let decided = format!("train --target value --fit-rows 100 --missing median {files}");
        bench.says(&decided, &["learned 304 rows; model in"]);
    }
}
