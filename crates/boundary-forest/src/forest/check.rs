//! What must hold of a forest.

use forest_core::registry::Declared as _;
use forest_core::{InputError, InvariantError, SettingError};

use super::BoundaryForest;
use crate::{BoundaryTree, Metric, Problem, Samples};

impl<P: Problem, M: Metric> BoundaryForest<P, M> {
    /// Returns whether `rows` more samples fit: a forest stores at most 2³⁰.
    pub(crate) fn check_room(&self, rows: usize) -> Result<(), InputError> {
        let (stored, limit) = (self.samples.len(), Samples::<P, M>::LIMIT);
        if rows <= limit - stored {
            return Ok(());
        }
        Err(InputError::StoreFull {
            rows,
            stored,
            limit,
        })
    }

    /// Checks that the forest's data do not contradict themselves: after every insert in tests, and
    /// after a forest has been read. Costs a pass over everything held.
    ///
    /// # Errors
    /// What does not hold, and where.
    pub fn check_invariants(&self) -> Result<(), InvariantError> {
        let rule = |error: SettingError| InvariantError::new("settings", error);
        P::check_schema(&self.schema).map_err(rule)?;
        self.settings.check_rules().map_err(rule)?;
        let seeded = !self.trees.is_empty();
        InvariantError::require(seeded, "forest", "it has no trees")?;
        self.samples.check(&self.schema)?;
        self.check_trees()
    }

    /// Either no tree has a root, and all samples are waiting for the first `n_T` to be complete; or
    /// every tree is sound and holds samples that were inserted.
    fn check_trees(&self) -> Result<(), InvariantError> {
        let stored = self.samples.len();
        let (sound, what) = if self.is_waiting() {
            (
                stored < self.trees.len() && self.seen == stored as u64,
                "its samples are not those that wait for the roots",
            )
        } else {
            (
                self.trees().all(|tree| !tree.is_empty()),
                "only some trees have a root",
            )
        };
        InvariantError::require(sound, "forest", what)?;
        for (index, tree) in self.trees().enumerate() {
            self.check_tree(tree, stored).map_err(|error| {
                InvariantError::new(format!("tree {index}, {}", error.place), error.what)
            })?;
        }
        Ok(())
    }

    /// Checks a tree, which may hold each of the `stored` samples once. Each relies on
    /// the ones before it.
    fn check_tree(&self, tree: &BoundaryTree, stored: usize) -> Result<(), InvariantError> {
        tree.check()?;
        let limit = self.settings.max_children;
        let mut held = vec![false; stored];
        for node in tree.nodes() {
            let sample = tree.sample(node);
            let index = sample.index();
            let new = held.get(index) == Some(&false);
            let what =
                format_args!("holds sample {index}, which is not inserted yet, or held twice");
            InvariantError::require(new, node, what)?;
            held[index] = true;
            let children = tree.children(node).len();
            let what = format_args!("has {children} children with a limit of {limit:?}");
            InvariantError::require(limit.allows(children), node, what)?;
            let corrects = tree.parent(node).is_none_or(|parent| {
                let parent = tree.sample(parent);
                self.samples.differ(sample, parent, self.settings.epsilon)
            });
            InvariantError::require(corrects, node, "does not correct its parent's label")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use forest_core::{ForestSettings, OnlineLearner, Schema};

    use crate::{
        BoundaryRegressor, Euclidean, PointSchema, RegressorSettings, Retriever, RetrieverSettings,
    };

    #[test]
    fn a_forest_has_room_for_as_many_samples_as_a_tree_for_nodes() {
        let (schema, settings) = (PointSchema::new(1).unwrap(), RetrieverSettings::default());
        let mut forest = Retriever::<Euclidean>::new(
            schema,
            settings,
            ForestSettings::default().with_trees(2).with_seed(1),
        )
        .unwrap();
        assert!(forest.check_room(1 << 30).is_ok());
        forest.learn_one(&[0.0]).unwrap();
        let error = forest.check_room(1 << 30).unwrap_err().to_string();
        assert!(error.contains(&(1 << 30).to_string()), "{error}");
    }

    #[test]
    fn a_learner_has_as_much_room_as_its_forest() {
        let (schema, settings) = (Schema::new(1).unwrap(), RegressorSettings::default());
        let forest =
            BoundaryRegressor::<Euclidean>::new(schema, settings, ForestSettings::default());
        let forest = forest.unwrap();
        assert!(OnlineLearner::check_room(&forest, 1 << 30).is_ok());
        assert!(OnlineLearner::check_room(&forest, (1 << 30) + 1).is_err());
    }
}
