//! Accuracy, time and memory of dynamic forests on one thread:
//! `cargo run --release -p dynamic-forest --example cost -- letter 0.5,0 100`
//! (a data set, values of `recheck`, trees; `batch` in place of a value builds at once).

use std::time::Duration;

use datasets::{OpenOptions, Target, data_folder, open};
use dynamic_forest::{BatchForest, DynamicSettings, DynamicTree, Labels, OnlineLearner, Schema};
use forest_core::{
    Classification, Footprint, Forest, ForestSettings, OnlineTree, Regression, argmax, threads,
};
use ndarray::{Array2, ArrayView2, s};

/// Time that the thread has run, however busy the machine is (Linux).
struct Cpu(Duration);

impl Cpu {
    fn now() -> Self {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
        let nanos = text.split(' ').next().and_then(|first| first.parse().ok());
        Self(Duration::from_nanos(nanos.unwrap_or(0)))
    }

    fn elapsed(&self) -> Duration {
        Self::now().0 - self.0
    }
}

type Answer = Result<(), Box<dyn std::error::Error + Send + Sync>>;

fn main() -> Answer {
    threads::with_threads(1, run)?
}

fn run() -> Answer {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let argument = |index: usize, default: &str| {
        arguments
            .get(index)
            .map_or(default, String::as_str)
            .to_owned()
    };
    let options = OpenOptions {
        data_dir: Some(data_folder()),
        ..OpenOptions::default()
    };
    let data = open(argument(0, "letter"), &options)?;
    let split = data.split.unwrap_or(data.rows() * 4 / 5);
    let (train, test) = data.features.view().split_at(ndarray::Axis(0), split);
    let trees = argument(2, "100").parse()?;
    for mode in argument(1, "batch,0.5").split(',') {
        print!("{} {mode} ", data.name);
        match &data.target {
            Target::Classes { labels, .. } => {
                let (learned, asked) = labels.split_at(split);
                measure::<Classification>(mode, trees, (train, learned), test, |answers| {
                    let right = answers.outer_iter().zip(asked);
                    let right = right
                        .filter(|(row, y)| argmax(row.as_slice().expect("a row")) == **y as usize);
                    right.count() as f64 / asked.len() as f64
                })?;
            }
            Target::Values { values, .. } => {
                let (learned, asked) = values.split_at(split);
                measure::<Regression>(mode, trees, (train, learned), test, |answers| {
                    let errors = answers.iter().zip(asked).map(|(a, y)| (a - y) * (a - y));
                    (errors.sum::<f64>() / asked.len() as f64).sqrt()
                })?;
            }
        }
    }
    Ok(())
}

fn measure<T: Labels>(
    mode: &str,
    trees: usize,
    (train, targets): (ArrayView2<'_, f32>, &[T::Target]),
    test: ArrayView2<'_, f32>,
    score: impl Fn(&Array2<f64>) -> f64,
) -> Answer
where
    DynamicTree<T>: OnlineTree<Task = T, Settings = DynamicSettings>,
{
    let forest = ForestSettings {
        trees,
        seed: 1,
        ..ForestSettings::default()
    };
    let schema = Schema::<T>::new(train.ncols())?;
    let default = DynamicSettings::default();
    let start = Cpu::now();
    let (built, answers, asked, footprint);
    if mode == "batch" {
        let learner = BatchForest::fit(schema, train, targets, default, forest)?;
        built = start.elapsed();
        let start = Cpu::now();
        answers = learner.predict(test)?;
        asked = start.elapsed();
        footprint = learner.footprint();
    } else {
        let recheck = mode.parse()?;
        let settings = DynamicSettings { recheck, ..default };
        let mut learner = Forest::<DynamicTree<T>>::new(schema, settings, forest)?;
        let size = 1000;
        for from in (0..train.nrows()).step_by(size) {
            let to = train.nrows().min(from + size);
            learner.learn(train.slice(s![from..to, ..]), &targets[from..to])?;
        }
        built = start.elapsed();
        let start = Cpu::now();
        answers = learner.predict(test)?;
        asked = start.elapsed();
        footprint = Footprint {
            bytes: learner.footprint().bytes - learner.samples().bytes(),
            ..learner.footprint()
        };
    }
    let micros = |time: Duration, rows: usize| time.as_secs_f64() * 1e6 / (rows * trees) as f64;
    println!(
        "score {:.4} | learn {:.3} µs, predict {:.4} µs, {:.1} bytes, {:.3} nodes a row and tree",
        score(&answers),
        micros(built, train.nrows()),
        micros(asked, test.nrows()),
        footprint.bytes as f64 / (train.nrows() * trees) as f64,
        footprint.nodes as f64 / (train.nrows() * trees) as f64,
    );
    Ok(())
}
