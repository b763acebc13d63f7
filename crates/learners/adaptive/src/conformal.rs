//! Intervals with their nominal coverage, around any online regressor.
//!
//! [`Conformal`] holds a *base* learner of a table of algorithms and predicts as it does, bit for bit. Just before a row
//! is learned it records the row's *nonconformity score*, s = |y − mean| / deviation, where mean and deviation (√variance) are the base's
//! prediction; a base without variances has deviation 1, and the error itself is the deviation where the base has none to predict (a single
//! target, or equal ones, came before). The interval at level p reaches q deviations to each
//! side of the mean, where q is the ⌈(n + 1)p⌉-th smallest of the latest n scores, and is infinite if there are fewer: below 9
//! scores at 90 %, below 99 at 99 %. So the width of an interval follows the base, and how often it covers follows from
//! the stream so far, whatever the noise is. The base may be `adaptive`, for concept drift.
//!
//! ```standalone_crate
//! use adaptive::conformal::{Conformal, ConformalSettings};
//! use forest_core::{ForestSettings, OnlineLearner, Regression, Schema};
//!
//! forest_core::submit!(&[mondrian::MONDRIAN]);
//!
//! let forest = ForestSettings::default().with_trees(10);
//! let schema = Schema::<Regression>::new(1)?;
//! let mut learner = Conformal::new(schema, ConformalSettings::default(), forest)?;
//! let target = |row: u32| f64::from(row * 37 % 101) / 10.0; // from 0 to 10
//! for row in 0..1000 {
//!     learner.learn_one(&[0.5], target(row))?;
//! }
//! let bounds = learner.central_intervals(ndarray::array![[0.5]].view(), 0.8)?;
//! let covered = (1000..2000).filter(|&row| (bounds[[0, 0]]..=bounds[[0, 1]]).contains(&target(row)));
//! assert!((780..820).contains(&covered.count()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Guarantees
//!
//! If the score of a new row and the n latest are exchangeable, the interval covers the target with probability ⌈(n + 1)p⌉ / (n + 1),
//! and with more if scores tie: at least p, and less than 1 / (n + 1) above it. Nothing is assumed of the base or of the noise. Scores of a
//! learner that still learns are nearly exchangeable only, and those of a stream that changes until the window has seen the
//! change; [`ConformalSettings::scores`] is the number of rows that takes. Coverage is a mean over all rows: where the base's
//! deviations are wrong for one region and right for another, so are the intervals there.
//!
//! The papers are: V. Vovk, A. Gammerman and G. Shafer, *Algorithmic Learning in a Random World*, 2005; J. Lei, M. G'Sell, A.
//! Rinaldo, R. Tibshirani and L. Wasserman, *Distribution-Free Predictive Inference for Regression*, JASA 2018 (section 5.2: scores over
//! deviations). Their scores come from rows that are held back, ours from the stream itself.
//!
//! # Cost
//!
//! Learning a row costs one more prediction of the base, and about 0.2 µs for a thousand scores (AMD EPYC, `cargo xtask compare
//! --protocol holdout --threads 1 --data sine-product:n=200000 --algorithm mean --algorithm conformal:base=mean`), which take 16 kB
//! in the whole learner. An interval costs no more than the base's mean and variance.

mod scores;

use forest_core::parameters::{Parameter, Rule, Values, check};
use forest_core::registry::{AnyLearner, Built, Entry, Role};
use forest_core::{
    Ability, Batch, ExportedTree, FeatureValues, Footprint, ForestSettings, InputError,
    InvariantError, MixtureMember, MixtureRule, OnlineLearner, PredictionRows, Refused, Regression,
    Rows, Schema, SettingError, check_level,
};
use ndarray::{Array2, ArrayView2};
use serde::{Deserialize, Serialize};

use scores::LatestScores;

/// The base may be `adaptive`, whose members hold no learners.
const NESTING: u8 = 2;

/// The table row of `conformal`.
pub const CONFORMAL: &Entry = &Entry {
    paper: "Vovk, Gammerman, Shafer: Algorithmic Learning in a Random World, 2005; Lei et al.: \
            Distribution-Free Predictive Inference for Regression, JASA 2018",
    limits: &["intervals have their nominal coverage over all rows, not in every region"],
    role: Role::Variant,
    parameters: &[&PARAMETERS],
    nesting: NESTING,
    numbers: Some(build),
    ..Entry::new(
        "conformal",
        "any regressor, with intervals of nominal coverage from its latest errors",
    )
};

const PARAMETERS: [Parameter; 2] = [
    Parameter::new(
        "base",
        Rule::Text,
        "mondrian-2016",
        "base regressor; its parameters separated by ; instead of ,",
    ),
    Parameter::new(
        "scores",
        Rule::Count(1),
        "1000",
        "number of latest errors, in deviations, that set the width of intervals",
    ),
];

fn build(v: &mut Values, schema: Schema<Regression>, forest: ForestSettings) -> Built<Regression> {
    Ok(Box::new(Conformal::new(
        schema,
        ConformalSettings::of(v),
        forest,
    )?))
}

/// Settings chosen before the first sample, except the number of trees and the seed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConformalSettings {
    /// The learner inside, an algorithm's name or `name:key=value;key=value`.
    pub base: String,
    /// How many of the latest scores are kept, 1 or more.
    pub scores: u32,
}

impl ConformalSettings {
    fn of(v: &mut Values) -> Self {
        let (base, scores) = (v.text("base"), v.get("scores"));
        Self { base, scores }
    }

    fn check(&self) -> Result<(), SettingError> {
        check(
            &PARAMETERS,
            &[("base", &self.base), ("scores", &self.scores)],
        )
    }
}

impl Default for ConformalSettings {
    fn default() -> Self {
        Self::of(&mut Values::defaults(&PARAMETERS))
    }
}

/// A regressor of the table `R` whose intervals follow its latest errors.
///
/// See the [module](self) for the definition of its intervals.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Conformal {
    settings: ConformalSettings,
    forest: ForestSettings,
    #[serde(deserialize_with = "forest_core::registry::deserialize_inside::<_, _, NESTING>")]
    base: AnyLearner<Regression>,
    scores: LatestScores,
    /// Working memory: the base's prediction for one row.
    #[serde(skip)]
    prediction: Vec<f64>,
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
        settings.check()?;
        Ok(Self {
            base: AnyLearner::inside(NESTING, &settings.base, schema, forest)?,
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
    fn predict_rows_then_learn(&mut self, batch: &Batch<'_, Regression>) -> PredictionRows {
        let first = self.base.samples_seen();
        let predictions = self.base.predict_full_then_learn_batch(batch);
        for (row, (prediction, &target)) in (first..).zip(predictions.iter().zip(batch.targets())) {
            self.observe(row, prediction, target);
        }
        predictions
    }

    /// Does the same for one row, without allocating.
    fn learn_one_row(&mut self, batch: &Batch<'_, Regression>, target: f64) {
        let first = self.base.samples_seen();
        let mut prediction = std::mem::take(&mut self.prediction);
        let predicted = self.predictions_of_base(batch.rows().matrix(), &mut prediction);
        predicted.expect("rows were checked against the base's schema");
        self.base.learn_batch(batch);
        self.observe(first, &prediction, target);
        self.prediction = prediction;
    }

    /// Overwrites `predictions` with mean and variance of each row, or with the mean alone if the base has no variances.
    fn predictions_of_base(
        &self,
        features: ArrayView2<'_, f32>,
        predictions: &mut Vec<f64>,
    ) -> Result<(), Refused> {
        let base = &self.base;
        if base.can(Ability::Intervals) {
            return base.means_and_variances_into(features, predictions);
        }
        Ok(base.predict_into(features, predictions)?)
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
    fn means_and_deviations(
        &self,
        features: ArrayView2<'_, f32>,
        predictions: &mut Vec<f64>,
    ) -> Result<(), Refused> {
        self.predictions_of_base(features, predictions)?;
        if self.base.can(Ability::Intervals) {
            let variances = predictions.iter_mut().skip(1).step_by(2);
            variances.for_each(|variance| *variance = variance.sqrt());
        } else {
            let means = predictions.len();
            predictions.resize(2 * means, 1.0);
            for row in (0..means).rev() {
                (predictions[2 * row], predictions[2 * row + 1]) = (predictions[row], 1.0);
            }
        }
        Ok(())
    }

    /// Checks the state against what would be built from the settings.
    fn check(&self) -> Result<(), InvariantError> {
        let rule = |error: SettingError| InvariantError::new("settings", error);
        self.settings.check().map_err(rule)?;
        let base = &self.base;
        let built = AnyLearner::inside(NESTING, &self.settings.base, *base.schema(), self.forest);
        let built = built.map_err(rule)?;
        let same = (base.algorithm(), base.trees()) == (built.algorithm(), built.trees());
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

impl OnlineLearner for Conformal {
    type Task = Regression;

    fn schema(&self) -> &Schema<Regression> {
        self.base.schema()
    }

    fn feature_values(&self) -> FeatureValues {
        self.base.feature_values()
    }

    fn samples_seen(&self) -> u64 {
        self.base.samples_seen()
    }

    fn has_learned(&self) -> bool {
        self.base.has_learned()
    }

    fn footprint(&self) -> Footprint {
        let working = self.prediction.capacity() * size_of::<f64>();
        let own = Footprint {
            bytes: self.scores.bytes() + self.settings.base.capacity() + working,
            ..Footprint::default()
        };
        self.base.footprint() + own
    }

    fn trees(&self) -> usize {
        self.base.trees()
    }

    fn check_room(&self, rows: usize) -> Result<(), InputError> {
        self.base.check_room(rows)
    }

    fn check_invariants(&self) -> Result<(), InvariantError> {
        self.check()
    }

    fn learn_batch(&mut self, batch: &Batch<'_, Regression>) {
        match *batch.targets() {
            [target] => self.learn_one_row(batch, target),
            _ => drop(self.predict_rows_then_learn(batch)),
        }
    }

    fn predict_rows(&self, rows: &Rows<'_>, predictions: &mut [f64]) {
        self.base.predict_rows(rows, predictions);
    }

    fn predict_then_learn_batch(&mut self, batch: &Batch<'_, Regression>) -> PredictionRows {
        let predictions = self.predict_rows_then_learn(batch);
        let mut means = PredictionRows::default();
        for prediction in predictions.iter() {
            means.push(1)[0] = prediction[0];
        }
        means
    }

    fn can(&self, ability: Ability) -> bool {
        let of_base = ability == Ability::Explain && self.base.can(ability);
        ability == Ability::Intervals || of_base
    }

    fn export(&self, tree: usize) -> Result<ExportedTree, Refused> {
        self.base.export(tree)
    }

    fn linear_part(&self, x: &[f32]) -> Vec<f64> {
        self.base.linear_part(x)
    }

    fn members(&self) -> Vec<MixtureMember> {
        self.base.members()
    }

    fn rules(&self) -> Vec<MixtureRule> {
        self.base.rules()
    }

    /// A variance is that of the base (1 if it has none) times the mean of the latest squared scores.
    fn means_and_variances_into(
        &self,
        features: ArrayView2<'_, f32>,
        predictions: &mut Vec<f64>,
    ) -> Result<(), Refused> {
        self.means_and_deviations(features, predictions)?;
        let scale = self.scores.mean_square().sqrt();
        for deviation in predictions.iter_mut().skip(1).step_by(2) {
            *deviation = reach(scale, *deviation).powi(2);
        }
        Ok(())
    }

    /// Returns intervals that reach, to each side of the mean, the number of deviations that a share `level` of the latest scores does not exceed.
    fn central_intervals(
        &self,
        features: ArrayView2<'_, f32>,
        level: f64,
    ) -> Result<Array2<f64>, Refused> {
        check_level(level)?;
        let mut bounds = Vec::new();
        self.means_and_deviations(features, &mut bounds)?;
        let bound = self.scores.bound(level);
        for row in bounds.chunks_exact_mut(2) {
            let (mean, reach) = (row[0], reach(bound, row[1]));
            (row[0], row[1]) = (mean - reach, mean + reach);
        }
        let bounds = Array2::from_shape_vec((features.nrows(), 2), bounds);
        Ok(bounds.expect("two bounds for each row"))
    }
}

/// Returns `bound` times `deviation`; infinite if either is, even if the other is 0.
fn reach(bound: f64, deviation: f64) -> f64 {
    match bound.max(deviation) {
        f64::INFINITY => f64::INFINITY,
        _ => bound * deviation,
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
