//! Values that are numbers or dates to a person, from a table to predictions.

use crate::bench::{Bench, column};

/// Classes that only the seconds determine.
fn class(i: usize) -> &'static str {
    ["x", "y"][((i as u32).wrapping_mul(2_654_435_769) >> 31) as usize]
}

#[test]
fn dates_seconds_apart_are_distinguished_as_well_as_seconds() {
    let bench = Bench::new();
    let date = |i: usize| {
        format!(
            "2026-11-25T{:02}:{:02}:{:02}",
            10 + i / 3600,
            i / 60 % 60,
            i % 60
        )
    };
    let write: [(&str, &dyn Fn(usize) -> String); 2] =
        [("dates", &date), ("seconds", &|i| i.to_string())];
    for (name, cell) in write {
        let rows: String = (0..600)
            .map(|i| format!("{},1,{}\n", cell(7 * i), class(i)))
            .collect();
        bench.write(&format!("{name}.csv"), format!("when,one,y\n{rows}"));
        let train = format!("train --data {name}.csv --target y --algorithm mondrian");
        bench.ok(&format!("{train} --model {name}.model"));
        let predictions = bench.ok(&format!("predict --data {name}.csv --model {name}.model"));
        let right = column(&predictions, "prediction")
            .into_iter()
            .eq((0..600).map(class));
        assert!(right, "{name}");
    }
    // What is subtracted is stated; a row is explained with its own date.
    let origin = "\"when - 2026-11-25\"";
    bench.shows("inspect --model dates.model --json", &[origin]);
    let explain = "inspect --model dates.model --explain when=2026-11-25T10:00:07,one=1";
    bench.shows(explain, &["when = 2026-11-25T10:00:07 "]);
}

/// Rows of a number and a target.
fn targets(cell: impl Fn(usize) -> String) -> Bench {
    let rows: String = (0..80)
        .map(|i| format!("{}.5;{}\n", i * i, cell(i)))
        .collect();
    Bench::with(&[("y.csv", &format!("a;y\n{rows}"))])
}

/// How a cell is written, and words of the message about it.
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
        let bench = targets(cell);
        let train = "train --data y.csv --target y --model m";
        bench.refuse(train, &[("", &[says, "--task classify"])]);
        bench.ok(&format!("{train} --task classify"));
    }
}

#[test]
fn labels_that_no_f64_distinguishes_are_predicted() {
    let label = |i: usize| (9_007_199_254_740_991 + i as u64 / 30 % 3).to_string();
    let bench = targets(label);
    bench.ok("train --data y.csv --target y --model m");
    let predictions = bench.ok("predict --data y.csv --model m");
    assert!(
        column(&predictions, "prediction")
            .into_iter()
            .eq((0..80).map(label))
    );
}

#[test]
fn one_number_among_words_makes_no_bad_rows() {
    let mut rows = "code,y\n".to_owned();
    for i in 0..80 {
        let code = if i == 40 {
            "7".to_owned()
        } else {
            format!("k{}", i % 9)
        };
        rows += &format!("{code},{}\n", ["p", "q"][i % 2]);
    }
    let bench = Bench::with(&[("codes.csv", &rows)]);
    let words = ["column `code` is text, but 80 of 80 cells contain digits (`k0`)"];
    bench.says("train --data codes.csv --target y --model m", &words);
}
