//! What a point sees of the hulls on its way down: found from below, used from above.
//!
//! The hulls on a path lie within each other, and so do their projections on a pair of axes. From
//! the leaf up, a pair is looked at only until its hull contains the point: so a walk costs one
//! inside test a pair, and a look at each hull that the point is outside of, however long it is.

use tessellation_tree::NodeId;

use crate::pairs::Pair;
use crate::polygon::{Chain, Polygon};
use crate::summaries::Summaries;

/// A point outside one hull: what it sees, and the mass of the cuts between it and the hull.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sight {
    pub(crate) pair: usize,
    pub(crate) chain: Chain,
    pub(crate) mass: f64,
}

impl Sight {
    /// What `x` sees of the hull of pair number `number`; `None` if it is inside.
    #[inline]
    fn of(polygon: Polygon<'_>, pair: Pair, number: usize, x: &[f32]) -> Option<Self> {
        let x = pair.axes.project(x);
        let chain = polygon.seen_from(x)?;
        let mass = pair.rate * polygon.growth(chain, x);
        Some(Self {
            pair: number,
            chain,
            mass,
        })
    }
}

/// A point on its way down a path. Working memory: never saved, and no part of what makes two
/// measures equal.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contact {
    x: Vec<f32>,
    path: Vec<NodeId>,
    /// Nodes of the path that have taken the point in.
    passed: usize,
    /// What is seen at each node, the last node first.
    sights: Vec<Sight>,
    /// Where the sights of each node end, the last node first; nothing is seen of those above.
    ends: Vec<usize>,
    /// Pairs whose hulls the point is still outside of.
    outside: Vec<usize>,
}

impl PartialEq for Contact {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Contact {
    /// Looks at all nodes of `path` that have hulls; those that have none come last.
    pub(crate) fn approach(
        &mut self,
        summaries: &Summaries,
        path: impl Iterator<Item = NodeId>,
        x: &[f32],
    ) {
        self.path.clear();
        self.path.extend(path);
        while self
            .path
            .pop_if(|node| !summaries.has_hulls(*node))
            .is_some()
        {}
        self.look_up(summaries, x);
    }

    /// Looks at `node`, unless it comes next on the path.
    #[inline]
    pub(crate) fn look(&mut self, summaries: &Summaries, node: NodeId, x: &[f32]) {
        if !self.is_at(node, x) {
            self.look_aside(summaries, node, x);
        }
    }

    /// Looks at `node` alone.
    pub(crate) fn look_aside(&mut self, summaries: &Summaries, node: NodeId, x: &[f32]) {
        self.path.clear();
        self.path.push(node);
        self.look_up(summaries, x);
        if !summaries.has_hulls(node) {
            // A few points take another in without a look, so this one serves once.
            self.x.clear();
        }
    }

    #[inline]
    pub(crate) fn is_at(&self, node: NodeId, x: &[f32]) -> bool {
        self.path.get(self.passed) == Some(&node) && self.x == x
    }

    fn look_up(&mut self, summaries: &Summaries, x: &[f32]) {
        self.passed = 0;
        self.x.clear();
        self.x.extend_from_slice(x);
        self.sights.clear();
        self.ends.clear();
        self.outside.clear();
        self.outside.extend(0..summaries.pairs.len());
        for &node in self.path.iter().rev() {
            summaries.each_polygon(node, &mut self.outside, |polygon, pair, number| {
                let seen = Sight::of(polygon, pair, number, x);
                self.sights.extend(seen);
                seen.is_some()
            });
            if self.outside.is_empty() {
                break;
            }
            self.ends.push(self.sights.len());
        }
    }

    /// What is seen of the hulls of the node that comes next.
    #[inline]
    pub(crate) fn sights(&self) -> &[Sight] {
        let from_below = self.path.len() - 1 - self.passed;
        let Some(&end) = self.ends.get(from_below) else {
            return &[];
        };
        let start = from_below
            .checked_sub(1)
            .map_or(0, |below| self.ends[below]);
        &self.sights[start..end]
    }

    /// ΔΛ of the node that comes next.
    #[inline]
    pub(crate) fn mass(&self) -> f64 {
        self.sights().iter().map(|sight| sight.mass).sum()
    }

    /// A copy takes the place of the node that comes next.
    pub(crate) fn follow(&mut self, node: NodeId, copy: NodeId) {
        if let Some(next) = self.path.get_mut(self.passed).filter(|next| **next == node) {
            *next = copy;
        }
    }

    /// The node that came next has taken the point in.
    #[inline]
    pub(crate) fn pass(&mut self) {
        self.passed += 1;
    }

    /// Nodes have changed otherwise than by a walk down the path: nothing is known any more.
    pub(crate) fn forget(&mut self) {
        self.path.clear();
    }
}
