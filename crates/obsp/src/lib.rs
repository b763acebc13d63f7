//! Online BSP-Forests: cuts oblique in a pair of axes, on the online tessellation tree.
//!
//! Fan, Li, Sisson: *Online binary space partitioning forests*, AISTATS 2020. A cut chooses two
//! features and a line in their plane; all other features run along it. This crate is the measure
//! on such cuts, [`PairMeasure`]; the tree that it drives is
//! [`TessellationTree`].
//!
//! # Notation
//!
//! | paper | here |
//! |---|---|
//! | s, rate per unit of perimeter: 1 in Algorithms 2 to 6, ½ in the experiments | [`PairSettings::rate`] |
//! | (d₁, d₂), pair of dimensions | [`Axes`] |
//! | conv(Π(X)), hull of the projected points | [`PairMeasure::polygon`] |
//! | L, its perimeter: a segment counts twice, a point is 0 | [`PairMeasure::perimeter`] |
//! | Σ L, rate of the cuts of a node | [`PairMeasure::mass`], Λ(S) = s·Σ_{i<j} ω_ij·L |
//! | ΔL, Alg. 4, line 10 | [`PairMeasure::growth`], ΔΛ |
//! | (d₁, d₂, θ, u), a cut | [`PairCut`] |
//! | τ, τₙ = c·n^(1/(d+2)) | [`Budget`](tessellation_tree::Budget) |
//! | Algorithms 1, 2 and 5, the BSP-Tree process of some points | [`TessellationTree::batch`] |
//! | the same process on a window | [`cells`] |
//! | Algorithms 3 and 4, the online tree | [`BspTree`], by the [`exact`] update or as printed, [`redraw`] |
//! | Algorithm 6, a cut that does not cross the old hull | [`CutMeasure::first_separating`](tessellation_tree::CutMeasure::first_separating) |
//!
//! # The measure
//!
//! A line of the plane that hits a convex polygon meets its boundary twice. In the place where it
//! enters and the angle ψ at which it does, the invariant measure of lines is sin ψ ds dψ: so the
//! mass of the lines that hit is the perimeter L, and one of them is drawn by a point uniform on
//! the boundary and cos ψ uniform on (−1, 1).
//!
//! A point x outside makes the perimeter longer by ΔL = |a − x| + |x − b| − arc, where a and b are
//! the tangent points and the arc between them is what x sees. That is the mass of the lines that
//! separate x from the polygon. Sorted by the corner v that such a line meets last when it is
//! pushed away from x, they fall into one piece a corner of the arc; within a piece the sine of the
//! angle between the line's normal and x − v is uniform, and the line crosses the segment from v to
//! x at a uniform place. Both draws are exact, without rejection or integration.
//!
//! With one feature there is no pair. The feature is then paired with an axis on which every point
//! is 0: Λ(S) is s·2·length, the two points' law exp(−t·2s·Σ_{i<j}√(δᵢ² + δⱼ²)) reads
//! exp(−t·2s·|δ|), and with s = ½ it is the Mondrian process on a line.
//!
//! # Hulls
//!
//! A node of more than three points keeps one polygon a pair, strictly convex and in one canonical
//! order: the same points make the same bits, whatever their order. Corners are coordinates of
//! points, so `f32` holds them exactly, and which side of an edge a point lies on is decided exactly
//! (Shewchuk's predicates, by `robust`): duplicates, points in line, constant features and numbers
//! of any size are ordinary input. Up to three points are kept as they are, since the paper does not
//! cut them.
//!
//! Hulls of a path lie within each other, and so do their projections. A point that walks down is
//! therefore looked at from the leaf up, pair by pair, until it is inside: above that nothing of
//! the pair needs to be looked at. A walk of any length costs one inside test a pair, and one look
//! at each polygon that the point is outside of; those are few and small, as they are deep.
//!
//! # Cost
//!
//! An inside test and the tangents take `O(log h)` for a polygon of h corners (small ones are read
//! as a whole, which is faster); taking a corner in moves `O(h)` bytes, and every corner that a
//! point hides is dropped for good. Nothing depends on the number of points in a node. A sample
//! costs `O(d² log h)` and then `O(1)` a level, a prediction `O(1)` a level. A node with hulls takes
//! 16 bytes and its corners, 8 bytes each, for each of d(d−1)/2 pairs; a node of few points 12d.
//!
//! # Deviations
//!
//! - Algorithm 4 draws a leaf anew with its whole remaining budget at every arrival, which does not
//!   have the batch law that the paper claims: over twelve points at s = 1 and τ = 0.7 it makes 4.1
//!   leaves in the mean instead of 2.8. [`exact`] draws only what a point adds; [`redraw`] is the
//!   algorithm as printed.
//! - The paper draws the direction of a cut by its density; here it comes with the place on the
//!   boundary. The law is the same.
//! - A cut is stored by a point on it and a direction in `f32`. One that does not separate, as
//!   stored, what it should is drawn again, and after a few times counts as none: that concerns
//!   points that only rounding tells apart.
//! - The paper's Lemma 1 (any oblique line is cut with intensity 2τ) holds for d = 2.
//!
//! # Example
//!
//! ```
//! use forest_core::{OnlineLearner, Schema};
//! use obsp::BspClassifier;
//!
//! let mut forest = BspClassifier::new(Schema::new(2)?, obsp::fixed(f64::INFINITY), 20, 42)?;
//! for i in 0..400 {
//!     let x = [(i % 20) as f32 / 20.0, (i / 20) as f32 / 20.0];
//!     forest.learn_one(&x, u32::from(x[0] > x[1]))?;
//! }
//! let p = forest.predict_one(&[0.8, 0.3])?;
//! assert!(p[1] > 0.9, "below the diagonal: {p:?}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod check;
mod contact;
mod cut;
mod draw;
mod few;
mod glance;
mod introspection;
mod line;
mod measure;
mod pairs;
mod plane;
mod polygon;
mod pool;
mod settings;
mod shape;
mod store;
mod summaries;
mod triangle;
mod window;

pub use cut::PairCut;
pub use measure::PairMeasure;
pub use pairs::{Axes, PairSettings, PairWeights};
pub use settings::{BUDGET_SCALE, PAPER_BUDGET_SCALE, exact, fixed, redraw};
pub use window::{Cell, cells};

use forest_core::Forest;
use tessellation_tree::{ClassFrequencies, LeafMeans, TessellationSettings, TessellationTree};

/// A BSP tree with label model `L`.
pub type BspTree<L> = TessellationTree<PairMeasure, L>;

/// A BSP-Forest that predicts class frequencies.
pub type BspClassifier = Forest<BspTree<ClassFrequencies>>;

/// A BSP-Forest that predicts means.
pub type BspRegressor = Forest<BspTree<LeafMeans>>;

/// Settings of a BSP-Forest.
pub type BspSettings = TessellationSettings<PairSettings>;
