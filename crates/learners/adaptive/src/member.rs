//! A member as text, `base@window@scaling`, and its copies: learners with a scaling, built from the rows before some point of the stream.

use std::cell::RefCell;
use std::fmt;
use std::str::FromStr;

use forest_core::registry::AnyLearner;
use forest_core::{
    Batch, Footprint, ForestSettings, InvariantError, OnlineLearner, PredictionRows, Rows, Schema,
    SettingError, Task, TreeRng,
};
use ndarray::{Array2, ArrayView2};
use serde::{Deserialize, Serialize};
use tables::preprocessing::{FeatureScaling, Step};

use crate::change::{ROWS_PER_LOOK, Schedule};
use crate::{AdaptiveTask, FeatureWeights, MemberScaling, NESTING, Window};

/// The scalings by name.
const SCALINGS: [(&str, MemberScaling); 3] = [
    ("none", MemberScaling::None),
    ("minmax", MemberScaling::MinMax),
    ("quantile", MemberScaling::Quantile),
];

/// A base learner on a window, with a scaling and weights of features.
///
/// As text it is `base@window@scaling`, or `base@window@scaling@labels` if labels weigh its features. Parameters of the base are separated by `;`, so that the text can
/// stand in a list of parameters.
///
/// ```
/// use adaptive::{MemberScaling, MemberSettings, Window};
///
/// let member: MemberSettings = "mondrian:budget=5;pause=never@250@quantile".parse()?;
/// assert_eq!(member.base, "mondrian:budget=5;pause=never");
/// assert_eq!(member.window, Window::Latest(250));
/// assert_eq!(member.scaling, MemberScaling::Quantile);
/// assert_eq!(member.to_string(), "mondrian:budget=5;pause=never@250@quantile");
/// assert!("mondrian@250".parse::<MemberSettings>().is_err());
/// # Ok::<(), forest_core::SettingError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemberSettings {
    /// An algorithm's name, or `name:key=value;key=value`.
    pub base: String,
    /// The rows it follows.
    pub window: Window,
    /// How its features are scaled.
    pub scaling: MemberScaling,
    /// How much each of them counts.
    pub weights: FeatureWeights,
}

impl MemberSettings {
    /// Returns whether something is fitted to the rows that a copy is built from, and so becomes outdated.
    pub(crate) fn is_fitted(&self) -> bool {
        self.scaling != MemberScaling::None || self.weights != FeatureWeights::Equal
    }

    /// Returns how many rows it remembers, if it differs from `other` only in having a window.
    pub(crate) fn window_beside(&self, other: &Self) -> Option<u64> {
        let is_beside =
            (&self.base, self.scaling, self.weights) == (&other.base, other.scaling, other.weights);
        match self.window {
            Window::Latest(rows) if is_beside => Some(rows.into()),
            _ => None,
        }
    }

    pub(crate) fn check(&self) -> Result<(), SettingError> {
        let is_long_enough = !matches!(self.window, Window::Latest(0 | 1));
        let rule = "must be at least 2, all, or change";
        SettingError::require(is_long_enough, "windows", rule, self.window)
    }
}

impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("all"),
            Self::SinceChange => f.write_str("change"),
            Self::Latest(rows) => write!(f, "{rows}"),
        }
    }
}

impl FromStr for Window {
    type Err = SettingError;

    fn from_str(text: &str) -> Result<Self, SettingError> {
        let rule = "must be a number of rows, all, or change";
        match (text, text.parse()) {
            ("all", _) => Ok(Self::All),
            ("change", _) => Ok(Self::SinceChange),
            (_, Ok(rows)) => Ok(Self::Latest(rows)),
            _ => Err(SettingError::new("windows", rule, text)),
        }
    }
}

impl fmt::Display for MemberSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scaling = SCALINGS.iter().find(|(_, known)| *known == self.scaling);
        let scaling = scaling.map_or("", |(word, _)| word);
        write!(f, "{}@{}@{scaling}", self.base, self.window)?;
        match self.weights {
            FeatureWeights::Equal => Ok(()),
            FeatureWeights::Labels => f.write_str("@labels"),
        }
    }
}

impl FromStr for MemberSettings {
    type Err = SettingError;

    fn from_str(text: &str) -> Result<Self, SettingError> {
        let rule = "must be base@window@scaling, with a scaling of none, minmax or quantile, and \
                    perhaps @labels behind it";
        let wrong = || SettingError::new("members", rule, text);
        let parts: Vec<&str> = text.split('@').map(str::trim).collect();
        let (base, window, scaling, weights) = match parts[..] {
            [base, window, scaling] | [base, window, scaling, "equal"] => {
                (base, window, scaling, FeatureWeights::Equal)
            }
            [base, window, scaling, "labels"] => (base, window, scaling, FeatureWeights::Labels),
            _ => return Err(wrong()),
        };
        let scaling = SCALINGS.iter().find(|(word, _)| *word == scaling);
        let &(_, scaling) = scaling.filter(|_| !base.is_empty()).ok_or_else(wrong)?;
        Ok(Self {
            base: base.to_owned(),
            window: window.parse()?,
            scaling,
            weights,
        })
    }
}

/// A scaling, and a weight of each scaled feature; unfitted, both leave features unchanged.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct FittedScaling {
    scaler: Option<Step>,
    /// None if all features weigh the same.
    weights: Vec<f32>,
}

/// Why scalings and weights can be fitted.
const ROWS: &str = "copies are built from one row or more, all finite";

impl FittedScaling {
    /// Fits the scaling and weights of `member` to one row or more.
    fn fit<T: AdaptiveTask>(
        member: &MemberSettings,
        rows: ArrayView2<'_, f32>,
        targets: &[<T as Task>::Target],
    ) -> Self {
        let scaling = match member.scaling {
            MemberScaling::None => FeatureScaling::None,
            MemberScaling::MinMax => FeatureScaling::Minmax,
            MemberScaling::Quantile => FeatureScaling::Quantile,
        };
        let scaler = scaling.fit(rows).expect(ROWS);
        let weights = match member.weights {
            FeatureWeights::Equal => Vec::new(),
            FeatureWeights::Labels => T::feature_weights(rows, targets).expect(ROWS),
        };
        let weights = weights.into_iter().map(|weight| weight as f32).collect();
        Self { scaler, weights }
    }

    /// Calls `work` with the scaled rows, in memory that the thread keeps for the next time.
    fn with_scaled<A>(
        &self,
        rows: ArrayView2<'_, f32>,
        work: impl FnOnce(ArrayView2<'_, f32>) -> A,
    ) -> A {
        thread_local! {
            static BUFFER: RefCell<Vec<f32>> = const { RefCell::new(Vec::new()) };
        }
        if self.scaler.is_none() && self.weights.is_empty() {
            return work(rows);
        }
        let mut scaled = BUFFER.take();
        scaled.clear();
        match &self.scaler {
            None => scaled.extend(rows),
            Some(scaler) => {
                for row in rows.rows() {
                    scaler.scale_into(row, &mut scaled);
                }
            }
        }
        for row in scaled.chunks_exact_mut(self.weights.len().max(1)) {
            // What `f32` cannot hold becomes ±`f32::MAX`.
            for (value, weight) in row.iter_mut().zip(&self.weights) {
                *value = (*value * weight).clamp(f32::MIN, f32::MAX);
            }
        }
        let matrix = ArrayView2::from_shape(rows.dim(), &scaled);
        let result = work(matrix.expect("a value for each value"));
        scaled.truncate(MOST_KEPT);
        scaled.shrink_to(MOST_KEPT);
        BUFFER.set(scaled);
        result
    }

    /// Returns whether rows of `width` features can be scaled.
    fn is_sound(&self, width: usize) -> bool {
        let scaler = self.scaler.as_ref();
        let mut weights = self.weights.iter();
        scaler.is_none_or(|scaler| scaler.width() == width && scaler.is_sound())
            && (self.weights.is_empty() || self.weights.len() == width)
            && weights.all(|weight| *weight > 0.0 && weight.is_finite())
    }
}

/// Values of scaled rows that a thread keeps room for.
const MOST_KEPT: usize = 4096;

/// Rows kept for rebuilding members without a window.
pub(crate) const HISTORY: u32 = 16_384;

/// Copies of a member.
pub(crate) const COPIES: usize = 2;

/// One of the two copies of a member: a learner with a scaling, both built from the rows before some point of the stream.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct MemberCopy<T: AdaptiveTask> {
    member: MemberSettings,
    pub(crate) schedule: Schedule,
    /// The learner's trees and where their random numbers come from.
    forest: ForestSettings,
    /// Rows of the stream that had been seen when it was built.
    built: u64,
    scaling: FittedScaling,
    #[serde(deserialize_with = "forest_core::registry::deserialize_inside::<T, _, NESTING>")]
    learner: AnyLearner<T>,
    /// Of the latest block.
    #[serde(skip)]
    pub(crate) predictions: PredictionRows,
}

impl<T: AdaptiveTask> MemberCopy<T> {
    /// Copy 0 or 1 of a member, before the first row.
    pub(crate) fn new(
        member: MemberSettings,
        copy: u64,
        schema: Schema<T>,
        forest: ForestSettings,
    ) -> Result<Self, SettingError> {
        Ok(Self {
            learner: AnyLearner::inside(NESTING, &member.base, schema, seeded(forest, 0))?,
            schedule: Schedule::new(&member, copy, HISTORY.into()),
            built: 0,
            scaling: FittedScaling::default(),
            predictions: PredictionRows::default(),
            member,
            forest,
        })
    }

    /// Returns the member it belongs to.
    pub fn member(&self) -> &MemberSettings {
        &self.member
    }

    /// Returns the number of rows of the stream that had been seen when it was built.
    pub fn built(&self) -> u64 {
        self.built
    }

    /// Returns the first row of the stream that it was built from, counted from 0.
    pub fn first_row(&self) -> u64 {
        match self.member.window {
            Window::Latest(rows) => self.built.saturating_sub(rows.into()),
            _ => self.schedule.begins().0,
        }
    }

    /// Returns the settings that its learner was built with.
    pub fn forest(&self) -> ForestSettings {
        seeded(self.forest, self.built)
    }

    /// Returns the learner, which sees scaled rows.
    pub fn learner(&self) -> &AnyLearner<T> {
        &self.learner
    }

    /// Rows of `features`, scaled as the learner sees them.
    pub fn scaled(&self, features: ArrayView2<'_, f32>) -> Array2<f32> {
        self.scaling.with_scaled(features, |rows| rows.to_owned())
    }

    /// Returns the first row, counted from 0, after the last change that was found.
    pub(crate) fn found_change(&self) -> Option<u64> {
        let (first, begun) = self.schedule.begins();
        (begun > 0).then_some(first)
    }

    /// Returns the number of rows seen after which a batch must end, because the copy is rebuilt or checks for a change.
    pub(crate) fn next_end(&self, seen: u64) -> Option<u64> {
        let looks = self.schedule.change.is_some();
        let look = looks.then(|| (seen / ROWS_PER_LOOK + 1) * ROWS_PER_LOOK);
        self.schedule.next(seen).into_iter().chain(look).min()
    }

    /// Returns whether it has to be built after `seen` rows, the last of which are those from `before` on.
    pub(crate) fn is_due(&self, before: u64, seen: u64) -> bool {
        let begins = self.schedule.change.is_some_and(|test| test.begun == seen);
        begins || self.schedule.next(before) == Some(seen)
    }

    /// Returns how many of the latest rows it is built from after `seen` rows.
    pub(crate) fn rows_to_build_from(&self, seen: u64) -> u64 {
        match self.member.window {
            Window::Latest(rows) => seen.min(rows.into()),
            _ => seen - self.schedule.begins().0,
        }
    }

    /// Rebuilds itself from these rows, the latest of `seen`.
    pub(crate) fn rebuild(
        &mut self,
        schema: Schema<T>,
        seen: u64,
        rows: ArrayView2<'_, f32>,
        targets: &[T::Target],
    ) {
        self.built = seen;
        self.scaling = FittedScaling::fit::<T>(&self.member, rows, targets);
        let built = AnyLearner::inside(NESTING, &self.member.base, schema, self.forest());
        self.learner = built.expect("it was built with the same settings before");
        let learn = |rows: ArrayView2<'_, f32>| self.learner.learn(rows, targets);
        let learned = self.scaling.with_scaled(rows, learn);
        learned.expect("rows and targets were checked, and scalings keep them finite");
    }

    /// Predicts each row and then learns it.
    pub(crate) fn predict_then_learn(&mut self, batch: &Batch<'_, T>) {
        self.predictions = self.scaling.with_scaled(batch.rows().matrix(), |rows| {
            self.learner
                .predict_then_learn_batch(&batch.with_rows(rows))
        });
    }

    /// Overwrites `predictions` with those for `rows`.
    pub(crate) fn predict(&self, rows: &Rows<'_>, predictions: &mut Vec<f64>) {
        predictions.clear();
        predictions.resize(rows.len() * self.learner.schema().width(), 0.0);
        self.scaling.with_scaled(rows.matrix(), |scaled| {
            self.learner
                .predict_rows(&rows.replaced(scaled), predictions);
        });
    }

    pub(crate) fn footprint(&self) -> Footprint {
        let scaler = self.scaling.scaler.as_ref().map_or(0, Step::bytes);
        let weights = self.scaling.weights.capacity() * size_of::<f32>();
        let mut sum = self.learner.footprint();
        sum.bytes += scaler + weights + self.member.base.capacity();
        sum
    }

    /// Checks a copy that was decoded against the same copy before the first row.
    pub(crate) fn check(
        &self,
        unbuilt: &Self,
        schema: &Schema<T>,
        seen: u64,
    ) -> Result<(), InvariantError> {
        let (learner, place) = (&self.learner, format!("the copy of {}", self.member));
        let is_same = (&self.member, self.forest) == (&unbuilt.member, unbuilt.forest)
            && unbuilt.schedule.is_later(seen, self.schedule)
            && learner.algorithm() == unbuilt.learner.algorithm()
            && learner.trees() == unbuilt.learner.trees()
            && learner.schema() == schema
            && self.scaling.is_sound(schema.features());
        InvariantError::require(is_same, &place, "it does not match the settings")?;
        let is_timely = (self.built > 0) == (seen > 0)
            && self.built <= seen
            && learner.samples_seen() == seen - self.first_row();
        let what = "it has not seen the rows it should have";
        InvariantError::require(is_timely, &place, what)?;
        learner.check_invariants().map_err(|error: InvariantError| {
            InvariantError::new(format_args!("{place}, {}", error.place), error.what)
        })
    }
}

/// Returns the settings with the seed of the learner that is built after `built` rows.
fn seeded(forest: ForestSettings, built: u64) -> ForestSettings {
    let seed = TreeRng::new(forest.seed, built as usize).bits();
    forest.with_seed(seed)
}
