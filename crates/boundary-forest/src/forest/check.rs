//! What must hold of a forest.

use forest_core::{InputError, InvariantError, SettingError};

use super::BoundaryForest;
use crate::settings::Settings;
use crate::{Metric, Problem, Samples};

impl<P: Problem, M: Metric> BoundaryForest<P, M> {
    /// Whether `rows` more samples fit: a forest stores at most 2³⁰.
    ///
    /// # Errors
    /// [`InputError::StoreFull`].
    pub fn check_room(&self, rows: usize) -> Result<(), InputError> {
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
        self.settings.check().map_err(rule)?;
        let seeded = !self.trees.is_empty();
        InvariantError::unless(seeded, || "forest", || "it has no trees")?;
        self.samples.check(&self.schema)?;
        self.check_trees()
    }

    fn check_trees(&self) -> Result<(), InvariantError> {
        let waiting = self.trees.iter().filter(|tree| tree.is_waiting()).count();
        let together = waiting == 0 || waiting == self.trees.len();
        InvariantError::unless(together, || "forest", || "only some trees have a root")?;
        let inserted = self.samples.len().checked_sub(self.pending());
        let what = || "fewer are stored than wait to be inserted";
        let inserted = inserted.ok_or_else(|| InvariantError::new("samples", what()))?;
        for (index, tree) in self.trees.iter().enumerate() {
            let place = |error: InvariantError| {
                InvariantError::new(format!("tree {index}, {}", error.place), error.what)
            };
            tree.check(index, self.trees.len(), inserted, self.context())
                .map_err(place)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use forest_core::ForestSettings;

    use crate::{Euclidean, PointSchema, Retriever, RetrieverSettings};

    #[test]
    fn a_forest_has_room_for_as_many_samples_as_a_tree_for_nodes() {
        let (schema, settings) = (PointSchema::new(1).unwrap(), RetrieverSettings::default());
        let mut forest = Retriever::<Euclidean>::new(
            schema,
            settings,
            ForestSettings {
                trees: 2,
                seed: 1,
                ..ForestSettings::default()
            },
        )
        .unwrap();
        assert!(forest.check_room(1 << 30).is_ok());
        forest.learn_one(&[0.0]).unwrap();
        let error = forest.check_room(1 << 30).unwrap_err().to_string();
        assert!(error.contains(&(1 << 30).to_string()), "{error}");
    }
}
