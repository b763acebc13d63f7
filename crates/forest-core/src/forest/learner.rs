//! Forests as learners.

use std::any::Any;
use std::ops::Range;

use ndarray::ArrayView2;

use super::rounds::ROWS_PER_ROUND;
use super::{Forest, Seeded, Trees};
use crate::sample_weight::PerRow;
use crate::{
    Ability, Batch, DrawnNode, ExportedTree, FeatureValues, Footprint, InputError, InvariantError,
    OnlineLearner, OnlineTree, Part, Point, PredictionRows, Proceed, Refused, Retention, Rows,
    SampleStore, SampleWeight, Schema, SettingError, Task, TreeRng, VoteSums, threads,
};

impl<K: OnlineTree> OnlineLearner for Forest<K> {
    type Task = K::Task;

    fn inside(&self) -> Option<&dyn OnlineLearner<Task = K::Task>> {
        Some(&self.trees)
    }

    fn inside_mut(&mut self) -> Option<&mut dyn OnlineLearner<Task = K::Task>> {
        Some(&mut self.trees)
    }

    fn join(&mut self, next: Box<dyn Any>) -> Result<(), Refused> {
        let next = next.downcast::<Self>();
        let next = next.map_err(|_| Refused::different("algorithms"))?;
        self.trees.join(next.trees)
    }

    fn schema(&self) -> &Schema<K::Task> {
        &self.trees.frame.schema
    }

    fn samples_seen(&self) -> u64 {
        self.trees.frame.seen
    }

    fn learn_batch(&mut self, batch: &Batch<'_, K::Task>) {
        self.trees.learn_batch(batch);
    }

    fn predict_rows(&self, rows: &Rows<'_>, predictions: &mut [f64]) {
        self.trees.predict_rows(rows, predictions);
    }
}

impl<T: Task> OnlineLearner for Trees<T> {
    type Task = T;

    fn schema(&self) -> &Schema<T> {
        &self.frame.schema
    }

    fn trees(&self) -> usize {
        self.trees.len()
    }

    fn feature_values(&self) -> FeatureValues {
        self.kind().feature_values()
    }

    fn samples_seen(&self) -> u64 {
        self.frame.seen
    }

    fn footprint(&self) -> Footprint {
        let trees = self.trees.iter();
        let mut sum: Footprint = trees.map(|seeded| seeded.tree.footprint()).sum();
        sum.stored_samples += self.frame.samples.len();
        sum.bytes += self.frame.samples.bytes() + self.trees.len() * size_of::<TreeRng>();
        sum
    }

    /// Trees that can forget and are not full hold all that they learn from: without samples they have forgotten all.
    fn has_learned(&self) -> bool {
        let holds_none = self.kind().can(Ability::Forget) && self.frame.samples.is_empty();
        let forgot_all = holds_none && self.trees.iter().any(|seeded| seeded.tree.holds_samples());
        self.frame.seen > 0 && !forgot_all
    }

    fn check_room(&self, rows: usize) -> Result<(), InputError> {
        InputError::check_room(rows, self.frame.samples.slots(), SampleStore::<T>::LIMIT)
    }

    fn check_invariants(&self) -> Result<(), InvariantError> {
        self.check_frame()?;
        let context = self.context();
        let units = self.frame.samples.len() * self.trees.len();
        let mut checks: Vec<_> = self.trees.iter().map(|seeded| (seeded, Ok(()))).collect();
        threads::each(&mut checks, units, |(seeded, found)| {
            *found = seeded.tree.check(&context);
        });
        for (index, (_, found)) in checks.into_iter().enumerate() {
            found.map_err(|error| error.inside(format_args!("tree {index}")))?;
        }
        Ok(())
    }

    fn learn_batch(&mut self, batch: &Batch<'_, T>) {
        self.rounds(batch, ROWS_PER_ROUND, |round, trees| {
            let units = round.ids.len() * trees.len();
            threads::each(trees, units, |seeded| {
                seeded.tree.learn_round(round, &mut seeded.rng);
            });
        });
    }

    fn predict_rows(&self, rows: &Rows<'_>, predictions: &mut [f64]) {
        self.fill_rows(rows, self.frame.schema.width(), predictions);
    }

    fn predict_then_learn_batch(&mut self, batch: &Batch<'_, T>) -> PredictionRows {
        self.predict_then_learn_rounds(batch, |_, outputs| T::width(outputs))
    }

    fn predict_full_then_learn_batch(&mut self, batch: &Batch<'_, T>) -> PredictionRows {
        self.predict_then_learn_rounds(batch, |tree, outputs| tree.full_width(outputs))
    }

    fn can(&self, ability: Ability) -> bool {
        self.kind().can(ability)
    }

    fn export(&self, tree: usize) -> Result<ExportedTree, Refused> {
        let trees = self.trees.len();
        let Some(Seeded { tree, .. }) = self.trees.get(tree) else {
            return Err(Refused::no_tree(tree, trees));
        };
        let exported = tree.export(&self.context());
        let mut exported = exported.ok_or_else(Refused::explaining)?;
        exported.share = 1.0 / trees as f64;
        Ok(exported)
    }

    fn share_a_leaf(&self, a: &[f32], b: &[f32]) -> Result<f64, Refused> {
        if !self.can(Ability::Partition) {
            return Err(Refused::partition());
        }
        for point in [a, b] {
            Rows::one(point, self.frame.schema.features())?;
        }
        let trees = self.trees.iter();
        let shared = trees.filter(|seeded| seeded.tree.share_a_leaf(a, b));
        Ok(shared.count() as f64 / self.trees.len() as f64)
    }

    fn nodes_of(&self, tree: usize, window: &[Point]) -> Result<Vec<DrawnNode>, Refused> {
        if !self.can(Ability::Partition) || self.frame.schema.features() != 2 {
            return Err(Refused::partition());
        }
        let samples = &self.frame.samples;
        let held = samples.ids().map(|id| samples.features(id));
        let tree = self.export(tree);
        Ok(tree.map_or(Vec::new(), |tree| tree.drawn(window, held)))
    }

    fn refine(&mut self) -> Result<(), Refused> {
        if !self.can(Ability::Partition) {
            return Err(Refused::partition());
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
            return Err(Refused::intervals());
        }
        Ok(self.predict_full_into(features, predictions)?)
    }

    fn part(&self) -> Option<Part> {
        let first = self.frame.first_tree;
        Some(Part {
            trees: first..first + self.trees.len(),
            of: self.frame.total_trees,
        })
    }

    fn keep_trees(&mut self, part: Range<usize>) -> Result<(), Refused> {
        let first = self.frame.first_tree;
        let own = first..first + self.trees.len();
        let has_all = !part.is_empty() && own.start <= part.start && part.end <= own.end;
        let rule = "must be some of the trees that the shard has";
        SettingError::require(has_all, "part", rule, format!("{part:?} of {own:?}"))?;
        self.trees.truncate(part.end - first);
        self.trees.drain(..part.start - first);
        self.frame.first_tree = part.start;
        self.drop_unreferenced(0);
        Ok(())
    }

    fn add_votes(&self, features: ArrayView2<'_, f32>, sums: &mut VoteSums) -> Result<(), Refused> {
        let rows = self.check_rows(features)?;
        let outputs = self.frame.schema.outputs();
        self.prepare(sums, std::iter::repeat_n(outputs, rows.len()))?;
        let width = self.kind().accumulator_width(&outputs);
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
        let batch = self.check_batch(features, targets)?;
        let known = batch.outputs(self.frame.schema.outputs());
        self.prepare(sums, known[..batch.len()].iter().copied())?;
        let mut rest = sums.values.as_mut_slice();
        let most = self.predicted_rows_per_round(&batch);
        self.rounds(&batch, most, |round, trees| {
            let votes = round.vote_then_learn(trees);
            for row in 0..round.ids.len() {
                let outputs = &round.outputs[row];
                let width = trees[0].tree.accumulator_width(outputs);
                let (sum, behind) = std::mem::take(&mut rest).split_at_mut(width);
                rest = behind;
                votes.add_to(row, sum);
            }
        });
        sums.trees += self.trees.len();
        Ok(())
    }

    fn finish_votes(&self, sums: &VoteSums) -> Result<PredictionRows, Refused> {
        let total = self.frame.total_trees;
        let mut widths = Vec::with_capacity(sums.widths.len());
        for &[_, prediction] in &sums.widths {
            let known = T::outputs_of_width(self.frame.schema.outputs(), prediction);
            widths.push(self.vote_widths(&known));
        }
        sums.check(total, &widths)?;
        let mut predictions = PredictionRows::default();
        let mut rest = sums.values.as_slice();
        for &[width, prediction] in &sums.widths {
            let (sum, behind) = rest.split_at(width as usize);
            rest = behind;
            let prediction = predictions.push(prediction as usize);
            self.kind().finish(sum, total, prediction);
        }
        Ok(predictions)
    }

    fn check_forgetting(&self) -> Result<(), Refused> {
        if !self.can(Ability::Forget) {
            return Err(Refused::forgetting());
        }
        let ruled_out = |error| Refused::Cannot(format!("no sample can be forgotten: {error}"));
        self.settings.check_forgetting().map_err(ruled_out)
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
        let settings = self.kind().widened(&self.settings, schema.features())?;
        settings.check(&schema)?;
        let rule = "must not be fewer than before";
        SettingError::require(features >= before, "features", rule, features)?;
        if features > before {
            self.frame.schema = schema;
            self.settings = settings;
            self.frame.samples.widen(features);
            self.change(usize::MAX, |tree, context, _| tree.widen(features, context));
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
        if !is_first || !self.can(Ability::AtOnce) {
            return None;
        }
        Some(self.learn_first(features, targets, weights, proceed))
    }
}

impl<T: Task> Trees<T> {
    /// Learns the first rows all at once; a forest that has learned nothing and retains everything.
    fn learn_first(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[T::Target],
        weights: Option<&[f64]>,
        proceed: Proceed<'_>,
    ) -> Result<(), InputError> {
        let batch = self.check_batch(features, targets)?;
        let weights = match weights {
            Some(weights) => SampleWeight::for_rows(batch.len(), weights)?,
            None => PerRow::new(),
        };
        let empty = self.clone();
        // A forest that retains everything takes all in one round.
        self.rounds(&batch.weighted(&weights), batch.len(), |round, trees| {
            let context = round.context(batch.len());
            let units = batch.len() * trees.len();
            threads::each(trees, units, |Seeded { tree, rng }| {
                if proceed() {
                    tree.learn_first(round.ids, &context, rng, proceed);
                }
            });
        });
        if !proceed() {
            *self = empty;
        }
        Ok(())
    }
}
