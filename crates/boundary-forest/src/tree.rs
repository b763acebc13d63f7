//! The boundary tree (Algorithm 1) in flat arrays, in which the children of a node are adjacent.

use std::ops::Range;

use forest_core::{Arena, IdRemap, InvariantError, RetentionMask, SampleId, TreeRng};
use serde::{Deserialize, Serialize, Serializer};

use crate::Samples;
use crate::distances::{Distances, NodeRef};
use crate::label::Label;
use crate::settings::TreeSettings;

#[derive(Clone, Copy, Debug)]
struct Node {
    sample: SampleId,
    /// The root is its own parent.
    parent: u32,
    /// Where its children begin among those of all nodes.
    start: u32,
    count: u32,
}

/// A tree of samples, each of which corrected the prediction of its parent when it was learned, and its random stream.
///
/// It has no nodes until it has learned its first sample, the root, which is node 0; children come after their parents.
// Saved as the sample and the parent of each node, and the stream. When read, nodes without an earlier parent, or
// beyond the limit, become children of no node, and are refused by `check`.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "(Vec<(SampleId, u32)>, TreeRng)")]
pub struct BoundaryTree {
    nodes: Arena<Node>,
    /// The children of all nodes, oldest first. Those of a node have room for a power of two; when it is full they move
    /// to a room of twice the size, and the old one is reused: `c` children take less than `4·c` places.
    children: Arena<NodeRef>,
    /// Where empty rooms begin, by the logarithm of their size.
    empty: Vec<Arena<u32>>,
    rng: TreeRng,
}

impl BoundaryTree {
    /// The most nodes: 32 bits count the places that their children take.
    pub(crate) const LIMIT: usize = 1 << 30;

    pub(crate) fn new(rng: TreeRng) -> Self {
        Self {
            nodes: Arena::default(),
            children: Arena::default(),
            empty: Vec::new(),
            rng,
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let empty: usize = self.empty.iter().map(Arena::bytes).sum();
        let rooms = empty + self.empty.capacity() * size_of::<Arena<u32>>();
        self.nodes.bytes() + self.children.bytes() + rooms
    }

    #[inline]
    fn child_refs(&self, node: u32) -> &[NodeRef] {
        let node = &self.nodes[node as usize];
        &self.children[node.start as usize..][..node.count as usize]
    }

    /// Adds a node: the root, its own parent, or a child of an earlier one.
    pub(crate) fn add(&mut self, sample: SampleId, parent: u32) {
        let node = self.nodes.len() as u32;
        self.nodes.push(Node {
            sample,
            parent,
            start: 0,
            count: 0,
        });
        if parent >= node || node as usize >= Self::LIMIT {
            return;
        }
        let child = NodeRef { sample, node };
        let Node { start, count, .. } = self.nodes[parent as usize];
        let mut room = start;
        if count == 0 {
            room = self.room(0, child);
        // A power of two fills its room: rooms are powers of two, and grow only here.
        } else if count.is_power_of_two() {
            let size = count.ilog2() as usize;
            room = self.room(size + 1, child);
            let old = start as usize..(start + count) as usize;
            self.children.copy_within(old, room as usize);
            let sizes = self.empty.len().max(size + 1);
            self.empty.resize_with(sizes, Arena::default);
            self.empty[size].push(start);
        }
        self.children[(room + count) as usize] = child;
        let parent = &mut self.nodes[parent as usize];
        parent.start = room;
        parent.count = count + 1;
    }

    /// Returns where an empty room for `2^size` children begins; a new one holds `filler`.
    fn room(&mut self, size: usize, filler: NodeRef) -> u32 {
        let left_behind = self.empty.get_mut(size).and_then(Arena::pop);
        left_behind.unwrap_or_else(|| {
            let end = self.children.len();
            self.children.resize(end + (1 << size), filler);
            u32::try_from(end).expect("2³⁰ children, the most there are, take less than 2³² places")
        })
    }

    /// Walks from the root, if there is one, to a node that may get a child and has none closer to the query than
    /// itself (`BTQuery`). Among equals `draws` decides: a copy of the random stream, made at the first tie.
    pub(crate) fn query(
        &self,
        limit: Option<u32>,
        distances: &mut Distances<'_>,
        draws: &mut Option<TreeRng>,
    ) -> Option<NodeRef> {
        let sample = self.nodes.first()?.sample;
        let mut here = NodeRef { sample, node: 0 };
        distances.start_walk(sample);
        loop {
            let children = self.child_refs(here.node);
            distances.compared += children.len();
            if children.is_empty() {
                return Some(here);
            }
            // Lines 6–10: a node that has all its children cannot be where the walk ends.
            let has_room = limit.is_none_or(|most| children.len() < most as usize);
            let closest = distances.closest(children, has_room.then_some(here), &mut |n| {
                draws.get_or_insert_with(|| self.rng.clone()).below(n)
            });
            if closest.node == here.node {
                return Some(here);
            }
            here = closest;
        }
    }

    /// Returns the sample whose label the tree predicts: without a root, the closest of the first `stored` samples.
    pub(crate) fn nearest(
        &self,
        limit: Option<u32>,
        stored: usize,
        distances: &mut Distances<'_>,
    ) -> Option<SampleId> {
        let mut draws = None;
        if !self.is_empty() || stored == 0 {
            return Some(self.query(limit, distances, &mut draws)?.sample);
        }
        let samples = (0..stored).map(SampleId::new);
        let waiting: Vec<_> = samples.map(|sample| NodeRef { sample, node: 0 }).collect();
        let mut below = |n| self.rng.clone().below(n);
        Some(distances.closest(&waiting, None, &mut below).sample)
    }

    /// Adds the sample below the locally closest node if that node predicts another label (`BTTrain`). Returns the
    /// sample of that node. In a tree without a root, the sample becomes the root.
    pub(crate) fn train<C: Label>(
        &mut self,
        sample: SampleId,
        settings: &TreeSettings,
        samples: &Samples<C>,
        distances: &mut Distances<'_>,
    ) -> Option<SampleId> {
        let mut draws = None;
        let found = self.query(settings.max_children, distances, &mut draws);
        if let Some(rng) = draws {
            self.rng = rng;
        }
        let Some(found) = found else {
            self.add(sample, 0);
            return None;
        };
        let most = settings.max_nodes.map_or(usize::MAX, |n| n.get() as usize);
        let [label, predicted] = [sample, found.sample].map(|id| samples.label(id));
        // "For retrieval, we add all examples to the trees": those without labels.
        let differs = label.is_empty() || C::distance(label, predicted) > settings.epsilon;
        if differs && self.len() < most {
            self.add(sample, found.node);
        }
        Some(found.sample)
    }

    /// Returns these samples without the root, in a random order of the tree's own.
    pub(crate) fn shuffled(&mut self, samples: Range<usize>) -> Vec<SampleId> {
        let root = self.nodes.first().map(|root| root.sample);
        let mut order: Vec<_> = samples.map(SampleId::new).collect();
        order.retain(|&id| Some(id) != root);
        self.rng.shuffle(&mut order);
        order
    }

    /// Keeps the samples of all nodes; those that hold new ones were added last.
    pub(crate) fn keep(&self, kept: &mut RetentionMask) {
        for node in self.nodes.iter().rev() {
            if node.sample < kept.first() {
                break;
            }
            kept.keep(node.sample);
        }
    }

    /// Gives samples their new ids, from the newest node backwards as far as they change.
    pub(crate) fn remap(&mut self, names: &IdRemap) {
        for index in (0..self.len()).rev() {
            let Node { sample, parent, .. } = self.nodes[index];
            if sample < names.first() {
                break;
            }
            self.nodes[index].sample = names.apply(sample);
            let Node { start, count, .. } = self.nodes[parent as usize];
            let siblings = &mut self.children[start as usize..][..count as usize];
            // From the end: nodes are visited from the newest, which is the last of its siblings.
            if let Some(own) = siblings.iter_mut().rfind(|own| own.node as usize == index) {
                own.sample = names.apply(sample);
            }
        }
    }

    /// Checks that nodes are children of earlier ones, and that their samples are stored: after decoding.
    pub(crate) fn check(&self, stored: usize) -> Result<(), InvariantError> {
        for (index, node) in self.nodes.iter().enumerate() {
            let linked = (node.parent as usize) < index || (index, node.parent) == (0, 0);
            let sound = linked && index < Self::LIMIT && node.sample.index() < stored;
            let what = "is not the child of an earlier node, or its sample is not stored";
            InvariantError::require(sound, format_args!("node {index}"), what)?;
        }
        Ok(())
    }
}

/// Read-only inspection: nodes are numbered in the order in which they were added.
impl BoundaryTree {
    /// Returns the number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether the tree has no root yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns the samples of all nodes.
    pub fn samples(&self) -> impl Iterator<Item = SampleId> {
        self.nodes.iter().map(|node| node.sample)
    }

    /// Returns the children of a node, oldest first.
    pub fn children(&self, node: usize) -> impl ExactSizeIterator<Item = usize> {
        let children = self.child_refs(node as u32).iter();
        children.map(|child| child.node as usize)
    }
}

impl From<(Vec<(SampleId, u32)>, TreeRng)> for BoundaryTree {
    fn from((saved, rng): (Vec<(SampleId, u32)>, TreeRng)) -> Self {
        let mut tree = Self::new(rng);
        for (sample, parent) in saved {
            tree.add(sample, parent);
        }
        tree
    }
}

impl Serialize for BoundaryTree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let nodes = self.nodes.iter().map(|node| (node.sample, node.parent));
        (nodes.collect::<Vec<_>>(), &self.rng).serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use forest_core::registry::snapshot::{decode_value, encode_value};
    use forest_testing::statistics::has_frequencies;

    use super::*;
    use crate::Metric;
    use crate::distances::Scratch;

    fn tree() -> BoundaryTree {
        BoundaryTree::new(TreeRng::new(11, 0))
    }

    fn decoded(tree: &BoundaryTree) -> BoundaryTree {
        decode_value(&encode_value(tree).unwrap()).unwrap()
    }

    /// Trees of random growth hold what was added, in rooms that no other node has, whatever ids the samples get; so do
    /// those that are read again.
    #[test]
    fn children_are_listed_oldest_first() {
        let mut rng = TreeRng::new(1, 0);
        let mut tree = tree();
        let mut expected = vec![vec![]];
        tree.add(SampleId::new(0), 0);
        for node in 1..3000 {
            let parent = (rng.uniform().powi(2) * node as f64) as usize;
            tree.add(SampleId::new(2 * node), parent as u32);
            expected[parent].push(node);
            expected.push(vec![]);
            assert!(tree.children.len() < 4 * node);
        }
        let mut kept = RetentionMask::empty(1, 6000);
        tree.keep(&mut kept);
        tree.remap(&kept.remap());
        for tree in [decoded(&tree), tree] {
            assert!(tree.check(3000).is_ok() && tree.check(2999).is_err());
            for (node, children) in expected.iter().enumerate() {
                assert!(tree.children(node).eq(children.iter().copied()));
                let mut samples = tree.child_refs(node as u32).iter();
                assert!(samples.all(|child| child.sample.index() == child.node as usize));
            }
            let rooms = |children: &Vec<usize>| match children.len() {
                0 => 0,
                count => count.next_power_of_two(),
            };
            let used: usize = expected.iter().map(rooms).sum();
            let empty = tree.empty.iter().enumerate();
            let empty: usize = empty.map(|(size, rooms)| rooms.len() << size).sum();
            assert_eq!(tree.children.len(), used + empty);
            assert!(20 * empty < used, "{empty} of {used} places are in no list");
        }
    }

    #[test]
    fn a_chain_of_a_million_is_cloned_written_read_and_dropped() {
        let mut tree = tree();
        for node in 0..1_000_000u32 {
            tree.add(SampleId::new(node as usize), node.saturating_sub(1));
        }
        let read = decoded(&tree.clone());
        assert!(read.check(1_000_000).is_ok() && read.children(999_998).eq([999_999]));
    }

    /// A tree that all points are added to, one after another.
    struct Growing(BoundaryTree, Samples<f64>);

    impl Growing {
        fn new(width: usize, rng: TreeRng) -> Self {
            Self(
                BoundaryTree::new(rng),
                Samples::new(Metric::Manhattan, width, 0),
            )
        }

        /// Adds a point where the walk ends; returns its parent.
        fn add(&mut self, point: &[f32], max_children: Option<u32>) -> u32 {
            let Self(tree, samples) = self;
            let mut scratch = Scratch::default();
            let sample = SampleId::new(samples.len());
            samples.append(1, point, &[]);
            let mut distances = Distances::new(samples, point, &mut scratch);
            let settings = TreeSettings {
                max_children,
                ..TreeSettings::default()
            };
            tree.train(sample, &settings, samples, &mut distances);
            tree.nodes[sample.index()].parent
        }
    }

    /// The paper's equidistant tree of four nodes: the parents of the third and the fourth, with their probability. At
    /// a node with `q` children, each of the `q` + 1 candidates is as likely.
    #[test]
    fn ties_are_broken_uniformly() {
        let shapes = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)];
        let mut counts = [0; 6];
        for index in 0..20_000 {
            let mut tree = Growing::new(1, TreeRng::new(11, index));
            let parents = [(); 4].map(|()| tree.add(&[0.0], None));
            let shape = (parents[2], parents[3]);
            counts[shapes.iter().position(|&known| known == shape).unwrap()] += 1;
        }
        let expected = [4.0, 4.0, 4.0, 6.0, 3.0, 3.0].map(|p| p / 24.0);
        assert!(has_frequencies(&counts, &expected) > 1e-3);
    }
}
