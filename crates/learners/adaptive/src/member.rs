//! The copies of a member: learners with a scaling, built from some rows of the stream, and the schedule of building.

use std::cell::RefCell;

use forest_core::registry::AnyLearner;
use forest_core::{
    Batch, Footprint, ForestSettings, InvariantError, OnlineLearner, PredictionRows, Rows, Schema,
    SettingError, TreeRng,
};
use ndarray::{Array2, ArrayView2};
use serde::{Deserialize, Serialize};
use tables::preprocessing::Step;

use crate::change::{ChangeTest, ROWS_PER_CHECK};
use crate::{AdaptiveTask, MemberSettings, Window};

/// The level of nesting of members, which hold no other learners.
pub(crate) const NESTING: u8 = 1;

/// The number of scaled values for which a thread keeps memory.
const MOST_KEPT: usize = 4096;

/// The number of latest rows from which members without a window are built.
pub(crate) const HISTORY: u32 = 16_384;

/// The number of copies of a member.
pub(crate) const COPIES: usize = 2;

/// Why fitting a scaling or weights cannot fail.
const ROWS: &str = "copies are built from one row or more, all finite";

/// A scaling, and a weight of each scaled feature; by default features stay unchanged.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct FittedScaling {
    scaler: Option<Step>,
    /// Empty without weights.
    weights: Vec<f32>,
}

impl FittedScaling {
    /// Calls `work` with the scaled rows, in memory that the thread reuses.
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
            // Values beyond the range of `f32` become ±`f32::MAX`.
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
            && [0, width].contains(&self.weights.len())
            && weights.all(|weight| *weight > 0.0 && weight.is_finite())
    }
}

/// One of the two copies of a member: a learner with a scaling, both built from the rows before some point.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct MemberCopy<T: AdaptiveTask> {
    member: MemberSettings,
    /// 0 or 1.
    copy: u64,
    /// The evidence of a change, if the member follows changes.
    pub(crate) change: Option<ChangeTest>,
    /// The trees, the seed and the retention of the member; the seed of the learner also depends on `built`.
    forest: ForestSettings,
    /// The number of rows that had been seen when it was built.
    built: u64,
    scaling: FittedScaling,
    #[serde(deserialize_with = "forest_core::registry::deserialize_inside::<T, _, NESTING>")]
    learner: AnyLearner<T>,
    /// The predictions for the rows of the latest block.
    #[serde(skip)]
    pub(crate) predictions: PredictionRows,
}

impl<T: AdaptiveTask> MemberCopy<T> {
    /// Returns copy 0 or 1 of a member, before the first row.
    pub(crate) fn new(
        member: MemberSettings,
        copy: u64,
        schema: Schema<T>,
        forest: ForestSettings,
    ) -> Result<Self, SettingError> {
        let follows = member.window == Window::SinceChange;
        Ok(Self {
            learner: AnyLearner::inside(NESTING, &member.base, schema, seeded(forest, 0))?,
            change: follows.then(ChangeTest::default),
            built: 0,
            scaling: FittedScaling::default(),
            predictions: PredictionRows::default(),
            member,
            copy,
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
            _ => self.change.map_or(0, |test| test.first),
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

    /// Returns rows as the learner sees them: scaled and weighted.
    pub fn scaled(&self, features: ArrayView2<'_, f32>) -> Array2<f32> {
        self.scaling.with_scaled(features, |rows| rows.to_owned())
    }

    /// Returns the next number of rows after which it is built, if the member does not restart; `None` if never.
    pub(crate) fn next_build(&self, seen: u64) -> Option<u64> {
        let first = self.change.map_or(0, |test| test.first);
        let seen = seen.saturating_sub(first);
        let is_fitted = self.member.scaling.is_some() || self.member.uses_labels;
        let (full, offset) = match self.member.window {
            Window::Latest(rows) => (rows.into(), Some(self.copy * u64::from(rows / 2))),
            _ if is_fitted => (HISTORY.into(), None),
            _ => (1, None),
        };
        if seen < full {
            return Some(first + (seen + 1).next_power_of_two().min(full));
        }
        Some(first + seen + full - (seen + full - offset?) % full)
    }

    /// Returns the number of rows after which a batch must end, because the copy is rebuilt or checks for a change.
    pub(crate) fn next_end(&self, seen: u64) -> Option<u64> {
        let next_check = (seen / ROWS_PER_CHECK + 1) * ROWS_PER_CHECK;
        let check = self.change.map(|_| next_check);
        self.next_build(seen).into_iter().chain(check).min()
    }

    /// Returns whether it has to be built after a block that begins after `before` rows and ends after `seen`.
    pub(crate) fn is_due(&self, before: u64, seen: u64) -> bool {
        let begins = self.change.is_some_and(|test| test.begun == seen);
        begins || self.next_build(before) == Some(seen)
    }

    /// Returns the number of latest rows from which it is built after `seen` rows.
    pub(crate) fn rows_to_build_from(&self, seen: u64) -> usize {
        let rows = match self.member.window {
            Window::Latest(rows) => seen.min(rows.into()),
            _ => seen - self.first_row(),
        };
        rows as usize
    }

    /// Builds the copy from the latest of `seen` rows.
    pub(crate) fn build(
        &mut self,
        schema: Schema<T>,
        seen: u64,
        rows: ArrayView2<'_, f32>,
        targets: &[T::Target],
    ) {
        self.built = seen;
        let scaling = self.member.scaling;
        let scaler = scaling.and_then(|scaling| scaling.fit(rows).expect(ROWS));
        let mut weights = Vec::new();
        if self.member.uses_labels {
            let fitted = T::feature_weights(rows, targets).expect(ROWS);
            weights.extend(fitted.into_iter().map(|weight| weight as f32));
        }
        self.scaling = FittedScaling { scaler, weights };
        let built = AnyLearner::inside(NESTING, &self.member.base, schema, self.forest());
        self.learner = built.expect("it was built with the same settings before");
        let learned = self
            .scaling
            .with_scaled(rows, |rows| self.learner.learn(rows, targets));
        learned.expect("rows and targets were checked, and scalings keep them finite");
    }

    pub(crate) fn predict_then_learn(&mut self, batch: &Batch<'_, T>) {
        self.predictions = self.scaling.with_scaled(batch.rows().matrix(), |rows| {
            let batch = batch.with_rows(rows);
            self.learner.predict_then_learn_batch(&batch)
        });
    }

    pub(crate) fn predict(&self, rows: &Rows<'_>, predictions: &mut Vec<f64>) {
        predictions.clear();
        predictions.resize(rows.len() * self.learner.schema().width(), 0.0);
        self.scaling.with_scaled(rows.matrix(), |scaled| {
            self.learner
                .predict_rows(&rows.replaced(scaled), predictions);
        });
    }

    pub(crate) fn footprint(&self) -> Footprint {
        let mut sum = self.learner.footprint();
        sum.bytes += self.scaling.scaler.as_ref().map_or(0, Step::bytes);
        sum
    }

    /// Checks a copy that was decoded against the same copy before the first row.
    pub(crate) fn check(
        &self,
        unbuilt: &Self,
        schema: &Schema<T>,
        seen: u64,
    ) -> Result<(), InvariantError> {
        let learner = &self.learner;
        let place = format!("the copy of {}", self.member);
        let is_same = self.member == unbuilt.member
            && self.copy == unbuilt.copy
            && self.forest == unbuilt.forest
            && self.change.is_some() == unbuilt.change.is_some()
            && self.change.is_none_or(|test| test.is_sound(seen))
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
        let checked = learner.check_invariants();
        checked.map_err(|error| error.inside(place))
    }
}

/// Returns the settings of the learner that is built after `built` rows, which has a seed of its own.
fn seeded(forest: ForestSettings, built: u64) -> ForestSettings {
    forest.with_seed(TreeRng::new(forest.seed, built as usize).bits())
}
