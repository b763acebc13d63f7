//! The baseline of streams: the next target is the latest.

use serde::{Deserialize, Serialize};

use crate::{ByRow, InvariantError, RowLearner, Schema, Task};

/// Predicts the latest target and ignores the features, which is hard to beat on a stream whose targets come in runs.
///
/// A. Bifet, J. Read, I. Žliobaitė, B. Pfahringer and G. Holmes (*Pitfalls in benchmarking data stream
/// classification and how to avoid them*, ECML PKDD 2013) show that it beats published learners on the
/// electricity data. `O(1)` per sample, `O(classes)` per prediction.
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
pub type NoChange<T> = ByRow<T, Latest<T>>;

/// The latest target.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Latest<T: Task>(Option<T::Target>);

impl<T: Task> Default for Latest<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: Task> Latest<T> {
    /// Returns whether the latest target, if any, is one that the schema has seen.
    fn is_known(&self, mut schema: Schema<T>) -> bool {
        self.0.is_none_or(|target| {
            let known = schema;
            schema.check_targets(1, &[target]).is_ok() && {
                schema.admit(target);
                schema == known
            }
        })
    }
}

impl<T: Task> RowLearner<T> for Latest<T> {
    fn learn(&mut self, _: &[f32], target: T::Target, _: u64) {
        self.0 = Some(target);
    }

    fn predict(&self, _: &[f32], _: u64, prediction: &mut [f64]) {
        match self.0 {
            None => T::prior_prediction(prediction),
            Some(target) => T::certain_prediction(target, prediction),
        }
    }

    fn bytes(&self, _: usize) -> usize {
        size_of::<T::Target>()
    }

    fn check(&self, seen: u64, schema: &Schema<T>) -> Result<(), InvariantError> {
        let counted = (seen > 0) == self.0.is_some();
        let what = "the latest target does not go with the samples seen";
        InvariantError::require(counted && self.is_known(*schema), "no-change", what)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Classification, OnlineLearner, Regression};

    #[test]
    fn the_latest_target_of_an_untrained_learner_is_nothing() {
        let schema = Schema::<Classification>::new(1).unwrap();
        let known = schema.with_classes(2).unwrap();
        let of = |schema, seen, latest| NoChange {
            schema,
            seen,
            learner: Latest(latest),
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
            learner: Latest(Some(f64::NAN)),
        };
        assert!(numbers.check_invariants().is_err());
    }
}
