//! The learner, as users see it.

use std::any::Any;
use std::ops::Range;

use ndarray::{Array2, ArrayView2};
use statrs::distribution::{ContinuousCDF, Normal};

use crate::batch::one_row;
use crate::{
    Ability, Batch, DrawnNode, ExportedTree, FeatureValues, Footprint, InputError, InvariantError,
    MixtureMember, Part, Point, PredictionRows, Proceed, Refused, Rows, SampleWeight, Schema,
    SettingError, Task, VoteSums, threads,
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

    /// Learns `features` (one sample a row) with their `targets`, one after another.
    ///
    /// # Errors
    /// Returns an error if anything in the batch is refused; then no part of it was learned.
    fn learn(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[<Self::Task as Task>::Target],
    ) -> Result<(), InputError> {
        if let Some(held) = self.inside_mut() {
            return held.learn(features, targets);
        }
        let batch = Batch::for_learner(self, features, targets)?;
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
        if let Some(held) = self.inside() {
            return held.predict_into(features, predictions);
        }
        let rows = Rows::for_learner(self, features)?;
        predictions.clear();
        predictions.resize(rows.len() * self.schema().width(), 0.0);
        self.predict_rows(&rows, predictions);
        Ok(())
    }

    /// Tests, then trains: returns, for every row, the prediction made just before that row was learned.
    ///
    /// # Errors
    /// As [`learn`](Self::learn).
    fn predict_then_learn(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[<Self::Task as Task>::Target],
    ) -> Result<PredictionRows, InputError> {
        if let Some(held) = self.inside_mut() {
            return held.predict_then_learn(features, targets);
        }
        let batch = Batch::for_learner(self, features, targets)?;
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
    ///
    /// ```
    /// use forest_core::{Classification, OnlineLearner, Prior, Schema};
    ///
    /// let mut majority = Prior::<Classification>::new(Schema::new(1)?);
    /// assert_eq!(majority.predict_label(&[0.5])?, None);
    /// majority.learn_one(&[0.5], 1)?;
    /// assert_eq!(majority.predict_label(&[0.5])?, Some(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn predict_label(&self, features: &[f32]) -> Result<<Self::Task as Task>::Label, InputError> {
        threads::with_buffer(|row| {
            self.predict_one_into(features, row)?;
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
        let (width, has_learned) = (self.schema().width(), self.has_learned());
        threads::with_buffer(|rows| {
            self.predict_into(features, rows)?;
            let row = |row: usize| Self::Task::label(&rows[row * width..][..width], has_learned);
            Ok((0..features.nrows()).map(row).collect())
        })
    }

    /// Returns the learner that this one wraps, if any: methods that the wrapper does not write are delegated to it.
    fn inside(&self) -> Option<&dyn OnlineLearner<Task = Self::Task>> {
        None
    }

    /// As [`inside`](Self::inside), mutable.
    fn inside_mut(&mut self) -> Option<&mut dyn OnlineLearner<Task = Self::Task>> {
        None
    }

    /// Predicts each row of a batch and then learns it, row after row.
    fn predict_then_learn_batch(&mut self, batch: &Batch<'_, Self::Task>) -> PredictionRows {
        if let Some(held) = self.inside_mut() {
            return held.predict_then_learn_batch(batch);
        }
        let mut predictions = PredictionRows::default();
        for row in 0..batch.len() {
            let part = batch.part(row..row + 1);
            self.predict_rows(part.rows(), predictions.push(self.schema().width()));
            self.learn_batch(&part);
        }
        predictions
    }

    /// As [`predict_then_learn_batch`](Self::predict_then_learn_batch), with variances behind means, if it has any.
    fn predict_full_then_learn_batch(&mut self, batch: &Batch<'_, Self::Task>) -> PredictionRows {
        match self.inside_mut() {
            Some(held) => held.predict_full_then_learn_batch(batch),
            None => self.predict_then_learn_batch(batch),
        }
    }

    /// Returns the values of features that the learner accepts; only numbers by default.
    fn feature_values(&self) -> FeatureValues {
        self.inside()
            .map_or(FeatureValues::Numbers, |held| held.feature_values())
    }

    /// Returns whether predictions follow from samples: not before the first one, nor once all are forgotten.
    fn has_learned(&self) -> bool {
        self.inside()
            .map_or(self.samples_seen() > 0, |held| held.has_learned())
    }

    /// Returns the nodes, samples and bytes that the learner holds in memory.
    fn footprint(&self) -> Footprint {
        self.inside()
            .map_or(Footprint::default(), |held| held.footprint())
    }

    /// Checks that the learner's data are consistent. Costs a pass over everything held.
    ///
    /// # Errors
    /// Returns the first invariant that does not hold, and where.
    fn check_invariants(&self) -> Result<(), InvariantError> {
        self.inside().map_or(Ok(()), |held| held.check_invariants())
    }

    /// Checks that there is room for `rows` more samples; by default there is.
    ///
    /// # Errors
    /// Returns an error if there is not.
    fn check_room(&self, rows: usize) -> Result<(), InputError> {
        self.inside().map_or(Ok(()), |held| held.check_room(rows))
    }

    /// Returns whether the learner has this ability; by default it has none.
    fn can(&self, ability: Ability) -> bool {
        self.inside().is_some_and(|held| held.can(ability))
    }

    /// Returns tree `tree`, counted from 0, as plain data. Costs a pass over the tree.
    ///
    /// # Errors
    /// Returns an error if the learner [cannot](Ability::Explain), or the tree does not exist.
    fn export(&self, tree: usize) -> Result<ExportedTree, Refused> {
        held(self, "explain its predictions")?.export(tree)
    }

    /// Returns what each feature adds to the prediction for `x` outside of the trees: nothing by default.
    fn linear_part(&self, x: &[f32]) -> Vec<f64> {
        self.inside().map_or(Vec::new(), |held| held.linear_part(x))
    }

    /// Returns the fraction of the trees that have both points in one leaf: the kernel of a tessellation forest.
    ///
    /// # Errors
    /// Returns an error if the learner [cannot](Ability::Partition), or a point is refused.
    fn share_a_leaf(&self, a: &[f32], b: &[f32]) -> Result<f64, Refused> {
        held(self, "report which points share a leaf")?.share_a_leaf(a, b)
    }

    /// Returns the nodes of a tree in a convex `window`, parents before children; none if the tree does not exist.
    ///
    /// # Errors
    /// Returns an error if it is not a tessellation forest over two features.
    fn nodes_of(&self, tree: usize, window: &[Point]) -> Result<Vec<DrawnNode>, Refused> {
        held(self, "be drawn; tessellation forests over two features can")?.nodes_of(tree, window)
    }

    /// Exposes every leaf of every tree of a tessellation forest to the budget of the samples held.
    ///
    /// # Errors
    /// Returns an error if the learner [cannot](Ability::Partition).
    fn refine(&mut self) -> Result<(), Refused> {
        held_mut(self, || Refused::cannot("refine its leaves"))?.refine()
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
        let held = held(self, "report variances and intervals")?;
        held.means_and_variances_into(features, predictions)
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
        if let Some(held) = self.inside() {
            return held.central_intervals(features, level);
        }
        check_level(level)?;
        let z = Normal::standard().inverse_cdf(0.5 * (1.0 + level));
        let mut predictions = self.means_and_variances(features)?;
        for mut row in predictions.rows_mut() {
            let (mean, reach) = (row[0], z * row[1].sqrt());
            (row[0], row[1]) = (mean - reach, mean + reach);
        }
        Ok(predictions)
    }

    /// Returns the members of a mixture, such as `adaptive`; their weights sum to 1. None by default.
    fn members(&self) -> Vec<MixtureMember> {
        self.inside().map_or(Vec::new(), |held| held.members())
    }

    /// Returns the rules by which weights of members follow their losses; their weights sum to 1. None by default.
    fn rules(&self) -> Vec<MixtureMember> {
        self.inside().map_or(Vec::new(), |held| held.rules())
    }

    /// Returns the number of trees; 0 for a learner that has none.
    fn trees(&self) -> usize {
        self.inside().map_or(0, |held| held.trees())
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
        held_mut(self, Refused::sharding)?.keep_trees(part)
    }

    /// Adds the votes of its trees on `features` to `sums`, which the shard with the first tree overwrites.
    ///
    /// # Errors
    /// As [`predict_into`](Self::predict_into), or if `sums` are not those of all trees before these for these rows.
    fn add_votes(&self, features: ArrayView2<'_, f32>, sums: &mut VoteSums) -> Result<(), Refused> {
        let held = self.inside().ok_or_else(Refused::sharding)?;
        held.add_votes(features, sums)
    }

    /// Test-then-train: adds the votes of its trees on every row, given just before that row is learned.
    ///
    /// # Errors
    /// As [`learn`](Self::learn) and [`add_votes`](Self::add_votes); then nothing was learned.
    fn add_votes_then_learn(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[<Self::Task as Task>::Target],
        sums: &mut VoteSums,
    ) -> Result<(), Refused> {
        let held = held_mut(self, Refused::sharding)?;
        held.add_votes_then_learn(features, targets, sums)
    }

    /// Returns the predictions of the forest from the votes of all its trees. Any shard can return them.
    ///
    /// # Errors
    /// Returns an error if the votes of some trees are missing.
    fn finish_votes(&self, sums: &VoteSums) -> Result<PredictionRows, Refused> {
        let held = self.inside().ok_or_else(Refused::sharding)?;
        held.finish_votes(sums)
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
        let held = self.inside().ok_or_else(Refused::forgetting)?;
        held.check_forgetting()
    }

    /// Forgets the sample that was learned as number `arrival` of the stream, from 0.
    ///
    /// # Errors
    /// Returns an error if it is not held, or [none](Self::check_forgetting) can be forgotten; then nothing changes.
    fn forget(&mut self, arrival: u64) -> Result<(), Refused> {
        held_mut(self, Refused::forgetting)?.forget(arrival)
    }

    /// Forgets all but the latest `n` samples, 1 or more, now and as further samples are learned.
    ///
    /// # Errors
    /// Returns an error if `n` is 0, or [none](Self::check_forgetting) can be forgotten; then nothing changes.
    fn keep_latest(&mut self, n: usize) -> Result<(), Refused> {
        held_mut(self, Refused::forgetting)?.keep_latest(n)
    }

    /// From now on samples have `features` numbers each; those learned so far have 0 for the new ones, which come last.
    ///
    /// Trees then have the distribution of those that were built for `features` numbers with the same settings and have
    /// learned those zeros; lazy dynamic trees follow as their splits are chosen again. `O(samples · features)`. With
    /// as many features as before nothing changes, which tests whether a learner can.
    ///
    /// # Errors
    /// Returns an error if the learner or its settings cannot, or there are fewer than before; then nothing changes.
    fn widen(&mut self, features: usize) -> Result<(), SettingError> {
        held_mut(self, || SettingError::no_more_features(features))?.widen(features)
    }

    /// Learns `features` (one sample a row) with their `targets` and `weights`, one after another: a weight w > 0
    /// stands for w copies of the sample at once. With weights of 1 it is [`learn`](Self::learn), bit for bit.
    ///
    /// A weight is in the statistics of nodes: counts of classes, means, losses, and gains where cuts are chosen by
    /// them. It is not in the geometry: windows, budgets and limits count samples, and so do explanations.
    /// docs/theory.md ("Weights of samples") has the rule of each model.
    ///
    /// Weights lie between [`SampleWeight::MIN`] and [`SampleWeight::MAX`] and are rounded to multiples of 2⁻³⁰: sums
    /// are exact up to 2³⁴ a node and class. Once one weight is not 1, the samples up to it take 8 bytes more each.
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
        if let Some(held) = self.inside_mut() {
            return held.learn_weighted(features, targets, weights);
        }
        if !self.can(Ability::Weights) {
            return Err(InputError::NoWeights);
        }
        let batch = Batch::for_learner(self, features, targets)?;
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

impl<'a> Rows<'a> {
    /// Checks rows that `learner` is about to learn or to predict.
    ///
    /// # Errors
    /// Returns an error if the width is wrong, or the learner does not take a value.
    pub fn for_learner<L: OnlineLearner + ?Sized>(
        learner: &L,
        rows: ArrayView2<'a, f32>,
    ) -> Result<Self, InputError> {
        Self::check_values(rows, learner.schema().features(), learner.feature_values())
    }
}

impl<'a, T: Task> Batch<'a, T> {
    /// Checks samples that `learner` is about to learn.
    ///
    /// # Errors
    /// As [`learn`](OnlineLearner::learn).
    pub fn for_learner<L: OnlineLearner<Task = T> + ?Sized>(
        learner: &L,
        rows: ArrayView2<'a, f32>,
        targets: &'a [T::Target],
    ) -> Result<Self, InputError> {
        let batch = Self::check(rows, targets, learner.schema(), learner.feature_values())?;
        learner.check_room(batch.len())?;
        Ok(batch)
    }
}

/// Returns the learner inside, or that the learner cannot do this.
fn held<'a, L: OnlineLearner + ?Sized>(
    learner: &'a L,
    what: &str,
) -> Result<&'a dyn OnlineLearner<Task = L::Task>, Refused> {
    learner.inside().ok_or_else(|| Refused::cannot(what))
}

/// Returns the learner inside, or an error.
fn held_mut<L: OnlineLearner + ?Sized, E>(
    learner: &mut L,
    refused: impl FnOnce() -> E,
) -> Result<&mut dyn OnlineLearner<Task = L::Task>, E> {
    learner.inside_mut().ok_or_else(refused)
}

/// Checks that the probability of an interval is between 0 and 1.
///
/// # Errors
/// Returns an error if it is not.
pub fn check_level(level: f64) -> Result<(), Refused> {
    if level > 0.0 && level < 1.0 {
        return Ok(());
    }
    let what = format!("the level of an interval must be above 0 and below 1, but is {level}");
    Err(Refused::Argument(what))
}
