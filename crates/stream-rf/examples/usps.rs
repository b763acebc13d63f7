//! Figure 3 of the paper: the stream-partitioned forest, the online forest of Saffari et al. and a
//! random forest that has all data at once, on USPS.
//!
//! `cargo run --release -p stream-rf --example usps`

mod common;

use std::io;

use common::{Split, Table, accuracy, sizes};
use forest_core::{Classification, Forest, OnlineLearner, OnlineTree, Schema};
use ndarray::ArrayView2;
use smartcore::ensemble::random_forest_classifier::{
    RandomForestClassifier, RandomForestClassifierParameters,
};
use smartcore::linalg::basic::matrix::DenseMatrix;
use stream_rf::{SaffariSettings, SaffariTree, StreamSettings, StreamTree};

const RUNS: u64 = 3;
const TREES: usize = 100;
const PASSES: usize = 15;

fn main() -> io::Result<()> {
    let data = Split::open("usps");
    let mut table = Table::create("usps.csv", "what,samples,run,accuracy")?;
    for run in 0..RUNS {
        for size in sizes(20, 7291, 9) {
            let mut row = |what, accuracy| table.row(format!("{what},{size},{run},{accuracy:.4}"));
            let stream = StreamSettings::usps();
            row(
                "stream-rf (paper)",
                online::<StreamTree<_>>(&data, stream, size, run),
            )?;
            let own = StreamSettings::default();
            row(
                "stream-rf (default)",
                online::<StreamTree<_>>(&data, own, size, run),
            )?;
            let saffari = SaffariSettings::default();
            row(
                "saffari",
                online::<SaffariTree<_>>(&data, saffari, size, run),
            )?;
            row("offline (smartcore)", offline(&data, size, run))?;
        }
    }
    Ok(())
}

/// The accuracy of an online forest after 15 passes, every one in another order.
fn online<K>(data: &Split, settings: K::Settings, size: usize, run: u64) -> f64
where
    K: OnlineTree<Task = Classification>,
{
    let schema = Schema::new(256).and_then(|schema| schema.with_classes(10));
    let schema = schema.expect("256 features, ten classes");
    let mut forest = Forest::<K>::new(schema, settings, TREES, run).expect("settings are sound");
    for pass in 0..PASSES {
        let (rows, labels) = data.pass(size, run, pass);
        forest
            .learn(rows.view(), &labels)
            .expect("the rows are finite");
    }
    let (test, truth) = data.test();
    accuracy(&forest.predict(test).expect("the rows are finite"), truth)
}

/// The accuracy of a random forest of a library; its own defaults but for the number of trees, and
/// the square root of the features as candidates.
fn offline(data: &Split, size: usize, run: u64) -> f64 {
    let (rows, labels) = data.pass(size, run, 0);
    let parameters = RandomForestClassifierParameters::default()
        .with_n_trees(TREES as u16)
        .with_m(16)
        .with_seed(run);
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
