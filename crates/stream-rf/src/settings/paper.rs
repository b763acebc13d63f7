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
        Self::with_paper_values(
            1.0,
            0.001,
            Growth {
                scale: 1.0,
                base: 1.1,
            },
            1000.0,
        )
    }

    /// Section 5.2, USPS: λ = 10, m = 10, τ = 0.1 nats, α(d) = 10·1.00001ᵈ, β(d) = 10⁴·α(d).
    pub fn usps() -> Self {
        Self::with_paper_values(
            10.0,
            0.1,
            Growth {
                scale: 10.0,
                base: 1.00001,
            },
            1e4,
        )
    }
}

impl StreamSettings<PixelPairs> {
    /// Section 5.3, Kinect: λ = 2000 pairs of offsets of variance 75, m = 10, τ = 0.01 nats,
    /// α(d) = 25·1.01ᵈ, β(d) = 4·α(d), 1000 active leaves.
    pub fn kinect() -> Self {
        Self {
            fringe: FringeLimit::AtMost(1000),
            ..Self::with_paper_values(
                2000.0,
                0.01,
                Growth {
                    scale: 25.0,
                    base: 1.01,
                },
                4.0,
            )
        }
    }
}

impl<S: FeatureSpace> StreamSettings<S> {
    /// Returns settings with λ, τ in nats, m = 10, α and β(d) = `ratio`·α(d); trees vote for one class, as
    /// in section 3.5.
    fn with_paper_values(lambda: f64, nats: f64, alpha: Growth, ratio: f64) -> Self {
        Self {
            lambda,
            m: 10,
            tau: nats * BITS_PER_NAT,
            alpha,
            beta: Growth {
                scale: ratio * alpha.scale,
                ..alpha
            },
            vote: Vote::Majority,
            ..Self::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// λ, m, τ in nats, α and β as scale and base.
    fn values<S: FeatureSpace>(of: &StreamSettings<S>) -> (f64, u32, f64, [f64; 2], [f64; 2]) {
        let nats = of.tau * std::f64::consts::LN_2;
        let growth = |growth: Growth| [growth.scale, growth.base];
        assert_eq!(of.vote, Vote::Majority);
        (
            of.lambda,
            of.m,
            (nats * 1e12).round() / 1e12,
            growth(of.alpha),
            growth(of.beta),
        )
    }

    #[test]
    fn the_values_are_those_of_section_5() {
        let mixture = StreamSettings::mixture_of_gaussians();
        assert_eq!(
            values(&mixture),
            (1.0, 10, 0.001, [1.0, 1.1], [1000.0, 1.1])
        );
        assert_eq!(mixture.fringe, FringeLimit::Unlimited);
        let usps = StreamSettings::usps();
        assert_eq!(
            values(&usps),
            (10.0, 10, 0.1, [10.0, 1.00001], [1e5, 1.00001])
        );
        assert_eq!(usps.fringe, FringeLimit::Unlimited);
        let kinect = StreamSettings::kinect();
        assert_eq!(
            values(&kinect),
            (2000.0, 10, 0.01, [25.0, 1.01], [100.0, 1.01])
        );
        assert_eq!(
            (kinect.fringe, kinect.features.variance),
            (FringeLimit::AtMost(1000), 75.0)
        );
    }
}
