//! The mixture as a learner.

use forest_core::registry::{MixtureMember, MixtureRule};
use forest_core::{
    Batch, Footprint, ForestSettings, InputError, InvariantError, OnlineLearner, PredictionRows,
    Rows, Schema, SettingError, TreeRng, threads,
};
use ndarray::ArrayView2;
use serde::{Deserialize, Serialize};

use crate::copy::{COPIES, HISTORY, MemberCopy};
use crate::mix::{Scratch, add, zeros};
use crate::store::LatestRows;
use crate::{AdaptiveSettings, AdaptiveTask, MemberSettings, WeightRule, WeightsByRule, Window};

/// Rows that copies predict at a time before their predictions are mixed.
const ROWS_PER_BLOCK: usize = 256;

/// Members on windows of several lengths and scalings, mixed by their discounted losses; bases come from
/// the table `R`.
///
/// See the [crate](crate) for what exactly each member has seen. [`Adaptive::new`] builds one with typed settings.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Adaptive<T: AdaptiveTask> {
    pub(crate) schema: Schema<T>,
    pub(crate) settings: AdaptiveSettings,
    pub(crate) forest: ForestSettings,
    pub(crate) seen: u64,
    pub(crate) store: LatestRows<T>,
    pub(crate) scale: T::Scale,
    pub(crate) weights: WeightsByRule,
    /// Two of each member, one after the other.
    pub(crate) copies: Vec<MemberCopy<T>>,
    #[serde(skip)]
    pub(crate) scratch: Scratch,
}

impl<T: AdaptiveTask> Adaptive<T> {
    /// Builds a learner for the stream that `schema` describes.
    ///
    /// `forest` sets how many trees each copy has (a member has two copies), the seed, and which samples the members without
    /// a window hold on to.
    ///
    /// # Errors
    /// Returns an error for no trees, a base that is not in the table or does not support the task, or a setting that
    /// violates its rule.
    pub fn new(
        schema: Schema<T>,
        settings: AdaptiveSettings,
        forest: ForestSettings,
    ) -> Result<Self, SettingError> {
        settings.check::<T>()?;
        let members = settings.members::<T>()?;
        let copies = unbuilt(&members, schema, forest)?;
        Ok(Self {
            seen: 0,
            store: LatestRows::new(rows_kept(&members)),
            scale: T::Scale::default(),
            weights: WeightsByRule::equal(members.len(), settings.weight_rules().count()),
            copies,
            scratch: Scratch::default(),
            schema,
            settings,
            forest,
        })
    }

    /// Returns the settings it was built with.
    pub fn settings(&self) -> &AdaptiveSettings {
        &self.settings
    }

    /// Returns the copies, two of each member.
    pub fn copies(&self) -> &[MemberCopy<T>] {
        &self.copies
    }

    /// Returns the members.
    pub fn members(&self) -> impl ExactSizeIterator<Item = &MemberSettings> {
        self.copies
            .chunks_exact(COPIES)
            .map(|copies| copies[0].member())
    }

    /// Returns the current weight of each member; they sum to 1.
    pub fn weights(&self) -> &[f64] {
        self.weights.shares()
    }

    /// Returns the weights of members under each rule, and of the rules.
    pub fn weights_by_rule(&self) -> &WeightsByRule {
        &self.weights
    }

    /// Returns the number of trees of all copies together.
    pub fn trees(&self) -> usize {
        self.copies.iter().map(|copy| copy.learner().trees()).sum()
    }

    /// Predicts and learns the rows of a batch; calls `each` with each prediction.
    pub(crate) fn run(
        &mut self,
        values: &[f32],
        targets: &[T::Target],
        mut each: impl FnMut(&[f64]),
    ) {
        let width = self.schema.features();
        let mut start = 0;
        while start < targets.len() {
            let end = targets.len().min(start + self.rows_of_next_block());
            let (values, targets) = (&values[start * width..end * width], &targets[start..end]);
            self.learn_block(values, targets, &mut each);
            start = end;
        }
    }

    /// Returns the number of rows until the next copy is built or a change may be detected, at most a block.
    fn rows_of_next_block(&self) -> usize {
        let ends = self
            .copies
            .iter()
            .filter_map(|copy| copy.next_end(self.seen));
        let rows = ends.min().map_or(u64::MAX, |next| next - self.seen);
        rows.min(ROWS_PER_BLOCK as u64) as usize
    }

    /// Predicts and learns rows; copies may have to be built at their end, but not before.
    fn learn_block(
        &mut self,
        values: &[f32],
        targets: &[T::Target],
        each: &mut impl FnMut(&[f64]),
    ) {
        let width = self.schema.features();
        let rows = ArrayView2::from_shape((targets.len(), width), values);
        let rows = rows.expect("checked rows have the width of the schema");
        let units = targets.len() * self.copies.len() * self.forest.trees;
        threads::each(&mut self.copies, units, |copy| {
            copy.predict_then_learn(rows, targets);
        });
        self.mix_block(targets, each);
        self.store.extend(values, targets, width);
        let before = self.seen;
        self.seen += targets.len() as u64;
        self.restart_if_due();
        self.rebuild_if_due(before);
    }

    /// Restarts the copies for which a change has been detected.
    fn restart_if_due(&mut self) {
        let (seen, kept) = (self.seen, self.store.len() as u64);
        let tests = self.copies.iter_mut().filter_map(MemberCopy::change_mut);
        for test in tests.filter(|test| test.is_due(seen)) {
            test.restart(seen, kept);
        }
    }

    /// Builds the copies that are due after the rows from `before` on.
    fn rebuild_if_due(&mut self, before: u64) {
        let (seen, width, schema) = (self.seen, self.schema.features(), self.schema);
        let is_due = |copy: &MemberCopy<T>| copy.is_due(before, seen);
        let rows = |copy: &MemberCopy<T>| copy.rows_to_build_from(seen) as usize;
        let mut due: Vec<_> = self.copies.iter_mut().filter(|copy| is_due(copy)).collect();
        let units = due.iter().map(|copy| rows(copy) * self.forest.trees).sum();
        let store = &self.store;
        threads::each(&mut due, units, |copy| {
            let (features, targets) = store.latest(rows(copy), width);
            copy.rebuild(schema, seen, features.view(), &targets);
        });
    }

    /// Checks what is held against what would be built from the settings.
    pub(crate) fn check(&self) -> Result<(), InvariantError> {
        let rule = |error: SettingError| InvariantError::new("settings", error);
        self.schema.check().map_err(rule)?;
        self.settings.check::<T>().map_err(rule)?;
        let members = self.settings.members::<T>().map_err(rule)?;
        let all = self.copies.len() == COPIES * members.len() && self.seen <= u64::MAX / 4;
        let what = "it does not have two copies of each member, or its count of samples is wrong";
        InvariantError::require(all, "members", what)?;
        let trees = self.copies.iter().map(|copy| copy.learner().trees()).max();
        let trees = trees.is_none_or(|most| most == 0 || most == self.forest.trees);
        InvariantError::require(trees, "members", "they have different numbers of trees")?;
        let rules = self.settings.weight_rules().count();
        self.weights.check(members.len(), rules)?;
        T::check_scale(&self.scale, self.seen)?;
        let kept = rows_kept(&members);
        self.store.check(&self.schema, kept, self.seen)?;
        let unbuilt = unbuilt::<T>(&members, self.schema, self.forest);
        let unbuilt = unbuilt.map_err(rule)?;
        let pairs = self.copies.iter().zip(&unbuilt);
        let mut checks = pairs.map(|(copy, new)| copy.check(new, &self.schema, self.seen));
        checks.try_for_each(|checked| checked)
    }
}

/// Two copies of each member, before the first row.
fn unbuilt<T: AdaptiveTask>(
    members: &[MemberSettings],
    schema: Schema<T>,
    forest: ForestSettings,
) -> Result<Vec<MemberCopy<T>>, SettingError> {
    let one = |index: usize| {
        let member = members[index / COPIES].clone();
        let seed = TreeRng::new(forest.seed, index).bits();
        let retention = match member.window {
            Window::All | Window::SinceChange => forest.retention,
            Window::Latest(_) => forest_core::Retention::Everything,
        };
        let forest = forest.with_seed(seed).with_retention(retention);
        MemberCopy::new(member, (index % COPIES) as u64, schema, forest)
    };
    (0..COPIES * members.len()).map(one).collect()
}

/// Rows that the store keeps: the longest window, and for members without one `history`.
fn rows_kept(members: &[MemberSettings]) -> usize {
    let needed = members.iter().map(|member| match member.window {
        Window::All | Window::SinceChange => HISTORY,
        Window::Latest(rows) => rows,
    });
    needed.max().unwrap_or(0) as usize
}

impl<T: AdaptiveTask> OnlineLearner for Adaptive<T> {
    type Task = T;

    fn schema(&self) -> &Schema<T> {
        &self.schema
    }

    fn samples_seen(&self) -> u64 {
        self.seen
    }

    fn footprint(&self) -> Footprint {
        let copies: Footprint = self.copies.iter().map(MemberCopy::footprint).sum();
        let own = Footprint {
            nodes: 0,
            stored_samples: self.store.len(),
            bytes: self.store.bytes()
                + self.weights.bytes()
                + self.copies.capacity() * size_of::<MemberCopy<T>>()
                + self.scratch.bytes(),
        };
        copies + own
    }

    fn trees(&self) -> usize {
        self.trees()
    }

    fn check_room(&self, rows: usize) -> Result<(), InputError> {
        let mut copies = self.copies.iter();
        copies.try_for_each(|copy| copy.learner().check_room(rows))
    }

    fn check_invariants(&self) -> Result<(), InvariantError> {
        self.check()
    }

    fn learn_batch(&mut self, batch: &Batch<'_, T>) {
        self.run(batch.rows().values(), batch.targets(), |_| ());
    }

    fn predict_rows(&self, rows: &Rows<'_>, predictions: &mut [f64]) {
        let rows = rows.matrix();
        threads::with_buffer(|of_copy| {
            threads::with_buffer(|of_member| {
                let members = self.copies.chunks_exact(COPIES);
                for (copies, &share) in members.zip(self.weights.shares()) {
                    zeros(of_member, predictions.len());
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
        self.run(batch.rows().values(), batch.targets(), |prediction| {
            predictions
                .push(prediction.len())
                .copy_from_slice(prediction);
        });
        predictions
    }

    fn members(&self) -> Vec<MixtureMember> {
        let members = self.copies.chunks_exact(COPIES).zip(self.weights());
        let member = |(copies, &weight): (&[MemberCopy<T>], &f64)| MixtureMember {
            name: copies[0].member().to_string(),
            weight,
            changed: copies[0].found_change(),
        };
        members.map(member).collect()
    }

    fn rules(&self) -> Vec<MixtureRule> {
        let weights = self.weights.rule_weights();
        let rules = self.settings.weight_rules().zip(weights);
        let rule = |(WeightRule { eta, discount, .. }, &weight)| MixtureRule {
            name: format!("eta={eta},discount={discount}"),
            weight,
        };
        rules.map(rule).collect()
    }
}
