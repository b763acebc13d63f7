//! How closely a tree follows its batch tree: exactly, or up to a share of the samples.

use crate::DynamicSettings;

/// See [`DynamicSettings::recheck`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Upkeep {
    /// Every node is as in the batch tree. Nodes of more samples than this keep statistics of their candidates; the cuts of
    /// others are chosen again whenever a sample comes or goes.
    Exact(usize),
    /// A cut is chosen again once this share of its samples has come or gone.
    Lazy(f64),
}

impl Upkeep {
    /// Up to this size choosing the cut again is cheaper than keeping statistics, as measured.
    const FEW: usize = 32;

    /// The statistics of a node that has none.
    pub(crate) const NO_STATISTICS: u32 = u32::MAX;

    pub(crate) fn new(settings: &DynamicSettings) -> Self {
        if settings.recheck > 0.0 {
            Self::Lazy(settings.recheck)
        } else {
            Self::Exact(Self::FEW.max(settings.fewest_to_cut()))
        }
    }

    pub(crate) fn is_exact(self) -> bool {
        matches!(self, Self::Exact(_))
    }

    /// Returns whether a node of `count` samples keeps statistics.
    #[inline]
    pub(crate) fn counts_sides(self, count: usize) -> bool {
        matches!(self, Self::Exact(few) if count > few)
    }

    /// A leaf that has enough samples for a cut, and no cut that leaves enough on each side, is reconsidered when their number is a
    /// multiple of this.
    #[inline]
    pub(crate) fn leaf_step(self, count: usize) -> usize {
        match self {
            Self::Exact(_) => 1,
            Self::Lazy(share) => ((share * count as f64 / 16.0) as usize).max(1),
        }
    }

    /// Returns what a node without statistics watches, whose cut has just been chosen.
    #[inline]
    pub(crate) fn changes_until_recheck(self, count: usize) -> u32 {
        match self {
            Self::Exact(_) => Self::NO_STATISTICS,
            Self::Lazy(share) => (share * count as f64).ceil().max(1.0) as u32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lazy(recheck: f64) -> Upkeep {
        Upkeep::new(&DynamicSettings {
            recheck,
            ..DynamicSettings::default()
        })
    }

    /// ε·n changes, rounded up, and at least one.
    #[test]
    fn a_lazy_cut_is_chosen_again_after_its_share_of_changes() {
        for (recheck, count, changes) in [
            (0.5, 100, 50),
            (0.25, 10, 3),
            (0.1, 1000, 100),
            (1.0, 7, 7),
            (1e-9, 5, 1),
        ] {
            let found = lazy(recheck).changes_until_recheck(count);
            assert_eq!(found, changes, "{recheck} of {count}");
        }
        let exact = lazy(0.0).changes_until_recheck(100);
        assert_eq!(exact, Upkeep::NO_STATISTICS);
    }

    /// A sixteenth of that share, rounded down.
    #[test]
    fn a_leaf_without_a_cut_is_looked_at_again_more_often() {
        assert_eq!(lazy(0.5).leaf_step(320), 10);
        assert_eq!(lazy(0.25).leaf_step(320), 5);
        assert_eq!(lazy(0.5).leaf_step(3), 1);
        assert_eq!(lazy(0.0).leaf_step(320), 1);
    }
}
