//! The rows of the table of batch learners.

use datasets::TaskKind;
use forest_core::parameters::{Parameter, Values};
use forest_core::registry::{Declared, NamedTask};
use forest_core::{Classification, Regression, Task};

use crate::metric::{Accumulate, Accumulator};
use crate::{BatchLearner, OwnAlgorithm, OwnBuild};

/// A named batch learner: its description, and how it is made.
#[derive(Debug)]
pub struct BatchEntry {
    /// Its name.
    pub name: &'static str,
    /// A one-line description.
    pub description: &'static str,
    /// The source: a paper or a library.
    pub paper: &'static str,
    /// Its limitations, a phrase each.
    pub limits: &'static [&'static str],
    /// Its parameters.
    pub parameters: fn() -> Vec<&'static Parameter>,
    /// Makes classifiers, if it can.
    pub classification: Option<Make<Classification>>,
    /// Makes regressors, if it can.
    pub regression: Option<Make<Regression>>,
}

/// Makes a learner from the values of its parameters.
pub type Make<T> = fn(&Values) -> Box<dyn BatchLearner<T>>;

/// Implements [`Make`] for settings that are themselves the learner.
pub fn make<S: Declared + BatchLearner<T>, T: Task>(values: &Values) -> Box<dyn BatchLearner<T>> {
    Box::new(S::with(values))
}

/// A task that batch learners support.
pub trait BatchTask: NamedTask {
    /// The task as a value.
    const KIND: TaskKind;

    /// Returns the function that makes the learners of `entry` for this task, if it supports it.
    fn make(entry: &BatchEntry) -> Option<Make<Self>>;

    /// Adds a target, `weight` times, to a prediction: to the cell of its class, or to the only cell.
    fn add(target: Self::Target, weight: f64, prediction: &mut [f64]);

    /// Returns an accumulator of the metric, if the metric is one of this task.
    fn accumulator(metric: &Accumulate) -> Option<Box<dyn Accumulator<Self::Target>>>;

    /// Returns what makes the caller's own learners of this task.
    fn own(algorithm: &OwnAlgorithm) -> &Option<OwnBuild<Self>>;

    /// Returns the same, to be replaced.
    fn own_mut(algorithm: &mut OwnAlgorithm) -> &mut Option<OwnBuild<Self>>;
}

impl BatchTask for Classification {
    const KIND: TaskKind = TaskKind::Classification;

    fn make(entry: &BatchEntry) -> Option<Make<Self>> {
        entry.classification
    }

    fn add(target: u32, weight: f64, prediction: &mut [f64]) {
        prediction[target as usize] += weight;
    }

    fn accumulator(metric: &Accumulate) -> Option<Box<dyn Accumulator<u32>>> {
        match metric {
            Accumulate::Classes(make) => Some(make()),
            Accumulate::Numbers(_) => None,
        }
    }

    fn own(algorithm: &OwnAlgorithm) -> &Option<OwnBuild<Self>> {
        &algorithm.classifier
    }

    fn own_mut(algorithm: &mut OwnAlgorithm) -> &mut Option<OwnBuild<Self>> {
        &mut algorithm.classifier
    }
}

impl BatchTask for Regression {
    const KIND: TaskKind = TaskKind::Regression;

    fn make(entry: &BatchEntry) -> Option<Make<Self>> {
        entry.regression
    }

    fn add(target: f64, weight: f64, prediction: &mut [f64]) {
        prediction[0] += weight * target;
    }

    fn accumulator(metric: &Accumulate) -> Option<Box<dyn Accumulator<f64>>> {
        match metric {
            Accumulate::Numbers(make) => Some(make()),
            Accumulate::Classes(_) => None,
        }
    }

    fn own(algorithm: &OwnAlgorithm) -> &Option<OwnBuild<Self>> {
        &algorithm.regressor
    }

    fn own_mut(algorithm: &mut OwnAlgorithm) -> &mut Option<OwnBuild<Self>> {
        &mut algorithm.regressor
    }
}
