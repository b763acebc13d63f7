//! Binned statistics beside the paper's bookkeeping, on letter: the same trees, one thread.
//!
//! `cargo run --release -p stream-rf --example speed`

mod common;
#[path = "../tests/paper/mod.rs"]
mod paper;

use std::io;

use common::{Split, Table, cpu_seconds, median};
use forest_core::threads::with_threads;
use forest_core::{ForestSettings, OnlineLearner, Schema, TreeRng};
use ndarray::ArrayView2;
use paper::PaperTree;
use paper::histogram::Classes;
use stream_rf::{StreamClassifier, StreamSettings};

const TREES: usize = 100;

/// The slow trees are timed a few at a time; time per tree is what is compared.
const SLOW_TREES: usize = 10;
const REPEATS: usize = 5;

fn main() -> io::Result<()> {
    with_threads(1, compare).expect("a thread can be started")
}

fn compare() -> io::Result<()> {
    let data = Split::open("letter");
    let (rows, labels) = data.train();
    let mut table = Table::create("speed.csv", "settings,binned_us,paper_us,ratio")?;
    let ten = StreamSettings {
        lambda: 10.0,
        m: 10,
        ..StreamSettings::default()
    };
    let all = [
        (
            "λ = m = 10; rest as in the paper's USPS",
            StreamSettings::usps(),
        ),
        ("λ = m = 10; rest as by default", ten),
        ("default", StreamSettings::default()),
    ];
    for (name, settings) in all {
        let (mut fast, mut slow) = (Vec::new(), Vec::new());
        for _ in 0..REPEATS {
            fast.push(binned(&settings, rows, labels));
            slow.push(naive(&settings, rows, labels));
        }
        let (fast, slow) = (median(&mut fast), median(&mut slow));
        table.row(format!("{name},{fast:.3},{slow:.3},{:.1}", slow / fast))?;
    }
    Ok(())
}

/// Microseconds per sample and tree of the crate's forest.
fn binned(settings: &StreamSettings, rows: ArrayView2<'_, f32>, labels: &[u32]) -> f64 {
    let schema = Schema::new(16).expect("16 features");
    let forest = StreamClassifier::new(
        schema,
        settings.clone(),
        ForestSettings {
            trees: TREES,
            seed: 1,
            ..ForestSettings::default()
        },
    );
    let mut forest = forest.expect("the settings are sound");
    let start = cpu_seconds();
    forest.learn(rows, labels).expect("the rows are finite");
    per_sample(start, rows.nrows() * TREES)
}

/// Microseconds per sample and tree of two histograms for every candidate child.
fn naive(settings: &StreamSettings, rows: ArrayView2<'_, f32>, labels: &[u32]) -> f64 {
    let start = cpu_seconds();
    for tree in 0..SLOW_TREES {
        let mut tree = PaperTree::<Classes>::new(settings.clone(), TreeRng::new(1, tree));
        for (row, &label) in rows.rows().into_iter().zip(labels) {
            tree.learn(row.as_slice().expect("rows are contiguous"), label);
        }
    }
    per_sample(start, rows.nrows() * SLOW_TREES)
}

fn per_sample(start: f64, visits: usize) -> f64 {
    (cpu_seconds() - start) * 1e6 / visits as f64
}
