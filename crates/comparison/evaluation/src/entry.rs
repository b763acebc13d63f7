//! What the table of batch learners tells of each.

use std::sync::Arc;

use datasets::TaskKind;
use forest_core::{Classification, Regression, Task};
use parameters::{Parameter, Values};
use registry::{Declared, NamedTask};

use crate::metric::{Accumulate, Accumulator};
use crate::own::{Build, OwnBuild};
use crate::{BatchLearner, FitOptions};

/// A named batch learner: what it is, and how it is made.
#[derive(Debug)]
pub struct BatchEntry {
    /// What it is called.
    pub name: &'static str,
    /// What it is, in one line.
    pub description: &'static str,
    /// Where it comes from.
    pub paper: &'static str,
    /// What it is not made for, a phrase each.
    pub limits: &'static [&'static str],
    /// Its parameters.
    pub parameters: fn() -> Vec<&'static Parameter>,
    /// Makes classifiers, if it can.
    pub classification: Option<Make<Classification>>,
    /// Makes regressors, if it can.
    pub regression: Option<Make<Regression>>,
}

/// Makes a learner with values, which are of its parameters.
pub type Make<T> = fn(&Values) -> Box<dyn BatchLearner<T>>;

/// [`Make`] for settings that are the learner.
pub fn make<S: Declared + BatchLearner<T>, T: Task>(values: &Values) -> Box<dyn BatchLearner<T>> {
    Box::new(S::with(values))
}

/// A task that batch learners do.
pub trait BatchTask: NamedTask {
    /// The task as a value.
    const KIND: TaskKind;

    /// What makes the learners of `entry` for this task, if anything does.
    fn make(entry: &BatchEntry) -> Option<Make<Self>>;

    /// Adds a target, `weight` times, to an answer: to the cell of its class, or to the only cell.
    fn add(target: Self::Target, weight: f64, answer: &mut [f64]);

    /// What adds up a metric, if it is one of this task.
    fn accumulator(metric: &Accumulate) -> Option<Box<dyn Accumulator<Self::Target>>>;

    /// A maker of learners, whatever its task.
    fn keep(build: Arc<Build<Self>>) -> OwnBuild;

    /// The maker of learners, if they are of this task.
    fn own(build: &OwnBuild) -> Option<&Build<Self>>;
}

impl BatchTask for Classification {
    const KIND: TaskKind = TaskKind::Classification;

    fn make(entry: &BatchEntry) -> Option<Make<Self>> {
        entry.classification
    }

    fn add(target: u32, weight: f64, answer: &mut [f64]) {
        answer[target as usize] += weight;
    }

    fn accumulator(metric: &Accumulate) -> Option<Box<dyn Accumulator<u32>>> {
        match metric {
            Accumulate::Classes(make) => Some(make()),
            Accumulate::Numbers(_) => None,
        }
    }

    fn keep(build: Arc<Build<Self>>) -> OwnBuild {
        OwnBuild::Classifier(build)
    }

    fn own(build: &OwnBuild) -> Option<&Build<Self>> {
        match build {
            OwnBuild::Classifier(build) => Some(&**build),
            OwnBuild::Regressor(_) => None,
        }
    }
}

impl BatchTask for Regression {
    const KIND: TaskKind = TaskKind::Regression;

    fn make(entry: &BatchEntry) -> Option<Make<Self>> {
        entry.regression
    }

    fn add(target: f64, weight: f64, answer: &mut [f64]) {
        answer[0] += weight * target;
    }

    fn accumulator(metric: &Accumulate) -> Option<Box<dyn Accumulator<f64>>> {
        match metric {
            Accumulate::Numbers(make) => Some(make()),
            Accumulate::Classes(_) => None,
        }
    }

    fn keep(build: Arc<Build<Self>>) -> OwnBuild {
        OwnBuild::Regressor(build)
    }

    fn own(build: &OwnBuild) -> Option<&Build<Self>> {
        match build {
            OwnBuild::Regressor(build) => Some(&**build),
            OwnBuild::Classifier(_) => None,
        }
    }
}

impl std::fmt::Debug for FitOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("FitOptions");
        shown.field("trees", &self.trees).field("seed", &self.seed);
        shown.finish_non_exhaustive()
    }
}
