//! The paper's Table 2: errors of the online and the offline boundary forest, `n_T` = 50, `k` = 50,
//! raw features, three seeds; and the paper's two claims about them.
//!
//! `cargo run --release -p boundary-forest --example boundary_table2` writes
//! `docs/results/boundary-forest/table2.csv` and `table2.md`.

#[path = "../common/mod.rs"]
mod common;

use std::fmt::Write;

use boundary_forest::{BoundaryClassifier, ClassifierSettings, Euclidean};
use common::{Split, mean, percent_wrong, processor_seconds};
use forest_core::{OnlineLearner, Schema, threads};

/// A set, its training rows, and the paper's error of BF and OBF with what we may not exceed.
const SETS: [(&str, usize, f64, f64, f64); 5] = [
    ("dna", 1400, 14.3, 13.1, 14.9),
    ("letter", 10_500, 5.4, 5.5, 5.4),
    ("letter", 15_000, 5.4, 5.5, 5.4),
    ("pendigits", 7494, 2.62, 2.60, 2.62),
    ("mnist", 60_000, 2.24, 2.6, 2.5),
];

const SEEDS: u64 = 3;
const TREES: usize = 50;

/// What is measured of one forest.
struct Outcome {
    train_error: f64,
    test_error: f64,
    train_seconds: f64,
    test_seconds: f64,
}

fn measure(split: &Split, plant: impl Fn() -> BoundaryClassifier) -> Outcome {
    let start = processor_seconds();
    let forest = plant();
    let train_seconds = processor_seconds() - start;
    let (train, test) = (split.train(), split.test());
    let start = processor_seconds();
    let answers = forest.predict(test.0).expect("rows are acceptable");
    let test_seconds = processor_seconds() - start;
    let on_train = forest.predict(train.0).expect("rows are acceptable");
    Outcome {
        train_error: percent_wrong(&on_train, train.1),
        test_error: percent_wrong(&answers, test.1),
        train_seconds,
        test_seconds,
    }
}

fn online(split: &Split, seed: u64) -> BoundaryClassifier {
    let (rows, labels) = split.train();
    let schema = Schema::new(rows.ncols()).expect("there are features");
    let settings = ClassifierSettings::default();
    let forest = BoundaryClassifier::<Euclidean>::new(schema, settings, TREES, seed);
    let mut forest = forest.expect("defaults are valid");
    forest.learn(rows, labels).expect("rows are acceptable");
    forest
}

fn offline(split: &Split, seed: u64) -> BoundaryClassifier {
    let (rows, labels) = split.train();
    let schema = Schema::new(rows.ncols()).expect("there are features");
    let settings = ClassifierSettings::default();
    BoundaryClassifier::offline(schema, settings, TREES, seed, rows, labels)
        .expect("rows are acceptable")
}

fn main() -> std::io::Result<()> {
    let (mut csv, mut table) = (String::from(HEADER), String::from(TITLE));
    let run = || {
        for (name, rows, paper_bf, paper_obf, limit) in SETS {
            let split = Split::open(name, rows);
            let mut errors = [vec![], vec![], vec![]];
            for seed in 0..SEEDS {
                let bf = measure(&split, || online(&split, seed));
                let obf = measure(&split, || offline(&split, seed));
                for (kind, o) in [("BF", &bf), ("OBF", &obf)] {
                    let Outcome {
                        train_error,
                        test_error,
                        train_seconds,
                        test_seconds,
                    } = o;
                    writeln!(csv, "{name},{rows},{kind},{seed},{test_error:.4},{train_error:.4},{train_seconds:.3},{test_seconds:.3}")
                        .expect("text can grow");
                }
                errors[0].push(bf.test_error);
                errors[1].push(obf.test_error);
                errors[2].push(bf.train_error);
            }
            let [bf, obf, on_train] = errors.map(|errors| mean(&errors));
            let row = format!(
                "| {name} | {rows} | {bf:.2} | {obf:.2} | {:+.1} % | {on_train:.2} | {paper_bf} | {paper_obf} | {limit} |",
                100.0 * (bf / obf - 1.0)
            );
            println!("{row}");
            writeln!(table, "{row}").expect("text can grow");
        }
    };
    threads::with_threads(1, run).expect("one thread can be had");
    common::write("table2.csv", &csv)?;
    common::write("table2.md", &table)
}

const HEADER: &str =
    "set,train_rows,forest,seed,test_error,train_error,train_seconds,test_seconds\n";

const TITLE: &str = "\
Errors in percent, mean of three seeds; `n_T` = 50, `k` = 50, raw features, one thread. Made by
`cargo run --release -p boundary-forest --example boundary_table2`; every run is in `table2.csv`.

| set | training rows | BF | OBF | BF above OBF | BF on its training set | paper: BF | paper: OBF | at most |
|---|---|---|---|---|---|---|---|---|
";
