//! Microseconds to learn and to predict, per sample and tree, on one thread; and bytes per tree.
//!
//! `cargo run --release -p stream-rf --example timings [name ...]`, for all cases or those named.
//! A claim that an optimisation buys something is the ratio of this with it and without it.

mod common;

use std::hint::black_box;

use common::{Split, cpu_seconds};
use forest_core::threads::with_threads;
use forest_core::{
    Classification, Forest, ForestSettings, OnlineLearner, OnlineTree, Regression, Schema, Task,
    TreeRng,
};
use ndarray::ArrayView2;
use stream_rf::{FringeLimit, SaffariSettings, SaffariTree, StreamSettings, StreamTree};

const TREES: usize = 60;
const PREDICTIONS: usize = 3;
const MIXTURE: &str = "gaussian-mixture:n=30000,test=1000";

type Stream<T> = StreamTree<T>;
type Saffari<T> = SaffariTree<T>;

fn main() {
    with_threads(1, run).expect("a thread can be started");
}

fn run() {
    let paper = StreamSettings::usps();
    let bounded = StreamSettings {
        fringe: FringeLimit::AtMost(50),
        ..StreamSettings::default()
    };
    classes::<Stream<_>>("stream-letter", "letter", StreamSettings::default());
    classes::<Stream<_>>("stream-letter-paper", "letter", paper);
    classes::<Stream<_>>("stream-letter-bounded", "letter", bounded);
    classes::<Stream<_>>("stream-usps", "usps", StreamSettings::default());
    let gaussians = StreamSettings::mixture_of_gaussians();
    classes::<Stream<_>>("stream-mixture", MIXTURE, gaussians);
    classes::<Saffari<_>>("saffari-letter", "letter", SaffariSettings::default());
    classes::<Saffari<_>>("saffari-mixture", MIXTURE, SaffariSettings::default());
    numbers::<Stream<_>>("stream-numbers", signal, StreamSettings::default());
    numbers::<Stream<_>>("stream-noise", noise, StreamSettings::default());
    numbers::<Saffari<_>>("saffari-numbers", signal, SaffariSettings::default());
    numbers::<Saffari<_>>("saffari-noise", noise, SaffariSettings::default());
}

/// Whether the case is asked for.
fn is_wanted(name: &str) -> bool {
    let mut wanted = std::env::args().skip(1).peekable();
    wanted.peek().is_none() || wanted.any(|wanted| wanted == name)
}

fn classes<K: OnlineTree<Task = Classification>>(name: &str, data: &str, settings: K::Settings) {
    if is_wanted(name) {
        let data = Split::open(data);
        let (rows, labels) = data.train();
        time::<K>(name, settings, (rows, labels));
    }
}

/// Numbers that depend on the rows of letter, or do not.
fn numbers<K: OnlineTree<Task = Regression>>(
    name: &str,
    target: impl Fn(&[f32], &mut TreeRng) -> f64,
    settings: K::Settings,
) {
    if is_wanted(name) {
        let (data, mut rng) = (Split::open("letter"), TreeRng::new(1, 0));
        let (rows, _) = data.train();
        let targets = rows.rows().into_iter();
        let targets: Vec<f64> = targets.map(|x| target(&x.to_vec(), &mut rng)).collect();
        time::<K>(name, settings, (rows, &targets));
    }
}

fn signal(x: &[f32], _: &mut TreeRng) -> f64 {
    f64::from(x[3] * x[5] + 2.0 * x[7] - x[9])
}

fn noise(_: &[f32], rng: &mut TreeRng) -> f64 {
    rng.uniform()
}

fn time<K: OnlineTree>(
    name: &str,
    settings: K::Settings,
    (rows, targets): (ArrayView2<'_, f32>, &[<K::Task as Task>::Target]),
) {
    let schema = Schema::new(rows.ncols()).expect("there are features");
    let trees = ForestSettings {
        trees: TREES,
        seed: 1,
        ..ForestSettings::default()
    };
    let mut forest = Forest::<K>::new(schema, settings, trees).expect("the settings are sound");
    let start = cpu_seconds();
    forest.learn(rows, targets).expect("the rows are finite");
    let learned = cpu_seconds();
    for _ in 0..PREDICTIONS {
        black_box(forest.predict(rows).expect("the rows are finite"));
    }
    let predicted = cpu_seconds();
    let per_sample = |seconds: f64, times| seconds * 1e6 / (times * rows.nrows() * TREES) as f64;
    let learning = per_sample(learned - start, 1);
    let predicting = per_sample(predicted - learned, PREDICTIONS);
    let bytes = forest.footprint().bytes / TREES;
    println!("{name} {learning:.3} {predicting:.3} {bytes}");
}
