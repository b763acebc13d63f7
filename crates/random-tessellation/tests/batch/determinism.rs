//! The same bits for any number of threads, and golden draws.

use std::sync::Mutex;

use forest_core::threads::with_threads;
use mondrian::AxisCuts;
use random_tessellation::LinearCuts;
use random_tessellation::batch::{BatchForest, BatchSettings, Rates};
use tessellation_tree::{CutDistribution, CutSettings};

use crate::{fitted, schema, training, trees, two_classes};

fn settings(particles: usize) -> BatchSettings {
    BatchSettings {
        particles,
        ..BatchSettings::default()
    }
}

/// Cut times of all trees, and the forest's predictions.
fn bits(threads: usize) -> (Vec<Vec<f64>>, Vec<f64>) {
    let (rows, targets) = two_classes(200, 3);
    let grow = || {
        let forest = fitted::<LinearCuts>(rows.view(), &targets, &settings(8), trees(7));
        let times = forest.trees().iter().map(|tree| tree.cut_times()).collect();
        let predictions = forest.predict((1.0 - &rows).view()).unwrap();
        (times, predictions.into_raw_vec_and_offset().0)
    };
    with_threads(threads, grow).unwrap()
}

#[test]
fn threads_are_invisible() {
    assert_eq!(bits(1), bits(4));
}

#[test]
fn progress_is_reported_for_every_tree() {
    let (rows, targets) = two_classes(60, 2);
    let reported = Mutex::new(Vec::new());
    let on_tree = |complete| reported.lock().unwrap().push(complete);
    let training = training(&rows, &targets);
    BatchForest::<LinearCuts>::fit(schema(2), training, &settings(3), trees(9), on_tree).unwrap();
    let mut reported = reported.into_inner().unwrap();
    reported.sort_unstable();
    assert_eq!(reported, (1..=9).collect::<Vec<_>>());
}

/// Returns the number of leaves, first and last cut time of the first tree.
fn pinned<D: CutDistribution>(
    cuts: CutSettings,
    rates: Rates,
    particles: usize,
) -> (usize, f64, f64) {
    let (rows, targets) = two_classes(50, 2);
    let settings = BatchSettings {
        cuts,
        rates,
        ..settings(particles)
    };
    let forest = fitted::<D>(rows.view(), &targets, &settings, trees(1));
    let times = forest.trees()[0].cut_times();
    (times.len() + 1, times[0], times[times.len() - 1])
}

#[test]
fn golden_draws_are_pinned() {
    let uniform = || CutSettings::default();
    let weighted = CutSettings::weighted(&[]);
    let got = [
        pinned::<LinearCuts>(uniform(), Rates::Exact, 20),
        pinned::<LinearCuts>(weighted, Rates::Exact, 20),
        pinned::<AxisCuts>(CutSettings::default(), Rates::Exact, 20),
        pinned::<LinearCuts>(uniform(), Rates::Exact, 1),
        pinned::<LinearCuts>(uniform(), Rates::BallAsPrinted, 20),
    ];
    assert_eq!(got, GOLDEN);
}

const GOLDEN: [(usize, f64, f64); 5] = [
    (2, 0.5908484897326156, 0.5908484897326156),
    (5, 0.7538727685638192, 2.086067787890382),
    (9, 0.09929919422323304, 17.074127979193438),
    (19, 3.399938072457615, 211.01257872623802),
    (4, 0.37696379165487637, 7.762465414425736),
];
