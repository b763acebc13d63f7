//! What only some learners can do, on both classes.

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray3};
use pyo3::prelude::*;

use crate::arrays::Rows;
use crate::capabilities as can;
use crate::classifier::Classifier;
use crate::error::wrong_value;
use crate::regressor::Regressor;
use crate::settings::Whole;

/// Methods that are a `TypeError` where the learner cannot.
macro_rules! abilities {
    ($class:ident) => {
        #[pymethods]
        impl $class {
            /// Forgets the sample that was learned as number `arrival`, from 0: trees have it no more; lazy ones keep a cut until they choose it again, and a
            /// residual forest its weights until it fits them again.
            fn forget(&self, py: Python<'_>, arrival: Whole) -> PyResult<()> {
                self.0.write_one(py, |inner| can::forget(inner, arrival.0))?
            }

            /// Forgets all but the latest `n` samples, now and from now on.
            fn keep_latest(&self, py: Python<'_>, n: Whole) -> PyResult<()> {
                self.0.write(py, |inner| can::keep_latest(inner, n.count()))?
            }

            /// Makes room for samples of `features` numbers, more than before; those learned so far have 0 for the new ones.
            fn widen(&self, py: Python<'_>, features: Whole) -> PyResult<()> {
                self.0.write(py, |inner| can::widen(inner, features.count()))?
            }

            /// Brings every leaf up to a growing budget.
            fn refine(&self, py: Python<'_>) -> PyResult<()> {
                self.0.write(py, can::refine)?
            }

            /// How much each feature helps to separate labels, together 1.
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
                tree: Whole,
                format: &str,
                max_depth: Option<usize>,
                feature_names: Option<Vec<String>>,
                class_names: Option<Vec<String>>,
            ) -> PyResult<String> {
                let names = can::Names::new(feature_names, class_names);
                let tree = self.0.read(py, |inner| can::exported(inner, tree.count(), max_depth, &names))??;
                match format {
                    "json" => Ok(tree.to_json()),
                    "dot" => Ok(tree.to_dot()),
                    other => Err(wrong_value(format!("a tree is written as json or dot, not {other}"))),
                }
            }

            /// The path of a row through a tree, in words.
            #[pyo3(signature = (tree, x, feature_names = None, class_names = None))]
            fn decision_path(
                &self,
                py: Python<'_>,
                tree: Whole,
                x: Vec<f32>,
                feature_names: Option<Vec<String>>,
                class_names: Option<Vec<String>>,
            ) -> PyResult<String> {
                let names = can::Names::new(feature_names, class_names);
                self.0.read(py, |inner| can::decision_path(inner, tree.count(), &x, &names))?
            }

            /// What each feature adds to the prediction for each row, by row, feature and output; behind the features, the prediction where none is known.
            fn feature_contributions<'py>(
                &self,
                x: &Bound<'py, PyAny>,
            ) -> PyResult<Bound<'py, PyArray3<f64>>> {
                let rows = Rows::of(x)?;
                let view = rows.view()?;
                let parts = self.0.read_rows(x.py(), view.nrows(), |inner| can::contributions(inner, view))??;
                Ok(parts.into_pyarray(x.py()))
            }

            /// In which node of each exported tree each row ends, by its place among the nodes.
            fn leaves<'py>(&self, x: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray2<u32>>> {
                let rows = Rows::of(x)?;
                let view = rows.view()?;
                let leaves = self.0.read_rows(x.py(), view.nrows(), |inner| can::leaves(inner, view))??;
                Ok(leaves.into_pyarray(x.py()))
            }

            /// The nodes of a tree over two features in a rectangle, parents first: whether it is a leaf, its corners, its cut.
            fn drawn_nodes(
                &self,
                py: Python<'_>,
                tree: Whole,
                corners: Vec<[f64; 2]>,
            ) -> PyResult<Vec<can::Drawn>> {
                self.0.read(py, |inner| can::drawn_nodes(inner, tree.count(), &corners))?
            }

            /// The share of the trees that have both rows in one leaf.
            fn share_a_leaf(&self, py: Python<'_>, a: Vec<f32>, b: Vec<f32>) -> PyResult<f64> {
                self.0.read(py, |inner| can::share_a_leaf(inner, &a, &b))?
            }

            /// The members of a mixture with their weights.
            fn members(&self, py: Python<'_>) -> PyResult<Vec<(String, f64)>> {
                self.0.read(py, can::members)?
            }
        }
    };
}

abilities!(Classifier);
abilities!(Regressor);
