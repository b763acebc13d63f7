//! What only some learners can do: a `TypeError` names the learner that cannot. And some of the trees of a forest, as
//! learners that add their votes to those of others.

use forest_core::VoteSums;
use forest_core::registry::snapshot::{decode_value, encode_value};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray3};
use online_forests::{OnlineLearner as _, Refused, Rows};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::convert::{self, Made, Whole};
use crate::error::{refused, wrong_value};
use crate::learner::table;
use crate::saved::{Saved, each, query, query_rows, update};
use crate::shared::{Learner, MANY};

/// A node as it is drawn: whether it is a leaf, its corners, and where its cut crosses it.
type Drawn = (bool, Vec<[f64; 2]>, Option<[[f64; 2]; 2]>);

#[pymethods]
impl Learner {
    /// Forgets the sample before which `arrival` samples were learned. Lazy trees keep their cuts until they choose
    /// them again, and a residual forest the weights of its parts until it fits them again.
    fn forget(&self, py: Python<'_>, arrival: Whole) -> PyResult<()> {
        update!(self, py, 1, it => it.forget(arrival.0))
    }

    /// Forgets all but the latest `n` samples, now and from now on.
    fn keep_latest(&self, py: Python<'_>, n: Whole) -> PyResult<()> {
        update!(self, py, MANY, it => it.keep_latest(n.count()))
    }

    /// Continues with `features` features, more than before; they are 0 in the samples learned so far.
    fn widen(&self, py: Python<'_>, features: Whole) -> PyResult<()> {
        update!(self, py, MANY, it => it.expect_widening().and_then(|()| Ok(it.widen(features.count())?)))
    }

    /// Refines every leaf to the current value of a growing budget.
    fn refine(&self, py: Python<'_>) -> PyResult<()> {
        update!(self, py, MANY, it => it.refine())
    }

    /// Returns the share of each feature in the separation of targets, together 1.
    fn feature_importances<'py>(&self, py: Python<'py>) -> Made<'py, PyArray1<f64>> {
        Ok(query!(self, py, MANY, it => it.learner().feature_importance())?.into_pyarray(py))
    }

    /// Returns a tree as text, in the format `json` or `dot`.
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
        let tree = query!(self, py, MANY, it => it.learner().export(tree.count()))?;
        let tree = tree.down_to(max_depth.unwrap_or(usize::MAX));
        let features = feature_names.unwrap_or_default();
        let classes = class_names.unwrap_or_default();
        let tree = tree.named(&features, &classes);
        match format {
            "json" => Ok(tree.to_json()),
            "dot" => Ok(tree.to_dot()),
            other => Err(wrong_value!(
                "a tree is written as json or dot, not {other}"
            )),
        }
    }

    /// Returns the path of a row through a tree, in words.
    #[pyo3(signature = (tree, x, feature_names = None, class_names = None))]
    fn decision_path(
        &self,
        py: Python<'_>,
        tree: Whole,
        x: Vec<f32>,
        feature_names: Option<Vec<String>>,
        class_names: Option<Vec<String>>,
    ) -> PyResult<String> {
        let path = query!(self, py, MANY, it => it.learner().decision_path(tree.count(), &x))?;
        let features = feature_names.unwrap_or_default();
        let classes = class_names.unwrap_or_default();
        Ok(path.named(&features, &classes).to_string())
    }

    /// Returns contributions to predictions by row, feature and output; the last feature is the prediction where none
    /// is known.
    fn feature_contributions<'py>(&self, x: &Bound<'py, PyAny>) -> Made<'py, PyArray3<f64>> {
        query_rows!(self, x, rows, it => it.alone().and_then(|it| it.contributions(rows)))
    }

    /// Returns the leaf of each row in each tree: its index among the nodes of the exported tree.
    fn leaves<'py>(&self, x: &Bound<'py, PyAny>) -> Made<'py, PyArray2<u32>> {
        query_rows!(self, x, rows, it => it.alone().and_then(|it| it.leaves(rows)))
    }

    /// Returns the nodes of a tree over two features in a polygon, parents first: whether it is a leaf, its corners,
    /// its cut.
    fn drawn_nodes(
        &self,
        py: Python<'_>,
        tree: Whole,
        corners: Vec<[f64; 2]>,
    ) -> PyResult<Vec<Drawn>> {
        let nodes = query!(self, py, MANY, it => it.learner().nodes_of(tree.count(), &corners))?;
        let nodes = nodes.into_iter();
        Ok(nodes.map(|it| (it.is_leaf, it.hull, it.cut)).collect())
    }

    /// Returns the share of trees in which both rows are in one leaf.
    fn share_a_leaf(&self, py: Python<'_>, a: Vec<f32>, b: Vec<f32>) -> PyResult<f64> {
        query!(self, py, MANY, it => it.learner().share_a_leaf(&a, &b))
    }

    /// Returns the members of a mixture with their weights.
    fn members(&self, py: Python<'_>) -> PyResult<Vec<(String, f64)>> {
        let refusal = Refused::cannot("report members: it is not a mixture");
        let members = query!(self, py, MANY, it => match it.learner().members() {
            none if none.is_empty() => Err(refusal),
            members => Ok(members),
        })?;
        Ok(members.into_iter().map(|it| (it.name, it.weight)).collect())
    }

    /// The trees of the forest that this learner has: the first, the end, and the number of all trees. None if it
    /// cannot be divided into shards.
    #[getter]
    fn part(&self, py: Python<'_>) -> PyResult<Option<(usize, usize, usize)>> {
        let part = self.read(py, 1, |held| {
            Ok(each!(&held.inner, it => match it {
                // Those of a model of the program are those of `train --part`.
                Saved::Model(_) => None,
                it => it.part(),
            }))
        })?;
        Ok(part.map(|part| (part.trees.start, part.trees.end, part.of)))
    }

    /// Keeps only the trees from `first` to before `end`.
    fn keep_trees(&self, py: Python<'_>, first: usize, end: usize) -> PyResult<()> {
        update!(self, py, MANY, it => it.keep_trees(first..end))
    }

    /// Adds the trees of the next shard.
    fn join(&self, py: Python<'_>, next: &Bound<'_, Self>) -> PyResult<()> {
        let next = next.get().read(py, MANY, |held| Ok(held.inner.clone()))?;
        self.write(py, MANY, |held| {
            held.changes += 1;
            held.inner.join(next)
        })
    }

    /// Raises the error that `learn` would raise. Changes nothing.
    fn check(&self, x: &Bound<'_, PyAny>, y: &Bound<'_, PyAny>) -> PyResult<()> {
        let rows = convert::rows(x)?;
        let rows = rows.as_array();
        let targets = self.targets(y)?;
        let count = rows.nrows();
        query!(self, x.py(), count, it => {
            let checked = Rows::check_values(rows, it.schema().features(), it.feature_values());
            let checked = checked.and_then(|_| it.schema().check_targets(count, targets.as_ref()));
            checked.and_then(|()| it.check_room(count))
        })
    }

    /// Returns the votes of earlier trees on rows with the votes of these trees added.
    fn add_votes<'py>(&self, x: &Bound<'py, PyAny>, votes: &[u8]) -> Made<'py, PyBytes> {
        let rows = convert::rows(x)?;
        let rows = rows.as_array();
        let mut sums = sums(votes)?;
        query!(self, x.py(), rows.nrows(), it => it.add_votes(rows, &mut sums))?;
        Ok(PyBytes::new(x.py(), &encode_value(&sums).map_err(refused)?))
    }

    /// Does the same for every row just before the row is learned.
    fn add_votes_then_learn<'py>(
        &self,
        x: &Bound<'py, PyAny>,
        y: &Bound<'py, PyAny>,
        votes: &[u8],
    ) -> Made<'py, PyBytes> {
        let rows = convert::rows(x)?;
        let rows = rows.as_array();
        let targets = self.targets(y)?;
        let mut sums = sums(votes)?;
        update!(self, x.py(), rows.nrows(), it => {
            it.add_votes_then_learn(rows, targets.as_ref(), &mut sums)
        })?;
        Ok(PyBytes::new(x.py(), &encode_value(&sums).map_err(refused)?))
    }

    /// Returns the predictions of the forest from the votes of all trees. A class that was not known at a row has
    /// probability 0.
    fn finish<'py>(&self, py: Python<'py>, votes: &[u8]) -> Made<'py, PyArray2<f64>> {
        let sums = sums(votes)?;
        let predictions = query!(self, py, MANY, it => {
            it.finish_votes(&sums).map(|predictions| table(&predictions, it.schema().width()))
        })?;
        Ok(predictions.into_pyarray(py))
    }
}

/// Decodes sums of votes, which one shard passes to the next; they are empty before the first.
fn sums(votes: &[u8]) -> PyResult<VoteSums> {
    if votes.is_empty() {
        return Ok(VoteSums::default());
    }
    decode_value(votes).map_err(refused)
}
