//! Extra trees that are built at once: those that `dynamic-extra-trees` follows.

use std::sync::atomic::{AtomicBool, Ordering};

use dynamic_forest::{BatchForest, DynamicSettings, Labels};
use forest_core::{Footprint, ForestSettings, InputError};
use ndarray::{Array2, ArrayView2};
use parameters::Parameter;

use crate::{BatchEntry, BatchLearner, Declared, FitError, FitOptions, Fitted, Training, make};

/// `batch-dynamic-extra-trees`.
pub static BATCH_DYNAMIC_EXTRA_TREES: BatchEntry = BatchEntry {
    name: "batch-dynamic-extra-trees",
    description: "the trees of dynamic-extra-trees:recheck=0, built at once",
    paper: "Geurts, Ernst, Wehenkel: Extremely Randomized Trees, Machine Learning 63, 2006",
    limits: &[],
    parameters,
    classification: Some(make::<DynamicSettings, _>),
    regression: Some(make::<DynamicSettings, _>),
};

/// Those of them that mean something where nothing comes or goes.
fn parameters() -> Vec<&'static Parameter> {
    let mut parameters = DynamicSettings::parameters();
    parameters.retain(|parameter| parameter.name != "recheck");
    parameters
}

impl<T: Labels> BatchLearner<T> for DynamicSettings {
    /// Trees that have begun are completed before a fit ends, and all begin at once.
    fn fit(
        &self,
        training: &Training<'_, T>,
        options: FitOptions<'_>,
    ) -> Result<Box<dyn Fitted>, FitError> {
        let stopped = AtomicBool::new(false);
        let on_tree = |complete| {
            let reported = (options.progress)(complete, options.trees);
            stopped.fetch_or(reported.is_break(), Ordering::Relaxed);
        };
        let forest = ForestSettings {
            trees: options.trees,
            seed: options.seed,
            ..ForestSettings::default()
        };
        let (rows, targets) = (training.rows(), training.targets());
        let settings = self.clone();
        let built =
            BatchForest::grow(*training.schema(), rows, targets, settings, forest, on_tree)?;
        match stopped.into_inner() {
            true => Err(FitError::Stopped),
            false => Ok(Box::new(Built(built))),
        }
    }
}

struct Built<T: Labels>(BatchForest<T>);

impl<T: Labels> Fitted for Built<T> {
    fn predict(&self, rows: ArrayView2<'_, f32>) -> Result<Array2<f64>, InputError> {
        self.0.predict(rows)
    }

    fn trees(&self) -> usize {
        self.0.trees().len()
    }

    fn footprint(&self) -> Option<Footprint> {
        Some(self.0.footprint())
    }
}
