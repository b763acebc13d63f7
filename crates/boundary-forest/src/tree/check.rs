//! What must hold of a boundary tree, whoever made it: its own learning, or an altered file.

use forest_core::{Ground, InvariantError, SampleId, SampleStore, Task};

use super::BoundaryTree;
use crate::arena::{NodeId, place};
use crate::{Metric, Problem};

impl<P: Problem, M: Metric> BoundaryTree<P, M> {
    /// Every check, each relying on the ones before it.
    pub(super) fn check_against(&self, ground: &Ground<'_, Self>) -> Result<(), InvariantError> {
        self.initial.check(ground.samples.len())?;
        self.check_root()?;
        let parents = self.arena.parents()?;
        self.check_samples(ground)?;
        self.check_child_limit(ground)?;
        for (child, parent) in self.nodes().zip(parents) {
            parent.map_or(Ok(()), |parent| self.check_labels(parent, child, ground))?;
        }
        Ok(())
    }

    /// The tree has nodes if and only if all initial points have arrived, and its own is the root.
    fn check_root(&self) -> Result<(), InvariantError> {
        let root = self.arena.root().map(|root| self.sample(root));
        let due = self.initial.are_complete().then(|| self.initial.root());
        let [found, expected] = [root, due].map(|sample| sample.map(SampleId::index));
        let what = || format!("is sample {found:?} instead of {expected:?}");
        InvariantError::unless(root == due, || "root", what)
    }

    /// Every sample named is stored, named once, and labelled with something known.
    fn check_samples(&self, ground: &Ground<'_, Self>) -> Result<(), InvariantError> {
        let mut named = vec![false; ground.samples.len()];
        for (node, sample) in self.arena.samples().enumerate() {
            let fresh = named.get(sample.index()) == Some(&false);
            let index = sample.index();
            let what = || format!("names sample {index}, which is not stored or named before");
            InvariantError::unless(fresh, || place(node), what)?;
            named[index] = true;
        }
        let mut samples = self.initial.arrived().chain(self.arena.samples());
        samples.try_for_each(|id| check_label(ground.samples, &ground.outputs, id))
    }

    fn check_child_limit(&self, ground: &Ground<'_, Self>) -> Result<(), InvariantError> {
        let limit = P::max_children(ground.settings);
        self.nodes().try_for_each(|node| {
            let children = self.arena.child_count(node);
            let what = || format!("has {children} children with a limit of {limit:?}");
            InvariantError::unless(limit.allows(children), || place(node.index()), what)
        })
    }

    /// A sample was added because it corrected its parent's label.
    fn check_labels(
        &self,
        parent: NodeId,
        child: NodeId,
        ground: &Ground<'_, Self>,
    ) -> Result<(), InvariantError> {
        let [above, below] = [parent, child].map(|node| ground.samples.target(self.sample(node)));
        let corrects = P::differ(ground.settings, below, above);
        let what = || format!("its label {below:?} does not correct its parent's, {above:?}");
        InvariantError::unless(corrects, || place(child.index()), what)
    }
}

/// The label is one the task accepts, and known: a ballot has a place for it.
fn check_label<P: Task>(
    samples: &SampleStore<P>,
    outputs: &P::Outputs,
    id: SampleId,
) -> Result<(), InvariantError> {
    let label = samples.target(id);
    let accepted = P::check(outputs, label, id.index()).is_ok();
    let known = accepted && P::admit(*outputs, label) == *outputs;
    let place = || format!("sample {}", id.index());
    InvariantError::unless(known, place, || format!("its label {label:?} is not known"))
}
