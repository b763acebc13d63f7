//! Trees that were drawn apart, and vote.

use std::sync::atomic::{AtomicUsize, Ordering};

use forest_core::ndarray::{Array2, ArrayView2};
use forest_core::{
    Classification, ForestSettings, InputError, Rows, SampleStore, Schema, SettingError, TreeRng,
    argmax, threads,
};
use tessellation_tree::CutDistribution;
use thiserror::Error;

use super::BatchSettings;
use super::model::{DirichletMultinomial, Model, Points};
use super::sampler::Sampler;
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

/// What a batch forest is drawn from.
#[derive(Clone, Copy, Debug)]
pub struct Training<'a> {
    /// Points, one a row.
    pub rows: ArrayView2<'a, f32>,
    /// The class of each.
    pub targets: &'a [u32],
    /// Points that are cut like the others, without labels (section 2.2.2): their predictions are transductive.
    pub test_rows: Option<ArrayView2<'a, f32>>,
}

/// A batch forest: T trees, drawn independently.
#[derive(Clone, Debug)]
pub struct BatchForest<D: CutDistribution> {
    schema: Schema<Classification>,
    trees: Vec<BatchTree<D>>,
}

impl<D: CutDistribution> BatchForest<D> {
    /// Draws a forest, its trees in parallel. `on_tree` is called with the number of complete trees after each.
    ///
    /// # Errors
    /// Returns [`BatchError`] if a setting or a sample is refused.
    pub fn fit(
        mut schema: Schema<Classification>,
        training: Training<'_>,
        settings: &BatchSettings,
        forest: ForestSettings,
        on_tree: impl Fn(usize) + Sync,
    ) -> Result<Self, BatchError> {
        // Only a forest that holds all samples can be drawn at once.
        forest.check(false)?;
        let model = prepare(&mut schema, training, settings)?;
        let undrawn = |index| (TreeRng::new(forest.seed, index), None);
        let mut trees: Vec<_> = (0..forest.trees).map(undrawn).collect();
        let complete = AtomicUsize::new(0);
        let visits = forest.trees * model.points.len() * settings.particles;
        threads::each(&mut trees, visits, |(rng, tree)| {
            let mut sampler = Sampler::<D>::new(&model, rng);
            sampler.run();
            *tree = Some(sampler.tree());
            on_tree(complete.fetch_add(1, Ordering::Relaxed) + 1);
        });
        let trees = trees.into_iter().filter_map(|(_, tree)| tree).collect();
        Ok(Self { schema, trees })
    }

    /// Returns for each row the share of trees that vote for each class: a row of `schema().width()` numbers.
    ///
    /// # Errors
    /// Returns an error if the width is wrong, or a value is not finite.
    pub fn predict(&self, rows: ArrayView2<'_, f32>) -> Result<Array2<f64>, InputError> {
        let rows = Rows::check(rows, self.schema.features())?;
        let width = self.schema.width();
        let trees = self.trees.len();
        let mut votes = Array2::zeros((rows.len(), width));
        let table = votes.as_slice_mut().expect("a new array is contiguous");
        threads::fill_rows(table, width, rows.len() * trees, |first, part| {
            for (prediction, row) in part.chunks_exact_mut(width.max(1)).zip(first..) {
                for tree in &self.trees {
                    prediction[tree.vote(rows.row(row))] += 1.0;
                }
                for votes in prediction {
                    *votes /= trees as f64;
                }
            }
        });
        Ok(votes)
    }

    /// Returns for each row the class with most votes, the smallest of several; 0 if no class is known.
    ///
    /// # Errors
    /// As [`BatchForest::predict`].
    pub fn classify(&self, rows: ArrayView2<'_, f32>) -> Result<Vec<u32>, InputError> {
        let votes = self.predict(rows)?;
        let rows = votes.outer_iter();
        Ok(rows.map(|row| argmax(&row.to_vec()) as u32).collect())
    }

    /// Returns the shape of the samples, with the classes known.
    pub fn schema(&self) -> &Schema<Classification> {
        &self.schema
    }

    /// Returns the trees, in order of their random streams.
    pub fn trees(&self) -> &[BatchTree<D>] {
        &self.trees
    }
}

/// Checks everything but the settings of the forest, and returns what particles read.
fn prepare<'a, 't: 'a>(
    schema: &mut Schema<Classification>,
    training: Training<'t>,
    settings: &'a BatchSettings,
) -> Result<Model<'a>, BatchError> {
    let targets = training.targets;
    let width = schema.features();
    settings.check(width)?;
    let rows = Rows::check(training.rows, width)?;
    schema.check_targets(rows.len(), targets)?;
    let none = Array2::zeros((0, width));
    let test_rows = training.test_rows.unwrap_or(none.view());
    let test_rows = Rows::check(test_rows, width).map_err(BatchError::TestRows)?;
    let all = rows.len() + test_rows.len();
    InputError::check_room(all, 0, SampleStore::<Classification>::LIMIT)?;
    targets.iter().for_each(|&target| schema.admit(target));
    Ok(Model {
        points: Points::new(width, &rows, targets, &test_rows),
        likelihood: DirichletMultinomial::new(targets, schema.width(), settings.concentration),
        settings,
    })
}

impl<D: CutDistribution> BatchTree<D> {
    /// Returns the trees that Algorithm 2 gives if it is stopped after each of these numbers of rounds, which must not
    /// fall, in one run with the random stream of the first tree of a forest.
    ///
    /// # Errors
    /// As [`BatchForest::fit`].
    pub fn after_cuts(
        mut schema: Schema<Classification>,
        training: Training<'_>,
        settings: &BatchSettings,
        seed: u64,
        counts: &[usize],
    ) -> Result<Vec<Self>, BatchError> {
        let model = prepare(&mut schema, training, settings)?;
        let mut rng = TreeRng::new(seed, 0);
        let mut sampler = Sampler::new(&model, &mut rng);
        let mut rounds = 0;
        let mut trees = Vec::new();
        for &count in counts {
            while rounds < count && !sampler.is_finished() {
                if rounds > 0 {
                    sampler.resample();
                }
                sampler.advance();
                rounds += 1;
            }
            trees.push(sampler.tree());
        }
        Ok(trees)
    }
}
