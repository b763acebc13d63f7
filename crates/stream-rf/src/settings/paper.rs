//! The settings of the paper's three experiments (section 5).

use forest_core::Vote;

use super::limits::{FringeLimit, Growth};
use super::stream::StreamSettings;
use crate::features::{Axes, FeatureSpace, PixelPairs};

/// Bits in a nat: gains are in bits here; the code published with the paper has them in nats.
pub const BITS_PER_NAT: f64 = std::f64::consts::LOG2_E;

impl StreamSettings<Axes> {
    /// Section 5.1, the mixture of Gaussians: λ = 1, m = 10, τ = 0.001 nats, α(d) = 1.1ᵈ,
    /// β(d) = 1000·α(d).
    pub fn mixture_of_gaussians() -> Self {
        Self {
            lambda: 1.0,
            tau: 0.001 * BITS_PER_NAT,
            ..Self::with(10, 1.0, 1.1, 1000.0)
        }
    }

    /// Section 5.2, USPS: λ = 10, m = 10, τ = 0.1 nats, α(d) = 10·1.00001ᵈ, β(d) = 10⁴·α(d).
    pub fn usps() -> Self {
        Self {
            lambda: 10.0,
            tau: 0.1 * BITS_PER_NAT,
            ..Self::with(10, 10.0, 1.00001, 1e4)
        }
    }
}

impl StreamSettings<PixelPairs> {
    /// Section 5.3, Kinect: λ = 2000 pairs of offsets of variance 75, m = 10, τ = 0.01 nats,
    /// α(d) = 25·1.01ᵈ, β(d) = 4·α(d), 1000 active leaves.
    pub fn kinect() -> Self {
        Self {
            lambda: 2000.0,
            tau: 0.01 * BITS_PER_NAT,
            fringe: FringeLimit::AtMost(1000),
            ..Self::with(10, 25.0, 1.01, 4.0)
        }
    }
}

impl<S: FeatureSpace> StreamSettings<S> {
    /// m, α(d) = `alpha`·`base`ᵈ and β(d) = `ratio`·α(d); trees vote for one class, as in section 3.5.
    fn with(m: u32, alpha: f64, base: f64, ratio: f64) -> Self {
        let scale = alpha;
        Self {
            m,
            alpha: Growth { scale, base },
            beta: Growth {
                scale: ratio * scale,
                base,
            },
            vote: Vote::Majority,
            ..Self::default()
        }
    }
}
