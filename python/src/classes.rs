//! The classes of Python, one a task.

use std::path::PathBuf;

use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadwriteArray2};
use online_forests::{
    Classification, ForestSettings, OnlineClassifier as _, OnlineLearner as _, Regression, Schema,
    threads,
};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyType};
use registry::snapshot::{self, Snapshot as _};

use crate::arrays::Rows;
use crate::capabilities as can;
use crate::columns::{Columns, with_row};
use crate::dicts::Labels;
use crate::error::{file, refused, wrong_value};
use crate::held::Held;
use crate::settings::{Whole, build, retention};
use crate::shared::Shared;
use crate::task::PythonTask;

/// A classifier by name. Classes are whole numbers from 0; answers are rows of probabilities, as many as classes are known.
#[pyclass(frozen, module = "online_forests._core")]
pub struct Classifier(Shared<Classification>);

/// A regressor by name. Answers are rows of one number.
#[pyclass(frozen, module = "online_forests._core")]
pub struct Regressor(Shared<Regression>);

#[pymethods]
impl Classifier {
    /// A classifier for rows of `features` numbers. `classes` of them are known from the start, `class_cap` may ever be.
    #[new]
    #[pyo3(
        signature = (algorithm, features, *, trees = Whole(10), seed = Whole(0), window = None, reservoir = None,
                     classes = Whole(0), class_cap = None, threads = Whole(0)),
        text_signature = "(algorithm, features, *, trees=10, seed=0, window=None, reservoir=None, classes=0, \
                          class_cap=None, threads=0)"
    )]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn new(
        algorithm: &str,
        features: Whole,
        trees: Whole,
        seed: Whole,
        window: Option<Whole>,
        reservoir: Option<Whole>,
        classes: Whole,
        class_cap: Option<Whole>,
        threads: Whole,
    ) -> PyResult<Self> {
        let mut schema = Schema::new(features.count()).map_err(refused)?;
        if let Some(cap) = class_cap {
            schema = schema.with_class_cap(cap.class()).map_err(refused)?;
        }
        let schema = schema.with_classes(classes.class()).map_err(refused)?;
        let retention = retention(window, reservoir)?;
        let settings = ForestSettings {
            trees: trees.count(),
            seed: seed.0,
            retention,
        };
        Self::of(build(algorithm, schema, settings)?, threads.count())
    }

    /// The most probable class of each row; `None` before the first sample.
    fn labels<'py>(&self, x: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyArray1<u32>>>> {
        let rows = Rows::of(x)?;
        let view = rows.view()?;
        let labels = self
            .0
            .read_rows(x.py(), view.nrows(), |held| held.predict_labels(view))?;
        let labels = labels.map_err(refused)?;
        Ok(labels.map(|labels| labels.into_pyarray(x.py())))
    }

    /// Learns a dictionary of features; whether every feature has a column.
    fn learn_dict(
        &self,
        x: &Bound<'_, PyDict>,
        y: &Bound<'_, PyAny>,
        columns: &Bound<'_, Columns>,
        labels: &Bound<'_, Labels>,
    ) -> PyResult<bool> {
        let labels = labels.try_borrow()?;
        let class = labels.known_or_next(y)?;
        let all = learn_dict(&self.0, x, class, columns)?;
        labels.admit(y, class)?;
        Ok(all)
    }

    /// The probability of each label for a dictionary of features.
    fn predict_dict<'py>(
        &self,
        x: &Bound<'py, PyDict>,
        columns: &Bound<'py, Columns>,
        labels: &Bound<'py, Labels>,
    ) -> PyResult<Bound<'py, PyDict>> {
        with_answer(&self.0, x, columns, |answer| {
            labels.try_borrow()?.named(x.py(), answer)
        })
    }

    /// The most probable label for a dictionary of features; `None` before the first sample.
    fn predict_label_dict<'py>(
        &self,
        x: &Bound<'py, PyDict>,
        columns: &Bound<'py, Columns>,
        labels: &Bound<'py, Labels>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let answered = with_answer(&self.0, x, columns, |answer| {
            let labels = labels.try_borrow()?;
            labels.label(x.py(), online_forests::argmax(answer))
        });
        match self.0.read_one(x.py(), |held| held.samples_seen())? {
            0 => Ok(None),
            _ => answered.map(Some),
        }
    }
}

#[pymethods]
impl Regressor {
    /// A regressor for rows of `features` numbers.
    #[new]
    #[pyo3(
        signature = (algorithm, features, *, trees = Whole(10), seed = Whole(0), window = None, reservoir = None,
                     threads = Whole(0)),
        text_signature = "(algorithm, features, *, trees=10, seed=0, window=None, reservoir=None, threads=0)"
    )]
    fn new(
        algorithm: &str,
        features: Whole,
        trees: Whole,
        seed: Whole,
        window: Option<Whole>,
        reservoir: Option<Whole>,
        threads: Whole,
    ) -> PyResult<Self> {
        let schema = Schema::new(features.count()).map_err(refused)?;
        let retention = retention(window, reservoir)?;
        let settings = ForestSettings {
            trees: trees.count(),
            seed: seed.0,
            retention,
        };
        Self::of(build(algorithm, schema, settings)?, threads.count())
    }

    /// Learns a dictionary of features; whether every feature has a column.
    fn learn_dict(
        &self,
        x: &Bound<'_, PyDict>,
        y: &Bound<'_, PyAny>,
        columns: &Bound<'_, Columns>,
    ) -> PyResult<bool> {
        learn_dict(&self.0, x, Regression::one(y)?, columns)
    }

    /// The number for a dictionary of features.
    fn predict_dict(&self, x: &Bound<'_, PyDict>, columns: &Bound<'_, Columns>) -> PyResult<f64> {
        with_answer(&self.0, x, columns, |answer| Ok(answer[0]))
    }

    /// Mean and variance of a new target at each row, as two columns; only some regressors tell.
    fn means_and_variances<'py>(
        &self,
        x: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let rows = Rows::of(x)?;
        let view = rows.view()?;
        let answers = self.0.read_rows(x.py(), view.nrows(), |held| {
            can::means_and_variances(held, view)
        })??;
        Ok(answers.into_pyarray(x.py()))
    }

    /// Between which bounds, as two columns, a new target at each row lies with probability `level`.
    fn intervals<'py>(
        &self,
        x: &Bound<'py, PyAny>,
        level: f64,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let rows = Rows::of(x)?;
        let view = rows.view()?;
        let answers = self.0.read_rows(x.py(), view.nrows(), |held| {
            can::intervals(held, view, level)
        })??;
        Ok(answers.into_pyarray(x.py()))
    }
}

fn learn_dict<T: PythonTask>(
    learner: &Shared<T>,
    x: &Bound<'_, PyDict>,
    target: T::Target,
    columns: &Bound<'_, Columns>,
) -> PyResult<bool> {
    let mut columns = columns.try_borrow_mut()?;
    with_row(|row| {
        let mut all = columns.fill(x, row)?;
        if !all {
            all = columns.admit(x)?;
            columns.fill(x, row)?;
        }
        learner
            .write_one(x.py(), |held| held.learn_one(row, target))?
            .map_err(refused)?;
        Ok(all)
    })
}

fn with_answer<T: PythonTask, R>(
    learner: &Shared<T>,
    x: &Bound<'_, PyDict>,
    columns: &Bound<'_, Columns>,
    work: impl FnOnce(&[f64]) -> PyResult<R>,
) -> PyResult<R> {
    threads::with_buffer(|answer| {
        with_row(|row| {
            columns.try_borrow_mut()?.fill(x, row)?;
            learner
                .read_one(x.py(), |held| held.predict_one_into(row, answer))?
                .map_err(refused)
        })?;
        work(answer)
    })
}

/// What both classes have.
macro_rules! learner {
    ($class:ident, $task:ty) => {
        impl $class {
            /// A learner that was built or loaded, for which this number of threads works.
            ///
            /// # Errors
            /// More threads than are started.
            pub fn of(held: Held<$task>, threads: usize) -> PyResult<Self> {
                Shared::new(held, threads).map(Self)
            }
        }

        #[pymethods]
        impl $class {
            /// The algorithm, every parameter stated; steps that stand before it, too.
            #[getter]
            fn algorithm(&self, py: Python<'_>) -> PyResult<String> {
                self.0.read_one(py, |held| held.label())
            }

            /// Number of features of a row.
            #[getter]
            fn features(&self, py: Python<'_>) -> PyResult<usize> {
                self.0.read_one(py, |held| held.schema().features())
            }

            /// Numbers of a row of answers: the classes known, or 1.
            #[getter]
            fn width(&self, py: Python<'_>) -> PyResult<usize> {
                self.0.read_one(py, |held| held.schema().width())
            }

            /// Number of trees; 0 for a baseline.
            #[getter]
            fn trees(&self, py: Python<'_>) -> PyResult<usize> {
                self.0.read_one(py, |held| held.learner().trees())
            }

            /// How many threads work on a batch; 0 for as many as cores.
            #[getter]
            fn threads(&self) -> usize {
                self.0.threads()
            }

            /// Number of samples learned.
            #[getter]
            fn samples_seen(&self, py: Python<'_>) -> PyResult<u64> {
                self.0.read_one(py, |held| held.samples_seen())
            }

            /// Names of the features, of a model that the program has made.
            #[getter]
            fn feature_names(&self, py: Python<'_>) -> PyResult<Option<Vec<String>>> {
                self.0.read_one(py, |held| held.feature_names())
            }

            /// Names of the classes, where a model has them.
            #[getter]
            fn class_names(&self, py: Python<'_>) -> PyResult<Option<Vec<String>>> {
                self.0.read_one(py, |held| held.class_names())
            }

            /// What it can do besides learning and predicting.
            #[getter]
            fn capabilities(&self, py: Python<'_>) -> PyResult<Vec<&'static str>> {
                self.0.write_one(py, can::capabilities)
            }

            /// Nodes, samples that are held, and bytes of memory.
            fn footprint<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
                let footprint = self.0.read_one(py, |held| held.footprint())?;
                let entry = PyDict::new(py);
                entry.set_item("nodes", footprint.nodes)?;
                entry.set_item("stored_samples", footprint.stored_samples)?;
                entry.set_item("bytes", footprint.bytes)?;
                Ok(entry)
            }

            /// Learns rows with their targets, one after another.
            fn learn(&self, x: &Bound<'_, PyAny>, y: &Bound<'_, PyAny>) -> PyResult<()> {
                let (rows, targets) = (Rows::of(x)?, <$task>::targets(y)?);
                let (rows, targets) = (rows.view()?, targets.view()?);
                self.0.write_rows(x.py(), targets.len(), |held| held.learn(rows, targets))?.map_err(refused)
            }

            /// Answers rows, one row each. Changes nothing.
            fn predict<'py>(
                &self,
                x: &Bound<'py, PyAny>,
            ) -> PyResult<Bound<'py, PyArray2<f64>>> {
                let rows = Rows::of(x)?;
                let view = rows.view()?;
                let answers = self.0.read_rows(x.py(), view.nrows(), |held| held.predict(view))?;
                Ok(answers.map_err(refused)?.into_pyarray(x.py()))
            }

            /// Answers rows into an array of `float64` that is there already.
            fn predict_into(
                &self,
                x: &Bound<'_, PyAny>,
                mut out: PyReadwriteArray2<'_, f64>,
            ) -> PyResult<()> {
                let rows = Rows::of(x)?;
                let view = rows.view()?;
                let out = out.as_slice_mut()?;
                self.0.read_rows(x.py(), view.nrows(), |held| can::predict_into(held, view, out))?
            }

            /// Test-then-train: the answer to every row just before it was learned. A class that was not known then has
            /// probability 0.
            fn predict_then_learn<'py>(
                &self,
                x: &Bound<'py, PyAny>,
                y: &Bound<'py, PyAny>,
            ) -> PyResult<Bound<'py, PyArray2<f64>>> {
                let (rows, targets) = (Rows::of(x)?, <$task>::targets(y)?);
                let (rows, targets) = (rows.view()?, targets.view()?);
                let answers = self.0.write_rows(x.py(), targets.len(), |held| {
                    let answers = held.predict_then_learn(rows, targets)?;
                    Ok((answers, held.schema().width()))
                })?;
                let (answers, width) = answers.map_err(|error: online_forests::InputError| refused(error))?;
                let mut table = Array2::zeros((answers.len(), width));
                for (mut cells, answer) in table.rows_mut().into_iter().zip(answers.iter()) {
                    cells.iter_mut().zip(answer).for_each(|(cell, number)| *cell = *number);
                }
                Ok(table.into_pyarray(x.py()))
            }

            /// Forgets the sample that was learned as number `arrival`, from 0, as if it had never been learned.
            fn forget(&self, py: Python<'_>, arrival: u64) -> PyResult<()> {
                self.0.write_one(py, |held| can::forget(held, arrival))?
            }

            /// Forgets all but the latest `n` samples, now and from now on.
            fn keep_latest(&self, py: Python<'_>, n: usize) -> PyResult<()> {
                self.0.write(py, |held| can::keep_latest(held, n))?
            }

            /// Brings every leaf up to a growing budget.
            fn refine(&self, py: Python<'_>) -> PyResult<()> {
                self.0.write(py, can::refine)?
            }

            /// How much each feature helps to tell labels apart, together 1.
            fn feature_importances<'py>(
                &self,
                py: Python<'py>,
            ) -> PyResult<Bound<'py, PyArray1<f64>>> {
                Ok(self.0.read(py, can::feature_importances)??.into_pyarray(py))
            }

            /// A tree as text, in the format `json` or `dot`.
            #[pyo3(signature = (tree, format, max_depth = None, feature_names = None, class_names = None))]
            fn exported(
                &self,
                py: Python<'_>,
                tree: usize,
                format: &str,
                max_depth: Option<usize>,
                feature_names: Option<Vec<String>>,
                class_names: Option<Vec<String>>,
            ) -> PyResult<String> {
                let names = can::Names::new(feature_names, class_names);
                let tree = self.0.read(py, |held| can::exported(held, tree, max_depth, &names))??;
                match format {
                    "json" => Ok(tree.to_json()),
                    "dot" => Ok(tree.to_dot()),
                    other => Err(wrong_value(format!("a tree is written as json or dot, not {other}"))),
                }
            }

            /// The way of a row through a tree, in words.
            #[pyo3(signature = (tree, x, feature_names = None, class_names = None))]
            fn decision_path(
                &self,
                py: Python<'_>,
                tree: usize,
                x: Vec<f32>,
                feature_names: Option<Vec<String>>,
                class_names: Option<Vec<String>>,
            ) -> PyResult<String> {
                let names = can::Names::new(feature_names, class_names);
                self.0.read(py, |held| can::decision_path(held, tree, &x, &names))?
            }

            /// The nodes of a tree over two features in a rectangle, parents first: whether it is a leaf, its corners, its cut.
            fn drawn_nodes(
                &self,
                py: Python<'_>,
                tree: usize,
                corners: Vec<[f64; 2]>,
            ) -> PyResult<Vec<can::Drawn>> {
                self.0.read(py, |held| can::drawn_nodes(held, tree, &corners))?
            }

            /// The share of the trees that have both rows in one leaf.
            fn share_a_leaf(&self, py: Python<'_>, a: Vec<f32>, b: Vec<f32>) -> PyResult<f64> {
                self.0.read(py, |held| can::share_a_leaf(held, &a, &b))?
            }

            /// The members of a mixture with their weights.
            fn members(&self, py: Python<'_>) -> PyResult<Vec<(String, f64)>> {
                self.0.read(py, can::members)?
            }

            /// The snapshot, as the file that `save` writes.
            fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
                let bytes = self.0.read(py, |held| snapshot::to_bytes(held))?;
                Ok(PyBytes::new(py, &bytes.map_err(refused)?))
            }

            /// The learner of a snapshot.
            #[classmethod]
            #[pyo3(signature = (bytes, threads = 0))]
            fn from_bytes(
                class: &Bound<'_, PyType>,
                bytes: &Bound<'_, PyBytes>,
                threads: usize,
            ) -> PyResult<Self> {
                let bytes = bytes.as_bytes();
                let held = class.py().detach(|| snapshot::from_bytes(bytes));
                Self::of(held.map_err(refused)?, threads)
            }

            /// Saves a file, which is there whole or as it was.
            fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
                self.0.read(py, |held| snapshot::save(held, path))?.map_err(file)
            }

            /// The learner in a file.
            #[classmethod]
            #[pyo3(signature = (path, threads = 0))]
            fn load(class: &Bound<'_, PyType>, path: PathBuf, threads: usize) -> PyResult<Self> {
                let held = class.py().detach(|| snapshot::load(path));
                Self::of(held.map_err(file)?, threads)
            }

            fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
                Self::of(self.0.read(py, Held::clone)?, self.0.threads())
            }

            fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
                self.__copy__(py)
            }

            fn __reduce__<'py>(
                slf: &Bound<'py, Self>,
            ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>, usize))> {
                let this = slf.get();
                let bytes = this.to_bytes(slf.py())?;
                Ok((slf.get_type().getattr("from_bytes")?, (bytes, this.threads())))
            }

            fn __sizeof__(&self, py: Python<'_>) -> PyResult<usize> {
                let footprint = self.0.read_one(py, |held| held.footprint())?;
                Ok(size_of::<Self>() + footprint.bytes)
            }

            fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
                self.0.read_one(py, |held| {
                    let (class, label, seen) = (stringify!($class), held.label(), held.samples_seen());
                    format!("<{class} {label}, {seen} samples seen>")
                })
            }
        }
    };
}

learner!(Classifier, Classification);
learner!(Regressor, Regression);
