//! Figure 3 of the paper: the stream-partitioned forest, the online forest of Saffari et al. and a
//! random forest that has all data at once, on USPS.
//!
//! `cargo run --release -p stream-rf --example usps`

mod batch;
#[path = "../common/mod.rs"]
mod common;

use std::io;

use common::{Split, Table, sizes};
use forest_core::{Classification, Forest, ForestSettings, OnlineLearner, OnlineTree, Schema};
use forest_testing::accuracy;
use ndarray::{Array2, ArrayView1, ArrayView2};
use smartcore::ensemble::random_forest_classifier::{
    RandomForestClassifier, RandomForestClassifierParameters,
};
use smartcore::linalg::basic::matrix::DenseMatrix;
use stream_rf::{
    Axes, BITS_PER_NAT, Growth, SaffariSettings, SaffariTree, StreamChoice, StreamSettings,
    StreamTree, Streams, Vote,
};

const RUNS: u64 = 2;
const TREES: usize = 100;
const PASSES: usize = 15;
const SIZES: usize = 4;

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

/// The paper's settings, in a variant.
fn paper(change: impl FnOnce(&mut StreamSettings)) -> StreamSettings {
    let mut settings = StreamSettings::usps();
    change(&mut settings);
    settings
}

/// What the example `usps_settings` has chosen on training rows.
fn chosen(choice: StreamChoice) -> StreamSettings {
    let (structure, m, tau, alpha, beta) = match choice {
        StreamChoice::PerArrival => (0.9, 2, 0.15, 1.0, 1000.0),
        StreamChoice::PerRow => (0.8, 10, 0.05, 5.0, 500.0),
    };
    let growth = |scale| Growth { scale, base: 1.01 };
    StreamSettings {
        lambda: 80.0,
        m,
        tau,
        alpha: growth(alpha),
        beta: growth(beta),
        streams: Streams {
            structure,
            estimation: 1.0 - structure,
            choice,
        },
        ..StreamSettings::default()
    }
}

/// Every forest, taught the same rows.
fn accuracies(data: &Split, size: usize, run: u64) -> Vec<(&'static str, f64)> {
    let [arrival, row] = [StreamChoice::PerArrival, StreamChoice::PerRow];
    let averages = |s: &mut StreamSettings| s.vote = Vote::Frequencies;
    let per_row = |s: &mut StreamSettings| s.streams.choice = row;
    let stream = |settings| online::<StreamTree<_>>(data, settings, size, run);
    let saffari = |min_gain| {
        let settings = SaffariSettings {
            min_gain,
            ..SaffariSettings::default()
        };
        online::<SaffariTree<_>>(data, settings, size, run)
    };
    let gain = 0.1 * BITS_PER_NAT;
    vec![
        ("stream-rf (paper)", stream(paper(|_| ()))),
        ("stream-rf (paper; per row)", stream(paper(per_row))),
        ("stream-rf (paper; averages)", stream(paper(averages))),
        (
            "stream-rf (paper; averages; per row)",
            stream(paper(|s| (averages(s), per_row(s)).0)),
        ),
        (
            "stream-rf (paper; averages; both streams vote)",
            both_streams(data, paper(averages), size, run),
        ),
        (
            "stream-rf (paper; 0.1 bits)",
            stream(paper(|s| s.tau = 0.1)),
        ),
        (
            "stream-rf (paper; 0.1 bits; per row)",
            stream(paper(|s| (s.tau = 0.1, per_row(s)).0)),
        ),
        ("stream-rf (default)", stream(StreamSettings::default())),
        ("stream-rf (chosen)", stream(chosen(arrival))),
        ("stream-rf (chosen; per row)", stream(chosen(row))),
        ("saffari", saffari(0.1)),
        ("saffari (0.1 nats)", saffari(gain)),
        ("offline", offline(data, gain, size, run)),
        ("offline (no minimum gain)", offline(data, 0.0, size, run)),
        ("offline (library)", library(data, size, run)),
    ]
}

/// The accuracy of an online forest after 15 passes.
fn online<K>(data: &Split, settings: K::Settings, size: usize, run: u64) -> f64
where
    K: OnlineTree<Task = Classification>,
{
    let forest = taught::<K>(data, settings, size, run);
    let (test, truth) = data.test();
    accuracy(&forest.predict(test).expect("the rows are finite"), truth)
}

/// An online forest after 15 passes, every one in another order.
fn taught<K>(data: &Split, settings: K::Settings, size: usize, run: u64) -> Forest<K>
where
    K: OnlineTree<Task = Classification>,
{
    let schema = Schema::new(256).and_then(|schema| schema.with_classes(10));
    let schema = schema.expect("256 features, ten classes");
    let mut forest = Forest::<K>::new(
        schema,
        settings,
        ForestSettings {
            trees: TREES,
            seed: run,
            ..ForestSettings::default()
        },
    )
    .expect("settings are sound");
    for pass in 0..PASSES {
        let (rows, labels) = data.pass(size, run, pass);
        let learned = forest.learn(rows.view(), &labels);
        learned.expect("the rows are finite");
    }
    forest
}

/// The accuracy of the partitions of a stream-partitioned forest if the rows of both streams vote in
/// them; averages.
fn both_streams(data: &Split, settings: StreamSettings, size: usize, run: u64) -> f64 {
    let forest = taught::<StreamTree<_>>(data, settings, size, run);
    let ((rows, labels), (test, truth)) = (data.pass(size, run, 0), data.test());
    let mut sums = Array2::zeros((truth.len(), 10));
    for tree in forest.trees() {
        let leaf = |row: ArrayView1<'_, f32>| tree.leaf_of(&Axes, &row.to_vec());
        let mut counts = Array2::<f64>::zeros((tree.len(), 10));
        for (row, &label) in rows.rows().into_iter().zip(&labels) {
            counts[[leaf(row), label as usize]] += 1.0;
        }
        for (row, mut sums) in test.rows().into_iter().zip(sums.rows_mut()) {
            let votes = counts.row(leaf(row));
            sums.scaled_add(1.0 / votes.sum().max(1.0), &votes);
        }
    }
    accuracy(&sums, truth)
}

/// The accuracy of a random forest that has all rows at once, with the offline settings of the code
/// published with the paper, but for the minimum of gain.
fn offline(data: &Split, min_gain: f64, size: usize, run: u64) -> f64 {
    let (rows, labels) = data.pass(size, run, 0);
    let settings = batch::Settings {
        features: 10,
        min_split: 10,
        min_leaf: 5,
        min_gain,
    };
    let forest = batch::Forest::fit((rows.view(), &labels), settings, TREES, run);
    let (test, truth) = data.test();
    let answers = test.rows().into_iter().map(|row| {
        let row = row.as_slice().expect("rows of a data set are contiguous");
        forest.predict(row) as u32
    });
    share_right(answers, truth)
}

/// The accuracy of a library's random forest with the library's settings.
fn library(data: &Split, size: usize, run: u64) -> f64 {
    let (rows, labels) = data.pass(size, run, 0);
    let parameters = RandomForestClassifierParameters::default().with_m(16);
    let parameters = parameters.with_n_trees(TREES as u16).with_seed(run);
    let forest = RandomForestClassifier::fit(&matrix(rows.view()), &labels, parameters);
    let forest = forest.expect("the rows can be learned");
    let (test, truth) = data.test();
    let answers: Vec<u32> = forest.predict(&matrix(test)).expect("the rows are finite");
    share_right(answers.into_iter(), truth)
}

fn share_right(answers: impl Iterator<Item = u32>, truth: &[u32]) -> f64 {
    let right = answers
        .zip(truth)
        .filter(|(answer, label)| answer == *label);
    right.count() as f64 / truth.len() as f64
}

/// The rows as the library wants them.
fn matrix(rows: ArrayView2<'_, f32>) -> DenseMatrix<f32> {
    let (height, width) = rows.dim();
    let values = rows.iter().copied().collect();
    DenseMatrix::new(height, width, values, false).expect("as many values as it has places")
}
