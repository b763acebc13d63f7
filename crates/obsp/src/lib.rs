//! Online BSP-Forests: cuts oblique in a pair of axes, on the online tessellation tree.
//!
//! Fan, Li, Sisson: *Online binary space partitioning forests*, AISTATS 2020. A cut chooses two features and a line in
//! their plane; all other features run along it. This crate is the distribution of such cuts, [`PairCuts`]. The paper's
//! names beside those used here, and deviations with reasons: `docs/papers/online-bsp-forest.md`.
//!
//! # The distribution
//!
//! The mass of the lines that hit a convex polygon is its perimeter, and that of the lines that separate two points is
//! twice their distance. The normal n of such a line has the density |⟨n, u⟩|, where u is the direction from one point
//! to the other, so the sine of the angle between them is uniform; and the line crosses the segment at a uniform place.
//! In d dimensions a cut separates two points in the plane of its two axes, and Λ({a, b}) = 2s·Σ_{i<j} √(δᵢ² + δⱼ²).
//!
//! A single feature is paired with an axis on which every point is 0: Λ({a, b}) = 2s·|δ|, which with s = ½ is the
//! Mondrian process on a line.
//!
//! # Cost
//!
//! Learning a sample costs `O(1)` a level and a few times `O(d)`, a prediction `O(1)` a level. A sample takes about 63
//! bytes a tree in any dimension if it is alone in its leaf, and its features once a forest.
//!
//! # Example
//!
//! ```
//! use obsp::{BspClassifier, ForestSettings, OnlineLearner, Schema};
//!
//! let trees = ForestSettings::default().with_trees(20).with_seed(42);
//! let mut forest = BspClassifier::new(Schema::new(2)?, obsp::fixed(f64::INFINITY), trees)?;
//! for i in 0..400 {
//!     let x = [(i % 20) as f32 / 20.0, (i / 20) as f32 / 20.0];
//!     forest.learn_one(&x, u32::from(x[0] > x[1]))?;
//! }
//! let p = forest.predict_one(&[0.8, 0.3])?;
//! assert!(p[1] > 0.9, "below the diagonal: {p:?}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cuts;
mod named;

use forest_core::Forest;
use tessellation_tree::{Budget, ClassFrequencies, LeafMeans, TessellationTree};

pub use forest_core::registry::snapshot;
/// What a user needs besides, so that one dependency is enough.
pub use forest_core::{Classification, ForestSettings, OnlineLearner, Regression, Schema, Vote};
pub use tessellation_tree::{TessellationSettings, Update};

pub use cuts::{PairCut, PairCuts};
pub use named::{ALGORITHMS, OBSP};

/// A BSP tree with label model `L`.
pub type BspTree<L> = TessellationTree<PairCuts, L>;

/// A BSP-Forest that predicts class frequencies.
pub type BspClassifier = Forest<BspTree<ClassFrequencies>>;

/// A BSP-Forest that predicts means.
pub type BspRegressor = Forest<BspTree<LeafMeans>>;

/// Returns the online BSP-Forest with the distribution it claims: the conditional update, budget τₙ =
/// `scale`·n^(1/(d+2)) for points of `features` dimensions, s = ½, at most 3 points uncut (Alg. 4, line 3). The paper's
/// scale 1 is coarse under the exact distribution; 8 is best or within a few percent on fourteen sets.
pub fn exact(scale: f64, features: usize) -> TessellationSettings {
    TessellationSettings {
        budget: Budget::minimax(scale, features),
        ..fixed(0.0)
    }
}

/// Returns the same with a fixed budget, infinite for fully grown trees.
pub fn fixed(budget: f64) -> TessellationSettings {
    TessellationSettings {
        budget: Budget::Fixed(budget),
        max_uncut: 3,
        ..TessellationSettings::default()
    }
}
