//! What may have been shuffled, and statistics of a few errors.

use boundary_forest::{BoundaryClassifier, ClassifierSettings, Euclidean};
use forest_core::{ForestSettings, OnlineLearner, Schema, TreeRng};
use ndarray::{ArrayView2, Axis};
use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::common::{Split, mean, percent_wrong};

const TREES: usize = 50;

/// A reading's name and its forest for a seed.
pub type Reading = (&'static str, fn(&Split, u64) -> BoundaryClassifier);

pub const READINGS: [Reading; 3] = [
    ("file order", in_file_order),
    ("shuffled once", shuffled_once),
    ("shuffled for each tree", shuffled_for_each_tree),
];

type Rows<'a> = (ArrayView2<'a, f32>, &'a [u32]);

fn in_file_order(split: &Split, seed: u64) -> BoundaryClassifier {
    online(split.train(), seed)
}

/// One random order of the rows, the same for all trees.
fn shuffled_once(split: &Split, seed: u64) -> BoundaryClassifier {
    let (rows, labels) = split.train();
    let mut order: Vec<_> = (0..labels.len()).collect();
    TreeRng::new(seed, TREES).shuffle(&mut order);
    let labels: Vec<_> = order.iter().map(|&row| labels[row]).collect();
    online((rows.select(Axis(0), &order).view(), &labels), seed)
}

fn online((rows, labels): Rows<'_>, seed: u64) -> BoundaryClassifier {
    let schema = Schema::new(rows.ncols()).expect("there are features");
    let settings = ClassifierSettings::default();
    let forest = BoundaryClassifier::<Euclidean>::new(
        schema,
        settings,
        ForestSettings {
            trees: TREES,
            seed,
            ..ForestSettings::default()
        },
    );
    let mut forest = forest.expect("defaults are valid");
    forest.learn(rows, labels).expect("rows are acceptable");
    forest
}

fn shuffled_for_each_tree(split: &Split, seed: u64) -> BoundaryClassifier {
    let (rows, labels) = split.train();
    let schema = Schema::new(rows.ncols()).expect("there are features");
    let settings = ClassifierSettings::default();
    BoundaryClassifier::offline(
        schema,
        settings,
        ForestSettings {
            trees: TREES,
            seed,
            ..ForestSettings::default()
        },
        rows,
        labels,
    )
    .expect("rows are acceptable")
}

/// Percent of wrong answers.
pub fn error(forest: &BoundaryClassifier, (rows, labels): Rows<'_>) -> f64 {
    let answers = forest.predict(rows).expect("rows are acceptable");
    percent_wrong(&answers, labels)
}

/// Errors, one per seed.
#[derive(Clone, Default)]
pub struct Sample(pub Vec<f64>);

impl Sample {
    pub fn mean(&self) -> f64 {
        mean(&self.0)
    }

    fn deviation(&self) -> f64 {
        let squares = self.0.iter().map(|error| (error - self.mean()).powi(2));
        (squares.sum::<f64>() / (self.0.len() - 1) as f64).sqrt()
    }

    /// Mean and half of the 95 % interval.
    pub fn interval(&self) -> String {
        let n = self.0.len() as f64;
        let t = StudentsT::new(0.0, 1.0, n - 1.0).expect("there are two errors at least");
        let half = t.inverse_cdf(0.975) * self.deviation() / n.sqrt();
        format!("{:.2} ± {half:.2}", self.mean())
    }

    /// How far `value`, another error, is from the mean, in standard deviations of this difference.
    pub fn deviations(&self, value: f64) -> f64 {
        let n = self.0.len() as f64;
        (value - self.mean()) / (self.deviation() * (1.0 + 1.0 / n).sqrt())
    }
}
