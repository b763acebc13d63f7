//! One engine for Mondrian, binary space partitioning and random tessellation forests.
//!
//! All of them are the *same* online algorithm with different measures on the set of cuts. Ge et
//! al. (2019, section 2.1.2) say so for the batch processes; it holds online too, and this crate is
//! that algorithm: a [`TessellationTree`] with a [`CutMeasure`] and a [`LabelModel`] plugged in.
//!
//! # Notation
//!
//! | symbol | here |
//! |---|---|
//! | Λ, a translation-invariant measure on hyperplanes | [`CutMeasure`] |
//! | S, the points of a node; conv(S) | [`NodeView::samples`]; a hull that the measure keeps |
//! | Λ(S), mass of the cuts that hit conv(S) | rate of [`CutMeasure::first_hitting`] |
//! | ΔΛ = Λ(S ∪ {x}) − Λ(S) | rate of [`CutMeasure::first_separating`] |
//! | t₀, birth of a node | [`NodeView::birth`] (its parent's cut time, 0 at the root) |
//! | T, time of an inner node's cut; e, time to which a leaf is known to be uncut | [`NodeView::time`] |
//! | τ, τₙ, the budget | [`Budget`] |
//! | `splittable(S)` | [`TessellationSettings::min_points`] and [`Pause`] |
//!
//! # The algorithm
//!
//! *Expose* a leaf to time τ: if its points may be split, the first cut that hits their hull comes
//! after an exponential time with rate Λ(S), counted from e. Before τ it cuts the leaf and both
//! sides are exposed; otherwise e becomes τ. The **batch law** is one leaf with all points and
//! t₀ = e = 0, exposed to τ ([`TessellationTree::batch`]).
//!
//! *Insert* x, starting at the root. At a node v the cuts that hit conv(S ∪ {x}) but not conv(S)
//! are Poisson with rate ΔΛ and independent of the rest of the tree. If the first of them, counted
//! from v's birth, comes before v's own time (T or e), it becomes a new parent of v and of a fresh
//! leaf {x}. Otherwise x joins S; at an inner node it goes on to its side of the cut, at a leaf it
//! stays and the leaf is exposed to the current budget. A leaf whose points could not be split was
//! never exposed, so it is drawn fresh.
//!
//! With a fixed budget the tree after n inserts has exactly the batch law, for every order of
//! arrival; with an increasing budget it has it at τₙ once every leaf has been brought there by
//! [`Refine::refine`]. The tests show both, and show that [`Update::Redraw`], Algorithm 4 of Fan et
//! al. (2020) as printed, has another law.
//!
//! # Cost
//!
//! A point inside a node's hull costs an inside test and a side test there and draws nothing. One
//! exponential clock is carried through all levels and inserts ([`Chance`]), so that a draw happens
//! only when a cut does. Cutting a leaf costs its points; nothing else ever passes over points. All
//! walks are loops: a chain of any depth neither grows the stack nor is freed recursively.
//!
//! # Papers
//!
//! - Lakshminarayanan, Roy, Teh. *Mondrian forests: efficient online random forests.* NIPS 2014.
//! - Ge, Wang, Teh, Wang, Elliott. *Random tessellation forests.* NeurIPS 2019.
//! - Fan, Li, Sisson. *Online binary space partitioning forests.* AISTATS 2020.
//!
//! # Deviations
//!
//! - Fan et al. redraw a leaf with the whole remaining budget at every arrival, and keep relative
//!   cut costs; here times are absolute and a leaf remembers how far it has been exposed, because
//!   only that has the batch law.
//! - Cuts are stored as the points' own `f32` can tell them apart; a cut that floating point cannot
//!   realise counts as none.

mod candidates;
mod check;
mod distribution;
mod expose;
mod insert;
mod introspection;
mod labels;
#[cfg(feature = "laws")]
pub mod laws;
mod links;
mod node;
mod path;
pub mod planar;
mod pool;
mod refine;
mod remove;
mod scratch;
mod search;
mod settings;
mod tree;

pub use distribution::{CutDistribution, CutSettings, Side};
pub use introspection::{Cut, NodeView};
pub use labels::{ClassFrequencies, LabelModel, LabelSettings, LeafMeans};
pub use node::{LeafId, NodeId, Subtree};
pub use path::{Path, Step};
pub use refine::Refine;
pub use scratch::WorkCounts;
pub use settings::{Budget, Pause, TessellationSettings, Update};
pub use tree::TessellationTree;
