//! Random tessellation forests: cuts of any direction, on the online tessellation tree.
//!
//! Ge, Wang, Teh, Wang, Elliott: *Random tessellation forests*, NeurIPS 2019, draw cuts with any distribution of
//! directions, in a batch. Here they grow online, which that paper names as future work. The paper's own forest, whose
//! cuts are chosen by labels, is in [`batch`].
//!
//! # The distributions
//!
//! | cuts, and the distribution of their normals | normals | paper | name in comparisons |
//! |---|---|---|---|
//! | [`LinearCuts`] | uniform on the sphere | uRTF | `urtf` |
//! | [`LinearCuts`] with [weights](tessellation_tree::CutSettings::weights) | nᵢ ~ N(0, ωᵢ²), normalised | wuRTF | `wurtf` |
//! | [`mondrian::AxisCuts`] | along the axes, in proportion to weights | MRTF, wMRTF | `mrtf`, `wmrtf` |
//!
//! Λ is scaled as in Ge et al., so that the mass of a ball is its radius: for uniform directions Λ({a, b}) = c_d·|a −
//! b| with c_d = Γ(d/2)/(2√π·Γ((d+1)/2)). All draws are exact.
//!
//! # Cost
//!
//! A candidate costs `O(d)` and d normal numbers, a side test `O(d)`, and every cut takes 4d bytes. The paper's names
//! beside those used here, and deviations with reasons: `docs/papers/random-tessellation-forest.md`.
//!
//! # Example
//!
//! ```
//! use random_tessellation::{
//!     Classifier, ForestSettings, LinearCuts, OnlineLearner, Schema, TessellationSettings,
//! };
//!
//! let settings = TessellationSettings::default();
//! let trees = ForestSettings::default().with_trees(20).with_seed(42);
//! let mut forest = Classifier::<LinearCuts>::new(Schema::new(2)?, settings, trees)?;
//! for i in 0..400 {
//!     let x = [(i % 20) as f32 / 20.0, (i / 20) as f32 / 20.0];
//!     forest.learn_one(&x, u32::from(x[0] > x[1]))?;
//! }
//! assert!(forest.predict_one(&[0.9, 0.1])?[1] > 0.9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod batch;
mod directions;
mod linear;
mod mixture;
mod named;

use forest_core::Forest;
use tessellation_tree::{ClassFrequencies, LeafMeans, TessellationTree};

pub use forest_core::registry::snapshot;
/// What a user needs besides, so that one dependency is enough.
pub use forest_core::{Classification, ForestSettings, OnlineLearner, Regression, Schema, Vote};
pub use tessellation_tree::{Budget, CutDistribution, CutSettings, Pause, TessellationSettings};

pub use linear::{LinearCut, LinearCuts};
pub use named::{ALGORITHMS, URTF};

/// A forest with distribution of cuts `D` that predicts class frequencies.
pub type Classifier<D> = Forest<TessellationTree<D, ClassFrequencies>>;

/// A forest with distribution of cuts `D` that predicts means.
pub type Regressor<D> = Forest<TessellationTree<D, LeafMeans>>;
