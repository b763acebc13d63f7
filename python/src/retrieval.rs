//! Points near a query: the boundary forest without labels.

use std::sync::RwLock;

use boundary_forest::{METRICS, TreeSettings};
use forest_core::registry::snapshot::{decode_value, encode_value};
use numpy::ndarray::{Array2, s};
use numpy::{IntoPyArray, PyArray2};
use online_forests::{ForestSettings, OnlineLearner as _};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple, PyType};

use crate::convert::{self, Made, Whole};
use crate::error::{broken, refused, wrong_value};
use crate::shared::in_blocks;

type Distances<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<i64>>);

/// A boundary forest that stores points, and finds those near a query.
#[pyclass(frozen, module = "online_forests._core")]
pub struct Retriever {
    forest: RwLock<boundary_forest::Retriever>,
    /// Number of features of a point.
    #[pyo3(get)]
    features: usize,
}

impl Retriever {
    fn of(forest: boundary_forest::Retriever) -> Self {
        Self {
            features: forest.forest().schema().features(),
            forest: RwLock::new(forest),
        }
    }

    fn read<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&boundary_forest::Retriever) -> R + Send,
    ) -> PyResult<R> {
        py.detach(|| Ok(work(&*self.forest.read().map_err(|_| broken())?)))
    }
}

#[pymethods]
impl Retriever {
    /// Makes a forest for points of `features` numbers.
    #[new]
    #[pyo3(
        signature = (features, *, trees = Whole(10), seed = Whole(0), max_children = Some(Whole(50)),
                     metric = "euclidean"),
        text_signature = "(features, *, trees=10, seed=0, max_children=50, metric='euclidean')"
    )]
    fn new(
        features: Whole,
        trees: Whole,
        seed: Whole,
        max_children: Option<Whole>,
        metric: &str,
    ) -> PyResult<Self> {
        let Some((_, metric)) = METRICS.iter().find(|(word, _)| *word == metric) else {
            let words = METRICS.map(|(word, _)| word).join(", ");
            return Err(wrong_value!(
                "metric must be one of {words}, but is {metric}"
            ));
        };
        let settings = TreeSettings {
            max_children: max_children.map(Whole::class),
            metric: *metric,
            ..TreeSettings::default()
        };
        let forest = ForestSettings::default()
            .with_trees(trees.count())
            .with_seed(seed.0);
        let forest = boundary_forest::Retriever::new(features.count(), settings, forest);
        forest.map(Self::of).map_err(refused)
    }

    /// Whether no point is stored.
    #[getter]
    fn is_empty(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.__len__(py)? == 0)
    }

    /// Stores points, one in each row. After an interrupt, those of complete blocks are stored.
    fn learn(&self, x: &Bound<'_, PyAny>) -> PyResult<()> {
        let rows = convert::rows(x)?;
        let view = rows.as_array();
        forest_core::Rows::check(view, self.features).map_err(refused)?;
        in_blocks(x.py(), view.nrows(), |block| {
            let points = view.slice(s![block, ..]);
            x.py().detach(|| {
                let mut forest = self.forest.write().map_err(|_| broken())?;
                forest.learn(points).map_err(refused)
            })
        })
    }

    /// Returns distances and indices of the `k` closest points that the trees find for each row, closest first;
    /// infinity and −1 if they find fewer.
    fn kneighbors<'py>(&self, x: &Bound<'py, PyAny>, k: usize) -> PyResult<Distances<'py>> {
        let rows = convert::rows(x)?;
        let view = rows.as_array();
        let found = self.read(x.py(), |forest| forest.retrieve(view, k))?;
        let found = found.map_err(refused)?;
        let mut distances = Array2::from_elem((found.len(), k), f64::INFINITY);
        let mut points = Array2::from_elem((found.len(), k), -1);
        for (row, neighbours) in found.iter().enumerate() {
            for (at, neighbour) in neighbours.iter().enumerate() {
                distances[[row, at]] = neighbour.distance;
                points[[row, at]] = neighbour.point as i64;
            }
        }
        Ok((distances.into_pyarray(x.py()), points.into_pyarray(x.py())))
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.read(py, |forest| forest.forest().samples().len())
    }

    fn __sizeof__(&self, py: Python<'_>) -> PyResult<usize> {
        let footprint = self.read(py, |forest| forest.forest().footprint())?;
        Ok(size_of::<Self>() + footprint.bytes)
    }

    /// Returns the forest of a pickle.
    #[classmethod]
    fn from_state(_class: &Bound<'_, PyType>, state: &Bound<'_, PyBytes>) -> PyResult<Self> {
        let forest = decode_value::<boundary_forest::Retriever>(state.as_bytes());
        let forest = forest.map_err(refused)?;
        forest.forest().check_invariants().map_err(refused)?;
        Ok(Self::of(forest))
    }

    /// Returns what makes the object again, and its arguments.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Made<'py, PyTuple> {
        let state = slf.get().read(slf.py(), encode_value)?.map_err(refused)?;
        let arguments = (PyBytes::new(slf.py(), &state),);
        (slf.get_type().getattr("from_state")?, arguments).into_pyobject(slf.py())
    }
}
