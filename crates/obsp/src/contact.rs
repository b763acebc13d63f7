//! What a point sees of a node's hulls: found when the tree asks for a cut, used when the point
//! then joins the node.

use tessellation_tree::NodeId;

use crate::few::Triangle;
use crate::polygon::Chain;
use crate::summaries::Summaries;

/// A point outside one hull: what it sees and how much longer the boundary becomes by it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sight {
    pub(crate) pair: usize,
    pub(crate) chain: Chain,
    pub(crate) growth: f64,
}

/// The last point that looked at a node, and what it saw. Working memory: never saved, and no part
/// of what makes two measures equal.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contact {
    node: Option<NodeId>,
    x: Vec<f32>,
    sights: Vec<Sight>,
    mass: f64,
}

impl PartialEq for Contact {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Contact {
    /// Looks at `node` from `x`, unless that was done last.
    pub(crate) fn look(&mut self, summaries: &Summaries, node: NodeId, x: &[f32]) {
        if self.node != Some(node) || self.x != x {
            self.look_anew(summaries, node, x);
        }
    }

    fn look_anew(&mut self, summaries: &Summaries, node: NodeId, x: &[f32]) {
        self.node = Some(node);
        self.x.clear();
        self.x.extend_from_slice(x);
        self.sights.clear();
        self.mass = 0.0;
        let mut triangle = Triangle::default();
        for (pair, pairs) in summaries.pairs.iter().enumerate() {
            let (polygon, x) = (
                summaries.polygon(node, pair, &mut triangle),
                pairs.axes.project(x),
            );
            if let Some(chain) = polygon.seen_from(x) {
                let growth = polygon.growth(chain, x);
                self.mass += pairs.rate * growth;
                self.sights.push(Sight {
                    pair,
                    chain,
                    growth,
                });
            }
        }
    }

    /// ΔΛ of the point and the node.
    pub(crate) fn mass(&self) -> f64 {
        self.mass
    }

    /// The hulls that the point is outside of.
    pub(crate) fn sights(&self) -> &[Sight] {
        &self.sights
    }

    /// What was seen of `node` holds for its copy.
    pub(crate) fn follow(&mut self, node: NodeId, copy: NodeId) {
        if self.node == Some(node) {
            self.node = Some(copy);
        }
    }

    /// What was seen of `node` holds no longer.
    pub(crate) fn forget(&mut self, node: NodeId) {
        if self.node == Some(node) {
            self.node = None;
        }
    }
}
