//! Learners that know which algorithm they are.

use forest_core::{
    Forest, InvariantError, OnlineLearner, OnlineTree, SampleId, SettingError, Settings, Task,
};

use crate::Algorithm;

/// A learner that knows which algorithm it is.
pub trait Named: OnlineLearner {
    /// The algorithm, every parameter stated as the learner's settings have it. Planted again with
    /// the same schema, trees and seed, it gives the same learner.
    fn algorithm(&self) -> Algorithm;

    /// Number of trees; 0 for a baseline, which has none.
    fn trees(&self) -> usize;

    /// Checks what planting and the door have checked of every learner that was not decoded: that
    /// the settings keep their rules, and that stored samples are such as the schema lets in.
    ///
    /// # Errors
    /// What does not hold, and where.
    fn check_origin(&self) -> Result<(), InvariantError>;
}

/// A tree whose forest can tell which algorithm it is, from its settings alone.
pub(crate) trait NamedTree: OnlineTree {
    /// The configuration, every parameter stated as `settings` have it.
    fn algorithm(settings: &Self::Settings) -> Algorithm;
}

impl<K: NamedTree> Named for Forest<K> {
    fn algorithm(&self) -> Algorithm {
        K::algorithm(self.settings())
    }

    fn trees(&self) -> usize {
        self.trees().len()
    }

    fn check_origin(&self) -> Result<(), InvariantError> {
        let rule = |error: SettingError| InvariantError::new("settings", error);
        self.settings().check(self.schema()).map_err(rule)?;
        let trees = self.trees().len();
        InvariantError::unless(trees > 0, || "forest", || "it has no trees")?;
        check_samples(self)
    }
}

fn check_samples<K: OnlineTree>(forest: &Forest<K>) -> Result<(), InvariantError> {
    let (schema, samples) = (forest.schema(), forest.samples());
    let (width, features) = (samples.width(), schema.features());
    let what = || format!("samples have {width} features, the schema says {features}");
    InvariantError::unless(width == features, || "sample store", what)?;
    samples.check()?;
    let outputs = schema.outputs();
    for row in 0..samples.len() {
        let target = samples.target(SampleId::new(row));
        let refused = |error| InvariantError::new("sample store", error);
        K::Task::check(&outputs, target, row).map_err(refused)?;
        let known = K::Task::admit(outputs, target) == outputs;
        let what = || format!("the target of sample {row} is not known to the schema");
        InvariantError::unless(known, || "sample store", what)?;
    }
    Ok(())
}
