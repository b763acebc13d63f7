//! The first `n_T` points, which every tree waits for: Algorithm 2, `BFInitialization`.

use forest_core::{InvariantError, SampleId, TreeRng};
use serde::{Deserialize, Serialize};

/// The first points of the stream as tree number `own` sees them: as many as there are trees.
///
/// They are the first samples stored, and none is ever dropped, since each is the root of a tree:
/// their names are `0..needed` from their arrival on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct InitialPoints {
    own: usize,
    needed: usize,
    arrived: usize,
}

impl InitialPoints {
    pub(crate) fn of_tree(own: usize, trees: usize) -> Self {
        Self {
            own,
            needed: trees,
            arrived: 0,
        }
    }

    /// For a tree that has seen all data in an order of its own: it waits for nothing.
    pub(crate) fn none() -> Self {
        Self {
            own: 0,
            needed: 0,
            arrived: 0,
        }
    }

    /// Whether all have arrived, and so the tree has its root.
    pub(crate) fn are_complete(&self) -> bool {
        self.arrived == self.needed
    }

    pub(crate) fn admit_one(&mut self) {
        self.arrived += 1;
    }

    /// Those that have arrived.
    pub(crate) fn arrived(&self) -> impl Iterator<Item = SampleId> + use<> {
        (0..self.arrived).map(SampleId::new)
    }

    /// Point `own`, the root of tree `own`: no two trees share one.
    pub(crate) fn root(&self) -> SampleId {
        SampleId::new(self.own)
    }

    /// All but the root, in the tree's own random order.
    pub(crate) fn others(&self, rng: &mut TreeRng) -> Vec<SampleId> {
        let mut others: Vec<_> = self.arrived().filter(|id| *id != self.root()).collect();
        rng.shuffle(&mut others);
        others
    }

    /// Those named `first` or later.
    pub(crate) fn since(&self, first: SampleId) -> impl Iterator<Item = SampleId> + use<> {
        (first.index()..self.arrived).map(SampleId::new)
    }

    /// Checks them against those of tree `own` in a forest of `trees` with `stored` samples.
    ///
    /// # Errors
    /// Another tree's place or count, or points that have arrived and are not stored (or the reverse).
    pub(crate) fn check(
        &self,
        own: usize,
        trees: usize,
        stored: usize,
    ) -> Result<(), InvariantError> {
        let arrived = stored.min(trees);
        let expected = Self {
            own,
            needed: trees,
            arrived,
        };
        let sound = [expected, Self::none()].contains(self);
        let what = || format!("are {self:?} instead of {expected:?}");
        InvariantError::unless(sound, || "initial points", what)
    }

    /// Whether `root` is the root that the tree must have now.
    pub(crate) fn allow_root(&self, root: Option<SampleId>) -> bool {
        match root {
            None => !self.are_complete(),
            Some(root) => self.are_complete() && (self.needed == 0 || root == self.root()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complete(own: usize, trees: usize) -> InitialPoints {
        let mut points = InitialPoints::of_tree(own, trees);
        (0..trees).for_each(|_| points.admit_one());
        points
    }

    #[test]
    fn others_are_all_but_the_root_each_once() {
        let mut others = complete(3, 8).others(&mut TreeRng::new(1, 3));
        others.sort();
        let expected = [0, 1, 2, 4, 5, 6, 7].map(SampleId::new);
        assert_eq!(others, expected);
    }

    #[test]
    fn altered_counts_are_refused() {
        let check = |own, needed, arrived| {
            let points = InitialPoints {
                own,
                needed,
                arrived,
            };
            points.check(2, 5, 3).is_ok()
        };
        assert!(check(2, 5, 3) && check(0, 0, 0));
        assert!(!check(1, 5, 3) && !check(2, 4, 3) && !check(2, 5, 2) && !check(0, 0, 3));
    }
}
