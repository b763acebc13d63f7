//! What every learner must do, for every algorithm and task, in more than one setting.

use crate::common::{self, checks::conforms};
use forest_testing::conformance::{self, ConformanceTask, Stream};
use online_forests::{
    Algorithm, Classification, ForestSettings, OnlineLearner, Regression, Schema, Task, threads,
};

fn every_algorithm_conforms<T: ConformanceTask>() {
    for algorithm in common::every::<T>() {
        let kept = conforms::<T>(&algorithm);
        assert!(kept.is_ok(), "{algorithm} for {}: {kept:?}", T::NAME);
    }
}

#[test]
fn every_classifier_conforms() {
    every_algorithm_conforms::<Classification>();
}

#[test]
fn every_regressor_conforms() {
    every_algorithm_conforms::<Regression>();
}

/// Other settings of those that hold learners, or that work in blocks of their own; with as few trees as show it.
const LARGE: [(&str, usize); 3] = [
    ("residual-forest", 5),
    (
        "adaptive:members=mondrian@300@quantile+no-change@all@none",
        1,
    ),
    ("conformal:base=mondrian:max_nodes=201", 1),
];

/// Returns every algorithm with one tree, and those of [`LARGE`].
fn cheap<T: Task>() -> impl Iterator<Item = (Algorithm, usize)> {
    let special = LARGE.map(|(text, trees)| (text.parse::<Algorithm>().unwrap(), trees));
    let names = special.clone().map(|(algorithm, _)| algorithm.name());
    let others = Algorithm::all().filter(move |algorithm| !names.contains(&algorithm.name()));
    let all = others.map(|algorithm| (algorithm, 1)).chain(special);
    all.filter(|(algorithm, _)| algorithm.supports::<T>())
}

fn large_batches_are_small_ones<T: ConformanceTask>() {
    for (algorithm, trees) in cheap::<T>() {
        let build = |schema: Schema<T>, seed| {
            let forest = ForestSettings::default().with_trees(trees).with_seed(seed);
            algorithm.build(schema, forest).unwrap()
        };
        let kept = conformance::large_batches_are_small_ones(&build);
        assert_eq!(kept, Ok(()), "{algorithm} for {}", T::NAME);
    }
}

#[test]
fn a_batch_of_every_classifier_may_be_larger_than_its_blocks() {
    large_batches_are_small_ones::<Classification>();
}

#[test]
fn a_batch_of_every_regressor_may_be_larger_than_its_blocks() {
    large_batches_are_small_ones::<Regression>();
}

/// The wider predictions are, the fewer rows has a block: 512 with 300 classes. One thread is given 750 rows at a time.
#[test]
fn wide_predictions_of_several_blocks_are_those_of_single_rows() {
    let schema = Schema::<Classification>::new(2).unwrap();
    let schema = schema.with_classes(300).unwrap();
    let algorithm: Algorithm = "mondrian".parse().unwrap();
    let mut forest = algorithm.build(schema, ForestSettings::default()).unwrap();
    let stream = Stream::<Classification>::uniform(1500, 2, 43);
    stream.teach(&mut forest, 0, 200).unwrap();
    let predict = || forest.predict(stream.features.view()).unwrap();
    let together = threads::with_threads(1, predict).unwrap();
    for (x, together) in stream.features.outer_iter().zip(together.outer_iter()) {
        let alone = forest.predict_one(&x.to_vec()).unwrap();
        assert_eq!(together.to_vec(), alone, "{x}");
    }
}
