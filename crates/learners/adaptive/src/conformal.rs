//! Intervals with their nominal coverage, around any online regressor.
//!
//! [`Conformal`] holds a *base* learner of a table of algorithms and predicts as it does, bit for bit. Just before a
//! row is learned it records the row's *nonconformity score*, s = |y − mean| / deviation, where mean and deviation
//! (√variance) are the base's prediction. A base without variances has deviation 1; where the base cannot estimate one
//! (after a single target, or equal ones), s is 1. The interval at level p reaches q deviations to each side of the
//! mean, where q is the ⌈(n + 1)p⌉-th smallest of the latest n scores, and is infinite if there are fewer: below 9
//! scores at 90 %, below 99 at 99 %. The base may be `adaptive`.
//!
//! ```standalone_crate
//! use adaptive::conformal::Conformal;
//! use forest_core::{ForestSettings, OnlineLearner, Regression, Schema};
//!
//! forest_core::submit!(&[mondrian::MONDRIAN]);
//!
//! let forest = ForestSettings::default().with_trees(10);
//! let schema = Schema::<Regression>::new(1)?;
//! let mut learner = Conformal::new(schema, "mondrian-2016", 1000, forest)?;
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
//! If the score of a new row and the n latest are exchangeable, the interval covers the target with probability ⌈(n +
//! 1)p⌉ / (n + 1), and with more if scores tie, whatever the base and the noise. The scores of a learner that still
//! learns are only nearly exchangeable; after a change of the stream they are not, until all scores are from after it.
//! Coverage is a mean over all rows, not of every region.
//!
//! The papers are: V. Vovk, A. Gammerman and G. Shafer, *Algorithmic Learning in a Random World*, 2005; J. Lei, M.
//! G'Sell, A. Rinaldo, R. Tibshirani and L. Wasserman, *Distribution-Free Predictive Inference for Regression*, JASA
//! 2018 (section 5.2: scores over deviations). Their scores are those of held-out rows, ours those of each row before
//! it is learned: learning a row takes one more prediction of the base.

use std::collections::VecDeque;

use forest_core::parameters::{Parameter, Rule, Values, check};
use forest_core::registry::{AnyLearner, Built, Entry, Role};
use forest_core::{
    Ability, Batch, ExportedTree, FeatureValues, Footprint, ForestSettings, InputError,
    InvariantError, MixtureMember, OnlineLearner, PredictionRows, Refused, Regression, Rows,
    Schema, SettingError, check_level, threads,
};
use ndarray::{Array2, ArrayView2};
use serde::{Deserialize, Serialize};

/// The level of nesting of the base, which may be `adaptive`.
const NESTING: u8 = 2;

/// The row of `conformal` in the table of algorithms.
pub const CONFORMAL: &Entry = &Entry {
    paper: "Vovk, Gammerman, Shafer: Algorithmic Learning in a Random World, 2005; Lei et al.: \
            Distribution-Free Predictive Inference for Regression, JASA 2018",
    limits: &["intervals have their nominal coverage over all rows, not in every region"],
    role: Role::Variant,
    parameters: &[PARAMETERS],
    nesting: NESTING,
    numbers: Some(build),
    ..Entry::new(
        "conformal",
        "any regressor, with intervals of nominal coverage from its latest errors",
    )
};

const PARAMETERS: &[Parameter] = &forest_core::parameters! {
    "base": Rule::Text, "mondrian-2016", "base regressor; its parameters separated by ; instead of ,";
    "scores": Rule::Count(1), "1000",
        "number of latest errors, in deviations, that set the width of intervals";
};

fn build(v: &mut Values, schema: Schema<Regression>, forest: ForestSettings) -> Built<Regression> {
    let base = v.text("base");
    let scores = v.get("scores");
    Ok(Box::new(Conformal::new(schema, base, scores, forest)?))
}

/// A regressor of the table of algorithms whose intervals follow its latest errors.
///
/// See the [module](self) for the definition of its intervals.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Conformal {
    name: String,
    forest: ForestSettings,
    #[serde(deserialize_with = "forest_core::registry::deserialize_inside::<_, _, NESTING>")]
    base: AnyLearner<Regression>,
    scores: LatestScores,
}

impl Conformal {
    /// Builds a learner for the stream that `schema` describes, around a base algorithm (`name` or
    /// `name:key=value;key=value`) with these settings of its forest. The latest `scores` scores are kept, 1 or more.
    ///
    /// # Errors
    /// Returns an error if the base is not in the table, cannot learn numbers or is `conformal`, or for no scores.
    pub fn new(
        schema: Schema<Regression>,
        base: impl Into<String>,
        scores: u32,
        forest: ForestSettings,
    ) -> Result<Self, SettingError> {
        check(PARAMETERS, "scores", scores)?;
        let name = base.into();
        Ok(Self {
            base: AnyLearner::inside(NESTING, &name, schema, forest)?,
            scores: LatestScores::new(scores as usize),
            name,
            forest,
        })
    }

    /// Lets the base predict and learn rows; returns its predictions.
    fn predict_rows_then_learn(&mut self, batch: &Batch<'_, Regression>) -> PredictionRows {
        let first = self.base.samples_seen();
        let predictions = self.base.predict_full_then_learn_batch(batch);
        for (row, (prediction, &target)) in (first..).zip(predictions.iter().zip(batch.targets())) {
            self.observe(row, prediction, target);
        }
        predictions
    }

    /// Adds the score of row `row` of the stream, counted from 0. The first row is skipped, since nothing had been
    /// learned. The deviation of the second is ignored, since none can be estimated from one target.
    fn observe(&mut self, row: u64, prediction: &[f64], target: f64) {
        match row {
            0 => {}
            1 if prediction.len() > 1 => self.scores.push(score(&[prediction[0], 0.0], target)),
            _ => self.scores.push(score(prediction, target)),
        }
    }

    /// Overwrites `predictions` with the mean and, if the base has variances, the variance of each row.
    fn predictions_of_base(
        &self,
        features: ArrayView2<'_, f32>,
        predictions: &mut Vec<f64>,
    ) -> Result<(), Refused> {
        if self.base.can(Ability::Intervals) {
            return self.base.means_and_variances_into(features, predictions);
        }
        Ok(self.base.predict_into(features, predictions)?)
    }

    /// Overwrites `predictions` with the mean of each row and half the width of an interval of `bound` deviations.
    fn half_widths(
        &self,
        features: ArrayView2<'_, f32>,
        bound: f64,
        predictions: &mut Vec<f64>,
    ) -> Result<(), Refused> {
        self.predictions_of_base(features, predictions)?;
        if predictions.len() == features.nrows() {
            predictions.resize(2 * features.nrows(), 1.0);
            for row in (0..features.nrows()).rev() {
                predictions[2 * row] = predictions[row];
                predictions[2 * row + 1] = 1.0;
            }
        }
        for variance in predictions.iter_mut().skip(1).step_by(2) {
            let deviation = variance.sqrt();
            // Infinite if either is, even if the other is 0.
            *variance = match bound.max(deviation) {
                f64::INFINITY => f64::INFINITY,
                _ => bound * deviation,
            };
        }
        Ok(())
    }
}

/// A smaller share of an error is not an estimate of a deviation: all targets before were equal.
const LEAST_SHARE: f64 = 1e-9;

/// Returns the distance of a target from the mean, in deviations: 0 if the mean is exact, and 1 for an error without an
/// estimate of the deviation, which would otherwise determine all intervals as long as it is among the latest.
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

    fn trees(&self) -> usize {
        self.base.trees()
    }

    fn footprint(&self) -> Footprint {
        let mut sum = self.base.footprint();
        let scores = self.scores.latest.capacity() + self.scores.sorted.capacity();
        sum.bytes += scores * size_of::<f64>();
        sum
    }

    fn check_room(&self, rows: usize) -> Result<(), InputError> {
        self.base.check_room(rows)
    }

    fn check_invariants(&self) -> Result<(), InvariantError> {
        let rule = |error: SettingError| InvariantError::new("settings", error);
        let built = AnyLearner::inside(NESTING, &self.name, *self.schema(), self.forest);
        let built = built.map_err(rule)?;
        let is_same = self.base.algorithm() == built.algorithm()
            && self.base.trees() == built.trees()
            && self.scores.capacity > 0;
        InvariantError::require(is_same, "base", "it does not match the settings")?;
        let is_sound = self.scores.is_sound(self.samples_seen().saturating_sub(1));
        let what = "they are too few, not sorted, or one is below 0";
        InvariantError::require(is_sound, "the latest scores", what)?;
        self.base.check_invariants()
    }

    /// Learns rows after adding the scores of their predictions. A single row allocates nothing.
    fn learn_batch(&mut self, batch: &Batch<'_, Regression>) {
        let [target] = *batch.targets() else {
            self.predict_rows_then_learn(batch);
            return;
        };
        threads::with_buffer(|prediction| {
            let predicted = self.predictions_of_base(batch.rows().matrix(), prediction);
            predicted.expect("rows were checked against the base's schema");
            self.observe(self.samples_seen(), prediction, target);
        });
        self.base.learn_batch(batch);
    }

    fn predict_rows(&self, rows: &Rows<'_>, predictions: &mut [f64]) {
        self.base.predict_rows(rows, predictions);
    }

    fn predict_then_learn_batch(&mut self, batch: &Batch<'_, Regression>) -> PredictionRows {
        let mut means = PredictionRows::default();
        for prediction in self.predict_rows_then_learn(batch).iter() {
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

    fn rules(&self) -> Vec<MixtureMember> {
        self.base.rules()
    }

    /// Returns the variances of the base (1 if it has none) times the mean of the latest squared scores.
    fn means_and_variances_into(
        &self,
        features: ArrayView2<'_, f32>,
        predictions: &mut Vec<f64>,
    ) -> Result<(), Refused> {
        self.half_widths(features, self.scores.mean_square().sqrt(), predictions)?;
        let deviations = predictions.iter_mut().skip(1).step_by(2);
        deviations.for_each(|deviation| *deviation = deviation.powi(2));
        Ok(())
    }

    /// Returns intervals whose half width is the number of deviations that a share `level` of scores does not exceed.
    fn central_intervals(
        &self,
        features: ArrayView2<'_, f32>,
        level: f64,
    ) -> Result<Array2<f64>, Refused> {
        check_level(level)?;
        let mut bounds = Vec::new();
        self.half_widths(features, self.scores.bound(level), &mut bounds)?;
        for row in bounds.chunks_exact_mut(2) {
            let [mean, half_width] = [row[0], row[1]];
            row[0] = mean - half_width;
            row[1] = mean + half_width;
        }
        let bounds = Array2::from_shape_vec((features.nrows(), 2), bounds);
        Ok(bounds.expect("two bounds for each row"))
    }
}

/// The latest scores, at least 0; at most `capacity` of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct LatestScores {
    capacity: usize,
    latest: VecDeque<f64>,
    /// The same, smallest first.
    sorted: Vec<f64>,
}

impl LatestScores {
    fn new(capacity: usize) -> Self {
        Self {
            capacity,
            latest: VecDeque::new(),
            sorted: Vec::new(),
        }
    }

    /// Adds a score, in place of the oldest if the window is full.
    fn push(&mut self, score: f64) {
        if self.latest.len() == self.capacity
            && let Some(oldest) = self.latest.pop_front()
        {
            let place = self.sorted.partition_point(|other| *other < oldest);
            self.sorted.remove(place);
        }
        let place = self.sorted.partition_point(|other| *other < score);
        self.sorted.insert(place, score);
        self.latest.push_back(score);
    }

    /// Returns a bound that one more score does not exceed with probability `level`, if it is exchangeable with these.
    fn bound(&self, level: f64) -> f64 {
        // Rounding must not raise (n + 1)p above a whole number.
        let rank = ((self.sorted.len() + 1) as f64 * level - 1e-9).ceil() as usize;
        let bound = self.sorted.get(rank.saturating_sub(1));
        bound.copied().unwrap_or(f64::INFINITY)
    }

    /// Returns the mean of their squares; infinite without scores.
    fn mean_square(&self) -> f64 {
        let squares: f64 = self.sorted.iter().map(|score| score * score).sum();
        match self.sorted.len() {
            0 => f64::INFINITY,
            count => squares / count as f64,
        }
    }

    /// Returns whether these can be the latest of `scored` rows.
    fn is_sound(&self, scored: u64) -> bool {
        let mut sorted: Vec<f64> = self.latest.iter().copied().collect();
        sorted.sort_by(f64::total_cmp);
        self.latest.len() as u64 == scored.min(self.capacity as u64)
            && sorted.iter().all(|score| *score >= 0.0)
            && sorted == self.sorted
    }
}

#[cfg(test)]
mod tests {
    use forest_core::TreeRng;
    use forest_testing::statistics::same_probability;

    use super::*;

    #[test]
    fn scores_are_errors_in_deviations() {
        for (prediction, target, expected) in [
            (&[1.0, 4.0][..], 4.0, 1.5),
            (&[1.0], -1.0, 2.0),
            (&[1.0, 0.0], 1.0, 0.0),
            (&[1.0, 0.0], 2.0, 1.0),
            (&[1.0, 1e-200], 1e100, 1.0),
            (&[1e9, 1e-6], 1e9 + 0.5, 500.0),
            (&[1.0, f64::INFINITY], 2.0, 0.0),
        ] {
            assert_eq!(score(prediction, target), expected);
        }
    }

    #[test]
    fn the_latest_are_kept_in_order() {
        let mut scores = LatestScores::new(3);
        for (row, score) in (1..).zip([2.0, 5.0, 2.0, 1.0, 0.0, 2.0]) {
            scores.push(score);
            assert!(scores.is_sound(row));
        }
        assert_eq!(scores.sorted, [0.0, 1.0, 2.0]);
        assert!(!scores.is_sound(2));
        scores.sorted.swap(0, 1);
        assert!(!scores.is_sound(6));
    }

    #[test]
    fn a_bound_is_the_rank_of_the_next_score() {
        let mut scores = LatestScores::new(20);
        assert_eq!(scores.bound(0.5), f64::INFINITY);
        for score in (1..=9).rev() {
            scores.push(f64::from(score));
        }
        // Ten scores with the next one: the ninth smallest bounds 90 % of them.
        assert_eq!(scores.bound(0.9), 9.0);
        assert_eq!(scores.bound(0.91), f64::INFINITY);
        assert_eq!(scores.bound(0.5), 5.0);
        assert_eq!(scores.bound(0.001), 1.0);
        assert_eq!(scores.mean_square(), 285.0 / 9.0);
    }

    /// Significance 1 in 1,000 for each level. Bounds one rank higher or lower are detected.
    #[test]
    fn the_next_score_is_within_the_bound_as_often_as_ranks_say() {
        let mut rng = TreeRng::new(7, 0);
        for (level, expected) in [(0.5, 0.5), (0.55, 0.6), (0.85, 0.9), (0.9, 0.9)] {
            let trials = 20_000;
            let mut hits = 0;
            for _ in 0..trials {
                let mut scores = LatestScores::new(9);
                (0..12).for_each(|_| scores.push(rng.uniform()));
                hits += usize::from(rng.uniform() <= scores.bound(level));
            }
            let value = same_probability(hits, trials, expected);
            assert!(value > 0.001, "{level}: {hits} of {trials}, p = {value}");
        }
    }
}
