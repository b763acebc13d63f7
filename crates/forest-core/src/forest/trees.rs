//! The trees of a forest, of whatever kind, as a learner.

use std::ops::Range;

use ndarray::ArrayView2;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::VoteSums;
use super::boxed::{Change, Context, Kind, Seeded};
use super::rounds::PREDICTED_ROWS_PER_ROUND;
use crate::{
    Ability, Batch, DrawnNode, ExportedTree, FeatureValues, Footprint, ForestSettings, InputError,
    InvariantError, OnlineLearner, Part, Point, PredictionRows, Proceed, Refused, Retention,
    RetentionMask, Rows, SampleId, SampleStore, SampleWeight, Schema, SettingError, Task, TreeRng,
    threads,
};

/// The trees of a [`Forest`](crate::Forest), whatever their kind, with all that forests do. Nobody but the author of a tree can change it, so no caller
/// can put a tree at odds with its forest's samples.
#[derive(Clone)]
pub struct Trees<T: Task> {
    pub(super) frame: Frame<T>,
    pub(super) kind: Kind<T>,
    pub(super) trees: Vec<Seeded<T>>,
}

/// What a forest has beside its trees.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub(super) struct Frame<T: Task> {
    pub(super) schema: Schema<T>,
    pub(super) samples: SampleStore<T>,
    pub(super) retention: Retention,
    pub(super) seen: u64,
    /// The whole forest's seed and number of trees.
    pub(super) seed: u64,
    pub(super) total_trees: usize,
    /// The index of the first of the trees in the whole forest.
    pub(super) first_tree: usize,
}

/// Returns the number of rows that a thread predicts together. A tree is read into cache once for each block, so a row costs less in a
/// larger block, as long as the sums of all its rows leave the tree some room.
fn rows_per_block(width: usize) -> usize {
    ((1 << 17) / width.max(1)).clamp(512, 8192)
}

impl<T: Task> Trees<T> {
    /// Returns the samples held.
    pub fn samples(&self) -> &SampleStore<T> {
        &self.frame.samples
    }

    /// Returns the number of trees.
    pub fn tree_count(&self) -> usize {
        self.trees.len()
    }

    /// Has every tree do what it has put off, up to `budget` ([`OnlineTree::refine_to`](crate::OnlineTree::refine_to)), in parallel, each with its own random
    /// stream.
    pub fn refine_to(&mut self, budget: f64) {
        self.change(&Change::Refine(budget), usize::MAX);
    }

    /// Replaces the targets of samples that are held, each of which is there once, of trees that
    /// [can follow](crate::OnlineTree::retarget).
    pub fn retarget(&mut self, changes: &[(SampleId, T::Target)]) {
        let mut before = SmallVec::<[_; 8]>::with_capacity(changes.len());
        for &(id, target) in changes {
            before.push((id, self.frame.samples.retarget(id, target)));
        }
        self.change(&Change::Retarget(&before), before.len() * self.trees.len());
    }

    /// Overwrites `predictions` with full predictions, one row after another: each the prediction, followed by whatever else the trees estimate, such as
    /// a variance ([`OnlineTree::full_width`](crate::OnlineTree::full_width)).
    ///
    /// # Errors
    /// As [`predict_into`](OnlineLearner::predict_into).
    pub fn predict_full_into(
        &self,
        features: ArrayView2<'_, f32>,
        predictions: &mut Vec<f64>,
    ) -> Result<(), InputError> {
        let rows = Rows::for_learner(self, features)?;
        let width = (self.kind.full_width)(&self.frame.schema.outputs());
        predictions.clear();
        predictions.resize(rows.len() * width, 0.0);
        self.fill_rows(&rows, width, predictions);
        Ok(())
    }

    /// Test-then-train: the full prediction for every row, just before that row is learned.
    ///
    /// # Errors
    /// As [`learn`](OnlineLearner::learn).
    pub fn predict_full_then_learn(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[T::Target],
    ) -> Result<PredictionRows, InputError> {
        let batch = Batch::for_learner(self, features, targets)?;
        Ok(self.predict_full_then_learn_batch(&batch))
    }

    pub(super) fn context(&self) -> Context<'_, T> {
        Context {
            settings: &*self.kind.settings,
            samples: &self.frame.samples,
            outputs: self.frame.schema.outputs(),
        }
    }

    /// Changes all trees, in parallel if `units` of work are worth it.
    fn change(&mut self, change: &Change<'_, T>, units: usize) {
        let context = Context {
            settings: &*self.kind.settings,
            samples: &self.frame.samples,
            outputs: self.frame.schema.outputs(),
        };
        threads::each(&mut self.trees, units, |seeded| {
            seeded.tree.change(change, &context, &mut seeded.rng);
        });
    }

    /// Predicts `width` numbers for every row: block by block, in a block tree by tree, so that a tree stays in
    /// cache while it votes. The sum of a row is taken in the order of the trees all the same.
    fn fill_rows(&self, rows: &Rows<'_>, width: usize, predictions: &mut [f64]) {
        let (context, cells) = (
            self.context(),
            (self.kind.accumulator_width)(&self.frame.schema.outputs()),
        );
        self.in_blocks(rows, width, predictions, |block, predictions| {
            threads::with_buffer(|buffer| {
                buffer.resize((1 + block.len()) * cells, 0.0);
                let (accumulator, sums) = buffer.split_at_mut(cells);
                for Seeded { tree, .. } in &self.trees {
                    tree.add_votes(block, &context, accumulator, sums);
                }
                for (sum, prediction) in sums
                    .chunks_exact(cells.max(1))
                    .zip(predictions.chunks_exact_mut(width.max(1)))
                {
                    (self.kind.finish)(sum, self.trees.len(), prediction);
                }
            });
        });
    }

    /// Does `work` on blocks of rows and their parts of `table`, which has `width` cells a row.
    fn in_blocks(
        &self,
        rows: &Rows<'_>,
        width: usize,
        table: &mut [f64],
        work: impl Fn(&Rows<'_>, &mut [f64]) + Sync + Send,
    ) {
        let (width, units) = (width.max(1), rows.len() * self.trees.len());
        let together = rows_per_block(width);
        threads::fill_rows(table, width, units, |first, share| {
            let end = first + share.len() / width;
            for (block, share) in share.chunks_mut(together * width).enumerate() {
                let start = first + block * together;
                work(&rows.part(start..end.min(start + together)), share);
            }
        });
    }

    pub(super) fn check_settings(
        schema: &Schema<T>,
        kind: &Kind<T>,
        forest: &ForestSettings,
    ) -> Result<(), SettingError> {
        forest.check((kind.can)(Ability::Forget))?;
        kind.settings.check(schema)?;
        match forest.retention {
            Retention::Latest(_) => kind.settings.check_forgetting(),
            Retention::Everything => Ok(()),
        }
    }

    /// Forgets samples that are held; trees of this kind can.
    fn forget_all(&mut self, ids: &[SampleId]) {
        self.change(&Change::Forget(ids), usize::MAX);
        for &id in ids {
            self.frame.samples.forget(id);
        }
        self.compact();
    }

    /// Drops the samples from index `first` on that no tree holds, if the trees decide what is held.
    pub(super) fn drop_unreferenced(&mut self, first: usize) {
        let samples = &mut self.frame.samples;
        if self.frame.retention != Retention::Everything || !self.kind.holds_samples {
            return;
        }
        if !self.trees.iter().any(|seeded| seeded.tree.holds_samples()) {
            return samples.drop_all();
        }
        let mut kept = RetentionMask::empty(first, samples.slots() - first);
        for seeded in &self.trees {
            seeded.tree.keep(&mut kept);
            if kept.all() {
                return;
            }
        }
        let names = samples.retain(&kept);
        self.change(&Change::Remap(&names), usize::MAX);
    }

    pub(super) fn compact(&mut self) {
        if let Some(names) = self.frame.samples.compact()
            && self.kind.holds_samples
        {
            self.change(&Change::Remap(&names), usize::MAX);
        }
    }

    /// Checks what the constructor checked: of interest for a forest that was decoded.
    fn check_frame(&self) -> Result<(), InvariantError> {
        let frame = &self.frame;
        let rule = |error: SettingError| InvariantError::new("settings", error);
        frame.schema.check().map_err(rule)?;
        let forest = ForestSettings {
            trees: frame.total_trees,
            seed: frame.seed,
            retention: frame.retention,
        };
        Self::check_settings(&frame.schema, &self.kind, &forest).map_err(rule)?;
        let end = frame.first_tree.checked_add(self.trees.len());
        let some = !self.trees.is_empty() && end.is_some_and(|end| end <= frame.total_trees);
        let what = "it has no trees, or more than the whole forest";
        InvariantError::require(some, "forest", what)?;
        frame
            .samples
            .check(&frame.schema, self.kind.feature_values)?;
        let counted = frame.samples.last_arrival() < Some(frame.seen) && frame.seen <= u64::MAX / 2;
        InvariantError::require(counted, "forest", "the samples seen are miscounted")?;
        frame.retention.check_held(&frame.samples)
    }
}

impl<T: Task> OnlineLearner for Trees<T> {
    type Task = T;

    fn schema(&self) -> &Schema<T> {
        &self.frame.schema
    }

    fn feature_values(&self) -> FeatureValues {
        self.kind.feature_values
    }

    fn samples_seen(&self) -> u64 {
        self.frame.seen
    }

    fn footprint(&self) -> Footprint {
        let trees: Footprint = self
            .trees
            .iter()
            .map(|seeded| seeded.tree.footprint())
            .sum();
        let streams = self.trees.len() * size_of::<TreeRng>();
        let own = Footprint {
            nodes: 0,
            stored_samples: self.frame.samples.len(),
            bytes: self.frame.samples.bytes() + streams,
        };
        trees + own
    }

    /// Trees that can forget hold all that they learn from, unless they are full: without samples they have forgotten all.
    fn has_learned(&self) -> bool {
        let holds_none = (self.kind.can)(Ability::Forget) && self.frame.samples.is_empty();
        let forgot_all = holds_none && self.trees.iter().any(|seeded| seeded.tree.holds_samples());
        self.frame.seen > 0 && !forgot_all
    }

    fn check_room(&self, rows: usize) -> Result<(), InputError> {
        if rows <= self.frame.samples.room() {
            return Ok(());
        }
        let (stored, limit) = (self.frame.samples.slots(), SampleStore::<T>::LIMIT);
        Err(InputError::StoreFull {
            rows,
            stored,
            limit,
        })
    }

    fn check_invariants(&self) -> Result<(), InvariantError> {
        self.check_frame()?;
        let (context, units) = (self.context(), self.frame.samples.len() * self.trees.len());
        let mut checks: Vec<_> = self.trees.iter().map(|seeded| (seeded, Ok(()))).collect();
        threads::each(&mut checks, units, |(seeded, found)| {
            *found = seeded.tree.check(&context);
        });
        for (index, (_, found)) in checks.into_iter().enumerate() {
            found.map_err(|error: InvariantError| {
                InvariantError::new(format!("tree {index}, {}", error.place), error.what)
            })?;
        }
        Ok(())
    }

    fn learn_batch(&mut self, batch: &Batch<'_, T>) {
        self.learn_rounds(batch);
    }

    fn predict_rows(&self, rows: &Rows<'_>, predictions: &mut [f64]) {
        self.fill_rows(rows, self.frame.schema.width(), predictions);
    }

    fn predict_then_learn_batch(&mut self, batch: &Batch<'_, T>) -> PredictionRows {
        self.predict_then_learn_rounds(batch, |_, outputs| T::width(outputs))
    }

    fn predict_full_then_learn_batch(&mut self, batch: &Batch<'_, T>) -> PredictionRows {
        self.predict_then_learn_rounds(batch, |kind, outputs| (kind.full_width)(outputs))
    }

    fn can(&self, ability: Ability) -> bool {
        (self.kind.can)(ability)
    }

    fn export(&self, tree: usize) -> Result<ExportedTree, Refused> {
        let trees = self.trees.len();
        let Seeded { tree, .. } = self
            .trees
            .get(tree)
            .ok_or_else(|| Refused::no_tree(tree, trees))?;
        let exported = tree.export(&self.context());
        let mut exported = exported.ok_or_else(|| Refused::cannot("explain its predictions"))?;
        exported.share = 1.0 / trees as f64;
        Ok(exported)
    }

    fn share_a_leaf(&self, a: &[f32], b: &[f32]) -> Result<f64, Refused> {
        if !self.can(Ability::Partition) {
            return Err(Refused::cannot("report which points share a leaf"));
        }
        for point in [a, b] {
            Rows::one(point, self.frame.schema.features())?;
        }
        let together = self
            .trees
            .iter()
            .filter(|seeded| seeded.tree.share_a_leaf(a, b));
        Ok(together.count() as f64 / self.trees.len() as f64)
    }

    fn nodes_of(&self, tree: usize, window: &[Point]) -> Result<Vec<DrawnNode>, Refused> {
        if !self.can(Ability::Partition) || self.frame.schema.features() != 2 {
            return Err(Refused::cannot(
                "be drawn; tessellation forests over two features can",
            ));
        }
        let samples = &self.frame.samples;
        let held = samples.ids().map(|id| samples.features(id));
        let tree = self.export(tree);
        Ok(tree.map_or(Vec::new(), |tree| tree.drawn(window, held)))
    }

    fn refine(&mut self) -> Result<(), Refused> {
        if !self.can(Ability::Partition) {
            return Err(Refused::cannot("refine its leaves"));
        }
        self.refine_to(0.0);
        Ok(())
    }

    fn means_and_variances_into(
        &self,
        features: ArrayView2<'_, f32>,
        predictions: &mut Vec<f64>,
    ) -> Result<(), Refused> {
        if !self.can(Ability::Intervals) {
            return Err(Refused::cannot("report variances and intervals"));
        }
        Ok(self.predict_full_into(features, predictions)?)
    }

    fn part(&self) -> Option<Part> {
        let (first, of) = (self.frame.first_tree, self.frame.total_trees);
        let trees = first..first + self.trees.len();
        Some(Part { trees, of })
    }

    fn keep_trees(&mut self, part: Range<usize>) -> Result<(), Refused> {
        let first = self.frame.first_tree;
        let own = first..first + self.trees.len();
        let some = !part.is_empty() && own.start <= part.start && part.end <= own.end;
        let rule = "must be some of the trees that the shard has";
        SettingError::require(some, "part", rule, format!("{part:?} of {own:?}"))?;
        self.trees.truncate(part.end - first);
        self.trees.drain(..part.start - first);
        self.frame.first_tree = part.start;
        self.drop_unreferenced(0);
        Ok(())
    }

    fn add_votes(&self, features: ArrayView2<'_, f32>, sums: &mut VoteSums) -> Result<(), Refused> {
        let rows = Rows::for_learner(self, features)?;
        let width = self.open(
            sums,
            std::iter::repeat_n(self.frame.schema.outputs(), rows.len()),
        )?;
        let context = self.context();
        self.in_blocks(&rows, width, &mut sums.values, |block, sums| {
            threads::with_buffer(|accumulator| {
                accumulator.resize(width, 0.0);
                for Seeded { tree, .. } in &self.trees {
                    tree.add_votes(block, &context, accumulator, sums);
                }
            });
        });
        sums.trees += self.trees.len();
        Ok(())
    }

    fn add_votes_then_learn(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[T::Target],
        sums: &mut VoteSums,
    ) -> Result<(), Refused> {
        let batch = Batch::for_learner(self, features, targets)?;
        let known = batch.outputs(self.frame.schema.outputs());
        self.open(sums, known[..batch.len()].iter().copied())?;
        let mut rest = sums.values.as_mut_slice();
        self.rounds(&batch, PREDICTED_ROWS_PER_ROUND, |round, trees| {
            round.vote_then_learn(trees, |outputs, add| {
                let width = (round.kind.accumulator_width)(outputs);
                let (sum, behind) = std::mem::take(&mut rest).split_at_mut(width);
                rest = behind;
                add(sum);
            });
        });
        sums.trees += self.trees.len();
        Ok(())
    }

    fn finish_votes(&self, sums: &VoteSums) -> Result<PredictionRows, Refused> {
        let total = self.frame.total_trees;
        sums.check(total, true)?;
        let (mut predictions, mut rest) = (PredictionRows::default(), sums.values.as_slice());
        for &[width, prediction] in &sums.widths {
            let (sum, behind) = rest.split_at(width as usize);
            rest = behind;
            (self.kind.finish)(sum, total, predictions.push(prediction as usize));
        }
        Ok(predictions)
    }

    fn check_forgetting(&self) -> Result<(), Refused> {
        if !self.can(Ability::Forget) {
            return Err(Refused::forgetting());
        }
        let ruled_out = |error| Refused::Cannot(format!("no sample can be forgotten: {error}"));
        self.kind.settings.check_forgetting().map_err(ruled_out)
    }

    fn forget(&mut self, arrival: u64) -> Result<(), Refused> {
        self.check_forgetting()?;
        let samples = &self.frame.samples;
        let not_held = || Refused::not_held(arrival, self.frame.seen, samples.len());
        let id = samples.find(arrival).ok_or_else(not_held)?;
        self.forget_all(&[id]);
        Ok(())
    }

    fn keep_latest(&mut self, n: usize) -> Result<(), Refused> {
        self.check_forgetting()?;
        SettingError::require(n > 0, "n", "must be at least 1", n)?;
        self.frame.retention = Retention::Latest(n);
        let excess = self.frame.samples.len().saturating_sub(n);
        let gone: Vec<_> = self.frame.samples.ids().take(excess).collect();
        self.forget_all(&gone);
        Ok(())
    }

    fn widen(&mut self, features: usize) -> Result<(), SettingError> {
        let before = self.frame.schema.features();
        let schema = self.frame.schema.with_features(features.max(before))?;
        let mut settings = self.kind.settings.boxed();
        settings.widen(&schema)?;
        let rule = "must not be fewer than before";
        SettingError::require(features >= before, "features", rule, features)?;
        if features > before {
            (self.frame.schema, self.kind.settings) = (schema, settings);
            self.frame.samples.widen(features);
            self.change(&Change::Widen(features), usize::MAX);
        }
        Ok(())
    }

    fn fit_at_once(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[T::Target],
        weights: Option<&[f64]>,
        proceed: Proceed<'_>,
    ) -> Option<Result<(), InputError>> {
        let is_first = self.frame.seen == 0 && self.frame.retention == Retention::Everything;
        (is_first && self.can(Ability::AtOnce)).then(|| {
            let batch = Batch::for_learner(self, features, targets)?;
            let weights = weights.map(|weights| SampleWeight::for_rows(batch.len(), weights));
            let weights = weights.transpose()?.unwrap_or_default();
            let empty = self.clone();
            self.learn_at_once(&batch.weighted(&weights), proceed);
            if !proceed() {
                *self = empty;
            }
            Ok(())
        })
    }
}
