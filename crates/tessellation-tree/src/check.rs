//! The invariants: what every tree must satisfy after every sample, and after being read from bytes.

use forest_core::{InvariantError, SampleStore};

use crate::node::{Kind, Node};
use crate::{CutMeasure, LabelModel, NodeId, NodeView, Side, TessellationTree};

type Sound = Result<(), InvariantError>;

impl<M: CutMeasure, L: LabelModel> TessellationTree<M, L> {
    /// One pass over nodes and samples. Shape comes first, so that what follows may follow indices.
    ///
    /// Hulls are checked from the leaves up: a leaf's is that of its points, an inner node's is
    /// that of its children, and its cut has one child's hull on each side. So every sample is
    /// routed to the leaf that holds it.
    pub(crate) fn check_against(&self, samples: &SampleStore<L::Task>) -> Sound {
        self.check_shape(samples)?;
        self.check_links()?;
        for node in self.walk() {
            self.check_node(node)?;
        }
        self.check_samples(samples)
    }

    fn check_shape(&self, samples: &SampleStore<L::Task>) -> Sound {
        let place = || "arrays";
        let (nodes, width) = (self.nodes.len(), samples.width());
        let hulls = self.hulls.is_shaped(nodes, width);
        InvariantError::unless(hulls, place, || "hulls do not match nodes and features")?;
        let labels = self.labels.is_shaped(nodes);
        InvariantError::unless(labels, place, || "label statistics do not match the nodes")?;
        let links = self.links.len() == samples.len();
        InvariantError::unless(links, place, || "links do not match the stored samples")?;
        let rooted = self.root.is_some() != samples.is_empty();
        InvariantError::unless(rooted, place, || "a root without samples, or the reverse")?;
        InvariantError::unless(self.clock.is_sound(), place, || "the clock is not a time")
    }

    /// Each node is reached exactly once from the root: the links form one tree.
    fn check_links(&self) -> Sound {
        let mut reached = vec![false; self.nodes.len()];
        let mut waiting: Vec<NodeId> = self.root.into_iter().collect();
        while let Some(id) = waiting.pop() {
            let seen = reached
                .get_mut(id.index())
                .map(|seen| std::mem::replace(seen, true));
            let place = || place(id);
            InvariantError::unless(seen.is_some(), place, || "is out of range")?;
            InvariantError::unless(seen == Some(false), place, || "has two parents")?;
            if let Kind::Inner { children, .. } = self.nodes[id.index()].kind {
                waiting.extend([children.left, children.right]);
            }
        }
        let all = reached.iter().all(|&seen| seen);
        InvariantError::unless(all, || "nodes", || "some are not reached from the root")
    }

    fn check_node(&self, view: NodeView<'_, M, L>) -> Sound {
        let id = view.id();
        let place = || place(id);
        let Node { time, points, kind } = self.nodes[id.index()];
        let later = time >= view.birth() && (time.is_finite() || view.is_leaf());
        InvariantError::unless(later, place, || "its time is not after its birth")?;
        InvariantError::unless(points > 0, place, || "has no points")?;
        let Kind::Inner { cut, children } = kind else {
            return Ok(());
        };
        let (left, right) = (children.left, children.right);
        InvariantError::unless(self.hulls.is_cut(&cut), place, || "its cut is none")?;
        let apart = self.hulls.is_beside(&cut, left, Side::Left)
            && self.hulls.is_beside(&cut, right, Side::Right);
        InvariantError::unless(apart, place, || "its cut does not separate its children")?;
        let hull = self.hulls.is_union(id, left, right);
        InvariantError::unless(hull, place, || "its hull is not that of its children")?;
        let count = |child: NodeId| u64::from(self.nodes[child.index()].points);
        let adds_up = count(left) + count(right) == u64::from(points);
        InvariantError::unless(adds_up, place, || "its children's points do not add up")
    }

    /// Every stored sample is in one leaf, whose hull and label statistics are those of its samples.
    fn check_samples(&self, samples: &SampleStore<L::Task>) -> Sound {
        let mut seen = vec![false; samples.len()];
        for leaf in self.leaves() {
            let place = || place(leaf.id());
            for id in leaf.samples() {
                let seen = seen
                    .get_mut(id.index())
                    .map(|seen| std::mem::replace(seen, true));
                let new = seen == Some(false);
                InvariantError::unless(new, place, || "holds an unknown sample, or one twice")?;
            }
            self.check_leaf(leaf, samples)?;
        }
        let all = seen.iter().all(|&seen| seen);
        InvariantError::unless(all, || "leaves", || "a stored sample is in none of them")
    }

    fn check_leaf(&self, leaf: NodeView<'_, M, L>, samples: &SampleStore<L::Task>) -> Sound {
        let place = || place(leaf.id());
        let counted = leaf.samples().count() == leaf.points();
        InvariantError::unless(counted, place, || "its points are miscounted")?;
        let points = leaf.samples().map(|id| samples.features(id));
        let hull = self.hulls.is_hull_of(leaf.id(), points);
        InvariantError::unless(hull, place, || "its hull is not that of its points")?;
        let targets = leaf.samples().map(|id| samples.target(id));
        let labels = self.labels.is_summary_of(leaf.id(), targets);
        InvariantError::unless(
            labels,
            place,
            || "its label statistics are not its samples'",
        )
    }
}

fn place(id: NodeId) -> String {
    format!("node {}", id.index())
}
