//! Forgetting, where trees can.

use super::Forest;
use crate::selection::Selection;
use crate::{
    CanForget, Forget, ForgetError, Forgetting, NotHeld, OnlineTree, SampleId, SettingError,
    Settings,
};

impl<T: OnlineTree> Forest<T> {
    /// The forest as what can forget; `None` if its trees cannot, or a setting rules it out.
    pub fn as_forget_mut(&mut self) -> Option<&mut dyn Forget<Task = T::Task>> {
        self.settings.check_forgetting().ok()?;
        T::Forgets::forgetter(self)
    }
}

impl<T: OnlineTree<Forgets = CanForget>> Forest<T> {
    fn forget_all(&mut self, ids: &[SampleId]) {
        self.for_each_tree(|tree, context, rng| {
            let forget = |&id| tree.forget(id, context, rng, CanForget);
            ids.iter().for_each(forget);
        });
        ids.iter().for_each(|&id| self.samples.forget(id));
        self.compact();
    }
}

impl<T: OnlineTree<Forgets = CanForget>> Forget for Forest<T> {
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
        self.settings.check_forgetting()?;
        let n = n.max(1);
        self.selection = Selection::Latest(n);
        let excess = self.samples.len().saturating_sub(n);
        let gone: Vec<_> = self.samples.ids().take(excess).collect();
        self.forget_all(&gone);
        Ok(())
    }
}
