//! What must hold of a forest.

use forest_core::{InputError, InvariantError, SettingError};

use super::BoundaryForest;
use crate::settings::Settings;
use crate::{Metric, Problem, Samples};

impl<P: Problem, M: Metric> BoundaryForest<P, M> {
    /// Whether `rows` more samples can be named.
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
        let planted = !self.trees.is_empty();
        InvariantError::unless(planted, || "forest", || "it has no trees")?;
        self.samples.check(&self.schema)?;
        self.check_trees()
    }

    fn check_trees(&self) -> Result<(), InvariantError> {
        let waiting = self.trees.iter().filter(|tree| tree.is_waiting()).count();
        let together = waiting == 0 || waiting == self.trees.len();
        InvariantError::unless(together, || "forest", || "only some trees have a root")?;
        for (index, tree) in self.trees.iter().enumerate() {
            let place = |error: InvariantError| {
                InvariantError::new(format!("tree {index}, {}", error.place), error.what)
            };
            tree.check(index, self.trees.len(), self.ground())
                .map_err(place)?;
        }
        Ok(())
    }
}
