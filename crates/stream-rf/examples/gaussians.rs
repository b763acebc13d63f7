//! Figure 2 of the paper: a forest and the trees it averages on a mixture of Gaussians.
//!
//! `cargo run --release -p stream-rf --example gaussians`

mod common;

use std::io;

use common::{Split, Table, sizes};
use forest_core::{Forest, ForestSettings, OnlineLearner, OnlineTree, Schema};
use forest_testing::accuracy;
use ndarray::{Array2, ArrayView2};
use stream_rf::{Axes, StreamClassifier, StreamSettings};

const RUNS: u64 = 10;
const TREES: usize = 100;
const SIZES: usize = 10;

/// The accuracy of the best classifier, by integration (datasets: gaussian-mixture).
const BAYES: f64 = 0.6665;

fn main() -> io::Result<()> {
    let mut table = Table::create("gaussians.csv", "what,samples,run,accuracy")?;
    for run in 0..RUNS {
        let data = Split::open(&format!("gaussian-mixture:n=30000,test=20000,seed={run}"));
        for size in sizes(100, 30_000, SIZES) {
            let (forest, trees) = learn(&data, size, run);
            table.row(format!("forest,{size},{run},{forest:.5}"))?;
            table.row(format!("mean tree,{size},{run},{trees:.5}"))?;
            table.row(format!("Bayes,{size},{run},{BAYES}"))?;
        }
    }
    Ok(())
}

/// The accuracy of the forest, and the mean accuracy of its trees, after one pass over `size` rows.
fn learn(data: &Split, size: usize, run: u64) -> (f64, f64) {
    let settings = StreamSettings::<Axes>::mixture_of_gaussians();
    let schema = Schema::new(2).and_then(|schema| schema.with_classes(5));
    let schema = schema.expect("two features, five classes");
    let forest = StreamClassifier::new(
        schema,
        settings,
        ForestSettings {
            trees: TREES,
            seed: run,
            ..ForestSettings::default()
        },
    );
    let mut forest = forest.expect("the paper's settings are sound");
    let (rows, labels) = data.pass(size, run, 0);
    forest
        .learn(rows.view(), &labels)
        .expect("the rows are finite");
    let (test, truth) = data.test();
    let answers = forest.predict(test).expect("the rows are finite");
    let trees = forest
        .trees()
        .map(|tree| accuracy(&votes(&forest, tree, test), truth));
    (accuracy(&answers, truth), trees.sum::<f64>() / TREES as f64)
}

/// The accumulators of one tree.
fn votes<T: OnlineTree>(forest: &Forest<T>, tree: &T, rows: ArrayView2<'_, f32>) -> Array2<f64> {
    let (context, rng) = (forest.context(), forest_core::TreeRng::new(0, 0));
    let mut accumulators = Array2::zeros((rows.nrows(), forest.schema().width()));
    for (row, mut accumulator) in rows.rows().into_iter().zip(accumulators.rows_mut()) {
        let row = row.as_slice().expect("rows of a data set are contiguous");
        let accumulator = accumulator
            .as_slice_mut()
            .expect("a new array is row-major");
        tree.vote(row, &context, &rng, accumulator);
    }
    accumulators
}
