//! Figure 3 of the paper: the stream-partitioned forest, the online forest of Saffari et al. and a
//! random forest that has all data at once, on USPS.
//!
//! `cargo run --release -p stream-rf --example usps`

mod batch;
#[path = "../common/mod.rs"]
mod common;

use std::io;

use common::{Split, Table, accuracy, sizes};
use forest_core::{Classification, Forest, OnlineLearner, OnlineTree, Schema};
use ndarray::ArrayView2;
use smartcore::ensemble::random_forest_classifier::{
    RandomForestClassifier, RandomForestClassifierParameters,
};
use smartcore::linalg::basic::matrix::DenseMatrix;
use stream_rf::{SaffariSettings, SaffariTree, StreamSettings, StreamTree, Vote};

const RUNS: u64 = 3;
const TREES: usize = 100;
const PASSES: usize = 15;
const SIZES: usize = 7;

fn main() -> io::Result<()> {
    let data = Split::open("usps");
    let mut table = Table::create("usps.csv", "what,samples,run,accuracy")?;
    for run in 0..RUNS {
        for size in sizes(100, 7291, SIZES) {
            for (what, accuracy) in accuracies(&data, size, run) {
                table.row(format!("{what},{size},{run},{accuracy:.4}"))?;
            }
        }
    }
    Ok(())
}

/// Every forest, taught the same rows.
fn accuracies(data: &Split, size: usize, run: u64) -> [(&'static str, f64); 6] {
    let hard = StreamSettings::usps();
    let soft = StreamSettings {
        vote: Vote::Frequencies,
        ..hard.clone()
    };
    let own = StreamSettings::default();
    let saffari = SaffariSettings::default();
    let library = RandomForestClassifierParameters::default().with_m(16);
    let paper = library.clone().with_m(10).with_min_samples_split(10);
    [
        (
            "stream-rf (paper)",
            online::<StreamTree<_>>(data, hard, size, run),
        ),
        (
            "stream-rf (paper; averages)",
            online::<StreamTree<_>>(data, soft, size, run),
        ),
        (
            "stream-rf (default)",
            online::<StreamTree<_>>(data, own, size, run),
        ),
        (
            "saffari",
            online::<SaffariTree<_>>(data, saffari, size, run),
        ),
        (
            "offline (paper)",
            offline(data, paper.with_min_samples_leaf(5), size, run),
        ),
        ("offline (library)", offline(data, library, size, run)),
    ]
}

/// The accuracy of an online forest after 15 passes, every one in another order and with new draws
/// of the streams.
fn online<K>(data: &Split, settings: K::Settings, size: usize, run: u64) -> f64
where
    K: OnlineTree<Task = Classification>,
{
    let schema = Schema::new(256).and_then(|schema| schema.with_classes(10));
    let schema = schema.expect("256 features, ten classes");
    let mut forest = Forest::<K>::new(schema, settings, TREES, run).expect("settings are sound");
    for pass in 0..PASSES {
        let (rows, labels) = data.pass(size, run, pass);
        let learned = forest.learn(rows.view(), &labels);
        learned.expect("the rows are finite");
    }
    let (test, truth) = data.test();
    accuracy(&forest.predict(test).expect("the rows are finite"), truth)
}

/// The accuracy of a random forest of a library that has all rows at once.
fn offline(
    data: &Split,
    parameters: RandomForestClassifierParameters,
    size: usize,
    run: u64,
) -> f64 {
    let (rows, labels) = data.pass(size, run, 0);
    let parameters = parameters.with_n_trees(TREES as u16).with_seed(run);
    let forest = RandomForestClassifier::fit(&matrix(rows.view()), &labels, parameters);
    let forest = forest.expect("the rows can be learned");
    let (test, truth) = data.test();
    let answers: Vec<u32> = forest.predict(&matrix(test)).expect("the rows are finite");
    let right = answers
        .iter()
        .zip(truth)
        .filter(|(answer, label)| answer == label);
    right.count() as f64 / truth.len() as f64
}

/// The rows as the library wants them.
fn matrix(rows: ArrayView2<'_, f32>) -> DenseMatrix<f32> {
    let (height, width) = rows.dim();
    let values = rows.iter().copied().collect();
    DenseMatrix::new(height, width, values, false).expect("as many values as it has places")
}
