//! Trees to read: those of all stages, chain by chain.

use dynamic_forest::HonestForest;
use forest_core::{ExportedTree, OnlineLearner, Refused};

use crate::ResidualForest;
use crate::chain::Chain;

impl ResidualForest {
    pub(crate) fn forests(&self) -> impl Iterator<Item = &HonestForest> {
        self.chains.iter().flat_map(|chain| &chain.forests)
    }

    pub(crate) fn tree_count(&self) -> usize {
        self.forests().map(|forest| forest.tree_count()).sum()
    }

    /// Returns every chain with the weights of its partial chains in the blend.
    fn blended(&self) -> impl Iterator<Item = (&Chain, &[f64])> {
        let mut rest = self.blend.weights();
        self.chains.iter().map(move |chain| {
            let own;
            (own, rest) = rest.split_at(chain.stages());
            (chain, own)
        })
    }

    /// Returns every forest with the factor of its prediction.
    fn weighted_forests(&self) -> impl Iterator<Item = (&HonestForest, f64)> {
        self.blended()
            .flat_map(|(chain, blend)| chain.forests.iter().zip(chain.factors(blend).1))
    }
}

/// Trees of later stages are about residuals. The ridge regression is not a tree: only contributions include it. So the prediction is that of the
/// trees, each multiplied by its [share](ExportedTree::share), plus a number that all points have in common and, if a chain begins with the ridge
/// regression, a linear function.
impl ResidualForest {
    pub(crate) fn exported(&self, tree: usize) -> Result<ExportedTree, Refused> {
        let mut index = tree;
        for (forest, factor) in self.weighted_forests() {
            match index.checked_sub(forest.tree_count()) {
                Some(rest) => index = rest,
                None => {
                    let mut exported = forest.export(index)?;
                    exported.share *= factor;
                    return Ok(exported);
                }
            }
        }
        Err(Refused::no_tree(tree, self.tree_count()))
    }

    /// Returns what features contribute through the ridge regression.
    pub(crate) fn of_ridge(&self, x: &[f32]) -> Vec<f64> {
        let factors = self
            .blended()
            .filter_map(|(chain, blend)| chain.factors(blend).0);
        let factor: f64 = factors.sum();
        self.ridge
            .contributions(x)
            .map(|part| factor * part)
            .collect()
    }
}
