//! Values that are numbers or dates to a person, from a table to predictions.

use crate::bench::Bench;

/// Classes that only the seconds determine.
fn classes() -> Vec<&'static str> {
    let class = |i: u32| ["x", "y"][(i.wrapping_mul(2_654_435_769) >> 31) as usize];
    (0..600).map(class).collect()
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
    let train = format!("train --data {name}.csv --target y --algorithm mondrian");
    bench.ok(&format!("{train} --model {name}.model"));
    let predictions = bench.ok(&format!("predict --data {name}.csv --model {name}.model"));
    let predictions = predictions.lines().skip(1).zip(classes());
    predictions
        .filter(|(prediction, class)| prediction == class)
        .count() as f64
        / 600.0
}

#[test]
fn dates_seconds_apart_are_distinguished_as_well_as_seconds() {
    let seconds = table(|i| (7 * i).to_string());
    let bench = Bench::with(&[("dates.csv", &table(date)), ("seconds.csv", &seconds)]);
    assert_eq!(
        [accuracy(&bench, "dates"), accuracy(&bench, "seconds")],
        [1.0, 1.0]
    );
    // What is subtracted is stated; a row is explained with its own date.
    bench.shows(
        "inspect --model dates.model --json",
        &["\"when - 2026-11-25\""],
    );
    let explain = "inspect --model dates.model --explain when=2026-11-25T10:00:07,one=1";
    bench.shows(explain, &["when = 2026-11-25T10:00:07 "]);
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
        let bench = Bench::with(&[("y.csv", &targets(cell))]);
        let train = "train --data y.csv --target y --model m";
        bench.refuse(train, &[("", &[says, "--task classify"])]);
        bench.ok(&format!("{train} --task classify"));
    }
}

#[test]
fn labels_that_no_f64_distinguishes_are_predicted() {
    let label = |i: usize| (9_007_199_254_740_991 + i as u64 / 30 % 3).to_string();
    let bench = Bench::with(&[("y.csv", &targets(label))]);
    bench.ok("train --data y.csv --target y --model m");
    let predictions = bench.ok("predict --data y.csv --model m");
    assert!(
        predictions.lines().skip(1).eq((0..80).map(label)),
        "{predictions}"
    );
}

#[test]
fn one_number_among_words_makes_no_bad_rows() {
    let rows = (0..80).map(|i| match i {
        40 => "7,p\n".to_owned(),
        _ => format!("k{},{}\n", i % 9, ["p", "q"][i % 2]),
    });
    let bench = Bench::with(&[(
        "codes.csv",
        &format!("code,y\n{}", rows.collect::<String>()),
    )]);
    let words = ["1 of 80 cells of column `code` are numbers (`7`)"];
    bench.says("train --data codes.csv --target y --model m", &words);
}
