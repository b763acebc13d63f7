//! Points near a query: the boundary forest without labels.

use std::sync::RwLock;

use boundary_forest::{
    BoundaryForest, ChildLimit, Cosine, Euclidean, Manhattan, Metric, Neighbour, PointSchema,
    Retrieval, RetrieverSettings, SquaredEuclidean,
};
use forest_core::registry::snapshot::{Payload, encode_value};
use numpy::ndarray::{Array2, ArrayView2, s};
use numpy::{IntoPyArray, PyArray2};
use online_forests::{ForestSettings, InputError, SettingError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyType};

use crate::Reduced;
use crate::arrays::Rows;
use crate::batch::in_blocks;
use crate::error::{broken, refused, wrong_value};
use crate::settings::Whole;
use crate::turn::Turns;

/// A forest for each metric.
#[derive(Clone)]
enum Forest {
    Euclidean(BoundaryForest<Retrieval, Euclidean>),
    SquaredEuclidean(BoundaryForest<Retrieval, SquaredEuclidean>),
    Manhattan(BoundaryForest<Retrieval, Manhattan>),
    Cosine(BoundaryForest<Retrieval, Cosine>),
}

/// Does the same with the forest, whatever its metric.
macro_rules! with_forest {
    ($forest:expr, $name:ident => $work:expr) => {
        match $forest {
            Forest::Euclidean($name) => $work,
            Forest::SquaredEuclidean($name) => $work,
            Forest::Manhattan($name) => $work,
            Forest::Cosine($name) => $work,
        }
    };
}

type Distances<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<i64>>);

/// Points that were stored, and those near a query among them.
#[pyclass(frozen, module = "online_forests._core")]
pub struct Retriever {
    metric: String,
    features: usize,
    forest: RwLock<Forest>,
    turns: Turns,
}

impl Retriever {
    fn of(metric: &str, features: usize, forest: Forest) -> Self {
        Self {
            metric: metric.to_owned(),
            features,
            forest: RwLock::new(forest),
            turns: Turns::default(),
        }
    }

    fn read<R: Send>(&self, py: Python<'_>, work: impl FnOnce(&Forest) -> R + Send) -> PyResult<R> {
        py.detach(|| Ok(work(&*self.forest.read().map_err(|_| broken())?)))
    }
}

#[pymethods]
impl Retriever {
    /// A forest for points of `features` numbers.
    #[new]
    #[pyo3(
        signature = (features, *, trees = Whole(10), seed = Whole(0), max_children = Some(Whole(50)), metric = "euclidean"),
        text_signature = "(features, *, trees=10, seed=0, max_children=50, metric='euclidean')"
    )]
    fn new(
        features: Whole,
        trees: Whole,
        seed: Whole,
        max_children: Option<Whole>,
        metric: &str,
    ) -> PyResult<Self> {
        let settings = RetrieverSettings {
            max_children: max_children.map_or(ChildLimit::Unlimited, |most| {
                ChildLimit::AtMost(most.class())
            }),
            ..RetrieverSettings::default()
        };
        let forest = ForestSettings::default()
            .with_trees(trees.count())
            .with_seed(seed.0);
        let features = features.count();
        let forest = match metric {
            "euclidean" => Forest::Euclidean(build(features, settings, forest)?),
            "squared-euclidean" => Forest::SquaredEuclidean(build(features, settings, forest)?),
            "manhattan" => Forest::Manhattan(build(features, settings, forest)?),
            "cosine" => Forest::Cosine(build(features, settings, forest)?),
            other => {
                return Err(wrong_value(format!(
                    "metric must be one of euclidean, squared-euclidean, manhattan, cosine, but is {other}"
                )));
            }
        };
        Ok(Self::of(metric, features, forest))
    }

    /// Number of features of a point.
    #[getter]
    fn features(&self) -> usize {
        self.features
    }

    /// Whether it is empty.
    #[getter]
    fn is_empty(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.__len__(py)? == 0)
    }

    /// Adds points, one a row, in blocks: an interrupt leaves those of whole blocks.
    fn learn(&self, x: &Bound<'_, PyAny>) -> PyResult<()> {
        let rows = Rows::of(x)?;
        let view = rows.view()?;
        let _turn = self.turns.take(x.py())?;
        forest_core::Rows::check(view, self.features).map_err(refused)?;
        in_blocks(x.py(), view.nrows(), |block| {
            let points = view.slice(s![block, ..]);
            x.py().detach(|| {
                let mut forest = self.forest.write().map_err(|_| broken())?;
                with_forest!(&mut *forest, forest => forest.learn(points)).map_err(refused)
            })
        })
    }

    /// Distances and numbers of the best `k` points that the trees find for each row, closest first. Where they find
    /// fewer, infinity and −1.
    fn kneighbors<'py>(&self, x: &Bound<'py, PyAny>, k: usize) -> PyResult<Distances<'py>> {
        let rows = Rows::of(x)?;
        let view = rows.view()?;
        let found = self.read(x.py(), |forest| retrieve(forest, view, k))?;
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
        self.read(
            py,
            |forest| with_forest!(forest, forest => forest.samples().len()),
        )
    }

    fn __sizeof__(&self, py: Python<'_>) -> PyResult<usize> {
        let footprint = self.read(
            py,
            |forest| with_forest!(forest, forest => forest.footprint()),
        )?;
        Ok(size_of::<Self>() + footprint.bytes)
    }

    /// What a forest of this metric was encoded as.
    #[classmethod]
    fn from_state(
        _class: &Bound<'_, PyType>,
        metric: &str,
        state: &Bound<'_, PyBytes>,
    ) -> PyResult<Self> {
        let mut payload = Payload(state.as_bytes());
        let forest = match metric {
            "euclidean" => payload.last_value().map(Forest::Euclidean),
            "squared-euclidean" => payload.last_value().map(Forest::SquaredEuclidean),
            "manhattan" => payload.last_value().map(Forest::Manhattan),
            _ => payload.last_value().map(Forest::Cosine),
        };
        let forest = forest.map_err(refused)?;
        with_forest!(&forest, forest => forest.check_invariants()).map_err(refused)?;
        let features = with_forest!(&forest, forest => forest.schema().features());
        Ok(Self::of(metric, features, forest))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> Reduced<'py, (String, Bound<'py, PyBytes>)> {
        let this = slf.get();
        let encoded = |forest: &Forest| with_forest!(forest, forest => encode_value(forest));
        let state = this.read(slf.py(), encoded)?.map_err(refused)?;
        let arguments = (this.metric.clone(), PyBytes::new(slf.py(), &state));
        Ok((slf.get_type().getattr("from_state")?, arguments))
    }
}

fn build<M: Metric>(
    features: usize,
    settings: RetrieverSettings,
    trees: ForestSettings,
) -> PyResult<BoundaryForest<Retrieval, M>> {
    let build = || -> Result<_, SettingError> {
        BoundaryForest::new(PointSchema::new(features)?, settings, trees)
    };
    build().map_err(refused)
}

fn retrieve(
    forest: &Forest,
    rows: ArrayView2<'_, f32>,
    k: usize,
) -> Result<Vec<Vec<Neighbour>>, InputError> {
    with_forest!(forest, forest => forest.retrieve(rows, k))
}
