//! The offline boundary forest, `OBF`: "each tree gets an independently reshuffled version of the
//! data". What being online costs is measured against it.

use forest_core::ndarray::ArrayView2;
use forest_core::{
    ForestSettings, InputError, Rows, SampleId, Schema, SettingError, Task, TreeRng, threads,
};
use thiserror::Error;

use super::training::train;
use super::{BoundaryForest, ForestContext};
use crate::distances::Scratch;
use crate::settings::{Insertion, Settings};
use crate::tree::BoundaryTree;
use crate::{Metric, Problem};

/// Why no offline forest could be made.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum OfflineError {
    /// The data were refused.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A setting breaks its rule.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// There is nothing to make a root of.
    #[error("an offline forest needs at least one sample")]
    NoSamples,
}

impl<P, M> BoundaryForest<P, M>
where
    P: Problem<Schema = Schema<P>, Cell = <P as Task>::Target> + Task,
    M: Metric,
{
    /// The offline forest of a data set: every tree learns all of it once, in an order drawn from
    /// its own random stream. It can go on learning, as any other forest.
    ///
    /// # Errors
    /// No samples, or what [`BoundaryForest::new`] or
    /// [`learn`](forest_core::OnlineLearner::learn) would refuse.
    pub fn offline(
        schema: Schema<P>,
        settings: P::Settings,
        forest: ForestSettings,
        features: ArrayView2<'_, f32>,
        targets: &[P::Target],
    ) -> Result<Self, OfflineError> {
        let seed = forest.seed;
        let mut forest = Self::new(schema, settings, forest)?;
        if let Insertion::ShuffledBlocks(rows) = settings.insertion() {
            let rule = "must be none for an offline forest, whose trees shuffle all samples";
            return Err(SettingError::new("shuffle_block", rule, rows).into());
        }
        let rows = Rows::check(features, P::features(&forest.schema))?;
        forest.schema.check_targets(rows.len(), targets)?;
        forest.check_room(rows.len())?;
        if rows.is_empty() {
            return Err(OfflineError::NoSamples);
        }
        forest.learn_shuffled(&rows, targets, seed);
        Ok(forest)
    }

    fn learn_shuffled(&mut self, rows: &Rows<'_>, labels: &[P::Cell], seed: u64) {
        self.samples.append(rows.len(), rows.values(), labels);
        self.seen = rows.len() as u64;
        P::note(&mut self.schema, labels);
        let context = ForestContext {
            settings: &self.settings,
            samples: &self.samples,
        };
        let units = rows.len() * self.trees.len();
        let mut trees: Vec<_> = self.trees.iter_mut().enumerate().collect();
        threads::in_groups(&mut trees, units, |group| {
            let mut scratch = Scratch::default();
            for (index, tree) in group {
                **tree = shuffled(context, TreeRng::new(seed, *index), &mut scratch);
            }
        });
        self.drop_unreferenced(0);
    }
}

/// A tree that has learned all samples in an order drawn from `rng`.
fn shuffled<P: Problem, M: Metric>(
    context: ForestContext<'_, P, M>,
    mut rng: TreeRng,
    scratch: &mut Scratch,
) -> BoundaryTree {
    let mut order: Vec<_> = (0..context.samples.len()).map(SampleId::new).collect();
    rng.shuffle(&mut order);
    let mut tree = BoundaryTree::rooted(order[0], rng);
    for &id in &order[1..] {
        train(&mut tree, id, context, scratch);
    }
    tree
}
