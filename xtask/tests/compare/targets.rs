//! What `compare` makes of targets, and of the order of rows.

use crate::bench::{Bench, stderr};

/// A table of 60 rows: a number, and this cell.
fn table(cell: impl Fn(usize) -> String) -> String {
    let rows = (0..60).map(|i| format!("{}.5;{}\n", i * i, cell(i)));
    format!("a;y\n{}", rows.collect::<String>())
}

const RUN: &str = "--data base.csv --algorithm majority --seeds 2 --protocol holdout";

#[test]
fn a_target_that_may_be_numbers_is_refused_as_in_train() {
    let bench = Bench::new();
    bench.input(
        "base.csv",
        &table(|i| format!("{},{:03}", 1 + i / 9, 37 * i % 1000)),
    );
    let output = bench.compare(RUN);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        said.contains("cells contain digits (`1,000`)") && said.contains("--thousands"),
        "{said}"
    );
    let dates = Bench::new();
    dates.input("base.csv", &table(|i| format!("2014-05-{:02}", i % 28 + 1)));
    assert!(stderr(&dates.compare(RUN)).contains("looks like dates (`2014-05-01`"));
    let classes = dates.compare(&format!("{RUN} --task classify"));
    assert!(classes.status.success(), "{}", stderr(&classes));
}

#[test]
fn labels_keep_all_digits() {
    let bench = Bench::new();
    bench.input(
        "base.csv",
        &table(|i| (9_007_199_254_740_991 + i as u64 % 3).to_string()),
    );
    assert!(bench.compare(RUN).status.success());
    assert_eq!(bench.runs()[0]["n_classes"], 3);
}

#[test]
fn options_of_other_protocols_are_refused() {
    for (options, remedy) in [
        ("--folds 3 --protocol both", "--protocol kfold"),
        ("--delay 3 --protocol prequential", "--protocol delayed"),
        (
            "--validation split --protocol kfold",
            "--protocol prequential-kfold",
        ),
        ("--train 0.5 --protocol kfold", "--protocol holdout"),
        (
            "--split chronological --protocol prequential",
            "--protocol holdout",
        ),
    ] {
        let bench = Bench::new();
        let output = bench.compare(&format!("--data sea:n=60 --algorithm majority {options}"));
        let (option, _) = options.split_once(' ').unwrap();
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{options}");
        assert!(
            said.contains(&format!("{option} has no effect")) && said.contains(remedy),
            "{said}"
        );
        assert!(!bench.out().exists());
    }
}

#[test]
fn rows_in_the_order_of_their_dates_can_be_tested_in_it() {
    let bench = Bench::new();
    let row = |i: usize| {
        let class = if i < 42 { "early" } else { "late" };
        format!("2014-{:02}-{:02},{class}\n", 1 + i / 28, 1 + i % 28)
    };
    let rows: String = (0..60).map(row).collect();
    bench.input("base.csv", &format!("when,y\n{rows}"));
    let shuffled = bench.compare(RUN);
    let said = stderr(&shuffled);
    assert!(
        said.contains("sorted by the dates in `when`") && said.contains("--split chronological"),
        "{said}"
    );
    let bench_in_time = Bench::new();
    bench_in_time.input("base.csv", &format!("when,y\n{rows}"));
    let in_time = bench_in_time.compare(&format!("{RUN} --split chronological"));
    assert!(in_time.status.success() && !stderr(&in_time).contains("shuffles them"));
    for run in bench_in_time.runs() {
        assert_eq!((&run["n_train"], &run["n_test"]), (&42.into(), &18.into()));
        // Only early rows were learned, and only late ones are tested.
        assert_eq!(run["value"], 0.0);
        assert_eq!(run["split"]["kind"], "chronological");
    }
}
