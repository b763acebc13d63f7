//! The forest: samples stored once, and trees that refer to them (Algorithm 2).

mod answer;
mod check;
mod insertion;
mod learn;
mod offline;
mod walks;

pub use offline::OfflineError;
pub use walks::Walk;

use forest_core::{CannotForget, Footprint, ForestSettings, SampleId, SettingError};
use serde::{Deserialize, Serialize};

use crate::distances::{Distances, Scratch};
use crate::label::Label;
use crate::samples::IdRemap;
use crate::settings::{Insertion, RegressorSettings};
use crate::{BoundaryTree, Metric, Problem, Samples};

/// Boundary trees that learn the same stream, each from its own root and random stream.
///
/// They are quick where samples arrive in no particular order; for sorted or time-ordered streams, see
/// [`Insertion`](crate::Insertion).
///
/// One container for all three uses of the paper: see
/// [`BoundaryClassifier`](crate::BoundaryClassifier), [`BoundaryRegressor`](crate::BoundaryRegressor),
/// [`VectorRegressor`](crate::VectorRegressor) and [`Retriever`](crate::Retriever).
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct BoundaryForest<P: Problem, M: Metric> {
    schema: P::Schema,
    settings: P::Settings,
    samples: Samples<P, M>,
    seen: u64,
    trees: Vec<BoundaryTree>,
    /// Working memory.
    #[serde(skip)]
    remap: IdRemap,
}

/// What a tree is given to work with.
pub(crate) struct ForestContext<'a, P: Problem, M: Metric> {
    pub(crate) settings: RegressorSettings,
    pub(crate) samples: &'a Samples<P, M>,
}

impl<'a, P: Problem, M: Metric> ForestContext<'a, P, M> {
    /// The distances of a stored sample from all others.
    pub(crate) fn distances_from<'b>(
        &self,
        sample: SampleId,
        scratch: &'b mut Scratch,
    ) -> Distances<'b, M>
    where
        'a: 'b,
    {
        Distances::new(self.samples, self.samples.features(sample), scratch)
    }

    /// Whether the label of `sample` is further than `ε` from that of `answer`.
    pub(crate) fn corrects(&self, sample: SampleId, answer: SampleId) -> bool {
        let [sample, answer] = [sample, answer].map(|id| self.samples.label(id));
        P::Cell::distance(sample, answer) > self.settings.epsilon
    }
}

impl<P: Problem, M: Metric> BoundaryForest<P, M> {
    /// A forest for the stream that `schema` describes; the number of its trees is the paper's `n_T`.
    ///
    /// # Errors
    /// No trees, or a setting that breaks its rule.
    pub fn new(
        schema: P::Schema,
        settings: P::Settings,
        forest: ForestSettings,
    ) -> Result<Self, SettingError> {
        forest.check::<CannotForget>()?;
        P::check_schema(&schema)?;
        settings.into().check()?;
        let ForestSettings { trees, seed, .. } = forest;
        let tree = |index| BoundaryTree::new(index, seed);
        Ok(Self {
            samples: Samples::new(&schema),
            schema,
            settings,
            seen: 0,
            trees: (0..trees).map(tree).collect(),
            remap: IdRemap::default(),
        })
    }

    /// What is known of the stream.
    pub fn schema(&self) -> &P::Schema {
        &self.schema
    }

    /// The settings that all trees share.
    pub fn settings(&self) -> &P::Settings {
        &self.settings
    }

    /// The samples that some tree holds.
    pub fn samples(&self) -> &Samples<P, M> {
        &self.samples
    }

    /// Number of samples learned.
    pub fn samples_seen(&self) -> u64 {
        self.seen
    }

    /// The trees, in index order.
    pub fn trees(&self) -> impl ExactSizeIterator<Item = &BoundaryTree> {
        self.trees.iter()
    }

    /// What the forest holds in memory: nodes, samples and their codes.
    pub fn footprint(&self) -> Footprint {
        let trees = self.trees.capacity() * size_of::<BoundaryTree>();
        let nodes: usize = self.trees.iter().map(BoundaryTree::bytes).sum();
        Footprint {
            nodes: self.trees.iter().map(BoundaryTree::len).sum(),
            stored_samples: self.samples.len(),
            bytes: self.samples.bytes() + trees + nodes,
        }
    }

    fn insertion(&self) -> Insertion {
        self.settings.into().insertion
    }

    fn context(&self) -> ForestContext<'_, P, M> {
        ForestContext {
            settings: self.settings.into(),
            samples: &self.samples,
        }
    }

    /// What trees are given, and the trees.
    fn context_and_trees(&mut self) -> (ForestContext<'_, P, M>, &mut [BoundaryTree]) {
        let context = ForestContext {
            settings: self.settings.into(),
            samples: &self.samples,
        };
        (context, &mut self.trees)
    }

    /// Drops the samples from `first` on that no tree holds.
    fn drop_unreferenced(&mut self, first: usize) {
        let remap = &mut self.remap;
        remap.start(first, self.samples.len());
        self.trees.iter().for_each(|tree| tree.retain(remap));
        if remap.retains_all() {
            return;
        }
        remap.assign_ids();
        self.samples.remap(remap);
        self.trees.iter_mut().for_each(|tree| tree.remap(remap));
    }
}
