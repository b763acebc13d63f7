//! Learners that look at the targets alone: every other learner has to beat them.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::parameters::{Parameter, Rule, Values};
use crate::registry::{Built, Entry, Role};
use crate::{
    Batch, Classification, Footprint, ForestSettings, InvariantError, LabelSummary, OnlineLearner,
    Regression, Rows, Schema, SettingError, Task,
};

/// Predicts the class frequencies, or the mean, of all targets so far, or of the latest; at first uniform, or 0.
///
/// The latest target alone is hard to beat on a stream whose targets come in runs: A. Bifet, J. Read, I. Žliobaitė, B.
/// Pfahringer and G. Holmes (*Pitfalls in benchmarking data stream classification and how to avoid them*, ECML PKDD
/// 2013) show that it beats published learners on the electricity data.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Prior<T: Task> {
    schema: Schema<T>,
    seen: u64,
    /// All targets; empty with a window.
    summary: LabelSummary,
    /// How many of the latest targets count, if not all.
    window: Option<usize>,
    /// The targets in the window, first to last.
    latest: VecDeque<T::Target>,
}

impl<T: Task> Prior<T> {
    /// Returns a learner for the stream that `schema` describes.
    pub fn new(schema: Schema<T>) -> Self {
        Self {
            schema,
            seen: 0,
            summary: T::no_labels(),
            window: None,
            latest: VecDeque::new(),
        }
    }

    /// Returns one for which the latest `window` targets count.
    ///
    /// # Errors
    /// Returns an error if `window` is 0.
    pub fn of_latest(window: usize, schema: Schema<T>) -> Result<Self, SettingError> {
        SettingError::require(window > 0, "window", "must be at least 1", window)?;
        let mut learner = Self::new(schema);
        learner.window = Some(window);
        Ok(learner)
    }
}

impl<T: Task> OnlineLearner for Prior<T> {
    type Task = T;

    fn schema(&self) -> &Schema<T> {
        &self.schema
    }

    fn samples_seen(&self) -> u64 {
        self.seen
    }

    fn footprint(&self) -> Footprint {
        let summary = self.schema.width() * size_of::<u64>();
        let latest = self.latest.capacity() * size_of::<T::Target>();
        Footprint {
            bytes: self.window.map_or(summary, |_| latest),
            ..Footprint::default()
        }
    }

    fn check_invariants(&self) -> Result<(), InvariantError> {
        let rule = |error| InvariantError::new("schema", error);
        self.schema.check().map_err(rule)?;
        let (summarised, held) = match self.window {
            None => (self.seen, 0),
            Some(window) => (0, self.seen.min(window as u64)),
        };
        let fits = self.window != Some(0)
            && self.seen <= u64::MAX / 2
            && self.summary.samples() == summarised
            && self.latest.len() as u64 == held
            && self.latest.iter().all(|&target| self.schema.knows(target));
        let what = "its targets do not match the number of samples seen";
        InvariantError::require(fits, "baseline", what)?;
        let is_finite = match self.summary {
            LabelSummary::Classes(_) => true,
            LabelSummary::Numbers { mean, .. } => mean.is_finite(),
        };
        InvariantError::require(is_finite, "baseline", "a prediction is not finite")
    }

    fn learn_batch(&mut self, batch: &Batch<'_, T>) {
        for (_, target) in batch.iter() {
            self.schema.admit(target);
            self.seen += 1;
            let Some(window) = self.window else {
                T::add_label(&mut self.summary, target, 1);
                continue;
            };
            if self.latest.len() == window {
                self.latest.pop_front();
            }
            self.latest.push_back(target);
        }
    }

    fn predict_rows(&self, _: &Rows<'_>, predictions: &mut [f64]) {
        for prediction in predictions.chunks_exact_mut(self.schema.width().max(1)) {
            match self.window {
                _ if self.seen == 0 => T::prior_prediction(prediction),
                None => self.summary.predict(prediction),
                Some(_) => T::predict_mean(&self.latest, prediction),
            }
        }
    }
}

crate::registry::submit!(&[MAJORITY, MEAN, MOVING_MEAN, NO_CHANGE]);

/// Class frequencies so far.
pub const MAJORITY: &Entry = &Entry {
    paper: "none: the trivial baseline",
    role: Role::Baseline,
    classes: Some(|_, schema, _| Ok(Box::new(Prior::new(schema)))),
    ..Entry::new(
        "majority",
        "class frequencies so far, whatever the features",
    )
};

/// The mean so far.
pub const MEAN: &Entry = &Entry {
    paper: "none: the trivial baseline",
    role: Role::Baseline,
    numbers: Some(|_, schema, _| Ok(Box::new(Prior::new(schema)))),
    ..Entry::new("mean", "mean of the targets so far, whatever the features")
};

/// The latest target.
pub const NO_CHANGE: &Entry = &Entry {
    paper: "Bifet, Read, Žliobaitė, Pfahringer, Holmes, ECML PKDD 2013",
    role: Role::Baseline,
    classes: Some(|_, schema, _| Ok(Box::new(Prior::<Classification>::of_latest(1, schema)?))),
    numbers: Some(|_, schema, _| Ok(Box::new(Prior::<Regression>::of_latest(1, schema)?))),
    ..Entry::new("no-change", "the latest target, whatever the features")
};

/// The mean of the latest targets.
pub const MOVING_MEAN: &Entry = &Entry {
    paper: "none: the baseline of streams whose level drifts",
    role: Role::Baseline,
    parameters: &[&[WINDOW]],
    numbers: Some(moving_mean),
    ..Entry::new(
        "moving-mean",
        "mean of the latest targets, whatever the features",
    )
};

const WINDOW: Parameter = Parameter::new(
    "window",
    Rule::Count(1),
    "100",
    "how many of the latest targets count",
);

fn moving_mean(v: &mut Values, schema: Schema<Regression>, _: ForestSettings) -> Built<Regression> {
    Ok(Box::new(Prior::of_latest(v.get(WINDOW.name), schema)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_that_left_do_not_count() {
        let mut mean = Prior::<Regression>::of_latest(3, Schema::new(1).unwrap()).unwrap();
        for target in [1e9, -4e9, 7.0, 1.0, 2.0, 6.0] {
            mean.learn_one(&[0.0], target).unwrap();
            mean.check_invariants().unwrap();
        }
        assert_eq!(mean.predict_one(&[0.0]).unwrap(), [3.0]);
        assert!(mean.footprint().bytes >= 3 * size_of::<f64>());
        assert!(Prior::<Regression>::of_latest(0, Schema::new(1).unwrap()).is_err());
    }

    #[test]
    fn other_targets_than_were_seen_are_found() {
        let mut mean = Prior::<Regression>::new(Schema::new(1).unwrap());
        mean.learn_one(&[0.0], 2.0).unwrap();
        assert!(mean.check_invariants().is_ok());
        for seen in [0, 2, u64::MAX] {
            mean.seen = seen;
            assert!(mean.check_invariants().is_err(), "{seen}");
        }

        let of = |seen, window, latest: &[u32]| Prior {
            schema: Schema::<Classification>::new(1)
                .unwrap()
                .with_classes(2)
                .unwrap(),
            seen,
            summary: Classification::no_labels(),
            window: Some(window),
            latest: latest.iter().copied().collect(),
        };
        assert!(of(5, 2, &[1, 0]).check_invariants().is_ok());
        assert!(of(0, 1, &[]).check_invariants().is_ok());
        for wrong in [
            of(1, 2, &[1, 1]),
            of(5, 2, &[1]),
            of(0, 0, &[]),
            of(1, 2, &[2]),
        ] {
            assert!(wrong.check_invariants().is_err(), "{wrong:?}");
        }
    }
}
