//! What a node pays for its first sample.

use serde::{Deserialize, Serialize};

/// κ, the share of the loss on its first sample that a node pays; it is predicted by the nearest node above that has samples.
///
/// With κ = 0, as in the authors' code, leaves of one sample are free, and the pruning that keeps them all outweighs any
/// smoother one where labels have more entropy than ln 2 / η. With κ = 1 the mixture is the best for one tree, but not for
/// a forest whose trees have different neighbours in the leaf of a point: their mean removes the noise of single samples.
///
/// Saved as a number, as it was when there were only shares: −1 is [`ByFeatures`](Self::ByFeatures).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "f64", into = "f64")]
pub enum FirstLoss {
    /// 1/d for d features. With one feature a point has the same neighbours in every tree, so a forest is
    /// like one tree; the more features cuts are drawn from, the more the trees differ.
    ByFeatures,
    /// This share, from 0 to 1.
    Share(f64),
}

impl FirstLoss {
    #[inline]
    pub(super) fn share(self, features: usize) -> f64 {
        match self {
            Self::ByFeatures => 1.0 / features as f64,
            Self::Share(share) => share,
        }
    }
}

const SAVED_BY_FEATURES: f64 = -1.0;

impl From<f64> for FirstLoss {
    fn from(saved: f64) -> Self {
        if saved == SAVED_BY_FEATURES {
            Self::ByFeatures
        } else {
            Self::Share(saved)
        }
    }
}

impl From<FirstLoss> for f64 {
    fn from(first_loss: FirstLoss) -> Self {
        match first_loss {
            FirstLoss::ByFeatures => SAVED_BY_FEATURES,
            FirstLoss::Share(share) => share,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_features_it_is_one_over_their_number() {
        assert_eq!(
            [1, 2, 8].map(|d| FirstLoss::ByFeatures.share(d)),
            [1.0, 0.5, 0.125]
        );
        assert_eq!(FirstLoss::Share(0.3).share(8), 0.3);
    }

    #[test]
    fn what_is_saved_comes_back() {
        for first_loss in [FirstLoss::ByFeatures, FirstLoss::Share(0.25)] {
            assert_eq!(FirstLoss::from(f64::from(first_loss)), first_loss);
        }
    }
}
