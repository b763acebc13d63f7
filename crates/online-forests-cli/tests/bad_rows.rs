//! Rows that cannot be read are told and passed over.

use crate::bench::{Bench, column, stderr};
use crate::data::sums;

/// 300 good rows and bad ones on known lines.
fn with_faults() -> String {
    let mut lines: Vec<String> = sums(300).lines().map(str::to_owned).collect();
    for (line, text) in [
        (200, "1,2"),
        (210, "1,much,3"),
        (220, "1,inf,3"),
        (230, "1,,3"),
        (240, "1,2,nothing"),
        (250, "1,1e39,3"),
        (260, "1,2,1e101"),
        (270, "1,2,3,4"),
    ] {
        lines.insert(line - 1, text.to_owned());
    }
    lines.join("\n") + "\n"
}

const LINES: [&str; 8] = ["200", "210", "220", "230", "240", "250", "260", "270"];

const REASONS: [&str; 8] = [
    "2 cells where 3 are expected",
    "`much` in column `y` is not a number",
    "`inf` in column `y` is not a finite number",
    "no value in column `y`",
    "`nothing` in column `value` is not a number",
    "`1e39` in column `y` is not a finite number",
    "beyond ±1e100",
    "4 cells where 3 are expected",
];

#[test]
fn bad_rows_are_listed_and_the_others_are_learned() {
    let bench = Bench::new();
    bench.write("faults.csv", &with_faults());
    bench.write("good.csv", &sums(300));
    let train = "train --target value --fit-rows 100";
    let output = bench.run(&format!(
        "{train} --data faults.csv --model m --bad-rows bad.csv"
    ));
    let said = stderr(&output);
    assert!(
        output.status.success() && said.contains("learned 300 rows; 8 bad rows (see bad.csv)"),
        "{said}"
    );
    let bad = bench.read("bad.csv");
    assert_eq!(column(&bad, "line"), LINES);
    for (reason, expected) in column(&bad, "reason").iter().zip(REASONS) {
        assert!(reason.contains(expected), "{reason} is not {expected}");
    }
    // What was learned is what a table without these rows gives.
    bench.ok(&format!("{train} --data good.csv --model good"));
    let answers = |model| bench.ok(&format!("predict --data good.csv --model {model}"));
    assert_eq!(answers("m"), answers("good"));
    assert!(
        bench
            .ok("inspect --model m")
            .contains("300 rows; 8 bad rows")
    );
}

#[test]
fn without_a_file_the_first_five_are_shown() {
    let bench = Bench::new();
    bench.write("faults.csv", &with_faults());
    let output = bench.run("train --data faults.csv --target value --model m --fit-rows 100");
    let said = stderr(&output);
    let shown = said
        .lines()
        .filter(|line| line.starts_with("line "))
        .count();
    assert!(
        shown == 5 && said.contains("line 240: ") && !said.contains("line 250"),
        "{said}"
    );
    assert!(
        said.contains("8 bad rows") && said.contains("--bad-rows FILE lists all"),
        "{said}"
    );
}

#[test]
fn strict_ends_at_the_first_and_writes_nothing() {
    let bench = Bench::new();
    bench.write("faults.csv", &with_faults());
    let train = "train --data faults.csv --target value --model m --fit-rows 100 --strict";
    bench.refused(train, &["line 200", "2 cells where 3", "without --strict"]);
    assert_eq!(bench.files(), ["faults.csv"]);
    bench.write("good.csv", &sums(300));
    bench.ok("train --data good.csv --target value --model m");
    let predict = "predict --data faults.csv --model m --out answers --strict";
    bench.refused(predict, &["line 200", "without --strict"]);
    assert_eq!(bench.files(), ["faults.csv", "good.csv", "m"]);
}

#[test]
fn a_row_without_an_answer_has_an_empty_one_in_its_place() {
    let bench = Bench::new();
    bench.write("faults.csv", &with_faults());
    bench.write("good.csv", &sums(300));
    bench.ok("train --data good.csv --target value --model m");
    let csv = bench.ok("predict --data faults.csv --model m --bad-rows bad.csv");
    let answers = column(&csv, "prediction");
    assert_eq!(answers.len(), 308);
    // A target that cannot be read is none that is needed.
    let empty: Vec<String> = (0..308)
        .filter(|row| answers[*row].is_empty())
        .map(|row| (row + 2).to_string())
        .collect();
    assert_eq!(empty, ["200", "210", "220", "230", "250", "270"]);
    assert_eq!(column(&bench.read("bad.csv"), "line"), empty);
    let json = bench.ok("predict --data faults.csv --model m --format jsonl");
    let line: serde_json::Value = serde_json::from_str(json.lines().nth(208).unwrap()).unwrap();
    assert_eq!(line["prediction"], serde_json::Value::Null);
    assert_eq!(line["line"], 210);
    assert!(
        line["reason"].as_str().unwrap().contains("`much`"),
        "{line}"
    );
    assert_eq!(json.lines().count(), 308);
}

#[test]
fn rows_with_gaps_are_left_out_if_that_is_asked() {
    let bench = Bench::new();
    bench.write(
        "gaps.csv",
        "a,b,class\n1,2,x\n,3,y\n2,3,y\n3,NA,x\n4,4,?\n5,5,y\n",
    );
    bench.refused(
        "train --data gaps.csv --target class --model m",
        &["column `a`", "column `b`", "--missing"],
    );
    let output = bench.run("train --data gaps.csv --target class --model m --missing drop");
    let said = stderr(&output);
    assert!(
        said.contains("learned 3 rows; 3 rows with gaps left out"),
        "{said}"
    );
    let answers = column(&bench.ok("predict --data gaps.csv --model m"), "prediction");
    let known: Vec<bool> = answers.iter().map(|answer| !answer.is_empty()).collect();
    assert_eq!(known, [true, false, true, false, true, true]);
}

/// Before the first row is learned there is nothing to save, however many checkpoints are due.
#[test]
fn a_table_may_begin_with_bad_rows() {
    let bench = Bench::new();
    let bad = "1,2\n".repeat(20);
    bench.write("late.csv", &sums(50).replacen('\n', &format!("\n{bad}"), 1));
    let train =
        "train --data late.csv --header yes --target value --model m --checkpoint 3 --batch 2";
    let said = stderr(&bench.run(train));
    assert!(said.contains("learned 50 rows; 20 bad rows"), "{said}");
}

#[test]
fn a_table_of_bad_rows_makes_no_model() {
    let bench = Bench::new();
    bench.write("words.csv", "a,b\n1,x\n2,y\n");
    bench.refused(
        "train --data words.csv --target b --task regress --model m",
        &[
            "no row of words.csv could be learned",
            "`x` is not a number",
        ],
    );
    assert_eq!(bench.files(), ["words.csv"]);
}
