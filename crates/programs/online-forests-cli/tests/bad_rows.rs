//! Rows that cannot be read are reported and passed over.

use crate::bench::{Bench, bad_rows, column, stderr, stdout};
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
    "2 cells instead of 3",
    "`much` in column `y` is not a number",
    "`inf` in column `y` is not a finite number",
    "no value in column `y`",
    "`nothing` in column `value` is not a number",
    "`1e39` in column `y` is not a finite number",
    "beyond ±1e100",
    "4 cells instead of 3",
];

#[test]
fn bad_rows_are_listed_and_the_others_are_learned() {
    let bench = Bench::new();
    bench.write("faults.csv", &with_faults());
    bench.write("good.csv", &sums(300));
    let train = "train --target value --fit-rows 100";
    let output = bench.run(&format!(
        "{train} --data faults.csv --model m --list-bad-rows"
    ));
    let said = stderr(&output);
    assert!(
        output.status.success() && said.contains("learned 300 rows; 8 bad rows;"),
        "{said}"
    );
    let bad = bad_rows(&said);
    assert_eq!(bad.len(), LINES.len(), "{said}");
    for ((line, reason), expected) in bad.iter().zip(LINES.into_iter().zip(REASONS)) {
        assert_eq!(line, expected.0);
        assert!(reason.contains(expected.1), "{reason} is not {expected:?}");
    }
    // What was learned is what a table without these rows gives.
    bench.ok(&format!("{train} --data good.csv --model good"));
    let predictions = |model| bench.ok(&format!("predict --data good.csv --model {model}"));
    assert_eq!(predictions("m"), predictions("good"));
    assert!(
        bench
            .ok("inspect --model m")
            .contains("300 rows; 8 bad rows")
    );
}

#[test]
fn by_default_the_first_five_are_shown() {
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
        said.contains("8 bad rows") && said.contains("--list-bad-rows reports all"),
        "{said}"
    );
}

#[test]
fn strict_ends_at_the_first_and_writes_nothing() {
    let bench = Bench::new();
    bench.write("faults.csv", &with_faults());
    let train = "train --data faults.csv --target value --model m --fit-rows 100 --strict";
    bench.refused(train, &["line 200", "2 cells instead", "without --strict"]);
    assert_eq!(bench.files(), ["faults.csv"]);
    bench.write("good.csv", &sums(300));
    bench.ok("train --data good.csv --target value --model m");
    let predict = "predict --data faults.csv --model m --out predictions --strict";
    bench.refused(predict, &["line 200", "without --strict"]);
    assert_eq!(bench.files(), ["faults.csv", "good.csv", "m"]);
}

#[test]
fn a_row_without_a_prediction_has_an_empty_one_in_its_place() {
    let bench = Bench::new();
    bench.write("faults.csv", &with_faults());
    bench.write("good.csv", &sums(300));
    bench.ok("train --data good.csv --target value --model m");
    let output = bench.run("predict --data faults.csv --model m --list-bad-rows");
    let predictions = column(&stdout(&output), "prediction");
    assert_eq!(predictions.len(), 308);
    // A target that cannot be read is none that is needed.
    let empty: Vec<String> = (0..308)
        .filter(|row| predictions[*row].is_empty())
        .map(|row| (row + 2).to_string())
        .collect();
    assert_eq!(empty, ["200", "210", "220", "230", "250", "270"]);
    let bad = bad_rows(&stderr(&output)).into_iter().map(|(line, _)| line);
    assert_eq!(bad.collect::<Vec<_>>(), empty);
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
fn rows_with_missing_values_are_left_out_if_that_is_requested() {
    let bench = Bench::new();
    bench.write(
        "missing.csv",
        "a,b,class\n1,2,x\n,3,y\n2,3,y\n3,NA,x\n4,4,?\n5,5,y\n",
    );
    bench.refused(
        "train --data missing.csv --target class --model m --missing refuse",
        &["column `a`", "column `b`", "--missing"],
    );
    let output = bench.run("train --data missing.csv --target class --model m --missing drop");
    let said = stderr(&output);
    assert!(
        said.contains("learned 3 rows; 3 rows with missing values left out"),
        "{said}"
    );
    let predictions = column(
        &bench.ok("predict --data missing.csv --model m"),
        "prediction",
    );
    let known: Vec<bool> = predictions
        .iter()
        .map(|prediction| !prediction.is_empty())
        .collect();
    assert_eq!(known, [true, false, true, false, true, true]);
}

/// 999 of 1,000 rows without a target.
fn mostly_bad() -> String {
    let bad: String = (0..999).map(|row| format!("{row}\n")).collect();
    format!("a,b,y\n0,0,x\n{bad}")
}

#[test]
fn a_table_of_mostly_bad_rows_is_learned_but_is_not_a_success() {
    let bench = Bench::new();
    bench.write("mostbad.csv", &mostly_bad());
    let train = "train --data mostbad.csv --target y --model";
    let reason = ["999 of 1000 rows are bad (99.9 %)", "--max-bad-rows"];
    bench.refused(&format!("{train} m"), &reason);
    assert!(
        bench
            .ok("inspect --model m")
            .contains("1 row; 999 bad rows")
    );
    bench.ok(&format!("{train} n --max-bad-rows 1"));
    assert_eq!(bench.bytes("m"), bench.bytes("n"));
    let predict = "predict --data mostbad.csv --model m --out predictions";
    bench.refused(predict, &["999 of 1000 rows are bad", "predicted"]);
    assert_eq!(bench.read("predictions").lines().count(), 1001);
    bench.refused(&format!("{train} n --max-bad-rows 10%"), &["such as 0.1"]);
}

/// A tenth is a tenth, and rows with missing values that are left out as requested are not bad.
#[test]
fn the_share_of_bad_rows_counts_bad_rows_of_all() {
    let bench = Bench::new();
    let bad = |count: usize| sums(90) + &"1,2\n".repeat(count) + &",1,2\n".repeat(50);
    let train = |count: usize| {
        bench.write("some.csv", &bad(count));
        let line = format!("train --data some.csv --target value --missing drop --model m{count}");
        bench.run(&line).status.code()
    };
    assert_eq!((train(15), train(16)), (Some(0), Some(1)));
    bench.write("missing.csv", &bad(0));
    let predict = "predict --data missing.csv --model m15";
    assert_eq!(column(&bench.ok(predict), "prediction").len(), 140);
}

/// A cause that all rows have in common is one error, and the model stays as it was.
#[test]
fn an_update_of_which_no_row_can_be_learned_changes_nothing() {
    let bench = Bench::new();
    bench.write("sums.csv", &sums(300));
    bench.write("notarget.csv", "x,y\n0,0\n1,1\n");
    bench.write(
        "ragged.csv",
        &("x,y,value\n".to_owned() + &"1,2\n".repeat(100)),
    );
    bench.ok("train --data sums.csv --target value --model m");
    let before = bench.bytes("m");
    let update = "train --model m --update --checkpoint 10 --data";
    bench.refused(
        &format!("{update} notarget.csv"),
        &["no column `value`", "x, y"],
    );
    bench.refused(&format!("{update} ragged.csv"), &["no row", "100 bad rows"]);
    assert_eq!(bench.bytes("m"), before);
}

/// The name of a class is given when its row is known to be good, wherever that row stands.
#[test]
fn a_bad_row_with_a_new_class_leaves_no_class_in_the_model() {
    let bench = Bench::new();
    let good: Vec<String> = (0..300)
        .map(|row| format!("{row},{},{}", row * 7 % 11, ["x", "y"][row % 2]))
        .collect();
    let table = |lines: &[String]| format!("a,b,class\n{}\n", lines.join("\n"));
    bench.write("good.csv", &table(&good));
    let train = "train --target class --fit-rows 100 --scale none --data";
    bench.ok(&format!("{train} good.csv --model good"));
    let predictions =
        |model: &str| bench.ok(&format!("predict --data good.csv --model {model} --proba"));
    for at in [50, 150, 300] {
        let mut lines = good.clone();
        lines.insert(at, "1,word,new".to_owned());
        bench.write("bad.csv", &table(&lines));
        let model = format!("m{at}");
        bench.ok(&format!("{train} bad.csv --model {model}"));
        assert_eq!(predictions(&model), predictions("good"), "{at}");
        let inspected = bench.ok(&format!("inspect --model {model}"));
        assert!(inspected.contains("2: x, y"), "{at}: {inspected}");
    }
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
    bench.write("large.csv", "a,b\n1,1e200\n2,-2e200\n");
    bench.refused(
        "train --data large.csv --target b --task regress --model m",
        &[
            "no row of large.csv could be learned",
            "the target 1e200 is beyond",
        ],
    );
    assert_eq!(bench.files(), ["large.csv"]);
}
