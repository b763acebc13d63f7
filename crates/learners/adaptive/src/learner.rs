//! The mixture as a learner.

use std::collections::VecDeque;

use forest_core::{
    Batch, Footprint, ForestSettings, InputError, InvariantError, MixtureMember, OnlineLearner,
    PredictionRows, Retention, Rows, Schema, SettingError, Task, TreeRng, threads,
};
use ndarray::Array2;
use serde::{Deserialize, Serialize};

use crate::member::{COPIES, HISTORY, MemberCopy};
use crate::weights::{WeightRule, WeightsByRule};
use crate::{AdaptiveSettings, AdaptiveTask, Window};

/// The largest number of rows that copies predict before their predictions are mixed.
const ROWS_PER_BLOCK: u64 = 256;

/// Base learners on windows of several lengths and scalings, mixed by their discounted losses.
///
/// See the [crate](crate) for what exactly each member has seen. [`Adaptive::new`] builds one with typed settings.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Adaptive<T: AdaptiveTask> {
    schema: Schema<T>,
    settings: AdaptiveSettings,
    forest: ForestSettings,
    seen: u64,
    store: LatestRows<T>,
    /// The mean squared error of the mixture so far.
    mean_square: f64,
    weights: WeightsByRule,
    /// Two consecutive copies of each member.
    copies: Vec<MemberCopy<T>>,
}

impl<T: AdaptiveTask> Adaptive<T> {
    /// Builds a learner for the stream that `schema` describes. `forest` sets the number of trees of each copy (a
    /// member has two copies), the seed, and which samples members without a window keep.
    ///
    /// # Errors
    /// Returns an error for no trees, a setting that violates its rule, or a base that is unknown or not for the task.
    pub fn new(
        schema: Schema<T>,
        settings: AdaptiveSettings,
        forest: ForestSettings,
    ) -> Result<Self, SettingError> {
        let members = settings.members::<T>()?;
        let mut copies = Vec::new();
        let mut kept = 0;
        for (index, member) in members.iter().enumerate() {
            let (rows, retention) = match member.window {
                Window::Latest(rows) => (rows, Retention::Everything),
                _ => (HISTORY, forest.retention),
            };
            kept = kept.max(rows as usize);
            for copy in 0..COPIES {
                let seed = TreeRng::new(forest.seed, COPIES * index + copy).bits();
                let forest = forest.with_seed(seed).with_retention(retention);
                let member = member.clone();
                copies.push(MemberCopy::new(member, copy as u64, schema, forest)?);
            }
        }
        Ok(Self {
            seen: 0,
            store: LatestRows::new(kept),
            mean_square: 0.0,
            weights: WeightsByRule::equal(members.len(), settings.weight_rules().count()),
            copies,
            schema,
            settings,
            forest,
        })
    }

    /// Returns the copies, two of each member.
    pub fn copies(&self) -> &[MemberCopy<T>] {
        &self.copies
    }

    /// Returns the current weight of each member; they sum to 1.
    pub fn weights(&self) -> &[f64] {
        &self.weights.shares
    }

    /// Predicts and learns the rows of a batch; appends the predictions to `predictions`.
    fn run(&mut self, batch: &Batch<'_, T>, predictions: &mut PredictionRows) {
        let mut start = 0;
        while start < batch.len() {
            // Until the next copy is built or a change may be detected.
            let mut rows = ROWS_PER_BLOCK;
            for copy in &self.copies {
                rows = rows.min(copy.next_end(self.seen).map_or(rows, |end| end - self.seen));
            }
            let end = batch.len().min(start + rows as usize);
            self.learn_block(&batch.part(start..end), predictions);
            start = end;
        }
    }

    /// Predicts and learns rows; copies may be due to be built after the last row, but not before.
    fn learn_block(&mut self, batch: &Batch<'_, T>, predictions: &mut PredictionRows) {
        let units = batch.len() * self.copies.len() * self.forest.trees;
        threads::each(&mut self.copies, units, |copy| {
            copy.predict_then_learn(batch);
        });
        for (row, &target) in batch.targets().iter().enumerate() {
            self.mix(row, target, predictions);
        }
        for copy in &mut self.copies {
            copy.predictions = PredictionRows::default();
        }
        self.store.extend(batch);
        let before = self.seen;
        self.seen += batch.len() as u64;
        self.restart_members();
        self.build_copies(before);
    }

    /// Restarts the members for which a change is accepted after the latest row.
    fn restart_members(&mut self) {
        let kept = self.store.targets.len() as u64;
        for copy in &mut self.copies {
            if let Some(test) = &mut copy.change
                && test.is_due(self.seen)
            {
                test.restart(self.seen, kept);
            }
        }
    }

    /// Builds the copies that are due after a block that began after `before` rows.
    fn build_copies(&mut self, before: u64) {
        let seen = self.seen;
        let mut due = Vec::new();
        let mut rows_in_all = 0;
        for copy in &mut self.copies {
            if copy.is_due(before, seen) {
                rows_in_all += copy.rows_to_build_from(seen);
                due.push(copy);
            }
        }
        let schema = self.schema;
        let store = &self.store;
        threads::each(&mut due, rows_in_all * self.forest.trees, |copy| {
            let rows = copy.rows_to_build_from(seen);
            let (features, targets) = store.latest(rows, schema.features());
            copy.build(schema, seen, features.view(), &targets);
        });
    }

    /// Mixes the predictions of the copies for row `row` of a block, then updates the weights by the losses.
    fn mix(&mut self, row: usize, target: T::Target, predictions: &mut PredictionRows) {
        let width = self.schema.width();
        let by_rule = &self.weights.member_weights;
        let prediction = predictions.push(width);
        let mut of_member = vec![0.0; width];
        let mut of_rules = vec![vec![0.0; width]; by_rule.len()];
        let mut losses = Vec::with_capacity(self.weights().len());
        let members = self.copies.chunks_exact(COPIES).zip(&self.weights.shares);
        for (member, (copies, &share)) in members.enumerate() {
            of_member.fill(0.0);
            for copy in copies {
                let prediction = copy.predictions.row(row);
                add(prediction, 1.0 / COPIES as f64, &mut of_member);
            }
            add(&of_member, share, prediction);
            for (weights, of_rule) in by_rule.iter().zip(&mut of_rules) {
                add(&of_member, weights.shares[member], of_rule);
            }
            losses.push(T::loss(self.mean_square, &of_member, target));
        }
        T::complete(prediction);
        let error = |of_rule: &Vec<f64>| T::error(self.mean_square, of_rule, target);
        let errors: Vec<f64> = of_rules.iter().map(error).collect();
        let square = T::square(prediction, target);
        let arrival = self.seen + row as u64;
        self.look_for_changes(arrival, &losses);
        let rules = self.settings.weight_rules();
        self.weights.update(&losses, &errors, rules);
        self.mean_square += (square - self.mean_square) / (arrival + 1) as f64;
        self.schema.admit(target);
    }

    /// Compares the loss on a row of each member since the last change with the weighted mean loss of the members that
    /// equal it except for a window of at most half of the rows that it remembers.
    fn look_for_changes(&mut self, row: u64, losses: &[f64]) {
        for member in 0..losses.len() {
            let copy = &self.copies[COPIES * member];
            let Some(test) = copy.change else { continue };
            let mut sum = 0.0;
            let mut sum_of_weights = 0.0;
            for (other, (weight, loss)) in self.weights.shares.iter().zip(losses).enumerate() {
                let other = self.copies[COPIES * other].member();
                let window = other.window_beside(copy.member());
                if window.is_some_and(|window| 2 * window <= row - test.first) {
                    sum += weight * loss;
                    sum_of_weights += weight;
                }
            }
            if sum_of_weights > 0.0 {
                let difference = (losses[member] - sum / sum_of_weights) / T::largest_loss();
                let copies = &mut self.copies[COPIES * member..][..COPIES];
                for test in copies.iter_mut().filter_map(|copy| copy.change.as_mut()) {
                    test.observe(difference, row);
                }
            }
        }
    }
}

fn add(values: &[f64], factor: f64, sum: &mut [f64]) {
    for (cell, value) in sum.iter_mut().zip(values) {
        *cell += factor * value;
    }
}

impl<T: AdaptiveTask> OnlineLearner for Adaptive<T> {
    type Task = T;

    fn schema(&self) -> &Schema<T> {
        &self.schema
    }

    fn samples_seen(&self) -> u64 {
        self.seen
    }

    /// Returns the number of trees of all copies together.
    fn trees(&self) -> usize {
        self.copies.iter().map(|copy| copy.learner().trees()).sum()
    }

    fn footprint(&self) -> Footprint {
        let mut sum: Footprint = self.copies.iter().map(MemberCopy::footprint).sum();
        sum.stored_samples += self.store.targets.len();
        let copies = self.copies.capacity() * size_of::<MemberCopy<T>>();
        sum.bytes += self.store.bytes() + copies;
        sum
    }

    fn check_room(&self, rows: usize) -> Result<(), InputError> {
        let mut copies = self.copies.iter();
        copies.try_for_each(|copy| copy.learner().check_room(rows))
    }

    fn check_invariants(&self) -> Result<(), InvariantError> {
        let rule = |error: SettingError| InvariantError::new("settings", error);
        self.schema.check().map_err(rule)?;
        let built = Self::new(self.schema, self.settings.clone(), self.forest).map_err(rule)?;
        let rules = self.settings.weight_rules().count();
        let is_whole = self.copies.len() == built.copies.len()
            && self.store.capacity == built.store.capacity
            && self.seen <= u64::MAX / 4
            && self.weights.is_sound(self.copies.len() / COPIES, rules)
            && self.mean_square.is_finite()
            && self.mean_square >= 0.0;
        InvariantError::require(is_whole, "members", "they do not match the settings")?;
        self.store.check(&self.schema, self.seen)?;
        let mut pairs = self.copies.iter().zip(&built.copies);
        pairs.try_for_each(|(copy, new)| copy.check(new, &self.schema, self.seen))
    }

    fn learn_batch(&mut self, batch: &Batch<'_, T>) {
        self.run(batch, &mut PredictionRows::default());
    }

    fn predict_rows(&self, rows: &Rows<'_>, predictions: &mut [f64]) {
        threads::with_buffer(|of_copy| {
            threads::with_buffer(|of_member| {
                let members = self.copies.chunks_exact(COPIES);
                for (copies, &share) in members.zip(&self.weights.shares) {
                    of_member.clear();
                    of_member.resize(predictions.len(), 0.0);
                    for copy in copies {
                        copy.predict(rows, of_copy);
                        add(of_copy, 1.0 / COPIES as f64, of_member);
                    }
                    add(of_member, share, predictions);
                }
                let width = self.schema.width().max(1);
                predictions.chunks_exact_mut(width).for_each(T::complete);
            });
        });
    }

    fn predict_then_learn_batch(&mut self, batch: &Batch<'_, T>) -> PredictionRows {
        let mut predictions = PredictionRows::default();
        self.run(batch, &mut predictions);
        predictions
    }

    fn members(&self) -> Vec<MixtureMember> {
        let mut members = Vec::new();
        for (copies, &weight) in self.copies.chunks_exact(COPIES).zip(self.weights()) {
            let restarted = copies[0].change.filter(|test| test.begun > 0);
            members.push(MixtureMember {
                name: copies[0].member().to_string(),
                weight,
                changed: restarted.map(|test| test.first),
            });
        }
        members
    }

    fn rules(&self) -> Vec<MixtureMember> {
        let weights = &self.weights.rule_weights.shares;
        let mut rules = Vec::new();
        for (WeightRule { eta, discount }, &weight) in self.settings.weight_rules().zip(weights) {
            rules.push(MixtureMember {
                name: format!("eta={eta},discount={discount}"),
                weight,
                changed: None,
            });
        }
        rules
    }
}

/// The latest rows of the stream, unscaled, and their targets, at most `capacity`: copies are built from them.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
struct LatestRows<T: Task> {
    capacity: usize,
    values: VecDeque<f32>,
    targets: VecDeque<T::Target>,
}

impl<T: Task> LatestRows<T> {
    fn new(capacity: usize) -> Self {
        Self {
            capacity,
            values: VecDeque::new(),
            targets: VecDeque::new(),
        }
    }

    /// Appends rows, and drops the oldest beyond its capacity.
    fn extend(&mut self, batch: &Batch<'_, T>) {
        let values = batch.rows().values();
        let held = self.targets.len();
        let width = values.len() / batch.len();
        let surplus = (held + batch.len()).saturating_sub(self.capacity);
        self.values.drain(..surplus.min(held) * width);
        self.targets.drain(..surplus.min(held));
        let skipped = surplus.saturating_sub(held);
        self.values.extend(&values[skipped * width..]);
        self.targets.extend(&batch.targets()[skipped..]);
    }

    /// Returns the latest `rows` rows, oldest first; at least as many are held.
    fn latest(&self, rows: usize, width: usize) -> (Array2<f32>, Vec<T::Target>) {
        let first = self.targets.len() - rows;
        let values = self.values.range(first * width..).copied().collect();
        let matrix = Array2::from_shape_vec((rows, width), values);
        let matrix = matrix.expect("as many values as rows times features");
        (matrix, self.targets.range(first..).copied().collect())
    }

    fn bytes(&self) -> usize {
        let values = self.values.capacity() * size_of::<f32>();
        values + self.targets.capacity() * size_of::<T::Target>()
    }

    /// Checks that these can be the latest of `seen` rows of a stream that `schema` describes.
    fn check(&self, schema: &Schema<T>, seen: u64) -> Result<(), InvariantError> {
        let is_sound = self.targets.len() as u64 == seen.min(self.capacity as u64)
            && Some(self.values.len()) == self.targets.len().checked_mul(schema.features())
            && self.values.iter().all(|value| value.is_finite())
            && self.targets.iter().all(|&target| schema.knows(target));
        let what = "they are not rows of the stream, or too few";
        InvariantError::require(is_sound, "the latest rows", what)
    }
}
