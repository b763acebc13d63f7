//! One engine for Mondrian, binary space partitioning and random tessellation forests.
//!
//! All of them are the *same* algorithm with different distributions of cuts (Ge et al. 2019, section 2.1.2, for the
//! batch processes), also online: a [`TessellationTree`] with a [`CutDistribution`] and a [`LabelModel`] plugged in.
//!
//! # Notation
//!
//! | symbol | here |
//! |---|---|
//! | Λ, a translation-invariant measure on hyperplanes | [`CutDistribution`] |
//! | S, the points of a node | [`NodeView::samples`]; nothing about those of an inner node is stored |
//! | ρ(a, b) = Λ({a, b}), mass of the cuts that separate two points | [`CutDistribution::rate_between`] |
//! | t₀, birth of a node | [`NodeView::birth`] (its parent's cut time, 0 at the root) |
//! | T, time of an inner node's cut; e, time to which a leaf is known to be uncut | [`NodeView::time`] |
//! | τ, τₙ, the budget | [`Budget`] |
//! | `splittable(S)` | [`TessellationSettings::max_uncut`] and [`Pause`] |
//!
//! # The algorithm
//!
//! *Expose* a leaf to time τ: if its points may be cut, the cuts that separate them are a Poisson
//! process with rate Λ(S), from e on. If the first comes before τ, it cuts the leaf, and both sides
//! are exposed; otherwise e becomes τ. The **batch distribution** is that of one leaf with all points and t₀ = e = 0,
//! exposed to τ ([`TessellationTree::batch`]).
//!
//! *Insert* x. Go down to the leaf that x falls into and take one of its points, the witness p (with axis-aligned cuts,
//! the point of the leaf's box that is nearest to x will do). Every cut that separates x from all points of a node on
//! the path separates x from p, too. So draw the cuts that separate x and p, a Poisson process of rate ρ(x, p) in time:
//! the candidates. A candidate belongs to the node of the path that is alive at its time. It is refuted if a point of
//! that node lies on x's side. The first that is not refuted becomes the cut of a new parent of that node and of x. If
//! all are refuted, x joins the leaf, which is exposed to the budget.
//!
//! *Remove* x ([`forget`](forest_core::OnlineLearner::forget)). It leaves its leaf. If it was alone there, its sibling
//! takes the place of their parent. A node whose points may not be cut any more becomes a leaf.
//!
//! After any inserts and removals the tree has the batch distribution of the points that are left, with a fixed budget
//! at once, with an increasing one after [`refine`](forest_core::OnlineLearner::refine): `docs/theory.md` proves it,
//! the crate `forest-testing` tests it. [`Update::Redraw`] and [`Update::NewPointOnly`] have other distributions.
//!
//! # Cost
//!
//! Learning a sample takes a walk down, one to four candidates of `O(d)` each, and a few points to refute them; far
//! outliers in many dimensions are the slow case. An inner node takes 24 bytes with an eight-byte cut, and a leaf of
//! one sample takes none. All walks are loops: a chain of any depth neither grows the stack nor is freed recursively.
//!
//! # Papers
//!
//! - Lakshminarayanan, Roy, Teh. *Mondrian forests: efficient online random forests.* NIPS 2014.
//! - Ge, Wang, Teh, Wang, Elliott. *Random tessellation forests.* NeurIPS 2019.
//! - Fan, Li, Sisson. *Online binary space partitioning forests.* AISTATS 2020.
//!
//! Deviations from the papers, with reasons: `docs/papers`.

mod cuts;
mod expose;
mod forget;
mod labels;
mod learn;
mod named;
mod parameters;
mod settings;
mod structure;
mod tree;
mod walks;

pub use cuts::{CutDistribution, Distances, Side, pick, waiting_time};
pub use expose::MISSES_PER_FEATURE;
pub use labels::{
    Aggregated, AggregatedNode, Belief, Boxes, ClassCounts, ClassFrequencies, ClassSummary,
    Context, Departure, Expert, GaussianHierarchy, Hyperparameters, Joined, KneserNey, LabelModel,
    LeafMeans, Mean, Passage, Scale, SquaredErrors,
};
pub use named::{either, forest};
pub use parameters::{
    AGGREGATION, AXIS_LABELS, BUDGET, BUDGET_SCALE, FIXED_BUDGET, HIERARCHICAL, INCREASING, LABELS,
    LABELS_WINDOW, MIN_POINTS, PAUSE, RATE, SMOOTHING, UPDATE,
};
pub use settings::{
    BranchCounts, Budget, Combination, CutSettings, HyperparameterRule, LabelSettings, Pause,
    TessellationSettings, Update,
};
pub use structure::node::{InnerNode, LeafId, NodeId, Step, Subtree};
pub use tree::{NodeView, TessellationTree};
pub use walks::{Path, Place, Walks};
