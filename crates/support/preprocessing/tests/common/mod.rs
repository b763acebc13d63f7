//! Pipelines of every kind of step around a small forest, for both tasks.
#![allow(dead_code, reason = "each test file uses its part")]

use std::fmt::Debug;

use forest_core::{Classification, ForestSettings, OnlineLearner, Regression, Schema};
use forest_testing::conformance::{ConformanceTask, Stream};
use mondrian::{MondrianClassifier, MondrianRegressor};
use ndarray::Array2;
use preprocessing::{MinMaxScaler, OneHotEncoder, Pca, Pipeline, Scaling, StandardScaler, Step};
use serde::{Serialize, de::DeserializeOwned};

/// A task and a small forest for it.
pub(crate) trait Forests: ConformanceTask {
    type Forest: OnlineLearner<Task = Self> + Clone + Debug + Serialize + DeserializeOwned;

    fn forest(schema: Schema<Self>, seed: u64) -> Self::Forest;
}

impl Forests for Classification {
    type Forest = MondrianClassifier;

    fn forest(schema: Schema<Self>, seed: u64) -> MondrianClassifier {
        MondrianClassifier::new(
            schema,
            mondrian::fixed(f64::INFINITY),
            ForestSettings::default().with_trees(3).with_seed(seed),
        )
        .unwrap()
    }
}

impl Forests for Regression {
    type Forest = MondrianRegressor;

    fn forest(schema: Schema<Self>, seed: u64) -> MondrianRegressor {
        MondrianRegressor::new(
            schema,
            mondrian::fixed(f64::INFINITY),
            ForestSettings::default().with_trees(3).with_seed(seed),
        )
        .unwrap()
    }
}

/// A name, rows to fit on (0: none), and the steps for a number of raw features.
pub(crate) type Kind = (&'static str, usize, fn(usize) -> Vec<Step>);

pub(crate) const KINDS: [Kind; 13] = [
    ("no steps", 0, |_| vec![]),
    ("min-max", 0, |width| fitted(Scaling::MinMax, width)),
    ("standard", 0, |width| fitted(Scaling::Standard, width)),
    ("robust", 0, |width| fitted(Scaling::Robust, width)),
    ("quantile", 0, |width| fitted(Scaling::Quantile, width)),
    ("principal components", 0, |width| vec![components(width)]),
    ("one-hot", 0, one_hot),
    ("min-max on 7 rows", 7, |_| vec![Scaling::MinMax.into()]),
    ("standard on 50 rows", 50, |_| {
        vec![Scaling::Standard.into()]
    }),
    ("quantile on 50 rows", 50, |_| {
        vec![Scaling::Quantile.into()]
    }),
    ("running min-max", 0, |width| {
        vec![Step::RunningMinMax(MinMaxScaler::running(width))]
    }),
    ("running standard", 0, |width| {
        vec![Step::RunningStandard(StandardScaler::running(width))]
    }),
    (
        "robust on 7 rows, components, running, min-max on the same",
        7,
        |width| {
            vec![
                Scaling::Robust.into(),
                components(width),
                Step::RunningStandard(StandardScaler::running(width)),
                Scaling::MinMax.into(),
            ]
        },
    ),
];

fn fitted(scaling: Scaling, width: usize) -> Vec<Step> {
    vec![scaling.fit(rows::<Regression>(width).view()).unwrap()]
}

fn components(width: usize) -> Step {
    Pca::fit(rows::<Regression>(width).view(), width)
        .unwrap()
        .into()
}

/// Makes the last of several features categorical: quarters, as in some rows of the conformance streams.
fn one_hot(width: usize) -> Vec<Step> {
    let categorical: Vec<usize> = (1..width).skip(width.saturating_sub(2)).collect();
    let quarters = rows::<Regression>(width).mapv(|x| (x * 4.0).floor() / 4.0);
    vec![
        OneHotEncoder::fit(quarters.view(), &categorical)
            .unwrap()
            .into(),
    ]
}

pub(crate) fn rows<T: ConformanceTask>(width: usize) -> Array2<f32> {
    Stream::<T>::uniform(60, width, 77).features
}

/// Returns a pipeline of this kind for raw rows of `schema`.
pub(crate) fn pipeline<T: Forests>(
    kind: Kind,
    schema: Schema<T>,
    seed: u64,
) -> Pipeline<T::Forest> {
    let (_, window, steps) = kind;
    let steps = steps(schema.features());
    let seen = steps
        .iter()
        .fold(schema.features(), |width, step| step.width_after(width));
    let forest = T::forest(schema.with_features(seen).unwrap(), seed);
    match window {
        0 => Pipeline::new(steps, forest).unwrap(),
        rows => Pipeline::on_first_rows(rows, steps, forest).unwrap(),
    }
}
