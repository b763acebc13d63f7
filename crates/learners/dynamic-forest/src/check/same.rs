//! Compares two trees: the places of nodes, the order of samples in leaves and what is kept aside do not count.

use forest_core::SampleId;

use crate::labels::sealed::Sums;
use crate::nodes::{Below, Child, Content, Node};
use crate::statistics::Statistics;
use crate::tree::Parts;

impl<T: Sums> Parts<T> {
    /// Returns whether this tree has the nodes, leaves and statistics of another.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let mut below = vec![(self.nodes.root, other.nodes.root)];
        while let Some((a, b)) = below.pop() {
            match (self.inner(a), other.inner(b)) {
                (None, None) if self.samples(a) == other.samples(b) => {}
                (Some(a), Some(b)) if self.is_same_node(a, other, b) => {
                    below.extend(a.children.into_iter().zip(b.children));
                }
                _ => return false,
            }
        }
        true
    }

    /// Returns whether two inner nodes have the same cut, to the bit, and the same statistics.
    pub(super) fn is_same_node(
        &self,
        a: &Node<T::Totals>,
        other: &Self,
        b: &Node<T::Totals>,
    ) -> bool {
        let bits = |node: &Node<T::Totals>| {
            node.as_cut()
                .map(|cut| (cut.feature, cut.threshold.to_bits()))
        };
        let statistics = (self.statistics.get(a.watch), other.statistics.get(b.watch));
        let are_same = match statistics {
            (Some(a), Some(b)) => Statistics::is_same(a, b),
            (None, None) => true,
            _ => false,
        };
        bits(a) == bits(b) && are_same
    }

    /// Returns the node, if it is an inner one.
    pub(super) fn inner(&self, child: Child) -> Option<&Node<T::Totals>> {
        let node = self.nodes.get(child.as_node()?);
        node.as_cut().map(|_| node)
    }

    /// Returns the samples of a leaf, in the order of their arrival.
    pub(super) fn samples(&self, child: Child) -> Vec<SampleId> {
        let first = match child.get() {
            Below::Nothing => return Vec::new(),
            Below::Pure(first) => first,
            Below::Node(index) => match self.nodes.get(index).content() {
                Content::Mixed(leaf) => leaf.first,
                _ => return Vec::new(),
            },
        };
        let mut ids: Vec<_> = self.links.list(first).collect();
        ids.sort_unstable();
        ids
    }
}
