//! The base, and the scores of its predictions.

use forest_core::parameters::{Parameter, Rule};
use forest_core::registry::{BaseLearner, Declared as _, settings};
use forest_core::{
    Batch, ForestSettings, InputError, InvariantError, OnlineLearner, PredictionRows, Regression,
    Schema, SettingError,
};
use ndarray::ArrayView2;
use serde::{Deserialize, Serialize};

use crate::conformal::NESTING;
use crate::conformal::scores::LatestScores;

/// Settings chosen before the first sample, except the number of trees and the seed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConformalSettings {
    /// The learner inside, an algorithm's name or `name:key=value;key=value`.
    pub base: String,
    /// How many of the latest scores are kept, 1 or more.
    pub scores: u32,
}

settings! {
    ConformalSettings {
        base: Parameter::new("base", Rule::Text, "mondrian-2016", "base regressor; its parameters separated by ; instead of ,");
        scores: Parameter::new("scores", Rule::Count(1), "1000", "number of latest errors, in deviations, that set the width of intervals");
    }
}

/// A regressor of the table `R` whose intervals follow its latest errors.
///
/// See the [crate](crate) for the definition of its intervals.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Conformal {
    pub(crate) settings: ConformalSettings,
    forest: ForestSettings,
    pub(crate) base: BaseLearner<Regression, NESTING>,
    pub(crate) scores: LatestScores,
    /// Working memory: the base's prediction for one row.
    #[serde(skip)]
    pub(crate) prediction: Vec<f64>,
}

impl Conformal {
    /// Builds a learner for the stream that `schema` describes; `forest` sets how the base is built.
    ///
    /// # Errors
    /// Returns an error for a base that is not in the table, does not support regression or is this algorithm itself, or for a setting that
    /// violates its rule.
    pub fn new(
        schema: Schema<Regression>,
        settings: ConformalSettings,
        forest: ForestSettings,
    ) -> Result<Self, SettingError> {
        settings.check_rules()?;
        Ok(Self {
            base: BaseLearner::build(&settings.base, schema, forest)?,
            scores: LatestScores::new(settings.scores as usize),
            prediction: Vec::new(),
            settings,
            forest,
        })
    }

    /// Returns the settings it was built with.
    pub fn settings(&self) -> &ConformalSettings {
        &self.settings
    }

    /// Lets the base learn rows; returns its prediction just before each.
    pub(crate) fn predict_rows_then_learn(
        &mut self,
        batch: &Batch<'_, Regression>,
    ) -> PredictionRows {
        let first = self.base.get().samples_seen();
        let predictions = self.base.get_mut().predict_full_then_learn_batch(batch);
        for (row, (prediction, &target)) in (first..).zip(predictions.iter().zip(batch.targets())) {
            self.observe(row, prediction, target);
        }
        predictions
    }

    /// Does the same for one row, without allocating.
    pub(crate) fn learn_one_row(&mut self, batch: &Batch<'_, Regression>, target: f64) {
        let first = self.base.get().samples_seen();
        let mut prediction = std::mem::take(&mut self.prediction);
        let predicted = self.predictions_of_base(batch.rows().matrix(), &mut prediction);
        predicted.expect("rows were checked against the base's schema");
        self.base.get_mut().learn_batch(batch);
        self.observe(first, &prediction, target);
        self.prediction = prediction;
    }

    /// Overwrites `predictions` with mean and variance of each row, or with the mean alone if the base has no variances.
    fn predictions_of_base(
        &self,
        features: ArrayView2<'_, f32>,
        predictions: &mut Vec<f64>,
    ) -> Result<(), InputError> {
        let base = self.base.get();
        match base.as_intervals() {
            Some(known) => known.means_and_variances_into(features, predictions),
            None => base.predict_into(features, predictions),
        }
    }

    /// Adds the score of row `row` of the stream, counted from 0. The first is skipped, since nothing had been learned. Before the second
    /// one target had been learned, from which no deviation can be estimated.
    fn observe(&mut self, row: u64, prediction: &[f64], target: f64) {
        match row {
            0 => {}
            1 if prediction.len() > 1 => self.scores.push(score(&[prediction[0], 0.0], target)),
            _ => self.scores.push(score(prediction, target)),
        }
    }

    /// Overwrites `predictions` with the mean and deviation of each row that scores are based on.
    pub(crate) fn means_and_deviations(
        &self,
        features: ArrayView2<'_, f32>,
        predictions: &mut Vec<f64>,
    ) -> Result<(), InputError> {
        self.predictions_of_base(features, predictions)?;
        match self.base.get().as_intervals() {
            Some(_) => {
                let variances = predictions.iter_mut().skip(1).step_by(2);
                variances.for_each(|variance| *variance = variance.sqrt());
            }
            None => {
                let means = predictions.len();
                predictions.resize(2 * means, 1.0);
                for row in (0..means).rev() {
                    (predictions[2 * row], predictions[2 * row + 1]) = (predictions[row], 1.0);
                }
            }
        }
        Ok(())
    }

    /// Checks the state against what would be built from the settings.
    pub(crate) fn check(&self) -> Result<(), InvariantError> {
        let rule = |error: SettingError| InvariantError::new("settings", error);
        self.settings.check_rules().map_err(rule)?;
        let base = self.base.get();
        let built =
            BaseLearner::<_, NESTING>::build(&self.settings.base, *base.schema(), self.forest);
        let built = built.map_err(rule)?;
        let same =
            (base.algorithm(), base.trees()) == (built.get().algorithm(), built.get().trees());
        let what = "it does not match the settings";
        InvariantError::require(same, "base", what)?;
        let scored = base.samples_seen().saturating_sub(1);
        self.scores.check(self.settings.scores as usize, scored)?;
        base.check_invariants()
    }
}

/// A deviation that is a smaller share of an error was not a prediction: all targets before were equal.
const LEAST_SHARE: f64 = 1e-9;

/// Returns how far a target is from the mean, in deviations: 0 if the mean is right, whatever the deviation. An error where no deviation was
/// predicted is one deviation itself; otherwise the first of these would decide all variances while it is among the latest.
fn score(prediction: &[f64], target: f64) -> f64 {
    let error = (target - prediction[0]).abs();
    let deviation = prediction.get(1).map_or(1.0, |variance| variance.sqrt());
    if error == 0.0 {
        0.0
    } else if deviation < LEAST_SHARE * error {
        1.0
    } else {
        error / deviation
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_errors_in_deviations() {
        assert_eq!(score(&[1.0, 4.0], 4.0), 1.5);
        assert_eq!(score(&[1.0], -1.0), 2.0);
        assert_eq!(score(&[1.0, 0.0], 1.0), 0.0);
        assert_eq!(score(&[1.0, 0.0], 2.0), 1.0);
        assert_eq!(score(&[1.0, 1e-200], 1e100), 1.0);
        assert_eq!(score(&[1e9, 1e-6], 1e9 + 0.5), 500.0);
        assert_eq!(score(&[1.0, f64::INFINITY], 2.0), 0.0);
    }
}
