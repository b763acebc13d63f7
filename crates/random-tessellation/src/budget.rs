//! How far trees are cut by default, with a budget that grows.

use tessellation_tree::{Budget, LabelSettings, TessellationSettings};

use crate::CutNormals;
use crate::directions::segment_mass;

/// How often a segment of length 1 along an axis is cut under the default schedule, at the first sample.
///
/// The theory leaves it open; what 8 gives is best or nearly so on most sets, as for the other families.
pub(crate) const AXIS_CUTS: f64 = 8.0;

impl CutNormals {
    /// Returns the default for the scale c of the schedule τₙ = c·n^(1/(d+2)), for points of `features` numbers: 8 where the mass of a
    /// segment along an axis is its length ([`CutNormals::Sparse`]), and 8/c_d where that of a ball is its radius (the
    /// others), so that a segment of length 1 is cut as often.
    ///
    /// Finite directions with few features each are cut more seldom, and want a larger c.
    pub fn budget_scale(&self, features: usize) -> f64 {
        match self {
            Self::Sparse(_) => AXIS_CUTS,
            Self::Uniform | Self::Weighted(_) | Self::Finite(_) => {
                AXIS_CUTS / segment_mass(features)
            }
        }
    }
}

/// Returns the settings with a budget that grows with the number of samples, c·n^(1/(d+2)) for points of `features`
/// dimensions (Mourtada, Gaïffas, Scornet 2017), with the default for c ([`CutNormals::budget_scale`]).
pub fn increasing<L: LabelSettings>(
    normals: CutNormals,
    features: usize,
) -> TessellationSettings<CutNormals, L> {
    TessellationSettings {
        budget: Budget::minimax(normals.budget_scale(features), features),
        cuts: normals,
        ..TessellationSettings::default()
    }
}
