//! What a learner explains by its trees.

use ndarray::{Array2, Array3, ArrayView2, Axis, s};

use super::contributions;
use crate::{DecisionPath, ExportedTree, OnlineLearner, Refused, Task};

/// What follows from the trees that a learner [exports](OnlineLearner::export), each in a pass over them.
impl<T: Task> dyn OnlineLearner<Task = T> + '_ {
    /// Returns all trees, the first of which is 0.
    ///
    /// # Errors
    /// Returns an error if the trees of this learner cannot be read.
    pub fn exported(&self) -> Result<Vec<ExportedTree>, Refused> {
        let mut trees = vec![self.export(0)?];
        while let Ok(tree) = self.export(trees.len()) {
            trees.push(tree);
        }
        Ok(trees)
    }

    /// Returns the node in which each row ends in each tree, by its place in [`ExportedTree::nodes`]: `[row, tree]`.
    ///
    /// # Errors
    /// Returns an error if the learner cannot, a row is refused, or trees have no nodes.
    pub fn leaves(&self, rows: ArrayView2<'_, f32>) -> Result<Array2<u32>, Refused> {
        let trees = self.exported()?;
        let rows = self.check_rows(rows)?;
        let mut leaves = Array2::zeros((rows.len(), trees.len()));
        let no_nodes = "the trees have no nodes yet: they have learned nothing";
        for (x, mut places) in rows.iter().zip(leaves.rows_mut()) {
            for (place, tree) in places.iter_mut().zip(&trees) {
                let leaf = tree.nodes_on_path(x).last();
                *place = leaf.ok_or_else(|| Refused::Argument(no_nodes.to_owned()))? as u32;
            }
        }
        Ok(leaves)
    }

    /// Returns the path of the point `x` through tree `tree`, and the prediction of the leaf at its end.
    ///
    /// # Errors
    /// Returns an error if the learner cannot, the tree does not exist, or the point is refused.
    pub fn decision_path(&self, tree: usize, x: &[f32]) -> Result<DecisionPath, Refused> {
        let prior = self.predict_one(x)?;
        let exported = self.export(tree)?;
        Ok(exported.path(x).unwrap_or(DecisionPath {
            features: exported.features,
            classes: Vec::new(),
            steps: Vec::new(),
            samples: 0,
            labels: T::no_labels(),
            prediction: prior,
        }))
    }

    /// Returns how much each feature helps to separate labels: together 1, or all 0 if no cut gained anything.
    ///
    /// The [gain](crate::LabelSummary::gain) of a cut (Breiman et al. 1984; on the samples that were learned, as there)
    /// is shared among its features in proportion to the absolute values of their coefficients, and added up over all
    /// nodes of all trees. The coefficients depend on the scale of the features: scale them alike first.
    ///
    /// # Errors
    /// Returns an error if the learner cannot.
    pub fn feature_importance(&self) -> Result<Vec<f64>, Refused> {
        let mut sums = vec![0.0; self.schema().features()];
        for tree in self.exported()? {
            for node in tree.nodes.iter().rev() {
                if let (Some(cut), Some([left, right])) = (&node.cut, node.children) {
                    let gain = tree.nodes[left].labels.gain(&tree.nodes[right].labels);
                    for (feature, share) in cut.shares() {
                        sums[feature] += gain * share;
                    }
                }
            }
        }
        let total: f64 = sums.iter().sum();
        if total > 0.0 {
            sums.iter_mut().for_each(|sum| *sum /= total);
        }
        Ok(sums)
    }

    /// Returns the contribution of each feature to the prediction for each row: `[row, feature, output]`, and behind
    /// the features the part that no feature adds. Their sum over the second axis is the prediction.
    ///
    /// These are Shapley values of each tree by *path-dependent TreeSHAP* (Lundberg et al., *Nature Machine
    /// Intelligence* 2, 2020): where a feature is not known, a cut of it sends a point both ways, in the proportion of
    /// the node's samples. Shapley values of the features of oblique cuts would take exponential time: there it is the
    /// cut that is known or not, and what it adds is shared among its features as importances are. What a learner adds
    /// [outside of its trees](OnlineLearner::linear_part) counts as well; the rest, such as the effect of the place of
    /// a point in its leaf on hierarchical labels, belongs to no feature.
    ///
    /// Costs, for each row and tree, the leaves times the square of the number of different features on a path.
    ///
    /// # Errors
    /// Returns an error if the learner cannot, or a row is refused.
    pub fn contributions(&self, rows: ArrayView2<'_, f32>) -> Result<Array3<f64>, Refused> {
        let predictions = self.predict(rows)?;
        let rows = self.check_rows(rows)?;
        let features = self.schema().features();
        let mut sums = Array3::zeros((rows.len(), features + 1, self.schema().width()));
        for tree in self.exported()? {
            contributions::add(&tree, &rows, &mut sums);
        }
        for (row, x) in rows.iter().enumerate() {
            let mut sums = sums.index_axis_mut(Axis(0), row);
            for (feature, part) in self.linear_part(x).into_iter().enumerate() {
                sums[[feature, 0]] += part;
            }
            let known = sums.slice(s![..features, ..]).sum_axis(Axis(0));
            sums.row_mut(features)
                .assign(&(&predictions.row(row) - &known));
        }
        Ok(sums)
    }
}
