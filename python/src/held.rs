//! A learner with what its numbers mean: labels of classes, names of columns.

use std::sync::Arc;

use online_forests::OnlineLearner as _;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::columns::Columns;
use crate::inner::Inner;
use crate::names::Names;
use crate::task::PythonTask;

/// What is learned together, copied together and pickled together.
#[derive(Clone)]
pub struct Held<T: PythonTask> {
    /// The learner.
    pub inner: Inner<T>,
    /// The labels, in the order of their classes; none where classes are but numbers.
    pub labels: Option<Arc<Names>>,
    /// Whether no other labels become classes.
    pub is_closed: bool,
    /// Names of the features that have a column; none where columns have no names.
    pub columns: Option<Arc<Columns>>,
}

impl<T: PythonTask> Held<T> {
    /// A learner of numbers.
    pub fn plain(inner: Inner<T>) -> Self {
        Self {
            inner,
            labels: None,
            is_closed: false,
            columns: None,
        }
    }

    /// The names of what has been learned.
    pub fn names(&self) -> Meaning {
        Meaning {
            labels: self.labels.clone(),
            width: self.width(),
            is_closed: self.is_closed,
            columns: self.columns.clone(),
        }
    }

    /// Number of classes known; those behind them are labels of rows that were not learned.
    pub fn width(&self) -> usize {
        self.inner.schema().width()
    }
}

/// What the numbers of a learner mean, at one moment.
pub struct Meaning {
    labels: Option<Arc<Names>>,
    width: usize,
    is_closed: bool,
    columns: Option<Arc<Columns>>,
}

type PythonArguments<'py> = (
    Option<Bound<'py, PyTuple>>,
    bool,
    Option<Bound<'py, PyTuple>>,
);

impl Meaning {
    /// Labels, whether they are closed, and names of columns.
    pub fn python_arguments<'py>(&self, py: Python<'py>) -> PythonArguments<'py> {
        let labels = self.labels.as_ref().map(|it| it.first(py, self.width));
        let columns = self.columns.as_ref().map(|it| it.names().list(py));
        (labels, self.is_closed, columns)
    }
}

/// The names in a tuple.
///
/// # Errors
/// A name that cannot be hashed.
pub fn named<N>(
    list: Option<Bound<'_, PyTuple>>,
    of: impl FnOnce(Bound<'_, PyTuple>) -> PyResult<N>,
) -> PyResult<Option<Arc<N>>> {
    list.map(|list| of(list).map(Arc::new)).transpose()
}
