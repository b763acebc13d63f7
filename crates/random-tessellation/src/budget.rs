//! How far trees are cut unless told otherwise.

use tessellation_tree::{Budget, CutDistribution, LabelSettings, TessellationSettings};

use crate::directions::segment_mass;
use crate::{DirectionCuts, PoleCuts, SparseCuts, UniformCuts, WeightedCuts};

/// How often a segment of length 1 along an axis is cut under the default schedule, at the first sample.
///
/// The theory leaves it open; what 8 gives is best or nearly so on most sets
/// (docs/results/random-tessellation/budget-scale.md), as for the other families.
const AXIS_CUTS: f64 = 8.0;

/// A distribution of cuts with a default for the scale c of the schedule τₙ = c·n^(1/(d+2)).
pub trait DefaultScale: CutDistribution {
    /// The formula of the default.
    const TEXT: &'static str;

    /// c for points of `features` numbers.
    fn scale(features: usize) -> f64;
}

/// Where the mass of a ball is its radius, that of a segment of length 1 is c_d.
macro_rules! ball_has_mass_of_its_radius {
    ($($cuts:ty),*) => {$(
        impl DefaultScale for $cuts {
            const TEXT: &'static str = "8/c_d";

            fn scale(features: usize) -> f64 {
                AXIS_CUTS / segment_mass(features)
            }
        }
    )*};
}

/// Where the mass of a segment along an axis is its length, as for the Mondrian process.
macro_rules! axis_segment_has_mass_of_its_length {
    ($($cuts:ty),*) => {$(
        impl DefaultScale for $cuts {
            const TEXT: &'static str = "8";

            fn scale(_: usize) -> f64 {
                AXIS_CUTS
            }
        }
    )*};
}

ball_has_mass_of_its_radius!(UniformCuts, WeightedCuts, DirectionCuts);
axis_segment_has_mass_of_its_length!(SparseCuts, PoleCuts);

/// Settings with a budget that grows with the number of samples, c·n^(1/(d+2)) for points of `features`
/// dimensions (Mourtada, Gaïffas, Scornet 2017), with the default for c.
///
/// c is 8 where the mass of a segment along an axis is its length ([`SparseCuts`], [`PoleCuts`]), and
/// 8/c_d where that of a ball is its radius (the others), so that a segment of length 1 is cut as often.
/// [`DirectionCuts`] with few features a direction are cut more seldom, and want a larger c.
pub fn increasing<D: DefaultScale, L: LabelSettings>(
    features: usize,
) -> TessellationSettings<D::Settings, L> {
    TessellationSettings {
        budget: Budget::minimax(D::scale(features), features),
        ..TessellationSettings::default()
    }
}
