//! What is learned: class labels or numbers.

use std::collections::VecDeque;
use std::fmt::Debug;

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{InputError, LabelSummary, SettingError, argmax};

/// A kind of learning problem: [`Classification`] or [`Regression`].
pub trait Task: Copy + Debug + Default + PartialEq + Send + Sync + 'static {
    /// What a sample is labelled with: a class index (`u32`) or a number (`f64`).
    type Target: Copy + Debug + Default + PartialEq + Send + Sync + Serialize + DeserializeOwned;

    /// What is known about the outputs: the classes seen so far, or nothing.
    type Outputs: Copy + Debug + Default + PartialEq + Send + Sync + Serialize + DeserializeOwned;

    /// What is predicted: a class, `None` before the first label; or a number, 0 before the first target.
    type Label: Send;

    /// `classification` or `regression`.
    const NAME: &'static str;

    /// Checks that a target is one of this task; `row` is its place in the batch.
    ///
    /// # Errors
    /// Returns an error if it is a class beyond the cap, or a number that is not finite or too large.
    fn check(outputs: &Self::Outputs, target: Self::Target, row: usize) -> Result<(), InputError>;

    /// Checks that outputs that were decoded could have been stated or learned.
    ///
    /// # Errors
    /// Returns the rule they break.
    fn check_outputs(outputs: &Self::Outputs) -> Result<(), SettingError>;

    /// Returns the outputs once `target` has been seen.
    #[must_use]
    fn admit(outputs: Self::Outputs, target: Self::Target) -> Self::Outputs;

    /// Returns the width of a prediction row: the number of classes known, or 1.
    fn width(outputs: &Self::Outputs) -> usize;

    /// Returns the outputs that were known, in the stream of `outputs`, when prediction rows had this width; the
    /// nearest ones if they never can have it.
    #[must_use]
    fn outputs_of_width(outputs: Self::Outputs, width: u32) -> Self::Outputs;

    /// Fills `prediction` with the prediction of a learner that knows nothing: uniform, or 0.
    fn prior_prediction(prediction: &mut [f64]);

    /// Returns the label of a prediction row: of equally probable classes the smaller one.
    fn label(prediction: &[f64], has_learned: bool) -> Self::Label;

    /// Returns the summary of no targets.
    fn no_labels() -> LabelSummary;

    /// Adds `count` samples with this target or, of numbers, with this mean.
    fn add_label(labels: &mut LabelSummary, target: Self::Target, count: u64);

    /// Fills `prediction`, all 0 before, with the class frequencies or the mean of these targets, 1 or more.
    fn predict_mean(targets: &VecDeque<Self::Target>, prediction: &mut [f64]);
}

/// Learning one of several classes; predictions are class probabilities.
///
/// Targets are class indices `0, 1, 2, …`; a prediction row holds one probability per class known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Classification;

impl Task for Classification {
    type Target = u32;
    type Outputs = ClassSpace;
    type Label = Option<u32>;
    const NAME: &'static str = "classification";

    fn check(outputs: &ClassSpace, class: u32, row: usize) -> Result<(), InputError> {
        let cap = outputs.cap();
        if class < cap {
            return Ok(());
        }
        Err(InputError::Value(format!(
            "row {row}: class {class} is beyond the cap of {cap} classes; if that many classes exist, raise the class \
             cap (class_cap)"
        )))
    }

    fn check_outputs(outputs: &ClassSpace) -> Result<(), SettingError> {
        outputs.check()
    }

    fn admit(outputs: ClassSpace, class: u32) -> ClassSpace {
        let known = outputs.known.max(class + 1);
        ClassSpace { known, ..outputs }
    }

    fn width(outputs: &ClassSpace) -> usize {
        outputs.known() as usize
    }

    fn outputs_of_width(outputs: ClassSpace, width: u32) -> ClassSpace {
        let known = width.min(outputs.cap);
        ClassSpace { known, ..outputs }
    }

    fn prior_prediction(prediction: &mut [f64]) {
        prediction.fill(1.0 / prediction.len() as f64);
    }

    fn label(prediction: &[f64], has_learned: bool) -> Option<u32> {
        has_learned.then(|| argmax(prediction) as u32)
    }

    fn no_labels() -> LabelSummary {
        LabelSummary::Classes(Vec::new())
    }

    fn add_label(labels: &mut LabelSummary, class: u32, count: u64) {
        labels.add_class(class, count);
    }

    fn predict_mean(targets: &VecDeque<u32>, prediction: &mut [f64]) {
        for &class in targets {
            prediction[class as usize] += 1.0 / targets.len() as f64;
        }
    }
}

/// The classes `0..known()`, which may grow to `cap()`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassSpace {
    known: u32,
    cap: u32,
}

impl ClassSpace {
    const DEFAULT_CAP: u32 = 4096;

    /// A prediction row has a number per class, so a wrong count must not cause a huge allocation.
    const HIGHEST_CAP: u32 = 1 << 24;

    pub(crate) fn new(known: u32, cap: u32) -> Result<Self, SettingError> {
        let classes = Self { known, cap };
        classes.check()?;
        Ok(classes)
    }

    pub(crate) fn check(self) -> Result<(), SettingError> {
        let rule = "must be from 1 to 2²⁴ and no less than the classes known";
        let kept = (1..=Self::HIGHEST_CAP).contains(&self.cap) && self.known <= self.cap;
        SettingError::require(kept, "class_cap", rule, self.cap)
    }

    /// Returns the number of classes known: the largest label seen or stated, plus one.
    pub fn known(self) -> u32 {
        self.known
    }

    /// Returns the number of classes that may ever be known.
    pub fn cap(self) -> u32 {
        self.cap
    }
}

impl Default for ClassSpace {
    fn default() -> Self {
        Self {
            known: 0,
            cap: Self::DEFAULT_CAP,
        }
    }
}

/// Learning a number; a prediction row holds the mean.
///
/// Targets lie within ±[`Regression::LARGEST_TARGET`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Regression;

impl Regression {
    /// The largest target, in absolute value: 10¹⁰⁰. Sums of squares of 2⁶⁴ such targets are finite.
    pub const LARGEST_TARGET: f64 = 1e100;

    /// Returns whether `value` can be a target, or a mean of targets.
    pub fn is_target(value: f64) -> bool {
        value.abs() <= Self::LARGEST_TARGET
    }
}

impl Task for Regression {
    type Target = f64;
    type Outputs = ();
    type Label = f64;
    const NAME: &'static str = "regression";

    fn check((): &(), target: f64, row: usize) -> Result<(), InputError> {
        if Self::is_target(target) {
            return Ok(());
        }
        let why = if target.is_finite() {
            "is beyond ±1e100, so that sums of its squares could overflow; divide all targets by a constant first"
        } else {
            "is not a finite number; replace or drop it first"
        };
        Err(InputError::Value(format!(
            "row {row}: the target {target:e} {why}"
        )))
    }

    fn check_outputs((): &()) -> Result<(), SettingError> {
        Ok(())
    }

    fn admit((): (), _: f64) {}

    fn width((): &()) -> usize {
        1
    }

    fn outputs_of_width((): (), _: u32) {}

    fn prior_prediction(prediction: &mut [f64]) {
        prediction.fill(0.0);
    }

    fn label(prediction: &[f64], _: bool) -> f64 {
        prediction[0]
    }

    fn no_labels() -> LabelSummary {
        LabelSummary::Numbers {
            samples: 0,
            mean: 0.0,
        }
    }

    fn add_label(labels: &mut LabelSummary, mean: f64, count: u64) {
        labels.add_number(mean, count);
    }

    fn predict_mean(targets: &VecDeque<f64>, prediction: &mut [f64]) {
        // A running sum would keep the rounding errors of targets that left.
        prediction.fill(targets.iter().sum::<f64>() / targets.len() as f64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cap_is_above_the_classes_known_and_not_wild() {
        let highest = ClassSpace::HIGHEST_CAP;
        for (known, cap) in [(0, 1), (4, 4), (4, 5), (0, highest)] {
            assert!(ClassSpace::new(known, cap).is_ok(), "{known} of {cap}");
        }
        for (known, cap) in [(0, 0), (5, 4), (0, highest + 1)] {
            assert!(ClassSpace::new(known, cap).is_err(), "{known} of {cap}");
        }
    }
}
