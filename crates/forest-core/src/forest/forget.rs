//! Forgetting, where trees can.

use smallvec::SmallVec;

use super::Forest;
use crate::{
    ForestContext, ForgetTree, OnlineTree, RetargetTree, SampleId, Task, TreeRng, threads,
};

/// How trees of a kind forget, which a forest of any trees asks for: they are [`ForgetTree`]s.
#[derive(Debug)]
pub struct Forgetting<T: OnlineTree> {
    /// [`ForgetTree::forget`].
    pub(super) forget: fn(&mut T, SampleId, &ForestContext<'_, T>, &mut TreeRng),
}

impl<T: ForgetTree> Forgetting<T> {
    /// Returns how such trees forget.
    pub fn by_trees() -> Self {
        Self { forget: T::forget }
    }
}

impl<T: OnlineTree> Forest<T> {
    /// Returns whether every sample that was learned is forgotten: trees that can forget hold all that they learn from, unless they are full.
    pub(super) fn has_forgotten_all(&self) -> bool {
        let holds_none = T::forgetting().is_some() && self.samples.is_empty();
        holds_none && self.trees().any(OnlineTree::holds_samples)
    }
}

impl<T: OnlineTree> Forest<T> {
    /// Forgets samples that are held; trees of this kind can.
    pub(super) fn forget_all(&mut self, ids: &[SampleId]) {
        let Some(forgetting) = T::forgetting() else {
            return;
        };
        self.for_each_tree(|tree, context, rng| {
            for &id in ids {
                (forgetting.forget)(tree, id, context, rng);
            }
        });
        ids.iter().for_each(|&id| self.samples.forget(id));
        self.compact();
    }
}

impl<T: RetargetTree> Forest<T> {
    /// Replaces the targets of samples that are held, each of which is there once.
    pub fn retarget(&mut self, changes: &[(SampleId, <T::Task as Task>::Target)]) {
        let samples = &mut self.samples;
        let swap = |&(id, target)| (id, samples.retarget(id, target));
        let before: SmallVec<[_; 8]> = changes.iter().map(swap).collect();
        let context = ForestContext {
            settings: &self.settings,
            samples: &self.samples,
            outputs: self.schema.outputs(),
        };
        let units = before.len() * self.trees.len();
        threads::each(&mut self.trees, units, |seeded| {
            seeded.tree.retarget(&before, &context);
        });
    }
}
