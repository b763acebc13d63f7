//! Trees of all variants, as trees of a forest.

use std::fmt::Debug;

use std::sync::Arc;

use forest_core::{
    Ability, ExportedTree, FeatureValues, Footprint, ForestContext, IdRemap, InvariantError,
    OnlineTree, Proceed, RetentionMask, Rows, SampleId, Schema, SettingError, Settings, Task,
    TreeRng, accumulate,
};

use crate::labels::{Sums, Totals};
use crate::silence::Silent;
use crate::{DynamicSettings, ExtraTree, Labels, votes};

/// What trees keep of their samples, and how they are read. Sealed.
pub trait Variant: Clone + Debug + Send + Sync + 'static {
    /// Classification or regression.
    type Task: Labels;
}

/// See [`Variant`].
pub(crate) trait Mode: Variant {
    /// What inner nodes keep of the samples below them.
    type Totals: Totals;

    /// The predictions that a tree makes of a point.
    const READINGS: usize = 1;

    /// What the changes of a cut's samples are counted in: parts of one that counts as much as any other.
    const A_CHANGE: u32 = 1;

    /// Returns K, the number of candidates by default, for points of this number of features.
    fn candidates(width: usize) -> usize {
        <Self::Task as Sums>::candidates(width)
    }

    /// Returns the samples that are silent in tree number `index` from the beginning.
    fn silence(index: usize) -> Silent {
        let _ = index;
        Silent::default()
    }
}

impl<T: Labels> Variant for T {
    type Task = T;
}

impl<T: Labels> Mode for T {
    type Totals = ();
}

impl<V: Mode> OnlineTree for ExtraTree<V> {
    type Task = V::Task;
    type Settings = DynamicSettings;

    fn boxed(&self) -> Box<dyn OnlineTree<Task = V::Task>> {
        Box::new(self.clone())
    }

    fn feature_values(&self) -> FeatureValues {
        FeatureValues::NumbersAndCategories
    }

    fn can(&self, ability: Ability) -> bool {
        use Ability::{AtOnce, Explain, Forget, Weights};
        matches!(ability, AtOnce | Explain | Forget | Weights)
    }

    fn build(index: usize, _: &Schema<V::Task>, _: &DynamicSettings) -> Self {
        Self::new(None, V::silence(index), false)
    }

    fn learn(&mut self, id: SampleId, context: &ForestContext<'_, V::Task>, rng: &mut TreeRng) {
        self.seed.get_or_insert_with(|| rng.bits());
        self.change(context.samples, context.settings(), |growth, root| {
            growth.learn(root, id);
        });
    }

    fn look_ahead(&mut self, ids: &[SampleId], context: &ForestContext<'_, V::Task>) {
        votes::walk_ahead(self, ids.iter().copied(), context.samples);
    }

    /// The batch tree of the samples. With `recheck` = 0 it equals the tree that learns them one after another; otherwise its cuts are those of all
    /// samples, where learned one by one they lag behind by up to this share.
    fn learn_first(
        &mut self,
        ids: &[SampleId],
        context: &ForestContext<'_, V::Task>,
        rng: &mut TreeRng,
        proceed: Proceed<'_>,
    ) {
        self.seed.get_or_insert_with(|| rng.bits());
        self.change(context.samples, context.settings(), |growth, root| {
            growth.grow_all(root, ids.iter().copied(), proceed);
        });
    }

    /// Makes a share of the samples silent, of trees in which some can be.
    fn refine_to(&mut self, share: f64, context: &ForestContext<'_, V::Task>, _: &mut TreeRng) {
        let silence = self.silence.with_share(share);
        if self.seed.is_none() {
            self.silence = silence;
        } else if silence != self.silence {
            self.change(context.samples, context.settings(), |growth, root| {
                growth.silence(root, silence);
            });
        }
    }

    fn forget(&mut self, id: SampleId, context: &ForestContext<'_, V::Task>, _: &mut TreeRng) {
        self.change(context.samples, context.settings(), |growth, root| {
            growth.forget(root, id);
        });
    }

    fn retarget(
        &mut self,
        changes: &[(SampleId, <V::Task as Task>::Target)],
        context: &ForestContext<'_, V::Task>,
    ) {
        self.change(context.samples, context.settings(), |growth, root| {
            growth.retarget(root, changes);
        });
    }

    fn widened(
        &self,
        settings: &Arc<dyn Settings<V::Task>>,
        _: usize,
    ) -> Result<Arc<dyn Settings<V::Task>>, SettingError> {
        Ok(settings.clone())
    }

    /// The number of candidates that is chosen by the task follows the number of features, and the order of a node's candidates is another one. So an exact tree
    /// is built again, `O(n·K·log n)`; a lazy one keeps its cuts until they are reconsidered, with all features.
    fn widen(&mut self, _: usize, context: &ForestContext<'_, V::Task>) {
        if context.settings::<DynamicSettings>().recheck == 0.0 && !context.samples.is_empty() {
            let ids: Vec<_> = context.samples.ids().collect();
            self.change(context.samples, context.settings(), |growth, root| {
                growth.grow_all(root, ids.into_iter(), || true);
            });
        }
    }

    fn export(&self, context: &ForestContext<'_, V::Task>) -> Option<ExportedTree> {
        Some(self.exported(context))
    }

    fn vote(
        &self,
        features: &[f32],
        context: &ForestContext<'_, V::Task>,
        accumulator: &mut [f64],
    ) {
        match V::READINGS {
            1 => votes::vote(self, features, context.samples, accumulator),
            _ => self.readings(features, None, context.samples, accumulator),
        }
    }

    fn add_votes(
        &self,
        rows: &Rows<'_>,
        context: &ForestContext<'_, V::Task>,
        accumulator: &mut [f64],
        sums: &mut [f64],
    ) {
        if V::READINGS == 1 {
            return votes::add_votes(self, rows, context.samples, accumulator, sums);
        }
        let width = accumulator.len().max(1);
        for (x, sum) in rows.iter().zip(sums.chunks_exact_mut(width)) {
            self.readings(x, None, context.samples, accumulator);
            accumulate(sum, accumulator);
        }
    }

    fn accumulator_width(&self, outputs: &<V::Task as Task>::Outputs) -> usize {
        self.full_width(outputs)
    }

    fn full_width(&self, outputs: &<V::Task as Task>::Outputs) -> usize {
        V::READINGS * V::Task::width(outputs)
    }

    fn keep(&self, kept: &mut RetentionMask) {
        kept.keep_all();
    }

    fn remap(&mut self, names: &IdRemap) {
        self.nodes.remap(names);
        self.links.remap(names);
        for statistics in self.statistics.values.iter_mut() {
            let children = statistics
                .aside
                .iter_mut()
                .flat_map(|aside| &mut aside.children);
            children.for_each(|child| child.remap(names));
        }
    }

    fn footprint(&self) -> Footprint {
        Footprint {
            nodes: self.nodes.used,
            stored_samples: 0,
            bytes: size_of::<Self>() + self.bytes(),
        }
    }

    fn check(&self, context: &ForestContext<'_, V::Task>) -> Result<(), InvariantError> {
        self.check_shape(context.samples, V::Task::width(&context.outputs))
    }
}
