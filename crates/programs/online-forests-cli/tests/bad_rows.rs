//! Rows that cannot be read are reported and passed over.

use serde_json::Value;

use crate::bench::{Bench, bad_rows, column, stderr, stdout};
use crate::data::sums;

/// Bad rows of [`sums`], the lines on which they are put, and what is said of them.
const BAD: [(usize, &str, &str); 8] = [
    (200, "1,2", "2 cells instead of 3"),
    (210, "1,much,3", "`much` in column `y` is not a number"),
    (220, "1,inf,3", "`inf` in column `y` is not a finite number"),
    (230, "1,,3", "no value in column `y`"),
    (
        240,
        "1,2,nothing",
        "`nothing` in column `value` is not a number",
    ),
    (
        250,
        "1,1e39,3",
        "`1e39` in column `y` is not a finite number",
    ),
    (260, "1,2,1e101", "beyond ±1e100"),
    (270, "1,2,3,4", "4 cells instead of 3"),
];

/// 300 good rows, and the bad ones among them.
fn bench() -> Bench {
    let good = sums(300);
    let mut lines: Vec<&str> = good.lines().collect();
    BAD.iter()
        .for_each(|(line, text, _)| lines.insert(line - 1, text));
    Bench::with(&[
        ("faults.csv", &(lines.join("\n") + "\n")),
        ("good.csv", &good),
    ])
}

#[test]
fn bad_rows_are_listed_and_the_others_are_learned() {
    let bench = bench();
    let train = "train --target value --missing refuse --fit-rows 100 --data";
    let words = ["learned 300 rows; 8 bad rows;"];
    let said = bench.says(
        &format!("{train} faults.csv --model m --list-bad-rows"),
        &words,
    );
    let bad = bad_rows(&said);
    assert_eq!(bad.len(), BAD.len(), "{said}");
    for ((line, reason), (expected, _, words)) in bad.iter().zip(BAD) {
        assert!(
            *line == expected.to_string() && reason.contains(words),
            "{line}: {reason}"
        );
    }
    // What was learned is what a table without these rows gives.
    bench.ok(&format!("{train} good.csv --model good"));
    let predictions = |model| bench.ok(&format!("predict --data good.csv --model {model}"));
    assert_eq!(predictions("m"), predictions("good"));
    bench.shows("inspect --model m", &["300 rows; 8 bad rows"]);
    // By default the first five are shown.
    let said = bench.says(
        &format!("{train} faults.csv --model five"),
        &["line 240: ", "8 bad rows", "--list-bad-rows reports all"],
    );
    assert_eq!(bad_rows(&said).len(), 5, "{said}");
    let strict = &["line 200", "2 cells instead", "without --strict"];
    bench.refuse(
        "",
        &[
            (&format!("{train} faults.csv --model n --strict"), strict),
            (
                "predict --data faults.csv --model m --out p --strict",
                strict,
            ),
        ],
    );
}

#[test]
fn a_row_without_a_prediction_has_an_empty_one_in_its_place() {
    let bench = bench();
    bench.ok("train --data good.csv --target value --missing refuse --model m");
    let output = bench.run("predict --data faults.csv --model m --list-bad-rows");
    let predictions = column(&stdout(&output), "prediction");
    assert_eq!(predictions.len(), 308);
    // A target that cannot be read is none that is needed.
    let empty = (0..308)
        .filter(|row| predictions[*row].is_empty())
        .map(|row| (row + 2).to_string());
    let empty: Vec<String> = empty.collect();
    assert_eq!(empty, ["200", "210", "220", "230", "250", "270"]);
    let bad = bad_rows(&stderr(&output)).into_iter().map(|(line, _)| line);
    assert_eq!(bad.collect::<Vec<_>>(), empty);
    let json = bench.ok("predict --data faults.csv --model m --format jsonl");
    let line: Value = serde_json::from_str(json.lines().nth(208).unwrap()).unwrap();
    assert_eq!(
        (&line["prediction"], &line["line"]),
        (&Value::Null, &210.into())
    );
    assert!(
        line["reason"].as_str().unwrap().contains("`much`"),
        "{line}"
    );
    assert_eq!(json.lines().count(), 308);
}

#[test]
fn rows_with_missing_values_are_left_out_if_that_is_requested() {
    let table = "a,b,class\n1,2,x\n,3,y\n2,3,y\n3,NA,x\n4,4,?\n5,5,y\n";
    let bench = Bench::with(&[("missing.csv", table)]);
    let train = "train --data missing.csv --target class --model m --missing";
    bench.refuse(
        train,
        &[("refuse", &["column `a`", "column `b`", "--missing"])],
    );
    let words = ["learned 3 rows; 3 rows with missing values left out"];
    bench.says(&format!("{train} drop"), &words);
    let predictions = column(
        &bench.ok("predict --data missing.csv --model m"),
        "prediction",
    );
    let known: Vec<bool> = predictions.iter().map(|text| !text.is_empty()).collect();
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
    for (count, code) in [(15, 0), (16, 1)] {
        bench.write(
            "some.csv",
            sums(90) + &"1,2\n".repeat(count) + &",1,2\n".repeat(50),
        );
        let line = format!("train --data some.csv --target value --missing drop --model m{count}");
        assert_eq!(bench.run(&line).status.code(), Some(code));
    }
    bench.write("some.csv", sums(90) + &",1,2\n".repeat(50));
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
    let predictions =
        |model: &str| bench.ok(&format!("predict --data good.csv --proba --model {model}"));
    for at in [50, 150, 300] {
        let mut lines = good.clone();
        lines.insert(at, "1,word,new".to_owned());
        bench.write("bad.csv", table(&lines));
        bench.ok(&format!("{train} bad.csv --model m{at}"));
        assert_eq!(predictions(&format!("m{at}")), predictions("good"), "{at}");
        bench.shows(&format!("inspect --model m{at}"), &["2: x, y"]);
    }
    // Before the first row is learned there is nothing to save, however many checkpoints are due.
    let bad = "1,2\n".repeat(20);
    bench.write("late.csv", sums(50).replacen('\n', &format!("\n{bad}"), 1));
    let train = "train --data late.csv --header yes --target value --model m --max-bad-rows 1";
    let words = ["learned 50 rows; 20 bad rows"];
    bench.says(&format!("{train} --checkpoint 3 --batch 2"), &words);
}
