//! Whether an arena, which may come from an altered file, is a tree.

use forest_core::InvariantError;

use super::{Arena, NodeId};

impl Arena {
    /// The parent of every node, found by following every link once.
    ///
    /// Never panics and always ends: a link is followed only to a node that exists, is younger
    /// than its parent and has not been reached before, so links cannot form a cycle.
    ///
    /// # Errors
    /// A link to anything else, a wrong count of children, or a node that no link reaches.
    pub(crate) fn parents(&self) -> Result<Vec<Option<NodeId>>, InvariantError> {
        let mut parents = vec![None; self.len()];
        for parent in self.ids() {
            self.adopt(parent, &mut parents)?;
        }
        self.check_root_alone()?;
        let orphan = parents.iter().skip(1).position(Option::is_none);
        match orphan {
            None => Ok(parents),
            Some(before) => Err(at(before + 1, "no link leads to it")),
        }
    }

    fn check_root_alone(&self) -> Result<(), InvariantError> {
        let sibling = self.nodes.first().and_then(|root| root.older_sibling);
        let what = || "the root has a sibling";
        InvariantError::unless(sibling.is_none(), || place(0), what)
    }

    fn adopt(&self, parent: NodeId, parents: &mut [Option<NodeId>]) -> Result<(), InvariantError> {
        let node = self.nodes[parent.index()];
        let (mut next, mut count) = (node.newest_child, 0);
        while let Some(link) = next {
            let child = NodeId(link.get());
            let free = child > parent && parents.get(child.index()) == Some(&None);
            if !free {
                return Err(at(child.index(), "cannot be a child of an earlier node"));
            }
            parents[child.index()] = Some(parent);
            next = self.nodes[child.index()].older_sibling;
            count += 1;
        }
        let counted = || "miscounts its children";
        InvariantError::unless(count == node.children, || place(parent.index()), counted)
    }
}

fn at(node: usize, what: &str) -> InvariantError {
    InvariantError::new(place(node), what)
}

/// How errors call a node.
pub(crate) fn place(node: usize) -> String {
    format!("node {node}")
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use forest_core::SampleId;

    use super::*;

    /// A root with children 1 and 3; 2 is a child of 1.
    fn arena() -> Arena {
        let mut arena = Arena::default();
        arena.plant_root(SampleId::new(0));
        for (sample, parent) in [(1, 0), (2, 1), (3, 0)] {
            arena.add_child(NodeId(parent), SampleId::new(sample));
        }
        arena
    }

    #[test]
    fn parents_are_those_that_nodes_were_added_to() {
        let parents: Vec<_> = [None, Some(0), Some(1), Some(0)]
            .map(|p| p.map(NodeId))
            .into();
        assert_eq!(arena().parents(), Ok(parents));
        let children: Vec<_> = arena().children(NodeId::ROOT).collect();
        assert_eq!(children, [NodeId(3), NodeId(1)]);
    }

    #[test]
    fn every_altered_link_or_count_is_refused() {
        for node in 0..4 {
            for value in [0, 1, 2, 3, 4, u32::MAX] {
                let link = NonZeroU32::new(value);
                refuses(|arena| &mut arena.nodes[node].newest_child, link);
                refuses(|arena| &mut arena.nodes[node].older_sibling, link);
                refuses(|arena| &mut arena.nodes[node].children, value);
            }
        }
    }

    /// Puts `value` into a field: if that changes the arena, it is no longer a tree.
    fn refuses<V>(field: impl Fn(&mut Arena) -> &mut V, value: V) {
        let mut altered = arena();
        *field(&mut altered) = value;
        assert_eq!(altered.parents().is_ok(), altered == arena(), "{altered:?}");
    }

    #[test]
    fn a_chain_of_a_million_is_checked_cloned_and_dropped() {
        let mut arena = Arena::default();
        arena.plant_root(SampleId::new(0));
        for node in 1..1_000_000 {
            arena.add_child(NodeId(node - 1), SampleId::new(node as usize));
        }
        let parents = arena.clone().parents().unwrap();
        assert_eq!(parents[999_999], Some(NodeId(999_998)));
    }
}
