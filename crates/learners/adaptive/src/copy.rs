//! One of the two copies of a member.

use std::cell::RefCell;

use forest_core::registry::AnyLearner;
use forest_core::{
    Footprint, ForestSettings, InvariantError, OnlineLearner, Schema, SettingError, TreeRng,
};
use ndarray::ArrayView2;
use serde::{Deserialize, Serialize};

use crate::change::{ChangeTest, ROWS_PER_LOOK};
use crate::scaling::FittedScaling;
use crate::schedule::Schedule;
use crate::{AdaptiveTask, MemberSettings, NESTING, Window};

/// Rows kept for rebuilding members without a window.
pub(crate) const HISTORY: u32 = 16_384;

/// Copies of a member.
pub(crate) const COPIES: usize = 2;

/// Why a copy accepts what it is given.
const SOUND: &str = "rows and targets were checked, and scalings keep them finite";

/// Why a base that was built once can be built again.
const BUILT: &str = "it was built with the same settings before";

/// A learner with a scaling, both built from the rows before some point of the stream.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct MemberCopy<T: AdaptiveTask> {
    member: MemberSettings,
    schedule: Schedule,
    /// The learner's trees and where their random numbers come from.
    forest: ForestSettings,
    /// Rows of the stream that had been seen when it was built.
    built: u64,
    scaling: FittedScaling,
    #[serde(deserialize_with = "forest_core::registry::deserialize_inside::<T, _, NESTING>")]
    learner: AnyLearner<T>,
    #[serde(skip)]
    scratch: Scratch,
}

/// Working memory.
#[derive(Clone, Debug, Default)]
struct Scratch {
    scaled: Vec<f32>,
    /// Predictions of a block of rows, one after another.
    predictions: Vec<f64>,
}

impl<T: AdaptiveTask> MemberCopy<T> {
    /// Copy 0 or 1 of a member, before the first row.
    pub(crate) fn new(
        member: MemberSettings,
        copy: u64,
        schema: Schema<T>,
        forest: ForestSettings,
    ) -> Result<Self, SettingError> {
        let learner = AnyLearner::inside(NESTING, &member.base, schema, seeded(forest, 0))?;
        let schedule = Schedule::new(&member, copy, HISTORY.into());
        let (built, scaling, scratch) = (0, FittedScaling::default(), Scratch::default());
        Ok(Self {
            member,
            schedule,
            forest,
            built,
            scaling,
            learner,
            scratch,
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
            Window::All => 0,
            Window::SinceChange => self.change().map_or(0, ChangeTest::first),
            Window::Latest(rows) => self.built.saturating_sub(u64::from(rows)),
        }
    }

    /// Returns the first row, counted from 0, after the last change that was found.
    pub(crate) fn found_change(&self) -> Option<u64> {
        let test = self.change().filter(|test| test.begun() > 0);
        test.map(ChangeTest::first)
    }

    /// Returns the evidence of a change, if it follows changes.
    pub(crate) fn change(&self) -> Option<ChangeTest> {
        self.schedule.change()
    }

    pub(crate) fn change_mut(&mut self) -> Option<&mut ChangeTest> {
        self.schedule.change_mut()
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
    pub fn scaled(&self, features: ArrayView2<'_, f32>) -> ndarray::Array2<f32> {
        let mut buffer = Vec::new();
        self.scaling
            .with_scaled(features, &mut buffer, |rows| rows.to_owned())
    }

    /// Returns the number of rows seen after which a batch must end, because the copy is rebuilt or checks for a change.
    pub(crate) fn next_end(&self, seen: u64) -> Option<u64> {
        let look = || (seen / ROWS_PER_LOOK + 1) * ROWS_PER_LOOK;
        let ends = [self.schedule.next(seen), self.change().map(|_| look())];
        ends.into_iter().flatten().min()
    }

    /// Returns whether it has to be built after `seen` rows, the last of which are those from `before` on.
    pub(crate) fn is_due(&self, before: u64, seen: u64) -> bool {
        let begins = self.change().is_some_and(|test| test.begun() == seen);
        begins || self.schedule.next(before) == Some(seen)
    }

    /// Returns how many of the latest rows it is built from after `seen` rows.
    pub(crate) fn rows_to_build_from(&self, seen: u64) -> u64 {
        match self.member.window {
            Window::All => seen,
            Window::SinceChange => seen - self.first_row(),
            Window::Latest(rows) => seen.min(u64::from(rows)),
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
        self.learner = built.expect(BUILT);
        let learner = &mut self.learner;
        let scaled = &mut self.scratch.scaled;
        let learned = self
            .scaling
            .with_scaled(rows, scaled, |rows| learner.learn(rows, targets));
        learned.expect(SOUND);
        scaled.clear();
        scaled.shrink_to(MOST_KEPT);
    }

    /// Predicts each row and then learns it.
    pub(crate) fn predict_then_learn(&mut self, rows: ArrayView2<'_, f32>, targets: &[T::Target]) {
        let Scratch {
            scaled,
            predictions,
        } = &mut self.scratch;
        let learner = &mut self.learner;
        self.scaling.with_scaled(rows, scaled, |rows| {
            if targets.len() == 1 {
                // The same as below, without allocating.
                learner.predict_into(rows, predictions).expect(SOUND);
                learner.learn(rows, targets).expect(SOUND);
                return;
            }
            predictions.clear();
            let new = learner.predict_then_learn(rows, targets).expect(SOUND);
            new.iter().for_each(|row| predictions.extend(row));
        });
    }

    /// Returns the predictions of the latest block.
    pub(crate) fn predictions(&self) -> &[f64] {
        &self.scratch.predictions
    }

    /// Hands predictions for `rows` to `work`.
    pub(crate) fn predict(&self, rows: ArrayView2<'_, f32>, predictions: &mut Vec<f64>) {
        with_features(|buffer| {
            let predicted = self.scaling.with_scaled(rows, buffer, |rows| {
                self.learner.predict_into(rows, predictions)
            });
            predicted.expect(SOUND);
        });
    }

    pub(crate) fn footprint(&self) -> Footprint {
        let Scratch {
            scaled,
            predictions,
        } = &self.scratch;
        let scratch =
            scaled.capacity() * size_of::<f32>() + predictions.capacity() * size_of::<f64>();
        let own = Footprint {
            bytes: self.scaling.bytes() + scratch + self.member.base.capacity(),
            ..Footprint::default()
        };
        self.learner.footprint() + own
    }

    /// Checks a copy that was decoded against the same copy before the first row.
    pub(crate) fn check(
        &self,
        unbuilt: &Self,
        schema: &Schema<T>,
        seen: u64,
    ) -> Result<(), InvariantError> {
        let learner = &self.learner;
        let same = (&self.member, self.schedule.unbuilt(), self.forest)
            == (&unbuilt.member, unbuilt.schedule, unbuilt.forest)
            && learner.algorithm() == unbuilt.learner.algorithm()
            && learner.trees() == unbuilt.learner.trees()
            && learner.schema() == schema;
        let place = format_args!("the copy of {}", self.member);
        InvariantError::require(same, place, "it does not match the settings")?;
        if let Some(test) = self.change() {
            test.check(seen)?;
        }
        let timely = self.built == self.schedule.last(seen)
            && learner.samples_seen() == seen - self.first_row();
        InvariantError::require(timely, place, "it has not seen the rows it should have")?;
        let width = schema.features();
        let sound = match self.built {
            0 => self.scaling == FittedScaling::default(),
            _ => self.scaling.is_sound(&self.member, width),
        };
        InvariantError::require(
            sound,
            place,
            "its scaling cannot have been fitted to any rows",
        )?;
        let inside = |error: InvariantError| {
            InvariantError::new(format_args!("{place}, {}", error.place), error.what)
        };
        learner.check_invariants().map_err(inside)
    }
}

/// Values of scaled rows that a copy keeps room for.
const MOST_KEPT: usize = 4096;

/// Returns the settings with the seed of the learner that is built after `built` rows.
fn seeded(forest: ForestSettings, built: u64) -> ForestSettings {
    let seed = TreeRng::new(forest.seed, built as usize).bits();
    forest.with_seed(seed)
}

/// Lends a buffer for scaled rows whose capacity the thread keeps for the next time.
fn with_features(work: impl FnOnce(&mut Vec<f32>)) {
    thread_local! {
        static BUFFER: RefCell<Vec<f32>> = const { RefCell::new(Vec::new()) };
    }
    let mut buffer = BUFFER.take();
    work(&mut buffer);
    BUFFER.set(buffer);
}
