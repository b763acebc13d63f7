//! The forest: samples stored once, and trees that refer to them (Algorithm 2).

mod check;
mod insertion;
mod learn;
mod offline;
mod query;
mod walks;

pub use offline::OfflineError;
pub use walks::Walk;

use forest_core::registry::Declared as _;
use forest_core::{Footprint, ForestSettings, RetentionMask, SettingError};
use serde::{Deserialize, Serialize};

use crate::grower::Grower;
use crate::settings::SettingsOf;
use crate::{BoundaryTree, Metric, Problem, Samples};

/// Boundary trees that learn the same stream, each from its own root and random stream.
///
/// They are quick where samples arrive in no particular order, not in sorted or time-ordered streams.
///
/// One container for all three uses of the paper: see
/// [`BoundaryClassifier`](crate::BoundaryClassifier), [`BoundaryRegressor`](crate::BoundaryRegressor),
/// [`VectorRegressor`](crate::VectorRegressor) and [`Retriever`](crate::Retriever).
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct BoundaryForest<P: Problem, M: Metric> {
    schema: P::Schema,
    settings: SettingsOf<P>,
    samples: Samples<P, M>,
    seen: u64,
    trees: Vec<Grower>,
}

impl<P: Problem, M: Metric> BoundaryForest<P, M> {
    /// Creates a forest for the stream that `schema` describes; the number of its trees is the paper's `n_T`.
    ///
    /// # Errors
    /// No trees, or a setting that breaks its rule.
    pub fn new(
        schema: P::Schema,
        settings: SettingsOf<P>,
        forest: ForestSettings,
    ) -> Result<Self, SettingError> {
        forest.check(false)?;
        P::check_schema(&schema)?;
        settings.check_rules()?;
        let tree = |index| Grower::new(index, forest.seed);
        Ok(Self {
            samples: Samples::new(&schema),
            schema,
            settings,
            seen: 0,
            trees: (0..forest.trees).map(tree).collect(),
        })
    }

    /// Returns the schema of the stream.
    pub fn schema(&self) -> &P::Schema {
        &self.schema
    }

    /// Returns the settings that all trees share.
    pub fn settings(&self) -> &SettingsOf<P> {
        &self.settings
    }

    /// Returns the samples that some tree holds.
    pub fn samples(&self) -> &Samples<P, M> {
        &self.samples
    }

    /// Returns the number of samples learned.
    pub fn samples_seen(&self) -> u64 {
        self.seen
    }

    /// Returns the trees, in index order.
    pub fn trees(&self) -> impl ExactSizeIterator<Item = &BoundaryTree> {
        self.trees.iter().map(|tree| &tree.nodes)
    }

    /// Returns the memory that the forest takes: nodes, samples and their codes.
    pub fn footprint(&self) -> Footprint {
        let trees = self.trees.capacity() * size_of::<Grower>();
        let nodes: usize = self.trees().map(BoundaryTree::bytes).sum();
        Footprint {
            nodes: self.trees().map(BoundaryTree::len).sum(),
            stored_samples: self.samples.len(),
            bytes: self.samples.bytes() + trees + nodes,
        }
    }

    /// Drops the samples from `first` on that no tree holds.
    fn drop_unreferenced(&mut self, first: usize) {
        let mut kept = RetentionMask::empty(first, self.samples.len() - first);
        self.trees().for_each(|tree| tree.keep(&mut kept));
        if kept.all() {
            return;
        }
        let names = kept.remap();
        self.samples.remap(&names);
        let trees = self.trees.iter_mut();
        trees.for_each(|tree| tree.nodes.remap(&names));
    }
}
