//! A tree whose samples get weights.

use forest_core::{SampleId, SampleStore, SampleWeight, Supports, Weights};

use super::{DynamicTree, Kind, Parts, Tree};
use crate::labels::sealed::Sums;
use crate::nodes::Below;
use crate::{DynamicSettings, Labels};

/// Gains and predictions weight samples; limits on the number of samples count them.
impl<T: Labels> Supports<Weights> for DynamicTree<T> {}

impl<P: Sums, W: Sums<Task = P::Task, Silence = P::Silence>> Kind<P, W> {
    /// Switches to weighted samples if `id`, which is next, has a weight other than 1: rebuilds the tree, once.
    #[inline]
    pub(crate) fn prepare(
        &mut self,
        id: SampleId,
        store: &SampleStore<P::Task>,
        settings: &DynamicSettings,
    ) {
        if store.weight(id) == SampleWeight::ONE {
            return;
        }
        if let Self::Plain(tree) = self {
            *self = Self::Weighed(tree.weighed(store, settings));
        }
    }
}

impl<P: Sums> Tree<P> {
    /// Returns the weighted tree of the same samples.
    #[cold]
    fn weighed<W: Sums<Task = P::Task, Silence = P::Silence>>(
        &self,
        store: &SampleStore<P::Task>,
        settings: &DynamicSettings,
    ) -> Tree<W> {
        let (seed, parts) = (self.seed, Parts::with_silence(self.parts.silence));
        let mut weighed = Tree { seed, parts };
        let ids = self.parts.ids();
        weighed.change(store, settings, |growth, root| {
            growth.grow_all(root, ids.into_iter(), || true);
        });
        weighed
    }
}

impl<T: Sums> Parts<T> {
    /// Returns the samples of the tree.
    fn ids(&self) -> Vec<SampleId> {
        let (mut ids, mut below) = (Vec::new(), vec![self.nodes.root]);
        while let Some(child) = below.pop() {
            match child.get() {
                Below::Nothing => {}
                Below::Pure(first) => ids.extend(self.links.list(first)),
                Below::Node(index) => {
                    let (first, second) = self.nodes.get(index).below();
                    below.extend([first].into_iter().chain(second));
                }
            }
        }
        ids
    }
}
