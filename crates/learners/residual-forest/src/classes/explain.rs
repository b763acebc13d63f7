//! Trees to read: those of the forest of classes.

use forest_core::registry::{DecisionPath, Explain, ExplainError, ExportedTree};
use forest_core::{FeatureValues, InputError, NoSuchTree, OnlineLearner};
use ndarray::{Array3, ArrayView2, Axis, s};

use super::ResidualClassifier;

/// Trees are explained by the class frequencies of their leaves. The other sizes of node, the mixture and the discriminant functions
/// are outside of the trees: only contributions include them.
impl Explain for ResidualClassifier {
    fn feature_values(&self) -> FeatureValues {
        OnlineLearner::feature_values(self)
    }

    fn export(&self, tree: usize, max_depth: Option<usize>) -> Result<ExportedTree, NoSuchTree> {
        self.forest.export(tree, max_depth)
    }

    fn decision_path(&self, tree: usize, x: &[f32]) -> Result<DecisionPath, ExplainError> {
        self.forest.decision_path(tree, x)
    }

    fn feature_importance(&self) -> Vec<f64> {
        self.forest.feature_importance()
    }

    /// Returns what features contribute to the frequencies of leaves; the part that no feature adds makes the sum that of the prediction.
    fn contributions(&self, rows: ArrayView2<'_, f32>) -> Result<Array3<f64>, InputError> {
        let mut contributions = self.forest.contributions(rows)?;
        let predictions = OnlineLearner::predict(self, rows)?;
        let features = OnlineLearner::schema(&self.forest).features();
        let pairs = contributions
            .axis_iter_mut(Axis(0))
            .zip(predictions.outer_iter());
        for (mut parts, prediction) in pairs {
            let of_features = parts.slice(s![..features, ..]).sum_axis(Axis(0));
            parts
                .row_mut(features)
                .assign(&(&prediction - &of_features));
        }
        Ok(contributions)
    }
}
