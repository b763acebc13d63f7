//! Values that are numbers or dates to a person, from a table to predictions.

use crate::bench::{Bench, stderr};

/// Classes that only the seconds determine.
fn classes() -> Vec<&'static str> {
    (0..600_u32)
        .map(|i| {
            if i.wrapping_mul(2_654_435_769) >> 31 == 0 {
                "x"
            } else {
                "y"
            }
        })
        .collect()
}

fn table(cell: impl Fn(usize) -> String) -> String {
    let rows = classes().into_iter().enumerate();
    let rows = rows.map(|(i, class)| format!("{},1,{class}\n", cell(i)));
    format!("when,one,y\n{}", rows.collect::<String>())
}

fn date(i: usize) -> String {
    let seconds = 7 * i;
    format!(
        "2026-11-25T{:02}:{:02}:{:02}",
        10 + seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    )
}

/// Share of the rows learned that are predicted correctly.
fn accuracy(bench: &Bench, name: &str) -> f64 {
    bench.ok(&format!(
        "train --data {name}.csv --target y --algorithm mondrian --model {name}.model"
    ));
    let predictions = bench.ok(&format!("predict --data {name}.csv --model {name}.model"));
    let predictions = predictions.lines().skip(1);
    let right = predictions
        .zip(classes())
        .filter(|(prediction, class)| prediction == class)
        .count();
    right as f64 / classes().len() as f64
}

#[test]
fn dates_seconds_apart_are_distinguished_as_well_as_seconds() {
    let bench = Bench::new();
    bench.write("dates.csv", &table(date));
    bench.write("seconds.csv", &table(|i| (7 * i).to_string()));
    let accuracies = [accuracy(&bench, "dates"), accuracy(&bench, "seconds")];
    assert_eq!(accuracies, [1.0, 1.0]);
}

#[test]
fn what_is_subtracted_is_stated_by_inspect() {
    let bench = Bench::new();
    bench.write("dates.csv", &table(date));
    bench.ok("train --data dates.csv --target y --model m");
    let feature = "when - 2026-11-25";
    let json: serde_json::Value =
        serde_json::from_str(&bench.ok("inspect --model m --json")).unwrap();
    assert_eq!(json["features"][0], feature);
    let explained = bench.ok("inspect --model m --explain when=2026-11-25T10:00:07,one=1");
    // A row is explained with its own date.
    let own = "when = 2026-11-25T10:00:07 ";
    assert!(explained.contains(own), "{explained}");
}

/// Rows of a number and a target.
fn targets(cell: impl Fn(usize) -> String) -> String {
    let rows = (0..80).map(|i| format!("{}.5;{}\n", i * i, cell(i)));
    format!("a;y\n{}", rows.collect::<String>())
}

/// How a cell is written, and what is said about it.
type Written = (fn(usize) -> String, &'static str);

#[test]
fn a_target_that_may_be_numbers_or_dates_is_refused_unless_it_is_said_to_be_classes() {
    let cells: [Written; 4] = [
        (
            |i| format!("{},{:03}", 1 + i / 9, 37 * i % 1000),
            "--thousands CHAR",
        ),
        (|i| format!("0,{:02}", i + 10), "--decimal comma"),
        (|i| format!("2014-05-{:02}", i % 28 + 1), "looks like dates"),
        (|i| format!("12:{:02}", i % 60), "--dates PATTERN"),
    ];
    for (cell, says) in cells {
        let bench = Bench::new();
        bench.write("y.csv", &targets(cell));
        let train = "train --data y.csv --target y --model m";
        bench.refused(train, &[says, "--task classify"]);
        assert_eq!(bench.files(), ["y.csv"]);
        bench.ok(&format!("{train} --task classify"));
    }
}

#[test]
fn labels_that_no_f64_distinguishes_are_predicted() {
    let bench = Bench::new();
    let label = |i: usize| (9_007_199_254_740_991 + i as u64 % 3).to_string();
    bench.write("y.csv", &targets(|i| label(i / 30)));
    bench.ok("train --data y.csv --target y --model m");
    let predictions = bench.ok("predict --data y.csv --model m");
    let predictions: Vec<&str> = predictions.lines().skip(1).collect();
    let expected: Vec<String> = (0..80).map(|i| label(i / 30)).collect();
    assert_eq!(predictions, expected);
}

#[test]
fn one_number_among_words_makes_no_bad_rows() {
    let bench = Bench::new();
    let rows = (0..80).map(|i| match i {
        40 => "7,p\n".to_owned(),
        _ => format!("k{},{}\n", i % 9, ["p", "q"][i % 2]),
    });
    bench.write(
        "codes.csv",
        &format!("code,y\n{}", rows.collect::<String>()),
    );
    let output = bench.run("train --data codes.csv --target y --model m");
    let said = stderr(&output);
    assert!(output.status.success(), "{said}");
    assert!(
        said.contains("1 of 80 cells of column `code` are numbers (`7`)"),
        "{said}"
    );
}
