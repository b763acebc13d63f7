//! Scaling, components, weights, and pipelines of every kind of step around a small forest, for both tasks.

mod conformance;
mod label_weights;
mod pipelines;
mod scaling;

use std::fmt::Debug;

use forest_core::{Classification, ForestSettings, OnlineLearner, Regression, Schema};
use forest_testing::conformance::{ConformanceTask, Stream};
use mondrian::{MondrianClassifier, MondrianRegressor};
use ndarray::Array2;
use serde::{Serialize, de::DeserializeOwned};
use tables::preprocessing::{FeatureScaling, Pca, Pipeline, Step};

/// A task and a small forest for it.
trait Forests: ConformanceTask {
    type Forest: OnlineLearner<Task = Self> + Clone + Debug + Serialize + DeserializeOwned;

    fn forest(schema: Schema<Self>, seed: u64) -> Self::Forest;
}

impl Forests for Classification {
    type Forest = MondrianClassifier;

    fn forest(schema: Schema<Self>, seed: u64) -> MondrianClassifier {
        let small = ForestSettings::default().with_trees(3).with_seed(seed);
        MondrianClassifier::new(schema, mondrian::fixed(f64::INFINITY), small).unwrap()
    }
}

impl Forests for Regression {
    type Forest = MondrianRegressor;

    fn forest(schema: Schema<Self>, seed: u64) -> MondrianRegressor {
        let small = ForestSettings::default().with_trees(3).with_seed(seed);
        MondrianRegressor::new(schema, mondrian::fixed(f64::INFINITY), small).unwrap()
    }
}

/// A name, and the steps for a number of raw features.
type Kind = (&'static str, fn(usize) -> Vec<Step>);

const KINDS: [Kind; 7] = [
    ("no steps", |_| vec![]),
    ("min-max", |width| {
        vec![scaler(FeatureScaling::Minmax, width)]
    }),
    ("standard", |width| {
        vec![scaler(FeatureScaling::Standard, width)]
    }),
    ("robust", |width| {
        vec![scaler(FeatureScaling::Robust, width)]
    }),
    ("quantile", |width| {
        vec![scaler(FeatureScaling::Quantile, width)]
    }),
    ("principal components", |width| vec![components(width)]),
    ("robust, components, min-max", |width| {
        vec![
            scaler(FeatureScaling::Robust, width),
            components(width),
            scaler(FeatureScaling::Minmax, width),
        ]
    }),
];

fn scaler(scaling: FeatureScaling, width: usize) -> Step {
    let rows = rows::<Regression>(width);
    scaling.fit(rows.view()).unwrap().unwrap()
}

fn components(width: usize) -> Step {
    let rows = rows::<Regression>(width);
    Step::Pca(Pca::fit(rows.view(), width).unwrap())
}

fn rows<T: ConformanceTask>(width: usize) -> Array2<f32> {
    Stream::<T>::uniform(60, width, 77).features
}

/// Returns a pipeline of this kind for raw rows of `schema`.
fn pipeline<T: Forests>(kind: Kind, schema: Schema<T>, seed: u64) -> Pipeline<T::Forest> {
    let steps = kind.1(schema.features());
    Pipeline::new(steps, T::forest(schema, seed)).unwrap()
}
