//! A tree that continues with more features.

use forest_core::{ForestContext, WidenTree};

use super::DynamicTree;
use crate::{DynamicSettings, Labels};

/// The number of candidates that is chosen by the task follows the number of features, and the order of a node's candidates is another one. So an exact tree
/// is built again, `O(n·K·log n)`; a lazy one keeps its cuts until they are reconsidered, with all features.
impl<T: Labels> WidenTree for DynamicTree<T> {
    fn widen_settings(_: &mut DynamicSettings, _: usize) {}

    fn widen(&mut self, _: usize, context: &ForestContext<'_, Self>) {
        if context.settings.recheck == 0.0 && !context.samples.is_empty() {
            *self = self.batch_tree(context.samples, context.settings);
        }
    }
}
