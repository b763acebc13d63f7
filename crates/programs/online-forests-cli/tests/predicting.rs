//! Predictions, and how they are written.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use serde_json::Value;

use crate::bench::{Bench, Running, column, numbers};
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

/// Columns may be shuffled and more, the target missing, rows on standard input, and threads as many as one likes.
#[test]
fn predictions_are_the_same_however_rows_arrive_and_are_written() {
    let (bench, text) = trained();
    let csv = bench.ok("predict --data houses.csv --model m --proba --threads 1");
    let mut shuffled = "age,extra,colour,rooms,size\n".to_owned();
    for row in csv::Reader::from_reader(text.as_bytes()).records() {
        let row = row.unwrap();
        shuffled += &format!("{},?,\"{}\",{},{}\n", &row[3], &row[2], &row[1], &row[0]);
    }
    bench.write("shuffled.csv", shuffled);
    for more in [
        "shuffled.csv",
        "houses.csv --threads 2",
        "houses.csv --threads 8",
    ] {
        let line = format!("predict --model m --proba --data {more}");
        assert_eq!(bench.ok(&line), csv, "{more}");
    }
    let piped = bench.ok_with("predict --data - --model m --proba", &text);
    assert_eq!(piped, csv);
    // The prediction comes first, and probabilities sum to one.
    let header = "prediction,p(flat),p(hall),p(villa),\"p(late, and rare)\"\n";
    assert!(csv.starts_with(header), "{csv}");
    let names = ["flat", "hall", "villa", "late, and rare"];
    let columns = names.map(|name| numbers(&csv, &format!("p({name})")));
    let predictions = column(&csv, "prediction");
    let mut right = 0;
    let known = column(&text, "kind");
    for (row, prediction) in predictions.iter().enumerate() {
        let shares = columns.each_ref().map(|column| column[row]);
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        let at = names.iter().position(|name| name == prediction).unwrap();
        assert!(shares.iter().all(|share| *share <= shares[at]));
        right += usize::from(*prediction == known[row]);
    }
    assert!(right > 800, "{right}");
    let json = bench.ok("predict --data houses.csv --model m --proba --format jsonl");
    assert!(json.starts_with("{\"prediction\":"), "{json}");
    assert_eq!(json.lines().count(), 1000);
    for (at, line) in json.lines().enumerate() {
        let row: Value = serde_json::from_str(line).unwrap();
        let found = (&row["prediction"], &row["p(villa)"]);
        let expected = (&predictions[at].as_str().into(), &columns[2][at].into());
        assert_eq!(found, expected);
    }
}

#[test]
fn unseen_categories_are_reported() {
    let (bench, text) = trained();
    bench.write("new.csv", text.replacen(",red,", ",violet,", 3));
    let words = ["predicted 1000 rows; 3 cells of categories"];
    bench.says("predict --data new.csv --model m --out p", &words);
    let predictions = column(&bench.read("p"), "prediction");
    assert!(predictions.iter().all(|text| !text.is_empty()));
    let said = bench.says("predict --data houses.csv --model m --out p", &[]);
    assert!(said.is_empty(), "{said}");
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
    let new = from(&text, 2500);
    let bench = Bench::with(&[("old.csv", &first(&text, 2500)), ("new.csv", &new)]);
    bench.ok("train --data old.csv --target value --algorithm mondrian-2016 --trees 20 --model m");
    let csv = bench.ok("predict --data new.csv --model m --interval 0.9");
    assert!(csv.starts_with("prediction,lower,upper\n"));
    let wider = bench.ok("predict --data new.csv --model m --interval 0.99");
    let lower = numbers(&csv, "lower");
    let upper = numbers(&csv, "upper");
    let wider = numbers(&wider, "upper");
    let mut inside = 0;
    for (row, value) in numbers(&new, "value").iter().enumerate() {
        inside += usize::from((lower[row]..=upper[row]).contains(value));
        assert!(wider[row] > upper[row]);
    }
    // 500 rows at 0.9: four standard deviations are 27 rows. The intervals of this model are wide.
    assert!((423..=500).contains(&inside), "{inside}");
}

/// A program that sends a row and waits for the prediction before it sends the next gets it.
#[test]
fn a_prediction_does_not_wait_for_more_rows() {
    let (bench, text) = trained();
    let mut command = bench.command("predict --data - --model m");
    command.stdout(Stdio::piped());
    let mut running = Running::new(command);
    let lines = BufReader::new(running.child.stdout.take().unwrap()).lines();
    let mut lines = lines.map(Result::unwrap);
    for (at, row) in text.lines().take(20).enumerate() {
        running.write(format!("{row}\n"));
        if at == 1 {
            assert_eq!(lines.next().unwrap(), "prediction");
        }
        assert!(at == 0 || !lines.next().unwrap().is_empty());
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
