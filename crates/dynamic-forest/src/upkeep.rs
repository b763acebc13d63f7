//! How a tree is kept as its batch tree: always, or up to a share of the samples.

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
    /// Up to this size choosing anew is cheaper than keeping statistics: `examples/cost.rs`.
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

    /// Whether a node of `count` samples keeps statistics.
    #[inline]
    pub(crate) fn counts_sides(self, count: usize) -> bool {
        matches!(self, Self::Exact(few) if count > few)
    }

    /// A leaf that has enough samples for a cut, and no cut that leaves enough on each side, is looked at again when their number is a
    /// multiple of this.
    #[inline]
    pub(crate) fn leaf_step(self, count: usize) -> usize {
        match self {
            Self::Exact(_) => 1,
            Self::Lazy(share) => ((share * count as f64 / 16.0) as usize).max(1),
        }
    }

    /// What a node without statistics watches, whose cut has just been chosen.
    #[inline]
    pub(crate) fn changes_until_recheck(self, count: usize) -> u32 {
        match self {
            Self::Exact(_) => Self::NO_STATISTICS,
            Self::Lazy(share) => (share * count as f64).ceil().max(1.0) as u32,
        }
    }
}
