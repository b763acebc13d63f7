//! Extra trees built at once: the batch trees that `dynamic-extra-trees` reproduces online.

use dynamic_forest::{DynamicSettings, DynamicTree, Labels, PARAMETERS};
use forest_core::parameters::{Parameter, Values};
use forest_core::{Footprint, Forest, ForestSettings, InputError, OnlineLearner};
use ndarray::{Array2, ArrayView2};

use super::{BatchLearner, FitError, Fitted, OfflineRow, Training};

pub(super) static BATCH_DYNAMIC_EXTRA_TREES: OfflineRow = OfflineRow {
    name: "batch-dynamic-extra-trees",
    description: "the trees of dynamic-extra-trees:recheck=0, built at once",
    paper: "Geurts, Ernst, Wehenkel: Extremely Randomized Trees, Machine Learning 63, 2006",
    limits: &[],
    parameters,
    has_trees: true,
    classification: Some(make),
    regression: Some(make),
};

/// Returns the parameters that have a meaning when rows are neither added nor removed.
fn parameters() -> Vec<&'static Parameter> {
    let parameters = PARAMETERS.iter();
    parameters.filter(|known| known.name != "recheck").collect()
}

fn make<T: Labels>(given: &Values) -> Box<dyn BatchLearner<T>> {
    let mut values = Values::defaults(parameters()).giving(given);
    Box::new(DynamicSettings::of(&mut values))
}

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
