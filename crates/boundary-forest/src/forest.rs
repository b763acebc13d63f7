//! The forest: samples once, and trees that name them (Algorithm 2).

mod answer;
mod check;
mod insertion;
mod learn;
mod offline;
mod training;
mod walks;

pub use answer::LocallyClosest;
pub use offline::OfflineError;
pub use walks::Walk;

use forest_core::{CannotForget, Footprint, ForestSettings, SampleId, SettingError};
use serde::{Deserialize, Serialize};

use crate::samples::RetentionMask;
use crate::settings::Settings;
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
}

/// What trees stand on.
pub(crate) struct ForestContext<'a, P: Problem, M: Metric> {
    pub(crate) settings: &'a P::Settings,
    pub(crate) samples: &'a Samples<P, M>,
}

impl<P: Problem, M: Metric> Clone for ForestContext<'_, P, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: Problem, M: Metric> Copy for ForestContext<'_, P, M> {}

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
        settings.check()?;
        let ForestSettings { trees, seed, .. } = forest;
        let build = |index| BoundaryTree::build(index, trees, seed);
        Ok(Self {
            samples: Samples::new(&schema),
            schema,
            settings,
            seen: 0,
            trees: (0..trees).map(build).collect(),
        })
    }

    /// The shape of the stream.
    pub fn schema(&self) -> &P::Schema {
        &self.schema
    }

    /// The settings that all trees share.
    pub fn settings(&self) -> &P::Settings {
        &self.settings
    }

    /// The samples that some tree keeps.
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

    pub(crate) fn context(&self) -> ForestContext<'_, P, M> {
        ForestContext {
            settings: &self.settings,
            samples: &self.samples,
        }
    }

    /// Drops the samples from `first` on that no tree keeps.
    fn drop_unreferenced(&mut self, first: usize) {
        if self.trees.iter().any(BoundaryTree::is_waiting) {
            return;
        }
        let mut kept = RetentionMask::none_of(first, self.samples.len());
        self.trees.iter().for_each(|tree| tree.keep(&mut kept));
        if kept.all() {
            return;
        }
        self.samples.retain(&kept);
        let names = kept.names();
        for tree in &mut self.trees {
            tree.rename(SampleId::new(first), &names);
        }
    }
}
