//! Bad input is refused in words, with a non-zero exit code, before anything is written.

use crate::bench::{Bench, end, has, table};

/// Runs with `options`, which must be refused with all of `words`.
fn refused(bench: &Bench, options: &str, words: &str) {
    let ended = bench.compare(options);
    let said = &ended.err;
    assert!(matches!(ended.code, Some(1 | 2)), "{options:?}: {ended:?}");
    let is_error = said.lines().any(|line| line.starts_with("error: "));
    assert!(
        is_error && !said.contains("panicked"),
        "{options:?}: {said}"
    );
    assert!(said.lines().count() <= 20, "{options:?}: {said}");
    assert!(
        said.matches("No such file").count() < 2,
        "a cause is said once: {said}"
    );
    has(said, words);
    assert!(!bench.out().exists(), "{options:?} wrote something");
}

/// Options, and the words of their refusal.
const REFUSED: [&str; 39] = [
    "--algorithm majorty => majorty|`majority`",
    "--algorithm random-forrest => `random-forest`",
    "--algorithm majority:x=1 => no parameter `x`",
    "--algorithm boundary-forest:max_childern=3 => max_children",
    "--algorithm k-nn:k=0 => k must be",
    "--algorithm majority --algorithm majority => twice",
    "--metric acuracy => did you mean `accuracy`",
    "--data gausian-mixture => gausian-mixture|`gaussian-mixture`",
    "--data letter => FOREST_DATA|cargo xtask-all data fetch letter",
    "--data three.csv --task regress => classify",
    "--data three.csv --task guess => guess",
    "--data three.csv --target z => no column `z`",
    "--data three.csv --train 3 => three|3 rows|at most 2",
    "--data three.csv --pca 2 => only 1 feature",
    "--data base.csv --data ./base.csv => listed twice",
    "--data sea:n=60 --algorithm mean => mean|classification",
    "--data sea:n=60 --metric rmse => --metric|`rmse`|regression|accuracy, balanced_accuracy",
    "--data sea:n=60 --algorithm random-forest --protocol prequential => --protocol holdout",
    "--trees 0 => --trees",
    "--trees 1000000000 => 1000000000|100000",
    "--seeds 0 => --seeds",
    "--threads 0 => --threads",
    "--train 0 => --train|between 0 and 1",
    "--train 1.5 => between 0 and 1",
    "--pca 0 => --pca",
    "--part 5/4 => --part",
    "--protocol kfold --folds 1 => --folds|from 2 to",
    "--folds 3 --protocol both => --folds|no effect|the protocol kfold",
    "--delay 3 --protocol prequential => --delay|no effect|the protocol delayed",
    "--data base.csv --protocol delayed --delay 59 => --delay|60 rows|0 to 58",
    "--validation split --protocol kfold => --validation|no effect|the protocol prequential-kfold",
    "--train 0.5 --protocol kfold => --train|no effect|the protocol holdout",
    "--split chronological --protocol prequential => --split|no effect|the protocol holdout",
    "--python nowhere.py => --python: nowhere.py is not a file",
    "--python base.csv --target first => cannot be used with",
    "--python base.csv --header no => cannot be used with",
    "--time-limit 0s => such as 90s",
    "--time-limit soon => such as 90s",
    "--report-from nowhere.jsonl => cannot read nowhere.jsonl",
];

#[test]
fn options_that_make_no_sense_are_refused() {
    let bench = Bench::new();
    bench.input("base.csv", &table(0));
    bench.input("three.csv", "x,y\n1,a\n2,b\n3,a\n");
    for case in REFUSED {
        let (options, words) = case.split_once(" => ").unwrap();
        refused(&bench, options, words);
    }
    has(
        &end(&mut bench.bare("--threads 1000000")).err,
        "1000000|1024",
    );
    bench.input("out", "a file where the folder should be");
    let ended = bench.compare("--data sea:n=60");
    assert_eq!(ended.code, Some(1));
    has(&ended.err, "error: cannot make the folder");
}

#[test]
fn files_that_are_not_data_are_refused() {
    let sixty = |cell: &dyn Fn(usize) -> String| {
        let rows = (0..60).map(|i| format!("{}.5;{}\n", i * i, cell(i)));
        format!("a;y\n{}", rows.collect::<String>())
    };
    let thousands = sixty(&|i| format!("{},{:03}", 1 + i / 9, 37 * i % 1000));
    let dates = sixty(&|i| format!("2014-05-{:02}", i % 28 + 1));
    let missing = "1 of 3 cells of column `x`|2 of 3 cells of column `z`|--missing";
    for (content, words) in [
        ("", "no rows"),
        ("x,y\n1,a\nNaN,b\n", "line 3"),
        ("x,y\n1,a\ninf,b\n", "line 3"),
        ("x,y\n1,a\n2,b,3\n", "line 3"),
        ("x,y\n1,a\n", "2"),
        ("y\na\nb\n", "feature"),
        ("x,y\n1,a\n2,a\n", "target"),
        ("x,z,y\n1,?,a\n,2,b\n3,NA,a\n", missing),
        (&thousands, "cells contain digits (`1,000`)|--thousands"),
        (&dates, "looks like dates (`2014-05-01`"),
    ] {
        let bench = Bench::new();
        bench.input("input.csv", content);
        refused(&bench, "--data input.csv", words);
    }
}
