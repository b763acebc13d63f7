//! Predictions, and how they are written.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use serde_json::Value;

use crate::bench::{Bench, Running, column};
use crate::data::{first, from, houses, sums};

fn trained() -> (Bench, String) {
    let text = houses(1000);
    let bench = Bench::with(&[("houses.csv", &text)]);
    bench.ok(
        "train --data houses.csv --target kind --missing median --categories one-hot \
         --fit-rows 300 --trees 10 --model m",
    );
    (bench, text)
}

fn numbers(text: &str, name: &str) -> Vec<f64> {
    column(text, name)
        .iter()
        .map(|cell| cell.parse().unwrap())
        .collect()
}

#[test]
fn five_lines_from_a_table_to_predictions() {
    let text = houses(2000);
    let bench = Bench::with(&[
        ("old.csv", &first(&text, 1500)),
        ("new.csv", &from(&text, 1500)),
    ]);
    bench.ok("train --data old.csv --target kind --missing median --model houses.model");
    bench.ok("predict --model houses.model --data new.csv --proba --out predictions.csv");
    bench.ok("inspect --model houses.model");
    bench.ok("inspect --model houses.model --tree 0 --format dot");
    let (predicted, known) = (
        column(&bench.read("predictions.csv"), "prediction"),
        column(&text, "kind"),
    );
    // A fifth of the rows have a class that no feature predicts.
    let right = predicted
        .iter()
        .zip(&known[1500..])
        .filter(|(a, b)| a == b)
        .count();
    assert!(right > 350, "{right} of 500");
    assert_eq!(
        bench.files(),
        ["houses.model", "new.csv", "old.csv", "predictions.csv"]
    );
}

/// Columns may be shuffled and more, the target missing, rows on standard input, and threads as many as one likes.
#[test]
fn predictions_are_the_same_however_rows_arrive_and_are_written() {
    let (bench, text) = trained();
    let csv = bench.ok("predict --data houses.csv --model m --proba --threads 1");
    let mut shuffled = "age,extra,colour,rooms,size\n".to_owned();
    for row in csv::Reader::from_reader(text.as_bytes())
        .records()
        .map(Result::unwrap)
    {
        shuffled += &format!("{},?,\"{}\",{},{}\n", &row[3], &row[2], &row[1], &row[0]);
    }
    bench.write("shuffled.csv", shuffled);
    for line in [
        "shuffled.csv",
        "houses.csv --threads 2",
        "houses.csv --threads 8",
    ] {
        assert_eq!(
            bench.ok(&format!("predict --model m --proba --data {line}")),
            csv,
            "{line}"
        );
    }
    assert_eq!(
        bench.ok_with("predict --data - --model m --proba", &text),
        csv
    );
    // The prediction comes first, and probabilities sum to one.
    assert!(
        csv.starts_with("prediction,p(flat),p(hall),p(villa),\"p(late, and rare)\"\n"),
        "{csv}"
    );
    let names = ["flat", "hall", "villa", "late, and rare"];
    let columns = names.map(|name| numbers(&csv, &format!("p({name})")));
    let predictions = column(&csv, "prediction");
    for (row, prediction) in predictions.iter().enumerate() {
        let shares = columns.each_ref().map(|column| column[row]);
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        let of_predicted = shares[names.iter().position(|name| name == prediction).unwrap()];
        assert!(shares.iter().all(|share| *share <= of_predicted));
    }
    let json = bench.ok("predict --data houses.csv --model m --proba --format jsonl");
    assert!(
        json.starts_with("{\"prediction\":") && json.lines().count() == 1000,
        "{json}"
    );
    for (at, line) in json.lines().enumerate() {
        let row: Value = serde_json::from_str(line).unwrap();
        assert_eq!(
            (&row["prediction"], &row["p(villa)"]),
            (&predictions[at].as_str().into(), &columns[2][at].into())
        );
    }
}

#[test]
fn categories_that_nobody_has_seen_are_reported() {
    let (bench, text) = trained();
    bench.write("new.csv", text.replacen(",red,", ",violet,", 3));
    let words = ["predicted 1000 rows; 3 cells of categories"];
    bench.says("predict --data new.csv --model m --out p", &words);
    assert!(
        column(&bench.read("p"), "prediction")
            .iter()
            .all(|text| !text.is_empty())
    );
    assert!(
        bench
            .says("predict --data houses.csv --model m --out p", &[])
            .is_empty()
    );
    // The latest rows say something about the next row, and nothing about those of a table.
    bench.write("one.csv", houses(1));
    let recent =
        "train --data houses.csv --target kind --trees 4 --algorithm residual-forest:recent=10";
    bench.ok(&format!("{recent} --missing median --model r"));
    let words = ["with recent=10 the model predicts the next row"];
    bench.says("predict --data houses.csv --model r --out p", &words);
    let said = bench.says("predict --data one.csv --model r --out p", &[]);
    assert!(!said.contains("recent"), "{said}");
}

#[test]
fn intervals_hold_what_they_say() {
    let text = sums(3000);
    let bench = Bench::with(&[
        ("old.csv", &first(&text, 2500)),
        ("new.csv", &from(&text, 2500)),
    ]);
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
    let wider = numbers(
        &bench.ok("predict --data new.csv --model m --interval 0.99"),
        "upper",
    );
    assert!(wider.iter().zip(&upper).all(|(wide, narrow)| wide > narrow));
}

/// A program that sends a row and waits for the prediction before it sends the next gets it.
#[test]
fn a_prediction_does_not_wait_for_more_rows() {
    let (bench, text) = trained();
    let mut command = bench.command("predict --data - --model m");
    command.stdout(Stdio::piped());
    let mut running = Running::new(command);
    let mut lines = BufReader::new(running.child.stdout.take().unwrap())
        .lines()
        .map(Result::unwrap);
    for (at, row) in text.lines().take(20).enumerate() {
        running.write(format!("{row}\n"));
        match at {
            0 => {}
            1 => assert!(lines.next().unwrap() == "prediction" && lines.next().is_some()),
            _ => assert!(!lines.next().unwrap().is_empty()),
        }
    }
    running.close();
    assert!(lines.next().is_none() && running.end().0 == Some(0));
}

#[test]
fn a_reader_that_goes_away_is_not_an_error() {
    let (bench, _) = trained();
    bench.write("many.csv", houses(20_000));
    let mut command = bench.command("predict --data many.csv --model m --proba");
    command.stdout(Stdio::piped());
    let mut running = Running::new(command);
    let mut lines = BufReader::new(running.child.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().starts_with("prediction"));
    drop(lines);
    assert_eq!(running.end(), (Some(0), String::new()));
}

#[test]
fn the_order_of_rows_is_kept() {
    let table: String = (0..5000).map(|i| format!("{i},{i}\n")).collect();
    let bench = Bench::with(&[("line.csv", &format!("x,y\n{table}"))]);
    bench.ok("train --data line.csv --target y --task regress --model m --trees 20");
    let predictions = numbers(&bench.ok("predict --data line.csv --model m"), "prediction");
    assert_eq!(predictions.len(), 5000);
    let far = (0..)
        .zip(&predictions)
        .filter(|(i, prediction)| (f64::from(*i) - **prediction).abs() > 100.0);
    // Few trees know little of some rows; in another order nearly all would be far.
    assert!(far.count() < 50);
}
