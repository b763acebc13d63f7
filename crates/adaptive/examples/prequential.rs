//! Test then train, in stream order: the numbers of `docs/results/adaptive`.
//!
//! ```text
//! cargo run --release -p adaptive --example prequential -- [--drop COLUMN]… [--rows N] [--shuffle]
//!     [--seeds N] [--trees N] [--curve] [--batch ROWS] ADDRESS… -- ALGORITHM…
//! ```
//!
//! Prints a line of CSV for each data set, algorithm and seed: accuracy, or root mean squared error, over the whole
//! stream, with the microseconds a row, trees in all and megabytes at the end. With `--curve`, also a line for each batch
//! (of 1000 rows unless told): rows so far, score, seconds so far, bytes, and the weight of each member.

use std::error::Error;
use std::time::Instant;

use adaptive::{AdaptiveTask, InTable};
use datasets::{Dataset, OpenOptions, Target};
use forest_core::{
    Classification, ForestSettings, OnlineLearner, PredictionRows, Regression, Schema, TreeRng,
    argmax,
};
use ndarray::{Array2, Axis, s};
use registry::{Entry, Registry};

#[derive(Clone, Copy, Debug)]
struct Table;

impl Registry for Table {
    const ENTRIES: &'static [&'static Entry] = &[
        InTable::<Self>::ENTRY,
        &mondrian::MONDRIAN,
        &mondrian::AMF,
        &obsp::OBSP,
        &boundary_forest::BOUNDARY_FOREST,
        &stream_rf::STREAM_RF,
        &registry::NO_CHANGE,
        &registry::MAJORITY,
        &registry::MEAN,
    ];
}

#[derive(Default)]
struct Options {
    drop: Vec<String>,
    rows: Option<usize>,
    shuffle: bool,
    curve: bool,
    batch: usize,
    seeds: u64,
    trees: usize,
    data: Vec<String>,
    algorithms: Vec<String>,
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut options = Options {
        seeds: 1,
        trees: 10,
        batch: 1000,
        ..Options::default()
    };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} needs a value"));
        match word.as_str() {
            "--drop" => options.drop.push(value()?),
            "--rows" => options.rows = Some(value()?.parse()?),
            "--seeds" => options.seeds = value()?.parse()?,
            "--trees" => options.trees = value()?.parse()?,
            "--batch" => options.batch = value()?.parse()?,
            "--shuffle" => options.shuffle = true,
            "--curve" => options.curve = true,
            "--" => options.algorithms.extend(words.by_ref()),
            _ => options.data.push(word),
        }
    }
    Ok(options)
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = options()?;
    println!("data,algorithm,seed,score,microseconds a row,trees,megabytes");
    let data_dir = std::env::var_os("FOREST_DATA").map(Into::into);
    let open = OpenOptions {
        data_dir,
        ..OpenOptions::default()
    };
    for address in &options.data {
        let data = datasets::open(address, &open)?;
        let rows = prepared(&data, &options);
        for seed in 0..options.seeds {
            let order = order(rows.nrows(), seed, options.shuffle);
            let features = rows.select(Axis(0), &order);
            for algorithm in &options.algorithms {
                let named = (address.as_str(), algorithm.as_str(), seed);
                match &data.target {
                    Target::Classes { labels, .. } => {
                        let labels: Vec<u32> = order.iter().map(|&row| labels[row]).collect();
                        run::<Classification>(named, &features, &labels, &options)?;
                    }
                    Target::Values { values, .. } => {
                        let values: Vec<f64> = order.iter().map(|&row| values[row]).collect();
                        run::<Regression>(named, &features, &values, &options)?;
                    }
                }
            }
        }
    }
    Ok(())
}

/// The first rows, without the columns that are dropped.
fn prepared(data: &Dataset, options: &Options) -> Array2<f32> {
    let named = data.feature_names.iter().enumerate();
    let kept = named.filter(|(_, name)| !options.drop.contains(name));
    let kept: Vec<usize> = kept.map(|(index, _)| index).collect();
    let rows = options.rows.unwrap_or(usize::MAX).min(data.rows());
    data.features.slice(s![..rows, ..]).select(Axis(1), &kept)
}

fn order(rows: usize, seed: u64, shuffle: bool) -> Vec<usize> {
    let mut order: Vec<usize> = (0..rows).collect();
    if shuffle {
        let mut rng = TreeRng::new(seed, 77);
        for last in (1..rows).rev() {
            order.swap(last, rng.below(last + 1));
        }
    }
    order
}

/// What is measured of a task.
trait Scored: AdaptiveTask {
    /// Whether an answer is right, or its squared error.
    fn score(answer: &[f64], target: Self::Target) -> f64;

    /// What the mean of these is reported as.
    fn reported(mean: f64) -> f64;
}

impl Scored for Classification {
    fn score(answer: &[f64], target: u32) -> f64 {
        f64::from(u8::from(
            !answer.is_empty() && argmax(answer) == target as usize,
        ))
    }

    fn reported(mean: f64) -> f64 {
        mean
    }
}

impl Scored for Regression {
    fn score(answer: &[f64], target: f64) -> f64 {
        (answer[0] - target).powi(2)
    }

    fn reported(mean: f64) -> f64 {
        mean.sqrt()
    }
}

fn run<T: Scored>(
    (data, text, seed): (&str, &str, u64),
    features: &Array2<f32>,
    targets: &[T::Target],
    options: &Options,
) -> Result<(), Box<dyn Error>> {
    let algorithm: registry::Algorithm<Table> = text.parse()?;
    let forest = ForestSettings {
        trees: options.trees,
        seed,
        ..ForestSettings::default()
    };
    let mut learner = algorithm.build::<T>(Schema::new(features.ncols())?, forest)?;
    let (mut sum, mut curve) = (0.0, Vec::new());
    let start = Instant::now();
    for first in (0..targets.len()).step_by(options.batch) {
        let last = targets.len().min(first + options.batch);
        let (rows, targets) = (features.slice(s![first..last, ..]), &targets[first..last]);
        let answers: PredictionRows = learner.predict_then_learn(rows, targets)?;
        let scores = answers
            .iter()
            .zip(targets)
            .map(|(row, &target)| T::score(row, target));
        let of_batch: f64 = scores.sum();
        sum += of_batch;
        if options.curve {
            let score = T::reported(of_batch / targets.len() as f64);
            let seconds = start.elapsed().as_secs_f64();
            let (bytes, weights) = (learner.footprint().bytes, weights(&learner));
            curve.push(format!(
                "# {last} {score:.4} {seconds:.1} {bytes} {weights}"
            ));
        }
    }
    let micros = start.elapsed().as_secs_f64() * 1e6 / targets.len() as f64;
    let megabytes = learner.footprint().bytes as f64 / 1e6;
    let score = T::reported(sum / targets.len() as f64);
    let trees = learner.trees();
    let [data, text] = [data, text].map(|name| name.replace(',', ";"));
    println!("{data},{text},{seed},{score:.4},{micros:.1},{trees},{megabytes:.2}");
    curve.iter().for_each(|line| println!("{line}"));
    Ok(())
}

/// The members' weights now.
fn weights<T: AdaptiveTask>(learner: &registry::AnyLearner<T, Table>) -> String {
    let members = learner.as_mixture().map(|mixture| mixture.members());
    let texts = members
        .iter()
        .flatten()
        .map(|(name, weight)| format!("{name}={weight:.3}"));
    texts.collect::<Vec<_>>().join(" ")
}
