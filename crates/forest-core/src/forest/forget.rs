//! Forgetting, where trees can.

use smallvec::SmallVec;

use super::Forest;
use crate::{
    ForestContext, Forget, ForgetError, ForgetTree, NotHeld, OnlineTree, RetargetTree, Retention,
    SampleId, SettingError, Settings, Task, TreeRng, threads,
};

/// How trees of a kind forget, which a forest of any trees asks for: they are [`ForgetTree`]s.
#[derive(Debug)]
pub struct Forgetting<T: OnlineTree> {
    /// [`ForgetTree::forget`].
    pub(super) forget: fn(&mut T, SampleId, &ForestContext<'_, T>, &mut TreeRng),
    as_forget_mut: fn(&mut Forest<T>) -> &mut dyn Forget<Task = T::Task>,
}

impl<T: ForgetTree> Forgetting<T> {
    /// Returns how such trees forget.
    pub fn by_trees() -> Self {
        Self {
            forget: T::forget,
            as_forget_mut: |forest| forest,
        }
    }
}

impl<T: OnlineTree> Forest<T> {
    /// Returns the forest as what can forget.
    ///
    /// # Errors
    /// If its trees cannot, or a setting rules it out.
    pub fn as_forget_mut(&mut self) -> Result<&mut dyn Forget<Task = T::Task>, ForgetError> {
        let forgetting = T::forgetting().ok_or(ForgetError::Impossible)?;
        self.settings.check_forgetting()?;
        Ok((forgetting.as_forget_mut)(self))
    }

    /// Returns whether every sample that was learned is forgotten: trees that can forget hold all that they learn from, unless they are full.
    pub(super) fn has_forgotten_all(&self) -> bool {
        let holds_none = T::forgetting().is_some() && self.samples.is_empty();
        holds_none && self.trees().any(OnlineTree::holds_samples)
    }
}

impl<T: ForgetTree> Forest<T> {
    fn forget_all(&mut self, ids: &[SampleId]) {
        self.for_each_tree(|tree, context, rng| {
            let forget = |&id| tree.forget(id, context, rng);
            ids.iter().for_each(forget);
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

impl<T: ForgetTree> Forget for Forest<T> {
    fn forget(&mut self, arrival: u64) -> Result<(), ForgetError> {
        self.settings.check_forgetting()?;
        let id = self.samples.find(arrival).ok_or(NotHeld {
            arrival,
            seen: self.seen,
            held: self.samples.len(),
        })?;
        self.forget_all(&[id]);
        Ok(())
    }

    fn keep_latest(&mut self, n: usize) -> Result<(), SettingError> {
        SettingError::require(n > 0, "n", "must be at least 1", n)?;
        self.settings.check_forgetting()?;
        self.retention = Retention::Latest(n);
        let excess = self.samples.len().saturating_sub(n);
        let gone: Vec<_> = self.samples.ids().take(excess).collect();
        self.forget_all(&gone);
        Ok(())
    }
}
