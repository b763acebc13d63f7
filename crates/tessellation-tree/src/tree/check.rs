//! The shape of a tree: what every walk and every change relies on, also of a tree that was read from a crafted file.
//!
//! That cuts, times and statistics are those of the samples is not checked: a crafted file can make a tree predict nonsense.

use std::ops::Range;

use forest_core::{ForestContext, InvariantError, SampleId};

use crate::structure::Structure;
use crate::structure::node::{Child, NodeId, Subtree};
use crate::structure::pool::{Index, Pool};
use crate::{CutDistribution, LabelModel, TessellationTree};

impl<D: CutDistribution, L: LabelModel> TessellationTree<D, L> {
    /// Checks that indices are in range, that each node, leaf and sample is reached once, and each sample in the leaf that it
    /// falls into. Costs a walk for every sample.
    pub(crate) fn check_against(
        &self,
        context: &ForestContext<'_, Self>,
    ) -> Result<(), InvariantError> {
        let (structure, samples) = (&self.structure, context.samples);
        let features = samples.width();
        let Some(reached) = Reached::from_root(structure) else {
            let what = "a node, leaf or sample is out of range, lost, miscounted, or reached more than once";
            return Err(InvariantError::new("tree", what));
        };
        let cuts = reached.nodes.iter().map(|&node| &structure.nodes[node].cut);
        structure.cuts.check(features, cuts)?;
        let leaves = reached.leaves.iter().filter_map(|(leaf, _)| leaf.record());
        let nodes = reached.nodes.iter().copied();
        let shaped = self
            .labels
            .is_shaped(leaves, nodes, features, &context.outputs);
        InvariantError::require(shaped, "labels", "they do not match leaves and nodes")?;
        let held = if structure.full { 0 } else { samples.len() };
        let mut sound = structure.held == held
            && reached.samples.len() == held
            && structure.links.slots() <= samples.slots();
        for (leaf, places) in &reached.leaves {
            sound &= reached.samples[places.clone()]
                .iter()
                .all(|&id| samples.holds(id) && self.leaf_at(samples.features(id)) == Some(*leaf));
        }
        let what = "their samples are not those of the store that fall into them";
        InvariantError::require(sound, "leaves", what)?;
        let full = structure.root.is_some() && !structure.has_room(&context.settings.rules());
        InvariantError::require(
            structure.full == full,
            "nodes",
            "they are too many or too few for max_nodes",
        )
    }
}

/// The parts of a tree that are reached from its root.
#[derive(Default)]
struct Reached {
    nodes: Vec<NodeId>,
    /// The leaves, each with the places of its samples in `samples`.
    leaves: Vec<(Subtree, Range<usize>)>,
    samples: Vec<SampleId>,
}

impl Reached {
    /// `None` unless each part is reached exactly once: then the tree has no circles, and ends. A full tree has no samples.
    fn from_root<D: CutDistribution>(tree: &Structure<D>) -> Option<Self> {
        let mut reached = Self::default();
        let [mut nodes, mut leaves, mut samples] = [
            tree.nodes.places(),
            tree.leaves.places(),
            tree.links.slots(),
        ]
        .map(|places| vec![false; places]);
        let mut waiting: Vec<(Child, f64)> =
            tree.root.map(|root| (root, 0.0)).into_iter().collect();
        while let Some((child, birth)) = waiting.pop() {
            let subtree = child.get();
            let start = reached.samples.len();
            match subtree {
                Subtree::Inner(id) => {
                    first_visit(&mut nodes, id.index())?;
                    reached.nodes.push(id);
                    let node = &tree.nodes[id];
                    (node.time >= birth && node.time.is_finite()).then_some(())?;
                    waiting.extend(node.children.map(|child| (child, node.time)));
                    continue;
                }
                Subtree::Leaf(id) => {
                    first_visit(&mut leaves, id.index())?;
                    reached.samples.extend(tree.samples_of(id));
                }
                Subtree::Sample(id) => {
                    // With others linked to it, it would be a leaf of several.
                    tree.links.list(id).nth(1).is_none().then_some(())?;
                    reached.samples.push(id);
                }
            }
            let listed = &reached.samples[start..];
            for id in listed {
                first_visit(&mut samples, id.index())?;
            }
            let sound = match subtree.record().map(|leaf| tree.leaves[leaf]) {
                Some(leaf) if tree.full => listed.is_empty() && leaf.points > 0,
                Some(leaf) => {
                    leaf.points > 1
                        && listed.len() == leaf.points as usize
                        && listed.contains(&leaf.center)
                }
                None => true,
            };
            (sound && tree.links.is_list(listed)).then_some(())?;
            reached.leaves.push((subtree, start..reached.samples.len()));
        }
        (are_the_rest_free(nodes, &tree.nodes) && are_the_rest_free(leaves, &tree.leaves))
            .then_some(reached)
    }
}

/// Notes a place; `None` if there is no such place, or it was noted before.
fn first_visit(seen: &mut [bool], place: usize) -> Option<()> {
    let seen = seen.get_mut(place)?;
    (!std::mem::replace(seen, true)).then_some(())
}

/// Returns whether the free places of a pool are all that was not seen, each once.
fn are_the_rest_free<I: Index, T>(mut seen: Vec<bool>, pool: &Pool<I, T>) -> bool {
    let free = pool
        .free()
        .all(|place| first_visit(&mut seen, place).is_some());
    free && seen.into_iter().all(|seen| seen)
}
