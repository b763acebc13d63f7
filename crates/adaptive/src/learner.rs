//! The mixture as a learner.

use forest_core::{
    CheckedBatch, CheckedRows, Footprint, ForestSettings, ImplementLearner, InputError,
    InvariantError, OnlineLearner, PredictionRows, Schema, SettingError, TreeRng, threads,
};
use ndarray::ArrayView2;
use registry::{Mixture, MixtureMember, Registry};
use serde::{Deserialize, Serialize};

use crate::copy::MemberCopy;
use crate::store::LatestRows;
use crate::{AdaptiveSettings, AdaptiveTask, MemberSettings, WeightsByRule, Window};

/// Copies of a member.
const COPIES: usize = 2;

/// Rows that copies answer at a time before their answers are mixed.
const ROWS_PER_BLOCK: usize = 256;

/// Members on windows of several lengths and scalings, mixed by their discounted losses; bases come from
/// the table `R`.
///
/// See the [crate](crate) for what exactly each member has seen. [`Adaptive::new`] builds one with typed settings.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "R: Registry")]
pub struct Adaptive<T: AdaptiveTask, R> {
    schema: Schema<T>,
    settings: AdaptiveSettings<T>,
    forest: ForestSettings,
    seen: u64,
    store: LatestRows<T>,
    scale: T::Scale,
    weights: WeightsByRule,
    /// Two of each member, one after the other.
    copies: Vec<MemberCopy<T, R>>,
    #[serde(skip)]
    scratch: Scratch,
}

/// Working memory for one row.
#[derive(Clone, Debug, Default)]
struct Scratch {
    answer: Vec<f64>,
    of_member: Vec<f64>,
    /// What each rule would answer, one after the other.
    of_rules: Vec<f64>,
    losses: Vec<f64>,
    errors: Vec<f64>,
}

impl<T: AdaptiveTask, R: Registry> Adaptive<T, R> {
    /// A learner for the stream that `schema` describes.
    ///
    /// `forest` says how many trees each copy has (a member has two copies), the seed, and which samples the members without
    /// a window hold on to.
    ///
    /// # Errors
    /// No trees, a base that the table does not know or that does not learn the task, or a setting that
    /// breaks its rule.
    pub fn new(
        schema: Schema<T>,
        settings: AdaptiveSettings<T>,
        forest: ForestSettings,
    ) -> Result<Self, SettingError> {
        settings.check()?;
        let members = settings.members()?;
        let copies = unbuilt(&members, &settings, schema, forest)?;
        Ok(Self {
            seen: 0,
            store: LatestRows::new(rows_kept(&members, &settings)),
            scale: T::Scale::default(),
            weights: WeightsByRule::equal(members.len(), settings.weight_rules().count()),
            copies,
            scratch: Scratch::default(),
            schema,
            settings,
            forest,
        })
    }

    /// The settings it was built with.
    pub fn settings(&self) -> &AdaptiveSettings<T> {
        &self.settings
    }

    /// The copies, two of each member.
    pub fn copies(&self) -> &[MemberCopy<T, R>] {
        &self.copies
    }

    /// The members.
    pub fn members(&self) -> impl ExactSizeIterator<Item = &MemberSettings> {
        self.copies
            .chunks_exact(COPIES)
            .map(|copies| copies[0].member())
    }

    /// The weight of each member now; they sum to 1.
    pub fn weights(&self) -> &[f64] {
        self.weights.shares()
    }

    /// The weights of members under each rule, and of the rules.
    pub fn weights_by_rule(&self) -> &WeightsByRule {
        &self.weights
    }

    /// Trees of all copies together.
    pub fn trees(&self) -> usize {
        self.copies.iter().map(|copy| copy.learner().trees()).sum()
    }

    /// Answers and learns the rows of a batch; `answered` gets each answer.
    fn run(&mut self, values: &[f32], targets: &[T::Target], mut answered: impl FnMut(&[f64])) {
        let width = self.schema.features();
        let mut start = 0;
        while start < targets.len() {
            let end = targets.len().min(start + self.rows_of_next_block());
            let (values, targets) = (&values[start * width..end * width], &targets[start..end]);
            self.learn_block(values, targets, &mut answered);
            start = end;
        }
    }

    /// Rows until the next copy is built or a change may be found, within reason.
    fn rows_of_next_block(&self) -> usize {
        let ends = self
            .copies
            .iter()
            .filter_map(|copy| copy.next_end(self.seen));
        let rows = ends.min().map_or(u64::MAX, |next| next - self.seen);
        rows.min(ROWS_PER_BLOCK as u64) as usize
    }

    /// Answers and learns rows at whose end, and not before, copies may have to be built.
    fn learn_block(
        &mut self,
        values: &[f32],
        targets: &[T::Target],
        answered: &mut impl FnMut(&[f64]),
    ) {
        let width = self.schema.features();
        let rows = ArrayView2::from_shape((targets.len(), width), values);
        let rows = rows.expect("checked rows have the width of the schema");
        let units = targets.len() * self.copies.len() * self.forest.trees;
        threads::each(&mut self.copies, units, |copy| {
            copy.predict_then_learn(rows, targets);
        });
        self.mix_block(targets, answered);
        self.store.extend(values, targets, width);
        let before = self.seen;
        self.seen += targets.len() as u64;
        self.begin_anew_if_due();
        self.rebuild_if_due(before);
    }

    /// Mixes the answers of the copies row by row; each row's losses count from the next row on.
    fn mix_block(&mut self, targets: &[T::Target], answered: &mut impl FnMut(&[f64])) {
        let mut first = 0;
        for (row, &target) in (self.seen..).zip(targets) {
            let width = self.schema.width();
            self.mix_row(first..first + width, target);
            answered(&self.scratch.answer);
            self.look_for_changes(row);
            let Scratch { losses, errors, .. } = &self.scratch;
            let rules = self.settings.weight_rules();
            self.weights.update(losses, errors, rules);
            T::observe(&mut self.scale, &self.scratch.answer, target);
            self.schema.admit(target);
            first += width;
        }
    }

    /// The mixture's answer, the members' losses and the rules' errors on one row, whose answers are those `cells`.
    fn mix_row(&mut self, cells: std::ops::Range<usize>, target: T::Target) {
        let Scratch {
            answer,
            of_member,
            of_rules,
            losses,
            errors,
        } = &mut self.scratch;
        let (width, rules) = (cells.len(), self.weights.of_members());
        zeros(answer, width);
        zeros(of_rules, rules.len() * width);
        losses.clear();
        let members = self.copies.chunks_exact(COPIES).enumerate();
        for ((member, copies), &share) in members.zip(self.weights.shares()) {
            zeros(of_member, width);
            for copy in copies {
                add(
                    &copy.answers()[cells.clone()],
                    1.0 / COPIES as f64,
                    of_member,
                );
            }
            add(of_member, share, answer);
            for (weights, of_rule) in rules.iter().zip(of_rules.chunks_mut(width.max(1))) {
                add(of_member, weights.shares()[member], of_rule);
            }
            losses.push(T::loss(self.settings.loss, &self.scale, of_member, target));
        }
        let of_rule = |rule: usize| &of_rules[rule * width..][..width];
        errors.clear();
        errors.extend((0..rules.len()).map(|rule| T::error(&self.scale, of_rule(rule), target)));
    }

    /// Compares the losses of members since the last change on row `row` with those of members that remember half or less.
    fn look_for_changes(&mut self, row: u64) {
        let largest = T::largest_loss(self.settings.loss);
        for member in 0..self.scratch.losses.len() {
            let copy = &self.copies[COPIES * member];
            let Some(test) = copy.change() else {
                continue;
            };
            let others = self.mean_loss_beside(copy.member(), row - test.first());
            let Some(others) = others else {
                continue;
            };
            let difference = (self.scratch.losses[member] - others) / largest;
            for copy in &mut self.copies[COPIES * member..COPIES * (member + 1)] {
                copy.change_mut()
                    .expect("both copies follow changes")
                    .observe(difference, row);
            }
        }
    }

    /// The loss, weighted, of the members that do the same as `member` on a window of half of `rows` or less.
    fn mean_loss_beside(&self, member: &MemberSettings, rows: u64) -> Option<f64> {
        let (mut sum, mut of_weights) = (0.0, 0.0);
        let weighted = self.weights.shares().iter().zip(&self.scratch.losses);
        for (other, (weight, loss)) in self.members().zip(weighted) {
            if other
                .window_beside(member)
                .is_some_and(|window| 2 * window <= rows)
            {
                sum += weight * loss;
                of_weights += weight;
            }
        }
        (of_weights > 0.0).then(|| sum / of_weights)
    }

    /// Lets copies begin anew for which a change has been found.
    fn begin_anew_if_due(&mut self) {
        let (seen, kept) = (self.seen, self.store.len() as u64);
        let tests = self.copies.iter_mut().filter_map(MemberCopy::change_mut);
        for test in tests.filter(|test| test.is_due(seen)) {
            test.begin_anew(seen, kept);
        }
    }

    /// Builds the copies that are due after the rows from `before` on.
    fn rebuild_if_due(&mut self, before: u64) {
        let (seen, width, schema) = (self.seen, self.schema.features(), self.schema);
        let is_due = |copy: &MemberCopy<T, R>| copy.is_due(before, seen);
        let rows = |copy: &MemberCopy<T, R>| copy.rows_to_build_from(seen) as usize;
        let mut due: Vec<_> = self.copies.iter_mut().filter(|copy| is_due(copy)).collect();
        let units = due.iter().map(|copy| rows(copy) * self.forest.trees).sum();
        let store = &self.store;
        threads::each(&mut due, units, |copy| {
            let (features, targets) = store.latest(rows(copy), width);
            copy.rebuild(schema, seen, features.view(), &targets);
        });
    }

    /// Checks what is held against what would be built from the settings.
    fn check(&self) -> Result<(), InvariantError> {
        let rule = |error: SettingError| InvariantError::new("settings", error);
        self.schema.check().map_err(rule)?;
        self.settings.check().map_err(rule)?;
        let members = self.settings.members().map_err(rule)?;
        let all = self.copies.len() == COPIES * members.len() && self.seen <= u64::MAX / 4;
        let what = || "it does not have two copies of each member, or miscounts its samples";
        InvariantError::unless(all, || "members", what)?;
        let trees = self.copies.iter().map(|copy| copy.learner().trees()).max();
        let trees = trees.is_none_or(|most| most == 0 || most == self.forest.trees);
        InvariantError::unless(trees, || "members", || "they have other numbers of trees")?;
        let rules = self.settings.weight_rules().count();
        self.weights.check(members.len(), rules)?;
        T::check_scale(&self.scale, self.seen)?;
        let kept = rows_kept(&members, &self.settings);
        self.store.check(&self.schema, (kept, self.seen))?;
        let unbuilt = unbuilt::<T, R>(&members, &self.settings, self.schema, self.forest);
        let unbuilt = unbuilt.map_err(rule)?;
        let pairs = self.copies.iter().zip(&unbuilt);
        let mut checks = pairs.map(|(copy, new)| copy.check(new, &self.schema, self.seen));
        checks.try_for_each(|checked| checked)
    }
}

/// Two copies of each member, before the first row.
fn unbuilt<T: AdaptiveTask, R: Registry>(
    members: &[MemberSettings],
    settings: &AdaptiveSettings<T>,
    schema: Schema<T>,
    forest: ForestSettings,
) -> Result<Vec<MemberCopy<T, R>>, SettingError> {
    let one = |index: usize| {
        let member = members[index / COPIES].clone();
        let seed = TreeRng::new(forest.seed, index).bits();
        let retention = match member.window {
            Window::All | Window::SinceChange => forest.retention,
            Window::Latest(_) => forest_core::Retention::Everything,
        };
        let forest = ForestSettings {
            seed,
            retention,
            ..forest
        };
        MemberCopy::new(member, (index % COPIES) as u64, settings, schema, forest)
    };
    (0..COPIES * members.len()).map(one).collect()
}

/// Rows that the store keeps: the longest window, and for members without one `history`.
fn rows_kept<T: AdaptiveTask>(members: &[MemberSettings], settings: &AdaptiveSettings<T>) -> usize {
    let needed = members.iter().map(|member| match member.window {
        Window::All | Window::SinceChange => settings.history,
        Window::Latest(rows) => rows,
    });
    needed.max().unwrap_or(0) as usize
}

fn zeros(cells: &mut Vec<f64>, count: usize) {
    cells.clear();
    cells.resize(count, 0.0);
}

fn add(values: &[f64], factor: f64, sum: &mut [f64]) {
    for (cell, value) in sum.iter_mut().zip(values) {
        *cell += factor * value;
    }
}

impl<T: AdaptiveTask, R: Registry> ImplementLearner for Adaptive<T, R> {
    type Task = T;

    fn schema(&self) -> &Schema<T> {
        &self.schema
    }

    fn samples_seen(&self) -> u64 {
        self.seen
    }

    fn footprint(&self) -> Footprint {
        let copies: Footprint = self.copies.iter().map(MemberCopy::footprint).sum();
        let Scratch {
            answer,
            of_member,
            of_rules,
            losses,
            errors,
        } = &self.scratch;
        let scratch = [answer, of_member, of_rules, losses, errors].map(Vec::capacity);
        let scratch: usize = scratch.iter().sum();
        let own = Footprint {
            nodes: 0,
            stored_samples: self.store.len(),
            bytes: self.store.bytes()
                + self.weights.bytes()
                + self.copies.capacity() * size_of::<MemberCopy<T, R>>()
                + scratch * size_of::<f64>(),
        };
        copies + own
    }

    fn check_room(&self, rows: usize) -> Result<(), InputError> {
        let mut copies = self.copies.iter();
        copies.try_for_each(|copy| copy.learner().check_room(rows))
    }

    fn check_invariants(&self) -> Result<(), InvariantError> {
        self.check()
    }

    fn learn_checked(&mut self, batch: CheckedBatch<'_, Self>) {
        self.run(batch.rows().values(), batch.targets(), |_| ());
    }

    fn predict_checked(&self, rows: CheckedRows<'_, Self>, answers: &mut [f64]) {
        let shape = (rows.len(), self.schema.features());
        let rows = ArrayView2::from_shape(shape, rows.values());
        let rows = rows.expect("checked rows have the width of the schema");
        threads::with_buffer(|of_copy| {
            threads::with_buffer(|of_member| {
                let members = self.copies.chunks_exact(COPIES);
                for (copies, &share) in members.zip(self.weights.shares()) {
                    zeros(of_member, answers.len());
                    for copy in copies {
                        copy.predict(rows, of_copy);
                        add(of_copy, 1.0 / COPIES as f64, of_member);
                    }
                    add(of_member, share, answers);
                }
            });
        });
    }

    fn predict_then_learn_checked(&mut self, batch: CheckedBatch<'_, Self>) -> PredictionRows {
        let mut answers = PredictionRows::default();
        self.run(batch.rows().values(), batch.targets(), |answer| {
            answers.push(answer.len()).copy_from_slice(answer);
        });
        answers
    }
}

impl<T: AdaptiveTask, R: Registry> Mixture for Adaptive<T, R> {
    fn members(&self) -> Vec<MixtureMember> {
        let members = self.copies.chunks_exact(COPIES).zip(self.weights());
        let member = |(copies, &weight): (&[MemberCopy<T, R>], &f64)| MixtureMember {
            name: copies[0].member().to_string(),
            weight,
            changed: copies[0].found_change(),
        };
        members.map(member).collect()
    }
}
