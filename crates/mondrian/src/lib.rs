//! Mondrian forests: axis-aligned cuts on the online tessellation tree.
//!
//! # The measure
//!
//! A cut picks a dimension and a place on it. The mass of the cuts that hit a set of points is
//! Λ(S) = Σᵢ extentᵢ, the summed side lengths of its bounding box; a new point adds
//! ΔΛ = Σᵢ max(xᵢ − uᵢ, 0) + max(lᵢ − xᵢ, 0). So the hull summary is a box ([`AxisMeasure`]), the
//! dimension of a cut is drawn in proportion to the extents, and its place uniformly. Weighting
//! dimensions is the same as scaling the features.
//!
//! # The forests
//!
//! | configuration | settings | paper |
//! |---|---|---|
//! | fixed budget | [`fixed`] | Lakshminarayanan, Roy, Teh: *Mondrian forests: efficient online random forests*, NIPS 2014 |
//! | increasing budget | [`increasing`] | Mourtada, Gaïffas, Scornet: *Universal consistency and minimax rates for online Mondrian forests*, NIPS 2017 |
//!
//! Both predict with the empirical label model: class frequencies or means of leaves.
//!
//! | paper | here |
//! |---|---|
//! | λ, lifetime | [`Budget`] |
//! | paused leaf | [`Pause::WhileLabelsAgree`] |
//! | B^x_j, the box of a block's data | [`AxisMeasure`] |
//!
//! # Deviations
//!
//! - 2014 smooths labels hierarchically along the path; here a leaf predicts alone.
//! - 2014 regrows a paused leaf from all its points; here the leaf is exposed from its birth, which
//!   has the same law.
//!
//! # Cost
//!
//! Learning a sample costs `O(d)` per level, predicting `O(1)` per level; a node takes 32 bytes and
//! its box 8d.
//!
//! # Example
//!
//! ```
//! use forest_core::{OnlineLearner, Schema};
//! use mondrian::MondrianClassifier;
//!
//! let mut forest = MondrianClassifier::new(Schema::new(1)?, mondrian::fixed(f64::INFINITY), 10, 42)?;
//! for i in 0..100 {
//!     let x = i as f32 / 100.0;
//!     forest.learn_one(&[x], u32::from(x > 0.5))?;
//! }
//! assert_eq!(forest.predict_one(&[0.9])?, [0.0, 1.0]);
//! assert_eq!(forest.predict_one(&[0.1])?, [1.0, 0.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod axis;

use forest_core::Forest;
use tessellation_tree::{
    Budget, ClassFrequencies, LeafMeans, Pause, TessellationSettings, TessellationTree,
};

pub use axis::{AxisCut, AxisMeasure};

/// A Mondrian tree with label model `L`.
pub type MondrianTree<L> = TessellationTree<AxisMeasure, L>;

/// A Mondrian forest that predicts class frequencies.
pub type MondrianClassifier = Forest<MondrianTree<ClassFrequencies>>;

/// A Mondrian forest that predicts means.
pub type MondrianRegressor = Forest<MondrianTree<LeafMeans>>;

/// Settings of a Mondrian forest; the axis measure has no parameters.
pub type MondrianSettings = TessellationSettings<()>;

/// The forest of 2014: a fixed budget (lifetime), infinite for fully grown trees, and leaves that
/// are not cut while their labels agree.
pub fn fixed(budget: f64) -> MondrianSettings {
    MondrianSettings {
        budget: Budget::Fixed(budget),
        pause: Pause::WhileLabelsAgree,
        ..MondrianSettings::default()
    }
}

/// The scale of an increasing budget unless told otherwise: c in τₙ = c·n^(1/(d+2)).
///
/// The theory leaves it open; 8 is best or within a few percent on fourteen sets (docs/results/budget-scale).
pub const BUDGET_SCALE: f64 = 8.0;

/// The forest of 2017: the budget `scale`·n^(1/(d+2)) for points of `features` dimensions.
pub fn increasing(scale: f64, features: usize) -> MondrianSettings {
    let budget = Budget::minimax(scale, features);
    MondrianSettings {
        budget,
        ..MondrianSettings::default()
    }
}
