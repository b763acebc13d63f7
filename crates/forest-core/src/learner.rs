//! The learner, as users see it.

use std::any::Any;
use std::ops::Range;

use ndarray::{Array2, ArrayView2};
use statrs::distribution::{ContinuousCDF, Normal};

use crate::batch::one_row;
use crate::{
    Ability, Batch, DrawnNode, ExportedTree, FeatureValues, Footprint, InputError, InvariantError,
    MixtureMember, Part, Point, PredictionRows, Proceed, Refused, Rows, SampleWeight, Schema,
    SettingError, Task, VoteSums, check_level, threads,
};

/// A learner that learns one sample at a time and can predict at any moment.
///
/// Users call [`learn`](Self::learn), [`predict`](Self::predict), [`predict_then_learn`](Self::predict_then_learn) and
/// their variants, which check their input once and pass it on as a [`Batch`] or [`Rows`]. Authors write
/// [`schema`](Self::schema), [`samples_seen`](Self::samples_seen), [`learn_batch`](Self::learn_batch) and
/// [`predict_rows`](Self::predict_rows), which get checked input and cannot fail; the rest is provided. What only some
/// learners can do is a method, too, which returns an error by default ([`Ability`]).
///
/// Features are `f32`, targets are [`Task::Target`], predictions are rows of `f64`: class probabilities (as many as
/// classes are known) or the mean (one). Object-safe; dynamic dispatch costs once per batch.
///
/// ```
/// use forest_core::{Classification, OnlineLearner, Prior, Schema};
///
/// let schema = Schema::<Classification>::new(1)?.with_classes(2)?;
/// let mut peers: Vec<Box<dyn OnlineLearner<Task = Classification>>> =
///     vec![Box::new(Prior::new(schema)), Box::new(Prior::new(schema))];
/// for learner in &mut peers {
///     assert_eq!(learner.predict_one(&[0.5])?, [0.5, 0.5]);
///     learner.learn_one(&[0.5], 1)?;
///     assert_eq!(learner.predict_one(&[0.5])?, [0.0, 1.0]);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait OnlineLearner: Send + Sync {
    /// Classification or regression.
    type Task: Task;

    /// Returns the shape of the stream, with the classes known so far.
    fn schema(&self) -> &Schema<Self::Task>;

    /// Returns the number of samples learned.
    fn samples_seen(&self) -> u64;

    /// Learns the samples of a batch, for which there is room, one after another.
    fn learn_batch(&mut self, batch: &Batch<'_, Self::Task>);

    /// Writes the predictions for `rows` to `predictions`: `schema().width()` numbers a row, all 0 before.
    fn predict_rows(&self, rows: &Rows<'_>, predictions: &mut [f64]);

    /// Returns the learner that this one wraps, if any: methods that the wrapper does not write are delegated to it.
    fn inside(&self) -> Option<&dyn OnlineLearner<Task = Self::Task>> {
        None
    }

    /// Returns the same as [`inside`](Self::inside), mutable.
    fn inside_mut(&mut self) -> Option<&mut dyn OnlineLearner<Task = Self::Task>> {
        None
    }

    // What users call.

    /// Learns `features` (one sample a row) with their `targets`, one after another.
    ///
    /// # Errors
    /// Returns an error if anything in the batch is refused; then no part of it was learned.
    fn learn(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[<Self::Task as Task>::Target],
    ) -> Result<(), InputError> {
        if let Some(inside) = self.inside_mut() {
            return inside.learn(features, targets);
        }
        let batch = self.check_batch(features, targets)?;
        self.learn_batch(&batch);
        Ok(())
    }

    /// Overwrites `predictions` with the predictions for `features`, `schema().width()` numbers a row. Once a buffer
    /// that is reused is large enough, a query on one thread allocates nothing.
    ///
    /// # Errors
    /// Returns an error if a width or a [value](Self::feature_values) is wrong; then `predictions` is unchanged.
    fn predict_into(
        &self,
        features: ArrayView2<'_, f32>,
        predictions: &mut Vec<f64>,
    ) -> Result<(), InputError> {
        if let Some(inside) = self.inside() {
            return inside.predict_into(features, predictions);
        }
        let rows = self.check_rows(features)?;
        predictions.clear();
        predictions.resize(rows.len() * self.schema().width(), 0.0);
        self.predict_rows(&rows, predictions);
        Ok(())
    }

    /// Predicts each row and then learns it (test-then-train); returns the prediction made just before for every row.
    ///
    /// # Errors
    /// As [`learn`](Self::learn).
    fn predict_then_learn(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[<Self::Task as Task>::Target],
    ) -> Result<PredictionRows, InputError> {
        if let Some(inside) = self.inside_mut() {
            return inside.predict_then_learn(features, targets);
        }
        let batch = self.check_batch(features, targets)?;
        Ok(self.predict_then_learn_batch(&batch))
    }

    /// Learns one sample.
    ///
    /// # Errors
    /// As [`learn`](Self::learn).
    fn learn_one(
        &mut self,
        features: &[f32],
        target: <Self::Task as Task>::Target,
    ) -> Result<(), InputError> {
        self.learn(one_row(features), &[target])
    }

    /// Returns the predictions for `features`: one row per row, `schema().width()` wide.
    ///
    /// # Errors
    /// As [`predict_into`](Self::predict_into).
    fn predict(&self, features: ArrayView2<'_, f32>) -> Result<Array2<f64>, InputError> {
        let mut predictions = Vec::new();
        self.predict_into(features, &mut predictions)?;
        let shape = (features.nrows(), self.schema().width());
        Ok(Array2::from_shape_vec(shape, predictions).expect("there is a prediction for each row"))
    }

    /// Predicts one point.
    ///
    /// # Errors
    /// As [`predict_into`](Self::predict_into).
    fn predict_one(&self, x: &[f32]) -> Result<Vec<f64>, InputError> {
        let mut prediction = Vec::new();
        self.predict_one_into(x, &mut prediction)?;
        Ok(prediction)
    }

    /// Overwrites `prediction` with the prediction for one point.
    ///
    /// # Errors
    /// As [`predict_into`](Self::predict_into).
    fn predict_one_into(&self, x: &[f32], prediction: &mut Vec<f64>) -> Result<(), InputError> {
        self.predict_into(one_row(x), prediction)
    }

    /// Predicts the label of one point: the most probable class, of equally probable ones the smaller, `None` before
    /// the first label; or the mean, 0 before the first target.
    ///
    /// # Errors
    /// As [`predict_into`](Self::predict_into).
    fn predict_label(&self, x: &[f32]) -> Result<<Self::Task as Task>::Label, InputError> {
        threads::with_buffer(|row| {
            self.predict_one_into(x, row)?;
            Ok(Self::Task::label(row, self.has_learned()))
        })
    }

    /// Predicts the label of each row.
    ///
    /// # Errors
    /// As [`predict_into`](Self::predict_into).
    fn predict_labels(
        &self,
        features: ArrayView2<'_, f32>,
    ) -> Result<Vec<<Self::Task as Task>::Label>, InputError> {
        threads::with_buffer(|rows| {
            self.predict_into(features, rows)?;
            let width = self.schema().width();
            let has_learned = self.has_learned();
            let label = |row: usize| Self::Task::label(&rows[row * width..][..width], has_learned);
            Ok((0..features.nrows()).map(label).collect())
        })
    }

    // What a learner does and reports besides; its author replaces what differs.

    /// Checks rows that the learner is about to learn or to predict.
    ///
    /// # Errors
    /// Returns an error if the width is wrong, or the learner does not accept a value.
    fn check_rows<'a>(&self, rows: ArrayView2<'a, f32>) -> Result<Rows<'a>, InputError> {
        Rows::check_values(rows, self.schema().features(), self.feature_values())
    }

    /// Checks samples that the learner is about to learn.
    ///
    /// # Errors
    /// As [`learn`](Self::learn).
    fn check_batch<'a>(
        &self,
        rows: ArrayView2<'a, f32>,
        targets: &'a [<Self::Task as Task>::Target],
    ) -> Result<Batch<'a, Self::Task>, InputError> {
        let batch = Batch::check(rows, targets, self.schema(), self.feature_values())?;
        self.check_room(batch.len())?;
        Ok(batch)
    }

    /// Predicts each row of a batch and then learns it, row after row.
    fn predict_then_learn_batch(&mut self, batch: &Batch<'_, Self::Task>) -> PredictionRows {
        if let Some(inside) = self.inside_mut() {
            return inside.predict_then_learn_batch(batch);
        }
        let mut predictions = PredictionRows::default();
        for row in 0..batch.len() {
            let part = batch.part(row..row + 1);
            self.predict_rows(part.rows(), predictions.push(self.schema().width()));
            self.learn_batch(&part);
        }
        predictions
    }

    /// Does the same as [`predict_then_learn_batch`](Self::predict_then_learn_batch), with variances behind means if
    /// the learner has any.
    fn predict_full_then_learn_batch(&mut self, batch: &Batch<'_, Self::Task>) -> PredictionRows {
        match self.inside_mut() {
            Some(inside) => inside.predict_full_then_learn_batch(batch),
            None => self.predict_then_learn_batch(batch),
        }
    }

    /// Returns the values of features that the learner accepts; only numbers by default.
    fn feature_values(&self) -> FeatureValues {
        self.inside()
            .map_or(FeatureValues::Numbers, |inside| inside.feature_values())
    }

    /// Returns whether predictions are based on samples: false before the first one, and once all are forgotten.
    fn has_learned(&self) -> bool {
        self.inside()
            .map_or(self.samples_seen() > 0, |inside| inside.has_learned())
    }

    /// Returns the nodes, samples and bytes that the learner holds in memory.
    fn footprint(&self) -> Footprint {
        self.inside()
            .map_or(Footprint::default(), |inside| inside.footprint())
    }

    /// Checks that the learner's data are consistent. Costs a pass over everything that it holds.
    ///
    /// # Errors
    /// Returns the first invariant that does not hold, and where.
    fn check_invariants(&self) -> Result<(), InvariantError> {
        self.inside()
            .map_or(Ok(()), |inside| inside.check_invariants())
    }

    /// Checks that there is room for `rows` more samples; by default there is.
    ///
    /// # Errors
    /// Returns an error if there is not.
    fn check_room(&self, rows: usize) -> Result<(), InputError> {
        self.inside()
            .map_or(Ok(()), |inside| inside.check_room(rows))
    }

    // What only some learners can do.

    /// Returns whether the learner has this ability; by default it has none.
    fn can(&self, ability: Ability) -> bool {
        self.inside().is_some_and(|inside| inside.can(ability))
    }

    /// Returns tree `tree`, counted from 0, as plain data. Costs a pass over the tree.
    ///
    /// # Errors
    /// Returns an error if the learner [cannot](Ability::Explain), or the tree does not exist.
    fn export(&self, tree: usize) -> Result<ExportedTree, Refused> {
        let inside = self.inside().ok_or_else(Refused::explaining)?;
        inside.export(tree)
    }

    /// Returns what each feature adds to the prediction for `x` outside of the trees: nothing by default.
    fn linear_part(&self, x: &[f32]) -> Vec<f64> {
        self.inside()
            .map_or(Vec::new(), |inside| inside.linear_part(x))
    }

    /// Returns the fraction of the trees that have both points in one leaf: the kernel of a tessellation forest.
    ///
    /// # Errors
    /// Returns an error if the learner [cannot](Ability::Partition), or a point is refused.
    fn share_a_leaf(&self, a: &[f32], b: &[f32]) -> Result<f64, Refused> {
        let inside = self.inside().ok_or_else(Refused::partition)?;
        inside.share_a_leaf(a, b)
    }

    /// Returns the nodes of a tree in a convex `window`, parents before children; none if the tree does not exist.
    ///
    /// # Errors
    /// Returns an error if it is not a tessellation forest over two features.
    fn nodes_of(&self, tree: usize, window: &[Point]) -> Result<Vec<DrawnNode>, Refused> {
        let inside = self.inside().ok_or_else(Refused::partition)?;
        inside.nodes_of(tree, window)
    }

    /// Exposes every leaf of every tree of a tessellation forest to the budget of the samples held.
    ///
    /// # Errors
    /// Returns an error if the learner [cannot](Ability::Partition).
    fn refine(&mut self) -> Result<(), Refused> {
        let inside = self.inside_mut().ok_or_else(Refused::partition)?;
        inside.refine()
    }

    /// Overwrites `predictions` with the mean and variance of a new target at each row; without samples 0 and infinity.
    ///
    /// # Errors
    /// Returns an error if the learner [cannot](Ability::Intervals), or a row is refused; then nothing changes.
    fn means_and_variances_into(
        &self,
        features: ArrayView2<'_, f32>,
        predictions: &mut Vec<f64>,
    ) -> Result<(), Refused> {
        let inside = self.inside().ok_or_else(Refused::intervals)?;
        inside.means_and_variances_into(features, predictions)
    }

    /// Returns the mean and variance of a new target at each row, as two columns.
    ///
    /// # Errors
    /// As [`means_and_variances_into`](Self::means_and_variances_into).
    fn means_and_variances(&self, features: ArrayView2<'_, f32>) -> Result<Array2<f64>, Refused> {
        let mut predictions = Vec::new();
        self.means_and_variances_into(features, &mut predictions)?;
        let predictions = Array2::from_shape_vec((features.nrows(), 2), predictions);
        Ok(predictions.expect("two numbers for each row"))
    }

    /// Returns the bounds, lower and upper in two columns, between which a new target at each row lies with probability
    /// `level`, by default those of a normal distribution; infinite before the first sample.
    ///
    /// # Errors
    /// As [`means_and_variances_into`](Self::means_and_variances_into), or if the level is not between 0 and 1.
    fn central_intervals(
        &self,
        features: ArrayView2<'_, f32>,
        level: f64,
    ) -> Result<Array2<f64>, Refused> {
        if let Some(inside) = self.inside() {
            return inside.central_intervals(features, level);
        }
        check_level(level)?;
        let z = Normal::standard().inverse_cdf(0.5 * (1.0 + level));
        let mut predictions = self.means_and_variances(features)?;
        for mut row in predictions.rows_mut() {
            let mean = row[0];
            let half_width = z * row[1].sqrt();
            row[0] = mean - half_width;
            row[1] = mean + half_width;
        }
        Ok(predictions)
    }

    /// Returns the members of a mixture, such as `adaptive`; their weights sum to 1. None by default.
    fn members(&self) -> Vec<MixtureMember> {
        self.inside().map_or(Vec::new(), |inside| inside.members())
    }

    /// Returns the rules by which weights of members follow their losses; their weights sum to 1. None by default.
    fn rules(&self) -> Vec<MixtureMember> {
        self.inside().map_or(Vec::new(), |inside| inside.rules())
    }

    /// Returns the number of trees; 0 for a learner that has none.
    fn trees(&self) -> usize {
        self.inside().map_or(0, |inside| inside.trees())
    }

    /// Returns which trees of a forest it has; `None` for a learner that cannot be sharded.
    ///
    /// A batch that passes through all shards of a forest in the order of their trees gets the predictions of the whole
    /// forest, bit for bit: each shard adds its votes to the sums of those before it, and
    /// [`finish_votes`](Self::finish_votes) turns the final sums into predictions.
    fn part(&self) -> Option<Part> {
        self.inside()?.part()
    }

    /// Keeps only some of its trees, and the samples that these hold: the opposite of [`join`](Self::join).
    ///
    /// # Errors
    /// Returns an error if the range is empty, or it does not have these trees; then nothing changes.
    fn keep_trees(&mut self, part: Range<usize>) -> Result<(), Refused> {
        let inside = self.inside_mut().ok_or_else(Refused::sharding)?;
        inside.keep_trees(part)
    }

    /// Adds the votes of its trees on `features` to `sums`, which the shard with the first tree overwrites.
    ///
    /// # Errors
    /// As [`predict_into`](Self::predict_into), or if `sums` are not those of all trees before these for these rows.
    fn add_votes(&self, features: ArrayView2<'_, f32>, sums: &mut VoteSums) -> Result<(), Refused> {
        let inside = self.inside().ok_or_else(Refused::sharding)?;
        inside.add_votes(features, sums)
    }

    /// Adds the votes of its trees on every row, given just before that row is learned (test-then-train).
    ///
    /// # Errors
    /// As [`learn`](Self::learn) and [`add_votes`](Self::add_votes); then nothing was learned.
    fn add_votes_then_learn(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[<Self::Task as Task>::Target],
        sums: &mut VoteSums,
    ) -> Result<(), Refused> {
        let inside = self.inside_mut().ok_or_else(Refused::sharding)?;
        inside.add_votes_then_learn(features, targets, sums)
    }

    /// Returns the predictions of the forest from the votes of all its trees. Any shard can return them.
    ///
    /// # Errors
    /// Returns an error if the votes of some trees are missing.
    fn finish_votes(&self, sums: &VoteSums) -> Result<PredictionRows, Refused> {
        let inside = self.inside().ok_or_else(Refused::sharding)?;
        inside.finish_votes(sums)
    }

    /// Takes over the trees of the shard that follows this one ([`Forest::join`](crate::Forest::join)).
    ///
    /// # Errors
    /// Returns an error if they are not shards of one forest; then nothing changes.
    fn join(&mut self, next: Box<dyn Any>) -> Result<(), Refused> {
        drop(next);
        Err(Refused::sharding())
    }

    /// Checks that samples can be forgotten. Trees are then as if these had never been learned; models that were fitted
    /// to the predictions of trees follow when they are next fitted.
    ///
    /// # Errors
    /// Returns why they cannot.
    fn check_forgetting(&self) -> Result<(), Refused> {
        let inside = self.inside().ok_or_else(Refused::forgetting)?;
        inside.check_forgetting()
    }

    /// Forgets the sample that was learned as number `arrival` of the stream, from 0.
    ///
    /// # Errors
    /// Returns an error if it is not held, or [none](Self::check_forgetting) can be forgotten; then nothing changes.
    fn forget(&mut self, arrival: u64) -> Result<(), Refused> {
        let inside = self.inside_mut().ok_or_else(Refused::forgetting)?;
        inside.forget(arrival)
    }

    /// Forgets all but the latest `n` samples, 1 or more, now and as further samples are learned.
    ///
    /// # Errors
    /// Returns an error if `n` is 0, or [none](Self::check_forgetting) can be forgotten; then nothing changes.
    fn keep_latest(&mut self, n: usize) -> Result<(), Refused> {
        let inside = self.inside_mut().ok_or_else(Refused::forgetting)?;
        inside.keep_latest(n)
    }

    /// Continues with samples of `features` numbers; those learned so far have 0 for the new ones, which come last.
    ///
    /// Trees then have the distribution of those that were built for `features` numbers with the same settings and have
    /// learned those zeros; lazy dynamic trees follow as their splits are chosen again. `O(samples · features)`. With
    /// as many features as before nothing changes, which tests whether a learner can.
    ///
    /// # Errors
    /// Returns an error if the learner or its settings cannot, or there are fewer than before; then nothing changes.
    fn widen(&mut self, features: usize) -> Result<(), SettingError> {
        let cannot = || SettingError::no_more_features(features);
        self.inside_mut().ok_or_else(cannot)?.widen(features)
    }

    /// Learns `features` (one sample a row) with their `targets` and `weights`, one after another: a weight w > 0
    /// stands for w copies of the sample at once. With weights of 1 it is [`learn`](Self::learn), bit for bit.
    ///
    /// Statistics of nodes are weighted; windows, budgets, limits and explanations count samples (docs/theory.md,
    /// "Weights of samples"). [`SampleWeight`] has the range; sums are exact up to 2³⁴ a node and class.
    ///
    /// # Errors
    /// As [`learn`](Self::learn), or if the learner [takes none](Ability::Weights), there is not one for each row, or
    /// one is out of range; then nothing of the batch was learned.
    fn learn_weighted(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[<Self::Task as Task>::Target],
        weights: &[f64],
    ) -> Result<(), InputError> {
        if let Some(inside) = self.inside_mut() {
            return inside.learn_weighted(features, targets, weights);
        }
        if !self.can(Ability::Weights) {
            return Err(InputError::NoWeights);
        }
        let batch = self.check_batch(features, targets)?;
        let weights = SampleWeight::for_rows(batch.len(), weights)?;
        self.learn_batch(&batch.weighted(&weights));
        Ok(())
    }

    /// Learns the first rows, with a weight each if there are any, all at once, which may give another learner than one
    /// row after another: dynamic extra trees are built so. `None`, and nothing changes, if it cannot, has learned
    /// already, or does not hold all samples. As soon as `proceed` returns false, the learner is left unchanged.
    ///
    /// # Errors
    /// Returns an error if rows, targets or weights are refused; then nothing changes.
    fn fit_at_once(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[<Self::Task as Task>::Target],
        weights: Option<&[f64]>,
        proceed: Proceed<'_>,
    ) -> Option<Result<(), InputError>> {
        self.inside_mut()?
            .fit_at_once(features, targets, weights, proceed)
    }
}
