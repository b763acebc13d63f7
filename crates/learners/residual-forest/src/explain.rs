//! Trees to read: those of all stages, chain by chain.

use dynamic_forest::HonestForest;
use forest_core::registry::{DecisionPath, Explain, ExplainError, ExplainTree, ExportedTree};
use forest_core::{FeatureValues, InputError, NoSuchTree, OnlineLearner, Rows};
use ndarray::{Array3, ArrayView2, Axis, s};

use crate::ResidualForest;

impl ResidualForest {
    pub(crate) fn tree_count(&self) -> usize {
        self.forests().map(|forest| forest.trees().len()).sum()
    }

    /// Returns every forest with the factor of its prediction.
    fn weighted_forests(&self) -> impl Iterator<Item = (&HonestForest, f64)> {
        let pairs = self.stages.iter().zip(self.factors());
        pairs.filter_map(|(stage, factor)| Some((stage.forest.as_ref()?, factor)))
    }

    /// Returns the forest of a tree, the tree's number in it, and the factor of the forest's prediction.
    fn stage_of(&self, tree: usize) -> Result<(&HonestForest, usize, f64), NoSuchTree> {
        let mut index = tree;
        for (forest, factor) in self.weighted_forests() {
            match index.checked_sub(forest.trees().len()) {
                Some(rest) => index = rest,
                None => return Ok((forest, index, factor)),
            }
        }
        let trees = self.tree_count();
        Err(NoSuchTree { index: tree, trees })
    }
}

/// Trees of later stages are about residuals. The ridge regression is not a tree: only contributions include it. So the prediction is that of the
/// trees, each multiplied by its [share](ExportedTree::share), plus a number that all points have in common and, if a chain begins with the ridge
/// regression, a linear function.
impl Explain for ResidualForest {
    fn feature_values(&self) -> FeatureValues {
        OnlineLearner::feature_values(self)
    }

    fn export(&self, tree: usize, max_depth: Option<usize>) -> Result<ExportedTree, NoSuchTree> {
        let (forest, index, factor) = self.stage_of(tree)?;
        let mut exported = forest.export(index, max_depth)?;
        exported.share *= factor;
        Ok(exported)
    }

    fn decision_path(&self, tree: usize, x: &[f32]) -> Result<DecisionPath, ExplainError> {
        let (forest, index, _) = self.stage_of(tree)?;
        forest.decision_path(index, x)
    }

    /// Returns how much cuts reduce the variance of targets and residuals, which share a unit: the mean of a stage's trees, added up over
    /// stages.
    fn feature_importance(&self) -> Vec<f64> {
        let mut sums = vec![0.0; self.schema.features()];
        for forest in self.forests() {
            let mut gains = vec![0.0; sums.len()];
            forest
                .trees()
                .for_each(|tree| tree.export(&forest.context()).add_gains(&mut gains));
            for (sum, gain) in sums.iter_mut().zip(gains) {
                *sum += gain / forest.trees().len() as f64;
            }
        }
        let total: f64 = sums.iter().sum();
        if total > 0.0 {
            sums.iter_mut().for_each(|sum| *sum /= total);
        }
        sums
    }

    fn contributions(&self, rows: ArrayView2<'_, f32>) -> Result<Array3<f64>, InputError> {
        let (features, checked) = (self.schema.features(), Rows::for_learner(self, rows)?);
        let mut sums = Array3::zeros((checked.len(), features + 1, 1));
        for (forest, factor) in self.weighted_forests() {
            sums.scaled_add(factor, &forest.contributions(rows)?);
        }
        let mut of_ridge = self.stages.iter().zip(self.factors());
        let of_ridge = of_ridge.find(|(stage, _)| stage.forest.is_none());
        let of_ridge = of_ridge.map_or(0.0, |(_, factor)| factor);
        let predictions = self.predict(rows)?;
        let parts = checked.iter().zip(sums.axis_iter_mut(Axis(0)));
        for ((x, mut sums), prediction) in parts.zip(predictions) {
            for (feature, part) in self.ridge.contributions(x).enumerate() {
                sums[[feature, 0]] += of_ridge * part;
            }
            // The part that no feature adds, including the mean of the targets, relative to which chains begin.
            sums[[features, 0]] = prediction - sums.slice(s![..features, 0]).sum();
        }
        Ok(sums)
    }
}
