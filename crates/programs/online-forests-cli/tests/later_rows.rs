//! Rows after the first run: `--resume` and `--update`.

use crate::bench::{Bench, column, stderr};
use crate::data::{LATE, first, from, houses, sums};

const HOUSES: &str = "train --target kind --missing median --fit-rows 300 --trees 5";

#[test]
fn a_run_in_parts_is_the_run_in_one() {
    let (bench, text) = (Bench::new(), houses(1500));
    bench.write("houses.csv", &text);
    bench.ok(&format!("{HOUSES} --data houses.csv --model whole.model"));
    for rows in [300, 301, 640, 1499, 1500] {
        bench.ok_with(
            &format!("{HOUSES} --data - --model parts.model"),
            &first(&text, rows),
        );
        bench.ok(&format!(
            "{HOUSES} --data houses.csv --model parts.model --resume"
        ));
        assert_eq!(
            bench.bytes("whole.model"),
            bench.bytes("parts.model"),
            "{rows}"
        );
        std::fs::remove_file(bench.path("parts.model")).unwrap();
    }
}

/// Rows that are left out are rows of the table, too.
#[test]
fn a_run_in_parts_counts_the_rows_that_are_left_out() {
    let (bench, text) = (Bench::new(), houses(600));
    let train = "train --target kind --missing drop --fit-rows 100 --trees 3";
    bench.write("houses.csv", &text);
    bench.ok(&format!("{train} --data houses.csv --model whole"));
    // Of each 17 rows from the fourth on, one has a missing value. Columns and scale are fitted on 100 rows, and the model counts them.
    for rows in [100, 101, 208, 599] {
        let part = first(&text, rows);
        bench.ok_with(&format!("{train} --data - --model parts"), &part);
        bench.ok("train --data houses.csv --model parts --resume");
        assert_eq!(bench.bytes("whole"), bench.bytes("parts"), "{rows}");
        std::fs::remove_file(bench.path("parts")).unwrap();
    }
    assert!(
        bench
            .ok("inspect --model whole")
            .contains("36 rows with missing values left out")
    );
}

#[test]
fn a_run_that_continues_needs_no_options_and_refuses_others() {
    let (bench, text) = (Bench::new(), sums(500));
    bench.write("sums.csv", &text);
    bench.write("half.csv", &first(&text, 400));
    bench.ok("train --data sums.csv --target value --model whole --fit-rows 100 --seed 3 --algorithm amf");
    bench.ok(
        "train --data half.csv --target value --model half --fit-rows 100 --seed 3 --algorithm amf",
    );
    let resume = "train --data sums.csv --model half --resume";
    bench.refused(
        &format!("{resume} --seed 4"),
        &["--seed 3", "not with --seed 4"],
    );
    bench.refused(
        &format!("{resume} --trees 4"),
        &["--trees 10", "not with --trees 4"],
    );
    bench.refused(
        &format!("{resume} --scale none"),
        &["--scale minmax", "not with --scale none"],
    );
    bench.refused(
        &format!("{resume} --task classify"),
        &["--task regress", "not with --task classify"],
    );
    let words = ["without --missing", "not with --missing median"];
    bench.refused(&format!("{resume} --missing median"), &words);
    bench.refused(
        &format!("{resume} --algorithm mondrian"),
        &["--algorithm amf", "not with --algorithm mondrian"],
    );
    bench.ok(resume);
    assert_eq!(bench.bytes("half"), bench.bytes("whole"));
}

#[test]
fn a_run_does_not_continue_with_other_data() {
    let (bench, text) = (Bench::new(), sums(500));
    bench.write("sums.csv", &text);
    bench.ok("train --data sums.csv --target value --model m");
    let before = bench.bytes("m");
    bench.write("one_digit.csv", &text.replacen('5', "6", 1));
    bench.write("short.csv", &first(&text, 499));
    bench.write(
        "renamed.csv",
        &text.replacen("x,y", "x,y ,", 1).replacen("y ,,", "z,", 1),
    );
    for data in ["one_digit.csv", "short.csv"] {
        let words = ["the first 500 rows of", "--update"];
        bench.refused(&format!("train --data {data} --model m --resume"), &words);
    }
    bench.refused(
        "train --data renamed.csv --model m --resume",
        &["no column `y`"],
    );
    assert_eq!(bench.bytes("m"), before);
    assert_eq!(
        bench.files(),
        ["m", "one_digit.csv", "renamed.csv", "short.csv", "sums.csv"]
    );
}

#[test]
fn resuming_without_a_model_starts_one() {
    let bench = Bench::new();
    bench.write("sums.csv", &sums(300));
    bench.ok("train --data sums.csv --target value --model a");
    bench.ok("train --data sums.csv --target value --model b --resume");
    assert_eq!(bench.bytes("a"), bench.bytes("b"));
    bench.refused(
        "train --data sums.csv --model c --resume",
        &["--target COLUMN", "x, y, value"],
    );
    bench.refused(
        "train --data sums.csv --target x --model c --update",
        &["c does not exist"],
    );
}

#[test]
fn an_update_learns_more_rows_and_the_classes_that_come_with_them() {
    let (bench, text) = (Bench::new(), houses(1200));
    bench.write("early.csv", &first(&text, 600));
    bench.write("late.csv", &from(&text, 600));
    bench.ok(&format!("{HOUSES} --data early.csv --model m"));
    let probabilities = "predict --data late.csv --model m --proba";
    assert!(!bench.ok(probabilities).contains(LATE));
    let output = bench.run("train --data late.csv --model m --update");
    assert!(
        stderr(&output).contains("learned 600 rows; 600 rows before"),
        "{}",
        stderr(&output)
    );
    let late = column(&bench.ok(probabilities), &format!("p({LATE})"));
    let sure = late
        .iter()
        .filter(|p| p.parse::<f64>().unwrap() > 0.3)
        .count();
    assert!(late.len() == 600 && sure > 20, "{sure} of {}", late.len());
    let inspected = bench.ok("inspect --model m");
    assert!(
        inspected.contains("1200 rows, 600 of them of the latest data"),
        "{inspected}"
    );
}
