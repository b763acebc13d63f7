#![doc = include_str!("../README.md")]
//!
//! # The distribution of cuts
//!
//! A cut picks a feature and a place on it ([`AxisCuts`]). The mass of the cuts that separate two points is Λ({a, b}) =
//! Σᵢ ωᵢ·|aᵢ − bᵢ|, that of the cuts that hit a set of points is Σᵢ ωᵢ·extentᵢ. The feature is drawn in proportion to
//! its part of the sum, the place uniformly. The weights ωᵢ are 1 by default.
//!
//! # The forests
//!
//! | configuration | settings | paper |
//! |---|---|---|
//! | fixed budget | [`fixed`] | Lakshminarayanan, Roy, Teh: *Mondrian forests: efficient online random forests*, NIPS 2014 |
//! | class probabilities smoothed along the path | [`HierarchicalMondrianClassifier`], [`fixed`] | the same |
//! | means smoothed along the path, with variances | [`HierarchicalMondrianRegressor`], [`TessellationSettings::default`] | Lakshminarayanan, Roy, Teh: *Mondrian forests for large-scale regression when uncertainty matters*, AISTATS 2016 |
//! | increasing budget | [`increasing`] | Mourtada, Gaïffas, Scornet: *Universal consistency and minimax rates for online Mondrian forests*, NIPS 2017 |
//!
//! The others predict class frequencies or means of leaves. How predictions are smoothed: [`KneserNey`],
//! [`GaussianHierarchy`]. The papers' names beside those used here, and deviations: `docs/papers/mondrian.md`.
//!
//! # Cost
//!
//! Learning a sample costs `O(1)` per level and a few times `O(d)`, predicting `O(1)` per level. A sample takes about
//! 36 bytes a tree in any dimension if it is alone in its leaf, and its features once a forest.

mod axes;
mod named;

use forest_core::Forest;
use tessellation_tree::{Budget, Pause, TessellationTree};
use tessellation_tree::{ClassFrequencies, GaussianHierarchy, KneserNey, LeafMeans};

pub use forest_core::registry::snapshot;
/// What a user needs besides, so that one dependency is enough.
pub use forest_core::{Classification, ForestSettings, OnlineLearner, Regression, Schema, Vote};
pub use tessellation_tree::TessellationSettings;

pub use axes::{AxisCut, AxisCuts};
pub use named::{ALGORITHMS, AMF, MONDRIAN};

/// A Mondrian tree with label model `L`.
pub type MondrianTree<L> = TessellationTree<AxisCuts, L>;

/// A Mondrian forest that predicts class frequencies.
pub type MondrianClassifier = Forest<MondrianTree<ClassFrequencies>>;

/// A Mondrian forest that predicts means.
pub type MondrianRegressor = Forest<MondrianTree<LeafMeans>>;

/// The forest of 2014: class probabilities smoothed along the path.
pub type HierarchicalMondrianClassifier = Forest<MondrianTree<KneserNey>>;

/// The forest of 2016: means smoothed along the path, with variances.
pub type HierarchicalMondrianRegressor = Forest<MondrianTree<GaussianHierarchy>>;

/// Returns the forest of 2014: a fixed budget (lifetime), and leaves that are not cut while their labels agree.
pub fn fixed(budget: f64) -> TessellationSettings {
    TessellationSettings {
        budget: Budget::Fixed(budget),
        pause: Pause::WhileLabelsAgree,
        ..TessellationSettings::default()
    }
}

/// Returns the forest of 2017: the budget `scale`·n^(1/(d+2)); 8 is a good scale on most of thirteen sets.
pub fn increasing(scale: f64, features: usize) -> TessellationSettings {
    TessellationSettings {
        budget: Budget::minimax(scale, features),
        ..TessellationSettings::default()
    }
}
