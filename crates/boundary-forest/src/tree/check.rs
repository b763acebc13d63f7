//! What must hold of a boundary tree, whoever made it: its own learning, or an altered file.

use forest_core::{InvariantError, SampleId};

use super::BoundaryTree;
use crate::forest::ForestContext;
use crate::nodes::{NodeId, place};
use crate::settings::{ChildLimit, Settings};
use crate::{Metric, Problem};

impl BoundaryTree {
    /// Every check of tree `index` of `trees`, each relying on the ones before it. The tree may hold
    /// the first `inserted` samples.
    pub(crate) fn check<P: Problem, M: Metric>(
        &self,
        index: usize,
        trees: usize,
        inserted: usize,
        context: ForestContext<'_, P, M>,
    ) -> Result<(), InvariantError> {
        self.initial.check(index, trees, inserted)?;
        self.check_root()?;
        self.nodes.check()?;
        self.check_samples(inserted)?;
        self.check_child_limit(context.settings.max_children())?;
        self.nodes()
            .try_for_each(|child| self.check_label(child, context))
    }

    /// The tree has nodes if and only if all initial points have arrived, and its own is the root.
    fn check_root(&self) -> Result<(), InvariantError> {
        let root = self.nodes.root().map(|root| root.sample);
        let allowed = self.initial.allow_root(root);
        let what = || format!("cannot be sample {:?}", root.map(SampleId::index));
        InvariantError::unless(allowed, || "root", what)
    }

    /// Every sample named is one of those inserted, and named once.
    fn check_samples(&self, inserted: usize) -> Result<(), InvariantError> {
        let mut named = vec![false; inserted];
        for (node, sample) in self.nodes().zip(self.nodes.samples()) {
            let index = sample.index();
            let fresh = named.get(index) == Some(&false);
            let what =
                || format!("names sample {index}, which is not inserted yet or named before");
            InvariantError::unless(fresh, || place(node), what)?;
            named[index] = true;
        }
        Ok(())
    }

    fn check_child_limit(&self, limit: ChildLimit) -> Result<(), InvariantError> {
        self.nodes().try_for_each(|node| {
            let children = self.nodes.children(node).len();
            let what = || format!("has {children} children with a limit of {limit:?}");
            InvariantError::unless(limit.allows(children), || place(node), what)
        })
    }

    /// A sample was added because it corrected its parent's label.
    fn check_label<P: Problem, M: Metric>(
        &self,
        child: NodeId,
        context: ForestContext<'_, P, M>,
    ) -> Result<(), InvariantError> {
        let Some(parent) = self.parent(child) else {
            return Ok(());
        };
        let [above, below] = [parent, child].map(|node| context.samples.label(self.sample(node)));
        let corrects = P::differ(context.settings, below, above);
        let what = || format!("its label {below:?} does not correct its parent's, {above:?}");
        InvariantError::unless(corrects, || place(child), what)
    }
}
