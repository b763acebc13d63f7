//! Rows that cannot be read are reported and passed over, alike among the first rows, which determine the columns, and
//! later.

use serde_json::Value;

use crate::bench::{Bench, bad_rows, column, stderr, stdout};
use crate::data::sums;

/// Rows of [`table`] that cannot be learned, and words of the reasons. The word of the last one occurs nowhere else.
const BAD: [(&str, &str); 9] = [
    ("1,2", "2 cells instead of 4"),
    ("1,much,red,3", "`much` in column `y` is not a number"),
    ("1,inf,red,3", "`inf` in column `y` is not a finite number"),
    ("1,,red,3", "no value in column `y`"),
    ("1,2,red,none", "`none` in column `value` is not a number"),
    (
        "1,1e39,red,3",
        "`1e39` in column `y` is not a finite number",
    ),
    ("1,2,red,1e101", "beyond ±1e100"),
    ("1,2,red,3,4", "5 cells instead of 4"),
    ("1e39,2,violet,3", "`1e39` in column `x` is not a finite"),
];

/// 300 rows of columns `x,y,colour,value`, and rows in between, from this line on.
fn table(rows: &[&str], line: usize) -> String {
    let mut lines = vec!["x,y,colour,value".to_owned()];
    for (at, row) in sums(300).lines().skip(1).enumerate() {
        let (features, value) = row.rsplit_once(',').unwrap();
        let colour = ["red", "green", "blue"][at % 3];
        lines.push(format!("{features},{colour},{value}"));
    }
    for (at, row) in rows.iter().enumerate() {
        lines.insert(line - 1 + 10 * at, (*row).to_owned());
    }
    lines.join("\n") + "\n"
}

const TRAIN: &str = "train --target value --task regress --missing refuse --fit-rows 120 --algorithm mondrian --data";

#[test]
fn a_bad_row_is_listed_and_leaves_no_trace_in_the_model_wherever_it_is() {
    let bad = BAD.map(|(row, _)| row);
    let bench = Bench::with(&[("good.csv", &table(&[], 1))]);
    bench.ok(&format!("{TRAIN} good.csv --model good"));
    // A missing value among the first rows would end the training.
    let [early, late] = [(&bad[4..], 20), (&bad[..], 150)];
    for (name, (rows, line)) in [("early", early), ("late", late)] {
        bench.write(&format!("{name}.csv"), table(rows, line));
        let train = format!("{TRAIN} {name}.csv --model {name} --list-bad-rows");
        let words = format!("learned 300 rows; {} bad rows;", rows.len());
        let reasons = bad_rows(&bench.says(&train, &[&words]));
        assert_eq!(reasons.len(), rows.len(), "{name}");
        for (at, (found, reason)) in reasons.iter().enumerate() {
            let (_, expected) = BAD[BAD.len() - rows.len() + at];
            assert!(
                reason.contains(expected),
                "{name}: {reason} is not {expected}"
            );
            assert_eq!(*found, (line + 10 * at).to_string());
        }
    }
    let predictions = |model| bench.ok(&format!("predict --data good.csv --model {model}"));
    let good = predictions("good");
    assert_eq!(predictions("late"), good);
    // The first rows are as many as before, and bad ones among them are not fitted on.
    let train = TRAIN.replace("120", "125");
    bench.ok(&format!("{train} early.csv --model same"));
    assert_eq!(predictions("same"), good);
    let inspected = bench.shows("inspect --model late", &["300 rows; 9 bad rows"]);
    assert!(!inspected.contains("violet"), "{inspected}");
    // By default the first five are shown.
    let words = ["line 190: ", "9 bad rows", "--list-bad-rows reports all"];
    let said = bench.says(&format!("{TRAIN} late.csv --model five"), &words);
    assert_eq!(bad_rows(&said).len(), 5, "{said}");
    let train = format!("{TRAIN} late.csv --model n --strict");
    let predict = "predict --data late.csv --model late --out p --strict";
    let strict: &[&str] = &["line 150", "2 cells instead", "without --strict"];
    bench.refuse("", &[(&train, strict), (predict, strict)]);
}

#[test]
fn a_row_without_a_prediction_has_an_empty_one_in_its_place() {
    let bench = Bench::with(&[
        ("good.csv", &table(&[], 1)),
        ("late.csv", &table(&BAD.map(|(row, _)| row), 150)),
    ]);
    bench.ok(&format!("{TRAIN} good.csv --model m"));
    let output = bench.run("predict --data late.csv --model m --list-bad-rows");
    let predictions = column(&stdout(&output), "prediction");
    assert_eq!(predictions.len(), 309);
    let empty = (0..309).filter(|row| predictions[*row].is_empty());
    let empty: Vec<String> = empty.map(|row| (row + 2).to_string()).collect();
    // A target that cannot be read is not needed.
    assert_eq!(empty, ["150", "160", "170", "180", "200", "220", "230"]);
    let bad = bad_rows(&stderr(&output)).into_iter().map(|(line, _)| line);
    assert_eq!(bad.collect::<Vec<_>>(), empty);
    let json = bench.ok("predict --data late.csv --model m --format jsonl");
    assert_eq!(json.lines().count(), 309);
    let row: Value = serde_json::from_str(json.lines().nth(158).unwrap()).unwrap();
    assert_eq!(
        (&row["prediction"], &row["line"]),
        (&Value::Null, &160.into())
    );
    assert!(row["reason"].as_str().unwrap().contains("`much`"), "{row}");
}

#[test]
fn rows_with_missing_values_are_left_out_if_that_is_requested() {
    let table = "a,b,class\n1,2,x\n,3,y\n2,3,y\n3,NA,x\n4,4,?\n5,5,y\n";
    let bench = Bench::with(&[("missing.csv", table)]);
    let train = "train --data missing.csv --target class --model m --missing";
    let words: &[&str] = &["column `a`", "column `b`", "--missing"];
    bench.refuse(train, &[("refuse", words)]);
    let words = ["learned 3 rows; 3 rows with missing values left out"];
    bench.says(&format!("{train} drop"), &words);
    let predictions = bench.ok("predict --data missing.csv --model m");
    let known = column(&predictions, "prediction");
    let known: Vec<bool> = known.iter().map(|text| !text.is_empty()).collect();
    assert_eq!(known, [true, false, true, false, true, true]);
}

#[test]
fn a_table_of_mostly_bad_rows_is_learned_but_is_not_a_success() {
    // 999 of 1,000 rows without a target.
    let bad: String = (0..999).map(|row| format!("{row}\n")).collect();
    let bench = Bench::with(&[("mostbad.csv", &format!("a,b,y\n0,0,x\n{bad}"))]);
    let train = "train --data mostbad.csv --target y --model";
    let reason = ["999 of 1000 rows are bad (99.9 %)", "--max-bad-rows"];
    bench.refused(&format!("{train} m"), &reason);
    bench.shows("inspect --model m", &["1 row; 999 bad rows"]);
    bench.ok(&format!("{train} n --max-bad-rows 1"));
    bench.same("m", "n", "of mostly bad rows");
    let predict = "predict --data mostbad.csv --model m --out predictions";
    bench.refused(predict, &["999 of 1000 rows are bad", "predicted"]);
    assert_eq!(bench.read("predictions").lines().count(), 1001);
    // A tenth is a tenth, and rows with missing values that are left out as requested are not bad.
    let dropped = ",1,2\n".repeat(50);
    for (count, code) in [(15, 0), (16, 1)] {
        bench.write("some.csv", sums(90) + &"1,2\n".repeat(count) + &dropped);
        let line = format!("train --data some.csv --target value --missing drop --model m{count}");
        assert_eq!(bench.run(&line).status.code(), Some(code));
    }
    bench.write("some.csv", sums(90) + &dropped);
    let predictions = bench.ok("predict --data some.csv --model m15");
    assert_eq!(column(&predictions, "prediction").len(), 140);
}

/// The name of a class is given when its row is known to be good, wherever that row stands.
#[test]
fn a_bad_row_with_a_new_class_leaves_no_class_in_the_model() {
    let good = (0..300).map(|row| format!("{row},{},{}", row * 7 % 11, ["x", "y"][row % 2]));
    let good: Vec<String> = good.collect();
    let table = |lines: &[String]| format!("a,b,class\n{}\n", lines.join("\n"));
    let bench = Bench::with(&[("good.csv", &table(&good))]);
    let train = "train --target class --fit-rows 100 --scale none --data";
    bench.ok(&format!("{train} good.csv --model good"));
    let predict = "predict --data good.csv --proba --model";
    let expected = bench.ok(&format!("{predict} good"));
    for at in [50, 150, 300] {
        let mut lines = good.clone();
        lines.insert(at, "1,word,new".to_owned());
        bench.write("bad.csv", table(&lines));
        bench.ok(&format!("{train} bad.csv --model m{at}"));
        assert_eq!(bench.ok(&format!("{predict} m{at}")), expected, "{at}");
        bench.shows(&format!("inspect --model m{at}"), &["2: x, y"]);
    }
    // Before the first row is learned there is nothing to save, however many checkpoints are due.
    let bad = "1,2\n".repeat(20);
    bench.write("late.csv", sums(50).replacen('\n', &format!("\n{bad}"), 1));
    let train = "train --data late.csv --header yes --target value --model m --max-bad-rows 1";
    let words = ["learned 50 rows; 20 bad rows"];
    bench.says(&format!("{train} --checkpoint 3 --batch 2"), &words);
}

#[test]
fn a_cell_that_is_not_a_date_makes_a_bad_row_wherever_it_is() {
    let bench = Bench::new();
    let row = |row: usize| format!("2020-{:02}-{:02},{row}", row % 12 + 1, row % 28 + 1);
    for (name, line) in [("early", 10), ("late", 50)] {
        let mut rows: Vec<String> = (0..60).map(row).collect();
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
    let bench = Bench::with(&[("missing.csv", "a,b\n1,\n2,?\n")]);
    bench.write(
        "latin.csv",
        [&b"a,b\n"[..], &b"1,\xff\n".repeat(5)].concat(),
    );
    let reason = ["line 2: is not text (UTF-8)", "--encoding latin-1"];
    let missing = ["missing values: 2 of 2 cells of column `b`"];
    let train = "train --target b --model m --data";
    bench.refuse(train, &[("latin.csv", &reason), ("missing.csv", &missing)]);
}

/// Before anything is learned the user decides; what comes later does not end a training that has gone on for hours.
#[test]
fn a_missing_value_ends_the_training_before_it_begins_and_is_a_bad_row_later() {
    let missing = [",2,red,3", "1,NA,red,3", "1,,red,3", "1,2,?,3"];
    let [early, late] = [20, 150].map(|line| table(&missing, line));
    let bench = Bench::with(&[("early.csv", &early), ("late.csv", &late)]);
    let train = "train --target value --fit-rows 100 --missing refuse --model m";
    let all = [
        "1 of 100 cells of column `x`",
        "2 of 100 cells of column `y`",
        "1 of 100 cells of column `colour`",
        "--missing median, indicator or drop",
    ];
    bench.refuse(train, &[("--data early.csv", &all)]);
    let late = format!("{train} --data late.csv");
    for (_, reason) in bad_rows(&bench.says(&late, &["learned 300 rows; 4 bad rows"])) {
        assert!(reason.contains("no value in column"), "{reason}");
    }
    for name in ["early", "late"] {
        let files = format!("--data {name}.csv --model {name}");
        let decided = format!("train --target value --fit-rows 100 --missing median {files}");
        bench.says(&decided, &["learned 304 rows; model in"]);
    }
}
