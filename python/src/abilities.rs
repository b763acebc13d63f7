//! What only some learners can do: a `TypeError` names the learner that cannot. And some of the trees of a forest, as learners that
//! add their votes to those of others.

use forest_core::VoteSums;
use forest_core::registry::snapshot::{decode_value, encode_value};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray3};
use online_forests::{OnlineLearner as _, Refused};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::convert::{self, Made, Whole};
use crate::error::{refused, wrong_value};
use crate::learner::table;
use crate::saved::{Saved, ask, ask_rows, each, tell};
use crate::shared::{Learner, MANY};

/// A node as it is drawn: whether it is a leaf, its corners, and where its cut crosses it.
type Drawn = (bool, Vec<[f64; 2]>, Option<[[f64; 2]; 2]>);

#[pymethods]
impl Learner {
    /// Forgets the sample that was learned as number `arrival`, from 0: trees have it no more; lazy ones keep a cut until they choose it again, and a
    /// residual forest its weights until it fits them again.
    fn forget(&self, py: Python<'_>, arrival: Whole) -> PyResult<()> {
        tell!(self, py, 1, it => it.forget(arrival.0))
    }

    /// Forgets all but the latest `n` samples, now and from now on.
    fn keep_latest(&self, py: Python<'_>, n: Whole) -> PyResult<()> {
        tell!(self, py, MANY, it => it.keep_latest(n.count()))
    }

    /// Makes room for samples of `features` numbers, more than before; those learned so far have 0 for the new ones.
    fn widen(&self, py: Python<'_>, features: Whole) -> PyResult<()> {
        tell!(self, py, MANY, it => it.expect_widening().and_then(|()| Ok(it.widen(features.count())?)))
    }

    /// Brings every leaf up to a growing budget.
    fn refine(&self, py: Python<'_>) -> PyResult<()> {
        tell!(self, py, MANY, it => it.refine())
    }

    /// How much each feature helps to separate labels, together 1.
    fn feature_importances<'py>(&self, py: Python<'py>) -> Made<'py, PyArray1<f64>> {
        Ok(ask!(self, py, MANY, it => it.learner().feature_importance())?.into_pyarray(py))
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
        let tree = ask!(self, py, MANY, it => it.learner().export(tree.count()))?;
        let tree = tree.down_to(max_depth.unwrap_or(usize::MAX));
        let (features, classes) = (
            feature_names.unwrap_or_default(),
            class_names.unwrap_or_default(),
        );
        let tree = tree.named(&features, &classes);
        match format {
            "json" => Ok(tree.to_json()),
            "dot" => Ok(tree.to_dot()),
            other => Err(wrong_value!(
                "a tree is written as json or dot, not {other}"
            )),
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
        let path = ask!(self, py, MANY, it => it.learner().decision_path(tree.count(), &x))?;
        let (features, classes) = (
            feature_names.unwrap_or_default(),
            class_names.unwrap_or_default(),
        );
        Ok(path.named(&features, &classes).to_string())
    }

    /// What each feature adds to the prediction for each row, by row, feature and output; behind the features, the prediction where none is known.
    fn feature_contributions<'py>(&self, x: &Bound<'py, PyAny>) -> Made<'py, PyArray3<f64>> {
        ask_rows!(self, x, rows, it => it.alone().and_then(|it| it.contributions(rows)))
    }

    /// In which node of each exported tree each row ends, by its place among the nodes.
    fn leaves<'py>(&self, x: &Bound<'py, PyAny>) -> Made<'py, PyArray2<u32>> {
        ask_rows!(self, x, rows, it => it.alone().and_then(|it| it.leaves(rows)))
    }

    /// The nodes of a tree over two features in a rectangle, parents first: whether it is a leaf, its corners, its cut.
    fn drawn_nodes(
        &self,
        py: Python<'_>,
        tree: Whole,
        corners: Vec<[f64; 2]>,
    ) -> PyResult<Vec<Drawn>> {
        let nodes = ask!(self, py, MANY, it => it.learner().nodes_of(tree.count(), &corners))?;
        Ok(nodes
            .into_iter()
            .map(|node| (node.is_leaf, node.hull, node.cut))
            .collect())
    }

    /// The share of the trees that have both rows in one leaf.
    fn share_a_leaf(&self, py: Python<'_>, a: Vec<f32>, b: Vec<f32>) -> PyResult<f64> {
        ask!(self, py, MANY, it => it.learner().share_a_leaf(&a, &b))
    }

    /// The members of a mixture with their weights.
    fn members(&self, py: Python<'_>) -> PyResult<Vec<(String, f64)>> {
        let refusal = Refused::cannot("report members: it is not a mixture");
        let members = ask!(self, py, MANY, it => match it.learner().members() {
            none if none.is_empty() => Err(refusal),
            members => Ok(members),
        })?;
        Ok(members
            .into_iter()
            .map(|member| (member.name, member.weight))
            .collect())
    }

    /// Which trees of the forest it has, and of how many: the first, the one behind the last, all. None if this learner
    /// cannot be sharded.
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
        tell!(self, py, MANY, it => it.keep_trees(first..end))
    }

    /// Takes the trees of the shard that follows this one.
    fn join(&self, py: Python<'_>, next: &Bound<'_, Self>) -> PyResult<()> {
        let next = next.get().read(py, MANY, |held| Ok(held.inner.clone()))?;
        self.write(py, MANY, |held| held.inner.join(next))
    }

    /// Refuses what `learn` would refuse. Changes nothing.
    fn check(&self, x: &Bound<'_, PyAny>, y: &Bound<'_, PyAny>) -> PyResult<()> {
        let (rows, targets) = (convert::rows(x)?, self.targets(y)?);
        let (rows, count) = (rows.as_array(), rows.as_array().nrows());
        ask!(self, x.py(), count, it => {
            let checked = it.schema().check_rows(rows, it.feature_values());
            let checked = checked.and_then(|()| it.schema().check_targets(count, targets.as_ref()));
            checked.and_then(|()| it.check_room(count))
        })
    }

    /// Adds the votes of its trees on rows to those of the trees before, and returns them.
    fn add_votes<'py>(&self, x: &Bound<'py, PyAny>, votes: &[u8]) -> Made<'py, PyBytes> {
        let (rows, mut sums) = (convert::rows(x)?, sums(votes)?);
        let rows = rows.as_array();
        ask!(self, x.py(), rows.nrows(), it => it.add_votes(rows, &mut sums))?;
        Ok(PyBytes::new(x.py(), &encode_value(&sums).map_err(refused)?))
    }

    /// Test-then-train: adds the votes of its trees on every row just before it was learned.
    fn add_votes_then_learn<'py>(
        &self,
        x: &Bound<'py, PyAny>,
        y: &Bound<'py, PyAny>,
        votes: &[u8],
    ) -> Made<'py, PyBytes> {
        let (rows, targets, mut sums) = (convert::rows(x)?, self.targets(y)?, sums(votes)?);
        let rows = rows.as_array();
        tell!(self, x.py(), rows.nrows(), it => {
            it.add_votes_then_learn(rows, targets.as_ref(), &mut sums)
        })?;
        Ok(PyBytes::new(x.py(), &encode_value(&sums).map_err(refused)?))
    }

    /// The predictions of the forest, once all trees have added their votes. A class that was not known at a row has
    /// probability 0.
    fn finish<'py>(&self, py: Python<'py>, votes: &[u8]) -> Made<'py, PyArray2<f64>> {
        let sums = sums(votes)?;
        let predictions = ask!(self, py, MANY, it => {
            it.finish_votes(&sums).map(|predictions| table(&predictions, it.schema().width()))
        })?;
        Ok(predictions.into_pyarray(py))
    }
}

/// The sums of the votes of the first trees of a forest on some rows, as one shard hands them to the next; empty before the first.
fn sums(votes: &[u8]) -> PyResult<VoteSums> {
    if votes.is_empty() {
        return Ok(VoteSums::default());
    }
    decode_value(votes).map_err(refused)
}
