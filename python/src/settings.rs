//! From the arguments of Python to a learner.

use online_forests::{Algorithm, ForestSettings, Retention, Schema};
use pyo3::intern;
use pyo3::prelude::*;

use crate::error::{refused, wrong_type, wrong_value};
use crate::inner::Inner;
use crate::task::{PythonTask, shown};

/// A whole number from 0, of Python or numpy.
pub struct Whole(pub u64);

impl<'a, 'py> FromPyObject<'a, 'py> for Whole {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let (what, shown) = ("must be a whole number from 0 to 2^64 - 1", shown(&object));
        let index = object.call_method0(intern!(object.py(), "__index__"));
        let index = index.map_err(|_| wrong_type(format!("{what}, but is {shown}")))?;
        index
            .extract()
            .map(Self)
            .map_err(|_| wrong_value(format!("this {what}, but is {shown}")))
    }
}

impl Whole {
    /// As a count of things in memory.
    pub fn count(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }

    /// As a number of classes; one that is too large is refused as the largest there is.
    pub fn class(self) -> u32 {
        u32::try_from(self.0).unwrap_or(u32::MAX)
    }
}

/// Returns the settings of a forest that holds on to all samples, or the latest.
pub fn forest(trees: Whole, seed: Whole, window: Option<Whole>) -> ForestSettings {
    let retention = window.map_or(Retention::Everything, |latest| {
        Retention::Latest(latest.count())
    });
    let settings = ForestSettings::default().with_trees(trees.count());
    settings.with_seed(seed.0).with_retention(retention)
}

/// A learner by name.
///
/// # Errors
/// A name, parameter or setting that is refused.
pub fn build<T: PythonTask>(
    algorithm: &str,
    schema: Schema<T>,
    settings: ForestSettings,
) -> PyResult<Inner<T>> {
    let algorithm: Algorithm = algorithm.parse().map_err(refused)?;
    let learner = algorithm.build(schema, settings).map_err(refused)?;
    Ok(Inner::Learner(learner))
}
