//! From the arguments of Python to a learner.

use online_forests::{Algorithm, ForestSettings, Retention, Schema};
use pyo3::prelude::*;

use crate::error::{refused, wrong_value};
use crate::held::Held;
use crate::task::PythonTask;

/// Which samples a forest holds on to: all, the latest, or a random sample.
///
/// # Errors
/// Both a window and a reservoir.
pub fn retention(window: Option<usize>, reservoir: Option<usize>) -> PyResult<Retention> {
    match (window, reservoir) {
        (None, None) => Ok(Retention::Everything),
        (Some(latest), None) => Ok(Retention::Latest(latest)),
        (None, Some(samples)) => Ok(Retention::Reservoir(samples)),
        (Some(_), Some(_)) => Err(wrong_value(
            "a forest has a window or a reservoir, not both; leave one of them out",
        )),
    }
}

/// A learner by name.
///
/// # Errors
/// A name, parameter or setting that is refused.
pub fn build<T: PythonTask>(
    algorithm: &str,
    schema: Schema<T>,
    settings: ForestSettings,
) -> PyResult<Held<T>> {
    let algorithm: Algorithm = algorithm.parse().map_err(refused)?;
    let learner = algorithm.build(schema, settings).map_err(refused)?;
    Ok(Held::Learner(learner))
}
