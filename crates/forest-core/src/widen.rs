//! More features in the middle of a stream.

use crate::{ForestContext, OnlineLearner, OnlineTree, SettingError};

/// Learners that can continue with samples of more features.
pub trait Widen: OnlineLearner {
    /// From now on samples have `features` numbers each, as many as before or more. The samples learned so far have 0 for the new
    /// ones, which come last.
    ///
    /// Trees then have the distribution of those that were built for `features` numbers with the same settings and have learned those
    /// zeros; those of lazy dynamic trees follow as their cuts are chosen again. Settings are unchanged: a default that depended on the number of features is not chosen again. Whatever predictions derive
    /// from the number of features follows the new number, for nodes that are made from now on at least.
    ///
    /// `O(samples · features)`, and the boxes that trees keep.
    ///
    /// # Errors
    /// Fewer features than before, or a setting that has another value for each feature; then nothing changes.
    fn widen(&mut self, features: usize) -> Result<(), SettingError>;
}

/// Trees whose distribution does not depend on a feature that does not vary, or that can be built of their samples again: they can continue with more features.
pub trait WidenTree: OnlineTree {
    /// Gives settings that have the same value for each feature that value for those that are new.
    fn widen_settings(settings: &mut Self::Settings, features: usize);

    /// From now on samples have `features` numbers, more than before; those learned so far have 0 for the new ones.
    fn widen(&mut self, features: usize, context: &ForestContext<'_, Self>);
}
