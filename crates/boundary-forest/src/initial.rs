//! The first `n_T` points, which every tree waits for: Algorithm 2, `BFInitialization`.

use forest_core::{InvariantError, SampleId, TreeRng};
use serde::{Deserialize, Serialize};

/// The first points of the stream as tree number `own` sees them: as many as there are trees.
///
/// They are the first samples stored, and none is ever dropped, since each is the root of a tree:
/// their names are `0..needed` from their arrival on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

    /// Whether all have arrived, and so the tree has its root.
    pub(crate) fn are_complete(&self) -> bool {
        self.arrived == self.needed
    }

    pub(crate) fn admit_one(&mut self) {
        self.arrived += 1;
    }

    /// Those that have arrived.
    pub(crate) fn arrived(&self) -> impl Iterator<Item = SampleId> {
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
    pub(crate) fn since(&self, first: SampleId) -> impl Iterator<Item = SampleId> {
        (first.index()..self.arrived).map(SampleId::new)
    }

    /// Checks the counts against the number of samples `stored`.
    ///
    /// # Errors
    /// No place for the root, or points that have arrived and are not stored (or the reverse).
    pub(crate) fn check(&self, stored: usize) -> Result<(), InvariantError> {
        let place = || "initial points";
        let rooted = || format!("no point {} among {}", self.own, self.needed);
        InvariantError::unless(self.own < self.needed, place, rooted)?;
        let agree = self.arrived == stored.min(self.needed);
        let counted = || format!("{} have arrived, {stored} samples are stored", self.arrived);
        InvariantError::unless(agree, place, counted)
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
        let check = |own, needed, arrived, stored| {
            let points = InitialPoints {
                own,
                needed,
                arrived,
            };
            points.check(stored).is_ok()
        };
        assert!(check(0, 1, 0, 0) && check(2, 3, 2, 2) && check(2, 3, 3, 9));
        assert!(
            !check(3, 3, 3, 9) && !check(0, 3, 4, 9) && !check(0, 3, 2, 1) && !check(0, 3, 2, 9)
        );
    }
}
