//! Trees of all kinds, as trees of a forest.

use std::fmt::Debug;

use forest_core::{
    Ability, ExportedTree, FeatureValues, Footprint, ForestContext, IdRemap, InvariantError,
    OnlineTree, Proceed, RetentionMask, Rows, SampleId, SampleStore, Schema, SettingError, Task,
    TreeRng,
};
use serde::{Deserialize, Serialize};

use super::{Kind, Parts, Tree, either};
use crate::labels::sealed::Sums;
use crate::silence::Silence as _;
use crate::{DynamicSettings, Labels, votes};

/// A tree that is a function of its seed and of the samples it holds, up to a share ε of the samples of each node (see
/// [`DynamicSettings::recheck`]). `V` is what it keeps of them and how it is read: [`DynamicTree`](crate::DynamicTree),
/// [`ReadingTree`](crate::ReadingTree), [`HonestTree`](crate::HonestTree).
#[expect(private_bounds, reason = "variants are sealed")]
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct ExtraTree<V: Mode>(pub(crate) Kind<V::Plain, V::Weighted>);

/// What trees keep of their samples, and how they are read. Sealed.
pub trait Variant: Clone + Debug + Send + Sync + 'static {
    /// Classification or regression.
    type Task: Labels;
}

/// A target of a variant's samples.
pub(crate) type TargetOf<V> = <<V as Variant>::Task as Task>::Target;

/// See [`Variant`].
pub(crate) trait Mode: Variant {
    /// Samples that count as one each.
    type Plain: Sums<Task = Self::Task>;
    /// Samples that count as their weights say.
    type Weighted: Sums<Task = Self::Task, Silence = <Self::Plain as Sums>::Silence>;

    /// The predictions that a tree makes of a point.
    const READINGS: usize = 1;

    /// Returns the samples that are silent in tree number `index` from the beginning.
    fn silence(index: usize) -> <Self::Plain as Sums>::Silence {
        let _ = index;
        Default::default()
    }

    /// Overwrites `accumulator` with the predictions at a point.
    fn vote(
        tree: &Kind<Self::Plain, Self::Weighted>,
        x: &[f32],
        store: &SampleStore<Self::Task>,
        accumulator: &mut [f64],
    ) {
        either!(tree, tree => votes::vote(&tree.parts, x, store, accumulator));
    }

    /// Follows targets that have changed, of trees that can.
    fn retarget(
        tree: &mut Kind<Self::Plain, Self::Weighted>,
        changes: &[(SampleId, TargetOf<Self>)],
        store: &SampleStore<Self::Task>,
        settings: &DynamicSettings,
    ) {
        let _ = (tree, changes, store, settings);
    }

    /// Adds the predictions at points to `sums`, an accumulator for each.
    fn add_votes(
        tree: &Kind<Self::Plain, Self::Weighted>,
        rows: &Rows<'_>,
        store: &SampleStore<Self::Task>,
        accumulator: &mut [f64],
        sums: &mut [f64],
    ) {
        either!(tree, tree => votes::add_votes(&tree.parts, rows, store, accumulator, sums));
    }
}

impl<T: Labels> Variant for T {
    type Task = T;
}

impl<T: Labels> Mode for T {
    type Plain = T;
    type Weighted = T::Weighted;
}

impl<V: Mode> OnlineTree for ExtraTree<V> {
    type Task = V::Task;
    type Settings = DynamicSettings;

    const FEATURE_VALUES: FeatureValues = FeatureValues::NumbersAndCategories;

    fn can(ability: Ability) -> bool {
        use Ability::{AtOnce, Explain, Forget, Weights};
        matches!(ability, AtOnce | Explain | Forget | Weights)
    }

    fn build(index: usize, _: &Schema<V::Task>, _: &DynamicSettings) -> Self {
        let (seed, parts) = (None, Parts::with_silence(V::silence(index)));
        Self(Kind::Plain(Tree { seed, parts }))
    }

    fn learn(&mut self, id: SampleId, context: &ForestContext<'_, Self>, rng: &mut TreeRng) {
        either!(&mut self.0, tree => tree.seed.get_or_insert_with(|| rng.bits()));
        self.0.prepare(id, context.samples, context.settings);
        either!(&mut self.0, tree => {
            tree.change(context.samples, context.settings, |growth, root| growth.learn(root, id));
        });
    }

    fn look_ahead(
        &mut self,
        ids: impl Iterator<Item = SampleId>,
        context: &ForestContext<'_, Self>,
    ) {
        either!(&self.0, tree => votes::walk_ahead(&tree.parts, ids, context.samples));
    }

    /// The batch tree of the samples. With `recheck` = 0 it equals the tree that learns them one after another; otherwise its cuts are those of all
    /// samples, where learned one by one they lag behind by up to this share.
    fn learn_first(
        &mut self,
        ids: impl Iterator<Item = SampleId> + Clone,
        context: &ForestContext<'_, Self>,
        rng: &mut TreeRng,
        proceed: Proceed<'_>,
    ) {
        either!(&mut self.0, tree => tree.seed.get_or_insert_with(|| rng.bits()));
        for id in ids.clone() {
            self.0.prepare(id, context.samples, context.settings);
        }
        either!(&mut self.0, tree => {
            tree.change(context.samples, context.settings, |growth, root| {
                growth.grow_all(root, ids, proceed);
            });
        });
    }

    /// Makes a share of the samples silent, of trees in which some can be.
    fn refine_to(&mut self, share: f64, context: &ForestContext<'_, Self>, _: &mut TreeRng) {
        either!(&mut self.0, tree => {
            let silence = tree.parts.silence.with_share(share);
            if tree.seed.is_none() {
                tree.parts.silence = silence;
            } else if silence != tree.parts.silence {
                tree.change(context.samples, context.settings, |growth, root| {
                    growth.silence(root, silence);
                });
            }
        });
    }

    fn forget(&mut self, id: SampleId, context: &ForestContext<'_, Self>, _: &mut TreeRng) {
        either!(&mut self.0, tree => {
            tree.change(context.samples, context.settings, |growth, root| growth.forget(root, id));
        });
    }

    fn retarget(&mut self, changes: &[(SampleId, TargetOf<V>)], context: &ForestContext<'_, Self>) {
        V::retarget(&mut self.0, changes, context.samples, context.settings);
    }

    fn widen_settings(_: &mut DynamicSettings, _: usize) -> Result<(), SettingError> {
        Ok(())
    }

    /// The number of candidates that is chosen by the task follows the number of features, and the order of a node's candidates is another one. So an exact tree
    /// is built again, `O(n·K·log n)`; a lazy one keeps its cuts until they are reconsidered, with all features.
    fn widen(&mut self, _: usize, context: &ForestContext<'_, Self>) {
        if context.settings.recheck == 0.0 && !context.samples.is_empty() {
            either!(&mut self.0, tree => {
                *tree = tree.batch_tree(context.samples, context.settings);
            });
        }
    }

    fn export(&self, context: &ForestContext<'_, Self>) -> Option<ExportedTree> {
        Some(either!(&self.0, tree => tree.parts.export(context.samples, &context.outputs)))
    }

    fn vote(&self, features: &[f32], context: &ForestContext<'_, Self>, accumulator: &mut [f64]) {
        V::vote(&self.0, features, context.samples, accumulator);
    }

    fn add_votes(
        &self,
        rows: &Rows<'_>,
        context: &ForestContext<'_, Self>,
        accumulator: &mut [f64],
        sums: &mut [f64],
    ) {
        V::add_votes(&self.0, rows, context.samples, accumulator, sums);
    }

    fn accumulator_width(outputs: &<V::Task as Task>::Outputs) -> usize {
        Self::full_width(outputs)
    }

    fn full_width(outputs: &<V::Task as Task>::Outputs) -> usize {
        V::READINGS * V::Task::width(outputs)
    }

    fn keep(&self, kept: &mut RetentionMask) {
        kept.keep_all();
    }

    fn remap(&mut self, names: &IdRemap) {
        either!(&mut self.0, tree => tree.remap(names));
    }

    fn footprint(&self) -> Footprint {
        either!(&self.0, tree => tree.footprint(size_of::<Self>()))
    }

    fn check(&self, context: &ForestContext<'_, Self>) -> Result<(), InvariantError> {
        self.0.check_parts(context.samples, context.settings)
    }
}
