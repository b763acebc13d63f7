//! Learners that know which algorithm they are.

use forest_core::{Forest, OnlineLearner, OnlineTree};

use crate::Algorithm;
use crate::algorithms::window_text;

/// A learner that knows which algorithm it is.
pub trait Named: OnlineLearner {
    /// The algorithm, every parameter stated as the learner's settings have it. Built again with
    /// the same schema, trees and seed, it gives the same learner.
    fn algorithm(&self) -> Algorithm;

    /// Number of trees; 0 for a baseline, which has none.
    fn trees(&self) -> usize;
}

/// A tree whose forest can tell which algorithm it is, from its settings alone.
pub(crate) trait NamedTree: OnlineTree {
    /// The configuration, every parameter stated as `settings` have it; `window` is the text of how
    /// many samples the forest remembers.
    fn algorithm(settings: &Self::Settings, window: String) -> Algorithm;
}

impl<K: NamedTree> Named for Forest<K> {
    fn algorithm(&self) -> Algorithm {
        K::algorithm(self.settings(), window_text(self))
    }

    fn trees(&self) -> usize {
        self.trees().len()
    }
}
