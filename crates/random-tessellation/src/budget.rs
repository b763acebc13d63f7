//! How far trees are cut by default, with a budget that grows.

use tessellation_tree::{Budget, LabelSettings, TessellationSettings};

use crate::CutNormals;
use crate::directions::segment_mass;

/// How often a segment of length 1 along an axis is cut under the default schedule, at the first sample.
///
/// The theory leaves it open; what 8 gives is best or nearly so on most sets, as for the other families.
pub(crate) const AXIS_CUTS: f64 = 8.0;

/// Returns the default for the scale c of the schedule τₙ = c·n^(1/(d+2)), for points of `features` numbers: 8/c_d, so that a segment of
/// length 1 is cut as often as along an axis.
pub(crate) fn budget_scale(features: usize) -> f64 {
    AXIS_CUTS / segment_mass(features)
}

/// Returns the settings with a budget that grows with the number of samples, c·n^(1/(d+2)) for points of `features`
/// dimensions (Mourtada, Gaïffas, Scornet 2017), with the default for c: 8/c_d, so that a segment of length 1 is cut as often as
/// along an axis.
pub fn increasing<L: LabelSettings>(
    normals: CutNormals,
    features: usize,
) -> TessellationSettings<CutNormals, L> {
    TessellationSettings {
        budget: Budget::minimax(budget_scale(features), features),
        cuts: normals,
        ..TessellationSettings::default()
    }
}
