//! The forest that is built at once.

use std::sync::atomic::{AtomicUsize, Ordering};

use forest_core::ndarray::{Array2, ArrayView2};
use forest_core::{
    Footprint, ForestContext, ForestSettings, InputError, OnlineTree, Rows, SampleStore, Schema,
    SettingError, Settings, TreeRng, threads,
};
use thiserror::Error;

use crate::{DynamicSettings, DynamicTree, Labels};

/// Extra trees of a set of samples that is known as a whole.
///
/// Tree for tree it is the forest of the same seed that has learned the samples one by one, in any order, and has been kept
/// exactly (`recheck` = 0).
#[derive(Clone, Debug)]
pub struct BatchForest<T: Labels> {
    schema: Schema<T>,
    settings: DynamicSettings,
    samples: SampleStore<T>,
    trees: Vec<DynamicTree<T>>,
}

/// An error that prevents a batch forest from being built.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum BatchError {
    /// A parameter violates its rule.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// A sample is refused.
    #[error(transparent)]
    Input(#[from] InputError),
}

impl<T: Labels> BatchForest<T> {
    /// Builds `forest.trees` trees of these samples.
    ///
    /// # Errors
    /// Returns an error for no trees, a setting that violates its rule, or a sample that is refused.
    pub fn fit(
        schema: Schema<T>,
        features: ArrayView2<'_, f32>,
        targets: &[T::Target],
        settings: DynamicSettings,
        forest: ForestSettings,
    ) -> Result<Self, BatchError> {
        Self::grow(schema, features, targets, settings, forest, |_| ())
    }

    /// Does the same, with `on_tree` called after each tree, by the thread that has built it, with the number of those built.
    ///
    /// # Errors
    /// Returns the errors of [`BatchForest::fit`].
    pub fn grow(
        mut schema: Schema<T>,
        features: ArrayView2<'_, f32>,
        targets: &[T::Target],
        settings: DynamicSettings,
        forest: ForestSettings,
        on_tree: impl Fn(usize) + Sync + Send,
    ) -> Result<Self, BatchError> {
        forest.check(true)?;
        settings.check(&schema)?;
        let samples = SampleStore::with_samples(features, targets, &schema)?;
        targets.iter().for_each(|&target| schema.admit(target));
        let empty = |index| DynamicTree::new(Some(TreeRng::new(forest.seed, index).bits()));
        let mut trees: Vec<DynamicTree<T>> = (0..forest.trees).map(empty).collect();
        let (units, built) = (samples.len() * trees.len(), AtomicUsize::new(0));
        threads::each(&mut trees, units, |tree| {
            *tree = tree.batch_tree(&samples, &settings);
            on_tree(built.fetch_add(1, Ordering::Relaxed) + 1);
        });
        Ok(Self {
            schema,
            settings,
            samples,
            trees,
        })
    }

    /// Returns the predictions for these rows: class probabilities, or means.
    ///
    /// # Errors
    /// Returns an error for a wrong width, or a value that is not finite.
    pub fn predict(&self, features: ArrayView2<'_, f32>) -> Result<Array2<f64>, InputError> {
        let rows = Rows::check_values(
            features,
            self.schema.features(),
            DynamicTree::<T>::FEATURE_VALUES,
        )?;
        let width = self.schema.width();
        let (mut predictions, mut accumulator) =
            (Array2::zeros((rows.len(), width)), vec![0.0; width]);
        let context = ForestContext {
            settings: &self.settings,
            samples: &self.samples,
            outputs: self.schema.outputs(),
        };
        let sums = predictions.as_slice_mut().expect("made in standard order");
        for (index, tree) in self.trees.iter().enumerate() {
            let rng = TreeRng::new(0, index);
            tree.add_votes(&rows, &context, &rng, &mut accumulator, sums);
        }
        predictions /= self.trees.len() as f64;
        Ok(predictions)
    }

    /// Returns the trees, in index order.
    pub fn trees(&self) -> impl ExactSizeIterator<Item = &DynamicTree<T>> {
        self.trees.iter()
    }

    /// Returns what it holds in memory.
    pub fn footprint(&self) -> Footprint {
        let trees: Footprint = self.trees.iter().map(OnlineTree::footprint).sum();
        let own = Footprint {
            nodes: 0,
            stored_samples: self.samples.len(),
            bytes: self.samples.bytes(),
        };
        trees + own
    }
}
