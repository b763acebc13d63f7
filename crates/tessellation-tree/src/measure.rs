//! What makes a Mondrian tree, a BSP tree or a random tessellation: the measure on cuts.

use std::fmt::Debug;

use forest_core::SettingError;
use serde::{Serialize, de::DeserializeOwned};

use crate::{Chance, NodeId, Span};

/// A translation-invariant measure Λ on the hyperplanes of R^d, with the hulls it needs.
///
/// The measure owns one hull summary per node, in flat storage indexed by [`NodeId`] in the order
/// in which nodes are made. It answers two questions, both exactly: when and where is the first cut
/// that hits conv(S), and when and where is the first that hits conv(S ∪ {x}) but not conv(S).
/// A measure with closed-form rates answers by one run of the clock ([`Chance::first`]); one that
/// has none thins candidates.
///
/// A cut must separate what it says it separates, *as stored*: if floating point cannot realise
/// one, the answer is that there was none.
pub trait CutMeasure: Clone + Debug + Send + Sync + Serialize + DeserializeOwned {
    /// Parameters of the measure.
    type Settings: MeasureSettings;

    /// A hyperplane, as stored in inner nodes.
    type Cut: Copy + Debug + PartialEq + Send + Sync + Serialize + DeserializeOwned;

    /// No hulls yet, for points of `features` numbers.
    fn new(features: usize, settings: &Self::Settings) -> Self;

    /// Adds the hull of no points, for the next node.
    fn push_empty(&mut self);

    /// Adds a copy of the hull of `node`, for the next node.
    fn push_copy(&mut self, node: NodeId);

    /// Says that `x` is about to walk down `path`, from the root to a leaf, being asked about and
    /// taken into one node after the other. By default nothing is made of it.
    ///
    /// The hulls on a path lie within each other. A measure whose inside test is dear can look at
    /// them from below: where `x` is inside, it is inside everywhere above.
    #[inline]
    fn approach(&mut self, path: impl Iterator<Item = NodeId>, x: &[f32]) {
        let _ = (path, x);
    }

    /// Extends the hull of `node` by the point `x`.
    fn extend(&mut self, node: NodeId, x: &[f32]);

    /// The first cut within `span` that separates two points of `node`.
    fn first_hitting(
        &self,
        node: NodeId,
        span: Span,
        chance: &mut Chance<'_>,
    ) -> Option<(f64, Self::Cut)>;

    /// The first cut within `span` that has `x` on one side and all points of `node` on the other.
    fn first_separating(
        &mut self,
        node: NodeId,
        x: &[f32],
        span: Span,
        chance: &mut Chance<'_>,
    ) -> Option<(f64, Self::Cut)>;

    /// The side of `x`: the one place that says where a point on the cut goes.
    fn side(cut: &Self::Cut, x: &[f32]) -> Side;

    /// Bytes of all hulls.
    fn bytes(&self) -> usize;

    /// Whether the storage holds `nodes` hulls of points with `features` numbers.
    fn is_shaped(&self, nodes: usize, features: usize) -> bool;

    /// Whether a cut could have been made by this measure.
    fn is_cut(&self, cut: &Self::Cut) -> bool;

    /// Whether the hull of `node` is that of `points`, up to rounding.
    fn is_hull_of<'a>(&self, node: NodeId, points: impl Iterator<Item = &'a [f32]>) -> bool;

    /// Whether the hull of `node` is that of two others together, up to rounding.
    fn is_union(&self, node: NodeId, one: NodeId, other: NodeId) -> bool;

    /// Whether the whole hull of `node` lies on that side of the cut.
    fn is_beside(&self, cut: &Self::Cut, node: NodeId, side: Side) -> bool;
}

/// Parameters of a measure: plain data with a rule each.
pub trait MeasureSettings:
    Clone + Debug + Default + PartialEq + Send + Sync + Serialize + DeserializeOwned
{
    /// Checks every rule for points of `features` numbers.
    ///
    /// # Errors
    /// The first parameter that breaks its rule.
    fn check(&self, features: usize) -> Result<(), SettingError>;
}

/// A measure without parameters.
impl MeasureSettings for () {
    fn check(&self, _: usize) -> Result<(), SettingError> {
        Ok(())
    }
}

/// Where a point lies beside a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The first child's side.
    Left,
    /// The second child's side.
    Right,
}

impl Side {
    /// The other one.
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}
