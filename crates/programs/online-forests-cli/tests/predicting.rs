//! Predictions, and how they are written.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

use serde_json::Value;

use crate::bench::{Bench, column, stderr};
use crate::data::{first, from, houses, sums};

const HOUSES: &str = "train --data houses.csv --target kind --missing median --categories one-hot --fit-rows 300 --trees 10 --model m";

fn trained() -> Bench {
    let bench = Bench::new();
    bench.write("houses.csv", &houses(1000));
    bench.ok(HOUSES);
    bench
}

fn numbers(text: &str, name: &str) -> Vec<f64> {
    column(text, name)
        .iter()
        .map(|cell| cell.parse().unwrap())
        .collect()
}

#[test]
fn five_lines_from_a_table_to_predictions() {
    let (bench, text) = (Bench::new(), houses(2000));
    bench.write("old.csv", &first(&text, 1500));
    bench.write("new.csv", &from(&text, 1500));
    bench.ok("train --data old.csv --target kind --missing median --model houses.model");
    bench.ok("predict --model houses.model --data new.csv --proba --out predictions.csv");
    bench.ok("inspect --model houses.model");
    bench.ok("inspect --model houses.model --tree 0 --format dot");
    let predictions = bench.read("predictions.csv");
    let (predicted, known) = (column(&predictions, "prediction"), column(&text, "kind"));
    let right = predicted.iter().zip(&known[1500..]).filter(|(a, b)| a == b);
    // A fifth of the rows have a class that no feature predicts.
    let right = right.count();
    assert!(right > 350, "{right} of 500");
    assert_eq!(
        bench.files(),
        ["houses.model", "new.csv", "old.csv", "predictions.csv"]
    );
}

#[test]
fn columns_may_be_shuffled_and_more_and_the_target_missing() {
    let (bench, text) = (trained(), houses(1000));
    let predictions = bench.ok("predict --data houses.csv --model m --proba");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let mut shuffled = csv::Writer::from_writer(Vec::new());
    shuffled
        .write_record(["age", "extra", "colour", "rooms", "size"])
        .unwrap();
    for row in reader.records().map(Result::unwrap) {
        shuffled
            .write_record([&row[3], "?", &row[2], &row[1], &row[0]])
            .unwrap();
    }
    bench.write(
        "shuffled.csv",
        std::str::from_utf8(&shuffled.into_inner().unwrap()).unwrap(),
    );
    assert_eq!(
        bench.ok("predict --data shuffled.csv --model m --proba"),
        predictions
    );
}

#[test]
fn categories_that_nobody_has_seen_are_reported() {
    let (bench, text) = (trained(), houses(1000));
    bench.write("new.csv", &text.replacen(",red,", ",violet,", 3));
    let output = bench.run("predict --data new.csv --model m --out predictions");
    let said = stderr(&output);
    assert!(
        output.status.success() && said.contains("predicted 1000 rows; 3 cells of categories"),
        "{said}"
    );
    assert!(
        column(&bench.read("predictions"), "prediction")
            .iter()
            .all(|prediction| !prediction.is_empty())
    );
    assert!(stderr(&bench.run("predict --data houses.csv --model m --out predictions")).is_empty());
}

#[test]
fn a_missing_column_is_named() {
    let bench = trained();
    bench.write("less.csv", "size,rooms,age\n100,2,3\n");
    bench.refused(
        "predict --data less.csv --model m",
        &["less.csv", "no column `colour`", "size, rooms, age"],
    );
}

#[test]
fn the_prediction_comes_first_and_probabilities_sum_to_one() {
    let bench = trained();
    let csv = bench.ok("predict --data houses.csv --model m --proba");
    let header = csv.lines().next().unwrap();
    assert_eq!(
        header,
        "prediction,p(flat),p(hall),p(villa),\"p(late, and rare)\""
    );
    let names = ["flat", "hall", "villa", "late, and rare"];
    let columns = names.map(|name| numbers(&csv, &format!("p({name})")));
    for (row, prediction) in column(&csv, "prediction").iter().enumerate() {
        let probabilities = columns.each_ref().map(|column| column[row]);
        assert!((probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        let of_predicted = probabilities[names.iter().position(|name| name == prediction).unwrap()];
        assert!(probabilities.iter().all(|p| *p <= of_predicted));
    }
}

#[test]
fn json_lines_say_what_csv_says() {
    let bench = trained();
    let csv = bench.ok("predict --data houses.csv --model m --proba");
    let json = bench.ok("predict --data houses.csv --model m --proba --format jsonl");
    let rows: Vec<Value> = json
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let (classes, villas) = (column(&csv, "prediction"), numbers(&csv, "p(villa)"));
    assert_eq!(rows.len(), 1000);
    for ((row, class), villa) in rows.iter().zip(&classes).zip(villas) {
        assert_eq!(row["prediction"], class.as_str());
        assert_eq!(row["p(villa)"], villa);
    }
    assert!(json.starts_with("{\"prediction\":"), "{json}");
}

#[test]
fn intervals_hold_what_they_say() {
    let (bench, text) = (Bench::new(), sums(3000));
    bench.write("old.csv", &first(&text, 2500));
    bench.write("new.csv", &from(&text, 2500));
    bench.ok("train --data old.csv --target value --algorithm mondrian-2016 --trees 20 --model m");
    let csv = bench.ok("predict --data new.csv --model m --interval 0.9");
    assert!(csv.starts_with("prediction,lower,upper\n"));
    let (lower, upper) = (numbers(&csv, "lower"), numbers(&csv, "upper"));
    let truth = numbers(&from(&text, 2500), "value");
    let rows = truth.iter().zip(lower.iter().zip(&upper));
    let inside = rows
        .filter(|(value, (lower, upper))| (*lower..=*upper).contains(value))
        .count();
    // 500 rows at 0.9: four standard deviations are 27 rows. The intervals of this model are wide.
    assert!((423..=500).contains(&inside), "{inside}");
    let wider = bench.ok("predict --data new.csv --model m --interval 0.99");
    assert!(
        numbers(&wider, "upper")
            .iter()
            .zip(&upper)
            .all(|(wide, narrow)| wide > narrow)
    );
}

#[test]
fn what_a_model_cannot_tell_is_refused() {
    let bench = trained();
    bench.write("sums.csv", &sums(100));
    bench.ok("train --data sums.csv --target value --model sums");
    bench.refused(
        "predict --data sums.csv --model sums --proba",
        &["--proba needs a classifier", "regression"],
    );
    bench.refused(
        "predict --data sums.csv --model sums --interval 0.9",
        &["mondrian-2016", "residual-forest:"],
    );
    bench.refused(
        "predict --data houses.csv --model m --interval 0.9",
        &["--interval needs a regressor"],
    );
    for level in ["0", "1", "-0.5", "NaN", "half"] {
        let line = format!("predict --data sums.csv --model sums --interval={level}");
        bench.refused(&line, &["a probability above 0 and below 1"]);
    }
}

#[test]
fn standard_input_and_any_number_of_threads_predict_alike() {
    let (bench, text) = (trained(), houses(1000));
    let predictions = bench.ok("predict --data houses.csv --model m --proba --threads 1");
    assert_eq!(
        bench.ok_with("predict --data - --model m --proba", &text),
        predictions
    );
    for threads in [2, 8] {
        let line = format!("predict --data houses.csv --model m --proba --threads {threads}");
        assert_eq!(bench.ok(&line), predictions);
    }
}

/// A program that sends a row and waits for the prediction before it sends the next gets it.
#[test]
fn a_prediction_does_not_wait_for_more_rows() {
    let (bench, text) = (trained(), houses(20));
    let mut command = bench.command("predict --data - --model m");
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut asking = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut rows = text.lines();
    for line in rows.by_ref().take(2) {
        writeln!(asking, "{line}").unwrap();
    }
    assert_eq!(lines.next().unwrap().unwrap(), "prediction");
    assert!(!lines.next().unwrap().unwrap().is_empty());
    for row in rows {
        writeln!(asking, "{row}").unwrap();
        assert!(!lines.next().unwrap().unwrap().is_empty());
    }
    drop(asking);
    assert!(lines.next().is_none() && child.wait().unwrap().success());
}

#[test]
fn a_reader_that_goes_away_is_not_an_error() {
    let bench = trained();
    bench.write("many.csv", &houses(20_000));
    let mut command = bench.command("predict --data many.csv --model m --proba");
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().starts_with("prediction"));
    drop(lines);
    let output = child.wait_with_output().unwrap();
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{output:?}"
    );
}

#[test]
fn the_order_of_rows_is_kept() {
    let bench = Bench::new();
    let table: String = (0..5000).map(|i| format!("{i},{i}\n")).collect();
    bench.write("line.csv", &format!("x,y\n{table}"));
    bench.ok("train --data line.csv --target y --task regress --model m --trees 20");
    let predictions = numbers(&bench.ok("predict --data line.csv --model m"), "prediction");
    assert_eq!(predictions.len(), 5000);
    let far = (0..)
        .zip(&predictions)
        .filter(|(i, prediction)| (f64::from(*i) - **prediction).abs() > 100.0);
    // Few trees know little of some rows; in another order nearly all would be far.
    assert!(far.count() < 50);
}

/// The latest rows say something about the next row, and nothing about those of a table.
#[test]
fn a_model_of_recent_rows_says_that_it_predicts_the_next_row() {
    let bench = Bench::new();
    bench.write("houses.csv", &houses(200));
    bench.write("one.csv", &houses(1));
    bench.ok("train --data houses.csv --target kind --missing median --trees 4 --algorithm residual-forest:recent=10 --model m");
    let said =
        |data: &str| stderr(&bench.run(&format!("predict --data {data} --model m --out p.csv")));
    assert!(said("houses.csv").contains("with recent=10 the model predicts the next row"));
    assert!(!said("one.csv").contains("recent"));
}
