//! Trees to read: those of all stages, chain by chain.

use dynamic_forest::DynamicRegressor;
use forest_core::NoSuchTree;
use registry::{DecisionPath, Explain, ExplainError, ExplainTree, ExportedTree};

use crate::ResidualForest;

impl ResidualForest {
    pub(crate) fn forests(&self) -> impl Iterator<Item = &DynamicRegressor> {
        self.chains.iter().flat_map(|chain| &chain.forests)
    }

    pub(crate) fn tree_count(&self) -> usize {
        self.forests().map(|forest| forest.trees().len()).sum()
    }

    /// The forest of a tree, and the tree's number in it.
    fn stage_of(&self, tree: usize) -> Result<(&DynamicRegressor, usize), NoSuchTree> {
        let mut index = tree;
        for forest in self.forests() {
            match index.checked_sub(forest.trees().len()) {
                Some(rest) => index = rest,
                None => return Ok((forest, index)),
            }
        }
        let trees = self.tree_count();
        Err(NoSuchTree { index: tree, trees })
    }
}

/// Trees of later stages are about residuals. The ridge regression is no tree, and has no part in this.
impl Explain for ResidualForest {
    fn exported(&self, tree: usize, max_depth: Option<usize>) -> Result<ExportedTree, NoSuchTree> {
        let (forest, index) = self.stage_of(tree)?;
        forest.exported(index, max_depth)
    }

    fn decision_path(&self, tree: usize, x: &[f32]) -> Result<DecisionPath, ExplainError> {
        let (forest, index) = self.stage_of(tree)?;
        forest.decision_path(index, x)
    }

    /// What cuts take from the variance of targets and residuals, which are in one unit: the mean of a stage's trees, added up over
    /// stages.
    fn feature_importance(&self) -> Vec<f64> {
        let mut sums = vec![0.0; self.schema.features()];
        for forest in self.forests() {
            let mut gains = vec![0.0; sums.len()];
            forest
                .trees()
                .for_each(|tree| tree.add_gains(forest.samples(), &mut gains));
            let pairs = sums.iter_mut().zip(gains);
            pairs.for_each(|(sum, gain)| *sum += gain / forest.trees().len() as f64);
        }
        let total: f64 = sums.iter().sum();
        if total > 0.0 {
            sums.iter_mut().for_each(|sum| *sum /= total);
        }
        sums
    }
}
