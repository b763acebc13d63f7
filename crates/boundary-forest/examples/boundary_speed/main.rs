//! Speed on MNIST, one thread: the forest beside a plain implementation, which is the same algorithm with
//! the distances of one query shared between the trees and a vectorised kernel, but no other shortcut.
//!
//! `cargo run --release -p boundary-forest --example boundary_speed` writes `speed.csv`, `speed.md` and
//! `alternatives.md` into `docs/results/boundary-forest/`.

mod alternatives;
#[path = "../common/mod.rs"]
mod common;
mod plain;

use std::fmt::Write;

use boundary_forest::{BoundaryClassifier, ClassifierSettings, Euclidean, Metric};
use common::{Split, percent_wrong, processor_seconds, write};
use forest_core::{ForestSettings, OnlineLearner, Schema, threads};
use plain::{Double, Single};

/// Rounds, in each of which every variant is measured once.
const ROUNDS: usize = 3;

/// Seconds to learn and to answer, and the error in percent.
type Run = [f64; 3];

fn measure<M: Metric>(split: &Split) -> Run {
    let ((rows, labels), (queries, truth)) = (split.train(), split.test());
    let schema = Schema::new(rows.ncols()).expect("there are features");
    let forest = BoundaryClassifier::<M>::new(
        schema,
        ClassifierSettings::default(),
        ForestSettings {
            trees: 50,
            seed: 0,
            ..ForestSettings::default()
        },
    );
    let mut forest = forest.expect("defaults are valid");
    let start = processor_seconds();
    forest.learn(rows, labels).expect("rows are acceptable");
    let learned = processor_seconds() - start;
    let start = processor_seconds();
    let answers = forest.predict(queries).expect("rows are acceptable");
    let answered = processor_seconds() - start;
    [learned, answered, percent_wrong(&answers, truth)]
}

/// A variant's name and what measures it.
type Variant = (&'static str, fn(&Split) -> Run);

const VARIANTS: [Variant; 3] = [
    ("boundary forest", measure::<Euclidean>),
    ("plain, f64 lanes", measure::<Double>),
    ("plain, f32 lanes", measure::<Single>),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let split = Split::open("mnist", 60_000);
    let mut runs = [const { Vec::new() }; VARIANTS.len()];
    let mut csv = String::from("round,variant,train_seconds,test_seconds,error\n");
    for round in 0..ROUNDS {
        for ((name, measure), runs) in VARIANTS.iter().zip(&mut runs) {
            let run = threads::with_threads(1, || measure(&split))?;
            let [learned, answered, error] = run;
            writeln!(
                csv,
                "{round},\"{name}\",{learned:.2},{answered:.2},{error:.2}"
            )?;
            println!("{name}: {learned:.2} s, {answered:.2} s, {error:.2} %");
            runs.push(run);
        }
    }
    write("speed.csv", &csv)?;
    write("speed.md", &table(&runs)?)?;
    write("alternatives.md", &alternatives::report(&split)?)?;
    Ok(())
}

fn table(runs: &[Vec<Run>]) -> Result<String, std::fmt::Error> {
    let mut table = String::from(TITLE);
    let best = [0, 1].map(|what| median(&runs[0], what));
    for ((name, _), runs) in VARIANTS.iter().zip(runs) {
        let [learned, answered, error] = [0, 1, 2].map(|what| median(runs, what));
        let ratios = [learned / best[0], answered / best[1]];
        writeln!(
            table,
            "| {name} | {learned:.1} | {answered:.2} | {:.1} | {:.1} | {error:.2} |",
            ratios[0], ratios[1]
        )?;
    }
    Ok(table)
}

fn median(runs: &[Run], what: usize) -> f64 {
    let mut values: Vec<_> = runs.iter().map(|run| run[what]).collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

const TITLE: &str = "\
MNIST, 60000 rows to learn and 10000 to answer, `n_T` = 50, `k` = 50, one thread, generic x86-64 build, seconds of
processor time, median of three rounds. Made by `cargo run --release -p boundary-forest --example boundary_speed`; every run is in `speed.csv`.
Plain: the same algorithm, distances shared between the trees and computed by a vectorised kernel, no other
shortcut. `f64` lanes give the same bits; `f32` lanes give them here, where pixels are whole numbers.

| variant | seconds to learn | to answer | times as long to learn | to answer | error, % |
|---|---|---|---|---|---|
";
