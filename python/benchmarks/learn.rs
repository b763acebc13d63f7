//! Rust alone: times to learn and to predict the rows of a file, one run for each line that is read.
//!
//! `learn FEATURES TRAIN TEST FILE` reads FILE, which holds the features of TRAIN + TEST rows as `f32` and then
//! their targets as `f64`. For each line of its input, the name of an algorithm, it prints the seconds to learn and the seconds to predict.
//! So its runs alternate with those of Python, and no run includes the start of a process.

use std::env;
use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::io::stdin;
use std::time::Instant;

use online_forests::ndarray::{ArrayView2, Axis};
use online_forests::{
    Algorithm, AnyRegressor, ForestSettings, OnlineLearner, Regression, Schema, threads,
};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [features, train, test, file] = &arguments[..] else {
        return Err("FEATURES TRAIN TEST FILE".into());
    };
    let (features, train, test): (usize, usize, usize) =
        (features.parse()?, train.parse()?, test.parse()?);
    let (x, y) = read(file, (train + test) * features)?;
    let rows = ArrayView2::from_shape((train + test, features), &x)?;
    let (learned, asked) = rows.split_at(Axis(0), train);
    for algorithm in stdin().lines() {
        let algorithm: Algorithm = algorithm?.parse()?;
        let schema = Schema::<Regression>::new(features)?;
        let mut forest = algorithm.build(schema, ForestSettings::default())?;
        let [learning, predicting] =
            threads::with_threads(1, || run(&mut forest, learned, &y[..train], asked))??;
        println!("{learning} {predicting}");
    }
    Ok(())
}

/// Seconds to learn, and to predict.
fn run(
    forest: &mut AnyRegressor,
    learned: ArrayView2<'_, f32>,
    targets: &[f64],
    asked: ArrayView2<'_, f32>,
) -> Result<[f64; 2], online_forests::InputError> {
    let start = Instant::now();
    forest.learn(learned, targets)?;
    let learning = start.elapsed().as_secs_f64();
    black_box(forest.predict(asked)?);
    let predicting = start.elapsed().as_secs_f64() - learning;
    Ok([learning, predicting])
}

fn read(file: &str, values: usize) -> Result<(Vec<f32>, Vec<f64>), Box<dyn Error>> {
    let bytes = fs::read(file)?;
    let (x, y) = bytes.split_at(values * size_of::<f32>());
    let x = x
        .as_chunks()
        .0
        .iter()
        .map(|bytes| f32::from_le_bytes(*bytes));
    let y = y
        .as_chunks()
        .0
        .iter()
        .map(|bytes| f64::from_le_bytes(*bytes));
    Ok((x.collect(), y.collect()))
}
