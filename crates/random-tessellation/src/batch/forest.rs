//! Trees that were drawn apart, and vote.

use std::sync::atomic::{AtomicUsize, Ordering};

use forest_core::ndarray::{Array2, ArrayView1, ArrayView2};
use forest_core::{
    Classification, ForestSettings, InputError, InvariantError, Rows, SampleStore, Schema,
    SettingError, TreeRng, argmax, threads,
};
use thiserror::Error;

use super::ball::BallMass;
use super::model::{DirichletMultinomial, Model, Points};
use super::sampler::Sampler;
use super::settings::BatchSettings;
use super::tree::BatchTree;

/// Why no forest was made.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum BatchError {
    /// A setting breaks its rule.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The training samples are refused.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The test rows are refused.
    #[error("test rows: {0}")]
    TestRows(InputError),
}

/// A batch forest: T trees, drawn independently.
#[derive(Clone, Debug)]
pub struct BatchForest<D: BallMass> {
    schema: Schema<Classification>,
    trees: Vec<BatchTree<D>>,
}

/// A tree to be, and its random stream.
struct Growing<D: BallMass> {
    rng: TreeRng,
    tree: Option<BatchTree<D>>,
}

impl<D: BallMass> BatchForest<D> {
    /// Draws a forest from samples, one a row, with a class each. Test points, which come later, take no
    /// part in it: they fall where the cuts send them (inductive prediction).
    ///
    /// # Errors
    /// [`BatchError`] if a setting or a sample is refused.
    pub fn fit(
        schema: Schema<Classification>,
        rows: ArrayView2<'_, f32>,
        targets: &[u32],
        settings: &BatchSettings<D::Settings>,
        forest: ForestSettings,
    ) -> Result<Self, BatchError> {
        let none = Array2::zeros((0, schema.features()));
        Self::grow(schema, rows, targets, none.view(), settings, forest, |_| ())
    }

    /// The same, but the points of `test_rows` are cut like the others, without labels, as in the paper
    /// (section 2.2.2): [`BatchForest::predict`] of the same rows is the transductive prediction.
    ///
    /// # Errors
    /// As [`BatchForest::fit`].
    pub fn transductive(
        schema: Schema<Classification>,
        rows: ArrayView2<'_, f32>,
        targets: &[u32],
        test_rows: ArrayView2<'_, f32>,
        settings: &BatchSettings<D::Settings>,
        forest: ForestSettings,
    ) -> Result<Self, BatchError> {
        Self::grow(schema, rows, targets, test_rows, settings, forest, |_| ())
    }

    /// Either of them, with progress: when a tree is complete, `on_tree` is called with the number that are, by the thread that
    /// has drawn it. No `test_rows`: [`BatchForest::fit`].
    ///
    /// # Errors
    /// As [`BatchForest::fit`].
    pub fn grow(
        schema: Schema<Classification>,
        rows: ArrayView2<'_, f32>,
        targets: &[u32],
        test_rows: ArrayView2<'_, f32>,
        settings: &BatchSettings<D::Settings>,
        forest: ForestSettings,
        on_tree: impl Fn(usize) + Sync,
    ) -> Result<Self, BatchError> {
        prepare(
            schema,
            rows,
            targets,
            test_rows,
            settings,
            forest,
            |schema, model| {
                let trees = draw_trees(model, forest, &on_tree);
                Self { schema, trees }
            },
        )
    }

    /// For each row the share of trees that vote for each class, `schema().width()` numbers.
    ///
    /// # Errors
    /// A wrong width, or a value that is not finite.
    pub fn predict(&self, rows: ArrayView2<'_, f32>) -> Result<Array2<f64>, InputError> {
        let rows = Rows::check(rows, self.schema.features())?;
        let width = self.schema.width();
        let mut votes = Array2::zeros((rows.len(), width));
        let table = votes.as_slice_mut().expect("a new array is contiguous");
        threads::fill_rows(
            table,
            width,
            rows.len() * self.trees.len(),
            |first, part| {
                let predictions = part.chunks_exact_mut(width.max(1));
                predictions
                    .zip(first..)
                    .for_each(|(prediction, row)| self.vote(rows.row(row), prediction));
            },
        );
        Ok(votes)
    }

    fn vote(&self, x: &[f32], prediction: &mut [f64]) {
        self.trees
            .iter()
            .for_each(|tree| prediction[tree.vote(x)] += 1.0);
        let trees = self.trees.len() as f64;
        prediction.iter_mut().for_each(|votes| *votes /= trees);
    }

    /// For each row the class with most votes, the smallest of several; 0 if no class is known.
    ///
    /// # Errors
    /// As [`BatchForest::predict`].
    pub fn classify(&self, rows: ArrayView2<'_, f32>) -> Result<Vec<u32>, InputError> {
        let votes = self.predict(rows)?;
        let winner = |row: ArrayView1<'_, f64>| argmax(&row.to_vec()) as u32;
        Ok(votes.outer_iter().map(winner).collect())
    }

    /// Returns the shape of the samples, with the classes known.
    pub fn schema(&self) -> &Schema<Classification> {
        &self.schema
    }

    /// Returns the trees, in order of their random streams.
    pub fn trees(&self) -> &[BatchTree<D>] {
        &self.trees
    }

    /// Checks that the data of no tree contradict themselves.
    ///
    /// # Errors
    /// What does not hold, and where.
    pub fn check_invariants(&self) -> Result<(), InvariantError> {
        let features = self.schema.features();
        let mut trees = self.trees.iter();
        trees.try_for_each(|tree| tree.check_invariants(features))
    }
}

/// Checks everything, and hands out what particles read.
pub(super) fn prepare<D: BallMass, R>(
    mut schema: Schema<Classification>,
    rows: ArrayView2<'_, f32>,
    targets: &[u32],
    test_rows: ArrayView2<'_, f32>,
    settings: &BatchSettings<D::Settings>,
    forest: ForestSettings,
    work: impl FnOnce(Schema<Classification>, Model<'_, D>) -> R,
) -> Result<R, BatchError> {
    let width = schema.features();
    settings.check(width)?;
    // Only a forest that holds all samples can be drawn at once.
    forest.check(false)?;
    let rows = Rows::check(rows, width)?;
    schema.check_targets(rows.len(), targets)?;
    let test_rows = Rows::check(test_rows, width).map_err(BatchError::TestRows)?;
    check_room(rows.len() + test_rows.len())?;
    targets.iter().for_each(|&target| schema.admit(target));
    let points = Points::new(width, &rows, targets, &test_rows);
    let likelihood = DirichletMultinomial::new(targets, schema.width(), settings.concentration);
    let model = Model {
        points: &points,
        likelihood: &likelihood,
        settings,
    };
    Ok(work(schema, model))
}

fn check_room(rows: usize) -> Result<(), InputError> {
    let limit = SampleStore::<Classification>::LIMIT;
    if rows <= limit {
        return Ok(());
    }
    let stored = 0;
    Err(InputError::StoreFull {
        rows,
        stored,
        limit,
    })
}

/// Draws all trees, in parallel.
fn draw_trees<D: BallMass>(
    model: Model<'_, D>,
    forest: ForestSettings,
    on_tree: &(impl Fn(usize) + Sync),
) -> Vec<BatchTree<D>> {
    let growing = |index| Growing {
        rng: TreeRng::new(forest.seed, index),
        tree: None,
    };
    let mut trees: Vec<Growing<D>> = (0..forest.trees).map(growing).collect();
    let complete = AtomicUsize::new(0);
    let visits = forest.trees * model.points.len() * model.settings.inference.particles();
    threads::each(&mut trees, visits, |Growing { rng, tree }| {
        let mut sampler = Sampler::new(model, rng);
        sampler.run();
        *tree = Some(sampler.tree());
        on_tree(complete.fetch_add(1, Ordering::Relaxed) + 1);
    });
    trees
        .into_iter()
        .filter_map(|growing| growing.tree)
        .collect()
}

impl<D: BallMass> BatchTree<D> {
    /// Returns the trees that Algorithm 2 gives if it is stopped after each of these numbers of rounds, in which every
    /// particle is cut once: the heaviest particle then, as at the end. A particle that has nothing left to cut stays as it is.
    ///
    /// It is one run, with the random stream of the first tree of a forest: numbers of cuts, which must not fall, share
    /// their first cuts as far as resampling lets them. No `test_rows`: they take no part (inductive).
    ///
    /// # Errors
    /// As [`BatchForest::fit`](super::BatchForest::fit).
    pub fn after_cuts(
        schema: Schema<Classification>,
        rows: ArrayView2<'_, f32>,
        targets: &[u32],
        test_rows: ArrayView2<'_, f32>,
        settings: &BatchSettings<D::Settings>,
        seed: u64,
        counts: &[usize],
    ) -> Result<Vec<Self>, BatchError> {
        let forest = ForestSettings::default().with_trees(1).with_seed(seed);
        prepare(
            schema,
            rows,
            targets,
            test_rows,
            settings,
            forest,
            |_, model| {
                let mut rng = TreeRng::new(seed, 0);
                let mut sampler = Sampler::new(model, &mut rng);
                let mut rounds = 0;
                let tree = |&count: &usize| {
                    while rounds < count && !sampler.is_finished() {
                        if rounds > 0 {
                            sampler.resample();
                        }
                        sampler.advance();
                        rounds += 1;
                    }
                    sampler.tree()
                };
                counts.iter().map(tree).collect()
            },
        )
    }
}
