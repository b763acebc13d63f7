//! More features while the stream continues.

use forest_core::{ForestContext, WidenTree};

use crate::{CutDistribution, LabelModel, TessellationTree};

/// Distributions of which the part on some features does not depend on others that do not vary.
///
/// With axis-aligned cuts a feature without extent is never cut, and adds nothing to the mass of the others. An oblique cut has
/// a part of its normal in every feature: in more dimensions its other parts are distributed otherwise, so those are not `WidenCuts`.
pub trait WidenCuts: CutDistribution {
    /// Gives parameters that have the same value for each feature that value for those that are new; nothing by default.
    fn widen_settings(settings: &mut Self::Settings, features: usize) {
        let _ = (settings, features);
    }

    /// From now on points have `features` numbers, more than before; those that the tree holds have 0 for the new ones.
    fn widen(&mut self, features: usize);
}

impl<D: WidenCuts, L: LabelModel> WidenTree for TessellationTree<D, L> {
    fn widen_settings(settings: &mut Self::Settings, features: usize) {
        D::widen_settings(&mut settings.cuts, features);
    }

    fn widen(&mut self, features: usize, _: &ForestContext<'_, Self>) {
        self.structure.cuts.widen(features);
        self.structure.cache.clear();
        self.labels.widen(features);
    }
}
