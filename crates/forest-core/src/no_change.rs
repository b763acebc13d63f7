//! The baseline of streams: the next target is the latest.

use serde::{Deserialize, Serialize};

use crate::{
    CheckedBatch, CheckedRows, Footprint, ImplementLearner, InvariantError, PredictionRows, Schema,
    SettingError, Task,
};

/// Answers with the latest target and ignores the features: on a stream whose targets come in runs, hard to
/// beat.
///
/// A. Bifet, J. Read, I. Žliobaitė, B. Pfahringer and G. Holmes (*Pitfalls in benchmarking data stream
/// classification and how to avoid them*, ECML PKDD 2013) show that it beats published learners on the
/// electricity data. Before the first target it answers as a learner that knows nothing. `O(1)` per
/// sample, `O(classes)` per answer.
///
/// ```
/// use forest_core::{NoChange, OnlineLearner, Regression, Schema};
///
/// let mut latest = NoChange::<Regression>::new(Schema::new(1)?);
/// latest.learn_one(&[0.1], 3.0)?;
/// latest.learn_one(&[0.9], 5.0)?;
/// assert_eq!(latest.predict_one(&[0.1])?, [5.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct NoChange<T: Task> {
    schema: Schema<T>,
    seen: u64,
    latest: Option<T::Target>,
}

impl<T: Task> NoChange<T> {
    /// A baseline for the stream that `schema` describes.
    pub fn new(schema: Schema<T>) -> Self {
        let (seen, latest) = (0, None);
        Self {
            schema,
            seen,
            latest,
        }
    }

    fn answer(&self, prediction: &mut [f64]) {
        match self.latest {
            None => T::prior_prediction(prediction),
            Some(target) => T::certain_prediction(target, prediction),
        }
    }

    fn take(&mut self, target: T::Target) {
        self.schema.admit(target);
        self.seen += 1;
        self.latest = Some(target);
    }

    /// Whether the latest target, if any, is one that the schema has seen.
    fn knows_latest(&self) -> bool {
        self.latest.is_none_or(|target| {
            let mut schema = self.schema;
            let allowed = schema.check_targets(1, &[target]).is_ok();
            allowed && {
                schema.admit(target);
                schema == self.schema
            }
        })
    }
}

impl<T: Task> ImplementLearner for NoChange<T> {
    type Task = T;

    fn schema(&self) -> &Schema<T> {
        &self.schema
    }

    fn samples_seen(&self) -> u64 {
        self.seen
    }

    fn footprint(&self) -> Footprint {
        Footprint {
            bytes: size_of::<T::Target>(),
            ..Footprint::default()
        }
    }

    fn check_invariants(&self) -> Result<(), InvariantError> {
        let rule = |error: SettingError| InvariantError::new("schema", error);
        self.schema.check().map_err(rule)?;
        let counted = (self.seen > 0) == self.latest.is_some();
        let what = || "the latest target does not go with the samples seen";
        InvariantError::unless(counted && self.knows_latest(), || "no-change", what)
    }

    fn learn_checked(&mut self, batch: CheckedBatch<'_, Self>) {
        for &target in batch.targets() {
            self.take(target);
        }
    }

    fn predict_checked(&self, _: CheckedRows<'_, Self>, answers: &mut [f64]) {
        let width = self.schema.width().max(1);
        let rows = answers.chunks_exact_mut(width);
        rows.for_each(|answer| self.answer(answer));
    }

    fn predict_then_learn_checked(&mut self, batch: CheckedBatch<'_, Self>) -> PredictionRows {
        let mut answers = PredictionRows::default();
        for &target in batch.targets() {
            self.answer(answers.push(self.schema.width()));
            self.take(target);
        }
        answers
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Classification, Regression};

    #[test]
    fn what_was_never_learned_is_no_latest_target() {
        let schema = Schema::<Classification>::new(1).unwrap();
        let known = schema.with_classes(2).unwrap();
        let of = |schema, seen, latest| NoChange {
            schema,
            seen,
            latest,
        };
        assert!(of(schema, 0, None).check_invariants().is_ok());
        assert!(of(known, 3, Some(1)).check_invariants().is_ok());
        for (schema, seen, latest) in [
            (known, 3, None),
            (known, 0, Some(1)),
            (known, 3, Some(2)),
            (known, 3, Some(u32::MAX)),
        ] {
            assert!(of(schema, seen, latest).check_invariants().is_err());
        }
        let numbers = NoChange::<Regression> {
            schema: Schema::new(1).unwrap(),
            seen: 1,
            latest: Some(f64::NAN),
        };
        assert!(numbers.check_invariants().is_err());
    }
}
