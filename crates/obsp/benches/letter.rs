//! What oblique cuts cost: learning letter, reduced to four principal components, by the pair
//! measure and by the axis measure at an equal number of leaves.
//!
//! `FOREST_DATA=… cargo bench -p obsp --bench letter [-- LEAVES]…` prints nanoseconds per sample
//! and tree of both, and their ratio, as medians over rounds in which they take turns.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a bench may panic")]

use std::time::Instant;

use datasets::{MinMaxScaler, OpenOptions, Pca, Target, open};
use forest_core::ndarray::{Array2, s};
use forest_core::{Forest, OnlineLearner, Schema, threads};
use mondrian::AxisMeasure;
use obsp::PairMeasure;
use tessellation_tree::{
    Budget, ClassFrequencies, CutMeasure, TessellationSettings, TessellationTree,
};

const SAMPLES: usize = 15_000;
const COMPONENTS: usize = 4;
const TREES: usize = 20;
const ROUNDS: usize = 9;

/// Leaves a tree, if the command line names none.
const LEAVES: [usize; 4] = [300, 1000, 3000, 7000];

struct Letters {
    features: Array2<f32>,
    classes: Vec<u32>,
}

fn letters() -> Letters {
    let options = OpenOptions {
        data_dir: std::env::var_os("FOREST_DATA").map(Into::into),
        ..OpenOptions::default()
    };
    let data = open("letter", &options).unwrap_or_else(|error| panic!("{error}"));
    let Target::Classes { labels, .. } = data.target else {
        panic!("letter has classes");
    };
    let rows = data.features.slice(s![..SAMPLES, ..]);
    let mut features = Pca::fit(&rows, COMPONENTS)
        .unwrap()
        .transform(&rows)
        .unwrap();
    MinMaxScaler::fit(features.view())
        .unwrap()
        .transform(&mut features)
        .unwrap();
    Letters {
        features,
        classes: labels[..SAMPLES].to_vec(),
    }
}

/// What learning took and made.
struct Learned {
    /// Per sample and tree.
    nanoseconds: f64,
    /// Per tree.
    leaves: f64,
}

/// Learns all samples at the budget `scale`·n^(1/6).
fn learn<M: CutMeasure>(letters: &Letters, scale: f64, trees: usize) -> Learned {
    let settings = TessellationSettings::<M::Settings> {
        budget: Budget::minimax(scale, COMPONENTS),
        min_points: 3,
        ..TessellationSettings::default()
    };
    let schema = Schema::new(COMPONENTS).unwrap();
    let forest = Forest::<TessellationTree<M, ClassFrequencies>>::new(schema, settings, trees, 1);
    let mut forest = forest.unwrap();
    let start = Instant::now();
    forest
        .learn(letters.features.view(), &letters.classes)
        .unwrap();
    let nanoseconds = start.elapsed().as_secs_f64() * 1e9 / (SAMPLES * trees) as f64;
    let leaves: usize = forest.trees().map(|tree| tree.leaves().count()).sum();
    Learned {
        nanoseconds,
        leaves: leaves as f64 / trees as f64,
    }
}

/// The scale that gives so many leaves, by bisection of its logarithm.
fn scale_for<M: CutMeasure>(letters: &Letters, leaves: usize) -> f64 {
    let (mut low, mut high) = (1e-3f64, 1e3f64);
    for _ in 0..14 {
        let middle = (low * high).sqrt();
        if learn::<M>(letters, middle, 4).leaves < leaves as f64 {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low * high).sqrt()
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn compare(letters: &Letters, leaves: usize) {
    let axis = scale_for::<AxisMeasure>(letters, leaves);
    let pair = scale_for::<PairMeasure>(letters, leaves);
    let round = |_| {
        let axis = learn::<AxisMeasure>(letters, axis, TREES);
        (axis, learn::<PairMeasure>(letters, pair, TREES))
    };
    let rounds: Vec<(Learned, Learned)> = (0..ROUNDS).map(round).collect();
    let (axis, pair) = (
        rounds.iter().map(|round| &round.0),
        rounds.iter().map(|round| &round.1),
    );
    let ratios = rounds
        .iter()
        .map(|(axis, pair)| pair.nanoseconds / axis.nanoseconds);
    println!(
        "axis {} | pair {} | ratio {:.2}",
        summed_up(axis),
        summed_up(pair),
        median(ratios)
    );
}

fn summed_up<'a>(rounds: impl Iterator<Item = &'a Learned> + Clone) -> String {
    let leaves = median(rounds.clone().map(|learned| learned.leaves));
    let nanoseconds = median(rounds.map(|learned| learned.nanoseconds));
    format!("{leaves:.0} leaves {nanoseconds:.0} ns")
}

fn main() {
    let named: Vec<usize> = std::env::args()
        .filter_map(|argument| argument.parse().ok())
        .collect();
    let leaves = if named.is_empty() {
        LEAVES.to_vec()
    } else {
        named
    };
    let letters = letters();
    let all = || leaves.iter().for_each(|&leaves| compare(&letters, leaves));
    threads::with_threads(1, all).unwrap();
}
