//! Extra trees built at once: the batch trees that `dynamic-extra-trees` reproduces online.

use dynamic_forest::{DynamicSettings, DynamicTree, Labels, PARAMETERS};
use forest_core::parameters::Parameter;
use forest_core::{Footprint, Forest, ForestSettings, InputError, OnlineLearner};
use ndarray::{Array2, ArrayView2};

use super::{BatchLearner, FitError, Fitted, OfflineRow, Training};

pub(super) static BATCH_DYNAMIC_EXTRA_TREES: OfflineRow = OfflineRow {
    name: "batch-dynamic-extra-trees",
    description: "the trees of dynamic-extra-trees:recheck=0, built at once",
    paper: "Geurts, Ernst, Wehenkel: Extremely Randomized Trees, Machine Learning 63, 2006",
    limits: &[],
    parameters: AT_ONCE,
    has_trees: true,
    classification: Some(|v| Box::new(DynamicSettings::of(v))),
    regression: Some(|v| Box::new(DynamicSettings::of(v))),
};

/// The parameters that have a meaning when rows are neither added nor removed: all but the last, `recheck`.
const AT_ONCE: &[Parameter] = PARAMETERS.split_at(PARAMETERS.len() - 1).0;

struct Built<T: Labels>(Forest<DynamicTree<T>>);

impl<T: Labels> BatchLearner<T> for DynamicSettings {
    fn fit(
        &self,
        training: &Training<'_, T>,
        settings: ForestSettings,
    ) -> Result<Box<dyn Fitted>, FitError> {
        let mut forest: Forest<DynamicTree<T>> =
            Forest::new(training.schema, self.clone(), settings)?;
        if let Some(fitted) = forest.fit_at_once(training.rows, training.targets, None, &|| true) {
            fitted?;
        }
        Ok(Box::new(Built(forest)))
    }
}

impl<T: Labels> Fitted for Built<T> {
    fn predict(&self, rows: ArrayView2<'_, f32>) -> Result<Array2<f64>, InputError> {
        OnlineLearner::predict(&self.0, rows)
    }

    fn trees(&self) -> usize {
        self.0.tree_count()
    }

    fn footprint(&self) -> Option<Footprint> {
        Some(OnlineLearner::footprint(&self.0))
    }
}
