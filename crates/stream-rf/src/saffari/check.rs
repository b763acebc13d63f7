//! What must hold of a tree, whoever made it.

use forest_core::{ForestContext, InvariantError};

use super::SaffariTree;
use super::leaf::Leaf;
use crate::FeatureSpace;
use crate::labels::Labels;

impl<T: Labels, S: FeatureSpace> SaffariTree<T, S> {
    /// Every check, each relying on the ones before it.
    pub(super) fn check_against(
        &self,
        context: &ForestContext<'_, Self>,
    ) -> Result<(), InvariantError> {
        let width = context.samples.width();
        let depths = self.nodes.check(&context.settings.features, width)?;
        let fits = self.leaves.len() == depths.len() && self.labels.fits(depths.len());
        InvariantError::unless(fits, || "leaves", || "not one record for each")?;
        for (index, (leaf, depth)) in self.leaves.iter().zip(depths).enumerate() {
            let limit = context.settings.max_depth;
            let idle = leaf.tests.is_none() || depth < limit;
            let sound = leaf.depth == depth && depth <= limit && idle;
            let what = || format!("leaf {index} has an impossible depth");
            InvariantError::unless(sound, || "leaves", what)?;
            T::check_row(self.labels.row(index), &context.outputs)?;
            self.check_tests(leaf, context)?;
        }
        Ok(())
    }

    fn check_tests(
        &self,
        leaf: &Leaf<T, S::Feature>,
        context: &ForestContext<'_, Self>,
    ) -> Result<(), InvariantError> {
        let Some(tests) = &leaf.tests else {
            return Ok(());
        };
        let (settings, width) = (context.settings, context.samples.width());
        let (candidates, statistics) = (&tests.candidates, &tests.statistics);
        candidates.check(&settings.features, settings.m, width)?;
        statistics.check(candidates, &context.outputs)
    }
}
