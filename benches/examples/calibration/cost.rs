//! Time to learn and to predict, as ratios to forests that predict by their leaves.

use std::time::Instant;

use datasets::Target;
use forest_core::{Forest, ForestSettings, OnlineLearner, Schema, Task};
use mondrian::{MondrianSettings, MondrianTree};
use tessellation_tree::{
    Boxes, ClassFrequencies, GaussianHierarchy, GaussianSettings, HyperparameterRule, KneserNey,
    LabelModel, LeafMeans,
};

use crate::{Parts, parts};

/// Runs of each, in turns; the fastest counts.
const RUNS: usize = 7;

pub fn run() {
    let numbers = parts("friedman:d=5,n=16000", usize::MAX, |data| {
        match &data.target {
            Target::Values { values, .. } => values.clone(),
            Target::Classes { .. } => unreachable!("a regression set"),
        }
    });
    let classes = |values: &[f64]| {
        values
            .iter()
            .map(|y| (y / 8.0).clamp(0.0, 3.0) as u32)
            .collect()
    };
    let labels = Parts {
        learn: (numbers.learn.0.clone(), classes(&numbers.learn.1)),
        ask: (numbers.ask.0.clone(), classes(&numbers.ask.1)),
    };
    let paper = || MondrianSettings {
        labels: GaussianSettings {
            hyperparameters: HyperparameterRule::Paper,
            ..GaussianSettings::default()
        },
        ..MondrianSettings::default()
    };
    let mut best = [[f64::INFINITY; 2]; 5];
    for _ in 0..RUNS {
        let times = [
            one::<ClassFrequencies>(&labels, mondrian::fixed(f64::INFINITY)),
            one::<KneserNey<Boxes>>(&labels, mondrian::fixed(f64::INFINITY)),
            one::<LeafMeans>(&numbers, MondrianSettings::default()),
            one::<GaussianHierarchy<Boxes>>(&numbers, paper()),
            one::<GaussianHierarchy<Boxes>>(&numbers, MondrianSettings::default()),
        ];
        for (best, times) in best.iter_mut().zip(times) {
            (0..2).for_each(|k| best[k] = best[k].min(times[k]));
        }
    }
    println!("forest,learn in µs a sample and tree,ratio,predict in µs a row and tree,ratio");
    let names = [
        "frequencies",
        "kneser-ney",
        "means",
        "gaussian, paper",
        "gaussian, leave-one-out",
    ];
    for (index, (name, [learn, predict])) in names.into_iter().zip(best).enumerate() {
        let base = best[if index < 2 { 0 } else { 2 }];
        println!(
            "{name},{learn:.3},{:.2},{predict:.3},{:.2}",
            learn / base[0],
            predict / base[1]
        );
    }
}

/// Microseconds a sample and tree: to learn, and to predict.
fn one<L: LabelModel>(
    data: &Parts<<L::Task as Task>::Target>,
    settings: MondrianSettings<L::Settings>,
) -> [f64; 2] {
    let trees = ForestSettings {
        trees: 10,
        seed: 1,
        ..ForestSettings::default()
    };
    let schema = Schema::new(data.learn.0.ncols()).expect("features");
    let mut forest =
        Forest::<MondrianTree<L>>::new(schema, settings, trees).expect("sound settings");
    let start = Instant::now();
    forest
        .learn(data.learn.0.view(), &data.learn.1)
        .expect("sound data");
    let learned = start.elapsed().as_secs_f64();
    let start = Instant::now();
    forest.predict(data.ask.0.view()).expect("sound data");
    let predicted = start.elapsed().as_secs_f64();
    let per = |seconds: f64, rows: usize| seconds * 1e6 / (10 * rows) as f64;
    [
        per(learned, data.learn.1.len()),
        per(predicted, data.ask.1.len()),
    ]
}
